// SPDX-License-Identifier: MIT
// A fully specified check problem: one body on a ball joint, in a frame away from its centre of mass, with thirteen
// parameters. The expected numbers come from an independent program: 8th-order integration of Schaffer's equations
// (2005, (4.84)-(4.87)), whose adjoint gradient agreed with central differences to 4e-10.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/continuous/linear_ode.hpp"
#include "sensitivity/stabilized/piecewise_adjoint.hpp"

using namespace perilune;
using expr::Symbol;

namespace {

constexpr double end_time = 1.1166991614;
constexpr double printed_q[7] = {-0.583495807, -0.380676693, -0.612060372, 0.844772094,
                                 -0.244322318, 0.328043532,  -0.345042251};  // at the end
constexpr double printed_initial_lambda[3] = {3.552031463, 3.054295361, -9.573318211},
                 printed_final_lambda[3] = {-2.976086475, -2.198676620, -9.468601764};

struct Problem {
  Mechanism mechanism = offset_pendulum_mechanism();
  Symbol m, rate_x;

  Problem() {
    m = {mechanism.model->graph(), mechanism.model->parameters().front().node};
    rate_x = signal("B.vx");
    mechanism.problem.objectives.clear();
    mechanism.problem.formulation = formulation::Index1{};
    mechanism.problem.integrator = integrator::DormandPrince{1e-12, 1e-13};
    mechanism.problem.end = end_time;
  }
  Symbol signal(const char* name) { return mechanism.signal(name); }
  Symbol integrand() {
    Symbol sum = 0.1 * signal("ball.lambda_z") * signal("B.x") + 0.05 * m * signal("B.y");
    for (const auto& c : mechanism.model->coordinates()) {
      const Symbol q(mechanism.model->graph(), c.position), v(mechanism.model->graph(), c.velocity);
      sum += q * q + v * v;
    }
    return sum;
  }
  Symbol terminal_cost() { return 0.3 * signal("B.y") * rate_x + 0.2 * m * signal("B.z") + 0.1 * signal("t"); }
  /// Its zero ends the motion.
  Symbol event() { return signal("t") + 0.2 * signal("B.x") - 1.0 + 0.05 * (m - 1.3); }
};

}  // namespace

TEST_CASE("a body away from its centre of mass: motion, reactions and cost of the check problem") {
  Problem p;
  p.mechanism.integral("integral", p.integrand());
  p.mechanism.both("cost", p.terminal_cost(), p.integrand());
  p.mechanism.terminal("event", p.event());
  const auto run = simulation::evaluate(p.mechanism.problem, p.mechanism.parameters());
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  for (int i = 0; i < 7; ++i) CHECK(mesh.q_at(last)[i] == Approx(printed_q[i]).margin(2e-9));
  for (int k = 0; k < 3; ++k) {
    CHECK(mesh.lambda_at(0)[1 + k] == Approx(printed_initial_lambda[k]).margin(2e-9));
    CHECK(mesh.lambda_at(last)[1 + k] == Approx(printed_final_lambda[k]).margin(5e-9));
  }
  CHECK(run.values[0] == Approx(6.5361977116).margin(2e-9));
  CHECK(run.values[1] == Approx(6.4297631193).margin(2e-9));
  CHECK(std::abs(run.values[2]) < 1e-9);
}

TEST_CASE("a body away from its centre of mass: the check problem by the stabilized index-1 form") {
  Problem p;
  p.mechanism.both("cost", p.terminal_cost(), p.integrand());
  p.mechanism.problem.formulation = formulation::StabilizedIndex1{};
  p.mechanism.problem.integrator = integrator::Radau{5, end_time / 128, {}};
  const auto run = simulation::evaluate(p.mechanism.problem, p.mechanism.parameters());
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  for (int i = 0; i < 7; ++i) CHECK(mesh.q_at(last)[i] == Approx(printed_q[i]).margin(1e-9));
  for (int k = 0; k < 3; ++k) {
    CHECK(mesh.lambda_at(0)[1 + k] == Approx(printed_initial_lambda[k]).margin(1e-9));
    CHECK(mesh.lambda_at(last)[1 + k] == Approx(printed_final_lambda[k]).margin(2e-9));
  }
  CHECK(run.values[0] == Approx(6.4297631193).margin(2e-9));
}

