// SPDX-License-Identifier: MIT
// The expression graph: sharing, simplification, text, origins and limits.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>

#include "error.hpp"
#include "expr_check.hpp"

using namespace perilune::expr;
using Catch::Matchers::Contains;
using expr_check::variable;

namespace {

/// Reads the text of a formula back, with the precedence rules of the Lua manual (section 3.4.8).
class Reader {
 public:
  Reader(Graph& graph, std::string text) : graph_(graph), text_(std::move(text)) {}
  NodeId read() {
    const NodeId id = sum();
    if (peek() != '\0') throw std::runtime_error("left over: " + text_.substr(at_));
    return id;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  NodeId sum() {
    NodeId left = product();
    for (;;) {
      if (take('+')) {
        left = graph_.binary(Op::Add, left, product());
      } else if (take('-')) {
        left = graph_.binary(Op::Sub, left, product());
      } else {
        return left;
      }
    }
  }
  NodeId product() {
    NodeId left = sign();
    for (;;) {
      if (take('*')) {
        left = graph_.binary(Op::Mul, left, sign());
      } else if (take('/')) {
        left = graph_.binary(Op::Div, left, sign());
      } else {
        return left;
      }
    }
  }
  NodeId sign() {
    if (take('-')) {
      if (peek() == '-') throw std::runtime_error("a comment begins here");
      return graph_.unary(Op::Neg, sign());
    }
    return power();
  }
  NodeId power() {
    const NodeId base = atom();
    return take('^') ? graph_.binary(Op::Pow, base, sign()) : base;  // binds to the right, above a sign on its left
  }
  NodeId atom() {
    if (take('(')) {
      const NodeId id = sum();
      if (!take(')')) throw std::runtime_error("no closing bracket");
      return id;
    }
    const char c = peek();
    if (std::isdigit(c)) {
      std::size_t length = 0;
      const double value = std::stod(text_.substr(at_), &length);
      at_ += length;
      return graph_.constant(value);
    }
    std::string name;
    while (std::isalnum(peek())) name += text_[at_++];
    if (name.size() == 1) return variable(graph_, name[0] - 'x');
    if (!take('(')) throw std::runtime_error("unknown: " + name);
    std::vector<NodeId> arguments{sum()};
    while (take(',')) arguments.push_back(sum());
    if (!take(')')) throw std::runtime_error("no closing bracket");
    if (arguments.size() == 3) return graph_.where(arguments[0], arguments[1], arguments[2]);
    if (arguments.size() == 2) return graph_.binary(find(name, true), arguments[0], arguments[1]);
    return graph_.unary(find(name, false), arguments[0]);
  }
  static Op find(const std::string& name, bool two) {
    for (int k = static_cast<int>(two ? Op::Add : Op::Neg); k <= static_cast<int>(Op::LessEqual); ++k) {
      if (name == name_of(static_cast<Op>(k))) return static_cast<Op>(k);
    }
    throw std::runtime_error("unknown function " + name);
  }

  Graph& graph_;
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

TEST_CASE("equal expressions are one node") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1);
  CHECK(g.variable(Quantity::Parameter, 0, "x") == x);
  CHECK(g.variable_of(x).name == "x");
  const NodeId other = g.variable(Quantity::Parameter, 0, "of a model that shares the graph");
  CHECK(other != x);
  CHECK(g.variable(Quantity::Parameter, 0, "of a model that shares the graph") == other);
  CHECK(g.variable_of(other).index == 0);
  CHECK(g.variable(Quantity::Position, 0, "x") != x);
  CHECK(g.variable(Quantity::Parameter, 1, "y") == y);
  CHECK(g.constant(2.5) == g.constant(2.5));
  CHECK(g.constant(2.5) != g.constant(2.25));
  CHECK(g.unary(Op::Sin, x) == g.unary(Op::Sin, x));
  CHECK(g.unary(Op::Sin, x) != g.unary(Op::Cos, x));
  CHECK(g.binary(Op::Add, x, y) == g.binary(Op::Add, y, x));
  CHECK(g.binary(Op::Mul, x, y) == g.binary(Op::Mul, y, x));
  CHECK(g.binary(Op::Sub, x, y) != g.binary(Op::Sub, y, x));
  CHECK(g.binary(Op::Div, x, y) != g.binary(Op::Div, y, x));
  CHECK(g.binary(Op::Atan2, x, y) != g.binary(Op::Atan2, y, x));
  CHECK(g.binary(Op::Pow, x, g.constant(3)) == g.binary(Op::Pow, x, g.constant(3)));
  CHECK(g.binary(Op::Pow, x, g.constant(3)) != g.binary(Op::Pow, x, g.constant(4)));
  const std::size_t size = g.size();
  for (int k = 0; k < 50; ++k) g.unary(Op::Exp, g.binary(Op::Mul, x, g.constant(-1.5)));
  CHECK(g.size() == size + 3);
}

TEST_CASE("many variables stay apart") {
  Graph g;
  std::vector<NodeId> nodes;
  for (Quantity quantity : {Quantity::Position, Quantity::Velocity, Quantity::Multiplier}) {
    for (int k = 0; k < 300; ++k) nodes.push_back(g.variable(quantity, k, "v" + std::to_string(k)));
  }
  std::sort(nodes.begin(), nodes.end());
  CHECK(std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end());
  CHECK(g.variable(Quantity::Velocity, 299, "v299") == nodes.at(599));
  CHECK(g.variable_of(nodes.at(599)).name == "v299");
  CHECK(g.variable_of(nodes.at(599)).quantity == Quantity::Velocity);
}

TEST_CASE("constants are folded and neutral elements vanish") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1), zero = g.constant(0), one = g.constant(1), two = g.constant(2);
  auto folded = [&](NodeId id, double value) { return g.is_constant(id) && g.constant_value(id) == value; };
  CHECK(folded(g.binary(Op::Add, two, g.constant(3)), 5));
  CHECK(folded(g.binary(Op::Pow, two, g.constant(10)), 1024));
  CHECK(folded(g.binary(Op::Less, one, two), 1));
  CHECK(folded(g.binary(Op::LessEqual, two, one), 0));
  CHECK(folded(g.unary(Op::Abs, g.constant(-4)), 4));
  CHECK(folded(g.unary(Op::Cosh, zero), 1));
  CHECK(g.binary(Op::Add, zero, x) == x);
  CHECK(g.binary(Op::Add, x, zero) == x);
  CHECK(g.binary(Op::Sub, x, zero) == x);
  CHECK(g.binary(Op::Sub, zero, x) == g.unary(Op::Neg, x));
  CHECK(folded(g.binary(Op::Sub, x, x), 0));
  CHECK(g.binary(Op::Mul, one, x) == x);
  CHECK(g.binary(Op::Mul, x, one) == x);
  CHECK(folded(g.binary(Op::Mul, x, zero), 0));
  CHECK(g.binary(Op::Div, x, one) == x);
  CHECK(folded(g.binary(Op::Div, zero, x), 0));
  CHECK(folded(g.binary(Op::Pow, x, zero), 1));
  CHECK(g.binary(Op::Pow, x, one) == x);
  CHECK(g.binary(Op::Pow, x, two) == g.binary(Op::Mul, x, x));
  CHECK(g.node(g.binary(Op::Pow, x, g.constant(2.5))).op == Op::PowConstant);
  CHECK(g.node(g.binary(Op::Pow, two, x)).op == Op::Pow);
  CHECK(g.unary(Op::Neg, g.unary(Op::Neg, x)) == x);
  CHECK(g.where(one, x, y) == x);
  CHECK(g.where(zero, x, y) == y);
  CHECK(g.where(g.binary(Op::Less, x, y), y, y) == y);
  CHECK(g.node(g.where(x, y, one)).op == Op::Where);
}

