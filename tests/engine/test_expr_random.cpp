// SPDX-License-Identifier: MIT
// Derivatives of random expression graphs, whose nodes are shared and used twice by the same operation.
#include <catch2/catch.hpp>
#include <functional>

#include "expr/pack.hpp"
#include "expr/rewrite.hpp"
#include "expr_check.hpp"

using namespace perilune::expr;
using expr_check::Compiled;
using expr_check::variable;

namespace {

constexpr int inputs = 3;

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Value, gradient and Hessian at once, by the rules of calculus written out for two variables at a time.
struct Jet {
  double f = 0;
  double g[inputs]{};
  double h[inputs][inputs]{};
};

Jet chain(const Jet& x, double f, double slope, double curvature) {
  Jet r;
  r.f = f;
  for (int i = 0; i < inputs; ++i) {
    r.g[i] = slope * x.g[i];
    for (int j = 0; j < inputs; ++j) r.h[i][j] = slope * x.h[i][j] + curvature * x.g[i] * x.g[j];
  }
  return r;
}
Jet combine(const Jet& x, const Jet& y, double f, double fx, double fy, double fxx, double fxy, double fyy) {
  Jet r;
  r.f = f;
  for (int i = 0; i < inputs; ++i) {
    r.g[i] = fx * x.g[i] + fy * y.g[i];
    for (int j = 0; j < inputs; ++j) {
      r.h[i][j] = fx * x.h[i][j] + fy * y.h[i][j] + fxx * x.g[i] * x.g[j] + fyy * y.g[i] * y.g[j] +
                  fxy * (x.g[i] * y.g[j] + x.g[j] * y.g[i]);
    }
  }
  return r;
}

struct Grown {
  NodeId id;
  Jet jet;
};

/// Grows nodes and their jets side by side, so that the jets owe nothing to the tape. Values stay moderate: operations
/// are guarded as a user would guard them.
class Generator {
 public:
  Generator(unsigned seed, const std::vector<double>& at) : random_(seed) {
    for (int i = 0; i < inputs; ++i) {
      Jet x;
      x.f = at[static_cast<std::size_t>(i)];
      x.g[i] = 1;
      pool_.push_back({variable(graph, i), x});
    }
  }
  Graph graph;

  Grown grow(int count) {
    for (int k = 0; k < count; ++k) pool_.push_back(next());
    // All that was grown takes part.
    Grown sum = pool_.back();
    for (const Grown& x : pool_) sum = binary(Op::Add, sum, binary(Op::Mul, x, pick()));
    return sum;
  }
  int choices = 0, repeated = 0;

 private:
  const Grown& pick() { return pool_[random_() % pool_.size()]; }

  Grown unary(Op op, const Grown& x) {
    const double a = x.jet.f;
    double f = 0, s = 0, c = 0;
    switch (op) {
      case Op::Neg:
        f = -a, s = -1;
        break;
      case Op::Abs:
        f = std::fabs(a), s = sign(a);
        break;
      case Op::Sign:
        f = sign(a);
        break;
      case Op::Exp:
        f = s = c = std::exp(a);
        break;
      case Op::Sin:
        f = std::sin(a), s = std::cos(a), c = -f;
        break;
      case Op::Cos:
        f = std::cos(a), s = -std::sin(a), c = -f;
        break;
      case Op::Atan:
        f = std::atan(a), s = 1 / (1 + a * a), c = -2 * a * s * s;
        break;
      case Op::Tanh:
        f = std::tanh(a), s = 1 - f * f, c = -2 * f * s;
        break;
      case Op::Sqrt:
        f = std::sqrt(a), s = 0.5 / f, c = -0.5 * s / a;
        break;
      default:
        f = std::log(a), s = 1 / a, c = -s * s;
        break;
    }
    return {graph.unary(op, x.id), chain(x.jet, f, s, c)};
  }
  Grown binary(Op op, const Grown& x, const Grown& y) {
    const double a = x.jet.f, b = y.jet.f;
    Jet r;
    switch (op) {
      case Op::Add:
        r = combine(x.jet, y.jet, a + b, 1, 1, 0, 0, 0);
        break;
      case Op::Sub:
        r = combine(x.jet, y.jet, a - b, 1, -1, 0, 0, 0);
        break;
      case Op::Mul:
        r = combine(x.jet, y.jet, a * b, b, a, 0, 1, 0);
        break;
      case Op::Div:
        r = combine(x.jet, y.jet, a / b, 1 / b, -a / (b * b), 0, -1 / (b * b), 2 * a / (b * b * b));
        break;
      case Op::Pow: {
        const double p = std::pow(a, b), l = std::log(a);
        r = combine(x.jet, y.jet, p, b * p / a, p * l, b * (b - 1) * p / (a * a), p / a * (1 + b * l), p * l * l);
        break;
      }
      case Op::Atan2: {
        const double q = a * a + b * b;
        r = combine(x.jet, y.jet, std::atan2(a, b), b / q, -a / q, -2 * a * b / (q * q), (a * a - b * b) / (q * q),
                    2 * a * b / (q * q));
        break;
      }
      case Op::Min:
        r = b < a ? y.jet : x.jet;
        break;
      case Op::Max:
        r = b > a ? y.jet : x.jet;
        break;
      case Op::Less:
        r.f = a < b;
        break;
      default:
        r.f = a <= b;
        break;
    }
    return {graph.binary(op, x.id, y.id), r};
  }
  Grown number(double value) {
    Jet x;
    x.f = value;
    return {graph.constant(value), x};
  }
  /// A number between 0.5 and 2.5 made of x.
  Grown positive(const Grown& x) { return binary(Op::Add, number(1.5), unary(Op::Sin, x)); }
  Grown bounded(const Grown& x) { return unary(Op::Sin, x); }

