// SPDX-License-Identifier: MIT
#include "studies/fit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "error.hpp"
#include "fingerprint.hpp"
#include "format/text.hpp"
#include "linalg/decompositions.hpp"
#include "ranks/each.hpp"
#include "sensitivity/discretization_error.hpp"
#include "sensitivity/samples.hpp"

namespace perilune::lua {

namespace {

using Eigen::Index;

/// What an experiment adds: by its own rows, in the order of ExperimentRows::rows().
struct FitPart {
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;  // empty without derivatives
  std::vector<std::string> warnings;

  template <class Archive>
  friend void archive_fields(Archive& archive, FitPart& part) {
    archive(part.residuals, part.jacobian, part.warnings);
  }
};

/// One experiment's rows of the residuals.
class ExperimentRows {
 public:
  ExperimentRows(const FitProblem& problem, std::size_t experiment) : problem_(problem), number_(experiment) {
    Index row = 0;
    for (const FitSeries& series : problem.series) {
      const auto length = static_cast<Index>(series.t.size());
      if (series.experiment == experiment) {
        for (Index k = 0; k < length; ++k) places_.push_back({&series, static_cast<std::size_t>(k), row + k});
      }
      row += length;
    }
  }

  /// Where they stand among those of all experiments.
  std::vector<Index> rows() const {
    std::vector<Index> out;
    for (const Place& place : places_) out.push_back(place.row);
    return out;
  }

  /// Of the model's parameters rho.
  FitPart evaluate(const std::vector<double>& rho, bool with_jacobian) {
    const NamedRun& experiment = problem_.experiments[number_];
    const std::vector<double> own = experiment.parameters(rho);
    const std::vector<int> by = experiment.over(problem_.over);
    const bool differentiates = with_jacobian && !by.empty();
    const auto count = static_cast<Index>(places_.size());
    FitPart out;
    out.residuals.resize(count);
    if (with_jacobian) out.jacobian.setZero(count, static_cast<Index>(problem_.over.size()));
    sort_samples(own, differentiates);
    sensitivity::Samples found;
    try {
      found = sensitivity::sample(experiment.problem, own, differentiates ? &by : nullptr, *problem_.signals.functions,
                                  samples_);
    } catch (const NumericalError& problem) {
      throw NumericalError(experiment.prefix() + problem.what());
    }
    for (const std::string& warning : found.warnings) out.warnings.push_back(experiment.prefix() + warning);
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Place& place = places_[order_[i]];
      out.residuals[static_cast<Index>(order_[i])] = (found.values[i] - place.series->y[place.k]) / deviation(place);
      if (!differentiates) continue;
      const double* first = found.derivatives.data() + i * by.size();
      rows.emplace_back(first, first + by.size());
      const auto delay = std::find(by.begin(), by.end(), signal(place).delay_parameter);
      if (delay != by.end()) rows.back()[static_cast<std::size_t>(delay - by.begin())] -= found.rates[i];
    }
    if (!differentiates) return out;
    rows = experiment.pull_back(rows, problem_.over, rho);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Place& place = places_[order_[i]];
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        out.jacobian(static_cast<Index>(order_[i]), static_cast<Index>(j)) = rows[i][j] / deviation(place);
      }
    }
    return out;
  }

 private:
  struct Place {
    const FitSeries* series;
    std::size_t k;
    Index row;
  };

  const FitSignal& signal(const Place& place) const { return problem_.signals.list[place.series->signal]; }
  double deviation(const Place& place) const { return problem_.deviations[place.series->signal]; }

  void sort_samples(const std::vector<double>& own, bool differentiates) {
    std::vector<double> times;
    for (const Place& place : places_) {
      const FitSignal& s = signal(place);
      const double delay = s.delay_parameter < 0 ? s.delay : own[static_cast<std::size_t>(s.delay_parameter)];
      const double start = problem_.experiments[number_].problem.start, t = place.series->t[place.k] - delay;
      if (t < start - 1e-9 * delay) {
        throw NumericalError(problem_.experiments[number_].prefix() + "signal \"" + s.name + "\": with a delay of " +
                             number_text(delay) + " s the measurement at " + number_text(place.series->t[place.k]) +
                             " s is of what was before the start");
      }
      times.push_back(std::max(t, start));
    }
    order_.resize(places_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
    samples_.clear();
    for (const std::size_t i : order_) {
      samples_.push_back({times[i], static_cast<int>(places_[i].series->signal),
                          differentiates && signal(places_[i]).delay_parameter >= 0});
    }
  }

  const FitProblem& problem_;
  std::size_t number_;
  std::vector<Place> places_;
  std::vector<std::size_t> order_;  // of the places, by time
  std::vector<sensitivity::Sample> samples_;
};

