// SPDX-License-Identifier: MIT
// The piecewise adjoint is the continuous adjoint of the stabilized form, whatever the intervals and the threads.
#include <omp.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "error.hpp"
#include "gradient_check.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"
#include "offered.hpp"
#include "parallel.hpp"
#include "run_check.hpp"
#include "sensitivity/intervals/interval_result.hpp"

using namespace perilune;
using sensitivity::ContinuousAdjoint;
using sensitivity::Method;
using sensitivity::PiecewiseAdjoint;

namespace {

Mechanism prepared(Mechanism mechanism) {
  mechanism = with_plain_ends(std::move(mechanism));
  mechanism.problem.formulation = formulation::StabilizedIndex1{};
  mechanism.problem.integrator = integrator::Radau{5, 0.01, {}};
  mechanism.problem.end = mechanism.problem.start + 0.3;
  return mechanism;
}

void run_with(int threads, const std::function<void()>& work) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  work();
  omp_set_num_threads(before);
}

}  // namespace

TEST_CASE("piecewise adjoint: equal to the continuous adjoint, to rounding", "[sensitivity][piecewise]") {
  for (const Mechanism& declared : {five_bar_mechanism(), four_bar_mechanism(), spatial_pendulum_mechanism(),
                                    turning_crank_mechanism(), driven_linkage_mechanism(), rubbing_crank_mechanism()}) {
    Mechanism mechanism = prepared(declared);
    const Rows classic = derivatives(mechanism, ContinuousAdjoint{});
    for (int intervals : {0, 1, 2, 7, 30}) {
      CAPTURE(mechanism.name, intervals);
      CHECK(difference(derivatives(mechanism, PiecewiseAdjoint{intervals, true}), classic, mechanism.parameters()) <
            1e-12);
    }
  }
}

TEST_CASE("intervals: no more steps in one than others can wait for, unless their number is asked for",
          "[sensitivity][intervals]") {
  Mechanism mechanism = prepared(spatial_pendulum_mechanism());
  mechanism.problem.integrator = integrator::Radau{5, 1e-4, {}};
  mechanism.problem.end = mechanism.problem.start + 0.3;  // 3000 steps: 75 in each of the usual forty
  for (const int asked : {0, 10}) {
    std::atomic<std::size_t> most{0}, all{0};
    const sensitivity::SolveInterval count = [&](const sensitivity::IntervalPart& part, std::size_t) {
      const std::size_t steps = part.run.solution.steps.steps.size();
      most = std::max(most.load(), steps);
      all += steps;
      return sensitivity::IntervalResult();
    };
    run_with(1, [&] {
      sensitivity::solve_intervals(mechanism.problem, simulation::prepare(mechanism.problem, mechanism.parameters()),
                                   {asked, true, false, 0, "the method"}, count, [](const simulation::Evaluation&) {});
    });
    CAPTURE(asked);
    CHECK(most == (asked == 0 ? sensitivity::IntervalCutter::usual_most : 300u));
    CHECK(all == 3000u);
  }
}

TEST_CASE("intervals: of a motion no more is kept than its ends and the parts that wait", "[sensitivity][intervals]") {
  Mechanism mechanism = prepared(spatial_pendulum_mechanism());
  mechanism.problem.integrator = integrator::Radau{5, 1e-3, {}};
  const sensitivity::SolveInterval none = [](const sensitivity::IntervalPart&, std::size_t) {
    return sensitivity::IntervalResult();
  };
  const auto mesh_of = [&](bool records) {
    return sensitivity::solve_intervals(
               mechanism.problem, simulation::prepare(mechanism.problem, mechanism.parameters()),
               {10, true, records, 0, "the method"}, none, [](const simulation::Evaluation&) {})
        .run.solution.mesh;
  };
  const integrator::Mesh ends = mesh_of(false), all = mesh_of(true);
  REQUIRE(all.size() == 301);
  REQUIRE(ends.size() == 2);
  CHECK(ends.t.front() == all.t.front());
  CHECK(ends.t.back() == all.t.back());
  CHECK(ends.q_at(1)[0] == all.q_at(300)[0]);
}

