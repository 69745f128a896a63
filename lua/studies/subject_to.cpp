// SPDX-License-Identifier: MIT
#include "studies/subject_to.hpp"

#include <algorithm>
#include <cmath>

#include "base/named_values.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "base/userdata.hpp"
#include "format/text.hpp"
#include "model/named_signals.hpp"
#include "model/unit.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

constexpr std::string_view limits_field = "subject_to", least_field = "minimize", greatest_field = "maximize";

/// One item of the list, a table at a stack index.
class LimitReader {
 public:
  LimitReader(Args& args, lua_State* L, int index, std::string_view field, lua_Integer number)
      : args_(args),
        state_(L),
        index_(index),
        is_cost_(field != limits_field),
        verb_(field == limits_field ? "limits" : std::string(field) + "s"),
        who_(std::string(field) + "[" + std::to_string(number) + "]") {
    if (!lua_istable(L, index)) fail("must be a table such as { \"travel\", travel, max = 0.08 }, got " + value(index));
    check_keys();
    lua_rawgeti(L, index, 1);
    has_name_ = lua_type(L, -1) == LUA_TSTRING;
    if (has_name_) limit_.name = lua_tostring(L, -1);
    lua_pop(L, 1);
  }

  void read(simulation::Problem& problem, SubjectTo& out, std::vector<expr::NodeId>& nodes) {
    lua_rawgeti(state_, index_, has_name_ ? 2 : 1);
    const int what = lua_gettop(state_);
    int objective = -1;
    if (const ObjectiveHandle* handle = test_userdata<ObjectiveHandle>(state_, what)) {
      if (handle->model != args_.model()) fail("the objective \"" + handle->objective->name + "\" is of another model");
      if (!has_name_) limit_.name = handle->objective->name;
      objective = place_of(objective_of(*handle), problem);
      const ObjectiveParts& parts = handle->parts;
      if (parts.integral == expr::no_node) {
        check_unit(parts.extremum != expr::no_node ? parts.extremum : parts.terminal);
      }
    } else if (const Expression* expression = test_userdata<Expression>(state_, what)) {
      if (expression->model != args_.model()) fail("the expression is of another model");
      check_of_parameters(*expression);
      nodes.push_back(expression->node);
    } else {
      fail(verb_ + " an objective (of m:objective) or an expression of parameters, not " + value(what));
    }
    lua_pop(state_, 1);
    if (limit_.name.empty() && is_cost_) {
      fail("an expression of parameters needs a name, as in { \"mass\", rho * L, unit = \"kg\" }");
    }
    if (limit_.name.empty()) limit_.name = "constraint " + std::to_string(out.limits.size() + 1);
    for (const optimize::Constraint& other : out.limits) {
      if (other.name == limit_.name)
        fail("the name \"" + limit_.name + "\" is taken; give each " + (is_cost_ ? "cost and " : "") + "limit its own");
    }
    if (!is_cost_) read_limits();
    limit_.scale = number("scale").value_or(0);
    if (limit_.scale < 0) fail("scale must be positive, got " + number_text(limit_.scale));
    out.limits.push_back(limit_);
    out.units.push_back(text("unit"));
    out.objectives.push_back(objective);
    out.experiments.push_back(0);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { args_.fail(who_ + ": " + problem); }
  std::string value(int index) const { return described_value(state_, index); }

  void check_keys() {
    static const std::vector<std::string> of_limits = {"max", "min", "equals", "unit", "scale"}, of_costs = {"unit"};
    const std::vector<std::string>& known = is_cost_ ? of_costs : of_limits;
    for (lua_pushnil(state_); lua_next(state_, index_); lua_pop(state_, 1)) {
      if (lua_isinteger(state_, -2) && lua_tointeger(state_, -2) >= 1 && lua_tointeger(state_, -2) <= 2) continue;
      const std::string key = lua_type(state_, -2) == LUA_TSTRING ? lua_tostring(state_, -2) : value(-2);
      if (lua_type(state_, -2) == LUA_TSTRING && std::find(known.begin(), known.end(), key) != known.end()) continue;
      fail("it has no field '" + key + "'" + did_you_mean(closest(key, known)) +
           (is_cost_ ? "\nit has unit" : "\nit has max, min, equals, unit, scale"));
    }
  }

  std::optional<double> number(const char* key) {
    lua_getfield(state_, index_, key);
    std::optional<double> found;
    if (!lua_isnil(state_, -1)) {
      if (lua_type(state_, -1) != LUA_TNUMBER || !std::isfinite(lua_tonumber(state_, -1))) {
        fail(std::string(key) + " must be a finite number, got " + value(-1) +
             (test_userdata<Expression>(state_, -1) ? "; limit the difference, with max = 0" : ""));
      }
      found = lua_tonumber(state_, -1);
    }
    lua_pop(state_, 1);
    return found;
  }

  std::string text(const char* key) {
    lua_getfield(state_, index_, key);
    if (!lua_isnil(state_, -1) && lua_type(state_, -1) != LUA_TSTRING) {
      fail(std::string(key) + " must be a string, got " + value(-1));
    }
    std::string found = lua_isnil(state_, -1) ? "" : lua_tostring(state_, -1);
    lua_pop(state_, 1);
    return found;
  }

  void read_limits() {
    const std::optional<double> most = number("max"), least = number("min"), equals = number("equals");
    if (!most && !least && !equals) fail("\"" + limit_.name + "\" has no limit; give max, min or equals");
    if (equals && (most || least)) fail("\"" + limit_.name + "\": give either equals, or max and min");
    if (least && most && !(*least < *most)) {
      fail("\"" + limit_.name + "\": min = " + number_text(*least) + " is not below max = " + number_text(*most) +
           "; one value is equals");
    }
    if (least) limit_.lower = *least;
    if (most) limit_.upper = *most;
    if (equals) limit_.lower = limit_.upper = *equals;
  }

  void check_of_parameters(const Expression& expression) const {
    const expr::Graph& graph = args_.engine().graph();
    const std::optional<int> alone = parameter_index(args_.engine(), expression.node);
    const model::Parameter* parameter =
        alone ? &args_.engine().parameters()[static_cast<std::size_t>(*alone)] : nullptr;
    if (parameter && parameter->size != 1 && is_cost_) {
      fail("parameter \"" + parameter->name + "\" is in " + parameter->unit +
           ", and costs are in SI units; for its number in " + parameter->unit + " divide it by " +
           number_text(parameter->size));
    }
    if (parameter && parameter->size != 1) {
      fail("parameter \"" + parameter->name + "\" is in " + parameter->unit + ", and limits are in SI units; give it " +
           "its min and max where it is declared");
    }
    for (const expr::NodeId id : graph.variables_of({expression.node})) {
      if (graph.variable_of(id).quantity == expr::Quantity::Parameter) continue;
      fail("'" + graph.variable_of(id).name + "' changes with time, so that it is no single number; write " +
           "m:objective { terminal = ... } for its value at the end");
    }
  }

  /// Limits and costs count in SI units, whatever the value is shown in; costs say no number that may be meant
  /// otherwise.
  void check_unit(expr::NodeId node) {
    const model::Model& engine = args_.engine();
    const std::string given = text("unit"), signal = signal_of(engine, node);
    const std::string own = shown_expression(engine, "", expr::Symbol(engine.graph(), node), "").unit;
    const std::string shown = signal.empty() ? own : model::shown_signal(engine, signal).unit;
    const auto size = [](const std::string& unit) { return model::unit_in_si(unit).value_or(model::UnitInSi{}).size; };
    if (is_cost_ && given.empty()) return;
    const std::string& other = given.empty() ? shown : given;
    const auto is = model::unit_in_si(own), said = model::unit_in_si(given);
    if (!own.empty() && said && is && (said->dimension != is->dimension || said->si != is->si)) {
      fail("\"" + limit_.name + "\" is in " + own + ", not in " + given);
    }
    if (own.empty() || size(other) == size(own)) return;
    fail("\"" + limit_.name + "\" is " + (given.empty() ? "of a signal that is shown in " : "given in ") + other +
         (is_cost_ ? ", and costs count in SI units: give unit = \""
                   : ", and limits count in SI units: give its numbers in " + own + ", with unit = \"") +
         own + "\"");
  }

  static int place_of(const std::shared_ptr<const simulation::Objective>& objective, simulation::Problem& problem) {
    auto& all = problem.objectives;
    const auto found = std::find(all.begin(), all.end(), objective);
    if (found != all.end()) return static_cast<int>(found - all.begin());
    all.push_back(objective);
    return static_cast<int>(all.size()) - 1;
  }

  Args& args_;
  lua_State* state_;
  int index_;
  bool is_cost_;
  std::string verb_, who_;
  bool has_name_ = false;
  optimize::Constraint limit_;
};

std::string limits_text(const optimize::Constraint& limit) {
  if (limit.lower == limit.upper) return "equals " + format::significant(limit.upper, 6);
  std::string text;
  if (std::isfinite(limit.lower)) text = "min " + format::significant(limit.lower, 6);
  if (std::isfinite(limit.upper)) text += (text.empty() ? "" : ", ") + ("max " + format::significant(limit.upper, 6));
  return text;
}

/// What one percent more room at a limit would do to the objective; to its scale, where the limit is zero.
std::string cost_text(double limit, double multiplier, double scale, const std::string& unit, double sign) {
  if (multiplier == 0) return "";
  const double room = 0.01 * (limit != 0 ? std::abs(limit) : scale > 0 ? scale : 1);
  const double change = -sign * multiplier * (multiplier > 0 ? room : -room);
  return (multiplier > 0 ? "+" : "-") + format::significant(room, 3) + (unit.empty() ? "" : " " + unit) +
         ": objective " + (change < 0 ? "-" : "+") + format::significant(std::abs(change), 3);
}

/// Appends the items of a list at a stack index, where 0 is none. What stands without a table of its own gets one.
void read_items(Args& args, lua_State* L, std::string_view field, int index, simulation::Problem& problem,
                SubjectTo& out, std::vector<expr::NodeId>& nodes) {
  if (index == 0) return;
  if (!lua_istable(L, index)) args.fail_value(field, index);
  check_list(args, L, field, index);
  for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
    const bool is_plain =
        test_userdata<ObjectiveHandle>(L, lua_gettop(L)) || test_userdata<Expression>(L, lua_gettop(L));
    if (field != limits_field && is_plain) {
      lua_createtable(L, 1, 0);
      lua_insert(L, -2);
      lua_rawseti(L, -2, 1);
    }
    LimitReader(args, L, lua_gettop(L), field, i).read(problem, out, nodes);
    lua_pop(L, 1);
  }
  lua_settop(L, index - 1);
}

