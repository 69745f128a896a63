// SPDX-License-Identifier: MIT
// Scripts that exist, with a few words or lines changed.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <lua.hpp>
#include <memory>

#include "schema/schema.hpp"
#include "scripts.hpp"
#include "values.hpp"

namespace perilune::fuzz {

namespace {

constexpr std::size_t longest_script = 12000;  // longer ones take too long for what they find

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// Words (with their dots), strings, and single other characters: joined they are the text again.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (text[i] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
      if (end < text.size()) ++end;
    } else if (text.compare(i, 2, "--") == 0) {
      while (end < text.size() && text[end] != '\n') ++end;
    } else if (text[i] == ' ') {
      while (end < text.size() && text[end] == ' ') ++end;
    }
    tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size() - 1) + 1;
    lines.push_back(text.substr(i, end - i));
    i = end;
  }
  return lines;
}

void change_tokens(Random& random, std::vector<std::string>& tokens, const std::vector<std::string>& words) {
  std::vector<std::size_t> places;
  const bool numbers = random.chance(0.4);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const char c = tokens[i][0];
    const bool is_number = std::isdigit(static_cast<unsigned char>(c));
    if (numbers ? is_number : !std::isspace(static_cast<unsigned char>(c)) && !tokens[i].starts_with("--")) {
      places.push_back(i);
    }
  }
  if (places.empty()) return;
  std::string& token = tokens[random.pick(places)];
  if (numbers) {
    token = random.chance(0.6) ? extreme_number(random) : plain_number(random, -10, 10);
    return;
  }
  switch (random.below(6)) {
    case 0:
      token.clear();
      return;
    case 1:
      token += " " + token;
      return;
    case 2:
      token = random.pick(words);
      return;
    case 3:
      token = hostile_value(random);
      return;
    case 4:
      token = tokens[random.pick(places)];
      return;
    default:
      std::swap(token, tokens[random.pick(places)]);
  }
}

void change_lines(Random& random, std::vector<std::string>& lines, const std::string& other) {
  if (lines.empty()) return;
  const auto place = static_cast<std::ptrdiff_t>(random.below(lines.size()));
  switch (random.below(5)) {
    case 0:
      lines.erase(lines.begin() + place);
      return;
    case 1: {
      const std::string line = lines[static_cast<std::size_t>(place)];
      lines.insert(lines.begin() + place, line);
      return;
    }
    case 2:
      std::swap(lines[static_cast<std::size_t>(place)], lines[random.below(lines.size())]);
      return;
    case 3: {
      const std::vector<std::string> others = lines_of(other);
      if (!others.empty()) lines.insert(lines.begin() + place, random.pick(others));
      return;
    }
    default: {  // later once more
      const std::string line = lines[static_cast<std::size_t>(place)];
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size() + 1)), line);
    }
  }
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool compiles(const std::string& text) {
  static const std::unique_ptr<lua_State, void (*)(lua_State*)> state(luaL_newstate(), lua_close);
  const bool good = luaL_loadbufferx(state.get(), text.data(), text.size(), "=mutant", "t") == LUA_OK;
  lua_settop(state.get(), 0);
  return good;
}

}  // namespace

Mutator::Mutator(const std::vector<std::string>& folders) {
  namespace fs = std::filesystem;
  for (const lua::Constructor* entry : lua::all_constructors()) corpus_.emplace_back(entry->example);
  for (const lua::Function* entry : lua::all_functions()) corpus_.emplace_back(entry->example);
  std::vector<fs::path> paths;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".lua") paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());  // the same in every run
  for (const fs::path& path : paths) {
    std::string text = content(path);
    const bool lacks_data = text.find("require \"given\"") != text.npos;  // of an exercise
    if (text.size() < longest_script && !lacks_data) corpus_.push_back(std::move(text));
  }
  std::erase_if(corpus_, [](const std::string& text) { return text.empty(); });
  std::sort(corpus_.begin(), corpus_.end());
  corpus_.erase(std::unique(corpus_.begin(), corpus_.end()), corpus_.end());
  for (const std::string& text : corpus_) {
    for (const std::string& token : tokens_of(text)) {
      if (is_word(token[0]) || token[0] == '"') words_.push_back(token);
    }
  }
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
}

std::string Mutator::mutant(Random& random) const {
  std::string text = random.pick(corpus_);
  const std::size_t changes = 1 + random.below(4);
  const bool any_syntax = random.chance(0.03);
  // Most changes break the syntax, and what does not compile shows little.
  for (std::size_t done = 0, attempts = 0; done < changes && attempts < 40; ++attempts) {
    std::string changed = text;
    if (random.chance(0.7)) {
      std::vector<std::string> tokens = tokens_of(text);
      change_tokens(random, tokens, words_);
      changed = joined(tokens);
    } else if (random.chance(0.95)) {
      std::vector<std::string> lines = lines_of(text);
      change_lines(random, lines, random.pick(corpus_));
      changed = joined(lines);
    } else {
      changed.resize(random.below(text.size() + 1));
    }
    if (!any_syntax && !compiles(changed)) continue;
    text = std::move(changed);
    ++done;
  }
  return text;
}

}  // namespace perilune::fuzz
