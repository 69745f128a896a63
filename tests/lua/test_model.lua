-- Every object of a model: what it becomes, how it prints, what can be asked.
local mbs = require "perilune"
local check = require "check"

local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
check.equal(m.name, "five-bar")
check.equal(m.dimension, 2)
check.equal(mbs.model().name, "model")
check.equal(mbs.model { name = "n" }.name, "n")
check.equal(mbs.model { gravity = { 0, 0, -1.62 } }.dimension, 3)

local k = m:param { "k", 100, unit = "N/m", min = 0 }
local L = m:param { "L", 2 }
local A = m:ground { "A", at = { -0.5, 0 } }
local P1 = m:point { "P1", at = { -L / 2, 1 }, velocity = { 0.5, 0 }, mass = 1.0 }
check.equal(tostring(A):match("^[^,]*,[^,]*"), 'ground "A" at (-0.5, 0) m')
assert(tostring(P1):find('^point "P1" at %(%-1, 1%) m, defined at .*test_model.lua:15$'), tostring(P1))
check.equal(P1.name, "P1")
check.equal(P1.kind, "point")
check.equal(P1.mass, 1.0)
check.equal(P1.at[2], 1)
check.equal(P1.at[1].value, -1)
P1.at[2] = 7
check.equal(P1.at[2], 1)
check.equal(P1.velocity[1], 0.5)
check.equal(P1.model, m)
check.equal(P1.model == mbs.model {}, false)

local d = m:distance { A, P1 }
check.equal(d.name, "distance1")
check.equal(m:distance { "named", A, P1, length = L }.length.formula, m:signal "named.length".formula)
local s1 = m:spring { "s1", A, P1, stiffness = k, free_length = 1.2 }
check.equal(s1.damping, 0)
check.equal(s1.stiffness.value, 100)
assert(tostring(s1.force):find("k"))
m:spring { A, P1 }
local bar = m:bar { A, P1, mass = 2 }
check.equal(bar.mass, 2)

local arm = m:body { "arm", mass = 1, inertia = 0.1, at = { 0, 3 }, angle = math.pi / 2, angular_velocity = 1 }
local tip = arm:point { 0.5 }
check.near(tonumber(tostring(tip):match("at %(([^,]*)")), 0)
assert(tostring(tip):find("3.5) m", 1, true))
local on_ground = m.ground:point { 1, 2 }
assert(tostring(on_ground):find("(1, 2) m", 1, true))
check.equal(m.ground == m.ground, true)
m:coincidence { tip, P1 }
m:revolute { "pivot", m.ground, arm, at = { 0, 2.5 } }
m:revolute { A, arm }
m:revolute { arm:point { 0.1, 0 }, P1 }
m:force { "drag", on = P1, law = function(s) return -0.1 * s.vx, -0.1 * s.vy end }
m:force { on = arm, torque = function(s) return -s.omega end }
m:force { on = tip, law = function(s) return s.angle * s.x, s.t * P1.y(s) + s1.length end }

local text = tostring(m)
assert(text:find('model "five-bar", planar: 5 coordinates, 11 constraints, 2 parameters', 1, true), text)
assert(text:find("revolute (3): pivot, revolute1, revolute2", 1, true), text)

local names = {}
for _, name in ipairs(m:signals()) do names[name] = true end
for _, name in ipairs { "P1.x", "P1.vy", "P1.ax", "s1.length", "s1.force", "arm.angle", "arm.omega", "energy.total",
  "constraint.drift", "drag.fx", "t", "pivot.lambda_x" } do
  assert(names[name], name)
  assert(m:signal(name))
end
check.equal(tostring(m:signal "P1.x"), tostring(P1.x))

-- Joints find their places at the declared configuration, and follow parameters.
do
  local p = mbs.model {}
  local angle = p:param { "angle", 0.3 }
  local b = p:body { "b", mass = 1, inertia = 1, at = { 1, 1 }, angle = angle }
  p:revolute { "j", p.ground, b, at = { 2, 1 } }
  local drift = p:signal "constraint.drift"
  assert(drift.formula:find("angle"), drift.formula)
end

-- A spatial model.
local space = mbs.model { gravity = { 0, 0, -9.81 } }
local top = space:body { "top", mass = 1, inertia = { 1, 1, 0.5 }, at = { 0, 0, 1 } }
local rod = space:body { "rod", mass = 1, inertia = { { 1, 0.1, 0 }, { 0.1, 1, 0 }, { 0, 0, 1.5 } }, at = { 1, 0, 1 },
  orientation = { 2, 0, 0, 0 }, angular_velocity = { 0, 0, 1 } }
space:body { "six", mass = 1, inertia = { 1, 1, 1.5, 0.1, 0, 0 } }
space:spherical { "ball", space.ground, top:point { 0, 0, -1 } }
space:revolute { "hinge", top, rod, at = { 0.5, 0, 1 }, axis = "y" }
space:revolute { top, rod, at = { 0.5, 0, 1 }, axis = { 0, 1, 1 } }
space:spring { top, rod:point { 0, 0, 0.5 }, stiffness = 5 }
space:force { on = rod, law = function(s) return s.x, s.vy, s.e0 * s.omega_z end,
  torque = function(s) return 0, 0, -s.omega_z end }
check.equal(top.orientation[1], 1)
assert(tostring(space):find("23 coordinates, 18 constraints", 1, true), tostring(space))
check.fails("gravity must be set before", function() space:set_gravity { 0, 0, -1 } end)
local moon = mbs.model {}
local g = moon:param { "g", 1.62 }
moon:set_gravity { 0, -g }
moon:point { "P", at = { 0, 1 }, mass = 1 }
assert(moon:signal "energy.potential".formula:find("g"))

-- Names are free to choose among unnamed objects.
local n = mbs.model {}
n:point { "spring1", at = { 0, 0 }, mass = 1 }
check.equal(n:spring { n.ground, n:point { "Q", at = { 1, 0 } } }.name, "spring2")
