// SPDX-License-Identifier: MIT
#include "formulation/reduced/independent_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>

#include "error.hpp"

namespace perilune::formulation {

namespace {

/// An m x n matrix that is eliminated in place: columns with a pivot become unit vectors, the others G.
class Elimination {
 public:
  /// `without`: columns that count as zero, ascending.
  Elimination(const linalg::SparsePattern& pattern, const double* values, RowScale scale,
              const std::vector<int>& without = {})
      : m_(static_cast<std::size_t>(pattern.rows())),
        n_(static_cast<std::size_t>(pattern.columns())),
        matrix_(m_ * n_, 0.0),
        has_pivot_(n_, 0),
        is_done_(m_, 0),
        pivot_column_(m_),
        largest_(m_) {
    pattern.for_each([&](int i, int j) {
      const double value = *values++;
      if (std::binary_search(without.begin(), without.end(), j)) return;
      matrix_[static_cast<std::size_t>(i) * n_ + static_cast<std::size_t>(j)] = value;
    });
    for (std::size_t i = 0; i < m_; ++i) {
      if (scale == RowScale::Entries) scale_row(i);
      find_largest(i);
    }
  }

  /// Gives these rows but `redundant` ones a pivot; false where fewer have something left.
  bool eliminate(const std::vector<int>& rows, int redundant) {
    for (auto step = static_cast<std::size_t>(redundant); step < rows.size(); ++step) {
      const Place best = largest(false, rows);
      if (!(best.size > 1e-12)) return false;
      is_done_[best.row] = 1;
      take_pivot(best);
      check_interrupt();
    }
    return true;
  }

  /// Exchanges a dependent for an independent coordinate as long as that enlarges |det Phi_u| noticeably. The bound
  /// keeps exchanges few and rounding from undoing them; all entries of G end below it.
  void exchange() {
    std::vector<int> all(m_);
    std::iota(all.begin(), all.end(), 0);
    constexpr double dominance = 1.1;
    for (std::size_t most = 10 * (m_ + n_); most > 0; --most) {
      const Place best = largest(true, all);
      if (!(best.size > dominance)) return;
      has_pivot_[pivot_column_[best.row]] = 0;
      take_pivot(best);
    }
  }

  std::vector<int> columns_without_pivot() const {
    std::vector<int> columns;
    for (std::size_t j = 0; j < n_; ++j) {
      if (!has_pivot_[j]) columns.push_back(static_cast<int>(j));
    }
    return columns;
  }
  std::vector<int> rows_without_pivot() const {
    std::vector<int> rows;
    for (std::size_t i = 0; i < m_; ++i) {
      if (!is_done_[i]) rows.push_back(static_cast<int>(i));
    }
    return rows;
  }

 private:
  struct Place {
    std::size_t row = 0, column = 0;
    double size = 0;
  };

  /// Largest entry outside the columns of pivots, of those of `rows` that have one or not.
  Place largest(bool is_done, const std::vector<int>& rows) const {
    Place best;
    for (const int row : rows) {
      const auto i = static_cast<std::size_t>(row);
      if (static_cast<bool>(is_done_[i]) == is_done && largest_[i].size > best.size) best = largest_[i];
    }
    return best;
  }
  void find_largest(std::size_t i) {
    largest_[i] = {i, 0, 0};
    for (std::size_t j = 0; j < n_; ++j) {
      const double size = std::abs(matrix_[i * n_ + j]);
      if (size > largest_[i].size && !has_pivot_[j]) largest_[i] = {i, j, size};
    }
  }

  /// Constraints have units of their own: none shall weigh more for that.
  void scale_row(std::size_t i) {
    double* row = matrix_.data() + i * n_;
    double size = 0;
    for (std::size_t j = 0; j < n_; ++j) size = std::max(size, std::abs(row[j]));
    for (std::size_t j = 0; j < n_ && size > 0; ++j) row[j] /= size;
  }

  void take_pivot(const Place at) {
    double* own = matrix_.data() + at.row * n_;
    const double inverse = 1 / own[at.column];
    has_pivot_[at.column] = 1;
    pivot_column_[at.row] = at.column;
    for (std::size_t j = 0; j < n_; ++j) own[j] *= inverse;
    own[at.column] = 1;
    find_largest(at.row);
    for (std::size_t i = 0; i < m_; ++i) {
      double* row = matrix_.data() + i * n_;
      const double factor = row[at.column];
      if (i == at.row || factor == 0) continue;
      for (std::size_t j = 0; j < n_; ++j) row[j] -= factor * own[j];
      row[at.column] = 0;
      find_largest(i);
    }
  }

