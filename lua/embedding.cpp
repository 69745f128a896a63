#include "embedding.hpp"

#include "error.hpp"
#include "experiment.hpp"
#include "userdata.hpp"

namespace perilune::lua {

Experiment experiment_at(lua_State* L, int index) {
  const ObjectiveHandle* handle = test_userdata<ObjectiveHandle>(L, index);
  if (!handle) throw Error("expected an objective, got " + described_value(L, index));
  const ModelPtr& data = handle->model;
  const std::string title = "objective \"" + handle->objective->name + "\"";
  if (!data->last_problem) throw Error(title + ": its model was not simulated; call m:simulate first");
  Experiment experiment{{data, data->engine.get()}, *data->last_problem};
  experiment.problem.system = data->compiled();
  experiment.problem.objectives = {handle->objective};
  experiment.problem.progress = nullptr;
  experiment.problem.from = nullptr;
  return experiment;
}

}  // namespace perilune::lua
