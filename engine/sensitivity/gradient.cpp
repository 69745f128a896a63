// SPDX-License-Identifier: MIT
#include "sensitivity/gradient.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "error.hpp"
#include "processor_time.hpp"
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/intervals/carried.hpp"
#include "simulation/phases.hpp"

namespace perilune::sensitivity {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang-tidy 14 does not find it by itself

}  // namespace

const char* name_of(const Method& method) {
  static constexpr const char* names[] = {"finite difference", "discrete direct",    "discrete adjoint",
                                          "continuous direct", "continuous adjoint", "piecewise adjoint"};
  static constexpr const char* forms[] = {"continuous adjoint",
                                          "continuous adjoint, first-order explicit",
                                          "continuous adjoint, first-order implicit",
                                          "continuous adjoint, second-order",
                                          "continuous adjoint, approach 1",
                                          "continuous adjoint, approach 2"};
  const auto* adjoint = std::get_if<ContinuousAdjoint>(&method);
  return adjoint ? forms[static_cast<std::size_t>(adjoint->form)] : names[method.index()];
}

bool is_continuous(const Method& method) {
  return std::holds_alternative<ContinuousDirect>(method) || std::holds_alternative<ContinuousAdjoint>(method) ||
         std::holds_alternative<PiecewiseAdjoint>(method);
}

namespace {

/// At every mesh point, and not only about, as those that penalize what is open.
bool has_exact_constraints(const formulation::Formulation& formulation) {
  return keeps_to_constraints(formulation) && !formulation::properties(formulation).is_regularized;
}
std::string forms_wanted(const formulation::Formulation& instead_of) {
  return std::string("is for forms that keep to the constraints at every step: maggi, coordinate_partitioning, ") +
         "stabilized_index1 or project = true, not for " + formulation::name_of(instead_of) +
         " as it stands; mbs.adjoint {} goes with every form";
}

std::string sampled_of(const Problem& problem) { return "\"" + problem.system->sampled().front().name + "\""; }

std::string objection_of_sampled(const Problem& problem, const Method& method) {
  if (!problem.system->next_values() || !is_continuous(method)) return {};
  return std::string("what jumps at ticks, as ") + sampled_of(problem) +
         " does, is differentiated by mbs.adjoint {}, " + "mbs.direct {} or mbs.finite_difference {}, not by the " +
         name_of(method);
}

std::string objection_of_intervals(const Method& method) {
  const auto* adjoint = std::get_if<DiscreteAdjoint>(&method);
  if (!adjoint || adjoint->intervals == 0 || adjoint->checkpoints == 0) return {};
  return "the adjoint over intervals keeps all nodes of an interval: give intervals or checkpoints, not both";
}

std::string objection_of_extrema(const Problem& problem, const Method& method) {
  const simulation::Objective* extremum = simulation::find_extremum(problem);
  if (!extremum) return {};
  if (is_continuous(method)) {
    return "extrema over time, as objective \"" + extremum->name + "\" is one, are differentiated by mbs.adjoint {}, " +
           "mbs.direct {} or mbs.finite_difference {}, not by the " + name_of(method);
  }
  return {};
}

std::string objection_of_phases(const Problem& problem, const Method& method) {
  if (problem.phases.empty() || std::holds_alternative<FiniteDifference>(method)) return {};
  if (is_continuous(method)) {
    return std::string("a motion in phases is differentiated by mbs.adjoint {}, mbs.direct {} or ") +
           "mbs.finite_difference {}, not by the " + name_of(method);
  }
  return {};
}

/// Empty where the equations of the form are known for the problem's system.
std::string objection_of_system(const Problem& problem, const ContinuousAdjoint& method) {
  const std::vector<AdjointForm> forms = adjoint_forms(problem);
  if (std::find(forms.begin(), forms.end(), method.form) != forms.end()) return {};
  const System& system = *problem.system;
  return std::string(name_of(method)) + " equations of " + formulation::name_of(problem.formulation) +
         " are not known for constraints on velocities, such as that of " +
         system.describe_constraint(system.velocity_rows().front()) +
         "; mbs.adjoint {} and mbs.continuous_direct {} follow them, and so does: " +
         name_of(ContinuousAdjoint{forms.front(), {}});
}

}  // namespace

