// SPDX-License-Identifier: MIT
#include "studies/fit_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/named_signals.hpp"
#include "model/signals.hpp"
#include "model/unit.hpp"
#include "poll.hpp"
#include "values/expression.hpp"
#include "values/expression_field.hpp"

namespace perilune::lua {

namespace {

constexpr std::string_view field = "signals";

/// The unit of the model's signal that this node is, or that follows for an expression; empty where none does.
std::string unit_of(const model::Model& engine, expr::NodeId node) {
  const std::string name = signal_of(engine, node);
  return name.empty() ? shown_expression(engine, name, expr::Symbol(engine.graph(), node), "").unit
                      : model::signal_unit(engine, name);
}

/// One item of the list, a table at a stack index.
class SignalReader {
 public:
  SignalReader(Args& args, lua_State* L, int index, lua_Integer number)
      : args_(args), state_(L), index_(index), who_(std::string(field) + "[" + std::to_string(number) + "]") {
    if (!lua_istable(L, index)) {
      fail("must be a table such as { \"angle\", joint.angle }, got " + described_value(L, index));
    }
    check_signal_keys();
  }

  FitSignal read(const std::vector<int>& over, expr::NodeId& node) {
    FitSignal out;
    lua_rawgeti(state_, index_, 1);
    if (lua_type(state_, -1) != LUA_TSTRING) {
      fail("its first item is the name of a column of the data, got " + described_value(state_, -1));
    }
    out.name = lua_tostring(state_, -1);
    who_ = "signal \"" + out.name + "\"";
    lua_rawgeti(state_, index_, 2);
    node = node_of(lua_gettop(state_), out.name);
    out.node = node;
    out.unit = unit_of(args_.engine(), node);
    read_times(out);
    read_deviation(out);
    read_delay(out, over);
    lua_settop(state_, index_);
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { args_.fail(who_ + ": " + problem); }

  void check_signal_keys() {
    static const std::vector<std::string> known = {"times", "delay", "deviation"};
    for (lua_pushnil(state_); lua_next(state_, index_); lua_pop(state_, 1)) {
      if (lua_isinteger(state_, -2) && lua_tointeger(state_, -2) >= 1 && lua_tointeger(state_, -2) <= 2) continue;
      const std::string key = lua_type(state_, -2) == LUA_TSTRING ? lua_tostring(state_, -2) : "?";
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const bool is_linear = key == "gain" || key == "offset" || key == "scale" || key == "bias";
      fail("it has no field '" + key + "'" + did_you_mean(closest(key, known)) +
           (is_linear ? "\nwrite it into the expression, as in gain * joint.angle + offset"
                      : "\nit has times, delay, deviation"));
    }
  }

  expr::NodeId node_of(int at, const std::string& name) {
    if (lua_isnil(state_, at)) {
      fail("the second item is missing: what the model says in place of the measurement, as in { \"" + name +
           "\", joint.angle }");
    }
    if (lua_type(state_, at) == LUA_TSTRING) {
      const std::string signal = lua_tostring(state_, at);
      if (model::has_signal(args_.engine(), signal)) return args_.engine().signal(signal);
      fail("the model has no signal '" + signal + "'" +
           did_you_mean(closest(signal, model::signal_names(args_.engine()))));
    }
    if (!lua_isfunction(state_, at) && !test_userdata<Expression>(state_, at)) {
      fail("the second item is an expression of signals, a function that returns one, or the name of a signal, not " +
           described_value(state_, at));
    }
    return expression_at(args_, state_, field, at, true);
  }

  void read_times(FitSignal& out) {
    lua_getfield(state_, index_, "times");
    if (lua_isnil(state_, -1)) return;
    if (lua_type(state_, -1) != LUA_TSTRING) {
      fail("times must be the name of a column, got " + described_value(state_, -1));
    }
    out.times = lua_tostring(state_, -1);
  }

  void read_deviation(FitSignal& out) {
    lua_getfield(state_, index_, "deviation");
    if (lua_isnil(state_, -1)) return;
    if (lua_type(state_, -1) == LUA_TNUMBER) out.deviation = lua_tonumber(state_, -1);
    if (!(out.deviation > 0) || !std::isfinite(out.deviation)) {
      fail("deviation must be a positive number, the standard deviation of a measurement, got " +
           described_value(state_, -1));
    }
  }

  void read_delay(FitSignal& out, const std::vector<int>& over) {
    lua_getfield(state_, index_, "delay");
    if (lua_isnil(state_, -1)) return;
    if (lua_type(state_, -1) == LUA_TNUMBER) {
      out.delay = out.most_delay = lua_tonumber(state_, -1);
    } else {
      const Expression* expression = test_userdata<Expression>(state_, -1);
      const std::optional<int> number = expression && expression->model == args_.model()
                                            ? parameter_index(args_.engine(), expression->node)
                                            : std::nullopt;
      if (!number) fail("delay must be a number or a parameter of the model (s), got " + described_value(state_, -1));
      const model::Parameter& p = args_.engine().parameters()[static_cast<std::size_t>(*number)];
      if (p.size != 1) fail("delay: parameter \"" + p.name + "\" is in " + p.unit + "; a delay is in s");
      const bool varies = std::find(over.begin(), over.end(), *number) != over.end();
      out.delay_parameter = *number;
      out.most_delay = varies ? p.upper : args_.model()->parameter_values()[static_cast<std::size_t>(*number)];
      if (varies && (!std::isfinite(p.upper) || p.lower < 0)) {
        fail("delay: parameter \"" + p.name +
             "\" needs bounds for a fit: min = 0 or more, and a max, from which on all delayed measurements are "
             "of motion after the start");
      }
    }
    if (!(out.most_delay >= 0) || !std::isfinite(out.most_delay)) {
      fail("delay must be zero or positive (s), got " + number_text(out.most_delay));
    }
  }

  Args& args_;
  lua_State* state_;
  int index_;
  std::string who_;
};

class DataReader {
 public:
  DataReader(Args& args, lua_State* L, int index, std::string label)
      : args_(args), state_(L), index_(index), label_(std::move(label)) {
    if (!lua_istable(L, index)) {
      args.fail(label_ + " must be a table of columns by name, as mbs.read_csv and mbs.read_mat return it, got " +
                described_value(L, index));
    }
  }

