// SPDX-License-Identifier: MIT
#include "model/dimension.hpp"

#include <cmath>

#include "model/text.hpp"
#include "model/unit.hpp"

namespace perilune::model {

namespace {

using expr::Op;
using Kind = Dimension::Kind;

constexpr std::array<double, 5> of_numbers = {};

/// Roots of powers come back to whole ones but for rounding.
bool is_alike(const std::array<double, 5>& a, const std::array<double, 5>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::abs(a[k] - b[k]) > 1e-9) return false;
  }
  return true;
}

std::string powers_text(const std::array<double, 5>& powers, double sign) {
  constexpr const char* names[] = {"kg", "m", "s", "A", "K"};
  std::string text;
  for (std::size_t k = 0; k < powers.size(); ++k) {
    const double power = sign * powers[k];
    if (power <= 0) continue;
    text += (text.empty() ? "" : " ") + std::string(names[k]) + (power == 1 ? "" : "^" + text_of(power));
  }
  return text;
}

}  // namespace

bool Dimension::fits(const std::array<double, 5>& other) const {
  return kind == Kind::Open || (kind == Kind::Known && is_alike(powers, other));
}

Dimension Dimensions::of(NodeId id) {
  if (const auto known = found_.find(id); known != found_.end()) return known->second;
  if (left_ == 0) return {};
  --left_;
  Dimension read_now = read(id);
  return found_.emplace(id, std::move(read_now)).first->second;
}

Dimension Dimensions::of_variable(NodeId id) const {
  const expr::Variable& variable = model_.graph().variable_of(id);
  if (variable.quantity == expr::Quantity::Parameter) {
    return dimension_of_unit(model_.parameters()[static_cast<std::size_t>(variable.index)].unit);
  }
  const auto signal = model_.record().signals.find(variable.name);
  if (signal == model_.record().signals.end() || signal->second.is_named) return {};
  return dimension_of_unit(signal->second.unit);
}

Dimension Dimensions::of_sum(const Dimension& a, const Dimension& b, const char* what) const {
  if (a.kind == Kind::Impossible || b.kind == Kind::Open) return a;
  if (b.kind == Kind::Impossible || a.kind == Kind::Open) return b;
  if (is_alike(a.powers, b.powers)) return a;
  return {Kind::Impossible, {}, text_of(a) + " and " + text_of(b) + " are " + what};
}

Dimension Dimensions::of_product(const Dimension& a, const Dimension& b, double power) const {
  if (a.kind != Kind::Known) return a.kind == Kind::Open && b.kind == Kind::Impossible ? b : a;
  if (b.kind != Kind::Known) return b;
  Dimension out = a;
  for (std::size_t k = 0; k < out.powers.size(); ++k) out.powers[k] += power * b.powers[k];
  return out;
}

Dimension Dimensions::read(NodeId id) {
  const expr::Graph& graph = model_.graph();
  if (graph.is_constant(id)) return {};
  if (graph.is_variable(id)) return of_variable(id);
  const expr::Node node = graph.node(id);
  if (node.op == Op::Mul) {  // a parameter in a unit of its own, which the product converts from
    const NodeId own = graph.is_constant(node.a) ? node.b : node.a;
    if (graph.is_variable(own) && graph.variable_of(own).quantity == expr::Quantity::Parameter) {
      const Parameter& parameter = model_.parameters()[static_cast<std::size_t>(graph.variable_of(own).index)];
      if (parameter.quantity == id) return dimension_of_unit(parameter.unit);
    }
  }
  switch (node.op) {
    case Op::Neg:
    case Op::Abs:
      return of(node.a);
    case Op::Sqrt:
    case Op::PowConstant: {
      const Dimension base = of(node.a);
      return base.kind == Kind::Known
                 ? of_product({Kind::Known, of_numbers, ""}, base, node.op == Op::Sqrt ? 0.5 : node.value)
                 : base;
    }
    case Op::Add:
      return of_sum(of(node.a), of(node.b), "added");
    case Op::Sub:
      return of_sum(of(node.a), of(node.b), "subtracted");
    case Op::Min:
    case Op::Max:
      return of_sum(of(node.a), of(node.b), "compared");
    case Op::Where:
      return of_sum(of(node.b), of(node.c), "chosen from");
    case Op::Mul:
      return of_product(of(node.a), of(node.b), 1);
    case Op::Div:
      return of_product(of(node.a), of(node.b), -1);
    case Op::Sin:
    case Op::Cos:
    case Op::Tan: {
      Dimension angle = of(node.a);
      if (angle.kind == Kind::Impossible) return angle;
      if (angle.fits(of_numbers)) return {};
      return {Kind::Impossible, {}, std::string(expr::name_of(node.op)) + " is of " + text_of(angle)};
    }
    case Op::Atan2: {
      const Dimension both = of_sum(of(node.a), of(node.b), "compared");
      return both.kind == Kind::Impossible ? both : Dimension{Kind::Known, of_numbers, ""};
    }
    case Op::Asin:
    case Op::Acos:
    case Op::Atan: {  // of lengths, too: of those over a radius of 1
      const Dimension ratio = of(node.a);
      return ratio.kind == Kind::Impossible ? ratio : Dimension{Kind::Known, of_numbers, ""};
    }
    default:
      return {};
  }
}

Dimension dimension_of_unit(const std::string& unit) {
  const auto known = unit.empty() ? std::nullopt : unit_in_si(unit);
  return known ? Dimension{Kind::Known, known->dimension, ""} : Dimension{};
}

std::string text_of(const Dimension& dimension) {
  for (const char* name : {"N", "W", "Pa", "V"}) {
    if (dimension.fits(unit_in_si(name)->dimension)) return name;
  }
  std::string above = powers_text(dimension.powers, 1);
  const std::string below = powers_text(dimension.powers, -1);
  if (above.empty() && below.empty()) return "rad or a pure number";
  if (below.empty()) return above;
  const bool is_product = below.find(' ') != below.npos;
  return (above.empty() ? "1" : above) + "/" + (is_product ? "(" + below + ")" : below);
}

}  // namespace perilune::model
