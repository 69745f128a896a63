// SPDX-License-Identifier: MIT
#include "optimize/job_lines.hpp"

#include <cmath>
#include <sstream>

#include "error.hpp"
#include "format/json.hpp"

namespace perilune::optimize {

namespace {

void write_numbers(format::JsonWriter& out, const std::vector<std::string>& names, const std::vector<double>& numbers) {
  out.begin_object();
  for (std::size_t k = 0; k < names.size(); ++k) out.key(names[k]).value(numbers[k]);
  out.end_object();
}

const format::JsonValue& member(const format::JsonValue& value, std::string_view key) {
  const format::JsonValue* found = value.find(key);
  if (!found) throw Error("\"" + std::string(key) + "\" is missing");
  return *found;
}

std::string text_member(const format::JsonValue& value, std::string_view key) {
  const std::string* text = member(value, key).text();
  if (!text) throw Error("\"" + std::string(key) + "\" is not a text");
  return *text;
}

std::size_t count_member(const format::JsonValue& value, std::string_view key) {
  const double* number = member(value, key).number();
  if (!number || !(*number >= 1 && *number <= 1e9) || *number != std::floor(*number)) {
    throw Error("\"" + std::string(key) + "\" is not a positive integer");
  }
  return static_cast<std::size_t>(*number);
}

std::vector<double> read_numbers(const format::JsonValue& from, const std::vector<std::string>& names) {
  std::vector<double> numbers;
  for (const std::string& name : names) {
    const double* number = member(from, name).number();
    if (!number) throw Error("\"" + name + "\" is not a number");
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::string job_line(const SweepTitle& title, const Trial& trial) {
  std::ostringstream text;
  format::JsonWriter out(text, 0);
  out.begin_object();
  out.key("script").value(title.script);
  out.key("sweep").value(title.number);
  out.key("design").value(title.design);
  out.key("job").value(trial.job + 1);
  out.key("jobs").value(title.jobs);
  write_numbers(out.key("parameters"), title.parameters, trial.point);
  if (trial.succeeded()) {
    write_numbers(out.key("values"), title.objectives, trial.values);
    if (!trial.derivatives.empty()) {
      out.key("gradients").begin_object();
      for (std::size_t k = 0; k < title.objectives.size(); ++k) {
        write_numbers(out.key(title.objectives[k]), title.parameters, trial.derivatives[k]);
      }
      out.end_object();
    }
  } else {
    out.key("failure").value(trial.failure);
  }
  if (!trial.warnings.empty()) {
    out.key("warnings").begin_array();
    for (const std::string& sentence : trial.warnings) out.value(sentence);
    out.end_array();
  }
  out.end_object();
  return text.str();
}

JobLine read_job_line(std::string_view text) {
  JobLine line;
  line.content = format::read_json(text);
  line.script = text_member(line.content, "script");
  line.sweep = static_cast<int>(count_member(line.content, "sweep"));
  line.design = text_member(line.content, "design");
  line.job = count_member(line.content, "job");
  line.jobs = count_member(line.content, "jobs");
  if (line.job > line.jobs) throw Error("\"job\" is greater than \"jobs\"");
  return line;
}

Trial trial_of(const JobLine& line, const SweepTitle& title) {
  Trial trial;
  trial.job = line.job - 1;
  trial.point = read_numbers(member(line.content, "parameters"), title.parameters);
  if (const format::JsonValue* warnings = line.content.find("warnings")) {
    const auto* list = std::get_if<format::JsonValue::Array>(&warnings->value);
    if (!list) throw Error("\"warnings\" is not a list");
    for (const format::JsonValue& each : *list) {
      const std::string* sentence = each.text();
      if (!sentence) throw Error("\"warnings\" has something else than texts");
      trial.warnings.push_back(*sentence);
    }
  }
  if (line.content.find("failure")) {
    trial.failure = text_member(line.content, "failure");
    return trial;
  }
  trial.values = read_numbers(member(line.content, "values"), title.objectives);
  if (const format::JsonValue* gradients = line.content.find("gradients")) {
    for (const std::string& name : title.objectives) {
      trial.derivatives.push_back(read_numbers(member(*gradients, name), title.parameters));
    }
  }
  return trial;
}

namespace {

/// "3, 7-9": the numbers of the given ones, from 1.
class Ranges {
 public:
  void add(std::size_t first, std::size_t last) {
    if (first_ != 0 && first == last_ + 1) {
      last_ = last;
      return;
    }
    close();
    first_ = first;
    last_ = last;
  }
  std::string text() {
    close();
    return text_.empty() ? "" : text_.substr(2);
  }

 private:
  void close() {
    if (first_ == 0) return;
    text_ += ", " + std::to_string(first_) + (last_ > first_ ? "-" + std::to_string(last_) : "");
    first_ = 0;
  }
  std::size_t first_ = 0, last_ = 0;
  std::string text_;
};

/// The lines of one sweep from all files.
struct Gathered {
  JobLine first;
  std::string first_file;
  std::map<std::size_t, std::string> lines;  // by job
  std::map<std::size_t, bool> repeated;
};

void gather(const NamedLines& file, std::size_t number, std::map<int, Gathered>& sweeps) {
  const std::string& text = file.lines[number];
  JobLine line = read_job_line(text);
  Gathered& sweep = sweeps[line.sweep];
  if (sweep.lines.empty()) {
    sweep.first = line;
    sweep.first_file = file.name;
  }
  if (line.design != sweep.first.design || line.jobs != sweep.first.jobs) {
    throw Error("sweep " + std::to_string(line.sweep) + " is another one (of " + line.script + ", with " +
                std::to_string(line.jobs) + " jobs) than in " + sweep.first_file + " (of " + sweep.first.script +
                ", with " + std::to_string(sweep.first.jobs) + " jobs); run the same script with the same arguments");
  }
  const auto [known, is_new] = sweep.lines.try_emplace(line.job, text);
  if (is_new) return;
  sweep.repeated[line.job] = true;
  if (known->second != text) {
    throw Error("job " + std::to_string(line.job) + " of sweep " + std::to_string(line.sweep) +
                " is there twice, with different results");
  }
}

}  // namespace

Merged merge_jobs(const std::vector<NamedLines>& files) {
  std::map<int, Gathered> sweeps;
  for (const NamedLines& file : files) {
    for (std::size_t k = 0; k < file.lines.size(); ++k) {
      try {
        gather(file, k, sweeps);
      } catch (const Error& problem) {
        throw Error(file.name + ":" + std::to_string(k + 1) + ": " + problem.what());
      }
    }
  }
  Merged merged;
  int after = 1;
  for (const auto& [number, sweep] : sweeps) {
    if (number > after) {
      const std::string last = number - 1 > after ? "-" + std::to_string(number - 1) : "";
      merged.missing.push_back((last.empty() ? "sweep " : "sweeps ") + std::to_string(after) + last);
    }
    after = number + 1;
    const std::string name = "sweep " + std::to_string(number);
    Ranges missing, repeated;
    std::size_t next = 1;
    for (const auto& [job, line] : sweep.lines) {
      if (job > next) missing.add(next, job - 1);
      next = job + 1;
      merged.lines.push_back(line);
    }
    if (next <= sweep.first.jobs) missing.add(next, sweep.first.jobs);
    for (const auto& [job, is_repeated] : sweep.repeated) repeated.add(job, job);
    const std::string total = " of " + std::to_string(sweep.first.jobs);
    if (const std::string jobs = missing.text(); !jobs.empty())
      merged.missing.push_back(name + ": jobs " + jobs + total);
    if (const std::string jobs = repeated.text(); !jobs.empty()) {
      merged.repeated.push_back(name + ": jobs " + jobs + total);
    }
  }
  return merged;
}

}  // namespace perilune::optimize
