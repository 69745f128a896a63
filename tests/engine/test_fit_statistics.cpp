// SPDX-License-Identifier: MIT
// Standard errors, intervals and identifiability of fits: certified, by closed forms, and by repeated experiments.
#include "optimize/fit/fit_statistics.hpp"

#include <random>

#include "error.hpp"
#include "least_squares_problems.hpp"
#include "nist_regressions.hpp"

using namespace least_squares_test;

namespace {

Fit fit_of(const LeastSquaresProblem& problem, const std::vector<std::string>& names) {
  const LeastSquaresResult result = least_squares(problem);
  INFO(result.message);
  CHECK(converged(result));
  Fit fit;
  fit.x = result.x;
  fit.lower = problem.lower;
  fit.upper = problem.upper;
  fit.names = names;
  fit.residuals = result.residuals;
  fit.jacobian = result.jacobian;
  fit.loss = problem.loss;
  return fit;
}

Fit fit_of(const VectorXd& start, const Residuals& residuals, const std::vector<std::string>& names) {
  return fit_of({start, all(start.size(), -infinity), all(start.size(), infinity), residuals}, names);
}

// Residuals of the model(x, t) at times t = 0.1, 0.2, ..., with a Jacobian by central differences of analytic models.
using Model = std::function<double(const VectorXd& x, double t)>;
Residuals sampled(const Model& model, Index count, const VectorXd& truth, double noise) {
  return [=](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r.resize(count);
    if (jacobian) jacobian->resize(count, x.size());
    for (Index i = 0; i < count; ++i) {
      const double t = 0.1 * static_cast<double>(i + 1);
      // A scatter that is nearly orthogonal to smooth changes of the model.
      r[i] = model(x, t) - model(truth, t) + (i % 2 ? noise : -noise);
      if (!jacobian) continue;
      for (Index k = 0; k < x.size(); ++k) {
        const double h = 1e-5 * std::max(std::abs(x[k]), 1e-3);
        VectorXd up = x, down = x;
        up[k] += h;
        down[k] -= h;
        (*jacobian)(i, k) = (model(up, t) - model(down, t)) / (2 * h);
      }
    }
  };
}

}  // namespace

TEST_CASE("Certified standard deviations of nonlinear regressions", "[fit_statistics]") {
  for (const Regression& regression : nist_regressions()) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < regression.parameters.size(); ++k) names.push_back("b" + std::to_string(k + 1));
    const FitStatistics statistics = fit_statistics(fit_of(problem_of(regression, 1), names));
    INFO(regression.name);
    CHECK(statistics.degrees_of_freedom == static_cast<int>(regression.y.size() - names.size()));
    CHECK(statistics.deviation == Approx(regression.residual_deviation).epsilon(1e-9));
    for (std::size_t k = 0; k < names.size(); ++k) {
      INFO(names[k]);
      CHECK(statistics.standard_errors[static_cast<Index>(k)] == Approx(regression.deviations[k]).epsilon(1e-6));
      CHECK(statistics.determined[k] == Determined::ByData);
    }
    CHECK(statistics.directions.lost.empty());
  }
}

TEST_CASE("A straight line has the errors of the textbook", "[fit_statistics]") {
  const std::vector<double> t{1, 2, 4, 5, 7, 8, 11}, y{2.1, 3.9, 8.2, 9.7, 14.3, 15.8, 22.1};
  MatrixXd a(7, 2);
  for (Index i = 0; i < 7; ++i) a.row(i) << 1, t[static_cast<std::size_t>(i)];
  const FitStatistics statistics =
      fit_statistics(fit_of(vec({1, 1}), linear(a, Eigen::Map<const VectorXd>(y.data(), 7)), {"offset", "slope"}));
  double mean_t = 0, mean_y = 0, tt = 0, ty = 0, squares = 0;
  for (std::size_t i = 0; i < 7; ++i) mean_t += t[i] / 7, mean_y += y[i] / 7;
  for (std::size_t i = 0; i < 7; ++i) tt += std::pow(t[i] - mean_t, 2), ty += (t[i] - mean_t) * (y[i] - mean_y);
  const double slope = ty / tt, offset = mean_y - slope * mean_t;
  for (std::size_t i = 0; i < 7; ++i) squares += std::pow(offset + slope * t[i] - y[i], 2);
  const double s = std::sqrt(squares / 5);
  CHECK(statistics.degrees_of_freedom == 5);
  CHECK(statistics.deviation == Approx(s).epsilon(1e-12));
  CHECK(statistics.standard_errors[1] == Approx(s / std::sqrt(tt)).epsilon(1e-10));
  CHECK(statistics.standard_errors[0] == Approx(s * std::sqrt(1.0 / 7 + mean_t * mean_t / tt)).epsilon(1e-10));
  CHECK(statistics.covariance(0, 1) == Approx(-s * s * mean_t / tt).epsilon(1e-10));
  CHECK(statistics.correlation(0, 1) ==
        Approx(-mean_t / std::sqrt(tt * (1.0 / 7 + mean_t * mean_t / tt))).epsilon(1e-10));
  CHECK(statistics.half_width == Approx(2.570582).margin(5e-7));  // t(0.975, 5), printed
  CHECK(statistics.lowest[1] == Approx(slope - 2.570582 * s / std::sqrt(tt)).epsilon(1e-6));
  CHECK(statistics.highest[1] == Approx(slope + 2.570582 * s / std::sqrt(tt)).epsilon(1e-6));
  CHECK(statistics.correlation(0, 0) == 1);
}

