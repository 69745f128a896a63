// SPDX-License-Identifier: MIT
// Which steps of a run an audit looks into, where looking costs something: the first ones, and then fewer and fewer, up
// to one in 32, each of which stands for those that were passed over.
#pragma once
#include <algorithm>

namespace perilune::simulation {

class StepSample {
 public:
  enum class Kind {
    All,
    Usual,  // all of the first 31
    Sparse  // the first eight, then with gaps of a quarter of the steps so far
  };

  void set_kind(Kind kind) { kind_ = kind; }
  /// Before the step with this number, from 1, is attempted, again after a rejection, too. `all`: the step and the next
  /// are looked into anyway.
  void begin(long number, bool all) {
    const bool is_due = number == due_;
    takes_ = kind_ == Kind::All || all || is_due;
    takes_next_ = kind_ == Kind::All || all || number + 1 == (is_due ? due_ + gap(due_) : due_);
    const bool is_early = kind_ == Kind::Usual && number < most;
    stands_for_ = kind_ == Kind::All || is_early ? 1
                  : kind_ == Kind::Usual         ? most
                                                 : static_cast<double>(due_ - before_);
  }
  bool takes() const { return takes_; }
  bool takes_next() const { return takes_next_; }
  double stands_for() const { return stands_for_; }
  void accept(long number) {
    if (number != due_) return;
    before_ = due_;
    due_ += gap(due_);
  }

 private:
  static constexpr long most = 32;
  long gap(long number) const {
    if (kind_ == Kind::Usual) return number < most ? 1 : most;
    return std::clamp(number / 4, 1L, most);
  }

  Kind kind_ = Kind::All;
  bool takes_ = true, takes_next_ = true;
  double stands_for_ = 1;
  long due_ = 1, before_ = 0;
};

}  // namespace perilune::simulation
