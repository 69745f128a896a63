// SPDX-License-Identifier: MIT
// Runge-Kutta methods against the conditions of their order: for each rooted tree t, sum of b_i Phi_i(t) = 1 / gamma(t)
// (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.2). A wrong digit of a coefficient fails.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "integrator/method/runge_kutta.hpp"

using namespace perilune::integrator;

namespace {

struct Tree {
  int order = 1;
  double gamma = 1;
  std::vector<const Tree*> branches;
};

/// By order, from 1 on; each is on earlier ones.
std::vector<std::vector<Tree>> trees_up_to(int most) {
  std::vector<std::vector<Tree>> all(static_cast<std::size_t>(most) + 1);
  all[1].emplace_back();
  for (int order = 2; order <= most; ++order) {
    std::vector<const Tree*> smaller;
    for (int o = 1; o < order; ++o) {
      for (const Tree& tree : all[static_cast<std::size_t>(o)]) smaller.push_back(&tree);
    }
    // Each set of branches once: they are taken in the order of the list.
    const auto grow = [&](const auto& self, std::size_t from, const Tree& so_far) -> void {
      if (so_far.order == order) {
        all[static_cast<std::size_t>(order)].push_back(so_far);
        all[static_cast<std::size_t>(order)].back().gamma *= order;
        return;
      }
      for (std::size_t k = from; k < smaller.size(); ++k) {
        if (so_far.order + smaller[k]->order > order) continue;
        Tree larger = so_far;
        larger.order += smaller[k]->order;
        larger.gamma *= smaller[k]->gamma;
        larger.branches.push_back(smaller[k]);
        self(self, k, larger);
      }
    };
    grow(grow, 0, Tree{});
  }
  return all;
}

/// Elementary weights of the stages.
std::vector<double> weights_of(const Tableau& method, const Tree& tree) {
  const auto stages = static_cast<std::size_t>(method.stages);
  std::vector<double> product(stages, 1);
  for (const Tree* branch : tree.branches) {
    const std::vector<double> inner = weights_of(method, *branch);
    for (std::size_t i = 0; i < stages; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < stages; ++j) sum += method.a[i][j] * inner[j];
      product[i] *= sum;
    }
  }
  return product;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

TEST_CASE("Runge-Kutta methods satisfy the conditions of their order, and none of the next") {
  const std::vector<std::vector<Tree>> trees = trees_up_to(9);
  const std::size_t counts[]{0, 1, 1, 2, 4, 9, 20, 48, 115, 286};
  for (std::size_t order = 1; order < trees.size(); ++order) CHECK(trees[order].size() == counts[order]);
  struct Method {
    const char* name;
    const Tableau& tableau;
    int order;
  };
  for (const auto& [name, method, order] :
       {Method{"rk4", rk4_tableau(), 4}, Method{"dormand_prince", dormand_prince_tableau(), 5},
        Method{"dormand_prince of order 8", dormand_prince8_tableau(), 8},
        Method{"trapezoidal", trapezoidal_tableau(), 2}, Method{"sdirk4", sdirk4_tableau(), 4},
        Method{"radau3", radau3_tableau(), 3}, Method{"radau5", radau5_tableau(), 5}}) {
    INFO(name);
    for (std::size_t i = 0; i < static_cast<std::size_t>(method.stages); ++i) {
      double sum = 0;
      for (const double a : method.a[i]) sum += a;
      CHECK(sum == Approx(method.c[i]).margin(1e-14));
    }
    double misses[10]{}, missed_estimates[10]{};
    for (int o = 1; o <= order + 1; ++o) {
      for (const Tree& tree : trees[static_cast<std::size_t>(o)]) {
        const std::vector<double> weights = weights_of(method, tree);
        misses[o] = std::max(misses[o], std::abs(dot(method.b, weights) - 1 / tree.gamma));
        if (method.error.empty() || method.error_filter != 0) continue;
        const double of_start = o == 1 ? method.error_start : 0;
        missed_estimates[o] = std::max(missed_estimates[o], std::abs(dot(method.error, weights) + of_start));
      }
      INFO("order " << o);
      if (o <= order) CHECK(misses[o] < 1e-13);
      if (o <= method.error_order) CHECK(missed_estimates[o] < 1e-13);
    }
    CHECK(misses[order + 1] > 1e-6);
    if (!method.error.empty() && method.error_filter == 0) CHECK(missed_estimates[method.error_order + 1] > 1e-6);
  }
}