TEST_CASE("Variables at bounds and fixed ones stay out of the covariance", "[fit_statistics]") {
  const Model model = [](const VectorXd& x, double t) { return x[0] + x[1] * t + x[2] * t * t + x[3] * t * t * t; };
  const Residuals residuals = sampled(model, 20, vec({1, -2, 0.5, 0.25}), 0.1);
  LeastSquaresProblem problem{vec({0, 0, 1, 0.25}), vec({-10, -1.5, -10, 0.25}), vec({10, 10, 10, 0.25}), residuals};
  Fit fit = fit_of(problem, {"a", "b", "c", "d"});
  REQUIRE(fit.x[1] == -1.5);
  // Optimality by hand: the residuals fall toward the bound, and not along a and c.
  const VectorXd gradient = fit.jacobian.transpose() * fit.residuals;
  CHECK(gradient[1] > 1e-3);
  CHECK(std::abs(gradient[0]) < 1e-7);
  CHECK(std::abs(gradient[2]) < 1e-7);
  const FitStatistics statistics = fit_statistics(fit);
  CHECK(statistics.determined ==
        std::vector<Determined>{Determined::ByData, Determined::AtLowerBound, Determined::ByData, Determined::Fixed});
  CHECK(statistics.degrees_of_freedom == 18);
  // The errors of a and c are those of a fit that has only these.
  MatrixXd both(20, 2);
  both << fit.jacobian.col(0), fit.jacobian.col(2);
  const MatrixXd inverse = (both.transpose() * both).inverse() * fit.residuals.squaredNorm() / 18;
  CHECK(statistics.standard_errors[0] == Approx(std::sqrt(inverse(0, 0))).epsilon(1e-9));
  CHECK(statistics.covariance(0, 2) == Approx(inverse(0, 1)).epsilon(1e-9));
  CHECK(std::isnan(statistics.standard_errors[1]));
  CHECK(std::isnan(statistics.correlation(0, 1)));
  CHECK(statistics.standard_errors[3] == 0);
  CHECK(statistics.correlation(0, 3) == 0);
  REQUIRE(!statistics.warnings.empty());
  CHECK_THAT(statistics.warnings[0], Contains("b is at its lower bound -1.5"));
}

TEST_CASE("A pair that the data cannot tell apart is named", "[fit_statistics]") {
  // A free swing shows stiffness over mass and damping over mass, never the mass itself.
  const Model swing = [](const VectorXd& x, double t) {
    const double decay = x[2] / (2 * x[0]), frequency = std::sqrt(x[1] / x[0] - decay * decay);
    return std::exp(-decay * t) * std::cos(frequency * t);
  };
  const VectorXd truth = vec({2, 50, 0.8});
  const std::vector<std::string> names{"mass", "stiffness", "damping"};
  const FitStatistics statistics = fit_statistics(fit_of(vec({2.1, 49, 1}), sampled(swing, 60, truth, 0.01), names));
  REQUIRE(statistics.directions.lost.size() == 1);
  CHECK(statistics.directions.lost[0].text == "1 * mass + 1 * stiffness + 1 * damping");
  CHECK(statistics.degrees_of_freedom == 58);
  for (Index i = 0; i < 3; ++i) CHECK(std::isinf(statistics.standard_errors[i]));
  CHECK_THAT(statistics.warnings[0], Contains("raising mass by 1 % and raising stiffness by 1 %"));

  // Once the mass is fixed the rest is told, with the errors of the two-variable fit.
  LeastSquaresProblem fixed{vec({2, 49, 1}), vec({2, 0, 0}), vec({2, 100, 10}), sampled(swing, 60, truth, 0.01)};
  const Fit fit = fit_of(fixed, names);
  const FitStatistics told = fit_statistics(fit);
  CHECK(told.directions.lost.empty());
  const MatrixXd both = fit.jacobian.rightCols(2);
  const MatrixXd inverse = (both.transpose() * both).inverse() * fit.residuals.squaredNorm() / 58;
  CHECK(told.standard_errors[1] == Approx(std::sqrt(inverse(0, 0))).epsilon(1e-6));
  CHECK(told.standard_errors[2] == Approx(std::sqrt(inverse(1, 1))).epsilon(1e-6));
  CHECK(told.warnings.empty());
}

