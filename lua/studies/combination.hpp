// SPDX-License-Identifier: MIT
// The costs of several experiments as one number, and what results say of them.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "studies/experiments.hpp"

namespace perilune::lua {

struct Combination {
  enum class How { Sum, Mean, Worst, MeanAndDeviation };
  How how = How::Sum;
  double deviations = 3;  // of MeanAndDeviation

  /// Of costs of the experiments (E) with their slopes (E x n); writes its slope (n). At equal costs the deviation has
  /// no slope; that of the worst is the first of equals'.
  double value(const std::vector<NamedRun>& experiments, const Eigen::VectorXd& costs, const Eigen::MatrixXd& slopes,
               Eigen::VectorXd& slope) const;
};

/// The schema's fields.
std::vector<Field> combination_fields();
Combination read_combination(Args& args, const std::vector<NamedRun>& experiments, bool has_tolerances = false);

/// Sets the field "experiments" of the table on top of the stack: by name cost, weight, and of the worst multiplier and
/// active; and "by_experiment", the same as text. `multipliers`: of the worst (E); empty otherwise.
void set_costs(lua_State* L, const std::string& objective, const std::vector<NamedRun>& experiments,
               const std::vector<double>& costs, const Eigen::VectorXd& multipliers);

/// The value of objective 0 in each of the experiments.
std::vector<double> costs_of(const std::vector<NamedRun>& experiments, const std::vector<double>& rho);

}  // namespace perilune::lua