  Grown next() {
    const Grown x = pick(), y = random_() % 4 == 0 ? x : pick(), z = pick();
    repeated += x.id == y.id;
    switch (random_() % 20) {
      case 0:
        return unary(Op::Neg, x);
      case 1:
        return unary(Op::Abs, x);
      case 2:
        return binary(Op::Mul, unary(Op::Sign, x), y);
      case 3:
        return unary(Op::Exp, bounded(x));
      case 4:
        return unary(Op::Cos, x);
      case 5:
        return unary(Op::Atan, x);
      case 6:
        return unary(Op::Tanh, x);
      case 7:
        return unary(Op::Sqrt, positive(x));
      case 8:
        return unary(Op::Log, positive(x));
      case 9:
        return binary(Op::Sub, x, y);
      case 10:
        return binary(Op::Div, x, positive(y));
      case 11:
        return binary(Op::Pow, positive(x), bounded(y));
      case 12:
        return binary(Op::Atan2, positive(x), y);
      case 13:
        return binary(Op::Min, x, y);
      case 14:
        return binary(Op::Max, x, y);
      case 15:
      case 16: {
        ++choices;
        const Grown condition = binary(random_() % 2 ? Op::Less : Op::LessEqual, x, y);
        return {graph.where(condition.id, z.id, x.id), condition.jet.f != 0 ? z.jet : x.jet};
      }
      case 17: {
        const double e = std::vector<double>{-1.5, 0.5, 3, -1}[random_() % 4];
        const Grown p = positive(x);
        const double a = p.jet.f;
        return {graph.binary(Op::Pow, p.id, graph.constant(e)),
                chain(p.jet, std::pow(a, e), e * std::pow(a, e - 1), e * (e - 1) * std::pow(a, e - 2))};
      }
      case 18:
        return binary(Op::Add, bounded(x), bounded(y));
      default:
        return binary(Op::Mul, bounded(x), bounded(y));
    }
  }

  std::mt19937 random_;
  std::vector<Grown> pool_;
};

}  // namespace

