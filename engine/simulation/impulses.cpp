// SPDX-License-Identifier: MIT
#include "simulation/impulses.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "model/signals.hpp"

namespace perilune::simulation {

namespace {

using expr::Quantity;

/// Of one phase: all its signals in one measure.
struct Reactions {
  std::vector<Impulse> names;
  std::optional<Measure> measure;
};

/// Forces and torques of constraints read multipliers and positions. A power reads velocities, which jump.
bool is_reaction(const model::Model& model, expr::NodeId node, const System& system) {
  bool reads_multiplier = false;
  for (const expr::NodeId id : model.graph().variables_of({node})) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity == Quantity::Velocity || variable.quantity == Quantity::Acceleration) return false;
    if (variable.quantity != Quantity::Multiplier) continue;
    const int number = model.multiplier_numbers()[static_cast<std::size_t>(variable.index)];
    reads_multiplier |= number >= 0 && system.multiplier_numbers()[static_cast<std::size_t>(number)] >= 0;
  }
  return reads_multiplier;
}

Reactions reactions_of(const model::Model& model, const System& system) {
  std::set<std::string> joints;
  for (int k = 0; k < system.constraint_count(); ++k) {
    if (!system.is_internal_constraint(k)) joints.insert(system.constraint_name(k));
  }
  Reactions out;
  std::vector<expr::NodeId> nodes;
  for (const std::string& joint : joints) {
    for (const std::string& signal : model::signals_of(model, joint)) {
      const expr::NodeId node = model.signal(joint + "." + signal);
      if (!is_reaction(model, node, system)) continue;
      out.names.push_back({joint, signal, 0});
      nodes.push_back(node);
    }
  }
  if (!nodes.empty()) out.measure.emplace(model, nodes);
  return out;
}

std::vector<Impulse> impulses_at(const Reactions& reactions, const integrator::Mesh& mesh, const PhaseRun& phase) {
  std::vector<Impulse> out = reactions.names;
  if (!reactions.measure) return out;
  const std::vector<double>& sigma = phase.impact->impulses;
  std::vector<double> known = sigma, work = reactions.measure->make_work();
  for (double& x : known) x = std::isnan(x) ? 0 : x;
  reactions.measure->evaluate({mesh.t[phase.first], mesh.q_at(phase.first), mesh.v_at(phase.first), nullptr,
                               known.data(), phase.data->parameters.data()},
                              work);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int k = static_cast<int>(i);
    out[i].value = reactions.measure->value(work, k);
    reactions.measure->visit_gradient(work, k, [&](Quantity quantity, int index, double slope) {
      if (quantity != Quantity::Multiplier || slope == 0 || !std::isnan(sigma[static_cast<std::size_t>(index)])) return;
      out[i].value = std::numeric_limits<double>::quiet_NaN();
    });
  }
  return out;
}

}  // namespace

std::vector<std::vector<Impulse>> impulses(const model::Model& model, const Evaluation& run) {
  std::vector<std::vector<Impulse>> out;
  std::map<const Phase*, Reactions> known;
  for (const PhaseRun& phase : run.phases) {
    out.emplace_back();
    if (!phase.impact) continue;
    auto found = known.find(phase.phase.get());
    if (found == known.end()) {
      found = known.emplace(phase.phase.get(), reactions_of(model, *phase.phase->system)).first;
    }
    out.back() = impulses_at(found->second, run.solution.mesh, phase);
  }
  return out;
}

}  // namespace perilune::simulation
