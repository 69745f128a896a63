-- Supports that move as told: against the same mechanisms in moving frames, forces by hand, and drivers on a heavy body.
local mbs = require "perilune"
local check = require "check"
local precise = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 }
local forms = { nil, mbs.index1 { project = true }, mbs.maggi {}, mbs.coordinate_partitioning {} }

-- A pendulum on a hinge that is accelerated sideways hangs as under a gravity that is inclined; the support carries what it
-- carries.
for k = 1, 4 do
  local a = 3
  local m = mbs.model { "train", gravity = { 0, -9.81 } }
  local train = m:support { "train", law = function(s) return a / 2 * s.t^2, 0 end }
  local rod = m:body { "rod", mass = 2, inertia = 0.2, at = { 0, -0.5 } }
  m:revolute { "hinge", train, rod, at = { 0, 0 } }
  local still = mbs.model { "still", gravity = { -a, -9.81 } }
  local other = still:body { "rod", mass = 2, inertia = 0.2, at = { 0, -0.5 } }
  still:revolute { "hinge", still.ground, other, at = { 0, 0 } }
  local run = m:simulate { t = 1.3, formulation = forms[k], integrator = precise }
  local expected = still:simulate { t = 1.3, formulation = mbs.maggi {}, integrator = precise }
  assert(#run.warnings == 0, run.warnings[1])
  check.near(run:at("rod.angle", 1.3), expected:at("rod.angle", 1.3), 1e-8)
  check.near(run:at("rod.x", 1.3) - a / 2 * 1.3^2, expected:at("rod.x", 1.3), 1e-8)
  check.near(run:at("train.x", 1.3), a / 2 * 1.3^2, 1e-12)
  check.near(run:at("train.force_x", 1.3), 2 * run:at("rod.ax", 1.3), 1e-6)
  check.near(run:at("train.force_y", 1.3), 2 * (run:at("rod.ay", 1.3) + 9.81), 1e-6)
  check.near(run:at("train.torque", 1.3), 0, 1e-8)
end

-- A turntable with a slot, in the plane and in space: a bead without friction goes out as cosh, and the torque is that of its
-- Coriolis force. Its derivatives by the speed, direct and adjoint, are those of the closed form.
for _, dimension in ipairs { 2, 3 } do
  local in_space = dimension == 3
  local m = mbs.model { "slot", gravity = in_space and { 0, 0, 0 } or { 0, 0 } }
  local w = m:param { "w", 2, unit = "rad/s" }
  local plate = m:support { "plate", angle = function(s) return w * s.t end }
  local at = in_space and { 0.1, 0, 0 } or { 0.1, 0 }
  local bead = m:body { "bead", mass = 0.3, inertia = in_space and { 1e-3, 1e-3, 1e-3 } or 1e-3, at = at,
                        velocity = in_space and { 0, 0.1 * w, 0 } or { 0, 0.1 * w },
                        angular_velocity = in_space and { 0, 0, w } or w }
  m:translational { "slot", plate, bead, at = at, axis = in_space and { 1, 0, 0 } or { 1, 0 } }
  local far = m:objective { "far", terminal = bead.x^2 + bead.y^2 }
  local t = 1.1
  for k = 1, 4 do
    local run = m:simulate { t = t, formulation = forms[k], integrator = precise, objectives = far }
    assert(#run.warnings == 0, run.warnings[1])
    local r, rate = 0.1 * math.cosh(2 * t), 0.1 * 2 * math.sinh(2 * t)
    check.near(run.objectives.far, r^2, 1e-8)
    local torque = in_space and "plate.torque_z" or "plate.torque"
    check.near(run:at(torque, t), 2 * 0.3 * r * rate * 2, 1e-6)
    check.near(run:at("plate.force_x", t), run:at("bead.ax", t) * 0.3, 1e-6)
    for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
      check.near(m:gradient { far, over = w, method = method }.gradient[1], 2 * r * 0.1 * t * math.sinh(2 * t), 1e-7)
    end
  end
end

-- About an axis that is inclined, by several turns, with something heavy welded to it: force and torque by Newton and Euler,
-- as measured on a heavy body that is driven by a hinge.
do
  local axis = { 1 / 3, 2 / 3, 2 / 3 }
  local function law(s) return 8 * s.t + 0.5 * math.sin(3 * s.t) end
  local m = mbs.model { "rotor", gravity = { 0, 0, -9.81 } }
  local hub = m:support { "hub", law = function(s) return 0.1 * s.t^2, 0.2, -0.3 * s.t end, angle = law, axis = axis }
  local blade = m:body { "blade", mass = 4, inertia = { 0.1, 0.3, 0.35 }, at = { 0.5, 0.4, 0 } }
  m:weld { "weld", hub, blade, at = { 0, 0.2, 0 } }
  local t = 2.1
  local run = m:simulate { t = t, formulation = mbs.index1 { project = true }, integrator = precise }
  local function of(name) return run:at(name, t) end
  for _, k in ipairs { "x", "y", "z" } do
    check.near(of("hub.force_" .. k), 4 * (of("blade.a" .. k) + (k == "z" and 9.81 or 0)), 1e-5)
  end
  local turned = law { t = t } % (2 * math.pi)
  local e0, size = of "hub.e0", math.sqrt(of "hub.e1"^2 + of "hub.e2"^2 + of "hub.e3"^2)
  check.near(math.cos(turned), 2 * e0^2 - 1, 1e-8)
  check.near(size^2 + e0^2, 1, 1e-9)
  -- The power of force and torque is the rate of the energy.
  local h = 1e-3
  local function energy(x) return run:at("energy.total", x) end
  local power = of "hub.force_x" * of "hub.vx" + of "hub.force_y" * of "hub.vy" + of "hub.force_z" * of "hub.vz"
  local speed = 8 + 1.5 * math.cos(3 * t)
  for i, k in ipairs { "x", "y", "z" } do power = power + of("hub.torque_" .. k) * speed * axis[i] end
  check.near(power, (energy(t) - energy(t - h)) / h, 0.02 * math.abs(power))
end
