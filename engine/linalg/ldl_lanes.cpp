// SPDX-License-Identifier: MIT
#include "linalg/ldl_lanes.hpp"

#include <algorithm>
#include <cstdint>

namespace perilune::linalg {

namespace {

using expr::in_registers;

constexpr int L = expr::lane_count;

}  // namespace

LdlLanes::LdlLanes(const SmallLdl& method, const std::vector<int>& row_of)
    : method_(method), work_(method.work_.size()), factor_(method.factor_.size() - 1) {
  const auto row = [&](int slot) { return row_of[static_cast<std::size_t>(slot)]; };
  for (const SmallLdl::Load& each : method.load_) load_.push_back({row(each.from), each.to});
  for (const int slot : method.dormant_) dormant_.push_back(row(slot));
}

struct LdlLanes::Factor {
  template <class V>
  [[gnu::always_inline]] static void run(LdlLanes* const& own, const double* const& matrix, Lanes* const& good) {
    for (int lane = 0; lane < L; lane += V::size) eliminate<V>(*own, matrix + lane, lane);
    check(*own, matrix, *good);
  }

  template <class V>
  [[gnu::always_inline]] static void eliminate(LdlLanes& own, const double* matrix, int lane) {
    const SmallLdl& method = own.method_;
    const int n = method.n_;
    double *const w = own.work_.row(0) + lane, *const factor = own.factor_.row(0) + lane, *const lower = factor + n * L;
    for (std::size_t i = 0; i < method.work_.size(); ++i) V(0.0).store(w + i * L);
    for (const SmallLdl::Load& each : own.load_) V::at(matrix + each.from * L).store(w + each.to * L);
    const int *column = method.column_.data(), *first = method.first_operation_.data();
    const SmallLdl::Operation *o = method.operations_.data(), *const begin = o;
    for (int k = 0; k < n; ++k) {
      const V inverse = V(1.0) / V::at(w + k * L);
      inverse.store(factor + k * L);
      for (int e = column[k]; e < column[k + 1]; ++e) (V::at(w + (n + e) * L) * inverse).store(lower + e * L);
      for (const SmallLdl::Operation* end = begin + first[k + 1]; o != end; ++o) {
        double* to = w + o->target * L;
        (V::at(to) - V::at(lower + o->left * L) * V::at(w + o->right * L)).store(to);
      }
    }
  }

  /// The pivots stand where they were found. In loops over all lanes and without branches, which the compiler makes for
  /// registers, as it does not with comparisons of these.
  [[gnu::always_inline]] static void check(const LdlLanes& own, const double* matrix, Lanes& good) {
    double is_good[L], largest[2][L] = {}, smallest[2][L];  // positive and negative pivots
    for (int i = 0; i < L; ++i) {
      is_good[i] = 1;
      smallest[0][i] = smallest[1][i] = INFINITY;
    }
    for (const int row : own.dormant_) {
      const double* x = matrix + row * L;
      for (int i = 0; i < L; ++i) is_good[i] = x[i] == 0 ? is_good[i] : 0;
    }
    for (int k = 0; k < own.method_.n_; ++k) {
      const double* pivot = own.work_.row(static_cast<std::size_t>(k));
      for (int i = 0; i < L; ++i) {
        const double size = std::abs(pivot[i]);
        const bool is_negative = pivot[i] < 0;
        const double positive = is_negative ? 0 : size, negative = is_negative ? size : 0;
        const double least_positive = is_negative ? INFINITY : size, least_negative = is_negative ? size : INFINITY;
        is_good[i] = size > 0 ? is_good[i] : 0;
        largest[0][i] = largest[0][i] < positive ? positive : largest[0][i];
        largest[1][i] = largest[1][i] < negative ? negative : largest[1][i];
        smallest[0][i] = least_positive < smallest[0][i] ? least_positive : smallest[0][i];
        smallest[1][i] = least_negative < smallest[1][i] ? least_negative : smallest[1][i];
      }
    }
    for (int i = 0; i < L; ++i) {
      good[static_cast<std::size_t>(i)] = is_good[i] != 0 && smallest[0][i] > SmallLdl::weakest_pivot * largest[0][i] &&
                                          smallest[1][i] > SmallLdl::weakest_pivot * largest[1][i];
    }
  }
};

LdlLanes::Lanes LdlLanes::factor(expr::Registers registers, const expr::LaneArray& matrix) {
  Lanes good{};
  in_registers<Factor>(registers, this, matrix.row(0), &good);
  return good;
}

struct LdlLanes::Solve {
  template <class V>
  [[gnu::always_inline]] static void run(const LdlLanes* const& own, double* const& b) {
    for (int lane = 0; lane < L; lane += V::size) substitute<V>(*own, b + lane, lane);
  }

  template <class V>
  [[gnu::always_inline]] static void substitute(const LdlLanes& own, double* b, int lane) {
    const SmallLdl& method = own.method_;
    const int n = method.n_, *order = method.order_.data(), *column = method.column_.data(), *row = method.row_.data();
    const SmallLdl::RowEntry *entry = method.rows_.data(), *end = entry;
    const double *inverse = own.factor_.row(0) + lane, *lower = inverse + n * L;
    for (int k = 0; k < n; ++k) {
      double* at = b + order[k] * L;
      V x = V::at(at);
      for (end += method.row_length_[static_cast<std::size_t>(k)]; entry != end; ++entry) {
        x -= V::at(lower + entry->number * L) * V::at(b + entry->column * L);
      }
      x.store(at);
    }
    for (int k = n - 1; k >= 0; --k) {
      double* at = b + order[k] * L;
      V x = V::at(at) * V::at(inverse + k * L);
      for (int e = column[k + 1] - 1; e >= column[k]; --e) x -= V::at(lower + e * L) * V::at(b + row[e] * L);
      x.store(at);
    }
  }
};

void LdlLanes::solve(expr::Registers registers, double* b) const { in_registers<Solve>(registers, this, b); }

}  // namespace perilune::linalg
