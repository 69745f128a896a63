// SPDX-License-Identifier: MIT
// Markers: places with axes, and directions of bodies.
#include <cmath>

#include "error.hpp"
#include "model/joint/direction.hpp"
#include "model/symbolic.hpp"

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
      throw Error("\"" + place.name + "\" is a point: it has no directions of its own");
  }
  return out;
}

}  // namespace

Vector Model::local_axis(const Place& marker, int k) const {
  if (marker.kind == Place::Kind::Point) throw Error("\"" + marker.name + "\" is a point: it has no axes");
  const auto column = static_cast<std::size_t>(k);
  if (marker.axes.empty()) {
    Vector out(static_cast<std::size_t>(dimension_), 0.0);
    out.at(column) = 1.0;
    return out;
  }
  if (dimension_ == 2) {
    const Symbol c = cos(marker.axes[0]), s = sin(marker.axes[0]);
    return k == 0 ? Vector{c, s} : Vector{-s, c};
  }
  return {marker.axes[column], marker.axes[3 + column], marker.axes[6 + column]};
}

Vector Model::in_space(const Place& place, const Vector& local) const {
  const int n = coordinate_count(place.kind, dimension_);
  return turned(place, coordinate_symbols(place.first_coordinate, n), local);
}

Vector Model::axis(const Place& marker, int k) const { return in_space(marker, local_axis(marker, k)); }

Vector Model::initial_axis(const Place& marker, int k) const {
  const int n = coordinate_count(marker.kind, dimension_);
  return turned(marker, initial_coordinates(marker.first_coordinate, n), local_axis(marker, k));
}

Symbol Model::initial_angle(const Place& marker) const {
  const Symbol own = marker.axes.empty() ? Symbol(0.0) : marker.axes[0];
  if (marker.kind != Place::Kind::PlanarBody) return own;
  return node_symbol(coordinates_[static_cast<std::size_t>(marker.first_coordinate) + 2].initial_position) + own;
}

Vector Model::to_local_direction(const Place& place, const Vector& axis) const {
  if (place.kind == Place::Kind::Ground) return axis;
  Place frame = place;
  frame.axes.clear();
  Vector out;  // the frame's axes are orthonormal
  for (int k = 0; k < dimension_; ++k) out.push_back(dot(initial_axis(frame, k), axis));
  return out;
}

Place Model::with_axis(const Place& place, const Vector& z, const Vector& x) const {
  if (dimension_ != 3)
    throw Error("\"" + place.name + "\": an axis is for spatial models; markers of a plane have an angle");
  if (place.kind == Place::Kind::Point) throw Error("\"" + place.name + "\" is a point: it has no axes");
  check_dimension(z, "the axis");
  auto is_null = [this](const Vector& v) {
    double square = 0;
    for (double component : present_values(v)) square += component * component;
    return !(square > 0);
  };
  if (is_null(z)) throw Error("\"" + place.name + "\": the axis must not be the zero vector");
  Vector hint = x;
  if (hint.empty()) {
    // The coordinate axis least aligned with z at the parameters' present values.
    const std::vector<double> size = present_values(z);
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

Place Model::attach(const Place& body, const Vector& at, const std::vector<Symbol>& axes) {
  check_dimension(at, "at");
  if (body.kind == Place::Kind::Point) {
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
  frame.local.assign(static_cast<std::size_t>(dimension_), 0.0);
  marker.local = to_local_direction(frame, minus(at, initial_position(frame)));
  if (dimension_ == 2) {
    const auto turn = static_cast<std::size_t>(body.first_coordinate) + 2;
    if (!axes.empty()) marker.axes = {axes[0] - node_symbol(coordinates_[turn].initial_position)};
    return marker;
  }
  if (axes.empty()) return marker;
  marker.axes.resize(9);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector local = to_local_direction(frame, {axes[k], axes[3 + k], axes[6 + k]});
    for (std::size_t i = 0; i < 3; ++i) marker.axes[3 * i + k] = local[i];
  }
  return marker;
}

}  // namespace perilune::model
