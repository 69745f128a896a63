// SPDX-License-Identifier: MIT
// How the end of a step depends on its length and on the time of its start, against differences of the step itself.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "extrapolation.hpp"
#include "integrator/step_slopes.hpp"
#include "model/body/bodies.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/places.hpp"
#include "offered.hpp"
#include "simulation/run.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::March;
using integrator::StepSlopes;

namespace {

/// A driven crank with a rod on it that a force pushes which changes with time: constraint and force read time as such.
Mechanism driven_crank() {
  Mechanism mechanism("driven crank", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol rate = mechanism.parameter("rate", 4.0), push = mechanism.parameter("strength", 6.0);
  const model::Place crank = add_planar_body(m, "crank", 1.0, 0.02, {0.2, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const model::Place rod = add_planar_body(m, "rod", 0.6, 0.03, {0.7, 0.1}, 0.3, {0.0, 0.0}, 0.0);
  add_joint(m, "revolute", "pivot", ground_place(m, {0.0, 0.0}), body_place(m, crank, {-0.2, 0.0}));
  add_joint(m, "revolute", "elbow", body_place(m, crank, {0.2, 0.0}), body_place(m, rod, {-0.3, 0.0}));
  const Symbol t(m.graph(), m.time());
  add_driver(m, "motor", mechanism.signal("pivot.angle"), 0.4 * sin(rate * t));
  add_force(m, "push", body_place(m, rod, {0.3, 0.0}), {push * cos(7.0 * t), -2.0 * mechanism.signal("rod.vx") * t},
            {});
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.integral("work", mechanism.signal("rod.x") * t);
  return mechanism;
}

/// Follows a run and makes each of its first steps again on a march of its own.
class Checker final : public integrator::StepListener {
 public:
  Checker(const Mechanism& mechanism, std::shared_ptr<const system::Data> data)
      : motion_(formulation::make_motion(mechanism.problem.system, std::move(data), mechanism.problem.formulation)) {}
  void start(const March&) override {}
  void begin_step(const March& march) override {
    if (steps_ < most) start_ = march.snapshot(static_cast<int>(march.ring()) / 2);
  }
  void group(const March&, std::size_t) override {}
  void accept(const March& march) override {
    if (steps_ == most || march.h() == 0) return;
    ++steps_;
    own_.emplace(*motion_, std::span<integrator::StepListener* const>{}, static_cast<int>(march.ring()));
    if (steps_ == 1) {  // gives the march the number of copies that the run has
      const integrator::Node& first = march.node(-1);
      own_->start(march.t(), first.q, first.v, march.start_count() - 1);
    }
    const auto choice = march.motion().choice();
    const double h = march.h();
    auto end_of = [&](double longer, double later) {
      March::Snapshot start = start_;
      start.t += later;
      for (double& t : start.times) t += later;
      own_->restore(start);
      own_->probe(march.plan(), h + longer, 0, choice, nullptr);
      const integrator::Node& x = own_->node(march.plan().end);
      const auto n = static_cast<std::size_t>(motion_->n()), m = static_cast<std::size_t>(motion_->m());
      std::vector<double> out(x.q, x.q + 3 * n + m);
      return out;
    };
    auto differences = [&](bool by_length) {
      return extrapolated(
          [&](double by) {
            std::vector<double> up = end_of(by_length ? by : 0, by_length ? 0 : by);
            const std::vector<double> down = end_of(by_length ? -by : 0, by_length ? 0 : -by);
            for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2 * by);
            return up;
          },
          0.2 * h, 3);
    };
    for (const bool by_length : {true, false}) {
      const std::vector<double> expected = differences(by_length);
      end_of(0, 0);
      const StepSlopes slopes(*own_, by_length ? StepSlopes::By::Length : StepSlopes::By::Start);
      compare(expected, slopes[march.plan().end], by_length);
    }
  }
  int steps() const { return steps_; }

 private:
  static constexpr int most = 7;
  void compare(const std::vector<double>& expected, const system::MotionPoint& found, bool by_length) {
    INFO("step " << steps_ << (by_length ? " by its length" : " by its start"));
    const auto n = static_cast<std::size_t>(motion_->n()), m = static_cast<std::size_t>(motion_->m());
    const std::pair<const double*, std::size_t> parts[] = {{found.q, n}, {found.v, n}, {found.a, n}, {found.lambda, m}};
    std::size_t first = 0;
    for (const auto& [part, count] : parts) {
      double size = 0, difference = 0;
      for (std::size_t i = 0; i < count; ++i) {
        size = std::max(size, std::abs(expected[first + i]));
        difference = std::max(difference, std::abs(expected[first + i] - part[i]));
      }
      INFO("numbers from " << first << " of size " << size);
      CHECK(difference <= 1e-7 * size + 1e-9);
      first += count;
    }
  }

  std::unique_ptr<formulation::Motion> motion_;
  std::optional<March> own_;
  March::Snapshot start_;
  int steps_ = 0;
};

void check(Mechanism mechanism) {
  REQUIRE(mechanism.problem.system->time_datum() >= 0);
  for (const formulation::Formulation& form : formulations_for(mechanism)) {
    mechanism.problem.formulation = form;
    for (const integrator::Integrator& method : integrators_for(form, 0.01)) {
      if (!integrator::objection(form, method, *mechanism.problem.system).empty()) continue;
      mechanism.problem.integrator = method;
      INFO(formulation::name_of(form) << " with " << integrator::name_of(method)
                                      << (integrator::fixed_step(method) > 0 ? "" : ", adaptive"));
      simulation::Evaluation run = simulation::prepare(mechanism.problem, mechanism.parameters());
      const auto motion = formulation::make_motion(mechanism.problem.system, run.data, form);
      Checker checker(mechanism, run.data);
      simulation::simulate(mechanism.problem, *motion, nullptr, {&checker}, run);
      CHECK(checker.steps() > 3);
    }
  }
}

}  // namespace

TEST_CASE("the end of a step by its length and its start, for every form and integrator") { check(driven_crank()); }
TEST_CASE("the end of a step by its length and its start, with constraints on velocities") {
  check(trailer_mechanism());
}