void compile_tape(const Args& args, SubjectTo& out, const std::vector<expr::NodeId>& nodes) {
  std::vector<expr::NodeId> inputs;
  for (const model::Parameter& p : args.engine().parameters()) inputs.push_back(p.node);
  if (!nodes.empty()) out.tape = expr::Tape(args.engine().graph(), inputs, nodes);
}

}  // namespace

SubjectTo read_subject_to(Args& args, lua_State* L, simulation::Problem& problem) {
  SubjectTo out;
  std::vector<expr::NodeId> nodes;
  read_items(args, L, limits_field, args.value(limits_field), problem, out, nodes);
  compile_tape(args, out, nodes);
  return out;
}

SubjectTo read_costs(Args& args, lua_State* L, simulation::Problem& problem, std::array<double, 2>& signs) {
  SubjectTo out;
  std::vector<expr::NodeId> nodes;
  read_items(args, L, limits_field, args.value(limits_field), problem, out, nodes);
  const std::size_t limits = out.limits.size();
  read_items(args, L, least_field, args.value(least_field), problem, out, nodes);
  const std::size_t least = out.limits.size() - limits;
  read_items(args, L, greatest_field, args.value(greatest_field), problem, out, nodes);
  if (const std::size_t costs = out.limits.size() - limits; costs != 2) {
    args.fail("minimize and maximize take two costs together, got " + std::to_string(costs));
  }
  for (std::size_t k = 0; k < signs.size(); ++k) signs[k] = k < least ? 1 : -1;
  compile_tape(args, out, nodes);
  return out;
}

