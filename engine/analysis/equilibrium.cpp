// SPDX-License-Identifier: MIT
#include "analysis/equilibrium.hpp"

#include <algorithm>
#include <optional>

#include "analysis/equilibrium_search.hpp"

namespace perilune::analysis {

namespace {

constexpr int most_pushes = 4;  // off unstable equilibria

const Mode& fastest_growing(const Linearization& at) {
  return *std::max_element(at.modes.begin(), at.modes.end(),
                           [](const Mode& a, const Mode& b) { return a.real < b.real; });
}

}  // namespace

std::optional<Data> changed_at_rest(const System& system, const Data& data) {
  for (std::size_t k = 0; k < data.sides.size(); ++k) {
    if (system.switch_name(static_cast<int>(k)) != model::statics_switch) continue;
    std::optional<Data> held = data;
    std::vector<double> sides = data.sides;
    sides[k] = 1;
    system.set_sides(sides, *held);
    return held;
  }
  return std::nullopt;
}

std::shared_ptr<const Data> data_at_rest(const System& system, const std::shared_ptr<const Data>& data) {
  std::optional<Data> held = changed_at_rest(system, *data);
  return held ? std::make_shared<const Data>(*std::move(held)) : data;
}

Equilibrium find_equilibrium(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                             const std::vector<int>& independent, double t, Wanted wanted) {
  refuse_sampled(*system, "a search for rest");
  Equilibrium out;
  out.state = Assembly(system, independent).solve(t, *data);
  EquilibriumSearch search(system, data, t);
  search.start(out.state);
  std::optional<Linearization> small_motion;
  for (int pushes = 0;; ++pushes) {
    // What rolls goes downhill by small steps, and from there to where the way leads.
    if (wanted == Wanted::Nearest || !search.descend() || system->constrains_velocities()) search.newton();
    search.polish();
    small_motion = search.linearization();
    // What stays unstable, as under loads without a potential, is given as it was found, not pushed off once more.
    if (wanted == Wanted::Nearest || pushes == most_pushes || !small_motion || !small_motion->is_unstable()) break;
    if (!search.push_along(fastest_growing(*small_motion))) break;
  }
  out.state.q = search.q();
  out.state.v = search.v();
  search.describe_way(out.state);
  out.lambda = search.lambda();
  out.residual = search.residual();
  out.iterations = search.iterations();
  if (small_motion) {
    out.stability = small_motion->is_unstable() ? Equilibrium::Stability::Unstable : Equilibrium::Stability::Stable;
  }
  return out;
}

}  // namespace perilune::analysis
