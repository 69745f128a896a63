// SPDX-License-Identifier: MIT
// Attributes of XML; numbers among them read back to the same doubles.
#pragma once
#include <string>
#include <vector>

#include "format/text.hpp"
#include "format/xml_writer.hpp"
#include "linalg/decompositions.hpp"

namespace perilune::output {

using format::set_attribute;
using format::text_of;

inline std::string number(double value) { return format::shortest(value == 0 ? 0.0 : value); }

template <class Numbers>
std::string list(const Numbers& numbers) {
  std::string text;
  for (double value : numbers) text += (text.empty() ? "" : " ") + number(value);
  return text;
}

inline std::vector<double> list_of(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace perilune::output
