#include "formulation/independent_coordinates.hpp"

#include <algorithm>
#include <cmath>

namespace perilune::formulation {

namespace {

/// An m x n matrix that is eliminated in place: columns with a pivot become unit vectors, the others G.
class Elimination {
 public:
  Elimination(const linalg::SparsePattern& pattern, const double* values)
      : m_(static_cast<std::size_t>(pattern.rows())),
        n_(static_cast<std::size_t>(pattern.columns())),
        matrix_(m_ * n_, 0.0),
        has_pivot_(n_, 0),
        pivot_column_(m_) {
    pattern.for_each(
        [&](int i, int j) { matrix_[static_cast<std::size_t>(i) * n_ + static_cast<std::size_t>(j)] = *values++; });
    for (std::size_t i = 0; i < m_; ++i) scale_row(i);
  }

  /// Gives every row a pivot; false where one has nothing left.
  bool eliminate() {
    std::vector<char> is_done(m_, 0);
    for (std::size_t step = 0; step < m_; ++step) {
      Place best = largest([&](std::size_t i) { return !is_done[i]; });
      if (!(best.size > 1e-12)) return false;
      is_done[best.row] = 1;
      take_pivot(best);
    }
    return true;
  }

  /// Exchanges a dependent for an independent coordinate as long as that enlarges |det Phi_u| noticeably. The bound
  /// keeps exchanges few and rounding from undoing them; all entries of G end below it.
  void exchange() {
    constexpr double dominance = 1.1;
    for (std::size_t most = 10 * (m_ + n_); most > 0; --most) {
      const Place best = largest([](std::size_t) { return true; });
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

 private:
  struct Place {
    std::size_t row = 0, column = 0;
    double size = 0;
  };

  /// Largest entry outside the columns of pivots, of the rows that count.
  template <class Counts>
  Place largest(Counts&& counts) const {
    Place best;
    for (std::size_t i = 0; i < m_; ++i) {
      if (!counts(i)) continue;
      for (std::size_t j = 0; j < n_; ++j) {
        const double size = std::abs(matrix_[i * n_ + j]);
        if (size > best.size && !has_pivot_[j]) best = {i, j, size};
      }
    }
    return best;
  }

  /// Constraints have units of their own: none shall weigh more for that.
  void scale_row(std::size_t i) {
    double* row = matrix_.data() + i * n_;
    double size = 0;
    for (std::size_t j = 0; j < n_; ++j) size = std::max(size, std::abs(row[j]));
    for (std::size_t j = 0; j < n_ && size > 0; ++j) row[j] /= size;
  }

  void take_pivot(const Place& at) {
    double* own = matrix_.data() + at.row * n_;
    const double inverse = 1 / own[at.column];
    for (std::size_t j = 0; j < n_; ++j) own[j] *= inverse;
    own[at.column] = 1;
    for (std::size_t i = 0; i < m_; ++i) {
      double* row = matrix_.data() + i * n_;
      const double factor = row[at.column];
      if (i == at.row || factor == 0) continue;
      for (std::size_t j = 0; j < n_; ++j) row[j] -= factor * own[j];
      row[at.column] = 0;
    }
    has_pivot_[at.column] = 1;
    pivot_column_[at.row] = at.column;
  }

  std::size_t m_, n_;
  std::vector<double> matrix_;
  std::vector<char> has_pivot_;
  std::vector<std::size_t> pivot_column_;
};

}  // namespace

std::optional<std::vector<int>> choose_independent(const linalg::SparsePattern& pattern, const double* jacobian) {
  Elimination work(pattern, jacobian);
  if (!work.eliminate()) return std::nullopt;
  work.exchange();
  return work.columns_without_pivot();
}

Partition::Partition(const system::System& system, const std::vector<int>& independent_coordinates)
    : independent(independent_coordinates) {
  const int n = system.coordinate_count(), m = system.constraint_count();
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
  std::set<std::pair<int, int>> entries;
  auto for_each_dependent = [&](auto&& put) {
    std::size_t entry = 0;
    system.mn().for_each([&](int i, int j) {
      const int column = -2 - place[static_cast<std::size_t>(j)];
      if (column >= 0) put(entry, i, column);
      ++entry;
    });
  };
  for_each_dependent([&](std::size_t, int i, int j) { entries.emplace(i, j); });
  layout = std::make_shared<linalg::MatrixLayout>(linalg::SparsePattern(m, m, entries));
  for_each_dependent([&](std::size_t entry, int i, int j) { to_factor.emplace_back(entry, layout->slot(i, j)); });
  std::size_t entry = 0;
  system.mn().for_each([&](int i, int j) {
    const int column = place[static_cast<std::size_t>(j)];
    if (column >= 0) independent_entries.push_back({entry, i, column});
    ++entry;
  });
}

}  // namespace perilune::formulation
