// SPDX-License-Identifier: MIT
// Flexible lines of a scene in numbers: their samples at any configuration.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "system/measure.hpp"

namespace perilune::output {

struct SceneQuantity {
  std::string name, unit;
};

struct SceneLine {
  std::string name;
  double radius;           // m
  std::vector<int> nodes;  // indices of frames
  std::size_t samples;
  std::vector<SceneQuantity> quantities;
};

/// A line at a configuration.
struct BentLine {
  std::vector<std::array<double, 3>> positions;  // of its samples (m)
  std::vector<std::vector<double>> values;       // for each quantity, at each sample
};

class SceneLines {
 public:
  /// `frames`: the places of the scene's frames, in their order.
  SceneLines(model::Model& model, const std::vector<double>& parameters, const std::vector<model::Place>& frames);

  const std::vector<SceneLine>& all() const { return lines_; }
  /// Those at the coordinates q and velocities v of the model, in the same order; null: at rest.
  std::vector<BentLine> at(const double* q, const double* v) const;

 private:
  std::vector<SceneLine> lines_;
  std::size_t dimension_;
  std::vector<double> parameters_, rest_;  // rest_: a zero for each velocity
  std::vector<system::Measure> measures_;  // of each line: its positions, then its quantities
};

}  // namespace perilune::output
