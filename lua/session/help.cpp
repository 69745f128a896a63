// SPDX-License-Identifier: MIT
// Help for people.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iterator>

#include "base/suggest.hpp"
#include "base/text_columns.hpp"
#include "error.hpp"
#include "perilune.hpp"
#include "schema/documents.hpp"
#include "schema/schema.hpp"
#include "session/word_help.hpp"
#include "words/words.hpp"

namespace perilune::lua {

namespace {

constexpr size_t line_length = 100;

std::string padded(std::string text, size_t width) {
  text.append(text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

// "number, kg, > 0, default 1"
std::string facts(const Field& field) {
  std::string text(readable(field.type));
  const auto add = [&text](std::string_view part) {
    if (!part.empty()) text.append(", ").append(part);
  };
  if (field.unit != unitless) add(field.unit);
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
    result.append("  ").append(wrapped(text.substr(0, end), " ", 2, line_length)).append("\n");
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return result;
}

// The lines of a picture, which are as wide as they are.
std::string shifted(std::string_view picture) {
  std::string result;
  bool begins = true;
  for (const char c : picture) {
    if (begins) result += "  ";
    result += c;
    begins = c == '\n';
  }
  return result;
}

size_t widest(const std::vector<SignalText>& signals) {
  size_t width = 0;
  for (const SignalText& signal : signals) width = std::max(width, signal.name.size());
  return width;
}

// "  name  text", with the text wrapped beside the names.
std::string line_of(std::string_view name, size_t width, std::string_view text) {
  return "  " + padded(std::string(name), width) + "  " + wrapped(text, " ", width + 4, line_length) + "\n";
}

// "  vx  velocity, m/s; also vy, vz (spatial)"
std::string lines_of(const std::vector<SignalText>& signals, size_t width) {
  std::string text;
  for (const SignalText& signal : signals) {
    std::string facts(signal.text);
    if (!signal.unit.empty()) facts.append(", ").append(signal.unit);
    if (!signal.also.empty()) facts.append("; also ").append(signal.also);
    if (!signal.when.empty()) facts.append(" (").append(signal.when).append(")");
    text += line_of(signal.name, width, facts);
  }
  return text;
}

std::string page(const Constructor& entry) {
  std::string text = wrapped(call_form(entry), ", ", 0, line_length) + "\n\n" + std::string(entry.summary) + "\n";
  const std::vector<std::string_view> names = entry.field_names();
  size_t width = widest(entry.signals);
  for (const std::string_view name : names) width = std::max(width, name.size());
  if (!names.empty()) text += "\nfields:\n";
  if (entry.naming != Naming::None) {
    text += line_of("name", width,
                    std::string("string; the first item of the list will do") +
                        (entry.naming == Naming::Optional ? "; made up if missing" : ""));
  }
  for (const auto* list : {&entry.positional, &entry.fields}) {
    for (const Field& field : *list) {
      text += line_of(field.name, width,
                      std::string(field.text) + " (" + facts(field) +
                          (list != &entry.positional ? ""
                           : entry.repeats           ? "; any number of them"
                                                     : "; in this order after the name") +
                          ")");
    }
  }
  if (!entry.signals.empty()) text += "\nsignals:\n" + lines_of(entry.signals, width);
  if (!entry.equations.empty()) text += "\nequations:\n" + indented(entry.equations);
  if (entry.picture) text += "\npicture:\n" + shifted(entry.picture(entry, has_unicode()));
  if (!entry.example.empty()) text += "\nexample:\n" + indented(entry.example);
  return text + (entry.see_also.empty() ? "" : "\n") + see_also(entry.see_also);
}

std::string page(const Function& entry) {
  std::string text = std::string(entry.signature) + "\n\n" + std::string(entry.summary) + "\n";
  if (!entry.example.empty()) text += "\nexample:\n" + indented(entry.example);
  return text + (entry.see_also.empty() ? "" : "\n") + see_also(entry.see_also);
}

std::string page(const Topic& entry) {
  std::string text = std::string(entry.summary) + "\n";
  if (!entry.fields.empty()) text += "\nfields:\n" + lines_of(entry.fields, widest(entry.fields));
  if (!entry.example.empty()) text += "\nexample:\n" + indented(entry.example);
  return text + (entry.see_also.empty() ? "" : "\n") + see_also(entry.see_also);
}

// What a line of a list has room for: the first sentence of a summary, up to a colon or semicolon.
std::string beginning(std::string_view summary) {
  std::string text(summary);
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (size_t k = 0; k < text.size(); ++k) {
    const bool is_end = std::string_view(".:;").find(text[k]) != std::string_view::npos;
    const bool is_number = k + 2 < text.size() && std::isdigit(static_cast<unsigned char>(text[k + 2]));  // "eq. 2.3"
    if (is_end && !is_number && (k + 1 == text.size() || text[k + 1] == ' ')) text.resize(k);
  }
  return text;
}

struct Line {
  std::string topic, text;
};

std::vector<Line> lines_of(const Family& family) {
  std::vector<Line> lines;
  for (const Topic* entry : family.topics) lines.push_back({std::string(entry->name), beginning(entry->summary)});
  for (const Constructor* entry : family.constructors) {
    lines.push_back({std::string(entry->object), beginning(entry->summary)});
  }
  for (const Function* entry : family.functions) {
    lines.push_back({std::string(entry->topic()), std::string(entry->signature)});
  }
  return lines;
}

std::string page(const Family& family) {
  std::string text = std::string(family.name) + ": " + std::string(family.summary) + "\n\n";
  size_t width = 0;
  for (const Line& line : lines_of(family)) width = std::max(width, line.topic.size());
  for (const Line& line : lines_of(family)) {
    text += line_of(line.topic, width, line.text);
  }
  return text;
}

// "spring, torsion_spring and 2 more"
std::string some_of(const std::vector<std::string_view>& names) {
  constexpr size_t most = 6;
  std::string text;
  for (size_t k = 0; k < std::min(names.size(), most); ++k) text.append(text.empty() ? "" : ", ").append(names[k]);
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

bool has_signal(const std::vector<SignalText>& signals, std::string_view name) {
  return std::any_of(signals.begin(), signals.end(), [name](const SignalText& signal) {
    const std::string list = ", " + std::string(signal.name) + ", " + std::string(signal.also) + ",";
    return list.find(", " + std::string(name) + ",") != list.npos;
  });
}

// What a word that is no topic is the name of: "\n'rate' is a signal of spring, state: see help \"spring\"".
std::string places_of(std::string_view word) {
  std::vector<std::string_view> as_field, as_signal;
  for (const Constructor* entry : all_constructors()) {
    if (entry->find(word)) as_field.push_back(entry->object);
    if (has_signal(entry->signals, word)) as_signal.push_back(entry->object);
  }
  for (const Family& family : families()) {
    for (const Topic* entry : family.topics) {
      if (has_signal(entry->fields, word)) as_field.push_back(entry->name);
    }
  }
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string_view>& topics) {
    if (topics.empty()) return;
    text += "\n'" + std::string(word) + "' is a " + what + " of " + some_of(topics) + ": see help \"" +
            std::string(topics[0]) + "\"";
  };
  add("field", as_field);
  add("signal", as_signal);
  return text;
}

}  // namespace

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

namespace {

// The page of what the schema has under this name; empty if it has none.
std::string page_of_topic(std::string_view topic) {
  const std::string_view word = topic.substr(topic.find_last_of(".:") + 1);  // npos + 1 is 0
  for (const Function* entry : all_functions()) {
    if (entry->name == topic) return page(*entry);  // "sweep:csv", where others have a "csv" too
  }
  for (const Constructor* entry : all_constructors()) {
    if (entry->object == word || entry->short_name() == word) return page(*entry);
  }
  for (const Function* entry : all_functions()) {
    if (entry->topic() == word) return page(*entry);
  }
  const std::string call = std::string(word) + "(";  // who, time and their like stand on a page together
  for (const Family& family : families()) {
    for (const Topic* entry : family.topics) {
      const bool has_call = std::any_of(entry->fields.begin(), entry->fields.end(),
                                        [&](const SignalText& field) { return field.name.starts_with(call); });
      if (entry->name == word || has_call) return page(*entry);
    }
  }
  for (const Family& family : families()) {
    if (family.name == word) return page(family);
  }
  return {};
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

// The topics whose page has the word, those whose name has it first.
std::vector<Line> mentions(std::string_view word) {
  std::vector<Line> by_name, by_text;
  for (const Family& family : families()) {
    for (Line& line : lines_of(family)) {
      const bool in_name = lower(line.topic).find(lower(word)) != std::string::npos;
      if (!in_name && lower(page_of_topic(line.topic)).find(lower(word)) == std::string::npos) continue;
      (in_name ? by_name : by_text).push_back(std::move(line));
    }
  }
  std::move(by_text.begin(), by_text.end(), std::back_inserter(by_name));
  return by_name;
}

// Of a word that nothing above knows: "\npages that mention it: bushing, tire and 3 more".
std::string pages_with(std::string_view word) {
  const std::vector<Line> lines = word.size() < 3 ? std::vector<Line>() : mentions(word);
  std::vector<std::string_view> topics;
  for (const Line& line : lines) topics.push_back(line.topic);
  return topics.empty() ? "" : "\npages that mention it: " + some_of(topics);
}

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> topics;
  for (const Family& family : families()) {
    topics.emplace_back(family.name);
    for (const Line& line : lines_of(family)) topics.push_back(line.topic);
  }
  return topics;
}

std::string help_page(std::string_view topic) {
  if (std::string text = page_of_topic(topic); !text.empty()) return text;
  const std::string phrase = plain_phrase(topic);
  for (const std::string& name : help_topics()) {  // "Torsion springs"
    if (plain_phrase(name) == phrase) return page_of_topic(name);
  }
  const std::string_view word = topic.substr(topic.find_last_of(".:") + 1);
  const std::string places = places_of(word);
  if (const Word* known = find_word(topic)) {
    std::string text = page(*known, topic);
    for (size_t begin = 0; begin < places.size();) {  // a line break before each
      const size_t end = std::min(places.find('\n', begin + 1), places.size());
      text += wrapped(places.substr(begin + 1, end - begin - 1), " ", 0, line_length) + "\n";
      begin = end;
    }
    return text;
  }
  // "revolute joint" says twice what it is.
  constexpr std::string_view kind = " joint";
  if (phrase.ends_with(kind)) {
    const std::string rest = phrase.substr(0, phrase.size() - kind.size());
    const auto is_topic = [&](const std::string& name) { return plain_phrase(name) == rest; };
    const std::vector<std::string> topics = help_topics();
    if (find_word(rest) || std::any_of(topics.begin(), topics.end(), is_topic)) return help_page(rest);
  }
  if (!places.empty()) throw Error("help: unknown topic '" + std::string(topic) + "'" + places);
  std::string near = closest(word, help_topics());
  if (near.empty()) near = nearest_word(topic);
  std::string more = did_you_mean(near);
  if (more.empty()) more = parts_of(topic, help_topics());
  if (more.empty()) more = pages_with(topic);
  throw Error("help: unknown topic '" + std::string(topic) + "'" + more + "\nmore: help() lists the topics");
}

std::string help_overview() {
  std::string text =
      "Perilune: mechanisms as Lua scripts. help \"spring\" shows a page, help \"forces\" a group with a\n"
      "line for each page.\n\n";
  size_t width = 0;
  for (const Family& family : families()) width = std::max(width, family.name.size());
  for (const Family& family : families()) {
    std::string list;
    for (const Line& line : lines_of(family)) list += (list.empty() ? "" : ", ") + line.topic;
    text += "  " + padded(std::string(family.name), width) + "  " + wrapped(list, ", ", width + 4, line_length) + "\n";
  }
  return text + "\nOther words of mechanics are known, too: help \"gear ratio\", help \"degrees of freedom\".\n";
}

std::vector<std::string> constructor_fields(std::string_view call) {
  const size_t separator = call.find_last_of(".:");
  std::vector<std::string> names;
  if (separator == call.npos) return names;
  const std::string_view word = call.substr(separator + 1);
  for (const Constructor* entry : all_constructors()) {
    if (entry->short_name() != word) continue;
    for (const std::string_view name : entry->field_names()) names.emplace_back(name);
  }
  return names;
}

int apropos(lua_State* L) {
  const std::string word = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
  if (word.empty()) throw Error("apropos: expected a word as a string, such as apropos \"damping\"");
  const std::vector<Line> lines = mentions(word);
  if (lines.empty()) {
    throw Error("apropos: no page of help mentions '" + word + "'" +
                (find_word(word) ? "\nbut there is help \"" + word + "\"" : "\nmore: help() lists the topics"));
  }
  size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.topic.size());
  std::string text;
  for (const Line& line : lines) text += line_of(line.topic, width, line.text);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  return 0;
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

}  // namespace perilune::lua
