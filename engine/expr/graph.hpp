// SPDX-License-Identifier: MIT
// The expression graph: hash-consed, append-only nodes over variables and constants.
// Every number of a model and every user law is a node; a Tape (tape.hpp) evaluates and differentiates a set of nodes.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perilune::expr {

class PiecewisePolynomial;
class PiecewiseSurface;
using TablePtr = std::shared_ptr<const PiecewisePolynomial>;
using SurfacePtr = std::shared_ptr<const PiecewiseSurface>;

/// The tabulated functions of a graph, by number.
struct Tables {
  std::vector<TablePtr> curves;
  std::vector<SurfacePtr> surfaces;
};

using NodeId = std::int32_t;
inline constexpr NodeId no_node = -1;

enum class Op : std::uint8_t {
  Constant,
  Variable,
  // one argument
  Neg,
  Abs,
  Sign,
  Sqrt,
  Exp,
  Log,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  PowConstant,  // a ^ value, with a constant exponent
  Table,        // tabulated function number `value` of the graph at a
  // two arguments
  Add,
  Sub,
  Mul,
  Div,
  Pow,
  Atan2,
  Min,
  Max,
  Less,       // 1 if a < b, else 0
  LessEqual,  // 1 if a <= b, else 0
  Surface,    // tabulated function number `value` of two variables at (a, b)
  // three arguments
  Where,  // a != 0 ? b : c
};

/// Whether an operation has a kink or a jump where its argument, or the difference of its two, changes its sign.
inline bool has_kink(Op op) {
  return op == Op::Less || op == Op::LessEqual || op == Op::Abs || op == Op::Sign || op == Op::Min || op == Op::Max;
}

/// What a variable of the graph stands for when a compiled model evaluates it.
/// Side: of a switch (model::Switch), where it is held: 1 where its function counts as negative, -1 where it does not,
/// 0 where the function itself decides. Argument: of a function that is given as an expression, as a terrain's height
/// by its coordinates; other expressions take its place before anything evaluates it. Absence: of an element of the
/// model: 1 in phases of a motion that leave it out, 0 wherever else expressions are evaluated.
enum class Quantity : std::uint8_t {
  Parameter,
  Time,
  Position,
  Velocity,
  Acceleration,
  Multiplier,
  Side,
  Argument,
  Absence
};

/// Whoever evaluates sets it, be it for a step or a phase: nothing is differentiated by it, and its rate is none.
inline bool is_setting(Quantity quantity) { return quantity == Quantity::Side || quantity == Quantity::Absence; }

struct Variable {
  Quantity quantity;
  int index;  // parameter, coordinate, multiplier, switch, argument or element number; 0 for time
  std::string name;
};

struct Node {
  Op op;
  NodeId a = no_node, b = no_node, c = no_node;
  double value = 0;  // Constant: its value; PowConstant: the exponent; Table, Surface: its number; Variable: unused (a
                     // is the variable's number)
  int origin = 0;    // index into Graph::origins
};

/// Derivative conventions: abs and sign have slope 0 at 0; min and max take their first argument on a tie; comparisons
/// and sign have slope 0 everywhere; a ^ b with a variable exponent needs a > 0 (slope in b is taken as 0 at a = 0).
class Graph {
 public:
  Graph();

  NodeId constant(double value);
  /// The same node for the same quantity, index and name. Two models that share the graph may have different things
  /// at one index, each with its name; what evaluates expressions goes by the index alone.
  NodeId variable(Quantity quantity, int index, const std::string& name);
  NodeId unary(Op op, NodeId a);
  NodeId binary(Op op, NodeId a, NodeId b);
  NodeId where(NodeId condition, NodeId yes, NodeId no);
  /// The tabulated function at a. The graph keeps the table.
  NodeId lookup(const TablePtr& table, NodeId a);
  /// d(node)/da of a node made by lookup, as an expression.
  NodeId lookup_slope(NodeId id);
  NodeId lookup(const SurfacePtr& surface, NodeId a, NodeId b);
  /// d(node)/da and d(node)/db of a node made by that.
  NodeId surface_slope(NodeId id, bool in_second);
  const Tables& tables() const { return tables_; }

  const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  const Variable& variable_of(NodeId id) const { return variables_[static_cast<std::size_t>(node(id).a)]; }
  bool is_constant(NodeId id) const { return node(id).op == Op::Constant; }
  bool is_variable(NodeId id) const { return node(id).op == Op::Variable; }
  double constant_value(NodeId id) const { return node(id).value; }
  std::size_t size() const { return nodes_.size(); }

  /// Script position ("file:line") kept on the nodes made from now on; empty for none.
  void set_origin(std::string_view position);
  const std::string& origin(NodeId id) const { return origins_[static_cast<std::size_t>(node(id).origin)]; }

  /// A tape larger than this is almost always a runaway loop. Throws Error when a new node passes it.
  void set_node_limit(std::size_t limit) { node_limit_ = limit; }
  std::size_t node_limit() const { return node_limit_; }

  /// The given nodes and all that they depend on, operands first. Costs what it finds, not the size of the graph.
  std::vector<NodeId> needed_by(const std::vector<NodeId>& outputs) const;
  /// The variables that the given nodes depend on, in order of creation.
  std::vector<NodeId> variables_of(const std::vector<NodeId>& outputs) const;
  /// Formula in the script's notation, cut with "..." beyond about max_length characters; very deep operands too.
  std::string to_string(NodeId id, std::size_t max_length = 120) const;

 private:
  NodeId intern(Node node);
  std::size_t number_of(const TablePtr& table);
  std::size_t number_of(const SurfacePtr& surface);

  struct Key {
    Op op;
    NodeId a, b, c;
    std::uint64_t bits;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  std::vector<Node> nodes_;
  std::vector<Variable> variables_;
  std::unordered_map<Key, NodeId, KeyHash> interned_;
  std::unordered_map<std::uint64_t, NodeId> variable_numbers_;         // by quantity and index
  std::map<std::pair<std::uint64_t, std::string>, NodeId> namesakes_;  // those behind the first of an index
  Tables tables_;
  std::unordered_map<const void*, std::size_t> table_numbers_;  // of curves and of surfaces
  std::unordered_map<std::size_t, TablePtr> slope_tables_;      // by the number of the table
  std::unordered_map<std::size_t, SurfacePtr> slope_surfaces_[2];
  std::unordered_map<std::string, int> origin_numbers_;
  std::vector<std::string> origins_;
  int origin_ = 0;
  std::size_t node_limit_ = 4'000'000;
};

/// As scripts write it: "+", "sqrt".
const char* name_of(Op op);

}  // namespace perilune::expr
