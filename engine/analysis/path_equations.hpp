// SPDX-License-Identifier: MIT
// The static equations with a parameter p of the model among the unknowns, in the border of an arc length:
//   [ K      Phi_q^T  r_p   ]         r = Phi_q^T lambda - Q(q, 0, t; p),  K = r_q (r_z for first-order states)
//   [ Phi_q  0        Phi_p ]
//   [ b_q    0        b_p   ]         b: the border, along which a step has its length (Riks 1979; Keller 1977)
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/equilibrium.hpp"
#include "analysis/free_stiffness.hpp"
#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::analysis {

class PathEquations {
 public:
  /// A point of the path: q (for first-order states z), lambda, and (p - from) / |to - from|: n + m + 1 numbers.
  using Point = std::vector<double>;

  /// `parameters`: all values; the one number `parameter` goes from its value there towards `to`. `start` fulfils the
  /// equations at its value. Throws NumericalError where they cannot be evaluated there.
  PathEquations(std::shared_ptr<const System> system, std::vector<double> parameters, int parameter, double to,
                double t, const Equilibrium& start);

  const Point& start() const { return start_; }
  double value(const Point& x) const { return from_ + range_ * x.back(); }
  /// As System::make_data has it there, without the switch of statics.
  std::shared_ptr<const Data> data_at(const Point& x) const;

  /// Euclid's product in a metric in which the way of the parameter, the size of the mechanism and a radian are 1. Of
  /// coordinates the mean counts. Multipliers have none.
  double product(const Point& a, const Point& b) const;
  /// The part of it that coordinates have.
  double coordinate_product(const Point& a, const Point& b) const;
  /// The border of which a product with x is product(x, direction).
  Point border_along(const Point& direction) const;
  /// The border that holds the parameter.
  Point border_of_parameter() const;

  /// Newton's method to the point with border . x = level, from where x is. False where it does not get there;
  /// `iterations` are added to.
  bool correct(const Point& border, double level, Point& x, int& iterations);
  /// What the model said where the last corrector failed; empty where it said nothing.
  const std::string& trouble() const { return trouble_; }
  /// The direction of the path at x, of length 1, with a positive product with the border; nothing where the bordered
  /// matrix is singular. What is asked about below is asked about this x.
  std::optional<Point> tangent(const Point& border, const Point& x);
  FreeStiffness stiffness();
  Equilibrium::Stability stability(const FreeStiffness& of);
  Equilibrium equilibrium(const Point& x);

  /// As many neutral directions are taken for such from now on: those of the start that are none elsewhere are not.
  void set_neutral(int count) { neutral_ = count; }
  int neutral() const { return neutral_; }

 private:
  bool is_state(int i) const { return system_->role(i) == model::Role::State; }
  /// Residuals, and what they change by. False where they are not finite. Throws NumericalError where the model has no
  /// data, or forces that read reactions do so at rest.
  bool linearize(const Point& x);
  void scale_coordinates();
  bool factor(const Point& border);
  void solve(Point& right);
  /// What the equations of a tangent have left over at `direction`.
  Point remainder(const Point& border, const Point& direction) const;
  /// Whether that is a force along what nothing holds.
  bool pushes_neutral(const Point& left) const;
  void weigh_states();

  std::shared_ptr<const System> system_;
  std::vector<double> parameters_;
  int parameter_;
  double from_, range_, t_;
  int n_, m_, neutral_ = 0;
  std::shared_ptr<const Data> moving_, data_;  // as for motions, and with the switch of statics thrown
  double data_value_ = 0;
  system::Workspace w_;
  linalg::LinearSolver solver_;
  std::vector<double> q_, v_, lambda_, zero_, weight_, scale_;
  Point residual_, by_parameter_, row_scale_, start_;
  std::string trouble_;
  double border_scale_ = 1, parameter_scale_ = 1, length_ = 1;
};

}  // namespace perilune::analysis
