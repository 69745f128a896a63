// SPDX-License-Identifier: MIT
// Schaffer 2005, section 3.3: where motions come to rest, the adjoint of an index-3 motion is stable backward in time,
// and forward it is not. On a pendulum with a damper, of small swings, both are known in closed form.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/continuous/linear_ode.hpp"

using namespace perilune;
using namespace perilune::model;

namespace {

constexpr double drag = 2.4, gravity = 9.81, swing = 1e-4, end_time = 10;  // of 1 kg on a rod of 1 m

/// x'' + c x' + g x = 0 for small swings.
Mechanism damped_pendulum() {
  Mechanism mechanism("damped pendulum", {0, -gravity});
  Model& m = *mechanism.model;
  const Place P = add_point(m, "P", {std::sin(swing), -std::cos(swing)}, {0.0, 0.0}, 1.0);
  add_distance(m, "rod", ground_place(m, {0.0, 0.0}), P, nullptr);
  const Vector v = velocity_of(m, P);
  add_force(m, "drag", P, {-drag * v[0], -drag * v[1]}, {});
  mechanism.compile();
  mechanism.problem.end = end_time;
  mechanism.problem.formulation = formulation::Index1{};
  mechanism.problem.integrator = integrator::DormandPrince{{1e-11, 1e-16}};
  mechanism.terminal("place", mechanism.signal("P.x"));
  mechanism.terminal("speed", mechanism.signal("P.vx"));
  return mechanism;
}

}  // namespace

TEST_CASE("the adjoint of a damped motion dies away backward in time, and grows forward", "[sensitivity]") {
  Mechanism mechanism = damped_pendulum();
  simulation::Problem& problem = mechanism.problem;
  const auto run = sensitivity::forward_run(problem, mechanism.parameters(), false);
  REQUIRE(run.solution.status == integrator::Status::Completed);
  sensitivity::LinearizedMotion motion(problem, run);
  sensitivity::AdjointBundle bundle(problem, run, motion.dynamics());
  const auto equations = sensitivity::index3_second_order(problem, motion);
  std::vector<double> data(bundle.data[0].size()), parameters(bundle.parameters[0].size());
  const auto begun = [&](double t, std::size_t objective) {
    std::vector<double> y(equations->size());
    motion.at(t);
    equations->begin(objective, bundle, y.data());
    return y;
  };
  const auto carried = [&](std::vector<double> y, bool backward) {
    sensitivity::integrate_linear(
        integrator::Tolerances{1e-10, 1e-12}, run.solution.mesh.t, backward, y.size(),
        [&](double t, const double* state, double* slope) {
          motion.at(t);
          equations->slope(0, state, slope, data.data(), parameters.data());
        },
        y);
    return y;
  };
  // mu_x at the start is what a push of 1 N s there does to the end: x(T) = exp(-c T / 2) sin(w T) / w.
  const double w = std::sqrt(gravity - drag * drag / 4);
  const auto decayed = [](double t) { return std::exp(-drag * t / 2); };
  const std::vector<double> end = begun(end_time, 0), start = carried(end, true);
  const double pushed = decayed(end_time) * std::sin(w * end_time) / w;
  CHECK(std::abs(std::abs(start[0]) - std::abs(pushed)) < 1e-6 * std::abs(pushed));

  const auto moved = [&](std::vector<double> y, const std::vector<double>& along, double by) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += by * along[i];
    return y;
  };
  const auto apart = [](const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  };
  // An error at the end is forgotten on the way back, as the motion's own is on the way there; it is linear.
  const double one = apart(carried(moved(end, begun(end_time, 1), 1e-3), true), start);
  const double ten = apart(carried(moved(end, begun(end_time, 1), 1e-2), true), start);
  CHECK(one < 1e-3 * 10 * decayed(end_time));
  CHECK(ten / one == Approx(10).epsilon(1e-4));
  // The same error at the start grows on the way to the end, by what it died away by.
  const double grown = apart(carried(moved(start, begun(0, 1), 1e-3), false), carried(start, false));
  CHECK(grown > 1e-3 * 0.1 / decayed(end_time));
}
