#include <algorithm>
#include <cmath>
#include <cstdio>

#include "error.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

std::vector<double> fixed_grid(double start, double end, double step) {
  const double length = end - start;
  const auto steps = static_cast<std::size_t>(std::max(1.0, std::ceil(length / step * (1 - 1e-12))));
  std::vector<double> grid(steps + 1);
  for (std::size_t k = 0; k < steps; ++k) grid[k] = start + static_cast<double>(k) * step;
  grid[steps] = end;
  return grid;
}

void after_step(const Options& options, double t, double h, long steps) {
  check_interrupt();
  if (options.progress && steps % 64 == 0) options.progress(t, h, steps);
}

namespace {

double fixed_step_of(const Integrator& integrator) {
  if (const auto* rk4 = std::get_if<Rk4>(&integrator)) return rk4->step;
  if (const auto* trapezoidal = std::get_if<Trapezoidal>(&integrator)) return trapezoidal->step;
  if (const auto* sdirk = std::get_if<Sdirk4>(&integrator)) return sdirk->step;
  return 0;
}

double newton_tolerance_of(const Integrator& integrator) {
  const auto* trapezoidal = std::get_if<Trapezoidal>(&integrator);
  return trapezoidal ? trapezoidal->tolerance : std::get<Sdirk4>(integrator).tolerance;
}

}  // namespace

Solution integrate(Dynamics& dynamics, const double* q0, const double* v0, const Integrator& integrator,
                   const Options& options) {
  if (!(options.end > options.start)) throw Error("the end time must be greater than the start time");
  const double step = fixed_step_of(integrator);
  if (step > 0 && (options.end - options.start) / step > 1e8) {
    throw Error("the step is too small: more than 100 million steps");
  }
  Solution out;
  Mesh& mesh = out.mesh;
  mesh.n = dynamics.n();
  mesh.m = dynamics.m();
  std::vector<double> a(static_cast<std::size_t>(mesh.n)), lambda(static_cast<std::size_t>(mesh.m));
  const long evaluations = dynamics.evaluation_count(), factorizations = dynamics.factorization_count();
  dynamics.accelerations(options.start, q0, v0, a.data(), lambda.data());
  std::vector<double> own_grid;
  const std::vector<double>* grid = options.grid;
  if (!grid && step > 0) {
    own_grid = fixed_grid(options.start, options.end, step);
    grid = &own_grid;
  }
  constexpr std::size_t most_reserved = 1'000'000;  // a longer run may well be stopped early
  if (grid) mesh.reserve(std::min(grid->size(), most_reserved));
  mesh.append(options.start, q0, v0, a.data(), lambda.data());
  for (StepListener* listener : options.listeners) listener->start(options.start, q0, v0, a.data(), lambda.data());
  try {
    const Tableau& tableau = tableau_of(integrator);
    if (!tableau.is_explicit()) {
      run_implicit(dynamics, tableau, newton_tolerance_of(integrator), *grid, options, out);
    } else if (grid) {
      run_explicit(dynamics, tableau, *grid, options, out);
    } else {
      run_dormand_prince(dynamics, std::get<DormandPrince>(integrator), options, out);
    }
    out.message = "reached the end time";
  } catch (const Interrupted&) {
    out.status = Status::Interrupted;
    out.message = "interrupted by the user";
  } catch (const NumericalError& failure) {
    out.status = Status::Failed;
    out.message = failure.what();
  }
  if (options.progress) options.progress(mesh.t.back(), 0, out.statistics.steps);
  out.statistics.evaluations = dynamics.evaluation_count() - evaluations;
  out.statistics.factorizations = dynamics.factorization_count() - factorizations;
  return out;
}

}  // namespace perilune::integrator
