// SPDX-License-Identifier: MIT
#include "course/grade.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "base/output_file.hpp"
#include "course/grade_report.hpp"
#include "course/hand_ins.hpp"
#include "course/processes.hpp"
#include "course/similarity.hpp"
#include "error.hpp"
#include "exercise/exercise.hpp"
#include "format/text.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

// One script of the class, or its absence.
struct Task {
  const Student& student;
  const Exercise& exercise;
  const HandIn* hand_in;  // null: there is none
};

std::string starter_of(const Exercise& exercise) {
  std::ifstream file(exercise.folder() / "starter.lua", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A line of the script as errors show it: "   12 | local x = 1".
bool is_excerpt(const std::string& line) {
  const std::size_t number = line.find_first_not_of(' '), bar = line.find(" | ");
  return bar != line.npos && number < bar && line.find_first_not_of("0123456789", number) == bar;
}

// Empty where there is none that can be read.
std::string text_of(const HandIn& hand_in) {
  if (!hand_in.problem.empty()) return {};
  try {
    return script_text(hand_in.script);
  } catch (const Error&) {
    return {};  // what was checked has gone since
  }
}

// In one line: what a message says, without the script and the stack.
std::string one_line(const std::string& text) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line) && line != "stack traceback:";) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos || is_excerpt(line)) continue;
    all += (all.empty() ? "" : " | ") + line.substr(begin);
  }
  return all;
}

void add_sentence(std::string& message, const std::string& sentence) {
  if (!sentence.empty()) message += (message.empty() ? "" : "; ") + sentence;
}

std::string failed_checks(const Marks& marks) {
  std::string text;
  for (const Test& test : marks.tests) {
    if (!test.passed) add_sentence(text, test.name + " (" + one_line(test.output) + ")");
  }
  return text.empty() ? "" : "failed: " + text;
}

Plain encoded(const Marks& marks) {
  Plain::Items items;
  std::int64_t passed = 0;
  for (const Test& test : marks.tests) passed += test.passed;
  const auto add = [&](Plain value) {
    items.emplace_back(Plain{static_cast<std::int64_t>(items.size())}, std::move(value));
  };
  add({marks.score()});
  add({marks.max_score()});
  add({passed});
  add({static_cast<std::int64_t>(marks.tests.size())});
  add({one_line(marks.problem)});
  add({failed_checks(marks)});
  add({std::any_of(marks.tests.begin(), marks.tests.end(), [](const Test& test) { return test.doubtful; })});
  return {std::move(items)};
}

// The work of a child process.
std::string check(const Task& task) {
  const std::int64_t seed = seed_of(task.student.name, task.exercise.id());
  if (!task.hand_in)
    return encode(encoded(task.exercise.marks_without_script(task.student.missing(task.exercise.id()), seed)));
  const HandIn& hand_in = *task.hand_in;
  if (!hand_in.problem.empty()) return encode(encoded(task.exercise.marks_without_script(hand_in.problem, seed)));
  return encode(encoded(task.exercise.check(hand_in.script, seed)));
}

// What is to be known besides the checks.
std::string remarks_on(const Task& task, bool is_full) {
  if (!task.hand_in) return {};
  const HandIn& hand_in = *task.hand_in;
  std::string text;
  if (hand_in.problem.empty() && same_tokens(text_of(hand_in), starter_of(task.exercise))) {
    add_sentence(text, "this is the starter as it was");
  }
  if (!is_full && !hand_in.owner.empty() && hand_in.owner != task.student.name) {
    add_sentence(text, "its given.lua has the numbers of '" + hand_in.owner + "', but those of '" + task.student.name +
                           "' were used");
  }
  add_sentence(text, hand_in.remark);
  return text;
}

Grade grade_of(const Task& task, const Answer& answer) {
  Grade grade;
  grade.student = task.student.name;
  grade.exercise = task.exercise.id();
  if (!answer.problem.empty()) {
    grade.message = "the checks failed: " + one_line(answer.problem);
    return grade;
  }
  const Plain plain = decode(answer.text);
  const auto& items = std::get<Plain::Items>(plain.value);
  grade.score = std::get<double>(items[0].value.value);
  grade.max_score = std::get<double>(items[1].value.value);
  grade.passed = static_cast<int>(std::get<std::int64_t>(items[2].value.value));
  grade.checks = static_cast<int>(std::get<std::int64_t>(items[3].value.value));
  const std::string& problem = std::get<std::string>(items[4].value.value);
  const bool is_full = problem.empty() && grade.passed == grade.checks;
  if (problem.empty()) {
    grade.state = std::get<bool>(items[6].value.value) ? Grade::State::Doubtful : Grade::State::Checked;
    grade.message = std::get<std::string>(items[5].value.value);
  } else {
    grade.state = task.hand_in ? Grade::State::Stopped : Grade::State::Missing;
    grade.message = (task.hand_in ? "not checked: " : "") + problem;
  }
  add_sentence(grade.message, remarks_on(task, is_full));
  return grade;
}

std::vector<Grade> all_grades(const std::vector<Task>& tasks, int jobs) {
  std::vector<Grade> grades(tasks.size());
  std::size_t count = 0;
  const bool is_watched = isatty(STDERR_FILENO);
  run_in_processes(
      tasks.size(), jobs, [&](std::size_t k) { return check(tasks[k]); },
      [&](std::size_t k, const Answer& answer) {
        grades[k] = grade_of(tasks[k], answer);
        if (is_watched) std::cerr << "\rchecked " << ++count << " of " << tasks.size() << std::flush;
      });
  if (is_watched) std::cerr << "\r\033[K";
  return grades;
}

