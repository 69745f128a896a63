// SPDX-License-Identifier: MIT
#include "model/force/filters.hpp"

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/force/control.hpp"
#include "model/law/kinks.hpp"
#include "model/signals.hpp"

namespace perilune::model {

using expr::Quantity;

Symbol limited(const Symbol& x, const std::optional<Symbol>& lower, const std::optional<Symbol>& upper) {
  Symbol out = x;
  if (upper) out = Symbol::where(less(*upper, x), *upper, out);
  if (lower) out = Symbol::where(less(x, *lower), *lower, out);
  return out;
}

Symbol declared_start(const Model& model, const std::string& owner, const Symbol& x) {
  const NodeId node = x.in(model.graph());
  expr::NodeMap by{{model.time(), model.graph().constant(0)}};
  for (NodeId id : model.graph().variables_of({node})) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity == Quantity::Acceleration || variable.quantity == Quantity::Multiplier) {
      throw Error(owner + ": the input reads '" + variable.name +
                  "', which is not known before the run; give at, the output at the start");
    }
    if (variable.quantity != Quantity::Position && variable.quantity != Quantity::Velocity) continue;
    const Coordinate& coordinate = model.coordinates()[static_cast<std::size_t>(variable.index)];
    by[id] = variable.quantity == Quantity::Position ? coordinate.initial_position : coordinate.initial_velocity;
  }
  return {model.graph(), expr::substitute(model.graph(), node, by)};
}

namespace {

/// What throws does so before anything is declared.
Symbol start_of(const Model& model, const std::string& owner, const Symbol& input, const std::optional<Symbol>& given) {
  return given ? *given : declared_start(model, owner, input);
}

/// A state that begins at `start`; its law follows when its rate is known.
struct Follower {
  int index;
  Symbol value;
};

Follower add_follower(Model& model, const std::string& name, const char* what, const Symbol& start) {
  const int index = model.add_coordinate(name, what, "", 0.0, start, Role::State);
  model.record().followers.insert(index);
  return {index, symbol_of(model, model.coordinates().back().velocity)};
}

void add_signals(Model& model, const std::string& name, const Symbol& input, const Symbol& output, const Symbol& rate) {
  add_signal(model, name, "input", "", input);
  add_signal(model, name, "output", "", output);
  add_signal(model, name, "rate", "1/s", rate);
}

}  // namespace

Symbol add_rate_limit(Model& model, const std::string& name, const Symbol& input, const RateLimit& limit) {
  const Symbol start = start_of(model, "rate limit \"" + name + "\"", input, limit.start);
  model.claim_name(name, "rate limit");
  const auto [index, output] = add_follower(model, name, "output", start);
  const Symbol rate = limited((input - output) / limit.time_constant, -limit.falling, limit.rising);
  add_state_law(model, name, index, with_switches(model, name, rate));
  add_signals(model, name, input, output, rate);
  return output;
}

Symbol add_filter(Model& model, const std::string& name, const Symbol& input, const FirstOrderFilter& filter) {
  const Symbol start = start_of(model, "filter \"" + name + "\"", input, filter.start);
  model.claim_name(name, "filter");
  const auto [index, output] = add_follower(model, name, "output", start);
  const Symbol rate = (input - output) / filter.time_constant;
  add_state_law(model, name, index, with_switches(model, name, rate));
  add_signals(model, name, input, output, rate);
  return output;
}

Symbol add_filter(Model& model, const std::string& name, const Symbol& input, const SecondOrderFilter& filter) {
  const Symbol start = start_of(model, "filter \"" + name + "\"", input, filter.start);
  model.claim_name(name, "filter");
  const auto [index, output] = add_follower(model, name, "output", start);
  const auto [rate_index, rate] = add_follower(model, name, "rate", 0.0);
  const Symbol w = filter.natural_frequency;
  add_state_law(model, name, index, rate);
  const Symbol growth = w * w * (input - output) - 2.0 * filter.damping * w * rate;
  add_state_law(model, name, rate_index, with_switches(model, name, growth));
  add_signals(model, name, input, output, rate);
  return output;
}

}  // namespace perilune::model