void hold_in_all(SubjectTo& subject_to, const std::vector<NamedRun>& experiments) {
  if (experiments.size() == 1) return;
  SubjectTo out;
  out.tape = subject_to.tape;
  for (std::size_t k = 0; k < subject_to.limits.size(); ++k) {
    const bool is_of_runs = subject_to.objectives[k] >= 0;
    for (std::size_t e = 0; e < (is_of_runs ? experiments.size() : 1); ++e) {
      out.limits.push_back(subject_to.limits[k]);
      if (is_of_runs) out.limits.back().name += " in " + experiments[e].name;
      out.units.push_back(subject_to.units[k]);
      out.objectives.push_back(subject_to.objectives[k]);
      out.experiments.push_back(e);
    }
  }
  subject_to = std::move(out);
}

void evaluate_limits(const SubjectTo& subject_to, const std::vector<sensitivity::Gradient>& found,
                     const std::vector<double>& parameters, const std::vector<int>& over, Eigen::VectorXd& values,
                     Eigen::MatrixXd& jacobian) {
  using Eigen::Index;
  const auto n = static_cast<Index>(over.size());
  const bool has_gradients = jacobian.size() > 0;
  std::vector<double> work, adjoint;
  if (subject_to.tape.output_count() > 0) {
    work = subject_to.tape.make_work<double>();
    std::copy_n(parameters.begin(), subject_to.tape.input_count(), work.begin());
    subject_to.tape.evaluate(work.data());
  }
  int output = 0;
  for (std::size_t k = 0; k < subject_to.limits.size(); ++k) {
    const auto row = static_cast<Index>(k) + 1;
    if (subject_to.objectives[k] >= 0) {
      const sensitivity::Gradient& run = found[subject_to.experiments[k]];
      const auto objective = static_cast<std::size_t>(subject_to.objectives[k]);
      values[row] = run.values[objective];
      if (has_gradients) {
        jacobian.row(row).head(n) = Eigen::Map<const Eigen::RowVectorXd>(run.derivatives[objective].data(), n);
      }
      continue;
    }
    const auto slot = static_cast<std::size_t>(subject_to.tape.output_slot(output++));
    values[row] = work[slot];
    if (!has_gradients) continue;
    adjoint.assign(work.size(), 0.0);
    adjoint[slot] = 1;
    subject_to.tape.reverse(work.data(), adjoint.data());
    for (Index i = 0; i < n; ++i) {
      jacobian(row, i) = adjoint[static_cast<std::size_t>(over[static_cast<std::size_t>(i)])];
    }
  }
}