TEST_CASE("a body away from its centre of mass: errors of BDF on the stabilized index-1 form") {
  // Orders 1 to 5 with steps of 0.005 s, largest error of the positions at 0.8 s.
  const double printed[5] = {6.5e-3, 7.4e-5, 1.2e-6, 2.8e-8, 6.9e-10};
  auto end_of = [](const formulation::Formulation& form, const integrator::Integrator& method) {
    Problem p;
    p.mechanism.problem.formulation = form;
    p.mechanism.problem.integrator = method;
    p.mechanism.problem.end = 0.8;
    const auto run = simulation::evaluate(p.mechanism.problem, p.mechanism.parameters());
    REQUIRE(run.solution.status == integrator::Status::Completed);
    const double* q = run.solution.mesh.q_at(run.solution.mesh.size() - 1);
    return std::vector<double>(q, q + 7);
  };
  const std::vector<double> exact = end_of(formulation::Index1{}, integrator::DormandPrince{{1e-12, 1e-13}});
  for (int order = 1; order <= 5; ++order) {
    const std::vector<double> q = end_of(formulation::StabilizedIndex1{}, integrator::Bdf{order, 0.005, {}});
    double error = 0;
    for (std::size_t i = 0; i < 7; ++i) error = std::max(error, std::abs(q[i] - exact[i]));
    CAPTURE(order);
    CHECK(error == Approx(printed[order - 1]).epsilon(0.05));
  }
}

TEST_CASE("a body away from its centre of mass: gradient of the check problem by every method") {
  // The end of the motion moves with the parameters: with fixed end, d(cost) - xi d(event) is the printed gradient.
  const double printed[13] = {0.7033876500,  -8.1845763700, -0.8297561755, 5.9361574060, 6.0423509536,
                              4.1012852332,  0.7273988335,  -0.0650042580, 0.6558121453, -1.4212250556,
                              -0.0417313007, -0.1239107937, -0.6142228153};
  const double xi = 2.940696927;
  for (const sensitivity::Method& method :
       {sensitivity::Method(sensitivity::DiscreteDirect{}), sensitivity::Method(sensitivity::DiscreteAdjoint{}),
        sensitivity::Method(sensitivity::ContinuousDirect{}), sensitivity::Method(sensitivity::ContinuousAdjoint{})}) {
    Problem p;
    p.mechanism.both("cost", p.terminal_cost(), p.integrand());
    p.mechanism.terminal("event", p.event());
    if (!std::holds_alternative<sensitivity::ContinuousDirect>(method) &&
        !std::holds_alternative<sensitivity::ContinuousAdjoint>(method)) {
      p.mechanism.problem.integrator = integrator::Rk4{5e-4};
    }
    const auto result =
        sensitivity::gradient(p.mechanism.problem, p.mechanism.parameters(), p.mechanism.over(), method);
    for (std::size_t k = 0; k < 13; ++k) {
      CAPTURE(k);
      CHECK(result.derivatives[0][k] - xi * result.derivatives[1][k] == Approx(printed[k]).margin(2e-7));
    }
  }
}

TEST_CASE("a body away from its centre of mass: gradient of the check problem by the equations of every formulation") {
  const double printed[13] = {0.7033876500,  -8.1845763700, -0.8297561755, 5.9361574060, 6.0423509536,
                              4.1012852332,  0.7273988335,  -0.0650042580, 0.6558121453, -1.4212250556,
                              -0.0417313007, -0.1239107937, -0.6142228153};
  const double xi = 2.940696927;
  struct Case {
    formulation::Formulation formulation;
    integrator::Integrator integrator;
    double margin;
  };
  const integrator::Integrator adaptive = integrator::DormandPrince{1e-12, 1e-13};
  const Case cases[] = {{formulation::Index1{}, adaptive, 2e-7},
                        {formulation::Maggi{}, adaptive, 2e-7},
                        {formulation::StabilizedIndex1{}, integrator::Radau{5, 0.01, {}}, 2e-7},
                        // Velocities of the index-3 form are of lower order.
                        {formulation::Index3{}, integrator::Radau{5, 1e-3, {}}, 2e-6}};
  for (const Case& c : cases) {
    for (const sensitivity::Method& method : sensitivity::methods_offered(c.formulation, c.integrator)) {
      if (!std::holds_alternative<sensitivity::ContinuousAdjoint>(method) &&
          !std::holds_alternative<sensitivity::ContinuousDirect>(method)) {
        continue;
      }
      CAPTURE(formulation::name_of(c.formulation), sensitivity::name_of(method));
      Problem p;
      p.mechanism.problem.formulation = c.formulation;
      p.mechanism.problem.integrator = c.integrator;
      p.mechanism.both("cost", p.terminal_cost(), p.integrand());
      p.mechanism.terminal("event", p.event());
      const auto result =
          sensitivity::gradient(p.mechanism.problem, p.mechanism.parameters(), p.mechanism.over(), method);
      for (std::size_t k = 0; k < 13; ++k) {
        CAPTURE(k);
        CHECK(result.derivatives[0][k] - xi * result.derivatives[1][k] == Approx(printed[k]).margin(c.margin));
      }
    }
  }
}

