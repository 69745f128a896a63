-- The spatial slider-crank of A. S. Schaffer, "On the adjoint formulation of design sensitivity analysis of multibody
-- dynamics" (Iowa 2005), section 6.1.1: gradients of the integral of q'q + qdot'qdot over [0, 2] s by 16 parameters, by
-- several methods, in the layout of Tables 6.9 to 6.11 and 6.18 and 6.19.
--
--   perilune schaffer_slider_crank.lua [--t 2] [--tolerance 1e-8] [--counts "1 2 4 8 16"] [--repetitions 1]
--                                      [--json FILE]
--
-- Printed in the source: bodies (ground, crank, rod, slider), joints, 28 coordinates, 27 constraints, the cost, the names
-- of the parameters, 2 s; the differences and the times beside ours. The 27 constraints are those of the joints, of the
-- Euler parameters and six that fix the ground, which the source leaves unsaid. Without the ground as a body there are 21
-- coordinates.
--
-- Ours: every length, mass, moment of inertia and direction, gravity along -z, no drive, the initial state, and hypothesis
-- 2 of the source's section 4.6 for initial sensitivities: e1 of the crank and its rate are given, the rest follows. The
-- moments of inertia of the slider have no influence, as it does not turn: here and in the source.
--
-- The motion and all methods but differences are of the stabilized index-1 form, as in the source, by Radau IIA of order 5
-- in place of its BDF, which needs more time for as many digits. Differences are of another form and another
-- integrator, extrapolated: they share nothing with the others but the model.
-- --json FILE: counts, without_ground, cells, gradient, quality.
local mbs = require "perilune"
local results = require "results"
local tables = require "schaffer_tables"
local options = mbs.options { json = "", t = 2, tolerance = 1e-8, counts = "1 2 4 8 16", repetitions = 1 }

local names = { "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz" }

