// Fixed-step runs allocate before the first step and never again: as often for twice the steps.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "five_bar.hpp"

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

long allocations_of(const perilune::integrator::Integrator& integrator,
                    const perilune::formulation::Formulation& formulation, double end) {
  const FiveBar five_bar(formulation, integrator, end);
  const long before = allocations;
  const auto run = perilune::sensitivity::evaluate(five_bar.problem, five_bar.lengths);
  REQUIRE(run.solution.status == perilune::integrator::Status::Completed);
  return allocations - before;
}

}  // namespace

TEST_CASE("no allocation per step after the first") {
  using namespace perilune;
  const formulation::Formulation formulations[] = {formulation::Penalty{}, formulation::Index1{5, 5}};
  const integrator::Integrator integrators[] = {integrator::Rk4{1e-3}, integrator::Trapezoidal{1e-3}};
  for (const auto& formulation : formulations) {
    for (const auto& integrator : integrators) {
      INFO(formulation::name_of(formulation) << ", " << integrator::name_of(integrator));
      allocations_of(integrator, formulation, 0.1);  // tables that are made once per program
      const long once = allocations_of(integrator, formulation, 0.1);
      CHECK(once > 0);
      CHECK(allocations_of(integrator, formulation, 0.2) == once);
      CHECK(allocations_of(integrator, formulation, 0.8) == once);
    }
  }
}
