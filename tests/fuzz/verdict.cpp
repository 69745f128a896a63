// SPDX-License-Identifier: MIT
#include "verdict.hpp"

#include <cctype>
#include <sstream>

#include "scripts.hpp"

namespace perilune::fuzz {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// "file:12" anywhere.
bool has_line(const std::string& text) {
  for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    if (colon > 0 && colon + 1 < text.size() && is_digit(text[colon + 1])) return true;
  }
  return false;
}

/// "-nan" as a word of its own.
bool has_negative_nan(const std::string& text) {
  for (std::size_t at = text.find("-nan"); at != text.npos; at = text.find("-nan", at + 1)) {
    if (at + 4 == text.size() || !is_letter(text[at + 4])) return true;
  }
  return false;
}

/// Without what differs from one input to the next: numbers, and names in quotes.
std::string general(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size() && text[i] != '\n' && result.size() < 160; ++i) {
    if (is_digit(text[i])) {
      if (result.empty() || result.back() != '#') result += '#';
    } else if (text[i] == '"' || text[i] == '\'') {
      const std::size_t end = text.find(text[i], i + 1);
      result += "''";
      if (end == text.npos) break;
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

std::optional<Finding> judge(const Outcome& outcome, const std::string& output, bool own_words) {
  if (const std::size_t at = output.find(fault_mark); at != output.npos) {
    return Finding{"fault", general(output.substr(at + std::string(fault_mark).size()))};
  }
  if (!own_words && has_negative_nan(outcome.report)) return Finding{"-nan in a message", general(outcome.report)};
  if (outcome.exit_code == 1 || outcome.exit_code == 3) {
    if (!outcome.called_exit && !has_line(outcome.report)) return Finding{"no line", general(outcome.report)};
    return std::nullopt;
  }
  if (outcome.called_exit || outcome.exit_code == 0 || outcome.exit_code == 130) return std::nullopt;
  return Finding{"exit code", std::to_string(outcome.exit_code)};
}

Finding crash(const std::string& reason, const std::string& output) {
  std::string key = reason;
  std::istringstream lines(output);
  int frames = 0;
  for (std::string line; std::getline(lines, line) && frames < 3;) {
    if (const std::size_t at = line.find("ERROR: AddressSanitizer: "); at != line.npos) {
      key += "; " + line.substr(at + 25, line.find(' ', at + 25) - at - 25);
    }
    // "    #4 0x5581 in perilune::f(int) /path/engine/file.cpp:12", or of backtrace_symbols.
    const std::size_t name = line.find(" in perilune::");
    if (line.find("    #") == 0 && name != line.npos && line.find("/fuzz/") == line.npos) {
      key += " < " + line.substr(line.find_last_of('/') + 1);
      ++frames;
    } else if (const std::size_t begin = line.find("(_ZN8perilune"); begin != line.npos) {
      key += " < " + line.substr(begin + 1, line.find_first_of("+)", begin) - begin - 1);
      ++frames;
    }
  }
  return {"crash", key.substr(0, 300)};
}

}  // namespace perilune::fuzz
