-- Joints, couplings and drivers of whole mechanisms against closed forms and calculations by hand.
local mbs = require "perilune"
local check = require "check"

local g = 9.81
local pi, sin, cos, sqrt = math.pi, math.sin, math.cos, math.sqrt

-- A slider-crank driven by a law of time: position, velocity and acceleration of the slider in closed form, and the
-- motor's torque from the balance of power.
do
  local r, l, mass = 0.1, 0.35, 2.5
  local m = mbs.model { gravity = { 0, 0 } }
  local crank = m:body { "crank", mass = 1, inertia = 0.02, at = { 0, 0 } }
  local rod = m:body { "rod", mass = 1e-9, inertia = 1e-12, at = { r + l / 2, 0 } }
  local slider = m:body { "slider", mass = mass, inertia = 0.01, at = { r + l, 0 } }
  local hinge = m:revolute { "hinge", m.ground, crank, at = { 0, 0 } }
  m:revolute { "pin", crank, rod, at = { r, 0 } }
  m:revolute { "wrist", rod, slider, at = { r + l, 0 } }
  local guide = m:translational { "guide", m.ground, slider, at = { r + l, 0 }, axis = "x" }
  local w, e = 3, 0.4
  m:driver { "motor", hinge.angle, law = function(s) return w * s.t + e * math.sin(2 * s.t) end }
  local run = m:kinematics { t = 2, points = 41 }
  for i = 0, 40 do
    local t = i / 20
    local a, a1, a2 = w * t + e * sin(2 * t), w + 2 * e * cos(2 * t), -4 * e * sin(2 * t)
    local root = sqrt(l ^ 2 - (r * sin(a)) ^ 2)
    local x = r * cos(a) + root
    local slope = -r * sin(a) - r ^ 2 * sin(a) * cos(a) / root
    local bend = -r * cos(a) - r ^ 2 * (cos(a) ^ 2 - sin(a) ^ 2) / root - r ^ 4 * sin(a) ^ 2 * cos(a) ^ 2 / root ^ 3
    check.near(run:at("hinge.angle", t), a, 1e-12, "angle")
    check.near(run:at("slider.x", t), x, 1e-12, "position")
    check.near(run:at("slider.vx", t), slope * a1, 1e-12, "velocity")
    local ax = slope * a2 + bend * a1 ^ 2
    check.near(run:at("slider.ax", t), ax, 1e-12, "acceleration")
    check.near(run:at("guide.displacement", t), x - r - l, 1e-12, "displacement")
    -- power of the motor: kinetic energy of the crank and the slider
    check.near(run:at("motor.power", t), 0.02 * a1 * a2 + mass * slope * a1 * ax, 1e-6, "power")
    check.near(run:at("motor.force", t) * a1, run:at("motor.power", t), 1e-10, "torque")
    -- the pin's force on the rod, which carries the slider; along the axes of the crank, which turn
    local along = run:at("pin.force_x", t) * cos(a) - run:at("pin.force_y", t) * sin(a)
    check.near(along, mass * ax, 1e-6, "force of the pin")
  end
end

-- Reactions of a loaded cantilever, in the plane and in space: weight and its moment.
do
  local m = mbs.model { gravity = { 0, -g } }
  local beam = m:body { "beam", mass = 3, inertia = 0.4, at = { 0.7, 0 } }
  local clamp = m:weld { "clamp", m.ground, beam, at = { 0, 0 } }
  local run = m:kinematics { t = 0.1, points = 2 }
  check.near(run:at("clamp.force_y", 0), 3 * g)
  check.near(run:at("clamp.force_x", 0), 0)
  check.near(run:at("clamp.torque", 0), 3 * g * 0.7)
  assert(clamp.force_y)

  local s = mbs.model { gravity = { 0, 0, -g } }
  local arm = s:body { "arm", mass = 3, inertia = { 0.1, 0.4, 0.4 }, at = { 0.7, 0.2, 0 } }
  s:weld { "clamp", s.ground, arm, at = { 0, 0, 0.1 } }
  local still = s:kinematics { t = 0.1, points = 2 }
  -- force up, torque r x (-F) reversed: the clamp balances (0.7, 0.2) x (0, 0, -mg) = (-0.2, 0.7) mg
  for name, value in pairs { force_x = 0, force_y = 0, force_z = 3 * g, torque_x = 0.2 * 3 * g, torque_y = -0.7 * 3 * g, torque_z = 0 } do
    check.near(still:at("clamp." .. name, 0), value, 1e-11, name)
  end
