// SPDX-License-Identifier: MIT
// Limits of an optimization: of objectives, and of expressions of parameters alone.
#pragma once
#include <array>
#include <lua.hpp>
#include <string>
#include <vector>

#include "expr/tape.hpp"
#include "optimize/constrained/constrained.hpp"
#include "studies/experiments.hpp"

namespace perilune::lua {

struct SubjectTo {
  std::vector<optimize::Constraint> limits;
  std::vector<std::string> units;
  std::vector<int> objectives;           // numbers in the problem; -1: the next output of the tape
  std::vector<std::size_t> experiments;  // in which the objective is meant
  expr::Tape tape;                       // of all parameters, in their order

  bool empty() const { return limits.empty(); }
};

/// Reads the field and appends the objectives in it to those of the problem.
SubjectTo read_subject_to(Args& args, lua_State* L, simulation::Problem& problem);

/// The same with what the fields "minimize" and "maximize" have, lists of objectives, expressions of parameters and
/// { "name", what, unit = }, behind the limits; without limits of their own, and exactly two in all. `signs`: -1 of
/// those that are maximized.
SubjectTo read_costs(Args& args, lua_State* L, simulation::Problem& problem, std::array<double, 2>& signs);

/// Limits of objectives hold in every experiment, under names such as "travel in bump".
void hold_in_all(SubjectTo& subject_to, const std::vector<NamedRun>& experiments);

/// Values of the limits, from row 1 on, and their derivatives by the parameters `over`, in the first columns, unless
/// the matrix for them is without size. `found`: of each experiment; `parameters`: of the model.
void evaluate_limits(const SubjectTo& subject_to, const std::vector<sensitivity::Gradient>& found,
                     const std::vector<double>& parameters, const std::vector<int>& over, Eigen::VectorXd& values,
                     Eigen::MatrixXd& jacobian);

/// Sets fields of the table on top of the stack: kkt, violation, constraints by name, and the text of all that holds
/// the optimum, with what it costs. `objective`: its name; `sign`: -1 where it
/// is what the search minimizes the negative of. Without gradients there are values alone.
void set_certificate(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                     const std::string& objective, double sign, const SubjectTo& subject_to,
                     const std::vector<optimize::Variable>& variables, const optimize::ConstrainedResult& result);

}  // namespace perilune::lua
