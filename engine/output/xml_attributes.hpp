// SPDX-License-Identifier: MIT
// Attributes of XML; numbers among them read back to the same doubles.
#pragma once
#include <Eigen/Dense>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "format/text.hpp"

namespace perilune::output {

inline void set_attribute(pugi::xml_node node, const char* name, const std::string& text) {
  node.append_attribute(name) = text.c_str();
}

inline std::string number(double value) { return format::shortest(value == 0 ? 0.0 : value); }

template <class Numbers>
std::string list(const Numbers& numbers) {
  std::string text;
  for (double value : numbers) text += (text.empty() ? "" : " ") + number(value);
  return text;
}

inline std::vector<double> list_of(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace perilune::output
