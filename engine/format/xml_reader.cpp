// SPDX-License-Identifier: MIT
#include "format/xml_reader.hpp"

#include <algorithm>
#include <pugixml.hpp>

#include "error.hpp"

namespace perilune::format {

namespace {

constexpr int deepest = 1000;

// Offsets of characters as lines.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) ends_.push_back(at);
  }
  int line_of(std::ptrdiff_t offset) const {
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
    return static_cast<int>(std::lower_bound(ends_.begin(), ends_.end(), at) - ends_.begin()) + 1;
  }

 private:
  std::vector<std::size_t> ends_;
};

[[noreturn]] void fail(int line, const std::string& problem) {
  throw Error("line " + std::to_string(line) + ": " + problem);
}

XmlElement element_of(const pugi::xml_node& node, const Lines& lines, int depth) {
  XmlElement out{node.name(), lines.line_of(node.offset_debug()), {}, {}};
  if (depth == deepest) fail(out.line, "elements are nested more than " + std::to_string(deepest) + " deep");
  for (const pugi::xml_attribute& attribute : node.attributes()) {
    for (const auto& [name, value] : out.attributes) {
      if (name == attribute.name()) fail(out.line, "<" + out.name + "> has the attribute '" + name + "' twice");
    }
    out.attributes.emplace_back(attribute.name(), attribute.value());
  }
  for (const pugi::xml_node& child : node.children()) {
    if (child.type() == pugi::node_element) out.children.push_back(element_of(child, lines, depth + 1));
  }
  return out;
}

}  // namespace

XmlElement read_xml(std::string_view text) {
  const Lines lines(text);
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) fail(lines.line_of(result.offset), std::string("not well-formed XML: ") + result.description());
  const pugi::xml_node root = document.document_element();
  for (pugi::xml_node next = root.next_sibling(); next; next = next.next_sibling()) {
    if (next.type() == pugi::node_element) {
      fail(lines.line_of(next.offset_debug()),
           std::string("not well-formed XML: <") + next.name() + "> is a second element beside <" + root.name() + ">");
    }
  }
  return element_of(root, lines, 0);
}

}  // namespace perilune::format
