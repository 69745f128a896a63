// Forward differentiation of the integrator's own steps, several parameter directions at a time, sharing the
// factorizations of the simulation.
#include "sensitivity/tangent.hpp"

namespace perilune::sensitivity {

namespace {

class TangentListener final : public integrator::StepListener {
 public:
  TangentListener(const Problem& problem, Dynamics& dynamics, TangentBundle& bundle, const std::vector<double>& rho)
      : derivatives(problem.objectives.size(), std::vector<double>(static_cast<std::size_t>(bundle.count), 0.0)),
        problem_(problem),
        dynamics_(dynamics),
        bundle_(bundle),
        rho_(rho),
        tableau_(integrator::tableau_of(problem.integrator)),
        n_(static_cast<std::size_t>(bundle.n)),
        m_(static_cast<std::size_t>(bundle.m)),
        work_(problem),
        pending_(derivatives),
        last_(derivatives),
        next_(derivatives),
        x_(n_ + m_) {
    const std::size_t stages = tableau_ ? static_cast<std::size_t>(tableau_->stages) : 1;
    for (int p = 0; p < bundle.count; ++p) {
      directions_.push_back({std::vector<double>(stages * n_), std::vector<double>(stages * n_),
                             std::vector<double>(stages * m_), std::vector<double>(n_)});
    }
    for (std::size_t k = 0; k < problem.objectives.size(); ++k) {
      seeds_.emplace_back(bundle.n, bundle.m, problem.system->parameter_count());
    }
  }

  void start(double t, const double* q, const double* v, const double* a, const double* lambda) override {
    dynamics_.linearize(t, q, v, a, lambda, true, true);
    for (std::size_t p = 0; p < directions_.size(); ++p) {
      Direction& d = directions_[p];
      dynamics_.tangent(bundle_.q[p].data(), bundle_.v[p].data(), bundle_.data[p].data(), d.a.data(), d.lambda.data());
      std::copy(bundle_.v[p].begin(), bundle_.v[p].end(), d.v.begin());
      d.stage_q = bundle_.q[p];
    }
    if (!tableau_) add_integrals(last_, {t, q, v, a, lambda, rho_.data()}, 1, 0);
    if (tableau_ && tableau_->first_same_as_last) remember_first_stage(0);
  }

  void begin_step(double, double h) override {
    h_ = h;
    for (auto& row : pending_) std::fill(row.begin(), row.end(), 0.0);
  }

  void stage(int i, double t, const double* q, const double* v, const double* a, const double* lambda,
             bool fresh) override {
    const auto s = static_cast<std::size_t>(i);
    const double weight = h_ * tableau_->b[s];
    const bool is_known = i == 0 && !fresh;  // the last stage of the previous step
    if (!is_known) dynamics_.linearize(t, q, v, a, lambda, true, !fresh);
    for (std::size_t p = 0; p < directions_.size(); ++p) {
      Direction& d = directions_[p];
      for (std::size_t k = 0; k < n_; ++k) {
        double dq = 0, dv = 0;
        for (std::size_t j = 0; j < s; ++j) {
          dq += tableau_->a[s][j] * d.v[j * n_ + k];
          dv += tableau_->a[s][j] * d.a[j * n_ + k];
        }
        d.stage_q[k] = bundle_.q[p][k] + h_ * dq;
        d.v[s * n_ + k] = bundle_.v[p][k] + h_ * dv;
      }
      if (is_known) {
        std::copy(first_[p].begin(), first_[p].begin() + static_cast<std::ptrdiff_t>(n_), d.a.begin());
        std::copy(first_[p].begin() + static_cast<std::ptrdiff_t>(n_), first_[p].end(), d.lambda.begin());
      } else {
        dynamics_.tangent(d.stage_q.data(), d.v.data() + s * n_, bundle_.data[p].data(), d.a.data() + s * n_,
                          d.lambda.data() + s * m_);
      }
    }
    if (weight != 0) add_integrals(pending_, {t, q, v, a, lambda, rho_.data()}, weight, s);
  }

