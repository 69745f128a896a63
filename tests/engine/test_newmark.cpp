// SPDX-License-Identifier: MIT
// Newmark, HHT and generalized-alpha: their order, what they do to the energy and what they leave of stiff motions.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "run_check.hpp"

using namespace perilune;
using formulation::Index1;
using formulation::Index3;
using integrator::GeneralizedAlpha;
using integrator::Hht;
using integrator::Integrator;
using integrator::Newmark;

namespace {

/// Amplitude at every mesh point of a mass of 1 kg on a spring, from x = 1 at rest: sqrt(x^2 + (v / omega)^2).
std::vector<double> amplitudes(double omega, double end, const Integrator& method) {
  Mechanism mechanism = oscillator_mechanism(omega);
  mechanism.problem.end = end;
  const auto run = run_of(mechanism, {Index1{}, method});
  const integrator::Mesh& mesh = run.solution.mesh;
  std::vector<double> out;
  for (std::size_t k = 0; k < mesh.size(); ++k) out.push_back(std::hypot(mesh.q_at(k)[0], mesh.v_at(k)[0] / omega));
  return out;
}

/// Largest deviation from the first amplitude, over the last part of a run.
double deviation(const std::vector<double>& amplitude, double part) {
  double worst = 0;
  const auto first = static_cast<std::size_t>((1 - part) * static_cast<double>(amplitude.size()));
  for (std::size_t k = first; k < amplitude.size(); ++k) worst = std::max(worst, std::abs(amplitude[k] - 1));
  return worst;
}

}  // namespace

TEST_CASE("newmark family: second order, in index-1 and index-3 form", "[integrator]") {
  for (Mechanism (*make)() : {four_bar_mechanism, five_bar_mechanism, spatial_pendulum_mechanism}) {
    OrderCheck(make(), Index1{}).all(Newmark{0.01}, 1.85, 2.4);
    for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{Index1{}, Index3{}}) {
      const OrderCheck order(make(), form);
      order.all(Hht{0.01}, 1.85, 2.4);
      order.all(GeneralizedAlpha{0.01, 0.8}, 1.85, 2.4);
    }
  }
}

TEST_CASE("newmark family: amplitudes over a hundred periods", "[integrator]") {
  const double omega = 2 * M_PI, end = 100;
  // The linear oscillator keeps its amplitude to the solver's tolerance under the rule of the mean acceleration.
  CHECK(deviation(amplitudes(omega, end, Newmark{0.02}), 1) < 1e-8);
  // Without damping of high frequencies generalized-alpha conserves a quantity close to the energy: the deviation does
  // not grow.
  const auto undamped = amplitudes(omega, end, GeneralizedAlpha{0.02, 1});
  CHECK(deviation(undamped, 1) < 0.01);
  CHECK(deviation(undamped, 0.1) < 1.01 * deviation(undamped, 0.99));
  // With it, low frequencies lose a little, in proportion to h^3 per unit of time.
  auto loss = [&](double h) { return deviation(amplitudes(omega, 20, GeneralizedAlpha{h, 0.8}), 0.05); };
  const double order = std::log2(loss(0.02) / loss(0.01));
  CHECK(order > 2.5);
  CHECK(order < 3.5);
}

TEST_CASE("newmark family: what is left of a stiff oscillation", "[integrator]") {
  // omega h = 1e5: in the limit of infinite frequency all eigenvalues of the step's matrix are -rho, and it is
  // defective, so that after n steps n rho^n is left.
  const double omega = 1e7, h = 0.01;
  auto left = [&](const Integrator& method, int steps) { return amplitudes(omega, steps * h, method).back(); };
  for (double rho : {0.9, 0.8}) {
    const GeneralizedAlpha method{h, rho};
    CHECK(left(method, 200) / left(method, 100) == Approx(2 * std::pow(rho, 100)).epsilon(0.01));
  }
  CHECK(left(GeneralizedAlpha{h, 0.5}, 100) < 1e-15);
  CHECK(left(GeneralizedAlpha{h, 1}, 100) > 0.1);
  CHECK(left(Newmark{h}, 100) == Approx(1).epsilon(1e-3));
  CHECK(left(Hht{h, -0.3}, 100) < 1e-6);
}
