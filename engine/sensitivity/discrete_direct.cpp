// Forward differentiation of the integrator's own steps, several parameter directions at a time, sharing the
// factorizations of the simulation.
#include "sensitivity/tangent.hpp"

namespace perilune::sensitivity {

namespace {

class TangentListener final : public integrator::StepListener {
 public:
  /// `quadrature` listens before this one: its values of the integrands are used here.
  TangentListener(const Problem& problem, Dynamics& dynamics, TangentBundle& bundle, Quadrature& quadrature)
      : derivatives(problem.objectives.size(), std::vector<double>(static_cast<std::size_t>(bundle.count), 0.0)),
        problem_(problem),
        dynamics_(dynamics),
        bundle_(bundle),
        quadrature_(quadrature),
        tableau_(integrator::tableau_of(problem.integrator)),
        half_(bundle.half()),
        x_size_(static_cast<std::size_t>((bundle.n + bundle.m) * bundle.count)),
        x_(x_size_ * static_cast<std::size_t>(tableau_.stages)),
        first_x_(x_size_),
        pending_(derivatives) {
    // Every state brings along the tangents of the data, which never change.
    for (int i = 0; i <= tableau_.stages; ++i) z_.insert(z_.end(), bundle.z.begin(), bundle.z.end());
  }

  void start(double t, const double* q, const double* v, const double* a, const double* lambda) override {
    if (!tableau_.first_same_as_last) return;
    dynamics_.linearize(t, q, v, a, lambda, true, true);
    dynamics_.tangent(bundle_.z.data(), bundle_.count, first_x_.data());
  }

  void begin_step(double, double h) override {
    h_ = h;
    clear(pending_);
  }

  void stage(int i, double t, const double* q, const double* v, const double* a, const double* lambda,
             bool fresh) override {
    const auto s = static_cast<std::size_t>(i);
    double *xs = x_.data() + s * x_size_, *zs = stage_z(s);
    if (zs != bundle_.z.data()) combine(tableau_.a[s], zs);
    if (tableau_.own(s) != 0) {
      implicit_stage(h_ * tableau_.own(s), t, q, v, a, lambda, zs, xs);
    } else if (i == 0 && !fresh) {  // the last stage of the previous step
      std::copy(first_x_.begin(), first_x_.end(), xs);
    } else {
      dynamics_.linearize(t, q, v, a, lambda, true, !fresh);
      dynamics_.tangent(zs, bundle_.count, xs);
    }
    const double weight = h_ * tableau_.b[s];
    if (weight != 0) add_integrals(pending_, weight, zs, xs);
  }

  void accept(double, double, const double*, const double*) override {
    combine(tableau_.b, z_.data());
    if (tableau_.first_same_as_last) {
      std::copy_n(x_.end() - static_cast<std::ptrdiff_t>(x_size_), x_size_, first_x_.begin());
    }
    std::copy_n(z_.begin(), 2 * half_, bundle_.z.begin());
    for (std::size_t o = 0; o < derivatives.size(); ++o) {
      for (std::size_t p = 0; p < derivatives[o].size(); ++p) derivatives[o][p] += pending_[o][p];
    }
  }

  std::vector<std::vector<double>> derivatives;  // [objective][direction], integral parts

 private:
  static void clear(std::vector<std::vector<double>>& rows) {
    for (auto& row : rows) std::fill(row.begin(), row.end(), 0.0);
  }

  /// Tangents at the state of a stage, stacked; an explicit first stage is the start of the step.
  double* stage_z(std::size_t s) {
    return s == 0 && tableau_.own(0) == 0 ? bundle_.z.data() : z_.data() + (s + 1) * bundle_.z.size();
  }

  /// The stage's v = base + gamma a and q = base + gamma v with R(q, v, a, lambda) = 0; z holds the tangents of the
  /// bases and becomes those of q and v.
  void implicit_stage(double gamma, double t, const double* q, const double* v, const double* a, const double* lambda,
                      double* z, double* x) {
    dynamics_.linearize(t, q, v, a, lambda, true, true);
    dynamics_.factor_shifted(gamma, t);
    for (std::size_t k = 0; k < half_; ++k) z[k] += gamma * z[half_ + k];
    dynamics_.negative_partials(z, bundle_.count, x);
    dynamics_.solve_many(x, bundle_.count);
    for (std::size_t k = 0; k < half_; ++k) {
      z[half_ + k] += gamma * x[k];
      z[k] += gamma * gamma * x[k];
    }
  }

  /// Tangents of q and v at the start of the step plus h times the weighted stage tangents. Everything is written only
  /// once before it is read again: copies in larger pieces would have to wait for what was just written.
  void combine(const std::vector<double>& weights, double* z) {
    const double* from = bundle_.z.data();
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double weight = h_ * weights[j];
      if (weight == 0) continue;
      const double *dv = stage_z(j) + half_, *da = x_.data() + j * x_size_;
#pragma GCC ivdep  // what is read is either the same entry or stands elsewhere
      for (std::size_t k = 0; k < half_; ++k) {
        z[k] = from[k] + weight * dv[k];
        z[half_ + k] = from[half_ + k] + weight * da[k];
      }
      from = z;
    }
    if (from != z) std::copy_n(from, 2 * half_, z);
  }

  /// Where the quadrature just evaluated the integrands.
  void add_integrals(std::vector<std::vector<double>>& into, double weight, const double* z, const double* x) {
    for (std::size_t o = 0; o < problem_.objectives.size(); ++o) {
      if (!problem_.objectives[o]->integral) continue;
      add_directional(*problem_.objectives[o]->integral, quadrature_.work(o), weight, bundle_, z, x, into[o].data());
    }
  }

  const Problem& problem_;
  Dynamics& dynamics_;
  TangentBundle& bundle_;
  Quadrature& quadrature_;
  const integrator::Tableau& tableau_;
  std::size_t half_, x_size_;
  std::vector<double> z_;        // stacked tangents: at the end of the step, then at the stages
  std::vector<double> x_;        // per stage: tangents of accelerations and multipliers
  std::vector<double> first_x_;  // of the next step's first stage, where it equals this step's last
  std::vector<std::vector<double>> pending_;
  double h_ = 0;
};

}  // namespace

Gradient discrete_direct(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over) {
  Evaluation run = prepare(problem, parameters);
  TangentBundle bundle(problem, run, over);
  Dynamics dynamics(problem.system, run.data, problem.formulation);
  Quadrature quadrature(problem, run.data->parameters);
  TangentListener listener(problem, dynamics, bundle, quadrature);
  simulate(problem, dynamics, nullptr, quadrature, {&listener}, run);
  require_complete(run.solution);
  Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.derivatives = std::move(listener.derivatives);
  add_terminal_tangents(problem, run, dynamics, bundle, out.derivatives);
  return out;
}

}  // namespace perilune::sensitivity
