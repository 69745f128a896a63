// SPDX-License-Identifier: MIT
#include "analysis/equilibrium_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/constraint_solver.hpp"
#include "analysis/path_search.hpp"
#include "at_time.hpp"
#include "error.hpp"

namespace perilune::analysis {

namespace {

using Point = PathEquations::Point;
using Kind = PathPoint::Kind;
using End = EquilibriumPath::End;
using Stability = Equilibrium::Stability;

constexpr double first_part = 0.1;         // of the longest step, for the first one
constexpr double least_part = 1e-9;        // of the longest step: shorter ones do not help
constexpr double corner_part = 1e-5;       // steps so short may turn sharply: forces have corners
constexpr double most_bend = 0.35;         // of the tangent in one step (rad)
constexpr double most_bend_corner = 1.3;   // the same where forces have a corner
constexpr double most_correction = 0.3;    // of a step's length, and of what it moves the coordinates by
constexpr double least_correction = 1e-3;  // of a step's length: coordinates that start to move may be so far off

class Follower {
 public:
  Follower(PathEquations& equations, const PathOptions& options, double from, EquilibriumPath& out)
      : equations_(equations),
        options_(options),
        lowest_(options.back_to ? (*options.back_to - from) / (options.to - from) : 0),
        out_(out) {}

  void follow() {
    Station here = first();
    keep(here, Kind::Regular);
    try {
      go_on(std::move(here));
    } catch (const Interrupted&) {
      out_.end = End::Interrupted;
      out_.reason = "was interrupted";
    } catch (const NumericalError& error) {
      out_.end = End::Lost;
      out_.reason = std::string("was lost: ") + error.what();
    }
  }

 private:
  void go_on(Station here) {
    double length = first_part * options_.step;
    while (static_cast<int>(out_.points.size()) < options_.points) {
      Station next;
      int iterations = 0;
      if (!advance(here, length, next, iterations)) {
        length /= 2;
        if (length < least_part * options_.step) return lose(here);
        continue;
      }
      if (!pass(here, next, length)) {  // events too close to each other to be told apart
        length /= 4;
        continue;
      }
      if (is_over_) return;
      const double turn = turn_between(here, next);
      if (iterations <= 5 && turn < 0.4 * most_bend) length *= 1.6;
      if (iterations >= 8 || turn > 0.7 * most_bend) length *= 0.7;
      length = std::min(length, options_.step);
      here = std::move(next);
    }
    out_.end = End::Enough;
    out_.reason = "has the " + std::to_string(options_.points) + " points that were asked for";
  }

  double turn_between(const Station& a, const Station& b) const {
    return std::acos(std::clamp(equations_.product(a.tangent, b.tangent), -1.0, 1.0));
  }

  /// What is asked of x, where the equations were just linearized by a tangent.
  void examine(Station& at) {
    at.stiffness = equations_.stiffness();
    at.stability = equations_.stability(at.stiffness);
  }

  Station first() {
    Station here;
    here.x = equations_.start();
    const Point border = equations_.border_of_parameter();
    const auto tangent =
        equations_.correct(border, 0, here.x, iterations_) ? equations_.tangent(border, here.x) : std::nullopt;
    if (!tangent) {
      throw NumericalError(
          "the equilibrium at the start of the path is singular: where it goes with the parameter is "
          "not determined; start beside it, or hold what no force holds");
    }
    here.tangent = *tangent;
    examine(here);
    if (!here.stiffness.is_known) {
      out_.warnings.push_back(
          "the model has so many coordinates that the eigenvalues of its stiffness would take long: stability is not "
          "known, and bifurcations are not looked for");
    }
    return here;
  }

