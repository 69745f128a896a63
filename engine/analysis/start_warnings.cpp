// SPDX-License-Identifier: MIT
#include "analysis/start_warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

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

/// omega = 2 G(p) p' (rad/s, about the axes of the body), of p' that may have a part along p.
std::array<double, 3> turning(const double* p, const double* rate) {
  std::array<double, 3> w{};
  model::EulerRates::times_G(p, rate, w.data());
  for (double& each : w) each *= 2;
  return w;
}

}  // namespace

std::vector<std::string> start_warnings(const System& system, const Data& given, const ConsistentState& found,
                                        StartOrigin origin) {
  constexpr double roundly = 0.01;  // of the largest declared number of the same kind
  const int n = system.coordinate_count();
  // Angles have a size of their own, 1 rad; lengths that of the mechanism.
  double length = 0, speed[2] = {0, 0};
  const auto is_length = [&](int i) { return system.unit(i) == "m"; };
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (is_length(i)) length = std::max({length, std::abs(given.initial_q[k]), std::abs(found.q[k])});
    speed[is_length(i)] = std::max(speed[is_length(i)], std::abs(given.initial_v[k]));
  }
  // Where nothing shifts, or nothing turns, what is declared may be rounding of what does the other.
  constexpr double rounding = 1e-12;
  speed[0] = std::max(speed[0], length > 0 ? rounding * speed[1] / length : 0);
  speed[1] = std::max(speed[1], rounding * length * speed[0]);
  double moved = roundly, turned = roundly;
  const char* said = origin == StartOrigin::Run ? "was" : "is declared as";
  char position[200] = "", velocity[200] = "";
  int turn_end = 0;
  for (int i = 0; i < n; ++i) {
    if (system.role(i) != model::Role::Motion) continue;
    const auto k = static_cast<std::size_t>(i);
    const double q = given.initial_q[k], v = given.initial_v[k], dq = found.q[k] - q;
    if (const double part = std::abs(dq) / (is_length(i) ? length : 1); part > moved) {
      moved = part;
      std::snprintf(position, sizeof position, "assembly moved %.80s by %.4g, from %.4g to %.4g",
                    system.coordinate_name(i).c_str(), dq, q, found.q[k]);
    }
    if (begins_turn(system, i)) {  // their rates say little: scripts declare angular velocities
      turn_end = i + 4;
      const auto was = turning(&given.initial_q[k], &given.initial_v[k]), is = turning(&found.q[k], &found.v[k]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (std::abs(was[axis]) <= rounding * speed[0]) continue;  // not declared
        // Rates of Euler parameters are half as large.
        if (const double part = std::abs(is[axis] - was[axis]) / (2 * speed[0]); part > turned) {
          turned = part;
          const std::string& name = system.coordinate_name(i);
          std::snprintf(velocity, sizeof velocity, "assembly made %.80s.omega_%c %.4g, which %s %.4g rad/s",
                        name.substr(0, name.size() - 3).c_str(), "xyz"[axis], is[axis], said, was[axis]);
        }
      }
    }
    if (i < turn_end) continue;
    if (v == 0) continue;  // what is not declared is as the joints ask for
    if (const double part = std::abs(found.v[k] - v) / speed[is_length(i)]; part > turned) {
      turned = part;
      std::snprintf(velocity, sizeof velocity, "assembly made %.80s %.4g, which %s %.4g",
                    system.velocity_name(i).c_str(), found.v[k], said, v);
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
