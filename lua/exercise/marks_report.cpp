// SPDX-License-Identifier: MIT
#include "exercise/marks_report.hpp"

#include <sstream>

#include "base/output_file.hpp"
#include "format/json.hpp"
#include "format/text.hpp"

namespace perilune::lua {

namespace {

std::string points(double score, double max) { return format::shortest(score) + "/" + format::shortest(max); }

// Every line of the text behind the margin.
std::string indented(const std::string& text, const std::string& margin) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += margin + line + "\n";
  return out;
}

}  // namespace

std::string report_text(const ExerciseReport& report) {
  const Marks& marks = report.marks;
  std::string text = report.exercise.id() + ": " + report.exercise.title() + "\n";
  if (!marks.output.empty()) text += "your script printed:\n" + indented(marks.output, "  | ");
  if (!marks.problem.empty()) text += indented(marks.problem, "  ");
  for (const Test& test : marks.tests) {
    const std::string score = points(test.score, test.max_score);
    text += std::string(test.passed ? "  passed  " : "  FAILED  ") + score +
            std::string(score.size() < 6 ? 6 - score.size() : 1, ' ') + test.name + "\n";
    if (!test.passed && marks.problem.empty()) text += indented(test.output, "            ");
    if (!test.hint.empty()) text += indented(test.hint, "            hint: ");
  }
  text += "score: " + format::shortest(marks.score()) + " of " + format::shortest(marks.max_score()) + "\n";
  if (marks.problem.empty() && !marks.full()) text += "perilune exercise hint " + report.exercise.id() + " helps on\n";
  return text;
}

void write_report(const ExerciseReport& report, const std::string& path) {
  const Marks& marks = report.marks;
  std::ostringstream text;
  format::JsonWriter json(text);
  json.begin_object();
  json.key("exercise").value(report.exercise.id()).key("title").value(report.exercise.title());
  json.key("version").value(1).key("tool").value("perilune " PERILUNE_VERSION);
  json.key("student").value(report.student).key("seed").value(report.seed);
  json.key("score").value(marks.score()).key("max_score").value(marks.max_score());
  json.key("runtime_s").value(marks.seconds).key("execution_time").value(marks.seconds);
  json.key("hints_used").value(report.hints);
  json.key("problem").value(marks.problem);
  json.key("output").value(marks.problem.empty() ? marks.output : marks.output + marks.problem);
  json.key("tests").begin_array();
  for (const Test& test : marks.tests) {
    json.begin_object();
    json.key("id").value(test.id).key("name").value(test.name);
    json.key("score").value(test.score).key("max_score").value(test.max_score);
    json.key("status").value(test.passed ? "passed" : "failed");
    json.key("output").value(test.output).key("hint").value(test.hint);
    json.end_object();
  }
  json.end_array().end_object();
  write_file(path, [&](std::ostream& out) { out << text.str() << '\n'; });
}

}  // namespace perilune::lua
