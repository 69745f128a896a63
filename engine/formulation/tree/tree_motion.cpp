// SPDX-License-Identifier: MIT
// The first sweep of a recursion: where links are and how they move, from the independent coordinates outwards.
#include <algorithm>
#include <cmath>

#include "formulation/tree/tree_recursion.hpp"
#include "model/body/spatial_body.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Quaterniond, Eigen::Vector3d, Eigen::Vector4d;
using model::EulerRates;
using Joint = Link::Joint;

Quaterniond parameters_at(const double* p) { return {p[0], p[1], p[2], p[3]}; }
Vector4d list_of(const Quaterniond& p) { return {p.w(), p.x(), p.y(), p.z()}; }

Vector3d place_at(const double* x) { return {x[0], x[1], x[2]}; }
void put_place(const Vector3d& v, double* x) { std::copy_n(v.data(), 3, x); }

}  // namespace

Quaterniond TreeRecursion::from_parent(const Link& link, const Node& x) const {
  if (link.parent == Link::ground) return link.before;
  return parameters_at(x.q + tree_.links[static_cast<std::size_t>(link.parent)].body + 3) * link.before;
}

void TreeRecursion::turn_by_angle(const Link& link, const Node& x) const {
  Quaterniond own = from_parent(link, x);
  if (link.turns()) {
    const double half = 0.5 * link.sense * x.q[link.angle];
    own = own * Quaterniond(std::cos(half), 0, 0, std::sin(half)) * link.after;
  }
  own.normalize();  // so that rounding does not add up along a chain
  double* p = x.q + link.body + 3;
  const Vector4d found = list_of(own);
  const double sign = found.dot(Eigen::Map<const Vector4d>(p)) < 0 ? -1 : 1;
  for (int i = 0; i < 4; ++i) p[i] = sign * found[i];
}

/// Of a table p = C (cos h, sin h), of a cross C (cos s, sin s, cos d, sin d), where the independent ones of p are
/// given.
bool TreeRecursion::turn_by_parameters(const Link& link, const TreeChoice::Chosen& chosen, const Node& x) const {
  double* p = x.q + link.body + 3;
  const Eigen::Map<const Vector4d> stands(p);
  const int count = link.joint == Joint::Cross ? 2 : 1;
  const double size = count == 2 ? std::sqrt(0.5) : 1;
  const Quaterniond first = from_parent(link, x).normalized();
  const auto column = [&](const Quaterniond& of_turn) {
    return Vector4d(size * list_of(first * of_turn * link.after));
  };
  Vector4d C[4]{column({1, 0, 0, 0}), column({0, 0, 0, 1}), Vector4d::Zero(), Vector4d::Zero()};
  if (count == 2) {
    C[2] = column({0, 1, 0, 0});
    C[3] = column({0, 0, 1, 0});
  }
  double angle[2];
  for (int k = 0; k < count; ++k) angle[k] = std::atan2(C[2 * k + 1].dot(stands), C[2 * k].dot(stands));
  constexpr int most_iterations = 30;
  constexpr double last_step = 1e-9;  // whose square is no more than rounding
  Vector4d found;
  double step = 1;
  for (int iteration = 0; step > last_step; ++iteration) {
    if (iteration == most_iterations) return false;
    Vector4d slopes[2];
    found.setZero();
    for (int k = 0; k < count; ++k) {
      const double c = std::cos(angle[k]), s = std::sin(angle[k]);
      found += c * C[2 * k] + s * C[2 * k + 1];
      slopes[k] = c * C[2 * k + 1] - s * C[2 * k];
    }
    const int i = chosen.parameters[0], j = chosen.parameters[1];
    const double miss = p[i] - found[i];
    double moves[2]{miss / slopes[0][i], 0};
    if (count == 2) {
      const double other = p[j] - found[j], det = slopes[0][i] * slopes[1][j] - slopes[1][i] * slopes[0][j];
      moves[0] = (miss * slopes[1][j] - other * slopes[1][i]) / det;
      moves[1] = (other * slopes[0][i] - miss * slopes[0][j]) / det;
    }
    step = 0;
    for (int k = 0; k < count; ++k) {
      angle[k] += moves[k];
      found += moves[k] * slopes[k];
      step = std::max(step, std::abs(moves[k]));
    }
    if (!(step < 10)) return false;
  }
  for (int i = 0; i < 4; ++i) {
    const bool is_given = i == chosen.parameters[0] || (count == 2 && i == chosen.parameters[1]);
    if (!is_given) p[i] = found[i];
  }
  return true;
}

