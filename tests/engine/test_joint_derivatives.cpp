// SPDX-License-Identifier: MIT
// Derivatives of points by recursions against those of the system's equations in all coordinates.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "formulation/motion.hpp"
#include "offered.hpp"

using namespace perilune;
using formulation::Motion, formulation::Node;

namespace {

double largest(std::span<const double> list) {
  double size = 0;
  for (const double x : list) size = std::max(size, std::abs(x));
  return size;
}

/// The same points by recursion and, where weights of residuals are wanted, by the system's equations; joints move by
/// a reach from one to the next.
class Points {
 public:
  explicit Points(const Mechanism& mechanism)
      : system(*mechanism.problem.system),
        n(static_cast<std::size_t>(system.coordinate_count())),
        m(static_cast<std::size_t>(system.constraint_count())),
        size(2 * n + static_cast<std::size_t>(system.data_count())),
        numbers(3 * n + m) {
    const auto data = system.make_data(mechanism.parameters());
    analysis::Assembly assembly(mechanism.problem.system, mechanism.problem.independent);
    const std::vector<double> q = assembly.solve(mechanism.problem.start, *data).q;
    std::copy(q.begin(), q.end(), numbers.begin());
    for (auto* each : {&recursive, &full}) {
      *each = formulation::make_motion(mechanism.problem.system, data, formulation::JointCoordinates());
    }
    full->keep_residual_weights();
    x.q = numbers.data();
    x.v = x.q + n;
    x.a = x.v + n;
    x.lambda = x.a + n;
  }
  void next(double reach) {
    x.t += 0.01;
    recursive->choose(x, 0.01);
    full->set_choice(recursive->choice());
    for (const int i : *recursive->choice()) {
      x.q[i] += reach * any();
      x.v[i] = 3 * any();
    }
    recursive->point(x);
  }
  double any() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

  const system::System& system;
  std::size_t n, m, size;  // size: of q, v and data
  std::vector<double> numbers;
  std::unique_ptr<Motion> recursive, full;
  Node x;

 private:
  std::mt19937 random_{11};
};

void check_near(std::span<const double> ours, std::span<const double> theirs) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    INFO(i << ": " << ours[i] << " is not " << theirs[i]);
    CHECK(std::abs(ours[i] - theirs[i]) <= 1e-11 * largest(theirs));
  }
}

void check_adjoints(const Mechanism& mechanism, double reach) {
  Points points(mechanism);
  const std::size_t n = points.n, size = points.size;
  for (int trial = 0; trial < 8; ++trial) {
    points.next(reach);
    const std::vector<double> found = points.numbers;
    std::vector<double> seeds(size + n);
    for (double& each : seeds) each = points.any();
    const auto adjoint = [&](Motion& motion, double of_multipliers) {
      std::vector<double> z = seeds, of_lambda(points.m, of_multipliers);
      motion.linearize_point(points.x, Motion::Here::Again, {});
      motion.adjoint_point({z.data(), z.data() + size, of_lambda.data(), z.data() + n, nullptr});
      z.resize(size);
      return z;
    };
    for (const double of_multipliers : {0.0, 0.3}) {
      const std::vector<double> ours = adjoint(*points.recursive, of_multipliers),
                                theirs = adjoint(*points.full, of_multipliers);
      CHECK(points.numbers == found);
      check_near(std::span(ours).first(2 * n), std::span(theirs).first(2 * n));
      check_near(std::span(ours).subspan(2 * n), std::span(theirs).subspan(2 * n));
    }
    // The node may be others', too: what depends on the joints' coordinates stays as it is, were it a little off.
    const std::vector<int>& choice = *points.recursive->choice();
    for (int i = 0; i < static_cast<int>(n); ++i) {
      if (std::find(choice.begin(), choice.end(), i) == choice.end()) points.x.q[i] += 1e-9;
    }
    const std::vector<double> moved = points.numbers;
    points.recursive->linearize_point(points.x, Motion::Here::Again, {});
    CHECK(points.numbers == moved);
  }
}

