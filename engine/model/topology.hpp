// SPDX-License-Identifier: MIT
// Which bodies and points hang on which, and by what: the graph of a mechanism, as data.
#pragma once
#include <string>
#include <vector>

#include "model/model.hpp"

namespace perilune::model {

/// Nodes are the ground and what moves; ties are the constraints between them. Those of a joint, a bar or a distance
/// are one link between two nodes, and so is what a body has in common with another, under the name of the body.
/// Couplings, drivers and constraints that are stated as expressions belong to all
/// nodes that they read; they are no way along which a mechanism could be walked, so trees and loops are of links
/// alone.
struct Topology {
  static constexpr int none = -1;

  struct Node {
    std::string name;
    int parent = none, link = none;  // on the way to the root of its tree; none for a root
    int depth = 0;                   // links to the root
    int component = none;            // none for the ground
    std::vector<int> children = {};  // in the order in which the tree grew
  };
  struct Tie {
    std::string name;
    std::vector<int> nodes;  // two of a link; of others, in ascending order, with the ground where they read one only
    bool is_link = true;
    bool closes_loop = false;  // a link that the trees do without
  };
  /// What ties connect without the ground: no constraint reads two components.
  struct Component {
    std::vector<int> nodes;
    bool floats = true;  // no tie holds it to the ground
  };

  std::vector<Node> nodes;  // the ground, then bodies and points in order of declaration
  std::vector<Tie> ties;    // links in order of declaration, then the others
  std::vector<Component> components;

  int link_count() const;
  int loop_count() const;
  int depth() const;
};

/// Trees grow from the ground, then from the first body or point that has not been reached; always by the link that was
/// declared first of those that lead on.
Topology topology_of(const Model& model);

/// "topology: 3 bodies and points, 4 links, 1 loop, depth 3", the number of components where there are several, and how
/// many of them float.
std::string text_of(const Topology& topology);

}  // namespace perilune::model
