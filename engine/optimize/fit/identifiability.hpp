// SPDX-License-Identifier: MIT
// Which combinations of variables the data of a fit tell, and which they do not.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

namespace perilune::optimize {

/// Variables that change together. The coefficients (one per variable) are relative changes, each of the size of its
/// variable; the largest has the magnitude 1, and those without a part in it are 0. In a weak combination so are those
/// below a twentieth.
struct Combination {
  Eigen::VectorXd coefficients;
  double singular_value = 0;  ///< of the Jacobian with unit columns along it, relative to the largest
  double reach = 0;  ///< relative change of the variable that changes most, for one standard error along it; infinite
                     ///< where the data tell nothing
  std::string text;  ///< as "1 * mass - 1 * inertia"
};

/// A Jacobian's singular directions, with its columns scaled to unit norm.
struct Identifiability {
  Eigen::VectorXd singular_values;  ///< of the scaled Jacobian, falling (as many as variables)
  Eigen::MatrixXd unit_covariance;  ///< (J^T J)^-1 within the directions that the data tell
  std::vector<Combination> lost;    ///< that the data cannot tell: a relative singular value below the threshold
  std::vector<Combination> weak;    ///< that they tell worse than the size of a variable in it
  std::vector<bool> is_lost;        ///< per variable: whether it has a part in a lost combination
};

/// `sizes` are the magnitudes of the variables (positive), `deviation` that of the residuals; not a number where it is
/// unknown, and then nothing is called weak. Throws Error if there are fewer rows than columns.
Identifiability identify(const Eigen::MatrixXd& jacobian, const Eigen::VectorXd& sizes,
                         const std::vector<std::string>& names, double deviation);

/// As "1 * mass - 0.5 * inertia", without the zeros; the first coefficient should be positive.
std::string combination_text(const Eigen::VectorXd& coefficients, const std::vector<std::string>& names);

}  // namespace perilune::optimize
