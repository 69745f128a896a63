// SPDX-License-Identifier: MIT
#include "integrator/event/singular_passage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "at_time.hpp"
#include "error.hpp"
#include "formulation/remedy.hpp"
#include "formulation/tree/recursion.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::integrator {

using formulation::Trouble;

namespace {

// How many times as large as on average an acceleration is that counts as sudden, and one after which all is calm.
constexpr double sudden = 30, calm = 15;
// Part of the fastest velocity so far by which a branch left changes it.
constexpr double considerable_turn = 0.002;
// A pivot ratio below this part of what it is elsewhere belongs to a singular position.
constexpr double lost = 0.1;
// The same where nothing tells what it is elsewhere.
constexpr double nearly_singular = 1e-3;
// Of the force that a sudden acceleration takes, the part that applied forces have if they are its cause.
constexpr double cause = 0.1;

system::ConstraintRank rank_at(const Motion& motion, double t, const double* q, system::Workspace& w) {
  const std::vector<double> rest(static_cast<std::size_t>(motion.n()), 0.0);
  motion.system().evaluate({t, q, rest.data(), nullptr, nullptr}, motion.data(), w, system::Part::Constraints);
  return system::constraint_rank(motion.system(), w);
}

}  // namespace

std::string explain_failed_run(const Motion& motion, const formulation::Formulation& formulation, bool is_explicit,
                               const Mesh& mesh) {
  if (motion.m() == 0) return {};
  system::Workspace w(motion.system());
  // Gaps that opened on the way hide what follows from what.
  if (const system::ConstraintRank rank = rank_at(motion, mesh.t.front(), mesh.q_at(0), w); rank.is_redundant()) {
    return "; the constraints of " + system::describe(rank.redundant) +
           " are redundant: " + use_instead(formulation, Trouble::Redundancy, is_explicit);
  }
  const system::ConstraintRank rank = rank_at(motion, mesh.t.back(), mesh.q_at(mesh.size() - 1), w);
  if (rank.rows.margin() > nearly_singular && !rank.is_redundant()) return {};
  const std::string weakest = rank.is_redundant() ? rank.redundant.front().joint : rank.weakest;
  return "; this is near a singular position, where the constraints of \"" + weakest +
         "\" follow from the others: " + use_instead(formulation, Trouble::SingularPassage, is_explicit);
}

BranchWatch::BranchWatch(const Motion& motion, formulation::Formulation formulation, bool is_explicit)
    : motion_(motion),
      formulation_(std::move(formulation)),
      is_explicit_(is_explicit),
      n_(static_cast<std::size_t>(motion.n())) {
  for (std::size_t i = 0; i < n_; ++i) {
    of_kind_[motion.system().unit(static_cast<int>(i)) == "m" ? 0 : 1].push_back(i);
  }
}

void BranchWatch::Point::set(const Node& x, std::size_t n) {
  t = x.t;
  q.assign(x.q, x.q + n);
  v.assign(x.v, x.v + n);
  a.assign(x.a, x.a + n);
}

template <class Entry>
BranchWatch::Sizes BranchWatch::sizes(Entry&& entry) const {
  Sizes out{};
  for (std::size_t k = 0; k < kinds; ++k) {
    for (const std::size_t i : of_kind_[k]) out[k] = std::max(out[k], std::abs(entry(i)));
  }
  return out;
}

bool BranchWatch::is_sudden(const Sizes& acceleration, const Sizes& defect, double factor) const {
  for (std::size_t k = 0; k < kinds; ++k) {
    if (acceleration[k] * time_ > factor * travelled_[k] && travelled_[k] > 0) return true;
    const double often = defects_[k] / static_cast<double>(steps_);
    if (defect[k] > factor * often && defect[k] > considerable_turn * fastest_[k] && often > 0) return true;
  }
  return false;
}

