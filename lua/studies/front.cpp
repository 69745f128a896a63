// SPDX-License-Identifier: MIT
#include "studies/front.hpp"

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/output_file.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "output/picture/svg_plot.hpp"
#include "runs/run.hpp"

namespace perilune::lua {

namespace {

constexpr const char* front_key = "points of the front";  // in the metatable

std::string heading(const Front::Quantity& q) { return q.unit.empty() ? q.name : q.name + " [" + q.unit + "]"; }

const Front& check_front(lua_State* L, const char* method) {
  if (lua_istable(L, 1) && lua_getmetatable(L, 1)) {
    lua_getfield(L, -1, front_key);
    const Front* front = test_userdata<Front>(L, -1);
    lua_pop(L, 2);  // the metatable keeps it
    if (front) return *front;
  }
  throw Error(std::string(method) + " is a method of what m:pareto returns: write front:" + method + " with a colon");
}

int front_tostring(lua_State* L) {
  constexpr std::size_t most_parameters = 8;
  const Front& front = check_front(L, "__tostring");
  std::string text = "front of \"" + front.model + "\", " + front.costs[0].name + " against " + front.costs[1].name +
                     ": " + std::to_string(front.points.size()) + (front.points.size() == 1 ? " point" : " points");
  if (front.dominated > 0) {
    text += ", " + std::to_string(front.dominated) + " left out that others are no worse than in either";
  }
  if (!front.failures.empty()) text += ", " + std::to_string(front.failures.size()) + " failed";
  TextRows rows{{heading(front.costs[0]), heading(front.costs[1]), "price"}};
  const std::size_t shown = std::min(most_parameters, front.parameters.size());
  for (std::size_t k = 0; k < shown; ++k) rows[0].push_back(heading(front.parameters[k]));
  for (const Front::Point& p : front.points) {
    rows.push_back({format::significant(p.costs[0], 6), format::significant(p.costs[1], 6),
                    p.price ? format::significant(*p.price, 4) : "-"});
    for (std::size_t k = 0; k < shown; ++k) {
      rows.back().push_back(format::significant(p.x[static_cast<Eigen::Index>(k)], 6));
    }
  }
  text += aligned(rows) + "\n  price: what one unit " + (front.maximizes[1] ? "more" : "less") + " of " +
          front.costs[1].name + " costs in " + front.costs[0].name;
  for (const std::string& failure : front.failures) text += "\n  failed: " + failure;
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int front_chart(lua_State* L) {
  lua_settop(L, 2);
  const Front& front = check_front(L, "chart");
  const std::string title = front.model + ": " + front.costs[0].name + " against " + front.costs[1].name;
  if (lua_isnil(L, 2)) {
    format::Table table{
        {{front.costs[0].name, front.costs[0].unit, {}}, {front.costs[1].name, front.costs[1].unit, {}}}};
    for (const Front::Point& p : front.points) {
      for (std::size_t k = 0; k < 2; ++k) table.columns[k].values.push_back(p.costs[k]);
    }
    print_plot(L, table, title);
    return 0;
  }
  const std::string path = check_path(L, "chart");
  output::PlotCurve curve{"front", {}, {}};
  for (const Front::Point& p : front.points) {
    curve.x.push_back(p.costs[0]);
    curve.y.push_back(p.costs[1]);
  }
  const output::PlotOptions options{title, heading(front.costs[0]), heading(front.costs[1])};
  const std::string picture = output::svg_plot(std::vector<output::PlotCurve>{curve}, options);
  write_file(path, [&](std::ostream& out) { out << picture; });
  return 0;
}

void push_point(lua_State* L, const Front& front, const Front::Point& p) {
  lua_newtable(L);
  lua_newtable(L);
  for (std::size_t k = 0; k < 2; ++k) set_number(L, front.costs[k].name.c_str(), p.costs[k]);
  refuse_other_names(L);
  lua_setfield(L, -2, "values");
  lua_newtable(L);
  for (std::size_t k = 0; k < front.parameters.size(); ++k) {
    set_number(L, front.parameters[k].name.c_str(), p.x[static_cast<Eigen::Index>(k)]);
  }
  refuse_other_names(L);
  lua_setfield(L, -2, "parameters");
  if (p.price) set_number(L, "price", *p.price);
  set_text(L, "reason", p.reason);
  set_integer(L, "evaluations", p.evaluations);
}

}  // namespace

void push_front(lua_State* L, Front front) {
  lua_createtable(L, static_cast<int>(front.points.size()), 2);
  for (std::size_t k = 0; k < front.points.size(); ++k) {
    push_point(L, front, front.points[k]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  set_names(L, "failures", front.failures);
  set_integer(L, "dominated", front.dominated);
  lua_createtable(L, 0, 3);
  lua_pushcfunction(L, guarded<front_tostring>);
  lua_setfield(L, -2, "__tostring");
  push_methods(L, "front");
  lua_setfield(L, -2, "__index");
  push_metatable<Front>(L, "pareto_front");
  lua_pop(L, 1);
  push_userdata(L, "pareto_front", std::move(front));
  lua_setfield(L, -2, front_key);
  lua_setmetatable(L, -2);
}

Function front_chart_method() {
  return {.name = "front:chart",
          .signature = "front:chart(file)",
          .arguments = {{"file", "string", "to be written; none for the terminal", unitless}},
          .summary =
              "Draws the points that m:pareto found, the second cost over the first, in the terminal, or as SVG\n"
              "into the file.",
          .example =
              "local mbs = require \"perilune\"\n"
              "local m = mbs.model { \"throw\", gravity = {0, -9.81} }\n"
              "local v = m:param { \"v\", 3, unit = \"m/s\", min = 1, max = 20 }\n"
              "local P = m:point { \"P\", at = {0, 0}, velocity = {v, 5}, mass = 1 }\n"
              "local miss = m:objective { \"miss\", terminal = (P.x - 4)^2 }\n"
              "local front = m:pareto { minimize = { miss, { \"energy\", v^2 / 2, unit = \"J/kg\" } },\n"
              "  points = 4, t = 1 }\n"
              "front:chart()\n"
              "front:chart(os.tmpname())",
          .see_also = {"pareto", "convergence", "chart"},
          .function = guarded<front_chart>};
}

}  // namespace perilune::lua
