-- Kinematics, statics, mobility and small motions, as scripts use them.
local mbs = require "perilune"
local check = require "check"

-- What a command writes to its standard error.
local function errors_of(script)
  local path, errors = os.tmpname(), os.tmpname()
  local out <close> = assert(io.open(path, "w"))
  out:write(script)
  out:close()
  os.execute(("'%s' '%s' 2>'%s' >/dev/null"):format(arg[-1], path, errors))
  local file <close> = assert(io.open(errors))
  local text = file:read "a"
  os.remove(path)
  os.remove(errors)
  return text
end

-- A driven crank: angle, rate and acceleration as prescribed, and the torque that inertia and weight ask for.
do
  local m = mbs.model { "crank", gravity = { 0, -9.81 } }
  local arm = m:body { "arm", mass = 2, inertia = 0.3, at = { 0.7, 0 } }
  local pin = m:revolute { "pin", m.ground, arm, at = { 0, 0 } }
  check.fails("1 degree of freedom remains", m.kinematics, m, { t = 1 })
  check.fails("needs a driver", m.kinematics, m, { t = 1 })
  m:driver { "motor", pin.angle, law = function(s) return 2 * s.t + 0.5 * math.sin(3 * s.t) end }
  local run = m:kinematics { t = 2, points = 21 }
  check.equal(#run:times(), 21)
  check.equal(run.t, 2)
  assert(tostring(run):find("kinematic analysis, 20 steps", 1, true), tostring(run))
  for _, t in ipairs { 0, 0.1, 0.333, 1.999, 2 } do
    local angle, alpha = 2 * t + 0.5 * math.sin(3 * t), -4.5 * math.sin(3 * t)
    check.near(run:at("arm.angle", t), angle, 1e-12)
    check.near(run:at("arm.omega", t), 2 + 1.5 * math.cos(3 * t), 1e-11)
    check.near(run:at("arm.alpha", t), alpha, 1e-10)
    check.near(run:at("motor.force", t), (0.3 + 2 * 0.49) * alpha + 2 * 9.81 * 0.7 * math.cos(angle), 1e-10)
  end
  check.equal(#m:kinematics { t = 2, step = 0.3 }:times(), 8)
  local turn = m:param { "turn", 1.5, unit = "s", min = 1, max = 3 }
  check.equal(m:kinematics { t = turn }.t, 1.5)
  turn.value = 2
  check.equal(m:kinematics { t = turn / 2 }.t, 1)
  check.equal(m:kinematics { start = 1, t = 2 }:times()[1], 1)
  -- Every time may be one of parameters.
  local timed = m:kinematics { start = turn / 4, t = turn, step = turn / 8 }:times()
  check.equal(#timed, 7)
  check.equal(timed[1], 0.5)
  check.equal(timed[2], 0.75)
  turn.value = 1
  check.equal(m:kinematics { start = turn, t = 2, step = turn / 2 }:times()[2], 1.5)
  check.fails("t must be greater than the start", m.kinematics, m, { start = 2 * turn, t = turn })
  check.fails("step", m.kinematics, m, { t = turn, step = turn - 1 })
  check.fails("step", m.kinematics, m, { t = turn, step = turn - 2 })
  turn.value = 2
  check.fails("exclude each other", m.kinematics, m, { t = 2, step = 0.1, points = 4 })
  check.fails("at least 2", m.kinematics, m, { t = 2, points = 1 })
  check.fails("t must be greater", m.kinematics, m, { t = 0 })
  -- The simulation of the same model gives the same motion.
  local simulated = m:simulate { t = 2 }
  check.near(simulated:at("arm.y", 2), run:at("arm.y", 2), 1e-6)
end

-- A drive beyond the reach keeps the motion so far.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0.5, 0.9 }, mass = 1 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P, length = 1 }
  m:driver { "pull", P.x, law = function(s) return 0.5 + s.t end }
  check.fails("at t = 0.5", m.kinematics, m, { t = 1 })
  assert(m.last_run.t > 0.4 and m.last_run.t <= 0.5, m.last_run.t)
  check.near(m.last_run:at("P.y", 0.25), math.sqrt(1 - 0.75^2), 1e-12)
end

-- Equilibrium, the motion that starts from it, and its frequencies.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0.3, -1 }, mass = 2 }
  m:spring { "s", m:ground { at = { 0, 0 } }, P, stiffness = 100, free_length = 1 }
  local rest = m:equilibrium()
  local length = 1 + 2 * 9.81 / 100
  check.near(rest:at "P.y", -length, 1e-12)
  check.near(rest:at "s.force", 2 * 9.81, 1e-11)
  check.near(rest:at("P.x", 0), 0, 1e-12)
  check.equal(rest.stable, true)
  assert(rest.residual < 1e-10)
  assert(rest.newton_iterations > 0)
  assert(tostring(rest):find("static equilibrium", 1, true))
  local run = m:simulate { from = rest, t = 3 }
  check.near(run:at("P.y", 3), -length, 1e-10)
  local small = m:linearize { from = rest }
  check.equal(small.degrees_of_freedom, 2)
  check.equal(#small.modes, 2)
  check.near(small.modes[1].frequency, math.sqrt(9.81 / length) / (2 * math.pi), 1e-10)
  check.near(small.modes[2].frequency, math.sqrt(100 / 2) / (2 * math.pi), 1e-10)
  check.near(small.modes[2].shape["P.y"], 1, 1e-12)
  assert(tostring(small):find("1.1254", 1, true), tostring(small))
  -- A run goes on where another ended.
  local first = m:simulate { t = 1 }
  local second = m:simulate { from = first, t = 2 }
  check.equal(second:times()[1], 1)
  check.near(second:at("P.x", 1), first:at("P.x", 1), 1e-13)
  check.near(second:at("P.vy", 1), first:at("P.vy", 1), 1e-12)
  check.near(second:at("P.x", 2), m:simulate { start = 0, t = 2 }:at("P.x", 2), 1e-6)
  check.fails("run, such as", m.simulate, m, { from = P, t = 2 })
  check.fails("another model", m.simulate, mbs.model {}, { from = first, t = 2 })
  m:point { "Q", at = { 0, 0 }, mass = 1 }
  check.fails("more coordinates", m.linearize, m, { from = first })
  check.fails("no equilibrium was found", m.equilibrium, m)
end

-- The unstable equilibrium on request.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local rod = m:body { "rod", mass = 2, inertia = 0.1, at = { 0.02, 0.5 }, angle = math.pi / 2 }
  m:revolute { m.ground, rod, at = { 0, 0 } }
  local down, up = m:equilibrium(), m:equilibrium { stable = false }
  check.near(down:at "rod.y", -up:at "rod.y", 1e-10)
  check.equal(down.stable, true)
  check.equal(up.stable, false)
  check.equal(m:linearize { from = up }.stable, false)
end

-- Nothing that can move: no modes, but for those of first-order states.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 1, 1 }, mass = 1 }
  m:distance { P, m:ground { at = { 0, 0 } } }
  m:distance { P, m:ground { at = { 2, 0 } } }
  local small = m:linearize {}
  check.equal(small.degrees_of_freedom, 0)
  check.equal(#small.modes, 0)
  m:state { "z", at = 1, rate = function(s) return -2 * s.value end }
  small = m:linearize {}
  check.equal(#small.modes, 1)
  check.near(small.modes[1].real, -2, 1e-14)
end

-- Two hinges of a door: named, refused by the index-1 form, taken by the penalty form.
do
  local m = mbs.model { "door", gravity = { 0, 0, -9.81 } }
  local door = m:body { "door", at = { 0.5, 0, 1 }, mass = 20, inertia = { 6, 8, 2 } }
  m:revolute { "lower", m.ground, door, at = { 0, 0, 0 }, axis = "z" }
  m:revolute { "upper", m.ground, door, at = { 0, 0, 2 }, axis = "z" }
  local found = m:mobility()
  check.equal(found.degrees_of_freedom, 1)
  check.equal(#found.redundant, 1)
  check.equal(found.redundant[1].joint, "upper")
  check.equal(found.redundant[1].count, 5)
  check.equal(table.concat(found.redundant[1].with, " "), "lower")
  assert(tostring(found):find('"upper" (5 constraints that follow from "lower")', 1, true), tostring(found))
  check.fails('"upper"', m.simulate, m, { t = 0.1, formulation = mbs.index1 {} })
  check.fails("mbs.maggi", m.simulate, m, { t = 0.1, formulation = mbs.index1 {} })
  local warnings = m:simulate { t = 0.1, formulation = mbs.penalty {} }.warnings
  assert(#warnings == 1 and warnings[1]:find "one possibility of many", warnings[1])
end

-- A four-bar with spatial hinges: three constraints too many, at the joint declared last.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local function bar(name, x, y) return m:body { name, at = { x, y, 0 }, mass = 1, inertia = { 0.1, 0.1, 0.1 } } end
  local crank, coupler, rocker = bar("crank", 0.1, 0.2), bar("coupler", 0.9, 0.6), bar("rocker", 1.8, 0.4)
  m:revolute { "A", m.ground, crank, at = { 0, 0, 0 }, axis = "z" }
  m:revolute { "B", crank, coupler, at = { 0.2, 0.4, 0 }, axis = "z" }
  m:revolute { "C", coupler, rocker, at = { 1.6, 0.8, 0 }, axis = "z" }
  m:revolute { "D", rocker, m.ground, at = { 2, 0, 0 }, axis = "z" }
  local found = m:mobility()
  check.equal(found.degrees_of_freedom, 1)
  check.equal(#found.redundant, 1)
  check.equal(found.redundant[1].joint, "D")
  check.equal(found.redundant[1].count, 3)
  check.equal(table.concat(found.redundant[1].with, " "), "A B C")
end

-- A stiff motion: a hint to the methods for it, but none for a fast oscillation, whose steps follow its accuracy.
do
  local run_of = function(damping, integrator)
    local script = ([[
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, 0 } }
m:spring { m.ground, m:point { "P", at = { 1, 0 }, mass = 1 }, stiffness = 1e6, damping = %g, free_length = 0.9 }
print(m:simulate { t = 1, integrator = %s }.steps)]]):format(damping, integrator)
    return errors_of(script)
  end
  local text = run_of(1e5, "mbs.dormand_prince {}")
  assert(text:find("^[^\n]*:4: warning: stability, not accuracy, limited %d+ of %d+ steps: the motion is stiff"), text)
  check.equal(run_of(0, "mbs.dormand_prince {}"), "")
  check.equal(run_of(1e5, "mbs.radau {}"), "")
end

-- A singular start: one sentence on the standard error, and in run.warnings.
do
  local script = [[
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, 0 } }
local P, Q = m:point { "P", at = { 1, 0 }, mass = 1 }, m:point { "Q", at = { 3, 0 }, mass = 1 }
m:distance { "left", m:ground { at = { 0, 0 } }, P }
m:distance { "coupler", P, Q }
m:distance { "right", m:ground { at = { 2, 0 } }, Q }
local run = m:simulate { t = 0.1 }
assert(#run.warnings == 1 and run.warnings[1]:find("singular", 1, true))
assert(m:mobility().singular_freedoms == 1)]]
  local text = errors_of(script)
  local _, lines = text:gsub("\n", "")
  check.equal(lines, 1, text)
  assert(text:find(":7: warning: at t = 0 s: the position is singular", 1, true), text)
end