  const std::vector<double>& column(const std::string& name, const char* what) {
    const auto known = columns_.find(name);
    if (known != columns_.end()) return known->second;
    std::vector<double> values;
    lua_pushstring(state_, name.c_str());
    lua_rawget(state_, index_);
    if (!lua_istable(state_, -1)) fail_missing(name, what);
    Poll poll;
    for (lua_Integer i = 1; lua_rawgeti(state_, -1, i) != LUA_TNIL; ++i) {
      poll();
      if (lua_type(state_, -1) != LUA_TNUMBER) {
        fail(name + "[" + std::to_string(i) + "] must be a number, got " + described_value(state_, -1));
      }
      values.push_back(lua_tonumber(state_, -1));
      if (!std::isfinite(values.back())) {
        fail(name + "[" + std::to_string(i) + "] is " + number_text(values.back()) +
             ": take the row out of all columns, or give this signal times of its own (times = \"...\") without it");
      }
      lua_pop(state_, 1);
    }
    lua_pop(state_, 1);
    for (lua_pushnil(state_); lua_next(state_, -2); lua_pop(state_, 1)) {
      poll();
      if (!lua_isinteger(state_, -2) || lua_tointeger(state_, -2) <= static_cast<lua_Integer>(values.size())) continue;
      fail(name + "[" + std::to_string(values.size() + 1) + "] is nil, while the column goes on behind it");
    }
    lua_settop(state_, index_);
    return columns_.emplace(name, std::move(values)).first->second;
  }

  /// How many of the expected unit that of the column is; fails where it measures something else.
  double size_of_unit(const std::string& column, const std::string& expected, const std::string& whose) {
    const std::string unit = unit_of_column(column);
    if (unit.empty() || expected.empty()) return 1;
    const auto given = model::unit_in_si(unit), wanted = model::unit_in_si(expected);
    const bool converts = given && wanted && given->si == wanted->si && given->dimension == wanted->dimension;
    if (unit != expected && !converts) {
      fail("column \"" + column + "\" is in " + unit + ", " + whose + " in " + expected + ": these do not convert");
    }
    return converts ? given->size / wanted->size : 1;
  }

  /// How many SI units that of the column is, beside an expression of which no unit is known. Fails where it is none
  /// that the expression can have.
  double size_in_si(const std::string& column, expr::NodeId node) {
    const std::string unit = unit_of_column(column);
    const auto given = model::unit_in_si(unit);
    if (unit.empty() || !given) return 1;
    const model::Model& engine = args_.engine();
    try {
      shown_expression(engine, column, expr::Symbol(engine.graph(), node), unit);
    } catch (const Error& error) {
      fail("column \"" + column + "\" is in " + unit + ": " + error.what());
    }
    return given->size;
  }

