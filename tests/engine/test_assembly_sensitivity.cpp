// SPDX-License-Identifier: MIT
// How a consistent start depends on the parameters: tangent and adjoint against extrapolated differences of solve().
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "numbers.hpp"

using namespace perilune;
using analysis::Assembly;
using analysis::ConsistentState;
using expr::Symbol;
using model::Model;
using model::Place;
using model::Vector;

namespace {

using Numbers = std::vector<double>;

Numbers start(const std::shared_ptr<const system::System>& system, const std::vector<int>& independent,
              const Numbers& parameters) {
  const ConsistentState s = Assembly(system, independent).solve(0, *system->make_data(parameters));
  Numbers all = s.q;
  all.insert(all.end(), s.v.begin(), s.v.end());
  return all;
}

/// Extrapolated differences of solve().
Numbers difference(const std::shared_ptr<const system::System>& system, const std::vector<int>& independent,
                   const Numbers& at, const Numbers& direction) {
  auto moved = [&](double h) {
    Numbers x = at;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * direction[i];
    return start(system, independent, x);
  };
  return slope(moved, 8e-3);
}

void check(const Mechanism& mechanism, const std::vector<int>& independent, bool redundant = false) {
  INFO(mechanism.name << ", " << independent.size() << " independent coordinates");
  const auto& system = mechanism.problem.system;
  const Numbers parameters = mechanism.parameters();
  const auto n = static_cast<std::size_t>(system->coordinate_count());
  const auto d = static_cast<std::size_t>(system->data_count());
  const auto data = system->make_data(parameters);
  Assembly assembly(system, independent);
  const ConsistentState state = assembly.solve(0, *data);
  CHECK(state.moved > 1e-3);  // else the curvature of the projection would go unnoticed
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);

  for (std::size_t k = 0; k < parameters.size(); ++k) {
    Numbers e(parameters.size(), 0.0), dd(d), dq(n), dv(n);
    e[k] = 1;
    system->data_tangent(*data, e.data(), dd.data());
    assembly.tangents(0, *data, state, 1, dd.data(), dq.data(), dv.data());
    const Numbers expected = difference(system, independent, parameters, e);
    double scale = 1, largest = 0;
    for (double x : expected) largest = std::max(largest, std::abs(x));
    scale = std::max(scale, largest);
    INFO("parameter " << mechanism.model->parameters()[k].name);
    for (std::size_t i = 0; i < n; ++i) {
      INFO(system->coordinate_name(static_cast<int>(i)));
      CHECK(std::abs(dq[i] - expected[i]) <= 1e-8 * scale);
      CHECK(std::abs(dv[i] - expected[n + i]) <= 1e-8 * scale);
    }
    for (int i : independent) {
      const int datum = system->initial_position_datum(i);
      CHECK(dq[static_cast<std::size_t>(i)] ==
            Approx(datum < 0 ? 0.0 : dd[static_cast<std::size_t>(datum)]).margin(1e-11));
    }
  }

  // The adjoint is the transpose for any seeds, and adds to what is there: in the parameters, and in any data direction
  // where the constraints do not depend on each other.
  for (int trial = 0; trial < 10; ++trial) {
    Numbers direction(parameters.size()), dd(d), dq(n), dv(n), qbar(n), vbar(n), dbar(d), before(d);
    for (Numbers* x : {&direction, &dd, &qbar, &vbar, &before}) {
      for (double& value : *x) value = any(random);
    }
    if (redundant || trial % 2 == 0) system->data_tangent(*data, direction.data(), dd.data());
    dbar = before;
    assembly.tangents(0, *data, state, 1, dd.data(), dq.data(), dv.data());
    assembly.adjoint(0, *data, state, qbar.data(), vbar.data(), dbar.data());
    for (std::size_t j = 0; j < d; ++j) dbar[j] -= before[j];
    const double forward = dot(qbar, dq) + dot(vbar, dv);
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) size += std::abs(qbar[i] * dq[i]) + std::abs(vbar[i] * dv[i]);
    CHECK(std::abs(forward - dot(dbar, dd)) <= 1e-12 * size);
    if (trial % 2 == 0) {
      Numbers gradient(parameters.size(), 0.0);
      system->data_adjoint(*data, dbar.data(), gradient.data());
      CHECK(std::abs(forward - dot(gradient, direction)) <= 1e-12 * size);
    }
  }
}

/// A four-bar of points whose declaration does not close, with parameters in everything that assembly reads.
Mechanism open_four_bar() {
  Mechanism mechanism("four-bar of points", {0, -9.81});
  Model& m = *mechanism.model;
  const Symbol crank = mechanism.parameter("L crank", 1.0), coupler = mechanism.parameter("L coupler", 2.5);
  const Symbol pivot = mechanism.parameter("pivot", 3.0), x = mechanism.parameter("x", 0.4);
  const Symbol y = mechanism.parameter("y", 1.3), speed = mechanism.parameter("speed", -0.8);
  const Place A = ground_place(m, {0.0, 0.1}), D = ground_place(m, {pivot, 0.2 * pivot});
  const Place B = add_point(m, "B", {x, 0.9}, {speed, 0.3}, 1.0);
  const Place C = add_point(m, "C", {2.5, y}, {0.5, speed * x}, 1.0);
  add_distance(m, "crank", A, B, &crank);
  add_distance(m, "coupler", B, C, &coupler);
  const Symbol rocker = 1.1 * crank;
  add_distance(m, "rocker", C, D, &rocker);
  mechanism.compile();
  return mechanism;
}

