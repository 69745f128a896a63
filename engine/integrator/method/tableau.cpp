// SPDX-License-Identifier: MIT
#include <cmath>

#include "integrator/method/runge_kutta.hpp"

namespace perilune::integrator {

namespace {

/// Rows of full length.
Tableau filled(Tableau tableau) {
  tableau.stages = static_cast<int>(tableau.b.size());
  for (auto& row : tableau.a) row.resize(tableau.b.size(), 0.0);
  return tableau;
}

}  // namespace

const Tableau& rk4_tableau() {
  static const Tableau tableau =
      filled({4, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}});
  return tableau;
}

const Tableau& dormand_prince_tableau() {
  static const Tableau tableau = [] {
    Tableau t;
    t.a = {{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
           {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    t.b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0};
    t.c = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    const double embedded[] = {5179.0 / 57600, 0,       7571.0 / 16695, 393.0 / 640, -92097.0 / 339200,
                               187.0 / 2100,   1.0 / 40};
    for (std::size_t i = 0; i < 7; ++i) t.error.push_back(t.b[i] - embedded[i]);
    t.error_order = 4;
    return filled(t);
  }();
  return tableau;
}

const Tableau& trapezoidal_tableau() {
  static const Tableau tableau = filled({2, {{}, {0.5, 0.5}}, {0.5, 0.5}, {0, 1}});
  return tableau;
}

const Tableau& sdirk4_tableau() {
  static const Tableau tableau = filled({5,
                                         {{1.0 / 4},
                                          {1.0 / 2, 1.0 / 4},
                                          {17.0 / 50, -1.0 / 25, 1.0 / 4},
                                          {371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4},
                                          {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}},
                                         {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4},
                                         {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1}});
  return tableau;
}

// The estimates of the Radau IIA methods compare with a quadrature that has the start as a further node, of weight
// gamma (Hairer and Wanner, IV.8).

const Tableau& radau3_tableau() {
  static const Tableau tableau = [] {
    Tableau t{2, {{5.0 / 12, -1.0 / 12}, {3.0 / 4, 1.0 / 4}}, {3.0 / 4, 1.0 / 4}, {1.0 / 3, 1}};
    const double gamma = 1 / std::sqrt(6.0);  // size of both eigenvalues of A
    t.error = {-1.5 * gamma, 0.5 * gamma};
    t.error_start = t.error_filter = gamma;
    t.error_order = 2;
    return t;
  }();
  return tableau;
}

const Tableau& radau5_tableau() {
  static const Tableau tableau = [] {
    const double r = std::sqrt(6.0);
    Tableau t{3,
              {{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
               {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
               {(16 - r) / 36, (16 + r) / 36, 1.0 / 9}},
              {(16 - r) / 36, (16 + r) / 36, 1.0 / 9},
              {(4 - r) / 10, (4 + r) / 10, 1}};
    // The real eigenvalue of A: that of its inverse solves x^3 - 9 x^2 + 36 x - 60 = 0.
    double x = 3.6;
    for (int k = 0; k < 20; ++k) x -= (((x - 9) * x + 36) * x - 60) / ((3 * x - 18) * x + 36);
    const double gamma = 1 / x;
    t.error = {-gamma * (13 + 7 * r) / 3, gamma * (-13 + 7 * r) / 3, -gamma / 3};
    // Those are weights of Y_i - y_0 = h A k.
    std::vector<double> slopes(3, 0.0);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) slopes[j] += t.error[i] * t.a[i][j];
    }
    t.error = slopes;
    t.error_start = t.error_filter = gamma;
    t.error_order = 3;
    return t;
  }();
  return tableau;
}

}  // namespace perilune::integrator
