// SPDX-License-Identifier: MIT
// Corners of forces that feel loads, between the nodes of a step. Friction in a joint is a function of the size of
// reactions, |F| = sqrt(F^2 + e^2), whose slope turns round within a few e where F passes zero, and no step ends there:
// values are right, but derivatives of the step take the slope that each node happens to have, and are off by as much
// as the step is long.
//
// From the mesh point before a step to each node of it the loads are taken along a straight line, with all else as at
// the node: what the slope Q_lambda does along it is the forces' own. Where more than a quarter of its change lies
// within 3/16 of the line, in which a straight one has 3/16, the singularity of the square root is less than half a
// step away from the motion, at an imaginary time, and the step does not follow it.
//
// Where slopes go on turning beyond the end of a step, a mesh point lies in the corner itself, and the line goes from
// the point before it to the one behind; within 2/16 of it then, since corners that each step follows look sharper on
// the line of two. Runs that begin without load, and what follows an event, begin in a corner
// that no step goes across. Nor is it one where rounding may have put the load on either side.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "integrator/integrator.hpp"
#include "system/system.hpp"

namespace perilune::simulation {

class FeltCorners final : public integrator::StepListener {
 public:
  explicit FeltCorners(const system::System& system);
  /// Whether some force feels loads.
  static bool are_possible(const system::System& system) { return system.nr().size() > 0; }
  void start(const integrator::March& march) override;
  void begin_step(const integrator::March&) override {}
  void group(const integrator::March&, std::size_t) override {}
  void accept(const integrator::March& march) override;
  /// A sentence about the first corner; none where there is none.
  void add_warning(std::vector<std::string>& out) const;

 private:
  using Slopes = std::vector<double>;  // Q_lambda, by the entries of nr()
  struct Corner {
    double t;
    int multiplier;
  };
  struct Place {
    int row, multiplier;
  };

  /// Along the line to a node, from these multipliers at the time t.
  /// `steps`: how many it is long.
  void look(double t, const std::vector<double>& from, const formulation::Node& x, int steps);
  void keep(const formulation::Node& x);
  std::vector<double> multipliers(const formulation::Node& x) const;
  Slopes slopes(const formulation::Node& x, const std::vector<double>& lambda);
  /// The first of the points about a corner, in an entry that differs between the ends of the line.
  std::optional<int> corner(std::size_t entry, int window);
  /// Whether the entry stays as it is at both ends where the load by which it turns there is another one by rounding.
  bool is_definite(std::size_t entry, int first, int behind, const std::vector<double>& from,
                   const formulation::Node& x);
  const Slopes& at(int point) const;

  const system::System& system_;
  const system::Data* data_ = nullptr;  // of the motion
  std::vector<Place> places_;           // of the entries
  system::Workspace work_;
  std::vector<double> last_;  // multipliers of the mesh point before the step
  std::vector<double> before_last_;
  double time_before_last_ = 0;  // s
  bool goes_beyond_ = false;     // a turn on the line looked at last, beyond its end
  Slopes last_slopes_;           // there
  std::vector<Slopes> line_;     // at its points, which go on beyond both ends
  std::optional<Corner> found_;
};

}  // namespace perilune::simulation