/// A planar body on a pin at the wrong place, with a rod to a point.
Mechanism open_crank() {
  Mechanism mechanism("planar crank", {0, 0});
  Model& m = *mechanism.model;
  const Symbol arm = mechanism.parameter("arm", 0.7), angle = mechanism.parameter("angle", 0.6);
  const Symbol spin = mechanism.parameter("spin", 2.0), rod = mechanism.parameter("L rod", 1.4);
  const Symbol pin = mechanism.parameter("pin x", -0.1);
  const Place body = add_planar_body(m, "body", 1.0, 0.1, {0.5, 0.6}, angle, {0.0, 0.1}, spin);
  add_coincidence(m, "pin", ground_place(m, {pin, 0.0}), body_place(m, body, {-arm, 0.0}));
  const Place P = add_point(m, "P", {2.0, 0.1}, {0.0, 0.0}, 1.0);
  add_distance(m, "rod", body_place(m, body, {arm, 0.2}), P, &rod);
  mechanism.compile();
  return mechanism;
}

/// Two spatial bodies on joints that do not fit, Euler parameters far from unit length, a rod to a point.
Mechanism open_spatial() {
  Mechanism mechanism("spatial bodies", {0, 0, -9.81});
  Model& m = *mechanism.model;
  const Symbol arm = mechanism.parameter("arm", 0.5), e2 = mechanism.parameter("e2", 0.2);
  const Symbol spin = mechanism.parameter("spin", 1.5), slant = mechanism.parameter("slant", 0.3);
  const Symbol height = mechanism.parameter("height", 0.4), rod = mechanism.parameter("L rod", 0.9);
  const Place first = add_spatial_body(m, "first", 1.0, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}, {0.5, 0.05, height},
                                       {1.0, 0.1, e2, -0.1}, {0.1, 0.0, 0.0}, {0.0, spin, 0.4});
  const Place second = add_spatial_body(m, "second", 1.0, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}, {1.4, 0.1, height},
                                        {1.0, 0.0, e2, 0.3}, {0.0, 0.0, spin}, {0.3, 0.0, 0.2});
  add_joint(m, "revolute", "hinge", with_axis(m, ground_place(m, {0.0, 0.0, 0.5 * height}), {0.1, 1.0, 0.0}),
            with_axis(m, body_place(m, first, {-arm, 0.0, 0.0}), {0.0, 1.0, slant}));
  add_coincidence(m, "ball", body_place(m, first, {arm, 0.0, 0.1}), body_place(m, second, {-arm, 0.1, 0.0}));
  const Place P = add_point(m, "P", {2.4, 0.6, 0.3}, {0.0, 0.0, 0.0}, 1.0);
  add_distance(m, "rod", body_place(m, second, {0.4, 0.0, 0.0}), P, &rod);
  mechanism.compile();
  return mechanism;
}

/// A parallelogram with a rod that constrains nothing new; the bars keep it closed for every parameter value.
Mechanism redundant_mechanism() {
  Mechanism mechanism("redundant parallelogram", {0, 0});
  Model& m = *mechanism.model;
  const Symbol crank = mechanism.parameter("L crank", 1.0), base = mechanism.parameter("base", 2.0);
  const Symbol x = mechanism.parameter("x", 0.5), speed = mechanism.parameter("speed", 0.3);
  Place top[3];
  for (int k = 0; k < 3; ++k) {
    const double share = 0.5 * k;
    const std::string name = "P" + std::to_string(k);
    top[k] = add_point(m, name, {x + share * base + 0.05 * k, 0.9}, {speed, 0.0}, 1.0);
    add_distance(m, "crank" + name, ground_place(m, {share * base, 0.0}), top[k], &crank);
  }
  const Symbol half = 0.5 * base;
  add_distance(m, "left", top[0], top[1], &half);
  add_distance(m, "right", top[1], top[2], &half);
  add_distance(m, "whole", top[0], top[2], &base);
  mechanism.compile();
  return mechanism;
}

}  // namespace

TEST_CASE("assembly: derivatives for planar mechanisms") {
  check(open_four_bar(), {});
  check(open_four_bar(), {0});
  check(open_four_bar(), {3});
  check(open_crank(), {});
  check(open_crank(), {2});
  check(open_crank(), {2, 4});
}

TEST_CASE("assembly: derivatives for spatial mechanisms") {
  check(open_spatial(), {});
  check(open_spatial(), {2});
  check(spatial_pendulum_mechanism(), {});
}

TEST_CASE("assembly: derivatives with redundant constraints") { check(redundant_mechanism(), {}, true); }

TEST_CASE("assembly: derivatives do not depend on the size of the mechanism") {
  for (double size : {1e-6, 1.0, 1e3}) {
    Mechanism mechanism("rod", {0, 0});
    Model& m = *mechanism.model;
    const Symbol length = mechanism.parameter("length", size);
    const Place P = add_point(m, "P", {0.72 * size, 0.96 * size}, {-1.6 * size, 1.2 * size}, 1.0);
    add_distance(m, "rod", ground_place(m, {0.0, 0.0}), P, &length);
    mechanism.compile();
    const auto& system = mechanism.problem.system;
    const auto data = system->make_data({size});
    Assembly assembly(system, {});
    const ConsistentState state = assembly.solve(0, *data);
    Numbers dd(1), dq(2), dv(2);
    const double one = 1;
    system->data_tangent(*data, &one, dd.data());
    assembly.tangents(0, *data, state, 1, dd.data(), dq.data(), dv.data());
    INFO("size " << size);
    // The point slides along its ray; the velocity, which is normal to it, does not care.
    CHECK(dq[0] == Approx(0.6).epsilon(1e-10));
    CHECK(dq[1] == Approx(0.8).epsilon(1e-10));
    CHECK(std::abs(dv[0]) <= 1e-10);
    CHECK(std::abs(dv[1]) <= 1e-10);
    CHECK(state.v[0] == Approx(-1.6 * size).epsilon(1e-12));
  }
}
