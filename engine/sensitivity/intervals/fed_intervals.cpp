// SPDX-License-Identifier: MIT
#include "sensitivity/intervals/fed_intervals.hpp"

#include <utility>

#include "error.hpp"
#include "fingerprint.hpp"
#include "ranks/each.hpp"
#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

namespace {

using Sides = std::optional<std::vector<double>>;

Sides packed_sides(const formulation::Sides& sides) { return sides ? Sides(*sides) : std::nullopt; }
formulation::Sides unpacked_sides(Sides sides) {
  return sides ? std::make_shared<const std::vector<double>>(*std::move(sides)) : nullptr;
}

/// Steps and mesh points of a motion, with what continuous equations along it read.
struct Stretch {
  std::vector<double> times, points;  // of the mesh: q, v, a and lambda behind each other
  std::vector<double> ends;           // of the steps
  std::vector<Sides> sides;           // in the steps

  Stretch() = default;
  explicit Stretch(const integrator::Solution& of) {
    const integrator::Mesh& mesh = of.mesh;
    times = mesh.t;
    for (std::size_t k = 0; k < mesh.size(); ++k) points.insert(points.end(), mesh.q_at(k), mesh.lambda_at(k) + mesh.m);
    const Blocks<integrator::Steps::Step>& steps = of.steps.steps;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      ends.push_back(steps[k].end);
      sides.push_back(packed_sides(steps[k].sides));
    }
  }
  void give_to(integrator::Solution& to, int n, int m) {
    to.mesh = integrator::Mesh(n, m);
    const double* q = points.data();
    for (const double t : times) {
      to.mesh.append(t, q, q + n, q + 2 * n, q + 3 * n);
      q += 3 * n + m;
    }
    for (std::size_t k = 0; k < ends.size(); ++k) {
      to.steps.steps.push_back({nullptr, 0, ends[k], nullptr, unpacked_sides(std::move(sides[k]))});
    }
  }

  template <class Archive>
  friend void archive_fields(Archive& archive, Stretch& stretch) {
    archive(stretch.times, stretch.points, stretch.ends, stretch.sides);
  }
};

struct PackedPart {
  std::uint64_t number = 0;
  Stretch stretch;
  Sides sides;

  template <class Archive>
  friend void archive_fields(Archive& archive, PackedPart& part) {
    archive(part.number, part.stretch, part.sides);
  }
};

/// What a gradient needs of a run behind its intervals.
struct RunEnd {
  Gradient said;  // values, statistics, warnings
  Stretch ends;
  std::optional<std::vector<double>> stop;  // slope of the condition, then of the objectives

  RunEnd() = default;
  explicit RunEnd(const Evaluation& run) : ends(ends_of(run.solution)) {
    said.values = run.values;
    said.statistics = run.solution.statistics;
    said.warnings = run.warnings;
    if (!run.solution.stop) return;
    stop.emplace(1, run.solution.stop->slope);
    stop->insert(stop->end(), run.solution.stop->objectives.begin(), run.solution.stop->objectives.end());
  }
  void give_to(Evaluation& run, int n, int m) {
    run.values = said.values;
    run.solution.statistics = said.statistics;
    run.warnings = said.warnings;
    ends.give_to(run.solution, n, m);
    if (stop) run.solution.stop = integrator::Stop{stop->front(), {stop->begin() + 1, stop->end()}};
  }

  template <class Archive>
  friend void archive_fields(Archive& archive, RunEnd& end) {
    archive(end.said, end.ends, end.stop);
  }

 private:
  static Stretch ends_of(const integrator::Solution& run) {
    integrator::Solution ends;
    const integrator::Mesh& mesh = run.mesh;
    ends.mesh = integrator::Mesh(mesh.n, mesh.m);
    for (const std::size_t k : {std::size_t{0}, mesh.size() - 1}) {
      ends.mesh.append(mesh.t[k], mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), mesh.lambda_at(k));
    }
    const Blocks<integrator::Steps::Step>& steps = run.steps.steps;
    ends.steps.steps.push_back(steps[0]);
    if (steps.size() > 1) ends.steps.steps.push_back(steps[steps.size() - 1]);
    return Stretch(ends);
  }
};

struct Fed {
  std::string failure;  // of the motion
  RunEnd end;
  std::vector<std::string> results;

  template <class Archive>
  friend void archive_fields(Archive& archive, Fed& fed) {
    archive(fed.failure, fed.end, fed.results);
  }
};

std::string title_of(const Problem& problem, const Evaluation& start, const IntervalOptions& options) {
  Fingerprint print;
  print.add(start.data->packed).add(start.initial.q).add(start.initial.v).add({problem.start, problem.end});
  for (const auto& objective : problem.objectives) {
    for (const auto& part : {objective->terminal, objective->integral}) {
      if (part) part->add_to(print);
    }
  }
  return std::to_string(options.intervals) + " intervals of " + options.method + ", start of motion " + print.text();
}

}  // namespace

SolvedIntervals feed_intervals(const Problem& problem, Evaluation start, const IntervalOptions& options,
                               const SolveInterval& solve, const std::function<void(const Evaluation& run)>& check) {
  SolvedIntervals out{std::move(start), {}};
  const int n = problem.system->coordinate_count(), m = problem.system->constraint_count();
  const std::shared_ptr<const Data> data = out.run.data;
  const analysis::ConsistentState initial = out.run.initial;
  Fed fed;
  ranks::Feed feed;
  feed.title = title_of(problem, out.run, options);
  feed.find = [&](const std::function<void(std::string)>& add) {
    std::uint64_t number = 0;
    const auto motion = formulation::make_motion(problem.system, data, problem.formulation);
    try {
      cut_motion(
          problem, *motion, out.run, options,
          [&](IntervalPart part) {
            add(ranks::packed(PackedPart{++number, Stretch(part.run.solution), packed_sides(part.sides)}));
          },
          check);
      fed.end = RunEnd(out.run);
    } catch (const NumericalError& failure) {
      fed.failure = failure.what();
    }
  };
  feed.compute = [&](const std::string& job) {
    auto packed = ranks::unpacked<PackedPart>(job);
    IntervalPart part;
    part.run.data = data;
    part.run.initial = initial;
    part.sides = unpacked_sides(std::move(packed.sides));
    packed.stretch.give_to(part.run.solution, n, m);
    ranks::Computed<IntervalResult> each;
    try {
      each.result = solve(part, static_cast<std::size_t>(packed.number));
    } catch (const NumericalError& failure) {
      each.failure = failure.what();
    }
    return ranks::packed(each);
  };
  feed.arrived = [&](std::size_t k, const std::string& bytes) {
    if (fed.results.size() <= k) fed.results.resize(k + 1);
    fed.results[k] = bytes;
  };
  feed.outcome = [&] { return ranks::packed(fed); };
  auto all = ranks::unpacked<Fed>(ranks::feed(feed));
  if (!all.failure.empty()) throw NumericalError(all.failure);
  for (const std::string& bytes : all.results) {
    auto each = ranks::unpacked<ranks::Computed<IntervalResult>>(bytes);
    if (!each.result) throw NumericalError(each.failure);
    out.results.push_back(*std::move(each.result));
  }
  if (ranks::number() > 0) all.end.give_to(out.run, n, m);
  return out;
}

}  // namespace perilune::sensitivity
