// SPDX-License-Identifier: MIT
#include "model/body/orientation.hpp"

#include "error.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"

namespace perilune::model {

namespace {

Vector some_of(const Vector& all, std::ptrdiff_t from, std::ptrdiff_t to) {
  return {all.begin() + from, all.begin() + to};
}

}  // namespace

Vector orientation(const Model& model, const Place& place) {
  const int n = model.dimension();
  Vector matrix(static_cast<std::size_t>(n * n));
  for (int j = 0; j < n; ++j) {
    const Vector axis = axis_of(model, place, j);
    for (int k = 0; k < n; ++k) matrix[static_cast<std::size_t>(n * k + j)] = axis[static_cast<std::size_t>(k)];
  }
  return matrix;
}

Vector angular_velocity(const Model& model, const Place& place) {
  switch (place.kind) {
    case Place::Kind::Point:
    case Place::Kind::Station:
      throw Error("\"" + place.name + "\" is a point: it does not turn");
    case Place::Kind::Ground:
      return Vector(model.dimension() == 2 ? 1 : 3, 0.0);
    case Place::Kind::PlanarBody:
      return {velocity_symbols(model, place.coordinates)[2]};
    case Place::Kind::SpatialBody: {
      // omega = 2 (e0 e' - e0' e + e x e')
      const Vector p = some_of(coordinate_symbols(model, place.coordinates), 3, 7),
                   v = some_of(velocity_symbols(model, place.coordinates), 3, 7);
      const Vector e(p.begin() + 1, p.end()), rate(v.begin() + 1, v.end()), turning = cross(e, rate);
      Vector omega;
      for (std::size_t k = 0; k < 3; ++k) omega.push_back(2.0 * (p[0] * rate[k] - v[0] * e[k] + turning[k]));
      return omega;
    }
    case Place::Kind::NaturalBody: {
      // The axes turn with the body, a' = omega x a: half the sum of a x a' over the three of them.
      const Vector a = coordinate_symbols(model, place.coordinates), v = velocity_symbols(model, place.coordinates);
      Vector omega(3, 0.0);
      for (std::ptrdiff_t j = 3; j < 12; j += 3) {
        const Vector part = cross(some_of(a, j, j + 3), some_of(v, j, j + 3));
        for (std::size_t k = 0; k < 3; ++k) omega[k] += 0.5 * part[k];
      }
      return omega;
    }
  }
  return {};
}

Vector into_axes(const Vector& matrix, const Vector& vector) {
  const std::size_t n = vector.size();
  Vector out(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) out[j] += matrix[n * k + j] * vector[k];
  }
  return out;
}

Vector out_of_axes(const Vector& matrix, const Vector& vector) {
  const std::size_t n = vector.size();
  Vector out(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) out[k] += matrix[n * k + j] * vector[j];
  }
  return out;
}

}  // namespace perilune::model