void BranchWatch::follow(const Node& x) {
  if (motion_.m() == 0 || is_tree_) return;
  const double h = has_begun_ ? x.t - last_.t : 0;
  if (!(h > 0)) {  // the first point, or the other side of an event
    last_.set(x, n_);
    if (!is_in_spike_) calm_ = last_;
    if (!has_begun_) first_ = last_;
    has_begun_ = true;
    return;
  }
  Sizes acceleration{}, defect{};
  const double per_h = 1 / h;
  const double *v = last_.v.data(), *a = last_.a.data();
  for (std::size_t k = 0; k < kinds; ++k) {
    double highest_here = 0, largest_defect = 0, fastest = fastest_[k];
    for (const std::size_t i : of_kind_[k]) {
      const double change = x.v[i] - v[i], beside = change - h / 2 * (x.a[i] + a[i]);
      highest_here = std::max({highest_here, std::abs(x.a[i]), std::abs(change) * per_h});
      largest_defect = std::max(largest_defect, std::abs(beside));
      fastest = std::max(fastest, std::abs(x.v[i]));
    }
    acceleration[k] = highest_here;
    defect[k] = largest_defect;
    fastest_[k] = fastest;
  }
  double highest = 0;
  for (std::size_t k = 0; k < kinds; ++k) {
    if (travelled_[k] > 0) highest = std::max(highest, acceleration[k] * time_ / travelled_[k]);
  }
  constexpr long settled = 10;  // steps until there is an average
  if (!is_in_spike_ && steps_ > settled && is_sudden(acceleration, defect, sudden)) {
    is_in_spike_ = true;
    calm_ = last_;
    highest_ = 0;
  }
  if (is_in_spike_) {
    if (highest >= highest_) {
      highest_ = highest;
      before_peak_ = last_;
      peak_.set(x, n_);
    }
    if (!is_sudden(acceleration, defect, calm) || highest < highest_ / 10) {
      is_in_spike_ = false;
      check_passage(x);
    }
  }
  ++steps_;
  time_ += h;
  for (std::size_t k = 0; k < kinds; ++k) {
    travelled_[k] += h * acceleration[k];
    defects_[k] += defect[k];
  }
  last_.set(x, n_);
}

double BranchWatch::margin(const std::vector<double>& q, double t, std::string* weakest) {
  system::Workspace w(motion_.system());
  const system::ConstraintRank rank = rank_at(motion_, t, q.data(), w);
  if (weakest) *weakest = rank.weakest;
  return rank.rows.margin();
}

bool BranchWatch::is_forced() {
  system::Workspace w(motion_.system());
  motion_.system().evaluate_metric(peak_.t, peak_.q.data(), peak_.v.data(), motion_.data(), w);
  std::vector<double> inertial(n_, 0.0);
  motion_.system().mass().multiply(w.mass.data(), peak_.a.data(), inertial.data());
  const Sizes needed = sizes([&](std::size_t i) { return inertial[i]; }),
              applied = sizes([&](std::size_t i) { return w.force[i]; });
  bool is_forced = true;
  for (std::size_t k = 0; k < kinds; ++k) is_forced = is_forced && applied[k] >= cause * needed[k];
  return is_forced;
}

void BranchWatch::check_passage(const Node& x) {
  // Beside what the accelerations before and after would have done in that time.
  const double half = (x.t - calm_.t) / 2;
  const Sizes turn = sizes([&](std::size_t i) { return x.v[i] - calm_.v[i] - half * (x.a[i] + calm_.a[i]); });
  double part = 0;
  for (std::size_t k = 0; k < kinds; ++k) {
    if (fastest_[k] > 0) part = std::max(part, turn[k] / fastest_[k]);
  }
  if (part < considerable_turn || is_forced()) return;
  // Without loops no joint's constraints ever follow from those of others, however a long chain whips.
  is_tree_ = formulation::closing_constraints(motion_.system(), motion_.data(), peak_.q.data()) == 0;
  if (is_tree_) return;
  // The singular position itself lies between mesh points.
  double least = 1;
  std::string weakest, joint;
  std::vector<double> q(peak_.q.size());
  constexpr int samples = 32;
  for (int s = 0; s <= samples + samples / 2; ++s) {
    const double w = static_cast<double>(s) / samples;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = (1 - w) * before_peak_.q[i] + w * peak_.q[i];
    const double here = margin(q, peak_.t, &joint);
    if (here >= least) continue;
    least = here;
    weakest = joint;
  }
  const double elsewhere = std::max(margin(first_.q, first_.t, nullptr), margin(calm_.q, calm_.t, nullptr));
  if (least > lost * elsewhere && least > nearly_singular) return;
  char text[160];
  std::snprintf(text, sizeof text, "the velocities changed by %.2g %% within %.2g s, which no force explains",
                100 * part, x.t - calm_.t);
  system::Workspace w(motion_.system());
  if (const system::ConstraintRank rank = rank_at(motion_, first_.t, first_.q.data(), w); rank.is_redundant()) {
    throw NumericalError(at_time(peak_.t) + "the run has lost hold of the redundant constraints of " +
                         system::describe(rank.redundant) + ": " + text);
  }
  throw NumericalError(
      at_time(peak_.t) + "the motion left its branch in a singular position, where the constraints of \"" + weakest +
      "\" follow from the others: " + text + "; " + use_instead(formulation_, Trouble::SingularPassage, is_explicit_));
}

}  // namespace perilune::integrator
