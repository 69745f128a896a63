// SPDX-License-Identifier: MIT
// Measure::evaluate at points of several motions at once, one in each lane: with the bits that it has for each alone.
#pragma once
#include <cstddef>
#include <vector>

#include "expr/pack.hpp"
#include "expr/wide.hpp"
#include "system/measure.hpp"

namespace perilune::system {

class MeasureLanes {
 public:
  /// The measure has to live as long.
  explicit MeasureLanes(const Measure& measure);

  /// What one lane reads of these until it is set again.
  void set_data(std::size_t lane, const double* parameters, const double* sides);
  /// Rows of lanes: a number of each motion, side by side.
  struct Rows {
    const double *t, *q, *v, *a, *lambda;
  };
  /// The first output of all lanes, a row.
  void evaluate(const Rows& at, double* out);

 private:
  using Pack = expr::Pack<expr::lane_count>;
  /// Where an input comes from; Nowhere: it stays as it is.
  enum class Source { Nowhere, Motion, Data };
  static Source source_of(const Measure::Input& input);
  struct Moving {
    int slot;
    expr::Quantity quantity;
    int index;
  };
  const Measure& measure_;
  std::vector<Moving> moving_;
  std::vector<int> data_;  // slots
  std::vector<Pack> work_;
};

}  // namespace perilune::system