--- The mechanism with or without the ground as a body. The crank turns about x; the slider moves along x.
local function build(has_ground)
  local m = mbs.model { "slider-crank", gravity = { 0, 0, -9.81 } }
  local over = {}
  local function parameter(name, value, unit)
    over[#over + 1] = m:param { name, value, unit = unit }
    return over[#over]
  end
  local function inertia_of(body, values)
    local list = {}
    for k, name in ipairs(names) do list[k] = parameter(name .. "_" .. body, values[k], "kg m^2") end
    return list
  end
  local pivot = { 0, 0.12, 0.2 }
  local on_ground = {}
  for k, axis in ipairs { "x", "y", "z" } do on_ground[k] = parameter(axis .. "_GROUND", pivot[k], "m") end
  local crank_mass = parameter("m_CRANK", 2, "kg")
  local rod_inertia = inertia_of("CONROD", { 0.03, 0.22, 0.21, 0.004, -0.003, 0.005 })
  local slider_inertia = inertia_of("SLIDER", { 0.03, 0.04, 0.05, 0.002, -0.001, 0.003 })

  local bodies, ground = {}, m.ground
  if has_ground then
    ground = m:body { "ground", mass = 1, inertia = { 1, 1, 1 } }
    m:weld { "fixed", m.ground, ground, at = { 0, 0, 0 } }
    bodies[1] = ground
  end
  -- At the start the crank leans by 30 degrees from z towards -y.
  local radius, length, lean, speed = 0.15, 0.8, math.rad(30), 4
  local pin = { 0, pivot[2] - radius * math.sin(lean), pivot[3] + radius * math.cos(lean) }
  local reach = math.sqrt(length ^ 2 - pin[2] ^ 2 - pin[3] ^ 2)
  local crank = m:body { "crank", mass = crank_mass, inertia = { 0.1, 0.05, 0.06 },
                         at = { 0, (pivot[2] + pin[2]) / 2, (pivot[3] + pin[3]) / 2 },
                         orientation = { math.cos(lean / 2), math.sin(lean / 2), 0, 0 },
                         angular_velocity = { speed, 0, 0 } }
  -- The shortest turn of x into the rod's direction from the pin to the slider.
  local rod = m:body { "rod", mass = 4, inertia = rod_inertia, at = { reach / 2, pin[2] / 2, pin[3] / 2 },
                       orientation = { 1 + reach / length, 0, pin[3] / length, -pin[2] / length } }
  local slider = m:body { "slider", mass = 3, inertia = slider_inertia, at = { reach, 0, 0 } }
  table.move({ crank, rod, slider }, 1, 3, #bodies + 1, bodies)

  local bearing = ground:marker { at = on_ground, axis = "x" }
  local shaft = crank:marker { at = { 0, 0, -radius / 2 }, axis = "x" }
  -- A revolute joint without the angle of m:revolute, which would be a coordinate more.
  m:parallel_axes { "revolute_axis", bearing, shaft }
  local joints = {
    m:spherical { "revolute", bearing, shaft },
    m:spherical { "spherical", crank:point { 0, 0, radius / 2 }, rod:point { -length / 2, 0, 0 } },
    m:universal { "universal", rod:marker { at = { length / 2, 0, 0 }, axis = "y" }, slider:marker { axis = "z" } },
    m:translational { "translational", ground:marker { axis = "x" }, slider:marker { axis = "x" } },
  }
  local cost = m:objective { "cost", integral = tables.integrand(bodies) }
  return { model = m, over = over, joints = joints, cost = cost, crank = crank, slider = slider }
end

local given = { "crank.e1" }
local run = { t = options.t, independent = given, formulation = mbs.stabilized_index1 {},
              integrator = mbs.radau { relative_tolerance = options.tolerance,
                                       absolute_tolerance = options.tolerance / 100 } }
local by_differences = { formulation = mbs.index1 { project = true },
                         integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 } }
local by_maggi = { formulation = mbs.maggi {},
                   integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
-- The first is what the others are compared with. threads: 1 where nothing is said.
local methods = {
  { name = "differences", short = "FD", method = mbs.finite_difference { step = 1e-3, richardson = 2 },
    run = by_differences },
  { name = "discrete direct", short = "DD", method = mbs.direct {} },
  { name = "discrete adjoint", short = "A", method = mbs.adjoint {} },
  { name = "continuous direct", short = "cDD", method = mbs.continuous_direct {} },
  { name = "continuous adjoint", short = "cA", method = mbs.continuous_adjoint {} },
  -- Along a motion that takes less time, so that there is something to gain.
  { name = "Maggi: discrete direct", short = "mDD", run = by_maggi, method = mbs.direct {} },
  { name = "Maggi: discrete adjoint", short = "mA", run = by_maggi, method = mbs.adjoint {} },
  { name = "Maggi: adjoint over intervals", short = "mA2", run = by_maggi, threads = 2,
    method = mbs.adjoint { intervals = 40, threads = 2 } },
  { name = "piecewise adjoint", short = "PA", run = by_maggi, method = mbs.piecewise_adjoint { threads = 1 } },
  { name = "piecewise adjoint", short = "PA2", run = by_maggi, threads = 2,
    method = mbs.piecewise_adjoint { threads = 2 } },
}
local counts = tables.columns(options.counts)
local printed = {
  { title = "Table 6.18, Xeon, printed, s", rows = {
    { "direct (continuous)", 1, 101.00, 324.00, 661.00, 1436.00, 2650.00 },
    { "adjoint (continuous)", 1, 295.00, 302.00, 307.00, 308.00, 349.00 },
    { "piecewise, sequential", 1, 409.00, 424.00, 454.00, 518.00, 707.00 },
    { "piecewise, parallel", 4, 297.00, 313.00, 349.00, 393.00, 536.00 } } },
  { title = "Table 6.19, Opteron, printed, s", rows = {
    { "direct (continuous)", 1, 19.74, 48.33, 97.12, 212.63, 436.48 },
    { "adjoint (continuous)", 1, 61.99, 62.14, 62.44, 63.95, 66.45 },
    { "piecewise, sequential", 1, 391.57, 407.06, 436.74, 497.09, 619.34 },
    { "piecewise, parallel", 4, 152.14, 169.5, 177.98, 195.06, 243.49 } } },
}

local it, without = build(true), build(false)
local counted = tables.counts(it.model:mobility { independent = given }, it.joints, it.over)
local fewer = tables.counts(without.model:mobility { independent = given }, without.joints, without.over)
print "1. Counts (in brackets: printed)"
print(("with the ground as a body %d coordinates (28), %d constraints (27), %d degree of freedom (1), %d joints (4), %d parameters (16)")
  :format(counted.coordinates, counted.constraints, counted.degrees_of_freedom, counted.joints, counted.parameters))
print(("without it %d coordinates, %d constraints"):format(fewer.coordinates, fewer.constraints))

local motion = it.model:simulate { objectives = it.cost, t = options.t, independent = given,
                                   formulation = run.formulation, integrator = run.integrator }
print("\n2. The motion: all numbers of it are ours\n" .. tostring(motion))
print(("cost %.12g"):format(motion.objectives.cost))

local cells, gradients = tables.measure(it.model, it.cost, it.over, run, methods, counts, options.repetitions)
print "\n3. Differences of gradients in the 1-norm (in brackets over the 1-norm of the gradient): Tables 6.9 to 6.11"
tables.print_differences(methods, gradients)
print "printed, continuous methods    FD-DD     FD-A      FD-PA     DD-PA     DD-A       their gradients are not printed"
print "Table 6.9, Athlon              5.03e-3   9.25e-3   7.12e-3   1.32e-2   9.86e-3"
print "Table 6.10, Xeon               1.27e-3   2.04e-3   1.8e-3    5.76e-3   2.55e-3"
print "Table 6.11, Opteron            8.13e-4   9.63e-4   9.98e-4   1.39e-3   1.15e-3"
local norm, fixed = 0, without.model:gradient { without.cost, over = table.move(without.over, 1, counts[#counts], 1, {}), t = options.t, independent = given,
                                                formulation = run.formulation, integrator = run.integrator }
for _, value in ipairs(gradients[1].gradient) do norm = norm + math.abs(value) end
local _, with_and_without = tables.apart(fixed.gradient, gradients[1].gradient)
print(("the 1-norm of our gradient is %.6g; without the ground as a body it is the same within %.1e"):format(
  norm, with_and_without))

print "\n4. Cost by number of parameters: Tables 6.18 and 6.19"
tables.print_costs(methods, cells, counts, printed)
print "FR: processor time over that of a run of the same form, of two threads time by the clock. Printed tables are in seconds: rows compare, not columns of ours and theirs."

results.write(options.json, tables.rows(methods, gradients, motion.seconds), {}, {
  counts = counted, without_ground = { counts = fewer, difference = with_and_without }, cells = cells,
  objective = motion.objectives.cost,
  quality = { energy = motion.quality.energy, energy_error = motion.quality.energy_error,
              position_drift = motion.quality.position_drift, velocity_drift = motion.quality.velocity_drift },
  motion = { times = motion:times(), slider = motion:values(it.slider.x), y = motion:values(it.crank.y),
             z = motion:values(it.crank.z) } })
