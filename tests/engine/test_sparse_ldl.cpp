// SPDX-License-Identifier: MIT
// The symmetric factorization in blocks: against Eigen, and what it refuses.
#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <random>

#include "linalg/linear_solver.hpp"
#include "linalg/sparse_ldl.hpp"

using namespace perilune::linalg;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

SparsePattern pattern_of(const MatrixXd& a, bool is_full = false) {
  Entries entries;
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.cols(); ++j) {
      if (is_full || i == j || a(i, j) != 0) entries.emplace(i, j);
    }
  }
  return {static_cast<int>(a.rows()), static_cast<int>(a.cols()), entries};
}

struct Ldl {
  SparsePattern pattern;
  SparseLdl solver;
  explicit Ldl(const MatrixXd& a, bool is_full = false)
      : pattern(pattern_of(a, is_full)), solver(pattern, [this](int i, int j) { return pattern.slot(i, j); }) {}

  bool factor(const MatrixXd& a) {
    std::vector<double> values(pattern.size());
    pattern.for_each([&](int i, int j) { values[static_cast<std::size_t>(pattern.slot(i, j))] = a(i, j); });
    return solver.factor(values.data());
  }
  VectorXd solve(VectorXd b) {
    solver.solve(b.data(), 1);
    return b;
  }
};

/// Bodies of 7 coordinates, the last four of which are Euler parameters p: their mass matrix 4 G^T J G is singular
/// along p, and the constraint p.p = 1 holds there. Each body has a joint of five constraints with the one before, or
/// with the first (`is_hub`), or the first with the ground; and an angle without mass that a constraint follows. All
/// multipliers stand behind all coordinates.
struct Bodies {
  static constexpr int each = 15;
  int count;
  MatrixXd a;
  std::mt19937 random;
  std::vector<int> place;  // of unknown k of body b, by each * b + k

  Bodies(int bodies, bool is_hub, double compliance, double heavy, double light, unsigned seed = 1)
      : count(bodies), a(MatrixXd::Zero(each * bodies, each * bodies)), random(seed) {
    int next = 0;
    place.resize(static_cast<std::size_t>(a.rows()));
    for (const bool of_coordinates : {true, false}) {
      for (int k = 0; k < a.rows(); ++k) {
        if (is_coordinate(k) == of_coordinates) place[static_cast<std::size_t>(k)] = next++;
      }
    }
    for (int b = 0; b < count; ++b) add_body(b, b % 2 ? light : heavy);
    for (int b = 0; b < count; ++b) {
      const int before = is_hub ? 0 : b - 1, joint = each * b + 8;
      for (int c = 0; c < 5; ++c) {
        touch(joint + c, b, c, 1);
        if (b > 0) touch(joint + c, before, c, -1);
        couple(joint + c, joint + c, -compliance);
      }
      const int angle = each * b + 13;
      touch(angle + 1, b, 4, 1);
      couple(angle + 1, angle, 1);
      couple(angle + 1, angle + 1, -compliance);
      couple(each * b + 7, each * b + 7, -compliance);
    }
  }
  static bool is_coordinate(int k) { return k % each < 7 || k % each == 13; }
  int at(int k) const { return place[static_cast<std::size_t>(k)]; }
  double any() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  void couple(int i, int j, double x) { a(at(i), at(j)) = a(at(j), at(i)) = x; }
  void add_body(int b, double mass) {
    const int r = each * b, p = r + 3;
    Eigen::Vector4d e(any(), any(), any(), any());
    e.normalize();
    Eigen::Matrix<double, 3, 4> G;
    G << -e[1], e[0], e[3], -e[2], -e[2], -e[3], e[0], e[1], -e[3], e[2], -e[1], e[0];
    const Eigen::Vector3d J(mass * 0.1, mass * 0.2, mass * 0.15);
    for (int i = 0; i < 3; ++i) couple(r + i, r + i, mass);
    a.block<4, 4>(at(p), at(p)) = 4 * G.transpose() * J.asDiagonal() * G;
    for (int i = 0; i < 4; ++i) couple(r + 7, p + i, 2 * e[i]);
  }
  void touch(int row, int b, int kind, double sign) {
    if (kind < 3) couple(row, each * b + kind, sign);
    for (int i = 0; i < 4; ++i) couple(row, each * b + 3 + i, any());
  }
  /// Accelerations of about 1, and multipliers as large as forces are then.
  VectorXd motion() {
    VectorXd x(a.rows());
    const double mass = a.diagonal().maxCoeff();
    for (int k = 0; k < x.size(); ++k) x[at(k)] = any() * (is_coordinate(k) ? 1 : mass);
    return x;
  }
};

double condition(const MatrixXd& a) {
  const auto singular = Eigen::JacobiSVD<MatrixXd>(a).singularValues();
  return singular[0] / singular[singular.size() - 1];
}

/// Largest residual of a solution, beside the terms that it is the sum of.
double residual(const MatrixXd& a, const VectorXd& x, const VectorXd& b) {
  const VectorXd terms = a.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
  return (a * x - b).cwiseAbs().cwiseQuotient(terms).maxCoeff();
}

}  // namespace