TEST_CASE("gradients over intervals: the same bits by one thread and by three, during the motion and after it",
          "[sensitivity][piecewise][intervals]") {
  Mechanism mechanism = prepared(spatial_pendulum_mechanism());
  const sensitivity::DiscreteAdjoint over_intervals{0, 10};
  const Rows exact = derivatives(mechanism, over_intervals);
  for (int threads : {1, 3}) run_with(threads, [&] { CHECK(derivatives(mechanism, over_intervals) == exact); });
  mechanism.problem.integrator = integrator::Bdf{5, 0, {1e-7, 1e-9}};
  Rows first;
  run_with(1, [&] { first = derivatives(mechanism, PiecewiseAdjoint{10, true}); });
  for (int threads : {1, 3}) {
    for (bool pipeline : {true, false}) {
      CAPTURE(threads, pipeline);
      run_with(threads, [&] { CHECK(derivatives(mechanism, PiecewiseAdjoint{10, pipeline}) == first); });
    }
  }
}

TEST_CASE("piecewise adjoint: along motions by other forms", "[sensitivity][piecewise]") {
  for (const Mechanism& declared :
       {four_bar_mechanism(), spatial_pendulum_mechanism(), turning_crank_mechanism(), rubbing_crank_mechanism()}) {
    Mechanism mechanism = prepared(declared);
    mechanism.problem.integrator = integrator::DormandPrince{{1e-11, 1e-13}};
    for (const formulation::Formulation& form :
         {formulation::Formulation(formulation::Maggi{}),
          formulation::Formulation(formulation::Index1{.alpha = 10, .beta = 10, .project = true})}) {
      mechanism.problem.formulation = form;
      CAPTURE(mechanism.name, formulation::name_of(form));
      const Rows exact = derivatives(mechanism, sensitivity::DiscreteDirect{});
      CHECK(difference(derivatives(mechanism, PiecewiseAdjoint{5, true}), exact, mechanism.parameters()) < 1e-8);
    }
  }
}

