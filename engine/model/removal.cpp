// SPDX-License-Identifier: MIT
#include "model/removal.hpp"

#include <algorithm>

#include "error.hpp"
#include "model/contact/contact_gap.hpp"
#include "model/signals.hpp"

namespace perilune::model {

namespace {

using Names = std::set<std::string>;

std::vector<NodeId> nodes_of(const Element& element) {
  std::vector<NodeId> nodes = element.data;
  nodes.insert(nodes.end(), element.law.begin(), element.law.end());
  if (element.potential != expr::no_node) nodes.push_back(element.potential);
  return nodes;
}

/// Who owns what an expression reads.
class Owners {
 public:
  Owners(const Model& model, const Names& objects) : model_(model), objects_(objects) {}

  bool own_coordinate(int i) const { return has(model_.coordinates()[static_cast<std::size_t>(i)].owner); }
  bool own_multiplier(int k) const { return has(model_.multipliers()[static_cast<std::size_t>(k)].owner); }
  bool own_place(const Place& place) const {
    return std::any_of(place.coordinates.begin(), place.coordinates.end(), [&](int i) { return own_coordinate(i); });
  }
  bool read_by(const std::vector<NodeId>& nodes) const {
    const Graph& graph = model_.graph();
    const std::vector<NodeId> read = graph.variables_of(nodes);
    return std::any_of(read.begin(), read.end(), [&](NodeId id) { return is_own(graph.variable_of(id)); });
  }

 private:
  bool has(const std::string& name) const { return objects_.contains(name); }
  bool is_own(const expr::Variable& variable) const {
    switch (variable.quantity) {
      case expr::Quantity::Position:
      case expr::Quantity::Velocity:
      case expr::Quantity::Acceleration:
        return own_coordinate(variable.index);
      case expr::Quantity::Multiplier:
        return own_multiplier(variable.index);
      case expr::Quantity::Absence:
        return has(model_.elements()[static_cast<std::size_t>(variable.index)].name);
      case expr::Quantity::Parameter:
      case expr::Quantity::Time:
      case expr::Quantity::Side:
      case expr::Quantity::Argument:
        break;
    }
    return false;
  }

