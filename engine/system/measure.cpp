// SPDX-License-Identifier: MIT
#include "system/measure.hpp"

#include <algorithm>
#include <limits>

#include "error.hpp"
#include "model/removal.hpp"

namespace perilune::system {

using expr::Quantity;

Measure::Measure(const expr::Graph& graph, const std::vector<expr::NodeId>& outputs)
    : tape_(graph, graph.variables_of(outputs), outputs) {
  for (expr::NodeId id : tape_.inputs()) {
    const expr::Variable& variable = graph.variable_of(id);
    inputs_.push_back({variable.quantity, variable.index});
  }
}

Measure::Measure(const model::Model& model, const std::vector<expr::NodeId>& outputs)
    : Measure(model.graph(), outputs) {
  if (!model.has_removed()) return;
  if (const std::string read = model::removed_variable(model, outputs); !read.empty()) {
    throw Error("this reads " + read + ", which was removed from the model");
  }
  for (Input& input : inputs_) {
    const bool is_of_coordinate = input.quantity == Quantity::Position || input.quantity == Quantity::Velocity ||
                                  input.quantity == Quantity::Acceleration;
    if (!is_of_coordinate && input.quantity != Quantity::Multiplier) continue;
    const std::vector<int>& numbers = is_of_coordinate ? model.coordinate_numbers() : model.multiplier_numbers();
    const auto k = static_cast<std::size_t>(input.index);
    if (k < numbers.size()) input.index = numbers[k];
  }
}

bool Measure::reads(Quantity quantity) const {
  return std::any_of(inputs_.begin(), inputs_.end(), [=](const Input& i) { return i.quantity == quantity; });
}

bool Measure::reads(Quantity quantity, int index) const {
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [=](const Input& i) { return i.quantity == quantity && i.index == index; });
}

std::vector<int> Measure::indices_of(Quantity quantity) const {
  std::vector<int> out;
  for (const Input& input : inputs_) {
    if (input.quantity == quantity && input.index >= 0) out.push_back(input.index);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<char> Measure::outputs_of(std::initializer_list<Quantity> quantities) const {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const bool is_one = std::find(quantities.begin(), quantities.end(), inputs_[i].quantity) != quantities.end();
    if (is_one && inputs_[i].index >= 0) numbers.push_back(static_cast<int>(i));
  }
  return tape_.reached_by(numbers);
}

void Measure::add_to(Fingerprint& print) const {
  std::vector<std::uint64_t> inputs;
  for (const Input& input : inputs_) {
    Fingerprint one;
    one.add_number(static_cast<std::uint64_t>(input.quantity)).add({double(input.index), input.constant});
    inputs.push_back(one.value());
  }
  for (const std::uint64_t output : tape_.fingerprints(inputs)) print.add_number(output);
}

void Measure::number_multipliers(const std::vector<int>& numbers) {
  for (Input& input : inputs_) {
    if (input.quantity == Quantity::Multiplier) input.index = numbers[static_cast<std::size_t>(input.index)];
  }
}

void Measure::leave_out(const std::vector<char>& takes_part) {
  for (Input& input : inputs_) {
    if (input.quantity != Quantity::Absence || input.index < 0) continue;
    const auto element = static_cast<std::size_t>(input.index);
    const bool is_absent = element < takes_part.size() && !takes_part[element];
    input = {Quantity::Absence, -1, is_absent ? 1.0 : 0.0};
  }
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

std::vector<expr::Enclosure> Measure::make_bounds() const { return tape_.make_work<expr::Enclosure>(); }

double Measure::read(const MotionPoint& at, const Input& input) const {
  if (input.index < 0) return input.constant;
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
    case Quantity::Side:
      return at.sides ? at.sides[input.index] : 0;
    case Quantity::Absence:
      return 0;
    case Quantity::Argument:
      return std::numeric_limits<double>::quiet_NaN();
  }
  return 0;
}

void Measure::evaluate(const MotionPoint& at, std::vector<double>& work) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) work[i] = read(at, inputs_[i]);
  tape_.evaluate(work.data());
}

void Measure::evaluate_along(const MotionPoint& at, const MotionPoint& rate, DualWork& work) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    // How fast accelerations and multipliers change is not known: they count as constant, too.
    const bool moves =
        inputs_[i].index >= 0 && (inputs_[i].quantity == Quantity::Time || inputs_[i].quantity == Quantity::Position ||
                                  inputs_[i].quantity == Quantity::Velocity);
    work[i] = {read(at, inputs_[i]), {moves ? read(rate, inputs_[i]) : 0.0}};
  }
  tape_.evaluate(work.data());
}

void Measure::add(const Input& input, double slope, const MotionGradient& gradient) {
  if (input.index < 0) return;
  switch (input.quantity) {
    case Quantity::Position:
      gradient.q[input.index] += slope;
      break;
    case Quantity::Velocity:
      gradient.v[input.index] += slope;
      break;
    case Quantity::Acceleration:
      gradient.a[input.index] += slope;
      break;
    case Quantity::Multiplier:
      gradient.lambda[input.index] += slope;
      break;
    case Quantity::Parameter:
      gradient.parameters[input.index] += slope;
      break;
    case Quantity::Time:
      if (gradient.t) *gradient.t += slope;
      break;
    case Quantity::Side:
    case Quantity::Argument:
    case Quantity::Absence:
      break;
  }
}

void Measure::add_gradient(std::vector<double>& work, int k, double weight, const MotionGradient& gradient) const {
  visit_gradient(work, k, [&](Quantity quantity, int index, double slope) {
    add({quantity, index}, weight * slope, gradient);
  });
}

double Measure::slope(const MotionPoint& at, int k, const MotionPoint& direction) const {
  std::vector<double> work = make_work();
  evaluate(at, work);
  double sum = 0;
  visit_gradient(work, k, [&](Quantity quantity, int index, double slope) {
    if (quantity != Quantity::Parameter && quantity != Quantity::Side)
      sum += slope * read(direction, {quantity, index});
  });
  return sum;
}

Measure::SecondWork Measure::make_second_work() const {
  SecondWork work(2 * static_cast<std::size_t>(tape_.size()));
  tape_.load_constants(work.data());
  return work;
}

void Measure::add_hessian_product(const MotionPoint& at, const MotionPoint& direction, int k, double weight,
                                  SecondWork& work, const MotionGradient& gradient) const {
  using Pair = expr::Grad<1, double>;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    work[i] = Pair(read(at, inputs_[i]), {read(direction, inputs_[i])});
  }
  tape_.evaluate(work.data());
  Pair* adjoint = work.data() + tape_.size();
  std::fill_n(adjoint, tape_.size(), Pair());
  adjoint[tape_.output_slot(k)] = Pair(1.0);
  tape_.reverse(work.data(), adjoint);
  for (std::size_t i = 0; i < inputs_.size(); ++i) add(inputs_[i], weight * adjoint[i].g[0], gradient);
}

}  // namespace perilune::system
