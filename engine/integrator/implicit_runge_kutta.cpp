#include <algorithm>
#include <cmath>
#include <cstdio>

#include "error.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

namespace {

/// One step of a diagonally implicit method on y = (q, v); all storage is allocated once.
class ImplicitStepper {
 public:
  ImplicitStepper(Dynamics& dynamics, const Tableau& tableau, double tolerance, const Options& options, Solution& out)
      : dynamics_(dynamics),
        tableau_(tableau),
        tolerance_(tolerance),
        options_(options),
        out_(out),
        n_(static_cast<std::size_t>(dynamics.n())),
        m_(static_cast<std::size_t>(dynamics.m())),
        base_q_(n_),
        base_v_(n_),
        q_(n_),
        v_(n_),
        stage_v_(n_ * static_cast<std::size_t>(tableau.stages)),
        stage_a_(stage_v_),
        lambda_(m_),
        x_(n_ + m_) {}

  /// From mesh point k over h.
  void step(std::size_t k, double h) {
    const Mesh& mesh = out_.mesh;
    const double from = mesh.t[k];
    for (StepListener* listener : options_.listeners) listener->begin_step(from, h);
    for (std::size_t i = 0; i < static_cast<std::size_t>(tableau_.stages); ++i) {
      const double t = from + tableau_.c[i] * h;
      double *a = stage_a_.data() + i * n_, *v = stage_v_.data() + i * n_;
      if (tableau_.own(i) == 0) {  // the end of the previous step
        std::copy_n(mesh.a_at(k), n_, a);
        std::copy_n(mesh.v_at(k), n_, v);
        announce(i, t, mesh.q_at(k), v, a, mesh.lambda_at(k));
        continue;
      }
      combine(mesh.q_at(k), mesh.v_at(k), tableau_.a[i], h);
      extrapolate(k, tableau_.c[i] * h, a);
      solve(t, h * tableau_.own(i), h, a);
      std::copy(v_.begin(), v_.end(), v);
      announce(i, t, q_.data(), v, a, lambda_.data());
    }
    const double* last = stage_a_.data() + (static_cast<std::size_t>(tableau_.stages) - 1) * n_;
    const double t = from + h;
    for (StepListener* listener : options_.listeners) listener->accept(t, h, q_.data(), v_.data());
    out_.mesh.append(t, q_.data(), v_.data(), last, lambda_.data());
    ++out_.statistics.steps;
  }

 private:
  void announce(std::size_t i, double t, const double* q, const double* v, const double* a, const double* lambda) {
    for (StepListener* listener : options_.listeners) {
      listener->stage(static_cast<int>(i), t, q, v, a, lambda, false);
    }
  }

  /// What the earlier stages give.
  void combine(const double* q, const double* v, const std::vector<double>& weights, double h) {
    std::copy_n(q, n_, base_q_.begin());
    std::copy_n(v, n_, base_v_.begin());
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double weight = h * weights[j];
      const double *dq = stage_v_.data() + j * n_, *dv = stage_a_.data() + j * n_;
      for (std::size_t i = 0; i < n_; ++i) {
        base_q_[i] += weight * dq[i];
        base_v_[i] += weight * dv[i];
      }
    }
  }

  /// Where the iteration for a stage at a distance from mesh point k starts.
  void extrapolate(std::size_t k, double distance, double* a) {
    const Mesh& mesh = out_.mesh;
    const double *a0 = mesh.a_at(k), *l0 = mesh.lambda_at(k);
    std::copy_n(a0, n_, a);
    std::copy_n(l0, m_, lambda_.begin());
    if (k == 0) return;
    const double ratio = distance / (mesh.t[k] - mesh.t[k - 1]);
    const double *a_before = mesh.a_at(k - 1), *l_before = mesh.lambda_at(k - 1);
    for (std::size_t i = 0; i < n_; ++i) a[i] += ratio * (a0[i] - a_before[i]);
    for (std::size_t i = 0; i < m_; ++i) lambda_[i] += ratio * (l0[i] - l_before[i]);
  }

  void place(double gamma, const double* a) {
    for (std::size_t i = 0; i < n_; ++i) {
      v_[i] = base_v_[i] + gamma * a[i];
      q_[i] = base_q_[i] + gamma * v_[i];
    }
  }

  /// Newton's method on a and the multipliers, with v = base + gamma a and q = base + gamma v.
  void solve(double t, double gamma, double h, double* a) {
    constexpr int max_iterations = 25;
    for (int iteration = 0;; ++iteration) {
      place(gamma, a);
      dynamics_.residual(t, q_.data(), v_.data(), a, lambda_.data(), x_.data());
      dynamics_.linearize(t, q_.data(), v_.data(), a, lambda_.data(), false, false);
      dynamics_.factor_shifted(gamma, t);
      dynamics_.solve(x_.data());
      double correction = 0, size = 1;
      for (std::size_t i = 0; i < n_; ++i) {
        a[i] -= x_[i];
        correction = std::max(correction, std::abs(x_[i]));
        size = std::max(size, std::abs(a[i]));
        if (!(std::abs(x_[i]) < 1e300)) correction = std::numeric_limits<double>::infinity();
      }
      for (std::size_t i = 0; i < m_; ++i) lambda_[i] -= x_[n_ + i];
      ++out_.statistics.newton_iterations;
      if (correction <= tolerance_ * size) break;
      if (!std::isfinite(correction)) {  // q and v are where the residual was taken; this names the force
        dynamics_.accelerations(t, q_.data(), v_.data(), a, lambda_.data());
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
    place(gamma, a);
  }

  Dynamics& dynamics_;
  const Tableau& tableau_;
  double tolerance_;
  const Options& options_;
  Solution& out_;
  std::size_t n_, m_;
  std::vector<double> base_q_, base_v_, q_, v_, stage_v_, stage_a_, lambda_, x_;
};

}  // namespace

void run_implicit(Dynamics& dynamics, const Tableau& tableau, double tolerance, const std::vector<double>& grid,
                  const Options& options, Solution& out) {
  ImplicitStepper stepper(dynamics, tableau, tolerance, options, out);
  for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
    stepper.step(k, grid[k + 1] - grid[k]);
    after_step(options, grid[k + 1], grid[k + 1] - grid[k], out.statistics.steps);
  }
}

}  // namespace perilune::integrator
