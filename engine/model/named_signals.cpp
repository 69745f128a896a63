// SPDX-License-Identifier: MIT
#include "model/named_signals.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "error.hpp"
#include "model/dimension.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"
#include "model/unit.hpp"

namespace perilune::model {

namespace {

using expr::Op;

const Signal& record_of(const Model& model, const std::string& name) {
  const auto found = model.record().signals.find(name);
  if (found == model.record().signals.end()) throw Error("there is no signal '" + name + "'");
  return found->second;
}

bool is_of_whole_model(const Signal& signal) {
  const std::string& owner = signal.owner;
  return owner == "energy" || owner == "momentum" || owner == "angular_momentum" || owner == "constraint";
}

/// What reads far fewer variables than there are coordinates does not: of what has mass, every momentum has one
/// velocity of at most twelve.
bool may_read_whole_model(const Model& model, NodeId value) {
  return 12 * model.graph().variables_of({value}).size() >= model.coordinates().size();
}

using Units = std::unordered_map<NodeId, std::string>;

/// Signals that are no variables themselves, such as lengths. Beyond a great many they would take longer than the
/// units of what reads them are worth.
std::vector<std::pair<NodeId, const Signal*>> formulas_of(const Model& model) {
  constexpr std::size_t most = 2000;
  std::vector<std::pair<NodeId, const Signal*>> formulas;
  if (model.record().signals.size() > most) return formulas;
  for (const auto& [name, signal] : model.record().signals) {
    try {
      formulas.emplace_back(model.signal(name), &signal);
    } catch (const Error&) {  // one that reads what has changed since says so where it is asked for itself
      continue;
    }
  }
  return formulas;
}

/// The same expression may be of two units: k x is x where k is 1, and what the user names is as named. Then none is
/// known, but that what the model itself has goes first.
Units units_of_formulas(const Model& model) {
  Units own, named;
  for (const auto& [node, signal] : formulas_of(model)) {
    const auto [found, is_new] = (signal->is_named ? named : own).emplace(node, signal->unit);
    if (!is_new && found->second != signal->unit) found->second.clear();
  }
  own.merge(named);
  return own;
}

/// The user's names are left out: what one was said to be is no reason to refuse another.
Dimension dimension_of(const Model& model, NodeId value) {
  std::unordered_map<NodeId, Dimension> known;
  for (const auto& [node, signal] : formulas_of(model)) {
    if (signal->is_named || model.graph().is_variable(node) || model.graph().is_constant(node)) continue;
    const Dimension dimension = dimension_of_unit(signal->unit);
    const auto [found, is_new] = known.emplace(node, dimension);
    if (!is_new && !found->second.fits(dimension.powers)) found->second = {};
  }
  constexpr int most = 1000;
  return Dimensions(model, std::move(known), most).of(value);
}

std::string unit_of_variable(const Model& model, const expr::Variable& variable) {
  if (variable.quantity == expr::Quantity::Parameter) {
    return model.parameters()[static_cast<std::size_t>(variable.index)].unit;
  }
  const auto found = model.record().signals.find(variable.name);
  return found == model.record().signals.end() ? "" : found->second.unit;
}

/// The unit that sums, differences, choices and angles have by their operands. Constants may have any, so products have
/// none that is known.
std::string unit_of(const Model& model, NodeId value) {
  const expr::Graph& graph = model.graph();
  Units known = units_of_formulas(model);
  for (const Parameter& p : model.parameters()) {
    if (p.quantity != p.node) known.emplace(p.quantity, unit_in_si(p.unit).value().si);
  }
  Units units;
  const auto common = [&](NodeId a, NodeId b) -> std::string {
    if (graph.is_constant(a)) return units[b];
    if (graph.is_constant(b) || units[a] == units[b]) return units[a];
    return "";
  };
  for (const NodeId id : graph.needed_by({value})) {
    const expr::Node node = graph.node(id);
    std::string& unit = units[id];
    if (graph.is_variable(id)) unit = unit_of_variable(model, graph.variable_of(id));
    if (!unit.empty()) continue;
    if (const auto found = known.find(id); found != known.end()) {
      unit = found->second;
    } else if (node.op == Op::Neg || node.op == Op::Abs) {
      unit = std::string(units[node.a]);
    } else if (node.op == Op::Add || node.op == Op::Sub || node.op == Op::Min || node.op == Op::Max) {
      unit = common(node.a, node.b);
    } else if (node.op == Op::Where) {
      unit = common(node.b, node.c);
    } else if (node.op == Op::Atan2 || node.op == Op::Atan || node.op == Op::Asin || node.op == Op::Acos) {
      unit = "rad";
    }
  }
  return units[value];
}

/// Looks for a term with this constant factor, within what a rounded one such as 57.3 is off by.
class FactorSearch {
 public:
  FactorSearch(const expr::Graph& graph, double factor) : graph_(graph), factor_(factor) {}

  bool finds(NodeId id, double product) {
    if (++visited_ > most) return false;
    const expr::Node& node = graph_.node(id);
    switch (node.op) {
      case Op::Neg:
      case Op::Abs:
        return finds(node.a, product);
      case Op::Add:
      case Op::Sub:
      case Op::Min:
      case Op::Max:
        return finds(node.a, product) || finds(node.b, product);
      case Op::Where:
        return finds(node.b, product) || finds(node.c, product);
      case Op::Mul:
        if (graph_.is_constant(node.a)) return finds_scaled(node.b, product * graph_.constant_value(node.a));
        if (graph_.is_constant(node.b)) return finds_scaled(node.a, product * graph_.constant_value(node.b));
        return false;
      case Op::Div:
        return graph_.is_constant(node.b) && finds_scaled(node.a, product / graph_.constant_value(node.b));
      default:
        return false;
    }
  }

