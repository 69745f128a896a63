// SPDX-License-Identifier: MIT
// Expressions in scripts: nodes of a model's graph with Lua's operators.
#pragma once
#include <lua.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "values/object.hpp"

namespace perilune::lua {

struct Expression {
  ModelPtr model;
  expr::NodeId node;
  /// A number 1 was a factor of it, of which nothing is left in the node: 1 m * k is not what the unit of k says.
  bool hides_number = false;
};

/// Pushes an expression. While a traced law is checked with numbers, pushes its value instead.
void push_expression(lua_State* L, const ModelPtr& model, expr::NodeId node, bool hides_number = false);
/// A number where it is one, else an expression. `model`: of expressions; null where nothing symbolic was given.
void push_symbol(lua_State* L, const ModelPtr& model, const expr::Symbol& x);
/// The same for something that a law may read: the state and the signals. `name` is how the script calls it.
void push_variable(lua_State* L, const std::string& name, const ModelPtr& model, expr::NodeId node);

/// A parameter's number in its model, if the node is one.
std::optional<int> parameter_index(const model::Model& model, expr::NodeId node);

/// What can follow "k." or "P1.x.".
std::span<const std::string_view> expression_members(const Expression& expression);

/// `another model ("leg")`, which may have the name of `own`.
std::string other_title(const ModelData& other, const ModelData& own);
/// "100 N/m"
std::string with_unit(double value, const std::string& unit);
std::string number_text(double value);

/// Replaces the functions of the global table `math` that must understand expressions; numbers behave as before.
void replace_math_functions(lua_State* L);
/// Creates the metatable, and replaces the functions of math.
void open_expressions(lua_State* L);

}  // namespace perilune::lua
