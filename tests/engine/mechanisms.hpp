// SPDX-License-Identifier: MIT
// Small mechanisms with many kinds of parameters and objectives, on which every sensitivity method is tried.
#pragma once
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "sensitivity/gradient.hpp"

inline perilune::expr::Symbol read(perilune::model::Model& model, const std::string& signal) {
  return {model.graph(), model.signal(signal)};
}

struct Mechanism {
  std::string name;
  std::shared_ptr<perilune::model::Model> model;
  perilune::simulation::Problem problem;  // the caller chooses formulation and integrator

  Mechanism(std::string title, const std::vector<double>& gravity)
      : name(std::move(title)), model(std::make_shared<perilune::model::Model>(name, gravity)) {}

  perilune::expr::Symbol parameter(const std::string& label, double value, const std::string& unit = "") {
    constexpr double inf = std::numeric_limits<double>::infinity();
    return model->add_parameter(label, value, unit, -inf, inf);
  }
  perilune::expr::Symbol signal(const std::string& label) { return read(*model, label); }

  /// To be called once all elements are declared, before the objectives.
  void compile() { problem.system = std::make_shared<perilune::system::System>(*model); }

  void objective(const std::string& label, perilune::expr::NodeId terminal, perilune::expr::NodeId integral) {
    std::shared_ptr<const perilune::expr::Graph> graph(model, &model->graph());
    problem.objectives.push_back(std::make_shared<perilune::simulation::Objective>(label, graph, terminal, integral));
  }
  /// Ends runs where w becomes zero.
  void stop(const std::string& label, const perilune::expr::Symbol& w) {
    std::shared_ptr<const perilune::expr::Graph> graph(model, &model->graph());
    problem.stop =
        std::make_shared<perilune::simulation::Objective>(label, graph, w.in(model->graph()), perilune::expr::no_node);
  }
  void integral(const std::string& label, const perilune::expr::Symbol& g) {
    objective(label, perilune::expr::no_node, g.in(model->graph()));
  }
  void terminal(const std::string& label, const perilune::expr::Symbol& w) {
    objective(label, w.in(model->graph()), perilune::expr::no_node);
  }
  void both(const std::string& label, const perilune::expr::Symbol& w, const perilune::expr::Symbol& g) {
    objective(label, w.in(model->graph()), g.in(model->graph()));
  }

  std::vector<double> parameters() const {
    std::vector<double> values;
    for (const auto& p : model->parameters()) values.push_back(p.value);
    return values;
  }
  std::vector<int> over() const {
    std::vector<int> all(model->parameters().size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
};

/// The five-bar with natural lengths, a bar mass, a stiffness, the pivot A, an initial velocity and gravity as
/// parameters; point 2 keeps its declared position and velocity.
Mechanism five_bar_mechanism();
/// A planar four-bar of rigid bodies with revolute joints, a driving torque that reads time and a drag law.
Mechanism four_bar_mechanism();
/// Two spatial bodies: a spherical joint to ground, an oblique revolute joint between them, inertias with products. The
/// declared state violates the joints and is projected.
Mechanism spatial_pendulum_mechanism();
/// A four-bar of points without angles, whose crank turns full circles: neither x nor y of its end serves throughout.
Mechanism turning_crank_mechanism();
/// Points, a bar, planar bodies and spring-damper-actuators between all kinds of places.
Mechanism planar_net_mechanism();
/// The same idea in space.
Mechanism spatial_net_mechanism();
/// Nonlinear and tabulated springs, a stop, a bushing, pairs of forces, a filtered PID controller and a state.
Mechanism planar_forces_mechanism();
/// A bushing with full matrices, a torsion spring on a joint's angle, pairs of forces and torques.
Mechanism spatial_forces_mechanism();
/// A slider-crank whose joints rub by their loads, with added mass and a motor that follows a load: forces that read
/// accelerations and multipliers.
Mechanism rubbing_crank_mechanism();
/// A slider-crank in space whose joints have friction by their own loads: revolute, spherical, universal,
/// translational.
Mechanism rubbing_slider_crank_mechanism();
/// Bodies on a sleeve, a screw, a plane and a foot that rub, the last with static friction.
Mechanism rubbing_stack_mechanism();
/// A sleigh on a knife edge that drifts and swerves with time, with a trailer on another: constraints on velocities
/// beside those of a joint.
Mechanism trailer_mechanism();
/// A ball that rolls on a turntable whose plane is a constraint of its own; Euler parameters.
Mechanism rolling_ball_mechanism();
/// A slider-crank driven by a law of time, which turns a wheel by a gear and moves a rack; a bead on the rack.
Mechanism driven_linkage_mechanism();
/// A screw, a cylindrical, a universal and a translational joint, a point on a plane and a driven cart; one of the
/// bodies in natural coordinates.
Mechanism spatial_joints_mechanism();
/// A crank about x, a rod with a ball and a universal joint, a slider along x.
Mechanism slider_crank_mechanism();
/// One body on a ball joint in a frame away from its centre of mass, with drag; see test_offset_body.cpp.
Mechanism offset_pendulum_mechanism();
/// A tree in space: a rotor on a hinge, on it a slide with a weld and a ball joint, and a sleeve with a hinge.
Mechanism tree_mechanism();
/// Joints of the registry that may stand in trees.
std::vector<std::string> joints_of_trees(int dimension);
/// Bodies on earlier ones or on the ground by each of these joints twice, or all by that of one kind, with drivers of
/// some, and one that floats.
Mechanism random_tree_mechanism(int dimension, unsigned seed, bool has_drivers, const std::string& only = {});
/// The same with loops: joints of several kinds and rods between these bodies, and a gear between an angle of the tree
/// and one of a hinge that closes a loop.
Mechanism random_loops_mechanism(int dimension, unsigned seed, bool has_drivers);
/// A planar four-bar of rigid bodies whose crank follows a law of time.
Mechanism driven_four_bar_mechanism();
/// A door on one hinge or on two, of which five constraints are redundant, in oblique gravity.
Mechanism door_mechanism(bool has_second_hinge);

/// A mass of 1 kg on a spring, in a plane without gravity: x = cos(omega t), y = 0; the objective is the integral of
/// x^2.
Mechanism oscillator_mechanism(double omega);
/// A mass of 1 kg that swings on a critically damped spring of `stiffness` N/m, almost a pendulum of 1 m, for 2 s. It
/// starts with the spring as long as the weight makes it there.
Mechanism spring_pendulum_mechanism(double stiffness);
/// Points on springs: no constraints.
Mechanism free_points_mechanism();