std::string objection(const Problem& problem, const Method& method) {
  if (std::string intervals = objection_of_intervals(method); !intervals.empty()) return intervals;
  if (std::string phases = objection_of_phases(problem, method); !phases.empty()) return phases;
  if (std::string sampled = objection_of_sampled(problem, method); !sampled.empty()) return sampled;
  if (std::string extrema = objection_of_extrema(problem, method); !extrema.empty()) return extrema;
  const auto* adjoint = std::get_if<ContinuousAdjoint>(&method);
  if (std::holds_alternative<PiecewiseAdjoint>(method)) {
    if (!has_exact_constraints(problem.formulation))
      return "the piecewise adjoint " + forms_wanted(problem.formulation);
    Problem of_equations = problem;
    of_equations.formulation = formulation::StabilizedIndex1{};
    const ContinuousAdjoint sweep{AdjointForm::SecondOrder, {}};
    std::string plain = objection(of_equations, sweep);
    const std::string other = name_of(sweep);
    return plain.starts_with(other) ? name_of(method) + plain.substr(other.size()) : plain;
  }
  if (!adjoint) return {};
  const std::vector<AdjointForm> forms = adjoint_forms(problem.formulation);
  const AdjointForm form = adjoint->form == AdjointForm::Default ? adjoint_forms(problem).front() : adjoint->form;
  if (std::find(forms.begin(), forms.end(), form) == forms.end()) {
    std::string offered;
    for (AdjointForm f : forms) offered += std::string(offered.empty() ? "" : "; ") + name_of(ContinuousAdjoint{f, {}});
    return std::string(name_of(method)) + " equations are not those of " + formulation::name_of(problem.formulation) +
           ", which has: " + offered;
  }
  if (std::string system = objection_of_system(problem, ContinuousAdjoint{form, {}}); !system.empty()) return system;
  if (!wants_plain_terminal(problem.formulation, form)) return {};
  auto ends = problem.objectives;
  if (problem.stop) ends.push_back(problem.stop);
  for (const auto& o : ends) {
    if (!o->terminal) continue;
    if (o->terminal->reads(expr::Quantity::Acceleration) || o->terminal->reads(expr::Quantity::Multiplier)) {
      return std::string(name_of(method)) + " equations of " + formulation::name_of(problem.formulation) +
             " allow no accelerations or multipliers in the terminal part of an objective, as in \"" + o->name +
             "\"; other forms or the discrete methods do";
    }
  }
  return {};
}

std::vector<Method> methods_offered(const formulation::Formulation& formulation, const integrator::Integrator&) {
  std::vector<Method> methods{DiscreteAdjoint{}, DiscreteDirect{}, ContinuousAdjoint{}};
  const std::vector<AdjointForm> forms = adjoint_forms(formulation);
  for (std::size_t k = 1; k < forms.size(); ++k) methods.push_back(ContinuousAdjoint{forms[k], {}});
  if (has_exact_constraints(formulation)) methods.push_back(PiecewiseAdjoint{});
  methods.insert(methods.end(), {ContinuousDirect{}, FiniteDifference{4e-3, 2}});
  return methods;
}

std::vector<Method> methods_offered(const Problem& problem, const Evaluation& run) {
  std::vector<Method> methods = methods_offered(problem.formulation, problem.integrator);
  const bool jumps = !jump_along(problem, run).empty();
  std::erase_if(methods, [&](const Method& method) {
    const bool stops_at_events = std::holds_alternative<PiecewiseAdjoint>(method) && !run.solution.events.empty();
    return (jumps && is_continuous(method)) || stops_at_events || !objection(problem, method).empty();
  });
  return methods;
}

