// SPDX-License-Identifier: MIT
// Accelerations of points, bars and springs in the plane with their derivatives, as one writes them by hand for an
// integrator: the mass matrix, which is constant, is inverted once, and the multipliers of the bars' lengths are solved
// for at every point (index 1, with Baumgarte's terms).
#pragma once
#include <array>
#include <cmath>
#include <vector>

/// A coordinate of a place: the unknown with this index, or fixed.
struct Along {
  int index = -1;
  double fixed = 0;
};
struct Place {
  Along x, y;
};
struct Bar {
  Place a, b;
  double mass, length;
};
struct Spring {
  Place a, b;
  double stiffness, free_length;
};

/// N coordinates, C bars. Parameters of derivatives are stiffnesses, then free lengths, then masses of bars.
template <int N, int C>
class PointsAndBars {
 public:
  using Vector = std::array<double, N>;

  PointsAndBars(const std::array<Bar, C>& bars, std::vector<Spring> springs, const Vector& added_mass)
      : bars_(bars), springs_(std::move(springs)) {
    std::array<Vector, N> M{};
    for (int i = 0; i < N; ++i) M[i][i] = added_mass[i];
    for (const Bar& bar : bars_) {
      for (int axis = 0; axis < 2; ++axis) {
        const int a = axis == 0 ? bar.a.x.index : bar.a.y.index, b = axis == 0 ? bar.b.x.index : bar.b.y.index;
        if (a >= 0) M[a][a] += bar.mass / 3;
        if (b >= 0) M[b][b] += bar.mass / 3;
        if (a >= 0 && b >= 0) M[a][b] += bar.mass / 6, M[b][a] += bar.mass / 6;
        if (axis == 1 && a >= 0) weight_[a] -= gravity * bar.mass / 2;
        if (axis == 1 && b >= 0) weight_[b] -= gravity * bar.mass / 2;
      }
    }
    invert(M);
  }

  int parameters() const { return static_cast<int>(2 * springs_.size()) + C; }

  /// Accelerations at q with velocities v; what the derivatives need stays here.
  const Vector& accelerations(const double* q, const double* v) {
    Vector Q = weight_;
    for (const Spring& spring : springs_) {
      const auto [dx, dy] = difference(spring, q);
      const double s = spring.stiffness * (1 - spring.free_length / std::hypot(dx, dy));
      add(Q, spring, -s * dx, -s * dy);
    }
    for (int k = 0; k < C; ++k) {
      const Bar& bar = bars_[k];
      d_[k] = difference(bar, q);
      u_[k] = rates(bar, v);
      const auto [dx, dy] = d_[k];
      const auto [ux, uy] = u_[k];
      right_[k] = -2 * (ux * ux + uy * uy) - 4 * damping * (dx * ux + dy * uy) -
                  stabilizing * (dx * dx + dy * dy - bar.length * bar.length);
      W_[k] = Vector{};
      Vector J{};
      add(J, bar, 2 * dx, 2 * dy);
      multiply(J, W_[k]);
    }
    for (int k = 0; k < C; ++k) {
      for (int l = 0; l <= k; ++l) S_[k][l] = row_times(k, W_[l]);
    }
    factor();
    std::array<double, C> b;
    for (int k = 0; k < C; ++k) b[k] = dot(W_[k], Q) - right_[k];
    multipliers_ = solve(b);
    a_ = Vector{};
    multiply(Q, a_);
    subtract(a_, multipliers_);
    return a_;
  }

  /// w' times the derivatives of the last accelerations: by q and v added to `by_q` and `by_v`.
  void adjoint(const double* q, const double* w, double* by_q, double* by_v) {
    find_solution_of(w);
    for (int k = 0; k < C; ++k) {
      const Bar& bar = bars_[k];
      const auto [mx, my] = rates(bar, mu_.data());
      const auto [ax, ay] = rates(bar, a_.data());
      const auto [dx, dy] = d_[k];
      const auto [ux, uy] = u_[k];
      const double l = 2 * multipliers_[k], n = 2 * nu_[k];
      add(by_q, bar, -l * mx - n * (ax + 2 * damping * ux + stabilizing * dx),
          -l * my - n * (ay + 2 * damping * uy + stabilizing * dy));
      add(by_v, bar, -2 * n * (ux + damping * dx), -2 * n * (uy + damping * dy));
    }
    for (const Spring& spring : springs_) {
      const auto [dx, dy] = difference(spring, q);
      const auto [mx, my] = rates(spring, mu_.data());
      const double length = std::hypot(dx, dy), s = spring.stiffness * (1 - spring.free_length / length);
      const double t = spring.stiffness * spring.free_length / (length * length * length) * (dx * mx + dy * my);
      add(by_q, spring, -s * mx - t * dx, -s * my - t * dy);
    }
  }

