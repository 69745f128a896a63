// SPDX-License-Identifier: MIT
#include "expr/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <unordered_set>

#include "error.hpp"
#include "expr/operations.hpp"
#include "poll.hpp"

namespace perilune::expr {

const char* name_of(Op op) {
  static constexpr const char* names[] = {"constant", "variable", "-",      "abs",  "sign", "sqrt",   "exp",  "log",
                                          "sin",      "cos",      "tan",    "asin", "acos", "atan",   "sinh", "cosh",
                                          "tanh",     "^",        "spline", "+",    "-",    "*",      "/",    "^",
                                          "atan",     "min",      "max",    "lt",   "le",   "spline", "where"};
  return names[static_cast<std::size_t>(op)];
}

std::size_t Graph::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = static_cast<std::uint64_t>(key.op);
  for (std::uint64_t part : {static_cast<std::uint64_t>(key.a), static_cast<std::uint64_t>(key.b),
                             static_cast<std::uint64_t>(key.c), key.bits}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

Graph::Graph() : origins_{""} {}

void Graph::set_origin(std::string_view position) {
  if (origins_[static_cast<std::size_t>(origin_)] == position) return;
  if (position.empty()) {
    origin_ = 0;
    return;
  }
  auto [it, is_new] = origin_numbers_.try_emplace(std::string(position), static_cast<int>(origins_.size()));
  if (is_new) origins_.emplace_back(position);
  origin_ = it->second;
}

NodeId Graph::intern(Node node) {
  Key key{node.op, node.a, node.b, node.c, std::bit_cast<std::uint64_t>(node.value)};
  // a + b and b + a share a node, which keeps the order that the script wrote first.
  if ((node.op == Op::Add || node.op == Op::Mul) && key.a > key.b) std::swap(key.a, key.b);
  auto found = interned_.find(key);
  if (found != interned_.end()) return found->second;
  if (nodes_.size() >= node_limit_) {
    throw Error("an expression grew too large (the model has " + std::to_string(node_limit_) +
                " operations); is there a loop in a law that should not be unrolled?");
  }
  node.origin = origin_;
  nodes_.push_back(node);
  const auto id = static_cast<NodeId>(nodes_.size() - 1);
  interned_.emplace(key, id);
  return id;
}

NodeId Graph::constant(double value) { return intern({Op::Constant, no_node, no_node, no_node, value}); }

NodeId Graph::variable(Quantity quantity, int index, const std::string& name) {
  const std::uint64_t key = static_cast<std::uint64_t>(quantity) << 32 | static_cast<std::uint32_t>(index);
  const auto next = static_cast<NodeId>(variables_.size());
  const auto [first, is_first] = variable_numbers_.try_emplace(key, next);
  NodeId number = first->second;
  if (!is_first && variables_[static_cast<std::size_t>(number)].name != name) {
    number = namesakes_.try_emplace({key, name}, next).first->second;
  }
  if (number == next) variables_.push_back({quantity, index, name});
  return intern({Op::Variable, number});
}

NodeId Graph::unary(Op op, NodeId a) {
  if (is_constant(a)) return constant(apply<double>(op, constant_value(a), 0, 0, 0));
  if (op == Op::Neg && node(a).op == Op::Neg) return node(a).a;
  return intern({op, a});
}

NodeId Graph::binary(Op op, NodeId a, NodeId b) {
  const bool ca = is_constant(a), cb = is_constant(b);
  if (ca && cb) return constant(apply<double>(op, constant_value(a), constant_value(b), 0, 0));
  auto is = [&](NodeId id, double value) { return is_constant(id) && constant_value(id) == value; };
  switch (op) {
    case Op::Add:
      if (is(a, 0)) return b;
      if (is(b, 0)) return a;
      break;
    case Op::Sub:
      if (is(b, 0)) return a;
      if (is(a, 0)) return unary(Op::Neg, b);
      if (a == b) return constant(0);
      break;
    case Op::Mul:
      if (is(a, 0) || is(b, 0)) return constant(0);
      if (is(a, 1)) return b;
      if (is(b, 1)) return a;
      break;
    case Op::Div:
      if (is(b, 1)) return a;
      if (is(a, 0)) return constant(0);
      break;
    case Op::Pow:
      if (cb) {
        if (is(b, 0)) return constant(1);
        if (is(b, 1)) return a;
        if (is(b, 2)) return binary(Op::Mul, a, a);
        return intern({Op::PowConstant, a, no_node, no_node, constant_value(b)});
      }
      break;
    default:
      break;
  }
  return intern({op, a, b});
}

NodeId Graph::where(NodeId condition, NodeId yes, NodeId no) {
  if (is_constant(condition)) return constant_value(condition) != 0 ? yes : no;
  if (yes == no) return yes;
  return intern({Op::Where, condition, yes, no});
}

std::size_t Graph::number_of(const TablePtr& table) {
  const auto [it, is_new] = table_numbers_.try_emplace(table.get(), tables_.curves.size());
  if (is_new) tables_.curves.push_back(table);
  return it->second;
}

std::size_t Graph::number_of(const SurfacePtr& surface) {
  const auto [it, is_new] = table_numbers_.try_emplace(surface.get(), tables_.surfaces.size());
  if (is_new) tables_.surfaces.push_back(surface);
  return it->second;
}

NodeId Graph::lookup(const TablePtr& table, NodeId a) {
  if (is_constant(a)) return constant((*table)(constant_value(a)));
  return intern({Op::Table, a, no_node, no_node, static_cast<double>(number_of(table))});
}

NodeId Graph::lookup_slope(NodeId id) {
  const NodeId a = node(id).a;
  const auto number = static_cast<std::size_t>(node(id).value);
  TablePtr& slope = slope_tables_[number];
  if (!slope) slope = std::make_shared<const PiecewisePolynomial>(tables_.curves[number]->derivative());
  return lookup(slope, a);
}

NodeId Graph::lookup(const SurfacePtr& surface, NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) return constant((*surface)(constant_value(a), constant_value(b)));
  return intern({Op::Surface, a, b, no_node, static_cast<double>(number_of(surface))});
}

NodeId Graph::surface_slope(NodeId id, bool in_second) {
  const NodeId a = node(id).a, b = node(id).b;
  const auto number = static_cast<std::size_t>(node(id).value);
  SurfacePtr& slope = slope_surfaces_[in_second ? 1 : 0][number];
  if (!slope) {
    const PiecewiseSurface& surface = *tables_.surfaces[number];
    slope = std::make_shared<const PiecewiseSurface>(in_second ? surface.by_y() : surface.by_x());
  }
  return lookup(slope, a, b);
}

std::vector<NodeId> Graph::needed_by(const std::vector<NodeId>& outputs) const {
  std::unordered_set<NodeId> seen;
  std::vector<NodeId> stack(outputs), found;
  Poll poll;
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    poll();
    if (!seen.insert(id).second) continue;
    found.push_back(id);
    const Node& n = node(id);
    if (n.op == Op::Variable) continue;
    for (NodeId next : {n.a, n.b, n.c}) {
      if (next >= 0) stack.push_back(next);
    }
  }
  std::sort(found.begin(), found.end());  // nodes are appended after their operands
  return found;
}