end

-- The same reactions from either order of the ends, in the frame of a marker, and on natural-coordinate bodies.
do
  for _, kind in ipairs { "body", "natural_body" } do
    for order = 1, 2 do
      local m = mbs.model { gravity = { 0, 0, -g } }
      local arm = m[kind](m, { "arm", mass = 2, inertia = { 0.1, 0.3, 0.3 }, at = { 0.5, 0, 0 } })
      -- a marker turned by 30 degrees about y
      local axis, x = { sin(pi / 6), 0, cos(pi / 6) }, { cos(pi / 6), 0, -sin(pi / 6) }
      local wall = m.ground:marker { at = { 0, 0, 0 }, axis = axis, x_axis = x }
      local root = arm:marker { at = { -0.5, 0, 0 }, axis = axis, x_axis = x }
      m:weld { "clamp", order == 1 and wall or root, order == 1 and root or wall }
      local run = m:kinematics { t = 0.1, points = 2 }
      local sign = order == 1 and 1 or -1
      check.near(run:at("clamp.force_z", 0), sign * 2 * g * cos(pi / 6), 1e-11, kind .. " force z")
      check.near(run:at("clamp.force_x", 0), -sign * 2 * g * sin(pi / 6), 1e-11, kind .. " force x")
      check.near(run:at("clamp.torque_y", 0), -sign * 2 * g * 0.5, 1e-11, kind .. " torque y")
    end
  end
end

-- A beam on a hinge and a roller: the lever rule.
do
  local m = mbs.model { gravity = { 0, -g } }
  local beam = m:body { "beam", mass = 10, inertia = 1, at = { 0.8, 0 } }
  m:revolute { "hinge", m.ground, beam, at = { 0, 0 } }
  m:point_on_line { "roller", m:ground { at = { 2, 0 } }, beam:point { 1.2, 0 }, axis = "x" }
  local run = m:kinematics { t = 0.1, points = 2 }
  check.near(run:at("roller.force_y", 0), 10 * g * 0.8 / 2)
  check.near(run:at("hinge.force_y", 0), 10 * g * 1.2 / 2)
end

-- A flywheel that falls on a screw: m g = (m + J (2 pi / lead)^2) a.
for _, kind in ipairs { "body", "natural_body" } do
  local m = mbs.model { gravity = { 0, 0, -g } }
  local lead = 0.05
  local wheel = m[kind](m, { "wheel", mass = 4, inertia = { 0.02, 0.02, 0.03 } })
  local thread = m:screw { "thread", m.ground, wheel, at = { 0, 0, 0 }, axis = "z", lead = lead }
  local on = m:reaction { "on", thread, on = wheel }
  local run = m:simulate { t = 0.5, formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 1e-3 } }
  local a = -g * 4 / (4 + 0.03 * (2 * pi / lead) ^ 2)
  check.near(run:at("wheel.z", 0.5), a * 0.5 ^ 2 / 2, 1e-9, "fall")
  check.near(run:at("thread.displacement", 0.5), a * 0.5 ^ 2 / 2, 1e-9, "displacement")
  check.near(run:at("thread.angle", 0.5), 2 * pi / lead * a * 0.5 ^ 2 / 2, 1e-9, "full turns")
  check.near(run:at(on.force_z, 0.5), 4 * (g + a), 1e-9, "what the thread carries")
  check.near(run:at(on.torque_z, 0.5), 0.03 * 2 * pi / lead * a, 1e-9, "what turns the wheel")
end

