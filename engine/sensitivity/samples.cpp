// SPDX-License-Identifier: MIT
#include "sensitivity/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "at_time.hpp"
#include "error.hpp"
#include "integrator/mesh_weights.hpp"
#include "sensitivity/discrete/tangent_listener.hpp"
#include "simulation/point_finder.hpp"

namespace perilune::sensitivity {

namespace {

using formulation::Node;
using formulation::TangentNode;
using integrator::March;

/// Weights of q0, h v0, h^2 a0, q1, h v1, h^2 a1 in the polynomial and its first two derivatives by s, the part of the
/// step that has passed.
struct Polynomial {
  explicit Polynomial(double s)
      : of{integrator::hermite_weights(0, s, 1), integrator::hermite_weights(1, s, 1),
           integrator::hermite_weights(2, s, 1)} {}
  const integrator::HermiteWeights& operator[](std::size_t derivative) const { return of[derivative]; }

  std::array<integrator::HermiteWeights, 3> of;
};

/// Reads samples off the steps as they are accepted.
class SampleListener final : public integrator::StepListener {
 public:
  /// `tangents` and `bundle` may be null; the tangents listen before this one.
  SampleListener(const Problem& problem, const Evaluation& start, Motion& motion, const Measure& functions,
                 std::span<const Sample> samples, const TangentBundle* bundle, TangentListener* tangents)
      : motion_(motion),
        parameters_(start.data->parameters),
        functions_(functions),
        samples_(samples),
        bundle_(bundle),
        tangents_(tangents),
        n_(static_cast<std::size_t>(motion.n())),
        count_(bundle ? static_cast<std::size_t>(bundle->count) : 0),
        needs_dynamics_(functions.reads(expr::Quantity::Acceleration) || functions.reads(expr::Quantity::Multiplier)),
        from_(3 * n_),
        q_(n_),
        v_(n_),
        rate_of_v_(n_),
        work_(functions.make_work()),
        rate_work_(work_) {
    if (needs_dynamics_) finder_.emplace(problem.system, start.data, problem.formulation);
    out.values.resize(samples.size());
    out.rates.resize(samples.size());
    out.derivatives.resize(samples.size() * count_);
    if (!bundle) return;
    from_tangents_.resize(3 * n_ * count_);
    to_tangents_ = from_tangents_;
    start_times_.resize(count_);
    z_ = bundle->z;
    x_.resize((n_ + static_cast<std::size_t>(motion.m())) * count_);
    u_ = x_;
  }

  void start(const March& march) override {
    keep(march.node(-1));
    if (tangents_) keep(tangents_->node(march, -1), from_tangents_);
  }
  void begin_step(const March&) override {}
  void group(const March&, std::size_t) override {}

  void accept(const March& march) override {
    const Node& end = march.node(march.plan().end);
    if (tangents_) keep(tangents_->end(), to_tangents_);
    const double h = end.t - from_t_;
    if (h > 0) {
      end_ = &end;
      h_ = h;
      if (needs_dynamics_) finder_->motion().set_sides(motion_.sides());
      const double last = end.t + 1e-12 * std::max(h, std::abs(end.t));
      while (next_ < samples_.size() && samples_[next_].t <= last) read_next();
    }
    keep(end);
    std::swap(from_tangents_, to_tangents_);
    if (tangents_) start_times_ = tangents_->end_times();
  }

  std::size_t count_read() const { return next_; }

  Samples out;

 private:
  void keep(const Node& x) {
    from_t_ = x.t;
    std::copy_n(x.q, n_, from_.data());
    std::copy_n(x.v, n_, from_.data() + n_);
    std::copy_n(x.a, n_, from_.data() + 2 * n_);
  }

  void keep(const TangentNode& y, std::vector<double>& to) const {
    std::copy_n(y.z, 2 * n_ * count_, to.data());
    std::copy_n(y.x, n_ * count_, to.data() + 2 * n_ * count_);
  }

  /// Calls use(i, numbers) with q0, h v0, h^2 a0, q1, h v1, h^2 a1 of every coordinate.
  template <class Use>
  void for_coordinates(Use&& use) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const double numbers[6] = {from_[i],   h_ * from_[n_ + i], h_ * h_ * from_[2 * n_ + i],
                                 end_->q[i], h_ * end_->v[i],    h_ * h_ * end_->a[i]};
      use(i, numbers);
    }
  }

  static double sum(const std::array<double, 6>& weights, const double* numbers) {
    double total = 0;
    for (std::size_t j = 0; j < 6; ++j) total += weights[j] * numbers[j];
    return total;
  }

  /// Into q, v and, if wanted, the rate of v.
  void interpolate(double s, std::vector<double>& q, std::vector<double>& v, std::vector<double>* rate_of_v) const {
    const Polynomial w(s);
    for_coordinates([&](std::size_t i, const double* numbers) {
      q[i] = sum(w[0], numbers);
      v[i] = sum(w[1], numbers) / h_;
      if (rate_of_v) (*rate_of_v)[i] = sum(w[2], numbers) / (h_ * h_);
    });
  }

  system::MotionPoint point_at(double t, double s, std::vector<double>* rate_of_v) {
    interpolate(s, q_, v_, rate_of_v);
    if (!needs_dynamics_) return {t, q_.data(), v_.data(), nullptr, nullptr, parameters_.data()};
    const Node x = finder_->find(t, q_.data(), v_.data());
    return {t, x.q, x.v, x.a, x.lambda, parameters_.data()};
  }

