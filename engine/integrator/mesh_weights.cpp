// SPDX-License-Identifier: MIT
#include "integrator/mesh_weights.hpp"

namespace perilune::integrator {

namespace {

/// The derivative of an order of s^power.
double monomial(int power, int order, double s) {
  double factor = 1;
  for (; order > 0; --order) factor *= power--;
  if (factor == 0) return 0;
  for (; power > 0; --power) factor *= s;
  return factor;
}

}  // namespace

HermiteWeights hermite_weights(int order, double theta, double h) {
  const auto power = [&](int k) { return monomial(k, order, theta); };
  // What remains of q1, h v1 and h^2 a1 when the parabola of the first point has been subtracted is spread by these.
  const double of_q = 10 * power(3) - 15 * power(4) + 6 * power(5), of_v = -4 * power(3) + 7 * power(4) - 3 * power(5),
               of_a = power(3) / 2 - power(4) + power(5) / 2;
  HermiteWeights out{
      power(0) - of_q, h * (power(1) - of_q - of_v), h * h * (power(2) / 2 - of_q / 2 - of_v - of_a), of_q, h * of_v,
      h * h * of_a};
  for (; order > 0; --order) {
    for (double& weight : out) weight /= h;
  }
  return out;
}

Times lagrange_weights(const Times& times, std::size_t count, double t) {
  Times out{};
  for (std::size_t j = 0; j < count; ++j) {
    out[j] = 1;
    for (std::size_t k = 0; k < count; ++k) {
      if (k != j) out[j] *= (t - times[k]) / (times[j] - times[k]);
    }
  }
  return out;
}

Times lagrange_slopes(const Times& times, std::size_t count, double t) {
  Times out{};
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t l = 0; l < count; ++l) {
      if (l == j) continue;
      double product = 1 / (times[j] - times[l]);
      for (std::size_t k = 0; k < count; ++k) {
        if (k != j && k != l) product *= (t - times[k]) / (times[j] - times[k]);
      }
      out[j] += product;
    }
  }
  return out;
}

}  // namespace perilune::integrator
