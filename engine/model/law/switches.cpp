// SPDX-License-Identifier: MIT
#include "model/law/switches.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "model/law/kinks.hpp"

namespace perilune::model {

namespace {

int switch_of(Model& model, const std::string& name, const Symbol& function, bool is_held) {
  const NodeId id = function.in(model.graph());
  Record& record = model.record();
  const int next = static_cast<int>(record.switches.size());
  const auto [known, is_new] = record.switch_by_function.emplace(std::pair(id, is_held), next);
  if (is_new) record.switches.push_back({name, id, model.graph().constant(1), is_held});
  return known->second;
}

}  // namespace

Symbol is_negative(Model& model, const std::string& name, const Symbol& function) {
  const int index = switch_of(model, name, function, true);
  const std::string& first = model.record().switches[static_cast<std::size_t>(index)].name;
  const Symbol side = symbol_of(model, model.graph().variable(expr::Quantity::Side, index, "side of " + first));
  return less(Symbol::where(side, -side, function), 0.0);
}

int watch(Model& model, const std::string& name, const Symbol& function) {
  return switch_of(model, name, function, false);
}

void leave_unfollowed(Model& model, const std::string& name) {
  if (model.record().unfollowed.insert(name).second) model.note_change();
}

std::vector<int> switches_of(const Model& model, const std::vector<NodeId>& nodes) {
  const std::vector<Switch>& switches = model.record().switches;
  if (switches.empty()) return {};
  std::vector<char> found(switches.size());
  std::vector<NodeId> waiting = nodes;
  while (!waiting.empty()) {
    std::vector<NodeId> functions;
    for (const NodeId id : model.graph().variables_of(waiting)) {
      const expr::Variable& v = model.graph().variable_of(id);
      if (v.quantity != expr::Quantity::Side || std::exchange(found[static_cast<std::size_t>(v.index)], 1)) continue;
      functions.push_back(switches[static_cast<std::size_t>(v.index)].function);
    }
    waiting = std::move(functions);
  }
  std::unordered_set<NodeId> decided;  // by the nodes themselves
  if (std::any_of(switches.begin(), switches.end(), [](const Switch& s) { return !s.is_held; })) {
    const std::vector<NodeId> needed = model.graph().needed_by(nodes);
    decided.insert(needed.begin(), needed.end());
  }
  std::vector<int> out;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const bool is_watched = !switches[k].is_held && decided.contains(switches[k].function);
    if (found[k] || is_watched) out.push_back(static_cast<int>(k));
  }
  return out;
}

Symbol integrand(Model& model, const std::string& objective, const Symbol& x) {
  const Symbol out = with_switches(model, objective, x);
  for (int k : switches_of(model, {out.in(model.graph())})) {
    // Systems that were compiled before do not know of it.
    if (!std::exchange(model.record().switches[static_cast<std::size_t>(k)].is_of_objectives, true))
      model.note_change();
  }
  return out;
}

Symbol in_statics(Model& model) {
  std::vector<Switch>& switches = model.record().switches;
  Graph& graph = model.graph();
  std::size_t k = 0;
  while (k < switches.size() && switches[k].name != statics_switch) ++k;
  if (k == switches.size()) switches.push_back({statics_switch, graph.constant(1), graph.constant(1), true});
  const NodeId side = graph.variable(expr::Quantity::Side, static_cast<int>(k), "side of statics");
  return less(-symbol_of(model, side), 0.0);
}

}  // namespace perilune::model
