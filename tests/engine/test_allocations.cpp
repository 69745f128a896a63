// SPDX-License-Identifier: MIT
// Fixed-step runs allocate before the first step and never again: as often for twice the steps.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "five_bar.hpp"
#include "mechanisms.hpp"
#include "system/second_order.hpp"

namespace {
std::atomic<long> allocations{0};
}

// NOLINTBEGIN: the replaceable functions of the language, counted
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size ? size : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
// NOLINTEND

namespace {

using perilune::integrator::Integrator;

const perilune::formulation::Formulation formulations[] = {perilune::formulation::Penalty{},
                                                           perilune::formulation::Index1{5, 5},
                                                           perilune::formulation::Index3{},
                                                           perilune::formulation::AugmentedLagrangian{3, 1e7, 1, 10},
                                                           perilune::formulation::StabilizedIndex1{},
                                                           perilune::formulation::Maggi{},
                                                           perilune::formulation::CoordinatePartitioning{}};
const Integrator integrators[] = {perilune::integrator::Rk4{1e-3},        perilune::integrator::Trapezoidal{1e-3},
                                  perilune::integrator::Sdirk4{1e-3},     perilune::integrator::Radau{5, 1e-3, {}},
                                  perilune::integrator::Newmark{1e-3},    perilune::integrator::GeneralizedAlpha{1e-3},
                                  perilune::integrator::Bdf{5, 1e-3, {}}, perilune::integrator::Rosenbrock{4, 1e-3, {}},
                                  perilune::integrator::Variational{1e-3}};

long allocations_of(const perilune::simulation::Problem& problem, const std::vector<double>& parameters) {
  const long before = allocations;
  const auto run = perilune::simulation::evaluate(problem, parameters);
  REQUIRE(run.solution.status == perilune::integrator::Status::Completed);
  return allocations - before;
}

/// The same number for short and for long runs of a problem.
void check(perilune::simulation::Problem problem, const std::vector<double>& parameters) {
  for (const auto& formulation : formulations) {
    for (const Integrator& integrator : integrators) {
      INFO(perilune::formulation::name_of(formulation) << ", " << perilune::integrator::name_of(integrator));
      if (!perilune::integrator::objection(formulation, integrator).empty()) continue;
      problem.formulation = formulation;
      problem.integrator = integrator;
      auto count = [&](double end) {
        problem.end = end;
        return allocations_of(problem, parameters);
      };
      count(0.05);  // tables that are made once per program
      // Entries of a matrix that are zero in the first steps ask for another plan once they are not.
      const long once = count(0.3);
      CHECK(once > 0);
      CHECK(count(0.35) == once);
      CHECK(count(0.4) == once);
    }
  }
}

}  // namespace

TEST_CASE("no allocation per step after the first") {
  const FiveBar five_bar(formulations[0], integrators[0], 0.1);
  check(five_bar.problem, five_bar.lengths);
}

TEST_CASE("no allocation per step in joints, drivers, couplings and forces by law") {
  for (Mechanism (*make)() :
       {driven_linkage_mechanism, spatial_joints_mechanism, planar_forces_mechanism, spatial_forces_mechanism}) {
    const Mechanism mechanism = make();
    INFO(mechanism.name);
    check(mechanism.problem, mechanism.parameters());
  }
}

TEST_CASE("no allocation in products with second derivatives") {
  const Mechanism mechanism = spatial_forces_mechanism();
  const auto& system = *mechanism.problem.system;
  const auto data = system.make_data(mechanism.parameters());
  perilune::system::SecondOrder object(system);
  const std::vector<double> x(200, 0.3);
  std::vector<double> out(200);
  const perilune::system::Kinematics at{0.1, data->initial_q.data(), x.data(), x.data(), x.data()};
  const perilune::system::Direction k{x.data(), x.data(), x.data(), x.data(), x.data(), 1};
  perilune::system::PointGradient gradient;
  gradient.q = out.data();
  const long before = allocations;
  object.add_first(at, *data, {}, k, out.data());
  object.add_second(at, *data, {}, k, k, out.data());
  object.add_gradient(at, *data, {}, x.data(), k, gradient);
  CHECK(allocations == before);
}
