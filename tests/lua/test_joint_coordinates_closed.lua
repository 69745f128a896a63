-- mbs.joint_coordinates against closed forms: a screw, a pendulum of the plane, Hooke's joint.
local mbs = require "perilune"
local check = require "check"
local joints = mbs.joint_coordinates {}
local tight = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }

local function last(run, what)
  local values = run:values(what)
  return values[#values]
end

-- A screw that falls: m g = (m + J (2 pi / lead)^2) a, and the thread carries what the turning takes.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local lead, mass, J = 0.05, 4, 0.03
  local wheel = m:body { "wheel", mass = mass, inertia = { 0.02, 0.02, J } }
  m:screw { "thread", m.ground, wheel, at = { 0, 0, 0 }, axis = "z", lead = lead }
  local run = m:simulate { t = 0.5, formulation = joints, integrator = mbs.rk4 { step = 0.01 } }
  local a = -9.81 * mass / (mass + J * (2 * math.pi / lead) ^ 2)
  check.equal(run.factorizations, 0, "a screw")
  check.near(last(run, "wheel.z"), a * 0.5 ^ 2 / 2, 1e-12, "a screw falls")
  check.near(last(run, "thread.angle"), 2 * math.pi / lead * a * 0.5 ^ 2 / 2, 1e-9, "a screw turns")
  check.near(last(run, "thread.lambda"), -mass * (a + 9.81), 1e-9, "the push of a thread")
end

-- A planar pendulum in closed form: energy of a rod that falls from the horizontal, and what its hinge carries below.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local mass, length = 2, 0.8
  local rod = m:body { "rod", mass = mass, inertia = mass * length ^ 2 / 12, at = { length / 2, 0 } }
  m:revolute { "pivot", m.ground, rod, at = { 0, 0 } }
  local run = m:simulate { t = 2, formulation = joints, integrator = tight, stop = function(s) return rod.x(s) end }
  check.equal(run.factorizations, 0, "a pendulum")
  check.near(last(run, "pivot.omega"), -math.sqrt(3 * 9.81 / length), 1e-9, "omega^2 = 3 g / l")
  check.near(last(run, "pivot.force_y"), mass * 9.81 * 2.5, 1e-7, "5/2 of its weight")
end

-- Hooke's joint: omega_2 / omega_1 = cos b / (1 - sin^2 b sin^2 a) between shafts that bend by b, where the first one
-- has turned by a since its arm was normal to both. No bearing holds the second one, which would be a loop: inertia does.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local bend, speed = 0.5, 2
  local s, c = math.sin(bend), math.cos(bend)
  local one = m:body { "one", mass = 1, inertia = { 0.1, 0.1, 0.1 }, angular_velocity = { 0, 0, speed } }
  local two = m:body { "two", mass = 1, inertia = { 1e6, 1e6, 0.01 }, orientation = { math.cos(bend / 2), 0, math.sin(bend / 2), 0 },
                       angular_velocity = { 0, 0, speed * c } }
  local first = m:revolute { "first", m.ground, one, at = { 0, 0, 0 }, axis = "z" }
  m:universal { "cross", one, two, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, axis_b = { c, 0, -s } }
  m:driver { "motor", first.angle, law = function(x) return speed * x.t end }
  local run = m:simulate { t = 1, formulation = joints, integrator = tight }
  check.equal(run.factorizations, 0, "Hooke's joint")
  for _, t in ipairs { 0.3, 0.6, 1 } do
    local ratio = c / (1 - (s * math.sin(speed * t)) ^ 2)
    check.near(run:at("two.omega_z", t), speed * ratio, 1e-6, "Hooke's joint")
  end
end
