// SPDX-License-Identifier: MIT
#include "simulation/usual_formulation.hpp"

#include "analysis/assembly.hpp"
#include "analysis/mobility.hpp"
#include "error.hpp"
#include "formulation/motion.hpp"
#include "formulation/tree/planar_tree.hpp"
#include "formulation/tree/recursion.hpp"

namespace perilune::simulation {

namespace {

/// Loops cost the square and the cube of the constraints that close them, in dense matrices, where the other forms grow
/// with the bodies alone. With so many, two of several hundred mechanisms that were measured took more time than by
/// those, and by what clocks err; the first that surely does has 47.
constexpr int most_closing = 32;

enum class Wants { Values, SecondDerivatives, ContinuousMethods };
enum class Recursions { Never, WhereRedundant, Wherever };

/// What decides, where the mechanism begins.
struct Beginning {
  bool has_recursion = false, has_loops = false;
  analysis::Mobility mobility;  // unless a spatial tree is known to have none that matters
};

/// Whether recursions come to accelerations that the system's own equations have; else the form would go by others.
bool fulfils_equations(const Problem& problem, const std::shared_ptr<const Data>& data,
                       const analysis::ConsistentState& start) {
  std::vector<double> q = start.q, v = start.v, a(q.size()),
                      lambda(static_cast<std::size_t>(problem.system->constraint_count()));
  const formulation::Node x{problem.start, q.data(), v.data(), a.data(), lambda.data()};
  try {
    const auto motion = formulation::make_motion(problem.system, data, formulation::JointCoordinates{});
    motion->choose(x, 0);
    motion->point(x);
    return motion->remark().empty() && motion->effort().factorizations == 0;
  } catch (const NumericalError&) {
    return false;
  }
}

Beginning beginning_of(const Problem& problem, const std::vector<double>& parameters, Recursions recursions) {
  Beginning out;
  try {
    const std::shared_ptr<const Data> data = problem.system->make_data(parameters);
    analysis::Assembly assembly(problem.system, problem.independent);
    const analysis::ConsistentState start = assembly.solve(problem.start, *data);
    const auto look_for_recursion = [&] {
      const auto closing = formulation::closing_constraints(*problem.system, *data, start.q.data());
      out.has_loops = closing != 0;
      out.has_recursion = closing && *closing <= most_closing;
      if (out.has_loops && out.has_recursion) out.has_recursion = fulfils_equations(problem, data, start);
    };
    if (recursions == Recursions::Wherever) {
      look_for_recursion();
      if (!out.has_loops) return out;
    }
    out.mobility = analysis::mobility(assembly.constraints(), problem.start, *data, start.q);
    if (recursions == Recursions::WhereRedundant && !out.mobility.redundant.empty()) look_for_recursion();
  } catch (const NumericalError&) {
    out.mobility = {};
  }
  return out;
}

formulation::Formulation usual(const Problem& problem, const std::vector<double>& parameters, Wants wants) {
  if (std::holds_alternative<integrator::Variational>(problem.integrator)) return formulation::Index3{};
  if (problem.system->constraint_count() == 0) return formulation::Index1{};
  // Recursions serve explicit steps. Phases may leave joints out, and be trees or not. In the plane the index-1 form is
  // small enough to be faster, and Maggi's is not; second derivatives take it as long as recursions.
  Recursions recursions = Recursions::Never;
  if (integrator::is_explicit(problem.integrator) && problem.phases.empty() && wants != Wants::ContinuousMethods) {
    recursions = !formulation::has_planar_bodies(*problem.system) ? Recursions::Wherever
                 : wants == Wants::Values                         ? Recursions::WhereRedundant
                                                                  : Recursions::Never;
  }
  const Beginning begins = beginning_of(problem, parameters, recursions);
  const bool projects = wants != Wants::SecondDerivatives;
  if (begins.mobility.singular_freedoms > 0) return formulation::AugmentedLagrangian{.project = projects};
  if (begins.has_recursion) return formulation::JointCoordinates{};
  if (!begins.mobility.redundant.empty() || !projects) return formulation::Maggi{};
  return formulation::Index1{.project = true};
}

}  // namespace

formulation::Formulation usual_formulation(const Problem& problem, const std::vector<double>& parameters) {
  return usual(problem, parameters, Wants::Values);
}

formulation::Formulation usual_smooth_formulation(const Problem& problem, const std::vector<double>& parameters) {
  return usual(problem, parameters, Wants::SecondDerivatives);
}

formulation::Formulation usual_continuous_formulation(const Problem& problem, const std::vector<double>& parameters) {
  return usual(problem, parameters, Wants::ContinuousMethods);
}

}  // namespace perilune::simulation