TEST_CASE("a body away from its centre of mass: adjoint of the check problem at its ends") {
  // With the end fixed, l - xi Omega stands for the terminal part.
  const double mu_end[7] = {-0.048554864826, 0.004622847872, -0.014935971804, -0.017702216605,
                            -0.014439229133, 0.025653970829, -0.008726158763},
               mu_start[7] = {-0.72203287,   0.10898082064, -0.33736416137, 0.08544022407,
                              0.21192414579, 0.50094865956, -0.16065981919},
               eta[3] = {-0.054845071152, -0.004436107108, 0.025237130765},
               gamma[3] = {-0.034724023593, -0.257176340028, -0.107995636059},
               nu[3] = {-3.232416256, -1.463762796, 0.463918191};
  Problem p;
  simulation::Problem& problem = p.mechanism.problem;
  p.mechanism.both("cost", p.terminal_cost() - 2.940696927 * p.event(), p.integrand());
  const auto run = sensitivity::forward_run(problem, p.mechanism.parameters(), false);
  sensitivity::LinearizedMotion motion(problem, run);
  sensitivity::AdjointBundle bundle(problem, run, motion.dynamics());
  const auto equations = sensitivity::index1_approach1(problem, motion);
  std::vector<double> y(equations->size());
  motion.at(end_time);
  equations->begin(0, bundle, y.data());
  for (std::size_t i = 0; i < 7; ++i) CHECK(y[i] == Approx(mu_end[i]).margin(1e-9));
  for (std::size_t k = 0; k < 3; ++k) {  // the normalization's are a matter of convention
    CHECK(y[14 + 1 + k] == Approx(eta[k]).margin(1e-9));
    CHECK(y[18 + 1 + k] == Approx(-gamma[k]).margin(1e-8));
  }
  std::vector<double> data(bundle.data[0].size()), parameters(bundle.parameters[0].size()), rates(y.size());
  equations->slope(0, y.data(), rates.data(), data.data(), parameters.data());
  // The multipliers nu of the adjoint are the second derivative of those of its constraint on accelerations.
  for (std::size_t k = 0; k < 3; ++k) CHECK(rates[18 + 1 + k] == Approx(nu[k]).margin(1e-7));
  sensitivity::integrate_linear(
      integrator::Tolerances{1e-11, 1e-12}, run.solution.mesh.t, true, y.size(),
      [&](double t, const double* state, double* slope) {
        motion.at(t);
        equations->slope(0, state, slope, data.data(), parameters.data());
      },
      y);
  for (std::size_t i = 0; i < 7; ++i) CHECK(y[i] == Approx(mu_start[i]).margin(1e-8));
}