/// The rates of a joint's rotations, where those of the independent Euler parameters are given.
void TreeRecursion::find_turn_rates(const Link& link, const TreeChoice::Chosen& chosen, const Vector3d& of_parent,
                                    State& s, const Node& x) const {
  const double *p = x.q + link.body + 3, *v = x.v + link.body + 3;
  const int i = chosen.parameters[0], j = chosen.parameters[1];
  const Vector4d rest = parameter_rates(p, s.A, of_parent), first = parameter_rates(p, s.A, s.axis);
  if (link.joint == Joint::Table) {
    s.turn_rates = {(v[i] - rest[i]) / first[i], 0};
    return;
  }
  const Vector4d second = parameter_rates(p, s.A, s.own_axis);
  const double a = v[i] - rest[i], b = v[j] - rest[j], det = first[i] * second[j] - second[i] * first[j];
  s.turn_rates = {(a * second[j] - b * second[i]) / det, (b * first[i] - a * first[j]) / det};
}

bool TreeRecursion::orient(std::size_t k, const Node& x) {
  const Link& link = tree_.links[k];
  State& s = states_[k];
  double *p = x.q + link.body + 3, *rate = x.v + link.body + 3;
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  const TreeChoice::Chosen& chosen = choice_.chosen(k);
  if (link.keeps_parameters()) {
    if (!complete_parameters(p, rate, chosen.parameters[0])) return false;
  } else if (link.turns_by_parameters()) {
    if (!turn_by_parameters(link, chosen, x)) return false;
  } else {
    turn_by_angle(link, x);
  }
  double A[9];
  model::rotation_matrix(p, A);
  s.A = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(A);
  if (link.keeps_parameters()) {
    Vector3d own;
    EulerRates::times_G(p, rate, own.data());
    s.omega = 2 * (s.A * own);
    return true;
  }
  s.omega.setZero();
  s.turn_rates.setZero();
  if (link.turns() || link.turns_by_parameters()) s.axis = parent ? Vector3d(parent->A * link.axis) : link.axis;
  if (link.joint == Joint::Cross) s.own_axis = s.A * link.own_axis;
  if (link.turns()) s.turn_rates[0] = x.v[link.angle];
  if (link.turns_by_parameters()) {
    find_turn_rates(link, chosen, parent ? parent->omega : Vector3d::Zero(), s, x);
  }
  if (link.turns() || link.turns_by_parameters()) s.omega = s.axis * s.turn_rates[0];
  if (link.joint == Joint::Cross) s.omega += s.own_axis * s.turn_rates[1];
  if (parent) s.omega += parent->omega;
  const Vector4d rates = parameter_rates(p, s.A, s.omega);
  for (int i = 0; i < 4; ++i) {
    const bool is_given = link.turns_by_parameters() &&
                          (i == chosen.parameters[0] || (link.joint == Joint::Cross && i == chosen.parameters[1]));
    if (!is_given) rate[i] = rates[i];
  }
  return true;
}

/// The angle that a driver asks for, its rate and acceleration.
bool TreeRecursion::drive_turn(const Link& link, State& s, const Node& x) {
  Drive& driver = tree_.drives[static_cast<std::size_t>(link.turn_drive)];
  double &angle = x.q[link.angle], &rate = x.v[link.angle];
  for (int step = 0; step < most_drive_steps; ++step) {
    driver.evaluate(x.t, x.q, x.v, *data_);
    driver.slopes<1>(link.angle, &s.turn_slope);
    s.driven_turn = -driver.bias() / s.turn_slope;
    const DriveStep left{driver.value() / s.turn_slope, driver.rate() / s.turn_slope};
    if (!std::isfinite(left.position + left.velocity)) return false;
    if (left.is_small(angle, rate, step)) return true;
    angle -= left.position;
    rate -= left.velocity;
  }
  return false;
}

