-- Forces, springs, stops, bushings, states and controllers in scripts: closed forms, gradients, messages.
local mbs = require "perilune"
local check = require "check"

local fine = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
local function at_end(m, signal, t)
  local run = m:simulate { t = t or 1, formulation = mbs.index1 {}, integrator = fine }
  return run:at(signal, t or 1)
end
local function plane() return mbs.model { gravity = { 0, 0 } } end

-- Constant forces in space and in the body.
do
  local m = plane()
  local X = m:body { "X", mass = 2, inertia = 0.5, angular_velocity = 3 }
  m:force { "push", on = X, force = { 1, -4 } }
  check.near(at_end(m, "X.vy"), -2, 1e-9)
  check.near(at_end(m, "X.x"), 0.25, 1e-9)
end
do -- along the body's x axis, which turns with 3 rad/s: v = F / (m w) (sin wt, 1 - cos wt)
  local m = plane()
  local X = m:body { "X", mass = 2, inertia = 0.5, angular_velocity = 3 }
  m:force { "thrust", on = X, force = { 6, 0 }, frame = "body" }
  check.near(at_end(m, "X.vx"), math.sin(3), 1e-9)
  check.near(at_end(m, "X.vy"), 1 - math.cos(3), 1e-9)
  check.near(at_end(m, "thrust.fx"), 6 * math.cos(3), 1e-9)
end
-- A torque by law between two bodies; angular momentum stays.
do
  local m = plane()
  local A = m:body { "A", mass = 1, inertia = 0.5 }
  local B = m:body { "B", mass = 1, inertia = 0.25, at = { 1, 0 } }
  m:torque { "motor", on = B, reaction_on = A, law = function(s) return 2 * s.t end }
  check.near(at_end(m, "B.omega"), 4, 1e-9)
  check.near(at_end(m, "A.omega"), -2, 1e-9)
  check.equal(m:signal "motor.torque".formula, "2 * t")
end
do -- in space, constant, in the body's frame
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local X = m:body { "X", mass = 1, inertia = { 1, 2, 2.5 }, orientation = { 0.8, 0, 0.6, 0 } }
  m:torque { on = X, torque = { 0, 0, 2 }, frame = "body" }
  check.near(at_end(m, "X.omega_z"), 0.8, 1e-9)
end
do -- a force and its reaction
  local m = plane()
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { 1, 0 }, mass = 4 }
  m:force { "f", on = P, reaction_on = Q, law = function(s) return Q.x - s.x, 1 end }
  local run = m:simulate { t = 1, integrator = fine }
  check.near(run:at("P.vx", 1) + 4 * run:at("Q.vx", 1), 0, 1e-10)
  check.near(run:at("P.vy", 1), 1, 1e-10)
end

-- Springs: polynomial, tabulated and by law are the linear one where they say the same.
local function spring_end(fields)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local G = m:ground { at = { 0, 0 } }
  local P = m:point { "P", at = { 0.5, -1 }, mass = 1 }
  local k = m:param { "k", 50 }
  local s = m:spring(fields(k, G, P))
  local run = m:simulate { t = 0.7, integrator = fine }
  local cost = m:objective { terminal = P.x }
  local grad = m:gradient { cost, method = mbs.adjoint() }
  local function last(signal) return run:at(signal, 0.7) end
  return { last "P.x", last "P.y", last "energy.total", last "s.force", last "s.dissipation", grad.gradient[1] }
end
local linear = spring_end(function(k, G, P) return { "s", G, P, stiffness = k, free_length = 0.8, damping = 2, force = 1 } end)
local twins = {
  polynomial = function(k, G, P)
    return { "s", G, P, stiffness = { k, 0, 0 }, free_length = 0.8, damping = { 2 }, force = 1 }
  end,
  curves = function(k, G, P)
    local elastic = mbs.spline { x = { -1, 0, 2 }, y = { -k, 0, 2 * k } }
    local viscous = mbs.spline { x = { -1, 1 }, y = { -2, 2 } }
    return { "s", G, P, spring_curve = elastic, damper_curve = viscous, free_length = 0.8, force = 1 }
  end,
}
for name, twin in pairs(twins) do
  local got = spring_end(twin)
  for i = 1, #linear do check.near(got[i], linear[i], 1e-8, name .. " " .. i) end
end
do
  local got = spring_end(function(k, G, P)
    return { "s", G, P, free_length = 0.8, law = function(s) return k * s.stretch + k * (s.length - 0.8) - k * s.stretch + 2 * s.rate + 1 end }
  end)
  for _, i in ipairs { 1, 2, 4, 6 } do check.near(got[i], linear[i], 1e-8, "law " .. i) end
end

