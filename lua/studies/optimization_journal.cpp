// SPDX-License-Identifier: MIT
#include "studies/optimization_journal.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>

#include "base/file_access.hpp"
#include "base/input_file.hpp"
#include "error.hpp"
#include "format/json.hpp"
#include "format/json_reader.hpp"

namespace perilune::lua {

namespace {

using format::JsonValue;
using format::JsonWriter;

constexpr std::string_view first_words = "{\"optimization\":";

// JSON has no other names for them.
constexpr std::pair<const char*, double> not_finite[] = {{"nan", std::numeric_limits<double>::quiet_NaN()},
                                                         {"inf", std::numeric_limits<double>::infinity()},
                                                         {"-inf", -std::numeric_limits<double>::infinity()}};

void write_numbers(JsonWriter& out, const std::vector<double>& numbers) {
  out.begin_array();
  for (const double x : numbers) {
    if (std::isfinite(x)) {
      out.value(x);
    } else {
      out.value(std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    }
  }
  out.end_array();
}

const JsonValue& part(const JsonValue& whole, std::string_view key) {
  const JsonValue* found = whole.find(key);
  if (!found) throw Error("\"" + std::string(key) + "\" is missing");
  return *found;
}

const JsonValue::Array& items(const JsonValue& whole, std::string_view key) {
  const auto* list = std::get_if<JsonValue::Array>(&part(whole, key).value);
  if (!list) throw Error("\"" + std::string(key) + "\" is no list");
  return *list;
}

const JsonValue::Object& members(const JsonValue& whole, std::string_view key) {
  const auto* object = std::get_if<JsonValue::Object>(&part(whole, key).value);
  if (!object) throw Error("\"" + std::string(key) + "\" is no object");
  return *object;
}

const std::string& text(const JsonValue& value) {
  if (const std::string* found = value.text()) return *found;
  throw Error("a text is missing");
}

double number(const JsonValue& value) {
  if (const double* found = value.number()) return *found;
  for (const auto& [name, meant] : not_finite) {
    if (text(value) == name) return meant;
  }
  throw Error("'" + text(value) + "' is no number");
}

std::size_t count(const JsonValue& whole, std::string_view key, double least) {
  const double found = number(part(whole, key));
  if (!(found >= least && found <= 1e15) || found != std::floor(found)) {
    throw Error("\"" + std::string(key) + "\" is no count");
  }
  return static_cast<std::size_t>(found);
}

std::vector<double> numbers(const JsonValue::Array& list) {
  std::vector<double> out;
  for (const JsonValue& one : list) out.push_back(number(one));
  return out;
}

std::vector<double> numbers(const Eigen::VectorXd& x) { return {x.data(), x.data() + x.size()}; }

bool has_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

std::string head_line(const std::string& model, const JobStart& start, const Facts& facts) {
  std::ostringstream line;
  JsonWriter out(line, 0);
  out.begin_object().key("optimization").value(model).key("start").begin_object();
  for (const auto& [name, value] : start) out.key(name).value(value);
  out.end_object().key("facts").begin_object();
  for (const auto& [what, how] : facts) out.key(what).value(how);
  out.end_object().end_object();
  return line.str();
}

[[noreturn]] void fail_other(const std::string& path) {
  throw Error("job: '" + path + "' is no file of an optimization and stays as it is; name another one");
}

}  // namespace

JobStart job_start(const std::string& path) {
  require_writable(path);
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw Error("job: '" + path + "' is a folder; name a file in it");
  }
  const bool exists = std::filesystem::exists(path, failure);
  if (!exists) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (path.empty()) throw Error("job: the name of the file is empty");
    if (folder.empty() || std::filesystem::is_directory(folder, failure)) return {};
    throw Error("job: there is no folder '" + folder.string() + "' for '" + path + "'; mbs.make_folder makes it");
  }
  if (!std::filesystem::is_regular_file(path, failure)) fail_other(path);
  const std::string whole = file_bytes("job", path);
  const std::size_t end = whole.find('\n');
  if (end == whole.npos) {
    // The end may have come while the first line was written.
    const std::size_t common = std::min(whole.size(), first_words.size());
    if (whole.compare(0, common, first_words, 0, common) != 0) fail_other(path);
    return {};
  }
  JobStart start;
  try {
    const JsonValue head = format::read_json(std::string_view(whole).substr(0, end));
    text(part(head, "optimization"));
    members(head, "facts");
    for (const auto& [name, value] : members(head, "start")) start.emplace_back(name, number(value));
  } catch (const Error&) {
    fail_other(path);
  }
  return start;
}

