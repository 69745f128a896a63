#include <algorithm>
#include <cmath>
#include <cstdio>

#include "error.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

void run_trapezoidal(Dynamics& dynamics, const Trapezoidal& method, const std::vector<double>& grid,
                     const Options& options, Solution& out) {
  constexpr int max_iterations = 25;
  Mesh& mesh = out.mesh;
  const auto n = static_cast<std::size_t>(mesh.n), m = static_cast<std::size_t>(mesh.m);
  std::vector<double> q(n), v(n), a(mesh.a), lambda(mesh.lambda), x(n + m);
  for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
    const double t = grid[k + 1], h = grid[k + 1] - grid[k], gamma = h / 2;
    for (StepListener* listener : options.listeners) listener->begin_step(grid[k], h);
    const double *q0 = mesh.q_at(k), *v0 = mesh.v_at(k), *a0 = mesh.a_at(k);
    if (k > 0) {  // extrapolate the start of the iteration
      const double ratio = h / (grid[k] - grid[k - 1]);
      const double *a_before = mesh.a_at(k - 1), *l0 = mesh.lambda_at(k), *l_before = mesh.lambda_at(k - 1);
      for (std::size_t i = 0; i < n; ++i) a[i] = a0[i] + ratio * (a0[i] - a_before[i]);
      for (std::size_t i = 0; i < m; ++i) lambda[i] = l0[i] + ratio * (l0[i] - l_before[i]);
    }
    auto place = [&] {
      for (std::size_t i = 0; i < n; ++i) {
        v[i] = v0[i] + gamma * (a0[i] + a[i]);
        q[i] = q0[i] + gamma * (v0[i] + v[i]);
      }
    };
    double correction = 0, size = 1;
    int iteration = 0;
    for (;; ++iteration) {
      place();
      dynamics.residual(t, q.data(), v.data(), a.data(), lambda.data(), x.data());
      dynamics.linearize(t, q.data(), v.data(), a.data(), lambda.data(), false, false);
      dynamics.factor_shifted(gamma, t);
      dynamics.solve(x.data());
      correction = 0;
      size = 1;
      for (std::size_t i = 0; i < n; ++i) {
        a[i] -= x[i];
        correction = std::max(correction, std::abs(x[i]));
        size = std::max(size, std::abs(a[i]));
        if (!(std::abs(x[i]) < 1e300)) correction = std::numeric_limits<double>::infinity();
      }
      for (std::size_t i = 0; i < m; ++i) lambda[i] -= x[n + i];
      ++out.statistics.newton_iterations;
      if (correction <= method.tolerance * size) break;
      if (!std::isfinite(correction)) {  // q and v are where the residual was taken; this names the force
        dynamics.accelerations(t, q.data(), v.data(), a.data(), lambda.data());
      }
      if (iteration + 1 == max_iterations || !std::isfinite(correction)) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "at t = %.6g s: Newton's method did not converge in %d iterations (last correction %.3g, step "
                      "%.3g s); try a smaller step",
                      t, iteration + 1, correction, h);
        throw NumericalError(text);
      }
    }
    place();
    for (StepListener* listener : options.listeners) {
      listener->implicit_end(t, h, q.data(), v.data(), a.data(), lambda.data());
    }
    for (StepListener* listener : options.listeners) listener->accept(t, h, q.data(), v.data());
    mesh.append(t, q.data(), v.data(), a.data(), lambda.data());
    ++out.statistics.steps;
    after_step(options, t, h, out.statistics.steps);
  }
}

}  // namespace perilune::integrator
