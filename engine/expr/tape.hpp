// SPDX-License-Identifier: MIT
// A flat program for a set of graph nodes: value, forward, reverse, and (through Dual scalars) forward over reverse.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "expr/operations.hpp"

namespace perilune::expr {

/// Slots of a work array: [inputs | constants | one per instruction]. The tape itself is immutable and may be shared
/// between threads; every caller brings its own work arrays of size() scalars.
class Tape {
 public:
  Tape() = default;
  /// `inputs` are variable nodes in the caller's order; a variable that `outputs` need and `inputs` lack is an Error.
  Tape(const Graph& graph, std::vector<NodeId> inputs, const std::vector<NodeId>& outputs);

  int input_count() const { return static_cast<int>(inputs_.size()); }
  int output_count() const { return static_cast<int>(outputs_.size()); }
  int size() const { return size_; }
  int operation_count() const { return static_cast<int>(code_.size()); }
  const std::vector<NodeId>& inputs() const { return inputs_; }
  /// Slot of output k.
  int output_slot(int k) const { return outputs_[static_cast<std::size_t>(k)]; }
  /// Whether output k depends on input i. Walks the tape: not for inner loops.
  bool depends(int k, int i) const;

  /// Whether each output depends on any of these inputs.
  std::vector<char> reached_by(const std::vector<int>& inputs) const;

  /// One for each output: equal where the same is done with the same constants, tables and inputs. `inputs`: what each
  /// of these is told apart by. What else is in the graph, and in which order, changes nothing.
  std::vector<std::uint64_t> fingerprints(const std::vector<std::uint64_t>& inputs) const;

  bool is_constant_output(int k) const { return output_slot(k) >= input_count() && output_slot(k) < first_result_; }

  template <class T>
  void load_constants(T* work) const {
    std::copy(constants_.begin(), constants_.end(), work + input_count());
  }
  /// A work array with the constants in place.
  template <class T>
  std::vector<T> make_work() const {
    std::vector<T> work(static_cast<std::size_t>(size_), T(0.0));
    load_constants(work.data());
    return work;
  }

  /// Fills the instruction slots from the input slots work[0 .. input_count()).
  template <class T>
  void evaluate(T* work) const {
    T* out = work + first_result_;
    const Operands* in = operands_.data();
    for (const Group& group : groups_) {
      // What most instructions are has loops without anything to decide.
      switch (group.op) {
        case Op::Mul:
          for (int k = 0; k < group.count; ++k, ++in) *out++ = work[in->a] * work[in->b];
          break;
        case Op::Add:
          for (int k = 0; k < group.count; ++k, ++in) *out++ = work[in->a] + work[in->b];
          break;
        case Op::Sub:
          for (int k = 0; k < group.count; ++k, ++in) *out++ = work[in->a] - work[in->b];
          break;
        case Op::Neg:
          for (int k = 0; k < group.count; ++k, ++in) *out++ = -work[in->a];
          break;
        case Op::Div:
          for (int k = 0; k < group.count; ++k, ++in) *out++ = work[in->a] / work[in->b];
          break;
        default:
          for (int k = 0; k < group.count; ++k, ++in) {
            const Instruction& i = code_[static_cast<std::size_t>(in - operands_.data())];
            *out++ = apply(i.op, work[i.a], work[i.b], work[i.c], i.exponent, &tables_);
          }
      }
    }
  }

  /// Forward mode: tangents of the inputs stand in tangent[0 .. input_count()), those of all slots are filled in.
  template <class T>
  void tangent(const T* work, T* tangent) const {
    std::fill(tangent + input_count(), tangent + first_result_, T(0.0));
    int slot = first_result_;
    for (const Instruction& i : code_) {
      tangent[slot] = tangent_of(i, work, slot, tangent, &tables_);
      ++slot;
    }
  }

  /// Reverse mode: `adjoint` (size() scalars) holds the seeds in the output slots and zeros elsewhere; afterwards
  /// adjoint[0 .. input_count()) holds the gradient.
  template <class T>
  void reverse(const T* work, T* adjoint) const {
    int slot = size_;
    for (auto i = code_.rbegin(); i != code_.rend(); ++i) {
      --slot;
      const T seed = adjoint[slot];
      if (i->optional && is_zero(seed)) continue;
      if (i->in_a >= 0) {
        adjoint[i->a] += work[i->in_a] * seed;
        adjoint[i->b] += work[i->in_b] * seed;
        continue;
      }
      const Partials<T> p = partials(i->op, work[i->a], work[i->b], work[slot], i->exponent, &tables_);
      adjoint[i->a] += p.a * seed;
      if (is_binary(i->op)) adjoint[i->b] += p.b * seed;
      if (i->op == Op::Where) adjoint[i->c] += p.c * seed;
    }
  }

  /// The outputs as nodes of another graph, with these nodes in place of the inputs.
  std::vector<NodeId> replay(Graph& graph, const std::vector<NodeId>& inputs) const;

  /// "line: formula" of the first operation that matters to the outputs and made a non-finite number out of finite
  /// ones, or the first non-finite variable or constant that an output reads; empty if all outputs are finite.
  std::string first_failure(const Graph& graph, const double* work) const;

 private:
  friend class InputSlopes;
  struct Instruction {
    Op op;
    int a, b, c;      // slots; unused ones repeat a, so that every read is in range
    double exponent;  // of PowConstant; number of a Table or a Surface
    NodeId node;
    // Slots that hold the partial derivatives of sums, differences and products, which are most of what users write:
    // the reverse sweep of these has no branches that the processor could guess wrong. -1 for other operations.
    int in_a = -1, in_b = -1;
    bool optional = false;  // used only through choices and comparisons: without effect unless it is chosen
  };
  struct Operands {
    int a, b;
  };
  /// Instructions of one operation behind each other.
  struct Group {
    Op op;
    int count;
  };
  void make_groups();
  static bool is_choice(Op op) { return op == Op::Where || op == Op::Min || op == Op::Max; }
  static bool is_sum(Op op) { return op == Op::Add || op == Op::Sub; }
  static bool is_flat(Op op) { return op == Op::Sign || op == Op::Less || op == Op::LessEqual; }
  void mark_optional();
  void mark_bilinear(int one);

  template <class T>
  static T tangent_of(const Instruction& i, const T* work, int slot, const T* tangent, const Tables* tables) {
    if (is_flat(i.op)) return T(0.0);
    if (i.op == Op::Where) return tangent[real_part(work[i.a]) != 0 ? i.b : i.c];
    const Partials<T> p = partials(i.op, work[i.a], work[i.b], work[slot], i.exponent, tables);
    if (is_choice(i.op)) return tangent[is_zero(p.a) ? i.b : i.a];
    T sum = p.a * tangent[i.a];
    if (is_binary(i.op)) sum += p.b * tangent[i.b];
    return sum;
  }
  static bool is_binary(Op op) { return op >= Op::Add; }

  std::vector<NodeId> inputs_;
  Tables tables_;  // those of the graph
  std::vector<double> constants_;
  std::vector<Instruction> code_;
  std::vector<Operands> operands_;  // of code_, which evaluate reads instead
  std::vector<Group> groups_;       // of code_
  std::vector<int> outputs_;
  int first_result_ = 0, size_ = 0;
};

}  // namespace perilune::expr
