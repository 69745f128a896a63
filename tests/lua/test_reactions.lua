-- m:reaction: what a joint does to either of its bodies, along any axes, whichever body was declared first.
local mbs = require "perilune"
local check = require "check"

-- Where a joint slides, the force acts at the place on b: on the ground it turns by its moment about the place on a.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local b = m:body { "b", mass = 1, inertia = 0.1, at = { 0.5, 0 }, velocity = { 1, 0 } }
  local slide = m:translational { "slide", m.ground, b, at = { 0, 0 }, axis = { 1, 0 } }
  m:reaction { "ground", slide, on = m.ground }
  m:reaction { "body", slide, on = b }
  local run = m:simulate { t = 1 }
  for name, expected in pairs { ["ground.force_y"] = -9.81, ["ground.torque"] = -9.81 * 1.5, ["body.force_y"] = 9.81, ["body.torque"] = 9.81 * 0.5 } do
    check.near(run:at(name, 1), expected, 1e-9, name)
  end
end

-- A driven arm in the plane: m (a - g) on it, along itself and across, with the ends in both orders.
for _, in_order in ipairs { true, false } do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local arm = m:body { "arm", mass = 2, inertia = 0.1, at = { 0.5, 0 } }
  local pin = in_order and m:revolute { "pin", m.ground, arm, at = { 0, 0 } } or m:revolute { "pin", arm, m.ground, at = { 0, 0 } }
  m:driver { arm.angle, law = function(s) return 3 * s.t end }
  m:reaction { "along", pin, on = arm, axes = arm }
  m:reaction { "space", pin, on = arm }
  m:reaction { "wall", pin, on = m.ground }
  local run = m:simulate { t = 1 }
  local turn = 3 * 0.7
  check.near(run:at("along.force_x", 0.7), -2 * 0.5 * 9 + 2 * 9.81 * math.sin(turn), 1e-7)
  check.near(run:at("along.force_y", 0.7), 2 * 9.81 * math.cos(turn), 1e-7)
  check.near(run:at("space.force_x", 0.7), -9 * math.cos(turn), 1e-7)
  check.near(run:at("wall.force_y", 0.7), 9 * math.sin(turn) - 2 * 9.81, 1e-7)
end

-- In space: a weld to a body that spins holds a plate; force and torque by Newton and Euler, about its place.
for _, in_order in ipairs { true, false } do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local shaft = m:body { "shaft", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 0 } }
  local hinge = m:revolute { "hinge", m.ground, shaft, at = { 0, 0, 0 }, axis = "z" }
  m:driver { hinge.angle, law = function(s) return 4 * s.t end }
  local plate = m:body { "plate", mass = 2, inertia = { 0.2, 0.3, 0.4 }, at = { 0.6, 0, 0.1 } }
  local weld = in_order and m:weld { "weld", shaft, plate, at = { 0.2, 0, 0 } } or m:weld { "weld", plate, shaft, at = { 0.2, 0, 0 } }
  m:reaction { "on plate", weld, on = plate, axes = plate }
  m:reaction { "on shaft", weld, on = shaft, axes = plate }
  m:reaction { "in space", weld, on = plate }
  local run = m:simulate { t = 0.5 }
  -- About the weld's place the plate's centre is at (0.4, 0, 0.1): F = m a - m g, T = - r x (F acting there, reversed).
  local fx, fz = -2 * 0.6 * 16, 2 * 9.81
  local expected = { force_x = fx, force_y = 0, force_z = fz, torque_x = 0, torque_y = 0.1 * fx - 0.4 * fz, torque_z = 0 }
  for name, value in pairs(expected) do
    check.near(run:at("on plate." .. name, 0.3), value, 1e-7, name)
    check.near(run:at("on shaft." .. name, 0.3), -value, 1e-7, name)
  end
  check.near(run:at("in space.force_x", 0.3), fx * math.cos(1.2), 1e-7)
  check.near(run:at("in space.force_y", 0.3), fx * math.sin(1.2), 1e-7)
end

-- A block slides along a rail in space: on the rail its weight turns about the rail's own place, wherever the block is.
for _, in_order in ipairs { true, false } do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local block = m:body { "block", mass = 2, inertia = { 0.1, 0.1, 0.1 }, at = { 0.5, 0.2, 0 }, velocity = { 1, 0, 0 } }
  local rail = in_order and m:translational { "rail", m.ground, block, at = { 0, 0, 0 }, axis = "x" }
    or m:translational { "rail", block, m.ground, at = { 0, 0, 0 }, axis = "x" }
  m:reaction { "on rail", rail, on = m.ground }
  m:reaction { "on block", rail, on = block }
  local run = m:simulate { t = 1 }
  local weight = 2 * 9.81
  for name, value in pairs { ["on rail.force_z"] = -weight, ["on rail.torque_x"] = -0.2 * weight, ["on rail.torque_y"] = 1.5 * weight,
                             ["on block.force_z"] = weight, ["on block.torque_x"] = 0.2 * weight, ["on block.torque_y"] = -0.5 * weight } do
    check.near(run:at(name, 1), value, 1e-8, name)
  end
end

do
  local m = mbs.model { "refused", gravity = { 0, -9.81 } }
  local arm = m:body { "arm", mass = 2, inertia = 0.1, at = { 0.5, 0 } }
  local other = m:body { "other", mass = 2, inertia = 0.1, at = { 0.5, 1 } }
  local P = m:point { "P", at = { 1, 1 }, mass = 1 }
  local pin = m:revolute { "pin", m.ground, arm, at = { 0, 0 } }
  local spring = m:spring { "spring", arm, P, stiffness = 1 }
  check.fails('"pin" does not act on "other", but between "ground" and "arm"', m.reaction, m, { pin, on = other })
  check.fails('"spring" is no joint with a reaction at a place', m.reaction, m, { spring, on = arm })
  check.fails("joint must be a joint", m.reaction, m, { "R", 5, on = arm })
  check.fails('axes: "P" is a point', m.reaction, m, { pin, on = arm, axes = P })
  local R = m:reaction { "R", pin, on = arm }
  check.fails('reaction "R"', m.remove, m, pin)
  m:remove(R)
  check.fails('reaction "R" was removed', function() return R.force_x end)
end
