// SPDX-License-Identifier: MIT
#include "formulation/tree/loops/loop_recursion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "formulation/reduced/independent_coordinates.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::formulation {

namespace {

/// As in ReducedMotion: a dependent coordinate that moves this many times as fast as an independent one is reason to
/// choose anew.
constexpr double largest_good_slope = 1.5;
/// So is that the rows that are kept come to follow from each other where others would not: no slope tells.
constexpr double least_good_pivot = 0.2;  // of the best since the choice

double largest(const double* x, int count) {
  double size = 0;
  for (int i = 0; i < count; ++i) size = std::max(size, std::abs(x[i]));
  return size;
}

}  // namespace

void LoopRecursion::set(const std::vector<int>& choice) {
  std::vector<int> of_tree, without, closed;
  for (const int i : choice) {
    if (i < n()) of_tree.push_back(i);
    if (i >= n() && i < n() + m()) without.push_back(i - n());
    if (i >= 2 * n() + m()) closed.push_back(i - 2 * n() - m());
  }
  of_tree.insert(of_tree.end(), closed.begin(), closed.end());
  std::sort(of_tree.begin(), of_tree.end());
  const auto rows = static_cast<int>(cuts_.rows().size());
  // Choices may come from elsewhere.
  is_set_ = static_cast<int>(of_tree.size()) == n() - m() + rows;
  if (!is_set_) return;
  tree().set(of_tree);
  list_columns(of_tree);
  kept_.clear();
  left_out_.clear();
  for (int r = 0; r < rows; ++r) {
    const int multiplier = cuts_.rows()[static_cast<std::size_t>(r)].multiplier;
    const bool is_kept = !std::binary_search(without.begin(), without.end(), multiplier);
    (is_kept ? kept_ : left_out_).push_back(r);
  }
  dependent_.clear();
  independent_.clear();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const bool is_closed = std::binary_search(closed.begin(), closed.end(), columns_[c].coordinate);
    (is_closed ? dependent_ : independent_).push_back(c);
  }
  is_set_ = dependent_.size() == kept_.size() && closed.size() == dependent_.size();
  closing_.emplace(static_cast<int>(kept_.size()) + 1);
  best_ratio_ = 0;
}

bool LoopRecursion::look(const Node& x) {
  if (!cuts_.evaluate(x, *data_)) return false;
  find_slopes(x);
  return slopes_.allFinite();
}

bool LoopRecursion::look_at_copy(const Node& x) {
  q_.assign(x.q, x.q + n());
  v_.assign(x.v, x.v + n());
  Node copy;
  copy.t = x.t;
  copy.q = q_.data();
  copy.v = v_.data();
  return tree().complete(copy) && look(copy);
}

int LoopRecursion::redundant_at(const Node& x) const {
  system::Workspace w(*system_);
  system_->evaluate({x.t, x.q, x.v, nullptr, nullptr}, *data_, w, system::Part::Constraints);
  return static_cast<int>(system::constraint_rank(*system_, w).rows.dependent.size());
}

std::optional<std::vector<int>> LoopRecursion::choose(const Node& x) {
  const int redundant = is_set_ ? static_cast<int>(left_out_.size()) : redundant_at(x);
  const std::vector<int> of_tree = *tree().choose(x);
  is_set_ = false;
  tree().set(of_tree);
  list_columns(of_tree);
  if (!look_at_copy(x)) return std::nullopt;
  const auto rows = static_cast<int>(slopes_.rows()), columns = static_cast<int>(slopes_.cols());
  linalg::Entries entries;
  std::vector<double> values;
  constexpr double rounding = 1e-10;  // of rows that follow from the tree's joints, as across a planar loop
  for (int r = 0; r < rows; ++r) {
    const double size = sizes_[static_cast<std::size_t>(r)];
    const bool is_rounding = columns == 0 || slopes_.row(r).cwiseAbs().maxCoeff() <= rounding * size;
    for (int c = 0; c < columns; ++c) {
      entries.emplace(r, c);
      values.push_back(is_rounding ? 0 : slopes_(r, c) / size);
    }
  }
  // A row that nearly cancels is kept last: that of a hinge which others lock may do so wherever the bodies turn.
  const auto found = choose_independent(linalg::SparsePattern(rows, columns, entries), values.data(), {},
                                        {redundant, 0}, RowScale::Given);
  if (!found) return std::nullopt;
  std::vector<char> is_closed(static_cast<std::size_t>(n()), 0);
  for (const Column& column : columns_) is_closed[static_cast<std::size_t>(column.coordinate)] = 1;
  std::vector<int> without;
  for (const int i : *found) {
    if (i < columns) {
      is_closed[static_cast<std::size_t>(columns_[static_cast<std::size_t>(i)].coordinate)] = 0;
    } else {
      without.push_back(n() + cuts_.rows()[static_cast<std::size_t>(i - columns)].multiplier);
    }
  }
  std::vector<int> choice;
  for (const int i : of_tree) {
    if (!is_closed[static_cast<std::size_t>(i)]) choice.push_back(i);
  }
  std::sort(without.begin(), without.end());
  choice.insert(choice.end(), without.begin(), without.end());
  for (const int i : of_tree) {
    if (is_closed[static_cast<std::size_t>(i)]) choice.push_back(2 * n() + m() + i);
  }
  set(choice);
  if (factor()) best_ratio_ = pivot_ratio_;
  return choice;
}

