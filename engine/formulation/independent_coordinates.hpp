// Which coordinates a form in independent coordinates integrates: z = B q picks the independent ones, the constraints
// give the others,
//   Phi_u dq_u + Phi_v dz = 0,   dq_u = -G dz,   G = Phi_u^-1 Phi_v,
// with the columns of Phi_q split into dependent (u) and independent (v) ones.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

/// The independent coordinates for a constraint Jacobian, ascending, such that no entry of G is much larger than 1: no
/// dependent coordinate moves faster than an independent one that moves it. Empty where the rows are dependent.
std::optional<std::vector<int>> choose_independent(const linalg::SparsePattern& pattern, const double* jacobian);

/// The split of a system's coordinates for one choice. Immutable.
struct Partition {
  Partition(const system::System& system, const std::vector<int>& independent_coordinates);

  struct Entry {
    std::size_t from;  // in the order of the pattern of Phi_q
    int row, column;   // of Phi_v
  };
  std::vector<int> independent, dependent;             // coordinates, ascending
  std::vector<Entry> independent_entries;              // where Phi_v stands in Phi_q
  std::vector<std::pair<std::size_t, int>> to_factor;  // where Phi_u stands: in Phi_q, in the matrix to be factored
  std::shared_ptr<const linalg::MatrixLayout> layout;  // of Phi_u; null without constraints
};

}  // namespace perilune::formulation
