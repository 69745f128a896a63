-- Motions of places and how far bodies have turned, against closed forms.
local mbs = require "perilune"
local check = require "check"
local near, fails = check.near, check.fails

local function product(A, B)
  local C = {}
  for i = 1, 3 do
    C[i] = {}
    for j = 1, 3 do C[i][j] = A[i][1] * B[1][j] + A[i][2] * B[2][j] + A[i][3] * B[3][j] end
  end
  return C
end

-- The turn about axis k by an angle.
local function turn(k, angle)
  local c, s, i, j = math.cos(angle), math.sin(angle), k % 3 + 1, (k + 1) % 3 + 1
  local A = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
  A[i][i], A[j][j], A[i][j], A[j][i] = c, c, -s, s
  return A
end

-- Euler parameters of a turn about an axis of unit length.
local function parameters(axis, angle)
  local s = math.sin(angle / 2)
  return { math.cos(angle / 2), s * axis[1], s * axis[2], s * axis[3] }
end

local function times(p, q)
  return { p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4], p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
    p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2], p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1] }
end

local x, y, z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }
local solid = { mass = 1, inertia = { 0.1, 0.1, 0.1 } }

local function at_start(kind, orientation)
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local body = m[kind](m, { "body", mass = 1, inertia = { 0.1, 0.1, 0.1 }, orientation = orientation })
  return m, body
end

do -- roll, pitch, yaw: those that the orientation was made of, for both kinds of bodies
  for _, angles in ipairs { { 0.3, -0.7, 2.5 }, { -2.8, 1.2, -0.4 }, { 0, 0, 0 }, { 0.1, -1.5, 3 } } do
    local roll, pitch, yaw = table.unpack(angles)
    local orientation = times(times(parameters(z, yaw), parameters(y, pitch)), parameters(x, roll))
    for _, kind in ipairs { "body", "natural_body" } do
      local m, body = at_start(kind, orientation)
      local found = { body:roll_pitch_yaw() }
      local run = m:simulate { t = 0.01 }
      for k = 1, 3 do near(run:at(found[k], 0), angles[k], 1e-12, kind .. " angle " .. k) end
    end
  end
end

do -- at a pitch of a quarter turn the roll is zero, and the three angles make the orientation of the body
  for _, pitch in ipairs { math.pi / 2, -math.pi / 2 } do
    for _, angles in ipairs { { 0, 0 }, { 0.3, 0 }, { 0, -2 }, { 0.3, 2.5 }, { -2, 2 } } do
      local roll, yaw = table.unpack(angles)
      local orientation = times(times(parameters(z, yaw), parameters(y, pitch)), parameters(x, roll))
      for _, kind in ipairs { "body", "natural_body" } do
        local m, body = at_start(kind, orientation)
        local found = { body:roll_pitch_yaw() }
        local run = m:simulate { t = 0.01 }
        local r, p, q = run:at(found[1], 0), run:at(found[2], 0), run:at(found[3], 0)
        near(r, 0, 1e-12, "roll")
        local is = product(product(turn(3, q), turn(2, p)), turn(1, r))
        local wanted = product(product(turn(3, yaw), turn(2, pitch)), turn(1, roll))
        for i = 1, 3 do
          for j = 1, 3 do near(is[i][j], wanted[i][j], 1e-9, kind .. " entry " .. i .. j) end
        end
      end
    end
  end
end