TEST_CASE("bodies with Euler parameters are factored in blocks, as accurately as with pivots") {
  for (const bool is_hub : {false, true}) {
    for (const double compliance : {0.0, 1e-9, 1e-3}) {
      for (const double light : {1.0, 1e-3, 1e-6}) {
        INFO((is_hub ? "hub" : "chain") << ", compliance " << compliance << ", light " << light);
        Bodies bodies(12, is_hub, compliance, 1, light);
        const VectorXd x = bodies.motion(), b = bodies.a * x;
        Ldl ldl(bodies.a);
        REQUIRE(ldl.factor(bodies.a));
        const VectorXd found = ldl.solve(b), exact = Eigen::FullPivLU<MatrixXd>(bodies.a).solve(b);
        CHECK(residual(bodies.a, found, b) <= 1e-13);
        CHECK((found - x).norm() <= 10 * (exact - x).norm() + 1e-13 * x.norm());
        for (const int count : {2, 3, 4, 7}) {
          MatrixXd many(count, x.size());
          for (int k = 0; k < count; ++k) many.row(k) = (k + 1) * b.transpose();
          ldl.solver.solve(many.data(), count);
          for (int k = 0; k < count; ++k) {
            CHECK(residual(bodies.a, many.row(k).transpose(), (k + 1) * b) <= 1e-13);
          }
        }
      }
    }
  }
}

TEST_CASE("the same pattern with other numbers, kept numbers, and the method of another solver") {
  const Bodies first(10, false, 1e-9, 1, 0.1, 1);
  Bodies second(10, false, 1e-9, 1, 0.1, 2);
  const VectorXd b = second.a * second.motion();
  Ldl ldl(first.a);
  REQUIRE(ldl.factor(first.a));
  const VectorXd of_first = ldl.solve(b);
  const std::vector<double> kept = ldl.solver.numbers();
  const auto method = ldl.solver.method();
  REQUIRE(ldl.factor(second.a));
  CHECK(ldl.solver.method() == method);
  const VectorXd of_second = ldl.solve(b);
  CHECK(residual(second.a, of_second, b) <= 1e-13);
  REQUIRE(ldl.solver.restore(kept));
  CHECK(ldl.solve(b) == of_first);

  Ldl other(first.a);
  other.solver.set_method(method);
  REQUIRE(other.factor(second.a));
  CHECK(other.solve(b) == of_second);
  CHECK(other.solver.pivot_ratio() > 0);
  CHECK(other.solver.pivot_ratio() < 1);

  Ldl third(first.a);  // on its own way, which may be another
  REQUIRE(third.factor(second.a));
  CHECK_FALSE(third.solver.restore(kept));
}

TEST_CASE("entries that are zero at first") {
  Bodies bodies(8, false, 0, 1, 1);
  const MatrixXd a = bodies.a;
  Ldl ldl(a, true);
  REQUIRE(ldl.factor(a));
  const std::vector<double> kept = ldl.solver.numbers();
  MatrixXd coupled = a;
  coupled(0, 50) = coupled(50, 0) = 0.3;  // two bodies far from each other
  REQUIRE(ldl.factor(coupled));
  CHECK_FALSE(ldl.solver.restore(kept));
  const VectorXd x = bodies.motion(), b = coupled * x;
  CHECK((ldl.solve(b) - x).norm() <= 1e-14 * condition(coupled) * x.norm());
}

TEST_CASE("what blocks refuse: dependent constraints, parts without mass, numbers that are not finite") {
  const Bodies bodies(8, false, 0, 1, 1);
  const int each = Bodies::each, last = each * 7;
  MatrixXd redundant = bodies.a, massless = bodies.a, infinite = bodies.a, nothing = bodies.a;
  const int twice = bodies.at(last + 9);
  redundant.row(twice) = bodies.a.row(bodies.at(last + 8));
  redundant.col(twice) = redundant.row(twice).transpose();
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) massless(bodies.at(last + i), bodies.at(last + j)) = 0;
  }
  infinite(3, 4) = infinite(4, 3) = std::nan("");
  nothing.setZero();
  Ldl ldl(redundant + bodies.a);
  CHECK_FALSE(ldl.factor(redundant));
  CHECK_FALSE(ldl.factor(massless));
  CHECK_FALSE(ldl.factor(infinite));
  CHECK_FALSE(ldl.factor(nothing));
  // LinearSolver hands these over to pivots, which see whether they are singular.
  const SparsePattern pattern = pattern_of(redundant + bodies.a);
  LinearSolver solver(std::make_shared<MatrixLayout>(pattern));
  const auto load = [&](const MatrixXd& a) {
    pattern.for_each([&](int i, int j) { solver.values()[solver.layout().slot(i, j)] = a(i, j); });
  };
  load(bodies.a);
  REQUIRE(solver.factor(true));
  CHECK_FALSE(solver.factor_numbers().empty());
  load(redundant);
  CHECK_FALSE(solver.factor(true));
  CHECK(solver.singular_row() >= 0);
  load(bodies.a);
  REQUIRE(solver.factor(true));
  CHECK(solver.factor_numbers().empty());  // it stays with pivots
  CHECK(solver.pivoting().is_unsymmetric);
}
