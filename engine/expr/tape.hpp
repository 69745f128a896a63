// A flat program for a set of graph nodes: value, forward, reverse, and (through Dual scalars) forward over reverse.
#pragma once
#include <algorithm>
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
  /// Whether output k depends on input i.
  bool depends(int k, int i) const { return dependency_[static_cast<std::size_t>(k * input_count() + i)] != 0; }

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
    for (const Instruction& i : code_) {
      *out++ = apply(i.op, work[i.a], work[i.b], work[i.c], i.exponent);
    }
  }

  /// Forward mode: tangents of the inputs stand in tangent[0 .. input_count()), those of all slots are filled in.
  template <class T>
  void tangent(const T* work, T* tangent) const {
    std::fill(tangent + input_count(), tangent + first_result_, T(0.0));
    int slot = first_result_;
    for (const Instruction& i : code_) {
      const Partials<T> p = partials(i.op, work[i.a], work[i.b], work[slot], i.exponent);
      T sum = p.a * tangent[i.a];
      if (is_binary(i.op)) sum += p.b * tangent[i.b];
      if (i.op == Op::Where) sum += p.c * tangent[i.c];
      tangent[slot++] = sum;
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
      const Partials<T> p = partials(i->op, work[i->a], work[i->b], work[slot], i->exponent);
      adjoint[i->a] += p.a * seed;
      if (is_binary(i->op)) adjoint[i->b] += p.b * seed;
      if (i->op == Op::Where) adjoint[i->c] += p.c * seed;
    }
  }

  /// "line: formula" of the first operation that made a non-finite number out of finite ones; empty if there is none.
  std::string first_failure(const Graph& graph, const double* work) const;

 private:
  struct Instruction {
    Op op;
    int a, b, c;  // slots; unused ones repeat a, so that every read is in range
    double exponent;
    NodeId node;
  };
  static bool is_binary(Op op) { return op >= Op::Add; }

  std::vector<NodeId> inputs_;
  std::vector<double> constants_;
  std::vector<Instruction> code_;
  std::vector<int> outputs_;
  std::vector<char> dependency_;
  int first_result_ = 0, size_ = 0;
};

}  // namespace perilune::expr
