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

/// Takes y from `mesh` front to back (or back to front) in place. Tolerances count for the first `controlled` entries
/// of y, relative to their largest size so far. Throws NumericalError when y grows beyond all numbers.
void integrate_linear(const LinearMethod& method, const std::vector<double>& mesh, bool backward,
                      std::size_t controlled, const LinearRhs& rhs, std::vector<double>& y,
                      const BetweenSteps& between = {});

}  // namespace perilune::sensitivity
