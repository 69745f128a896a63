// SPDX-License-Identifier: MIT
#include "model/law/zeros.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

#include "expr/tape.hpp"

namespace perilune::model {

namespace {

using expr::Quantity;

/// A straight line through random motions, with both expressions along it.
class Line {
 public:
  Line(const Model& model, const expr::Tape& tape, double scale, std::mt19937_64& random)
      : tape_(tape), work_(tape.make_work<double>()) {
    std::normal_distribution<double> normal;
    for (const NodeId input : tape.inputs()) {
      const expr::Variable& v = model.graph().variable_of(input);
      if (v.quantity == Quantity::Parameter) {
        base_.push_back(model.parameters()[static_cast<std::size_t>(v.index)].value);
        along_.push_back(0);
      } else {
        const double size = expr::is_setting(v.quantity) ? 0 : scale;
        base_.push_back(size * normal(random));
        along_.push_back(size * normal(random));
      }
    }
  }

  /// The function and the divisor at a place of the line.
  std::pair<double, double> at(double place) {
    for (std::size_t i = 0; i < base_.size(); ++i) work_[i] = base_[i] + place * along_[i];
    tape_.evaluate(work_.data());
    return {work_[static_cast<std::size_t>(tape_.output_slot(0))],
            work_[static_cast<std::size_t>(tape_.output_slot(1))]};
  }

  /// A place where the function changes its sign.
  std::optional<double> zero() {
    double low = 0, of_low = at(low).first;
    const double from = of_low;
    for (const double direction : {1.0, -1.0}) {
      low = 0;
      of_low = from;
      for (double high = direction / 16; std::abs(high) < 1e4; high *= 2) {
        const double of_high = at(high).first;
        if (of_low * of_high < 0) return bisected(low, of_low, high);
        low = high;
        of_low = of_high;
      }
    }
    return std::nullopt;
  }

 private:
  double bisected(double low, double of_low, double high) {
    constexpr int halvings = 60;
    for (int k = 0; k < halvings; ++k) {
      const double middle = low / 2 + high / 2;
      (at(middle).first * of_low > 0 ? low : high) = middle;
    }
    return high;
  }

  const expr::Tape& tape_;
  std::vector<double> work_, base_, along_;
};

}  // namespace

bool differs_at_zeros(const Model& model, NodeId function, NodeId divisor) {
  constexpr int lines = 24, few = 8, enough = 4;
  // What is zero there is so to rounding only, and has other digits as near as this.
  constexpr double nearby = 1e-8;
  const expr::Tape tape(model.graph(), model.graph().variables_of({function, divisor}), {function, divisor});
  std::mt19937_64 random(1);
  int found = 0;
  for (int k = 0; k < lines && found < enough; ++k) {
    if (k >= few && found == 0) return false;
    Line line(model, tape, std::pow(10.0, k % 4 - 2), random);
    const std::optional<double> zero = line.zero();
    if (!zero) continue;
    // Where the function jumps it has no zero that says anything.
    if (!(std::abs(line.at(*zero).first) <= 1e-6 * std::abs(line.at(0).first))) return false;
    const double near = nearby * std::max(std::abs(*zero), 1.0), here = std::abs(line.at(*zero).second);
    for (const double place : {*zero - near, *zero + near}) {
      const double other = std::abs(line.at(place).second);
      if (!(here > 0 && other > here / 2 && other < 2 * here)) return false;
    }
    ++found;
  }
  return found >= enough;
}

}  // namespace perilune::model
