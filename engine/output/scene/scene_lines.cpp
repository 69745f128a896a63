// SPDX-License-Identifier: MIT
#include "output/scene/scene_lines.hpp"

#include <algorithm>

#include "model/beam/flexible_lines.hpp"

namespace perilune::output {

SceneLines::SceneLines(model::Model& model, const std::vector<double>& parameters,
                       const std::vector<model::Place>& frames)
    : dimension_(static_cast<std::size_t>(model.dimension())),
      parameters_(parameters),
      rest_(static_cast<std::size_t>(model.coordinate_count()), 0.0) {
  for (const model::FlexibleLine& line : flexible_lines(model)) {
    SceneLine& out = lines_.emplace_back(SceneLine{line.name, 0, {}, line.positions.size(), {}});
    for (const model::Place& node : line.nodes) {
      const auto found = std::find_if(frames.begin(), frames.end(),
                                      [&](const model::Place& frame) { return is_same_object(frame, node); });
      out.nodes.push_back(static_cast<int>(found - frames.begin()));
    }
    const system::Measure radius(model, {line.radius.in(model.graph())});
    std::vector<double> work = radius.make_work();
    radius.evaluate({.parameters = parameters_.data()}, work);
    out.radius = radius.value(work, 0);
    std::vector<expr::NodeId> nodes;
    for (const model::Vector& position : line.positions) {
      for (const model::Symbol& x : position) nodes.push_back(x.in(model.graph()));
    }
    for (const model::LineQuantity& quantity : line.quantities) {
      out.quantities.push_back({quantity.name, quantity.unit});
      for (const model::Symbol& x : quantity.values) nodes.push_back(x.in(model.graph()));
    }
    measures_.emplace_back(model, nodes);
  }
}

std::vector<BentLine> SceneLines::at(const double* q, const double* v) const {
  std::vector<BentLine> out(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    std::vector<double> work = measures_[i].make_work();
    measures_[i].evaluate({.q = q, .v = v ? v : rest_.data(), .parameters = parameters_.data()}, work);
    int next = 0;
    out[i].positions.resize(lines_[i].samples);
    for (auto& position : out[i].positions) {
      for (std::size_t k = 0; k < dimension_; ++k) position[k] = measures_[i].value(work, next++);
    }
    out[i].values.resize(lines_[i].quantities.size(), std::vector<double>(lines_[i].samples));
    for (auto& values : out[i].values) {
      for (double& x : values) x = measures_[i].value(work, next++);
    }
  }
  return out;
}

}  // namespace perilune::output
