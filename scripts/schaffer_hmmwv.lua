-- The HMMWV of A. S. Schaffer, "On the adjoint formulation of design sensitivity analysis of multibody dynamics" (Iowa
-- 2005), section 6.1.2: gradients of the integral of q'q + qdot'qdot over [0, 2] s by 16 parameters, by several methods,
-- in the layout of Tables 6.12 to 6.17 and 6.20 and 6.21.
--
--   perilune schaffer_hmmwv.lua [--t 2] [--start moving] [--tolerance 5e-10] [--counts "1 2 4 8 16"] [--repetitions 1]
--                               [--json FILE]
--
-- It takes three minutes. --t 0.05 is the interval of the source's piecewise adjoint and of its times; --counts 16 has the
-- last column alone.
--
-- Printed in the source: 13 bodies, 20 joints, 91 coordinates, 81 constraints, stiffness and damping of struts and tires,
-- the cost, the names of the parameters, both intervals; the differences and the times beside ours.
--
-- Ours: all that stdlib/vehicle/hmmwv.lua calls ours, gravity, and the start. --start moving: positions are the declared
-- ones, and the vehicle moves as a rigid body, down, rolling, pitching and yawing, so that it bounces on its tires; no
-- parameter changes that (hypotheses 1 and 2 of the source, which are the same here). --start rest: from the static
-- equilibrium that the parameters have (hypothesis 3), with a velocity straight down.
--
-- The motion and all methods but differences are of the stabilized index-1 form with BDF, as in the source. Differences are
-- those of index 1 with projection, extrapolated: they share neither equations nor steps with the others. They are taken
-- of the cost less what it is on average, which has the same gradient: the cost is 7,000 times as large as that, and its
-- rounding would be most of their error. Over 2 s all pairs agree within 6e-9 of the 1-norm of the gradient.
-- --json FILE: counts, cells, gradient, quality, loads.
local mbs = require "perilune"
local hmmwv = require "perilune.hmmwv"
local results = require "results"
local tables = require "schaffer_tables"
local options = mbs.options { json = "", t = 2, start = "moving", tolerance = 5e-10, counts = "1 2 4 8 16", repetitions = 1 }
if options.start ~= "moving" and options.start ~= "rest" then
  error(("--start must be moving or rest, got %s"):format(options.start), 0)
end
local at_rest = options.start == "rest"

local car = hmmwv.build { velocity = { 0, 0, -0.3 },
                          angular_velocity = at_rest and { 0, 0, 0 } or { 0.4, 0.25, 0.3 } }
local m = car.model
local cost = m:objective { "cost", integral = tables.integrand(car.bodies) }
local function bdf(tolerance)
  return mbs.bdf { relative_tolerance = tolerance, absolute_tolerance = tolerance / 1e4 }
end
local run = { t = options.t, at_rest = at_rest, formulation = mbs.stabilized_index1 {},
              integrator = bdf(options.tolerance) }
local motion = m:simulate { objectives = cost, t = options.t, at_rest = at_rest, formulation = run.formulation,
                            integrator = run.integrator }
local cost_about_zero = m:objective { "cost about zero",
                                      integral = tables.integrand(car.bodies) - motion.objectives.cost / options.t }
