// SPDX-License-Identifier: MIT
// Mathematical functions of numbers and expressions: replacements in the table `math`, and more in the module.
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "schema/schema.hpp"
#include "values/operand.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

using expr::Op;

namespace {

constexpr int original_index = 2;  // upvalue; the first one is that of the original

// The stock function, in this very call: its messages then name the function that the script called.
int call_original(lua_State* L) { return lua_tocfunction(L, lua_upvalueindex(original_index))(L); }

// True if an argument is symbolic. Expressions that stand for numbers just now are replaced by them.
bool has_symbol(lua_State* L) {
  bool found = false;
  for (int i = 1; i <= lua_gettop(L); ++i) {
    if (lua_type(L, i) != LUA_TUSERDATA) continue;
    const std::optional<Operand> operand = test_operand(L, i);
    if (!operand) continue;
    found = found || operand->is_symbol();
    if (operand->is_symbol()) continue;
    lua_pushnumber(L, operand->number);
    lua_replace(L, i);
  }
  return found;
}

std::string math_name(Op op) { return std::string("math.") + expr::name_of(op); }

template <Op op>
int math_unary(lua_State* L) {
  if (!has_symbol(L)) return call_original(L);
  return push_operand(L, unary(L, op, check_operand(L, 1, math_name(op))));
}

template <Op op>
int math_fold(lua_State* L) {
  if (!has_symbol(L)) return call_original(L);
  Operand result = check_operand(L, 1, math_name(op));
  for (int i = 2; i <= lua_gettop(L); ++i) result = binary(L, op, result, check_operand(L, i, math_name(op)));
  return push_operand(L, result);
}

int math_atan(lua_State* L) {
  if (!has_symbol(L)) return call_original(L);
  const Operand y = check_operand(L, 1, "math.atan");
  if (lua_isnoneornil(L, 2)) return push_operand(L, unary(L, Op::Atan, y));
  return push_operand(L, binary(L, Op::Atan2, y, check_operand(L, 2, "math.atan")));
}

int math_log(lua_State* L) {
  if (!has_symbol(L)) return call_original(L);
  const Operand x = unary(L, Op::Log, check_operand(L, 1, "math.log"));
  if (lua_isnoneornil(L, 2)) return push_operand(L, x);
  return push_operand(L, binary(L, Op::Div, x, unary(L, Op::Log, check_operand(L, 2, "math.log"))));
}

constexpr double pi = 3.141592653589793238462643383279502884;

int math_deg(lua_State* L) {
  if (!has_symbol(L)) return call_original(L);
  return push_operand(L, binary(L, Op::Mul, check_operand(L, 1, "math.deg"), constant(180.0 / pi)));
}

int math_rad(lua_State* L) {
  if (!has_symbol(L)) return call_original(L);
  return push_operand(L, binary(L, Op::Mul, check_operand(L, 1, "math.rad"), constant(pi / 180.0)));
}

// Functions without a derivative. Upvalue 3: the name.
int math_discrete(lua_State* L) {
  if (!has_symbol(L)) return call_original(L);
  const std::string name = lua_tostring(L, lua_upvalueindex(3));
  int index = 1;
  while (!test_userdata<Expression>(L, index)) ++index;
  throw Error("math." + name + " of symbolic '" + test_operand(L, index)->text() +
              "' has no derivative\nuse mbs.where(condition, a, b) or mbs.smoothstep(x, a, b)");
}

int math_random(lua_State* L) {
  if (Tracing::active()) {
    throw Error("math.random inside a law: the law is called once, so the number would never change");
  }
  return call_original(L);
}

template <Op op, bool swapped>
int comparison(lua_State* L) {
  const std::string user = std::string("mbs.") + (op == Op::Less ? (swapped ? "gt" : "lt") : (swapped ? "ge" : "le"));
  Operand a = check_operand(L, 1, user), b = check_operand(L, 2, user);
  if (swapped) std::swap(a, b);
  // A boolean for numbers: 'if mbs.lt(x, 0)' then differs from what was traced, and the check of the law finds it.
  if (!a.is_symbol() && !b.is_symbol()) {
    lua_pushboolean(L, op == Op::Less ? a.number < b.number : a.number <= b.number);
    return 1;
  }
  return push_operand(L, binary(L, op, a, b));
}

int where(lua_State* L) {
  std::optional<Operand> condition = test_operand(L, 1);
  if (lua_isboolean(L, 1)) condition = constant(lua_toboolean(L, 1));
  if (!condition) {
    throw Error("mbs.where: expected a condition such as mbs.lt(x, 0), got " + described_value(L, 1));
  }
  if (condition->is_symbol() && !is_condition(*condition) &&
      !condition->model->engine->graph().is_constant(condition->node)) {
    throw Error("mbs.where: expected a condition such as mbs.lt(x, 0), got '" + condition->text() +
                "', which is a number");
  }
  const Operand yes = check_operand(L, 2, "mbs.where"), no = check_operand(L, 3, "mbs.where");
  return push_operand(L, where(L, *condition, yes, no));
}

template <Op op>
int module_unary(lua_State* L) {
  return push_operand(L, unary(L, op, check_operand(L, 1, std::string("mbs.") + expr::name_of(op))));
}

int atan2(lua_State* L) {
  const Operand y = check_operand(L, 1, "mbs.atan2"), x = check_operand(L, 2, "mbs.atan2");
  return push_operand(L, binary(L, Op::Atan2, y, x));
}

// A width must be a positive number wherever it has a value already.
Operand check_width(lua_State* L, int index, const std::string& user) {
  Operand width = check_operand(L, index, user);
  if (!width.is_symbol() && !(width.number > 0) && !Tracing::is_sampling()) {
    throw Error(user + ": eps must be positive, got " + number_text(width.number));
  }
  return width;
}

// sqrt(x^2 + eps^2)
Operand smooth_abs(lua_State* L, const Operand& x, const Operand& eps) {
  return unary(L, Op::Sqrt, binary(L, Op::Add, binary(L, Op::Mul, x, x), binary(L, Op::Mul, eps, eps)));
}

int sabs(lua_State* L) {
  const Operand x = check_operand(L, 1, "mbs.sabs");
  return push_operand(L, smooth_abs(L, x, check_width(L, 2, "mbs.sabs")));
}

int softplus(lua_State* L) {
  const Operand x = check_operand(L, 1, "mbs.softplus");
  const Operand sum = binary(L, Op::Add, x, smooth_abs(L, x, check_width(L, 2, "mbs.softplus")));
  return push_operand(L, binary(L, Op::Mul, sum, constant(0.5)));
}

int smoothstep(lua_State* L) {
  const Operand x = check_operand(L, 1, "mbs.smoothstep"), a = check_operand(L, 2, "mbs.smoothstep"),
                b = check_operand(L, 3, "mbs.smoothstep");
  if (!a.is_symbol() && !b.is_symbol() && a.number == b.number && !Tracing::is_sampling()) {
    throw Error("mbs.smoothstep: a and b must differ, both are " + number_text(a.number));
  }
  Operand u = binary(L, Op::Div, binary(L, Op::Sub, x, a), binary(L, Op::Sub, b, a));
  u = binary(L, Op::Min, binary(L, Op::Max, u, constant(0)), constant(1));
  const Operand factor = binary(L, Op::Sub, constant(3), binary(L, Op::Mul, constant(2), u));
  return push_operand(L, binary(L, Op::Mul, binary(L, Op::Mul, u, u), factor));
}

struct Replacement {
  const char* name;
  lua_CFunction function;
};

constexpr Replacement replacements[] = {{"sin", guarded<math_unary<Op::Sin>>},
                                        {"cos", guarded<math_unary<Op::Cos>>},
                                        {"tan", guarded<math_unary<Op::Tan>>},
                                        {"asin", guarded<math_unary<Op::Asin>>},
                                        {"acos", guarded<math_unary<Op::Acos>>},
                                        {"exp", guarded<math_unary<Op::Exp>>},
                                        {"sqrt", guarded<math_unary<Op::Sqrt>>},
                                        {"abs", guarded<math_unary<Op::Abs>>},
                                        {"max", guarded<math_fold<Op::Max>>},
                                        {"min", guarded<math_fold<Op::Min>>},
                                        {"atan", guarded<math_atan>},
                                        {"log", guarded<math_log>},
                                        {"deg", guarded<math_deg>},
                                        {"rad", guarded<math_rad>},
                                        {"floor", guarded<math_discrete>},
                                        {"ceil", guarded<math_discrete>},
                                        {"fmod", guarded<math_discrete>},
                                        {"modf", guarded<math_discrete>},
                                        {"ult", guarded<math_discrete>},
                                        {"tointeger", guarded<math_discrete>},
                                        {"random", guarded<math_random>}};

}  // namespace

