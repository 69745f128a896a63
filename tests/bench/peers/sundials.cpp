// SPDX-License-Identifier: MIT
// Problems of `perilune bench` with CVODES of SUNDIALS: equations of motion and their derivatives by hand
// (points_and_bars.hpp), Adams' formulas with functional iteration, so that no Jacobian is needed. It prints the
// seconds of processor time, the steps, and the values at the end or the derivatives of the five-bar's objective:
//   perilune_peer_sundials five-bar|slider-crank end tolerance
//   perilune_peer_sundials five-bar-adjoint-P|five-bar-direct-P end tolerance
// by P parameters: the stiffnesses, the free lengths, the masses (8 in all).
#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "points_and_bars.hpp"
#include "timed.hpp"

namespace {

constexpr long most_steps = 1000000;

void require(int flag, const char* what) {
  if (flag >= 0) return;
  std::fprintf(stderr, "%s failed (%d)\n", what, flag);
  std::exit(1);
}

double* data(N_Vector v) { return N_VGetArrayPointer(v); }

SUNContext context() {
  static SUNContext it = [] {
    SUNContext made = nullptr;
    SUNContext_Create(nullptr, &made);
    return made;
  }();
  return it;
}

N_Vector zeros(int n) {
  N_Vector v = N_VNew_Serial(n, context());
  N_VConst(0, v);
  return v;
}

/// What a run leaves behind.
struct Result {
  long steps = 0;
  std::vector<double> values;
};

template <int N, int C>
struct Problem {
  PointsAndBars<N, C> mechanism;
  std::array<double, N> q, v;  // at the start
  int parameters = 0;
  int looked_at_x = 0, looked_at_y = 0;
  double last_time = -1;  // where the forward point of the equations backward is known

  static Problem& of(void* user) { return *static_cast<Problem*>(user); }

  static int rates(double, N_Vector y, N_Vector dy, void* user) {
    const double* q = data(y);
    const auto& a = of(user).mechanism.accelerations(q, q + N);
    std::copy(q + N, q + 2 * N, data(dy));
    std::copy(a.begin(), a.end(), data(dy) + N);
    return 0;
  }

  // The objective: the squared distance of the middle point from (0, 2), over time.
  static int integrand(double, N_Vector y, N_Vector dz, void* user) {
    const double x = data(y)[of(user).looked_at_x], up = data(y)[of(user).looked_at_y] - 2;
    data(dz)[0] = x * x + up * up;
    return 0;
  }

  /// Equations backward and their quadrature ask for the same point several times.
  void go_to(double t, N_Vector y) {
    if (t != last_time) mechanism.accelerations(data(y), data(y) + N);
    last_time = t;
  }

  static int rates_backward(double t, N_Vector y, N_Vector l, N_Vector dl, void* user) {
    Problem& problem = of(user);
    problem.go_to(t, y);
    double *by_q = data(dl), *by_v = by_q + N;
    const double *q = data(y), *w = data(l) + N;
    std::fill(by_q, by_q + N, 0.0);
    std::copy(data(l), data(l) + N, by_v);
    by_q[problem.looked_at_x] += 2 * q[problem.looked_at_x];
    by_q[problem.looked_at_y] += 2 * (q[problem.looked_at_y] - 2);
    problem.mechanism.adjoint(q, w, by_q, by_v);
    for (int i = 0; i < 2 * N; ++i) by_q[i] = -by_q[i];
    return 0;
  }

  static int integrand_backward(double t, N_Vector y, N_Vector l, N_Vector dz, void* user) {
    Problem& problem = of(user);
    problem.go_to(t, y);
    problem.mechanism.adjoint_of_parameters(data(y), data(l) + N, problem.parameters, data(dz));
    return 0;
  }

  static int tangents(int count, double, N_Vector y, N_Vector, N_Vector* s, N_Vector* ds, void* user, N_Vector,
                      N_Vector) {
    Problem& problem = of(user);
    problem.mechanism.accelerations(data(y), data(y) + N);
    for (int k = 0; k < count; ++k) {
      const double* dq = data(s[k]);
      const auto da = problem.mechanism.tangent(data(y), dq, dq + N, k);
      std::copy(dq + N, dq + 2 * N, data(ds[k]));
      std::copy(da.begin(), da.end(), data(ds[k]) + N);
    }
    return 0;
  }