TEST_CASE("random expressions: values, gradients and Hessians agree with the rules of calculus") {
  int choices = 0, repeated = 0, curved = 0;
  for (unsigned seed = 1; seed <= 500; ++seed) {
    std::mt19937 random(seed * 977);
    std::uniform_real_distribution<double> any(-2, 2);
    const std::vector<double> at{any(random), any(random), any(random)};
    Generator make(seed, at);
    const Grown expected = make.grow(static_cast<int>(5 + seed % 25));
    choices += make.choices;
    repeated += make.repeated;
    const std::vector<NodeId> x{variable(make.graph, 0), variable(make.graph, 1), variable(make.graph, 2)};
    const Compiled f(make.graph, x, expected.id);
    INFO("seed " << seed << ": " << make.graph.to_string(expected.id, 1000));

    double first = 1, second = 1;
    for (int i = 0; i < inputs; ++i) {
      first = std::max(first, std::fabs(expected.jet.g[i]));
      for (int j = 0; j < inputs; ++j) second = std::max(second, std::fabs(expected.jet.h[i][j]));
    }
    curved += second > 1;
    CHECK(std::fabs(f.value(at) - expected.jet.f) <= 1e-12 * std::max(1.0, std::fabs(expected.jet.f)));
    const auto gradient = f.gradient(at), complex = f.complex_step(at);
    for (std::size_t i = 0; i < inputs; ++i) {
      std::vector<double> e(inputs, 0.0);
      e[i] = 1;
      CHECK(std::fabs(gradient[i] - expected.jet.g[i]) <= 1e-11 * first);
      CHECK(std::fabs(complex[i] - gradient[i]) <= 1e-11 * first);
      CHECK(std::fabs(f.forward(at, e) - gradient[i]) <= 1e-12 * first);
      CHECK(std::fabs(f.slopes(at, {static_cast<int>(i)})[i] - gradient[i]) <= 1e-12 * first);
      CHECK(std::fabs(f.slopes(at, {0, 2})[i] - (i == 1 ? 0 : gradient[i])) <= 1e-12 * first);
      const auto column = f.curvature(at, e);
      for (std::size_t j = 0; j < inputs; ++j) {
        CHECK(std::fabs(column[j] - expected.jet.h[j][i]) <= 1e-10 * second);
      }
    }
  }
  CHECK(choices > 300);
  CHECK(repeated > 500);
  CHECK(curved > 300);
}

TEST_CASE("random expressions: derivatives as expressions, several points at once, and copies") {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    std::mt19937 random(seed * 977);
    std::uniform_real_distribution<double> any(-2, 2);
    const std::vector<double> at{any(random), any(random), any(random)},
        elsewhere{any(random), any(random), any(random)};
    Generator make(seed, at);
    const Grown expected = make.grow(static_cast<int>(5 + seed % 25));
    Graph& graph = make.graph;
    const std::vector<NodeId> x{variable(graph, 0), variable(graph, 1), variable(graph, 2)};
    INFO("seed " << seed << ": " << graph.to_string(expected.id, 1000));

    // The value, its gradient, and that of its derivative along (1, -2, 0.5), which is the Hessian times that.
    const double e[inputs] = {1, -2, 0.5};
    perilune::expr::NodeMap rates;
    for (std::size_t i = 0; i < inputs; ++i) rates[x[i]] = graph.constant(e[i]);
    std::vector<NodeId> outputs{expected.id};
    for (NodeId from : {expected.id, derivative(graph, expected.id, rates)}) {
      const std::vector<NodeId> slopes = gradient(graph, from, x);
      outputs.insert(outputs.end(), slopes.begin(), slopes.end());
    }
    const Tape tape(graph, x, outputs);
    auto work = tape.make_work<Pack<2>>();
    auto alone = tape.make_work<double>();
    for (std::size_t i = 0; i < inputs; ++i) {
      work[i].set(0, at[i]);
      work[i].set(1, elsewhere[i]);
      alone[i] = elsewhere[i];
    }
    tape.evaluate(work.data());
    tape.evaluate(alone.data());
    std::vector<double> exact;
    exact.push_back(expected.jet.f);
    for (double slope : expected.jet.g) exact.push_back(slope);
    for (const double(&row)[inputs] : expected.jet.h) exact.push_back(row[0] * e[0] + row[1] * e[1] + row[2] * e[2]);
    double scale = 1;
    for (double value : exact) scale = std::max(scale, std::fabs(value));
    for (int k = 0; k < tape.output_count(); ++k) {
      const auto slot = static_cast<std::size_t>(tape.output_slot(k));
      INFO("output " << k);
      CHECK(std::fabs(work[slot][0] - exact[static_cast<std::size_t>(k)]) <= 1e-10 * scale);
      CHECK((work[slot][1] == alone[slot] || (std::isnan(work[slot][1]) && std::isnan(alone[slot]))));
    }

    Graph other;
    other.constant(7);  // other numbers for the same nodes
    const std::vector<NodeId> y{variable(other, 0), variable(other, 1), variable(other, 2)};
    const std::vector<NodeId> copies = tape.replay(other, y);
    CHECK(Compiled(other, y, copies[0]).value(elsewhere) == Compiled(graph, x, outputs[0]).value(elsewhere));
  }
}