std::vector<NodeId> Graph::variables_of(const std::vector<NodeId>& outputs) const {
  std::vector<NodeId> found = needed_by(outputs);
  std::erase_if(found, [this](NodeId id) { return !is_variable(id); });
  return found;
}

namespace {

int precedence(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Sub:
      return 1;
    case Op::Mul:
    case Op::Div:
      return 2;
    case Op::Neg:
      return 3;
    case Op::Pow:
    case Op::PowConstant:
      return 4;
    default:
      return 5;
  }
}

}  // namespace

std::string Graph::to_string(NodeId id, std::size_t max_length) const {
  std::string text;
  auto number = [](double value) {
    if (std::isnan(value)) return std::string("nan");  // its sign means nothing
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.14g", value);
    return std::string(buffer);
  };
  int depth = 0;
  auto write = [&](auto&& self, NodeId at, int outer, bool is_right) -> void {
    if (text.size() > max_length) return;
    if (depth > 100) {  // a long sum leans to one side
      text += "...";
      return;
    }
    const Node& n = node(at);
    if (n.op == Op::Where && is_variable(n.a) && variable_of(n.a).quantity == Quantity::Absence) {
      return self(self, n.c, outer, is_right);  // what it is wherever its element acts
    }
    ++depth;
    const int own = precedence(n.op);
    if (n.op == Op::Constant) {
      const bool bracket = std::signbit(n.value) && !std::isnan(n.value) && (is_right || outer > precedence(Op::Neg));
      text += bracket ? "(" + number(n.value) + ")" : number(n.value);
    } else if (n.op == Op::Variable) {
      text += variables_[static_cast<std::size_t>(n.a)].name;
    } else if (own < 5) {
      const bool bracket = own < outer;
      if (bracket) text += '(';
      if (n.op == Op::Neg) {
        text += '-';
        self(self, n.a, own + 1, true);
      } else {
        self(self, n.a, n.op == Op::Pow || n.op == Op::PowConstant ? own + 1 : own, false);
        text += own <= 2 ? std::string(" ") + name_of(n.op) + " " : "^";
        if (n.op == Op::PowConstant) {
          text += number(n.value);
        } else {
          self(self, n.b, own + 1, true);
        }
      }
      if (bracket) text += ')';
    } else {
      text += name_of(n.op);
      text += '(';
      self(self, n.a, 0, false);
      for (NodeId next : {n.b, n.c}) {
        if (next < 0) continue;
        text += ", ";
        self(self, next, 0, false);
      }
      text += ')';
    }
    --depth;
  };
  write(write, id, 0, false);
  if (text.size() > max_length) text = text.substr(0, max_length) + "...";
  return text;
}

}  // namespace perilune::expr
