// SPDX-License-Identifier: MIT
// The continuous direct equations: one linear differential equation for the derivatives of the motion in all parameter
// directions.
#pragma once
#include <memory>

#include "sensitivity/continuous/continuous_motion.hpp"
#include "sensitivity/discrete/tangent.hpp"

namespace perilune::sensitivity {

class TangentEquations {
 public:
  virtual ~TangentEquations() = default;
  virtual std::size_t size() const = 0;
  /// Where the motion stands, from the tangents of q and v in the bundle.
  virtual void begin(const TangentBundle& bundle, double* y) = 0;
  /// The tangents of q and v into the bundle, those of a (n) and lambda (m) into x; dy = y'.
  virtual void complete(const double* y, TangentBundle& bundle, double* x, double* dy) = 0;
  /// As with AdjointEquations; then complete() is called, prepare() and begin().
  virtual bool wants_change() { return false; }
  virtual void prepare() {}
};

/// Zhu 2014, eqs. 3.13 (index-1, and index-3 with reduced index) and 3.19 (penalty): y = (dq, dv).
std::unique_ptr<TangentEquations> state_tangent(LinearizedMotion& motion, const TangentBundle& bundle);
/// Zhu 2014, eq. 3.27 with the parameters of the constraints: y = (dz, dz') of the independent coordinates.
std::unique_ptr<TangentEquations> maggi_tangent(LinearizedMotion& motion, const TangentBundle& bundle);
/// The same where the system needs_points().
std::unique_ptr<TangentEquations> independent_tangent(LinearizedMotion& motion, const TangentBundle& bundle);

/// Schaffer 2005, eq. 4.113: both constraints enforced, by Radau IIA on the mesh. Adds to derivatives[objective]
/// [direction] the integrals; leaves the tangents at the end in the bundle.
void stabilized_tangent(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        TangentBundle& bundle, std::vector<std::vector<double>>& derivatives);

}  // namespace perilune::sensitivity
