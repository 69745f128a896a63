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

/// Tabs may be separators.
std::string_view without_blanks(std::string_view line) {
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

bool is_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

/// Line by line.
class CsvReader {
 public:
  explicit CsvReader(std::string_view bytes) : rest_(bytes) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
    if (rest_.starts_with("\xFF\xFE") || rest_.starts_with("\xFE\xFF")) {
      throw Error("it is in UTF-16; save it as UTF-8 or ASCII");
    }
  }

  /// The next line that has something in it; false at the end.
  bool next() {
    while (!rest_.empty()) {
      ++number_;
      const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
      line_ = without_blanks(rest_.substr(0, end));
      const bool is_pair = rest_.substr(end).starts_with("\r\n");
      rest_.remove_prefix(std::min(end + (is_pair ? 2 : 1), rest_.size()));
      if (line_.starts_with('#')) remark_ = line_.substr(1);
      if (!line_.empty() && line_.front() != '#') return true;
    }
    return false;
  }

  /// Whichever stands first outside quotation marks.
  void find_separator() {
    bool quoted = false;
    for (const char c : line_) {
      if (c == '"') quoted = !quoted;
      if (quoted || (c != ',' && c != ';' && c != '\t')) continue;
      separator_ = c;
      return;
    }
  }
  char separator() const { return separator_; }

  std::vector<std::string> fields() const { return fields_of(line_); }
  /// Of the last line that began with #, which was passed over: some write the names so.
  std::vector<std::string> remark_fields() const { return fields_of(remark_); }

  std::vector<std::string> fields_of(std::string_view line) const {
    std::vector<std::string> out(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (c == '"') {
        if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
          out.back() += line[++i];
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
  std::string_view rest_, line_, remark_;
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
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
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
  std::vector<std::string> headings = reader.fields();
  const bool has_names = !std::all_of(headings.begin(), headings.end(), is_number);
  if (!has_names) {
    headings = reader.remark_fields();
    if (headings.size() != reader.fields().size() || std::any_of(headings.begin(), headings.end(), is_number)) {
      reader.fail("the first line has numbers where the names of the columns belong");
    }
  }
  for (const std::string& heading : headings) {
    const Column column = column_of(reader, heading);
    const auto taken = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&](const Column& other) { return other.name == column.name; });
    if (taken != table.columns.end()) reader.fail("two columns are named \"" + column.name + "\"");
    table.columns.push_back(column);
  }
  Poll poll;
  for (bool has_row = !has_names || reader.next(); has_row; has_row = reader.next()) {
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
  if (table.columns[0].values.empty()) throw Error("there are no numbers below the names of its columns");
  return table;
}

}  // namespace perilune::format
