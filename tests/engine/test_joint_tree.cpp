// SPDX-License-Identifier: MIT
// Recursions along trees of links against the equations of the system that the tree was read from.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "error.hpp"
#include "formulation/tree/hinged_tree.hpp"
#include "formulation/tree/recursion.hpp"
#include "offered.hpp"

using namespace perilune;
using formulation::Node, formulation::Recursion;

namespace {

double largest(std::span<const double> list) {
  double size = 0;
  for (const double x : list) size = std::max(size, std::abs(x));
  return size;
}

struct Start {
  std::shared_ptr<const system::Data> data;
  std::vector<double> q;
};

Start start_of(const Mechanism& mechanism) {
  const simulation::Problem& problem = mechanism.problem;
  auto data = problem.system->make_data(mechanism.parameters());
  analysis::Assembly assembly(problem.system, problem.independent);
  return {data, assembly.solve(problem.start, *data).q};
}

/// reach: how far independent coordinates move from point to point, so that no Euler parameter leaves its half, and
/// that the given ones of a universal joint stay in reach where what it hangs on turns. loss: of digits by factors of
/// what closes loops.
void check_points(const Mechanism& mechanism, double reach, double loss = 1) {
  INFO(mechanism.name);
  const system::System& system = *mechanism.problem.system;
  const Start start = start_of(mechanism);
  auto found = formulation::recursion_of(mechanism.problem.system, start.data, start.q.data());
  if (const auto* why = std::get_if<std::string>(&found)) FAIL(*why);
  Recursion& recursion = *std::get<std::unique_ptr<Recursion>>(found);
  const auto n = static_cast<std::size_t>(system.coordinate_count()),
             m = static_cast<std::size_t>(system.constraint_count());
  std::vector<double> q = start.q, v(n), a(n), lambda(m), r(n);
  system::Workspace w(system);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    Node x;
    x.t = 0.01 * trial;
    x.q = q.data();
    x.v = v.data();
    x.a = a.data();
    x.lambda = lambda.data();
    const auto choice = recursion.choose(x);
    REQUIRE(choice);
    recursion.set(*choice);
    CHECK(recursion.serves(x));
    std::vector<int> independent;
    std::size_t left_out = 0;
    for (const int i : *choice) {
      if (i < static_cast<int>(n)) independent.push_back(i);
      if (i >= static_cast<int>(n) && i < static_cast<int>(n + m)) ++left_out;
    }
    CHECK(independent.size() == n - m + left_out);
    if (loss == 1) CHECK(left_out == 0);  // a tree has no redundant constraints
    for (const int i : independent) {
      q[static_cast<std::size_t>(i)] += reach * any(random);
      v[static_cast<std::size_t>(i)] = 3 * any(random);
    }
    REQUIRE(recursion.point(x, true));
    system.evaluate({x.t, x.q, x.v, x.a, x.lambda}, *start.data, w);
    system.residual(w, x.a, x.lambda, r.data());
    std::vector<double> bias(w.phi_bias.begin(), w.phi_bias.end());
    system.mn().multiply(w.jacobian.data(), x.a, bias.data());
    CHECK(largest(w.phi) < 1e-14 * std::max(1.0, largest(q)));
    CHECK(largest(w.phi_rate) < 1e-13 * loss * std::max(1.0, largest(v) / 3));
    CHECK(largest(bias) < 1e-11 * loss * (1 + largest(a)));
    CHECK(largest(r) < 1e-12 * loss * (largest(w.force) + largest(lambda)));
  }
}

}  // namespace

TEST_CASE("joint tree: points satisfy the equations of the system wherever the joints stand", "[tree]") {
  for (auto make : {tree_mechanism, offset_pendulum_mechanism}) check_points(make(), 0.1);
  for (const int dimension : {2, 3}) {
    for (const bool has_drivers : {false, true}) {
      for (unsigned seed = 0; seed < 12; ++seed) {
        INFO(dimension << " dimensions, seed " << seed << (has_drivers ? ", drivers" : ""));
        check_points(random_tree_mechanism(dimension, seed, has_drivers), 0.03);
      }
    }
  }
}

