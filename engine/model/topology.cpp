// SPDX-License-Identifier: MIT
#include "model/topology.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"

namespace perilune::model {

namespace {

constexpr int ground = 0;

/// The ties of a model, from the coordinates that its constraints read.
class Ties {
 public:
  explicit Ties(const Model& model) : nodes_of_coordinate_(model.coordinates().size()) {
    for (std::size_t k = 0; k < model.record().moving_frames.size(); ++k) {
      const Place& place = model.record().moving_frames[k].place;
      add_node(static_cast<int>(k) + 1, place, has_slope(model, place) ? with_slope(place) : place.coordinates);
    }
    for (const bool is_link : {true, false}) {
      for (const Element& element : model.elements()) {
        if (element.multipliers.empty() || element.is_inner) continue;
        if (!is_expression(element) == is_link) add(element, is_link);
      }
      for (Found& tie : found_) {
        if (tie.nodes.size() < 2) tie.nodes.insert(ground);
      }
    }
  }

  std::vector<Topology::Tie> list() const {
    std::vector<Topology::Tie> out;
    for (const Found& tie : found_) out.push_back({tie.name, {tie.nodes.begin(), tie.nodes.end()}, tie.is_link});
    return out;
  }

 private:
  struct Found {
    std::string name;
    bool is_link;
    std::set<int> nodes;
  };

  /// With what shares coordinates with it, of several things that share the same the one that was declared last.
  void add_node(int node, const Place& place, const std::vector<int>& coordinates) {
    std::set<int> others;
    for (int c : coordinates) {
      std::vector<int>& nodes = nodes_of_coordinate_[static_cast<std::size_t>(c)];
      if (!nodes.empty()) others.insert(nodes.back());
      nodes.push_back(node);
    }
    for (int other : others) found_.push_back({place.name, true, {other, node}});
  }

  /// Those of which the element reads coordinates that they alone have; of those that share others the one of which it
  /// reads most, and of several the first.
  std::set<int> nodes_of(const Element& element) const {
    const std::set<int> coordinates(element.coordinates.begin(), element.coordinates.end());
    std::map<int, int> reads;
    for (int c : coordinates) {
      for (int node : nodes_of_coordinate_[static_cast<std::size_t>(c)]) ++reads[node];
    }
    std::set<int> nodes;
    for (const bool are_shared : {false, true}) {
      for (int c : coordinates) {
        const std::vector<int>& own = nodes_of_coordinate_[static_cast<std::size_t>(c)];
        if (own.empty() || (own.size() > 1) != are_shared) continue;
        const bool is_known = std::any_of(own.begin(), own.end(), [&](int node) { return nodes.contains(node); });
        const auto fewer = [&](int a, int b) { return reads[a] < reads[b]; };
        if (!is_known) nodes.insert(*std::max_element(own.begin(), own.end(), fewer));
      }
    }
    return nodes;
  }

  void add(const Element& element, bool is_link) {
    const auto [at, is_new] = by_name_.emplace(element.name, found_.size());
    if (is_new) found_.push_back({element.name, is_link, {}});
    const std::size_t tie = at->second;
    // The thread of a screw ties what the screw does.
    if (!is_link && found_[tie].is_link) return;
    const std::set<int> own = nodes_of(element);
    found_[tie].nodes.insert(own.begin(), own.end());
    for (int c : element.coordinates) {
      if (!nodes_of_coordinate_[static_cast<std::size_t>(c)].empty()) continue;
      if (is_link) {
        joint_of_coordinate_[c] = tie;
      } else if (const auto joint = joint_of_coordinate_.find(c); joint != joint_of_coordinate_.end()) {
        found_[tie].nodes.insert(found_[joint->second].nodes.begin(), found_[joint->second].nodes.end());
      }
    }
  }

