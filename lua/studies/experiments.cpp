// SPDX-License-Identifier: MIT
#include "studies/experiments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "error.hpp"
#include "simulation/run.hpp"

namespace perilune::lua {

namespace {

std::vector<double> evaluated(const expr::Tape& tape, const std::vector<double>& rho) {
  std::vector<double> work = tape.make_work<double>();
  std::copy_n(rho.begin(), tape.input_count(), work.begin());
  tape.evaluate(work.data());
  return work;
}

/// Of a run that no parameter moves.
sensitivity::Gradient values_of(const simulation::Problem& problem, const std::vector<double>& parameters) {
  const simulation::Evaluation run = simulation::evaluate(problem, parameters);
  sensitivity::require_complete(run.solution);
  if (problem.stop && !run.solution.stop) throw NumericalError("the stop condition was not met before the end time");
  sensitivity::Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.warnings = run.warnings;
  return out;
}

}  // namespace

std::string NamedRun::prefix() const { return name.empty() ? "" : "experiment \"" + name + "\": "; }

std::vector<double> NamedRun::parameters(const std::vector<double>& rho) const {
  std::vector<double> own = other ? other->parameters : rho;
  if (set.empty()) return own;
  const std::vector<double> work = evaluated(settings, rho);
  for (std::size_t k = 0; k < set.size(); ++k) {
    const Setting& s = set[k];
    double value = work[static_cast<std::size_t>(settings.output_slot(static_cast<int>(k)))];
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(value);
    if (value > s.upper && value <= s.upper + rounding) value = s.upper;
    if (value < s.lower && value >= s.lower - rounding) value = s.lower;
    const bool fits = s.lower <= value && value <= s.upper;
    if (!fits || !std::isfinite(value)) {
      throw NumericalError(prefix() + s.name + " is set to " + number_text(value) +
                           (!std::isfinite(value) ? ", which is no finite number"
                            : value > s.upper     ? ", above its max = " + number_text(s.upper)
                                                  : ", below its min = " + number_text(s.lower)));
    }
    own[static_cast<std::size_t>(s.parameter)] = value;
  }
  return own;
}

std::vector<int> NamedRun::over(const std::vector<int>& asked) const {
  std::vector<int> own = other ? std::vector<int>() : asked;
  std::vector<char> moves;
  if (!set.empty()) moves = settings.reached_by(asked);
  for (std::size_t k = 0; k < set.size(); ++k) {
    std::erase(own, set[k].parameter);
    if (moves[k]) own.push_back(set[k].parameter);
  }
  std::sort(own.begin(), own.end());
  return own;
}

std::vector<std::vector<double>> NamedRun::pull_back(const std::vector<std::vector<double>>& rows,
                                                     const std::vector<int>& asked,
                                                     const std::vector<double>& rho) const {
  const std::vector<int> own = over(asked);
  // slopes[i][j]: of the parameter own[i] of the experiment by asked[j]
  std::vector<std::vector<double>> slopes(own.size(), std::vector<double>(asked.size(), 0.0));
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto setting = std::find_if(set.begin(), set.end(), [&](const Setting& s) { return s.parameter == own[i]; });
    if (setting == set.end()) {
      slopes[i][static_cast<std::size_t>(std::find(asked.begin(), asked.end(), own[i]) - asked.begin())] = 1;
      continue;
    }
    const std::vector<double> work = evaluated(settings, rho);
    std::vector<double> adjoint(work.size(), 0.0);
    adjoint[static_cast<std::size_t>(settings.output_slot(static_cast<int>(setting - set.begin())))] = 1;
    settings.reverse(work.data(), adjoint.data());
    for (std::size_t j = 0; j < asked.size(); ++j) slopes[i][j] = adjoint[static_cast<std::size_t>(asked[j])];
  }
  std::vector<std::vector<double>> out;
  for (const std::vector<double>& row : rows) {
    out.emplace_back(asked.size(), 0.0);
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (std::size_t j = 0; j < asked.size(); ++j) out.back()[j] += row[i] * slopes[i][j];
    }
  }
  return out;
}

