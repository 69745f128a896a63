// SPDX-License-Identifier: MIT
// One use of a unit by a host: its plant, and in which of the standard's modes it is (FMI 3.0, chapter 2).
#pragma once
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "exchange/fmi3.hpp"
#include "exchange/interface.hpp"
#include "exchange/plant.hpp"
#include "exchange/unit.hpp"

namespace perilune::lua {

class Instance {
 public:
  enum class Kind { ModelExchange, CoSimulation };
  enum class Mode { Instantiated, Initialization, Event, Continuous, Step, Terminated };

  /// Throws Error where the token is not that of the unit, or its script does not do what it did.
  Instance(Kind kind, const std::string& name, const std::string& token, const std::string& resources);

  Kind kind() const { return kind_; }
  Mode mode() const { return mode_; }
  void set_mode(Mode mode) { mode_ = mode; }
  const std::string& name() const { return name_; }

  /// Sentences for the host since the last call.
  std::vector<std::string> take_warnings();
  /// One for each fault: what goes on, or comes again, is told once.
  void warn(std::vector<std::string> sentences);

  void set_start_time(double t);
  /// The host will not go beyond it; infinite where it does not say.
  void set_stop_time(double t) { stop_time_ = t; }
  void reset();
  /// Which has started: what is wrong with the start is an exception.
  exchange::Plant& plant();
  const exchange::Plant& unstarted_plant() const { return plant_; }
  std::size_t state_count() const { return record_.states; }
  int indicator_count() const { return plant_.indicator_count(); }
  /// Throws Error where the host believes that it is another time.
  void require_time(double t);
  /// That a step does not end behind the stop time.
  void require_end(double t) const;

  double get(fmi3ValueReference reference);
  /// Throws Error where one of them cannot be set now; then none is.
  void set(std::span<const fmi3ValueReference> references, const double* values);

  /// Products with derivatives of unknowns (outputs, rates) by knowns (states, inputs, parameters). Where the unit
  /// starts, those of states, too, by inputs and parameters; in Event Mode, of states alone, over the event.
  void tangent(std::span<const fmi3ValueReference> unknowns, std::span<const fmi3ValueReference> knowns,
               const double* seed, double* product);
  void adjoint(std::span<const fmi3ValueReference> unknowns, std::span<const fmi3ValueReference> knowns,
               const double* seed, double* product);

  struct Saved {
    Mode mode;
    exchange::Plant::State plant;
    double stop_time = std::numeric_limits<double>::infinity();
    bool is_started;
  };
  Saved save();
  void restore(const Saved& saved);

 private:
  using Kinds = exchange::Numbering::Kind;
  exchange::Numbering::Meaning meaning(fmi3ValueReference reference) const;
  std::string title(fmi3ValueReference reference) const;
  void check_set(fmi3ValueReference reference, double value) const;
  struct Slopes;
  enum class Over { Nothing, Start, Event };
  /// What derivatives are over. Throws Error where there are none of these variables.
  Over over(std::span<const fmi3ValueReference> unknowns, std::span<const fmi3ValueReference> knowns) const;
  double& place(Slopes& slopes, fmi3ValueReference reference) const;
  void start();
  bool is_before_start() const { return mode_ == Mode::Instantiated || mode_ == Mode::Initialization; }

  Kind kind_;
  Mode mode_ = Mode::Instantiated;
  std::string name_;
  UnitRecord record_;
  ExportedModel exported_;
  exchange::Numbering numbers_;
  exchange::Plant plant_;
  std::vector<char> is_tunable_;
  std::vector<double> values_;  // of the parameters, until the start
  double start_time_ = 0, stop_time_ = std::numeric_limits<double>::infinity();
  bool is_started_ = false;
  std::vector<std::string> warnings_;
  std::set<std::string> told_;
};

/// A saved state as bytes, for another process with the same unit.
std::vector<fmi3Byte> bytes_of(const Instance::Saved& saved);
/// Throws Error where they are none of this plant.
Instance::Saved saved_of(std::span<const fmi3Byte> bytes, const exchange::Plant& plant);

}  // namespace perilune::lua
