// SPDX-License-Identifier: MIT
// A model of a script.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "simulation/run.hpp"
#include "values/node_values.hpp"

namespace perilune::lua {

/// A model and what only scripts need to know about it. Everything that scripts hold of a model shares it.
struct ModelData : std::enable_shared_from_this<ModelData> {
  struct Declared {
    std::string kind, name, defined_at;
    std::vector<std::string> ends = {};  // the bodies and points it acts on, "ground" for all of the ground
  };

  explicit ModelData(std::unique_ptr<model::Model> model);

  std::unique_ptr<model::Model> engine;
  std::vector<Declared> declared;
  NodeValues samples;  // for the checks of traced laws, at values of the variables from the following function
  std::function<double(const expr::Variable&)> sample_variable;
  StateDependence state_dependence;

  /// The model as it stands now; compiled again only after a change of its structure. Throws Error where the command
  /// line sets a parameter that is not declared.
  std::shared_ptr<const system::System> compiled();
  /// A copy of the model as it stands now, for what outlives the next declaration; another only after a change.
  std::shared_ptr<model::Model> snapshot();
  std::vector<double> parameter_values() const;
  /// Settings of the last simulation, which later calls take over where they name nothing else.
  /// Its stop condition does not own the model, of which it would be the end; its start is not the `from` of that
  /// simulation. The phases are in the model's user value `phases_value`, and here is only whether there were any.
  std::optional<simulation::Problem> last_problem;
  bool has_given_formulation = false;  // the last problem: it was not left to Perilune
  bool last_has_phases = false;
  int removals = 0;  // how often objects were removed: what was made of the model before has other numbers

  /// "spring2": the next free name for an unnamed object.
  std::string make_name(std::string_view kind);
  void declare(Declared object);
  /// The model as it stands now by another name, with what is declared in it and no settings of a simulation.
  std::shared_ptr<ModelData> copy(const std::string& name) const;
  /// Forgets the objects and the settings of the last simulation, which may read them.
  void forget(const std::set<std::string>& objects);
  /// nullptr if nothing has the name.
  const Declared* find(std::string_view name) const;
  /// The value of a node at the current parameters; NaN if it depends on the state.
  double value(expr::NodeId node);

 private:
  std::map<std::string, std::size_t, std::less<>> names_;
  std::map<std::string, int, std::less<>> counters_;
  NodeValues values_;
  std::vector<double> parameters_;  // at which values_ were computed
  std::shared_ptr<const system::System> system_;
  int system_revision_ = -1;
  std::shared_ptr<model::Model> snapshot_;
};
using ModelPtr = std::shared_ptr<ModelData>;

}  // namespace perilune::lua
