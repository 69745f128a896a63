// SPDX-License-Identifier: MIT
// Several experiments with one model: load cases, roads, starts, points of a tolerance.
#pragma once
#include <functional>
#include <lua.hpp>
#include <string>
#include <vector>

#include "expr/tape.hpp"
#include "runs/experiment.hpp"
#include "studies/other_model.hpp"

namespace perilune::lua {

/// A run of the model with parameters rho_e = S(rho): some are set to numbers or expressions of the model's parameters,
/// which may read the very one that they set; the others are the model's own. Or one of another model, of which rho_e
/// are the parameters: S sets those with names of the model's, too.
struct NamedRun {
  struct Setting {
    int parameter;
    std::string name;
    double lower, upper;
  };
  std::string name;  // empty: the only one, which sets nothing
  double weight = 1;
  simulation::Problem problem;
  std::optional<OtherModel> other;
  std::vector<Setting> set;  // in the order of their parameters
  expr::Tape settings;       // their values, of all parameters of the model in their order

  /// S(rho). Throws NumericalError, naming the experiment, where a parameter would leave its bounds.
  std::vector<double> parameters(const std::vector<double>& rho) const;
  /// The parameters of the experiment by which its results must be differentiated to know their derivatives by those
  /// `asked` of the model, in rising order. May be empty.
  std::vector<int> over(const std::vector<int>& asked) const;
  /// Derivatives by the parameters over(asked) of the experiment, a row for each result, become those by the parameters
  /// `asked` of the model, at rho.
  std::vector<std::vector<double>> pull_back(const std::vector<std::vector<double>>& rows,
                                             const std::vector<int>& asked, const std::vector<double>& rho) const;
  /// "experiment "bump": " before a sentence; nothing for the only one.
  std::string prefix() const;
};

/// The schema's field.
inline Field experiments_field() {
  return {.name = "experiments",
          .type = Type::Experiments,
          .text =
              "runs of the model: a list of { \"name\", set = { k = 2 * k0 }, weight =, t =, start =, at_rest =,\n"
              "stop = }; what one does not say the call does. m:optimize knows model = and objectives = of another\n"
              "model, whose parameters of the same names are the same",
          .fallback = "one, with nothing set"};
}

/// What an item of the list may have beside its name.
struct ExperimentFields {
  std::vector<std::string> known = {"set", "weight", "t", "start", "at_rest", "stop", "model", "objectives"};
  /// Reads what is not among the usual fields, of the table at the stack index; `who` is for messages.
  std::function<void(int index, const std::string& who, NamedRun& experiment)> read_others = {};
};

/// Reads the field; without it, one experiment that is the common problem. Objectives are those of the common problem.
std::vector<NamedRun> read_experiments(Args& args, lua_State* L, const simulation::Problem& common,
                                       const ExperimentFields& fields = {});

/// Gives the parameters of other models the values of those of the same names, at rho.
void keep_other_models_alike(const std::vector<NamedRun>& experiments, const std::vector<double>& rho);

/// Narrows the bounds of variables, the parameters `over`, so that what is set to a multiple of one of them, or a sum
/// with it, keeps its bounds too: L + 0.001 never exceeds the max of L.
void leave_room(const std::vector<NamedRun>& experiments, const std::vector<double>& rho, const std::vector<int>& over,
                std::vector<optimize::Variable>& variables);

/// Values of the objectives of the experiment, at rho, without derivatives. Failures and warnings name the experiment.
sensitivity::Gradient values_of(const NamedRun& experiment, const std::vector<double>& rho);
/// Values and derivatives of the objectives of the experiment by the parameters `asked` of the model, at rho. Failures
/// and warnings name the experiment.
sensitivity::Gradient gradient_of(const NamedRun& experiment, const std::vector<double>& rho,
                                  const std::vector<int>& asked, const sensitivity::Method& method);

}  // namespace perilune::lua
