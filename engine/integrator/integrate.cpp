#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "integrator/newmark.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

Ending ending_of(const formulation::Formulation& formulation) {
  return {formulation::ends_with_point(formulation), formulation::projects_velocities(formulation)};
}

double newton_tolerance_of(const Integrator& integrator) {
  return std::visit(
      [](const auto& method) {
        if constexpr (requires { method.tolerance; }) return method.tolerance;
        return 0.0;
      },
      integrator);
}

const Tolerances& tolerances_of(const Integrator& integrator) {
  if (const auto* radau = std::get_if<Radau>(&integrator)) return radau->tolerances;
  return std::get<DormandPrince>(integrator).tolerances;
}

NewmarkPlan newmark_plan_of(const Integrator& integrator, const Ending& ending) {
  if (const auto* newmark = std::get_if<Newmark>(&integrator)) {
    return newmark_plan({0, 0, newmark->beta, newmark->gamma}, ending);
  }
  if (const auto* hht = std::get_if<Hht>(&integrator)) return newmark_plan(hht_weights(hht->alpha), ending);
  return newmark_plan(generalized_alpha_weights(std::get<GeneralizedAlpha>(integrator).rho), ending);
}

/// The plan of methods that always use the same, with the copies of the initial point it needs.
RungeKuttaPlan plan_of(const Integrator& integrator, const Ending& ending) {
  if (const Tableau* tableau = tableau_of(integrator)) return runge_kutta_plan(*tableau, ending);
  NewmarkPlan newmark = newmark_plan_of(integrator, ending);
  return {std::move(newmark.plan), newmark.copies, ending.with_point, {}};
}

void run_to_end(Run& run, const Integrator& integrator, RungeKuttaPlan plan) {
  const Options& options = run.options();
  const Plan& kept = run.keep(std::move(plan.plan));
  const double step = fixed_step(integrator);
  if (step > 0) {
    const std::vector<double> grid = fixed_grid(options.start, options.end, step);
    constexpr std::size_t most_reserved = 1'000'000;  // a longer run may well be stopped early
    run.solution().mesh.reserve(std::min(grid.size(), most_reserved));
    run.solution().steps.steps.reserve(std::min(grid.size(), most_reserved));
    run_fixed(run, kept, grid, newton_tolerance_of(integrator));
  } else {
    run_embedded(run, *tableau_of(integrator), plan, tolerances_of(integrator), newton_tolerance_of(integrator));
  }
}

Statistics difference(const formulation::Effort& now, const formulation::Effort& before, const Statistics& counted) {
  Statistics s = counted;
  s.evaluations = now.evaluations - before.evaluations;
  s.jacobians = now.jacobians - before.jacobians;
  s.factorizations = now.factorizations - before.factorizations;
  s.newton_iterations = now.newton_iterations - before.newton_iterations;
  return s;
}

}  // namespace

std::string name_of(const Integrator& integrator) {
  static constexpr const char* names[] = {"rk4",    "dormand_prince", "trapezoidal", "sdirk4",
                                          "radau5", "newmark",        "hht",         "generalized_alpha"};
  const auto* radau = std::get_if<Radau>(&integrator);
  return radau && radau->order == 3 ? "radau3" : names[integrator.index()];
}

double fixed_step(const Integrator& integrator) {
  return std::visit(
      [](const auto& method) {
        if constexpr (requires { method.step; }) return method.step;
        return 0.0;
      },
      integrator);
}

Integrator with_step(const Integrator& integrator, double step) {
  Integrator out = integrator;
  std::visit(
      [&](auto& method) {
        if constexpr (requires { method.step; }) {
          method.step = step;
        } else {
          throw Error(name_of(integrator) + " has no constant step");
        }
      },
      out);
  return out;
}

const Tableau* tableau_of(const Integrator& integrator) {
  return std::visit(Overloaded{[](const Rk4&) { return &rk4_tableau(); },
                               [](const DormandPrince&) { return &dormand_prince_tableau(); },
                               [](const Trapezoidal&) { return &trapezoidal_tableau(); },
                               [](const Sdirk4&) { return &sdirk4_tableau(); },
                               [](const Radau& r) { return r.order == 3 ? &radau3_tableau() : &radau5_tableau(); },
                               [](const auto&) -> const Tableau* { return nullptr; }},
                    integrator);
}

std::string objection(const formulation::Formulation& formulation, const Integrator& integrator) {
  const Tableau* tableau = tableau_of(integrator);
  if (formulation::ends_with_point(formulation) && tableau && tableau->is_explicit()) {
    return formulation::name_of(formulation) +
           " needs an implicit integrator (trapezoidal, sdirk4, radau, newmark, hht, "
           "generalized_alpha), not " +
           name_of(integrator);
  }
  if (std::holds_alternative<formulation::StabilizedIndex1>(formulation) && !tableau) {
    return formulation::name_of(formulation) + " is a first-order form: it needs trapezoidal, sdirk4 or radau, not " +
           name_of(integrator);
  }
  return {};
}

Solution integrate(Motion& motion, const double* q0, const double* v0, const formulation::Formulation& formulation,
                   const Integrator& integrator, const Options& options) {
  if (!(options.end > options.start)) throw Error("the end time must be greater than the start time");
  const double step = fixed_step(integrator);
  if (step > 0 && (options.end - options.start) / step > 1e8) {
    throw Error("the step is too small: more than 100 million steps");
  }
  const std::string why_not = objection(formulation, integrator);
  if (!why_not.empty()) throw Error(why_not);

  Solution out;
  out.mesh.n = motion.n();
  out.mesh.m = motion.m();
  const formulation::Effort before = motion.effort();
  RungeKuttaPlan plan = plan_of(integrator, ending_of(formulation));
  out.steps.copies = options.repeat ? options.repeat->copies : plan.copies;
  out.steps.newton_tolerance = newton_tolerance_of(integrator);
  March march(motion, options.listeners);
  march.start(options.start, q0, v0, out.steps.copies);
  const Node& first = march.node(-1);
  out.mesh.append(options.start, first.q, first.v, first.a, first.lambda);
  Run run(march, options, out);
  try {
    if (options.repeat) {
      out.steps.plans = options.repeat->plans;
      repeat(run, *options.repeat);
    } else {
      run_to_end(run, integrator, std::move(plan));
    }
    out.message = "reached the end time";
  } catch (const Interrupted&) {
    out.status = Status::Interrupted;
    out.message = "interrupted by the user";
  } catch (const NumericalError& failure) {
    out.status = Status::Failed;
    out.message = failure.what();
  }
  if (options.progress) options.progress(out.mesh.t.back(), 0, out.statistics.steps);
  out.statistics = difference(motion.effort(), before, out.statistics);
  return out;
}

}  // namespace perilune::integrator
