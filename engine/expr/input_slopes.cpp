// SPDX-License-Identifier: MIT
#include "expr/input_slopes.hpp"

#include <algorithm>

namespace perilune::expr {

InputSlopes::InputSlopes(const Tape& tape, const std::vector<int>& inputs) {
  for (const int i : inputs) {
    const std::vector<char> reached = tape.reached_by({i});
    if (std::find(reached.begin(), reached.end(), 1) != reached.end()) inputs_.push_back(i);
  }
  std::vector<std::size_t> row(static_cast<std::size_t>(tape.size()), 0);
  const auto of = [&](int slot) -> std::size_t& { return row[static_cast<std::size_t>(slot)]; };
  rows_ = 1;
  for (const int i : inputs_) of(i) = rows_++;
  int slot = tape.first_result_;
  for (std::size_t k = 0; k < tape.code_.size(); ++k, ++slot) {
    const Tape::Instruction& i = tape.code_[k];
    const bool has_b = Tape::is_binary(i.op), has_c = i.op == Op::Where;
    const Step step{k, slot, of(i.a), has_b ? of(i.b) : 0, has_c ? of(i.c) : 0};
    const bool is_chosen_alone = has_c;  // the condition itself has no part in derivatives
    if (Tape::is_flat(i.op) || ((is_chosen_alone || step.a == 0) && step.b == 0 && step.c == 0)) continue;
    of(slot) = rows_++;
    steps_.push_back(step);
  }
  for (int k = 0; k < tape.output_count(); ++k) row_of_output_.push_back(of(tape.output_slot(k)));
}

void InputSlopes::find(const Tape& tape, const double* work, double* room) const {
  const std::size_t count = inputs_.size();
  std::fill_n(room, (1 + count) * count, 0.0);
  for (std::size_t j = 0; j < count; ++j) room[(1 + j) * count + j] = 1;
  double* out = room + (1 + count) * count;
  for (const Step& step : steps_) {
    const Tape::Instruction& i = tape.code_[step.instruction];
    const double *a = room + step.a * count, *b = room + step.b * count;
    if (i.op == Op::Where) {
      std::copy_n(work[i.a] != 0 ? b : room + step.c * count, count, out);
    } else if (Tape::is_sum(i.op)) {
      const double sign = i.op == Op::Add ? 1 : -1;
      for (std::size_t j = 0; j < count; ++j) out[j] = a[j] + sign * b[j];
    } else {
      const Partials<double> p = partials(i.op, work[i.a], work[i.b], work[step.slot], i.exponent, &tape.tables_);
      if (Tape::is_choice(i.op)) {
        std::copy_n(is_zero(p.a) ? b : a, count, out);
      } else if (step.b == 0) {
        for (std::size_t j = 0; j < count; ++j) out[j] = p.a * a[j];
      } else if (step.a == 0) {
        for (std::size_t j = 0; j < count; ++j) out[j] = p.b * b[j];
      } else {
        for (std::size_t j = 0; j < count; ++j) out[j] = p.a * a[j] + p.b * b[j];
      }
    }
    out += count;
  }
}

}  // namespace perilune::expr
