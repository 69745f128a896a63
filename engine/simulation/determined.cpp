// SPDX-License-Identifier: MIT
#include "simulation/determined.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>

#include "at_time.hpp"
#include "error.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::simulation {

namespace {

using Dependent = linalg::RowRank::Dependent;

/// Tried with motions and loads that have nothing special about them.
class Feeler {
 public:
  Feeler(const System& system, const Data& data, double t, const double* q)
      : data_(data),
        t_(t),
        q_(q),
        v_(static_cast<std::size_t>(system.coordinate_count())),
        a_(v_.size()),
        lambda_(static_cast<std::size_t>(system.constraint_count())) {}

  /// Whether the measure may change with how the load of the dependent row is shared: it does in some trial, or no
  /// trial could tell, as where it begins to read a load beyond a threshold that none comes to.
  bool may_feel(const Measure& measure, const Dependent& dependent) {
    constexpr int trials = 32, powers = 8;
    constexpr double rounding = 1e-9;
    std::vector<double> work = measure.make_work();
    const auto value = [&] {
      measure.evaluate({t_, q_, v_.data(), a_.data(), lambda_.data(), data_.parameters.data()}, work);
      return measure.value(work, 0);
    };
    draw(1);
    value();
    std::set<int> unseen;  // rows that it reads, and that have changed nothing yet
    measure.visit_gradient(work, 0, [&](expr::Quantity quantity, int row, double) {
      if (quantity == expr::Quantity::Multiplier) unseen.insert(row);
    });
    std::vector<std::pair<int, double>> shares{{dependent.row, 1.0}};
    for (const auto& [row, share] : dependent.on) shares.emplace_back(row, -share);
    std::erase_if(shares, [&](const auto& each) { return each.second == 0 || !unseen.contains(each.first); });
    std::erase_if(unseen, [&](int row) {
      return std::none_of(shares.begin(), shares.end(), [&](const auto& each) { return each.first == row; });
    });
    for (int trial = 0; trial < trials; ++trial) {
      const double load = std::pow(10, trial % powers);
      draw(load);
      const std::vector<double> given = lambda_;
      const double before = value();
      double alone = 0;  // the most that one of the rows does
      for (const auto& [row, share] : shares) {
        lambda_[static_cast<std::size_t>(row)] += share * load;
        const double change = std::abs(value() - before);
        if (change > 0) unseen.erase(row);
        alone = std::max(alone, change);
        lambda_ = given;
      }
      for (const auto& [row, share] : shares) lambda_[static_cast<std::size_t>(row)] += share * load;
      if (std::abs(value() - before) > rounding * alone) return true;
    }
    return !unseen.empty();
  }

 private:
  void draw(double load) {
    for (std::vector<double>* numbers : {&v_, &a_, &lambda_}) {
      for (double& x : *numbers) x = any_(random_) * (numbers == &lambda_ ? load : 1);
    }
  }

  const Data& data_;
  double t_;
  const double* q_;
  std::vector<double> v_, a_, lambda_;
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> any_{-1, 1};
};

}  // namespace

void require_determined_objectives(const Problem& problem, const Data& data, double t, const double* q) {
  std::vector<std::pair<const Measure*, const Objective*>> readers;
  for (const auto& objective : problem.objectives) {
    for (const Measure* part :
         {objective->terminal ? &*objective->terminal : nullptr, objective->integral ? &*objective->integral : nullptr,
          objective->extremum ? &objective->extremum->signal : nullptr}) {
      if (part && part->reads(expr::Quantity::Multiplier)) readers.emplace_back(part, objective.get());
    }
  }
  if (readers.empty()) return;
  const System& system = *problem.system;
  system::Workspace w(system);
  const std::vector<double> none(static_cast<std::size_t>(system.coordinate_count()), 0.0);
  system.evaluate({t, q, none.data(), nullptr, nullptr}, data, w, system::Part::Constraints);
  Feeler feeler(system, data, t, q);
  for (const Dependent& dependent : system::constraint_rank(system, w).rows.dependent) {
    for (const auto& [measure, objective] : readers) {
      if (!feeler.may_feel(*measure, dependent)) continue;
      throw NumericalError(at_time(t) + "objective \"" + objective->name + "\" reads multipliers that redundant " +
                           "constraints leave undetermined: that of " + system.describe_constraint(dependent.row) +
                           " follows from others, and the load is shared in any way; leave the redundant ones out of "
                           "the model, or let the objective read what is determined, such as the sum that two hinges "
                           "carry");
    }
  }
}

}  // namespace perilune::simulation
