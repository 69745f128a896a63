// SPDX-License-Identifier: MIT
// Derivatives as a host asks for them: by lists of variables, with what they are of told by the mode.
#include <algorithm>

#include "error.hpp"
#include "exchange/instance.hpp"

namespace perilune::lua {

using Kinds = exchange::Numbering::Kind;
using References = std::span<const fmi3ValueReference>;

/// The numbers of all variables that derivatives are of or by.
struct Instance::Slopes {
  std::vector<double> x, parameters, rates, outputs;
  /// The plant has states of each phase, the unit none.
  Slopes(const exchange::Numbering& numbers, const exchange::Plant& plant)
      : x(static_cast<std::size_t>(plant.size())),
        parameters(numbers.parameters),
        rates(x.size()),
        outputs(numbers.outputs) {}
};

Instance::Over Instance::over(References unknowns, References knowns) const {
  const auto is_state = [this](fmi3ValueReference each) { return meaning(each).kind == Kinds::State; };
  const auto of_states = std::count_if(unknowns.begin(), unknowns.end(), is_state);
  Over out = Over::Nothing;
  if (mode_ == Mode::Initialization) {
    out = Over::Start;
  } else if (of_states > 0) {
    if (mode_ != Mode::Event || static_cast<std::size_t>(of_states) != unknowns.size()) {
      throw Error("derivatives of states are those over an event: in Event Mode, in a call of their own");
    }
    out = Over::Event;
  }
  for (const fmi3ValueReference unknown : unknowns) {
    const Kinds kind = meaning(unknown).kind;
    if (kind == Kinds::Rate || kind == Kinds::Output || kind == Kinds::State) continue;
    throw Error("there are derivatives of outputs and of the derivatives of states, not of " + title(unknown));
  }
  for (const fmi3ValueReference known : knowns) {
    const Kinds kind = meaning(known).kind;
    if (kind == Kinds::Parameter || (kind == Kinds::State && out != Over::Start)) continue;
    throw Error(out == Over::Start
                    ? "where the unit starts, there are derivatives by inputs and parameters, not by " + title(known)
                    : "there are derivatives by states, inputs and parameters, not by " + title(known));
  }
  return out;
}

double& Instance::place(Slopes& slopes, fmi3ValueReference reference) const {
  const auto [kind, number] = meaning(reference);
  return (kind == Kinds::State       ? slopes.x
          : kind == Kinds::Parameter ? slopes.parameters
          : kind == Kinds::Rate      ? slopes.rates
                                     : slopes.outputs)[number];
}

void Instance::tangent(References unknowns, References knowns, const double* seed, double* product) {
  const Over what = over(unknowns, knowns);
  exchange::Plant& plant = this->plant();
  Slopes in(numbers_, plant), out(numbers_, plant);
  for (const fmi3ValueReference known : knowns) place(in, known) += *seed++;
  const double *dx = in.x.data(), *dp = in.parameters.data();
  if (what == Over::Start) plant.start_tangent(dp, out.x.data(), out.rates.data(), out.outputs.data());
  if (what == Over::Event) plant.event_tangent(dx, dp, out.x.data());
  if (what == Over::Nothing) plant.tangent(dx, dp, out.rates.data(), out.outputs.data());
  for (const fmi3ValueReference unknown : unknowns) *product++ = place(out, unknown);
}

void Instance::adjoint(References unknowns, References knowns, const double* seed, double* product) {
  const Over what = over(unknowns, knowns);
  exchange::Plant& plant = this->plant();
  Slopes in(numbers_, plant), out(numbers_, plant);
  for (const fmi3ValueReference unknown : unknowns) place(in, unknown) += *seed++;
  double *by_x = out.x.data(), *by_parameters = out.parameters.data();
  const double *of_x = in.x.data(), *of_rates = in.rates.data(), *of_outputs = in.outputs.data();
  if (what == Over::Start) plant.start_adjoint(of_x, of_rates, of_outputs, by_parameters);
  if (what == Over::Event) plant.event_adjoint(of_x, by_x, by_parameters);
  if (what == Over::Nothing) plant.adjoint(of_rates, of_outputs, by_x, by_parameters);
  for (const fmi3ValueReference known : knowns) *product++ = place(out, known);
}

}  // namespace perilune::lua
