// SPDX-License-Identifier: MIT
// What a factorization L D L^T of a symmetric sparse matrix does, for all matrices of one pattern: the order of
// elimination, and the dense blocks ("fronts") that it works on, as in the multifrontal method (Duff, Reid 1983).
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "linalg/sparse_pattern.hpp"

namespace perilune::linalg {

/// An entry of the lower triangle, and where it stands in the value array.
struct LowerEntry {
  int row, column, slot;
};

/// What is known of the matrices beside their pattern. It only ever grows.
struct LdlKnowledge {
  std::vector<char> counts;  // by entry: it is part of the pattern. The others have been zero so far
  std::vector<int> joined;   // constraints whose square is added to what they constrain, see LdlPlan::Square
  // Constraints that wait for all coordinates that they touch, and coordinates that wait for all their constraints.
  std::vector<int> patient;
};

struct LdlPlan {
  /// A square with rows at `length` numbers from each other, upper triangle by rows, and one row of magnitudes below.
  /// Its first `width` unknowns are eliminated in it; what is left is added to the front of its parent.
  struct Front {
    int first;                   // place of its first unknown in the order; the others follow
    int width, height;           // unknowns eliminated, and all
    int length;                  // height, rounded up to whole lanes
    std::size_t rows;            // in `rows`: places of its unknowns, ascending
    std::size_t in_parent;       // in `in_parent`: where in the parent's front the unknowns stand that are left over
    std::size_t memory;          // where it stands while it is needed
    std::size_t factor;          // where its rows of the factor stand, width times length numbers
    int first_load, end_load;    // in `loads`
    int first_extra, end_extra;  // in `extras`
    int first_child, end_child;  // in `children`
  };
  struct Load {
    int slot, to;
    int row, column;  // places in the order
  };
  /// A constraint whose row touches a few coordinates and no other multiplier. The mass matrix may be singular where it
  /// holds (Euler parameters), so that the coordinates have no pivots before its multiplier comes; but they have with
  /// the congruence T A T^T, where T adds s times the constraint's row, times its entry at a coordinate, to that one's:
  ///   [M J^T; J -k]  ->  [M + (2 s - s^2 k) J^T J   (1 - s k) J^T;  J (1 - s k)  -k].
  struct Square {
    static constexpr int most = 8;  // coordinates
    int constraint, count;
    int diagonal;                                 // slot of -k
    std::array<int, most> coordinate, slot, own;  // unknowns, slots of J and of the diagonal of M
  };
  /// A term of such a congruence: (2 s - s^2 k) J_a J_b, or - s k J_a where `b` is -1.
  struct Extra {
    int square, a, b, to;
  };

  LdlPlan(int n, const std::vector<LowerEntry>& entries, const LdlKnowledge& knowledge, const double* values);

  int size() const { return static_cast<int>(order.size()); }

  std::vector<int> order;  // unknowns in the order of their elimination
  std::vector<char> is_constraint;
  std::vector<Front> fronts;  // children before parents
  std::vector<int> rows, in_parent, children;
  std::vector<Load> loads;
  std::vector<Square> squares;
  std::vector<Extra> extras;
  std::size_t memory = 0, factor = 0;  // numbers needed
  int longest = 0;                     // of the fronts' rows
  double operations = 0;
  double usual_mass = 1;  // on the diagonal, for squares of coordinates that have none

 private:
  struct Graph;
  void find_squares(const std::vector<LowerEntry>& entries, const LdlKnowledge& knowledge, const Graph& graph);
  void choose_order(const Graph& graph, const std::vector<int>& patient);
  void build_fronts(const Graph& graph);
  void place_fronts(const std::vector<int>& parent);
  void list_loads(const std::vector<LowerEntry>& entries, const LdlKnowledge& knowledge);
};

}  // namespace perilune::linalg
