// SPDX-License-Identifier: MIT
// Student's t and chi-square against printed tables and closed forms; whiteness of residuals.
#include <random>

#include "error.hpp"
#include "least_squares_problems.hpp"
#include "optimize/fit/distributions.hpp"
#include "optimize/fit/whiteness.hpp"

using namespace least_squares_test;

TEST_CASE("Student's t agrees with printed tables", "[fit_statistics]") {
  // M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, table 26.10, and NIST/SEMATECH
  // e-Handbook 1.3.6.7.2
  CHECK(student_t_half_width(0.95, 10) == Approx(2.228139).margin(5e-7));
  CHECK(student_t_half_width(0.95, 1) == Approx(12.70620).margin(5e-6));
  CHECK(student_t_half_width(0.90, 5) == Approx(2.015048).margin(5e-7));
  CHECK(student_t_half_width(0.99, 30) == Approx(2.749996).margin(5e-7));
  CHECK(student_t_half_width(0.999, 3) == Approx(12.924).margin(5e-4));
  CHECK(student_t_half_width(0.95, 120) == Approx(1.979930).margin(5e-7));
}

TEST_CASE("Student's t agrees with closed forms", "[fit_statistics]") {
  const double pi = std::acos(-1.0);
  for (const double confidence : {1e-6, 0.1, 0.5, 0.6827, 0.95, 0.999999}) {
    INFO(confidence);
    CHECK(student_t_half_width(confidence, 1) == Approx(std::tan(0.5 * pi * confidence)).epsilon(1e-10));
    const double two = confidence * std::sqrt(2 / (1 - confidence * confidence));
    CHECK(student_t_half_width(confidence, 2) == Approx(two).epsilon(1e-10));
  }
  for (const double t : {0.01, 0.7, 2.0, 30.0}) {
    // P(|T| <= t) for three and four degrees of freedom.
    const double angle = std::atan(t / std::sqrt(3.0));
    CHECK(1 - student_t_tail(t, 3) == Approx(2 / pi * (angle + std::sin(angle) * std::cos(angle))).epsilon(1e-12));
    const double sine = t / std::sqrt(4 + t * t);
    CHECK(1 - student_t_tail(t, 4) == Approx(sine * (1.5 - 0.5 * sine * sine)).epsilon(1e-12));
    CHECK(student_t_tail(-t, 4) == student_t_tail(t, 4));
  }
  // Fisher's expansion about the normal quantile z, whose next term is of the order 1 / dof^3.
  const double z = 1.959963984540054;
  for (const double dof : {150.0, 250.0, 9999.0, 10001.0, 1e6, 1e9}) {
    const double first = (z * z * z + z) / 4, second = (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / 96;
    CHECK(student_t_half_width(0.95, dof) ==
          Approx(z + first / dof + second / dof / dof).epsilon(3 / std::pow(dof, 3) + 1e-12));
  }
}

TEST_CASE("Student's t with a broken number of degrees of freedom is its integral", "[fit_statistics]") {
  const double dof = 2.5;
  const double front = std::tgamma(0.5 * (dof + 1)) / std::sqrt(dof * std::acos(-1.0)) / std::tgamma(0.5 * dof);
  const auto density = [&](double t) { return front * std::pow(1 + t * t / dof, -0.5 * (dof + 1)); };
  for (const double t : {0.5, 1.5, 4.0}) {
    const int steps = 2000;  // of Simpson's rule
    double sum = density(0) + density(t);
    for (int k = 1; k < steps; ++k) sum += (k % 2 ? 4 : 2) * density(k * t / steps);
    CHECK(1 - student_t_tail(t, dof) == Approx(2 * sum * t / steps / 3).epsilon(1e-10));
  }
}

TEST_CASE("Chi-square agrees with printed tables and closed forms", "[fit_statistics]") {
  CHECK(chi_square_tail(3.841458821, 1) == Approx(0.05).epsilon(1e-8));
  CHECK(chi_square_tail(18.307038, 10) == Approx(0.05).epsilon(1e-7));
  CHECK(chi_square_tail(23.209251, 10) == Approx(0.01).epsilon(1e-6));
  CHECK(chi_square_tail(2.558212, 10) == Approx(0.99).epsilon(1e-7));
  for (const double x : {1e-3, 0.5, 3.0, 9.0, 60.0, 400.0}) {
    const double y = 0.5 * x, root = std::sqrt(y);
    INFO(x);
    CHECK(chi_square_tail(x, 1) == Approx(std::erfc(root)).epsilon(1e-11));
    CHECK(chi_square_tail(x, 2) == Approx(std::exp(-y)).epsilon(1e-11));
    CHECK(chi_square_tail(x, 3) ==
          Approx(std::erfc(root) + 2 * root / std::sqrt(std::acos(-1.0)) * std::exp(-y)).epsilon(1e-11));
    CHECK(chi_square_tail(x, 6) == Approx(std::exp(-y) * (1 + y + y * y / 2)).epsilon(1e-11));
  }
  CHECK(chi_square_tail(0, 3) == 1);
}

TEST_CASE("Distributions refuse what makes no sense", "[fit_statistics]") {
  CHECK_THROWS_WITH(student_t_half_width(1, 5), Contains("between 0 and 1"));
  CHECK_THROWS_WITH(student_t_half_width(95, 5), Contains("between 0 and 1"));
  CHECK_THROWS_WITH(student_t_tail(1, 0), Contains("degrees of freedom"));
  CHECK_THROWS_WITH(chi_square_tail(1, -1), Contains("degrees of freedom"));
}

namespace {

// Noise with a correlation of rho from one sample to the next.
VectorXd correlated_noise(std::mt19937& random, Index n, double rho) {
  std::normal_distribution<double> normal;
  VectorXd noise(n);
  for (Index i = 0; i < n; ++i)
    noise[i] = (i > 0 ? rho * noise[i - 1] : 0) + std::sqrt(i > 0 ? 1 - rho * rho : 1) * normal(random);
  return noise;
}

}  // namespace

TEST_CASE("Whiteness of residuals counted by hand", "[fit_statistics]") {
  const Whiteness found = whiteness("swing", vec({1, -1, 1, -1, 1}));
  CHECK(found.autocorrelation == Approx(-0.8));
  CHECK(found.lags == 1);
  CHECK(found.statistic == Approx(5 * 7 * 0.64 / 4));
  CHECK(found.p_value == Approx(std::erfc(std::sqrt(5.6 / 2))));
  CHECK(whiteness("short", vec({1, 2, 1})).lags == 0);
  CHECK(whiteness("exact", all(50, 0)).warning.empty());
  // An offset is no white noise, either.
  CHECK_THAT(whiteness("offset", all(50, 1e-200)).warning, Contains("\"offset\" are not white"));
}

TEST_CASE("White noise passes, correlated noise is told", "[fit_statistics]") {
  std::mt19937 random(3);
  const int runs = 1000;
  int false_alarms = 0, missed = 0;
  double mean = 0;
  for (int run = 0; run < runs; ++run) {
    false_alarms += !whiteness("white", correlated_noise(random, 300, 0)).warning.empty();
    const Whiteness red = whiteness("red", correlated_noise(random, 300, 0.5));
    missed += red.warning.empty();
    mean += red.autocorrelation / runs;
    CHECK(std::abs(red.autocorrelation - 0.5) < 0.3);
  }
  // One in a hundred is the level of the test; ten expected, with a standard deviation of three.
  CHECK(false_alarms > 0);
  CHECK(false_alarms < 25);
  CHECK(missed == 0);
  CHECK(mean == Approx(0.5).margin(0.02));
  const Whiteness slow = whiteness("slow", correlated_noise(random, 5000, 0.8));
  CHECK_THAT(slow.warning, Contains("too small by a factor of about 3"));  // the root of 1.8 / 0.2
}

TEST_CASE("Series are tested one by one", "[fit_statistics]") {
  std::mt19937 random(5);
  VectorXd both(500);
  both << correlated_noise(random, 200, 0), correlated_noise(random, 300, 0.9);
  const auto found = whiteness({{"angle", 200}, {"force", 300}}, both);
  REQUIRE(found.size() == 2);
  CHECK(found[0].warning.empty());
  CHECK_THAT(found[1].warning, Contains("\"force\""));
  CHECK_THROWS_WITH(whiteness({{"angle", 200}}, both), Contains("200 residuals together, but the fit has 500"));
}
