// SPDX-License-Identifier: MIT
#include "formulation/node.hpp"

#include <algorithm>

namespace perilune::formulation {

void place(const Coupling& coupling, const double* proposals, std::size_t n, std::span<const Node> x) {
  for (int i = 0; i < coupling.size; ++i) {
    const double* base = proposals + 2 * n * static_cast<std::size_t>(i);
    const Node& node = x[static_cast<std::size_t>(i)];
    std::copy_n(base, n, node.q);
    std::copy_n(base + n, n, node.v);
    for (int j = 0; j < coupling.size; ++j) {
      const double of_a = coupling.va(i, j), *a = x[static_cast<std::size_t>(j)].a;
      for (std::size_t k = 0; k < n; ++k) node.v[k] += of_a * a[k];
    }
  }
  for (int i = 0; i < coupling.size; ++i) {  // after all v, which may be the u
    const Node& node = x[static_cast<std::size_t>(i)];
    for (int j = 0; j < coupling.size; ++j) {
      const Node& other = x[static_cast<std::size_t>(j)];
      const double of_u = coupling.qu(i, j), of_a = coupling.qa(i, j);
      for (std::size_t k = 0; k < n; ++k) node.q[k] += of_u * other.u[k] + of_a * other.a[k];
    }
  }
}

}  // namespace perilune::formulation
