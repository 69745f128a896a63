// SPDX-License-Identifier: MIT
// Trace and verify: what a traced law computes must be what the Lua function computes with numbers.
#include <algorithm>
#include <cmath>
#include <random>

#include "error.hpp"
#include "values/operand.hpp"
#include "values/trace.hpp"
#include "values/trace_scan.hpp"

namespace perilune::lua {

using expr::NodeId;
using expr::Quantity;

namespace {

constexpr int random_samples = 20;
constexpr double tolerance = 1e-12;
constexpr size_t most_values = 24, most_leaves = 40;
// Bounds the calls of a long law: operations that all exact values together may cost.
constexpr size_t most_operations = 2'000'000;

int return_self(lua_State* L) {
  lua_settop(L, 1);
  return 1;
}

int do_nothing(lua_State*) { return 0; }

// While a law runs with numbers, 'P1.x(s)' calls a number, and 'print' would print for every sample.
class NumericWorld {
 public:
  explicit NumericWorld(lua_State* L) : state_(L) {
    luaL_checkstack(L, LUA_MINSTACK, "stack overflow");
    lua_pushnumber(L, 0);
    if (!lua_getmetatable(L, -1)) lua_pushnil(L);
    metatable_ = lua_gettop(L);
    lua_pushnumber(L, 0);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, return_self);
    lua_setfield(L, -2, "__call");
    lua_setmetatable(L, -2);
    lua_pushglobaltable(L);
    lua_pushliteral(L, "print");
    lua_rawget(L, -2);
    print_ = lua_gettop(L);
    if (!lua_isnil(L, print_)) swap_print([L] { lua_pushcfunction(L, do_nothing); });
  }
  ~NumericWorld() {
    lua_pushnumber(state_, 0);
    lua_pushvalue(state_, metatable_);
    lua_setmetatable(state_, -2);
    if (!lua_isnil(state_, print_)) swap_print([this] { lua_pushvalue(state_, print_); });
    lua_pop(state_, 1);
  }
  NumericWorld(const NumericWorld&) = delete;
  NumericWorld& operator=(const NumericWorld&) = delete;

 private:
  template <class Push>
  void swap_print(const Push& push) {
    lua_pushliteral(state_, "print");
    push();
    lua_rawset(state_, print_ - 1);
  }
  lua_State* state_;
  int metatable_, print_;
};

// Something that a law reads, as one number that can be chosen.
struct Leaf {
  std::string name;
  NodeId node;
};

class LawCheck {
 public:
  LawCheck(lua_State* L, int function, Tracing& tracing, const std::vector<NodeId>& nodes)
      : state_(L),
        function_(function),
        tracing_(tracing),
        data_(*tracing.request().model),
        nodes_(nodes),
        title_(law_title(L, function, tracing.request())),
        captured_(L, function, tracing.request().model) {
    find_leaves();
    data_.sample_variable = [this](const expr::Variable& variable) { return draw(variable); };
  }
  ~LawCheck() {
    tracing_.set_numeric(false);
    data_.sample_variable = nullptr;
    data_.samples.clear();
  }
  LawCheck(const LawCheck&) = delete;
  LawCheck& operator=(const LawCheck&) = delete;

  void run() {
    for (int i = 0; i < random_samples; ++i) {
      begin_sample(i);
      compare(leaves_);
    }
    // A branch that tracing did not take may read more: 's.x == 0 and s.y == 0'.
    size_t budget = most_operations / (tracing_.made().size() + 20);
    for (size_t tried = 0; tried < leaves_.size();) {
      tried = leaves_.size();
      try_exact_values(budget);
      find_leaves();
    }
  }

 private:
  const expr::Graph& graph() const { return data_.engine->graph(); }

  void try_exact_values(size_t& budget) {
    for (const double value : exact_values()) {
      for (const Leaf& leaf : leaves_) {
        if (budget == 0) return;
        if (!can_be_set(leaf, value)) continue;
        --budget;
        begin_sample(1);
        data_.samples.set(leaf.node, value);
        compare({leaf});
      }
      begin_sample(1);
      for (const Leaf& leaf : leaves_) {
        if (can_be_set(leaf, value)) data_.samples.set(leaf.node, value);
      }
      compare(leaves_);
    }
  }

  void add_leaf(const std::string& name, NodeId node) {
    if (graph().is_constant(node)) return;
    const auto same = [node](const Leaf& leaf) { return leaf.node == node; };
    if (leaves_.size() < most_leaves && std::none_of(leaves_.begin(), leaves_.end(), same)) {
      leaves_.push_back({name, node});
    }
  }

  void find_leaves() {
    for (const Tracing::Read& read : tracing_.reads()) add_leaf(read.name, read.node);
    for (const NodeId node : captured_.nodes()) {
      add_leaf(graph().to_string(node, 30), node);
    }
    for (const NodeId node : graph().variables_of(nodes_)) {
      if (graph().variable_of(node).quantity == Quantity::Parameter) add_leaf(graph().variable_of(node).name, node);
    }
    made_ = tracing_.made();
    std::sort(made_.begin(), made_.end());
  }

  // A leaf that the law also computed itself cannot have a value of its own.
  bool can_be_set(const Leaf& leaf, double value) const {
    if (std::binary_search(made_.begin(), made_.end(), leaf.node)) return false;
    if (!graph().is_variable(leaf.node)) return true;
    const expr::Variable& variable = graph().variable_of(leaf.node);
    if (variable.quantity != Quantity::Parameter) return true;
    const model::Parameter& parameter = data_.engine->parameters()[static_cast<size_t>(variable.index)];
    return value >= parameter.lower && value <= parameter.upper;
  }

