// SPDX-License-Identifier: MIT
#include "analysis/start_warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "analysis/start_scales.hpp"
#include "model/body/spatial_body.hpp"

namespace perilune::analysis {

namespace {

/// Whether the coordinates from i on are the four Euler parameters of a body.
bool begins_turn(const System& system, int i) {
  if (i + 4 > system.coordinate_count()) return false;
  for (int k = 0; k < 4; ++k) {
    const std::string& name = system.coordinate_name(i + k);
    if (!system.unit(i + k).empty() || !name.ends_with(".e" + std::to_string(k))) return false;
  }
  return true;
}

constexpr double rounding = 1e-12;

/// To read: what is zero but for rounding is zero.
double shown(double x, double size) { return std::abs(x) < rounding * size ? 0 : x; }

/// Both with so many digits that the difference shows, of which one of its own is enough.
std::string from_to(double from, double to) {
  const double size = std::max(std::abs(from), std::abs(to)), step = std::abs(to - from);
  const int digits = step > 0 ? std::clamp(static_cast<int>(std::ceil(std::log10(size / step))) + 1, 4, 17) : 4;
  char text[80];
  std::snprintf(text, sizeof text, "from %.*g to %.*g", digits, from, digits, to);
  return text;
}

/// omega = 2 G(p) p' (rad/s, about the axes of the body), of p' that may have a part along p.
std::array<double, 3> turning(const double* p, const double* rate) {
  std::array<double, 3> w{};
  model::EulerRates::times_G(p, rate, w.data());
  for (double& each : w) each *= 2;
  return w;
}

/// The step of the last decimal that x is written with, for at most six; 0 for a number with more.
double decimal_step(double x) {
  char text[400];
  double step = 1;
  for (int decimals = 0; decimals <= 6; ++decimals, step /= 10) {
    std::snprintf(text, sizeof text, "%.*f", decimals, x);
    if (std::strtod(text, nullptr) == x) return step;
  }
  return 0;
}

/// Whether assembly did more than rounding, which it mostly does not: then nobody has to know what is how large.
bool may_have_changed(const Data& given, const ConsistentState& found) {
  constexpr double little = 1e-9;
  double farthest = 0;
  for (const double q : given.initial_q) farthest = std::max(farthest, std::abs(q));
  for (std::size_t k = 0; k < found.q.size(); ++k) {
    if (std::abs(found.q[k] - given.initial_q[k]) > little * farthest) return true;
    if (std::abs(found.v[k] - given.initial_v[k]) > little * std::abs(given.initial_v[k])) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> start_warnings(const System& system, double t, const Data& given, const ConsistentState& found,
                                        StartOrigin origin) {
  if (!may_have_changed(given, found)) return {};
  const StartScales scales(system, t, given, found);
  const int n = system.coordinate_count();
  const auto is_length = [&](int i) { return system.unit(i) == "m"; };
  // What roundly given numbers explain. Angles have a size of their own, 1 rad; lengths that of what hangs together,
  // of which their last decimal is between a thousandth and a hundredth.
  const auto allowed_move = [&](int i) {
    if (!is_length(i)) return 0.01;
    const double size = scales.size(i);
    return std::clamp(decimal_step(given.initial_q[static_cast<std::size_t>(i)]), 0.001 * size, 0.01 * size);
  };
  // A slow part of what moves fast may change by the rounding of the latter, but not altogether.
  const auto allowed_change = [](double declared, double fastest) {
    return std::min(0.01 * fastest, std::max(0.1 * std::abs(declared), 0.002 * fastest));
  };
  double moved = 1, turned = 1;  // of what is allowed
  const char* said = origin == StartOrigin::Run ? "was" : "is declared as";
  char position[200] = "", velocity[200] = "";
  int turn_end = 0;
  for (int i = 0; i < n; ++i) {
    if (system.role(i) != model::Role::Motion) continue;
    const auto k = static_cast<std::size_t>(i);
    const double q = given.initial_q[k], v = given.initial_v[k], dq = found.q[k] - q;
    if (const double part = std::abs(dq) / allowed_move(i); part > moved) {
      moved = part;
      std::snprintf(position, sizeof position, "assembly moved %.80s by %.4g, %s", system.coordinate_name(i).c_str(),
                    dq, from_to(q, shown(found.q[k], is_length(i) ? scales.size(i) : 1)).c_str());
    }
    if (begins_turn(system, i)) {  // their rates say little: scripts declare angular velocities
      turn_end = i + 4;
      const auto was = turning(&given.initial_q[k], &given.initial_v[k]), is = turning(&found.q[k], &found.v[k]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double fastest = 2 * scales.speed(i);               // rates of Euler parameters are half as large
        if (std::abs(was[axis]) <= rounding * fastest) continue;  // not declared
        const double part = std::abs(is[axis] - was[axis]) / allowed_change(was[axis], fastest);
        if (part > turned) {
          turned = part;
          const std::string& name = system.coordinate_name(i);
          std::snprintf(velocity, sizeof velocity, "assembly made %.80s.omega_%c %.4g, which %s %.4g rad/s",
                        name.substr(0, name.size() - 3).c_str(), "xyz"[axis], shown(is[axis], fastest), said,
                        was[axis]);
        }
      }
    }
    if (i < turn_end) continue;
    if (v == 0) continue;  // what is not declared is as the joints ask for
    if (const double part = std::abs(found.v[k] - v) / allowed_change(v, scales.speed(i)); part > turned) {
      turned = part;
      std::snprintf(velocity, sizeof velocity, "assembly made %.80s %.4g, which %s %.4g",
                    system.velocity_name(i).c_str(), shown(found.v[k], scales.speed(i)), said, v);
    }
  }
  const bool is_run = origin == StartOrigin::Run;
  const std::string of_run =
      " at the end of the run that this one goes on from: a length or a place of a joint has another value now";
  std::vector<std::string> out;
  if (*position != 0) {
    out.push_back(position + (is_run ? of_run : ": declare positions that fit the joints and drivers"));
  }
  if (origin != StartOrigin::DrivenScript && *velocity != 0) {
    out.push_back(velocity + (is_run ? of_run
                                     : ": declare velocities that fit the joints, of all parts that move, or name "
                                       "the coordinates that count in independent"));
  }
  return out;
}

}  // namespace perilune::analysis