 private:
  static constexpr int most = 1000;

  bool finds_scaled(NodeId id, double product) {
    return std::abs(std::abs(product) / factor_ - 1) < 5e-3 || finds(id, product);
  }

  const expr::Graph& graph_;
  double factor_;
  int visited_ = 0;
};

/// What the name of a unit says; throws Error unless it is known and fits the value of the signal.
UnitInSi checked_unit(const Model& model, const std::string& signal, const Symbol& value, const std::string& name,
                      bool hides_number) {
  const std::string title = "signal \"" + signal + "\": ";
  const std::optional<UnitInSi> unit = unit_in_si(name);
  if (!unit) {
    throw Error(title + not_known(name) + "\nknown are " + std::string(known_units()));
  }
  const NodeId node = value.in(model.graph());
  if (const Dimension own = hides_number ? Dimension{} : dimension_of(model, node); !own.fits(unit->dimension)) {
    std::string why = own.why;
    if (own.kind == Dimension::Kind::Known) {
      const std::string text = unit_of(model, node);  // the word that the script knows, rad of what is one
      why = "the value is in " + (own.fits(dimension_of_unit(text).powers) && !text.empty() ? text : text_of(own));
    }
    throw Error(title + "unit = \"" + name + "\" does not fit: " + why);
  }
  if (unit->size != 1 && FactorSearch(model.graph(), 1 / unit->size).finds(node, 1)) {
    throw Error(title + "unit = \"" + name + "\" converts from " + (unit->si.empty() ? "a ratio" : unit->si) +
                ", but the value is multiplied by " + text_of(1 / unit->size) + " already; leave one of the two out");
  }
  return *unit;
}

}  // namespace

ShownSignal shown_signal(const Model& model, const std::string& name) {
  const Signal& signal = record_of(model, name);
  const NodeId node = model.signal(name);
  if (signal.shown_unit.empty()) return {name, signal.unit, node};
  return {name, signal.shown_unit, (symbol_of(model, node) * (1 / signal.shown_size)).in(model.graph())};
}

std::vector<ShownSignal> shown_signals(const Model& model, const std::vector<std::string>& names) {
  std::vector<ShownSignal> out;
  for (const std::string& name : names) out.push_back(shown_signal(model, name));
  return out;
}

ShownSignal shown_expression(const Model& model, const std::string& name, const Symbol& value, const std::string& unit,
                             bool hides_number) {
  const NodeId node = value.in(model.graph());
  if (unit.empty()) return {name, hides_number ? "" : unit_of(model, node), node};
  const double size = checked_unit(model, name, value, unit, hides_number).size;
  return {name, unit, size == 1 ? node : (value * (1 / size)).in(model.graph())};
}

void add_named_signal(Model& model, const std::string& name, const Symbol& value, const std::string& unit,
                      bool hides_number) {
  if (has_signal(model, name)) throw Error("signal \"" + name + "\": every model has a signal of this name");
  const NodeId node = value.in(model.graph());
  Signal signal;
  if (unit.empty()) {
    signal.unit = hides_number ? "" : unit_of(model, node);
  } else {
    const UnitInSi given = checked_unit(model, name, value, unit, hides_number);
    signal.unit = given.size == 1 ? unit : given.si;
    signal.shown_unit = unit;
    signal.shown_size = given.size;
  }
  std::vector<std::pair<std::string, NodeId>> reads;
  if (may_read_whole_model(model, node)) {
    const std::vector<NodeId> needed = model.graph().needed_by({node});
    for (const auto& [other, of] : model.record().signals) {
      if (!is_of_whole_model(of)) continue;
      const NodeId read = model.signal(other);
      if (std::find(needed.begin(), needed.end(), read) != needed.end()) reads.emplace_back(other, read);
    }
  }
  // The total before what it is the sum of: nodes follow their operands.
  std::sort(reads.begin(), reads.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  signal.what = name;
  signal.is_named = true;
  signal.make = [name, value, reads = std::move(reads)](const Model& m) {
    for (const auto& [other, before] : reads) {
      if (m.signal(other) == before) continue;
      throw Error("signal \"" + name + "\" reads " + other +
                  " as it was where the signal was declared, but the model has grown since; declare the signal last");
    }
    return value;
  };
  model.claim_name(name, "signal");
  model.record().signals[name] = std::move(signal);
}

bool is_named_signal(const Model& model, const std::string& name) {
  const auto found = model.record().signals.find(name);
  return found != model.record().signals.end() && found->second.is_named;
}

std::string signal_of(const Model& model, NodeId value) {
  const auto is_it = [&](const std::string& name) {
    try {
      return model.signal(name) == value;
    } catch (const Error&) {
      return false;
    }
  };
  const auto& all = model.record().signals;
  for (const auto& [name, signal] : all) {
    if (signal.is_named && is_it(name)) return name;
  }
  if (model.graph().is_variable(value)) {
    const std::string& name = model.graph().variable_of(value).name;
    if (all.contains(name) && is_it(name)) return name;
  }
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return is_it(each.first); });
  return found == all.end() ? "" : found->first;
}

}  // namespace perilune::model
