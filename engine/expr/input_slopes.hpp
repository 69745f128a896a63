// SPDX-License-Identifier: MIT
// Derivatives of all outputs of a tape by a few of its inputs, forward through what these reach: far less work than one
// reverse sweep for each output where that is a small part of the tape.
#pragma once
#include <vector>

#include "expr/tape.hpp"

namespace perilune::expr {

class InputSlopes {
 public:
  InputSlopes() = default;
  /// By these inputs of the tape, which has to be the one of every call.
  InputSlopes(const Tape& tape, const std::vector<int>& inputs);

  /// The inputs that reach some output. Derivatives stand in this order.
  const std::vector<int>& inputs() const { return inputs_; }
  /// Numbers of room that find() needs.
  std::size_t size() const { return rows_ * inputs_.size(); }
  /// From what tape.evaluate() left in `work`; the derivatives of output k stand at slopes(k, room), or nowhere (null)
  /// where it has none.
  void find(const Tape& tape, const double* work, double* room) const;
  const double* slopes(int k, const double* room) const {
    const std::size_t row = row_of_output_[static_cast<std::size_t>(k)];
    return row > 0 ? room + row * inputs_.size() : nullptr;
  }

 private:
  /// One instruction that has derivatives; rows of its operands, 0 where these have none.
  struct Step {
    std::size_t instruction;
    int slot;
    std::size_t a, b, c;
  };

  std::vector<int> inputs_;
  std::vector<Step> steps_;  // their rows stand behind those of the inputs, which stand behind one of zeros
  std::vector<std::size_t> row_of_output_;
  std::size_t rows_ = 0;
};

}  // namespace perilune::expr
