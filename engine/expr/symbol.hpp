// SPDX-License-Identifier: MIT
// A scalar that builds graph nodes: instantiating an element's template with it turns its physics into an expression.
#pragma once
#include "expr/graph.hpp"

namespace perilune::expr {

class Tape;

/// A node of a graph, or a plain number that belongs to no graph yet.
class Symbol {
 public:
  Symbol() = default;
  Symbol(double value) : value_(value) {}  // NOLINT: numbers mix freely with symbols
  Symbol(Graph& graph, NodeId id) : graph_(&graph), id_(id) {}

  /// The node, made in `graph` if this is a plain number.
  NodeId in(Graph& graph) const { return graph_ ? id_ : graph.constant(value_); }

  bool is_number() const { return graph_ == nullptr || graph_->is_constant(id_); }
  /// Its value; for numbers only.
  double number() const { return graph_ ? graph_->constant_value(id_) : value_; }

  friend Symbol operator+(const Symbol& a, const Symbol& b) { return combine(Op::Add, a, b); }
  friend Symbol operator-(const Symbol& a, const Symbol& b) { return combine(Op::Sub, a, b); }
  friend Symbol operator*(const Symbol& a, const Symbol& b) { return combine(Op::Mul, a, b); }
  friend Symbol operator/(const Symbol& a, const Symbol& b) { return combine(Op::Div, a, b); }
  friend Symbol operator-(const Symbol& a) { return a.graph_ ? a.map(Op::Neg) : Symbol(-a.value_); }
  Symbol& operator+=(const Symbol& o) { return *this = *this + o; }
  Symbol& operator-=(const Symbol& o) { return *this = *this - o; }
  Symbol& operator*=(const Symbol& o) { return *this = *this * o; }

  friend Symbol sqrt(const Symbol& a) { return a.map(Op::Sqrt); }
  friend Symbol sin(const Symbol& a) { return a.map(Op::Sin); }
  friend Symbol cos(const Symbol& a) { return a.map(Op::Cos); }
  friend Symbol tanh(const Symbol& a) { return a.map(Op::Tanh); }
  friend Symbol exp(const Symbol& a) { return a.map(Op::Exp); }
  friend Symbol pow(const Symbol& a, const Symbol& b) { return combine(Op::Pow, a, b); }
  friend Symbol min(const Symbol& a, const Symbol& b) { return combine(Op::Min, a, b); }
  friend Symbol max(const Symbol& a, const Symbol& b) { return combine(Op::Max, a, b); }
  /// 1 where a < b, else 0: a condition for where.
  friend Symbol less(const Symbol& a, const Symbol& b) { return combine(Op::Less, a, b); }
  static Symbol where(const Symbol& condition, const Symbol& yes, const Symbol& no);
  /// The tabulated function at x.
  static Symbol lookup(const TablePtr& table, const Symbol& x);
  static Symbol lookup(const SurfacePtr& surface, const Symbol& x, const Symbol& y);
  friend Symbol atan2(const Symbol& y, const Symbol& x) { return combine(Op::Atan2, y, x); }
  /// The outputs of a tape with these symbols in place of its inputs.
  static std::vector<Symbol> replay(const Tape& tape, const std::vector<Symbol>& inputs);

 private:
  Symbol map(Op op) const;
  static Symbol combine(Op op, const Symbol& a, const Symbol& b);

  Graph* graph_ = nullptr;
  NodeId id_ = no_node;
  double value_ = 0;
};

}  // namespace perilune::expr
