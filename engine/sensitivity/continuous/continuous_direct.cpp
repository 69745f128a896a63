// SPDX-License-Identifier: MIT
// The published direct equations, integrated in their own right along the interpolated motion.
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/continuous/continuous_tangent.hpp"
#include "sensitivity/continuous/linear_ode.hpp"

namespace perilune::sensitivity {

namespace {

class StateTangent final : public TangentEquations {
 public:
  StateTangent(LinearizedMotion& motion, const TangentBundle& bundle) : motion_(motion), half_(bundle.half()) {}
  std::size_t size() const override { return 2 * half_; }
  void begin(const TangentBundle& bundle, double* y) override { std::copy_n(bundle.z.data(), 2 * half_, y); }
  void complete(const double* y, TangentBundle& bundle, double* x, double* dy) override {
    std::copy_n(y, 2 * half_, bundle.z.data());
    motion_.dynamics().tangent(bundle.z.data(), bundle.count, x);
    std::copy_n(y + half_, half_, dy);
    std::copy_n(x, half_, dy + half_);
  }

 private:
  LinearizedMotion& motion_;
  std::size_t half_;
};

/// The tangents and the integrals [objective][direction] as one system.
class ForwardIntegration {
 public:
  ForwardIntegration(const Problem& problem, LinearizedMotion& motion, TangentEquations& equations,
                     TangentBundle& bundle)
      : problem_(problem),
        motion_(motion),
        equations_(equations),
        bundle_(bundle),
        work_(problem),
        size_(equations.size()),
        directions_(static_cast<std::size_t>(bundle.count)),
        x_(static_cast<std::size_t>((bundle.n + bundle.m) * bundle.count)),
        discarded_(size_) {}

  /// Leaves the tangents at the end in the bundle; the integrals come back.
  std::vector<std::vector<double>> run(const LinearMethod& method, const integrator::Mesh& mesh) {
    motion_.at(mesh.t.front());
    std::vector<double> y(size_ + problem_.objectives.size() * directions_, 0.0);
    equations_.begin(bundle_, y.data());
    integrate_linear(
        method, mesh.t, false, size_,
        [this](double t, const double* state, double* slope) { fill_slope(t, state, slope); }, y,
        [this](double t, std::vector<double>& state) { change(t, state); },
        [this](double t, std::vector<double>& state) { pass(t, state); });
    motion_.at(mesh.t.back());
    equations_.complete(y.data(), bundle_, x_.data(), discarded_.data());
    std::vector<std::vector<double>> integrals;
    for (std::size_t o = 0; o < problem_.objectives.size(); ++o) {
      const double* totals = y.data() + size_ + o * directions_;
      integrals.emplace_back(totals, totals + directions_);
    }
    return integrals;
  }

 private:
  void fill_slope(double t, const double* state, double* slope) {
    const system::MotionPoint& at = motion_.at(t);
    equations_.complete(state, bundle_, x_.data(), slope);
    std::fill_n(slope + size_, problem_.objectives.size() * directions_, 0.0);
    for (std::size_t o = 0; o < problem_.objectives.size(); ++o) {
      if (!problem_.objectives[o]->integral) continue;
      const Measure& integral = *problem_.objectives[o]->integral;
      integral.evaluate(at, work_.integral[o]);
      add_directional(integral, work_.integral[o], 1, bundle_, bundle_.z.data(), x_.data(),
                      slope + size_ + o * directions_);
    }
  }

  void pass(double t, std::vector<double>& y) {
    motion_.at(t);
    equations_.complete(y.data(), bundle_, x_.data(), discarded_.data());
    motion_.enter(t, false);
    motion_.at(t);
    equations_.begin(bundle_, y.data());
  }

  void change(double t, std::vector<double>& y) {
    motion_.at(t);
    if (!equations_.wants_change()) return;
    equations_.complete(y.data(), bundle_, x_.data(), discarded_.data());
    equations_.prepare();
    equations_.begin(bundle_, y.data());
  }

  const Problem& problem_;
  LinearizedMotion& motion_;
  TangentEquations& equations_;
  TangentBundle& bundle_;
  ObjectiveWork work_;
  std::size_t size_, directions_;
  std::vector<double> x_, discarded_;
};

}  // namespace

std::unique_ptr<TangentEquations> state_tangent(LinearizedMotion& motion, const TangentBundle& bundle) {
  return std::make_unique<StateTangent>(motion, bundle);
}

Gradient continuous_direct(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const ContinuousDirect& method) {
  const bool is_maggi = formulation::properties(problem.formulation).has_independent_coordinates();
  // The trapezoidal rule applied to the tangent equations is the derivative of the trapezoidal rule.
  if (is_trapezoidal(problem, method.tolerances) && !is_maggi && !is_stabilized(problem.formulation)) {
    return discrete_direct(problem, parameters, over);
  }
  // Adaptive steps of the tangents become short where loads turn round.
  const bool feels_corners =
      !is_stabilized(problem.formulation) && linear_method(problem.integrator, method.tolerances);
  const Evaluation run = forward_run(problem, parameters, !feels_corners);
  const integrator::Mesh& mesh = run.solution.mesh;
  LinearizedMotion motion(problem, run);
  motion.enter(mesh.t.front(), false);
  motion.at(mesh.t.front());
  TangentBundle bundle(problem, run, over);
  Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.warnings = run.warnings;
  if (is_stabilized(problem.formulation)) {
    out.derivatives.assign(problem.objectives.size(), std::vector<double>(over.size(), 0.0));
    stabilized_tangent(problem, motion, mesh, bundle, out.derivatives);
  } else {
    const auto equations = is_maggi ? maggi_tangent(motion, bundle) : state_tangent(motion, bundle);
    out.derivatives = ForwardIntegration(problem, motion, *equations, bundle)
                          .run(linear_method(problem.integrator, method.tolerances), mesh);
  }
  add_terminal_tangents(problem, run, motion.dynamics(), bundle, out.derivatives);
  return out;
}

}  // namespace perilune::sensitivity