  /// And by the first `count` parameters, set.
  void adjoint_of_parameters(const double* q, const double* w, int count, double* by_p) {
    find_solution_of(w);
    const int springs = static_cast<int>(springs_.size());
    for (int k = 0; k < springs; ++k) {
      const auto [dx, dy] = difference(springs_[k], q);
      const auto [mx, my] = rates(springs_[k], mu_.data());
      const double along = dx * mx + dy * my, length = std::hypot(dx, dy);
      if (k < count) by_p[k] = -(1 - springs_[k].free_length / length) * along;
      if (springs + k < count) by_p[springs + k] = springs_[k].stiffness / length * along;
    }
    for (int k = 2 * springs; k < count; ++k) {
      const Bar& bar = bars_[k - 2 * springs];
      const auto [max, may] = at(bar.a, mu_.data());
      const auto [mbx, mby] = at(bar.b, mu_.data());
      const auto [aax, aay] = at(bar.a, a_.data());
      const auto [abx, aby] = at(bar.b, a_.data());
      by_p[k] = -gravity / 2 * (may + mby) - (max * aax + may * aay + mbx * abx + mby * aby) / 3 -
                (max * abx + may * aby + mbx * aax + mby * aay) / 6;
    }
  }

  /// The last accelerations' derivative along (dq, dv) and one parameter, or none if it is negative.
  Vector tangent(const double* q, const double* dq, const double* dv, int parameter) {
    Vector r{};
    std::array<double, C> b;
    const int springs = static_cast<int>(springs_.size());
    for (int k = 0; k < springs; ++k) {
      const Spring& spring = springs_[k];
      const auto [dx, dy] = difference(spring, q);
      const auto [ex, ey] = rates(spring, dq);
      const double length = std::hypot(dx, dy), stretch = 1 - spring.free_length / length;
      double t = spring.stiffness * spring.free_length / (length * length * length) * (dx * ex + dy * ey);
      if (parameter == k) t += stretch;
      if (parameter == springs + k) t -= spring.stiffness / length;
      const double s = spring.stiffness * stretch;
      add(r, spring, -s * ex - t * dx, -s * ey - t * dy);
    }
    for (int k = 0; k < C; ++k) {
      const Bar& bar = bars_[k];
      const auto [ex, ey] = rates(bar, dq);
      const auto [fx, fy] = rates(bar, dv);
      const auto [ax, ay] = rates(bar, a_.data());
      const auto [dx, dy] = d_[k];
      const auto [ux, uy] = u_[k];
      add(r, bar, -2 * multipliers_[k] * ex, -2 * multipliers_[k] * ey);
      b[k] = 2 * (ex * (ax + 2 * damping * ux + stabilizing * dx) + ey * (ay + 2 * damping * uy + stabilizing * dy) +
                  2 * fx * (ux + damping * dx) + 2 * fy * (uy + damping * dy));
    }
    if (parameter >= 2 * springs) {
      const Bar& bar = bars_[parameter - 2 * springs];
      const auto [aax, aay] = at(bar.a, a_.data());
      const auto [abx, aby] = at(bar.b, a_.data());
      add_at(r.data(), bar.a, -aax / 3 - abx / 6, -aay / 3 - aby / 6 - gravity / 2);
      add_at(r.data(), bar.b, -abx / 3 - aax / 6, -aby / 3 - aay / 6 - gravity / 2);
    }
    for (int k = 0; k < C; ++k) b[k] += dot(W_[k], r);
    Vector da{};
    multiply(r, da);
    subtract(da, solve(b));
    return da;
  }

 private:
  using Pair = std::array<double, 2>;
  static constexpr double gravity = 9.81;
  static constexpr double damping = 10, stabilizing = 100;  // Baumgarte's alpha (1/s) and beta^2 (1/s^2)

