-- The constant-velocity joint against what makes it one: equal rates at every bend, where a universal joint's
-- fluctuate; its reaction against Newton and Euler; gradients; and the branch half a turn away.
local mbs = require "perilune"
local check = require "check"

local pi, sin, cos = math.pi, math.sin, math.cos

-- Two shafts in the x-z plane that meet in the origin at the angle `bend`, the first driven by a law; no constraint too
-- many. And the rate of the second about itself.
local function shafts(bend, joint, law, kind)
  local m = mbs.model { "shafts", gravity = { 0, 0, 0 } }
  local out = { sin(bend), 0, cos(bend) }
  local one = m:body { "one", mass = 1, inertia = { 0.02, 0.03, 0.04 }, at = { 0, 0, -0.5 } }
  local two = m[kind or "body"](m, { "two", mass = 1, inertia = { 0.05, 0.05, 0.05 }, at = { 0, 0, 0 } })
  local hinge = m:revolute { "hinge", m.ground, one, at = { 0, 0, -1 }, axis = "z" }
  m:parallel_axes { "bearing", m.ground, two, axis = out }
  if joint == "universal" then
    m:universal { "joint", one, two, at = { 0, 0, 0 }, axis = "y", axis_b = { cos(bend), 0, -sin(bend) } }
  else
    m:constant_velocity { "joint", one, two, at = { 0, 0, 0 }, axis = "z", axis_b = out }
  end
  m:driver { "motor", hinge.angle, law = law }
  local run = m:kinematics { t = 4, points = 41 }
  return run, function(t) return sin(bend) * run:at("two.omega_x", t) + cos(bend) * run:at("two.omega_z", t) end
end

for _, kind in ipairs { "body", "natural_body" } do
  for degrees = 0, 40, 10 do
    local bend = degrees * pi / 180
    local function law(s) return 2 * s.t + 0.3 * s.t ^ 2 end
    local run, rate_of = shafts(bend, "constant_velocity", law, kind)
    local _, other_rate = shafts(bend, "universal", law, kind)
    local lowest, highest = math.huge, -math.huge
    for i = 0, 40 do
      local t = i / 10
      local rate, turn = 2 + 0.6 * t, 2 * t + 0.3 * t ^ 2
      check.near(rate_of(t) / rate, 1, 1e-11, ("%s at %d degrees"):format(kind, degrees))
      -- Both shafts gain speed alike, and the joint takes no power.
      check.near(run:at("motor.force", t), (0.04 + 0.05) * 0.6, 1e-9, "torque of the motor")
      local ratio = other_rate(t) / rate
      check.near(ratio, cos(bend) / (1 - (sin(bend) * sin(turn)) ^ 2), 1e-10, "universal")
      lowest, highest = math.min(lowest, ratio), math.max(highest, ratio)
    end
    if degrees > 0 then assert(highest - lowest > 0.9 * (1 / cos(bend) - cos(bend)), "a universal joint fluctuates") end
  end
end

-- The joint's torque on b lies along the bisector of the shafts: with lambda from the torque that drives b about its
-- shaft, its component across is known. The joint's axes are those of a, which turn.
do
  local bend = 0.6
  local run = shafts(bend, "constant_velocity", function(s) return 0.4 * s.t ^ 2 end)
  for i = 0, 20 do
    local t = i / 10
    local angle = 0.4 * t ^ 2
    local x, y, z = run:at("joint.torque_x", t), run:at("joint.torque_y", t), run:at("joint.torque_z", t)
    local along_x, along_y = x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
    check.near(along_x * sin(bend) + z * cos(bend), 0.05 * 0.8, 1e-9, "Euler about the driven shaft")
    check.near(z, 0.05 * 0.8, 1e-9, "and as much about the driving one")
    check.near(along_y, 0, 1e-9, "none across the plane of the shafts")
  end
end

