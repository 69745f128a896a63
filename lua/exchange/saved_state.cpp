// SPDX-License-Identifier: MIT
// The state of a unit as a host keeps it, and as bytes.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "error.hpp"
#include "exchange/instance.hpp"

namespace perilune::lua {

namespace {

/// What choose_independent() may have returned, and what loops of trees have behind it.
void check_choice(const std::vector<int>& choice, const system::System& system) {
  const int n = system.coordinate_count(), m = system.constraint_count();
  int independent = 0, left_out = 0, last = -1;
  for (const int entry : choice) {
    if (entry <= last || entry >= 3 * n + m) throw Error("these bytes are no serialized state of this unit");
    independent += entry < n;
    left_out += entry >= n && entry < n + m;
    last = entry;
  }
  if (independent != n - m + left_out) throw Error("these bytes are no serialized state of this unit");
}

/// Of bytes from elsewhere all has to be checked that a plant relies on.
void check_fits(const exchange::Plant::State& state, const exchange::Plant& plant) {
  const system::System& system = plant.system_in(state.phase);
  const auto n = static_cast<std::size_t>(system.coordinate_count());
  const auto is_side = [](double side) { return side == 1 || side == -1; };
  const auto is_number = [](double number) { return number >= 0 && number == std::floor(number); };
  const int sides = system.switches() ? system.switches()->output_count() : 0;
  if (state.q.size() != n || state.v.size() != n || !state.choice || !std::isfinite(state.t) ||
      (state.sides ? state.sides->size() : 0) != static_cast<std::size_t>(sides) ||
      state.ticks.size() != system.sampled().size() ||
      !std::all_of(state.ticks.begin(), state.ticks.end(), is_number) ||
      (state.sides && !std::all_of(state.sides->begin(), state.sides->end(), is_side))) {
    throw Error("these bytes are no serialized state of this unit");
  }
  check_choice(*state.choice, system);
}

}  // namespace

Instance::Saved Instance::save() {
  if (!is_started_) {
    exchange::Plant::State only_values;
    only_values.t = start_time_;
    only_values.parameters = values_;
    return {mode_, only_values, stop_time_, false};
  }
  return {mode_, plant_.state(), stop_time_, true};
}

void Instance::restore(const Saved& saved) {
  const bool is_of_other_kind = kind_ == Kind::ModelExchange
                                    ? saved.mode == Mode::Step
                                    : saved.mode == Mode::Event || saved.mode == Mode::Continuous;
  if (is_of_other_kind) throw Error("the saved state is of the other kind of use, model exchange or co-simulation");
  if (saved.plant.parameters.size() != values_.size()) throw Error("the saved state is of another unit");
  if (saved.is_started) {
    check_fits(saved.plant, plant_);
    plant_.set_state(saved.plant);
  }
  mode_ = saved.mode;
  values_ = saved.plant.parameters;
  stop_time_ = saved.stop_time;
  is_started_ = saved.is_started;
  if (!is_started_) start_time_ = saved.plant.t;
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

}  // namespace

std::vector<fmi3Byte> bytes_of(const Instance::Saved& saved) {
  ByteWriter out;
  const exchange::Plant::State& plant = saved.plant;
  out.add(static_cast<std::uint64_t>(saved.mode));
  out.add(static_cast<std::uint64_t>(saved.is_started));
  out.add(saved.stop_time);
  out.add(plant.t);
  out.add_list(plant.parameters);
  out.add_list(plant.q);
  out.add_list(plant.v);
  out.add_list(plant.choice ? *plant.choice : std::vector<int>());
  out.add_list(plant.sides ? *plant.sides : std::vector<double>());
  out.add_list(plant.ticks);
  out.add(static_cast<std::uint64_t>(plant.phase));
  out.add(plant.phase_start);
  out.add(static_cast<std::uint64_t>(plant.is_on_its_way));
  out.add(static_cast<std::uint64_t>(plant.is_over));
  return out.take();
}

Instance::Saved saved_of(std::span<const fmi3Byte> bytes, const exchange::Plant& plant) {
  ByteReader in(bytes);
  Instance::Saved out;
  const auto mode = in.get<std::uint64_t>();
  if (mode > static_cast<std::uint64_t>(Instance::Mode::Terminated)) throw Error("these bytes are no serialized state");
  out.mode = static_cast<Instance::Mode>(mode);
  out.is_started = in.get<std::uint64_t>() != 0;
  out.stop_time = in.get<double>();
  out.plant.t = in.get<double>();
  const auto coordinates = static_cast<std::size_t>(plant.problem().system->coordinate_count());
  const std::size_t n = out.is_started ? coordinates : 0;
  out.plant.parameters = in.list<std::vector<double>>(static_cast<std::size_t>(plant.parameter_count()));
  out.plant.q = in.list<std::vector<double>>(n);
  out.plant.v = in.list<std::vector<double>>(n);
  const auto choice = in.list<std::vector<int>>(ByteReader::any);
  const auto sides = in.list<std::vector<double>>(ByteReader::any);
  out.plant.ticks = in.list<exchange::Clock::Numbers>(ByteReader::any);
  out.plant.phase = in.get<std::uint64_t>();
  out.plant.phase_start = in.get<double>();
  out.plant.is_on_its_way = in.get<std::uint64_t>() != 0;
  out.plant.is_over = in.get<std::uint64_t>() != 0;
  if (!in.is_at_end()) throw Error("these bytes are no serialized state of this unit");
  if (out.is_started) out.plant.choice = std::make_shared<std::vector<int>>(choice);
  if (!sides.empty()) out.plant.sides = std::make_shared<std::vector<double>>(sides);
  if (out.is_started) check_fits(out.plant, plant);
  return out;
}

}  // namespace perilune::lua
