// SPDX-License-Identifier: MIT
// Exact second derivatives of the residual of the equations of motion, as products:
//   R(t, q, v, a, lambda, d) = [M a + Phi_q^T lambda - Q;  c2 Phi'' + c1 Phi' + c0 Phi - kappa lambda]
// (n + m numbers) with respect to z = (q, v, a, lambda, d, t), where Phi' and Phi'' are the time derivatives for q' = v
// and v' = a.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "system/product_steps.hpp"

namespace perilune::system {

/// One object per thread; copies share the tapes. The products allocate nothing and use all of `at`.
class SecondOrder {
 public:
  explicit SecondOrder(const System& system);
  /// Of some elements with n coordinates, m multipliers and `data` differentiated data in all.
  SecondOrder(const std::vector<Elements>& elements, int n, int m, int data, ElementProductCache& products);

  /// out += the gradient with respect to z of w^T DR(z)[direction], for w of n + m numbers.
  void add_gradient(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                    const Direction& direction, PointGradient& out);
  /// The sum of these for several directions, whose w stand behind each other.
  void add_gradient(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                    std::span<const Direction> directions, PointGradient& out);
  /// For the same w, one for each direction: out[k] += that along directions[k].
  void add_gradients(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                     std::span<const Direction> directions, std::span<PointGradient> out);
  /// r += D^2R(z)[first, second], n + m numbers.
  void add_second(const Kinematics& at, const Data& data, const ConstraintLaw& law, const Direction& first,
                  const Direction& second, double* r);
  /// The same for several first directions, whose results stand behind each other in r.
  void add_second(const Kinematics& at, const Data& data, const ConstraintLaw& law, std::span<const Direction> first,
                  const Direction& second, double* r);
  /// r += DR(z)[direction], n + m numbers.
  void add_first(const Kinematics& at, const Data& data, const ConstraintLaw& law, const Direction& direction,
                 double* r);

 private:
  struct Steps {
    ProductSteps gradient, first, second;
  };
  std::shared_ptr<const Steps> steps_;
  ProductRun run_;
  std::size_t size_;  // n + m
};

}  // namespace perilune::system
