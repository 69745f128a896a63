// SPDX-License-Identifier: MIT
#include "exchange/instance.hpp"

#include <algorithm>
#include <cmath>

#include "base/input_file.hpp"
#include "error.hpp"
#include "exchange/describe.hpp"
#include "format/text.hpp"

namespace perilune::lua {

using Kinds = exchange::Numbering::Kind;

namespace {

constexpr double rounding = 1e-9;  // sums of steps

UnitRecord record_in(const std::string& resources) {
  return read_unit_record(file_bytes("unit", resources + "/unit.json"));
}

exchange::Numbering numbering_of(const UnitRecord& record, const ExportedModel& exported) {
  const system::System& system = *exported.problem.system;
  const bool has_indicators = system.switches() && exported.problem.phases.empty();
  return {record.values.size(), exported.outputs.size(), record.states,
          has_indicators ? static_cast<std::size_t>(system.switches()->output_count()) : 0};
}

}  // namespace

Instance::Instance(Kind kind, const std::string& name, const std::string& token, const std::string& resources)
    : kind_(kind),
      name_(name),
      record_(record_in(resources)),
      exported_(replay(resources, record_)),
      numbers_(numbering_of(record_, exported_)),
      plant_(exported_.problem, *exported_.model),
      values_(record_.values),
      start_time_(exported_.problem.start) {
  if (token != record_.token) {
    throw Error("the instantiation token is '" + token + "', but that of the unit in '" + resources + "' is '" +
                record_.token + "'");
  }
  if (kind_ == Kind::ModelExchange && plant_.has_phases()) {
    throw Error("the model moves in phases, so that its unit is for co-simulation alone");
  }
  is_tunable_ = exchange::tunable_parameters(*exported_.model, plant_);
}

std::vector<std::string> Instance::take_warnings() { return std::exchange(warnings_, {}); }

void Instance::warn(std::vector<std::string> sentences) {
  for (std::string& sentence : sentences) {
    // Without the time and the figures behind: "at t = 0.1 s: contact is lost in wheel "w": ...".
    const std::size_t after_time = sentence.starts_with("at t = ") ? sentence.find(": ") + 2 : 0;
    const std::size_t end = sentence.find(": ", after_time);
    if (told_.insert(sentence.substr(after_time, end - after_time)).second) warnings_.push_back(std::move(sentence));
  }
}

void Instance::set_start_time(double t) {
  start_time_ = t;
  is_started_ = false;
}

void Instance::reset() {
  values_ = record_.values;
  start_time_ = exported_.problem.start;
  stop_time_ = std::numeric_limits<double>::infinity();
  is_started_ = false;
  told_.clear();
  mode_ = Mode::Instantiated;
}

void Instance::start() {
  if (is_started_) return;
  std::vector<std::string> warnings = plant_.start(start_time_, values_);
  const bool has_others = static_cast<std::size_t>(plant_.size()) != record_.states ||
                          static_cast<std::size_t>(plant_.position_count()) != record_.positions;
  if (has_others && !plant_.has_phases()) {
    throw Error("with these parameters the mechanism has " + std::to_string(plant_.size()) +
                " states, where the unit was made with " + std::to_string(record_.states));
  }
  is_started_ = true;
  warn(std::move(warnings));
}

exchange::Plant& Instance::plant() {
  start();
  return plant_;
}

void Instance::require_end(double t) const {
  if (t <= stop_time_ + rounding * std::max(1.0, std::abs(stop_time_))) return;
  throw Error("the step is to end at " + format::shortest(t) + " s, behind the stop time " +
              format::shortest(stop_time_) + " s of fmi3EnterInitializationMode");
}

void Instance::require_time(double t) {
  const double now = plant().time();
  if (std::abs(t - now) <= rounding * std::max({1.0, std::abs(t), std::abs(now)})) return;
  throw Error("the step is to start at " + format::shortest(t) + " s, but the unit is at " + format::shortest(now) +
              " s");
}

exchange::Numbering::Meaning Instance::meaning(fmi3ValueReference reference) const {
  const auto found = numbers_.meaning(reference);
  if (!found) throw Error("there is no variable with the reference " + std::to_string(reference));
  return *found;
}

std::string Instance::title(fmi3ValueReference reference) const {
  const auto [kind, number] = meaning(reference);
  const std::string count = std::to_string(number + 1);
  switch (kind) {
    case Kinds::Time:
      return "the time";
    case Kinds::Parameter:
      return "parameter \"" + exported_.model->parameters()[number].name + "\"";
    case Kinds::Output:
      return "output \"" + exported_.outputs[number].name + "\"";
    case Kinds::State:
      return "state " + count;
    case Kinds::Rate:
      return "the derivative of state " + count;
    case Kinds::Indicator:
      break;
  }
  return "event indicator " + count;
}

double Instance::get(fmi3ValueReference reference) {
  const auto [kind, number] = meaning(reference);
  const auto k = static_cast<int>(number);
  if (kind == Kinds::Parameter) return is_started_ ? plant_.parameter(k) : values_[number];
  if (mode_ == Mode::Instantiated) {
    throw Error(title(reference) + " is asked for before fmi3EnterInitializationMode");
  }
  exchange::Plant& plant = this->plant();
  switch (kind) {
    case Kinds::Time:
      return plant.time();
    case Kinds::Output:
      return plant.output(k);
    case Kinds::State:
      return plant.entry(k);
    case Kinds::Rate:
      return plant.rate(k);
    case Kinds::Indicator:
      return plant.indicator(k);
    case Kinds::Parameter:
      break;
  }
  return 0;
}

void Instance::check_set(fmi3ValueReference reference, double value) const {
  const auto [kind, number] = meaning(reference);
  if (kind != Kinds::Parameter) throw Error(title(reference) + " cannot be set: it follows from the others");
  if (!std::isfinite(value)) throw Error(title(reference) + " is set to what is no finite number");
  const int k = static_cast<int>(number);
  const bool is_input = std::find(exported_.inputs.begin(), exported_.inputs.end(), k) != exported_.inputs.end();
  if (mode_ == Mode::Terminated) throw Error(title(reference) + " cannot be set once the unit is terminated");
  if (is_input || is_before_start()) return;
  if (is_tunable_[number] == 0) {
    throw Error(title(reference) + " cannot be set once the unit runs: " +
                (plant_.is_set_by_phases(k) ? "phases set it" : "joints or the start depend on it"));
  }
  if (mode_ == Mode::Continuous) throw Error(title(reference) + " can be set at events, not in between");
}

void Instance::set(std::span<const fmi3ValueReference> references, const double* values) {
  // All or nothing: a host that goes on after an error would not know which of them were set.
  for (std::size_t k = 0; k < references.size(); ++k) check_set(references[k], values[k]);
  for (std::size_t k = 0; k < references.size(); ++k) {
    const std::size_t number = meaning(references[k]).number;
    const model::Parameter& parameter = exported_.model->parameters()[number];
    if (values[k] < parameter.lower || values[k] > parameter.upper) {
      warnings_.push_back(title(references[k]) + " is set to " + format::shortest(values[k]) + ", outside its bounds " +
                          format::shortest(parameter.lower) + " to " + format::shortest(parameter.upper));
    }
    values_[number] = values[k];
    if (is_before_start()) {
      is_started_ = false;
    } else {
      plant_.set_parameter(static_cast<int>(number), values[k]);
    }
  }
}

}  // namespace perilune::lua
