// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "formulation/remedy.hpp"
#include "formulation/step_failure.hpp"
#include "integrator/event/singular_passage.hpp"
#include "integrator/method/bdf.hpp"
#include "integrator/method/newmark.hpp"
#include "integrator/method/rosenbrock.hpp"
#include "integrator/method/variational.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

Ending ending_of(const formulation::Formulation& formulation) {
  const bool projects = formulation::properties(formulation).projects;
  return {formulation::properties(formulation).ends_with_point, projects, projects};
}

double newton_tolerance_of(const Integrator& integrator) {
  return std::visit(
      [](const auto& method) {
        if constexpr (requires { method.tolerance; }) return method.tolerance;
        return 0.0;
      },
      integrator);
}

NewmarkPlan newmark_plan_of(const Integrator& integrator, const Ending& ending) {
  if (const auto* newmark = std::get_if<Newmark>(&integrator)) {
    return newmark_plan({0, 0, newmark->beta, newmark->gamma}, ending);
  }
  if (const auto* hht = std::get_if<Hht>(&integrator)) return newmark_plan(hht_weights(hht->alpha), ending);
  return newmark_plan(generalized_alpha_weights(std::get<GeneralizedAlpha>(integrator).rho), ending);
}

/// The plan of methods that always use the same, or of the first steps, with the copies of the initial point it needs.
RungeKuttaPlan plan_of(const Integrator& integrator, const Ending& ending) {
  if (const Tableau* tableau = tableau_of(integrator)) return runge_kutta_plan(*tableau, ending);
  if (const auto* rosenbrock = std::get_if<Rosenbrock>(&integrator)) {
    return {rosenbrock_plan(rosenbrock_method(rosenbrock->order), ending.projects), 0, false, {}, {}};
  }
  if (const auto* variational = std::get_if<Variational>(&integrator)) {
    return {variational_plan(variational->alpha), 0, false, {}, {}};
  }
  if (const auto* bdf = std::get_if<Bdf>(&integrator)) return bdf->step > 0 ? bdf_starter(ending) : RungeKuttaPlan{};
  NewmarkPlan newmark = newmark_plan_of(integrator, ending);
  return {std::move(newmark.plan), newmark.copies, ending.with_point, {}, {}};
}

/// Nodes to keep.
int ring_of(const Integrator& integrator, const RungeKuttaPlan& plan, bool has_ticks) {
  if (std::holds_alternative<Bdf>(integrator)) return March::most_nodes;
  // Estimates of the integrals of Rosenbrock methods reach into the step before.
  const int least = std::holds_alternative<Rosenbrock>(integrator) ? 16 : 0;
  const int of_ticks = has_ticks ? March::nodes_for(tick_plan(-plan.copies - 1, plan.copies, {}), plan.copies) : 0;
  return std::max({least, of_ticks, March::nodes_for(plan.plan, plan.copies)});
}

/// No allocations on the way, but for long runs: these take memory as they go, since they may well be stopped early.
void reserve(Run& run, std::size_t steps) {
  constexpr std::size_t most_bytes = std::size_t{1} << 24;
  Mesh& mesh = run.solution().mesh;
  const auto numbers = static_cast<std::size_t>(1 + 3 * mesh.n + mesh.m);
  const std::size_t points = std::min(steps + 1, most_bytes / (numbers * sizeof(double)));
  mesh.reserve(run.options().keeps_mesh ? points : 2);
  run.solution().steps.steps.reserve(std::min(steps, most_bytes / sizeof(Steps::Step)));
}

void run_bdf(Run& run, const Bdf& method, const RungeKuttaPlan& starter, const formulation::Formulation& formulation) {
  const Ending ending = ending_of(formulation);
  // A shortened step starts from the mesh point alone.
  if (run.options().stop || run.options().end_moves || run.has_switches() || run.has_ticks()) {
    run.set_short_plan(run.keep(bdf_starter({ending.with_point, true, ending.projects}).plan));
  }
  if (method.step > 0) {
    reserve(run, FixedGrid(run.options().start, run.options().end, method.step).steps());
    run_bdf_fixed(run, method, starter, ending);
  } else {
    run_bdf_adaptive(run, method, ending, formulation::properties(formulation).is_index3);
  }
}

