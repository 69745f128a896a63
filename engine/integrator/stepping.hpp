// What the integrators share: the run's bookkeeping around their choice of plans and step lengths.
#pragma once
#include "integrator/integrator.hpp"

namespace perilune::integrator {

/// One run in progress.
class Run {
 public:
  Run(March& march, const Options& options, Solution& out) : march_(march), options_(options), out_(out) {}
  March& march() { return march_; }
  const Options& options() const { return options_; }
  Solution& solution() { return out_; }
  double t() const { return march_.t(); }
  /// Keeps the plan alive as long as the solution.
  const Plan& keep(Plan plan);
  /// Takes the step just attempted: mesh, record of steps, statistics, progress, Ctrl-C.
  void accept(double end);

 private:
  March& march_;
  const Options& options_;
  Solution& out_;
};

/// The mesh of a fixed-step method: whole steps, the last one shortened to end exactly.
std::vector<double> fixed_grid(double start, double end, double step);

/// Length and fate of adaptive steps.
class StepControl {
 public:
  /// `order`: local errors are proportional to h^(order + 1).
  StepControl(Run& run, const Tolerances& tolerances, int order);
  bool is_done() const;
  /// Length of the next attempt.
  double h();
  /// Takes or rejects the step attempted with length h by its error, 1 being the tolerance; infinite for a failure,
  /// which `why` describes. Throws NumericalError when the steps have become too small. True if taken.
  bool decide(double error, const std::string& why = {});
  /// The same for those who decide themselves; the next attempt is longer by `factor`.
  void take(double factor);
  void reject(double factor, const std::string& why = {});

 private:
  Run& run_;
  Tolerances tolerances_;
  double exponent_, h_ = 0, next_ = 0;
  double last_[3] = {0, 0, 0};
  bool was_rejected_ = false;
};

/// Root mean square of errors in q and v (which may be null) against the tolerances, with the sizes at the ends of the
/// step.
double error_norm(const March& march, const Tolerances& tolerances, const double* q_error, const double* v_error);

/// All run to the end or throw.
void run_fixed(Run& run, const Plan& plan, const std::vector<double>& grid, double tolerance);
void run_embedded(Run& run, const Tableau& tableau, const RungeKuttaPlan& plan, const Tolerances& tolerances,
                  double newton_tolerance);
void repeat(Run& run, const Steps& steps);

}  // namespace perilune::integrator
