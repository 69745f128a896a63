// SPDX-License-Identifier: MIT
// Limits of an optimization: of objectives, and of expressions of parameters alone.
#pragma once
#include <lua.hpp>
#include <string>
#include <vector>

#include "expr/tape.hpp"
#include "optimize/constrained/constrained.hpp"
#include "runs/experiment.hpp"

namespace perilune::lua {

struct SubjectTo {
  std::vector<optimize::Constraint> limits;
  std::vector<std::string> units;
  std::vector<int> objectives;  // numbers in the problem; -1: the next output of the tape
  expr::Tape tape;              // of all parameters, in their order

  bool empty() const { return limits.empty(); }
};

/// Reads the field and appends the objectives in it to those of the problem.
SubjectTo read_subject_to(Args& args, lua_State* L, simulation::Problem& problem);

/// Values of objective 0 and of the limits (1 + m), and their derivatives by the parameters `over` (1 + m x n), unless
/// the matrix for them is without size.
void evaluate_limits(const SubjectTo& subject_to, const sensitivity::Gradient& found,
                     const std::vector<double>& parameters, const std::vector<int>& over, Eigen::VectorXd& values,
                     Eigen::MatrixXd& jacobian);

/// Sets fields of the table on top of the stack: kkt, violation, constraints by name, and the text of all that holds
/// the optimum, with what it costs. `objective`: its name. Without gradients there are values alone.
void set_certificate(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                     const std::string& objective, const SubjectTo& subject_to,
                     const std::vector<optimize::Variable>& variables, const optimize::ConstrainedResult& result);

}  // namespace perilune::lua
