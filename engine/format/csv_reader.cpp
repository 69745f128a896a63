// SPDX-License-Identifier: MIT
#include "format/csv_reader.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <vector>

#include "error.hpp"
#include "poll.hpp"

namespace perilune::format {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Line by line.
class CsvReader {
 public:
  explicit CsvReader(std::string_view bytes) : rest_(bytes) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  /// The next line that has something in it; false at the end.
  bool next() {
    while (!rest_.empty()) {
      ++number_;
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = trimmed(rest_.substr(0, end));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      if (!line_.empty() && line_.front() != '#') return true;
    }
    return false;
  }

  void find_separator() {
    const std::size_t at = line_.find_first_of(",;\t");
    if (at != std::string_view::npos) separator_ = line_[at];
  }
  char separator() const { return separator_; }

  std::vector<std::string> fields() const {
    std::vector<std::string> out(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line_.size(); ++i) {
      const char c = line_[i];
      if (c == '"') {
        if (quoted && i + 1 < line_.size() && line_[i + 1] == '"') {
          out.back() += line_[++i];
        } else {
          quoted = !quoted;
        }
      } else if (c == separator_ && !quoted) {
        out.emplace_back();
      } else {
        out.back() += c;
      }
    }
    if (quoted) fail("a quotation mark is not closed");
    return out;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error("line " + std::to_string(number_) + ": " + problem);
  }

 private:
  std::string_view rest_, line_;
  int number_ = 0;
  char separator_ = ',';
};

Column column_of(const CsvReader& reader, const std::string& heading) {
  const std::string_view text = trimmed(heading);
  const std::size_t open = text.rfind('[');
  Column column;
  if (open != std::string_view::npos && text.back() == ']') {
    column.name = trimmed(text.substr(0, open));
    column.unit = trimmed(text.substr(open + 1, text.size() - open - 2));
  } else {
    column.name = text;
  }
  if (column.name.empty()) reader.fail("a column has no name; the first line must have one for each");
  return column;
}

double number_of(const CsvReader& reader, const std::string& field, const Column& column) {
  std::string_view text = trimmed(field);
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size()) return value;
  const bool has_comma = reader.separator() != ',' && text.find(',') != std::string_view::npos;
  reader.fail("'" + std::string(text) + "' in column \"" + column.name + "\" is no number" +
              (has_comma ? "; decimals need a point" : ""));
}

}  // namespace

Table read_csv(std::string_view bytes) {
  CsvReader reader(bytes);
  if (!reader.next()) throw Error("it has no line of names");
  reader.find_separator();
  Table table;
  for (const std::string& heading : reader.fields()) {
    const Column column = column_of(reader, heading);
    const auto taken = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&](const Column& other) { return other.name == column.name; });
    if (taken != table.columns.end()) reader.fail("two columns are named \"" + column.name + "\"");
    table.columns.push_back(column);
  }
  Poll poll;
  while (reader.next()) {
    poll();
    const std::vector<std::string> fields = reader.fields();
    if (fields.size() != table.columns.size()) {
      reader.fail("it has " + std::to_string(fields.size()) + " cells where the first line has " +
                  std::to_string(table.columns.size()));
    }
    for (std::size_t k = 0; k < fields.size(); ++k) {
      table.columns[k].values.push_back(number_of(reader, fields[k], table.columns[k]));
    }
  }
  return table;
}

}  // namespace perilune::format
