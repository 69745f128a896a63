// SPDX-License-Identifier: MIT
// What multipliers do within a step: bounds hold what the function is, whose points alone are known.
#include "integrator/event/step_course.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "error.hpp"

using perilune::NumericalError;
using perilune::expr::Enclosure;
using perilune::integrator::Node;
using perilune::integrator::StepCourse;

namespace {

struct Curve {
  const char* name;
  double (*value)(double);
  double (*slope)(double);
};

const Curve curves[] = {
    {"a wave", [](double s) { return std::sin(6 * s + 1); }, [](double s) { return 6 * std::cos(6 * s + 1); }},
    {"a hill between equal ends", [](double s) { return std::exp(-40 * (s - 0.5) * (s - 0.5)); },
     [](double s) { return -80 * (s - 0.5) * std::exp(-40 * (s - 0.5) * (s - 0.5)); }},
    {"a pole nearby", [](double s) { return 1 / (1 + 25 * (s - 0.3) * (s - 0.3)); },
     [](double s) { return -50 * (s - 0.3) / std::pow(1 + 25 * (s - 0.3) * (s - 0.3), 2); }},
    {"a polynomial of degree 4", [](double s) { return ((3 * s - 5) * s + 2) * s * s; },
     [](double s) { return ((12 * s - 15) * s + 4) * s; }},
};

class Step {
 public:
  explicit Step(const Curve& curve) : curve_(curve), course_({}, {2}) {
    const Node start = at(0), end = at_end(1);
    course_.begin(start, end);
  }
  StepCourse& course() { return course_; }
  StepCourse::Find find() {
    return [this](double share) {
      ++found;
      return at(share);
    };
  }
  int found = 0;

 private:
  Node at(double share) { return node(lambda_, share); }
  Node at_end(double share) { return node(last_, share); }
  Node node(std::array<double, 3>& to, double share) {
    to = {0, 0, curve_.value(share)};
    Node x;
    x.lambda = to.data();
    return x;
  }
  const Curve& curve_;
  std::array<double, 3> lambda_{}, last_{};
  StepCourse course_;
};

void encloses(const StepCourse& course, const Curve& curve, double rounding) {
  for (const int parts : {1, 2, 3, 8, 20}) {
    for (int i = 0; i < parts; ++i) {
      const double from = double(i) / parts, to = double(i + 1) / parts;
      const Enclosure found = course.multiplier(2, from, to);
      for (int j = 0; j <= 20; ++j) {
        const double s = from + (to - from) * j / 20;
        INFO(curve.name << " at " << s << " of " << from << " to " << to);
        CHECK(found.value.low - rounding <= curve.value(s));
        CHECK(curve.value(s) <= found.value.high + rounding);
        CHECK(found.slope.low - 1e4 * rounding <= curve.slope(s));
        CHECK(curve.slope(s) <= found.slope.high + 1e4 * rounding);
      }
    }
  }
}

}  // namespace

TEST_CASE("Before points are found a multiplier goes along the line between the ends of a step") {
  Step step(curves[0]);
  const Enclosure found = step.course().multiplier(2, 0.5, 0.5);
  CHECK(std::abs(found.value.low - 0.5 * (std::sin(1.0) + std::sin(7.0))) < 1e-15);
  CHECK(!step.course().is_uncertain(0, 1));
}

TEST_CASE("Bounds of a multiplier within a step hold it with three points, and with more") {
  for (const Curve& curve : curves) {
    Step step(curve);
    step.course().look(step.find());
    CHECK(step.found == 3);
    encloses(step.course(), curve, 1e-14);
    for (int k = 0; k < 3; ++k) {
      step.course().refine(0, 1, step.find());
      encloses(step.course(), curve, 1e-9);
    }
  }
}

TEST_CASE("A course becomes as narrow as the multiplier where it is asked for, and finds no points elsewhere") {
  Step step(curves[0]);
  step.course().look(step.find());
  for (int k = 0; k < 40 && step.course().is_uncertain(0.3, 0.3); ++k) step.course().refine(0.3, 0.3, step.find());
  CHECK(!step.course().is_uncertain(0.3, 0.3));
  const Enclosure found = step.course().multiplier(2, 0.3, 0.3);
  CHECK(found.value.high - found.value.low < 1e-9);
  CHECK(std::abs(found.value.low - std::sin(2.8)) < 1e-9);
  CHECK(step.found <= 3 + 4 * 8);
}

TEST_CASE("Where the motion has no points within a step the line stays") {
  Step step(curves[1]);
  step.course().look([](double) -> Node { throw NumericalError("none"); });
  CHECK(!step.course().is_uncertain(0, 1));
  CHECK(std::abs(step.course().multiplier(2, 0.5, 0.5).value.low - std::exp(-10.0)) < 1e-15);
  step.course().look(step.find());
  step.course().refine(0, 1, [](double) -> Node { throw NumericalError("none"); });
  CHECK(!step.course().is_uncertain(0, 1));
}
