// SPDX-License-Identifier: MIT
// Small vector algebra on expressions, and facts about places, for the declarations of a model.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

inline Symbol dot(const Vector& a, const Vector& b) {
  Symbol sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

inline Vector plus(const Vector& a, const Vector& b) {
  Vector out;
  for (std::size_t k = 0; k < a.size(); ++k) out.push_back(a[k] + b[k]);
  return out;
}

inline Vector minus(const Vector& a, const Vector& b) {
  Vector out;
  for (std::size_t k = 0; k < a.size(); ++k) out.push_back(a[k] - b[k]);
  return out;
}

inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vector times(const Symbol& factor, const Vector& a) {
  Vector out;
  for (const Symbol& x : a) out.push_back(factor * x);
  return out;
}

inline Vector opposite(const Vector& a) {
  Vector out;
  for (const Symbol& x : a) out.push_back(-x);
  return out;
}

/// Velocity of the end of an arm that turns with this angular velocity: omega x arm, in the plane too.
inline Vector swept(const Vector& omega, const Vector& arm) {
  if (arm.size() == 2) return {-omega[0] * arm[1], omega[0] * arm[0]};
  return cross(omega, arm);
}

inline Vector unit(const Vector& a) {
  const Symbol length = sqrt(dot(a, a));
  Vector out;
  for (const Symbol& x : a) out.push_back(x / length);
  return out;
}

inline const char* kind_name(Place::Kind kind) {
  switch (kind) {
    case Place::Kind::Ground:
      return "ground";
    case Place::Kind::Point:
      return "point";
    case Place::Kind::Station:
      return "station";
    case Place::Kind::NaturalBody:
      return "natural";
    default:
      return "body";
  }
}

/// Throws Error unless the ends of an element are on two different objects of which one moves.
void check_pair(const char* what, const std::string& name, const Place& a, const Place& b);

constexpr const char* axis_names[] = {"x", "y", "z"};

}  // namespace perilune::model
