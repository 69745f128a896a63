// Reverse differentiation of the integrator's own steps: one backward pass for all parameters, one adjoint per
// objective.
#include "sensitivity/adjoint.hpp"

namespace perilune::sensitivity {

namespace {

/// Keeps the accelerations and multipliers of all stages (their states follow from the mesh), and the factorizations
/// where those are small.
class StageRecorder final : public integrator::StepListener {
 public:
  StageRecorder(const Dynamics& dynamics, const integrator::Tableau& tableau)
      : dynamics_(dynamics),
        n_(static_cast<std::size_t>(dynamics.n())),
        m_(static_cast<std::size_t>(dynamics.m())),
        current_(static_cast<std::size_t>(tableau.stages) * (n_ + m_)),
        current_factors_(static_cast<std::size_t>(tableau.stages)) {}

  void start(double, const double*, const double*, const double*, const double*) override {}
  void begin_step(double, double) override {}
  void stage(int i, double, const double*, const double*, const double* a, const double* lambda, bool fresh) override {
    const auto s = static_cast<std::size_t>(i);
    double* at = current_.data() + s * (n_ + m_);
    std::copy_n(a, n_, at);
    std::copy_n(lambda, m_, at + n_);
    const std::span<const double> numbers = fresh ? dynamics_.factor_numbers() : std::span<const double>();
    current_factors_[s].assign(numbers.begin(), numbers.end());
  }
  void accept(double, double, const double*, const double*) override {
    all_.insert(all_.end(), current_.begin(), current_.end());
    for (const std::vector<double>& numbers : current_factors_) {
      const bool fits = factors_.size() + numbers.size() <= most_factor_numbers;
      if (fits) factors_.insert(factors_.end(), numbers.begin(), numbers.end());
      factor_end_.push_back(factors_.size());
    }
  }

  const double* a(std::size_t step, std::size_t stage) const {
    return all_.data() + step * current_.size() + stage * (n_ + m_);
  }
  const double* lambda(std::size_t step, std::size_t stage) const { return a(step, stage) + n_; }
  std::span<const double> factor(std::size_t step, std::size_t stage) const {
    const std::size_t index = step * current_factors_.size() + stage;
    const std::size_t begin = index == 0 ? 0 : factor_end_[index - 1];
    return {factors_.data() + begin, factor_end_[index] - begin};
  }

 private:
  static constexpr std::size_t most_factor_numbers = 32'000'000;  // 256 MB