do -- rotation vectors: axis times angle; small ones, of half a turn nearly, and beyond it the other way round
  local axis = { 2 / 7, -3 / 7, 6 / 7 }
  for _, angle in ipairs { 0, 1e-9, 1e-5, 1e-4, 3e-4, 0.3, 3.14, 4, -0.5, 6.2 } do
    local m, body = at_start("body", parameters(axis, angle))
    local found = { body:rotation_vector() }
    local run = m:simulate { t = 0.01 }
    local least = angle > math.pi and angle - 2 * math.pi or angle
    for k = 1, 3 do
      near(run:at(found[k], 0) / math.max(math.abs(least), 1e-300), angle == 0 and 0 or axis[k] * least / math.abs(least),
        1e-12, "component " .. k .. " at " .. angle)
    end
    -- The same turn as axis and angle: the angle is never negative.
    local turn = { body:axis_angle() }
    local size, side = math.abs(least), angle == 0 and 0 or least / math.abs(least)
    near(run:at(turn[4], 0), size, 1e-12, "angle at " .. angle)
    for k = 1, 3 do near(run:at(turn[k], 0), side * axis[k], size < 1e-8 and 1e-7 or 1e-11, "axis " .. k .. " at " .. angle) end
  end
end

do -- axis and angle of a turn that grows: derivatives by the axis' tilt and by the speed, in closed form
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local w, tilt = m:param { "w", 0.8, min = 0, max = 4 }, m:param { "tilt", 0.3 }
  local body = m:body { "b", mass = 1, inertia = { 1, 1, 1 }, angular_velocity = { w * math.sin(tilt), 0, w * math.cos(tilt) } }
  local ax, ay, az, angle = body:axis_angle()
  local objectives = {}
  for k, value in ipairs { ax, ay, az, angle } do objectives[k] = m:objective { "turn" .. k, terminal = value } end
  local found = m:gradient { objective = objectives, over = { w, tilt }, t = 1.5 }
  -- Integrals that begin at no turn have derivatives, too: w t^2 / 2, and the axis' components times t.
  local turned = m:gradient { objective = { m:objective { "way", integral = angle }, m:objective { "along", integral = ax } },
    over = { w, tilt }, t = 1.5 }
  near(turned[1].by_name.w, 1.125, 1e-6, "of the angle's integral")
  near(turned[2].by_name.tilt, 1.5 * math.cos(0.3), 1e-6, "of the axis' integral")
  local expected = { { 0, math.cos(0.3) }, { 0, 0 }, { 0, -math.sin(0.3) }, { 1.5, 0 } }
  for k, of in ipairs(found) do
    near(of.by_name.w, expected[k][1], 1e-6, "by the speed, " .. k)
    near(of.by_name.tilt, expected[k][2], 1e-6, "by the tilt, " .. k)
  end
end

