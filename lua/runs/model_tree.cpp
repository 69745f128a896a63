// SPDX-License-Identifier: MIT
// A model as a tree of bodies and joints.
#include <algorithm>
#include <map>
#include <set>

#include "base/suggest.hpp"
#include "error.hpp"
#include "model/topology.hpp"
#include "objects/model_text.hpp"
#include "runs/experiment.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using Declared = ModelData::Declared;
using model::Topology;

constexpr size_t most_objects = 200;
constexpr size_t line_length = 100;

bool is_kind_of(std::span<const Constructor> family, const std::string& kind) {
  return std::any_of(family.begin(), family.end(), [&kind](const Constructor& entry) { return entry.object == kind; });
}

bool is_body(const Declared& object) {
  return object.kind == "body" || object.kind == "natural_body" || object.kind == "point";
}

std::string titled(const Declared& object) { return object.name + " (" + object.kind + ")"; }

// Bodies under what they hang on, each with the joint by which it does.
class Tree {
 public:
  explicit Tree(const ModelData& model) : topology_(model::topology_of(*model.engine)) {
    for (const Declared& object : model.declared) declared_[object.name] = &object;
    for (const Topology::Tie& tie : topology_.ties) {
      if (tie.closes_loop) closing_.insert(tie.name);
      if (tie.is_link) links_.insert(tie.name);
    }
    for (size_t k = 1; k < topology_.nodes.size(); ++k) {
      const Topology::Node& node = topology_.nodes[k];
      if (node.parent == Topology::none && node.children.empty()) loose_.insert(node.name);
    }
  }

  const Topology& topology() const { return topology_; }
  bool is_loose(const Declared& body) const { return loose_.contains(body.name); }
  bool is_link(const Declared& object) const { return links_.contains(object.name); }
  bool closes_loop(const Declared& object) const { return closing_.contains(object.name); }

  std::string text() const {
    std::string lines;
    for (size_t k = 0; k < topology_.nodes.size(); ++k) {
      const Topology::Node& node = topology_.nodes[k];
      if (k == 0 || (node.parent == Topology::none && !node.children.empty())) lines += "\n" + node.name + under(node);
    }
    return lines;
  }

 private:
  std::string under(const Topology::Node& node) const {
    std::string lines;
    for (int child : node.children) {
      const Topology::Node& below = topology_.nodes[static_cast<size_t>(child)];
      const Declared& joint = *declared_.at(topology_.ties[static_cast<size_t>(below.link)].name);
      lines += "\n" + std::string(2 * static_cast<size_t>(below.depth), ' ') +
               (is_body(joint) ? "shared coordinates" : titled(joint)) + ": " + below.name;
      lines += under(below);
    }
    return lines;
  }

  Topology topology_;
  std::map<std::string, const Declared*> declared_;
  std::set<std::string> closing_, links_, loose_;
};

std::string freedoms(const ModelPtr& model) {
  try {
    return mobility_text(*model->engine, find_mobility(model, std::nullopt, 0, {}));
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    const std::string message = error.what();
    return "model \"" + model->engine->name() + "\": " + message.substr(0, message.find('\n'));
  }
}

// "\nheading: a, b, c"
std::string listed(const std::string& heading, const std::vector<std::string>& items) {
  std::string list;
  for (const std::string& item : items) list += (list.empty() ? "" : "; ") + item;
  return list.empty() ? list : "\n" + heading + ": " + wrapped(list, "; ", heading.size() + 2, line_length);
}

}  // namespace

std::string model_tree(const ModelPtr& model) {
  if (model->declared.empty() || model->declared.size() > most_objects) return model_text(*model);
  const Tree tree(*model);
  std::vector<std::string> loops, loose, forces, others, parameters;
  for (const Declared& object : model->declared) {
    std::string ends;
    for (const std::string& end : object.ends) ends += (ends.empty() ? ": " : ", ") + end;
    if (is_body(object)) {
      if (tree.is_loose(object)) loose.push_back(titled(object));
      if (tree.closes_loop(object)) loops.push_back(titled(object) + ", by what it shares");
    } else if (tree.is_link(object)) {
      if (tree.closes_loop(object)) loops.push_back(titled(object) + ends);
    } else if (is_kind_of(force_constructors(), object.kind) || is_kind_of(force_kind_constructors(), object.kind) ||
               object.kind == "contact") {
      forces.push_back(titled(object) + ends);
    } else if (object.kind != "ground" && object.kind != "parameter" && object.kind != "marker") {
      others.push_back(titled(object) + ends);
    }
  }
  for (const model::Parameter& p : model->engine->parameters()) {
    parameters.push_back(p.name + " = " + with_unit(p.value, p.unit));
  }
  return freedoms(model) + "\n" + text_of(tree.topology()) + tree.text() + listed("closing loops", loops) +
         listed("without joints", loose) + listed("forces", forces) + listed("others", others) +
         listed("parameters", parameters);
}

}  // namespace perilune::lua
