// SPDX-License-Identifier: MIT
// Small motions about a state at rest in balance as x' = A x + B u: x are deviations of measures of one's choice, u
// those of parameters that forces read. What controllers are designed from.
#pragma once
#include <string>
#include <vector>

#include "linalg/decompositions.hpp"
#include "system/system.hpp"

namespace perilune::analysis {

struct StateSpace {
  Eigen::MatrixXd A, B;  // as many rows as there are states; B a column for each input
  std::vector<int> idle_inputs;
};

/// `states`: expressions of positions and velocities with the given names, as many as the small motions have numbers;
/// `inputs`: parameters by number. Throws Error where the state moves or is not in balance, where the states do not
/// tell all small motions, where they read anything else, and where an input moves a constraint.
StateSpace state_space(const system::System& system, const system::Data& data, double t, const std::vector<double>& q,
                       const std::vector<double>& v, const system::Measure& states,
                       const std::vector<std::string>& state_names, const std::vector<int>& inputs,
                       const std::vector<std::string>& input_names);

}  // namespace perilune::analysis
