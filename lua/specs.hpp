// Formulations, integrators, gradient methods and optimizers as objects of scripts: an experiment is a loop over them.
#pragma once
#include <lua.hpp>
#include <string>
#include <variant>

#include "args.hpp"
#include "optimize/lbfgsb.hpp"
#include "sensitivity/gradient.hpp"

namespace perilune::lua {

struct Spec {
  std::variant<formulation::Formulation, integrator::Integrator, sensitivity::Method, optimize::Options> value;
  std::string text;  // rk4 { step = 0.001 }
};

/// The value of a field that holds a spec of type T; `fallback` if it was not given.
template <class T>
T read_spec(Args& args, lua_State* L, std::string_view field, const T& fallback);

}  // namespace perilune::lua
