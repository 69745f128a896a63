// SPDX-License-Identifier: MIT
// One RK4 step of the penalty form on the five-bar mechanism: the engine against a C++ program written for just this
// mechanism, in one run. Prints ratios; absolute times mean nothing on another machine.
#include <malloc.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "../engine/five_bar.hpp"

namespace {

/// What an engineer would write for this one mechanism: fixed sizes, everything inlined, constants folded.
struct HandWritten {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  double alpha = 1e9, xi = 1, omega = 10, stiffness = 100, l01 = std::sqrt(5.0), l02 = std::sqrt(4.25);
  Matrix6 mass = Matrix6::Zero();
  Vector6 weight = Vector6::Zero();
  Vector6 q, v;

  HandWritten() {
    q << -1, -1, 0.5, -2, 2, -1;
    v.setZero();
    const double m[4] = {1, 1.5, 1.5, 1};
    for (int k = 0; k < 2; ++k) {
      mass(k, k) = m[0] / 3 + m[1] / 3;
      mass(2 + k, 2 + k) = m[1] / 3 + m[2] / 3;
      mass(4 + k, 4 + k) = m[2] / 3 + m[3] / 3;
      mass(k, 2 + k) = mass(2 + k, k) = m[1] / 6;
      mass(2 + k, 4 + k) = mass(4 + k, 2 + k) = m[2] / 6;
    }
    weight(1) = -9.81 * (m[0] + m[1]) / 2;
    weight(3) = -9.81 * (m[1] + m[2]) / 2;
    weight(5) = -9.81 * (m[2] + m[3]) / 2;
  }

  Vector6 acceleration(const Vector6& x, const Vector6& u) const {
    Matrix6 M = mass;
    Vector6 Q = weight;
    auto spring = [&](int i, double l0) {
      const double l = std::sqrt(x(i) * x(i) + x(i + 1) * x(i + 1)), f = stiffness * (l - l0) / l;
      Q(i) -= f * x(i);
      Q(i + 1) -= f * x(i + 1);
    };
    spring(4, l01);
    spring(2, l02);
    auto ground_bar = [&](int i, double gx, double l2) {
      const double dx = x(i) - gx, dy = x(i + 1), vx = u(i), vy = u(i + 1);
      const double c =
          2 * (vx * vx + vy * vy) + 2 * xi * omega * 2 * (dx * vx + dy * vy) + omega * omega * (dx * dx + dy * dy - l2);
      const double j[2] = {2 * dx, 2 * dy};
      for (int a = 0; a < 2; ++a) {
        Q(i + a) -= alpha * j[a] * c;
        for (int b = 0; b < 2; ++b) M(i + a, i + b) += alpha * j[a] * j[b];
      }
    };
    auto bar = [&](int i, double l2) {
      const double dx = x(i + 2) - x(i), dy = x(i + 3) - x(i + 1), vx = u(i + 2) - u(i), vy = u(i + 3) - u(i + 1);
      const double c =
          2 * (vx * vx + vy * vy) + 2 * xi * omega * 2 * (dx * vx + dy * vy) + omega * omega * (dx * dx + dy * dy - l2);
      const double j[4] = {-2 * dx, -2 * dy, 2 * dx, 2 * dy};
      for (int a = 0; a < 4; ++a) {
        Q(i + a) -= alpha * j[a] * c;
        for (int b = 0; b < 4; ++b) M(i + a, i + b) += alpha * j[a] * j[b];
      }
    };
    ground_bar(0, 0, 2);
    bar(0, 3.25);
    bar(2, 3.25);
    ground_bar(4, 1, 2);
    return Eigen::LLT<Matrix6>(M).solve(Q);
  }

  void step(double h) {
    const Vector6 a1 = acceleration(q, v);
    const Vector6 v2 = v + h / 2 * a1, a2 = acceleration(q + h / 2 * v, v2);
    const Vector6 v3 = v + h / 2 * a2, a3 = acceleration(q + h / 2 * v2, v3);
    const Vector6 v4 = v + h * a3, a4 = acceleration(q + h * v3, v4);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
};

template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // as the executable does
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  using namespace perilune;
  FiveBar five_bar(formulation::Penalty{}, integrator::Rk4{1e-3}, 5);
  simulation::Problem plain = five_bar.problem;
  plain.objectives.clear();
  double engine = 1e9, engine_cost = 1e9, by_hand = 1e9, x_engine = 0, x_hand = 0;
  double methods[4] = {1e9, 1e9, 1e9, 1e9};
  for (int round = 0; round < 7; ++round) {
    engine = std::min(engine, seconds([&] {
                        const auto run = simulation::evaluate(plain, five_bar.lengths);
                        x_engine = run.solution.mesh.q_at(run.solution.mesh.size() - 1)[2];
                      }));
    engine_cost = std::min(engine_cost, seconds([&] { simulation::evaluate(five_bar.problem, five_bar.lengths); }));
    by_hand = std::min(by_hand, seconds([&] {
                         HandWritten program;
                         for (int k = 0; k < 5000; ++k) program.step(1e-3);
                         x_hand = program.q(2);
                       }));
    const sensitivity::Method all[4] = {sensitivity::DiscreteDirect{}, sensitivity::DiscreteAdjoint{},
                                        sensitivity::ContinuousDirect{}, sensitivity::ContinuousAdjoint{}};
    for (int k = 0; k < 4; ++k) {
      methods[k] =
          std::min(methods[k],
                   seconds([&] { sensitivity::gradient(five_bar.problem, five_bar.lengths, five_bar.over, all[k]); }));
    }
  }
  std::printf("five-bar, penalty form, RK4: engine / hand-written program  %.2f   (P2.x at 5 s: %.9f and %.9f)\n",
              engine / by_hand, x_engine, x_hand);
  std::printf(
      "in forward runs: discrete direct %.2f (2 parameters), discrete adjoint %.2f, continuous direct %.2f, "
      "continuous adjoint %.2f\n",
      methods[0] / engine_cost, methods[1] / engine_cost, methods[2] / engine_cost, methods[3] / engine_cost);
  return 0;
}
