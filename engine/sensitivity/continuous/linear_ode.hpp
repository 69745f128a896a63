// SPDX-License-Identifier: MIT
// Integration of the linear differential equations of the continuous methods, forward or backward in time: by RK4 on
// the mesh of the motion, or adaptively by Dormand and Prince's method.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "integrator/integrator.hpp"

namespace perilune::sensitivity {

/// With tolerances Dormand and Prince's method, without them RK4 on the mesh.
using LinearMethod = std::optional<integrator::Tolerances>;
/// The method's own tolerances if it has any, else those of an adaptive forward integrator.
LinearMethod linear_method(const integrator::Integrator& forward, const std::optional<integrator::Tolerances>& own);

/// y' = rhs(t, y); called at the stages, in order.
using LinearRhs = std::function<void(double t, const double* y, double* slope)>;
/// Called after every step but the last with what it reached; may change y.
using BetweenSteps = std::function<void(double t, std::vector<double>& y)>;

/// Called where an event of the motion is reached, on the way; may change y.
using AtEvent = std::function<void(double t, std::vector<double>& y)>;

/// Takes y from `mesh` front to back (or back to front) in place. Steps are never longer than those of the motion, and
/// end where the mesh has two points at one time: what the motion does there is not smooth. Tolerances count for the
/// first `controlled` entries of y, relative to their largest size so far. Throws NumericalError when y grows beyond
/// all numbers.
void integrate_linear(const LinearMethod& method, const std::vector<double>& mesh, bool backward,
                      std::size_t controlled, const LinearRhs& rhs, std::vector<double>& y,
                      const BetweenSteps& between = {}, const AtEvent& at_event = {});

}  // namespace perilune::sensitivity
