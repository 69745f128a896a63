// SPDX-License-Identifier: MIT
// Factorizations in blocks, of symmetric matrices and of others: against Eigen, and what they refuse.
#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <random>

#include "linalg/frontal.hpp"
#include "linalg/linear_solver.hpp"

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
  FrontalLdl solver;
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
  bool is_multiplier(int unknown) const { return unknown >= 8 * count; }  // as `place` has them
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

namespace {

/// The matrix of an implicit step with several stages: of stage i and the unknowns of stage j,
/// [delta_ij M + w_ij K   delta_ij c; w_ij j   - delta_ij kappa], with K that is not symmetric, not even as a pattern.
struct Stages {
  MatrixXd a;
  std::vector<char> is_multiplier;

  Stages(Bodies& bodies, const MatrixXd& weights, double stiffness, double row_scale = 1) {
    const auto n = static_cast<int>(bodies.a.rows()), stages = static_cast<int>(weights.rows());
    std::vector<char> is_coordinate(static_cast<std::size_t>(n), 0);
    for (int k = 0; k < n; ++k) is_coordinate[static_cast<std::size_t>(bodies.at(k))] = Bodies::is_coordinate(k);
    const auto holds = [&](int k) { return is_coordinate[static_cast<std::size_t>(k)] != 0; };
    MatrixXd spring = MatrixXd::Zero(n, n);
    for (int b = 0; b < bodies.count; ++b) {
      for (int i = 0; i < 7; ++i) {
        for (int j = 0; j < 7; ++j) {
          const int row = bodies.at(Bodies::each * b + i), column = bodies.at(Bodies::each * b + j);
          spring(row, column) = stiffness * bodies.any();
          if (b > 0 && i < 3) spring(row, bodies.at(Bodies::each * (b - 1) + j)) = stiffness * bodies.any();
        }
      }
    }
    a = MatrixXd::Zero(n * stages, n * stages);
    for (int r = 0; r < stages; ++r) {
      for (int c = 0; c < stages; ++c) {
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            const double plain = r == c ? bodies.a(i, j) : 0;
            double& to = a(r * n + i, c * n + j);
            if (holds(i) && holds(j)) to = plain + weights(r, c) * spring(i, j);
            if (holds(i) && !holds(j)) to = plain;
            if (!holds(i) && holds(j)) to = row_scale * weights(r, c) * bodies.a(i, j);
            if (!holds(i) && !holds(j)) to = row_scale * plain;
          }
        }
      }
    }
    for (int k = 0; k < n * stages; ++k) is_multiplier.push_back(!holds(k % n));
  }
};

const MatrixXd one_stage = MatrixXd::Constant(1, 1, 0.7);
const MatrixXd three_stages =  // Radau IIA of order 5
    (MatrixXd(3, 3) << 0.1968, -0.0655, 0.0238, 0.3944, 0.2921, -0.0415, 0.3764, 0.5125, 0.1111).finished();

}  // namespace

