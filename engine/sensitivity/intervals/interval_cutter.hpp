// SPDX-License-Identifier: MIT
// Cuts a motion into intervals of time while it goes on.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "sensitivity/discrete/node_record.hpp"
#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// What there is to know of a motion between two boundaries: of `run` the data, the initial state of the whole motion,
/// the mesh and the steps. `nodes` is there where it was asked for; its node 0 is the boundary before, which was found
/// with the switches at `sides`.
struct IntervalPart {
  Evaluation run;
  std::unique_ptr<NodeRecord> nodes;
  formulation::Sides sides;
};

/// Boundaries are the mesh points at or behind equal parts of the time from start to end. A step may go across several:
/// there are fewer intervals then. A boundary is never an end whose time moves with the parameters: that is within an
/// interval, with the event that it follows. Where no number is asked for, an interval ends after so many steps, too:
/// where the steps are short in a part of the time, that would be one long job. Equal
/// parts are those of the time to the end time, long before which a stop condition may end the motion.
class IntervalCutter final : public integrator::StepListener {
 public:
  static constexpr int usual_count = 40;         // as Schaffer (2005, section 5.6) has it
  static constexpr std::size_t usual_most = 32;  // steps, where an interval of its own costs half a step

  /// `count`: of intervals, 0: the usual. `take` is handed each part as soon as the motion is beyond it.
  IntervalCutter(const Problem& problem, const Evaluation& run, int count, bool records,
                 std::function<void(IntervalPart part)> take)
      : problem_(problem),
        run_(run),
        count_(count > 0 ? count : usual_count),
        most_(count > 0 ? std::numeric_limits<std::size_t>::max() : usual_most),
        records_(records),
        take_(std::move(take)) {}

  void start(const integrator::March& march) override;
  void begin_step(const integrator::March& march) override;
  void group(const integrator::March& march, std::size_t g) override;
  void accept(const integrator::March& march) override;
  bool differentiates() const override { return records_; }

  /// Hands over what is left where the motion ended before its end time. Throws NumericalError, without records, where
  /// the motion has two pieces, as on both sides of an event: none is taken behind the first. `method` is for the
  /// sentence.
  void finish(const std::string& method);
  std::size_t steps() const { return steps_; }

 private:
  void open(const integrator::March& march, const formulation::Node& at);
  void close();

  const Problem& problem_;
  const Evaluation& run_;
  int count_;
  std::size_t most_;  // steps of an interval
  bool records_;
  std::function<void(IntervalPart part)> take_;
  IntervalPart part_;
  int passed_ = 0;  // equal parts of the time
  std::size_t steps_ = 0;
  std::optional<double> pieces_meet_;  // of a run without records: where the first two pieces of it do
};

}  // namespace perilune::sensitivity