void keep_other_models_alike(const std::vector<NamedRun>& experiments, const std::vector<double>& rho) {
  for (const NamedRun& e : experiments) {
    if (!e.other) continue;
    for (const auto& [own, namesake] : e.other->shared) {
      e.other->model->engine->set_parameter(own, rho[static_cast<std::size_t>(namesake)]);
    }
  }
}

namespace {

/// The only input that the output depends on, if there is one.
std::optional<int> sole_input(const expr::Tape& tape, int output) {
  std::optional<int> found;
  for (int i = 0; i < tape.input_count(); ++i) {
    if (!tape.depends(output, i)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace

void leave_room(const std::vector<NamedRun>& experiments, const std::vector<double>& rho, const std::vector<int>& over,
                std::vector<optimize::Variable>& variables) {
  for (const NamedRun& e : experiments) {
    for (std::size_t k = 0; k < e.set.size(); ++k) {
      const NamedRun::Setting& s = e.set[k];
      const auto output = static_cast<int>(k);
      const std::optional<int> read = sole_input(e.settings, output);
      const auto at = read ? std::find(over.begin(), over.end(), *read) : over.end();
      if (at == over.end()) continue;
      const auto own = static_cast<std::size_t>(*read);
      const auto value = [&](double x) {
        std::vector<double> point = rho;
        point[own] = x;
        return evaluated(e.settings, point)[static_cast<std::size_t>(e.settings.output_slot(output))];
      };
      const double x = rho[own], step = std::max(1.0, std::abs(x));
      const double slope = (value(x + step) - value(x - step)) / (2 * step), rest = value(x) - slope * x;
      const double gap = value(x + 2 * step) - slope * (x + 2 * step) - rest;
      const bool is_straight = slope != 0 && std::abs(gap) <= 1e-12 * (std::abs(rest) + std::abs(slope) * step);
      if (!is_straight) continue;  // a search that leaves the bounds there turns back at the failing run
      const double one = (s.lower - rest) / slope, two = (s.upper - rest) / slope;
      optimize::Variable& variable = variables[static_cast<std::size_t>(at - over.begin())];
      variable.lower = std::max(variable.lower, std::min(one, two));
      variable.upper = std::min(variable.upper, std::max(one, two));
    }
  }
}

namespace {

/// What `run` finds with the experiment's own parameters; its failures and warnings name the experiment.
template <class Run>
sensitivity::Gradient in_its_name(const NamedRun& experiment, Run&& run) {
  sensitivity::Gradient found;
  try {
    found = run();
  } catch (const NumericalError& problem) {
    throw NumericalError(experiment.prefix() + problem.what());
  }
  for (std::string& warning : found.warnings) warning = experiment.prefix() + warning;
  return found;
}

}  // namespace

sensitivity::Gradient values_of(const NamedRun& experiment, const std::vector<double>& rho) {
  const std::vector<double> own = experiment.parameters(rho);
  return in_its_name(experiment, [&] { return values_of(experiment.problem, own); });
}

sensitivity::Gradient gradient_of(const NamedRun& experiment, const std::vector<double>& rho,
                                  const std::vector<int>& asked, const sensitivity::Method& method) {
  const std::vector<double> own = experiment.parameters(rho);
  const std::vector<int> by = experiment.over(asked);
  sensitivity::Gradient found = in_its_name(experiment, [&] {
    return by.empty() ? values_of(experiment.problem, own) : sensitivity::gradient(experiment.problem, own, by, method);
  });
  found.derivatives.resize(found.values.size());  // without numbers where nothing moves the run
  found.derivatives = experiment.pull_back(found.derivatives, asked, rho);
  return found;
}

}  // namespace perilune::lua