void replace_math_functions(lua_State* L) {
  if (lua_getglobal(L, LUA_MATHLIBNAME) != LUA_TTABLE) {
    lua_pop(L, 1);
    return;
  }
  const int math = lua_gettop(L);
  for (const Replacement& replacement : replacements) {
    lua_getfield(L, math, replacement.name);
    const lua_CFunction original = lua_tocfunction(L, -1);
    if (original && original != replacement.function) {
      if (!lua_getupvalue(L, -1, 1)) lua_pushnil(L);  // the state of math.random
      lua_insert(L, -2);
      lua_pushstring(L, replacement.name);
      lua_pushcclosure(L, replacement.function, 3);
      lua_setfield(L, math, replacement.name);
    }
    lua_settop(L, math);
  }
  lua_pop(L, 1);
}

std::span<const Function> expression_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.lt",
       .signature = "mbs.lt(a, b)",
       .arguments = {{"a", numeric, "left side", "any"}, {"b", numeric, "right side", "that of a"}},
       .returns = "boolean|perilune.expression",
       .summary = "The condition a < b, for mbs.where. With plain numbers it is true or false.",
       .see_also = {"where", "le", "gt", "ge"},
       .function = guarded<comparison<Op::Less, false>>},
      {.name = "mbs.le",
       .signature = "mbs.le(a, b)",
       .arguments = {{"a", numeric, "left side", "any"}, {"b", numeric, "right side", "that of a"}},
       .returns = "boolean|perilune.expression",
       .summary = "The condition a <= b, for mbs.where. With plain numbers it is true or false.",
       .see_also = {"where", "lt"},
       .function = guarded<comparison<Op::LessEqual, false>>},
      {.name = "mbs.gt",
       .signature = "mbs.gt(a, b)",
       .arguments = {{"a", numeric, "left side", "any"}, {"b", numeric, "right side", "that of a"}},
       .returns = "boolean|perilune.expression",
       .summary = "The condition a > b, for mbs.where. With plain numbers it is true or false.",
       .see_also = {"where", "lt"},
       .function = guarded<comparison<Op::Less, true>>},
      {.name = "mbs.ge",
       .signature = "mbs.ge(a, b)",
       .arguments = {{"a", numeric, "left side", "any"}, {"b", numeric, "right side", "that of a"}},
       .returns = "boolean|perilune.expression",
       .summary = "The condition a >= b, for mbs.where. With plain numbers it is true or false.",
       .see_also = {"where", "lt"},
       .function = guarded<comparison<Op::LessEqual, true>>},
      {.name = "mbs.where",
       .signature = "mbs.where(condition, a, b)",
       .arguments = {{"condition", "boolean|perilune.expression", "of mbs.lt and the like", unitless},
                     {"a", numeric, "value where it holds", "any"},
                     {"b", numeric, "value elsewhere", "that of a"}},
       .returns = numeric,
       .summary = "a where the condition holds, otherwise b. Both are always evaluated. In a law this replaces\n"
                  "'if', which would be decided once, when the law is traced.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {0, 1}, mass = 1 }\n"
                  "m:force { \"floor\", on = P, law = function(s)\n"
                  "  return 0, mbs.where(mbs.lt(s.y, 0), -1e4 * s.y, 0)\n"
                  "end }",
       .see_also = {"lt", "smoothstep", "softplus"},
       .function = guarded<where>},
      {.name = "mbs.smoothstep",
       .signature = "mbs.smoothstep(x, a, b)",
       .arguments = {{"x", numeric, "the argument", "any"},
                     {"a", numeric, "below it the result is 0", "that of x"},
                     {"b", numeric, "above it the result is 1", "that of x"}},
       .returns = numeric,
       .summary = "0 below a, 1 above b, u^2 (3 - 2 u) with u = (x - a) / (b - a) between them.",
       .see_also = {"where", "softplus"},
       .function = guarded<smoothstep>},
      {.name = "mbs.softplus",
       .signature = "mbs.softplus(x, eps)",
       .arguments = {{"x", numeric, "the argument", "any"},
                     {"eps", numeric, "width of the rounding, positive", "that of x"}},
       .returns = numeric,
       .summary = "A smooth max(x, 0): (x + sqrt(x^2 + eps^2)) / 2. It is eps / 2 at 0.",
       .see_also = {"sabs", "smoothstep"},
       .function = guarded<softplus>},
      {.name = "mbs.sabs",
       .signature = "mbs.sabs(x, eps)",
       .arguments = {{"x", numeric, "the argument", "any"},
                     {"eps", numeric, "width of the rounding, positive", "that of x"}},
       .returns = numeric,
       .summary = "A smooth |x|: sqrt(x^2 + eps^2). It is eps at 0.",
       .see_also = {"softplus"},
       .function = guarded<sabs>},
      {.name = "mbs.sign",
       .signature = "mbs.sign(x)",
       .arguments = {{"x", numeric, "the argument", "any"}},
       .returns = numeric,
       .summary = "-1, 0 or 1. Its slope counts as 0 everywhere; mbs.tanh(x / eps) is a smooth one.",
       .see_also = {"tanh"},
       .function = guarded<module_unary<Op::Sign>>},
      {.name = "mbs.sinh",
       .signature = "mbs.sinh(x)",
       .arguments = {{"x", numeric, "the argument", unitless}},
       .returns = numeric,
       .summary = "Hyperbolic sine of a number or an expression.",
       .see_also = {"cosh", "tanh"},
       .function = guarded<module_unary<Op::Sinh>>},
      {.name = "mbs.cosh",
       .signature = "mbs.cosh(x)",
       .arguments = {{"x", numeric, "the argument", unitless}},
       .returns = numeric,
       .summary = "Hyperbolic cosine of a number or an expression.",
       .see_also = {"sinh", "tanh"},
       .function = guarded<module_unary<Op::Cosh>>},
      {.name = "mbs.tanh",
       .signature = "mbs.tanh(x)",
       .arguments = {{"x", numeric, "the argument", unitless}},
       .returns = numeric,
       .summary = "Hyperbolic tangent of a number or an expression.",
       .see_also = {"sinh", "sign"},
       .function = guarded<module_unary<Op::Tanh>>},
      {.name = "mbs.atan2",
       .signature = "mbs.atan2(y, x)",
       .arguments = {{"y", numeric, "component", "any"}, {"x", numeric, "component", "that of y"}},
       .returns = numeric,
       .summary = "The angle of the vector (x, y), as math.atan(y, x). It has no derivative at the origin.",
       .see_also = {},
       .function = guarded<atan2>},
  };
  return functions;
}

}  // namespace perilune::lua