void check_tangents(const Mechanism& mechanism, double reach) {
  constexpr std::size_t count = 3;
  Points points(mechanism);
  const std::size_t n = points.n, m = points.m, size = points.size;
  for (int trial = 0; trial < 8; ++trial) {
    points.next(reach);
    std::vector<double> directions((size + n + m) * count);
    for (double& each : directions) each = points.any();
    const auto tangent = [&](Motion& motion) {
      std::vector<double> z = directions;
      motion.linearize_point(points.x, Motion::Here::Again, {});
      motion.tangent_point(count, {z.data(), z.data() + size * count, z.data() + n * count, nullptr});
      return z;
    };
    const std::vector<double> ours = tangent(*points.recursive), theirs = tangent(*points.full);
    check_near(std::span(ours).first(2 * n * count), std::span(theirs).first(2 * n * count));
    check_near(std::span(ours).subspan(size * count, n * count), std::span(theirs).subspan(size * count, n * count));
    check_near(std::span(ours).last(m * count), std::span(theirs).last(m * count));
  }
}

/// Tangents at the last point that next() made, in several directions at once.
class Tangents {
 public:
  Tangents(Points& points, std::size_t count) : points_(points), count_(count) {
    numbers.resize((points.size + points.n + points.m) * count);
  }
  void find(const formulation::TangentsRead* read) {
    Motion& motion = *points_.recursive;
    motion.linearize_point(points_.x, Motion::Here::Again, {});
    double* z = numbers.data();
    motion.tangent_point(static_cast<int>(count_),
                         {z, z + points_.size * count_, z + points_.n * count_, nullptr, read});
  }
  double& at(std::size_t row, std::size_t direction) { return numbers[row * count_ + direction]; }
  std::size_t rows() const { return numbers.size() / count_; }
  std::vector<double> numbers;

 private:
  Points& points_;
  std::size_t count_;
};

void check_directions(const Mechanism& mechanism) {
  Points points(mechanism);
  constexpr std::size_t most = 7;
  for (int trial = 0; trial < 3; ++trial) {
    points.next(0.1);
    Tangents all(points, most);
    for (double& each : all.numbers) each = points.any();
    const std::vector<double> directions = all.numbers;
    all.find(nullptr);
    for (const std::size_t count : {1, 2, 3, 4, 5, 6}) {
      const std::size_t first = most - count;  // which stands in other lanes here
      Tangents some(points, count);
      for (std::size_t row = 0; row < some.rows(); ++row) {
        for (std::size_t k = 0; k < count; ++k) some.at(row, k) = directions[row * most + first + k];
      }
      some.find(nullptr);
      for (std::size_t row = 0; row < some.rows(); ++row) {
        for (std::size_t k = 0; k < count; ++k) CHECK(some.at(row, k) == all.at(row, first + k));
      }
    }
  }
}

/// What somebody reads has the same bits as if all were read, and so has what later points are proposed by.
void check_readers(const Mechanism& mechanism) {
  Points points(mechanism);
  const std::size_t n = points.n, count = 3;
  for (int trial = 0; trial < 4; ++trial) {
    points.next(0.1);
    formulation::TangentsRead read{std::vector<char>(n), std::vector<char>(n), trial == 0};
    for (std::vector<char>* each : {&read.motions, &read.accelerations}) {
      for (char& is_read : *each) is_read = points.any() > 0.8;
    }
    Tangents all(points, count);
    for (double& each : all.numbers) each = points.any();
    Tangents some = all;
    all.find(nullptr);
    some.find(&read);
    for (const int i : *points.recursive->proposed()) {
      read.motions[static_cast<std::size_t>(i)] = read.accelerations[static_cast<std::size_t>(i)] = 1;
    }
    const auto check_row = [&](std::size_t row) {
      for (std::size_t k = 0; k < count; ++k) CHECK(some.at(row, k) == all.at(row, k));
    };
    for (std::size_t i = 0; i < n; ++i) {
      if (read.motions[i]) check_row(i), check_row(n + i);
      if (read.accelerations[i]) check_row(points.size + i);
    }
    for (std::size_t k = 0; k < points.m && read.multipliers; ++k) check_row(points.size + n + k);
  }
}

}  // namespace

TEST_CASE("joint derivatives: adjoints of points by sweeps along hinges", "[tree]") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    check_adjoints(random_tree_mechanism(3, seed, false, "revolute"), 0.1);
  }
}

TEST_CASE("joint derivatives: tangents of points by sweeps along hinges", "[tree]") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    check_tangents(random_tree_mechanism(3, seed, false, "revolute"), 0.1);
  }
}

TEST_CASE("joint derivatives: tangents side by side have the bits of each alone, whoever reads them", "[tree]") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    const Mechanism mechanism = random_tree_mechanism(3, seed, false, "revolute");
    check_directions(mechanism);
    check_readers(mechanism);
  }
}
