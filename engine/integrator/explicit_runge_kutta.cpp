#include <algorithm>
#include <cmath>
#include <cstdio>

#include "error.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

namespace {

/// One explicit Runge-Kutta step on y = (q, v) with y' = (v, a); all storage is allocated once.
class Stepper {
 public:
  Stepper(Dynamics& dynamics, const Tableau& tableau, const Options& options)
      : dynamics_(dynamics),
        tableau_(tableau),
        options_(options),
        n_(static_cast<std::size_t>(dynamics.n())),
        m_(static_cast<std::size_t>(dynamics.m())),
        stage_v_(n_ * static_cast<std::size_t>(tableau.stages)),
        stage_a_(stage_v_.size()),
        lambda_(m_),
        q_(n_),
        v_(n_) {}

  /// From mesh point (q, v) with accelerations a0 to t + h. Afterwards q(), v() hold the end.
  void step(double t, double h, const double* q, const double* v, const double* a0, const double* lambda0) {
    for (StepListener* listener : options_.listeners) listener->begin_step(t, h);
    std::copy_n(v, n_, stage_v_.begin());
    std::copy_n(a0, n_, stage_a_.begin());
    for (StepListener* listener : options_.listeners)
      listener->stage(0, t, q, v, a0, lambda0, !tableau_.first_same_as_last);
    for (int i = 1; i < tableau_.stages; ++i) {
      combine(q, v, tableau_.a[static_cast<std::size_t>(i)].data(), i, h);
      const double time = t + tableau_.c[static_cast<std::size_t>(i)] * h;
      double* a = stage_a_.data() + static_cast<std::size_t>(i) * n_;
      std::copy(v_.begin(), v_.end(), stage_v_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * n_));
      dynamics_.accelerations(time, q_.data(), v_.data(), a, lambda_.data());
      for (StepListener* listener : options_.listeners) {
        listener->stage(i, time, q_.data(), v_.data(), a, lambda_.data(), true);
      }
    }
    if (!tableau_.first_same_as_last) combine(q, v, tableau_.b.data(), tableau_.stages, h);
  }

  /// Weighted root mean square of the embedded error; 1 is the tolerance.
  double error(double h, const double* q, const double* v, const DormandPrince& method) const {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      double eq = 0, ev = 0;
      for (int s = 0; s < tableau_.stages; ++s) {
        const double e = tableau_.error[static_cast<std::size_t>(s)];
        eq += e * stage_v_[static_cast<std::size_t>(s) * n_ + i];
        ev += e * stage_a_[static_cast<std::size_t>(s) * n_ + i];
      }
      auto scaled = [&](double e, double before, double after) {
        const double limit =
            method.absolute_tolerance + method.relative_tolerance * std::max(std::abs(before), std::abs(after));
        return (h * e / limit) * (h * e / limit);
      };
      sum += scaled(eq, q[i], q_[i]) + scaled(ev, v[i], v_[i]);
    }
    return std::sqrt(sum / static_cast<double>(2 * n_));
  }

  void accept(double t, double h, Solution& out) {
    const std::size_t last = static_cast<std::size_t>(tableau_.stages - 1) * n_;
    if (tableau_.first_same_as_last) {
      std::copy_n(stage_a_.begin() + static_cast<std::ptrdiff_t>(last), n_, stage_a_.begin());
    }
    for (StepListener* listener : options_.listeners) listener->accept(t, h, q_.data(), v_.data());
    if (!tableau_.first_same_as_last) dynamics_.accelerations(t, q_.data(), v_.data(), stage_a_.data(), lambda_.data());
    out.mesh.append(t, q_.data(), v_.data(), stage_a_.data(), lambda_.data());
    ++out.statistics.steps;
    after_step(options_, t, h, out.statistics.steps);
  }

 private:
  void combine(const double* q, const double* v, const double* weights, int count, double h) {
    std::copy_n(q, n_, q_.begin());
    std::copy_n(v, n_, v_.begin());
    for (int j = 0; j < count; ++j) {
      if (weights[j] == 0) continue;
      const double weight = h * weights[j];
      const double *dq = stage_v_.data() + static_cast<std::size_t>(j) * n_,
                   *dv = stage_a_.data() + static_cast<std::size_t>(j) * n_;
      for (std::size_t i = 0; i < n_; ++i) {
        q_[i] += weight * dq[i];
        v_[i] += weight * dv[i];
      }
    }
  }

  Dynamics& dynamics_;
  const Tableau& tableau_;
  const Options& options_;
  std::size_t n_, m_;
  std::vector<double> stage_v_, stage_a_, lambda_, q_, v_;
};

/// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4: a step that fits the first two
/// derivatives.
double first_step(Dynamics& dynamics, const DormandPrince& method, const Options& options, const Mesh& mesh) {
  if (method.initial_step > 0) return method.initial_step;
  const int n = mesh.n;
  double size = 0, slope = 0;
  for (int i = 0; i < n; ++i) {
    auto add = [&](double y, double f) {
      const double scale = method.absolute_tolerance + method.relative_tolerance * std::abs(y);
      size += y / scale * (y / scale);
      slope += f / scale * (f / scale);
    };
    add(mesh.q[static_cast<std::size_t>(i)], mesh.v[static_cast<std::size_t>(i)]);
    add(mesh.v[static_cast<std::size_t>(i)], mesh.a[static_cast<std::size_t>(i)]);
  }
  size = std::sqrt(size / (2 * n));
  slope = std::sqrt(slope / (2 * n));
  const double h0 = std::min(size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope, options.end - options.start);
  std::vector<double> q(static_cast<std::size_t>(n)), v(q), a(q), lambda(static_cast<std::size_t>(mesh.m));
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = mesh.q[i] + h0 * mesh.v[i];
    v[i] = mesh.v[i] + h0 * mesh.a[i];
  }
  dynamics.accelerations(options.start + h0, q.data(), v.data(), a.data(), lambda.data());
  double curvature = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double sq = method.absolute_tolerance + method.relative_tolerance * std::abs(mesh.q[i]);
    const double sv = method.absolute_tolerance + method.relative_tolerance * std::abs(mesh.v[i]);
    curvature += std::pow((v[i] - mesh.v[i]) / sq, 2) + std::pow((a[i] - mesh.a[i]) / sv, 2);
  }
  curvature = std::sqrt(curvature / (2 * n)) / h0;
  const double steepest = std::max(slope, curvature);
  const double h1 = steepest <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / steepest, 0.2);
  return std::min(100 * h0, h1);
}

}  // namespace

void run_explicit(Dynamics& dynamics, const Tableau& tableau, const std::vector<double>& grid, const Options& options,
                  Solution& out) {
  Stepper stepper(dynamics, tableau, options);
  Mesh& mesh = out.mesh;
  for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
    const double h = grid[k + 1] - grid[k];
    stepper.step(grid[k], h, mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), mesh.lambda_at(k));
    stepper.accept(grid[k + 1], h, out);
  }
}

void run_dormand_prince(Dynamics& dynamics, const DormandPrince& method, const Options& options, Solution& out) {
  Stepper stepper(dynamics, dormand_prince_tableau(), options);
  Mesh& mesh = out.mesh;
  double t = options.start;
  double h = std::min(first_step(dynamics, method, options, mesh), method.max_step);
  bool was_rejected = false;
  double last_steps[3] = {0, 0, 0};
  while (t < options.end) {
    const double left = options.end - t;
    if (h >= left * (1 - 1e-10))
      h = left;
    else if (2 * h > left)
      h = left / 2;  // no sliver at the end
    const std::size_t k = mesh.size() - 1;
    double error;
    std::string failure;
    try {
      stepper.step(t, h, mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), mesh.lambda_at(k));
      error = stepper.error(h, mesh.q_at(k), mesh.v_at(k), method);
    } catch (const NumericalError& e) {  // a stage left the domain of the equations
      error = std::numeric_limits<double>::infinity();
      failure = e.what();
    }
    if (error <= 1) {
      const double next = t + h >= options.end ? options.end : t + h;
      stepper.accept(next, h, out);
      t = next;
      const double growth = error == 0 ? 5.0 : std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
      for (int i = 0; i < 2; ++i) last_steps[i] = last_steps[i + 1];
      last_steps[2] = h;
      h = std::min(h * (was_rejected ? std::min(growth, 1.0) : growth), method.max_step);
      was_rejected = false;
    } else {
      ++out.statistics.rejected;
      was_rejected = true;
      h *= std::isfinite(error) ? std::max(0.2, 0.9 * std::pow(error, -0.2)) : 0.2;
      check_interrupt();
      if (h < 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(options.end))) {
        char text[200];
        std::snprintf(text, sizeof text,
                      "at t = %.6g s: the step size collapsed (last accepted steps %.3g, %.3g, %.3g s)", t,
                      last_steps[0], last_steps[1], last_steps[2]);
        throw NumericalError(std::string(text) + (failure.empty()
                                                      ? "; a force may jump here: smooth it, or use a fixed step"
                                                      : "; the last attempt: " + failure));
      }
    }
  }
}

}  // namespace perilune::integrator
