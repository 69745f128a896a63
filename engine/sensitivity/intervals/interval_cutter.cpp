// SPDX-License-Identifier: MIT
#include "sensitivity/intervals/interval_cutter.hpp"

#include <algorithm>
#include <utility>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::sensitivity {

using formulation::Node;
using integrator::March;

void IntervalCutter::start(const March& march) {
  open(march, march.last());
  part_.run.solution.steps.start_choice = march.motion().choice();
}

void IntervalCutter::begin_step(const March& march) {
  if (part_.nodes) part_.nodes->begin_step(march);
}

void IntervalCutter::group(const March& march, std::size_t g) {
  if (part_.nodes) part_.nodes->group(march, g);
}

void IntervalCutter::accept(const March& march) {
  if (!records_ && !pieces_meet_ && march.h() == 0) pieces_meet_ = march.t();
  if (pieces_meet_) return;  // nobody will ask for the rest
  ++steps_;
  const formulation::Motion& motion = march.motion();
  const Node& end = march.node(march.plan().end);
  part_.run.solution.mesh.append(end.t, end.q, end.v, end.a, end.lambda);
  const integrator::EndSlopes* slopes = march.slopes();
  integrator::Steps::Step step{&march.plan(), march.h(), end.t, motion.choice(), motion.sides()};
  if (slopes) step.slopes = std::make_shared<integrator::EndSlopes>(*slopes);
  part_.run.solution.steps.steps.push_back(std::move(step));
  if (part_.nodes) part_.nodes->accept(march);
  const double share = (end.t - problem_.start) / (problem_.end - problem_.start);
  if (share * count_ < passed_ + 1 - 1e-9 && part_.run.solution.steps.steps.size() < most_) return;
  const bool moves = slopes && (slopes->event >= 0 || slopes->moves_along);
  if (moves) return;
  passed_ = static_cast<int>(share * count_ + 1e-9);
  close();
  open(march, end);
}

void IntervalCutter::finish(const std::string& method) {
  if (!records_ && !run_.solution.events.empty()) {
    const integrator::Event& event = run_.solution.events.front();
    throw NumericalError(at_time(event.t) + "\"" + event.name + "\" changes its side, which " + method +
                         " does not follow; mbs.adjoint {} without intervals does");
  }
  if (pieces_meet_) {
    throw NumericalError(at_time(*pieces_meet_) + "a law changes its form, which " + method +
                         " does not follow; mbs.adjoint {} without intervals does");
  }
  if (part_.run.solution.mesh.size() > 1) close();
}

void IntervalCutter::open(const March& march, const Node& at) {
  part_ = IntervalPart();
  part_.sides = march.motion().sides();
  part_.run.data = run_.data;
  part_.run.initial = run_.initial;
  part_.run.solution.steps.copies = march.start_count() - 1;
  part_.run.solution.steps.ring = static_cast<int>(march.ring());
  part_.run.solution.mesh = integrator::Mesh(march.motion().n(), march.motion().m());
  part_.run.solution.mesh.append(at.t, at.q, at.v, at.a, at.lambda);
  if (!records_) return;
  part_.nodes = std::make_unique<NodeRecord>(march.motion());
  part_.nodes->begin_with(at);
}

void IntervalCutter::close() { take_(std::exchange(part_, IntervalPart())); }

}  // namespace perilune::sensitivity