do -- through no turn the angle has a corner, |w t - 0.6|, at which adaptive steps end: no matter how far they are else
  for _, axis in ipairs { { 0, 0, 1 }, { -2 / 3, 1 / 3, 2 / 3 } } do
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local w = m:param { "w", 0.8, min = 0, max = 4 }
    local body = m:body { "b", mass = 1, inertia = { 1, 1, 1 }, orientation = parameters(axis, -0.6),
      angular_velocity = { w * axis[1], w * axis[2], w * axis[3] } }
    local ax, ay, az, angle = body:axis_angle()
    local way = m:objective { "way", integral = angle }
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.dormand_prince { relative_tolerance = 1e-5, absolute_tolerance = 1e-6 } } do
      local run = m:simulate { t = 1, objectives = { way }, integrator = integrator }
      local best = math.huge
      for _, t in ipairs(run:times()) do best = math.min(best, math.abs(t - 0.75)) end
      near(best, 0, 1e-6, "a step ends at no turn")
      near(run.objectives.way, 0.8 * (0.75 ^ 2 + 0.25 ^ 2) / 2, 1e-7, "the angle's integral through no turn")
      local slope = m:gradient { objective = way, over = { w }, t = 1, integrator = integrator }.by_name.w
      near(slope, 0.5 - 0.75 ^ 2, 1e-7, "its derivative")
    end
    -- At rest there nothing ends steps.
    local still = mbs.model { gravity = { 0, 0, 0 } }
    local block = still:body { "block", mass = 1, inertia = { 1, 1, 1 } }
    local rested = still:objective { "rested", integral = select(4, block:axis_angle()) }
    assert(#still:simulate { t = 1, objectives = { rested } }:times() < 30)
  end
end

do -- the turn of one body from another, about an axis of the first: of the turn that it is, beyond half a turn too
  local base = times(parameters({ 0.6, 0, 0.8 }, 1.1), parameters(x, -0.4))
  local axis = { 2 / 7, -3 / 7, 6 / 7 }
  for _, angle in ipairs { 0, 0.4, -2, math.pi - 1e-9, -1.7 } do
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local a = m:body { "a", mass = 1, inertia = { 0.1, 0.1, 0.1 }, orientation = base }
    local b = m:natural_body { "b", mass = 1, inertia = { 0.1, 0.1, 0.1 }, orientation = times(base, parameters(axis, angle)) }
    local c = m:body { "c", mass = 1, inertia = { 0.1, 0.1, 0.1 }, orientation = times(base, times(parameters({ 3 / 5, 4 / 5, 0 }, 0.9), parameters(z, angle))) }
    local run = m:simulate { t = 0.01 }
    near(run:at(a:turn_of(b, { 4, -6, 12 }), 0), angle, 1e-12, "about the axis")
    near(run:at(b:turn_of(a, axis), 0), -angle, 1e-12, "and back")
    -- A swing about a normal of z after which the turn about z is the twist.
    near(run:at(a:turn_of(c, "z"), 0), angle, 1e-12, "the twist of swing and twist")
    near(run:at(m.ground:turn_of(a, "x"), 0), 2 * math.atan(base[2], base[1]), 1e-12, "of the ground")
  end
end

do -- a hinge: the turn is the joint's angle, and its derivative by the speed is the time
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local w = m:param { "w", 0.8, min = 0, max = 4 }
  local door = m:body { "door", mass = 2, inertia = { 1, 1, 1 }, angular_velocity = { 0, 0, w } }
  local hinge = m:revolute { "hinge", m.ground, door, at = { 0, 0, 0 }, axis = "z" }
  local turned = m.ground:turn_of(door, "z")
  local _, _, yaw = door:roll_pitch_yaw()
  local _, _, rz = door:rotation_vector()
  local T = 1.5
  local objectives = {}
  for k, value in ipairs { turned, yaw, rz, hinge.angle } do
    objectives[k] = m:objective { "o" .. k, terminal = value }
  end
  for k, of in ipairs(m:gradient { objective = objectives, over = { w }, t = T }) do
    near(of.value, 0.8 * T, 1e-6, "angle " .. k)
    near(of.by_name.w, T, 1e-6, "derivative of angle " .. k)
  end
  -- From no turn at all derivatives are those of the series.
  local start = m:gradient { objective = { m:objective { "start", terminal = rz } }, over = { w }, t = 1e-6 }
  near(start[1].by_name.w, 1e-6, 1e-12, "near no turn")
  -- A law reads it: a torsion spring about the hinge, cos(sqrt(k / J) t).
  local spring = mbs.model { gravity = { 0, 0, 0 } }
  local rod = spring:body { "rod", mass = 1, inertia = { 1, 1, 1 }, orientation = parameters(z, 0.3) }
  spring:revolute { "pivot", spring.ground, rod, at = { 0, 0, 0 }, axis = "z" }
  local angle = spring.ground:turn_of(rod, "z")
  spring:torque { on = rod, law = function(s) return 0, 0, -4 * angle(s) end }
  local run = spring:simulate { t = 1, integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
  near(run:at(angle, 1), 0.3 * math.cos(2), 1e-7, "torsion spring")
end

do -- the plane: a difference of angles, with full turns
  local m = mbs.model { gravity = { 0, 0 } }
  local a = m:body { "a", mass = 1, inertia = 1, angle = 0.5, angular_velocity = -3 }
  local b = m:body { "b", mass = 1, inertia = 1, angle = 0.2, angular_velocity = 5 }
  local run = m:simulate { t = 2 }
  near(run:at(a:turn_of(b), 2), -0.3 + 16, 1e-9, "full turns count")
  near(run:at(m.ground:turn_of(b), 2), 10.2, 1e-9, "of the ground")
  fails("an axis is for spatial models", function() a:turn_of(b, "z") end)
  fails("a planar body has an angle", function() a:roll_pitch_yaw() end)
  fails("a planar body has an angle", function() a:rotation_vector() end)
  fails("expected a body or a marker, got 3", function() a:turn_of(3) end)
  local other = mbs.model { gravity = { 0, 0 } }
  fails("is of another model", function() a:turn_of(other:body { "c", mass = 1, inertia = 1 }) end)
end

do -- what is refused in space
  local m, body = at_start("natural_body", { 1, 0, 0, 0 })
  fails("is of m:body", function() body:rotation_vector() end)
  fails("axis_angle is of m:body", function() body:axis_angle() end)
  for _, axis in ipairs { "w", 3, { 1, 2 }, { 0, 0, 0 }, { 1, 0, 0, 0 } } do
    fails("the axis is", function() m.ground:turn_of(body, axis) end)
  end
  fails("the axis is", function() m.ground:turn_of(body) end)
  fails("is a place", function() m:ground { at = { 1, 2, 3 } }:roll_pitch_yaw() end)
end

do -- places: a wheel that turns at a constant speed, its rim at c + r (cos wt, sin wt)
  local m = mbs.model { gravity = { 0, 0 } }
  local wheel = m:body { "wheel", mass = 1, inertia = 1, at = { 1, 2 }, velocity = { 0.5, 0 }, angular_velocity = 3 }
  local rim = wheel:point { "rim", 0.2 }
  local unnamed, marker = wheel:point { 0.2 }, wheel:marker { "mark", at = { 0, 0.1 } }
  local run = m:simulate { t = 1, integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  local c, s = math.cos(3), math.sin(3)
  local want = { x = 1.5 + 0.2 * c, y = 2 + 0.2 * s, vx = 0.5 - 0.6 * s, vy = 0.6 * c, ax = -1.8 * c, ay = -1.8 * s }
  for name, value in pairs(want) do
    near(run:at("rim." .. name, 1), value, 1e-8, name)
    near(run:at(rim[name], 1), value, 1e-8, name)
    near(run:at(unnamed[name], 1), value, 1e-8, name)
  end
  near(run:at("mark.x", 1), 1.5 - 0.1 * s, 1e-8, "marker")
  near(run:at(marker.vy, 1), -0.3 * s, 1e-8, "marker's velocity")
  assert(m:signals().units["rim.ax"] == "m/s^2" and m:object "rim".x == rim.x and m:signal "rim.x" == rim.x)
  assert(m:ground { "post", at = { 3, 4 } }.y == 4, "of the ground")
  fails("no field or method 'w'", function() return unnamed.w end)
  fails("no field or method 'z'", function() return unnamed.z end)
  fails("the name is taken", function() wheel:point { "mark", 1 } end)
end

do -- places in space, on both kinds of bodies: r + A d
  for _, kind in ipairs { "body", "natural_body" } do
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local body = m[kind](m, { "body", mass = 1, inertia = { 1, 1, 1 }, at = { 1, 2, 3 }, orientation = parameters(x, 0.7),
      angular_velocity = { 2, 0, 0 } })
    body:point { "tip", 0.3, 0.4, 0 }
    local run = m:simulate { t = 0.5, integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
    local angle = 1.7
    near(run:at("tip.x", 0.5), 1.3, 1e-8, "x")
    near(run:at("tip.y", 0.5), 2 + 0.4 * math.cos(angle), 1e-8, "y")
    near(run:at("tip.vz", 0.5), 0.8 * math.cos(angle), 1e-8, "vz")
    near(run:at("tip.az", 0.5), -1.6 * math.sin(angle), 1e-7, "az")
  end
end

do -- markers: their axes turn with the body from where they are declared
  for _, kind in ipairs { "body", "natural_body" } do
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local body = m[kind](m, { "body", mass = 1, inertia = { 1, 1, 1 }, orientation = parameters(z, 0.4), angular_velocity = { 0, 0, 2 } })
    -- z stays, x is turned by 0.9 about it: yaw and turn are 0.4 + 2 t + 0.9.
    local flat = body:marker { "flat", at = { 0.1, 0, 0 }, axis = "z", x_axis = { math.cos(0.9), math.sin(0.9), 0 } }
    -- x points down along -z at first: a pitch of a quarter less 0.2, whatever the yaw.
    local nose = body:marker { axis = { math.cos(0.2), 0, math.sin(0.2) }, x_axis = { math.sin(0.2), 0, -math.cos(0.2) } }
    local post = m.ground:marker { "post", axis = "z", x_axis = { math.cos(0.3), math.sin(0.3), 0 } }
    local _, _, yaw = flat:roll_pitch_yaw()
    local roll, pitch, heading = nose:roll_pitch_yaw()
    local run = m:simulate { t = 0.5, integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
    near(run:at(yaw, 0.5), 2.3, 1e-8, "yaw of a marker")
    near(run:at(pitch, 0.5), math.pi / 2 - 0.2, 1e-8, "pitch of a marker")
    near(run:at(roll, 0.5), 0, 1e-8, "roll of a marker")
    near(run:at(heading, 0.5), 1.4, 1e-8, "heading of a marker")
    near(run:at(post:turn_of(flat, "z"), 0.5), 2.0, 1e-8, "turn of two markers")
    near(run:at(post:turn_of(body, "z"), 0.5), 1.1, 1e-8, "turn of a body from a marker")
    near(run:at(body:turn_of(flat, { 0, 0, 2 }), 0.5), 0.9, 1e-12, "turn of a marker on its body")
    local place = body:point { 0.1, 0, 0 }
    fails("turn_of: expected a body or a marker, got", function() post:turn_of(place, "z") end)
    fails("rotation_vector", function() flat:rotation_vector() end)
  end
  local m = mbs.model { gravity = { 0, 0 } }
  local wheel = m:body { "wheel", mass = 1, inertia = 1, angle = 0.5, angular_velocity = 20 }
  local spoke, post = wheel:marker { "spoke", angle = 0.25 }, m.ground:marker { "post", angle = 0.125 }
  local run = m:simulate { t = 1 }
  near(run:at(post:turn_of(spoke), 1), 20.625, 1e-6, "in the plane full turns count")
  near(run:at(spoke:turn_of(wheel), 1), -0.25, 1e-12, "the other way")
  fails("a planar", function() spoke:roll_pitch_yaw() end)
end

do -- power: of a force on what moves, of one with a torque, and of a motor with its reaction
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 2 }
  m:force { "push", on = P, force = { 6, 0 } }
  local a = m:body { "a", mass = 1, inertia = 0.5 }
  local b = m:body { "b", mass = 1, inertia = 0.25, at = { 1, 0 } }
  m:torque { "motor", on = b, reaction_on = a, torque = 1 }
  local run = m:simulate { t = 2 }
  near(run:at("push.power", 2), 6 * (1 + 3 * 2), 1e-9, "F v")
  near(run:at("motor.power", 2), 1 * (4 * 2 + 2 * 2), 1e-9, "by the difference of the speeds")
  -- In space the work of all power is the kinetic energy.
  local s = mbs.model { gravity = { 0, 0, 0 } }
  local top = s:body { "top", mass = 2, inertia = { 0.3, 0.2, 0.1 }, angular_velocity = { 1, -2, 3 } }
  s:force { "jet", on = top:point { 0.1, 0.2, 0.3 }, force = { 1, 2, -1 }, torque = { 0.1, 0, -0.4 } }
  local work = s:objective { "work", integral = s:signal "jet.power" }
  local moved = s:simulate { t = 1, objectives = { work },
    integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
  near(moved.objectives.work, moved:at("energy.kinetic", 1) - moved:at("energy.kinetic", 0), 1e-7, "work")
end

print "ok"
