// SPDX-License-Identifier: MIT
// The first-order explicit adjoint of all forms whose state is (q, v).
#include "sensitivity/continuous/continuous_equations.hpp"

namespace perilune::sensitivity {

namespace {

class FirstOrderExplicit final : public AdjointEquations {
 public:
  FirstOrderExplicit(const Problem& problem, LinearizedMotion& motion)
      : problem_(problem), motion_(motion), seeds_(*problem.system), work_(problem) {}

  std::size_t size() const override { return 2 * motion_.n(); }

  void begin(std::size_t o, AdjointBundle& bundle, double* y) override {
    std::copy(bundle.q[o].begin(), bundle.q[o].end(), y);
    std::copy(bundle.v[o].begin(), bundle.v[o].end(), y + motion_.n());
  }

  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override {
    const std::size_t n = motion_.n();
    const double *p_q = y, *p_v = y + n;
    seeds_.clear();
    if (const auto& integral = problem_.objectives[o]->integral) {
      seeds_.add(*integral, work_.integral[o], motion_.point(), 1);
    }
    for (std::size_t k = 0; k < n; ++k) {
      seeds_.a[k] += p_v[k];
      seeds_.v(k) += p_q[k];
    }
    motion_.dynamics().adjoint(seeds_.a.data(), seeds_.lambda.data(), seeds_.z.data());
    for (std::size_t k = 0; k < 2 * n; ++k) dy[k] = -seeds_.z[k];
    for (std::size_t k = 0; k < seeds_.data_count(); ++k) data[k] += seeds_.data()[k];
    for (std::size_t k = 0; k < seeds_.parameters.size(); ++k) parameters[k] += seeds_.parameters[k];
  }

  void end(std::size_t o, const double* y, AdjointBundle& bundle) override {
    bundle.q[o].assign(y, y + motion_.n());
    bundle.v[o].assign(y + motion_.n(), y + 2 * motion_.n());
  }

 private:
  const Problem& problem_;
  LinearizedMotion& motion_;
  Seeds seeds_;
  ObjectiveWork work_;
};

}  // namespace

std::unique_ptr<AdjointEquations> first_order_explicit(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<FirstOrderExplicit>(problem, motion);
}

}  // namespace perilune::sensitivity
