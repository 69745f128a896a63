// SPDX-License-Identifier: MIT
#include "analysis/equilibrium_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include "analysis/constraint_solver.hpp"
#include "analysis/path_equations.hpp"
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
constexpr double jump = 0.1;               // of an eigenvalue beside its zero: it has none, and changes by a jump

/// A point of the path with what is asked of it.
struct Station {
  Point x, tangent;
  double arc = 0;
  FreeStiffness stiffness;
  Stability stability = Stability::Unknown;
};

/// A zero of f between 0 and `end`, where its values are `f0` and `f1`, by Chandrupatla's method. `f` has no value where
/// it cannot be evaluated; then the search ends there.
double find_zero(const std::function<std::optional<double>(double)>& f, double end, double f0, double f1,
                 double tolerance) {
  double a = end, fa = f1, b = 0, fb = f0, c = b, fc = fb, part = 0.5;
  for (int k = 0; k < 80; ++k) {
    const double x = a + part * (b - a);
    const auto fx = f(x);
    if (!fx) return x;
    if (std::signbit(*fx) == std::signbit(fa)) {
      c = a;
      fc = fa;
    } else {
      c = b;
      fc = fb;
      b = a;
      fb = fa;
    }
    a = x;
    fa = *fx;
    const double limit = tolerance * end / std::abs(b - a);
    if (limit > 0.5 || fa == 0) break;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) {
      part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    } else {
      part = 0.5;
    }
    part = std::clamp(part, limit, 1 - limit);
  }
  return std::abs(fa) < std::abs(fb) ? a : b;
}

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

 private:
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
    const auto tangent = equations_.correct(border, 0, here.x, iterations_) ? equations_.tangent(border, here.x)
                                                                            : std::nullopt;
    if (!tangent) {
      throw NumericalError("the equilibrium at the start of the path is singular: where it goes with the parameter is "
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

  /// The point at `length` along the tangent, from a guess.
  bool solve_at(const Station& from, double length, Point& x, int& iterations) {
    const Point border = equations_.border_along(from.tangent);
    return equations_.correct(border, equations_.product(from.tangent, from.x) + length, x, iterations);
  }

  bool advance(const Station& here, double length, Station& next, int& iterations) {
    Point guess = here.x;
    for (std::size_t i = 0; i < guess.size(); ++i) guess[i] += length * here.tangent[i];
    next.x = guess;
    if (!solve_at(here, length, next.x, iterations)) return false;
    iterations_ += iterations;
    Point off = next.x;
    for (std::size_t i = 0; i < off.size(); ++i) off[i] -= guess[i];
    const double moves = length * std::sqrt(equations_.coordinate_product(here.tangent, here.tangent));
    const double moved_off = std::sqrt(equations_.coordinate_product(off, off));
    if (std::sqrt(equations_.product(off, off)) > most_correction * length) return false;
    if (moved_off > std::max(most_correction * moves, least_correction * length)) return false;
    const auto tangent = equations_.tangent(equations_.border_along(here.tangent), next.x);
    if (!tangent) return false;
    next.tangent = *tangent;
    next.arc = here.arc + length;
    const double most = length <= corner_part * options_.step ? most_bend_corner : most_bend;
    if (turn_between(here, next) > most) return false;
    examine(next);
    return true;
  }

  /// A special point between two stations.
  struct Special {
    double length;
    Kind kind;
    Station at;
  };

  /// The station at a length within the step to `next`; nothing where the corrector fails.
  std::optional<Station> between(const Station& here, const Station& next, double whole, double length) {
    Station at;
    at.x = here.x;
    // Cubic, as the tangents at both ends have it.
    const double s = length / whole, along = equations_.product(here.tangent, next.tangent);
    const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h01 = s * s * (3 - 2 * s);
    const double h10 = s * (1 - s) * (1 - s) * whole, h11 = s * s * (s - 1) * whole / (along > 0.1 ? along : 1);
    for (std::size_t i = 0; i < at.x.size(); ++i) {
      at.x[i] = h00 * here.x[i] + h01 * next.x[i] + h10 * here.tangent[i] + h11 * next.tangent[i];
    }
    if (!solve_at(here, length, at.x, iterations_)) return std::nullopt;
    const auto tangent = equations_.tangent(equations_.border_along(here.tangent), at.x);
    if (!tangent) return std::nullopt;
    at.tangent = *tangent;
    at.arc = here.arc + length;
    return at;
  }

  using Test = std::function<double(const Station&)>;

  /// Where a function of the station, of these values at both, vanishes in the step. Nothing where that was not found.
  std::optional<Special> locate(const Station& here, const Station& next, double whole, Kind kind, double f0, double f1,
                                const Test& test) {
    std::optional<Special> best;
    double least = std::numeric_limits<double>::infinity();
    const auto f = [&](double length) -> std::optional<double> {
      auto at = between(here, next, whole, length);
      if (!at) {
        best.reset();
        return std::nullopt;
      }
      const double value = test(*at);
      if (std::abs(value) <= least) {
        least = std::abs(value);
        best = Special{length, kind, std::move(*at)};
      }
      return value;
    };
    find_zero(f, whole, f0, f1, 1e-14);
    return best;
  }

  /// The same for an eigenvalue of the stiffness where the parameter goes on. There the bordered matrix is singular,
  /// too, so that the points beside it tell where it is, and interpolation has it to the fourth order of their distance.
  std::optional<Special> locate_branch(const Station& here, const Station& next, double whole, double f0, double f1,
                                       const Test& test, bool& is_jump) {
    const auto at_length = [&](double length) {
      auto at = between(here, next, whole, length);
      if (at) at->stiffness = equations_.stiffness();
      return at;
    };
    const double near = find_zero(
        [&](double length) -> std::optional<double> {
          const auto at = at_length(length);
          return at ? std::optional(test(*at)) : std::nullopt;
        },
        whole, f0, f1, 1e-5);
    constexpr std::size_t count = 4;
    const double apart = 1e-3 * whole;
    std::array<Station, count> beside;
    std::array<double, count> length{near - 2 * apart, near - apart, near + apart, near + 2 * apart}, value{};
    for (std::size_t k = 0; k < count; ++k) {
      auto at = at_length(length[k]);
      if (!at) return std::nullopt;
      value[k] = test(*at);
      beside[k] = std::move(*at);
    }
    const auto weights = [](const std::array<double, count>& x, double at) {  // of Lagrange's polynomials
      std::array<double, count> w{1, 1, 1, 1};
      for (std::size_t j = 0; j < count; ++j) {
        for (std::size_t k = 0; k < count; ++k) {
          if (k != j) w[j] *= (at - x[k]) / (x[j] - x[k]);
        }
      }
      return w;
    };
    const std::array<double, count> inverse = weights(value, 0);
    double found = 0;
    for (std::size_t k = 0; k < count; ++k) found += inverse[k] * length[k];
    is_jump = std::max(std::abs(value[1]), std::abs(value[2])) > jump * std::max(std::abs(f0), std::abs(f1)) ||
              !(std::abs(found - near) < apart);
    Special out{found, Kind::Bifurcation, beside[0]};
    const std::array<double, count> share = weights(length, found);
    for (std::size_t i = 0; i < out.at.x.size(); ++i) {
      out.at.x[i] = out.at.tangent[i] = 0;
      for (std::size_t k = 0; k < count; ++k) {
        out.at.x[i] += share[k] * beside[k].x[i];
        out.at.tangent[i] += share[k] * beside[k].tangent[i];
      }
    }
    out.at.arc = here.arc + found;
    return out;
  }

  /// Keeps what lies between two stations, and the second, or the end of the path. False where the step is to be
  /// shorter.
  bool pass(const Station& here, Station& next, double whole) {
    if (next.stiffness.neutral < equations_.neutral()) equations_.set_neutral(next.stiffness.neutral);
    std::vector<Special> found;
    const bool turns = std::signbit(here.tangent.back()) != std::signbit(next.tangent.back());
    const bool is_known = here.stiffness.is_known && here.stiffness.values.size() == next.stiffness.values.size();
    const bool is_symmetric = here.stiffness.is_symmetric && next.stiffness.is_symmetric;
    const auto negative = [&](const Station& at) {
      return is_symmetric ? at.stiffness.negative() : static_cast<int>(at.stiffness.signed_least < 0);
    };
    const int before = is_known ? negative(here) : 0, after = is_known ? negative(next) : 0;
    // At a limit one eigenvalue passes zero. Where none seems to, another has come back within the step.
    if (turns && is_known && before == after && is_symmetric && whole > corner_part * options_.step) return false;
    if (turns) {
      const auto limit = locate(here, next, whole, Kind::Limit, here.tangent.back(), next.tangent.back(),
                                [](const Station& at) { return at.tangent.back(); });
      if (!limit) return false;
      found.push_back(*limit);
    }
    std::vector<Special> singular;
    for (int k = std::min(before, after); k < std::max(before, after); ++k) {
      const auto value = [k, is_symmetric](const Station& at) {
        return is_symmetric ? at.stiffness.values[static_cast<std::size_t>(k)] : at.stiffness.signed_least;
      };
      bool is_jump = false;
      const auto at = locate_branch(here, next, whole, value(here), value(next), value, is_jump);
      if (!at) return false;
      if (!is_jump) singular.push_back(*at);
    }
    if (turns && !found.empty() && !singular.empty()) {  // one of them is the limit itself
      const double at = found[0].length;
      singular.erase(std::min_element(singular.begin(), singular.end(), [at](const Special& a, const Special& b) {
        return std::abs(a.length - at) < std::abs(b.length - at);
      }));
    }
    found.insert(found.end(), singular.begin(), singular.end());
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.length < b.length; });
    for (Special& each : found) {
      if (leaves(each.at)) return finish(here, each.at, each.length), true;
      const bool is_again = !out_.points.empty() && out_.points.back().kind == each.kind &&
                            each.kind == Kind::Bifurcation &&
                            each.at.arc - out_.points.back().arc < 1e-6 * whole;
      if (is_again) continue;  // several branches leave at one point, as of a round column
      each.at.stability = Stability::Unknown;
      keep(each.at, each.kind);
      if (each.kind == Kind::Bifurcation) warn_of_branch(each.at);
    }
    if (leaves(next)) return finish(here, next, whole), true;
    if (found.empty() && here.stability != next.stability && here.stability != Stability::Unknown &&
        next.stability != Stability::Unknown) {
      out_.warnings.push_back("the stability changes between " + named(here.x) + " and " + named(next.x) +
                              " without a singular stiffness: the equilibrium begins to flutter there, or forces have a "
                              "corner");
    }
    keep(next, Kind::Regular);
    return true;
  }

  /// Beyond `to`, or back beyond where the path ends.
  bool leaves(const Station& at) const { return at.x.back() >= 1 || at.x.back() < lowest_; }

  /// The path ends between `here` and the station that left.
  void finish(const Station& here, const Station& left, double whole) {
    const bool reached = left.x.back() >= 0.5 * (1 + lowest_);
    const double end = reached ? 1 : lowest_;
    Station last = left;
    if (std::abs(left.x.back() - end) > 1e-13) {
      const auto found = locate(here, left, whole, Kind::Regular, here.x.back() - end, left.x.back() - end,
                                [end](const Station& at) { return at.x.back() - end; });
      if (found) last = found->at;
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
    out_.reason = "was lost at " + named(here.x) +
                  ": no equilibrium was found beside it, however short the step; forces or constraints may end there";
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
  refuse_velocity_constraints(*system, "m:equilibrium_path", rest_after_rolling);
  const Equilibrium start = find_equilibrium(system, data, independent, t, wanted);
  PathEquations equations(system, data->parameters, options.parameter, options.to, t, start);
  EquilibriumPath out;
  const double from = data->parameters[static_cast<std::size_t>(options.parameter)];
  Follower(equations, options, from, out).follow();
  return out;
}

}  // namespace perilune::analysis