TEST_CASE("matrices of implicit steps are factored in blocks, as accurately as with pivots") {
  for (const MatrixXd& weights : {one_stage, three_stages}) {
    for (const bool is_hub : {false, true}) {
      for (const double stiffness : {0.0, 1e-3, 0.02}) {
        for (const double row_scale : {1.0, 1e-4, 1e6}) {
          INFO(weights.rows() << " stages, hub " << is_hub << ", " << stiffness << ", rows by " << row_scale);
          Bodies bodies(8, is_hub, 1e-9, 1, 0.1);
          const Stages stages(bodies, weights, stiffness, row_scale);
          const MatrixXd& a = stages.a;
          const SparsePattern pattern = pattern_of(a);
          FrontalLu lu(
              pattern, [&](int i, int j) { return pattern.slot(i, j); }, stages.is_multiplier);
          std::vector<double> values(pattern.size());
          pattern.for_each([&](int i, int j) { values[static_cast<std::size_t>(pattern.slot(i, j))] = a(i, j); });
          const bool is_done = lu.factor(values.data());
          // Several stages of a body that carries all others may be left to pivots.
          if (!is_done && is_hub && weights.rows() > 1) continue;
          REQUIRE(is_done);
          VectorXd x(a.rows());
          for (int k = 0; k < x.size(); ++k) x[k] = bodies.any();
          for (const bool is_transposed : {false, true}) {
            for (int k = 0; is_transposed && k < x.size(); ++k) {  // whose forces are those of accelerations
              if (stages.is_multiplier[static_cast<std::size_t>(k)]) x[k] /= row_scale;
            }
            const MatrixXd of = is_transposed ? MatrixXd(a.transpose()) : a;
            const VectorXd b = of * x, exact = Eigen::FullPivLU<MatrixXd>(of).solve(b);
            for (const int count : {1, 2, 3, 4, 7}) {
              MatrixXd many(count, x.size());
              for (int k = 0; k < count; ++k) many.row(k) = (k + 1) * b.transpose();
              is_transposed ? lu.solve_transposed(many.data(), count) : lu.solve(many.data(), count);
              for (int k = 0; k < count; ++k) {
                const VectorXd found = many.row(k).transpose() / (k + 1);
                CHECK(residual(of, found, b) <= 1e-12);
                CHECK((found - x).norm() <= 30 * (exact - x).norm() + 1e-12 * x.norm());
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("constraints that follow from others lean on their compliance, as far as that has digits") {
  for (const bool is_hub : {false, true}) {
    // As rows of three bodies' joints, and coupled with all that others are.
    const auto redundant = [&](double compliance) {
      Bodies bodies(8, is_hub, compliance, 1, 0.1);
      for (const int b : {2, 4, 7}) {
        const int row = bodies.at(Bodies::each * b + 12), first = bodies.at(Bodies::each * b + 8),
                  second = bodies.at(Bodies::each * b + 9);
        bodies.a.row(row) = bodies.a.row(first) - 2 * bodies.a.row(second);
        for (int k = 0; k < bodies.a.cols(); ++k) {
          if (bodies.is_multiplier(k)) bodies.a(row, k) = 0;
        }
        bodies.a.col(row) = bodies.a.row(row).transpose();
        bodies.a(row, row) = -compliance;
      }
      return bodies;
    };
    Ldl ldl(redundant(1e-9).a);
    // The same solver goes on from one to the next.
    for (const double compliance : {1e-9, 1e-10, 3e-11, 1e-11, 3e-12, 1e-9}) {
      INFO("hub " << is_hub << ", compliance " << compliance);
      Bodies bodies = redundant(compliance);
      REQUIRE(ldl.factor(bodies.a));
      const VectorXd x = bodies.motion(), b = bodies.a * x;
      CHECK(residual(bodies.a, ldl.solve(b), b) <= 1e-12);
    }
    for (const double compliance : {1e-12, 1e-16}) CHECK_FALSE(ldl.factor(redundant(compliance).a));
    CHECK_FALSE(Ldl(redundant(0).a).factor(redundant(0).a));
  }
}

TEST_CASE("a linear solver pivots where blocks have to refuse, and goes on where another left off") {
  Bodies bodies(8, false, 1e-9, 1, 1);
  const Stages stages(bodies, three_stages, 0.01);
  MatrixXd redundant = stages.a;
  const int last = static_cast<int>(stages.a.rows()) / 3 - 1;
  redundant.row(last) = stages.a.row(last - 1);
  const SparsePattern pattern = pattern_of(stages.a.cwiseAbs() + redundant.cwiseAbs());
  const auto layout = std::make_shared<MatrixLayout>(pattern, stages.is_multiplier);
  LinearSolver solver(layout);
  const auto load = [&](LinearSolver& to, const MatrixXd& a) {
    pattern.for_each([&](int i, int j) { to.values()[layout->slot(i, j)] = a(i, j); });
  };
  const VectorXd x = VectorXd::LinSpaced(stages.a.rows(), -1, 1), b = stages.a * x, other = stages.a.transpose() * x;
  const auto solve = [&](LinearSolver& by, VectorXd y, bool is_transposed) {
    is_transposed ? by.solve_transposed(y.data()) : by.solve(y.data());
    return y;
  };
  load(solver, stages.a);
  REQUIRE(solver.factor());
  const VectorXd found = solve(solver, b, false), back = solve(solver, other, true);
  CHECK((found - x).norm() <= 1e-10 * x.norm());
  CHECK((back - x).norm() <= 1e-10 * x.norm());
  const Pivoting kept = solver.pivoting();
  CHECK_FALSE(kept.needs_pivots);
  LinearSolver second(layout);
  second.set_pivoting(kept);
  load(second, stages.a);
  REQUIRE(second.factor());
  CHECK(solve(second, b, false) == found);
  CHECK(solve(second, other, true) == back);

  load(solver, redundant);
  CHECK_FALSE(solver.factor());
  CHECK(solver.pivoting().needs_pivots);
  load(solver, stages.a);
  REQUIRE(solver.factor());  // from now on with pivots
  CHECK((solve(solver, b, false) - x).norm() <= 1e-10 * x.norm());
  CHECK((solve(solver, other, true) - x).norm() <= 1e-10 * x.norm());
}

TEST_CASE("a pivot that becomes small by itself is not taken on") {
  // Bodies whose last coordinate is held by one multiplier; its stiffness goes.
  Bodies bodies(8, false, 1e-9, 1, 0.1);
  const Stages stages(bodies, one_stage, 1e-3);
  MatrixXd stiff = stages.a;
  for (int b = 0; b < bodies.count; ++b) stiff(bodies.at(Bodies::each * b + 13), bodies.at(Bodies::each * b + 13)) = 3;
  const SparsePattern pattern = pattern_of(stiff);
  FrontalLu lu(
      pattern, [&](int i, int j) { return pattern.slot(i, j); }, stages.is_multiplier);
  std::vector<double> values(pattern.size());
  VectorXd x(stiff.rows());
  for (int k = 0; k < x.size(); ++k) x[k] = bodies.any();
  for (const double left : {1.0, 1e-4, 1e-8, 1e-12, 1e-14, 1e-17, 1e-30}) {
    INFO("left " << left);
    MatrixXd a = stiff;
    for (int b = 0; b < bodies.count; ++b)
      a(bodies.at(Bodies::each * b + 13), bodies.at(Bodies::each * b + 13)) *= left;
    pattern.for_each([&](int i, int j) { values[static_cast<std::size_t>(pattern.slot(i, j))] = a(i, j); });
    REQUIRE(lu.factor(values.data()));
    VectorXd found = a * x, transposed = a.transpose() * x;
    lu.solve(found.data(), 1);
    lu.solve_transposed(transposed.data(), 1);
    CHECK((found - x).norm() <= 1e-11 * x.norm());
    CHECK((transposed - x).norm() <= 1e-11 * x.norm());
  }
}
