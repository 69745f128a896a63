// SPDX-License-Identifier: MIT
// Arguments that are numbers or expressions, and operations on them, for operators and mathematical functions.
#pragma once
#include <lua.hpp>
#include <optional>
#include <string>

#include "values/expression.hpp"

namespace perilune::lua {

/// A number, or a node of a model. While a traced law is checked with numbers, expressions are numbers too.
struct Operand {
  ModelPtr model;  // of an expression
  expr::NodeId node = expr::no_node;
  double number = 0;
  bool hides_number = false;  // a number 1 was a factor of it, of which nothing is left

  bool is_symbol() const { return model != nullptr; }
  std::string text(std::size_t longest = 40) const;
};

/// Empty if the value is neither a number nor an expression.
std::optional<Operand> test_operand(lua_State* L, int index);
/// Made by mbs.lt and its like.
bool is_condition(const Operand& operand);
/// Throws Error, naming the function or operator, if it is neither, or if it is a condition.
Operand check_operand(lua_State* L, int index, const std::string& user);

Operand unary(lua_State* L, expr::Op op, const Operand& a);
Operand binary(lua_State* L, expr::Op op, const Operand& a, const Operand& b);
Operand where(lua_State* L, const Operand& condition, const Operand& yes, const Operand& no);
int push_operand(lua_State* L, const Operand& operand);

inline Operand constant(double value) { return {nullptr, expr::no_node, value, false}; }

}  // namespace perilune::lua
