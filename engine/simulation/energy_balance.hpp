// SPDX-License-Identifier: MIT
// Whether the energy of a run with constant steps is what the forces made of it. With the potential energy U that
// gravity, springs and contacts know of themselves, and the power P = v^T M a of all forces,
//   X(t) = (T + U)(t) - (T + U)(0) - integral of (P + U')
// is energy that nothing has put in or taken out. Forces with a potential have no share in the integral, whatever a
// step passes over; that of all others is summed up by the trapezoidal rule between mesh points. What the motion should
// have, T - X, can be at most what was there and was put in: by this X is measured, not by an energy that has blown up
// or vanished.
#pragma once
#include <algorithm>
#include <cmath>

namespace perilune::simulation {

class EnergyBalance {
 public:
  struct Point {
    double kinetic = 0, power = 0;       // T (J), v^T M a (W)
    double stored = 0, stored_rate = 0;  // U and U'
  };

  /// `still`: a kinetic energy (J) that is none.
  void start(const Point& at, double still) {
    still_ = still;
    last_ = at;
    start_ = at.kinetic + at.stored;
    most_due_ = at.kinetic;
    most_stored_ = std::abs(at.stored);
  }
  /// The next point, h later; `is_next`: no mesh point was passed over in between.
  void add(double t, double h, const Point& at, bool is_next) {
    const double energy = at.kinetic + at.stored;
    // Nothing takes no time: what is stored may change with the side of a switch, and with what a restart sets.
    const double put_in = h > 0 ? 0.5 * h * (last_.power + last_.stored_rate + at.power + at.stored_rate)
                                : energy - last_.kinetic - last_.stored;
    work_ += put_in;
    turnover_ += std::abs(put_in);
    if (!is_next) guessed_ += std::abs(put_in);
    last_ = at;
    const double error = energy - start_ - work_;
    most_due_ = std::max(most_due_, at.kinetic - error);
    most_stored_ = std::max(most_stored_, std::abs(at.stored));
    if (std::abs(error) > most_error_) {
      most_error_ = std::abs(error);
      is_gain_ = error > 0;
    }
    if (!(most_error_ > limit(0))) {
      is_off_ = false;
    } else if (!is_off_) {
      is_off_ = true;
      since_ = t;
    }
  }

  /// The largest |X| (J).
  double error() const { return most_error_; }
  /// Another estimate of it, within what errors of the integral may explain: where all forces have a potential, X.
  double bound(double estimate) const {
    const double unsure = turnover_ + noise();
    return std::clamp(estimate, std::max(0.0, most_error_ - unsure), most_error_ + unsure);
  }
  /// The largest kinetic energy that the motion should have had (J).
  double due() const { return most_due_; }
  /// `rest`: an energy (J) of the loads, where rounding is all that moves.
  bool is_off(double rest) const { return most_error_ > limit(rest); }
  bool is_gain() const { return is_gain_; }
  /// When the error became that large (s).
  double since() const { return since_; }

 private:
  /// Constant steps are the user's own; but what errs by half of all there is has blown up, or vanished.
  static constexpr double share = 0.5;
  /// How far the trapezoidal rule may be off.
  static constexpr double share_of_integral = 0.1;
  double noise() const { return 1e-12 * most_stored_; }
  double limit(double rest) const {
    return share * most_due_ + share_of_integral * turnover_ + guessed_ + noise() + 1e-9 * rest + still_;
  }

  Point last_;
  double still_ = 0;
  double start_ = 0, work_ = 0;
  double turnover_ = 0, guessed_ = 0;  // of |work|, and of its share over points that were passed over
  double most_due_ = 0, most_stored_ = 0, most_error_ = 0, since_ = 0;
  bool is_gain_ = false, is_off_ = false;
};

}  // namespace perilune::simulation