  FitSeries series(const FitSignal& signal, double start) {
    FitSeries out;
    out.name = signal.name;
    const std::vector<double>& t = column(signal.times, "the times (s); a signal's field times may name another");
    const std::vector<double>& y = column(signal.name, "measurements");
    if (size_of_unit(signal.times, "s", "times are") != 1) fail("column \"" + signal.times + "\" must be in s");
    const double size = signal.unit.empty() ? size_in_si(signal.name, signal.node)
                                            : size_of_unit(signal.name, signal.unit, "the signal");
    if (size != 1 && signal.deviation > 0) {
      fail("column \"" + signal.name + "\" is converted to " + (signal.unit.empty() ? "SI units" : signal.unit) +
           ", and deviation does not say in which unit it is: convert the column, or leave deviation out");
    }
    if (t.size() != y.size()) {
      fail("\"" + signal.name + "\" has " + std::to_string(y.size()) + " measurements and \"" + signal.times +
           "\" has " + std::to_string(t.size()) + " times");
    }
    for (std::size_t k = 0; k < t.size(); ++k) {
      if (k > 0 && !(t[k] > t[k - 1])) {
        fail(signal.times + "[" + std::to_string(k + 1) + "] = " + number_text(t[k]) + " is not after " +
             number_text(t[k - 1]) + " before it: times must rise");
      }
      if (t[k] < start) {
        fail(signal.times + "[" + std::to_string(k + 1) + "] = " + number_text(t[k]) + " is before the start at " +
             number_text(start) + " s; give start, or take the row out");
      }
      if (t[k] < start + signal.most_delay) {
        ++out.left_out;
        continue;
      }
      out.t.push_back(t[k]);
      out.y.push_back(size * y[k]);
    }
    if (out.t.empty()) {
      fail(t.empty() ? "\"" + signal.name + "\" has no measurements"
                     : "no measurement of \"" + signal.name + "\" is later than the start plus the largest delay, " +
                           number_text(start + signal.most_delay) + " s");
    }
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { args_.fail(label_ + ": " + problem); }

  std::string unit_of_column(const std::string& column) {
    std::string out;
    if (lua_getfield(state_, index_, "units") == LUA_TTABLE &&
        lua_getfield(state_, -1, column.c_str()) == LUA_TSTRING) {
      out = lua_tostring(state_, -1);
    }
    lua_settop(state_, index_);
    return out;
  }

  [[noreturn]] void fail_missing(const std::string& name, const char* what) {
    lua_settop(state_, index_);
    std::vector<std::string> names;
    for (lua_pushnil(state_); lua_next(state_, index_); lua_pop(state_, 1)) {
      if (lua_type(state_, -2) == LUA_TSTRING && lua_istable(state_, -1)) names.emplace_back(lua_tostring(state_, -2));
    }
    std::erase(names, "units");
    std::sort(names.begin(), names.end());
    fail("there is no column \"" + name + "\" with " + what + suggestion_or_list(name, names, "the columns are"));
  }

  Args& args_;
  lua_State* state_;
  int index_;
  std::string label_;
  std::map<std::string, std::vector<double>> columns_;
};

}  // namespace

FitSignals read_fit_signals(Args& args, lua_State* L, const std::vector<int>& over) {
  FitSignals out;
  const int index = args.value(field);
  if (!lua_istable(L, index)) args.fail_value(field, index);
  check_list(args, L, field, index);
  std::vector<expr::NodeId> nodes;
  for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
    nodes.push_back(expr::no_node);
    out.list.push_back(SignalReader(args, L, lua_gettop(L), i).read(over, nodes.back()));
    for (std::size_t k = 0; k + 1 < out.list.size(); ++k) {
      if (out.list[k].name == out.list.back().name) {
        args.fail("signals: the column \"" + out.list[k].name + "\" is given twice");
      }
    }
    lua_settop(L, index);
  }
  lua_settop(L, index - 1);
  if (nodes.empty()) args.fail("signals is empty: nothing would be compared");
  out.functions = std::make_shared<system::Measure>(args.engine(), nodes);
  return out;
}

std::vector<FitSeries> pop_fit_data(Args& args, lua_State* L, const std::string& label, const FitSignals& signals,
                                    double start) {
  const int index = lua_gettop(L);
  DataReader reader(args, L, index, label);
  std::vector<FitSeries> out;
  for (std::size_t k = 0; k < signals.list.size(); ++k) {
    out.push_back(reader.series(signals.list[k], start));
    out.back().signal = k;
  }
  lua_settop(L, index - 1);
  return out;
}

}  // namespace perilune::lua
