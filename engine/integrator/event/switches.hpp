// SPDX-License-Identifier: MIT
// The switches of a model during an adaptive run: where each is held, and which functions have changed their sign.
#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include "formulation/motion.hpp"
#include "integrator/event/crossing.hpp"
#include "integrator/march.hpp"

namespace perilune::integrator {

using formulation::Motion;

/// Whether some switch of the model matters to a run with these integrals, which may be null: to a law or an integrand.
bool any_matters(const system::System& system, const Integrals* integrals);

class Switches {
 public:
  /// Of a model that has some. Events less than `shortest` (s) apart count as one: a switch that changes its side twice
  /// within it, or again and again after a few steps, is let go until a step has been longer than that, and next time
  /// until one has been much longer.
  /// Those that matter to nothing are idle. `find`: for those that read accelerations and multipliers.
  Switches(Motion& motion, double shortest, const Integrals* integrals, FindPoint find);
  double shortest() const { return shortest_; }
  /// Holds them as they are at the first point. Those that are at zero there stay as they were `before`, or where they
  /// come from; `before` may be null: they change their sides in this run, if they do, and not unseen between the two.
  /// True if there are such.
  bool start(const Node& first, const formulation::Sides& before);
  /// Of steps that end anywhere: calls f(number) for the switches that have changed their side since the last call.
  template <class F>
  void changes(const Node& x, F&& f) {
    evaluate(x);
    for (std::size_t k = 0; k < signs_.size(); ++k) {
      const double value = found(static_cast<int>(k)), before = signs_[k];
      signs_[k] = value < 0 ? -1 : value > 0 ? 1 : -before;  // a motion may come to rest right at the corner
      if (!is_idle_[k] && before * signs_[k] < 0) f(static_cast<int>(k));
    }
  }

  double value(int number, const Node& x);
  /// Its derivative where x moves along a direction.
  double slope(int number, const Node& x, const system::MotionPoint& direction) const;
  /// A function at a point, and its derivative by time along the motion, while accelerations and multipliers stay.
  struct Course {
    double value, rate;
    /// Comes to zero within this time (s), by its rate.
    bool is_at_zero(double within) const { return std::abs(value) <= within * std::abs(rate); }
  };
  std::vector<Course> courses(const Node& x) const;
  /// Those that are held and at zero within the shortest time.
  std::vector<int> at_zero(const Node& x) const;
  /// The function has not the sign that belongs to the side.
  bool is_across(int number, double value) const;
  /// Laws keep their form while it is held; else they decide themselves, and nothing but the step ends there.
  bool is_held(int number) const { return is_held_[static_cast<std::size_t>(number)] != 0; }
  /// With other parameters the step that ends there ends where its function is zero then. Of those that are not held
  /// these are the kinks of laws: where both sides of one are equal, it does not matter which of them a node there
  /// reads.
  bool moves(int number) const { return is_held(number) || motion_.system().is_switch_of_kink(number); }
  /// Those that are not held, and matter.
  const std::vector<int>& watched() const { return watched_; }
  /// Its function is about to become negative.
  bool enters(int number) const;
  /// How much of a step (1 at most) leaves a fourth of each function that is held and about to become positive.
  double part_before_leaving(const Node& start, const Node& end);
  /// Some function comes to zero within twice the shortest time after a step of length h, by the line through its ends.
  bool ends_just_before(const Node& start, const Node& end, double h);
  /// A switch, other than `but`, that is held at another side than it has at x.
  std::optional<int> crossed(const Node& x, const std::vector<int>& but = {});
  /// A switch, other than `but`, whose function changes its sign within a step, before its end.
  std::optional<Crossing> crossing(const Node& start, const Node& end, const std::vector<int>& but = {});
  /// Changes the side of a switch at x, and of those whose functions follow from its side. False where it changes again
  /// and again after a few steps, and is let go.
  bool flip(int number, const Node& x);
  /// A switch that is held and came to zero together with the one that was flipped last, which may be at another time
  /// with other parameters. Those with the same zeros, as the two of a sign, do not wait: they were flipped with it.
  std::optional<int> waiting(const Node& x);
  /// One that waits follows from the one that was flipped last.
  void follow(int number, const Node& x);
  /// Sides of those that follow from it by accelerations, which are known once the point is found anew; false if there
  /// are none.
  bool find_followers(const Node& x);
  /// `from` with the sides of some changed, and those that follow from these at x; `fixed` follow nothing.
  formulation::Sides sides_with(const formulation::Sides& from, const std::vector<int>& changed,
                                const std::vector<int>& fixed, const Node& x);
  /// Whether two functions have the same zeros near x, whatever moves them.
  bool move_alike(int first, int second, const Node& x);
  /// The one that was let go most recently; -1 if none is now.
  int let_go() const { return has_let_go_ ? let_go_ : -1; }
  /// After a step of length h that ends at x: holds those again that were let go.
  void hold(const Node& x, double h);

 private:
  void evaluate(const Node& x);
  double found(int number) const;
  /// Sides as the functions at x have them, but for switch `number`, for those that wait, and for those that are let
  /// go.
  void settle(int number, const Node& x);

  Motion& motion_;
  const system::Measure& functions_;
  double shortest_;
  std::vector<double> work_, flipped_at_, signs_, before_;
  std::vector<double> rest_;  // how long a step has to be before a switch that was let go is held again
  std::vector<char> is_held_, is_idle_;
  std::vector<int> watched_, waiting_;
  int flipped_ = -1;                 // last
  std::vector<long> flipped_after_;  // how many steps
  std::vector<int> quick_;           // changes behind each other, each after a few steps
  long steps_ = 0;
  CrossingSearch search_;
  bool has_let_go_ = false;
  int let_go_ = -1;
};

}  // namespace perilune::integrator
