// SPDX-License-Identifier: MIT
// How the data of the viewer's page have lists, places and shares of a range.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "format/json.hpp"
#include "output/scene/scene.hpp"

namespace perilune::output {

/// A share of -1 to 1 in 16 bits.
inline std::int16_t rounded(double x) {
  return static_cast<std::int16_t>(std::lround(std::clamp(x, -1.0, 1.0) * 32767));
}

template <class List>
void write_list(format::JsonWriter& json, const char* key, const List& values) {
  json.key(key).begin_array();
  for (const double x : values) json.value(x);
  json.end_array();
}

inline void write_end(format::JsonWriter& json, const char* key, const SceneEnd& end) {
  json.key(key).begin_object().key("frame").value(end.frame);
  write_list(json, "at", end.at);
  if (end.axes) write_list(json, "axes", *end.axes);
  json.end_object();
}

}  // namespace perilune::output