  bool advance(const Station& here, double length, Station& next, int& iterations) {
    Point guess = here.x;
    for (std::size_t i = 0; i < guess.size(); ++i) guess[i] += length * here.tangent[i];
    next.x = guess;
    const Point border = equations_.border_along(here.tangent);
    const double level = equations_.product(here.tangent, here.x) + length;
    if (!equations_.correct(border, level, next.x, iterations)) return false;
    iterations_ += iterations;
    Point off = next.x;
    for (std::size_t i = 0; i < off.size(); ++i) off[i] -= guess[i];
    const double moves = length * std::sqrt(equations_.coordinate_product(here.tangent, here.tangent));
    const double moved_off = std::sqrt(equations_.coordinate_product(off, off));
    if (std::sqrt(equations_.product(off, off)) > most_correction * length) return false;
    if (moved_off > std::max(most_correction * moves, least_correction * length)) return false;
    const auto tangent = equations_.tangent(border, next.x);
    if (!tangent) return false;
    next.tangent = *tangent;
    next.arc = here.arc + length;
    const double most = length <= corner_part * options_.step ? most_bend_corner : most_bend;
    if (turn_between(here, next) > most) return false;
    examine(next);
    return true;
  }

  struct Found {
    Station at;
    Kind kind;
  };

  /// Keeps what lies between two stations, and the second, or the end of the path. False where the step is to be
  /// shorter.
  bool pass(const Station& here, Station& next, double whole) {
    if (next.stiffness.neutral < equations_.neutral()) equations_.set_neutral(next.stiffness.neutral);
    StepSearch search(equations_, here, next, whole, iterations_);
    std::vector<Found> found;
    const bool turns = std::signbit(here.tangent.back()) != std::signbit(next.tangent.back());
    const bool is_symmetric = here.stiffness.is_symmetric && next.stiffness.is_symmetric;
    // Right after the start what seemed neutral may turn out to be held.
    const bool is_known =
        here.stiffness.is_known && (!is_symmetric || here.stiffness.values.size() == next.stiffness.values.size());
    const auto negative = [&](const Station& at) {
      return is_symmetric ? at.stiffness.negative() : static_cast<int>(at.stiffness.signed_least < 0);
    };
    const int before = is_known ? negative(here) : 0, after = is_known ? negative(next) : 0;
    const bool is_short = whole <= corner_part * options_.step;
    // At a limit one eigenvalue passes zero. Where none seems to, another has come back within the step.
    if (turns && is_known && before == after && is_symmetric && !is_short) return false;
    if (turns) {
      const auto limit =
          search.zero(here.tangent.back(), next.tangent.back(), [](const Station& at) { return at.tangent.back(); });
      if (!limit || (!is_short && !search.is_smooth_at(*limit))) return false;
      found.push_back({*limit, Kind::Limit});
    }
    std::vector<Found> singular;
    for (int k = std::min(before, after); k < std::max(before, after); ++k) {
      const auto value = [k, is_symmetric](const Station& at) {
        const bool has_its_own = is_symmetric && at.stiffness.is_symmetric;
        return has_its_own ? at.stiffness.values[static_cast<std::size_t>(k)] : at.stiffness.signed_least;
      };
      bool is_jump = false;
      const auto at = search.branch(value(here), value(next), value, is_jump);
      if (!at || (is_jump && !is_short)) return false;
      if (!is_jump) singular.push_back({*at, Kind::Bifurcation});
    }
    if (turns && !found.empty() && !singular.empty()) {  // one of them is the limit itself
      const double at = found[0].at.arc;
      singular.erase(std::min_element(singular.begin(), singular.end(), [at](const Found& a, const Found& b) {
        return std::abs(a.at.arc - at) < std::abs(b.at.arc - at);
      }));
    }
    found.insert(found.end(), singular.begin(), singular.end());
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.at.arc < b.at.arc; });
    for (Found& each : found) {
      if (leaves(each.at)) {
        finish(here, each.at);
        return true;
      }
      const bool is_again = !out_.points.empty() && out_.points.back().kind == each.kind &&
                            each.kind == Kind::Bifurcation && each.at.arc - out_.points.back().arc < 1e-6 * whole;
      if (is_again) continue;  // several branches leave at one point, as of a round column
      each.at.stability = Stability::Unknown;
      keep(each.at, each.kind);
      if (each.kind == Kind::Bifurcation) warn_of_branch(each.at);
    }
    if (leaves(next)) {
      finish(here, next);
      return true;
    }
    if (found.empty() && here.stability != next.stability && here.stability != Stability::Unknown &&
        next.stability != Stability::Unknown) {
      out_.warnings.push_back(
          "the stability changes between " + named(here.x) + " and " + named(next.x) +
          " without a singular stiffness: the equilibrium begins to flutter there, or forces have a "
          "corner");
    }
    keep(next, Kind::Regular);
    return true;
  }

