// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/by_objectives.hpp"

#include <algorithm>
#include <memory>

#include "fingerprint.hpp"
#include "parallel.hpp"
#include "ranks/each.hpp"

namespace perilune::sensitivity {

namespace {

/// Of a thread, where others could take some: with fewer it is busy with linearizations that another one makes as well.
constexpr std::size_t least_of_a_thread = 4;

/// What came of some objectives; those of the others are left out.
struct Reversed {
  AdjointBundle bundle;
  long linearizations = 0;

  template <class Archive>
  friend void archive_fields(Archive& archive, Reversed& part) {
    archive(part.bundle, part.linearizations);
  }
};

std::size_t group_count(std::size_t objectives, int threads) {
  const std::size_t processes = ranks::may_spread() ? static_cast<std::size_t>(ranks::size()) : 1;
  const int here = threads > 0 ? std::min(threads, thread_count()) : thread_count();
  const std::size_t of_threads = std::min(objectives / least_of_a_thread, processes * static_cast<std::size_t>(here));
  // Processes have nothing else to do meanwhile.
  return std::max({std::size_t{1}, std::min(objectives, processes), of_threads});
}

}  // namespace

Gradient reverse_by_objectives(const Problem& problem, const Evaluation& run, Motion& motion, NodeRecord& nodes,
                               AdjointBundle& bundle, const std::vector<int>& over, int threads) {
  const std::size_t objectives = problem.objectives.size(), groups = group_count(objectives, threads);
  const auto first = [&](std::size_t group) { return group * objectives / groups; };
  const formulation::Memory memory = motion.memory();
  const auto reverse = [&](std::size_t group) {
    Reversed out{bundle, 0};
    // Several at a time need one each, which goes on as the run's own would.
    std::unique_ptr<Motion> own;
    if (groups > 1) {
      own = formulation::make_motion(problem.system, run.data, problem.formulation);
      own->set_memory(memory);
    }
    Backward backward(problem, run, own ? *own : motion, out.bundle);
    backward.keep_to(first(group), first(group + 1));
    backward.run(nodes);
    out.linearizations = backward.linearizations();
    for (std::size_t o = 0; o < objectives; ++o) {
      if (o >= first(group) && o < first(group + 1)) continue;
      for (auto* part : {&out.bundle.q, &out.bundle.v, &out.bundle.data, &out.bundle.parameters}) (*part)[o].clear();
    }
    return out;
  };
  const auto title = [&] {
    const Fingerprint motion = Fingerprint().add(run.data->packed).add(run.values);
    return std::to_string(groups) + " groups of objectives of an adjoint gradient, motion " + motion.text();
  };
  std::vector<Reversed> parts = ranks::compute_each<Reversed>(title, groups, reverse);
  long linearizations = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    AdjointBundle& part = parts[group].bundle;
    linearizations += parts[group].linearizations;
    for (std::size_t o = first(group); o < first(group + 1); ++o) {
      bundle.q[o] = std::move(part.q[o]);
      bundle.v[o] = std::move(part.v[o]);
      bundle.times[o] = part.times[o];
      bundle.data[o] = std::move(part.data[o]);
      bundle.parameters[o] = std::move(part.parameters[o]);
    }
  }
  Gradient out = bundle.finish(problem, run, over);
  out.linearizations = linearizations;
  return out;
}

}  // namespace perilune::sensitivity