  std::size_t m_, n_;
  std::vector<double> matrix_;
  std::vector<char> has_pivot_, is_done_;  // of columns, of rows
  std::vector<std::size_t> pivot_column_;
  std::vector<Place> largest_;  // of each row, outside the columns of pivots
};

}  // namespace

std::optional<std::vector<int>> choose_independent(const linalg::SparsePattern& pattern, const double* jacobian,
                                                   const std::vector<int>& velocity_rows, Redundant redundant,
                                                   RowScale scale) {
  const double rows = pattern.rows(), columns = pattern.columns();
  constexpr double bearable = 4e10;  // operations: about half a minute
  if (rows * rows * columns > bearable) {
    throw Error("independent coordinates are chosen by dense elimination, which would take very long for " +
                std::to_string(pattern.rows()) + " constraints of " + std::to_string(pattern.columns()) +
                " coordinates; use a formulation in all coordinates, such as mbs.augmented_lagrangian");
  }
  std::vector<int> position_rows(static_cast<std::size_t>(pattern.rows()));
  std::iota(position_rows.begin(), position_rows.end(), 0);
  std::erase_if(position_rows,
                [&](int row) { return std::binary_search(velocity_rows.begin(), velocity_rows.end(), row); });
  Elimination work(pattern, jacobian, scale);
  // Positions first: what is left out of them follows from positions alone.
  if (!work.eliminate(position_rows, redundant.of_positions) ||
      !work.eliminate(velocity_rows, redundant.of_velocities)) {
    return std::nullopt;
  }
  work.exchange();
  const std::vector<int> independent = work.columns_without_pivot();
  std::vector<int> choice = independent;
  for (const int row : work.rows_without_pivot()) choice.push_back(pattern.columns() + row);
  if (velocity_rows.empty()) return choice;
  // Among the dependent coordinates, those that the constraints on positions make so; the others roll.
  Elimination of_positions(pattern, jacobian, scale, independent);
  if (!of_positions.eliminate(position_rows, redundant.of_positions)) return std::nullopt;
  of_positions.exchange();
  const std::vector<int> free = of_positions.columns_without_pivot();
  std::vector<int> rolling;
  std::set_difference(free.begin(), free.end(), independent.begin(), independent.end(), std::back_inserter(rolling));
  for (const int i : rolling) choice.push_back(pattern.columns() + pattern.rows() + i);
  return choice;
}

namespace {

/// The numbers of a choice from `first` to before `last`, less `first`.
std::vector<int> numbers_between(const std::vector<int>& choice, int first, int last) {
  std::vector<int> out;
  for (const int i : choice) {
    if (i >= first && i < last) out.push_back(i - first);
  }
  return out;
}

}  // namespace

Split::Split(const linalg::SparsePattern& pattern, std::vector<int> chosen, std::vector<int> without)
    : independent(std::move(chosen)), left_out(std::move(without)) {
  const int n = pattern.columns(), m = pattern.rows();
  std::vector<int> place(static_cast<std::size_t>(n), -1);  // among the independent or, as -2 - i, the dependent ones
  for (std::size_t k = 0; k < independent.size(); ++k) {
    place[static_cast<std::size_t>(independent[k])] = static_cast<int>(k);
  }
  for (int i = 0; i < n; ++i) {
    int& own = place[static_cast<std::size_t>(i)];
    if (own >= 0) continue;
    own = -2 - static_cast<int>(dependent.size());
    dependent.push_back(i);
  }
  if (m == 0) return;
  linalg::Entries entries;
  auto for_each_dependent = [&](auto&& put) {
    std::size_t entry = 0;
    pattern.for_each([&](int i, int j) {
      const int own = -2 - place[static_cast<std::size_t>(j)];
      if (own >= 0) put(entry, i, own);
      ++entry;
    });
  };
  for_each_dependent([&](std::size_t, int i, int j) { entries.emplace(i, j); });
  int column = static_cast<int>(dependent.size());
  for (const int row : left_out) entries.emplace(row, column++);
  layout = std::make_shared<linalg::MatrixLayout>(linalg::SparsePattern(m, m, entries));
  for_each_dependent([&](std::size_t entry, int i, int j) { to_factor.emplace_back(entry, layout->slot(i, j)); });
  column = static_cast<int>(dependent.size());
  for (const int row : left_out) ones.push_back(layout->slot(row, column++));
  std::size_t entry = 0;
  pattern.for_each([&](int i, int j) {
    const int own = place[static_cast<std::size_t>(j)];
    if (own >= 0) independent_entries.push_back({entry, i, own});
    ++entry;
  });
}

Partition::Partition(const system::System& system, const std::vector<int>& chosen)
    : Split(system.mn(), numbers_between(chosen, 0, system.coordinate_count()),
            numbers_between(chosen, system.coordinate_count(), system.coordinate_count() + system.constraint_count())),
      choice(chosen) {
  const int n = system.coordinate_count(), m = system.constraint_count();
  rolling = numbers_between(chosen, n + m, 2 * n + m);
  if (!system.constrains_velocities()) return;
  std::vector<int> positions = independent, without = system.velocity_rows();
  positions.insert(positions.end(), rolling.begin(), rolling.end());
  for (const int row : left_out) {
    if (!system.is_velocity_row(row)) without.push_back(row);
  }
  of_positions = std::make_unique<const Split>(system.mn(), std::move(positions), std::move(without));
}

}  // namespace perilune::formulation
