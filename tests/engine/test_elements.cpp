// SPDX-License-Identifier: MIT
// Every registered element: what it states by hand against automatic differentiation of its template, and automatic
// differentiation against complex step, at random states and random data. Every registered law in all its forms: the
// same of the tape that a system uses.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "expr/tape.hpp"
#include "law_specimens.hpp"
#include "model/element/element_check.hpp"
#include "model/element/registry.hpp"
#include "model/force/forces.hpp"

using namespace perilune;
using namespace perilune::model;

namespace {

struct RandomState {
  std::vector<double> q, v, a, lambda, data;
  RandomState(const Kernel& kernel, std::mt19937& random) {
    std::uniform_real_distribution<double> any(-1.5, 1.5), positive(0.4, 1.6);
    auto fill = [&](std::vector<double>& x, int n, auto& law) {
      for (int i = 0; i < n; ++i) x.push_back(law(random));
    };
    fill(q, kernel.coordinate_count(), any);
    fill(v, kernel.coordinate_count(), any);
    fill(a, kernel.coordinate_count(), any);
    fill(lambda, kernel.constraint_count(), any);
    fill(data, kernel.data_count(), positive);
  }
  Kinematics at() const { return {0.37, q.data(), v.data(), a.data(), lambda.data()}; }
};

/// Returns how many numbers were compared.
int compare(const ElementBlocks& x, const ElementBlocks& y, double tolerance) {
  int compared = 0;
  for (const BlockFamily& family : block_families()) {
    const std::vector<double>&left = x.*family.block, &right = y.*family.block;
    if (right.empty()) {  // a block that this kind of element does not have
      for (double value : left) CHECK(value == 0);
      continue;
    }
    REQUIRE(left.size() == right.size());
    double scale = 1;
    for (double value : right) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < left.size(); ++i) {
      INFO(family.name << "[" << i << "]: " << left[i] << " against " << right[i]);
      CHECK(std::abs(left[i] - right[i]) <= tolerance * scale);
      ++compared;
    }
  }
  return compared;
}

