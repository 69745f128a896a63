// Motions in phases: the same bodies under other constraints and forces, one phase after the other, with an impact
// between them where constraints set in. A phase
//   takes over time, positions and velocities of the one before,
//   sets parameters to what expressions are in that state (a landing place, an anchor),
//   has the velocities changed by an impact so that all its constraints hold (formulation::Impact), and
//   goes on until its stop condition rises through zero; without one it is over with the impact, but for a last phase
//   that is no mere impact: that one goes on to the end time.
// The motion ends with its last phase, or at the end time.
//
// Differentiation is direct, phase by phase: the tangents of a phase's steps, then the shift of its end,
//   dy = (dy at a fixed last step h) + (dy/dh) dh,  dh = -(d stop at a fixed h) / (d stop / dh),
// the parameters that are set, and the impact's own derivative. So the Jacobian of a return map is that of terminal
// objectives by the parameters that the start is made of. Exact to rounding, but for dy/dh, which are extrapolated
// differences of the last step (Stop).
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

/// A parameter, by number, and what it is set to: an expression of time, positions, velocities and parameters.
struct Assignment {
  int parameter = -1;
  Measure value;
  std::string name = {};  // of the parameter
  /// The value must not leave them.
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

struct Phase {
  std::string name;
  std::shared_ptr<const System> system;   // the model's, without what does not act in this phase
  std::shared_ptr<const Objective> stop;  // the terminal part: negative at first, zero at the end
  double longest = 0;                     // s, of a phase with a stop; 0: no limit
  bool is_impact = false;                 // of one without: it ends the motion where it is the last
  std::vector<Assignment> set;
};

/// Which elements of a model act in a phase `without` objects of these names, by number: their forces and constraints
/// do not, but what keeps coordinates defined (angles of joints, inertia of states) stays.
std::vector<char> acting_elements(const model::Model& model, const std::vector<std::string>& without);

/// The whole motion in one mesh, with the multipliers of the model: zero where they do not act. Mesh times repeat from
/// phase to phase.
/// `repeat`: another run, whose steps the phases go through again.
Evaluation evaluate_phases(const Problem& problem, const std::vector<double>& parameters,
                           const Evaluation* repeat = nullptr);

/// `unfinished`: becomes the name of the phase whose stop did not come by the end time, where there is one.
Gradient direct_through_phases(const Problem& problem, const std::vector<double>& parameters,
                               const std::vector<int>& over, std::string* unfinished = nullptr);

}  // namespace perilune::sensitivity
