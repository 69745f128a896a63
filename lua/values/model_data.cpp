// SPDX-License-Identifier: MIT
#include "values/model_data.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/run_options.hpp"

namespace perilune::lua {

ModelData::ModelData(std::unique_ptr<model::Model> model)
    : engine(std::move(model)),
      samples(engine->graph(), [this](const expr::Variable& v) { return sample_variable ? sample_variable(v) : 0.0; }),
      state_dependence(engine->graph()),
      values_(engine->graph(), [this](const expr::Variable& variable) {
        if (variable.quantity == expr::Quantity::Absence) return 0.0;
        if (variable.quantity != expr::Quantity::Parameter) return std::numeric_limits<double>::quiet_NaN();
        return engine->parameters()[static_cast<std::size_t>(variable.index)].value;
      }) {}

std::shared_ptr<const system::System> ModelData::compiled() {
  run_options().require_declared();
  if (!system_ || system_revision_ != engine->revision()) {
    system_ = std::make_shared<system::System>(*engine);
    system_revision_ = engine->revision();
  }
  return system_;
}

std::shared_ptr<model::Model> ModelData::snapshot() {
  if (!snapshot_ || snapshot_->revision() != engine->revision()) snapshot_ = std::make_shared<model::Model>(*engine);
  return snapshot_;
}

std::vector<double> ModelData::parameter_values() const {
  std::vector<double> values;
  for (const model::Parameter& p : engine->parameters()) values.push_back(p.value);
  return values;
}

std::string ModelData::make_name(std::string_view kind) {
  const auto counter = counters_.try_emplace(std::string(kind), 0).first;
  std::string name;
  do {
    name = std::string(kind) + std::to_string(++counter->second);
  } while (find(name));
  return name;
}

void ModelData::declare(Declared object) {
  names_.emplace(object.name, declared.size());
  declared.push_back(std::move(object));
}

const ModelData::Declared* ModelData::find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &declared[found->second];
}

void ModelData::forget(const std::set<std::string>& objects) {
  for (const Declared& object : declared) {
    if (objects.contains(object.name)) counters_.erase(object.kind);  // its number is free again
  }
  std::erase_if(declared, [&](const Declared& object) { return objects.contains(object.name); });
  names_.clear();
  for (std::size_t k = 0; k < declared.size(); ++k) names_.emplace(declared[k].name, k);
  last_problem.reset();
  has_given_formulation = last_has_phases = false;
  ++removals;
}

double ModelData::value(expr::NodeId node) {
  const auto& now = engine->parameters();
  const auto same = [](double before, const model::Parameter& parameter) { return before == parameter.value; };
  if (!std::equal(parameters_.begin(), parameters_.end(), now.begin(), now.end(), same)) {
    parameters_.clear();
    for (const model::Parameter& parameter : now) parameters_.push_back(parameter.value);
    values_.clear();
  }
  return values_(node);
}

std::shared_ptr<ModelData> ModelData::copy(const std::string& name) const {
  auto out = std::make_shared<ModelData>(std::make_unique<model::Model>(*engine, name));
  out->declared = declared;
  out->names_ = names_;
  out->counters_ = counters_;
  return out;
}

}  // namespace perilune::lua