-- Torsion springs on planar bodies, on a joint's angle, and on any expression: J theta'' = -k (theta - free).
local function torsion(make, dimension)
  local m = mbs.model { gravity = dimension == 2 and { 0, 0 } or { 0, 0, 0 } }
  local wheel = m:body { "wheel", mass = 1, inertia = dimension == 2 and 0.5 or { 0.3, 0.3, 0.5 } }
  local joint = m:revolute { "axle", m.ground, wheel, at = dimension == 2 and { 0, 0 } or { 0, 0, 0 }, axis = dimension == 3 and "z" or nil }
  local spring = m:torsion_spring(make(m, wheel, joint))
  local run = m:simulate { t = 1, formulation = mbs.index1 {}, integrator = fine }
  check.near(run:at("ts.angle", 1), 9 * (1 - math.cos(2)), 1e-7)
  check.near(run:at("ts.torque", 1), -18 * math.cos(2), 1e-7)
end
torsion(function(m, wheel) return { "ts", m.ground, wheel, stiffness = 2, free_angle = 9 } end, 2)
torsion(function(m, wheel, joint) return { "ts", on = joint, stiffness = 2, free_angle = 9 } end, 2)
torsion(function(m, wheel, joint) return { "ts", on = joint, stiffness = 2, free_angle = 9 } end, 3)
torsion(function(m, wheel, joint) return { "ts", on = joint.angle, stiffness = { 2, 0 }, free_angle = 9 } end, 3)
torsion(function(m, wheel, joint) return { "ts", on = joint.angle, law = function(s) return 2 * (s.angle - 9) end } end, 3)

-- A stop and a bushing at rest: the force carries the weight.
do
  local m = mbs.model { gravity = { 0, -10 } }
  local P = m:point { "P", at = { 0, 0.1 }, mass = 2 }
  m:bump_stop { "floor", on = P.y, lower = 0, stiffness = 1000, damping = 60, width = 0.01 }
  local run = m:simulate { t = 3, integrator = fine }
  check.near(run:at("floor.force", 3), -20, 1e-6)
  check.near(run:at("P.y", 3), -0.025, 1e-6) -- d - w / 2 = 0.02
end
do
  local m = mbs.model { gravity = { 0, -10 } }
  local arm = m:body { "arm", mass = 2, inertia = 0.1, at = { 0.5, 0 } }
  local marker = arm:marker { at = { -0.5, 0 } }
  m:bushing { "b", m.ground, marker, stiffness = { 1e3, 2e3, 50 }, damping = { 40, 80, 4 } }
  local run = m:simulate { t = 8, integrator = fine }
  check.near(run:at("b.fy", 8), 20, 1e-6)
  check.near(run:at("b.y", 8), -0.01, 1e-6)
  check.near(run:at("b.torque", 8), 20 * 0.5 * math.cos(run:at("b.angle", 8)), 1e-6)
end
do -- full matrices in space
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local X = m:body { "X", mass = 1, inertia = { 1, 1, 1 }, at = { 0.1, 0, 0 } }
  local rows = {}
  for i = 1, 6 do
    rows[i] = { 0, 0, 0, 0, 0, 0 }
    rows[i][i] = 10 * i
  end
  rows[1][2], rows[2][1] = 5, 5
  local b = m:bushing { "b", m.ground, X, stiffness = rows }
  check.near(at_end(m, "b.fx", 1e-9), -1, 1e-6)
  check.near(at_end(m, "b.fy", 1e-9), -0.5, 1e-6)
end

-- Splines on numbers and expressions.
do
  local hat = mbs.spline { x = { 0, 1, 2 }, y = { 0, 1, 0 } }
  check.near(hat(0.5), 0.6875)
  check.near(hat:slope(0.5), 1.125)
  check.equal(tostring(hat), "spline of 3 points from x = 0 to 2")
  check.equal(hat.y[2], 1)
  local cubic = mbs.spline { x = { 0, 1, 3 }, y = { 0, 1, 27 }, start_slope = 0, end_slope = 27 }
  check.near(cubic(2), 8)
  local m = plane()
  local P = m:point { "P", at = { 0.5, 0 }, mass = 1 }
  local h = m:param { "h", 2 }
  local scaled = mbs.spline { x = { 0, 1, 2 }, y = { 0, h, 0 } }
  check.near(scaled(0.5).value, 2 * 0.6875)
  m:force { "f", on = P, law = function(s) return 0, scaled(s.x) + 0 * hat:slope(s.x) end }
  local grad = m:gradient { m:objective { terminal = P.vy }, t = 1, integrator = fine, method = mbs.adjoint() }
  check.near(grad.gradient.by_name and grad.gradient.by_name.h or grad.gradient[1], 0.6875, 1e-9)
  check.fails("must increase; number 2", mbs.spline, { x = { 1, 0 }, y = { 0, 0 } })
  check.fails("spline: expected a number or an expression", hat, "x")
  check.fails("spline has no field or method 'slop'", function() return hat.slop end)
  local other = mbs.model { "other" }
  local Q = mbs.model { "third", gravity = { 0, 0 } }:point { "Q", at = { 0, 0 } }
  check.fails("belong to different models", function() return scaled(Q.x) end)
  check.fails("expressions of another model", other.spring, other, { other:ground { at = { 0, 0 } }, other:point { "R", at = { 1, 0 } }, spring_curve = scaled })
end