  void read_next() {
    const Sample& sample = samples_[next_];
    const double s = std::clamp((sample.t - from_t_) / h_, 0.0, 1.0);
    const system::MotionPoint at = point_at(sample.t, s, &rate_of_v_);
    functions_.evaluate(at, work_);
    const double value = functions_.value(work_, sample.function);
    if (!std::isfinite(value)) throw NumericalError(at_time(sample.t) + "a signal is not a finite number");
    out.values[next_] = value;
    if (tangents_) find_derivatives(at, s, sample.function);
    // The differences overwrite the point.
    if (sample.wants_rate) out.rates[next_] = needs_dynamics_ ? difference(sample, s) : slope(at, sample.function);
    ++next_;
  }

  double slope(const system::MotionPoint& at, int function) const {
    return functions_.slope(at, function, {1, v_.data(), rate_of_v_.data(), nullptr, nullptr, nullptr});
  }

  double difference(const Sample& sample, double s) {
    constexpr double step = 1e-3;  // of the step; the polynomial goes on a little beyond its ends
    double total = 0;
    const double offsets[] = {-2, -1, 1, 2}, weights[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    for (int i = 0; i < 4; ++i) {
      const double shift = offsets[i] * step;
      functions_.evaluate(point_at(sample.t + shift * h_, s + shift, nullptr), rate_work_);
      total += weights[i] * functions_.value(rate_work_, sample.function);
    }
    return total / (step * h_);
  }

  /// Of the interpolated point at a fixed time, where the ends of the step may move.
  void find_tangents(double s) {
    const Polynomial w(s);
    const std::vector<double>& end_times = tangents_->end_times();
    const double powers[6] = {1, h_, h_ * h_, 1, h_, h_ * h_};
    const double orders[6] = {0, 1, 2, 0, 1, 2};  // of h in each number
    const double* blocks[6];
    for (std::size_t j = 0; j < 3; ++j) {
      blocks[j] = from_tangents_.data() + j * n_ * count_;
      blocks[3 + j] = to_tangents_.data() + j * n_ * count_;
    }
    for_coordinates([&](std::size_t i, const double* numbers) {
      double q_by_h = 0, v_by_h = 0;  // at fixed s
      for (std::size_t j = 0; j < 6; ++j) {
        q_by_h += w[0][j] * numbers[j] * orders[j] / h_;
        v_by_h += w[1][j] * numbers[j] * (orders[j] - 1) / (h_ * h_);
      }
      const double q_by_s = sum(w[1], numbers), v_by_s = sum(w[2], numbers) / h_;
      for (std::size_t k = 0; k < count_; ++k) {
        double dq = 0, dv = 0;
        for (std::size_t j = 0; j < 6; ++j) {
          const double tangent = powers[j] * blocks[j][i * count_ + k];
          dq += w[0][j] * tangent;
          dv += w[1][j] * tangent;
        }
        const double dh = end_times[k] - start_times_[k], ds = -(start_times_[k] + s * dh) / h_;
        z_[i * count_ + k] = dq + q_by_h * dh + q_by_s * ds;
        z_[(n_ + i) * count_ + k] = dv / h_ + v_by_h * dh + v_by_s * ds;
      }
    });
  }

  void find_derivatives(const system::MotionPoint& at, double s, int function) {
    find_tangents(s);
    if (needs_dynamics_) {
      Motion& motion = finder_->motion();
      const TangentNode y{z_.data(), x_.data(), motion.has_own_rate() ? u_.data() : z_.data() + n_ * count_,
                          motion.has_own_rate() ? u_.data() + n_ * count_ : nullptr};
      motion.linearize_point(finder_->last(at.t), Motion::Here::Just, {});
      motion.tangent_point(bundle_->count, y);
    }
    add_directional(functions_, work_, 1, *bundle_, z_.data(), x_.data(), out.derivatives.data() + next_ * count_,
                    function);
  }

  Motion& motion_;
  const std::vector<double>& parameters_;
  const Measure& functions_;
  std::span<const Sample> samples_;
  const TangentBundle* bundle_;
  TangentListener* tangents_;
  std::size_t n_, count_;
  bool needs_dynamics_;
  std::optional<simulation::PointFinder> finder_;
  std::size_t next_ = 0;
  double from_t_ = 0, h_ = 0;
  const Node* end_ = nullptr;
  std::vector<double> from_;                         // q, v, a where the step starts
  std::vector<double> from_tangents_, to_tangents_;  // of q, v, a there and at its end
  std::vector<double> start_times_;                  // tangents of the time it starts at
  std::vector<double> q_, v_, rate_of_v_;
  std::vector<double> z_, x_, u_;  // tangents of the point
  std::vector<double> work_, rate_work_;
};

}  // namespace

Samples sample(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>* over,
               const Measure& functions, std::span<const Sample> samples) {
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  Quadrature quadrature(problem, run.data->parameters);
  std::optional<TangentBundle> bundle;
  std::optional<TangentListener> tangents;
  if (over) {
    bundle.emplace(problem, run, *over);
    tangents.emplace(problem, *motion, *bundle, quadrature, TangentListener::Readers::Others);
  }
  SampleListener listener(problem, run, *motion, functions, samples, over ? &*bundle : nullptr,
                          over ? &*tangents : nullptr);
  std::vector<integrator::StepListener*> listeners;
  if (over) listeners.push_back(&*tangents);
  listeners.push_back(&listener);
  simulate(problem, *motion, nullptr, quadrature, listeners, run, simulation::Keep::Ends);
  require_complete(run.solution);
  if (listener.count_read() < samples.size()) {
    throw Error(at_time(samples[listener.count_read()].t) + "a sample lies behind the end of the run");
  }
  Samples out = std::move(listener.out);
  out.warnings = run.warnings;
  return out;
}

}  // namespace perilune::sensitivity