TEST_CASE("adjoint over intervals: equal to the adjoint, to rounding", "[sensitivity][intervals]") {
  int compared = 0;
  for (const Mechanism& declared : {five_bar_mechanism(), four_bar_mechanism(), spatial_pendulum_mechanism(),
                                    turning_crank_mechanism(), driven_linkage_mechanism()}) {
    std::vector<formulation::Formulation> forms = formulations_for(declared);
    forms.emplace_back(formulation::Penalty{.alpha = 1e6, .xi = 1, .omega = 10, .project = true});
    for (const formulation::Formulation& form : forms) {
      for (const integrator::Integrator& integrator : integrators_for(form, 0.01)) {
        if (!integrator::objection(form, integrator, *declared.problem.system).empty()) continue;
        Mechanism mechanism = declared;
        mechanism.problem.formulation = form;
        mechanism.problem.integrator = integrator;
        mechanism.problem.end = mechanism.problem.start + 0.2;
        const Rows classic = derivatives(mechanism, sensitivity::DiscreteAdjoint{});
        for (int intervals : {1, 3}) {
          CAPTURE(mechanism.name, name_of(form), name_of(integrator), intervals);
          CHECK(difference(derivatives(mechanism, sensitivity::DiscreteAdjoint{0, intervals}), classic,
                           mechanism.parameters()) < 1e-12);
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 1000);
}

// Steps that fulfil positions alone put what parameters of constraints do into large forces of alternating signs: those
// of single columns of a transition are a million times as large as what becomes of them.
TEST_CASE("adjoint over intervals: short steps that keep to positions alone", "[sensitivity][intervals]") {
  Mechanism mechanism = four_bar_mechanism();
  mechanism.problem.formulation = formulation::Index3{};
  mechanism.problem.end = mechanism.problem.start + 0.1;
  for (const integrator::Integrator& integrator :
       {integrator::Integrator(integrator::Newmark{1e-3}), integrator::Integrator(integrator::Trapezoidal{1e-3})}) {
    CAPTURE(name_of(integrator));
    mechanism.problem.integrator = integrator;
    const Rows whole = derivatives(mechanism, sensitivity::DiscreteAdjoint{}),
               direct = derivatives(mechanism, sensitivity::DiscreteDirect{});
    // Both have the rounding of these steps.
    CHECK(difference(derivatives(mechanism, sensitivity::DiscreteAdjoint{0, 4}), whole, mechanism.parameters()) <
          1e-12 + 4 * difference(direct, whole, mechanism.parameters()));
  }
}

TEST_CASE("adjoint over intervals: the same bits by any number of threads, behind the motion",
          "[sensitivity][intervals]") {
  Mechanism mechanism = four_bar_mechanism();
  mechanism.problem.end = mechanism.problem.start + 0.3;
  const std::pair<formulation::Formulation, integrator::Integrator> cells[] = {
      {formulation::Index1{}, integrator::Rk4{0.01}},
      {formulation::Penalty{}, integrator::GeneralizedAlpha{0.01}},
      {formulation::Maggi{}, integrator::Bdf{5, 0.01, {}}},
      {formulation::Index3{}, integrator::Newmark{0.01}}};
  for (const auto& [form, integrator] : cells) {
    CAPTURE(name_of(form), name_of(integrator));
    mechanism.problem.formulation = form;
    mechanism.problem.integrator = integrator;
    const sensitivity::DiscreteAdjoint over_intervals{0, 6};
    const Rows exact = derivatives(mechanism, over_intervals);
    for (int threads : {1, 3}) run_with(threads, [&] { CHECK(derivatives(mechanism, over_intervals) == exact); });
  }
}

TEST_CASE("piecewise adjoint: what it does not go with is said", "[sensitivity][piecewise]") {
  using Catch::Matchers::Contains;
  Mechanism mechanism = prepared(four_bar_mechanism());
  CHECK_THROWS_WITH(derivatives(mechanism, PiecewiseAdjoint{31, true}),
                    Contains("the motion has 30 steps, too few for the 31 intervals"));
  mechanism.problem.formulation = formulation::Index1{};
  CHECK_THROWS_WITH(derivatives(mechanism, PiecewiseAdjoint{}),
                    Contains("the piecewise adjoint is for forms that keep to the constraints") &&
                        Contains("not for index1 as it stands"));
  CHECK_THROWS_WITH(derivatives(mechanism, sensitivity::DiscreteAdjoint{2, 4}),
                    Contains("give intervals or checkpoints, not both"));
  for (const formulation::Formulation& form :
       {formulation::Formulation(formulation::Maggi{}), formulation::Formulation(formulation::Index1{})}) {
    mechanism.problem.integrator = integrator::Rk4{0.01};
    mechanism.problem.formulation = form;
    CHECK_THROWS_WITH(derivatives(mechanism, sensitivity::DiscreteAdjoint{0, 31}),
                      Contains("the motion has 30 steps, too few for the 31 intervals of the adjoint over intervals"));
  }
}

TEST_CASE("jobs that come to light one after the other: all are done, and the first failure is thrown", "[parallel]") {
  for (int threads : {1, 3}) {
    CAPTURE(threads);
    run_with(threads, [] {
      std::atomic<int> sum{0};
      JobQueue queue;
      for (int k = 0; k < 100; ++k) queue.add([&sum, k] { sum += k; });
      queue.finish();
      CHECK(sum == 4950);
      for (int k = 0; k < 20; ++k) {
        queue.add([k] {
          if (k % 5 == 3) throw NumericalError("job " + std::to_string(k));
        });
      }
      CHECK_THROWS_WITH(queue.finish(), "job 3");
    });
    // One that is left in the middle forgets what has not begun.
    run_with(threads, [] {
      std::atomic<int> done{0};
      {
        JobQueue queue;
        for (int k = 0; k < 3; ++k) queue.add([&done] { ++done; });
      }
      CHECK(done <= 3);
      CHECK_FALSE(interrupt_requested.load());
    });
  }
}

TEST_CASE("jobs that come to light faster than they are done do not pile up", "[parallel]") {
  for (int threads : {1, 3}) {
    CAPTURE(threads);
    run_with(threads, [&] {
      const auto held = std::make_shared<int>(0);
      long most = 0;
      std::atomic<int> done{0};
      JobQueue queue;
      for (int k = 0; k < 100; ++k) {
        queue.add([held, &done] {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          ++done;
        });
        most = std::max(most, held.use_count() - 1);
      }
      queue.finish();
      CHECK(done == 100);
      CHECK(most <= 3 * threads);  // two that wait for each thread, and those that are done
    });
  }
}
