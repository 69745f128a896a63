// SPDX-License-Identifier: MIT
#include "sensitivity/second/second_adjoints.hpp"

#include <algorithm>

#include "parallel.hpp"
#include "ranks/each.hpp"

namespace perilune::sensitivity {

SecondAdjoints second_adjoints(const TwiceFollowed& motion, int threads) {
  const Problem& problem = motion.problem;
  const int here = threads > 0 ? std::min(threads, thread_count()) : thread_count();
  const int all = here * (ranks::may_spread() ? ranks::size() : 1);
  const std::size_t groups = std::min(motion.directions, static_cast<std::size_t>(all));
  const auto first = [&](std::size_t group) { return group * motion.directions / groups; };
  const auto reverse = [&](std::size_t group) {
    SecondAdjoints out{AdjointBundle(problem), {}, 0, {}};
    out.seconds.assign(first(group + 1) - first(group), AdjointBundle(problem));
    SecondSweep sweep{motion.tangents, first(group), out.seconds, motion.products};
    const auto own = formulation::make_motion(problem.system, motion.run.data, problem.formulation);
    own->set_memory(motion.memory);
    Backward backward(problem, motion.run, *own, out.first, &sweep);
    backward.run(motion.nodes);
    out.linearizations = backward.linearizations();
    return out;
  };
  const auto title = [&] { return std::to_string(groups) + " groups of directions of " + motion.title; };
  std::vector<SecondAdjoints> parts = ranks::compute_each<SecondAdjoints>(title, groups, reverse);
  SecondAdjoints out = std::move(parts.front());
  for (std::size_t group = 1; group < groups; ++group) {
    std::move(parts[group].seconds.begin(), parts[group].seconds.end(), std::back_inserter(out.seconds));
    out.linearizations += parts[group].linearizations;
  }
  return out;
}

}  // namespace perilune::sensitivity