std::string percent(double share) { return std::to_string(static_cast<int>(100 * share)) + " %"; }

std::string shown_name(const Grade& grade) { return format::terminal_text(grade.student, 40, true); }

// Where many are similar to each other, the rest is a number.
void note_pair(Grade& grade, const Grade& other, double share) {
  constexpr std::size_t most_names = 5;
  if (grade.similar.size() < most_names) grade.similar.push_back(other.student + " " + percent(share));
  if (++grade.similar_count > most_names) {
    grade.similar.resize(most_names);
    grade.similar.push_back("and " + std::to_string(grade.similar_count - most_names) + " more");
  }
}

// Notes in the grades who is similar to whom. What is to be said on the screen.
std::string note_similar(const Exercise& exercise, const std::vector<Task>& tasks, std::vector<Grade>& grades) {
  constexpr std::size_t most_lines = 20;
  std::vector<std::size_t> places;
  std::vector<std::string> texts;
  std::string report;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (&tasks[k].exercise != &exercise || !tasks[k].hand_in) continue;
    places.push_back(k);
    texts.push_back(text_of(*tasks[k].hand_in));
    if (texts.back().size() <= longest_compared) continue;
    report += "  " + exercise.id() + ": that of " + shown_name(grades[k]) + " is too long to be compared\n";
  }
  const std::vector<Similar> pairs = similar_scripts(texts, starter_of(exercise));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    Grade &first = grades[places[pairs[k].first]], &second = grades[places[pairs[k].second]];
    note_pair(first, second, pairs[k].share);
    note_pair(second, first, pairs[k].share);
    if (k >= most_lines) continue;
    report += "  " + exercise.id() + ": " + shown_name(first) + " and " + shown_name(second) + ", " +
              percent(pairs[k].share) + "\n";
  }
  if (pairs.size() > most_lines) {
    report += "  " + exercise.id() + ": and " + std::to_string(pairs.size() - most_lines) + " more pairs\n";
  }
  return report;
}

// Those asked for, else those that somebody handed in.
std::vector<std::string> wanted_ids(const GradeOrder& order, const std::vector<std::string>& asked,
                                    const HandedIn& handed_in, const std::vector<std::string>& all) {
  if (!asked.empty()) return asked;
  std::set<std::string> found;
  for (const Student& student : handed_in.students) {
    for (const auto& [id, hand_in] : student.hand_ins) found.insert(id);
  }
  if (!found.empty()) return {found.begin(), found.end()};
  throw Error("no script in '" + order.folder + "' is called like an exercise, such as " +
              (fs::path(order.folder) / handed_in.students[0].name / all[0] / "solution.lua").string() +
              "; if all are of one exercise, name it: perilune exercise grade " + order.folder + " " + all[0]);
}

// How many points there are does not depend on who could not be checked.
void complete(std::vector<Grade>& grades) {
  for (Grade& grade : grades) {
    if (grade.state != Grade::State::Unknown) continue;
    for (const Grade& other : grades) {
      if (other.exercise != grade.exercise || other.state == Grade::State::Unknown) continue;
      grade.max_score = other.max_score;
      grade.checks = other.checks;
    }
  }
}

}  // namespace

int grade_class(const GradeOrder& order) {
  std::vector<std::string> all, asked;
  for (const fs::path& folder : exercise_folders()) all.push_back(folder.filename().string());
  for (const std::string& id : order.ids) asked.push_back(find_exercise(id).id());
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  const HandedIn handed_in = read_hand_ins(order.folder, all, asked);
  std::vector<Exercise> exercises;
  for (const std::string& id : wanted_ids(order, asked, handed_in, all)) exercises.push_back(find_exercise(id));
  // Said now rather than when the work is done; not kept, for an unfinished file handles Ctrl-C by itself.
  if (!order.csv.empty()) OutputFile{order.csv};
  std::vector<Task> tasks;
  for (const Student& student : handed_in.students) {
    for (const Exercise& exercise : exercises) {
      const auto found = student.hand_ins.find(exercise.id());
      tasks.push_back({student, exercise, found == student.hand_ins.end() ? nullptr : &found->second});
    }
  }
  std::vector<Grade> grades = all_grades(tasks, order.jobs);
  complete(grades);
  std::string similar;
  for (const Exercise& exercise : exercises) similar += note_similar(exercise, tasks, grades);
  std::cout << class_report(grades);
  if (!similar.empty()) {
    std::cout << "\nsimilar scripts, by the part of the shorter one that the other has, too; look at them yourself:\n"
              << similar;
  }
  for (const std::string& remark : handed_in.remarks) std::cout << '\n' << format::terminal_text(remark, 1000, true);
  if (!handed_in.remarks.empty()) std::cout << '\n';
  if (!order.csv.empty()) {
    write_file(order.csv, [&](std::ostream& out) { write_grades(grades, out); });
    std::cout << '\n' << order.csv << '\n';
  }
  const auto is_open = [](const Grade& grade) {
    return grade.state == Grade::State::Unknown || grade.state == Grade::State::Doubtful;
  };
  return std::any_of(grades.begin(), grades.end(), is_open) ? 1 : 0;
}

}  // namespace perilune::lua
