// SPDX-License-Identifier: MIT
// A model as a tree of bodies and joints.
#include <algorithm>
#include <set>

#include "error.hpp"
#include "experiment.hpp"
#include "expression.hpp"
#include "model_text.hpp"
#include "suggest.hpp"

namespace perilune::lua {

namespace {

using Declared = ModelData::Declared;

constexpr size_t most_objects = 200;
constexpr size_t line_length = 100;

bool is_kind_of(std::span<const Constructor> family, const std::string& kind) {
  return std::any_of(family.begin(), family.end(), [&kind](const Constructor& entry) { return entry.object == kind; });
}

bool is_joint(const Declared& object) {
  return object.ends.size() == 2 && (is_kind_of(joint_constructors(), object.kind) || object.kind == "bar");
}

bool is_body(const Declared& object) {
  return object.kind == "body" || object.kind == "natural_body" || object.kind == "point";
}

std::string titled(const Declared& object) { return object.name + " (" + object.kind + ")"; }

// Which bodies hang on which, and by what.
class Tree {
 public:
  explicit Tree(const ModelData& model) {
    reached_.insert("ground");
    std::vector<const Declared*> joints;
    for (const Declared& object : model.declared) {
      if (is_joint(object)) joints.push_back(&object);
    }
    // Always the first joint in order of declaration that leads on.
    for (size_t k = 0; k < joints.size();) {
      const Declared& joint = *joints[k];
      const bool has_first = reached_.contains(joint.ends[0]), has_second = reached_.contains(joint.ends[1]);
      if (has_first == has_second) {
        ++k;
        continue;
      }
      const std::string& from = joint.ends[has_first ? 0 : 1];
      const std::string& to = joint.ends[has_first ? 1 : 0];
      branches_[from].push_back({&joint, to});
      reached_.insert(to);
      used_.insert(&joint);
      joints.erase(joints.begin() + static_cast<std::ptrdiff_t>(k));
      k = 0;
    }
  }

  bool has(const Declared& body) const { return reached_.contains(body.name); }
  bool uses(const Declared& joint) const { return used_.contains(&joint); }

  std::string text(const std::string& body = "ground", size_t depth = 0) const {
    std::string lines = depth == 0 ? "\n" + body : "";
    const auto found = branches_.find(body);
    if (found == branches_.end()) return lines;
    for (const Branch& branch : found->second) {
      lines += "\n" + std::string(2 * (depth + 1), ' ') + titled(*branch.joint) + ": " + branch.to;
      lines += text(branch.to, depth + 1);
    }
    return lines;
  }

 private:
  struct Branch {
    const Declared* joint;
    std::string to;
  };
  std::map<std::string, std::vector<Branch>> branches_;
  std::set<std::string> reached_;
  std::set<const Declared*> used_;
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
      if (!tree.has(object)) loose.push_back(titled(object));
    } else if (is_joint(object)) {
      if (!tree.uses(object)) loops.push_back(titled(object) + ends);
    } else if (is_kind_of(force_constructors(), object.kind) || is_kind_of(spring_constructors(), object.kind) ||
               object.kind == "contact") {
      forces.push_back(titled(object) + ends);
    } else if (object.kind != "ground" && object.kind != "parameter" && object.kind != "marker") {
      others.push_back(titled(object) + ends);
    }
  }
  for (const model::Parameter& p : model->engine->parameters()) {
    parameters.push_back(p.name + " = " + with_unit(p.value, p.unit));
  }
  return freedoms(model) + tree.text() + listed("closing loops", loops) + listed("without joints", loose) +
         listed("forces", forces) + listed("others", others) + listed("parameters", parameters);
}

}  // namespace perilune::lua