TEST_CASE("a formula's text keeps its meaning") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1), z = variable(g, 2);
  auto op = [&](Op o, NodeId a, NodeId b) { return g.binary(o, a, b); };
  auto neg = [&](NodeId a) { return g.unary(Op::Neg, a); };
  const NodeId m2 = g.constant(-2), third = g.constant(0.25);
  const std::vector<std::pair<NodeId, std::string>> cases{
      {op(Op::Sub, x, op(Op::Add, y, z)), "x - (y + z)"},
      {op(Op::Sub, op(Op::Sub, x, y), z), "x - y - z"},
      {op(Op::Sub, x, op(Op::Sub, y, z)), "x - (y - z)"},
      {op(Op::Div, x, op(Op::Mul, y, z)), "x / (y * z)"},
      {op(Op::Div, op(Op::Div, x, y), z), "x / y / z"},
      {op(Op::Mul, op(Op::Add, x, y), z), "(x + y) * z"},
      {neg(op(Op::Mul, x, y)), "-(x * y)"},
      {op(Op::Mul, neg(x), y), "-x * y"},
      {op(Op::Pow, neg(x), y), "(-x)^y"},
      {neg(op(Op::Pow, x, y)), "-x^y"},
      {op(Op::Pow, op(Op::Pow, x, y), z), "(x^y)^z"},
      {op(Op::Pow, x, op(Op::Pow, y, z)), "x^(y^z)"},
      {op(Op::Pow, m2, x), "(-2)^x"},
      {op(Op::Pow, x, m2), "x^-2"},
      {op(Op::Pow, op(Op::Add, x, y), third), "(x + y)^0.25"},
      {op(Op::Sub, x, m2), "x - (-2)"},
      {op(Op::Atan2, y, op(Op::Add, x, z)), "atan(y, x + z)"},
      {g.where(op(Op::LessEqual, x, y), z, neg(z)), "where(le(x, y), z, -z)"},
      {op(Op::Min, x, op(Op::Max, y, g.constant(1e-9))), "min(x, max(y, 1e-09))"},
  };
  for (const auto& [id, text] : cases) {
    INFO(text);
    CHECK(g.to_string(id) == text);
    CHECK(Reader(g, text).read() == id);
  }
}

