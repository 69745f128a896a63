-- Angles of joints: full turns, drives that start far from the declared position, markers declared with full turns or
-- with opposite axes, couplings on moving carriers.
local mbs = require "perilune"
local check = require "check"

local pi, sin, cos = math.pi, math.sin, math.cos

-- Markers whose angles differ by full turns are together as declared: nothing moves in assembly.
for _, joint in ipairs { "weld", "revolute", "translational" } do
  for _, angle in ipairs { 1.5 * pi, -0.5 * pi, 6.5 * pi } do
    for _, declared in ipairs { 0.2, 7 } do
      local m = mbs.model { gravity = { 0, 0 } }
      local a = m:body { "a", mass = 1, inertia = 1, angle = 0.1 }
      local b = m:body { "b", mass = 1, inertia = 1, at = { 1, 0 }, angle = declared }
      -- one marker, and a whole body that takes over its axes
      m[joint](m, { "J", a:marker { at = { cos(0.1), -sin(0.1) }, angle = angle }, b })
      -- two markers
      local c = m:body { "c", mass = 1, inertia = 1, at = { 1, 0 }, angle = declared }
      m[joint](m, { "K", b:marker { angle = angle }, c:marker { angle = angle - 4 * pi } })
      local run = m:simulate { t = 0.01 }
      check.near(run:at("a.angle", 0), 0.1)
      for _, name in ipairs { "b", "c" } do
        check.near(run:at(name .. ".angle", 0), declared)
        check.near(run:at(name .. ".x", 0), 1)
        check.near(run:at(name .. ".y", 0), 0)
      end
      if joint == "revolute" then check.near(run:at("J.angle", 0), 0) end
    end
  end
end

-- A drive from far away, through a gear, from either order of the ends: the angles keep their turns.
for _, kind in ipairs { "body", "natural_body" } do
  for order = 1, 2 do
    for _, start in ipairs { 3, -9, 20, -50, 300 } do
      local m = mbs.model { gravity = { 0, 0, -9.81 } }
      local b = m[kind](m, { "b", mass = 2, inertia = { 0.2, 0.1, 0.2 }, at = { 0.5, 0, 0 } })
      local c = m[kind](m, { "c", mass = 2, inertia = { 0.2, 0.1, 0.2 }, at = { 1.5, 0, 0 } })
      local j = m:revolute { "j", order == 1 and m.ground or b, order == 1 and b or m.ground, at = { 0, 0, 0 }, axis = "y" }
      local k = m:revolute { "k", b, c, at = { 1, 0, 0 }, axis = "y" }
      m:gear { j, k, ratio = -2 }
      m:driver { "motor", j.angle, law = function(s) return start + s.t end }
      local run = m:kinematics { t = 20, points = 3 }
      for _, t in ipairs { 0, 9.9, 20 } do
        local turn = order == 1 and start + t or -start - t
        local second = turn - 2 * (start + t)
        check.near(run:at("j.angle", t), start + t, 1e-12)
        check.near(run:at("k.angle", t), -2 * (start + t), 1e-12)
        check.near(run:at("b.x", t), 0.5 * cos(turn), 1e-10, kind .. " driven from " .. start)
        check.near(run:at("b.z", t), -0.5 * sin(turn), 1e-10)
        check.near(run:at("c.x", t), cos(turn) + 0.5 * cos(second), 1e-10)
        check.near(run:at("c.z", t), -sin(turn) - 0.5 * sin(second), 1e-10)
      end
    end
  end
end

-- Axes declared in opposite directions: the angle, and with it the thread, is about the axis of a for all kinds.
for _, kind_a in ipairs { "ground", "body", "natural_body" } do
  for _, kind_b in ipairs { "ground", "body", "natural_body" } do
    if kind_a ~= "ground" or kind_b ~= "ground" then
      local m = mbs.model { gravity = { 0, 0, 0 } }
      local function object(name, kind)
        return kind == "ground" and m.ground or m[kind](m, { name, mass = 1, inertia = { 1, 1, 1 } })
      end
      local a, b = object("a", kind_a), object("b", kind_b)
      if kind_a ~= "ground" and kind_b ~= "ground" then m:weld { m.ground, a, at = { 0, 0, 0 } } end
      local thread = m:screw { "thread", a:marker { axis = "z", x_axis = "x" },
                               b:marker { axis = { 0, 0, -1 }, x_axis = "x" }, lead = 0.1 }
      m:driver { thread.angle, law = function(s) return 2 * pi * s.t end }
      local run = m:kinematics { t = 3 }
      local moves, sign = kind_b == "ground" and "a" or "b", kind_b == "ground" and -1 or 1
      local about = kind_a .. " and " .. kind_b
      check.near(run:at(moves .. ".omega_z", 1), sign * 2 * pi, 1e-10, "turning of " .. about)
      check.near(run:at("thread.displacement", 3), 0.3, 1e-10, "advance of " .. about)
      check.near(run:at(moves .. ".z", 3), sign * 0.3, 1e-10, "advance of " .. about)
    end
  end
end