local by_differences = { formulation = mbs.index1 { project = true } }
-- The first is what the others are compared with. threads: 1 where nothing is said.
local methods = {
  -- The moments of inertia of the arm are small beside 1, and so is their influence, which is linear: steps as long as a
  -- body can have such moments.
  { name = "differences", short = "FD", run = by_differences, objective = cost_about_zero,
    parts = { { 1, 10, mbs.finite_difference { step = 1e-2, richardson = 1 } },
              { 11, 16, mbs.finite_difference { step = 6e-2 } } } },
  { name = "discrete direct", short = "DD", method = mbs.direct {} },
  { name = "discrete adjoint", short = "A", method = mbs.adjoint {} },
  { name = "continuous direct", short = "cDD", method = mbs.continuous_direct {} },
  { name = "continuous adjoint", short = "cA", method = mbs.continuous_adjoint {} },
  { name = "piecewise adjoint", short = "PA", method = mbs.piecewise_adjoint { threads = 1 } },
  { name = "piecewise adjoint", short = "PA2", threads = 2, method = mbs.piecewise_adjoint { threads = 2 } },
}
local counts = tables.columns(options.counts)
local printed = {
  { title = "Table 6.20, Xeon, 0.05 s, printed, s", rows = {
    { "direct (continuous)", 1, 146.00, 235.00, 397.00, 811.00, 1605.00 },
    { "adjoint (continuous)", 1, 2149.00, 2246.00, 2279.00, 2378.00, 2435.00 },
    { "piecewise, sequential", 1, 57274.00, 59279.00, 63310.00, 71540.00, 88709.00 },
    { "piecewise, parallel", 22, 150956.00, 156994.00, 174264.00, 195175.00, 261535.00 } } },
  { title = "Table 6.21, Opteron, 0.05 s, printed, s", rows = {
    { "direct (continuous)", 1, 45.06, 69.00, 111.73, 210.127, 402.42 },
    { "adjoint (continuous)", 1, 254.02, 254.42, 257.9, 258.33, 259.3 },
    { "piecewise, sequential", 1, 32436.92, 34869.69, 37755.71, 43041.51, 52510.64 },
    { "piecewise, parallel", 22, 42168.72, 46385.59, 48704.87, 55036.5, 69346.00 } } },
}

local counted = tables.counts(m:mobility {}, car.joints, car.parameters)
print "1. Counts (in brackets: printed)"
print(("%d bodies (13), %d coordinates (91), %d constraints (81), %d degrees of freedom (10), %d joints (20), %d parameters (16)")
  :format(#car.bodies, counted.coordinates, counted.constraints, counted.degrees_of_freedom, counted.joints,
          counted.parameters))

local rest = m:equilibrium {}
local loads = {}
print "\n2. The motion: stiffness and damping are printed, all else is ours"
for k, corner in ipairs(car.corners) do
  loads[k] = rest:at(corner.tire.fz)
  print(("%s at rest: tire %8.1f N, strut %9.1f N, shorter by %.2f mm"):format(corner.name, loads[k],
    rest:at(corner.strut.force), -1000 * rest:at(corner.strut.force) / car.data.strut.stiffness))
end
print(motion)
print(("cost %.12g"):format(motion.objectives.cost))
local least, most = math.huge, 0
for _, corner in ipairs(car.corners) do
  for _, load in ipairs(motion:values(corner.tire.fz)) do least, most = math.min(least, load), math.max(most, load) end
end
print(("loads of tires between %.0f and %.0f N"):format(least, most))

local cells, gradients = tables.measure(m, cost, car.parameters, run, methods, counts, options.repetitions)
print "\n3. Differences of gradients in the 1-norm (in brackets over the 1-norm of the gradient): Tables 6.12 to 6.17"
tables.print_differences(methods, gradients)
print "printed, continuous methods    FD-DD     FD-A      DD-A       over 2 s; their gradients are not printed"
print "Table 6.12, Athlon             3.61e-03  7.25e-03  4.44e-04"
print "Table 6.14, Xeon               2.88e-03  6.61e-03  2.07e-04"
print "Table 6.16, Opteron            7.97e-04  6.56e-04  5.13e-04"
print "printed, piecewise adjoint     PA-DD     PA-A      PA-FD      over 0.05 s"
print "Table 6.13, Athlon             1.05e-03  8.17e-04  9.65e-03"
print "Table 6.15, Xeon               8.77e-03  5.39e-04  7.1e-03"
print "Table 6.17, Opteron            5.11e-04  8.17e-04  1.82e-03"
local norm = 0
for _, value in ipairs(gradients[1].gradient) do norm = norm + math.abs(value) end
print(("the 1-norm of our gradient is %.6g"):format(norm))

print "\n4. Cost by number of parameters: Tables 6.20 and 6.21"
tables.print_costs(methods, cells, counts, printed)
print "FR: processor time over that of a run of the same form, of two threads time by the clock. Printed tables are in seconds: rows compare, not columns of ours and theirs."

results.write(options.json, tables.rows(methods, gradients, motion.seconds), {}, {
  counts = counted, cells = cells, objective = motion.objectives.cost, loads = loads,
  tires = { least = least, most = most },
  quality = { energy = motion.quality.energy, energy_error = motion.quality.energy_error,
              position_drift = motion.quality.position_drift, velocity_drift = motion.quality.velocity_drift } })
