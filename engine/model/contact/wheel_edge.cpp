// SPDX-License-Identifier: MIT
#include "model/contact/wheel_edge.hpp"

#include <cmath>
#include <numbers>

#include "expr/rewrite.hpp"
#include "model/declare.hpp"
#include "model/joint/relations.hpp"
#include "model/law/symbolic.hpp"

namespace perilune::model {

using expr::Quantity;

AroundEdge::AroundEdge(Model& model, const Symbol& given) {
  Graph& graph = model.graph();
  const NodeId angle = edge_angle(graph).in(graph), value = declared_value(model, given).in(graph);
  const std::vector<NodeId> outputs{value, expr::derivative(graph, value, {{angle, graph.constant(1)}})};
  const std::vector<NodeId> inputs = graph.variables_of(outputs);
  tape_ = expr::Tape(graph, inputs, outputs);
  work_ = tape_.make_work<double>();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const expr::Variable& variable = graph.variable_of(inputs[i]);
    if (inputs[i] == angle) slot_ = i;
    if (variable.quantity != Quantity::Parameter) continue;
    work_[i] = model.parameters()[static_cast<std::size_t>(variable.index)].value;
  }
}

double AroundEdge::output(int which, double angle) {
  if (slot_) work_[*slot_] = angle;
  tape_.evaluate(work_.data());
  return work_[static_cast<std::size_t>(tape_.output_slot(which))];
}

Symbol edge_angle(Graph& graph) {
  constexpr int behind_those_of_terrains = 3;
  return {graph, graph.variable(Quantity::Argument, behind_those_of_terrains, "angle around the edge of the wheel")};
}

Symbol at_angle(Graph& graph, const Symbol& what, const Symbol& angle) {
  return {graph, expr::substitute(graph, what.in(graph), {{edge_angle(graph).in(graph), angle.in(graph)}})};
}

Vector at_angle(Graph& graph, const Vector& what, const Symbol& angle) {
  Vector out;
  for (const Symbol& x : what) out.push_back(at_angle(graph, x, angle));
  return out;
}

double nearest_angle(Model& model, const Symbol& gap) {
  constexpr int samples = 180, halvings = 60;
  constexpr double step = 2 * std::numbers::pi / samples;
  AroundEdge around(model, gap);
  int least = 0;
  double least_gap = around.value(0);
  // From the lowest point to both sides, so that of equals the lowest is taken.
  for (int k = 1; k <= samples / 2; ++k) {
    for (const int side : {k, -k}) {
      const double here = around.value(side * step);
      if (!std::isfinite(here) || here >= least_gap) continue;
      least = side;
      least_gap = here;
    }
  }
  double left = (least - 1) * step, right = (least + 1) * step;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (left + right);
    (around.slope(middle) < 0 ? left : right) = middle;
  }
  return 0.5 * (left + right);
}

}  // namespace perilune::model