/// Whether blocks at two states that differ by rounding are the same to nine digits: forces of bristles that hardly
/// press, but are held in contact, are differences of numbers 1e10 times as large, and say nothing.
bool is_known(const ElementBlocks& x, const ElementBlocks& shaken) {
  for (const BlockFamily& family : block_families()) {
    const std::vector<double>&left = x.*family.block, &right = shaken.*family.block;
    double scale = 1, change = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      scale = std::max(scale, std::abs(left[i]));
      change = std::max(change, std::abs(left[i] - right[i]));
    }
    if (!(change < 1e-9 * scale)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("every registered element agrees with automatic differentiation and complex step") {
  const std::vector<std::string> types = registered_types();
  REQUIRE(types.size() >= 40);
  std::mt19937 random(20260101);
  for (const std::string& type : types) {
    const Kernel& kernel = kernel_of(type);
    for (int trial = 0; trial < 10; ++trial) {
      INFO(type << ", trial " << trial);
      const RandomState state(kernel, random);
      const ElementBlocks by_ad = kernel.by_automatic_differentiation(state.at(), state.data.data());
      CHECK(compare(as_used(kernel, state.at(), state.data.data()), by_ad, 1e-12) > 0);
      CHECK(compare(by_ad, kernel.by_complex_step(state.at(), state.data.data()), 1e-12) > 0);
    }
  }
}

namespace {

/// At one state of one element, numbered as it numbers itself.
StoredEnergy stored_energy(const Kernel& kernel, const Kinematics& at, const std::vector<double>& data) {
  Batch batch;
  batch.count = 1;
  for (int i = 0; i < kernel.coordinate_count(); ++i) batch.coordinates.push_back(i);
  return kernel.stored_energy(batch, at, data.data());
}

}  // namespace

TEST_CASE("energies that registered elements store are their potentials, and change with the velocities") {
  std::mt19937 random(20260104);
  int storing = 0;
  for (const std::string& type : registered_types()) {
    const Kernel& kernel = kernel_of(type);
    INFO(type);
    RandomState state(kernel, random);
    expr::Graph graph;
    const auto constants = [&](const std::vector<double>& numbers) {
      Kernel::Symbols out;
      for (const double x : numbers) out.emplace_back(graph, graph.constant(x));
      return out;
    };
    const expr::Symbol potential = kernel.symbolic_potential(constants(state.q), constants(state.data));
    REQUIRE(potential.is_number());
    const StoredEnergy stored = stored_energy(kernel, state.at(), state.data);
    CHECK(stored.energy == Approx(potential.number()).epsilon(1e-13));
    if (stored.energy == 0) continue;
    ++storing;
    const auto moved = [&](double time) {
      RandomState there = state;
      for (std::size_t i = 0; i < there.q.size(); ++i) there.q[i] += time * state.v[i];
      return stored_energy(kernel, there.at(), there.data).energy;
    };
    constexpr double h = 1e-3;
    const double slope = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    CHECK(stored.rate == Approx(slope).epsilon(1e-6).margin(1e-6 * std::abs(stored.energy)));
  }
  CHECK(storing >= 10);
}

TEST_CASE("masses that a registered element calls quadratic have no third difference, others have") {
  std::mt19937 random(20260103);
  for (const std::string& type : registered_types()) {
    const Kernel& kernel = kernel_of(type);
    if (!kernel.has_mass()) continue;
    INFO(type);
    RandomState state(kernel, random), step(kernel, random);
    std::vector<double> difference(state.q.size() * state.q.size());
    double size = 0;
    for (const double weight : {1.0, -3.0, 3.0, -1.0}) {
      const std::vector<double> mass = as_used(kernel, state.at(), state.data.data()).mass;
      REQUIRE(mass.size() == difference.size());
      for (std::size_t k = 0; k < mass.size(); ++k) {
        difference[k] += weight * mass[k];
        size = std::max(size, std::abs(mass[k]));
      }
      for (std::size_t k = 0; k < state.q.size(); ++k) state.q[k] += step.q[k];
    }
    double worst = 0;
    for (const double each : difference) worst = std::max(worst, std::abs(each));
    CHECK((worst < 1e-13 * size) == kernel.has_quadratic_mass());
  }
}

namespace {

/// Around the declared state, at parameters near the declared ones; switches decide themselves or are held, on the side
/// where the law is or on the other.
struct LawState {
  std::vector<double> q, v, a, lambda, data;
  LawState(const Model& model, const Element& element, std::mt19937& random) {
    std::uniform_real_distribution<double> any(-1, 1);
    for (int c : element.coordinates) {
      const expr::NodeId declared = model.coordinates()[static_cast<std::size_t>(c)].initial_position;
      q.push_back(value(model, declared) + 0.1 * any(random));
      v.push_back(any(random));
      a.push_back(any(random));
    }
    for (std::size_t k = 0; k < element.reads.size(); ++k) lambda.push_back(any(random));
    for (expr::NodeId id : element.data) {
      const expr::Variable& variable = model.graph().variable_of(id);
      const bool is_side = variable.quantity == expr::Quantity::Side;
      data.push_back(is_side ? std::round(1.5 * any(random)) : value(model, id) * (1 + 0.1 * any(random)));
    }
    data.push_back(0);  // a shift of time, where there is one
  }
  Kinematics at() const { return {0.37, q.data(), v.data(), a.data(), lambda.data()}; }
  /// Other by some roundings.
  LawState shaken() const {
    LawState other = *this;
    for (std::vector<double>* each : {&other.q, &other.v}) {
      for (double& x : *each) x *= 1 + 1e-14;
    }
    return other;
  }

 private:
  static double value(const Model& model, expr::NodeId id) {
    const expr::Graph& graph = model.graph();
    std::vector<expr::NodeId> inputs = graph.variables_of({id});
    const expr::Tape tape(graph, inputs, {id});
    auto work = tape.make_work<double>();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      work[i] = model.parameters()[static_cast<std::size_t>(graph.variable_of(inputs[i]).index)].value;
    }
    tape.evaluate(work.data());
    return work[static_cast<std::size_t>(tape.output_slot(0))];
  }
};

}  // namespace

TEST_CASE("every registered law agrees with automatic differentiation and complex step in all its forms") {
  const std::vector<std::string> laws = registered_laws();
  REQUIRE(laws.size() >= 9);
  // Boxes draw numbers of their own, so that all others keep theirs.
  std::mt19937 random(20260102), of_boxes(20261128);
  int known = 0, unknown = 0;
  for (const std::string& law : laws) {
    INFO("a registered law needs a specimen in law_specimens.cpp: " << law);
    const std::vector<LawSpecimen> specimens = specimens_of(law);
    REQUIRE(!specimens.empty());
    for (const LawSpecimen& specimen : specimens) {
      INFO(specimen.title);
      int checked = 0;
      for (const Element& element : specimen.model->elements()) {
        if (element.form != Element::Form::Law || !element.name.starts_with(law)) continue;
        ++checked;
        const auto kernel = kernel_of(*specimen.model, element);
        for (int trial = 0; trial < 4; ++trial) {
          const bool is_box =
              specimen.title.find("a box") != std::string::npos || specimen.title.find("a corner") != std::string::npos;
          const LawState state(*specimen.model, element, is_box ? of_boxes : random);
          INFO("trial " << trial);
          const ElementBlocks by_ad = kernel->by_automatic_differentiation(state.at(), state.data.data());
          const LawState near = state.shaken();
          if (!is_known(by_ad, kernel->by_automatic_differentiation(near.at(), near.data.data()))) {
            ++unknown;
            continue;
          }
          ++known;
          CHECK(compare(as_used(*kernel, state.at(), state.data.data()), by_ad, 1e-12) > 0);
          CHECK(compare(by_ad, kernel->by_complex_step(state.at(), state.data.data()), 1e-11) > 0);
        }
      }
      REQUIRE(checked > 0);
    }
  }
  CHECK(unknown < known / 200);
}

TEST_CASE("a law that the registry does not have cannot be declared") {
  const LawSpecimen specimen = specimens_of("force").front();
  Model& m = *specimen.model;
  GeneralizedForce force(m);
  force.add_on_coordinate(0, 1.0);
  CHECK_THROWS_WITH(add_law(m, "gear", "worm gear", force), Catch::Matchers::Contains("no law 'worm_gear'"));
  CHECK_NOTHROW(add_law(m, "stop", "bump stop", force));
}

TEST_CASE("an unknown element type is an error") { CHECK_THROWS(kernel_of("distance/point-nothing/2")); }