/// Of the residuals of every signal, in its unit; robust where the fit is.
std::vector<double> deviations_left(const FitProblem& problem, const Eigen::VectorXd& residuals, double freedom) {
  std::vector<std::vector<double>> by_signal(problem.signals.list.size());
  Index row = 0;
  for (const FitSeries& series : problem.series) {
    for (std::size_t k = 0; k < series.t.size(); ++k) by_signal[series.signal].push_back(std::abs(residuals[row++]));
  }
  std::vector<double> out;
  for (std::size_t s = 0; s < by_signal.size(); ++s) {
    std::vector<double>& sizes = by_signal[s];
    double size = 0;
    if (problem.loss.kind == optimize::RobustLoss::Kind::None) {
      for (const double r : sizes) size += r * r;
      size = std::sqrt(size / static_cast<double>(sizes.size()) / freedom);
    } else {
      constexpr double of_normal = 1.4826;  // standard deviation over the median of |r|
      const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
      std::nth_element(sizes.begin(), middle, sizes.end());
      size = of_normal * *middle;
    }
    out.push_back(size * problem.deviations[s]);
  }
  return out;
}

/// Before anything is known: the spread of the measurements.
double spread(const FitProblem& problem, std::size_t signal) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const FitSeries& series : problem.series) {
    if (series.signal != signal) continue;
    const auto [low, high] = std::minmax_element(series.y.begin(), series.y.end());
    least = std::min(least, *low);
    most = std::max(most, *high);
  }
  const double size = std::max(std::abs(least), std::abs(most));
  return most > least ? most - least : size > 0 ? size : 1;
}

optimize::LeastSquaresProblem task_of(const FitProblem& problem, const Eigen::VectorXd& start, FitFound& found) {
  optimize::LeastSquaresProblem task{start, start, start, {}, problem.loss};
  for (std::size_t k = 0; k < problem.variables.size(); ++k) {
    task.lower[static_cast<Index>(k)] = problem.variables[k].lower;
    task.upper[static_cast<Index>(k)] = problem.variables[k].upper;
  }
  for (const NamedRun& experiment : problem.experiments) {
    const auto* tolerances = integrator::tolerances_of(experiment.problem.integrator);
    if (tolerances) task.noise = std::max(task.noise, tolerances->relative);
  }
  task.evaluate = [&problem, &found](const Eigen::VectorXd& x, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) {
    found.runs += static_cast<int>(problem.experiments.size());
    if (jacobian) found.runs_with_derivatives += static_cast<int>(problem.experiments.size());
    problem.evaluate(x, residuals, jacobian);
  };
  return task;
}

/// A sentence where finer steps would move parameters by a noticeable part of their standard errors; else empty.
/// `told`: those that have any.
std::string told_by_finer_steps(const FitProblem& problem, FitFound& found, const std::vector<Index>& told) {
  constexpr double noticeable = 0.25, negligible = 1e-6;  // of a standard error; of the parameter
  if (told.empty() || found.result.reason == optimize::LeastSquaresReason::Interrupted) return "";
  FitProblem fine = problem;
  for (NamedRun& each : fine.experiments) {
    each.problem.integrator = sensitivity::finer(each.problem.integrator);
  }
  Eigen::VectorXd residuals;
  try {
    fine.evaluate(found.result.x, residuals, nullptr);
  } catch (const Interrupted&) {
    throw;
  } catch (const NumericalError&) {
    return "";
  }
  found.runs += static_cast<int>(problem.experiments.size());
  Eigen::MatrixXd jacobian = found.result.jacobian(Eigen::all, told);
  const Eigen::VectorXd norms = jacobian.colwise().norm().cwiseMax(std::numeric_limits<double>::min());
  for (Index k = 0; k < jacobian.cols(); ++k) jacobian.col(k) /= norms[k];
  const Eigen::VectorXd step =
      jacobian.completeOrthogonalDecomposition().solve(found.result.residuals - residuals).cwiseQuotient(norms);
  Index worst = -1;
  double most = noticeable;
  for (Index k = 0; k < step.size(); ++k) {
    const Index i = told[static_cast<std::size_t>(k)];
    const double errors = std::abs(step[k]) / found.statistics.standard_errors[i];
    if (!(errors > most) || std::abs(step[k]) <= negligible * std::abs(found.result.x[i])) continue;
    most = errors;
    worst = i;
  }
  if (worst < 0) return "";
  return "the steps of the simulations are too long for these data: with finer ones " +
         problem.variables[static_cast<std::size_t>(worst)].name + " would be another by " +
         format::significant(most, 2) + " of its standard errors; give smaller tolerances, or a shorter step";
}

}  // namespace

std::size_t FitProblem::count() const {
  std::size_t sum = 0;
  for (const FitSeries& each : series) sum += each.t.size();
  return sum;
}

Eigen::VectorXd FitProblem::present() const {
  Eigen::VectorXd x(static_cast<Index>(over.size()));
  for (std::size_t k = 0; k < over.size(); ++k)
    x[static_cast<Index>(k)] = parameters[static_cast<std::size_t>(over[k])];
  return x;
}