TEST_CASE("joint tree: trees of hinges alone have sweeps of their own", "[tree]") {
  const auto tree_of = [](const Mechanism& mechanism, const Start& start) {
    auto found = formulation::recursion_of(mechanism.problem.system, start.data, start.q.data());
    return std::get<std::unique_ptr<Recursion>>(std::move(found));
  };
  const Mechanism mixed = tree_mechanism();
  CHECK_FALSE(dynamic_cast<formulation::HingedTree*>(tree_of(mixed, start_of(mixed)).get()));
  const Mechanism driven = random_tree_mechanism(3, 1, true, "revolute");
  CHECK_FALSE(dynamic_cast<formulation::HingedTree*>(tree_of(driven, start_of(driven)).get()));
  bool has_tangents = false;
  int compared = 0;
  for (unsigned seed = 0; seed < 6; ++seed) {
    INFO("seed " << seed);
    const Mechanism mechanism = random_tree_mechanism(3, seed, false, "revolute");
    check_points(mechanism, 0.1);
    const Start start = start_of(mechanism);
    const std::unique_ptr<Recursion> found = tree_of(mechanism, start);
    auto* tree = dynamic_cast<formulation::HingedTree*>(found.get());
    REQUIRE(tree);
    std::vector<double> q = start.q;
    Node there;
    there.q = q.data();
    tree->set(*tree->choose(there));
    const auto n = static_cast<std::size_t>(mechanism.problem.system->coordinate_count()),
               m = static_cast<std::size_t>(mechanism.problem.system->constraint_count());
    // The same bits with narrow registers, and of accelerations without multipliers, which stay as they were.
    const auto point = [&](bool is_wide, bool with_multipliers) {
      std::vector<double> numbers = start.q;
      numbers.resize(3 * n + m, 7.5);
      for (const int i : *tree->proposed()) numbers[n + static_cast<std::size_t>(i)] = 0.1 * (1 + i % 9);
      Node x;
      x.q = numbers.data();
      x.v = x.q + n;
      x.a = x.v + n;
      x.lambda = x.a + n;
      tree->use_wide_registers(is_wide);
      REQUIRE(tree->point(x, with_multipliers));
      return numbers;
    };
    const bool has_wide = formulation::has_wide_registers();
    const std::vector<double> all = point(has_wide, true), part = point(has_wide, false);
    CHECK(point(false, true) == all);
    CHECK(std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(3 * n), part.begin()));
    CHECK(
        std::all_of(part.begin() + static_cast<std::ptrdiff_t>(3 * n), part.end(), [](double y) { return y == 7.5; }));
    // So have tangents, alone and side by side.
    const std::size_t size = 2 * n + static_cast<std::size_t>(mechanism.problem.system->data_count());
    std::vector<double> found_point = all;
    Node x;
    x.q = found_point.data();
    x.v = x.q + n;
    x.a = x.v + n;
    x.lambda = x.a + n;
    for (const std::size_t count : {1, 2, 3, 4}) {
      const auto tangents = [&](bool is_wide) {
        std::vector<double> numbers((size + n + m) * count);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.1 * (1 + static_cast<double>(i % 11));
        tree->use_wide_registers(is_wide);
        REQUIRE(tree->linearize(x, false));
        double* z = numbers.data();
        has_tangents = tree->tangent(x, static_cast<int>(count), {z, z + size * count, z + n * count, nullptr});
        return numbers;
      };
      CHECK(tangents(false) == tangents(has_wide));
      if (has_tangents) ++compared;
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("joint tree: points of mechanisms with loops satisfy the equations, too", "[tree]") {
  check_points(slider_crank_mechanism(), 0.02, 10);
  check_points(door_mechanism(true), 0.1, 10);
  check_points(driven_four_bar_mechanism(), 0.02, 10);
  for (const int dimension : {2, 3}) {
    int checked = 0;
    for (const bool has_drivers : {false, true}) {
      for (unsigned seed = 0; seed < 20; ++seed) {
        const Mechanism mechanism = random_loops_mechanism(dimension, seed, has_drivers);
        // What has no freedom left between two bodies closes in one position only, and not where drivers drive.
        try {
          if (!mobility_of(mechanism).redundant.empty()) continue;
        } catch (const NumericalError&) {
          continue;
        }
        INFO("dimension " << dimension << ", seed " << seed << (has_drivers ? ", drivers" : ""));
        check_points(mechanism, 0.005, 100);
        ++checked;
      }
    }
    CHECK(checked > 12);
  }
}

TEST_CASE("joint tree: every joint of the registry is one of trees, or says that it is none", "[tree]") {
  CHECK(joints_of_trees(2) == std::vector<std::string>{"revolute", "translational", "weld"});
  CHECK(joints_of_trees(3) == std::vector<std::string>{"revolute", "translational", "cylindrical", "screw", "spherical",
                                                       "universal", "weld", "planar"});
}

TEST_CASE("joint tree: what is no tree says why", "[tree]") {
  auto why = [](const Mechanism& mechanism) {
    const Start start = start_of(mechanism);
    auto found = formulation::recursion_of(mechanism.problem.system, start.data, start.q.data());
    REQUIRE(std::holds_alternative<std::string>(found));
    return std::get<std::string>(found);
  };
  CHECK_THAT(why(rolling_ball_mechanism()), Catch::Contains("on velocities"));
  CHECK_THAT(why(five_bar_mechanism()), Catch::Contains("is not of a spatial body"));
  CHECK_FALSE(is_tree(door_mechanism(true)));
  CHECK(is_tree(door_mechanism(false)));
}
