// SPDX-License-Identifier: MIT
#include "values/conversion.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/text.hpp"
#include "model/unit.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using expr::NodeId;
using expr::Op;

/// Looks for parameters that are multiplied by the sizes of their own units, within what a rounded one such as 57.3 is
/// off by.
class ConversionSearch {
 public:
  explicit ConversionSearch(const model::Model& model) : model_(model), graph_(model.graph()) {}

  std::optional<SecondConversion> find(NodeId id, double factor) {
    if (left_ <= 0) return std::nullopt;
    Product product{factor};
    gather(id, 1, product);
    if (auto found = of_product(product)) return found;
    for (const NodeId sum : product.sums) {
      const expr::Node node = graph_.node(sum);
      for (const NodeId operand : {node.a, node.b}) {
        if (auto found = find(operand, product.constant)) return found;
      }
    }
    for (const NodeId alone : product.alone) {
      if (auto found = find(alone, 1)) return found;
    }
    return std::nullopt;
  }

 private:
  struct Power {
    const model::Parameter* parameter;
    double exponent;
  };
  /// What an expression is the product of.
  struct Product {
    double constant;
    std::vector<Power> powers = {};
    std::vector<NodeId> sums = {};   // each term of which the constant multiplies
    std::vector<NodeId> alone = {};  // operands of functions, and what roots and powers are of
  };

  void gather(NodeId id, double exponent, Product& out) {
    if (left_-- <= 0) return;
    if (graph_.is_constant(id)) {
      out.constant *= std::pow(std::abs(graph_.constant_value(id)), exponent);
      return;
    }
    if (const auto number = parameter_index(model_, id)) return add(*number, exponent, out);
    if (graph_.is_variable(id)) {  // where the graph has made one constant of the unit's factor and the script's
      const expr::Variable& variable = graph_.variable_of(id);
      if (variable.quantity != expr::Quantity::Parameter) return;
      add(variable.index, exponent, out);
      out.constant /= std::pow(out.powers.back().parameter->size, exponent);
      return;
    }
    const expr::Node node = graph_.node(id);
    switch (node.op) {
      case Op::Neg:
        return gather(node.a, exponent, out);
      case Op::Mul:
        gather(node.a, exponent, out);
        return gather(node.b, exponent, out);
      case Op::Div:
        gather(node.a, exponent, out);
        return gather(node.b, -exponent, out);
      case Op::Sqrt:
      case Op::PowConstant:
        if (!parameter_index(model_, node.a)) out.alone.push_back(node.a);
        return gather(node.a, exponent * (node.op == Op::Sqrt ? 0.5 : node.value), out);
      case Op::Add:
      case Op::Sub:
        if (exponent == 1) {
          out.sums.push_back(id);
          return;
        }
        break;
      default:
        break;
    }
    for (const NodeId operand : {node.a, node.b, node.c}) {
      if (operand != expr::no_node) out.alone.push_back(operand);
    }
  }

  void add(int number, double exponent, Product& out) const {
    out.powers.push_back({&model_.parameters()[static_cast<std::size_t>(number)], exponent});
  }

  /// Of one parameter among the factors, or of all together.
  static std::optional<SecondConversion> of_product(const Product& product) {
    std::vector<Power> powers;  // each parameter once
    bool has_plain = false;     // a number without a unit, of which the factor may be
    for (const Power& one : product.powers) {
      has_plain = has_plain || one.parameter->unit.empty();
      const auto known = std::find_if(powers.begin(), powers.end(),
                                      [&](const Power& other) { return other.parameter == one.parameter; });
      if (known == powers.end()) {
        powers.push_back(one);
      } else {
        known->exponent += one.exponent;
      }
    }
    std::erase_if(powers, [](const Power& one) { return one.exponent == 0 || size_of(one) == 1; });
    double of_all = 1;
    for (const Power& one : powers) {
      if (is_factor(product.constant, size_of(one))) return sentence({one}, product.constant, has_plain);
      of_all *= size_of(one);
    }
    if (!is_factor(product.constant, of_all)) return std::nullopt;
    return sentence(powers, product.constant, has_plain);
  }

  /// Of the power of the unit.
  static double size_of(const Power& one) {
    const auto unit = one.parameter->unit.empty() ? std::nullopt : model::unit_in_si(one.parameter->unit);
    return unit ? std::pow(unit->size, one.exponent) : 1;
  }

  static bool is_factor(double constant, double size) {
    return std::abs(size - 1) > 1e-9 && std::abs(constant / size - 1) < 5e-3;
  }

  static SecondConversion sentence(const std::vector<Power>& powers, double factor, bool has_plain) {
    std::string names, units, si;
    bool is_decimal = true;
    for (std::size_t k = 0; k < powers.size(); ++k) {
      const model::Parameter& parameter = *powers[k].parameter;
      const auto unit = model::unit_in_si(parameter.unit);
      const std::string between = k == 0 ? "" : k + 1 == powers.size() ? " and " : ", ";
      names += between + "\"" + parameter.name + "\"";
      units += between + parameter.unit;
      si += between + (unit->si.empty() ? "pure numbers" : unit->si);
      const double decimals = std::log10(unit->size);
      is_decimal = is_decimal && std::abs(decimals - std::round(decimals)) < 1e-9;
    }
    const bool is_one = powers.size() == 1;
    // Of powers and of several, many factors are near a size by chance.
    double of_all = 1;
    for (const Power& one : powers) of_all *= size_of(one);
    const bool is_meant = (is_one && powers[0].exponent == 1) || std::abs(factor / of_all - 1) < 1e-6;
    const std::string power =
        is_one && powers[0].exponent != 1 ? "^" + model::text_of(powers[0].exponent) : std::string();
    return {std::string(is_one ? "multiplies parameter " : "multiplies parameters ") + names + power + " by " +
                model::text_of(factor) +
                (is_one ? ", but in expressions it is in " : ", but in expressions they are in ") + si +
                " already, not in " + units + "; leave the factor out",
            is_meant && !is_decimal && !has_plain};
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
