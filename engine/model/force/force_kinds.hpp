// SPDX-License-Identifier: MIT
// The kinds of forces that are given by fields. What declares such a force, checks its arguments or explains it reads
// the list here, so that a force is in one place.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/spline.hpp"
#include "model/model.hpp"

namespace perilune::model {

/// What a script gives for a field.
enum class ForceValue {
  Number,      // a number or an expression of parameters
  Polynomial,  // a number, or a list of coefficients from the linear one on
  Curve,       // a table
  Matrix,      // its diagonal or its rows: 3 of them, in space 6
  Law,         // a function of the measure, its rate and its stretch that returns one number
};

enum class Bound { Finite, NonNegative, Positive };

struct ForceField {
  std::string_view name;
  ForceValue value = ForceValue::Number;
  std::string_view text, unit;
  std::string_view fallback = {};  // the default as text; a number is used as it stands
  Bound bound = Bound::Finite;     // of numbers
  bool required = false;
};

/// As in the schema of scripts: "force.x" and so on.
struct ForceSignal {
  std::string_view name, unit, text;
  std::string_view also = {};  // further components, "y, z"
  std::string_view when = {};  // "planar", "spatial", or another condition
};

/// What a force acts on: two places a and b; or a measure, an expression of positions, which an object may stand for by
/// its signal; or in the plane the angle of body b against body a, where both are described.
struct ForceEnds {
  std::string_view a = {}, b = {};   // what help says of the two
  std::string_view on = {}, unit{};  // what it says of the measure
  std::vector<std::string_view> signals = {};
};

/// What was given for the fields. Numbers that were not given and have no default, and curves, are left out.
struct GivenForce {
  std::optional<Place> a, b;
  Symbol measure = 0.0;
  std::string measured_in = {};  // the unit of the measure, where it is known
  std::map<std::string, Symbol, std::less<>> numbers;
  std::map<std::string, Vector, std::less<>> lists;  // polynomials, and matrices row-major
  std::map<std::string, const expr::Spline*, std::less<>> curves;
  /// What the law says of a measure that it knows by this name, its rate and its stretch; empty where there is none.
  std::function<Symbol(const char* name, const Symbol& measure, const Symbol& rate, const Symbol& stretch)> law;

  const Symbol& number(std::string_view field) const { return numbers.find(field)->second; }
  /// nullptr if it was not given.
  const Symbol* optional_number(std::string_view field) const;
  const Vector& list(std::string_view field) const { return lists.find(field)->second; }
  const expr::Spline* curve(std::string_view field) const;
};

struct ForceKind {
  std::string_view name;  // "bump_stop"
  ForceEnds ends;
  std::string_view summary;
  std::vector<ForceField> fields;
  std::vector<ForceSignal> signals;
  std::string_view equations, example;
  std::vector<std::string_view> see_also;
  /// Declares the force `name` with its signals, energies and what pictures show. Throws Error where it cannot be.
  void (*declare)(Model& model, const std::string& name, const GivenForce& given);
  /// "lower must be less than upper", at the parameters' present values; empty if nothing is wrong with the fields.
  std::string (*fault)(const Model& model, const GivenForce& given) = nullptr;
};

/// In the order of the reference.
const std::vector<ForceKind>& force_kinds();
/// nullptr if there is none of this name.
const ForceKind* find_force_kind(std::string_view name);

}  // namespace perilune::model