  const Dynamics& dynamics_;
  std::size_t n_, m_;
  std::vector<double> current_, all_, factors_;
  std::vector<std::vector<double>> current_factors_;
  std::vector<std::size_t> factor_end_;
};

/// The adjoint of a stage whose state depends on its own a with the weight gamma, v = base + gamma a and q = base +
/// gamma v (0: an explicit stage). The seeds become adjoints of the bases.
void reverse_stage(double gamma, Dynamics& dynamics, Seeds& seeds, std::vector<double>& w) {
  if (gamma == 0) {
    dynamics.adjoint(seeds.a.data(), seeds.lambda.data(), seeds.z.data());
    return;
  }
  const std::size_t n = seeds.a.size();
  for (std::size_t k = 0; k < n; ++k) w[k] = seeds.a[k] + gamma * (seeds.v(k) + gamma * seeds.q(k));
  std::copy(seeds.lambda.begin(), seeds.lambda.end(), w.begin() + static_cast<std::ptrdiff_t>(n));
  dynamics.solve_transposed(w.data());
  dynamics.subtract_partials_transposed(w.data(), seeds.z.data());
  for (std::size_t k = 0; k < n; ++k) seeds.v(k) += gamma * seeds.q(k);
}

void backward_stages(const Problem& problem, const Evaluation& run, Dynamics& dynamics, const StageRecorder& stages,
                     AdjointBundle& bundle) {
  const integrator::Tableau& tableau = integrator::tableau_of(problem.integrator);
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::vector<double>& rho = run.data->parameters;
  const auto n = static_cast<std::size_t>(mesh.n), s = static_cast<std::size_t>(tableau.stages);
  const std::size_t objectives = problem.objectives.size();
  std::vector<double> q(s * n), v(s * n), w(n + static_cast<std::size_t>(mesh.m));
  std::vector<std::vector<double>> to_v(objectives, std::vector<double>(s * n)), to_a(to_v);  // adjoints of q' and v'
  Seeds seeds(*problem.system);
  ObjectiveWork work(problem);
  // A stage that nothing depends on needs no adjoint (the last one of Dormand-Prince).
  std::vector<bool> used(s);
  for (std::size_t i = s; i-- > 0;) {
    used[i] = tableau.b[i] != 0;
    for (std::size_t j = i + 1; j < s; ++j) used[i] = used[i] || (used[j] && tableau.a[j][i] != 0);
  }
  for (std::size_t step = mesh.size() - 1; step-- > 0;) {
    check_interrupt();
    const double h = mesh.t[step + 1] - mesh.t[step];
    for (std::size_t i = 0; i < s; ++i) {
      double *qi = q.data() + i * n, *vi = v.data() + i * n;
      std::copy_n(mesh.q_at(step), n, qi);
      std::copy_n(mesh.v_at(step), n, vi);
      for (std::size_t j = 0; j < i; ++j) {
        const double weight = h * tableau.a[i][j];
        if (weight == 0) continue;
        const double *dq = v.data() + j * n, *dv = stages.a(step, j);
        for (std::size_t k = 0; k < n; ++k) {
          qi[k] += weight * dq[k];
          vi[k] += weight * dv[k];
        }
      }
      const double own = h * tableau.own(i);
      const double* ai = stages.a(step, i);
      for (std::size_t k = 0; own != 0 && k < n; ++k) {
        vi[k] += own * ai[k];
        qi[k] += own * vi[k];
      }
    }
    for (std::size_t o = 0; o < objectives; ++o) {
      for (std::size_t i = 0; i < s; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
          to_v[o][i * n + k] = h * tableau.b[i] * bundle.q[o][k];
          to_a[o][i * n + k] = h * tableau.b[i] * bundle.v[o][k];
        }
      }
    }
    for (std::size_t i = s; i-- > 0;) {
      if (!used[i]) continue;
      const double t = mesh.t[step] + tableau.c[i] * h;
      const double *qi = q.data() + i * n, *vi = v.data() + i * n;
      const double *ai = stages.a(step, i), *lambda = stages.lambda(step, i);
      const double own = h * tableau.own(i);
      if (own == 0) {
        dynamics.linearize_again(t, qi, vi, ai, lambda, stages.factor(step, i));
      } else {
        dynamics.linearize(t, qi, vi, ai, lambda, true, true);
        dynamics.factor_shifted(own, t);
      }
      for (std::size_t o = 0; o < objectives; ++o) {
        seeds.clear();
        if (problem.objectives[o]->integral && tableau.b[i] != 0) {
          seeds.add(*problem.objectives[o]->integral, work.integral[o], {t, qi, vi, ai, lambda, rho.data()},
                    h * tableau.b[i]);
        }
        for (std::size_t k = 0; k < n; ++k) {
          seeds.a[k] += to_a[o][i * n + k];
          seeds.v(k) += to_v[o][i * n + k];
        }
        reverse_stage(own, dynamics, seeds, w);
        bundle.add_integrals(o, seeds);
        for (std::size_t k = 0; k < n; ++k) {
          bundle.q[o][k] += seeds.q(k);
          bundle.v[o][k] += seeds.v(k);
        }
        for (std::size_t j = 0; j < i; ++j) {
          const double factor = h * tableau.a[i][j];
          if (factor == 0) continue;
          for (std::size_t k = 0; k < n; ++k) {
            to_v[o][j * n + k] += factor * seeds.q(k);
            to_a[o][j * n + k] += factor * seeds.v(k);
          }
        }
      }
    }
  }
}

}  // namespace

Gradient discrete_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over) {
  Evaluation run = prepare(problem, parameters);
  Dynamics dynamics(problem.system, run.data, problem.formulation);
  StageRecorder stages(dynamics, integrator::tableau_of(problem.integrator));
  simulate(problem, dynamics, nullptr, {&stages}, run);
  require_complete(run.solution);
  AdjointBundle bundle(problem, run, dynamics);
  backward_stages(problem, run, dynamics, stages, bundle);
  return bundle.finish(problem, run, over);
}

}  // namespace perilune::sensitivity
