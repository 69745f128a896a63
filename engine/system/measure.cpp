#include "system/measure.hpp"

#include <algorithm>

namespace perilune::system {

using expr::Quantity;

Measure::Measure(const expr::Graph& graph, const std::vector<expr::NodeId>& outputs)
    : tape_(graph, graph.variables_of(outputs), outputs) {
  for (expr::NodeId id : tape_.inputs()) {
    const expr::Variable& variable = graph.variable_of(id);
    inputs_.push_back({variable.quantity, variable.index});
  }
}

bool Measure::reads(Quantity quantity) const {
  return std::any_of(inputs_.begin(), inputs_.end(), [=](const Input& i) { return i.quantity == quantity; });
}

std::vector<double> Measure::make_work() const {
  std::vector<double> work(2 * static_cast<std::size_t>(tape_.size()), 0.0);
  tape_.load_constants(work.data());
  return work;
}

std::vector<expr::Taylor2<double>> Measure::make_curve_work() const {
  std::vector<expr::Taylor2<double>> work(2 * static_cast<std::size_t>(tape_.size()));
  tape_.load_constants(work.data());
  return work;
}

double Measure::read(const MotionPoint& at, const Input& input) const {
  switch (input.quantity) {
    case Quantity::Time:
      return at.t;
    case Quantity::Position:
      return at.q[input.index];
    case Quantity::Velocity:
      return at.v[input.index];
    case Quantity::Acceleration:
      return at.a[input.index];
    case Quantity::Multiplier:
      return at.lambda[input.index];
    case Quantity::Parameter:
      return at.parameters[input.index];
  }
  return 0;
}

void Measure::evaluate(const MotionPoint& at, std::vector<double>& work) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) work[i] = read(at, inputs_[i]);
  tape_.evaluate(work.data());
}

void Measure::add_gradient(std::vector<double>& work, int k, double weight, const MotionGradient& gradient) const {
  visit_gradient(work, k, [&](Quantity quantity, int index, double slope) {
    slope *= weight;
    switch (quantity) {
      case Quantity::Position:
        gradient.q[index] += slope;
        break;
      case Quantity::Velocity:
        gradient.v[index] += slope;
        break;
      case Quantity::Acceleration:
        gradient.a[index] += slope;
        break;
      case Quantity::Multiplier:
        gradient.lambda[index] += slope;
        break;
      case Quantity::Parameter:
        gradient.parameters[index] += slope;
        break;
      case Quantity::Time:
        break;
    }
  });
}

}  // namespace perilune::system
