// SPDX-License-Identifier: MIT
// What the tests of second derivatives share: a residual's arguments as one vector, differences, and what must hold
// whatever the residual is.
#pragma once
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "numbers.hpp"
#include "system/second_order.hpp"

namespace second_order_check {

using namespace perilune;
using namespace perilune::system;

using Numbers = std::vector<double>;

/// A point of the motion, or a direction.
struct Z {
  Numbers q, v, a, lambda, d;
  double t = 0;

  Z(int n, int m, int data, std::mt19937& random) {
    std::uniform_real_distribution<double> any(-1.5, 1.5);
    const std::pair<Numbers*, int> parts[] = {{&q, n}, {&v, n}, {&a, n}, {&lambda, m}, {&d, data}};
    for (const auto& [part, count] : parts) {
      for (int i = 0; i < count; ++i) part->push_back(any(random));
    }
    t = any(random);
  }
  Direction direction() const { return {q.data(), v.data(), a.data(), lambda.data(), d.data(), t}; }
  Kinematics kinematics() const { return {t, q.data(), v.data(), a.data(), lambda.data()}; }
};

/// Some elements, a point, two directions and a weight.
struct Subject {
  std::vector<Elements> elements;
  int n, m, data_count;
  Data data;
  ConstraintLaw law;
  Z point, first, second;
  Numbers w;

  Subject(std::vector<Elements> all, int n_, int m_, int count, Numbers packed, std::mt19937& random)
      : elements(std::move(all)),
        n(n_),
        m(m_),
        data_count(count),
        law{1.3, 0.7, 2.1, 0.4, 0.9},
        point(n, m, count, random),
        first(n, m, count, random),
        second(n, m, count, random) {
    data.packed = std::move(packed);
    const Z more(n, m, 0, random);
    w = more.q;
    w.insert(w.end(), more.lambda.begin(), more.lambda.end());
  }

  SecondOrder object() const {
    perilune::system::ElementProductCache cache;
    return {elements, n, m, data_count, cache};
  }
  Numbers zero() const { return Numbers(static_cast<std::size_t>(n + m), 0.0); }

  /// Moves point and data along a direction.
  Subject moved(const Z& by, double h) const {
    Subject out = *this;
    auto add = [h](Numbers& x, const Numbers& dx) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * dx[i];
    };
    add(out.point.q, by.q);
    add(out.point.v, by.v);
    add(out.point.a, by.a);
    add(out.point.lambda, by.lambda);
    out.point.t += h * by.t;
    for (const Elements& type : elements) {
      for (std::size_t k = 0; k < type.datum.size(); ++k) {
        if (type.datum[k] < 0) continue;
        out.data.packed[type.batch.data_offset + k] += h * by.d[static_cast<std::size_t>(type.datum[k])];
      }
    }
    return out;
  }
};

inline void check_equal(const Numbers& x, const Numbers& y, double tolerance, const char* what) {
  REQUIRE(x.size() == y.size());
  double scale = 1;
  for (double value : y) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO(what << "[" << i << "]: " << x[i] << " against " << y[i] << ", scale " << scale);
    CHECK(std::abs(x[i] - y[i]) <= tolerance * scale);
  }
}

inline Numbers first_of(const Subject& s, SecondOrder& object, const Z& direction) {
  Numbers r = s.zero();
  object.add_first(s.point.kinematics(), s.data, s.law, direction.direction(), r.data());
  return r;
}

inline Numbers second_of(const Subject& s, SecondOrder& object, const Z& first, const Z& second) {
  Numbers r = s.zero();
  object.add_second(s.point.kinematics(), s.data, s.law, first.direction(), second.direction(), r.data());
  return r;
}

struct GradientNumbers {
  Numbers q, v, a, lambda, d;
  double t;
};
inline GradientNumbers gradient_of(const Subject& s, SecondOrder& object, const Numbers& w, const Z& direction) {
  const auto n = static_cast<std::size_t>(s.n), m = static_cast<std::size_t>(s.m),
             data = static_cast<std::size_t>(s.data_count);
  GradientNumbers g{Numbers(n), Numbers(n), Numbers(n), Numbers(m), Numbers(data), 0};
  PointGradient out{g.q.data(), g.v.data(), g.a.data(), g.lambda.data(), g.d.data(), 0};
  object.add_gradient(s.point.kinematics(), s.data, s.law, w.data(), direction.direction(), out);
  g.t = out.t;
  return g;
}

/// What must hold whatever R is.
inline void check_consistency(const Subject& s, SecondOrder& object, double step) {
  const Numbers both = second_of(s, object, s.first, s.second);
  check_equal(second_of(s, object, s.second, s.first), both, 1e-12, "symmetry");
  check_equal(slope([&](double h) { return first_of(s.moved(s.second, h), object, s.first); }, step), both, 1e-8,
              "differences");
  const GradientNumbers g = gradient_of(s, object, s.w, s.first);
  const Z& k = s.second;
  const double by_gradient =
      dot(g.q, k.q) + dot(g.v, k.v) + dot(g.a, k.a) + dot(g.lambda, k.lambda) + dot(g.d, k.d) + g.t * k.t;
  double scale = 1;
  for (double x : both) scale += std::abs(x);
  INFO("gradient " << by_gradient << " against second " << dot(s.w, both));
  CHECK(std::abs(by_gradient - dot(s.w, both)) <= 1e-12 * scale);
}

}  // namespace second_order_check
