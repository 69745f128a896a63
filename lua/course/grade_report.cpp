// SPDX-License-Identifier: MIT
#include "course/grade_report.hpp"

#include <algorithm>
#include <map>

#include "course/hand_ins.hpp"
#include "format/csv.hpp"
#include "format/text.hpp"

namespace perilune::lua {

namespace {

constexpr int widest_name = 40, widest_message = 1000;

std::string padded(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - format::terminal_width(text))), ' ');
}

std::string right_aligned(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - format::terminal_width(text))), ' ') + text;
}

std::string shown(const std::string& name) { return format::terminal_text(name, widest_name, true); }

// The number of an exercise, where it has one, so that twenty of them fit a line.
std::string heading_of(const std::string& exercise) {
  const std::size_t dash = exercise.find('-');
  const std::string number = exercise.substr(0, dash);
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
  return dash != exercise.npos && is_number ? number : exercise;
}

// Points, or a mark, which the messages below explain.
std::string cell_of(const Grade& grade) {
  switch (grade.state) {
    case Grade::State::Checked:
      return format::significant(grade.score, 6);
    case Grade::State::Doubtful:
      return format::significant(grade.score, 6) + "?";
    case Grade::State::Stopped:
      return "!";
    case Grade::State::Missing:
      return "-";
    case Grade::State::Unknown:
      break;
  }
  return "?";
}

struct Summary {
  double sum = 0, max = 0;
  int handed_in = 0, stopped = 0, full = 0;
};

std::string mean_line(const std::string& exercise, const Summary& summary, std::size_t students, int width) {
  std::string line = padded(exercise, width) + "  " + std::to_string(summary.handed_in) + " of " +
                     std::to_string(students) + " handed in";
  if (summary.handed_in > 0) {
    line += ", mean " + format::significant(summary.sum / summary.handed_in, 3) + " of " +
            format::shortest(summary.max) + ", full score " + std::to_string(summary.full);
  }
  if (summary.stopped > 0) line += ", not checked " + std::to_string(summary.stopped);
  return line + "\n";
}

std::string messages_of(const std::vector<Grade>& grades) {
  std::string text, last;
  for (const Grade& grade : grades) {
    if (grade.state == Grade::State::Checked || grade.message == not_handed_in) continue;
    // What is missing misses in each exercise.
    const bool is_missing = grade.state == Grade::State::Missing;
    const std::string line = "  " + shown(grade.student) + (is_missing ? "" : ", " + grade.exercise) + ": " +
                             format::terminal_text(grade.message, widest_message, true) + "\n";
    if (line != last) text += line;
    last = line;
  }
  return text;
}

// Spreadsheets take what begins like this for a formula, which names and messages of students must not become.
std::string plain_text(const std::string& text, int width) {
  const std::string clean = format::terminal_text(text, width, true);
  return !clean.empty() && std::string("=+-@").find(clean[0]) != std::string::npos ? "'" + clean : clean;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

}  // namespace

std::string class_report(const std::vector<Grade>& grades) {
  std::map<std::string, Summary> summaries;
  std::vector<std::string> students;
  int name_width = 7;
  for (const Grade& grade : grades) {
    if (students.empty() || students.back() != grade.student) students.push_back(grade.student);
    name_width = std::max(name_width, format::terminal_width(shown(grade.student)));
    Summary& summary = summaries[grade.exercise];
    summary.max = std::max(summary.max, grade.max_score);
    if (grade.state == Grade::State::Missing || grade.state == Grade::State::Unknown) continue;
    ++summary.handed_in;
    summary.sum += grade.score;
    if (grade.state == Grade::State::Stopped) ++summary.stopped;
    if (grade.state == Grade::State::Checked && grade.passed == grade.checks) ++summary.full;
  }
  std::string text = padded("student", name_width);
  std::string limits = padded("of", name_width);
  std::vector<int> widths;
  double all = 0;
  int id_width = 0;
  for (const auto& [exercise, summary] : summaries) {
    const std::string heading = heading_of(exercise), max = format::shortest(summary.max);
    widths.push_back(static_cast<int>(std::max({heading.size(), max.size(), std::size_t{4}})) + 2);
    text += right_aligned(heading, widths.back());
    limits += right_aligned(max, widths.back());
    all += summary.max;
    id_width = std::max(id_width, static_cast<int>(exercise.size()));
  }
  constexpr int sum_width = 8;
  text += right_aligned("sum", sum_width) + "\n" + limits + right_aligned(format::shortest(all), sum_width) + "\n";
  std::size_t column = 0;
  double sum = 0;
  for (const Grade& grade : grades) {
    if (column == 0) text += padded(shown(grade.student), name_width);
    text += right_aligned(cell_of(grade), widths[column]);
    sum += grade.score;
    if (++column < widths.size()) continue;
    text += right_aligned(format::significant(sum, 6), sum_width) + "\n";
    column = 0;
    sum = 0;
  }
  text += "\n";
  for (const auto& [exercise, summary] : summaries) text += mean_line(exercise, summary, students.size(), id_width);
  const std::string messages = messages_of(grades);
  return messages.empty() ? text : text + "\n- not handed in, ! not checked, ? a check could not be made:\n" + messages;
}

void write_grades(const std::vector<Grade>& grades, std::ostream& out) {
  out << "student,exercise,points,of,passed,checks,message,similar\n";
  for (const Grade& grade : grades) {
    out << format::csv_field(plain_text(grade.student, widest_message)) << ',' << format::csv_field(grade.exercise)
        << ',' << format::shortest(grade.score) << ',' << format::shortest(grade.max_score) << ',' << grade.passed
        << ',' << grade.checks << ',' << format::csv_field(plain_text(grade.message, widest_message)) << ','
        << format::csv_field(plain_text(joined(grade.similar), widest_message)) << '\n';
  }
}

}  // namespace perilune::lua
