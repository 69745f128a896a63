// SPDX-License-Identifier: MIT
#include "values/dimension.hpp"

#include "model/unit.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using expr::NodeId;
using expr::Op;
using Dimension = std::array<double, 5>;

/// Long expressions are not read to their end: they have numbers in them, by far most of them.
constexpr int most_levels = 8;

Dimension combined(const Dimension& a, const Dimension& b, double power) {
  Dimension out = a;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += power * b[k];
  return out;
}

std::optional<Dimension> find_dimension(const model::Model& model, NodeId id, int levels) {
  if (const auto number = parameter_index(model, id)) {
    const std::string& name = model.parameters()[static_cast<std::size_t>(*number)].unit;
    const auto unit = name.empty() ? std::nullopt : model::unit_in_si(name);
    return unit ? std::optional(unit->dimension) : std::nullopt;
  }
  if (levels == 0) return std::nullopt;
  const expr::Node& node = model.graph().node(id);
  const auto of = [&](NodeId operand) { return find_dimension(model, operand, levels - 1); };
  switch (node.op) {
    case Op::Neg:
    case Op::Abs:
      return of(node.a);
    case Op::Sqrt:
    case Op::PowConstant: {
      const double power = node.op == Op::Sqrt ? 0.5 : node.value;
      const auto base = of(node.a);
      return base ? std::optional(combined({}, *base, power)) : std::nullopt;
    }
    case Op::Add:
    case Op::Sub:
    case Op::Min:
    case Op::Max: {
      const auto first = of(node.a);
      return first ? first : of(node.b);
    }
    case Op::Mul:
    case Op::Div: {
      const auto a = of(node.a), b = a ? of(node.b) : std::nullopt;
      return b ? std::optional(combined(*a, *b, node.op == Op::Mul ? 1 : -1)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Dimension> dimension_of(const model::Model& model, NodeId node) {
  return find_dimension(model, node, most_levels);
}

}  // namespace perilune::lua