TEST_CASE("Several lost combinations are told one by one, and spare the others", "[fit_statistics]") {
  // p q and u / v^2 are seen, and w by itself; of z there is nothing.
  const Model model = [](const VectorXd& x, double t) {
    return x[0] * x[1] * std::sin(t) + x[2] / (x[3] * x[3]) * std::cos(2 * t) + x[4] * t;
  };
  const VectorXd truth = vec({3, 1000, 5e-3, 0.2, 7, 1});
  const Fit fit = fit_of(truth, sampled(model, 40, truth, 0.3), {"p", "q", "u", "v", "w", "z"});
  const FitStatistics statistics = fit_statistics(fit);
  std::vector<std::string> texts;
  for (const Combination& lost : statistics.directions.lost) texts.push_back(lost.text);
  std::sort(texts.begin(), texts.end());
  CHECK(texts == std::vector<std::string>{"1 * p - 1 * q", "1 * u + 0.5 * v", "1 * z"});
  CHECK(statistics.degrees_of_freedom == 37);
  CHECK(std::isinf(statistics.standard_errors[0]));
  CHECK(std::isinf(statistics.standard_errors[5]));
  MatrixXd seen(40, 3);  // one variable of each pair will do
  seen << fit.jacobian.col(0), fit.jacobian.col(2), fit.jacobian.col(4);
  const MatrixXd inverse = (seen.transpose() * seen).inverse() * fit.residuals.squaredNorm() / 37;
  CHECK(statistics.determined[4] == Determined::ByData);
  CHECK(statistics.standard_errors[4] == Approx(std::sqrt(inverse(2, 2))).epsilon(1e-6));
}

TEST_CASE("Equal singular values do not mix what is lost", "[fit_statistics]") {
  // Each of three columns comes twice, once with another factor, in the noise of a simulation, whose singular vectors
  // mix the three pairs.
  std::mt19937 random(41);
  std::normal_distribution<double> normal;
  const MatrixXd seen = MatrixXd::NullaryExpr(12, 3, [&] { return normal(random); });
  MatrixXd jacobian(12, 6);
  jacobian << seen, 3 * seen.col(0), -0.7 * seen.col(1), 1.1 * seen.col(2);
  jacobian += 1e-9 * MatrixXd::NullaryExpr(12, 6, [&] { return normal(random); });
  const Identifiability found = identify(jacobian, all(6, 1), {"a", "b", "c", "d", "e", "f"}, 0.1);
  std::vector<std::string> texts;
  for (const Combination& lost : found.lost) texts.push_back(lost.text);
  std::sort(texts.begin(), texts.end());
  CHECK(texts == std::vector<std::string>{"0.7 * b + 1 * e", "1 * a - 0.333 * d", "1 * c - 0.909 * f"});
  CHECK(found.weak.empty());
}

TEST_CASE("Combinations that are told worse than their size are warned of", "[fit_statistics]") {
  // Two decays so close that their parts cannot be told in this scatter, but their sum can.
  const Model model = [](const VectorXd& x, double t) {
    return x[0] * std::exp(-t) + x[1] * std::exp(-1.001 * t) + x[2] * t;
  };
  const VectorXd truth = vec({2, 2, 3});
  const Fit fit = fit_of(truth, sampled(model, 30, truth, 0.05), {"first", "second", "drift"});
  const FitStatistics statistics = fit_statistics(fit);
  CHECK(statistics.directions.lost.empty());
  REQUIRE(statistics.directions.weak.size() == 1);
  const Combination& weak = statistics.directions.weak[0];
  CHECK(weak.reach > 1);
  // It makes nearly all of the variance of both parts.
  CHECK(weak.reach == Approx(statistics.standard_errors.cwiseQuotient(fit.x.cwiseAbs()).maxCoeff()).epsilon(0.02));
  CHECK_THAT(weak.text, Contains("* first - "));
  CHECK(statistics.warnings.size() == 1);
  CHECK_THAT(statistics.warnings[0], Contains("hardly tell"));
}

