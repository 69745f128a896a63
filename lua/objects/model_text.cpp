// SPDX-License-Identifier: MIT
#include "objects/model_text.hpp"

#include <vector>

#include "values/expression.hpp"

namespace perilune::lua {

namespace {

constexpr size_t most_names = 8;

std::string counted(size_t number, const std::string& word) {
  return std::to_string(number) + " " + word + (number == 1 ? "" : "s");
}

}  // namespace

std::string model_text(const ModelData& model) {
  const model::Model& engine = *model.engine;
  std::vector<std::string> kinds;  // in order of appearance
  std::map<std::string, std::vector<std::string>> names;
  for (const ModelData::Declared& object : model.declared) {
    auto& list = names[object.kind];
    if (list.empty()) kinds.push_back(object.kind);
    list.push_back(object.name);
  }
  std::string text = "model \"" + engine.name() + "\", " + (engine.dimension() == 2 ? "planar" : "spatial") + ": " +
                     counted(static_cast<size_t>(engine.coordinate_count()), "coordinate") + ", " +
                     counted(static_cast<size_t>(engine.multiplier_count()), "constraint") + ", " +
                     counted(engine.parameters().size(), "parameter");
  for (const std::string& kind : kinds) {
    const auto& list = names[kind];
    text += "\n  " + kind + " (" + std::to_string(list.size()) + "): ";
    for (size_t i = 0; i < list.size() && i < most_names; ++i) text += (i > 0 ? ", " : "") + list[i];
    if (list.size() > most_names) text += ", ...";
  }
  return text;
}

}  // namespace perilune::lua
