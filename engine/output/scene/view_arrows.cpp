// SPDX-License-Identifier: MIT
#include "output/scene/view_arrows.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "format/base64.hpp"
#include "model/contact/contact_gap.hpp"
#include "model/signals.hpp"
#include "output/scene/view_json.hpp"

namespace perilune::output {

using namespace format;

void ViewArrows::find_forces(const model::Model& model, const Scene& scene) {
  std::vector<Force>& out = forces_;
  if (scene.connections().size() > most_arrows) return;
  for (std::size_t i = 0; i < scene.connections().size(); ++i) {
    const SceneConnection& connection = scene.connections()[i];
    const bool is_load = connection.mark == model::Mark::Arrow, is_bushing = connection.mark == model::Mark::Rubber;
    const std::string prefix = connection.name + (is_load || is_bushing ? ".f" : ".force_");
    std::vector<expr::NodeId> force;
    for (const char* axis : {"x", "y", "z"}) {
      force.push_back(has_signal(model, prefix + axis) ? model.signal(prefix + axis) : expr::no_node);
    }
    if (force[0] != expr::no_node) {
      out.push_back({i, is_load ? "force" : "reaction", !is_load, force});
    } else if (has_signal(model, connection.name + ".force")) {
      out.push_back({i, "reaction", false, {model.signal(connection.name + ".force")}});
    }
  }
  const auto nodes = [&](const model::Vector& v) {
    std::vector<expr::NodeId> all;
    for (const expr::Symbol& x : v) all.push_back(x.in(model.graph()));
    all.resize(3, expr::no_node);
    return all;
  };
  for (const auto& touching : model.record().touchings) {
    for (const model::Push& push : touching->pushes) {
      if (out.size() >= most_arrows) return;
      out.push_back({scene.connections().size(), "contact", false, nodes(push.force), touching->name, nodes(push.at)});
    }
  }
}

ViewArrows::ViewArrows(model::Model& model, const Scene& scene) {
  find_forces(model, scene);
  const expr::NodeId zero = model.graph().constant(0);
  for (const Force& force : forces_) {
    for (const auto* part : {&force.force, &force.at}) {
      for (const expr::NodeId node : *part) nodes_.push_back(node == expr::no_node ? zero : node);
    }
  }
  drives_ = drives_of(model, scene);
  if (drives_.size() > most_arrows) drives_.clear();
  for (const DriveSource& drive : drives_) nodes_.insert(nodes_.end(), drive.nodes.begin(), drive.nodes.end());
}

/// `columns`: of the force, then of the place, over time.
void ViewArrows::write_force(JsonWriter& json, const Force& source, const std::vector<double>* columns) {
  const std::size_t count = source.force.size();
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (const double x : columns[i]) largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : largest;
  }
  std::vector<std::int16_t> values;
  std::vector<float> positions;
  for (std::size_t k = 0; k < columns->size(); ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      const double x = largest > 0 ? columns[i][k] / largest : 0;
      values.push_back(std::isfinite(x) ? rounded(x) : std::int16_t{0});
    }
    for (std::size_t i = 0; i < source.at.size(); ++i) {
      const double x = columns[count + i][k];
      positions.push_back(std::isfinite(x) ? static_cast<float>(x) : 0.0F);
    }
  }
  json.begin_object().key("kind").value(source.kind);
  if (source.at.empty()) {
    json.key("connection").value(source.connection);
  } else {
    json.key("name").value(source.contact).key("positions").value(base64_of(positions));
  }
  json.key("along").value(source.along_a).key("components").value(count);
  json.key("unit").value(largest / 32767).key("values").value(base64_of(values)).end_object();
}

void ViewArrows::write(JsonWriter& json, const Scene& scene, const simulation::Trajectory& trajectory,
                       const std::vector<double>& times, const std::vector<std::vector<double>>& columns) const {
  auto column = columns.begin();
  json.key("arrows").begin_array();
  for (const Force& force : forces_) {
    write_force(json, force, &*column);
    column += static_cast<std::ptrdiff_t>(force.force.size() + force.at.size());
  }
  json.end_array().key("drives").begin_array();
  std::vector<std::vector<Triple>> values(drives_.size());
  std::vector<double> q, v;
  for (std::size_t k = 0; k < (drives_.empty() ? 0 : times.size()); ++k) {
    check_interrupt();
    trajectory.state(times[k], q, v);
    auto next = column;
    for (std::size_t i = 0; i < drives_.size(); ++i) {
      std::vector<double> now;
      for (std::size_t n = 0; n < drives_[i].nodes.size(); ++n) now.push_back((*next++)[k]);
      values[i].push_back(value_of(drives_[i], scene, q.data(), now));
    }
  }
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const DriveSource& drive = drives_[i];
    double largest = 0;
    for (const Triple& value : values[i]) {
      for (const double x : value) largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : largest;
    }
    std::vector<std::int16_t> shares;
    for (const Triple& value : values[i]) {
      for (const double x : value) shares.push_back(largest > 0 && std::isfinite(x) ? rounded(x / largest) : 0);
    }
    json.begin_object().key("kind").value(drive.kind).key("name").value(drive.name);
    json.key("spring").value(drive.is_spring).key("turns").value(drive.turns);
    write_end(json, "at", drive.at);
    json.key("unit").value(largest / 32767).key("values").value(base64_of(shares)).end_object();
  }
  json.end_array();
}

}  // namespace perilune::output
