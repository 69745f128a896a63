// SPDX-License-Identifier: MIT
// Where the edge of a wheel is nearest to a surface that has no closed form for it.
#pragma once
#include <optional>
#include <vector>

#include "expr/tape.hpp"
#include "model/model.hpp"

namespace perilune::model {

/// What gaps along an edge are expressions of, until a coordinate takes its place: the angle around the wheel.
Symbol edge_angle(Graph& graph);

/// The expression with the angle replaced.
Symbol at_angle(Graph& graph, const Symbol& what, const Symbol& angle);
Vector at_angle(Graph& graph, const Vector& what, const Symbol& angle);

/// What is given along an edge, as declared and at the present parameters, as a function of the angle.
class AroundEdge {
 public:
  AroundEdge(Model& model, const Symbol& given);
  double value(double angle) { return output(0, angle); }
  double slope(double angle) { return output(1, angle); }

 private:
  double output(int which, double angle);

  expr::Tape tape_;
  std::vector<double> work_;
  std::optional<std::size_t> slot_ = {};  // of the angle, where it is read at all
};

/// Where the gap, as declared and at the present parameters, is least all around the edge; in (-pi, pi]. Not finite
/// where the gap is not.
double nearest_angle(Model& model, const Symbol& gap);

}  // namespace perilune::model
