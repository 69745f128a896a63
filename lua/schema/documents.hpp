// SPDX-License-Identifier: MIT
// What is generated from the schema: annotations for editors, reference pages, the manual page.
#pragma once
#include <string>
#include <vector>

namespace perilune::lua {

struct Constructor;

struct Document {
  std::string name;  // of the file
  std::string text;
};

/// Everything the module offers, for machines.
std::string schema_as_json();
/// Annotations for the Lua language server: `require "perilune"`, and a file per family of the schema.
std::vector<Document> annotations();
/// Markdown: an index, and a page per family.
std::vector<Document> reference_pages();
/// A .luacheckrc that knows the module's fields.
std::string luacheck_settings();
/// perilune.1
std::string manual_page();

/// "m:spring { ["name"], a, b, stiffness = ... }" of a constructor, on one line.
std::string call_form(const Constructor& entry);

}  // namespace perilune::lua
