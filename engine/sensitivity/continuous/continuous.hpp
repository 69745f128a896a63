// SPDX-License-Identifier: MIT
// What the parts of the continuous methods offer each other.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sensitivity/continuous/continuous_equations.hpp"
#include "sensitivity/discrete/tangent.hpp"

namespace perilune::sensitivity {

/// Simulates, and keeps all that the sensitivity equations want. Throws as `gradient` does. `passes_corners`: steps of
/// these equations go across the corners of felt loads, which is worth a warning.
Evaluation forward_run(const Problem& problem, const std::vector<double>& parameters, bool passes_corners);
/// The equations along the motion know nothing of how the time of an event changes, which matters where forces or
/// integrands jump. A sentence for the user about the first such event; empty without one.
std::string jump_along(const Problem& problem, const Evaluation& run);
/// The adjoint and direct equations are those of the stabilized index-1 form.
inline bool is_stabilized(const formulation::Formulation& formulation) {
  return formulation::properties(formulation).unknowns == formulation::Unknowns::CoordinatesAndRates;
}
/// The motion was integrated by the trapezoidal rule, and the sensitivity equations are to be so too.
bool is_trapezoidal(const Problem& problem, const std::optional<integrator::Tolerances>& own);

/// The forms of adjoint equations that a formulation has.
std::vector<AdjointForm> adjoint_forms(const formulation::Formulation& formulation);
/// Those of them that go with the problem's system, the default first.
std::vector<AdjointForm> adjoint_forms(const Problem& problem);
/// Warns that equations with time derivatives of loads do not see all where forces feel these.
void note_loads(const Problem& problem, const Method& method, Gradient& gradient);
/// The equations take no accelerations and multipliers in the terminal part (Zhu 2014,
/// eqs. 3.45e, 3.45f, 3.60c, 3.60d).
bool wants_plain_terminal(const formulation::Formulation& formulation, AdjointForm form);

/// The trapezoidal rule on the first-order explicit adjoint, one implicit linear step per interval of the mesh.
void first_order_trapezoidal(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                             AdjointBundle& bundle);
/// Zhu 2014, eqs. 3.52 to 3.55: the trapezoidal rule on the index-3 adjoint, positions of mu as unknowns.
void index3_trapezoidal(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        AdjointBundle& bundle);
/// Schaffer 2005, eqs. 4.194 and 5.103: both constraints on mu enforced, by Radau IIA on the mesh.
void stabilized_adjoint(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        AdjointBundle& bundle);

}  // namespace perilune::sensitivity