bool LoopRecursion::serves(const Node& x) {
  if (!is_set_ || !tree().serves(x) || !look_at_copy(x) || !factor()) return false;
  best_ratio_ = std::max(best_ratio_, pivot_ratio_);
  if (!left_out_.empty() && pivot_ratio_ < least_good_pivot * best_ratio_) return false;
  const std::size_t rows = kept_.size(), count = independent_.size();
  if (count == 0) return true;
  steps_.assign((rows + 1) * count, 0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    const int row = kept_[r];
    for (std::size_t c = 0; c < count; ++c) {
      steps_[r * count + c] =
          slopes_(row, static_cast<Eigen::Index>(independent_[c])) / sizes_[static_cast<std::size_t>(row)];
    }
  }
  closing_->solve(steps_.data(), static_cast<int>(count));
  return largest(steps_.data(), static_cast<int>(steps_.size())) <= largest_good_slope;
}

/// A pivot of 1 is what those of the rows are small beside in a singular position.
bool LoopRecursion::factor() {
  const auto count = static_cast<int>(kept_.size()), length = linalg::DenseLu::row_length(count + 1);
  matrix_.assign(static_cast<std::size_t>((count + 1) * length), 0.0);
  for (int r = 0; r < count; ++r) {
    const int row = kept_[static_cast<std::size_t>(r)];
    for (int c = 0; c < count; ++c) {
      matrix_[static_cast<std::size_t>(r * length + c)] =
          slopes_(row, static_cast<Eigen::Index>(dependent_[static_cast<std::size_t>(c)])) /
          sizes_[static_cast<std::size_t>(row)];
    }
  }
  matrix_[static_cast<std::size_t>(count * length + count)] = 1;
  const bool is_regular = closing_->factor(matrix_.data()) < 0;
  pivot_ratio_ = is_regular ? closing_->pivot_ratio() : 0;
  return is_regular;
}

LoopRecursion::Corrections LoopRecursion::correct(const Node& x, bool with_places) {
  const std::size_t count = kept_.size();
  steps_.assign(2 * (count + 1), 0.0);
  for (std::size_t r = 0; r < count; ++r) {
    const auto at = static_cast<std::size_t>(kept_[r]);
    steps_[2 * r] = cuts_.rows()[at].value / sizes_[at];
    steps_[2 * r + 1] = cuts_.rows()[at].rate / sizes_[at];
  }
  closing_->solve(steps_.data(), 2);
  Corrections out;
  const auto add = [](double step, double& size) {
    size = std::abs(step) < 1e300 ? std::max(size, std::abs(step)) : std::numeric_limits<double>::infinity();
  };
  for (std::size_t r = 0; r < count; ++r) {
    const int i = columns_[dependent_[r]].coordinate;
    if (with_places) x.q[i] -= steps_[2 * r];
    x.v[i] -= steps_[2 * r + 1];
    add(steps_[2 * r], out.of_places);
    add(steps_[2 * r + 1], out.of_rates);
  }
  return out;
}

bool LoopRecursion::hold_left_out(double reach, double speed) const {
  constexpr double allowed = 1e-8;  // as ReducedNode has it
  for (const int r : left_out_) {
    const Cuts::Row& row = cuts_.rows()[static_cast<std::size_t>(r)];
    const double size =
        Eigen::Map<const Eigen::VectorXd>(row.slopes.data(), static_cast<Eigen::Index>(row.slopes.size())).norm();
    if (!(std::abs(row.value) <= allowed * size * std::max(1.0, reach) &&
          std::abs(row.rate) <= allowed * size * std::max(1.0, speed))) {
      return false;
    }
  }
  return true;
}

bool LoopRecursion::close(const Node& x) {
  constexpr int most_iterations = 25;
  constexpr double rounding = 1e-16, least_size = 1e-3;  // m, as ReducedNode has it
  constexpr double near = 1e-4;                          // of the size: what one matrix serves for
  const bool is_open = !kept_.empty();
  double before = 0;
  bool keeps = false;  // the matrix of the iteration before
  for (int iteration = 1; is_open; ++iteration) {
    if (!tree().complete(x)) return false;
    if (keeps ? !cuts_.evaluate(x, *data_) : !(look(x) && factor())) return false;
    const double correction = correct(x, true).of_places;
    if (iteration == most_iterations || !std::isfinite(correction)) return false;
    const double size = largest(x.q, n());
    if (correction <= 4 * rounding * size) break;
    const double ratio = correction / before;
    // Newton's method squares what is left; by a matrix that is kept that shrinks by twice this ratio, at least.
    const double left = (keeps ? 4 : ratio) * ratio * correction;
    if (iteration > 1 && left <= rounding * size) break;
    if (iteration > 2 && ratio > 0.5 && correction <= 1e-10 * std::max(size, least_size)) break;
    before = correction;
    keeps = iteration == 1 && correction <= near * size;
  }
  if (!tree().complete(x) || !cuts_.evaluate(x, *data_)) return false;
  // What the last places left of the velocities.
  constexpr int most_of_rates = 3;
  for (int iteration = 1; is_open; ++iteration) {
    const double correction = correct(x, false).of_rates;
    if (!tree().complete(x) || !cuts_.evaluate(x, *data_)) return false;
    if (correction <= 1e-9 * largest(x.v, n()) || iteration == most_of_rates) break;
  }
  return cuts_.place_angles(x, *data_) && hold_left_out(largest(x.q, n()), largest(x.v, n()));
}

bool LoopRecursion::complete(const Node& x) {
  if (!is_set_) return false;
  q_.assign(x.q, x.q + n());
  v_.assign(x.v, x.v + n());
  if (close(x)) return true;
  std::copy(q_.begin(), q_.end(), x.q);
  std::copy(v_.begin(), v_.end(), x.v);
  return false;
}

}  // namespace perilune::formulation
