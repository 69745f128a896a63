// SPDX-License-Identifier: MIT
// Time derivatives of the coefficients of the linearized equations of motion along a motion, as products: R as in
// second_order.hpp, z' = (v, a, a', lambda', 0, 1). Only what these equations ask for, which costs a fraction of the
// products of SecondOrder.
#pragma once
#include <memory>

#include "system/product_steps.hpp"

namespace perilune::system {

/// One object per thread; copies share the tapes. The products allocate nothing.
class MotionRates {
 public:
  explicit MotionRates(const System& system);
  /// Of some elements with n coordinates and m multipliers in all.
  MotionRates(const std::vector<Elements>& elements, int n, int m, ElementProductCache& products,
              bool has_second_rates = false);
  /// With add_second_rates(), which few systems ask for.
  static MotionRates with_second_rates(const System& system);

  /// What moves: a point with a and lambda, their rates, data and the law of the constraints.
  struct Point {
    Kinematics at;
    const double* a_rate;       // of n numbers
    const double* lambda_rate;  // of m
    const Data* data;
    ConstraintLaw law;
  };
  /// r += R_t at constant q, v, a and lambda, n + m numbers.
  void add_time_partial(const Kinematics& at, const Data& data, const ConstraintLaw& law, double* r);
  /// r += D^2R[z', z'], n + m numbers.
  void add_curvature(const Point& point, double* r);
  /// out += d/dt (R_v)^T w, d/dt (R_a)^T w and d/dt (R_lambda)^T w at constant w (n + m numbers), as far as wanted.
  void add_rates_of_rows(const Point& point, const double* w, const PointGradient& out);
  /// out += d^2/dt^2 (R_a)^T w and d^2/dt^2 (R_lambda)^T w at constant w; a'' and lambda'' are given.
  void add_second_rates(const Point& point, const double* a_second, const double* lambda_second, const double* w,
                        const PointGradient& out);
  /// Of `count` vectors x of n numbers behind each other: out += C'^T x for C = R_v of the forces.
  void add_damping_rates(const Point& point, int count, const double* x, double* out);
  /// rate += M' x, second += M'' x, nullptr where they are not wanted.
  void add_mass_rates(const Kinematics& at, const Data& data, int count, const double* x, double* rate, double* second);

 private:
  struct Steps {
    ProductSteps rates_of_rows, damping_rates, mass_rates, time_partial, curvature, second_rates;
  };
  void set(const Point& point, std::size_t count = 1);

  std::shared_ptr<const Steps> steps_;
  ProductRun run_;
  std::vector<PointGradient> gradients_;  // of the products that are computed at once
  std::size_t n_;
};

}  // namespace perilune::system
