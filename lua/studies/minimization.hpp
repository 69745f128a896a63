// SPDX-License-Identifier: MIT
// What m:optimize minimizes, and the searches for it.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "optimize/multi_start.hpp"
#include "runs/specs.hpp"
#include "sensitivity/second/hessian.hpp"
#include "studies/combination.hpp"
#include "studies/subject_to.hpp"
#include "studies/tolerances.hpp"

namespace perilune::lua {

class OptimizationJournal;

/// The warnings of the runs that had any, by their points. Several threads may add to them.
class Warned {
 public:
  void add(const Eigen::VectorXd& x, const std::vector<std::string>& warnings) {
    const std::lock_guard lock(mutex_);
    list_.emplace_back(x, warnings);
  }
  std::vector<std::string> at(const Eigen::VectorXd& x) const {
    for (const auto& [point, warnings] : list_) {
      if (point == x) return warnings;
    }
    return {};
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Eigen::VectorXd, std::vector<std::string>>> list_;
};

/// What is minimized: a gradient at every point, from a parameter set of its own. The worst of several experiments is
/// the least z that weight times cost of none exceeds. A variable behind those of `over` says how far z is from the
/// worst at the start, as a share of what the parameters do to the costs there; and behind the limits of `subject_to`
/// is one for each experiment.
struct Minimization {
  std::vector<NamedRun> experiments;
  Combination combination;
  sensitivity::Method method;
  std::vector<double> parameters;  // of the whole model
  std::vector<int> over;
  std::vector<optimize::Variable> variables;
  SubjectTo subject_to;   // in all experiments
  Tolerances tolerances;  // of a problem without experiments
  std::shared_ptr<Warned> warned = std::make_shared<Warned>();
  std::shared_ptr<OptimizationJournal> journal;  // of what searches evaluate; null: none is kept
  std::string fingerprint;                       // of all this, where several processes search
  double sign = 1;                               // -1: the objective is the negative of what the user maximizes

  bool is_minimax() const { return combination.how == Combination::How::Worst && experiments.size() > 1; }
  bool is_limited() const { return !subject_to.empty() || is_minimax(); }
  double noise() const;
  Eigen::VectorXd present() const;

  // `x` begins with the values of the parameters in `over`; what follows is not read.
  std::vector<double> parameters_at(const Eigen::VectorXd& x) const;
  /// Of each experiment, on several threads. Its warnings are kept for x.
  std::vector<sensitivity::Gradient> gradients_at(const Eigen::VectorXd& x, const sensitivity::Method& by) const;
  std::vector<std::string> warnings_at(const Eigen::VectorXd& x) const { return warned->at(head_of(x)); }

  // The problems must not outlive the minimization. Several of them may be evaluated at the same time, each for the
  // start of another number.
  optimize::Problem from(const Eigen::VectorXd& start, std::size_t number = 0) const;
  /// As `from`, with the limits. Of the worst it needs an evaluation, which may throw NumericalError.
  optimize::ConstrainedProblem limited_from(const Eigen::VectorXd& start, std::size_t number) const;

  /// The same with second derivatives, of a problem without experiments.
  optimize::NewtonProblem newton_from(const Eigen::VectorXd& start, std::size_t number) const;

 private:
  Eigen::VectorXd head_of(const Eigen::VectorXd& x) const { return x.head(static_cast<Eigen::Index>(over.size())); }
  /// What the search of this number asks for, from the journal where it has that.
  std::vector<sensitivity::Gradient> asked_by(std::size_t number, const Eigen::VectorXd& x, bool has_gradients) const;
  void keep_warnings(const Eigen::VectorXd& x, const std::vector<sensitivity::Gradient>& found) const;
  /// Without derivatives.
  std::vector<sensitivity::Gradient> values_at(const Eigen::VectorXd& x) const;
  /// What `run` finds of each experiment, on several threads; the warnings are kept for x.
  std::vector<sensitivity::Gradient> of_each(const Eigen::VectorXd& x,
                                             const std::function<sensitivity::Gradient(const NamedRun&)>& run) const;
  /// `slope` is written where there are derivatives.
  double combined(const std::vector<sensitivity::Gradient>& found, Eigen::VectorXd& slope) const;
  double reach_of_costs(const std::vector<sensitivity::Gradient>& found, const optimize::Problem& bounded) const;
};

/// What the two kinds of search have in common.
struct Found {
  optimize::MultiStart all;
  std::vector<std::optional<optimize::ConstrainedResult>> limited;  // by attempt; empty without limits
};

/// From each of the starts, on all processors where there are several. Throws NumericalError where none can be
/// evaluated, and Error where the problem makes no sense.
Found minimize(const Minimization& task, const Optimizer& optimizer, const std::vector<Eigen::VectorXd>& starts);

/// What was maximized has its own values, where the search had their negatives.
void turn_signs(Found& found);

}  // namespace perilune::lua
