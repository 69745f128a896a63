-- Every run measures its own quality. Motions of known energy: where it is lost, the run says so; where it is kept, it is
-- silent. The penalty form is wrong in the first ones at any tolerance.
local mbs = require "perilune"
local check = require "check"

local function ladder(windows)
  local m = mbs.model { "ladder", gravity = { 0, -9.81 } }
  local last
  for i = 0, windows do
    local A = m:ground { at = { i, 0 } }
    local P = m:point { "P" .. i, at = { i, 1 }, velocity = { 1, 0 } }
    m:bar { "up" .. i, A, P, mass = 1 }
    if last then m:bar { "across" .. i, last, P, mass = 1 } end
    last = P
  end
  return m
end

local function parallelogram()
  local m = mbs.model { "parallelogram", gravity = { 0, -9.81 } }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 2, 0 } }
  local P = m:point { "P", at = { 0, 1 }, velocity = { 5, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { 2, 1 }, velocity = { 5, 0 }, mass = 1 }
  m:distance { "a", A, P }
  m:distance { "b", B, Q }
  m:distance { "c", P, Q }
  return m
end

local function spin(rate)
  local m = mbs.model { "spin", gravity = { 0, 0, 0 } }
  m:body { "B", at = { 0, 0, 0 }, mass = 1, inertia = { 3, 2, 1 }, angular_velocity = { rate, 1, 1 } }
  return m
end

local function pendulum(mass, length)
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  m:distance { "arm", m:ground { at = { 0, 0 } }, m:point { "P", at = { length, 0 }, mass = mass } }
  return m
end

local function run_of(m, t, formulation, integrator)
  return m:simulate { t = t, formulation = formulation, integrator = integrator or mbs.dormand_prince {} }
end
local function loss(run)
  return math.abs(run:at("energy.total", run.t) - run:at("energy.total", 0)) / run.quality.energy
end

-- A rod on a hinge, another welded to it, and a distance between the two that follows from the weld. Away from the mesh
-- points the two contradict each other, so that an explicit method loses energy between constraints that hold in all
-- mesh points.
local function redundant_weld()
  local m = mbs.model { "redundant weld", gravity = { 0, -9.81 } }
  local a = m:body { "a", mass = 1, inertia = 1 / 12, at = { 0.5, 0 } }
  local b = m:body { "b", mass = 1, inertia = 1 / 12, at = { 1, 0.5 }, angle = math.pi / 2 }
  m:revolute { "hinge", m.ground, a, at = { 0, 0 } }
  m:weld { "weld", a, b, at = { 1, 0 } }
  m:distance { "stay", a:point { -0.5, 0 }, b:point { 0.5, 0 } }
  return m
end

-- Bricard's linkage: six hinges along edges of a cube, one of whose 30 constraints follows from the others.
local function bricard()
  local m = mbs.model { "Bricard", gravity = { 0, 0, -9.81 } }
  local nodes = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 0, 1 } }
  local bodies = { m.ground }
  for i = 2, 6 do
    local p, q = nodes[i], nodes[i % 6 + 1]
    bodies[i] = m:body { "rod" .. i, mass = 1, inertia = { 0.1, 0.12, 0.09 },
                         at = { (p[1] + q[1]) / 2, (p[2] + q[2]) / 2, (p[3] + q[3]) / 2 } }
  end
  for i, axis in ipairs { "y", "z", "x", "y", "z", "x" } do
    m:revolute { "h" .. i, bodies[(i - 2) % 6 + 1], bodies[i], at = nodes[i], axis = axis }
  end
  return m
end