void run_to_end(Run& run, const Integrator& integrator, RungeKuttaPlan plan,
                const formulation::Formulation& formulation) {
  if (const auto* bdf = std::get_if<Bdf>(&integrator)) return run_bdf(run, *bdf, plan, formulation);
  const Plan& kept = run.keep(std::move(plan.plan));
  const double step = fixed_step(integrator);
  if (step > 0) {
    reserve(run, FixedGrid(run.options().start, run.options().end, step).steps());
    run_fixed(run, kept, step, newton_tolerance_of(integrator));
  } else if (const auto* rosenbrock = std::get_if<Rosenbrock>(&integrator)) {
    run_rosenbrock_adaptive(run, kept, rosenbrock_method(rosenbrock->order), rosenbrock->tolerances);
  } else {
    run_embedded(run, *tableau_of(integrator), plan, *tolerances_of(integrator), newton_tolerance_of(integrator));
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

bool is_explicit(const Integrator& integrator) {
  const Tableau* tableau = tableau_of(integrator);
  return tableau && tableau->is_explicit();
}

std::string name_of(const Integrator& integrator) {
  static constexpr const char* names[] = {"rk4",    "dormand_prince", "trapezoidal", "sdirk4",
                                          "radau5", "newmark",        "hht",         "generalized_alpha",
                                          "bdf",    "rosenbrock4",    "variational"};
  const auto* rosenbrock = std::get_if<Rosenbrock>(&integrator);
  if (rosenbrock && rosenbrock->order == 3) return "rosenbrock3";
  const auto* explicit_pair = std::get_if<DormandPrince>(&integrator);
  if (explicit_pair && explicit_pair->order == 8) return "dormand_prince8";
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

const Tolerances* tolerances_of(const Integrator& integrator) {
  return std::visit(
      [&](const auto& method) -> const Tolerances* {
        if constexpr (requires { method.tolerances; })
          return fixed_step(integrator) == 0 ? &method.tolerances : nullptr;
        return nullptr;
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
  return std::visit(
      Overloaded{
          [](const Rk4&) { return &rk4_tableau(); },
          [](const DormandPrince& d) { return d.order == 8 ? &dormand_prince8_tableau() : &dormand_prince_tableau(); },
          [](const Trapezoidal&) { return &trapezoidal_tableau(); }, [](const Sdirk4&) { return &sdirk4_tableau(); },
          [](const Radau& r) { return r.order == 3 ? &radau3_tableau() : &radau5_tableau(); },
          [](const auto&) -> const Tableau* { return nullptr; }},
      integrator);
}

std::string objection(const formulation::Formulation& formulation, const Integrator& integrator) {
  const Tableau* tableau = tableau_of(integrator);
  if (std::holds_alternative<Rosenbrock>(integrator) &&
      (formulation::properties(formulation).ends_with_point ||
       formulation::properties(formulation).has_independent_coordinates())) {
    return name_of(integrator) + " needs penalty, index1 or augmented_lagrangian of index 1, not " +
           formulation::name_of(formulation);
  }
  if (std::holds_alternative<Variational>(integrator)) {
    if (std::holds_alternative<formulation::Index3>(formulation) && !formulation::properties(formulation).projects) {
      return {};
    }
    return "variational fulfils the constraints of positions and velocities itself: it needs formulation = mbs.index3 "
           "{}, or none, not " +
           formulation::name_of(formulation);
  }
  const std::string not_this = ", not " + name_of(integrator);
  if (formulation::properties(formulation).unknowns == formulation::Unknowns::CoordinatesAndRates) {
    const bool fits = tableau ? !tableau->is_explicit() : std::holds_alternative<Bdf>(integrator);
    if (!fits) {
      return formulation::name_of(formulation) +
             " is solved as equations of first order: it needs trapezoidal, sdirk4, radau or bdf" + not_this;
    }
  } else if (formulation::properties(formulation).ends_with_point && tableau && tableau->is_explicit()) {
    return formulation::name_of(formulation) +
           " needs an implicit integrator (trapezoidal, sdirk4, radau, newmark, hht, generalized_alpha, bdf)" +
           not_this;
  }
  return {};
}

std::string objection(const formulation::Formulation& formulation, const Integrator& integrator,
                      const system::System& system) {
  if (std::string plain = objection(formulation, integrator); !plain.empty()) return plain;
  if (const auto* variational = std::get_if<Variational>(&integrator)) {
    return objection_to_variational(system, variational->alpha);
  }
  if (!system.is_implicit() || !formulation::properties(formulation).is_index3) return {};
  const bool damps =
      std::visit(Overloaded{[](const Radau&) { return true; }, [](const Bdf&) { return true; },
                            [](const Hht& m) { return m.alpha < 0; },
                            [](const GeneralizedAlpha& m) { return m.rho < 1; }, [](const auto&) { return false; }},
                 integrator);
  if (damps) return {};
  return "forces such as " + system.implicit_element() + " read accelerations or reactions, and those of steps of " +
         formulation::name_of(formulation) + " by " + name_of(integrator) +
         " do not converge; use radau, bdf, hht or generalized_alpha with damping, or another formulation";
}

Solution integrate(Motion& motion, const double* q0, const double* v0, const formulation::Formulation& formulation,
                   const Integrator& integrator, const Options& options) {
  if (!(options.end > options.start)) throw Error("the end time must be greater than the start time");
  const double step = fixed_step(integrator);
  if (step > 0 && (options.end - options.start) / step > 1e8) {
    throw Error("the step is too small: more than 100 million steps");
  }
  const auto* bdf = std::get_if<Bdf>(&integrator);
  if (bdf && (bdf->max_order < 1 || bdf->max_order > most_bdf_order)) throw Error("bdf has orders from 1 to 5");
  const auto* rosenbrock = std::get_if<Rosenbrock>(&integrator);
  if (rosenbrock && rosenbrock->order != 3 && rosenbrock->order != 4) throw Error("rosenbrock has orders 3 and 4");
  const std::string why_not = objection(formulation, integrator, motion.system());
  if (!why_not.empty()) throw Error(why_not);

  Solution out;
  out.mesh = Mesh(motion.n(), motion.m());
  const formulation::Effort before = motion.effort();
  RungeKuttaPlan plan = plan_of(integrator, ending_of(formulation));
  out.steps.copies = options.repeat ? options.repeat->copies : plan.copies;
  out.steps.newton_tolerance = newton_tolerance_of(integrator);
  out.steps.ring =
      options.repeat ? options.repeat->ring : ring_of(integrator, plan, !motion.system().sampled().empty());
  March march(motion, options.listeners, out.steps.ring);
  // With other parameters the start may be across a condition, beyond which laws keep the form that they had.
  if (options.repeat && options.repeat->steps.size() > 0) motion.set_sides(options.repeat->steps[0].sides);
  march.start(options.start, q0, v0, out.steps.copies, options.repeat ? options.repeat->start_choice : nullptr);
  out.steps.start_choice = motion.choice();
  const Node& first = march.node(-1);
  out.mesh.append(options.start, first.q, first.v, first.a, first.lambda);
  Run run(march, options, out);
  BranchWatch branch(motion, formulation, is_explicit(integrator));
  branch.follow(first);
  if (!options.repeat) run.watch_branch(branch);
  const formulation::Properties form = formulation::properties(formulation);
  if (form.gives_way()) run.give_way();
  if (form.projects || !form.ends_with_point) run.fit_steps_to_events();
  run.set_newton_tolerance(out.steps.newton_tolerance);
  if (!options.repeat && fixed_step(integrator) == 0 && run.has_switches()) run.watch_switches();
  // Conditions, and events with their slopes, may read anything within a step.
  const bool is_plain = !options.stop && !options.end_moves && !run.has_switches() && motion.system().sampled().empty();
  if (is_plain) march.spare_multipliers();
  try {
    if (options.repeat) {
      out.steps.plans = options.repeat->plans;
      repeat(run, *options.repeat);
    } else {
      run.start_ticks();
      run_to_end(run, integrator, std::move(plan), formulation);
      run.note_end();
    }
    out.message = out.stop       ? "the stop condition became zero"
                  : options.stop ? "reached the end time before the stop condition became zero"
                                 : "reached the end time";
  } catch (const Interrupted&) {
    out.status = Status::Interrupted;
    out.message = "interrupted by the user";
  } catch (const NumericalError& failure) {
    out.status = Status::Failed;
    out.message = failure.what();
    const bool is_step = dynamic_cast<const formulation::StepFailure*>(&failure) != nullptr;
    if (is_step && fixed_step(integrator) > 0) out.message += "; try a smaller step";
    const auto says = [&](const char* words) { return out.message.find(words) != std::string::npos; };
    if (says("redundant")) {
      out.message += "; " + use_instead(formulation, formulation::Trouble::Redundancy, is_explicit(integrator));
    } else if (!says("not a finite number") && !says("left its branch") && !says("infinite force")) {
      // What does say one of these has a cause of its own.
      out.message += explain_failed_run(motion, formulation, is_explicit(integrator), out.mesh);
    }
  }
  // What is recommended are other forms, which this method does not go with.
  if (std::holds_alternative<Variational>(integrator) && out.message.ends_with(" instead")) {
    out.message += ", with another integrator";
  }
  if (options.progress) options.progress(out.mesh.t.back(), 0, out.statistics);
  out.statistics = difference(motion.effort(), before, out.statistics);
  return out;
}

}  // namespace perilune::integrator
