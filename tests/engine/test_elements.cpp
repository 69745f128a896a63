// SPDX-License-Identifier: MIT
// Every registered element: what it states by hand against automatic differentiation of its template, and automatic
// differentiation against complex step, at random states and random data.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "model/element/element_check.hpp"
#include "model/element/registry.hpp"

using namespace perilune::model;

namespace {

struct RandomState {
  std::vector<double> q, v, a, lambda, data;
  RandomState(const Kernel& kernel, std::mt19937& random) {
    std::uniform_real_distribution<double> any(-1.5, 1.5), positive(0.4, 1.6);
    auto fill = [&](std::vector<double>& x, int n, auto& law) {
      for (int i = 0; i < n; ++i) x.push_back(law(random));
    };
    fill(q, kernel.coordinate_count(), any);
    fill(v, kernel.coordinate_count(), any);
    fill(a, kernel.coordinate_count(), any);
    fill(lambda, kernel.constraint_count(), any);
    fill(data, kernel.data_count(), positive);
  }
  Kinematics at() const { return {0.37, q.data(), v.data(), a.data(), lambda.data()}; }
};

/// Returns how many numbers were compared.
int compare(const ElementBlocks& x, const ElementBlocks& y, double tolerance) {
  int compared = 0;
  for (const BlockFamily& family : block_families()) {
    const std::vector<double>&left = x.*family.block, &right = y.*family.block;
    if (right.empty()) {  // a block that this kind of element does not have
      for (double value : left) CHECK(value == 0);
      continue;
    }
    REQUIRE(left.size() == right.size());
    double scale = 1;
    for (double value : right) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < left.size(); ++i) {
      INFO(family.name << "[" << i << "]: " << left[i] << " against " << right[i]);
      CHECK(std::abs(left[i] - right[i]) <= tolerance * scale);
      ++compared;
    }
  }
  return compared;
}

}  // namespace

TEST_CASE("every registered element agrees with automatic differentiation and complex step") {
  const std::vector<std::string> types = registered_types();
  REQUIRE(types.size() >= 40);
  std::mt19937 random(20260101);
  for (const std::string& type : types) {
    const Kernel& kernel = kernel_of(type);
    for (int trial = 0; trial < 10; ++trial) {
      INFO(type << ", trial " << trial);
      const RandomState state(kernel, random);
      const ElementBlocks by_ad = kernel.by_automatic_differentiation(state.at(), state.data.data());
      CHECK(compare(as_used(kernel, state.at(), state.data.data()), by_ad, 1e-12) > 0);
      CHECK(compare(by_ad, kernel.by_complex_step(state.at(), state.data.data()), 1e-12) > 0);
    }
  }
}

TEST_CASE("an unknown element type is an error") { CHECK_THROWS(kernel_of("distance/point-nothing/2")); }