-- A planetary set, in the plane and in space: the ring stands still, the sun is driven by a torque, the carrier
-- follows with z_s / (z_s + z_r) of its speed.
for _, kind in ipairs { "planar", "body", "natural_body" } do
  local spatial = kind ~= "planar"
  local function at(x) return spatial and { x, 0, 0 } or { x, 0 } end
  local m = mbs.model { gravity = spatial and { 0, 0, 0 } or { 0, 0 } }
  local function body(name, J, x)
    return m[spatial and kind or "body"](m, { name, mass = 0.3, inertia = spatial and { J, J, J } or J, at = at(x or 0) })
  end
  local zs, zr, radius = 20, 60, 0.04
  local zp = (zr - zs) / 2
  local sun, carrier, planet = body("sun", 0.01), body("carrier", 0.05), body("planet", 0.002, radius)
  local axis = spatial and "z" or nil
  local ring = m:revolute { "ring", carrier, m.ground, at = at(0), axis = axis }
  local inner = m:revolute { "inner", carrier, sun, at = at(0), axis = axis }
  local pin = m:revolute { "pin", carrier, planet, at = at(radius), axis = axis }
  m:gear { inner, pin, ratio = -zs / zp }
  m:gear { pin, ring, ratio = zp / zr }
  m:torque { on = sun, torque = spatial and { 0, 0, 0.7 } or 0.7 }
  local run = m:simulate { t = 1, formulation = mbs.index1 { alpha = 10, beta = 10 }, integrator = mbs.rk4 { step = 5e-4 } }
  local i = zs / (zs + zr)
  local own = i - zs / zp * (1 - i)  -- speed of the planet per speed of the sun
  local seen = 0.01 + 0.05 * i ^ 2 + 0.3 * radius ^ 2 * i ^ 2 + 0.002 * own ^ 2
  local omega = spatial and ".omega_z" or ".omega"
  check.near(run:at("sun" .. omega, 1), 0.7 / seen, 1e-7, kind)
  check.near(run:at("carrier" .. omega, 1), i * 0.7 / seen, 1e-7, kind)
  check.near(run:at("ring.angle", 1), -i * 0.7 / seen / 2, 1e-7, kind)
end

-- A joint with two axes of its own: a marker on b leaves the axis of a to the field.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local b = m:body { "b", mass = 1, inertia = { 1, 1, 1 }, at = { 0.5, 0, 0 } }
  m:universal { m.ground, b:marker { at = { -0.5, 0, 0 }, axis = "x" }, axis = "z" }
  check.equal(m:mobility().degrees_of_freedom, 2)
end

-- What print says of a joint is what its signals are at the start: ends, axis, and where its angle is zero.
do
  local function says(joint, text) assert(tostring(joint):find(text, 1, true), tostring(joint)) end
  local function at_start(m, joint, signal) return m:simulate { t = 1e-3 }:at(joint[signal], 0) end
  for _, whole in ipairs { true, false } do
    local m = mbs.model { gravity = { 0, 0 } }
    local a = m:body { "a", mass = 1, inertia = 1, at = { 0, 0 }, angle = 0.25 }
    local b = m:body { "b", mass = 1, inertia = 1, at = { 0, 0 }, angle = 0.75 }
    local hinge = whole and m:revolute { "h", a, b, at = { 0, 0 } } or m:revolute { "h", a:point { 0, 0 }, b:point { 0, 0 } }
    local angle = whole and 0 or 0.5
    says(hinge, ('revolute "h" from a to b at (0, 0) m; angle %g rad as declared, 0 where its x axis on b lies along that on a, '):format(angle))
    says(hinge, whole and "(1, 0)" or ("(%.6g, %.6g)"):format(math.cos(0.25), math.sin(0.25)))
    check.near(at_start(m, hinge, "angle"), angle, 1e-12)
  end
  local slide = mbs.model { gravity = { 0, 0 } }
  local block = slide:body { "block", mass = 1, inertia = 1, at = { 3, 4 } }
  local rail = slide:translational { "rail", slide.ground:marker { at = { 0, 0 }, angle = math.atan(4, 3) },
    block:marker { at = { 0, 0 }, angle = math.atan(4, 3) } }
  says(rail, "along (0.6, 0.8); displacement 5 m as declared, 0 where b's place stands by a's")
  check.near(at_start(slide, rail, "displacement"), 5, 1e-12)
  -- In space, with the ends exchanged, too: the angle is about the axis of the first end.
  for _, ground_first in ipairs { true, false } do
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local b = m:body { "b", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 1 } }
    local one = m.ground:marker { at = { 0, 0, 0 }, axis = "z", x_axis = "x" }
    local other = b:marker { at = { 0, 0, 1 }, axis = "z", x_axis = "y" }
    local sleeve = m:cylindrical { "c", ground_first and one or other, ground_first and other or one }
    local angle, shift = at_start(m, sleeve, "angle"), at_start(m, sleeve, "displacement")
    check.near(angle, ground_first and math.pi / 2 or -math.pi / 2, 1e-12)
    says(sleeve, ("about (0, 0, 1); angle %.6g rad as declared"):format(angle))
    says(sleeve, ("displacement %.6g m as declared"):format(shift))
    check.near(shift, ground_first and 2 or -2, 1e-12)
  end
  local far = mbs.model { gravity = { 0, 0 } }
  local bar = far:distance { "bar", far:ground { at = { 0, 0 } }, far:point { "P", mass = 1, at = { 1, 0 } } }
  assert(not tostring(bar):find("as declared", 1, true), tostring(bar))
end

print "joint angles: ok"
