// SPDX-License-Identifier: MIT
#include "simulation/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "at_time.hpp"
#include "error.hpp"
#include "simulation/audit.hpp"
#include "simulation/corners.hpp"
#include "simulation/determined.hpp"
#include "simulation/felt_corners.hpp"
#include "simulation/phases.hpp"
#include "simulation/point_finder.hpp"
#include "simulation/stopper.hpp"

namespace perilune::simulation {

void require_stop(const Evaluation& run) {
  if (run.solution.stop) return;
  throw NumericalError("the stop condition was not met before the end time, so that nothing depends on it");
}

/// Where a run without freedom came to no other place.
static bool stands_still(const integrator::Mesh& mesh) {
  if (mesh.size() < 2 || mesh.t.front() == mesh.t.back()) return false;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    for (int i = 0; i < mesh.n; ++i) {
      if (std::abs(mesh.q_at(k)[i] - mesh.q_at(0)[i]) > 1e-9 * (1 + std::abs(mesh.q_at(0)[i]))) return false;
    }
  }
  return true;
}

double stop_weight(const Problem& problem, const Evaluation& run, std::size_t objective) {
  require_stop(run);
  const std::optional<integrator::Stop>& stop = run.solution.stop;
  const double weight = stop->objectives[objective] / stop->slope;
  if (!std::isfinite(weight)) {
    throw NumericalError(at_time(run.solution.mesh.t.back()) + "the stop condition \"" + problem.stop->name +
                         "\" touches zero without crossing it: it has no derivatives there");
  }
  return weight;
}