  void implicit_end(double t, double h, const double* q, const double* v, const double* a,
                    const double* lambda) override {
    const double gamma = h / 2;
    dynamics_.linearize(t, q, v, a, lambda, true, true);
    dynamics_.factor_shifted(gamma, t);
    for (std::size_t p = 0; p < directions_.size(); ++p) {
      Direction& d = directions_[p];
      for (std::size_t k = 0; k < n_; ++k) {
        d.v[k] = bundle_.v[p][k] + gamma * d.a[k];
        d.stage_q[k] = bundle_.q[p][k] + gamma * (bundle_.v[p][k] + d.v[k]);
      }
      dynamics_.negative_partials(d.stage_q.data(), d.v.data(), bundle_.data[p].data(), x_.data());
      dynamics_.solve(x_.data());
      std::copy_n(x_.begin(), n_, d.a.begin());
      std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(n_), m_, d.lambda.begin());
      for (std::size_t k = 0; k < n_; ++k) {
        d.v[k] += gamma * d.a[k];
        d.stage_q[k] += gamma * gamma * d.a[k];
      }
    }
    for (auto& row : next_) std::fill(row.begin(), row.end(), 0.0);
    add_integrals(next_, {t, q, v, a, lambda, rho_.data()}, 1, 0);
    for (std::size_t k = 0; k < pending_.size(); ++k) {
      for (std::size_t p = 0; p < directions_.size(); ++p) pending_[k][p] = gamma * (last_[k][p] + next_[k][p]);
    }
    last_.swap(next_);
  }

  void accept(double, double, const double*, const double*) override {
    for (std::size_t p = 0; p < directions_.size(); ++p) {
      Direction& d = directions_[p];
      if (tableau_) {
        for (std::size_t k = 0; k < n_; ++k) {
          for (std::size_t j = 0; j < tableau_->b.size(); ++j) {
            bundle_.q[p][k] += h_ * tableau_->b[j] * d.v[j * n_ + k];
            bundle_.v[p][k] += h_ * tableau_->b[j] * d.a[j * n_ + k];
          }
        }
      } else {
        bundle_.q[p] = d.stage_q;
        std::copy_n(d.v.begin(), n_, bundle_.v[p].begin());
      }
    }
    if (tableau_ && tableau_->first_same_as_last) {
      remember_first_stage(static_cast<std::size_t>(tableau_->stages - 1));
    }
    for (std::size_t k = 0; k < derivatives.size(); ++k) {
      for (std::size_t p = 0; p < directions_.size(); ++p) derivatives[k][p] += pending_[k][p];
    }
  }

  std::vector<std::vector<double>> derivatives;  // [objective][direction], integral parts

 private:
  struct Direction {
    std::vector<double> v, a, lambda;  // per stage
    std::vector<double> stage_q;
  };

  void remember_first_stage(std::size_t s) {
    first_.resize(directions_.size(), std::vector<double>(n_ + m_));
    for (std::size_t p = 0; p < directions_.size(); ++p) {
      std::copy_n(directions_[p].a.begin() + static_cast<std::ptrdiff_t>(s * n_), n_, first_[p].begin());
      std::copy_n(directions_[p].lambda.begin() + static_cast<std::ptrdiff_t>(s * m_), m_,
                  first_[p].begin() + static_cast<std::ptrdiff_t>(n_));
    }
  }

  void add_integrals(std::vector<std::vector<double>>& into, const system::MotionPoint& at, double weight,
                     std::size_t s) {
    for (std::size_t k = 0; k < problem_.objectives.size(); ++k) {
      if (!problem_.objectives[k]->integral) continue;
      seeds_[k].clear();
      seeds_[k].add(*problem_.objectives[k]->integral, work_.integral[k], at, weight);
      for (std::size_t p = 0; p < directions_.size(); ++p) {
        const Direction& d = directions_[p];
        add_directional(seeds_[k], bundle_.over, static_cast<int>(p), d.stage_q.data(), d.v.data() + s * n_,
                        d.a.data() + s * n_, d.lambda.data() + s * m_, into[k][p]);
      }
    }
  }

  const Problem& problem_;
  Dynamics& dynamics_;
  TangentBundle& bundle_;
  const std::vector<double>& rho_;
  const integrator::Tableau* tableau_;
  std::size_t n_, m_;
  ObjectiveWork work_;
  std::vector<Seeds> seeds_;
  std::vector<Direction> directions_;
  std::vector<std::vector<double>> pending_, last_, next_, first_;
  std::vector<double> x_;
  double h_ = 0;
};

}  // namespace

Gradient discrete_direct(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over) {
  Evaluation run = prepare(problem, parameters);
  TangentBundle bundle(problem, run, over);
  Dynamics dynamics(problem.system, run.data, problem.formulation);
  TangentListener listener(problem, dynamics, bundle, parameters);
  simulate(problem, dynamics, nullptr, {&listener}, run);
  require_complete(run.solution);
  Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.derivatives = std::move(listener.derivatives);
  add_terminal_tangents(problem, run, dynamics, bundle, out.derivatives);
  return out;
}

}  // namespace perilune::sensitivity
