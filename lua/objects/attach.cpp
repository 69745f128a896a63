// SPDX-License-Identifier: MIT
#include "objects/attach.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

#include <array>

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Place;
using model::Vector;

const std::vector<Symbol> space_axes{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/// Axes of a marker in space in the declared configuration, as in Place.
std::vector<Symbol> axes_in_space(const model::Model& engine, const Place& marker) {
  if (engine.dimension() == 2) return {initial_angle(engine, marker)};
  std::vector<Symbol> axes(9);
  for (int k = 0; k < 3; ++k) {
    const Vector column = initial_axis(engine, marker, k);
    for (size_t i = 0; i < 3; ++i) axes[3 * i + static_cast<size_t>(k)] = column[i];
  }
  return axes;
}

std::vector<Symbol> axes_along(const model::Model& engine, const Vector& direction) {
  if (engine.dimension() == 2) return {atan2(direction[1], direction[0])};
  return with_axis(engine, ground_place(engine, {0.0, 0.0, 0.0}), direction).axes;
}

// `axes` turned the shortest way until z is along `direction`.
std::vector<Symbol> bent(const std::vector<Symbol>& axes, const Vector& direction) {
  const Vector z{axes[2], axes[5], axes[8]};
  Vector to = direction;
  const Symbol length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
  for (Symbol& component : to) component = component / length;
  const Symbol cosine = z[0] * to[0] + z[1] * to[1] + z[2] * to[2];
  std::vector<Symbol> out = axes;
  for (size_t k = 0; k < 2; ++k) {  // x and y: v - v.to / (1 + z.to) (z + to), since v.z = 0
    const Symbol share = (axes[k] * to[0] + axes[3 + k] * to[1] + axes[6 + k] * to[2]) / (1.0 + cosine);
    for (size_t i = 0; i < 3; ++i) out[3 * i + k] = axes[3 * i + k] - share * (z[i] + to[i]);
  }
  for (size_t i = 0; i < 3; ++i) out[3 * i + 2] = to[i];
  return out;
}

/// The axes both ends shall have, in space; empty where the ends keep those of their bodies.
std::vector<Symbol> common_axes(Args& args, const std::array<const Object*, 2>& ends, const EndNeeds& needs) {
  const model::Model& engine = args.engine();
  const bool spatial = engine.dimension() == 3;
  for (const Object* end : ends) {
    if (end->place->axes.empty() || (needs.own_axis_b && end == ends[1])) continue;
    if (args.constructor().find("axis") && args.given("axis")) {
      args.fail("axis is given, but " + end->title() + " has an axis of its own; leave 'axis' out");
    }
    return axes_in_space(engine, *end->place);
  }
  if (args.constructor().find("axis") && args.given("axis")) return axes_along(engine, args.axis("axis"));
  if (spatial && needs.axis_a && !needs.any_direction) {
    args.fail("axis is missing: a direction in space such as axis = \"z\", or markers with axes as ends");
  }
  if (!spatial) {
    for (const Object* end : ends) {
      if (!end->is_whole() && has_directions(*end->place)) return axes_in_space(engine, *end->place);
    }
    return {0.0};
  }
  return space_axes;
}

}  // namespace

std::pair<Place, Place> read_ends(Args& args, const EndNeeds& needs) {
  model::Model& engine = args.engine();
  const std::array<const Object*, 2> ends{&args.object("a"), &args.object("b")};
  const bool at_given = needs.position && args.given("at");
  for (size_t i = 0; i < 2; ++i) {
    const bool needs_axis = i == 0 ? needs.axis_a : needs.axis_b;
    if (needs_axis && !has_directions(*ends[i]->place)) {
      const std::string instead = needs.instead.empty() ? "" : std::string(needs.instead) + ", or ";
      const bool is_on_beam = has_slope(engine, *ends[i]->place);
      args.fail(ends[i]->title() + " has no axis; use " + instead + "a body" +
                (is_on_beam ? ", or m:clamp for the slope of a beam" : ""));
    }
    if (at_given && !ends[i]->is_whole() && (needs_axis || has_directions(*ends[i]->place))) {
      args.fail("at is for a joint of two bodies, but " + ends[i]->title() + " is a place already; leave 'at' out");
    }
  }
  Vector at;
  if (at_given) {
    at = args.vector("at");
  } else if (needs.position && ends[0]->is_whole() && ends[1]->is_whole()) {
    args.fail(std::string("at is missing: the position of the joint, such as at = ") +
              (engine.dimension() == 2 ? "{0, 0}" : "{0, 0, 0}"));
  } else {
    at = initial_position(engine, *ends[ends[0]->is_whole() ? 1 : 0]->place);
  }
  const std::vector<Symbol> axes = common_axes(args, ends, needs);
  std::vector<Symbol> axes_b = axes;
  if (needs.own_axis_b || (needs.bent_axis_b && args.given("axis_b"))) {
    if (ends[1]->place->axes.empty()) {
      const Vector direction = args.axis("axis_b");
      axes_b = needs.bent_axis_b ? bent(axes, direction) : axes_along(engine, direction);
    } else if (args.given("axis_b")) {
      args.fail("axis_b is given, but " + ends[1]->title() + " has an axis of its own; leave 'axis_b' out");
    }
  }
  auto marker = [&](size_t i) {
    const Object& end = *ends[i];
    const bool keeps_axes = !end.place->axes.empty() || (engine.dimension() == 2 && !end.is_whole() &&
                                                         !(args.constructor().find("axis") && args.given("axis")));
    Place place =
        attach(engine, *end.place, end.is_whole() ? at : initial_position(engine, *end.place), i == 0 ? axes : axes_b);
    if (!end.is_whole()) place.local = end.place->local;
    if (keeps_axes) place.axes = end.place->axes;
    return place;
  };
  return {marker(0), marker(1)};
}

}  // namespace perilune::lua
