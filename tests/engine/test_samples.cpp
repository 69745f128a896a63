// SPDX-License-Identifier: MIT
// Functions of a motion at given times, and their derivatives: by differences of runs with the same constant steps, by
// the discrete direct method where a sample is at the end, and rates by differences of samples.
#include "sensitivity/samples.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "gradient_check.hpp"
#include "offered.hpp"
#include "run_check.hpp"

using namespace perilune;
using sensitivity::Sample;
using sensitivity::Samples;

namespace {

/// Signals of a mechanism, some of which read accelerations and multipliers.
system::Measure measure_of(const Mechanism& mechanism, const std::vector<std::string>& signals) {
  std::vector<expr::NodeId> nodes;
  for (const std::string& name : signals) nodes.push_back(mechanism.model->signal(name));
  return {mechanism.model->graph(), nodes};
}

std::vector<Sample> samples_at(const std::vector<double>& times, int functions) {
  std::vector<Sample> out;
  for (const double t : times) {
    for (int k = 0; k < functions; ++k) out.push_back({t, k, true});
  }
  return out;
}

Mechanism without_objectives(Mechanism mechanism) {
  mechanism.problem.objectives.clear();
  return mechanism;
}

/// Derivatives along a direction by extrapolated differences; the steps must be constant.
std::vector<double> differences(const Mechanism& mechanism, const system::Measure& functions,
                                const std::vector<Sample>& samples, const std::vector<double>& direction) {
  const std::vector<double> rho = mechanism.parameters();
  const auto central = [&](double h) {
    std::vector<double> up = rho, down = rho;
    for (std::size_t k = 0; k < rho.size(); ++k) {
      up[k] += h * direction[k];
      down[k] -= h * direction[k];
    }
    const Samples a = sensitivity::sample(mechanism.problem, up, nullptr, functions, samples);
    const Samples b = sensitivity::sample(mechanism.problem, down, nullptr, functions, samples);
    std::vector<double> out;
    for (std::size_t k = 0; k < samples.size(); ++k) out.push_back((a.values[k] - b.values[k]) / (2 * h));
    return out;
  };
  std::vector<double> coarse = central(2e-4), fine = central(1e-4);
  for (std::size_t k = 0; k < fine.size(); ++k) fine[k] += (fine[k] - coarse[k]) / 3;
  return fine;
}

/// The largest magnitude of each function among the samples.
std::vector<double> sizes(const std::vector<double>& numbers, const std::vector<Sample>& samples, int functions) {
  std::vector<double> out(static_cast<std::size_t>(functions), 1e-6);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    double& size = out[static_cast<std::size_t>(samples[k].function)];
    size = std::max(size, std::abs(numbers[k]));
  }
  return out;
}

void check_derivatives(Mechanism mechanism, const std::vector<std::string>& signals, double length) {
  mechanism = without_objectives(std::move(mechanism));
  const double start = mechanism.problem.start, end = start + length;
  mechanism.problem.end = end;
  const std::vector<double> rho = mechanism.parameters();
  const std::vector<int> over = mechanism.over();
  const std::vector<double> direction = oblique_direction(rho, 0.4);
  const auto count = static_cast<int>(signals.size());
  const system::Measure functions = measure_of(mechanism, signals);
  const std::vector<Sample> samples = samples_at(
      {start, start + 0.0137 * length, start + 0.31 * length, start + 0.5 * length, start + 0.777 * length, end},
      count);
  int cells = 0;
  for (const auto& form : formulations_for(mechanism)) {
    for (const auto& method : integrators_for(form, length / 60)) {
      if (integrator::fixed_step(method) == 0) continue;
      mechanism.problem.formulation = form;
      mechanism.problem.integrator = method;
      INFO(mechanism.name << ", " << formulation::name_of(form) << ", " << integrator::name_of(method));
      const Samples found = sensitivity::sample(mechanism.problem, rho, &over, functions, samples);
      const std::vector<double> expected = differences(mechanism, functions, samples, direction);
      const std::vector<double> scale = sizes(expected, samples, count);
      for (std::size_t k = 0; k < samples.size(); ++k) {
        double along = 0;
        for (std::size_t p = 0; p < over.size(); ++p) along += found.derivatives[k * over.size() + p] * direction[p];
        INFO(signals[static_cast<std::size_t>(samples[k].function)] << " at " << samples[k].t);
        CHECK(std::abs(along - expected[k]) <= 2e-6 * scale[static_cast<std::size_t>(samples[k].function)]);
      }
      ++cells;
    }
  }
  CHECK(cells > 10);
}

}  // namespace

TEST_CASE("samples of a motion have exact derivatives in every form", "[samples]") {
  check_derivatives(four_bar_mechanism(), {"coupler.x", "rocker.omega", "crank.alpha", "A.lambda_x"}, 0.5);
}

TEST_CASE("a sample at the end is the terminal part of an objective", "[samples]") {
  for (Mechanism mechanism : {spatial_pendulum_mechanism(), planar_forces_mechanism()}) {
    mechanism.problem.objectives.clear();
    const std::string signal = "energy.kinetic";
    mechanism.terminal("end", mechanism.signal(signal));
    mechanism.problem.formulation = formulation::Maggi{};
    mechanism.problem.integrator = integrator::DormandPrince{};
    const Rows direct = derivatives(mechanism, sensitivity::DiscreteDirect{});
    mechanism = without_objectives(std::move(mechanism));
    const std::vector<int> over = mechanism.over();
    const Samples found = sensitivity::sample(mechanism.problem, mechanism.parameters(), &over,
                                              measure_of(mechanism, {signal}), samples_at({mechanism.problem.end}, 1));
    CHECK(difference({found.derivatives}, direct, mechanism.parameters()) < 1e-9);
  }
}

TEST_CASE("rates of samples are their slopes in time", "[samples]") {
  Mechanism mechanism = without_objectives(four_bar_mechanism());
  mechanism.problem.formulation = formulation::Maggi{};
  mechanism.problem.integrator = integrator::Rk4{1e-3};
  mechanism.problem.end = mechanism.problem.start + 0.5;
  const std::vector<std::string> signals{"coupler.x", "rocker.omega", "crank.alpha", "A.lambda_x"};
  const system::Measure functions = measure_of(mechanism, signals);
  const double t = mechanism.problem.start + 0.3337, h = 1e-4;
  const Samples found = sensitivity::sample(mechanism.problem, mechanism.parameters(), nullptr, functions,
                                            samples_at({t - h, t, t + h}, 4));
  for (std::size_t k = 0; k < 4; ++k) {
    INFO(signals[k]);
    const double slope = (found.values[8 + k] - found.values[k]) / (2 * h);
    CHECK(found.rates[4 + k] == Approx(slope).epsilon(1e-5));
  }
}
