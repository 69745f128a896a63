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
  Feeler(const System& system, const system::Workspace& w, const Data& data, double t, const double* q)
      : data_(data),
        t_(t),
        q_(q, q + system.coordinate_count()),
        v_(q_.size()),
        a_(q_.size()),
        lambda_(static_cast<std::size_t>(system.constraint_count())),
        size_(lambda_.size()) {
    std::size_t entry = 0;
    system.mn().for_each([&](int i, int) {
      double& size = size_[static_cast<std::size_t>(i)];
      size = std::max(size, std::abs(w.jacobian[entry++]));
    });
  }

  /// Whether the measure may change with how the load of the dependent row is shared: it does in some trial, or no
  /// trial could tell, as where it begins to read a load beyond a threshold that none comes to.
  bool may_feel(const Measure& measure, const Dependent& dependent) {
    constexpr int trials = 32, powers = 8;
    // Positions are known to 1e-13 of the mechanism's size, and rows that nearly depend magnify that.
    constexpr double rounding = 1e-7;
    std::vector<double> work = measure.make_work();
    const auto value = [&] {
      measure.evaluate({t_, q_.data(), v_.data(), a_.data(), lambda_.data(), data_.parameters.data()}, work);
      return measure.value(work, 0);
    };
    draw(1);
    value();
    std::set<int> unseen;  // rows that it reads, and that have changed nothing yet
    measure.visit_gradient(work, 0, [&](expr::Quantity quantity, int row, double) {
      if (quantity == expr::Quantity::Multiplier) unseen.insert(row);
    });
    const std::set<int> read = unseen;
    std::vector<std::pair<int, double>> shares{{dependent.row, 1.0}};
    for (const auto& [row, share] : dependent.on) shares.emplace_back(row, -share);
    const auto size = [&](int row) { return size_[static_cast<std::size_t>(row)]; };
    std::erase_if(shares, [&](const auto& each) {
      const bool is_rounding = std::abs(each.second) * size(each.first) <= rounding * size(dependent.row);
      return is_rounding || !unseen.contains(each.first);
    });
    std::erase_if(unseen, [&](int row) {
      return std::none_of(shares.begin(), shares.end(), [&](const auto& each) { return each.first == row; });
    });
    for (int trial = 0; trial < trials; ++trial) {
      const double load = std::pow(10, trial % powers);
      draw(load);
      const std::vector<double> given = lambda_;
      const double before = value();
      double alone = 0;  // the most that one of the rows does
      const auto changes_by = [&](int row, double share) {
        lambda_[static_cast<std::size_t>(row)] += share * load;
        const double change = std::abs(value() - before);
        alone = std::max(alone, change);
        lambda_ = given;
        return change;
      };
      for (const auto& [row, share] : shares) {
        if (changes_by(row, share) > 0) unseen.erase(row);
      }
      // A row may stand in it by rounding alone, beside others that count.
      for (const int row : read) {
        if (size(row) > 0) changes_by(row, size(dependent.row) / size(row));
      }
      for (const auto& [row, share] : shares) lambda_[static_cast<std::size_t>(row)] += share * load;
      if (std::abs(value() - before) > rounding * alone) return true;
    }
    // What has no weight in this position, as where axes are at right angles, has some in another.
    std::set<int> weighs;  // or may weigh
    for (int trial = 0; trial < powers && !unseen.empty(); ++trial) {
      draw(std::pow(10, trial));
      const bool is_number = std::isfinite(value());
      double steepest = 0;
      measure.visit_gradient(work, 0, [&](expr::Quantity quantity, int, double slope) {
        if (quantity == expr::Quantity::Multiplier) steepest = std::max(steepest, std::abs(slope));
      });
      measure.visit_gradient(work, 0, [&](expr::Quantity quantity, int row, double slope) {
        const bool counts = std::abs(slope) > rounding * steepest;
        if (quantity == expr::Quantity::Multiplier && is_number && counts) weighs.insert(row);
      });
    }
    const std::vector<double> here = q_;
    for (int trial = 0; trial < powers && !unseen.empty(); ++trial) {
      draw(std::pow(10, trial));
      for (double& x : q_) x += any_(random_);
      value();
      measure.visit_gradient(work, 0, [&](expr::Quantity quantity, int row, double slope) {
        if (quantity == expr::Quantity::Multiplier && slope != 0 && !weighs.contains(row)) unseen.erase(row);
      });
      q_ = here;
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
  std::vector<double> q_, v_, a_, lambda_;
  std::vector<double> size_;  // of each constraint: its largest slope
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
  Feeler feeler(system, w, data, t, q);
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