-- A body that hangs on the joint alone: force and torque of the joint are what Newton and Euler ask for.
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
do
  local mass, J = 1.3, { 0.02, 0.03, 0.05 }
  for _, kind in ipairs { "body", "natural_body" } do
    local m = mbs.model { "hanging", gravity = { 0, 0, -9.81 } }
    local b = m[kind](m, { "b", mass = mass, inertia = J, at = { 0.3, 0.1, 0 }, velocity = { -0.1, 0.3, -0.15 },
                           angular_velocity = { 0, 0.5, 1 } })
    m:constant_velocity { "joint", m.ground:marker { at = { 0, 0, 0 }, axis = "x", x_axis = "y" },
                          b:marker { at = { -0.3, -0.1, 0 }, axis = "x", x_axis = "y" } }
    assert(m:mobility().degrees_of_freedom == 2)
    local run = m:simulate { t = 0.5, integrator = mbs.rk4 { step = 1e-3 } }
    for _, t in ipairs { 0.1, 0.25, 0.4 } do
      local function three(what)
        local out = {}
        for k, axis in ipairs { "x", "y", "z" } do out[k] = run:at(what:format(axis), t) end
        return out
      end
      local function in_space(v) return { v[3], v[1], v[2] } end  -- from the marker's x, y, z
      local force, torque = in_space(three "joint.force_%s"), in_space(three "joint.torque_%s")
      local at, a = three "b.%s", three "b.a%s"
      for k = 1, 3 do
        check.near(force[k], mass * (a[k] + (k == 3 and 9.81 or 0)), 1e-8, kind .. ": Newton")
      end
      -- About the centre of mass, in the body frame.
      local arm = cross({ -at[1], -at[2], -at[3] }, force)
      local u, v, w
      if kind == "natural_body" then
        u, v, w = three "b.u_%s", three "b.v_%s", three "b.w_%s"
      else
        local e0, e1, e2, e3 = run:at("b.e0", t), run:at("b.e1", t), run:at("b.e2", t), run:at("b.e3", t)
        u = { 1 - 2 * (e2 ^ 2 + e3 ^ 2), 2 * (e1 * e2 + e0 * e3), 2 * (e1 * e3 - e0 * e2) }
        v = { 2 * (e1 * e2 - e0 * e3), 1 - 2 * (e1 ^ 2 + e3 ^ 2), 2 * (e2 * e3 + e0 * e1) }
        w = cross(u, v)
      end
      local omega, alpha = three "b.omega_%s", three "b.alpha_%s"
      local gyroscopic = cross(omega, { J[1] * omega[1], J[2] * omega[2], J[3] * omega[3] })
      for k, axis in ipairs { u, v, w } do
        local moment = 0
        for i = 1, 3 do moment = moment + axis[i] * (torque[i] + arm[i]) end
        check.near(moment, J[k] * alpha[k] + gyroscopic[k], 1e-7, kind .. ": Euler")
      end
    end
    check.near(run:at("energy.total", 0.5), run:at("energy.total", 0), 1e-8, kind .. ": energy")
    assert(run:at("constraint.drift", 0.5) < 1e-9)
  end
end

-- Gradients by all methods and the differences of whole runs agree; the bend is a parameter, one body in natural
-- coordinates.
do
  local m = mbs.model { "bent", gravity = { 0, 0, -9.81 } }
  local lean, reach = m:param { "lean", 0.4 }, m:param { "reach", 0.3, unit = "m" }
  local one = m:body { "one", mass = 1, inertia = { 0.02, 0.03, 0.04 }, at = { 0, 0, 0 } }
  local two = m:natural_body { "two", mass = 1.5, inertia = { 0.05, 0.04, 0.03 }, at = { reach, 0.1, 0.4 } }
  local hinge = m:revolute { "hinge", m.ground, one, at = { 0, 0, -1 }, axis = "z" }
  m:constant_velocity { "joint", one, two, at = { 0, 0, 0 }, axis = "z", axis_b = { lean, 0.1, 1 } }
  m:torsion_spring { "spring", on = hinge, stiffness = 2, damping = 0.1 }
  local cost = m:objective { "cost", integral = two.x ^ 2 + 0.01 * m:signal "joint.torque_z" ^ 2, terminal = two.z }
  local found = m:check_gradient { cost, t = 0.3, integrator = mbs.rk4 { step = 0.01 } }
  assert(#found > 4 and found.worst < 1e-5, tostring(found))
end

-- Half a turn away the same equation holds, and means something else.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local b = m:body { "b", mass = 1, inertia = { 1, 1, 1 } }
  local wall = m.ground:marker { at = { 0, 0, 0 }, axis = "z", x_axis = "x" }
  local twisted = 'constant_velocity "back": the two markers are twisted by a right angle or more about their z axes'
  check.fails(twisted, function()
    m:constant_velocity { "back", wall, b:marker { at = { 0, 0, 0 }, axis = "z", x_axis = { -1, 0, 0 } } }
  end)
  check.fails("turn a marker or a body so that their x axes nearly agree", function()
    m:constant_velocity { "across", wall, b:marker { at = { 0, 0, 0 }, axis = "z", x_axis = { -0.1, 1, 0 } } }
  end)
  m:constant_velocity { "nearly", wall, b:marker { at = { 0, 0, 0 }, axis = "z", x_axis = { 0.1, 1, 0 } } }
  check.fails('constant_velocity "flat": there is no such joint in a planar model', function()
    local plane = mbs.model { gravity = { 0, 0 } }
    plane:constant_velocity { "flat", plane.ground, plane:body { "b", mass = 1, inertia = 1 }, at = { 0, 0 } }
  end)
end