-- A gear train of three shafts in space, the first driven by a torque: the inertias as seen by it, and many turns.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local joints, J, ratio = {}, { 0.1, 0.4, 0.9 }, { -0.5, -0.25 }
  local shafts = {}
  for i = 1, 3 do
    shafts[i] = m:body { "s" .. i, mass = 1, inertia = { 1, 1, J[i] }, at = { i, 0, 0 } }
    joints[i] = m:revolute { "j" .. i, m.ground, shafts[i], at = { i, 0, 0 }, axis = "z" }
  end
  m:gear { "first", joints[1], joints[2], ratio = ratio[1] }
  m:gear { "second", joints[2], joints[3], ratio = ratio[2] }
  m:force { "motor", on = shafts[1], torque = function(s) return 0, 0, 5 end }
  local seen = J[1] + J[2] * ratio[1] ^ 2 + J[3] * (ratio[1] * ratio[2]) ^ 2
  local run = m:simulate { t = 2, formulation = mbs.index1 { alpha = 10, beta = 10 }, integrator = mbs.rk4 { step = 2e-3 } }
  local angle = 5 / seen * 2 ^ 2 / 2
  assert(angle > 6 * 2 * pi)
  check.near(run:at("j1.angle", 2), angle, 1e-6)
  check.near(run:at("j2.angle", 2), angle * ratio[1], 1e-6)
  check.near(run:at("j3.angle", 2), angle * ratio[1] * ratio[2], 1e-6)
  check.near(run:at("j3.omega", 2), 5 / seen * 2 * ratio[1] * ratio[2], 1e-6)
end

-- A belt, and a rack that a weight pulls through its pinion.
do
  local m = mbs.model { gravity = { 0, -g } }
  local one = m:body { "one", mass = 1, inertia = 0.1 }
  local two = m:body { "two", mass = 1, inertia = 0.4, at = { 0.3, 0 } }
  local rack = m:body { "rack", mass = 2, inertia = 0.1, at = { 0.5, 0 } }
  local j1 = m:revolute { "j1", m.ground, one, at = { 0, 0 } }
  local j2 = m:revolute { "j2", m.ground, two, at = { 0.3, 0 } }
  local slide = m:translational { "slide", m.ground, rack, at = { 0.5, 0 }, axis = "y" }
  m:belt { "belt", j1, j2, radius_a = 0.05, radius_b = 0.15, crossed = true }
  m:rack_and_pinion { j2, slide, radius = 0.2 }
  local run = m:simulate { t = 1, formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 1e-2 } }
  local a = -2 * g / (2 + 0.4 / 0.2 ^ 2 + 0.1 * 3 ^ 2 / 0.2 ^ 2)
  check.near(run:at("slide.displacement", 1), a / 2, 1e-10)
  check.near(run:at("j2.angle", 1), a / 2 / 0.2, 1e-10)
  check.near(run:at("j1.angle", 1), -3 * a / 2 / 0.2, 1e-10)
end

-- The speed ratio of a universal joint at an angle of 40 degrees: omega_2 / omega_1 = cos b / (1 - sin(b)^2 sin(t)^2),
-- with t counted from where the driving arm of the cross is normal to the plane of the shafts.
do
  local b = 40 * pi / 180
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local one = m:body { "one", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, -0.5 } }
  local two = m:body { "two", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 0 } }
  local out = { sin(b), 0, cos(b) }  -- shafts in the x-z plane
  local j1 = m:revolute { "j1", m.ground, one, at = { 0, 0, -1 }, axis = "z" }
  local j2 = m:revolute { "j2", m.ground, two, at = { sin(b), 0, cos(b) }, axis = out }
  -- driving arm y, normal to the plane of the shafts; driven arm in the plane, normal to the driven shaft
  m:perpendicular_axes { "cross", one, two, axis = "y", axis_b = { cos(b), 0, -sin(b) } }
  m:driver { j1.angle, law = function(s) return 2 * s.t end }
  local run = m:kinematics { t = 4, points = 81 }
  for i = 0, 80 do
    local t = i / 20
    local turn = 2 * t
    check.near(run:at("j2.omega", t) / 2, cos(b) / (1 - sin(b) ^ 2 * sin(turn) ^ 2 ), 1e-10, "ratio at " .. turn)
  end
end