  static int integrand_tangents(int count, double, N_Vector y, N_Vector* s, N_Vector, N_Vector* dz, void* user,
                                N_Vector, N_Vector) {
    const int x = of(user).looked_at_x, up = of(user).looked_at_y;
    for (int k = 0; k < count; ++k) {
      data(dz[k])[0] = 2 * data(y)[x] * data(s[k])[x] + 2 * (data(y)[up] - 2) * data(s[k])[up];
    }
    return 0;
  }
};

/// The state and the memory of a forward run.
template <int N, int C>
struct Forward {
  void* memory = CVodeCreate(CV_ADAMS, context());
  N_Vector y = zeros(2 * N), z = zeros(1);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context());

  Forward(Problem<N, C>& problem, double tolerance, bool objective) {
    std::copy(problem.q.begin(), problem.q.end(), data(y));
    std::copy(problem.v.begin(), problem.v.end(), data(y) + N);
    require(CVodeInit(memory, Problem<N, C>::rates, 0, y), "CVodeInit");
    CVodeSStolerances(memory, tolerance, tolerance);
    CVodeSetUserData(memory, &problem);
    CVodeSetMaxNumSteps(memory, most_steps);
    CVodeSetNonlinearSolver(memory, solver);
    if (!objective) return;
    CVodeQuadInit(memory, Problem<N, C>::integrand, z);
    CVodeQuadSStolerances(memory, tolerance, tolerance);
    CVodeSetQuadErrCon(memory, SUNTRUE);
  }
  ~Forward() {
    CVodeFree(&memory);
    SUNNonlinSolFree(solver);
    N_VDestroy(y);
    N_VDestroy(z);
  }
  Forward(const Forward&) = delete;
  Forward& operator=(const Forward&) = delete;

  long steps() const {
    long count = 0;
    CVodeGetNumSteps(memory, &count);
    return count;
  }
};

template <int N, int C>
Result motion(Problem<N, C>& problem, double end, double tolerance) {
  Forward<N, C> run(problem, tolerance, false);
  CVodeSetStopTime(run.memory, end);
  double t = 0;
  require(CVode(run.memory, end, run.y, &t, CV_NORMAL), "CVode");
  return {run.steps(), {data(run.y), data(run.y) + N}};
}

template <int N, int C>
Result adjoint_gradient(Problem<N, C>& problem, double end, double tolerance) {
  Forward<N, C> run(problem, tolerance, false);
  // All points of the run are kept, so that none is computed twice, if it has no more steps than these.
  require(CVodeAdjInit(run.memory, 2000, CV_HERMITE), "CVodeAdjInit");
  double t = 0;
  int checkpoints = 0, which = 0;
  CVodeSetStopTime(run.memory, end);
  require(CVodeF(run.memory, end, run.y, &t, CV_NORMAL, &checkpoints), "CVodeF");
  problem.last_time = -1;
  N_Vector l = zeros(2 * N), z = zeros(problem.parameters);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(l, 0, context());
  CVodeCreateB(run.memory, CV_ADAMS, &which);
  CVodeInitB(run.memory, which, Problem<N, C>::rates_backward, end, l);
  CVodeSStolerancesB(run.memory, which, tolerance, tolerance);
  CVodeSetUserDataB(run.memory, which, &problem);
  CVodeSetMaxNumStepsB(run.memory, which, most_steps);
  CVodeSetNonlinearSolverB(run.memory, which, solver);
  CVodeQuadInitB(run.memory, which, Problem<N, C>::integrand_backward, z);
  CVodeQuadSStolerancesB(run.memory, which, tolerance, tolerance);
  CVodeSetQuadErrConB(run.memory, which, SUNTRUE);
  require(CVodeB(run.memory, 0, CV_NORMAL), "CVodeB");
  require(CVodeGetQuadB(run.memory, which, &t, z), "CVodeGetQuadB");
  Result result{run.steps(), {data(z), data(z) + problem.parameters}};
  for (double& each : result.values) each = -each;  // it was integrated backward
  SUNNonlinSolFree(solver);
  N_VDestroy(l);
  N_VDestroy(z);
  return result;
}

