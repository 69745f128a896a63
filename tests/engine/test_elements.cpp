// Every registered element: what it states by hand against automatic differentiation of its template, and automatic
// differentiation against complex step, at random states and random data.
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "model/registry.hpp"

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

/// The kernel's own results through the interface that a system uses, for a batch of one element with dense patterns.
ElementBlocks as_used(const Kernel& kernel, const RandomState& state) {
  const int n = kernel.coordinate_count(), m = kernel.constraint_count(), d = kernel.data_count();
  auto numbers = [](int count) {
    std::vector<int> x(static_cast<std::size_t>(count));
    std::iota(x.begin(), x.end(), 0);
    return x;
  };
  Batch batch;
  batch.count = 1;
  batch.coordinates = numbers(n);
  batch.multipliers = numbers(m);
  batch.nn = numbers(n * n);
  batch.mn = numbers(m * n);
  batch.nd = numbers(n * d);
  batch.md = numbers(m * d);
  batch.is_active = {1};
  ElementBlocks out;
  std::vector<double> scratch(kernel.scratch_size());
  auto sized = [](std::vector<double>& x, int count) {
    x.assign(static_cast<std::size_t>(count), 0.0);
    return x.data();
  };
  Blocks b;
  b.mass = sized(out.mass, n * n);
  b.force = sized(out.force, n);
  b.phi = sized(out.phi, m);
  b.phi_rate = sized(out.phi_rate, m);
  b.phi_bias = sized(out.phi_bias, m);
  b.jacobian = sized(out.jacobian, m * n);
  b.stiffness = sized(out.stiffness, n * n);
  b.damping = sized(out.damping, n * n);
  b.jacobian_rate = sized(out.jacobian_rate, m * n);
  b.jacobian_acceleration = sized(out.jacobian_acceleration, m * n);
  b.residual_data = sized(out.residual_data, n * d);
  b.phi_data = sized(out.phi_data, m * d);
  b.phi_rate_data = sized(out.phi_rate_data, m * d);
  b.phi_acceleration_data = sized(out.phi_acceleration_data, m * d);
  b.scratch = scratch.data();
  kernel.evaluate(batch, state.at(), state.data.data(), b);
  kernel.linearize(batch, state.at(), state.data.data(), b, true);
  return out;
}

constexpr const char* names[] = {"mass",          "force",
                                 "phi",           "phi_rate",
                                 "phi_bias",      "jacobian",
                                 "stiffness",     "damping",
                                 "jacobian_rate", "jacobian_acceleration",
                                 "residual_data", "phi_data",
                                 "phi_rate_data", "phi_acceleration_data"};

std::vector<const std::vector<double>*> lists(const ElementBlocks& b) {
  return {&b.mass,          &b.force,
          &b.phi,           &b.phi_rate,
          &b.phi_bias,      &b.jacobian,
          &b.stiffness,     &b.damping,
          &b.jacobian_rate, &b.jacobian_acceleration,
          &b.residual_data, &b.phi_data,
          &b.phi_rate_data, &b.phi_acceleration_data};
}

/// Returns how many numbers were compared.
int compare(const ElementBlocks& x, const ElementBlocks& y, double tolerance) {
  int compared = 0;
  const auto xs = lists(x), ys = lists(y);
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const std::vector<double>&left = *xs[k], &right = *ys[k];
    if (right.empty()) {  // a block that this kind of element does not have
      for (double value : left) CHECK(value == 0);
      continue;
    }
    REQUIRE(left.size() == right.size());
    double scale = 1;
    for (double value : right) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < left.size(); ++i) {
      INFO(names[k] << "[" << i << "]: " << left[i] << " against " << right[i]);
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
      CHECK(compare(as_used(kernel, state), by_ad, 1e-12) > 0);
      CHECK(compare(by_ad, kernel.by_complex_step(state.at(), state.data.data()), 1e-12) > 0);
    }
  }
}

TEST_CASE("an unknown element type is an error") { CHECK_THROWS(kernel_of("distance/point-nothing/2")); }