TEST_CASE("a body away from its centre of mass: the check problem with its end found by the event") {
  const double printed[13] = {0.7033876500,  -8.1845763700, -0.8297561755, 5.9361574060, 6.0423509536,
                              4.1012852332,  0.7273988335,  -0.0650042580, 0.6558121453, -1.4212250556,
                              -0.0417313007, -0.1239107937, -0.6142228153};
  for (const sensitivity::Method& method :
       {sensitivity::Method(sensitivity::DiscreteDirect{}), sensitivity::Method(sensitivity::DiscreteAdjoint{}),
        sensitivity::Method(sensitivity::ContinuousDirect{}), sensitivity::Method(sensitivity::ContinuousAdjoint{}),
        sensitivity::Method(sensitivity::ContinuousAdjoint{sensitivity::AdjointForm::Approach2, {}})}) {
    const bool is_discrete = method.index() <= sensitivity::Method(sensitivity::DiscreteAdjoint{}).index();
    Problem p;
    p.mechanism.both("cost", p.terminal_cost(), p.integrand());
    p.mechanism.problem.end = 2;
    p.mechanism.stop("event", p.event());
    const auto run = simulation::evaluate(p.mechanism.problem, p.mechanism.parameters());
    CHECK(run.solution.mesh.t.back() == Approx(end_time).margin(1e-10));
    CHECK(run.values[0] == Approx(6.4297631193).margin(1e-9));
    CHECK(run.solution.stop->objectives[0] / run.solution.stop->slope == Approx(2.940696927).margin(1e-8));
    const auto result =
        sensitivity::gradient(p.mechanism.problem, p.mechanism.parameters(), p.mechanism.over(), method);
    for (std::size_t k = 0; k < 13; ++k) {
      CAPTURE(k);
      CHECK(result.derivatives[0][k] == Approx(printed[k]).epsilon(0).margin(is_discrete ? 4e-10 : 2e-9));
    }
  }
}

TEST_CASE("a body away from its centre of mass: the check problem by the adjoint over intervals") {
  const double printed[13] = {0.7033876500,  -8.1845763700, -0.8297561755, 5.9361574060, 6.0423509536,
                              4.1012852332,  0.7273988335,  -0.0650042580, 0.6558121453, -1.4212250556,
                              -0.0417313007, -0.1239107937, -0.6142228153};
  Problem p;
  p.mechanism.both("cost", p.terminal_cost(), p.integrand());
  p.mechanism.problem.formulation = formulation::Maggi{};
  p.mechanism.problem.end = 2;
  p.mechanism.stop("event", p.event());
  const auto result = sensitivity::gradient(p.mechanism.problem, p.mechanism.parameters(), p.mechanism.over(),
                                            sensitivity::DiscreteAdjoint{0, 9});
  for (std::size_t k = 0; k < 13; ++k) {
    CAPTURE(k);
    CHECK(result.derivatives[0][k] == Approx(printed[k]).epsilon(0).margin(1e-9));
  }
}

TEST_CASE("a body away from its centre of mass: the check problem by the piecewise adjoint") {
  const double printed[13] = {0.7033876500,  -8.1845763700, -0.8297561755, 5.9361574060, 6.0423509536,
                              4.1012852332,  0.7273988335,  -0.0650042580, 0.6558121453, -1.4212250556,
                              -0.0417313007, -0.1239107937, -0.6142228153};
  Problem p;
  p.mechanism.both("cost", p.terminal_cost(), p.integrand());
  simulation::Problem& problem = p.mechanism.problem;
  problem.formulation = formulation::StabilizedIndex1{};
  problem.integrator = integrator::Radau{5, 0, {1e-11, 1e-13}};
  problem.end = 2;  // the event comes before it, so that some of these intervals are never begun
  p.mechanism.stop("event", p.event());
  const auto largest_error = [&](const sensitivity::ChooseCoordinates& choose) {
    const auto result =
        sensitivity::piecewise_adjoint(problem, p.mechanism.parameters(), p.mechanism.over(), {9, true}, choose);
    CHECK(result.values[0] == Approx(6.4297631193).margin(2e-9));
    double error = 0;
    for (std::size_t k = 0; k < 13; ++k) error = std::max(error, std::abs(result.derivatives[0][k] - printed[k]));
    return error;
  };
  CHECK(largest_error(sensitivity::choose_best) < 3e-9);
  // Other Euler parameters are independent from one interval to the next.
  using Coordinates = std::vector<Eigen::Index>;
  const auto alternating = [](std::size_t number) { return number % 2 ? Coordinates{4, 5, 6} : Coordinates{3, 4, 6}; };
  CHECK(largest_error([&](sensitivity::BoundaryCoordinates& coordinates, std::size_t number, bool) {
          coordinates.take(alternating(number));
        }) < 3e-9);
  // What the source has: an interval hands its numbers over as if those before had the same coordinates.
  CHECK(largest_error([&](sensitivity::BoundaryCoordinates& coordinates, std::size_t number, bool from_after) {
          coordinates.take(alternating(from_after ? number + 1 : number));
        }) > 1);
}
