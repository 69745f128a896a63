// SPDX-License-Identifier: MIT
#include "embedding.hpp"

#include "base/userdata.hpp"
#include "error.hpp"
#include "runs/experiment.hpp"

namespace perilune::lua {

Experiment experiment_at(lua_State* L, int index) {
  const ObjectiveHandle* handle = test_userdata<ObjectiveHandle>(L, index);
  if (!handle) throw Error("expected an objective, got " + described_value(L, index));
  const ModelPtr& data = handle->model;
  const std::string title = "objective \"" + handle->objective->name + "\"";
  if (!data->last_problem) throw Error(title + ": its model was not simulated; call m:simulate first");
  if (data->last_problem->from || data->last_has_phases) {
    throw Error(title + ": the last simulation of its model " +
                (data->last_has_phases ? "went in phases" : "started from a given run") +
                "; call m:simulate for a motion that starts as declared");
  }
  Experiment experiment{{data, data->engine.get()}, *data->last_problem};
  experiment.problem.system = data->compiled();
  experiment.problem.objectives = {objective_of(*handle)};
  experiment.problem.progress = nullptr;
  if (experiment.problem.stop) {
    auto stop = std::make_shared<simulation::Objective>(*experiment.problem.stop);
    stop->graph = handle->objective->graph;
    experiment.problem.stop = std::move(stop);
  }
  return experiment;
}

}  // namespace perilune::lua