OptimizationJournal::OptimizationJournal(const std::string& path, const std::string& model, const JobStart& start,
                                         const Facts& facts, std::size_t starts)
    : file_(path), starts_(starts) {
  if (file_.lines().empty()) {
    file_.append(head_line(model, start, facts));
    return;
  }
  Facts there;
  try {
    const JsonValue head = format::read_json(file_.lines()[0]);
    for (const auto& [what, how] : members(head, "facts")) there.emplace_back(what, text(how));
  } catch (const Error&) {
    fail_other(path);
  }
  if (const std::string other = differences(there, facts); !other.empty()) {
    throw Error("job: '" + path + "' is of another optimization (" + other +
                "); name another file, or delete this one to begin anew");
  }
  points_.emplace_back();
  for (const auto& [name, value] : start) points_.back().push_back(value);
  for (std::size_t k = 1; k < file_.lines().size(); ++k) {
    try {
      read(k);
    } catch (const Error& problem) {
      throw Error("job: " + path + ":" + std::to_string(k + 1) + ": " + problem.what() +
                  "; delete the lines from there on, and the job goes on from what is left");
    }
  }
}

void OptimizationJournal::read(std::size_t line) {
  const JsonValue content = format::read_json(file_.lines()[line]);
  const std::size_t which = count(content, "start", 1);
  if (which > starts_.size()) throw Error("there is no start " + std::to_string(which));
  std::vector<Evaluation>& known = starts_[which - 1].evaluations;
  if (content.find("keep")) {
    known.resize(std::min(known.size(), count(content, "keep", 0)));
    return;
  }
  Evaluation one;
  one.asked = text(part(content, "asked"));
  one.x = numbers(items(content, "x"));
  if (content.find("along")) one.along = numbers(items(content, "along"));
  if (const JsonValue* failure = content.find("failure")) {
    one.failure = text(*failure);
    one.has_failed = true;
  } else {
    for (const JsonValue& run : items(content, "runs")) {
      sensitivity::Gradient& found = one.runs.emplace_back();
      found.values = numbers(items(run, "values"));
      for (const JsonValue& row : items(run, "derivatives")) {
        const auto* list = std::get_if<JsonValue::Array>(&row.value);
        if (!list) throw Error("a row of \"derivatives\" is no list");
        found.derivatives.push_back(numbers(*list));
      }
      for (const JsonValue& warning : items(run, "warnings")) found.warnings.push_back(text(warning));
    }
  }
  points_.push_back(one.x);
  known.push_back(std::move(one));
}

std::string OptimizationJournal::line_of(std::size_t start, const Evaluation& evaluation) {
  std::ostringstream line;
  JsonWriter out(line, 0);
  out.begin_object().key("start").value(start + 1).key("asked").value(evaluation.asked);
  write_numbers(out.key("x"), evaluation.x);
  if (!evaluation.along.empty()) write_numbers(out.key("along"), evaluation.along);
  if (evaluation.has_failed) {
    out.key("failure").value(evaluation.failure).end_object();
    return line.str();
  }
  out.key("runs").begin_array();
  for (const sensitivity::Gradient& run : evaluation.runs) {
    write_numbers(out.begin_object().key("values"), run.values);
    out.key("derivatives").begin_array();
    for (const std::vector<double>& row : run.derivatives) write_numbers(out, row);
    out.end_array().key("warnings").begin_array();
    for (const std::string& warning : run.warnings) out.value(warning);
    out.end_array().end_object();
  }
  out.end_array().end_object();
  return line.str();
}

void OptimizationJournal::drop_rest(std::size_t start) {
  Start& own = starts_[start];
  std::ostringstream line;
  JsonWriter(line, 0).begin_object().key("start").value(start + 1).key("keep").value(own.next).end_object();
  const std::lock_guard lock(mutex_);
  file_.append(line.str());
  warnings_.push_back("job '" + file_.path() + "': from evaluation " + std::to_string(own.next + 1) +
                      (starts_.size() > 1 ? " of start " + std::to_string(start + 1) : "") +
                      " on the search asks for other points than are in the file, as where another processor or " +
                      "another build of perilune wrote it; what the file has from there on was left out");
  own.evaluations.resize(own.next);
}

OptimizationJournal::Runs OptimizationJournal::evaluation(std::size_t start, std::string_view asked,
                                                          const Eigen::VectorXd& x, const Eigen::VectorXd& along,
                                                          const std::function<Runs()>& live) {
  Start& own = starts_[start];
  Evaluation one{std::string(asked), numbers(x), numbers(along), {}, {}};
  if (own.next < own.evaluations.size()) {
    Evaluation& known = own.evaluations[own.next];
    if (known.asked == one.asked && has_same_bits(known.x, one.x) && has_same_bits(known.along, one.along)) {
      ++own.next;
      {
        const std::lock_guard lock(mutex_);
        ++resumed_;
      }
      if (known.has_failed) throw NumericalError(known.failure);
      return std::move(known.runs);
    }
    drop_rest(start);
  }
  const auto keep = [&] {
    const std::string line = line_of(start, one);
    const std::lock_guard lock(mutex_);
    file_.append(line);
  };
  try {
    one.runs = live();
  } catch (const NumericalError& problem) {
    one.failure = problem.what();
    one.has_failed = true;
    keep();
    throw;
  }
  keep();
  return std::move(one.runs);
}

bool OptimizationJournal::knows(const Eigen::VectorXd& x) const {
  const std::vector<double> point = numbers(x);
  return points_.empty() ||
         std::any_of(points_.begin(), points_.end(), [&](const auto& p) { return has_same_bits(p, point); });
}

}  // namespace perilune::lua
