// SPDX-License-Identifier: MIT
// What a factorization L D U of a sparse matrix does, for all matrices of one pattern: the order of elimination, and
// the dense blocks ("fronts") that it works on, as in the multifrontal method (Duff, Reid 1983).
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "linalg/sparse_pattern.hpp"

namespace perilune::linalg {

/// An entry, and where it stands in the value array.
struct MatrixEntry {
  int row, column, slot;
};

/// The entries that are part of a pattern, by rows of matrices that are symmetric those of the lower triangle alone,
/// and which unknowns are multipliers; empty: those behind the last with a positive entry on the diagonal.
struct FrontalPattern {
  int size;
  bool is_symmetric;
  std::vector<MatrixEntry> entries;
  std::vector<char> is_multiplier;
};

/// What is known of the matrices beside their pattern. It only ever grows.
struct FrontalKnowledge {
  std::vector<char> counts;  // by entry: it is part of the pattern. The others have been zero so far
  std::vector<int> joined;   // constraints whose square is added to what they constrain, see FrontalPlan::Square
  // Constraints that wait for all coordinates that they touch, and coordinates that wait for all their constraints.
  std::vector<int> patient;
  // Where all of that does not help, pivots of constraints that follow from others may be their compliance, of which
  // rounding leaves a few digits: solutions are corrected, and every factorization is tried.
  bool leans_on_compliance = false;
};

struct FrontalPlan {
  /// A square with rows at `length` numbers from each other, upper triangle by rows, and one row of magnitudes below;
  /// behind it the same of the transposed matrix, unless that is the same. Its first `width` unknowns are eliminated in
  /// it; what is left is added to the front of its parent.
  struct Front {
    int first;                   // place of its first unknown in the order; the others follow
    int width, height;           // unknowns eliminated, and all
    int length;                  // height, rounded up to whole lanes
    std::size_t rows;            // in `rows`: places of its unknowns, ascending
    std::size_t in_parent;       // in `in_parent`: where in the parent's front the unknowns stand that are left over
    std::size_t memory;          // where it stands while it is needed
    std::size_t factor;          // where its rows of L^T stand, width times length numbers, and then those of U
    int first_load, end_load;    // in `loads`
    int first_extra, end_extra;  // in `extras`
    int first_child, end_child;  // in `children`
  };
  struct Load {
    int slot, to;
    int row, column;  // places in the order
  };
  /// A constraint whose row j and column c touch a few coordinates and no other multiplier. The mass matrix may be
  /// singular where it holds (Euler parameters), so that the coordinates have no pivots before its multiplier comes;
  /// but they have in T A R, where T adds s c times the constraint's row to the rows of the coordinates, and R adds s j
  /// times its column to their columns:
  ///   [M c; j -k]  ->  [M + (2 s - s^2 k) c j   (1 - s k) c;  (1 - s k) j  -k].
  /// Coordinates that its row alone touches (those of other stages), or its column alone, are left to T, or R: there it
  /// is M + s c j, and j or c stays.
  struct Square {
    static constexpr int most = 8;  // coordinates that row and column touch
    int constraint, count;
    int diagonal;                                        // slot of -k
    std::array<int, most> coordinate, row, column, own;  // unknowns, slots of j, c and of the diagonal of M
  };
  /// What of a square is added to an entry: a factor, times c where there is a slot of it, times j likewise.
  struct Extra {
    enum Factor { Both, One, Border };  // 2 s - s^2 k, s, -s k
    int square;
    Factor factor;
    int of_column, of_row;  // slots, or -1
    int to;
  };

  FrontalPlan(const FrontalPattern& pattern, const FrontalKnowledge& knowledge, const double* values);

  int size() const { return static_cast<int>(order.size()); }
  /// Of the fronts' halves: 1 where the matrix is symmetric.
  int sides() const { return is_symmetric ? 1 : 2; }

  bool is_symmetric;
  std::vector<int> order;  // unknowns in the order of their elimination
  std::vector<char> is_constraint;
  std::vector<Front> fronts;  // children before parents
  std::vector<int> rows, in_parent, children;
  std::vector<std::vector<int>> touched;  // by unknown: whom its row and its column touch
  std::vector<Load> loads;
  std::vector<Square> squares;
  std::vector<Extra> extras;
  std::size_t memory = 0, factor = 0;  // numbers needed
  int longest = 0;                     // of the fronts' rows
  double operations = 0;
  double usual_mass = 1;  // on the diagonal, for squares of coordinates that have none

  struct Graph;

 private:
  /// As in the knowledge of matrices.
  struct Suspects {
    std::vector<int> joined, patient;
  };
  /// An extra, and the entry that it goes to, by unknowns.
  struct FoundExtra {
    Extra extra;
    int row, column;
  };
  void tell_multipliers(const FrontalPattern& pattern, const double* values);
  /// Adds constraints with a few coordinates which have next to no mass along it, and coordinates with next to none.
  void suspect(const FrontalPattern& pattern, const FrontalKnowledge& knowledge, const Graph& graph,
               const double* values, Suspects& suspects) const;
  /// Of these constraints; the extras are links of the graph, too.
  std::vector<FoundExtra> find_squares(const FrontalPattern& pattern, const FrontalKnowledge& knowledge, Graph& graph,
                                       const std::vector<int>& joined);
  void choose_order(const Graph& graph, const std::vector<int>& patient);
  void build_fronts(const Graph& graph);
  void place_fronts(const std::vector<int>& parent);
  void list_loads(const FrontalPattern& pattern, const FrontalKnowledge& knowledge, std::vector<FoundExtra> found);
};

}  // namespace perilune::linalg
