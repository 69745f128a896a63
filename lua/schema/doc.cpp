// SPDX-License-Identifier: MIT
// The schema for machines: perilune doc --json.
#include "schema/documents.hpp"
#include "schema/schema.hpp"
#include "words/words.hpp"

namespace perilune::lua {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result.append(1, '\\').append(1, c);
    } else if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string member(std::string_view key, std::string_view text) { return quoted(key) + ": " + quoted(text); }

template <class List, class Writer>
std::string array(const List& list, const Writer& writer) {
  std::string text = "[";
  for (const auto& item : list) text += (text.size() > 1 ? ", " : "") + writer(item);
  return text + "]";
}

std::string field_as_json(const Field& field) {
  std::string text = "{" + member("name", field.name) + ", " + member("type", name_of(field.type));
  text += ", " + member("text", field.text) + ", " + member("unit", field.unit);
  text += ", \"default\": " + (field.fallback.empty() ? "null" : quoted(field.fallback));
  text += ", " + member("range", field.range == Range::Any ? "any" : described(field.range));
  return text + ", \"required\": " + (field.required ? "true" : "false") + "}";
}

std::string signal_as_json(const SignalText& signal) {
  return "{" + member("name", signal.name) + ", " + member("unit", signal.unit) + ", " + member("text", signal.text) +
         ", " + member("also", signal.also) + ", " + member("when", signal.when) + "}";
}

std::string naming_as_json(Naming naming) {
  return naming == Naming::Required ? "\"required\"" : naming == Naming::Optional ? "\"optional\"" : "\"none\"";
}

std::string text_as_json(std::string_view text) { return quoted(text); }

std::string as_json(const Constructor& entry) {
  std::string text = "{" + member("name", entry.name) + ", " + member("object", entry.object);
  text += ", " + member("returns", entry.returns.empty() ? entry.object : entry.returns);
  text += ", " + member("summary", entry.summary) + ", \"naming\": " + naming_as_json(entry.naming);
  text += ",\n  \"positional\": " + array(entry.positional, field_as_json);
  text += ",\n  \"fields\": " + array(entry.fields, field_as_json);
  text += ",\n  \"signals\": " + array(entry.signals, signal_as_json);
  text += ",\n  " + member("equations", entry.equations);
  if (entry.picture) text += ",\n  " + member("picture", entry.picture(entry, true));
  text += ",\n  " + member("example", entry.example);
  return text + ", \"see_also\": " + array(entry.see_also, text_as_json) + "}";
}

std::string argument_as_json(const Argument& argument) {
  return "{" + member("name", argument.name) + ", " + member("type", argument.type) + ", " +
         member("unit", argument.unit) + ", " + member("text", argument.text) + "}";
}

std::string as_json(const Function& entry) {
  return "{" + member("name", entry.name) + ", " + member("signature", entry.signature) +
         ", \"arguments\": " + array(entry.arguments, argument_as_json) + ", " + member("returns", entry.returns) +
         ", " + member("summary", entry.summary) + ", " + member("example", entry.example) +
         ", \"see_also\": " + array(entry.see_also, text_as_json) + "}";
}

std::string as_json(const Topic& entry) {
  return "{" + member("name", entry.name) + ", " + member("summary", entry.summary) +
         ", \"fields\": " + array(entry.fields, signal_as_json) + ", " + member("example", entry.example) +
         ", \"see_also\": " + array(entry.see_also, text_as_json) + "}";
}

std::string as_json(const Word& word) {
  return "{\"names\": " + array(names_of(word), text_as_json) + ", " + member("text", word.text) + ", " +
         member("see", word.see) + ", " + member("page", word.page) + ", " + member("line", word.example) + ", " +
         member("called", word.called) + "}";
}

}  // namespace

std::string schema_as_json() {
  std::string topics;
  for (const Family& family : families()) {
    for (const Topic* topic : family.topics) topics += (topics.empty() ? "\n" : ",\n") + as_json(*topic);
  }
  return "{\n\"constructors\": " + array(all_constructors(), [](const Constructor* e) { return "\n" + as_json(*e); }) +
         ",\n\"functions\": " + array(all_functions(), [](const Function* e) { return "\n" + as_json(*e); }) +
         ",\n\"topics\": [" + topics +
         "],\n\"words\": " + array(all_words(), [](const Word* word) { return "\n" + as_json(*word); }) + "\n}";
}

}  // namespace perilune::lua