void set_certificate(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                     const std::string& objective, double sign, const SubjectTo& subject_to,
                     const std::vector<optimize::Variable>& variables, const optimize::ConstrainedResult& result) {
  const bool has_gradients = !std::isnan(result.kkt);
  if (has_gradients) set_number(L, "kkt", result.kkt);
  set_number(L, "violation", result.violation);
  TextRows rows{{"limit", "value", "", "multiplier", "with 1 % more room"}};
  if (!has_gradients) rows[0].resize(3);
  lua_newtable(L);
  for (std::size_t k = 0; k < subject_to.limits.size(); ++k) {
    const optimize::Constraint& limit = subject_to.limits[k];
    const auto i = static_cast<Eigen::Index>(k);
    const double value = result.values[i], multiplier = result.multipliers[i];
    const std::string& unit = subject_to.units[k];
    rows.push_back({limit.name, format::significant(value, 6) + (unit.empty() ? "" : " " + unit), limits_text(limit)});
    lua_newtable(L);
    set_number(L, "value", value);
    if (!has_gradients) {
      lua_setfield(L, -2, limit.name.c_str());
      continue;
    }
    set_number(L, "multiplier", multiplier);
    lua_pushboolean(L, multiplier != 0 || limit.lower == limit.upper);
    lua_setfield(L, -2, "active");
    lua_setfield(L, -2, limit.name.c_str());
    rows.back().push_back(multiplier == 0 ? "0" : format::significant(multiplier, 4));
    rows.back().push_back(cost_text(multiplier > 0 ? limit.upper : limit.lower, multiplier, limit.scale, unit, sign));
  }
  refuse_other_names(L);
  lua_setfield(L, -2, "constraints");
  for (std::size_t k = 0; has_gradients && k < over.size(); ++k) {
    const double multiplier = result.bound_multipliers[static_cast<Eigen::Index>(k)];
    if (multiplier == 0) continue;
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(over[k])];
    const optimize::Variable& v = variables[k];
    const double bound = multiplier > 0 ? v.upper : v.lower;
    rows.push_back({p.name, format::significant(result.x[static_cast<Eigen::Index>(k)], 6),
                    std::string(v.lower == v.upper ? "fixed"
                                : multiplier > 0   ? "its max"
                                                   : "its min"),
                    format::significant(multiplier, 4), cost_text(bound, multiplier, 0, p.unit, sign)});
  }
  if (rows.size() == 1) return;
  const bool is_feasible = result.reason != optimize::ConstrainedReason::Infeasible;
  set_text(L, "certificate",
           (is_feasible && has_gradients
                ? std::string("what holds the ") + (sign < 0 ? "greatest " : "least ") + objective + ":"
                : "the limits there:") +
               aligned(rows));
}

}  // namespace perilune::lua