  /// Beyond `to`, or back beyond where the path ends.
  bool leaves(const Station& at) const { return at.x.back() >= 1 || at.x.back() < lowest_; }

  /// The path ends between `here` and the station that left.
  void finish(const Station& here, const Station& left) {
    const bool reached = left.x.back() >= 0.5 * (1 + lowest_);
    const double end = reached ? 1 : lowest_;
    Station last = left;
    if (std::abs(left.x.back() - end) > 1e-13) {
      StepSearch search(equations_, here, left, left.arc - here.arc, iterations_);
      const auto found =
          search.zero(here.x.back() - end, left.x.back() - end, [end](const Station& at) { return at.x.back() - end; });
      if (found) last = *found;
    }
    // The last rounding, where the parameter itself tells the points apart.
    Point exact = last.x;
    exact.back() = end;
    const Point border = equations_.border_of_parameter();
    if (std::abs(last.tangent.back()) > 1e-6 && equations_.correct(border, end, exact, iterations_)) {
      exact.back() = end;
      last.x = exact;
    }
    if (const auto tangent = equations_.tangent(equations_.border_along(here.tangent), last.x)) last.tangent = *tangent;
    examine(last);
    keep(last, Kind::Regular);
    out_.end = reached ? End::Reached : End::Returned;
    out_.reason = reached ? "reached " + named(last.x)
                          : "came back to " + named(last.x) + (options_.back_to ? "" : ", where it started");
    is_over_ = true;
  }

  void keep(const Station& at, Kind kind) {
    PathPoint point;
    point.kind = kind;
    point.value = at.x.back() == 1 ? options_.to : equations_.value(at.x);
    if (options_.back_to && at.x.back() == lowest_) point.value = *options_.back_to;
    point.arc = at.arc;
    point.at = equations_.equilibrium(at.x);
    point.at.stability = at.stability;
    point.at.iterations = iterations_;
    iterations_ = 0;
    point.data = equations_.data_at(at.x);
    out_.points.push_back(std::move(point));
  }

  std::string named(const Point& x) const {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", equations_.value(x));
    return text;
  }

  void warn_of_branch(const Station& at) {
    out_.warnings.push_back("another branch of equilibria leaves at " + named(at.x) +
                            ", a bifurcation; the path goes straight on. A small imperfection, such as a load aside, "
                            "leads onto the branch");
  }

  void lose(const Station& here) {
    out_.end = End::Lost;
    const std::string& trouble = equations_.trouble();
    out_.reason = "was lost at " + named(here.x) + ": " +
                  (!trouble.empty() ? trouble
                                    : "no equilibrium was found beside it, however short the step; forces or "
                                      "constraints may end there");
  }

  PathEquations& equations_;
  const PathOptions& options_;
  double lowest_;  // of (p - from) / |to - from|, where the path ends when it comes back
  EquilibriumPath& out_;
  bool is_over_ = false;
  int iterations_ = 0;  // since the last point
};

}  // namespace

EquilibriumPath follow_equilibria(const std::shared_ptr<const System>& system, const std::shared_ptr<const Data>& data,
                                  const std::vector<int>& independent, double t, Wanted wanted,
                                  const PathOptions& options) {
  refuse_velocity_constraints(*system, "m:equilibrium_path",
                              ": where it comes to rest depends on the way there; find single equilibria by "
                              "m:equilibrium");
  const Equilibrium start = find_equilibrium(system, data, independent, t, wanted);
  PathEquations equations(system, data->parameters, options.parameter, options.to, t, start);
  EquilibriumPath out;
  const double from = data->parameters[static_cast<std::size_t>(options.parameter)];
  Follower(equations, options, from, out).follow();
  return out;
}

}  // namespace perilune::analysis
