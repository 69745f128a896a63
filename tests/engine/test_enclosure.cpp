// SPDX-License-Identifier: MIT
// Bounds of operations over stretches of time: every value between contains what the operation gives there, and the
// slopes contain its difference quotients.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "expr/enclosure.hpp"
#include "expr/operations.hpp"

using namespace perilune::expr;

namespace {

/// x(s) = at + s rate over 0 <= s <= 1.
struct Line {
  double at, rate;
  double operator()(double s) const { return at + s * rate; }
  Enclosure enclosure() const { return {{std::min(at, at + rate), std::max(at, at + rate)}, {rate, rate}}; }
};

void check(Op op, const Line& a, const Line& b, const Line& c, double value, const Tables* tables) {
  const Enclosure found = apply(op, a.enclosure(), b.enclosure(), c.enclosure(), value, tables);
  auto f = [&](double s) { return apply(op, a(s), b(s), c(s), value, tables); };
  for (double s = 0; s <= 1; s += 0.05) {
    INFO("operation " << static_cast<int>(op) << " of " << a(s) << ", " << b(s) << ", " << c(s));
    const double y = f(s);
    if (!std::isfinite(y)) continue;
    const double slack = 1e-9 * (1 + std::abs(y));
    CHECK(found.value.low <= y + slack);
    CHECK(found.value.high >= y - slack);
    const double next = f(s + 0.05), slope = (next - y) / 0.05;
    if (s > 0.94 || !std::isfinite(next)) continue;
    const double allowed = 1e-7 * (1 + std::abs(slope));
    CHECK(found.slope.low <= slope + allowed);
    CHECK(found.slope.high >= slope - allowed);
  }
}

}  // namespace

TEST_CASE("enclosures contain values and slopes of every operation", "[expr]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-3, 3);
  Tables tables;
  tables.curves.push_back(std::make_shared<PiecewisePolynomial>(
      std::vector<double>{-1, 0, 2}, 2, std::vector<double>{1, 0.5, 0, 1, 0.5, 1, 2.5, 2.5, -1, 3.5, -1.5, 0}));
  std::vector<double> cells(9 * 4);
  // z = 1 + 2 x - y + x y in every cell.
  const double knots[] = {-1, 1};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double x = knots[i == 2], y = knots[j == 2];
      double* at = cells.data() + 4 * (3 * i + j);
      at[0] = 1 + 2 * x - y + x * y;
      at[1] = -1 + x;
      at[2] = 2 + y;
      at[3] = 1;
    }
  }
  tables.surfaces.push_back(
      std::make_shared<PiecewiseSurface>(std::vector<double>{-1, 1}, std::vector<double>{-1, 1}, 1, 1, cells));
  for (int op = static_cast<int>(Op::Neg); op <= static_cast<int>(Op::Where); ++op) {
    for (int k = 0; k < 40; ++k) {
      const double width = k % 2 ? 0.1 : 1;
      const auto line = [&] { return Line{number(random), width * number(random)}; };
      const bool looks_up = op == static_cast<int>(Op::Table) || op == static_cast<int>(Op::Surface);
      const double value = looks_up ? 0 : std::array{2.0, 3.0, 1.5, -1.0, -2.0}[static_cast<std::size_t>(k % 5)];
      const Line a = line(), b = line(), c = line();
      check(static_cast<Op>(op), a, b, c, value, &tables);
    }
  }
}

TEST_CASE("products and quotients of the same number know it", "[expr]") {
  const Enclosure x({-1, 2}, {1, 1}), square = x * x, none = x - x;
  CHECK(square.value.low == 0);
  CHECK(square.value.high == 4);
  CHECK(none.value.is_exactly(0));
}

// A sine cannot be followed over numbers that lie further apart than its waves: the search for its extreme values has
// to end all the same.
TEST_CASE("enclosures of waves at huge arguments", "[expr]") {
  for (const double at : {1e6, 1e15, 1e17, -5e307}) {
    for (const Op op : {Op::Sin, Op::Cos, Op::Tan}) {
      const Enclosure x{{at, at}, {1, 1}};
      const Interval found = apply(op, x, x, x, 0, nullptr).value;
      const double value = apply(op, at, at, at, 0, nullptr);
      CHECK(found.low <= value + 1e-9);
      CHECK(found.high >= value - 1e-9);
    }
  }
}