  std::vector<std::vector<int>> nodes_of_coordinate_;  // in order of declaration
  std::vector<Found> found_;
  std::map<std::string, std::size_t> by_name_;
  std::map<int, std::size_t> joint_of_coordinate_;  // of a joint's angle
};

void grow_trees(Topology& topology) {
  std::vector<std::vector<int>> links_at(topology.nodes.size());
  for (std::size_t k = 0; k < topology.ties.size(); ++k) {
    if (!topology.ties[k].is_link) continue;
    for (int node : topology.ties[k].nodes) links_at[static_cast<std::size_t>(node)].push_back(static_cast<int>(k));
  }
  std::vector<bool> is_reached(topology.nodes.size()), is_passed(topology.ties.size());
  std::priority_queue<int, std::vector<int>, std::greater<>> leading;
  const auto reach = [&](int node) {
    is_reached[static_cast<std::size_t>(node)] = true;
    for (int link : links_at[static_cast<std::size_t>(node)]) leading.push(link);
  };
  for (std::size_t root = 0; root < topology.nodes.size(); ++root) {
    if (is_reached[root]) continue;
    for (reach(static_cast<int>(root)); !leading.empty();) {
      const auto link = static_cast<std::size_t>(leading.top());
      leading.pop();
      if (is_passed[link]) continue;
      is_passed[link] = true;
      Topology::Tie& tie = topology.ties[link];
      const bool has_first = is_reached[static_cast<std::size_t>(tie.nodes[0])];
      const int from = tie.nodes[has_first ? 0 : 1], to = tie.nodes[has_first ? 1 : 0];
      tie.closes_loop = is_reached[static_cast<std::size_t>(to)];
      if (tie.closes_loop) continue;
      Topology::Node &parent = topology.nodes[static_cast<std::size_t>(from)],
                     &node = topology.nodes[static_cast<std::size_t>(to)];
      node.parent = from;
      node.link = static_cast<int>(link);
      node.depth = parent.depth + 1;
      parent.children.push_back(to);
      reach(to);
    }
  }
}

void find_components(Topology& topology) {
  std::vector<int> first(topology.nodes.size());  // of those that are known to belong together
  for (std::size_t k = 0; k < first.size(); ++k) first[k] = static_cast<int>(k);
  const auto find = [&](int node) {
    while (first[static_cast<std::size_t>(node)] != node) {
      int& above = first[static_cast<std::size_t>(node)];
      node = above = first[static_cast<std::size_t>(above)];
    }
    return node;
  };
  for (const Topology::Tie& tie : topology.ties) {
    int known = Topology::none;
    for (int node : tie.nodes) {
      if (node == ground) continue;
      const int own = find(node);
      if (known != Topology::none) first[static_cast<std::size_t>(std::max(own, known))] = std::min(own, known);
      known = find(node);
    }
  }
  std::map<int, int> numbers;
  for (int node = 1; node < static_cast<int>(topology.nodes.size()); ++node) {
    const auto [at, is_new] = numbers.emplace(find(node), static_cast<int>(topology.components.size()));
    if (is_new) topology.components.emplace_back();
    topology.components[static_cast<std::size_t>(at->second)].nodes.push_back(node);
    topology.nodes[static_cast<std::size_t>(node)].component = at->second;
  }
  for (const Topology::Tie& tie : topology.ties) {
    if (tie.nodes.front() != ground || tie.nodes.size() < 2) continue;
    for (int node : tie.nodes) {
      const int component = topology.nodes[static_cast<std::size_t>(node)].component;
      if (component != Topology::none) topology.components[static_cast<std::size_t>(component)].floats = false;
    }
  }
}

std::string counted(long count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

int Topology::link_count() const {
  return static_cast<int>(std::count_if(ties.begin(), ties.end(), [](const Tie& tie) { return tie.is_link; }));
}

int Topology::loop_count() const {
  return static_cast<int>(std::count_if(ties.begin(), ties.end(), [](const Tie& tie) { return tie.closes_loop; }));
}

int Topology::depth() const {
  int deepest = 0;
  for (const Node& node : nodes) deepest = std::max(deepest, node.depth);
  return deepest;
}

Topology topology_of(const Model& model) {
  Topology topology;
  topology.nodes.push_back({"ground"});
  for (const MovingFrame& frame : model.record().moving_frames) topology.nodes.push_back({frame.place.name});
  topology.ties = Ties(model).list();
  grow_trees(topology);
  find_components(topology);
  return topology;
}

std::string text_of(const Topology& topology) {
  const long floating = std::count_if(topology.components.begin(), topology.components.end(),
                                      [](const Topology::Component& component) { return component.floats; });
  std::string text =
      "topology: " + counted(static_cast<long>(topology.nodes.size()) - 1, "body or point", "bodies and points") +
      ", " + counted(topology.link_count(), "link", "links") + ", " + counted(topology.loop_count(), "loop", "loops") +
      ", depth " + std::to_string(topology.depth());
  if (topology.components.size() > 1) text += ", " + std::to_string(topology.components.size()) + " components";
  if (floating > 0 && topology.components.size() > 1) text += ", " + std::to_string(floating) + " of them floating";
  if (floating > 0 && topology.components.size() == 1) text += ", floating";
  return text;
}

}  // namespace perilune::model
