-- Tires: forces against their closed forms, energy, derivatives, and slopes and steps of the ground.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"

local R, K, mass, g = 0.3, 2e5, 20, 9.81
local inertia = 0.8
local function new(velocity, spin, tire, orientation)
  local m = mbs.model { gravity = { 0, 0, -g } }
  local wheel = m:body { "wheel", mass = mass, inertia = { 0.4, inertia, 0.4 }, at = { 0, 0, R - mass * g / K },
                         velocity = velocity, angular_velocity = { 0, spin, 0 }, orientation = orientation }
  local fields = { "tire", m.ground, wheel, radius = R, stiffness = K }
  for key, value in pairs(tire or {}) do fields[key] = value end
  return m, wheel, m:tire(fields)
end
local function first(m, what) return m:simulate { t = 1e-6, integrator = mbs.rk4 { step = 1e-6 } }:at(what, 0) end
local r, N = R - mass * g / K, mass * g

-- Rest: the weight is the load, without slip forces; Schaffer's tire has nothing else.
do
  local m, _, tire = new({ 0, 0, 0 }, 0, { friction = 0.9 })
  check.near(first(m, tire.normal_force), N)
  check.near(first(m, tire.deflection), N / K)
  check.near(first(m, tire.longitudinal_force), 0)
  check.near(first(m, tire.lateral_force), 0)
  local schaffer = new({ 0, 0, -0.1 }, 0, { damping = 3502, stiffness = 296325 })
  check.near(first(schaffer, "tire.normal_force"), 296325 * N / K + 3502 * 0.1, 1e-12)
  assert(not pcall(schaffer.signal, schaffer, "tire.slip"))
end

-- Slip and slip angle of Zhu, eqs. 5.7 to 5.10: drive, brake, drift, both within the ellipse, both outside it.
local function forces(vx, vy, spin, mu_y)
  local m, _, tire = new({ vx, vy, 0 }, spin, { friction = 0.9, lateral_friction = mu_y, critical_slip = 0.2,
                                               critical_angle = 0.1 })
  local run = m:simulate { t = 1e-6, integrator = mbs.rk4 { step = 1e-6 } }
  return { run:at(tire.longitudinal_force, 0), run:at(tire.lateral_force, 0), run:at(tire.slip, 0),
           run:at(tire.slip_angle, 0), ax = run:at("wheel.ax", 0), ay = run:at("wheel.ay", 0) }
end
local function expect(got, x, y, what)
  check.near(got[1], x, 1e-9, what .. ", along")
  check.near(got[2], y, 1e-9, what .. ", across")
  check.near(got.ax, x / mass, 1e-8, what .. ", acceleration along")  -- forward is x, left is y
  check.near(got.ay, y / mass, 1e-8, what .. ", acceleration across")
end
expect(forces(10, 0, 10 / r), 0, 0, "rolling")
expect(forces(10, 0, 11 / r), 0.9 * N * 0.5, 0, "drive")
expect(forces(10, 0, 9 / r), -0.9 * N * 0.5, 0, "brake")
expect(forces(10, 0, 0), -0.9 * N, 0, "locked")
expect(forces(-10, 0, -11 / r), -0.9 * N * 0.5, 0, "backward")
expect(forces(10, 10 * math.tan(0.05), 10 / r, 0.7), 0, -0.7 * N * 0.5, "drift")
expect(forces(10, -10 * math.tan(0.4), 10 / r), 0, 0.9 * N, "strong drift")
expect(forces(10, 10 * math.tan(0.05), 11 / r, 0.7), 0.9 * N * 0.5, -0.7 * N * 0.5, "both")
local h = math.sqrt(0.5)
expect(forces(10, 10 * math.tan(0.3), 20 / r, 0.7), 0.9 * N * h, -0.7 * N * h, "both, on the ellipse")
check.near(forces(10, 10 * math.tan(0.05), 11 / r)[3], 0.1, 1e-12, "slip")
check.near(forces(10, 10 * math.tan(0.05), 11 / r)[4], -0.05, 1e-12, "slip angle")

