// SPDX-License-Identifier: MIT
// What writers of XML have in common, beside pugixml itself.
#pragma once
#include <pugixml.hpp>
#include <sstream>
#include <string>

namespace perilune::format {

inline void set_attribute(pugi::xml_node node, const char* name, const std::string& text) {
  node.append_attribute(name) = text.c_str();
}

/// The whole document, indented, in UTF-8.
inline std::string text_of(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

}  // namespace perilune::format
