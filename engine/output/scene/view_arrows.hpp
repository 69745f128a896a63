// SPDX-License-Identifier: MIT
// The arrows of the viewer's page: forces, and what motors, drivers and springs of angles do.
#pragma once
#include "format/json.hpp"
#include "output/scene/drives.hpp"

namespace perilune::output {

constexpr std::size_t most_arrows = 250;  // and connections, where any have arrows

class ViewArrows {
 public:
  ViewArrows() = default;
  ViewArrows(model::Model& model, const Scene& scene);

  /// What their values are made from.
  const std::vector<expr::NodeId>& nodes() const { return nodes_; }
  /// The members "arrows" and "drives" of an object. `columns`: of the nodes, at these times.
  void write(format::JsonWriter& json, const Scene& scene, const simulation::Trajectory& trajectory,
             const std::vector<double>& times, const std::vector<std::vector<double>>& columns) const;

 private:
  /// What an arrow of the picture shows: a force along the axes of a connection's end a (or of space), or a pull; or
  /// what a surface does where something touches it.
  struct Force {
    std::size_t connection;  // of a contact: one that there is not
    const char* kind;        // "reaction" (on b) or "force" (on a), "contact" (on what touches)
    bool along_a;
    std::vector<expr::NodeId> force;    // three of them (no_node: zero), or one that pulls both ends together
    std::string contact = {};           // its name
    std::vector<expr::NodeId> at = {};  // of a contact: where, in space
  };
  void find_forces(const model::Model& model, const Scene& scene);
  static void write_force(format::JsonWriter& json, const Force& source, const std::vector<double>* columns);

  std::vector<Force> forces_;
  std::vector<DriveSource> drives_;
  std::vector<expr::NodeId> nodes_;
};

}  // namespace perilune::output
