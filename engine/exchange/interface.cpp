// SPDX-License-Identifier: MIT
#include "exchange/interface.hpp"

#include <array>
#include <cmath>
#include <set>

#include "error.hpp"
#include "format/text.hpp"
#include "format/xml_writer.hpp"
#include "model/unit.hpp"

namespace perilune::exchange {

std::optional<Numbering::Meaning> Numbering::meaning(Reference reference) const {
  std::size_t rest = reference;
  if (rest == 0) return Meaning{Kind::Time, 0};
  --rest;
  const std::array<std::pair<Kind, std::size_t>, 5> blocks = {{{Kind::Parameter, parameters},
                                                               {Kind::Output, outputs},
                                                               {Kind::State, states},
                                                               {Kind::Rate, states},
                                                               {Kind::Indicator, indicators}}};
  for (const auto& [kind, count] : blocks) {
    if (rest < count) return Meaning{kind, rest};
    rest -= count;
  }
  return std::nullopt;
}

Reference Numbering::of(Kind kind, std::size_t number) const {
  std::size_t first = 1;
  if (kind == Kind::Time) return 0;
  for (const auto& [block, count] :
       {std::pair{Kind::Parameter, parameters}, {Kind::Output, outputs}, {Kind::State, states}, {Kind::Rate, states}}) {
    if (kind == block) break;
    first += count;
  }
  return static_cast<Reference>(first + number);
}

namespace {

using pugi::xml_node;

/// An attribute without a value is left out.
void set(xml_node node, const char* name, const std::string& value) {
  if (!value.empty()) format::set_attribute(node, name, value);
}

void set(xml_node node, const char* name, double value) { set(node, name, format::shortest(value)); }

/// The definitions of all units, each once.
class Units {
 public:
  explicit Units(xml_node definitions) : definitions_(definitions) {}
  /// Notes a unit that is used. Throws Error where it is none.
  void use(const std::string& name) {
    if (name.empty() || !used_.insert(name).second) return;
    const std::optional<model::UnitInSi> unit = model::unit_in_si(name);
    if (!unit) throw Error(model::not_known(name) + "; known are " + std::string(model::known_units()));
    xml_node node = definitions_.append_child("Unit");
    set(node, "name", name);
    xml_node base = node.append_child("BaseUnit");
    constexpr std::array<const char*, 5> names = {"kg", "m", "s", "A", "K"};
    for (std::size_t k = 0; k < names.size(); ++k) {
      const double power = unit->dimension[k];
      if (power == 0) continue;
      if (power != std::round(power)) throw Error("the unit \"" + name + "\" has no whole powers, which FMI asks for");
      base.append_attribute(names[k]) = static_cast<int>(power);
    }
    if (unit->si.starts_with("rad")) base.append_attribute("rad") = 1;
    if (unit->size != 1) set(base, "factor", unit->size);
  }

 private:
  xml_node definitions_;
  std::set<std::string> used_;
};

class Writer {
 public:
  explicit Writer(const Interface& interface) : of_(interface), numbers_(interface.numbering()) {}

  std::string text() {
    using Kind = Numbering::Kind;
    xml_node root = document_.append_child("fmiModelDescription");
    set(root, "fmiVersion", "3.0");
    set(root, "modelName", of_.name);
    set(root, "instantiationToken", of_.token);
    set(root, "generationTool", of_.program);
    set(root, "variableNamingConvention", "flat");
    if (of_.has_model_exchange) {
      xml_node kind = add_kind(root, "ModelExchange");
      set(kind, "needsCompletedIntegratorStep", "true");
    }
    xml_node kind = add_kind(root, "CoSimulation");
    set(kind, "canHandleVariableCommunicationStepSize", "true");
    if (of_.step > 0) set(kind, "fixedInternalStepSize", of_.step);
    Units units(root.append_child("UnitDefinitions"));
    xml_node categories = root.append_child("LogCategories");
    for (const char* name : {"logStatusWarning", "logStatusError"}) {
      set(categories.append_child("Category"), "name", name);
    }
    xml_node experiment = root.append_child("DefaultExperiment");
    set(experiment, "startTime", of_.start);
    set(experiment, "stopTime", of_.stop);
    variables_ = root.append_child("ModelVariables");
    structure_ = root.append_child("ModelStructure");

    set(variable("time", Kind::Time, 0, "independent", "continuous", "", "s", units), "description", "time");
    for (std::size_t k = 0; k < of_.parameters.size(); ++k) add_parameter(k, units);
    for (std::size_t k = 0; k < of_.outputs.size(); ++k) {
      const Interface::Named& output = of_.outputs[k];
      variable(output.name, Kind::Output, k, "output", "continuous", "calculated", output.unit, units);
    }
    add_states(units);
    for (std::size_t k = 0; k < numbers_.indicators; ++k) {
      const Interface::Named& indicator = of_.indicators[k];
      set(variable(indicator.name, Kind::Indicator, k, "local", "continuous", "calculated", "", units), "description",
          indicator.description);
    }
    add_structure();
    return format::text_of(document_);
  }