  const Model& model_;
  const Names& objects_;
};

bool belongs(const Requirement& requirement, const Names& objects) {
  return std::any_of(objects.begin(), objects.end(), [&](const std::string& name) {
    return requirement.owner.find("\"" + name + "\"") != std::string::npos;
  });
}

}  // namespace

std::vector<std::string> dependants(const Model& model, const Names& objects) {
  const Owners owners(model, objects);
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    if (!objects.contains(name) && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  };
  for (const Element& e : model.elements()) {
    if (e.is_removed || objects.contains(e.name)) continue;
    const bool stands_on =
        std::any_of(e.coordinates.begin(), e.coordinates.end(), [&](int i) { return owners.own_coordinate(i); }) ||
        std::any_of(e.reads.begin(), e.reads.end(), [&](int k) { return owners.own_multiplier(k); });
    if (stands_on || owners.read_by(nodes_of(e))) add(e.name);
  }
  for (const Coordinate& c : model.coordinates()) {
    if (!c.is_removed && owners.read_by({c.initial_position, c.initial_velocity})) add(c.owner);
  }
  for (const auto& [coordinate, sampled] : model.record().sampled) {
    if (sampled.next != expr::no_node && owners.read_by({sampled.next})) {
      add(model.coordinates()[static_cast<std::size_t>(coordinate)].owner);
    }
  }
  for (const MovingFrame& frame : model.record().moving_frames) {
    if (owners.own_place(frame.place)) add(frame.place.name);
  }
  for (const Connection& connection : model.record().connections) {
    if (owners.own_place(connection.a) || owners.own_place(connection.b)) add(connection.name);
  }
  for (const auto& touching : model.record().touchings) {
    const bool is_on =
        owners.own_place(touching->a) || std::any_of(touching->b.begin(), touching->b.end(),
                                                     [&](const Place& place) { return owners.own_place(place); });
    if (is_on) add(touching->name);
  }
  for (const auto& [name, signal] : model.record().signals) {
    if (signal.is_named && !objects.contains(name) && owners.read_by({signal.make(model).in(model.graph())})) add(name);
  }
  return out;
}

std::string why_not_removable(const Model& model, const std::string& object) {
  const auto shared = std::find_if(model.elements().begin(), model.elements().end(), [&](const Element& e) {
    return e.name == object && std::any_of(e.multipliers.begin(), e.multipliers.end(), [&](int k) {
             return model.multipliers()[static_cast<std::size_t>(k)].owner != object;
           });
  });
  if (shared != model.elements().end()) return "it shares its constraints with others";
  if (model.record().cables.contains(object) || model.record().shear_beams.contains(object)) {
    return "a beam has nodes that are places of their own";
  }
  return {};
}

std::string removed_variable(const Model& model, const std::vector<NodeId>& nodes) {
  if (!model.has_removed()) return {};
  const auto is_removed = [](const auto& list, int index) {
    const auto k = static_cast<std::size_t>(index);
    return k < list.size() && list[k].is_removed;
  };
  for (const NodeId id : model.graph().variables_of(nodes)) {
    const expr::Variable& variable = model.graph().variable_of(id);
    switch (variable.quantity) {
      case expr::Quantity::Position:
      case expr::Quantity::Velocity:
      case expr::Quantity::Acceleration:
        if (is_removed(model.coordinates(), variable.index)) return variable.name;
        break;
      case expr::Quantity::Multiplier:
        if (is_removed(model.multipliers(), variable.index)) return variable.name;
        break;
      case expr::Quantity::Absence:
        // "absence of spring": what is read is a force of it.
        if (is_removed(model.elements(), variable.index)) return variable.name.substr(variable.name.rfind("of ") + 3);
        break;
      case expr::Quantity::Parameter:
      case expr::Quantity::Time:
      case expr::Quantity::Side:
      case expr::Quantity::Argument:
        break;
    }
  }
  return {};
}

std::vector<Coordinate> present_coordinates(const Model& model) {
  std::vector<Coordinate> out = model.coordinates();
  std::erase_if(out, [](const Coordinate& c) { return c.is_removed; });
  return out;
}

const Coordinate& present_coordinate(const Model& model, std::size_t number) {
  const std::vector<int>& numbers = model.coordinate_numbers();
  const auto found = std::find(numbers.begin(), numbers.end(), static_cast<int>(number));
  return model.coordinates()[static_cast<std::size_t>(found - numbers.begin())];
}

void check_nothing_reads_removed(const Model& model) {
  if (!model.has_removed()) return;
  const auto check = [&](const std::string& who, const std::vector<NodeId>& nodes) {
    const std::string what = removed_variable(model, nodes);
    if (!what.empty()) throw Error(who + " reads " + what + ", which was removed from the model");
  };
  for (const Element& e : model.elements()) check("\"" + e.name + "\"", nodes_of(e));
  for (const Coordinate& c : model.coordinates()) {
    if (!c.is_removed) check("the start of " + c.name, {c.initial_position, c.initial_velocity});
  }
  for (const auto& [coordinate, sampled] : model.record().sampled) {
    const std::string& name = model.coordinates()[static_cast<std::size_t>(coordinate)].owner;
    if (sampled.next != expr::no_node) check("\"" + name + "\"", {sampled.next});
  }
  for (const Requirement& requirement : model.record().requirements) check(requirement.owner, requirement.values);
}

void Model::erase(const Names& objects) {
  has_removed_ = true;
  ++revision_;
  const auto is_gone = [&](const std::string& name) { return objects.contains(name); };
  for (Element& e : elements_) {
    if (!is_gone(e.name)) continue;
    e = Element{Element::Form::Law, "", "", "", {}, {}, {}, {}};
    e.is_removed = true;
  }
  const auto renumber = [&](auto& list, std::vector<int>& numbers) {
    int count = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      list[k].is_removed = list[k].is_removed || is_gone(list[k].owner);
      numbers[k] = list[k].is_removed ? -1 : count++;
    }
    return count;
  };
  const auto of_removed = [](const auto& list, int k) { return list[static_cast<std::size_t>(k)].is_removed; };
  coordinate_count_ = renumber(coordinates_, coordinate_numbers_);
  multiplier_count_ = renumber(multipliers_, multiplier_numbers_);
  for (const std::string& name : objects) names_.erase(name);
  std::erase_if(record_.signals, [&](const auto& s) { return is_gone(s.second.owner) || is_gone(s.first); });
  std::erase_if(record_.requirements, [&](const Requirement& r) { return belongs(r, objects); });
  std::erase_if(record_.unfollowed, is_gone);
  std::erase_if(record_.cut_off, [&](const auto& pair) { return is_gone(pair.first) || is_gone(pair.second); });
  std::erase_if(record_.waiting_states, [&](const auto& s) { return of_removed(coordinates_, s.second); });
  std::erase_if(record_.sampled, [&](const auto& s) { return of_removed(coordinates_, s.first); });
  std::erase_if(record_.state_rates, [&](const auto& s) { return of_removed(coordinates_, s.first); });
  std::erase_if(record_.pushes, [&](int k) { return of_removed(multipliers_, k); });
  std::erase_if(record_.limits, [&](const auto& entry) {
    const Limit& limit = entry.second;
    return (limit.multiplier >= 0 && of_removed(multipliers_, limit.multiplier)) ||
           (limit.element >= 0 && of_removed(elements_, limit.element));
  });
  std::erase_if(record_.normal_vectors, [&](const auto& pair) {
    return of_removed(coordinates_, pair.first) || of_removed(coordinates_, pair.second);
  });
  for (std::set<int>* set : {&record_.unlimited_integrals, &record_.followers, &record_.sloped_points}) {
    std::erase_if(*set, [&](int i) { return of_removed(coordinates_, i); });
  }
  std::erase_if(record_.anchors, [&](int i) { return of_removed(coordinates_, i); });
  std::erase_if(record_.moving_frames, [&](const MovingFrame& frame) { return is_gone(frame.place.name); });
  std::erase_if(record_.connections, [&](const Connection& connection) { return is_gone(connection.name); });
  std::erase_if(record_.linear_springs, [&](const auto& spring) { return is_gone(spring.first); });
  std::erase_if(record_.touchings, [&](const auto& touching) { return is_gone(touching->name); });
}

}  // namespace perilune::model