void FitProblem::evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) const {
  std::vector<double> rho = parameters;
  for (std::size_t k = 0; k < over.size(); ++k) rho[static_cast<std::size_t>(over[k])] = x[static_cast<Index>(k)];
  const auto rows = static_cast<Index>(count());
  residuals.setZero(rows);
  if (jacobian) jacobian->setZero(rows, x.size());
  const auto title = [&] {
    Fingerprint print;
    print.add(fingerprint).add(rho).add(deviations).add_number(jacobian != nullptr);
    signals.functions->add_to(print);
    for (const FitSeries& one : series) print.add_number(one.experiment).add_number(one.signal).add(one.t).add(one.y);
    for (const FitSignal& one : signals.list) print.add({one.delay, static_cast<double>(one.delay_parameter)});
    return "a fit of " + std::to_string(count()) + " numbers (" + print.text() + ")";
  };
  const auto parts = ranks::compute_each<FitPart>(title, experiments.size(), [&](std::size_t e) {
    return ExperimentRows(*this, e).evaluate(rho, jacobian != nullptr);
  });
  std::vector<std::string> all;
  for (std::size_t e = 0; e < parts.size(); ++e) {
    const std::vector<Index> own = ExperimentRows(*this, e).rows();
    residuals(own) = parts[e].residuals;
    if (jacobian) (*jacobian)(own, Eigen::all) = parts[e].jacobian;
    all.insert(all.end(), parts[e].warnings.begin(), parts[e].warnings.end());
  }
  if (jacobian && !all.empty()) warned->add(x, all);
}

FitFound solve(FitProblem& problem, double confidence, const optimize::LeastSquaresOptions& options) {
  constexpr int most_rounds = 10;
  constexpr double settled = 1e-3;  // relative change of the deviations: far below what they are known to
  FitFound found;
  problem.deviations.clear();
  bool finds_deviations = false;
  for (std::size_t s = 0; s < problem.signals.list.size(); ++s) {
    const double given = problem.signals.list[s].deviation;
    finds_deviations = finds_deviations || given == 0;
    problem.deviations.push_back(given > 0 ? given : spread(problem, s));
  }
  Eigen::VectorXd x = problem.present();
  for (found.rounds = 1;; ++found.rounds) {
    const int evaluations = found.result.evaluations, iterations = found.result.iterations;
    found.result = optimize::least_squares(task_of(problem, x, found), options);
    found.result.evaluations += evaluations;
    found.result.iterations += iterations;
    x = found.result.x;
    const bool is_interrupted = found.result.reason == optimize::LeastSquaresReason::Interrupted;
    if (!finds_deviations || is_interrupted || found.rounds == most_rounds) break;
    const double rows = static_cast<double>(problem.count());
    const double freedom = std::max(1.0, rows - static_cast<double>(x.size())) / rows;
    const std::vector<double> left = deviations_left(problem, found.result.residuals, freedom);
    bool stays = true;
    for (std::size_t s = 0; s < left.size(); ++s) {
      if (problem.signals.list[s].deviation > 0) continue;
      // What a perfect fit leaves is rounding, which says nothing of a sensor.
      const double deviation = std::max(left[s], 1e-9 * spread(problem, s));
      const double change = deviation / problem.deviations[s];
      stays = stays && std::abs(change - 1) <= settled;
      // The residuals and their Jacobian follow, so that a round that changes nothing needs no simulation.
      Index row = 0;
      for (const FitSeries& series : problem.series) {
        const auto length = static_cast<Index>(series.t.size());
        if (series.signal == s) {
          found.result.residuals.segment(row, length) /= change;
          found.result.jacobian.middleRows(row, length) /= change;
        }
        row += length;
      }
      problem.deviations[s] = deviation;
    }
    // Of one signal a common factor moves no minimum.
    const bool is_one = left.size() == 1 && problem.loss.kind == optimize::RobustLoss::Kind::None;
    if (stays || is_one) break;
  }
  optimize::Fit fit;
  fit.x = x;
  fit.lower = fit.upper = x;
  for (std::size_t k = 0; k < problem.variables.size(); ++k) {
    fit.lower[static_cast<Index>(k)] = problem.variables[k].lower;
    fit.upper[static_cast<Index>(k)] = problem.variables[k].upper;
    fit.names.push_back(problem.variables[k].name);
  }
  fit.residuals = found.result.residuals;
  fit.jacobian = found.result.jacobian;
  fit.loss = problem.loss;
  for (const FitSeries& series : problem.series)
    fit.series.push_back({series.name, static_cast<Index>(series.t.size())});
  fit.confidence = confidence;
  found.statistics = optimize::fit_statistics(fit);
  std::vector<Index> is_told;
  for (std::size_t k = 0; k < found.statistics.determined.size(); ++k) {
    if (found.statistics.determined[k] == optimize::Determined::ByData) is_told.push_back(static_cast<Index>(k));
  }
  // What an almost perfect fit leaves are errors of steps, which are not white and say nothing of the model.
  constexpr double of_steps = 1e-6;
  for (std::size_t k = 0; k < problem.series.size(); ++k) {
    const std::size_t s = problem.series[k].signal;
    const std::string& warning = found.statistics.whiteness[k].warning;
    if (warning.empty() || problem.deviations[s] * found.statistics.deviation > of_steps * spread(problem, s)) continue;
    std::erase(found.statistics.warnings, warning);
  }
  const std::string coarse = told_by_finer_steps(problem, found, is_told);
  if (!coarse.empty()) found.statistics.warnings.push_back(coarse);
  return found;
}

}  // namespace perilune::lua
