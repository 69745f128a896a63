// SPDX-License-Identifier: MIT
// What an exchanged mechanism (plant.hpp) tells those who drive it: its variables with their numbers, as a model
// description of FMI 3.0 (Functional Mock-up Interface, fmi-standard.org).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perilune::exchange {

/// How a variable is called between two programs.
using Reference = std::uint32_t;

/// The variables in their order, and what each reference means.
struct Numbering {
  std::size_t parameters = 0, outputs = 0, states = 0, indicators = 0;

  enum class Kind { Time, Parameter, Output, State, Rate, Indicator };
  struct Meaning {
    Kind kind;
    std::size_t number;
  };
  /// Nothing where no variable has it.
  std::optional<Meaning> meaning(Reference reference) const;
  Reference of(Kind kind, std::size_t number = 0) const;
};

struct Interface {
  enum class Use { Fixed, Tunable, Input, Set };  // of a parameter; set by the motion itself, after the start
  struct Parameter {
    std::string name, unit;
    double value, lower, upper;
    Use use;
  };
  struct Named {
    std::string name, unit, description = {};
  };

  std::string name;        // of the model
  std::string identifier;  // of the library in it: a name of C
  std::string token;       // that tells it from all others
  std::string program;     // that made it
  std::vector<Parameter> parameters;
  std::vector<Named> outputs, states, indicators;  // of the states, their units are empty: they may become others
  std::size_t positions = 0;                       // how many of the states are positions
  bool has_model_exchange = true;                  // else it goes on by itself alone
  double start = 0, stop = 1, step = 0;            // s; step 0: adaptive

  Numbering numbering() const { return {parameters.size(), outputs.size(), states.size(), indicators.size()}; }
};

/// modelDescription.xml. Throws Error where two variables have one name, or a unit is not known.
std::string model_description(const Interface& interface);

}  // namespace perilune::exchange
