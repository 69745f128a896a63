// Help for people, the schema for machines.
#include <algorithm>
#include <cstdio>

#include "error.hpp"
#include "perilune.hpp"
#include "schema.hpp"
#include "suggest.hpp"

namespace perilune::lua {

namespace {

std::string padded(std::string text, size_t width) {
  text.append(text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

// "number, kg, > 0, default 1"
std::string facts(const Field& field) {
  std::string text(name_of(field.type));
  const auto add = [&text](std::string_view part) {
    if (!part.empty()) text.append(", ").append(part);
  };
  add(field.unit);
  add(described(field.range));
  if (field.required) add("required");
  if (!field.fallback.empty()) add("default " + std::string(field.fallback));
  return text;
}

std::string see_also(const std::vector<std::string_view>& topics) {
  std::string text;
  for (const std::string_view topic : topics) text.append(text.empty() ? "see also: " : ", ").append(topic);
  return text.empty() ? text : text + "\n";
}

std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    result.append("  ").append(text.substr(0, end)).append("\n");
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return result;
}

std::string call_form(const Constructor& entry) {
  std::string inside;
  if (entry.naming == Naming::Required) inside = "\"name\"";
  if (entry.naming == Naming::Optional) inside = "[\"name\"]";
  for (const auto* list : {&entry.positional, &entry.fields}) {
    for (const Field& field : *list) {
      const std::string name(field.name);
      const bool repeats = entry.repeats && &field == &entry.positional.back();
      const std::string form = list != &entry.positional ? name + " = ..." : repeats ? name + ", ..." : name;
      inside.append(inside.empty() ? "" : ", ").append(field.required ? form : "[" + form + "]");
    }
  }
  const std::string_view owner = entry.name.substr(0, entry.name.find_first_of(".:"));
  const std::string caller(owner == "mbs" ? owner : owner.substr(0, 1));
  return caller + std::string(entry.name.substr(owner.size())) + " { " + inside + " }";
}

std::string page(const Constructor& entry) {
  std::string text = call_form(entry) + "\n\n" + std::string(entry.summary) + "\n";
  size_t width = 0;
  for (const std::string_view name : entry.field_names()) width = std::max(width, name.size());
  for (const SignalText& signal : entry.signals) width = std::max(width, signal.name.size());
  if (width > 0) text += "\nfields:\n";
  if (entry.naming != Naming::None) {
    text += "  " + padded("name", width) + "  string; the first item of the list will do" +
            (entry.naming == Naming::Optional ? "; made up if missing" : "") + "\n";
  }
  for (const auto* list : {&entry.positional, &entry.fields}) {
    for (const Field& field : *list) {
      text += "  " + padded(std::string(field.name), width) + "  " + std::string(field.text) + " (" + facts(field) +
              (list != &entry.positional ? ""
               : entry.repeats           ? "; any number of them"
                                         : "; in this order after the name") +
              ")\n";
    }
  }
  if (!entry.signals.empty()) text += "\nsignals:\n";
  for (const SignalText& signal : entry.signals) {
    text += "  " + padded(std::string(signal.name), width) + "  " + std::string(signal.text) +
            (signal.unit.empty() ? "" : ", " + std::string(signal.unit)) + "\n";
  }
  if (!entry.equations.empty()) text += "\nequations:\n" + indented(entry.equations);
  if (!entry.example.empty()) text += "\nexample:\n" + indented(entry.example);
  return text + (entry.see_also.empty() ? "" : "\n") + see_also(entry.see_also);
}

std::string page(const Function& entry) {
  std::string text = std::string(entry.signature) + "\n\n" + std::string(entry.summary) + "\n";
  if (!entry.example.empty()) text += "\nexample:\n" + indented(entry.example);
  return text + (entry.see_also.empty() ? "" : "\n") + see_also(entry.see_also);
}

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
         "}";
}

std::string naming_as_json(Naming naming) {
  return naming == Naming::Required ? "\"required\"" : naming == Naming::Optional ? "\"optional\"" : "\"none\"";
}

std::string text_as_json(std::string_view text) { return quoted(text); }

std::string as_json(const Constructor& entry) {
  std::string text = "{" + member("name", entry.name) + ", " + member("object", entry.object);
  text += ", " + member("summary", entry.summary) + ", \"naming\": " + naming_as_json(entry.naming);
  text += ",\n  \"positional\": " + array(entry.positional, field_as_json);
  text += ",\n  \"fields\": " + array(entry.fields, field_as_json);
  text += ",\n  \"signals\": " + array(entry.signals, signal_as_json);
  text += ",\n  " + member("equations", entry.equations);
  text += ",\n  " + member("example", entry.example);
  return text + ", \"see_also\": " + array(entry.see_also, text_as_json) + "}";
}

std::string as_json(const Function& entry) {
  return "{" + member("name", entry.name) + ", " + member("signature", entry.signature) + ", " +
         member("summary", entry.summary) + ", " + member("example", entry.example) +
         ", \"see_also\": " + array(entry.see_also, text_as_json) + "}";
}

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> topics;
  for (const Constructor* entry : all_constructors()) topics.emplace_back(entry->object);
  for (const Function* entry : all_functions()) topics.emplace_back(entry->topic());
  return topics;
}

std::string help_page(std::string_view topic) {
  std::string_view word = topic.substr(topic.find_last_of(".:") + 1);  // find_last_of may give npos, and npos + 1 is 0
  for (const Constructor* entry : all_constructors()) {
    if (entry->object == word || entry->short_name() == word) return page(*entry);
  }
  for (const Function* entry : all_functions()) {
    if (entry->topic() == word) return page(*entry);
  }
  const std::vector<std::string> topics = help_topics();
  throw Error("help: unknown topic '" + std::string(topic) + "'" + did_you_mean(closest(word, topics)) +
              "\nmore: help() lists the topics");
}

std::string help_overview() {
  std::string text = "Perilune: mechanisms as Lua scripts. Topics of help \"topic\":\n\n";
  size_t width = 0;
  for (const std::string& topic : help_topics()) width = std::max(width, topic.size());
  for (const Constructor* entry : all_constructors()) {
    const std::string_view summary = entry->summary;
    text += "  " + padded(std::string(entry->object), width) + "  " +
            std::string(summary.substr(0, summary.find_first_of(".:,;"))) + "\n";
  }
  text += "\nfunctions:\n";
  for (const Function* entry : all_functions()) {
    text += "  " + padded(std::string(entry->topic()), width) + "  " + std::string(entry->signature) + "\n";
  }
  return text;
}

int help(lua_State* L) {
  const std::string text = lua_isnoneornil(L, 1)           ? help_overview()
                           : lua_type(L, 1) == LUA_TSTRING ? help_page(lua_tostring(L, 1))
                                                           : "";
  if (text.empty()) throw Error("help: expected a topic as a string, such as help \"point\"");
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  return 0;
}

std::string schema_as_json() {
  return "{\n\"constructors\": " + array(all_constructors(), [](const Constructor* e) { return "\n" + as_json(*e); }) +
         ",\n\"functions\": " + array(all_functions(), [](const Function* e) { return "\n" + as_json(*e); }) + "\n}";
}

}  // namespace perilune::lua