 private:
  xml_node add_kind(xml_node root, const char* name) {
    xml_node kind = root.append_child(name);
    set(kind, "modelIdentifier", of_.identifier);
    set(kind, "canGetAndSetFMUState", "true");
    set(kind, "canSerializeFMUState", "true");
    set(kind, "providesDirectionalDerivatives", "true");
    set(kind, "providesAdjointDerivatives", "true");
    return kind;
  }

  xml_node variable(const std::string& name, Numbering::Kind kind, std::size_t number, const char* causality,
                    const char* variability, const char* initial, const std::string& unit, Units& units) {
    if (!names_.insert(name).second) {
      throw Error("two variables would be called \"" + name + "\"; give a parameter or an output another name");
    }
    xml_node node = variables_.append_child("Float64");
    set(node, "name", name);
    node.append_attribute("valueReference") = numbers_.of(kind, number);
    set(node, "causality", causality);
    set(node, "variability", variability);
    set(node, "initial", initial);
    units.use(unit);
    set(node, "unit", unit);
    return node;
  }

  void add_parameter(std::size_t k, Units& units) {
    const Interface::Parameter& p = of_.parameters[k];
    const bool is_input = p.use == Interface::Use::Input, is_set = p.use == Interface::Use::Set;
    const char* causality = is_input ? "input" : is_set ? "local" : "parameter";
    const char* variability = is_input                           ? "continuous"
                              : is_set                           ? "discrete"
                              : p.use == Interface::Use::Tunable ? "tunable"
                                                                 : "fixed";
    xml_node node =
        variable(p.name, Numbering::Kind::Parameter, k, causality, variability, is_input ? "" : "exact", p.unit, units);
    if (std::isfinite(p.lower)) set(node, "min", p.lower);
    if (std::isfinite(p.upper)) set(node, "max", p.upper);
    set(node, "start", p.value);
  }

  void add_states(Units& units) {
    using Kind = Numbering::Kind;
    for (std::size_t k = 0; k < of_.states.size(); ++k) {
      const std::string& name = of_.states[k].name;
      xml_node state = variable(name, Kind::State, k, "local", "continuous", "calculated", "", units);
      set(state, "description", of_.states[k].description);
      set(state, "reinit", of_.has_model_exchange ? "true" : "");
    }
    for (std::size_t k = 0; k < of_.states.size(); ++k) {
      xml_node rate =
          variable("der(" + of_.states[k].name + ")", Kind::Rate, k, "local", "continuous", "calculated", "", units);
      rate.append_attribute("derivative") = numbers_.of(Kind::State, k);
    }
  }

  void add_structure() {
    using Kind = Numbering::Kind;
    const auto add = [this](const char* element, Kind kind, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) {
        structure_.append_child(element).append_attribute("valueReference") = numbers_.of(kind, k);
      }
    };
    add("Output", Kind::Output, numbers_.outputs);
    add("ContinuousStateDerivative", Kind::Rate, numbers_.states);
    for (const Kind kind : {Kind::Output, Kind::State, Kind::Rate}) {
      add("InitialUnknown", kind, kind == Kind::Output ? numbers_.outputs : numbers_.states);
    }
    add("EventIndicator", Kind::Indicator, numbers_.indicators);
  }

  const Interface& of_;
  const Numbering numbers_;
  pugi::xml_document document_;
  xml_node variables_, structure_;
  std::set<std::string> names_;
};

}  // namespace

std::string model_description(const Interface& interface) { return Writer(interface).text(); }

}  // namespace perilune::exchange