template <int N, int C>
Result direct_gradient(Problem<N, C>& problem, double end, double tolerance) {
  const int count = problem.parameters;
  Forward<N, C> run(problem, tolerance, true);
  N_Vector *s = N_VCloneVectorArray(count, run.y), *z = N_VCloneVectorArray(count, run.z);
  for (int k = 0; k < count; ++k) N_VConst(0, s[k]), N_VConst(0, z[k]);
  const std::vector<double> absolute(static_cast<std::size_t>(count), tolerance);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPointSens(count + 1, run.y, 0, context());
  require(CVodeSensInit(run.memory, count, CV_SIMULTANEOUS, Problem<N, C>::tangents, s), "CVodeSensInit");
  CVodeSensSStolerances(run.memory, tolerance, const_cast<double*>(absolute.data()));
  CVodeSetSensErrCon(run.memory, SUNTRUE);
  CVodeSetNonlinearSolverSensSim(run.memory, solver);
  CVodeQuadSensInit(run.memory, Problem<N, C>::integrand_tangents, z);
  CVodeQuadSensSStolerances(run.memory, tolerance, const_cast<double*>(absolute.data()));
  CVodeSetQuadSensErrCon(run.memory, SUNTRUE);
  CVodeSetStopTime(run.memory, end);
  double t = 0;
  require(CVode(run.memory, end, run.y, &t, CV_NORMAL), "CVode");
  require(CVodeGetQuadSens(run.memory, &t, z), "CVodeGetQuadSens");
  Result result{run.steps(), {}};
  for (int k = 0; k < count; ++k) result.values.push_back(data(z[k])[0]);
  N_VDestroyVectorArray(s, count);
  N_VDestroyVectorArray(z, count);
  SUNNonlinSolFree(solver);
  return result;
}

Along fixed(double at) { return {-1, at}; }
Along unknown(int index) { return {index, 0}; }
double between(double x, double y) { return std::hypot(x, y); }

Problem<6, 4> five_bar() {
  const Place A{fixed(-1), fixed(0)}, B{fixed(0.5), fixed(0)};
  const Place P1{unknown(0), unknown(1)}, P2{unknown(2), unknown(3)}, P3{unknown(4), unknown(5)};
  const std::array<Bar, 4> bars{Bar{A, P1, 1, between(0.5, 1)}, Bar{P1, P2, 1.5, between(1.5, 1)},
                                Bar{P2, P3, 1.5, between(1, 1)}, Bar{P3, B, 1, between(0.5, 1)}};
  return {
      {bars, {{A, P2, 100, std::sqrt(5.0)}, {B, P2, 100, std::sqrt(4.25)}}, {}}, {-1.5, 1, 0, 2, 1, 1}, {}, 0, 2, 3};
}

// The crank pin, and the slider along x.
Problem<3, 2> slider_crank() {
  const double r = 0.2, L = 0.5, x = r * std::cos(0.6), y = r * std::sin(0.6), rate = 10,
               along = std::sqrt(L * L - y * y);
  const Place O{fixed(0), fixed(0)}, pin{unknown(0), unknown(1)}, slider{unknown(2), fixed(0)};
  return {{{Bar{O, pin, 0.4, r}, Bar{pin, slider, 1, L}}, {}, {0, 0, 1.5}},
          {x, y, x + along},
          {-rate * y, rate * x, -rate * y - y * rate * x / along}};
}

template <class Solve>
int print(Solve solve, int first, int last) {
  Result result;
  const double seconds = fastest([&] { result = solve(); });
  std::printf("%.9g %ld", seconds, result.steps);
  for (int k = first; k < last; ++k) std::printf(" %.17g", result.values[static_cast<std::size_t>(k)]);
  std::printf("\n");
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string name = count == 4 ? arguments[1] : "";
  const double end = count == 4 ? std::atof(arguments[2]) : 0, tolerance = count == 4 ? std::atof(arguments[3]) : 0;
  if (name == "slider-crank") {
    auto problem = slider_crank();
    return print([&] { return motion(problem, end, tolerance); }, 0, 3);
  }
  auto problem = five_bar();
  if (name == "five-bar") return print([&] { return motion(problem, end, tolerance); }, 2, 4);
  const bool adjoint = name.rfind("five-bar-adjoint-", 0) == 0;
  if (adjoint || name.rfind("five-bar-direct-", 0) == 0) {
    problem.parameters = std::atoi(name.c_str() + name.rfind('-') + 1);
    if (problem.parameters >= 1 && problem.parameters <= problem.mechanism.parameters()) {
      return print(
          [&] {
            return adjoint ? adjoint_gradient(problem, end, tolerance) : direct_gradient(problem, end, tolerance);
          },
          0, problem.parameters);
    }
  }
  std::fprintf(stderr,
               "usage: perilune_peer_sundials five-bar|slider-crank|five-bar-adjoint-P|five-bar-direct-P "
               "end tolerance\n");
  return 2;
}
