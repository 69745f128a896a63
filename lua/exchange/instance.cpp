// SPDX-License-Identifier: MIT
#include "exchange/instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

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
  const bool has_indicators = system.switches() && system.sampled().empty();
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
      plant_(exported_.problem),
      values_(record_.values),
      start_time_(exported_.problem.start) {
  if (token != record_.token) {
    throw Error("the instantiation token is '" + token + "', but that of the unit in '" + resources + "' is '" +
                record_.token + "'");
  }
  if (kind_ == Kind::ModelExchange && !exported_.problem.system->sampled().empty()) {
    throw Error("the model has sampled numbers, so that its unit is for co-simulation alone");
  }
  is_tunable_ = exchange::tunable_parameters(*exported_.model);
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
  if (static_cast<std::size_t>(plant_.size()) != record_.states ||
      static_cast<std::size_t>(plant_.position_count()) != record_.positions) {
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

void Instance::set(fmi3ValueReference reference, double value) {
  const auto [kind, number] = meaning(reference);
  if (kind != Kinds::Parameter) throw Error(title(reference) + " cannot be set: it follows from the others");
  if (!std::isfinite(value)) throw Error(title(reference) + " is set to what is no finite number");
  const int k = static_cast<int>(number);
  const bool is_input = std::find(exported_.inputs.begin(), exported_.inputs.end(), k) != exported_.inputs.end();
  const model::Parameter& parameter = exported_.model->parameters()[number];
  if (!is_input && !is_before_start()) {
    if (is_tunable_[number] == 0) {
      throw Error(title(reference) + " cannot be set once the unit runs: joints or the start depend on it");
    }
    if (mode_ == Mode::Continuous) throw Error(title(reference) + " can be set at events, not in between");
  }
  if (value < parameter.lower || value > parameter.upper) {
    warnings_.push_back(title(reference) + " is set to " + format::shortest(value) + ", outside its bounds " +
                        format::shortest(parameter.lower) + " to " + format::shortest(parameter.upper));
  }
  values_[number] = value;
  if (is_before_start()) {
    is_started_ = false;
  } else {
    plant_.set_parameter(k, value);
  }
}

void Instance::tangent(std::span<const fmi3ValueReference> unknowns, std::span<const fmi3ValueReference> knowns,
                       const double* seed, double* product) {
  std::vector<double> dx(numbers_.states), dp(numbers_.parameters), of_rates(numbers_.states),
      of_outputs(numbers_.outputs);
  for (const fmi3ValueReference known : knowns) {
    const auto [kind, number] = meaning(known);
    if (kind == Kinds::State) {
      dx[number] += *seed++;
    } else if (kind == Kinds::Parameter) {
      dp[number] += *seed++;
    } else {
      throw Error("there are derivatives by states, inputs and parameters, not by " + title(known));
    }
  }
  plant().tangent(dx.data(), dp.data(), of_rates.data(), of_outputs.data());
  for (const fmi3ValueReference unknown : unknowns) {
    const auto [kind, number] = meaning(unknown);
    if (kind != Kinds::Rate && kind != Kinds::Output) {
      throw Error("there are derivatives of outputs and of the derivatives of states, not of " + title(unknown));
    }
    *product++ = kind == Kinds::Rate ? of_rates[number] : of_outputs[number];
  }
}

void Instance::adjoint(std::span<const fmi3ValueReference> unknowns, std::span<const fmi3ValueReference> knowns,
                       const double* seed, double* product) {
  std::vector<double> by_x(numbers_.states), by_parameters(numbers_.parameters), of_rates(numbers_.states),
      of_outputs(numbers_.outputs);
  for (const fmi3ValueReference unknown : unknowns) {
    const auto [kind, number] = meaning(unknown);
    if (kind != Kinds::Rate && kind != Kinds::Output) {
      throw Error("there are derivatives of outputs and of the derivatives of states, not of " + title(unknown));
    }
    (kind == Kinds::Rate ? of_rates : of_outputs)[number] += *seed++;
  }
  plant().adjoint(of_rates.data(), of_outputs.data(), by_x.data(), by_parameters.data());
  for (const fmi3ValueReference known : knowns) {
    const auto [kind, number] = meaning(known);
    if (kind != Kinds::State && kind != Kinds::Parameter) {
      throw Error("there are derivatives by states, inputs and parameters, not by " + title(known));
    }
    *product++ = kind == Kinds::State ? by_x[number] : by_parameters[number];
  }
}

Instance::Saved Instance::save() {
  if (!is_started_) {
    exchange::Plant::State only_values;
    only_values.t = start_time_;
    only_values.parameters = values_;
    return {mode_, only_values, false};
  }
  return {mode_, plant_.state(), true};
}

void Instance::restore(const Saved& saved) {
  mode_ = saved.mode;
  values_ = saved.plant.parameters;
  is_started_ = saved.is_started;
  if (is_started_) {
    plant_.set_state(saved.plant);
    if (static_cast<std::size_t>(plant_.size()) != record_.states) throw Error("the saved state is of another unit");
  } else {
    start_time_ = saved.plant.t;
  }
}

namespace {

class ByteWriter {
 public:
  void add(double number) { append(&number, sizeof number); }
  void add(std::uint64_t number) { append(&number, sizeof number); }
  template <class List>
  void add_list(const List& list) {
    add(static_cast<std::uint64_t>(list.size()));
    for (const auto& each : list) add(static_cast<double>(each));
  }
  std::vector<fmi3Byte> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const fmi3Byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<fmi3Byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const fmi3Byte> bytes) : bytes_(bytes) {}
  template <class Number>
  Number get() {
    Number out;
    if (bytes_.size() < sizeof out) throw Error("the serialized state is cut off");
    std::memcpy(&out, bytes_.data(), sizeof out);
    bytes_ = bytes_.subspan(sizeof out);
    return out;
  }
  template <class List>
  List list(std::size_t expected) {
    const auto count = get<std::uint64_t>();
    if (expected != any && count != expected) throw Error("the serialized state is that of another unit");
    if (count > bytes_.size() / sizeof(double)) throw Error("the serialized state is cut off");
    List out;
    for (std::uint64_t k = 0; k < count; ++k) out.push_back(static_cast<typename List::value_type>(get<double>()));
    return out;
  }
  bool is_at_end() const { return bytes_.empty(); }
  static constexpr std::size_t any = static_cast<std::size_t>(-1);

 private:
  std::span<const fmi3Byte> bytes_;
};

/// What choose_independent() may have returned.
void check_choice(const std::vector<int>& choice, const system::System& system) {
  const int n = system.coordinate_count(), m = system.constraint_count();
  int independent = 0, left_out = 0, last = -1;
  for (const int entry : choice) {
    if (entry <= last || entry >= 2 * n + m) throw Error("these bytes are no serialized state of this unit");
    independent += entry < n;
    left_out += entry >= n && entry < n + m;
    last = entry;
  }
  if (independent != n - m + left_out) throw Error("these bytes are no serialized state of this unit");
}

}  // namespace

std::vector<fmi3Byte> bytes_of(const Instance::Saved& saved) {
  ByteWriter out;
  const exchange::Plant::State& plant = saved.plant;
  out.add(static_cast<std::uint64_t>(saved.mode));
  out.add(static_cast<std::uint64_t>(saved.is_started));
  out.add(plant.t);
  out.add_list(plant.parameters);
  out.add_list(plant.q);
  out.add_list(plant.v);
  out.add_list(plant.choice ? *plant.choice : std::vector<int>());
  out.add_list(plant.sides ? *plant.sides : std::vector<double>());
  return out.take();
}

Instance::Saved saved_of(std::span<const fmi3Byte> bytes, const exchange::Plant& plant) {
  ByteReader in(bytes);
  Instance::Saved out;
  const auto mode = in.get<std::uint64_t>();
  if (mode > static_cast<std::uint64_t>(Instance::Mode::Terminated)) throw Error("these bytes are no serialized state");
  out.mode = static_cast<Instance::Mode>(mode);
  out.is_started = in.get<std::uint64_t>() != 0;
  out.plant.t = in.get<double>();
  const auto coordinates = static_cast<std::size_t>(plant.problem().system->coordinate_count());
  const std::size_t n = out.is_started ? coordinates : 0;
  out.plant.parameters = in.list<std::vector<double>>(static_cast<std::size_t>(plant.parameter_count()));
  out.plant.q = in.list<std::vector<double>>(n);
  out.plant.v = in.list<std::vector<double>>(n);
  const auto choice = in.list<std::vector<int>>(ByteReader::any);
  const auto indicators = static_cast<std::size_t>(plant.indicator_count());
  const auto sides = in.list<std::vector<double>>(out.is_started ? indicators : 0);
  if (!in.is_at_end()) throw Error("these bytes are no serialized state of this unit");
  if (out.is_started) out.plant.choice = std::make_shared<std::vector<int>>(choice);
  if (!sides.empty()) out.plant.sides = std::make_shared<std::vector<double>>(sides);
  if (out.is_started) check_choice(choice, *plant.problem().system);
  return out;
}

}  // namespace perilune::lua
