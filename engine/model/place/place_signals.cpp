// SPDX-License-Identifier: MIT
#include "model/place/place_signals.hpp"

#include <algorithm>

#include "model/joint/relations.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

std::vector<std::string> motion_words(const Model& model) {
  std::vector<std::string> words;
  for (const char* order : {"", "v", "a"}) {
    for (int k = 0; k < model.dimension(); ++k) words.push_back(std::string(order) + axis_names[k]);
  }
  return words;
}

std::optional<Symbol> motion_of(const Model& model, const Place& place, std::string_view what) {
  const std::vector<std::string> words = motion_words(model);
  if (std::find(words.begin(), words.end(), what) == words.end()) return std::nullopt;
  const auto k = static_cast<std::size_t>(what.back() - 'x');
  if (what.size() == 1) return position_of(model, place)[k];
  const Symbol velocity = velocity_of(model, place)[k];
  return what.front() == 'v' ? velocity : time_derivative(model, velocity);
}

Symbol path_curvature(const Model& model, const Place& place) {
  const Vector velocity = velocity_of(model, place);
  Vector acceleration;
  for (const Symbol& v : velocity) acceleration.push_back(time_derivative(model, v));
  const Symbol square = dot(velocity, velocity), cube = square * sqrt(square);
  if (velocity.size() == 2) return (velocity[0] * acceleration[1] - velocity[1] * acceleration[0]) / cube;
  const Vector across = cross(velocity, acceleration);
  return sqrt(dot(across, across)) / cube;
}

void add_place_signals(Model& model, const std::string& name, const Place& place) {
  for (const std::string& what : motion_words(model)) {
    const char* unit = what.size() == 1 ? "m" : what.front() == 'v' ? "m/s" : "m/s^2";
    add_signal(model, name, what, unit, [place, what](const Model& m) { return *motion_of(m, place, what); });
  }
}

}  // namespace perilune::model
