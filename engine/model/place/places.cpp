// SPDX-License-Identifier: MIT
#include "model/place/places.hpp"

#include "error.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/place.hpp"

namespace perilune::model {

Place ground_place(const Model& model, const Vector& at) {
  check_dimension(model, at, "ground: at");
  return {Place::Kind::Ground, {}, at, "ground", {}};
}

Place body_place(const Model& model, const Place& body, const Vector& local) {
  if (!has_directions(body)) throw Error("\"" + body.name + "\" is a point: it has no body frame");
  check_dimension(model, local, "the position on a body");
  Place place = body;
  place.local = local;
  return place;
}

namespace {

/// out = the sum of shares_k q_k over the four vectors of an element.
void combine(const Vector& shares, const Vector& q, Vector& out) {
  if (out.size() == 2) StationPlace<2>::position(q.data(), shares.data(), out.data());
  if (out.size() == 3) StationPlace<3>::position(q.data(), shares.data(), out.data());
}

Vector place_position(const Place& place, const Vector& q, int dimension) {
  Vector r(static_cast<std::size_t>(dimension));
  switch (place.kind) {
    case Place::Kind::Ground:
      return place.local;
    case Place::Kind::Point:
      return q;
    case Place::Kind::Station:
      combine(place.local, q, r);
      break;
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
  return place_position(place, initial_coordinates(model, place.coordinates), model.dimension());
}

Vector position_of(const Model& model, const Place& place) {
  return place_position(place, coordinate_symbols(model, place.coordinates), model.dimension());
}

Vector velocity_of(const Model& model, const Place& place) {
  const Vector q = coordinate_symbols(model, place.coordinates), v = velocity_symbols(model, place.coordinates);
  if (place.kind == Place::Kind::Station) return place_position(place, v, model.dimension());
  Vector out;
  for (int k = 0; k < model.dimension(); ++k) {
    // Row k of the place's Jacobian is U^T e_k.
    Vector e(static_cast<std::size_t>(model.dimension()), 0.0), row(q.size());
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
  if (point.kind == Place::Kind::Station) return true;
  return point.kind == Place::Kind::Point && model.record().sloped_points.contains(point.coordinates.front());
}

std::vector<int> with_slope(const Place& node) {
  return consecutive(node.coordinates.front(), 2 * static_cast<int>(node.coordinates.size()));
}

namespace {

Vector slope_among(const Model& model, const Place& place,
                   Vector (*symbols)(const Model& model, const std::vector<int>& coordinates)) {
  const int D = model.dimension();
  if (place.kind == Place::Kind::Point) return symbols(model, consecutive(place.coordinates.front() + D, D));
  Vector out(static_cast<std::size_t>(D));
  combine(place.slope, symbols(model, place.coordinates), out);
  return out;
}

}  // namespace

Vector slope_of(const Model& model, const Place& place) { return slope_among(model, place, coordinate_symbols); }

Vector initial_slope(const Model& model, const Place& place) { return slope_among(model, place, initial_coordinates); }

Symbol length_of(const Model& model, const Place& a, const Place& b) {
  const Vector u = minus(position_of(model, b), position_of(model, a));
  return sqrt(dot(u, u));
}

Symbol length_rate(const Model& model, const Place& a, const Place& b) {
  return dot(minus(position_of(model, b), position_of(model, a)), minus(velocity_of(model, b), velocity_of(model, a))) /
         length_of(model, a, b);
}

}  // namespace perilune::model
