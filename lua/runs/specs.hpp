// SPDX-License-Identifier: MIT
// Formulations, integrators, gradient methods and optimizers as objects of scripts: an experiment is a loop over them.
#pragma once
#include <lua.hpp>
#include <string>
#include <variant>

#include "optimize/constrained/constrained.hpp"
#include "optimize/design.hpp"
#include "optimize/lbfgsb.hpp"
#include "optimize/newton/trust_region.hpp"
#include "sensitivity/gradient.hpp"
#include "values/args.hpp"

namespace perilune::lua {

/// Within bounds alone, the second with second derivatives; or under constraints.
using Optimizer = std::variant<optimize::Options, optimize::TrustRegionOptions, optimize::ConstrainedOptions>;

struct Spec {
  std::variant<formulation::Formulation, integrator::Integrator, sensitivity::Method, Optimizer, optimize::Design>
      value;
  std::string text;  // rk4 { step = 0.001 }
};

/// Pushes the spec; the fields that were read become its properties. `items`: its list, in its text.
int push_spec(lua_State* L, Args& args, const char* kind, decltype(Spec::value) value, const std::string& items = "");

/// A field that holds a plain number.
inline Field number_field(std::string_view name, std::string_view text, std::string_view unit,
                          std::string_view fallback, Range range) {
  return Field{name, Type::PlainNumber, text, unit, fallback, range};
}

/// The value of a field that holds a spec of type T; `fallback` if it was not given.
template <class T>
T read_spec(Args& args, lua_State* L, std::string_view field, const T& fallback);

}  // namespace perilune::lua
