// SPDX-License-Identifier: MIT
#include "simulation/step_sample.hpp"

#include <catch2/catch.hpp>

using perilune::simulation::StepSample;

TEST_CASE("step sample: what is looked into stands for what is passed over", "[audit]") {
  StepSample sample;
  sample.set_kind(StepSample::Kind::Sparse);
  double stood_for = 0;
  int taken = 0;
  bool announced = true;
  for (long number = 1; number <= 1000; ++number) {
    sample.begin(number, false);
    sample.begin(number, false);  // a step that was rejected once
    CHECK(sample.takes() == announced);
    announced = sample.takes_next();
    if (sample.takes()) {
      ++taken;
      stood_for += sample.stands_for();
      CHECK(stood_for == static_cast<double>(number));
    }
    sample.accept(number);
  }
  CHECK(taken > 30);
  CHECK(taken < 60);
}

TEST_CASE("step sample: everything is taken where it is asked for", "[audit]") {
  StepSample sample;
  for (long number = 1; number <= 100; ++number) {
    sample.begin(number, false);
    CHECK(sample.takes());
    CHECK(sample.takes_next());
    CHECK(sample.stands_for() == 1);
    sample.accept(number);
  }
  sample = {};
  sample.set_kind(StepSample::Kind::Usual);
  for (long number = 1; number <= 100; ++number) {
    sample.begin(number, false);
    CHECK(sample.takes() == (number < 32 || number % 32 == 0));
    sample.accept(number);
  }
}