-- A wheel turned by 0.2 rad about z rolls to its own left front; the moment of the longitudinal force spins it.
do
  local a = 0.2
  local m, wheel = new({ 10, 0, 0 }, 10 / r, { friction = 0.9, critical_angle = 0.5 },
                       { math.cos(a / 2), 0, 0, math.sin(a / 2) })
  local along, across = 10 * math.cos(a), -10 * math.sin(a)
  check.near(first(m, "tire.slip_angle"), -math.atan(across / along), 1e-12)
  local drive = 0.9 * N * (10 / along - 1) / 0.1
  check.near(first(m, "tire.longitudinal_force"), drive, 1e-9)
  check.near(first(m, wheel.alpha_y), -drive * r / inertia, 1e-6)
end

-- On a slope of 0.1 the weight splits; a vertical tire takes its height, and pushes up.
do
  local function slope(s) return 0.1 * s.x end
  local n = math.sqrt(1.01)
  local m, wheel = new({ 0, 0, 0 }, 0, { height = slope })
  local depth = R - r / n
  check.near(first(m, "tire.deflection"), depth, 1e-12)
  check.near(first(m, wheel.ax), -0.1 / n * K * depth / mass, 1e-6)
  m, wheel = new({ 0, 0, 0 }, 0, { height = slope, vertical = true })
  check.near(first(m, "tire.deflection"), R - r, 1e-12)
  check.near(first(m, wheel.ax), 0, 1e-12)
  check.near(first(m, wheel.az), 0, 1e-6)
  -- Over a corner the normal of the slope turns at once, the height does not.
  local function corner(s) return 0.1 * math.max(s.x - 0.7, 0) end
  check.fails("or make the tire vertical", new, { 0, 0, 0 }, 0, { height = corner })
  new({ 0, 0, 0 }, 0, { height = corner, vertical = true })
end

-- Energy: what is lost is the dissipation, over a bump, with drift and drive slip; and all derivatives are right.
do
  local m, wheel = new({ 8, 0.3, -0.2 }, 30, { friction = 0.8, lateral_friction = 0.6, damping = 400,
                                               height = function(s) return 0.03 * mbs.smoothstep(s.x, 1, 2) end })
  m:torque { "drive", on = wheel, torque = { 0, 15, 0 }, frame = "body" }
  check.near(m:check_elements(7).worst, 0, 1e-9)
  m:state { "lost", unit = "J", rate = function(s) return m:signal "tire.dissipation" - 15 * wheel.omega_y end }
  local run = m:simulate { t = 0.4, integrator = mbs.dormand_prince { max_step = 1e-4 } }
  local function balance(t) return run:at("energy.total", t) + run:at("lost.value", t) end
  check.near(balance(0.4), balance(0), 1e-7)
  assert(run:at("lost.value", 0.4) ~= 0)
end

-- The ground may be a body: its forces are the opposite.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local deck = m:body { "deck", mass = 50, inertia = { 5, 5, 5 }, velocity = { 1, 0, 0 } }
  local wheel = m:body { "wheel", mass = mass, inertia = { 0.4, inertia, 0.4 }, at = { 0.2, 0.1, 0.299 },
                         velocity = { 4, 0.2, 0 }, angular_velocity = { 0, 12, 0 } }
  m:tire { "tire", deck, wheel, radius = R, stiffness = K, friction = 0.9 }
  local run = m:simulate { t = 0.05, integrator = mbs.rk4 { step = 1e-4 } }
  for _, axis in ipairs { "x", "y", "z" } do
    local function momentum(t) return mass * run:at("wheel.v" .. axis, t) + 50 * run:at("deck.v" .. axis, t) end
    check.near(momentum(0.05), momentum(0), 1e-9)
  end
end

-- A damped tire lands with a jump of its force: gradients follow the event.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local h = m:param { "h", 0.6 }
  local wheel = m:body { "wheel", mass = 20, inertia = { 0.4, 0.8, 0.4 }, at = { 0, 0, h } }
  m:tire { "tire", m.ground, wheel, radius = 0.3, stiffness = 2e5, damping = 800 }
  local height = m:objective { "height", terminal = wheel.z }
  local function value(at)
    h.value = at
    return m:simulate { t = 0.5, objectives = height }.objectives.height
  end
  local difference = (value(0.6001) - value(0.5999)) / 2e-4
  h.value = 0.6
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
    check.near(m:gradient { height, t = 0.5, method = method }.gradient[1], difference, 1e-5)
  end
  check.equal(m:simulate { t = 0.5 }.events[1].what, "tire.gap")
end
