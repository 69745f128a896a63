// SPDX-License-Identifier: MIT
// Which coordinates a form in independent coordinates integrates: z = B q picks the independent ones, the constraints
// give the others,
//   Phi_u dq_u + Phi_v dz = 0,   dq_u = -G dz,   G = Phi_u^-1 Phi_v,
// with the columns of Phi_q split into dependent (u) and independent (v) ones. Redundant constraints hold by themselves
// where the others do: of each dependency one is left out, and its multiplier is zero.
//
// Constraints on velocities make more velocities dependent than positions: those of some coordinates, `rolling` here,
// follow from the others although their positions are integrated.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

/// Rows that follow from others, and how many of them are constraints on positions.
struct Redundant {
  int of_positions = 0, of_velocities = 0;
};

/// By what rows weigh where some are left out: Entries: the largest of each, as constraints have units of their own;
/// Given: they are comparable as they stand, so that one of small entries is nearly redundant itself.
enum class RowScale { Entries, Given };

/// The independent coordinates for a constraint Jacobian of m x n, ascending, such that no entry of G is much larger
/// than 1: no dependent coordinate moves faster than an independent one that moves it. They are followed by n + i for
/// each of the redundant rows i that are left out, and, where some rows are constraints on velocities, by n + m + i for
/// each rolling coordinate i. Empty where other rows are dependent too. Throws Error where
/// the matrix is too large: the elimination is dense.
std::optional<std::vector<int>> choose_independent(const linalg::SparsePattern& pattern, const double* jacobian,
                                                   const std::vector<int>& velocity_rows, Redundant redundant = {},
                                                   RowScale scale = RowScale::Entries);

/// How the columns of Phi_q are split, where only some rows count. Immutable.
struct Split {
  /// `left_out`: rows that are redundant, or do not count.
  Split(const linalg::SparsePattern& pattern, std::vector<int> independent, std::vector<int> left_out);

  struct Entry {
    std::size_t from;  // in the order of the pattern of Phi_q
    int row, column;   // of Phi_v
  };
  std::vector<int> independent, dependent;  // coordinates; the dependent ones ascending
  std::vector<int> left_out;                // rows
  std::vector<Entry> independent_entries;   // where Phi_v stands in Phi_q
  /// Phi_u as m x m matrix: its columns of dependent coordinates are followed by unit vectors, one for each row that is
  /// left out, which take up whatever such a row asks for.
  std::vector<std::pair<std::size_t, int>> to_factor;  // where it stands: in Phi_q, in the matrix to be factored
  std::vector<int> ones;                               // in the matrix to be factored
  std::shared_ptr<const linalg::MatrixLayout> layout;  // null without constraints
};

/// The split of a system's coordinates for one choice, that of its velocities. Immutable.
struct Partition : Split {
  /// `choice`: as choose_independent() gives it.
  Partition(const system::System& system, const std::vector<int>& choice);

  std::vector<int> choice;
  std::vector<int> rolling;  // coordinates, ascending
  /// Of its positions, where constraints on velocities do not count, and the independent coordinates are followed by
  /// the rolling ones. Null without such constraints.
  std::unique_ptr<const Split> of_positions;
};

}  // namespace perilune::formulation
