// SPDX-License-Identifier: MIT
// Whether what rolls could do so. It keeps touching, by a force that pulls where nothing else would. It pulls where
// that is more than the tolerances explain of the largest force that the contact has seen, and more than rounding of
// the energy in the motion. A limit that a switch marks is where its equations end, as for a wheel that lies flat and
// touches all around.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "at_time.hpp"
#include "integrator/integrator.hpp"
#include "system/constraint_rank.hpp"
#include "system/measure.hpp"
#include "system/system.hpp"

namespace perilune::simulation {

class RollingLimits {
 public:
  /// tolerance: the share of the largest force that a pull may be without one.
  RollingLimits(const system::System& system, double tolerance) : system_(system), tolerance_(tolerance) {
    for (int row = 0; row < system.constraint_count(); ++row) {
      if (system.only_pushes(row)) pulls_.push_back({row});
    }
    const int switches = system.switches() ? system.switches()->output_count() : 0;
    for (int k = 0; k < switches; ++k) {
      if (!system.limit_of_switch(k).empty()) limits_.push_back({k});
    }
    if (!limits_.empty()) work_ = system.switches()->make_work();
  }
  /// Of redundant constraints only a sum of the reactions is known. at: where the motion starts.
  void leave_out_undetermined(const system::Workspace& at) {
    if (pulls_.empty()) return;
    const system::ConstraintRank rank = system::constraint_rank(system_, at);
    if (!rank.is_redundant()) return;
    const std::vector<char> is_open =
        system::undetermined_rows(rank.rows, static_cast<std::size_t>(system_.constraint_count()));
    std::erase_if(pulls_, [&](const Pull& pull) { return is_open[static_cast<std::size_t>(pull.row)] != 0; });
  }
  void note(const system::MotionPoint& x) {
    for (Pull& pull : pulls_) pull.now = x.lambda[pull.row];
    note_limits(x);
  }
  /// Only the limits, which a motion may pass and come back from between points that are noted.
  void note_limits(const system::MotionPoint& x) {
    if (limits_.empty()) return;
    system_.switches()->evaluate(x, work_);
    for (Limit& limit : limits_) limit.now = system_.switches()->value(work_, limit.number);
  }
  /// Takes what was noted last, at the time t; energy: the largest kinetic energy so far.
  void keep(double t, double energy) {
    constexpr double rounding = 1e-9;  // of the forces that would bring all to rest within one metre
    for (Pull& pull : pulls_) {
      pull.largest = std::max(pull.largest, std::abs(pull.now));
      if (!(pull.now > tolerance_ * pull.largest + rounding * energy)) continue;
      if (pull.most == 0) pull.since = t;
      if (pull.now <= pull.most) continue;
      pull.most = pull.now;
      pull.at = t;
    }
    for (Limit& limit : limits_) {
      if (!(limit.now < 0) || limit.was) continue;
      limit.was = true;
      limit.since = t;
    }
  }
  /// Sentences for the user. may_stop: where the motion could have ended at a condition.
  void add_warnings(std::vector<std::string>& out, bool may_stop = true) const {
    for (const Pull& pull : pulls_) {
      if (pull.most == 0) continue;
      char most[80];
      std::snprintf(most, sizeof most, "%.3g N at t = %.6g s", pull.most, pull.at);
      out.push_back(at_time(pull.since) + "contact is lost in " + system_.describe_constraint(pull.row) +
                    ": from there on it is held by a pull, of up to " + most + "; what follows is not what happens" +
                    (may_stop ? "; stop = -m:signal \"" + system_.constraint_name(pull.row) +
                                    ".normal_force\" ends the motion there"
                              : ""));
    }
    for (const Limit& limit : limits_) {
      if (limit.was) out.push_back(at_time(limit.since) + system_.limit_of_switch(limit.number));
    }
  }

 private:
  struct Pull {
    int row;
    double now = 0, largest = 0;  // the multiplier at the point noted last; the largest of either sign
    double most = 0, at = 0;      // of its pulls
    double since = 0;             // when it pulled first
  };
  struct Limit {
    int number;  // of the switch
    double now = 1, since = 0;
    bool was = false;
  };
  const system::System& system_;
  double tolerance_;
  std::vector<Pull> pulls_;
  std::vector<Limit> limits_;
  std::vector<double> work_;
};

/// Sentences about limits that a position at rest has passed.
inline std::vector<std::string> limits_at_rest(const system::System& system, const system::Data& data, double t,
                                               const std::vector<double>& q, const std::vector<double>& lambda) {
  std::vector<std::string> out;
  if (!system.switches()) return out;
  const std::vector<double> none(q.size(), 0.0);
  std::vector<double> work = system.switches()->make_work();
  system.switches()->evaluate({t, q.data(), none.data(), none.data(), lambda.data(), data.parameters.data(),
                               data.sides.data()},
                              work);
  for (int k = 0; k < system.switches()->output_count(); ++k) {
    const std::string& sentence = system.limit_of_switch(k);
    if (!sentence.empty() && system.switches()->value(work, k) < 0) out.push_back(at_time(t) + sentence);
  }
  return out;
}

/// Of a motion that drivers decide about, whose points fulfil all constraints.
inline std::vector<std::string> limits_of_driven(const system::System& system, const system::Data& data,
                                                 const integrator::Mesh& mesh) {
  constexpr double tolerance = 1e-6;
  std::vector<std::string> out;
  RollingLimits limits(system, tolerance);
  system::Workspace w(system);
  const std::vector<double> rest(static_cast<std::size_t>(mesh.n), 0.0);
  system.evaluate({mesh.t.front(), mesh.q_at(0), rest.data(), nullptr, nullptr}, data, w, system::Part::Constraints);
  limits.leave_out_undetermined(w);
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    limits.note({mesh.t[k], mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), mesh.lambda_at(k), data.parameters.data(),
                 data.sides.data()});
    limits.keep(mesh.t[k], 0);
  }
  limits.add_warnings(out, false);
  return out;
}

}  // namespace perilune::simulation
