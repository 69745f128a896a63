// SPDX-License-Identifier: MIT
// What every registered element costs: nanoseconds per element for evaluate and linearize through the interface that a
// system uses, by hand and by automatic differentiation of the same template, in one run (as table 1 of Verulkar 2023).
// An argument selects the types whose names contain it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>

#include "model/element/registry.hpp"

using namespace perilune::model;

namespace {

constexpr int count = 64;  // elements in the batch

/// Elements on coordinates of their own, with all data active.
struct Bench {
  const Kernel& kernel;
  Batch batch;
  std::vector<double> q, v, a, lambda, data;
  std::vector<double> nn[3], mn[3], nd, md[3], n, m[3], scratch;
  Blocks blocks;

  explicit Bench(const Kernel& of) : kernel(of) {
    const int nq = kernel.coordinate_count(), nc = kernel.constraint_count(), ndata = kernel.data_count();
    auto number = [](std::vector<int>& x, int each) {
      x.resize(static_cast<std::size_t>(count * each));
      std::iota(x.begin(), x.end(), 0);
    };
    batch.count = count;
    number(batch.coordinates, nq);
    number(batch.multipliers, nc);
    number(batch.nn, nq * nq);
    number(batch.mn, nc * nq);
    number(batch.nd, nq * ndata);
    number(batch.md, nc * ndata);
    batch.is_active.assign(count, 1);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-1.5, 1.5), positive(0.4, 1.6);
    auto fill = [&](std::vector<double>& x, int each, auto& law) {
      x.resize(static_cast<std::size_t>(count * each));
      for (double& value : x) value = law(random);
    };
    for (auto* x : {&q, &v, &a}) fill(*x, nq, any);
    fill(lambda, nc, any);
    fill(data, ndata, positive);
    auto sized = [](std::vector<double>& x, int each) {
      x.assign(static_cast<std::size_t>(count * each), 0.0);
      return x.data();
    };
    blocks.mass = sized(nn[0], nq * nq);
    blocks.stiffness = sized(nn[1], nq * nq);
    blocks.damping = sized(nn[2], nq * nq);
    blocks.force = sized(n, nq);
    blocks.phi = sized(m[0], nc);
    blocks.phi_rate = sized(m[1], nc);
    blocks.phi_bias = sized(m[2], nc);
    blocks.jacobian = sized(mn[0], nc * nq);
    blocks.jacobian_rate = sized(mn[1], nc * nq);
    blocks.jacobian_acceleration = sized(mn[2], nc * nq);
    blocks.residual_data = sized(nd, nq * ndata);
    blocks.phi_data = sized(md[0], nc * ndata);
    blocks.phi_rate_data = sized(md[1], nc * ndata);
    blocks.phi_acceleration_data = sized(md[2], nc * ndata);
    scratch.resize(kernel.scratch_size());
    blocks.scratch = scratch.data();
  }

  Kinematics at() const { return {0.37, q.data(), v.data(), a.data(), lambda.data()}; }
};

/// The least of many rounds, in nanoseconds per element.
template <class F>
double nanoseconds(F&& f) {
  using Clock = std::chrono::steady_clock;
  double best = 1e300;
  int repetitions = 1;
  for (int round = 0; round < 15; ++round) {
    const auto start = Clock::now();
    for (int k = 0; k < repetitions; ++k) f();
    const double elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    best = std::min(best, elapsed / repetitions / count);
    if (elapsed < 3e5) repetitions *= 2;
  }
  return best;
}

void print_pair(double by_hand, double automatic) {
  std::printf(" %8.1f %8.1f %6.1f", by_hand, automatic, automatic / by_hand);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  std::printf("ns per element in batches of %d: by hand, by automatic differentiation, ratio\n\n", count);
  std::printf("%-30s %24s %24s %24s\n", "element", "evaluate", "linearize", "linearize with data");
  for (const std::string& type : registered_types()) {
    if (type.find(wanted) == type.npos) continue;
    Bench b(kernel_of(type));
    const Kinematics at = b.at();
    const double* d = b.data.data();
    std::printf("%-30s", type.c_str());
    print_pair(nanoseconds([&] { b.kernel.evaluate(b.batch, at, d, b.blocks); }),
               nanoseconds([&] { b.kernel.evaluate_automatically(b.batch, at, d, b.blocks); }));
    for (const bool with_data : {false, true}) {
      if (b.kernel.is_constant() && !with_data) {
        std::printf(" %24s", "-");  // nothing to do
        continue;
      }
      print_pair(nanoseconds([&] { b.kernel.linearize(b.batch, at, d, b.blocks, with_data); }),
                 nanoseconds([&] { b.kernel.linearize_automatically(b.batch, at, d, b.blocks, with_data); }));
    }
    std::printf("\n");
  }
  return 0;
}
