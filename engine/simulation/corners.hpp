// SPDX-License-Identifier: MIT
// What corners of integrands do to their integrals where constant steps go across them. Adaptive steps end there.
//
// Where a switch of an integrand changes its side within a step, both forms of the integrand are equal at the corner:
// how they differ, before and after the step, has opposite signs, d0 and d1. By the line through both, what the corner
// takes from the area below the secant is h |d0 d1| / (|d0| + |d1|) / 2, and rules of higher order are off by a part of
// that. It is a bound, not an estimate: errors of several corners may cancel.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "at_time.hpp"
#include "format/text.hpp"
#include "simulation/quadrature.hpp"
#include "system/system.hpp"

namespace perilune::simulation {

class Corners final : public integrator::StepListener {
 public:
  /// Of a problem with switches in integrands.
  Corners(const Problem& problem, Quadrature& quadrature, const std::vector<double>& parameters)
      : problem_(problem),
        quadrature_(quadrature),
        parameters_(parameters),
        functions_(*problem.system->switches()),
        work_(functions_.make_work()),
        found_(problem.objectives.size()) {
    for (int k = 0; k < functions_.output_count(); ++k) {
      const bool is_read = std::any_of(problem.objectives.begin(), problem.objectives.end(), [&](const auto& o) {
        return o->integral && std::find(o->switches.begin(), o->switches.end(), k) != o->switches.end();
      });
      if (is_read) switches_.push_back({k});
    }
  }
  static bool are_possible(const Problem& problem) {
    return problem.system->switches() && integrator::fixed_step(problem.integrator) > 0 &&
           std::any_of(problem.objectives.begin(), problem.objectives.end(),
                       [](const auto& o) { return o->integral && !o->switches.empty(); });
  }

  void start(const integrator::March& march) override { keep(march, march.node(-1)); }
  void begin_step(const integrator::March&) override {}
  void group(const integrator::March&, std::size_t) override {}
  bool reads_motion() const override { return false; }
  void accept(const integrator::March& march) override { keep(march, march.node(march.plan().end)); }

  /// Sentences for the user, of objectives with these integrals.
  void add_warnings(const std::vector<double>& integrals, std::vector<std::string>& out) const {
    constexpr double visible = 1e-5;  // as of extrema within constant steps
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const Found& one = found_[k];
      if (!(one.error > visible * std::abs(integrals[k]))) continue;
      out.push_back(at_time(one.t) + "a fixed step went across a corner of the integrand of objective \"" +
                    problem_.objectives[k]->name + "\", at \"" + problem_.system->switch_name(one.number) +
                    "\": the integral, " + format::significant(integrals[k], 6) + ", may be off by up to " +
                    format::significant(one.error, 2) +
                    (one.count > 1 ? " by all " + std::to_string(one.count) + " of them" : "") +
                    "; steps of half the length make that a fourth of each, and adaptive steps (mbs.dormand_prince, "
                    "radau, bdf or rosenbrock without a step) end there");
    }
  }

 private:
  struct Followed {
    int number;
    double sign = 0;
    std::vector<double> difference = {};  // of the rates by its side, at the last point
  };
  struct Found {  // corners of one objective
    double error = 0, largest = 0, t = 0;
    int number = -1, count = 0;
  };

  std::vector<double> difference(int number, const formulation::Node& x) {
    std::vector<double> sides(static_cast<std::size_t>(functions_.output_count()), 0.0);
    double& side = sides[static_cast<std::size_t>(number)];
    side = 1;
    std::vector<double> out = quadrature_.rates(x, sides);
    side = -1;
    const std::vector<double> other = quadrature_.rates(x, sides);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] -= other[k];
    return out;
  }

  void keep(const integrator::March& march, const formulation::Node& x) {
    const std::vector<double>& held = march.motion().data().sides;
    functions_.evaluate({x.t, x.q, x.v, x.a, x.lambda, parameters_.data(), held.data()}, work_);
    for (Followed& one : switches_) {
      const double value = functions_.value(work_, one.number), before = one.sign;
      one.sign = value < 0 ? -1 : value > 0 ? 1 : -before;  // a motion may come to rest right at the corner
      std::vector<double> now = difference(one.number, x);
      if (before * one.sign < 0) add(march.h(), x.t, one, now);
      one.difference = std::move(now);
    }
  }

  void add(double h, double t, const Followed& one, const std::vector<double>& now) {
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const double d0 = one.difference[k], d1 = now[k];
      if (!problem_.objectives[k]->integral || !(d0 * d1 < 0)) continue;  // no part of it, or a jump
      const double error = h / 2 * std::abs(d0 * d1) / (std::abs(d0) + std::abs(d1));
      Found& found = found_[k];
      found.error += error;
      ++found.count;
      if (error <= found.largest) continue;
      found.largest = error;
      found.t = t;
      found.number = one.number;
    }
  }

  const Problem& problem_;
  Quadrature& quadrature_;
  const std::vector<double>& parameters_;
  const system::Measure& functions_;
  std::vector<double> work_;
  std::vector<Followed> switches_;
  std::vector<Found> found_;
};

}  // namespace perilune::simulation
