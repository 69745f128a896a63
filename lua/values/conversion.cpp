// SPDX-License-Identifier: MIT
#include "values/conversion.hpp"

#include <cmath>

#include "model/text.hpp"
#include "model/unit.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using expr::NodeId;
using expr::Op;

/// Looks for a parameter that is multiplied by its own unit's size, within what a rounded one such as 57.3 is off by.
class ConversionSearch {
 public:
  explicit ConversionSearch(const model::Model& model) : model_(model), graph_(model.graph()) {}

  std::optional<SecondConversion> find(NodeId id, double factor) {
    if (left_-- <= 0 || graph_.is_constant(id)) return std::nullopt;
    if (const auto number = parameter_index(model_, id)) {
      return of_parameter(model_.parameters()[static_cast<std::size_t>(*number)], factor);
    }
    if (graph_.is_variable(id)) {  // constant factors are one in the graph: that of the unit and the script's
      const expr::Variable& variable = graph_.variable_of(id);
      if (variable.quantity != expr::Quantity::Parameter) return std::nullopt;
      const model::Parameter& parameter = model_.parameters()[static_cast<std::size_t>(variable.index)];
      return of_parameter(parameter, factor / parameter.size);
    }
    const expr::Node node = graph_.node(id);
    if (node.op == Op::Neg) return find(node.a, factor);
    if (node.op == Op::Mul && graph_.is_constant(node.a)) return find(node.b, factor * graph_.constant_value(node.a));
    if (node.op == Op::Mul && graph_.is_constant(node.b)) return find(node.a, factor * graph_.constant_value(node.b));
    if (node.op == Op::Div && graph_.is_constant(node.b)) return find(node.a, factor / graph_.constant_value(node.b));
    const bool is_sum = node.op == Op::Add || node.op == Op::Sub;
    for (const NodeId operand : {node.a, node.b, node.c}) {
      if (operand == expr::no_node) continue;
      if (auto found = find(operand, is_sum ? factor : 1)) return found;
    }
    return std::nullopt;
  }

 private:
  static std::optional<SecondConversion> of_parameter(const model::Parameter& parameter, double factor) {
    const auto unit = parameter.unit.empty() ? std::nullopt : model::unit_in_si(parameter.unit);
    if (!unit || unit->size == 1 || std::abs(std::abs(factor) / unit->size - 1) > 5e-3) return std::nullopt;
    const double decimals = std::log10(unit->size);
    return SecondConversion{"multiplies parameter \"" + parameter.name + "\" by " + model::text_of(std::abs(factor)) +
                                ", but in expressions it is in " + (unit->si.empty() ? "pure numbers" : unit->si) +
                                " already, not in " + parameter.unit + "; leave the factor out",
                            std::abs(decimals - std::round(decimals)) > 1e-9};
  }

  const model::Model& model_;
  const expr::Graph& graph_;
  int left_ = 200;  // longer expressions are hardly written to convert a number
};

}  // namespace

std::optional<SecondConversion> second_conversion(const model::Model& model, NodeId node) {
  return ConversionSearch(model).find(node, 1);
}

}  // namespace perilune::lua