TEST_CASE("random formulas can be read back") {
  std::mt19937 random(7);
  const Op ones[] = {Op::Neg, Op::Abs, Op::Sqrt, Op::Sin, Op::Tanh};
  const Op twos[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Pow, Op::Atan2, Op::Min, Op::Less};
  for (int trial = 0; trial < 300; ++trial) {
    Graph g;
    std::vector<NodeId> pool{variable(g, 0), variable(g, 1), variable(g, 2), g.constant(-3), g.constant(0.5)};
    auto any = [&] { return pool[random() % pool.size()]; };
    auto moving = [&] {  // texts have 14 digits, so no constant is folded here
      NodeId id = any();
      while (g.is_constant(id)) id = any();
      return id;
    };
    for (int k = 0; k < 12; ++k) {
      const auto choice = random() % 8;
      pool.push_back(choice == 0   ? g.where(any(), any(), any())
                     : choice <= 2 ? g.unary(ones[random() % 5], moving())
                     : choice <= 5 ? g.binary(twos[random() % 8], moving(), any())
                                   : g.binary(twos[random() % 8], any(), moving()));
    }
    const NodeId id = pool.back();
    const std::string text = g.to_string(id, 1000000);
    INFO(text);
    CHECK(Reader(g, text).read() == id);
  }
}

TEST_CASE("long formulas are cut") {
  Graph g;
  NodeId sum = variable(g, 0);
  for (int k = 0; k < 40; ++k) sum = g.binary(Op::Add, g.unary(Op::Sin, sum), variable(g, 1));
  const std::string text = g.to_string(sum, 60);
  CHECK(text.size() == 63);
  CHECK(text.substr(60) == "...");
}

TEST_CASE("a formula nested a million deep has a text") {
  Graph g;
  NodeId sum = variable(g, 0);
  for (int k = 1; k < 1000000; ++k) sum = g.binary(Op::Sub, sum, variable(g, 1 + k % 2));
  const std::string text = g.to_string(sum);
  CHECK(text.size() <= 123);
  CHECK_THAT(text, Contains("..."));
}

TEST_CASE("nodes remember where they were made") {
  Graph g;
  const NodeId x = variable(g, 0);
  CHECK(g.origin(x).empty());
  g.set_origin("bike.lua:12");
  const NodeId a = g.unary(Op::Sin, x);
  g.set_origin("bike.lua:13");
  const NodeId b = g.unary(Op::Cos, x), again = g.unary(Op::Sin, x);
  g.set_origin("bike.lua:12");
  const NodeId c = g.unary(Op::Exp, x);
  g.set_origin("");
  const NodeId d = g.unary(Op::Sinh, x);
  CHECK(g.origin(a) == "bike.lua:12");
  CHECK(g.origin(b) == "bike.lua:13");
  CHECK(again == a);
  CHECK(g.origin(again) == "bike.lua:12");
  CHECK(g.origin(c) == "bike.lua:12");
  CHECK(g.origin(d).empty());
}

TEST_CASE("a runaway expression is an error, and the graph stays usable") {
  Graph g;
  g.set_node_limit(100);
  NodeId x = variable(g, 0);
  auto grow = [&] {
    for (int k = 0; k < 200; ++k) x = g.unary(Op::Sin, x);
  };
  CHECK_THROWS_WITH(grow(), Contains("100 operations") && Contains("loop"));
  CHECK(g.size() == 100);
  CHECK(g.unary(Op::Sin, variable(g, 0)) == 1);  // an existing node needs no room
  const std::vector<NodeId> reads = g.variables_of({x});
  CHECK(reads == std::vector<NodeId>{0});
  CHECK_THROWS_AS(g.variable(Quantity::Parameter, 5, "late"), perilune::Error);
  g.set_node_limit(200);
  CHECK(g.variable_of(g.variable(Quantity::Parameter, 6, "later")).name == "later");
  CHECK(g.variable_of(g.variable(Quantity::Parameter, 5, "late")).name == "late");
}

TEST_CASE("the variables of a formula") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1), z = variable(g, 2);
  const NodeId f = g.binary(Op::Mul, g.unary(Op::Sin, z), x);
  CHECK(g.variables_of({f}) == std::vector<NodeId>{x, z});
  CHECK(g.variables_of({f, y, f}) == std::vector<NodeId>{x, y, z});
  CHECK(g.variables_of({g.constant(3)}).empty());
  CHECK(g.variables_of({}).empty());
}