void require_complete(const integrator::Solution& solution) {
  if (solution.status == integrator::Status::Interrupted) throw Interrupted();
  if (solution.status == integrator::Status::Failed) throw NumericalError(solution.message);
}

namespace {

void check_finite(const Problem& problem, const Gradient& found) {
  for (std::size_t o = 0; o < found.derivatives.size(); ++o) {
    for (const double derivative : found.derivatives[o]) {
      if (std::isfinite(derivative) || !std::isfinite(found.values[o])) continue;
      const bool has_jacobian = std::holds_alternative<integrator::Rosenbrock>(problem.integrator);
      throw NumericalError("a derivative of objective \"" + problem.objectives[o]->name +
                           "\" is not a finite number: it reads something without a derivative there, as a root has " +
                           "none where it is zero" +
                           (has_jacobian ? ", and the Jacobian of mbs.rosenbrock {} none where a power below 2 is: "
                                           "mbs.radau {} has no such Jacobian in its results"
                                         : ""));
    }
  }
}

/// Methods differentiate integrals; these are what some objectives are functions of. Differences had the functions.
void take_smooth_maxima(const Problem& problem, const Method& method, Gradient& found) {
  if (std::holds_alternative<FiniteDifference>(method)) return;
  for (std::size_t o = 0; o < found.derivatives.size(); ++o) {
    const simulation::Objective& objective = *problem.objectives[o];
    if (!objective.smooth) continue;
    const double time = simulation::time_in_window(problem, objective);
    const double slope = objective.smooth->slope(objective.smooth->integral(found.values[o], time), time);
    for (double& derivative : found.derivatives[o]) derivative *= slope;
  }
}

}  // namespace

Gradient gradient(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                  const Method& method) {
  if (problem.objectives.empty()) throw Error("a gradient needs at least one objective");
  if (problem.from) throw Error("a gradient needs a motion that starts as declared, not from a given state");
  if (const auto* adjoint = std::get_if<DiscreteAdjoint>(&method); adjoint && adjoint->checkpoints < 0) {
    throw Error("the number of checkpoints must not be negative");
  }
  const std::string why_not = objection(problem, method);
  if (!why_not.empty()) throw Error(why_not);
  const double start = processor_time();
  const auto began = std::chrono::steady_clock::now();
  const auto take_times = [&](Gradient& out) {
    out.seconds = processor_time() - start;
    out.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  if (!problem.phases.empty()) {
    const auto* differences = std::get_if<FiniteDifference>(&method);
    const auto* adjoint = std::get_if<DiscreteAdjoint>(&method);
    Gradient out = differences ? finite_difference(problem, parameters, over, *differences)
                   : adjoint   ? adjoint_through_phases(problem, parameters, over, *adjoint)
                               : direct_through_phases(problem, parameters, over);
    check_finite(problem, out);
    take_times(out);
    return out;
  }
  Problem narrow = problem;
  narrow.system = System::differentiated_by(over, problem.system);
  Gradient out =
      std::visit(Overloaded{[&](const FiniteDifference& m) { return finite_difference(narrow, parameters, over, m); },
                            [&](const DiscreteDirect& m) {
                              const std::size_t groups = column_groups(problem, over.size(), m);
                              return groups < 2 ? discrete_direct(narrow, parameters, over)
                                                : direct_in_groups(problem, parameters, over, groups);
                            },
                            [&](const DiscreteAdjoint& m) { return discrete_adjoint(narrow, parameters, over, m); },
                            [&](const ContinuousDirect& m) { return continuous_direct(narrow, parameters, over, m); },
                            [&](const ContinuousAdjoint& m) { return continuous_adjoint(narrow, parameters, over, m); },
                            [&](const PiecewiseAdjoint& m) { return piecewise_adjoint(narrow, parameters, over, m); }},
                 method);
  take_smooth_maxima(problem, method, out);
  check_finite(problem, out);
  take_times(out);
  return out;
}

}  // namespace perilune::sensitivity
