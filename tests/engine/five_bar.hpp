// SPDX-License-Identifier: MIT
// The five-bar mechanism of Zhu et al. with the recovered geometry (reference page, sections 6.1 and 6.3).
#pragma once
#include <cmath>
#include <memory>

#include "model/body/points.hpp"
#include "model/force/springs.hpp"
#include "model/model.hpp"
#include "model/place/places.hpp"
#include "sensitivity/gradient.hpp"

struct FiveBar {
  std::shared_ptr<perilune::model::Model> model;
  std::shared_ptr<const perilune::system::System> system;
  perilune::simulation::Problem problem;
  std::vector<double> lengths{std::sqrt(5.0), std::sqrt(4.25)};
  std::vector<int> over{0, 1};

  FiveBar(const perilune::formulation::Formulation& formulation, const perilune::integrator::Integrator& integrator,
          double end) {
    using perilune::expr::Symbol;
    using perilune::model::Place;
    using perilune::model::Vector;
    model = std::make_shared<perilune::model::Model>("five-bar", std::vector<double>{0, -9.81});
    perilune::model::Model& m = *model;
    const double inf = std::numeric_limits<double>::infinity();
    const Symbol L1 = m.add_parameter("L01", lengths[0], "m", -inf, inf);
    const Symbol L2 = m.add_parameter("L02", lengths[1], "m", -inf, inf);
    const Vector still{0.0, 0.0};
    const Place A = ground_place(m, {0.0, 0.0}), B = ground_place(m, {1.0, 0.0});
    const Place P1 = add_point(m, "P1", {-1.0, -1.0}, still, 0.0);
    const Place P2 = add_point(m, "P2", {0.5, -2.0}, still, 0.0);
    const Place P3 = add_point(m, "P3", {2.0, -1.0}, still, 0.0);
    add_bar(m, "b1", A, P1, 1.0, nullptr);
    add_bar(m, "b2", P1, P2, 1.5, nullptr);
    add_bar(m, "b3", P2, P3, 1.5, nullptr);
    add_bar(m, "b4", P3, B, 1.0, nullptr);
    add_spring(m, "s1", A, P3, 100.0, &L1, 0.0, 0.0);
    add_spring(m, "s2", A, P2, 100.0, &L2, 0.0, 0.0);
    auto& g = m.graph();
    const Symbol x(g, m.signal("P2.x")), y(g, m.signal("P2.y"));
    const Symbol cost = (x - 0.5) * (x - 0.5) + (y + 2.0) * (y + 2.0);
    problem.formulation = formulation;
    problem.integrator = integrator;
    problem.end = end;
    compile();
    add_objective("distance", perilune::expr::no_node, cost.in(g));
  }

  void compile() { problem.system = system = std::make_shared<perilune::system::System>(*model); }

  void add_objective(const char* name, perilune::expr::NodeId terminal, perilune::expr::NodeId integral) {
    std::shared_ptr<const perilune::expr::Graph> graph(model, &model->graph());
    problem.objectives.push_back(std::make_shared<perilune::simulation::Objective>(name, graph, terminal, integral));
  }
};