/// The same of a slide, whose driver reads where the bodies are.
bool TreeRecursion::drive_slide(std::size_t k, const Node& x) {
  const Link& link = tree_.links[k];
  State& s = states_[k];
  Drive& driver = tree_.drives[static_cast<std::size_t>(link.slide_drive)];
  for (int step = 0; step < most_drive_steps; ++step) {
    if (!put_link(k, x)) return false;
    driver.evaluate(x.t, x.q, x.v, *data_);
    Vector3d by_place;
    driver.slopes<3>(link.body, by_place.data());
    s.slide_slope = by_place.dot(s.along);
    const DriveStep left{driver.value() / s.slide_slope, driver.rate() / s.slide_slope};
    if (!std::isfinite(left.position + left.velocity)) return false;
    int component = 0;
    s.along.cwiseAbs().maxCoeff(&component);
    const int i = link.body + component;
    if (left.is_small(x.q[i], x.v[i], step)) return true;
    x.q[i] -= s.along[component] * left.position;
    x.v[i] -= s.along[component] * left.velocity;
  }
  return false;
}

bool TreeRecursion::place(std::size_t k, const Node& x) {
  const Link& link = tree_.links[k];
  if (link.turn_drive != Link::not_driven && !drive_turn(link, states_[k], x)) return false;
  return link.slide_drive == Link::not_driven ? put_link(k, x) : drive_slide(k, x);
}

bool TreeRecursion::put_link(std::size_t k, const Node& x) {
  if (!orient(k, x)) return false;
  const Link& link = tree_.links[k];
  State& s = states_[k];
  double *q = x.q + link.body, *v = x.v + link.body;
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  s.c = s.A * link.centre;
  if (link.joint == Joint::Free) {
    s.r = place_at(q);
    s.v = place_at(v);
    return true;
  }
  s.u = s.A * link.on_link;
  s.u_parent = parent ? Vector3d(parent->A * link.on_parent) : link.on_parent;
  s.offset.setZero();
  s.slip.setZero();
  // Of a component of r, what a slide adds to where the joint would be without.
  int chosen = choice_.chosen(k).component;
  const auto apart = [&](int i) { return q[i] - (parent ? parent->r[i] : 0) - s.u_parent[i] + s.u[i]; };
  const bool is_table = link.joint == Joint::Table;
  if (link.slides() || is_table) s.along = parent ? Vector3d(parent->A * link.along) : link.along;
  if (link.slide_drive != Link::not_driven) s.along.cwiseAbs().maxCoeff(&chosen);
  if (link.slides()) s.offset = apart(chosen) / s.along[chosen] * s.along;
  const int i = (chosen + 1) % 3, j = (chosen + 2) % 3;  // of a table the independent ones
  const auto stay_in_plane = [&](Vector3d& w) {
    w[chosen] = -(s.along[i] * w[i] + s.along[j] * w[j]) / s.along[chosen];
  };
  if (is_table) {
    s.offset[i] = apart(i);
    s.offset[j] = apart(j);
    stay_in_plane(s.offset);
  }
  s.u_parent += s.offset;
  s.from_parent = s.u_parent - s.u;
  s.r = s.from_parent;
  s.v = s.slip - s.omega.cross(s.u);
  if (parent) {
    s.r += parent->r;
    s.v += parent->v + parent->omega.cross(s.u_parent);
  }
  if (link.slides()) {
    s.slip = (v[chosen] - s.v[chosen]) / s.along[chosen] * s.along;
    s.v += s.slip;
    s.r[chosen] = q[chosen];
    s.v[chosen] = v[chosen];
  }
  if (is_table) {
    s.slip[i] = v[i] - s.v[i];
    s.slip[j] = v[j] - s.v[j];
    stay_in_plane(s.slip);
    s.v += s.slip;
    for (const int given : {i, j}) {
      s.r[given] = q[given];
      s.v[given] = v[given];
    }
  }
  put_place(s.r, q);
  put_place(s.v, v);
  return true;
}

bool TreeRecursion::complete(const Node& x) {
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    if (!place(k, x)) return false;
  }
  return true;
}

}  // namespace perilune::formulation
