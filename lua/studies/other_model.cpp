// SPDX-License-Identifier: MIT
#include "studies/other_model.hpp"

#include <algorithm>

#include "base/userdata.hpp"
#include "runs/usual_form.hpp"

namespace perilune::lua {

namespace {

using Objectives = std::vector<std::shared_ptr<const simulation::Objective>>;

std::vector<std::pair<int, int>> shared_parameters(const Args& args, const std::string& who,
                                                   const model::Model& other) {
  const std::vector<model::Parameter>&mine = args.engine().parameters(), &theirs = other.parameters();
  std::vector<std::pair<int, int>> out;
  for (std::size_t k = 0; k < theirs.size(); ++k) {
    const auto same = std::find_if(mine.begin(), mine.end(), [&](const auto& p) { return p.name == theirs[k].name; });
    if (same == mine.end()) continue;
    if (same->unit != theirs[k].unit) {
      args.fail(who + ": parameter \"" + same->name + "\" has the unit \"" + same->unit + "\" here and \"" +
                theirs[k].unit + "\" in its model; parameters of one name are one, so give one of them another name");
    }
    out.emplace_back(static_cast<int>(k), static_cast<int>(same - mine.begin()));
  }
  return out;
}

/// Those of the other model that have the names of the objectives in the call, in their order.
Objectives namesakes(const Args& args, lua_State* L, int index, const std::string& who, const ModelPtr& model,
                     const Objectives& wanted) {
  const int top = lua_gettop(L);
  Objectives given;
  lua_getfield(L, index, "objectives");
  const auto add = [&](int at) {
    const ObjectiveHandle* handle = test_userdata<ObjectiveHandle>(L, at);
    if (!handle) args.fail(who + ": objectives must be of m:objective, got " + described_value(L, at));
    if (handle->model != model) {
      args.fail(who + ": objective \"" + handle->objective->name + "\" is not of the experiment's model");
    }
    given.push_back(objective_of(*handle));
  };
  if (lua_istable(L, -1)) {
    check_list(args, L, "objectives", lua_gettop(L));
    for (lua_Integer i = 1; lua_rawgeti(L, top + 1, i) != LUA_TNIL; ++i) add(lua_gettop(L));
  } else if (!lua_isnil(L, -1)) {
    add(lua_gettop(L));
  }
  lua_settop(L, top);
  Objectives out;
  for (const auto& objective : wanted) {
    const auto same =
        std::find_if(given.begin(), given.end(), [&](const auto& o) { return o->name == objective->name; });
    if (same == given.end()) {
      args.fail(who + ": its model needs an objective with the name \"" + objective->name +
                "\" too; give it as objectives = { ... }");
    }
    out.push_back(*same);
  }
  for (const auto& objective : given) {
    if (std::find(out.begin(), out.end(), objective) != out.end()) continue;
    args.fail(who + ": objective \"" + objective->name + "\" has the name of none that is minimized or limited");
  }
  return out;
}

}  // namespace

int OtherModel::namesake_of(int parameter) const {
  const auto found = std::find_if(shared.begin(), shared.end(), [&](const auto& s) { return s.first == parameter; });
  return found == shared.end() ? -1 : found->second;
}

std::optional<OtherModel> read_other_model(Args& args, lua_State* L, int index, const std::string& who,
                                           simulation::Problem& problem) {
  const bool has_model = lua_getfield(L, index, "model") != LUA_TNIL;
  const ModelPtr model = has_model ? test_model(L, lua_gettop(L)) : nullptr;
  if (has_model && !model) args.fail(who + ": model must be one of mbs.model, got " + described_value(L, -1));
  const bool has_objectives = lua_getfield(L, index, "objectives") != LUA_TNIL;
  lua_pop(L, 2);
  if (!model || model == args.model()) {
    if (has_objectives) args.fail(who + ": objectives go with a model of its own; the others stand in the call");
    return std::nullopt;
  }
  if (!problem.phases.empty()) args.fail(who + ": phases are of one model, so that no experiment may have another");
  if (!problem.independent.empty()) {
    args.fail(who + ": independent names coordinates of one model, so that no experiment may have another");
  }
  const bool stop_is_given = lua_getfield(L, index, "stop") != LUA_TNIL;
  lua_pop(L, 1);
  if (problem.stop && problem.stop->is_end_time) {
    args.fail(who + ": the call's t follows parameters of the other model; give it as a number");
  }
  if (problem.stop && !stop_is_given) {
    args.fail(who + ": the call's stop reads the other model; give the experiment a stop of its own, or stop = false");
  }
  problem.stop = nullptr;
  OtherModel out{model, model->parameter_values(), shared_parameters(args, who, *model->engine)};
  problem.system = model->compiled();
  problem.objectives = namesakes(args, L, index, who, model, problem.objectives);
  if (!has_given_formulation(args)) problem.formulation = usual_form(args, L, problem, out.parameters);
  return out;
}

}  // namespace perilune::lua
