// SPDX-License-Identifier: MIT
#include "phases_check.hpp"

#include <catch2/catch.hpp>

#include "gradient_check.hpp"
#include "simulation/phases.hpp"

using namespace perilune;
using expr::Symbol;
using simulation::Phase;

std::shared_ptr<Phase> make_phase(const Mechanism& mechanism, const std::string& name,
                                  const std::vector<std::string>& without, const Symbol* stop,
                                  const std::vector<std::pair<int, Symbol>>& set) {
  model::Model& model = *mechanism.model;
  auto made = std::make_shared<Phase>(simulation::phase_without(model, name, without));
  if (stop) {
    std::shared_ptr<const expr::Graph> graph(mechanism.model, &model.graph());
    made->stop = std::make_shared<simulation::Objective>(name, graph, stop->in(model.graph()), expr::no_node);
  }
  for (const auto& [parameter, value] : set) {
    made->set.push_back({parameter, system::Measure(model.graph(), {value.in(model.graph())})});
  }
  return made;
}

void check_adjoint_is_direct(const Mechanism& mechanism, const std::vector<int>& over) {
  const std::vector<double> rho = mechanism.parameters();
  const auto direct = sensitivity::gradient(mechanism.problem, rho, over, sensitivity::DiscreteDirect{});
  const auto adjoint = sensitivity::gradient(mechanism.problem, rho, over, sensitivity::DiscreteAdjoint{});
  CHECK(adjoint.values == direct.values);
  const std::vector<double> units(over.size(), 1.0);
  for (std::size_t o = 0; o < direct.derivatives.size(); ++o) {
    INFO(mechanism.problem.objectives[o]->name);
    REQUIRE(size_of(direct.derivatives[o], units) > 0);
    CHECK(difference(adjoint.derivatives[o], direct.derivatives[o], units) < 1e-9);
  }
}

void check_gradients_of_phases(const Mechanism& mechanism, const std::vector<int>& over) {
  check_adjoint_is_direct(mechanism, over);
  const std::vector<double> rho = mechanism.parameters();
  const auto direct = sensitivity::gradient(mechanism.problem, rho, over, sensitivity::DiscreteDirect{});
  const auto differences = sensitivity::gradient(mechanism.problem, rho, over, sensitivity::FiniteDifference{1e-3, 2});
  for (std::size_t o = 0; o < direct.derivatives.size(); ++o) {
    for (std::size_t p = 0; p < over.size(); ++p) {
      INFO(mechanism.problem.objectives[o]->name << " by " << over[p]);
      CHECK(direct.derivatives[o][p] == Approx(differences.derivatives[o][p]).epsilon(2e-7).margin(1e-7));
    }
  }
}
