// SPDX-License-Identifier: MIT
#include "model/declare.hpp"

#include <algorithm>

#include "error.hpp"
#include "expr/tape.hpp"
#include "model/law/symbolic.hpp"

namespace perilune::model {

void check_dimension(const Model& model, const Vector& vector, const char* what) {
  if (static_cast<int>(vector.size()) != model.dimension()) {
    throw Error(std::string(what) + " needs " + std::to_string(model.dimension()) + " components in a " +
                (model.dimension() == 2 ? "planar" : "spatial") + " model, not " + std::to_string(vector.size()));
  }
}

std::vector<double> present_values(const Model& model, const Vector& expressions) {
  std::vector<double> values;
  if (std::all_of(expressions.begin(), expressions.end(), [](const Symbol& s) { return s.is_number(); })) {
    for (const Symbol& s : expressions) values.push_back(s.number());
    return values;
  }
  // Of the model's parameters only those that are read: there may be thousands, and as many who ask.
  std::vector<NodeId> inputs, outputs;
  std::vector<double> read;
  for (const Symbol& s : expressions) outputs.push_back(s.in(model.graph()));
  for (NodeId id : model.graph().variables_of(outputs)) {
    const expr::Variable& variable = model.graph().variable_of(id);
    const auto number = static_cast<std::size_t>(variable.index);
    const bool is_own = variable.quantity == expr::Quantity::Parameter && number < model.parameters().size() &&
                        model.parameters()[number].node == id;
    if (!is_own && !is_setting(variable.quantity)) continue;
    inputs.push_back(id);
    read.push_back(is_own ? model.parameters()[number].value : 0);  // no side is held, nothing is left out
  }
  const expr::Tape tape(model.graph(), inputs, outputs);
  auto work = tape.make_work<double>();
  std::copy(read.begin(), read.end(), work.begin());
  tape.evaluate(work.data());
  for (int k = 0; k < tape.output_count(); ++k) values.push_back(work[static_cast<std::size_t>(tape.output_slot(k))]);
  return values;
}

void require(Model& model, const std::string& owner, const Vector& values,
             std::function<std::string(const double*)> fault) {
  const std::string now = fault(present_values(model, values).data());
  if (!now.empty()) throw Error(owner + ": " + now);
  Requirement requirement{owner, model.record().defined_at, {}, std::move(fault)};
  bool is_constant = true;
  for (const Symbol& value : values) {
    requirement.values.push_back(value.in(model.graph()));
    is_constant = is_constant && model.graph().is_constant(requirement.values.back());
  }
  if (is_constant) return;
  model.record().requirements.push_back(std::move(requirement));
  model.note_change();  // a station may be asked for after the model was compiled
}

void require(Model& model, const std::string& owner, const std::vector<Check>& checks) {
  for (const Check& check : checks) require(model, owner, check.values, check.fault);
}

void add_element(Model& model, std::string type, const std::string& name, std::vector<int> coordinates,
                 std::vector<int> multipliers, const std::vector<Symbol>& data) {
  Element element{Element::Form::Registered, std::move(type),        name, model.record().defined_at,
                  std::move(coordinates),    std::move(multipliers), {},   {}};
  for (const Symbol& s : data) element.data.push_back(s.in(model.graph()));
  model.add_element(std::move(element));
}

void add_inner_constraint(Model& model, std::string type, const std::string& name, std::vector<int> coordinates,
                          std::vector<int> multipliers) {
  Element element{Element::Form::Registered, std::move(type),        name, model.record().defined_at,
                  std::move(coordinates),    std::move(multipliers), {},   {}};
  element.is_inner = true;
  model.add_element(std::move(element));
}

bool add_two_place_element(Model& model, const std::string& kind, const std::string& name, const Place& a,
                           const Place& b, const std::vector<int>& multipliers, const std::vector<Symbol>& extra_data) {
  const bool in_order = a.kind <= b.kind;
  const Place &first = in_order ? a : b, &second = in_order ? b : a;
  std::vector<int> own;
  std::vector<Symbol> data;
  for (const Place* p : {&first, &second}) {
    own.insert(own.end(), p->coordinates.begin(), p->coordinates.end());
    data.insert(data.end(), p->local.begin(), p->local.end());
  }
  data.insert(data.end(), extra_data.begin(), extra_data.end());
  add_element(
      model,
      kind + "/" + kind_name(first.kind) + "-" + kind_name(second.kind) + "/" + std::to_string(model.dimension()), name,
      own, multipliers, data);
  return in_order;
}

std::vector<int> consecutive(int first, int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(first + i);
  return numbers;
}

namespace {

Vector each(const Model& model, const std::vector<int>& coordinates, NodeId Coordinate::*what) {
  Vector out;
  for (int i : coordinates) out.push_back(symbol_of(model, model.coordinates()[static_cast<std::size_t>(i)].*what));
  return out;
}

}  // namespace

Vector initial_coordinates(const Model& model, const std::vector<int>& coordinates) {
  return each(model, coordinates, &Coordinate::initial_position);
}

Vector initial_velocities(const Model& model, const std::vector<int>& coordinates) {
  return each(model, coordinates, &Coordinate::initial_velocity);
}

Vector coordinate_symbols(const Model& model, const std::vector<int>& coordinates) {
  return each(model, coordinates, &Coordinate::position);
}

Vector velocity_symbols(const Model& model, const std::vector<int>& coordinates) {
  return each(model, coordinates, &Coordinate::velocity);
}

Vector acceleration_symbols(const Model& model, const std::vector<int>& coordinates) {
  return each(model, coordinates, &Coordinate::acceleration);
}

}  // namespace perilune::model
