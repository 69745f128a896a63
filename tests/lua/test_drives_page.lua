-- What pages show of motors, drivers and springs of angles: the torques and forces are those of closed forms, at the
-- joint that they move, and a circle in which a wheel rolls has the radius of the wheel's way.
local mbs = require "perilune"
local check = require "check"
local page = require "page"
local decoded = require "base64"
local file = os.tmpname()

local function data_of(run)
  run:view(file)
  return (page.data(file))
end

-- Calls check(t, x, y, z) with what the page says at each sample.
local function each_value(data, drive, compare)
  local values = decoded(drive.values, "<i2")
  check.equal(#values, 3 * data.count, drive.name)
  for k = 0, data.count - 1 do
    local t = data.start + data.duration * k / (data.count - 1)
    compare(t, drive.unit * values[3 * k + 1], drive.unit * values[3 * k + 2], drive.unit * values[3 * k + 3])
  end
end

local function drives_of(run)
  local data, out = data_of(run), {}
  for _, drive in ipairs(data.runs[1].drives) do out[drive.name] = drive end
  return out, data
end

local function near(list, wanted, tolerance, what)
  check.equal(#list, #wanted, what)
  for k, x in ipairs(wanted) do check.near(list[k], x, tolerance, what) end
end

-- In the plane: a motor by law between two bodies, a driver of an angle, and one of a way.
do
  local m = mbs.model { "plane", gravity = { 0, 0 } }
  local crank = m:body { "crank", mass = 1, inertia = 0.5, at = { 0.3, 0 } }
  m:revolute { "hinge", m.ground, crank, at = { 0.3, 0 } }
  m:driver { "turn", crank.angle, law = function(s) return 2 * s.t^2 end }
  local fan = m:body { "fan", mass = 1, inertia = 0.1, at = { 2, 0 } }
  local pod = m:body { "pod", mass = 1, inertia = 0.1, at = { 3, 0 } }
  m:revolute { "shaft", fan, pod, at = { 2.4, 0 } }
  m:torque { "motor", on = fan, reaction_on = pod, law = function(s) return 3 * math.sin(2 * s.t) end }
  local block = m:body { "block", mass = 2, inertia = 0.1, at = { 0, 1 } }
  m:translational { "rail", m.ground, block, at = { 0, 1 }, axis = { 3, 4 } }
  m:driver { "feed", m["rail"].displacement, law = function(s) return 0.1 * s.t^3 end }
  m:torsion_spring { "coil", m.ground, fan, stiffness = 2, free_angle = 1 }
  local found, data = drives_of(m:simulate { t = 1, integrator = mbs.rk4 { step = 0.01 } })
  local turn, motor, feed, coil = found.turn, found.motor, found.feed, found.coil
  for name, drive in pairs { turn = turn, motor = motor, feed = feed } do
    assert(not drive.spring, name)
    check.equal(drive.turns or nil, name ~= "feed" or nil, name)
    check.equal(drive.kind, name == "motor" and "torque" or "driver", name)
  end
  check.equal(coil.spring, true)
  local frames = data.runs[1].frames
  check.equal(frames[turn.at.frame + 1].name, "crank")
  near(turn.at.at, { 0, 0, 0 }, 1e-12, "at the hinge")
  each_value(data, turn, function(_, x, y, z) near({ x, y, z }, { 0, 0, 0.5 * 4 }, 1e-4, "J a") end)
  -- The body that was declared last, at the joint between both.
  check.equal(frames[motor.at.frame + 1].name, "pod")
  near(motor.at.at, { -0.6, 0, 0 }, 1e-12, "at the shaft")
  each_value(data, motor, function(t, x, y, z) near({ x, y, z }, { 0, 0, -3 * math.sin(2 * t) }, 2e-4, "motor") end)
  each_value(data, feed, function(t, x, y, z)
    local f = 2 * 0.6 * t
    near({ x, y, z }, { 0.6 * f, 0.8 * f, 0 }, 2e-4, "m a along the rail")
  end)
end

-- In space: the torque of a constant twist stays what it is while its bodies tumble, of both kinds; a driver turns a
-- ball about an oblique axis, whose joint was declared with either end first; one pushes along a rail.
do
  local m = mbs.model { "space", gravity = { 0, 0, 0 } }
  local twist = { 0.3, -0.2, 0.5 }
  for kind, body in pairs { body = m.body, natural = m.natural_body } do
    local one = body(m, { kind, mass = 1, inertia = { 0.1, 0.2, 0.25 }, at = { 1, 2, 3 },
                          angular_velocity = { 3, 1, 2 } })
    m:torque { kind .. "_twist", on = one, torque = twist }
  end
  local axis = { 2 / 3, 1 / 3, 2 / 3 }
  for k, name in ipairs { "first", "second" } do
    local ball = m:body { name .. "_ball", mass = 1, inertia = { 0.4, 0.4, 0.4 }, at = { k, 0, 0 } }
    local ends = k == 1 and { m.ground, ball } or { ball, m.ground }
    local joint = m:revolute { name, ends[1], ends[2], at = { k, 0, 0 }, axis = axis }
    m:driver { name .. "_turn", joint.angle, law = function(s) return s.t^2 end }
  end
  local slide = m:body { "slide", mass = 3, inertia = { 0.1, 0.1, 0.1 }, at = { 0, 0, 1 } }
  local rail = m:translational { "rail", m.ground, slide, at = { 0, 0, 1 }, axis = axis }
  m:driver { "push", rail.displacement, law = function(s) return 0.5 * s.t^2 end }
  local found, data = drives_of(m:simulate { t = 1, integrator = mbs.rk4 { step = 0.005 } })
  for _, kind in ipairs { "body", "natural" } do
    each_value(data, found[kind .. "_twist"], function(_, ...) near({ ... }, twist, 1e-4, kind) end)
  end
  for k, name in ipairs { "first", "second" } do
    local drive, n = found[name .. "_turn"], (k == 1 and 1 or -1) * 0.4 * 2
    check.equal(drive.turns, true)
    check.equal(data.runs[1].frames[drive.at.frame + 1].name, name .. "_ball")
    each_value(data, drive, function(_, ...) near({ ... }, { n * axis[1], n * axis[2], n * axis[3] }, 1e-4, name) end)
  end
  assert(not found.push.turns)
  each_value(data, found.push, function(_, ...) near({ ... }, { 2, 1, 2 }, 1e-3, "m a") end)
end

-- Actuators of a file are drives, also on slides: gear times control. The spring of its other joint is none.
do
  local path = os.tmpname() .. ".xml"
  local xml <close> = assert(io.open(path, "w"))
  xml:write [[<mujoco><option gravity="0 0 0"/><worldbody>
    <body name="wheel"><joint name="axle" type="hinge" axis="0 1 0"/><geom type="sphere" size=".1"/></body>
    <body name="cart" pos="0 1 0"><joint name="way" type="slide" axis="1 0 0"/><geom type="sphere" size=".1"/></body>
    <body name="flap" pos="0 2 0"><joint name="lid" type="hinge" axis="1 0 0" stiffness="2"/>
      <geom type="sphere" size=".1"/></body>
    </worldbody><actuator><motor name="spin" joint="axle" gear="3"/><motor name="drag" joint="way" gear="5"/></actuator>
    <keyframe><key name="on" ctrl="2 -1"/></keyframe></mujoco>]]
  xml:close()
  local m = mbs.read { path, key = "on" }
  local found, data = drives_of(m:simulate { t = 0.2, integrator = mbs.rk4 { step = 0.01 } })
  each_value(data, found.spin_force, function(_, ...) near({ ... }, { 0, 6, 0 }, 1e-3, "gear u") end)
  each_value(data, found.drag_force, function(_, ...) near({ ... }, { -5, 0, 0 }, 1e-3, "gear u") end)
  check.equal(found.spin_force.turns, true)
  assert(not found.drag_force.turns and not found.drag_force.spring)
  os.remove(path)
end

-- Those of a body with several joints turn it about the axis of the joint as it lies then, and push it along it; the points
-- that are the coordinates are not seen.
do
  local path = os.tmpname() .. ".xml"
  local xml <close> = assert(io.open(path, "w"))
  xml:write [[<mujoco><option gravity="0 0 0"/><compiler angle="radian"/><worldbody>
    <body name="turret" pos="1 0 0"><joint name="base" axis="0 0 1"/><geom size=".1" mass="30"/>
      <body name="arm" pos="0 0 .5">
        <joint name="yaw" axis="0 0 1"/><joint name="pitch" axis="0 1 0" stiffness="3"/><joint name="way" type="slide" axis="1 2 2"/>
        <geom size=".1" mass="20"/><body name="hand" pos=".3 0 0"><joint name="grip" axis="1 0 0"/><geom size=".05" mass="10"/></body>
      </body></body>
    </worldbody><actuator><motor name="turn" joint="yaw" gear="2"/><motor name="tilt" joint="pitch"/><motor name="push" joint="way"/></actuator>
    <keyframe><key name="on" qpos="0.3 0.4 0.5 0.1 0.2" ctrl="3 -4 5"/></keyframe></mujoco>]]
  xml:close()
  local m = mbs.read { path, key = "on" }
  local run = m:simulate { t = 0.2, integrator = mbs.rk4 { step = 0.01 } }
  local found, data = drives_of(run)
  local frames = data.runs[1].frames
  local function along(name, size, axis, turns)  -- axis(base, yaw, pitch) in space
    check.equal(frames[found[name].at.frame + 1].name, "arm", name)
    check.equal(found[name].turns or false, turns, name)
    each_value(data, found[name], function(t, ...)
      local x, y, z = axis(run:at("base.angle", t) + run:at("yaw.x", t), run:at("pitch.x", t))
      local value = size(t)
      near({ ... }, { value * x, value * y, value * z }, 2e-3, name)
    end)
  end
  along("turn_force", function() return 6 end, function() return 0, 0, 1 end, true)
  along("tilt_force", function() return -4 end, function(a) return -math.sin(a), math.cos(a), 0 end, true)
  along("pitch_spring", function(t) return -3 * run:at("pitch.x", t) end,
    function(a) return -math.sin(a), math.cos(a), 0 end, true)
  along("push_force", function() return 5 end, function(a, p)
    local x, y, z = 1 / 3 * math.cos(p) + 2 / 3 * math.sin(p), 2 / 3, -1 / 3 * math.sin(p) + 2 / 3 * math.cos(p)
    return x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a), z
  end, false)
  check.equal(found.pitch_spring.spring, true)
  for _, frame in ipairs(frames) do
    check.equal(frame.coordinate or false, frame.name == "yaw" or frame.name == "pitch" or frame.name == "way", frame.name)
  end
  os.remove(path)
end

-- A load on a line that a drum lifts is a point of its own, with and without mass, and stands where it is.
for mass = 0, 1 do
  local m = mbs.model { "hoist", gravity = { 0, 0, -9.81 } }
  local drum = m:body { "drum", mass = 2, inertia = { 0.01, 0.02, 0.01 }, at = { 0, 0, 1 } }
  local axle = m:revolute { "axle", m.ground, drum, at = { 0, 0, 1 }, axis = "y" }
  local load = m:point { "load", at = { 0.1, 0, 0 }, mass = mass }
  m:constraint { law = load.x - 0.1 }
  m:constraint { law = load.y }
  m:constraint { law = load.z + 0.1 * axle.angle }
  local _, data = drives_of(m:simulate { t = 0.1 })
  for _, frame in ipairs(data.runs[1].frames) do assert(not frame.coordinate, frame.name) end
end

-- A torque at the end of a beam acts on its slope; what a force has beside itself is where that is.
for dimension = 2, 3 do
  local planar = dimension == 2
  local m = mbs.model { "beam", gravity = planar and { 0, 0 } or { 0, 0, 0 } }
  local wire = m:beam { "wire", from = planar and { 0, 0 } or { 0, 0, 0 }, to = planar and { 1, 0 } or { 1, 0, 0 },
                        elements = 2, young = 1e5, density = 1, area = 1, second_moment = 1e-2 }
  m:torque { "bend", on = wire.last, torque = planar and 4 or { 0, 0, 4 } }
  local bar = m:body { "bar", mass = 1, inertia = planar and 0.1 or { 0.1, 0.1, 0.1 },
                       at = planar and { 0, 1 } or { 0, 1, 0 } }
  m:force { "both", on = bar:point(planar and { 0.2, 0 } or { 0.2, 0, 0 }), force = planar and { 1, 0 } or { 1, 0, 0 },
            torque = planar and -2 or { 0, 0, -2 } }
  local found, data = drives_of(m:simulate { t = 0.01 })
  each_value(data, found.bend, function(_, ...) near({ ... }, { 0, 0, 4 }, 1e-3, "on the slope") end)
  each_value(data, found.both, function(_, ...) near({ ... }, { 0, 0, -2 }, 1e-3, "beside a force") end)
  near(found.both.at.at, { 0.2, 0, 0 }, 1e-12, "where the force acts")
end

-- The circle in which a wheel rolls.
do
  local m = mbs.model { "ring", gravity = { 0, -9.81 } }
  local ring = m:body { "ring", mass = 2, inertia = 0.5, at = { 0, 0 } }
  m:revolute { "axle", m.ground, ring, at = { 0, 0 } }
  local wheel = m:body { "wheel", mass = 1, inertia = 0.005, at = { 0.4, 0 } }
  m:rolling { "roll", ring, wheel, ball = 0.5, radius = 0.1, inside = true }
  local kinds = {}
  for _, round in ipairs(data_of(m:simulate { t = 0.1 }).runs[1].rounds) do
    kinds[round.kind] = { round.axes[1], round.frame }
  end
  near(kinds.ring, { 0.5, 0 }, 1e-12, "ring")
  check.equal(kinds.wheel[2], 1)
  m:sketch { file }
  local input <close> = assert(io.open(file))
  local left = {}  -- of the ring and of the wheel, whose middles are at the middle of the picture and right of it
  for x in input:read("a"):gmatch 'd="M([%d.]+) 350L[^"]-L[^"]-Z"' do left[#left + 1] = tonumber(x) end
  check.near((320 - left[1]) / 286, 1, 1e-3, "radius of the circle, as sketched")
  check.near((320 - left[1]) / (320 + 0.8 * 286 - left[2]), 5, 0.02, "against that of the wheel")
end
os.remove(file)
