// SPDX-License-Identifier: MIT
// Pictures of numbers that scripts have computed themselves.
#include <algorithm>

#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "base/suggest.hpp"
#include "output/picture/svg_plot.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

/// The list on top of the stack, which is popped.
std::vector<double> pop_numbers(Args& args, lua_State* L, const std::string& label) {
  if (!lua_istable(L, -1)) args.fail(label + " must be a list of numbers, got " + described_value(L, -1));
  std::vector<double> numbers;
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i) {
    if (lua_type(L, -1) != LUA_TNUMBER) {
      args.fail(label + "[" + std::to_string(i) + "] must be a number, got " + described_value(L, -1));
    }
    numbers.push_back(lua_tonumber(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
  return numbers;
}

void check_curve_keys(Args& args, lua_State* L, int index, const std::string& label) {
  static const std::vector<std::string> known = {"name", "x", "y", "guide"};
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      const std::string key = lua_tostring(L, -1);
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      args.fail(label + " has the unknown field '" + key + "'" + suggestion_or_list(key, known, "a curve has"));
    }
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) == 1) continue;
    args.fail(label + " has an unexpected item; a curve is { \"name\", x = {...}, y = {...} }");
  }
}

output::PlotCurve read_curve(Args& args, lua_State* L, int index, const std::string& label) {
  if (!lua_istable(L, index)) {
    args.fail(label + " must be { \"name\", x = {...}, y = {...} }, got " + described_value(L, index));
  }
  check_curve_keys(args, L, index, label);
  output::PlotCurve curve;
  if (lua_rawgeti(L, index, 1) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_getfield(L, index, "name");
  }
  if (lua_type(L, -1) != LUA_TSTRING) args.fail(label + ": the name must be a string, got " + described_value(L, -1));
  curve.name = lua_tostring(L, -1);
  lua_getfield(L, index, "x");
  curve.x = pop_numbers(args, L, label + ".x");
  lua_getfield(L, index, "y");
  curve.y = pop_numbers(args, L, label + ".y");
  lua_getfield(L, index, "guide");
  curve.is_guide = lua_toboolean(L, -1) != 0;
  if (curve.x.size() != curve.y.size()) {
    args.fail(label + " (\"" + curve.name + "\") has " + std::to_string(curve.x.size()) + " abscissas and " +
              std::to_string(curve.y.size()) + " ordinates");
  }
  lua_settop(L, index);
  return curve;
}

std::vector<output::PlotCurve> read_curves(Args& args, lua_State* L) {
  const int list = args.value("curves");
  if (!lua_istable(L, list)) args.fail_value("curves", list);
  std::vector<output::PlotCurve> curves;
  for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; ++i) {
    curves.push_back(read_curve(args, L, lua_gettop(L), "curves[" + std::to_string(i) + "]"));
    lua_pop(L, 1);
  }
  lua_settop(L, list - 1);
  if (curves.empty()) args.fail("curves is empty: nothing to draw");
  return curves;
}

int chart(lua_State* L) {
  Args args(L);
  const std::string file = args.text("file");
  const std::vector<output::PlotCurve> curves = read_curves(args, L);
  output::PlotOptions options{args.text("title"), args.text("x_label"), args.text("y_label")};
  options.log_x = args.boolean("log_x");
  options.log_y = args.boolean("log_y");
  options.equal_axes = args.boolean("equal_axes");
  if (options.equal_axes && (options.log_x || options.log_y)) args.fail("equal_axes are not logarithmic");
  args.check_all_read();
  const std::string picture = output::svg_plot(curves, options);
  write_file(file, [&](std::ostream& out) { out << picture; });
  return 0;
}

}  // namespace

std::span<const Constructor> chart_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.chart",
       .object = "chart",
       .summary = "Writes a picture (SVG) of curves that the script has computed. Few points are marked. A curve with\n"
                  "guide = true is a thin line named at its first point: a slope to compare with. On logarithmic axes\n"
                  "what is not positive is left out, as NaN is on any.",
       .positional = {{.name = "file", .type = Type::String, .text = "its name", .required = true}},
       .fields = {{.name = "curves", .type = Type::ChartCurves, .text = "what to draw", .required = true},
                  {.name = "title", .type = Type::String, .text = "above the picture"},
                  {.name = "x_label", .type = Type::String, .text = "of the abscissa, with its unit"},
                  {.name = "y_label", .type = Type::String, .text = "of the ordinate, with its unit"},
                  {.name = "log_x", .type = Type::Boolean, .text = "logarithmic abscissa", .fallback = "false"},
                  {.name = "log_y", .type = Type::Boolean, .text = "logarithmic ordinate", .fallback = "false"},
                  {.name = "equal_axes",
                   .type = Type::Boolean,
                   .text = "a unit as long along both axes, as for the path of a point",
                   .fallback = "false"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local steps, errors = {0.04, 0.02, 0.01}, {1.6e-3, 4e-4, 1e-4}\n"
                  "mbs.chart { os.tmpname(), title = \"errors\", x_label = \"step [s]\", log_x = true, log_y = true,\n"
                  "  curves = { { \"trapezoidal\", x = steps, y = errors },\n"
                  "    { \"slope 2\", x = {0.01, 0.04}, y = {2e-4, 3.2e-3}, guide = true } } }",
       .see_also = {"svg", "write_json"},
       .function = guarded<chart>}};
  return constructors;
}

}  // namespace perilune::lua
