// SPDX-License-Identifier: MIT
// What the units of parameters and signals say of the expressions that they are in.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <unordered_map>

#include "model/model.hpp"

namespace perilune::model {

/// Powers of kg, m, s, A, K, as in UnitInSi, as far as they are known: a number may have any unit, so of what one
/// multiplies they are open.
struct Dimension {
  enum class Kind { Open, Known, Impossible };
  Kind kind = Kind::Open;
  std::array<double, 5> powers = {};  // of Known
  std::string why;                    // of Impossible: "m and rad are added"

  bool fits(const std::array<double, 5>& other) const;
};

/// Those of sums, products, quotients and powers of what has units, and of angles from arc functions. Sines, cosines
/// and their like are open as numbers are, since they often stand for lengths whose radius of 1 is not written.
class Dimensions {
 public:
  /// `known`: of expressions that have a unit as they stand, beside parameters. No more than `most` operations are
  /// read: in what is longer there are numbers, by far most often.
  explicit Dimensions(const Model& model, std::unordered_map<NodeId, Dimension> known = {}, int most = 200)
      : model_(model), found_(std::move(known)), left_(most) {}

  Dimension of(NodeId id);

 private:
  Dimension read(NodeId id);
  Dimension of_variable(NodeId id) const;
  Dimension of_sum(const Dimension& a, const Dimension& b, const char* what) const;
  Dimension of_product(const Dimension& a, const Dimension& b, double power) const;

  const Model& model_;
  std::unordered_map<NodeId, Dimension> found_;
  int left_;
};

/// What the name of a unit says; open where it is not known.
Dimension dimension_of_unit(const std::string& unit);
/// As a unit in SI: "N", "m^2", "kg/s".
std::string text_of(const Dimension& dimension);

}  // namespace perilune::model