-- Every spatial joint leaves the degrees of freedom that its name promises, between all kinds of bodies.
do
  local freedom = { weld = 0, revolute = 1, translational = 1, cylindrical = 2, screw = 1, spherical = 3, universal = 2,
    constant_velocity = 2, planar = 3, point_on_line = 4, point_on_plane = 5, parallel_axes = 4,
    perpendicular_axes = 5, dot1 = 5, dot2 = 5,
    distance = 5 }
  local kinds = { "body", "natural_body" }
  for joint, count in pairs(freedom) do
    for _, kind in ipairs(kinds) do
      for _, other in ipairs { "ground", "body", "natural_body" } do
        local m = mbs.model { gravity = { 0, 0, -g } }
        local b = m[kind](m, { "b", mass = 1, inertia = { 1, 1.1, 1.2 }, at = { 0.3, 0.4, 0.5 } })
        local a = other == "ground" and m.ground or m[other](m, { "a", mass = 1, inertia = { 1, 1.1, 1.2 }, at = { -0.3, 0.1, 0 } })
        local fields = { "joint", a, b }
        if joint == "distance" or joint == "dot2" then
          fields[3] = b:marker { at = { 0.1, 0, 0.3 } }
          if other == "ground" then fields[2] = m:ground { at = { 0, 0, 0.1 } } end
        elseif joint ~= "parallel_axes" and joint ~= "perpendicular_axes" and joint ~= "dot1" then
          fields.at = { 0, 0, 0 }
        end
        if joint ~= "weld" and joint ~= "spherical" and joint ~= "distance" then fields.axis = "z" end
        if joint == "universal" or joint == "perpendicular_axes" or joint == "dot1" then fields.axis_b = "x" end
        if joint == "screw" then fields.lead = 0.1 end
        m[joint](m, fields)
        local found = m:mobility()
        local expected = count + (other == "ground" and 0 or 6)
        check.equal(found.degrees_of_freedom, expected, joint .. " of " .. kind .. " and " .. other)
        check.equal(#found.redundant, 0, joint .. " of " .. kind .. " and " .. other .. ": redundant")
      end
    end
  end
end

-- A double wishbone suspension from rough points: the upper arm turns about an axis in the chassis, and the upright is
-- carried by two ball joints and a track rod. The hard points of the arms keep their distances.
do
  local m = mbs.model { gravity = { 0, 0, -g } }
  local lower = m:body { "lower", mass = 3, inertia = { 0.1, 0.05, 0.1 }, at = { 0, 0.25, 0.2 } }
  local upper = m:body { "upper", mass = 2, inertia = { 0.05, 0.03, 0.05 }, at = { 0.02, 0.32, 0.5 } }
  local upright = m:body { "upright", mass = 8, inertia = { 0.3, 0.2, 0.3 }, at = { 0.01, 0.55, 0.36 } }
  m:revolute { "lower_axis", m.ground, lower, at = { 0, 0, 0.2 }, axis = "x" }
  m:revolute { "upper_axis", m.ground, upper, at = { 0, 0.1, 0.5 }, axis = { 1, 0, 0.05 } }
  -- the ball joints do not meet as drawn: off by centimetres
  m:spherical { "lower_ball", lower:point { 0, 0.27, 0.01 }, upright:point { 0, -0.02, -0.15 } }
  m:spherical { "upper_ball", upper:point { 0, 0.2, -0.02 }, upright:point { 0, 0.01, 0.16 } }
  m:distance { "track_rod", m:ground { at = { -0.12, 0.1, 0.3 } }, upright:point { -0.12, -0.02, -0.06 }, length = 0.46 }
  local found = m:mobility()
  check.equal(found.degrees_of_freedom, 1, "a suspension moves in one way")
  m:spring { "strut", m:ground { at = { 0, 0.2, 0.7 } }, lower:point { 0, 0.15, 0 }, stiffness = 3e4, free_length = 0.62, damping = 2e3 }
  local run = m:equilibrium {}
  check.near(run:at("constraint.drift", 0), 0, 1e-12)
  -- In equilibrium the strut carries the three weights by the virtual work of a small motion; here: no acceleration.
  local still = m:simulate { from = run, t = 0.2, formulation = mbs.index1 { alpha = 20, beta = 20 }, integrator = mbs.rk4 { step = 1e-3 } }
  check.near(still:at("upright.z", 0.2), run:at("upright.z", 0), 1e-9)
end

-- Forces act on markers as on any place of the body, and laws read the body's motion there.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local b = m:body { "b", mass = 2, inertia = { 1, 1, 0.5 }, angular_velocity = { 0, 0, 1 } }
  local edge = b:marker { "edge", at = { 0, 0.5, 0 } }
  m:force { "brake", on = edge, torque = function(s) return 0, 0, -0.25 * s.omega_z end }
  local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-2 } }
  check.near(run:at("b.omega_z", 1), math.exp(-0.5), 1e-8)
  check.fails('both ends are on "b"', m.distance, m, { edge, b:marker {} })
end

print "joints: ok"