  std::vector<double> exact_values() const {
    std::vector<double> values{0, 1, -1};
    const auto add = [&values](double value) {
      if (values.size() < most_values && std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
      }
    };
    for (const double number : captured_.numbers()) {
      add(number);
      add(-number);
    }
    return values;
  }

  void begin_sample(int number) {
    sample_ = number;
    random_.seed(static_cast<unsigned>(number) * 7919U + 1U);
    data_.samples.clear();
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  // Sample 0 is the declared state; the others lie around it, near and far.
  double draw(const expr::Variable& variable) {
    static constexpr double scales[] = {1, 0.1, 3, 1, 10};
    const bool declared = sample_ == 0;
    const double offset = declared ? 0 : scales[sample_ % 5] * uniform(-1, 1);
    const auto index = static_cast<size_t>(variable.index);
    switch (variable.quantity) {
      case Quantity::Parameter: {
        const model::Parameter& parameter = data_.engine->parameters()[index];
        const double size = parameter.value != 0 ? 0.3 * std::fabs(parameter.value) : 1;
        const double value = parameter.value + (declared ? 0 : size * uniform(-1, 1));
        return std::clamp(value, parameter.lower, parameter.upper);
      }
      case Quantity::Time:
        return declared ? 0 : uniform(0, 10);
      case Quantity::Position:
        return data_.value(data_.engine->coordinates()[index].initial_position) + offset;
      case Quantity::Velocity:
        return data_.value(data_.engine->coordinates()[index].initial_velocity) + offset;
      case Quantity::Acceleration:
      case Quantity::Multiplier:
      case Quantity::Argument:
        break;
      case Quantity::Side:
      case Quantity::Absence:
        return 0;
    }
    return offset;
  }

  std::string point(const std::vector<Leaf>& leaves) {
    std::string text;
    for (size_t i = 0; i < leaves.size() && i < 4; ++i) {
      text += (i == 0 ? " at " : ", ") + leaves[i].name + " = " + short_number(data_.samples(leaves[i].node));
    }
    return text + (leaves.size() > 4 ? ", ..." : "");
  }

  static std::string short_number(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    return std::isnan(value) ? "nan" : buffer;
  }

  static bool agree(double law, double node) {
    if (law == node || std::isnan(law)) return true;  // a law may have a domain; 0 * x is simplified for any x
    if (std::isnan(node)) return false;
    return std::fabs(law - node) <= tolerance * std::max(std::fabs(law), std::fabs(node));
  }

  // The law's results with numbers at the current sample.
  std::vector<double> call(const std::vector<Leaf>& leaves) {
    const int bottom = lua_gettop(state_);
    std::vector<double> results;
    {
      const NumericWorld world(state_);
      const int top = lua_gettop(state_);
      const int count = call_numeric(leaves);
      const auto fail = [&](const std::string& what) {
        throw Error(title_ + " returns other kinds of values" + point(leaves) + " than when it was traced: " + what);
      };
      if (count != static_cast<int>(nodes_.size())) {
        fail(std::to_string(count) + " instead of " + std::to_string(nodes_.size()));
      }
      tracing_.set_numeric(true);
      for (int i = 1; i <= count; ++i) {
        const std::optional<Operand> result = test_operand(state_, top + i);
        if (!result || result->is_symbol()) fail(described_value(state_, top + i));
        results.push_back(result->number);
      }
      tracing_.set_numeric(false);
    }
    lua_settop(state_, bottom);
    return results;
  }

  // Leaves the results on the stack.
  int call_numeric(const std::vector<Leaf>& leaves) {
    const int top = lua_gettop(state_);
    tracing_.set_numeric(true);
    captured_.substitute(data_.samples);
    const bool succeeded = try_law(state_, function_, tracing_);
    captured_.restore();
    int count = lua_gettop(state_) - top;
    if (!succeeded) {
      // Perhaps the law uses a captured expression for more than its number: again, with the expressions in place.
      lua_settop(state_, top);
      count = call_law(state_, function_, tracing_, leaves.empty() ? "" : ", called with numbers" + point(leaves));
    }
    tracing_.set_numeric(false);
    return count;
  }

  [[noreturn]] void fail_difference(const std::vector<Leaf>& leaves, size_t result, double law, double compiled) {
    const std::string where = point(leaves), returned = tracing_.request().results[result] + " = " + short_number(law);
    const double again = call(leaves)[result];
    if (again != law && !std::isnan(again)) {
      throw Error(title_ + " gives different values when it is called twice" + where + ": " + returned + ", then " +
                  short_number(again) + "\na law must not count its calls, or use random numbers or the clock");
    }
    throw Error(title_ + " depends on a condition that tracing froze:" + where + " it returns " + returned +
                ", but the compiled law gives " + short_number(compiled) +
                "\nuse mbs.where(condition, a, b) where the state decides");
  }

  void compare(const std::vector<Leaf>& leaves) {
    const std::vector<double> law = call(leaves);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const double compiled = data_.samples(nodes_[i]);
      if (agree(law[i], compiled)) continue;
      fail_difference(leaves, i, law[i], compiled);
    }
  }

  lua_State* state_;
  int function_;
  Tracing& tracing_;
  ModelData& data_;
  const std::vector<NodeId>& nodes_;
  std::string title_;
  CapturedValues captured_;
  std::vector<Leaf> leaves_;
  std::vector<NodeId> made_;
  std::minstd_rand random_;  // quick to seed, once for each sample
  int sample_ = 0;
};

}  // namespace

void check_law(lua_State* L, int function, Tracing& tracing, const std::vector<NodeId>& nodes) {
  LawCheck(L, function, tracing, nodes).run();
}

}  // namespace perilune::lua