TEST_CASE("Confidence intervals hold the truth as often as they say", "[fit_statistics]") {
  std::mt19937 random(17);
  std::normal_distribution<double> normal;
  const Index m = 9;
  MatrixXd a(m, 3);
  for (Index i = 0; i < m; ++i) a.row(i) << 1, 0.5 * static_cast<double>(i), std::sin(static_cast<double>(i));
  const VectorXd truth = vec({4, -2, 1});
  const int runs = 4000;
  VectorXd inside = all(3, 0);
  for (int run = 0; run < runs; ++run) {
    const VectorXd noise = VectorXd::NullaryExpr(m, [&] { return 0.3 * normal(random); });
    const FitStatistics statistics =
        fit_statistics(fit_of(vec({1, 1, 1}), linear(a, a * truth + noise), {"a", "b", "c"}));
    for (Index k = 0; k < 3; ++k) inside[k] += truth[k] >= statistics.lowest[k] && truth[k] <= statistics.highest[k];
  }
  // The standard deviation of the share is 0.34 %. Normal instead of Student's quantiles would hold it in 90 %.
  for (Index k = 0; k < 3; ++k) CHECK(inside[k] / runs == Approx(0.95).margin(0.012));
}

TEST_CASE("Errors of a robust fit", "[fit_statistics]") {
  // A constant with Huber's loss at 1.345 standard deviations: for normal noise its variance is 1 / 0.95 of that of the
  // mean, the figure that the constant is chosen for (P. J. Huber, 1964).
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  const Index m = 200;
  const int runs = 600;
  for (const double share : {0.0, 0.1}) {  // of wild values
    double inside = 0, mean_variance = 0;
    for (int run = 0; run < runs; ++run) {
      const VectorXd values =
          VectorXd::NullaryExpr(m, [&] { return 5 + (uniform(random) < share ? 10 : 1) * normal(random); });
      LeastSquaresProblem problem{vec({4}), vec({0}), vec({10}), linear(MatrixXd::Ones(m, 1), values)};
      problem.loss = {RobustLoss::Kind::Huber, 1.345};
      const FitStatistics statistics = fit_statistics(fit_of(problem, {"level"}));
      inside += statistics.lowest[0] <= 5 && statistics.highest[0] >= 5;
      mean_variance += statistics.covariance(0, 0) / runs;
    }
    CHECK(inside / runs == Approx(0.95).margin(0.027));  // three standard deviations of the share
    if (share == 0) CHECK(mean_variance * static_cast<double>(m) == Approx(1 / 0.95).epsilon(0.02));
  }
}

TEST_CASE("Errors of a robust fit with few residuals per variable", "[fit_statistics]") {
  // Six levels of four values each, orthogonal, so that their errors are alike and can be pooled.
  std::mt19937 random(37);
  std::normal_distribution<double> normal;
  MatrixXd a = MatrixXd::Zero(24, 6);
  for (Index i = 0; i < 24; ++i) a(i, i / 4) = 1;
  double seen = 0, told = 0;
  const int runs = 1500;
  for (int run = 0; run < runs; ++run) {
    const VectorXd values = VectorXd::NullaryExpr(24, [&] { return normal(random); });
    LeastSquaresProblem problem{all(6, 0.1), all(6, -10), all(6, 10), linear(a, values)};
    problem.loss = {RobustLoss::Kind::Huber, 1.345};
    const Fit fit = fit_of(problem, {"a", "b", "c", "d", "e", "f"});
    seen += fit.x.squaredNorm();
    told += fit_statistics(fit).covariance.trace();
  }
  CHECK(told / seen == Approx(1).epsilon(0.05));  // 1.5 % is the standard deviation of the count
}

TEST_CASE("Fits without degrees of freedom, and what is refused", "[fit_statistics]") {
  Fit fit = fit_of(vec({0, 0}), linear(vec({1, 2}).asDiagonal().toDenseMatrix(), vec({1, 1})), {"a", "b"});
  const FitStatistics statistics = fit_statistics(fit);
  CHECK(statistics.degrees_of_freedom == 0);
  CHECK(std::isnan(statistics.standard_errors[0]));
  CHECK_THAT(statistics.warnings[0], Contains("as many variables as residuals"));
  const auto refused = [](const Fit& bad, const std::string& part) {
    CHECK_THROWS_WITH(fit_statistics(bad), Contains(part));
    CHECK_THROWS_AS(fit_statistics(bad), perilune::Error);
  };
  Fit bad = fit;
  bad.names = {"a"};
  refused(bad, "1 names");
  bad = fit;
  bad.jacobian = MatrixXd::Ones(3, 2);
  refused(bad, "3 rows");
  bad = fit;
  bad.residuals = vec({1});
  bad.jacobian = MatrixXd::Ones(1, 2);
  refused(bad, "2 free variables but only 1 residuals");
  bad = fit;
  bad.residuals[0] = not_a_number;
  refused(bad, "not finite");
  bad = fit;
  bad.series = {{"angle", 3}};
  refused(bad, "3 residuals together");
}