  static double value(const Along& along, const double* q) { return along.index < 0 ? along.fixed : q[along.index]; }
  static double rate(const Along& along, const double* v) { return along.index < 0 ? 0 : v[along.index]; }
  static Pair at(const Place& place, const double* v) { return {rate(place.x, v), rate(place.y, v)}; }
  template <class Link>
  static Pair difference(const Link& link, const double* q) {
    return {value(link.a.x, q) - value(link.b.x, q), value(link.a.y, q) - value(link.b.y, q)};
  }
  template <class Link>
  static Pair rates(const Link& link, const double* v) {
    return {rate(link.a.x, v) - rate(link.b.x, v), rate(link.a.y, v) - rate(link.b.y, v)};
  }
  static void add_at(double* to, const Place& place, double x, double y) {
    if (place.x.index >= 0) to[place.x.index] += x;
    if (place.y.index >= 0) to[place.y.index] += y;
  }
  template <class Link>
  static void add(double* to, const Link& link, double x, double y) {
    add_at(to, link.a, x, y);
    add_at(to, link.b, -x, -y);
  }
  template <class Link>
  static void add(Vector& to, const Link& link, double x, double y) {
    add(to.data(), link, x, y);
  }
  static double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (int i = 0; i < N; ++i) sum += a[i] * b[i];
    return sum;
  }
  void multiply(const Vector& by, Vector& sum) const {
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) sum[i] += inverse_[j][i] * by[j];
    }
  }
  void subtract(Vector& from, const std::array<double, C>& times) const {
    for (int k = 0; k < C; ++k) {
      for (int i = 0; i < N; ++i) from[i] -= W_[k][i] * times[k];
    }
  }
  double row_times(int k, const Vector& x) const {
    const auto [ex, ey] = rates(bars_[k], x.data());
    return 2 * (d_[k][0] * ex + d_[k][1] * ey);
  }

  /// The same equations, which are symmetric, with w on the right.
  void find_solution_of(const double* w) {
    Vector right;
    std::copy(w, w + N, right.begin());
    std::array<double, C> b;
    for (int k = 0; k < C; ++k) b[k] = dot(W_[k], right);
    nu_ = solve(b);
    mu_ = Vector{};
    multiply(right, mu_);
    subtract(mu_, nu_);
  }

  /// Cholesky's factor takes the place of the lower triangle.
  void factor() {
    for (int j = 0; j < C; ++j) {
      for (int i = j; i < C; ++i) {
        double sum = S_[i][j];
        for (int k = 0; k < j; ++k) sum -= S_[i][k] * S_[j][k];
        S_[i][j] = i == j ? 1 / std::sqrt(sum) : sum * S_[j][j];
      }
    }
  }
  std::array<double, C> solve(std::array<double, C> x) const {
    for (int i = 0; i < C; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= S_[i][k] * x[k];
      x[i] *= S_[i][i];
    }
    for (int i = C - 1; i >= 0; --i) {
      for (int k = i + 1; k < C; ++k) x[i] -= S_[k][i] * x[k];
      x[i] *= S_[i][i];
    }
    return x;
  }

  /// By Gauss and Jordan; the matrix is positive definite.
  void invert(std::array<Vector, N> M) {
    for (int i = 0; i < N; ++i) inverse_[i][i] = 1;
    for (int k = 0; k < N; ++k) {
      const double scale = 1 / M[k][k];
      for (int j = 0; j < N; ++j) M[k][j] *= scale, inverse_[k][j] *= scale;
      for (int i = 0; i < N; ++i) {
        const double factor = M[i][k];
        if (i == k) continue;
        for (int j = 0; j < N; ++j) M[i][j] -= factor * M[k][j], inverse_[i][j] -= factor * inverse_[k][j];
      }
    }
  }

  std::array<Bar, C> bars_;
  std::vector<Spring> springs_;
  Vector weight_{}, a_{}, mu_{};
  std::array<Vector, N> inverse_{};
  std::array<Vector, C> W_{};  // the inverse times each bar's row
  std::array<std::array<double, C>, C> S_{};
  std::array<Pair, C> d_{}, u_{};
  std::array<double, C> right_{}, multipliers_{}, nu_{};
};
