// SPDX-License-Identifier: MIT
// What an audit says to the user.
#include <cmath>
#include <cstdio>

#include "at_time.hpp"
#include "simulation/audit.hpp"

namespace perilune::simulation {

namespace {

/// Velocities that are differences of positions converge at a lower order: how much worse they may be.
constexpr double lower_order = 10;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

}  // namespace

std::string Audit::remedy() const {
  if (!offers_maggi_) return is_adaptive_ ? "ask for smaller tolerances" : "use smaller steps";
  return "formulation = mbs.maggi {} keeps the constraints to rounding";
}

std::string Audit::say_lost_balance() const {
  const std::string than = number(balance_.error()) + " J " + (balance_.is_gain() ? "more" : "less") +
                           " than the forces put in, where the motion has an energy of " + number(energy()) + " J: ";
  return at_time(balance_.since()) + "the energy does not follow the work of the forces: it becomes " + than +
         "steps of this length " + (balance_.is_gain() ? "blow up" : "damp away") +
         " what is fast here; use shorter ones, mbs.radau {}" +
         (offers_maggi_ ? ", or formulation = mbs.maggi {}" : "");
}

std::vector<std::string> Audit::warnings(bool has_jumped) const {
  std::vector<std::string> out;
  // Velocities may err by the absolute tolerance, too: what that makes of the kinetic energy.
  const double limit =
      allowance * (relative_ * energy() + absolute_ * std::sqrt(2 * energy() * mass_) + absolute_ * absolute_ * mass_);
  if (most_leaked_ > limit) {
    const int k = leak_step_.constraint;
    out.push_back(at_time(leak_step_.t) + "the constraints did work that no driver accounts for, " +
                  number(most_leaked_) + " J in all where the motion has an energy of " + number(energy()) + " J" +
                  (k < 0 ? "" : ", most of it in " + system_.describe_constraint(k)) +
                  ": the motion is not right within its tolerance; " + remedy());
  }
  // Near a singular position every time derivative of a dependent coordinate loses the digits of one pivot more.
  constexpr double near_singular = 1e-3;
  if (smallest_pivot_ratio_ < near_singular * largest_pivot_ratio_) {
    out.push_back(
        at_time(passage_) +
        "the motion passes a singular position, where independent coordinates lose digits: derivatives may be "
        "off; compare with formulation = mbs.augmented_lagrangian {}");
  }
  if (excess_.size > 1) {
    const auto k = static_cast<std::size_t>(excess_.constraint);
    const std::string open = number(excess_.size * inverse_[k] / weight_[k]);
    out.push_back(at_time(excess_.t) + system_.describe_constraint(excess_.constraint) +
                  (is_internal_[k] ? " is off its normalization by " + open : " is open by " + open + " (m or rad)") +
                  ", " + number(allowance * excess_.size) + " times the tolerance: the constraints drift; " + remedy());
  }
  for (const Slip& slip : slips_) {
    const double allowed = absolute_ + relative_ * slip.fastest;
    if (!(slip.worst.size > allowance * allowed)) continue;
    out.push_back(at_time(slip.worst.t) + system_.describe_constraint(slip.row) + " is violated by " +
                  number(slip.worst.size) + " (m/s or rad/s), " + number(slip.worst.size / allowed) +
                  " times the tolerance: the constraint on velocities drifts; " + remedy());
  }
  rolling_limits_.add_warnings(out);
  // Of forms that take velocities as differences of positions, which scripts have with constant steps only; others
  // leave the constraints, or do work, before that.
  if (is_adaptive_ && !may_leak_ && velocity_.size > lower_order * allowance * (absolute_ + relative_ * speed_)) {
    out.push_back(at_time(velocity_.t) + "the velocities do not fit " +
                  system_.describe_constraint(velocity_.constraint) + ", by " + number(velocity_.size) +
                  " (m/s or rad/s) where the largest is " + number(speed_) +
                  ": with this form the tolerance is that of positions alone; ask for a smaller one, or project steps");
  }
  // Of constant steps by so much that it is no error of a few digits: rules that do not damp what alternates, or an
  // angle that is counted on at another turn, make velocities what they are not while positions are kept.
  constexpr double coarse = 0.01;
  if (!is_adaptive_ && !may_leak_ && !has_jumped && any_velocity_.size > coarse * speed_) {
    out.push_back(at_time(any_velocity_.t) + "the velocities do not fit " +
                  system_.describe_constraint(any_velocity_.constraint) + ", by " + number(any_velocity_.size) +
                  " where the largest is " + number(speed_) +
                  ": with this form steps keep the constraints of positions alone; " +
                  (offers_maggi_ ? "formulation = mbs.maggi {} keeps both" : "project steps, or take mbs.radau {}"));
  }
  if (lost_balance() && !has_jumped) {
    out.push_back(say_lost_balance());
    return out;
  }
  // Positions may by the absolute tolerance in each step: what that makes of the work. Where one step in many tells of
  // all, what it says is uncertain.
  const double of_steps = 4 * absolute_ * force_steps_ + 3 * std::sqrt(gap_variance_);
  // Constant steps are the user's own; but what errs by more than there is has blown up.
  const double gap = bounded(most_gap_);
  if (gap > limit + of_steps + (is_adaptive_ ? 0 : energy())) {
    out.push_back(at_time(gap_step_.t) + "the kinetic energy does not follow the work of the forces, by " +
                  number(gap) + " J where the motion has an energy of " + number(energy()) + " J: " +
                  (is_adaptive_
                       ? "the errors of steps add up, or one passes over something; ask for smaller tolerances "
                         "or a max_step"
                       : "steps of this length blow up what is fast here; use shorter ones, mbs.radau {}" +
                             std::string(offers_maggi_ ? ", or formulation = mbs.maggi {}" : "")));
  }
  return out;
}

}  // namespace perilune::simulation
