// SPDX-License-Identifier: MIT
// What a Lua function can reach besides its arguments: expressions that it captured, and numbers worth trying.
#pragma once
#include <lua.hpp>
#include <vector>

#include "values/object.hpp"

namespace perilune::lua {

/// Finds the expressions in the upvalues of a function, in the functions and tables that those hold, and in the
/// globals. While a law is checked, they are replaced by plain numbers, so that even 'k == 0' sees a number.
class CapturedValues {
 public:
  /// Leaves one table on the stack, which must stay there as long as this lives.
  CapturedValues(lua_State* L, int function, const ModelPtr& model);
  ~CapturedValues() { restore(); }
  CapturedValues(const CapturedValues&) = delete;
  CapturedValues& operator=(const CapturedValues&) = delete;

  const std::vector<expr::NodeId>& nodes() const { return nodes_; }
  /// Numbers written in the functions or captured by them.
  const std::vector<double>& numbers() const { return numbers_; }

  /// Puts numbers in place of the expressions.
  void substitute(NodeValues& values);
  void restore();

 private:
  struct Slot {
    bool is_upvalue;
    expr::NodeId node;
  };
  void visit_function(int function, int depth);
  void visit_table(int table, int depth, bool with_numbers);
  void visit_value(int container, int key, bool is_upvalue, int depth, bool with_numbers);
  bool is_new(int value);
  void put(int slot);

  lua_State* state_;
  const ModelPtr& model_;
  int anchor_;   // stack index of the table that holds container, key and original of each slot
  int visited_;  // stack index of the set of visited objects, during the search
  int budget_ = 20000;
  bool substituted_ = false;
  std::vector<Slot> slots_;
  std::vector<expr::NodeId> nodes_;
  std::vector<double> numbers_;
};

/// The numbers in the code of a Lua function and of the functions inside it.
std::vector<double> literals_of(lua_State* L, int function);

}  // namespace perilune::lua
