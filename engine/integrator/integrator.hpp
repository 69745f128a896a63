// Time integration of a Dynamics. Integrators know only its views; whoever wants to follow the steps (quadrature,
// recording, sensitivities) listens.
#pragma once
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "formulation/dynamics.hpp"

namespace perilune::integrator {

using formulation::Dynamics;

struct Rk4 {
  double step = 1e-3;  // s
};
/// Dormand-Prince 5(4), adaptive. A local error counts against absolute + relative |y|, root mean square.
struct DormandPrince {
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-10;
  double initial_step = 0;  // 0: chosen from the tolerances
  double max_step = std::numeric_limits<double>::infinity();
};
/// Implicit trapezoidal rule (Zhu 2014, eq. 2.5): Newton with the exact Jacobian on the accelerations and multipliers.
struct Trapezoidal {
  double step = 1e-3;
  double tolerance = 1e-11;  // of the last Newton correction of the accelerations, relative
};
/// Singly diagonally implicit Runge-Kutta method of order 4 in five stages, L-stable (Hairer and Wanner, Solving
/// Ordinary Differential Equations II, IV.6, table 6.5): the same Newton iteration at every stage.
struct Sdirk4 {
  double step = 1e-3;
  double tolerance = 1e-11;
};
using Integrator = std::variant<Rk4, DormandPrince, Trapezoidal, Sdirk4>;
std::string name_of(const Integrator& integrator);

/// Butcher tableau of a Runge-Kutta method whose stages depend on earlier ones and themselves only; row i of `a` has i
/// entries. The last stage of an implicit one is the end of the step.
struct Tableau {
  int stages;
  std::vector<std::vector<double>> a;
  std::vector<double> b, c;
  std::vector<double> error;  // b - b of the embedded method; empty without one
  bool first_same_as_last;
  std::vector<double> diagonal{};  // of `a`, 0 for an explicit stage; empty for explicit methods

  bool is_explicit() const { return diagonal.empty(); }
  /// Weight of stage i in its own state, 0 if it is explicit.
  double own(std::size_t i) const { return diagonal.empty() ? 0 : diagonal[i]; }
};
const Tableau& rk4_tableau();
const Tableau& dormand_prince_tableau();
const Tableau& tableau_of(const Integrator& integrator);

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0, factorizations = 0, newton_iterations = 0;
};

enum class Status { Completed, Failed, Interrupted };

/// The motion on the mesh of accepted steps: one row of each array per mesh point.
struct Mesh {
  int n = 0, m = 0;
  std::vector<double> t, q, v, a, lambda;
  std::size_t size() const { return t.size(); }
  const double* q_at(std::size_t k) const { return q.data() + k * static_cast<std::size_t>(n); }
  const double* v_at(std::size_t k) const { return v.data() + k * static_cast<std::size_t>(n); }
  const double* a_at(std::size_t k) const { return a.data() + k * static_cast<std::size_t>(n); }
  const double* lambda_at(std::size_t k) const { return lambda.data() + k * static_cast<std::size_t>(m); }
  void reserve(std::size_t points);
  void append(double time, const double* qs, const double* vs, const double* as, const double* lambdas);
  /// Dense output: quintic Hermite interpolation of q (v and a are its derivatives) between mesh points, error O(h^6)
  /// in q and O(h^5) in v. The time is clamped to the mesh. `hint` speeds up monotone access.
  void interpolate(double time, double* qs, double* vs, std::size_t& hint) const;
};

struct Solution {
  Mesh mesh;
  Statistics statistics;
  Status status = Status::Completed;
  std::string message;  // why it stopped
};

/// Follows the accepted steps of an integration. A rejected step is announced by begin_step and never accepted.
class StepListener {
 public:
  virtual ~StepListener() = default;
  virtual void start(double t, const double* q, const double* v, const double* a, const double* lambda) = 0;
  virtual void begin_step(double t, double h) = 0;
  /// Stage i of the current step. `fresh`: the dynamics was just evaluated here and holds its factorization; otherwise
  /// it is the last stage of the previous step, or an implicit stage, where the dynamics is neither linearized nor
  /// factored.
  virtual void stage(int i, double t, const double* q, const double* v, const double* a, const double* lambda,
                     bool fresh) = 0;
  virtual void accept(double t, double h, const double* q, const double* v) = 0;
};

struct Options {
  double start = 0, end = 1;
  const std::vector<double>* grid = nullptr;  // prescribed mesh: the steps of another run
  std::vector<StepListener*> listeners;
  std::function<void(double t, double h, long steps)> progress;  // called now and then
};

/// Never throws for a numerical failure or an interruption on the way: the solution says so and keeps what was
/// computed. Throws NumericalError when the start itself fails, Error for senseless options.
Solution integrate(Dynamics& dynamics, const double* q0, const double* v0, const Integrator& integrator,
                   const Options& options);

}  // namespace perilune::integrator