namespace {

std::string text_of(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// One sentence for all objectives whose peaks are not as accurate as the motion.
std::string rough_peaks(const Problem& problem, const std::vector<std::size_t>& rough, const Evaluation& run) {
  const auto name = [&](std::size_t k) { return "\"" + problem.objectives[k]->name + "\""; };
  const auto share = [&](std::size_t k) { return run.peaks[k]->error / run.peaks[k]->spread; };
  const std::size_t worst =
      *std::max_element(rough.begin(), rough.end(), [&](std::size_t a, std::size_t b) { return share(a) < share(b); });
  const Peak& peak = *run.peaks[worst];
  char value[80];
  std::snprintf(value, sizeof value, "%.6g +- %.1g", peak.value, peak.error);
  const std::string what = integrator::tolerances_of(problem.integrator) ? "a max_step makes " : "shorter steps make ";
  if (rough.size() == 1) {
    return at_time(peak.t) + "the extremum of objective " + name(worst) +
           " lies inside a step, where it is interpolated: " + value + "; " + what + "it more accurate";
  }
  constexpr std::size_t most = 3;
  const std::size_t named = std::min(rough.size(), most), others = rough.size() - named;
  std::string list;
  for (std::size_t k = 0; k < named; ++k) {
    list += (k == 0 ? "" : k + 1 == named && others == 0 ? " and " : ", ") + name(rough[k]);
  }
  if (others > 0) list += " and " + std::to_string(others) + (others == 1 ? " other" : " others");
  return "the extrema of objectives " + list + " lie inside steps, where they are interpolated, the roughest that of " +
         name(worst) + " " + at_time(peak.t) + value + "; " + what + "them more accurate";
}

/// What the peaks are once the run has ended, and a sentence about those that are not as accurate as the motion.
void take_peaks(const Problem& problem, Peaks& peaks, Evaluation& run) {
  run.peaks.clear();
  run.smoothed.clear();
  if (peaks.empty()) return;
  const integrator::Tolerances* tolerances = integrator::tolerances_of(problem.integrator);
  // As the audit: tolerances are those of one step, and a thousand times as much is let pass.
  const double relative = tolerances ? 1e3 * tolerances->relative : 1e-5;
  try {
    peaks.finish();
  } catch (const NumericalError& failure) {
    run.solution.status = integrator::Status::Failed;
    run.solution.message = failure.what();
  }
  std::vector<std::size_t> rough;
  for (std::size_t k = 0; k < problem.objectives.size(); ++k) {
    const Peak* peak = peaks.of(k);
    const bool is_exact = problem.objectives[k]->is_exact_extremum();
    run.peaks.push_back(peak && is_exact ? std::optional(*peak) : std::nullopt);
    run.smoothed.push_back(peak && !is_exact ? std::optional(*peak) : std::nullopt);
    if (!peak || !is_exact) continue;
    if (run.solution.stop) run.solution.stop->objectives[k] += peaks.by_length(k);
    if (peak->error > relative * peak->spread) rough.push_back(k);
  }
  if (!rough.empty()) run.warnings.push_back(rough_peaks(problem, rough, run));
}

double peak_value(const Problem& problem, std::size_t objective, const Evaluation& run) {
  if (run.peaks[objective]) return run.peaks[objective]->value;
  const Extremum& window = *problem.objectives[objective]->extremum;
  char text[160];
  std::snprintf(text, sizeof text, "\": the run from t = %.6g to %.6g s has no time in its window from %.6g to %.6g s",
                run.solution.mesh.t.front(), run.solution.mesh.t.back(), window.from, window.to);
  throw NumericalError("objective \"" + problem.objectives[objective]->name + text);
}

/// The function of an integral that stands for an extremum.
void smoothen(const Problem& problem, std::size_t k, Evaluation& run) {
  const Objective& objective = *problem.objectives[k];
  const SmoothMaximum& smooth = *objective.smooth;
  const double time = time_in_window(problem, objective), integral = run.values[k];
  run.values[k] = smooth.value(integral, time);
  if (!run.integral_errors.empty()) {
    run.integral_errors[k] *= std::abs(smooth.slope(integral, time));
  }
  const std::string start = "objective \"" + objective.name + "\": about = " + text_of("%.4g", smooth.about);
  if (!std::isfinite(run.values[k])) {
    if (smooth.kind == SmoothMaximum::Kind::Norm && integral == 0 && run.smoothed[k] && run.smoothed[k]->value == 0) {
      run.values[k] = 0;
      return;
    }
    throw NumericalError(start + " is so far from the signal that nothing of it is left; give about a value near the " +
                         "extremum" + (run.smoothed[k] ? ", which is " + text_of("%.4g", run.smoothed[k]->value) : ""));
  }
  constexpr double far = 0.5;
  const double about = smooth.kind == SmoothMaximum::Kind::Norm ? std::abs(smooth.about) : smooth.about;
  if (!run.smoothed[k]) return;
  // An integrand that is small even at the extremum is below the absolute tolerance of steps elsewhere.
  constexpr double least = 1e-4;
  const double extremum = run.smoothed[k]->value;
  const bool is_small =
      smooth.integral(smooth.kind == SmoothMaximum::Kind::Norm ? std::abs(extremum) : extremum, 1) < least;
  if (std::abs(run.values[k] - about) <= far * std::abs(about) && !is_small) return;
  run.warnings.push_back(start + " is far from its extremum, " + text_of("%.4g", run.smoothed[k]->value) +
                         ", by which the smooth one loses digits; give about a value near it");
}

/// Whether adaptive steps had nothing to control. What starts in an equilibrium that follows the parameters has
/// constant derivatives, of which any steps are right.
bool rests(const Problem& problem, const integrator::Mesh& mesh) {
  const integrator::Tolerances* tolerances = integrator::tolerances_of(problem.integrator);
  if (!tolerances || std::isfinite(tolerances->max_step) || problem.start_from == analysis::StartFrom::Rest)
    return false;
  if (mesh.n == 0) return false;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    const auto is_still = [&](const double* x) {
      return std::all_of(x, x + mesh.n, [&](double y) { return std::abs(y) <= tolerances->absolute; });
    };
    if (!is_still(mesh.v_at(k)) || !is_still(mesh.a_at(k))) return false;
  }
  return true;
}

}  // namespace

void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run) {
  Quadrature quadrature(problem, run.data->parameters);
  simulate(problem, motion, repeat, quadrature, listeners, run);
}

