// SPDX-License-Identifier: MIT
// Vibrations, control, optimization and measurements.
#include "words/words.hpp"

namespace perilune::lua {

std::span<const Word> words_of_analysis() {
  static constexpr Word words[] = {
      {"natural frequency|torsional vibration|bending vibration|natural mode|beat|eigenform|eigenfrequency|resonance "
       "frequency|eigenvalue|modal analysis|mode|eigenmode|normal mode|vibration|oscillation|mode "
       "shape|eigenvector|modal|small oscillation|resonance",
       "m:linearize about a rest or steady motion: print it, or ask modes[1].frequency (Hz) and shape; animate draws a "
       "mode.",
       "linearize, equilibrium, animate", "tutorial/06_rest.md", "print(m:linearize { from = m:equilibrium {} })"},
      {"damping ratio|critical damping|overdamped|underdamped|lehr damping|logarithmic decrement|q factor|damped "
       "oscillation",
       "-Re s / |s| of an eigenvalue s: modes[1].damping of m:linearize. It is 1 at critical damping.", "linearize",
       "tutorial/06_rest.md",
       "for _, mode in ipairs(m:linearize { from = m:equilibrium {} }.modes) do print(mode.frequency, mode.damping) "
       "end"},
      {"small motion|linearization|linearisation|linear model|state matrix|a and b matrices|state space model|linear "
       "system|transfer function|operating point",
       "m:linearize has modes and eigenvalues, m:state_space A and B for inputs of your choice. Transfer functions are "
       "not made: write A and B by mbs.write_mat for Octave.",
       "linearize, state_space, write_mat", "howto/control.md", ""},
      {"stability|stable|instability|unstable|asymptotic stability|stability analysis|flutter|divergence|routh "
       "hurwitz|root locus",
       "Field stable of m:equilibrium and m:linearize: no eigenvalue grows. Eigenvalues over a parameter: call it in a "
       "loop; their derivatives by over = { k }.",
       "linearize, equilibrium, equilibrium_path", "tutorial/06_rest.md", "print(m:equilibrium {}.stable)"},
      {"frequency response|bode|bode diagram|harmonic response|frf|nyquist|forced vibration|harmonic "
       "excitation|chirp|frequency domain",
       "Not ready-made. A force of math.sin of s.t, simulated until it is steady; or A and B of m:state_space, taken "
       "to Octave by mbs.write_mat.",
       "force, state_space, write_mat", "howto/export.md",
       "m:force { on = P, law = function(s) return math.sin(2 * math.pi * 3 * s.t), 0 end }"},
      {"sdof|mdof|single degree of freedom|two mass system|oscillator|mass spring damper|mass spring system|harmonic "
       "oscillator|spring mass system",
       "Masses on springs: m:point with m:spring to a m:ground or to each other; m:translational of bodies where they "
       "shall move along a line.",
       "point, spring, linearize", "tutorial/04_forces.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, stiffness = 100, damping = 1 }"},
      {"step response|impulse response|transient response|unit step|duhamel|convolution|steady state|step input",
       "A run from rest with a force that begins: at_rest = true of m:simulate starts in balance, and a law with "
       "mbs.where(mbs.gt(s.t, 0.1), ...) or mbs.smoothstep switches on.",
       "simulate, where, force", "howto/force_law.md",
       "m:force { on = P, law = function(s) return mbs.where(mbs.gt(s.t, 0.1), 5, 0), 0 end }"},
      {"fft|fourier|fourier transform|spectrum|power spectral density|psd|random vibration|noise|signal processing",
       "Not here: write signals by run:csv or run:mat, and take Octave, MATLAB or Python.", "csv, mat",
       "howto/export.md", "run:csv(os.tmpname(), \"P.y\")"},
      {"limit cycle|periodic motion|periodic orbit|poincare|poincare map|floquet|return map|shooting|steady state "
       "motion",
       "m:limit_cycle finds a start from which a motion comes back to itself, with the eigenvalues of its return map.",
       "limit_cycle, phase", "howto/phases.md", "", "limit_cycle"},
      {"phase portrait|phase plane|attractor|hopf|state plane|strange attractor",
       "mbs.chart of run:values of a signal and its rate draws one. What motions settle to is m:limit_cycle; branches "
       "of periodic motions are not followed.",
       "chart, values, limit_cycle", "reference/pictures.md",
       "mbs.chart { os.tmpname(), curves = { { \"swing\", x = run:values \"hinge.angle\", y = run:values "
       "\"hinge.omega\" } } }"},
      {"nonlinear oscillation|duffing|van der pol|parametric excitation|self excited|relaxation "
       "oscillation|subharmonic",
       "Springs with stiffness = {k1, 0, k3}, forces by laws; m:limit_cycle for what comes back, m:simulate for the "
       "rest. There is no harmonic balance.",
       "spring, limit_cycle, simulate", "howto/force_law.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, stiffness = { 1, 0, 5 } }"},
      {"controller|control|feedback|closed loop control|control law|regulator|control system|servo "
       "control|proportional integral derivative|gain|setpoint|pd|pi|pd controller|pi controller|pd control",
       "m:pid for one with gains and limits; any law of signals in m:force or m:torque is one, too. mbs.lqr has gains "
       "of state feedback.",
       "pid, lqr, state, torque", "howto/control.md",
       "local hold = m:pid { \"hold\", error = 0.3 - hinge.angle, kp = 50, kd = 5 }; m:torque { on = rod, torque = "
       "function() return hold.output end }"},
      {"impedance control|force control|admittance control|cascade control|compliance control|position "
       "control|velocity control|speed control",
       "m:pid of any error, of a force or speed as well; its output goes into m:torque, m:force, or the error of "
       "another one.",
       "pid, torque, state", "howto/control.md", "m:pid { \"speed\", error = 2 - rod.omega, kp = 5, ki = 1 }"},
      {"linear quadratic regulator|state feedback|pole placement|riccati|riccati equation|optimal feedback",
       "Gains u = -K x by A, B and weights. Here: mbs.lqr, with A and B of m:state_space. There is no pole placement.",
       "lqr, state_space", "howto/control.md",
       "print(mbs.lqr { A = { { 0, 1 }, { 0, 0 } }, B = { { 0 }, { 1 } }, Q = { 1, 1 }, R = { 1 } })", "lqr"},
      {"anti windup|integrator windup|windup|saturation|actuator limit|clipping|clamp a signal",
       "Fields lower and upper of m:pid limit the output and stop its integral; mbs.saturate cuts any signal off.",
       "pid, saturate", "howto/control.md", "mbs.saturate(P.vx, -1, 1)"},
      {"low pass|low pass filter|first order lag|pt1|second order filter|smoothing|sensor dynamics|time "
       "constant|actuator dynamics|high pass",
       "m:filter, of first or second order. A high pass is the signal less its low pass.", "filter, rate_limit",
       "howto/control.md", "m:filter { \"smooth\", input = P.vx, time_constant = 0.1 }"},
      {"time delay|dead time|delay|transport delay|latency",
       "Of whole periods of a digital controller: m:sampled that reads m:sampled. Else m:filter comes nearest, as a "
       "lag. "
       "m:fit knows delays of sensors.",
       "sampled, filter, fit", "howto/control.md", "m:filter { \"late\", input = P.x, time_constant = 0.05 }"},
      {"sampled control|sampled data|discrete time controller|zero order hold|sample and hold|sampling period|digital "
       "control|digital controller|microcontroller|clock",
       "m:sampled is a number that takes its next value at the ticks of a clock and is held between them; what it "
       "reads "
       "may be any signal, and gradients are exact.",
       "sampled, set_next, pid", "howto/control.md",
       "m:sampled { \"u\", period = 0.01, next = function(s) return -40 * P.x - 9 * P.vx end }"},
      {"plc|state machine|logic|sequence control",
       "A sequence of stages is m:phase, each with set = ... for parameters; a memory that changes at ticks is "
       "m:sampled.",
       "phase, sampled, where", "howto/phases.md", ""},
      {"kalman filter|kalman|observer|state estimation|estimator|mpc|model predictive control|reinforcement "
       "learning|neural "
       "network|machine learning",
       "Not here. An observer can be written by m:state and its rates; exact gradients of m:gradient are there for "
       "what learns or predicts outside.",
       "state, gradient, lqr", "howto/control.md", ""},
      {"first order state|integral of a signal|differential state|user state|auxiliary state|internal state|user "
       "differential equation|state equation",
       "m:state with its rate: any first-order equation beside the mechanism, for controllers, currents, temperatures, "
       "pressures.",
       "state, set_rate", "howto/control.md", "m:state { \"charge\", at = 0, rate = function(s) return P.vx end }"},
      {"optimal control|optimal path|trajectory optimization|time optimal|minimum time|collocation|path "
       "planning|motion planning|bang bang",
       "Laws with parameters (mbs.spline, mbs.piecewise_linear with parameters as y), and m:optimize by the adjoint "
       "over one run: single shooting, no collocation. scripts/minimum_time.lua is one.",
       "optimize, piecewise_linear, spline", "tutorial/09_control.md",
       "mbs.piecewise_linear { x = { 0, 1 }, y = { 0, k } }"},
      {"optimization|optimum|optimal design|design "
       "optimization|minimize|minimization|maximize|maximization|optimal|topology optimization",
       "m:optimize { minimize = objective }: by exact gradients, over all m:param within their bounds. To maximize, "
       "maximize = objective. There is no topology optimization.",
       "optimize, objective, param", "tutorial/08_optimization.md",
       "m:optimize { minimize = cost, t = 0.1, optimizer = mbs.lbfgsb { max_evaluations = 2 } }", "optimize"},
      {"objective function|cost function|cost|performance index|goal function|figure of merit|performance "
       "measure|criterion",
       "m:objective: a value at the end (terminal), an integral, a maximum or minimum over time; of any expression of "
       "signals.",
       "objective, optimize", "tutorial/07_gradients.md", "m:objective { \"effort\", integral = P.vx^2 }"},
      {"design variable|design parameter|parameter study variable|tunable|variable|constant to vary|optimization "
       "variable",
       "m:param { \"k\", 100, min = 0 }, used wherever a number is; perilune script.lua --param k=120 gives another "
       "value.",
       "param, optimize", "tutorial/03_parameters.md",
       "local L = m:param { \"L\", 1, unit = \"m\", min = 0.5, max = 2 }"},
      {"constraint of an optimization|inequality constraint|equality constraint|limit|bound|lower bound|upper "
       "bound|feasible|kkt|kuhn tucker|constrained optimization|restriction",
       "Bounds of parameters are min and max of m:param; limits on anything else stand in subject_to of m:optimize. "
       "Limits of motion (stops) are m:bump_stop.",
       "optimize, param, bump_stop", "howto/limits.md", "m:param { \"width\", 1, min = 0.5, max = 2 }"},
      {"optimizer|sqp|bfgs|quasi newton|conjugate gradient|gradient descent|steepest descent|interior point|levenberg "
       "marquardt|simplex|nelder mead|fmincon|line search|nlopt",
       "Field optimizer of m:optimize: mbs.lbfgsb, mbs.trust_region, mbs.slsqp, mbs.mma, mbs.cobyla (without "
       "gradients); m:fit is Levenberg and Marquardt's.",
       "lbfgsb, slsqp, trust_region, cobyla", "howto/optimizers.md", "mbs.slsqp {}"},
      {"genetic algorithm|global optimization|particle swarm|simulated annealing|evolutionary|local minimum|cma "
       "es|bayesian optimization|multistart",
       "No genetic or annealing methods; m:optimize { starts = 8 } begins at several points of the bounds and takes "
       "the best, mbs.sweep looks at many designs.",
       "optimize, sweep, latin_hypercube", "howto/optimizers.md", ""},
      {"multi objective|multiobjective|pareto front|trade off|tradeoff|compromise",
       "Two costs against each other. Here: m:pareto, with a chart.", "pareto", "howto/experiments.md", "", "pareto"},
      {"robust|tolerancing|tolerance stack|robust design|uncertainty|manufacturing tolerance|scatter|worst case|monte "
       "carlo|load case|six sigma|reliability|stochastic",
       "m:optimize with tolerances = ... (to first order) or experiments with combine = \"worst\"; random designs by "
       "mbs.sweep with mbs.random.",
       "optimize, sweep, random", "howto/experiments.md", "mbs.random { points = 20 }"},
      {"random number|random excitation|random road|random seed",
       "A law is called once, so math.random in it gives one number. Random roads and forces are mbs.spline through "
       "random values; random designs are mbs.random with a seed.",
       "random, spline", "howto/force_law.md", "mbs.random { points = 5, seed = 3 }"},
      {"parameter study|what if|parametric study|design of experiments|doe|sweep study|batch|parameter "
       "variation|scan|full factorial|sampling|response surface",
       "mbs.sweep over mbs.grid, mbs.list, mbs.random or mbs.latin_hypercube, in parallel. Response surfaces are not "
       "fitted.",
       "sweep, grid, latin_hypercube", "reference/experiments.md", "mbs.latin_hypercube { points = 20 }", "sweep"},
      {"parameter identification|system identification|identification|calibration|least squares|curve "
       "fitting|parameter estimation|regression|model updating|measured data|measurement",
       "m:fit finds parameters by which signals come nearest to measured ones, with standard errors; mbs.read_csv "
       "reads the data.",
       "fit, read_csv", "howto/fitting.md", "", "fit"},
      {"confidence interval|standard error|covariance|correlation|identifiability|observability|statistic",
       "m:fit returns standard_errors, intervals, correlation, and what the data do not tell (lost, weak). Of "
       "controllers, observability is not computed.",
       "fit, correlation_chart", "howto/fitting.md", ""},
      {"peak|maximum|minimum|extremum|largest value|greatest value|overshoot|peak load|max|rms|root mean square|mean "
       "value|average|settling time",
       "m:objective { maximum = ... } or minimum over time, exact between steps; mean and RMS by an integral over the "
       "duration. run:values has all numbers. Settling times are not ready-made.",
       "objective, values, run", "howto/limits.md", "m:objective { \"top\", maximum = P.y }"},
      {"signal of a sensor|sensor|measure|probe|output variable|request|output|measured "
       "signal|imu|accelerometer|encoder|strain gauge|load cell|observable|result",
       "Everything that can be measured is a signal: P.x, hinge.angle, spring.force, and expressions of them; m:signal "
       "names yours. run:at, run:values and run:plot read them.",
       "signal, signals, values, at", "howto/signals.md",
       "m:signal { \"speed\", (P.vx^2 + P.vy^2 + 1e-12)^0.5, unit = \"m/s\" }"},
      {"gradient descent by hand|loop over parameters|for loop|parameter loop",
       "Scripts are Lua: for i = 1, 10 do k.value = i; m:simulate { t = 1 } end. mbs.sweep does it on all processors.",
       "param, sweep", "tutorial/03_parameters.md", "for i = 1, 2 do k.value = i; m:simulate { t = 0.01 } end"},
  };
  return words;
}

}  // namespace perilune::lua
