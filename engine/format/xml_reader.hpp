// SPDX-License-Identifier: MIT
// Reads XML documents of moderate size into a tree.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perilune::format {

/// One element. Attributes and children keep their order; text between elements is left out.
struct XmlElement {
  std::string name;
  int line = 1;  // of its start tag in the document, from 1
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
};

/// The document's element. Throws perilune::Error "line 12: ..." if the text is not one XML element in UTF-8, if an
/// attribute is given twice, or if elements are nested more than 1000 deep.
XmlElement read_xml(std::string_view text);

}  // namespace perilune::format