-- States and controllers.
do
  local m = plane()
  local T = m:param { "T", 0.5 }
  local lag = m:state { "lag", at = 1, rate = function(s) return (3 - s.value) / T end, unit = "V" }
  check.near(at_end(m, "lag.value"), 3 - 2 * math.exp(-2), 1e-9)
  local grad = m:gradient { m:objective { terminal = lag.value }, method = mbs.adjoint() }
  check.near(grad.gradient[1], -2 * math.exp(-2) / 0.25, 1e-8)
end
do -- states that read each other, and themselves by name
  local m = plane()
  local a, b = m:state { "a", at = 1 }, m:state { "b" }
  check.fails("state \"a\" has no rate", m.simulate, m, { t = 1 })
  a:set_rate { function(s) return 2 * b.value end }
  b:set_rate { function(s) return -2 * a.value end }
  check.near(at_end(m, "a.value"), math.cos(2), 1e-9)
  check.near(at_end(m, "b.value"), -math.sin(2), 1e-9)
  check.fails("has its rate already", a.set_rate, a, { function() return 1 end })
end
do -- after a mistake the same state can be declared again
  local m = plane()
  check.fails("no field 'valeu' (did you mean 'value'?)", m.state, m, { "z", rate = function(s) return s.valeu end })
  m:state { "z", at = 2, rate = function(s) return -s.value end }
  check.near(at_end(m, "z.value"), 2 * math.exp(-1), 1e-9)
end
do -- PI control of the speed of a mass: critically damped, e = (1 - t) exp(-t) r for m = 1, kp = 2, ki = 1
  local m = plane()
  local kp, ki = m:param { "kp", 2 }, m:param { "ki", 1 }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  local ctl = m:pid { "ctl", error = function(s) return 3 - P.vx end, kp = kp, ki = ki }
  m:force { "drive", on = P, law = function(s) return ctl.output, 0 end }
  local cost = m:objective { terminal = function(s) return ctl.error end }
  check.near(at_end(m, "ctl.error", 0.8), 3 * 0.2 * math.exp(-0.8), 1e-9)
  local exact = m:gradient { cost, method = mbs.adjoint() }
  local difference = m:gradient { cost, method = mbs.finite_difference { step = 1e-3, richardson = 2 } }
  for i = 1, 2 do check.near(exact.gradient[i], difference.gradient[i], 1e-7) end
end
do
  local m = plane()
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  check.fails("reads 'P.vx'", m.pid, m, { "c", error = P.vx, kd = 1 })
  check.fails("filter is for the rate of the error", m.pid, m, { "c", error = P.x, kp = 1, filter = 0.1 })
  m:pid { "c", error = P.x, kp = 1, ki = 2, kd = 3, filter = 0.1 }
  check.equal(m:signal "c.output".formula, "P.x + 2 * c.integral + 3 * c.derivative")
end

-- Messages.
local m = plane()
local P = m:point { "P", at = { 0, 0 }, mass = 1 }
local X = m:body { "X", mass = 1, inertia = 1 }
local G = m:ground { "G", at = { 1, 0 } }
check.fails("frame must be \"space\" or \"body\"", m.force, m, { on = X, force = { 1, 0 }, frame = "X" })
check.fails("frame = \"body\" is for bodies; point \"P\" does not turn", m.force, m, { on = P, force = { 1, 0 }, frame = "body" })
check.fails("a torque cannot act on point \"P\"; points do not turn", m.torque, m, { on = P, torque = 1 })
check.fails("a torque cannot act on point \"P\"", m.torque, m, { on = X, reaction_on = P, torque = 1 })
check.fails("force and law are two ways to say the same", m.force, m, { on = P, force = { 1, 0 }, law = function() return 1, 0 end })
check.fails("law is missing", m.force, m, { on = P })
check.fails("torque is missing", m.torque, m, { on = X })
check.fails("must return one number (torque)", m.torque, m, { on = X, law = function() return 1, 2 end })
check.fails("reaction_on must be another object", m.force, m, { on = X, reaction_on = X:point { 1, 0 }, force = { 1, 0 } })
check.fails("stiffness must not be negative", m.spring, m, { G, P, stiffness = -1 })
check.fails("stiffness is an empty list", m.spring, m, { G, P, stiffness = {} })
check.fails("spring_curve must be a spline such as mbs.spline", m.spring, m, { G, P, spring_curve = { 1, 2 } })
check.fails("on is missing", m.torsion_spring, m, { stiffness = 1 })
check.fails("give either two bodies or on", m.torsion_spring, m, { m.ground, X, on = X.angle, stiffness = 1 })
check.fails("on must be an expression of signals", m.bump_stop, m, { on = 3, lower = 0, stiffness = 1 })
check.fails("a limit is missing", m.bump_stop, m, { on = P.x, stiffness = 1 })
check.fails("stiffness must have 3 components", m.bushing, m, { G, X, stiffness = { 1, 2 } })
check.fails("the stiffness must be symmetric", m.bushing, m, { G, X, stiffness = { { 1, 2, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } })
check.fails("\"P\" is a point and has no axes", m.bushing, m, { G, P, stiffness = { 1, 2, 3 } })
