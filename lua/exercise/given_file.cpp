// SPDX-License-Identifier: MIT
#include "exercise/given_file.hpp"

#include <fstream>
#include <map>

#include "format/text.hpp"

namespace perilune::lua {

namespace {

constexpr std::string_view before_name = "-- The numbers of ", after_name = "; `perilune exercise check`";

// A number, or a list of numbers such as measurements, ten a line.
std::string value_text(const Plain& value) {
  const auto* items = std::get_if<Plain::Items>(&value.value);
  if (!items) return format::shortest(number_of(value));
  std::map<double, std::string> list;
  for (const auto& [key, item] : *items) list[number_of(key)] = format::shortest(number_of(item));
  std::string text = "{";
  std::size_t count = 0;
  for (const auto& [place, number] : list) {
    text += count++ % 10 == 0 ? "\n    " : " ";
    text += number + ",";
  }
  return text + " }";
}

}  // namespace

std::string given_text(const Plain& given, const std::string& student) {
  std::string text =
      std::string(before_name) + student + std::string(after_name) + " uses these, whatever stands here.\n";
  text += "return {\n";
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : std::get<Plain::Items>(given.value)) {
    values[std::get<std::string>(key.value)] = value_text(value);
  }
  for (const auto& [name, value] : values) text += "  " + name + " = " + value + ",\n";
  return text + "}\n";
}

std::string owner_of_given(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::size_t end = line.rfind(after_name);
  if (!line.starts_with(before_name) || end == line.npos || end < before_name.size()) return {};
  return line.substr(before_name.size(), end - before_name.size());
}

}  // namespace perilune::lua
