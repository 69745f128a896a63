// SPDX-License-Identifier: MIT
#include "model/place/markers.hpp"

#include <cmath>

#include "error.hpp"
#include "model/declare.hpp"
#include "model/joint/direction.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"

namespace perilune::model {

namespace {

/// `local`, a direction of the place's body, in space; q are the body's coordinates.
Vector turned(const Place& place, const Vector& q, const Vector& local) {
  Vector out(local.size());
  switch (place.kind) {
    case Place::Kind::Ground:
      return local;
    case Place::Kind::PlanarBody:
      PlanarDirection::vector(q.data(), local.data(), out.data());
      break;
    case Place::Kind::SpatialBody:
      BodyDirection::vector(q.data(), local.data(), out.data());
      break;
    case Place::Kind::NaturalBody:
      NaturalDirection::vector(q.data(), local.data(), out.data());
      break;
    case Place::Kind::Point:
    case Place::Kind::Station:
      throw Error("\"" + place.name + "\" is a point: it has no directions of its own");
  }
  return out;
}

/// The axes of the frame of a place's body in space, as declared.
std::vector<Vector> initial_frame(const Model& model, const Place& place) {
  const Vector q = initial_coordinates(model, place.coordinates);
  Place frame = place;
  frame.axes.clear();
  std::vector<Vector> axes;
  for (int k = 0; k < model.dimension(); ++k) axes.push_back(turned(frame, q, local_axis(model, frame, k)));
  return axes;
}

/// The components of a direction along these axes, which are orthonormal.
Vector along(const std::vector<Vector>& axes, const Vector& direction) {
  Vector out;
  for (const Vector& axis : axes) out.push_back(dot(axis, direction));
  return out;
}

}  // namespace

Vector local_axis(const Model& model, const Place& marker, int k) {
  if (!has_directions(marker)) throw Error("\"" + marker.name + "\" is a point: it has no axes");
  const auto column = static_cast<std::size_t>(k);
  if (marker.axes.empty()) {
    Vector out(static_cast<std::size_t>(model.dimension()), 0.0);
    out.at(column) = 1.0;
    return out;
  }
  if (model.dimension() == 2) {
    const Symbol c = cos(marker.axes[0]), s = sin(marker.axes[0]);
    return k == 0 ? Vector{c, s} : Vector{-s, c};
  }
  return {marker.axes[column], marker.axes[3 + column], marker.axes[6 + column]};
}

Vector in_space(const Model& model, const Place& place, const Vector& local) {
  return turned(place, coordinate_symbols(model, place.coordinates), local);
}

Vector axis_of(const Model& model, const Place& marker, int k) {
  return in_space(model, marker, local_axis(model, marker, k));
}

Vector initial_axis(const Model& model, const Place& marker, int k) {
  return turned(marker, initial_coordinates(model, marker.coordinates), local_axis(model, marker, k));
}

Symbol initial_angle(const Model& model, const Place& marker) {
  const Symbol own = marker.axes.empty() ? Symbol(0.0) : marker.axes[0];
  if (marker.kind != Place::Kind::PlanarBody) return own;
  return symbol_of(model, model.coordinates()[static_cast<std::size_t>(marker.coordinates[2])].initial_position) + own;
}

Vector to_local_direction(const Model& model, const Place& place, const Vector& axis) {
  if (place.kind == Place::Kind::Ground) return axis;
  return along(initial_frame(model, place), axis);
}

Place with_axis(const Model& model, const Place& place, const Vector& z, const Vector& x) {
  if (model.dimension() != 3)
    throw Error("\"" + place.name + "\": an axis is for spatial models; markers of a plane have an angle");
  if (!has_directions(place)) throw Error("\"" + place.name + "\" is a point: it has no axes");
  check_dimension(model, z, "the axis");
  auto is_null = [&model](const Vector& v) {
    double square = 0;
    for (double component : present_values(model, v)) square += component * component;
    return !(square > 0);
  };
  if (is_null(z)) throw Error("\"" + place.name + "\": the axis must not be the zero vector");
  Vector hint = x;
  if (hint.empty()) {
    // The coordinate axis least aligned with z at the parameters' present values.
    const std::vector<double> size = present_values(model, z);
    std::size_t least = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (std::abs(size[k]) < std::abs(size[least])) least = k;
    }
    hint = {0.0, 0.0, 0.0};
    hint[least] = 1.0;
  }
  const Vector normal = cross(z, hint);
  if (is_null(normal)) throw Error("\"" + place.name + "\": the x axis must not be parallel to the z axis");
  const Vector e3 = unit(z), e2 = unit(normal), e1 = cross(e2, e3);
  Place marker = place;
  marker.axes.clear();
  for (std::size_t k = 0; k < 3; ++k) marker.axes.insert(marker.axes.end(), {e1[k], e2[k], e3[k]});
  return marker;
}

Place attach(const Model& model, const Place& body, const Vector& at, const std::vector<Symbol>& axes) {
  check_dimension(model, at, "at");
  if (!has_directions(body)) {
    Place place = body;
    place.axes.clear();
    return place;
  }
  Place frame = body;
  frame.axes.clear();
  Place marker = frame;
  if (body.kind == Place::Kind::Ground) {
    marker.local = at;
    marker.axes = axes;
    return marker;
  }
  frame.local.assign(static_cast<std::size_t>(model.dimension()), 0.0);
  const std::vector<Vector> own = initial_frame(model, frame);
  marker.local = along(own, minus(at, initial_position(model, frame)));
  if (model.dimension() == 2) {
    const auto turn = static_cast<std::size_t>(body.coordinates[2]);
    if (!axes.empty()) marker.axes = {axes[0] - symbol_of(model, model.coordinates()[turn].initial_position)};
    return marker;
  }
  if (axes.empty()) return marker;
  marker.axes.resize(9);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector local = along(own, {axes[k], axes[3 + k], axes[6 + k]});
    for (std::size_t i = 0; i < 3; ++i) marker.axes[3 * i + k] = local[i];
  }
  return marker;
}

}  // namespace perilune::model
