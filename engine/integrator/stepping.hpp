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
  /// Takes the step just attempted: mesh, record of steps, statistics, progress, Ctrl-C. Shortens it where the stop
  /// condition became zero on the way.
  void accept(double end);
  /// The same whatever the stop condition says.
  void take(double end);
  /// The stop condition became zero.
  bool is_stopped() const { return out_.stop.has_value(); }
  /// Of the last step of the run that is repeated: it is made to end at the stop condition, too.
  void accept_at_stop();
  /// For methods whose plans depend on the length of the step: the plan of a step that is shortened.
  void set_short_plan(const Plan& plan) { short_plan_ = &plan; }
  void set_newton_tolerance(double tolerance) { newton_tolerance_ = tolerance; }

 private:
  /// Attempts the step with another length; the value of the stop condition at its end.
  double attempt(double h);
  bool has_crossed();
  /// The length where the condition is zero, between 0 and the attempted one, `value` being that at the latter.
  double bracketed(double h, double value);
  /// The same starting from the attempted length.
  double nearby(double h, double value);
  void end_at(double h, double full);

  March& march_;
  const Options& options_;
  Solution& out_;
  const Plan* plan_ = nullptr;  // of the step that is shortened
  const Plan* short_plan_ = nullptr;
  double newton_tolerance_ = 0;
  std::optional<double> last_value_;  // of the stop condition
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
