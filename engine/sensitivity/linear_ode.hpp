// Integration of the linear differential equations of the continuous methods, forward or backward in time, by the
// explicit methods of the simulation; adaptive ones control the error of the leading states only.
#pragma once
#include <functional>
#include <vector>

#include "integrator/integrator.hpp"

namespace perilune::sensitivity {

/// y' = rhs(t, y); called at the stages, in order.
using LinearRhs = std::function<void(double t, const double* y, double* slope)>;

/// Takes y from `mesh` front to back (or back to front) in place. RK4 steps on the mesh; Dormand-Prince chooses its own
/// steps, with its tolerances on the first `controlled` entries of y relative to their largest size so far.
void integrate_linear(const integrator::Integrator& integrator, const std::vector<double>& mesh, bool backward,
                      std::size_t controlled, const LinearRhs& rhs, std::vector<double>& y);

}  // namespace perilune::sensitivity
