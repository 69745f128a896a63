// Every form of the continuous equations: they converge to the discrete gradient as the step shrinks, whatever
// integrated the motion, and refuse what they are not made for.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"

using namespace perilune;
using formulation::Formulation;
using sensitivity::AdjointForm;
using sensitivity::ContinuousAdjoint;
using sensitivity::ContinuousDirect;
using sensitivity::Method;

namespace {

using Rows = std::vector<std::vector<double>>;

/// Leaves the objectives that the method takes.
void drop_refused(Mechanism& mechanism, const Method& method) {
  auto& all = mechanism.problem.objectives;
  sensitivity::Problem one = mechanism.problem;
  std::erase_if(all, [&](const auto& objective) {
    one.objectives = {objective};
    return !sensitivity::objection(one, method).empty();
  });
  REQUIRE(!all.empty());
}

Rows derivatives(Mechanism& mechanism, const integrator::Integrator& integrator, const Method& method) {
  mechanism.problem.integrator = integrator;
  return sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(), method).derivatives;
}

/// Largest difference relative to the largest entry of each objective; entries count per relative change of a
/// parameter (absolute below 1).
double difference(const Rows& x, const Rows& y, const std::vector<double>& rho) {
  double all = 0;
  for (std::size_t o = 0; o < y.size(); ++o) {
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < rho.size(); ++i) {
      const double scale = std::max(1.0, std::abs(rho[i]));
      if (!std::isfinite(x[o][i])) return INFINITY;
      worst = std::max(worst, scale * std::abs(x[o][i] - y[o][i]));
      largest = std::max(largest, scale * std::abs(y[o][i]));
    }
    all = std::max(all, worst / largest);
  }
  return all;
}

std::vector<Method> continuous_methods(const Formulation& form) {
  std::vector<Method> all = sensitivity::methods_offered(form, integrator::Rk4{});
  std::erase_if(all, [](const Method& m) {
    return !std::holds_alternative<ContinuousAdjoint>(m) && !std::holds_alternative<ContinuousDirect>(m);
  });
  return all;
}

/// The error with `Integrator{step}` and half of it, against a fine discrete gradient, must fall as its order says.
template <class Integrator>
void check_order(Mechanism (*make)(), const Formulation& form, double step, double order) {
  for (const Method& method : continuous_methods(form)) {
    Mechanism mechanism = make();
    mechanism.problem.formulation = form;
    drop_refused(mechanism, method);
    const std::vector<double> rho = mechanism.parameters();
    Mechanism exact_mechanism = make();
    exact_mechanism.problem.objectives = mechanism.problem.objectives;
    const bool is_penalty = std::holds_alternative<formulation::Penalty>(form);
    exact_mechanism.problem.formulation = is_penalty ? form : formulation::Index1{};
    const Rows exact = derivatives(exact_mechanism, integrator::Rk4{1e-3}, sensitivity::DiscreteAdjoint{});
    const double coarse = difference(derivatives(mechanism, Integrator{step}, method), exact, rho);
    const double fine = difference(derivatives(mechanism, Integrator{step / 2}, method), exact, rho);
    INFO(mechanism.name << ", " << formulation::name_of(form) << ", " << sensitivity::name_of(method) << ": " << coarse
                        << ", then " << fine);
    std::printf("%s, %s, %s: %.3g then %.3g order %.2f\n", mechanism.name.c_str(), formulation::name_of(form).c_str(),
                sensitivity::name_of(method), coarse, fine, std::log2(coarse / fine));
    CHECK(coarse < 1);
    CHECK(fine < std::max(1e-8, coarse * std::pow(0.5, order - 0.6)));
  }
}

struct FixedRadau : integrator::Radau {
  explicit FixedRadau(double h) : integrator::Radau{5, h, {}} {}
};

}  // namespace

TEST_CASE("continuous forms: RK4 converges with order 4", "[sensitivity][continuous]") {
  for (auto make : {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, driven_linkage_mechanism,
                    spatial_joints_mechanism}) {
    for (const Formulation& form : {Formulation(formulation::Penalty{1e3, 1, 10}), Formulation(formulation::Index1{}),
                                    Formulation(formulation::Index1{3, 4})}) {
      check_order<integrator::Rk4>(make, form, 0.005, 4);
    }
  }
}

TEST_CASE("continuous forms: index 3 by the trapezoidal rule converges with order 2", "[sensitivity][continuous]") {
  for (auto make : {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, driven_linkage_mechanism}) {
    check_order<integrator::Trapezoidal>(make, formulation::Index3{}, 0.005, 2);
  }
}

TEST_CASE("continuous forms: index 3 after implicit integrators", "[sensitivity][continuous]") {
  for (auto make : {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, spatial_joints_mechanism}) {
    check_order<FixedRadau>(make, formulation::Index3{}, 0.01, 3);
    check_order<integrator::GeneralizedAlpha>(make, formulation::Index3{}, 0.005, 2);
    check_order<FixedRadau>(make, formulation::AugmentedLagrangian{3}, 0.01, 3);
  }
}