-- Wrong, and said so: the sentence has a time and names the element.
local wrong = {
  { redundant_weld(), 5, "hinge" }, { redundant_weld(), 5, "hinge", mbs.augmented_lagrangian { alpha = 1e7 } },
  { bricard(), 3, "rod" }, { bricard(), 3, "defined at", mbs.augmented_lagrangian { alpha = 1e9 } },
  { ladder(2), 6, "bar" }, { ladder(3), 6, "bar" }, { parallelogram(), 3, "distance" }, { spin(1000), 0.1, "B" },
  { pendulum(1, 1e-4), 0.02, "arm" }, { pendulum(100, 1e-3), 0.06, "arm" }, { pendulum(1e12, 1), 2, "arm" },
  -- Here the constraints hold, and the errors of thousands of steps add up; in space, too.
  { bricard(), 3, "work of the forces", mbs.penalty {}, mbs.rosenbrock { order = 3 } },
  { parallelogram(), 3, "work of the forces", mbs.index1 { project = true }, mbs.radau { order = 3 } },
}
for k, case in ipairs(wrong) do
  local ok, run = pcall(run_of, case[1], case[2], case[4] or mbs.penalty {}, case[5])
  if not ok then -- it left its branch in a singular position, and ended there
    assert(tostring(run):find("at t = ", 1, true) and tostring(run):find("left its branch", 1, true), run)
    goto continue
  end
  assert(loss(run) > 1e-5 or run.quality.position_drift > 0, "case " .. k .. " is right")
  assert(#run.warnings > 0, "case " .. k .. " says nothing: " .. tostring(run))
  local all = table.concat(run.warnings, "\n")
  assert(all:find("at t = ", 1, true) and all:find(case[3], 1, true), all)
  ::continue::
end

-- Right, and silent.
local right = {
  { ladder(1), 6, mbs.maggi {} }, { ladder(2), 6, mbs.maggi {} }, { parallelogram(), 3, mbs.maggi {} },
  { spin(1000), 0.1, mbs.maggi {} }, { spin(10), 1, mbs.penalty {} },
  { redundant_weld(), 5, mbs.penalty {}, mbs.radau {} }, { redundant_weld(), 5, mbs.augmented_lagrangian {}, mbs.radau {} },
  { bricard(), 1, mbs.penalty {}, mbs.radau {} },
  { pendulum(1e12, 1), 2, mbs.augmented_lagrangian {} }, { pendulum(1, 1e-4), 0.02, mbs.index1 {} }, { pendulum(1e12, 1), 2, mbs.index1 { alpha = 10, beta = 10 } },
}
for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} } do
  right[#right + 1] = { pendulum(1, 1), 3, mbs.penalty {}, integrator }
  right[#right + 1] = { pendulum(1, 1), 3, mbs.augmented_lagrangian {}, integrator }
end
for k, case in ipairs(right) do
  local run = run_of(table.unpack(case, 1, 4))
  assert(loss(run) < 1e-5, "case " .. k .. " is wrong: " .. tostring(run))
  for _, warning in ipairs(run.warnings) do  -- reactions of redundant joints are another matter
    assert(warning:find "one possibility of many", warning)
  end
end

-- The figures: of a pendulum that falls from the horizontal, the greatest kinetic energy is m g L. At rest it is zero, and
-- the load is what energies are compared with.
do
  local m = pendulum(2, 0.5)
  local run = run_of(m, 3, mbs.penalty {})
  local q = run.quality
  check.near(q.energy, 2 * 9.81 * 0.5, 1e-3)
  assert(q.energy_error < 1e-6 * q.energy and q.constraint_work < 1e-6 * q.energy) -- 1e-5 are promised
  assert(q.position_drift > 0 and q.position_drift < 1e-8 and q.velocity_drift < 1e-7)
  assert(q.pivot_ratio > 0 and q.pivot_ratio <= 1 and q.normalization == 0)
  check.equal(q.rejected, run.rejected / run.steps)
  assert(tostring(run):find("; energy to %d", 1), tostring(run))
  local still = mbs.model { "still", gravity = { 0, -9.81 } }
  still:distance { still:ground { at = { 0, 0 } }, still:point { "P", at = { 0, -2 }, mass = 3 } }
  local rest = run_of(still, 10, mbs.penalty {})
  check.near(rest.quality.energy, 3 * 9.81 * 2, 1e-6)
  check.equal(#rest.warnings, 0)
end

-- Of a body that spins freely in space, all that the kinetic energy changes is an error; what is seen of it comes from one
-- step in 32.
do
  local run = run_of(spin(1000), 1, mbs.maggi {}, mbs.dormand_prince { relative_tolerance = 1e-6 })
  local worst, start = 0, run:at("energy.total", 0)
  for k = 1, 100 do worst = math.max(worst, math.abs(run:at("energy.total", k / 100) - start)) end
  assert(worst > 0 and math.abs(run.quality.energy_error / worst - 1) < 0.1, run.quality.energy_error / worst)
end

-- Where the work is not known that belongs to the kinetic energy, nothing is said of it.
do
  local m = mbs.model { "door", gravity = { 0, -9.81 } }
  local B = m:body { "B", at = { 0, 0 }, mass = 1, inertia = 0.1, center_of_mass = { 0.5, 0 } }
  m:revolute { m.ground, B, at = { 0, 0 } }
  local run = run_of(m, 1, mbs.penalty {})
  check.equal(run.quality.energy_error, nil)
  assert(run.quality.constraint_work and tostring(run):find("; work of constraints to %d", 1), tostring(run))
end

-- The work of the constraints is what the energy lost to them, whichever steps it was taken from.
do
  local run = run_of(redundant_weld(), 5, mbs.penalty {})
  check.near(run.quality.constraint_work, math.abs(run:at("energy.total", 5) - run:at("energy.total", 0)), 2e-4)
end

-- Drivers, dampers and springs do work that is accounted for.
do
  local m = mbs.model { "driven", gravity = { 0, -9.81 } }
  local O = m:ground { at = { 0, 0 } }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  m:driver { (P.x ^ 2 + P.y ^ 2) ^ 0.5, law = function(s) return 1 + 0.3 * math.sin(3 * s.t) end }
  m:spring { O, P, stiffness = 20, damping = 3, free_length = 0.5 }
  local run = run_of(m, 5, mbs.penalty {})
  check.equal(#run.warnings, 0)
  assert(run.quality.energy_error < 1e-6 * run.quality.energy)
end

-- Index 3 takes velocities as differences of positions, whose errors alone are under control: a pendulum of 0.1 mm has
-- them wrong by 1e-4 of its speed, unless they are projected, as with adaptive steps. By the closed form (2 g h)^(1/2).
for _, length in ipairs { 1e-4, 1 } do
  local m = pendulum(1, length)
  local T = 5 * math.sqrt(length / 9.81)
  local run = run_of(m, T, mbs.index3 {}, mbs.radau {})
  check.equal(#run.warnings, 0)
  assert(run.quality.velocity_drift < 1e-12)
  local speed = math.sqrt(run:at("P.vx", T) ^ 2 + run:at("P.vy", T) ^ 2)
  check.near(speed, math.sqrt(-2 * 9.81 * run:at("P.y", T)), length == 1 and 1e-7 or 1e-5)
end

-- A platform on cranks goes through the line where they lose their hold: steps of 0.5 ms meet it so closely that the
-- derivatives of Maggi's form are off by 0.6 %, which gradients say. Those of the augmented Lagrangian are right.
do
  package.path = (arg[0]:match "^(.*)/tests/lua/" or ".") .. "/scripts/?.lua;" .. package.path
  local redundant = require "mechanisms".redundant
  local function gradient(formulation, method)
    local case = redundant()
    return case.model:gradient { case.cost, over = case.over, t = case.t, formulation = formulation,
                                 integrator = mbs.rk4 { step = 5e-4 }, method = method }
  end
  local right = gradient(mbs.augmented_lagrangian {})
  assert(not table.concat(right.warnings, "\n"):find "singular position")
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
    local found = gradient(mbs.maggi {}, method)
    assert(math.abs(found.gradient[1] / right.gradient[1] - 1) > 1e-3)
    assert(table.concat(found.warnings, "\n"):find("independent coordinates lose digits", 1, true))
  end
end

-- What is computed from such a run repeats its warnings.
do
  local m = mbs.model { "heavy", gravity = { 0, -9.81 } }
  local L = m:param { "L", 1e-4, unit = "m", min = 0.9e-4, max = 1.1e-4 }
  m:distance { "arm", m:ground { at = { 0, 0 } }, m:point { "P", at = { L, 0 }, mass = 1 } }
  local low = m:objective { "low", terminal = m:signal "P.y" }
  local settings = { t = 0.02, formulation = mbs.penalty {}, integrator = mbs.dormand_prince {} }
  local plain = m:simulate(settings)
  assert(#plain.warnings > 0)
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.finite_difference {}, mbs.continuous_adjoint {} } do
    local gradient = m:gradient { low, method = method }
    check.equal(#gradient.warnings, #plain.warnings)
    check.equal(gradient.warnings[1], plain.warnings[1])
    assert(tostring(gradient):find(plain.warnings[1], 1, true))
  end
  local best = m:optimize { minimize = low }
  assert(#best.warnings > 0 and tostring(best):find("warning: at t = ", 1, true))
  m:simulate { t = 0.02, formulation = mbs.maggi {} }
  check.equal(#m:gradient { low }.warnings, 0)
  check.equal(#m:optimize { minimize = low }.warnings, 0)
end

-- Runs of a few steps, in which a fall is as small as the absolute tolerance of positions, are no alarm.
for _, t in ipairs { 2e-6, 2.4e-5, 2e-4 } do
  local m = mbs.model { gravity = { 0, -9.81 } }
  m:distance { m:ground { at = { 0, 0 } }, m:point { "P", at = { 1, 0 }, mass = 1 } }
  check.equal(#m:simulate { t = t, formulation = mbs.penalty {}, integrator = mbs.bdf {} }.warnings, 0)
end

-- Constant steps are the user's own, but what blows up by them says so: a stiff blade that a driver turns. Forms that keep
-- its clamp, and methods that damp, are silent with the same step.
do
  local function blade(integrator, formulation)
    local m = mbs.model { "rotor", gravity = { 0, 0, 0 } }
    local hub = m:body { "hub", mass = 5, inertia = { 1, 1, 1 } }
    local axle = m:revolute { "axle", m.ground, hub, at = { 0, 0, 0 }, axis = "z" }
    m:driver { "speed", axle.angle, law = function(s) return 3 * s.t end }
    local arm = m:beam { "blade", from = { 0.1, 0, 0 }, to = { 0.6, 0, 0 }, elements = 3, young = 7e10, density = 2700,
                         area = 1e-4, second_moment = 1e-9, angular_velocity = { 0, 0, 3 }, velocity = { 0, 0.3, 0 } }
    m:clamp { arm.first, hub }
    return m:simulate { t = 1, integrator = integrator, formulation = formulation }
  end
  -- What has blown up by rounding may also end where Newton's method fails: that is a sentence, too.
  local warned = 0
  for _, step in ipairs { 0.0017, 0.0018, 0.0019, 0.002, 0.0021 } do
    local is_done, lost = pcall(blade, mbs.trapezoidal { step = step })
    local said = is_done and table.concat(lost.warnings, "\n") or tostring(lost)
    warned = warned + (is_done and 1 or 0)
    assert(said:find(is_done and "steps of this length blow up" or "Newton's method did not converge", 1, true), said)
    assert(not is_done or said:find("or formulation = mbs.maggi {}", 1, true))
  end
  assert(warned >= 2)
  for _, case in ipairs { { mbs.trapezoidal { step = 0.002 }, mbs.maggi {} }, { mbs.variational { step = 0.002 } },
                          { mbs.trapezoidal { step = 0.002 }, mbs.index3 {} },
                          { mbs.generalized_alpha { step = 0.002 } } } do
    assert(not table.concat(blade(case[1], case[2]).warnings, "\n"):find("blow up", 1, true))
  end
end

-- Where there are no constraints, no form keeps them; and a model all of whose places are at the origin is no alarm.
do
  local m = mbs.model { "stiff", gravity = { 0, -9.81 } }
  m:spring { m:ground { at = { 0, 0 } }, m:point { "P", at = { 1, 0 }, mass = 1 }, stiffness = 1e6, free_length = 0.9 }
  local lost = table.concat(m:simulate { t = 1, integrator = mbs.rk4 { step = 0.003 } }.warnings, "\n")
  assert(lost:find("steps of this length blow up", 1, true) and not lost:find("maggi", 1, true), lost)
end
for _, how in ipairs { { integrator = mbs.variational { step = 0.01 } },
                       { integrator = mbs.generalized_alpha { step = 0.01 }, formulation = mbs.index3 {} } } do
  local m = mbs.model { "at the origin", gravity = { 0, 0, -9.81 } }
  local b = m:body { "b", mass = 2, inertia = { 0.1, 0.2, 0.25 }, at = { 0, 0, 0 }, center_of_mass = { 0.3, 0.1, 0.05 },
                     angular_velocity = { 1, 2, 3 } }
  m:spherical { "p", m.ground, b, at = { 0, 0, 0 } }
  how.t = 0.8
  check.equal(#m:simulate(how).warnings, 0)
end
