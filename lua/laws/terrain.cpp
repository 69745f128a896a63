// SPDX-License-Identifier: MIT
#include "laws/terrain.hpp"

#include "base/userdata.hpp"
#include "model/contact/contact_gap.hpp"
#include "model/place/markers.hpp"
#include "values/spline.hpp"
#include "values/spline_surface.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

using expr::Symbol;

namespace {

Symbol traced_height(lua_State* L, Args& args, int function) {
  args.name();
  expr::Graph& graph = args.engine().graph();
  TraceRequest request{args.model(), "height of " + args.title(), {}, {"z"}, true};
  if (args.engine().dimension() == 2) request.results = {"y"};
  for (int k = 0; k < args.engine().dimension() - 1; ++k) {
    request.state.push_back({k == 0 ? "x" : "y", model::terrain_variable(graph, k).in(graph)});
  }
  return traced(L, function, request)[0];
}

void check_model(Args& args, const ModelPtr& of_table) {
  if (of_table && of_table != args.model()) args.fail("height: the table has expressions of another model");
}

}  // namespace

std::optional<Symbol> read_height(lua_State* L, Args& args) {
  if (!args.given("height")) return std::nullopt;
  if (args.is_function("height")) return traced_height(L, args, args.function("height"));
  const int index = args.value("height");
  expr::Graph& graph = args.engine().graph();
  const Symbol x = model::terrain_variable(graph, 0);
  std::optional<Symbol> height;
  if (const auto* spline = test_userdata<SplineHandle>(L, index)) {
    check_model(args, spline->model);
    height = spline->spline(x);
  } else if (const auto* table = test_userdata<SplineSurfaceHandle>(L, index)) {
    check_model(args, table->model);
    if (args.engine().dimension() == 2)
      args.fail("height is a table over x and y, but the model is planar; use mbs.spline");
    height = table->surface(x, model::terrain_variable(graph, 1));
  } else {
    args.fail_value("height", index);
  }
  lua_settop(L, index - 1);
  return height;
}

model::Place surface_place(Args& args, std::string_view normal) {
  model::Model& engine = args.engine();
  const Object& object = args.object("a");
  model::Place place = *object.place;
  if (!args.given(normal)) return place;
  const std::string field(normal);
  if (!has_directions(place)) args.fail(object.title() + " has no axes; leave '" + field + "' out");
  if (!place.axes.empty()) {
    args.fail(field + " is given, but " + object.title() + " has an axis of its own; leave '" + field + "' out");
  }
  const model::Vector up = to_local_direction(engine, place, args.axis(normal));
  if (engine.dimension() == 3) return with_axis(engine, place, up);
  place.axes = {atan2(-up[0], up[1])};
  return place;
}

}  // namespace perilune::lua
