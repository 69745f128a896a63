// SPDX-License-Identifier: MIT
#include "model/place/places.hpp"

#include "error.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/place.hpp"

namespace perilune::model {

Place ground_place(const Model& model, const Vector& at) {
  check_dimension(model, at, "ground: at");
  return {Place::Kind::Ground, -1, at, "ground", {}};
}

Place body_place(const Model& model, const Place& body, const Vector& local) {
  if (body.kind == Place::Kind::Point) throw Error("\"" + body.name + "\" is a point: it has no body frame");
  check_dimension(model, local, "the position on a body");
  Place place = body;
  place.local = local;
  return place;
}

namespace {

Vector place_position(const Place& place, const Vector& q, int dimension) {
  Vector r(static_cast<std::size_t>(dimension));
  switch (place.kind) {
    case Place::Kind::Ground:
      return place.local;
    case Place::Kind::Point:
      return q;
    case Place::Kind::PlanarBody:
      PlanarPlace::position(q.data(), place.local.data(), r.data());
      break;
    case Place::Kind::SpatialBody:
      SpatialPlace::position(q.data(), place.local.data(), r.data());
      break;
    case Place::Kind::NaturalBody:
      NaturalPlace::position(q.data(), place.local.data(), r.data());
      break;
  }
  return r;
}

}  // namespace

Vector initial_position(const Model& model, const Place& place) {
  const int n = coordinate_count(place.kind, model.dimension());
  return place_position(place, initial_coordinates(model, place.first_coordinate, n), model.dimension());
}

Vector position_of(const Model& model, const Place& place) {
  const int n = coordinate_count(place.kind, model.dimension());
  return place_position(place, coordinate_symbols(model, place.first_coordinate, n), model.dimension());
}

Vector velocity_of(const Model& model, const Place& place) {
  const int n = coordinate_count(place.kind, model.dimension());
  const Vector q = coordinate_symbols(model, place.first_coordinate, n),
               v = velocity_symbols(model, place.first_coordinate, n);
  Vector out;
  for (int k = 0; k < model.dimension(); ++k) {
    // Row k of the place's Jacobian is U^T e_k.
    Vector e(static_cast<std::size_t>(model.dimension()), 0.0), row(static_cast<std::size_t>(n));
    e[static_cast<std::size_t>(k)] = 1.0;
    if (place.kind == Place::Kind::PlanarBody) PlanarPlace::pull(q.data(), place.local.data(), e.data(), row.data());
    if (place.kind == Place::Kind::SpatialBody) SpatialPlace::pull(q.data(), place.local.data(), e.data(), row.data());
    if (place.kind == Place::Kind::NaturalBody) NaturalPlace::pull(q.data(), place.local.data(), e.data(), row.data());
    if (place.kind == Place::Kind::Point) row = e;
    out.push_back(dot(row, v));
  }
  return out;
}

bool has_slope(const Model& model, const Place& point) {
  return point.kind == Place::Kind::Point && model.record().sloped_points.contains(point.first_coordinate);
}

Symbol length_of(const Model& model, const Place& a, const Place& b) {
  const Vector u = minus(position_of(model, b), position_of(model, a));
  return sqrt(dot(u, u));
}

Symbol length_rate(const Model& model, const Place& a, const Place& b) {
  return dot(minus(position_of(model, b), position_of(model, a)), minus(velocity_of(model, b), velocity_of(model, a))) /
         length_of(model, a, b);
}

}  // namespace perilune::model