void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat, Quadrature& quadrature,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run, Keep keep) {
  const std::vector<double>& parameters = run.data->parameters;
  integrator::Options options;
  options.start = problem.start;
  options.end = end_of(problem, parameters);
  options.repeat = repeat;
  options.progress = problem.progress;
  options.keeps_mesh = keep == Keep::Mesh;
  options.end_moves = problem.is_phase;  // since its start does
  options.sides = problem.sides;
  // By a motion of its own, so that steps are the same whether points between them are asked for or not.
  std::optional<PointFinder> finder;
  const auto find = [&](double t, const double* q, const double* v, const formulation::Sides& sides) {
    if (!finder) finder.emplace(problem.system, run.data, problem.formulation);
    finder->motion().set_sides(sides);
    return finder->find(t, q, v);
  };
  if (!repeat) {
    options.find = [&](double t, const double* q, const double* v) { return find(t, q, v, motion.sides()); };
    quadrature.peaks().compare_with(find);
  }
  std::optional<Stopper> stopper;
  if (problem.stop) options.stop = &stopper.emplace(problem, quadrature, parameters, repeat != nullptr, options.find);
  if (!problem.objectives.empty()) {
    options.listeners.push_back(&quadrature);
    options.integrals = &quadrature;
  }
  options.listeners.insert(options.listeners.end(), listeners.begin(), listeners.end());
  std::optional<Corners> corners;
  if (!repeat && Corners::are_possible(problem)) {
    options.listeners.push_back(&corners.emplace(problem, quadrature, parameters));
  }
  std::optional<Audit> audit;
  const bool differentiated =
      std::any_of(listeners.begin(), listeners.end(), [](auto* l) { return l->differentiates(); });
  std::optional<FeltCorners> felt_corners;
  if (!repeat && differentiated && FeltCorners::are_possible(motion.system())) {
    options.listeners.push_back(&felt_corners.emplace(motion.system()));
  }
  if (!repeat) {
    options.listeners.push_back(&audit.emplace(motion, problem.formulation, problem.integrator, differentiated));
  }
  run.solution =
      integrate(motion, run.initial.q.data(), run.initial.v.data(), problem.formulation, problem.integrator, options);
  if (run.solution.stop && problem.stop->is_end_time) run.solution.message = "reached the end time";
  run.values = quadrature.totals();
  const bool leaves_out = formulation::properties(problem.formulation).has_independent_coordinates();
  if (run.has_redundant && leaves_out && run.solution.mesh.size() > 1) {
    const integrator::Mesh& mesh = run.solution.mesh;
    for (const std::size_t k : {mesh.size() / 2, mesh.size() - 1}) {
      require_determined_objectives(problem, *run.data, mesh.t[k], mesh.q_at(k));
    }
  }
  const bool is_complete = run.solution.status == integrator::Status::Completed;
  if (problem.stop && is_complete && !run.solution.stop && !problem.objectives.empty() && !problem.is_phase &&
      !repeat) {
    run.warnings.push_back("the stop condition was not met before the end time: objectives are those at the end time");
  }
  if (run.has_no_freedom && stands_still(run.solution.mesh)) {
    run.warnings.push_back(
        "nothing moves: the joints leave no freedom, and no driver moves what they hold. Where a mechanism should "
        "move, "
        "joints of a loop hold more than they should, as hinges do whose axes are not parallel to the last digit: make "
        "one of them a ball joint (spherical) or a sleeve (cylindrical), or give the axes with all digits");
  }
  for (const integrator::SteppedOver& jump : run.solution.stepped_over) {
    run.warnings.push_back(at_time(jump.t) + "a fixed step went across a jump of " + jump.what +
                           ": the result is off by as much as a step is long, and derivatives do not converge; " +
                           "adaptive steps (mbs.dormand_prince, radau, bdf or rosenbrock without a step) end there");
  }
  for (const std::string& name : motion.system().unfollowed()) {
    run.warnings.push_back("\"" + name + "\" has more conditions, signs or absolute values than are followed (1000): " +
                           "steps go across them unseen, and derivatives know nothing of jumps; mbs.spline makes a " +
                           "smooth table");
  }
  for (const auto& [law, controller] : motion.system().cut_off()) {
    run.warnings.push_back(
        "\"" + law + "\" cuts off the output of pid \"" + controller +
        "\", whose integral goes on growing meanwhile (it winds up); give the controller itself lower "
        "and upper, with which it takes its integral back");
  }
  for (const integrator::LetGo& each : run.solution.let_go) {
    run.warnings.push_back(at_time(each.t) + "\"" + each.name +
                           "\" changed its side again and again, each time after a few steps, and was not followed for "
                           "a while: objectives and derivatives may be off; a max_step well below the time between its "
                           "changes has all of them found");
  }
  if (!run.solution.entangled.empty()) {
    const integrator::Entangled& each = run.solution.entangled.front();
    run.warnings.push_back(
        at_time(each.t) + "\"" + each.first + "\" and \"" + each.second +
        "\" change their sides at the same time, and what one of them does, or when, depends on the other: with "
        "other parameters either may be first, so that derivatives differ to both sides; these are "
        "those of one of them");
  }
  if (!run.solution.infinite_slopes.empty()) {
    const integrator::InfiniteSlope& each = run.solution.infinite_slopes.front();
    run.warnings.push_back(at_time(each.t) + each.what +
                           " has an infinite slope where its condition changes, as a root has at zero: derivatives are "
                           "less exact than the tolerances say; in place of math.sqrt(x), x / (x^2 + 1e-8)^0.25 has a "
                           "slope there");
  }
  for (const integrator::ConstraintJump& jump : run.solution.constraint_jumps) {
    run.warnings.push_back(sentence(jump, motion.system()) + "; " + formulation::name_of(problem.formulation) +
                           " gives way to it, and catches up in a time of its own");
  }
  if (differentiated && !repeat && rests(problem, run.solution.mesh)) {
    run.warnings.emplace_back(
        "nothing moves, so that steps are as long as the run lets them: derivatives go by the same steps and may be "
        "far off; a max_step well below the time of a swing makes them right");
  }
  if (felt_corners) felt_corners->add_warning(run.warnings);
  if (!motion.remark().empty()) run.warnings.push_back(motion.remark());
  if (corners && is_complete && run.solution.stepped_over.empty()) {
    corners->add_warnings(run.values, run.warnings);
  }
  run.integral_errors = quadrature.errors();
  take_peaks(problem, quadrature.peaks(), run);
  if (audit) {
    run.quality = audit->quality();
    const integrator::Solution& solution = run.solution;
    const std::vector<std::string> sentences =
        audit->warnings(!solution.stepped_over.empty() || !solution.constraint_jumps.empty() ||
                        solution.status == integrator::Status::Failed);
    run.warnings.insert(run.warnings.end(), sentences.begin(), sentences.end());
  }
  const integrator::Mesh& mesh = run.solution.mesh;
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, parameters);
  try {
    for (std::size_t k = 0; k < run.values.size() && run.solution.status == integrator::Status::Completed; ++k) {
      const Objective& objective = *problem.objectives[k];
      if (objective.is_exact_extremum()) run.values[k] = peak_value(problem, k, run);
      if (objective.smooth) smoothen(problem, k, run);
      if (!objective.terminal) continue;
      auto work = objective.terminal->make_work();
      run.values[k] += checked_value(objective, *objective.terminal, end, work);
    }
  } catch (const NumericalError& failure) {  // the motion itself is worth keeping
    run.solution.status = integrator::Status::Failed;
    run.solution.message = failure.what();
  }
  if (run.solution.status != integrator::Status::Completed) {
    std::fill(run.values.begin(), run.values.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

Evaluation evaluate(const Problem& problem, const std::vector<double>& parameters, const integrator::Steps* repeat,
                    const std::vector<integrator::StepListener*>& listeners) {
  if (!problem.phases.empty()) return evaluate_phases(problem, parameters);
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  simulate(problem, *motion, repeat, listeners, run);
  return run;
}

}  // namespace perilune::simulation
