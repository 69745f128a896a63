// SPDX-License-Identifier: MIT
// Columns of direct gradients that several threads, or processes, share. Each group of them goes along with a
// simulation of its own, and no column reads another: so the bits do not depend on the groups.
#include <algorithm>

#include "error.hpp"
#include "fingerprint.hpp"
#include "parallel.hpp"
#include "ranks/each.hpp"
#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

std::size_t column_groups(const Problem& problem, std::size_t count, const DiscreteDirect& method) {
  if (formulation::properties(problem.formulation).iterated_alpha) return 1;
  const int here = method.threads > 0 ? std::min(method.threads, thread_count()) : thread_count();
  const int all = here * (ranks::may_spread() ? ranks::size() : 1);
  return std::min(count, static_cast<std::size_t>(all));
}

Gradient direct_in_groups(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                          std::size_t groups) {
  const auto columns = [&](std::size_t group) {
    const auto at = [&](std::size_t g) { return over.begin() + static_cast<std::ptrdiff_t>(g * over.size() / groups); };
    const std::vector<int> own(at(group), at(group + 1));
    Problem narrow = problem;
    narrow.system = System::differentiated_by(own, problem.system);
    return discrete_direct(narrow, parameters, own);
  };
  const auto title = [&] {
    Fingerprint of;
    of.add(parameters).add(prepare(problem, parameters).data->packed);
    for (const int index : over) of.add_number(static_cast<std::uint64_t>(index));
    for (const auto& objective : problem.objectives) {
      for (const auto& part : {objective->terminal, objective->integral}) {
        if (part) part->add_to(of);
      }
    }
    return std::to_string(groups) + " groups of columns of a direct gradient (" + of.text() + ")";
  };
  std::vector<Gradient> parts = ranks::compute_each<Gradient>(title, groups, columns);
  Gradient out = std::move(parts.front());
  for (std::size_t g = 1; g < groups; ++g) {
    if (parts[g].values != out.values) {
      throw Error(
          "the columns of a direct gradient come from different motions or objectives: each process must do "
          "the same, whatever its number, the time, the machine or the order of pairs");
    }
    for (std::size_t o = 0; o < out.derivatives.size(); ++o) {
      const std::vector<double>& more = parts[g].derivatives[o];
      out.derivatives[o].insert(out.derivatives[o].end(), more.begin(), more.end());
    }
  }
  return out;
}

}  // namespace perilune::sensitivity
