// SPDX-License-Identifier: MIT
// Equations of motion, time integration and numerics.
#include "words/words.hpp"

namespace perilune::lua {

std::span<const Word> words_of_equations() {
  static constexpr Word words[] = {
      {"formulation|equation of motion|equations of motion|newton euler|newton euler equation|governing "
       "equation|lagrange equation|euler lagrange",
       "M q'' + Phi_q^T lambda = Q with Phi(q, t) = 0, which simulations solve in one of nine forms, as field "
       "formulation. help \"formulations\" lists them.",
       "formulations, simulate", "howto/formulation.md", "m:simulate { t = 0.1, formulation = mbs.index1 {} }"},
      {"symbol|notation|mu|theta|phi|psi|rho|q|greek letter|nomenclature",
       "In equations q are coordinates, v their rates, M masses, Phi constraints, lambda multipliers, Q forces, psi "
       "objectives, rho parameters. As signals, omega and alpha are rates of turning.",
       "formulations, body", "theory/README.md", ""},
      {"lagrange|lagrange multiplier|multiplier|lagrangian mechanics|lambda|constraint multiplier",
       "What a constraint pushes with, -Phi_q^T lambda: signals lambda of joints and constraints. The forms "
       "mbs.index1, mbs.index2 and mbs.index3 solve for them.",
       "index1, index3, revolute", "theory/formulations.md", "mbs.index1 {}"},
      {"hamilton|action integral|least action|hamiltonian|hamilton principle|variational "
       "integrator|symplectic|discrete mechanics|del|canonical",
       "mbs.variational makes steps from a discrete principle of Hamilton, with exact momenta and energy that does not "
       "drift. Canonical momenta are no coordinates here.",
       "variational", "theory/integrators.md", "mbs.variational { step = 1e-3 }"},
      {"kane method|kane|kane equation|gibbs appell|jourdain|quasi velocity|maggi equation|projection method|null "
       "space "
       "method",
       "Equations without multipliers, in independent velocities: mbs.maggi {}. Kane's method is not one of its own; "
       "it gives the same equations.",
       "maggi, coordinate_partitioning", "theory/formulations.md", "mbs.maggi {}"},
      {"dae|dae index|differential algebraic|differential algebraic equation|index reduction|index 1|index 2|index "
       "3|index|gear gupta leimkuhler|ggl|overdetermined dae",
       "Motion with constraints is a differential-algebraic system of index 3. mbs.index3, mbs.index2 and mbs.index1 "
       "hold positions, velocities or accelerations; mbs.stabilized_index1 holds both levels (Gear, Gupta, "
       "Leimkuhler).",
       "index1, index2, index3, stabilized_index1", "howto/formulation.md", "mbs.index3 {}"},
      {"baumgarte|baumgarte stabilization|constraint stabilization|constraint violation stabilization|stabilization",
       "Pulls constraints back by feedback of their violation. Fields of mbs.index1; project = true, the usual form, "
       "puts every step exactly on the constraints instead.",
       "index1", "theory/formulations.md", "mbs.index1 {}"},
      {"drift|constraint drift|constraint violation|drift off|position drift|coordinate projection|projection",
       "Positions that leave the constraints by errors of steps. Signal constraint.drift and "
       "run.quality.position_drift measure it; project = true of mbs.index1 and its like removes it.",
       "quality, index1, model", "howto/formulation.md", "print(run.quality.position_drift)"},
      {"penalty method|penalty formulation|augmented lagrange|bayo|augmented lagrangian method",
       "Stiff springs in place of constraints: mbs.penalty; with iterated multipliers, mbs.augmented_lagrangian. Both "
       "take redundant constraints.",
       "penalty, augmented_lagrangian", "howto/formulation.md", "mbs.penalty { alpha = 1e9 }"},
      {"stiff|stiff equation|stiffness ratio|stiff system|stiff ode|numerical stiffness|l stable",
       "Fast decaying parts force explicit methods to short steps. Take implicit ones: mbs.radau {}, mbs.bdf {}, "
       "mbs.sdirk4 {}; run.warnings say when a motion was stiff.",
       "radau, bdf, sdirk4", "howto/formulation.md", "m:simulate { t = 0.1, integrator = mbs.radau {} }"},
      {"integrator|solver setting|integration method|time integration|ode|ode solver|numerical "
       "integration|ode45|differential equation|initial value problem",
       "Field integrator of m:simulate; without it mbs.dormand_prince {}, which controls errors. help \"integrators\" "
       "lists all.",
       "integrators, dormand_prince, radau", "howto/formulation.md",
       "m:simulate { t = 0.1, integrator = mbs.dormand_prince { relative_tolerance = 1e-8 } }"},
      {"runge kutta|rk45|rkf45|explicit method|dopri5|euler method|forward euler|explicit euler|heun|midpoint "
       "rule|adams bashforth|multistep method",
       "mbs.rk4 { step = ... } with constant steps, mbs.dormand_prince {} with error control. There are no methods of "
       "Euler and Adams.",
       "rk4, dormand_prince", "theory/integrators.md", "mbs.rk4 { step = 1e-3 }"},
      {"implicit method|gear method|ode15s|predictor corrector|implicit euler|backward euler|crank nicolson|implicit "
       "integrator|bdf1|dassl|gstiff|ida|lsoda|radau5|radau iia|sdirk|dirk",
       "mbs.bdf {} (as DASSL and GSTIFF do), mbs.radau {}, mbs.sdirk4 {}, mbs.trapezoidal {}. Backward Euler is "
       "mbs.bdf { max_order = 1 }.",
       "bdf, radau, sdirk4, trapezoidal", "howto/formulation.md", "mbs.bdf { max_order = 1 }"},
      {"hht method|hht i3|hilber hughes taylor|newmark beta|newmark method|generalized alpha method|chung "
       "hulbert|numerical damping|numerical dissipation|structural dynamics method",
       "mbs.hht, mbs.newmark, mbs.generalized_alpha: second-order steps with damping of the fastest parts as one "
       "chooses.",
       "hht, newmark, generalized_alpha", "theory/integrators.md", "mbs.generalized_alpha {}"},
      {"time step|step size|step|dt|step length|fixed step|constant step|timestep|sampling time|output step",
       "Field step of an integrator, such as mbs.rk4 { step = 1e-3 }. Without it errors are controlled. Results are "
       "asked at any time afterwards, so there is no output step.",
       "rk4, dormand_prince, at", "howto/formulation.md", "print(run:at(\"P.y\", 0.0321))"},
      {"tolerance|error control|adaptive step|step size control|relative tolerance|absolute tolerance|accuracy of a "
       "run|local error|truncation error|convergence order|order of accuracy",
       "Fields relative_tolerance and absolute_tolerance of adaptive integrators. m:accuracy says what error they "
       "leave in an objective, or makes it small enough; run.quality says how well a run kept its equations.",
       "dormand_prince, accuracy, quality", "howto/formulation.md", "mbs.dormand_prince { relative_tolerance = 1e-9 }"},
      {"event|hybrid system|chattering|zeno|jump|event detection|zero crossing|zero crossing "
       "detection|switching|discontinuity|root finding|stop condition|terminate",
       "Adaptive steps end where a contact, condition or sign changes: run.events. stop = expression ends a motion "
       "where it reaches zero.",
       "simulate, run, phase", "howto/moving_end.md", "m:simulate { t = 0.1, stop = P.y }"},
      {"jacobian|constraint jacobian|jacobian matrix|mass matrix|stiffness matrix|system matrix|tangent "
       "stiffness|damping matrix|geometric jacobian|manipulator jacobian",
       "Phi_q, M and their like are made inside with exact derivatives; scripts do not see them. m:state_space returns "
       "A and B, m:linearize modes, m:mobility the rank.",
       "state_space, linearize, mobility", "theory/formulations.md", ""},
      {"sensitivity|sensitivity analysis|design sensitivity|parameter sensitivity|derivative|gradient "
       "computation|partial derivative|what if analysis",
       "m:gradient of an objective by parameters (m:param), exact to rounding.", "gradient, param, objective",
       "howto/gradient.md", "print(m:gradient { cost, t = 0.1 })"},
      {"adjoint method|adjoint variable|adjoint|adjoint equation|reverse "
       "mode|backpropagation|costate|checkpointing|discrete adjoint",
       "All derivatives of one objective by one run backward. mbs.adjoint {} (of the steps, the usual one), "
       "mbs.continuous_adjoint {} (of the equations).",
       "adjoint, continuous_adjoint, gradient", "howto/gradient.md",
       "m:gradient { cost, t = 0.1, method = mbs.adjoint {} }"},
      {"direct differentiation|tangent method|forward mode|forward sensitivity|tangent linear|direct method",
       "Derivatives carried along with the motion, one set for each parameter. Here: mbs.direct {}.",
       "direct, continuous_direct, gradient", "howto/gradient.md", "mbs.direct {}", "direct"},
      {"automatic differentiation|autodiff|ad|algorithmic differentiation|finite difference|numerical "
       "differentiation|central difference|complex step|symbolic differentiation",
       "Laws are traced and differentiated exactly; steps by mbs.adjoint or mbs.direct. mbs.finite_difference {} is "
       "there to compare, m:check_gradient does it.",
       "finite_difference, check_gradient, adjoint", "howto/gradient.md", "print(m:check_gradient { cost, t = 0.1 })"},
      {"hessian matrix|second derivative|second order sensitivity|curvature of the objective",
       "m:hessian has second derivatives of an objective, whole or times a direction.", "hessian, trust_region",
       "theory/second_order.md", "print(m:hessian { cost, t = 0.1, formulation = mbs.index1 {} })"},
      {"newton method|fsolve|equation solver|root finder|newton raphson|newton iteration|nonlinear "
       "equation|convergence failure|did not converge|fixed point iteration",
       "Inside of implicit steps, assembly, statics. run.newton_iterations counts; a failure is a sentence with the "
       "time and what to do.",
       "run, equilibrium, simulate", "howto/singular_positions.md", "print(run.newton_iterations)"},
      {"linear solver|lu|sparse matrix|sparse|factorization|klu|band matrix|gaussian elimination|matrix|condition "
       "number|ill conditioned|pivoting|linear algebra",
       "Sparse and dense factorizations are chosen inside (KLU among them). run.quality.pivot_ratio is small near "
       "singular positions. For your own matrices use Lua tables, or Octave by mbs.write_mat.",
       "quality, write_mat", "architecture.md", "print(run.quality.pivot_ratio)"},
      {"co simulation|cosimulation|fmi|fmu|functional mockup|model exchange|s function",
       "m:export \"x.fmu\" writes the mechanism as a unit of FMI 3.0, for model exchange and co-simulation in other "
       "programs. Units of others are not read.",
       "export, signal", "howto/fmi.md", ""},
      {"real time|hardware in the loop|hil|step by step|single step|online",
       "There is no real time; a run is one call. In other programs a unit of FMI goes from step to step; "
       "m:state_space "
       "gives linear models.",
       "export, state_space", "howto/fmi.md", ""},
      {"parallel|multithreading|openmp|mpi|cluster|gpu|cuda|many cores|hpc|processor",
       "mbs.sweep, starts and experiments use all processors (OMP_NUM_THREADS); mpirun spreads them over machines. "
       "GPUs are not used.",
       "mpirun, shards, sweep", "howto/many_cores.md", ""},
      {"performance|slow|speed of computation|profiling|computation time|benchmark|cpu time|timing",
       "mbs.profile(run) says where time goes; perilune bench compares. Planar models, points and implicit methods for "
       "stiff parts are the first things to try.",
       "profile, run", "howto/benchmarks.md", "print(mbs.profile(run))"},
      {"conservation|invariant|first integral|noether",
       "Energy and momenta are signals; m:simulate audits energy, and mbs.variational keeps momenta to rounding.",
       "model, quality, variational", "theory/integrators.md", "print(run.quality.energy_error)"},
      {"validation|verification|check model|model check|published result|unit test|correctness",
       "m:check_elements compares derivatives, m:check_gradient gradients, run.quality the run; published cases stand "
       "in scripts/ and docs/theory/published_numbers.md.",
       "check_elements, check_gradient, quality", "theory/published_numbers.md", "print(m:check_elements())"},
      {"warning|error|error message|diagnosis|simulation failed|blow up|unstable simulation|nan|explode|debug|wrong "
       "result",
       "Failures are sentences at the script's line. run.warnings lists what is doubtful, run.quality has the figures, "
       "m.last_run the motion so far.",
       "quality, last_run, run", "howto/singular_positions.md",
       "for _, text in ipairs(run.warnings) do print(text) end"},
  };
  return words;
}

}  // namespace perilune::lua
