// SPDX-License-Identifier: MIT
// The formulations offered, as plain descriptions.
#pragma once
#include <optional>
#include <string>
#include <variant>

#include "system/constraint_law.hpp"

namespace perilune::formulation {

using system::ConstraintLaw;

/// Zhu 2014, eq. 2.16: lambda* = alpha (Phi'' + 2 xi omega Phi' + omega^2 Phi). Eliminating lambda* gives the familiar
/// (M + Phi_q^T alpha Phi_q) a = ...; solving with lambda* kept is the same equation without the loss of digits that a
/// large alpha causes there. Redundant constraints are allowed.
struct Penalty {
  double alpha = 1e9;
  double xi = 1;
  double omega = 10;  // 1/s
  bool project = false;
};

/// Zhu 2014, eqs. 2.8 and 2.15: Phi'' + 2 alpha Phi' + beta^2 Phi = 0; both 0 gives the plain index-1 form, which
/// drifts. `project`, here and below: steps end on the constraints.
struct Index1 {
  double alpha = 0;  // 1/s
  double beta = 0;   // 1/s
  bool project = false;
};

/// Zhu 2014, eq. 2.3: Phi = 0 at the end of every step, for implicit integrators. The multipliers and accelerations of
/// such steps do not converge; those reported are found from the positions and velocities by the index-1 equations.
/// Velocities are differences of positions, of a lower order than these, and get worse with shorter steps; `project`
/// ends steps with velocities on the constraints, which removes what is of a lower order.
struct Index3 {
  bool project = false;
};

/// Phi' = 0 at the end of every step, for implicit integrators (Gear, Leimkuhler and Gupta 1985; Hairer and Wanner,
/// Solving Ordinary Differential Equations II, VII.1): velocities are as exact as positions, which drift from the
/// constraints by the errors of the steps. `project`: steps end on the constraints in positions, too. Accelerations and
/// multipliers are found anew at the end of a step, as those of index 3.
struct Index2 {
  bool project = false;
};

/// The multipliers of the index-1 or index-3 form by iteration from those of a penalty alpha, so that the result does
/// not depend on it and redundant constraints are allowed (Bayo and Ledesma 1996). Index 1 is stabilized as the penalty
/// form; with index 3 the velocities and accelerations are projected onto the constraints after every step, in the
/// metric of the mass matrix.
struct AugmentedLagrangian {
  int index = 1;      // 1 or 3
  double alpha = 0;   // sets how fast the iteration converges, not where to; 0: by the mechanism's masses and lengths
  double xi = 1;      // of index 1 only
  double omega = 10;  // 1/s; of index 1 only
  bool project = false;  // of index 1; index 3 always does
};

/// Schaffer 2005, eq. 4.20: q' = v - Phi_q^T mu and both Phi = 0 and Phi' = 0, for implicit integrators.
struct StabilizedIndex1 {};

/// Zhu 2014, section 2.5: the motion of independent coordinates z = B q, R^T M R z'' = R^T (Q - M S c).
struct Maggi {};

/// Schaffer 2005, section 3: the same independent coordinates, their accelerations from the index-1 equations.
struct CoordinatePartitioning {};

/// The same, where the independent coordinates are those of the joints: angles of hinges, components
/// of r along slides, and the coordinates of free bodies. Points of the motion of a tree are found by recursions of
/// order N (formulation/tree); what is no tree goes by coordinate partitioning.
struct JointCoordinates {};

using Formulation = std::variant<Penalty, Index1, Index3, Index2, AugmentedLagrangian, StabilizedIndex1, Maggi,
                                 CoordinatePartitioning, JointCoordinates>;

/// What is integrated, and thereby who solves a form: see make_motion().
enum class Unknowns {
  Coordinates,          // all of them, with their rates
  CoordinatesAndRates,  // the same, with q' apart from v
  IndependentCoordinates
};

/// What is to be known of a form beside its equations: one record per form.
struct Properties {
  const char* name;
  Unknowns unknowns = Unknowns::Coordinates;
  /// The equations that give accelerations and multipliers at known positions and velocities.
  ConstraintLaw point_law = {};
  /// Dependent constraints leave a matrix to solve with: in singular positions, too.
  bool is_regularized = false;
  /// The penalty factor whose share of the matrix is made good by iteration, 0: by the mechanism; none for most forms.
  std::optional<double> iterated_alpha = {};
  /// Accelerations of points come from R^T M R; else from the matrix bordered by all constraints.
  bool has_reduced_points = false;
  /// Implicit steps fulfil the constraints in positions alone; the velocities are differences of these.
  bool is_index3 = false;
  /// Implicit steps fulfil them in velocities alone.
  bool is_index2 = false;
  /// An implicit step does not give its accelerations and multipliers: they have to be found at its end.
  bool ends_with_point = false;
  /// The end of every step is projected onto the constraints, in positions and velocities.
  bool projects = false;
  bool has_independent_coordinates() const { return unknowns == Unknowns::IndependentCoordinates; }
  /// Redundant constraints are no obstacle.
  bool allows_redundancy() const { return is_regularized || has_independent_coordinates(); }
  /// A constraint that is open is only drawn back, in its own time.
  bool gives_way() const { return !projects && !ends_with_point && !has_independent_coordinates(); }
};
Properties properties(const Formulation& formulation);

/// What an implicit step of length h solves for; the rows of positions are scaled by 1/h^2 and those of velocities by
/// 1/h, to be as large as others.
ConstraintLaw step_law(const Formulation& formulation, double h);

std::string name_of(const Formulation& formulation);

}  // namespace perilune::formulation
