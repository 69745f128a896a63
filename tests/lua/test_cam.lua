-- Cams: rollers, knife edges and flat faces on profiles whose motion is known in closed form, in the plane and in space, by
-- several forms; forces by hand; gradients by the profile's numbers.
local mbs = require "perilune"
local check = require "check"

local precise = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 }
local implicit = mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 }
local forms = { { nil, precise }, { mbs.maggi {}, precise }, { mbs.coordinate_partitioning {}, precise },
                { mbs.index2 {}, implicit } }
local speed = 7  -- rad/s

-- A shaft that turns at a constant speed and a follower on the y axis, in a model of two or three dimensions.
local function valve(profile, fields, dimension, start)
  local in_space = dimension == 3
  local m = mbs.model { "valve", gravity = in_space and { 0, 0, 0 } or { 0, 0 } }
  local shaft, point
  if in_space then
    shaft = m:body { "shaft", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 0 } }
    m:driver { m:revolute { "hinge", m.ground, shaft, at = { 0, 0, 0 }, axis = "z" }.angle, law = function(s) return speed * s.t end }
    point = m:point { "follower", at = { 0, start, 0 }, mass = 2 }
    m:constraint { law = point.z }
  else
    shaft = m:body { "shaft", mass = 1, inertia = 1, at = { 0, 0 } }
    m:driver { m:revolute { "hinge", m.ground, shaft, at = { 0, 0 } }.angle, law = function(s) return speed * s.t end }
    point = m:point { "follower", at = { 0, start }, mass = 2 }
  end
  m:constraint { law = point.x }
  local given = { "cam", shaft, point, profile = profile(m), groove = true }
  for key, value in pairs(fields(m)) do given[key] = value end
  return m, point, m:cam(given)
end

local function compare(m, height, acceleration, tolerance)
  for _, form in ipairs(forms) do
    local run = m:simulate { t = 2.3, formulation = form[1], integrator = form[2] }
    assert(#run.warnings == 0, run.warnings[1])
    for _, t in ipairs { 0, 0.31, 1.17, 2.3 } do  -- more than two turns
      check.near(run:at("follower.y", t), height(t), tolerance, tostring(form[1]) .. " at " .. t)
      check.near(2 * acceleration(t), run:at("cam.force_y", t), 3e4 * tolerance + 1e-7 * math.abs(acceleration(t)))
    end
  end
end

for _, dimension in ipairs { 2, 3 } do
  -- A circle about a point off the axis: a roller's centre goes as the end of a crank whose rod ends on the y axis.
  local e, R, r = 0.01, 0.05, 0.015
  local function circle() return function(s) return e * math.cos(s.angle) + math.sqrt(R^2 - (e * math.sin(s.angle))^2) end end
  local function eccentric(t, reach)
    local phi = speed * t
    return e * math.sin(phi) + math.sqrt(reach^2 - (e * math.cos(phi))^2)
  end
  local function second(f) return function(t) local h = 1e-4; return (f(t + h) - 2 * f(t) + f(t - h)) / h^2 end end
  for _, radius in ipairs { 0, r } do
    local function height(t) return eccentric(t, R + radius) end
    local m, _, cam = valve(circle, function() return { radius = radius } end, dimension, height(0))
    compare(m, height, second(height), 1e-9)
    local run = m.last_run
    check.near(run:at("cam.curvature", 1), 1 / R, 1e-9)
    check.near(run:at("cam.angle", 2.3), run:at("cam.angle", 0) - speed * 2.3, 0.3)
    -- It touches where the line of centres meets the circle.
    local phi = speed * 2.3
    local cx, cy = e * math.cos(phi), e * math.sin(phi)
    local y = height(2.3)
    check.near(run:at("cam.x", 2.3), cx + (0 - cx) * R / (R + radius), 1e-9)
    check.near(run:at("cam.y", 2.3), cy + (y - cy) * R / (R + radius), 1e-9)
  end
  -- A flat face above it goes up and down as a sine.
  local function height(t) return e * math.sin(speed * t) + R end
  local m = valve(circle, function() return { face = dimension == 3 and { 0, -1, 0 } or { 0, -1 } } end, dimension, height(0))
  compare(m, height, function(t) return -e * speed^2 * math.sin(speed * t) end, 1e-9)
end

-- A knife edge over the axis rises by the profile itself: cycloidal rise, dwell, return, by conditions; and a table of it.
do
  local base, lift, rise = 0.03, 0.012, 2.0
  local function s(x) return x - math.sin(2 * math.pi * x) / (2 * math.pi) end
  local function profile_at(angle)
    angle = angle % (2 * math.pi)
    if angle < rise then return base + lift * s(angle / rise) end
    if angle < 3 then return base + lift end
    if angle < 3 + rise then return base + lift * (1 - s((angle - 3) / rise)) end
    return base
  end
  local function law()
    return function(a)
      local up = base + lift * s(a.angle / rise)
      local down = base + lift * (1 - s((a.angle - 3) / rise))
      local function before(x, yes, no) return mbs.where(mbs.lt(a.angle, x), yes, no) end
      return before(rise, up, before(3, base + lift, before(3 + rise, down, base)))
    end
  end
  local function height(t) return profile_at(math.pi / 2 - speed * t) end
  local m = valve(law, function() return {} end, 2, height(0))
  for _, form in ipairs(forms) do
    local run = m:simulate { t = 2, formulation = form[1], integrator = form[2] }
    for k = 0, 40 do check.near(run:at("follower.y", k / 20), height(k / 20), 2e-8) end
  end
  -- The table is as good as its points are close, and a periodic table closes by itself.
  local function table_of(n)
    local x, y = {}, {}
    for k = 1, n do x[k], y[k] = (k - 1) * 2 * math.pi / n, profile_at((k - 1) * 2 * math.pi / n) end
    return mbs.spline { x = x, y = y, period = 2 * math.pi }
  end
  local curve = table_of(360)
  check.near(curve(0.7 + 6 * math.pi), curve(0.7), 1e-15)
  check.near(curve(-1e-9), curve(1e-9), 1e-9)
  check.near(curve:slope(-1e-9), curve:slope(1e-9), 1e-9)
  local tabulated = valve(function() return table_of(360) end, function() return {} end, 2, height(0))
  local run = tabulated:simulate { t = 2, formulation = mbs.index1 { project = true }, integrator = precise }
  for k = 0, 40 do check.near(run:at("follower.y", k / 20), height(k / 20), 2e-6) end
end

-- Splines with a period: of a sine, to the fourth order, and of parameters.
do
  for _, n in ipairs { 3, 8, 50 } do
    local x, y = {}, {}
    for k = 1, n do x[k], y[k] = 0.3 + (k - 1) / n, math.sin(2 * math.pi * (0.3 + (k - 1) / n)) end
    local s = mbs.spline { x = x, y = y, period = 1 }
    for k = 1, n do
      check.near(s(x[k] + 5), y[k], 1e-14)
      check.near(s:slope(x[k] - 1e-7), s:slope(x[k] + 1e-7), 1e-4)
    end
    check.near(s:slope(1.3 - 1e-10), s:slope(0.3 + 1e-10), 1e-7)
    if n == 50 then for k = 0, 100 do check.near(s(k / 37), math.sin(2 * math.pi * k / 37), 1e-6) end end
  end
end

-- A cam with a spring: the follower stays on by the spring, and lifts off when the shaft is too fast, which is said. The
-- gradient of the force by a number of the profile, direct and adjoint, and by differences.
do
  local function engine(omega)
    local m = mbs.model { "engine", gravity = { 0, -9.81 } }
    local lift = m:param { "lift", 0.01, unit = "m" }
    local roller = m:param { "roller", 0.012, unit = "m" }
    local shaft = m:body { "shaft", mass = 1, inertia = 1e-3, at = { 0, 0 } }
    m:driver { m:revolute { "hinge", m.ground, shaft, at = { 0, 0 } }.angle, law = function(s) return omega * s.t end }
    local point = m:point { "valve", at = { 0, 0.038 + lift + roller }, mass = 0.1 }
    m:constraint { law = point.x }
    local seat = m:ground { "seat", at = { 0, 0.25 } }
    m:spring { "spring", point, seat, stiffness = 2000, free_length = 0.22 }
    local cam = m:cam { "cam", shaft, point, radius = roller,
                        profile = function(s) return 0.038 + lift / 2 * (1 - math.cos(2 * s.angle)) end }
    return m, cam, lift
  end
  local slow, cam = engine(20)
  local run = slow:simulate { t = 0.5, integrator = precise }
  assert(#run.warnings == 0, run.warnings[1])
  local fast = engine(200):simulate { t = 0.1 }
  assert(table.concat(fast.warnings, "\n"):find 'contact is lost in "cam"', fast.warnings[1])
  local cost = slow:objective { "work", integral = cam.normal_force^2, terminal = cam.normal_force }
  local adjoint = slow:gradient { cost, t = 0.5, integrator = precise }
  local direct = slow:gradient { cost, method = mbs.direct {} }
  local differences = slow:gradient { cost, method = mbs.finite_difference {} }
  for k = 1, 2 do
    check.near(adjoint.gradient[k] / direct.gradient[k], 1, 1e-9)
    check.near(adjoint.gradient[k] / differences.gradient[k], 1, 1e-4)
  end
end

-- A phase without the cam: the follower falls freely from where it was, and nothing pushes it.
do
  for _, form in ipairs(forms) do
    local m, point, cam = valve(function() return function(s) return 0.03 + 0.01 * math.cos(s.angle) end end,
                                function() return { radius = 0.01 } end, 2, 0.04)
    m:force { on = point, law = function() return 0, -20 end }
    local run = m:simulate { t = 1, formulation = form[1], integrator = form[2],
      phases = { m:phase { "on", stop = function(s) return s.t - 0.05 end },
                 m:phase { "off", without = { cam }, stop = function(s) return s.t - 0.1 end } } }
    local y0, v0 = run:at("follower.y", 0.05), run:at("follower.vy", 0.05)
    check.near(run:at("follower.y", 0.1), y0 + v0 * 0.05 - 10 / 2 * 0.05^2, 1e-8)
    check.near(run:at("cam.normal_force", 0.1), 0, 1e-9)
  end
end

-- Thrown up from an eccentric circle it comes down where the gap closes: at rest that is a parabola over a height that is
-- known. The gap is that of the nearest point of the profile all the way.
do
  local m = mbs.model { "thrown", gravity = { 0, -9.81 } }
  local e, R, r = 0.01, 0.05, 0.015
  local plate = m:body { "plate", mass = 1, inertia = 1, at = { 0, 0 } }
  m:weld { m.ground, plate, at = { 0, 0 } }
  local rest = math.sqrt((R + r)^2 - e^2)
  local ball = m:point { "ball", at = { 0, rest }, velocity = { 0, 0.6 }, mass = 0.2 }
  m:constraint { law = ball.x }
  local cam = m:cam { "cam", plate, ball, radius = r, profile = function(s)
    return e * math.cos(s.angle) + math.sqrt(R^2 - (e * math.sin(s.angle))^2)
  end }
  local run = m:simulate { t = 1, integrator = precise,
    phases = { m:phase { "flies", without = { cam }, stop = -cam.gap, within = 0.5 }, m:phase { "lies", within = 0 } } }
  check.near(run.phases[1].finish, 2 * 0.6 / 9.81, 1e-9)
  local y = rest + 0.6 * 0.04 - 9.81 / 2 * 0.04^2
  check.near(run:at(cam.gap, 0.04), math.sqrt(y^2 + e^2) - R - r, 1e-9)
  check.near(run.phases[2].kinetic_energy_lost, 0.2 / 2 * 0.6^2, 1e-9)
end

-- A kinematic analysis says, too, where the follower would have to be pulled: with R = b + a cos at (w t) and weight g it
-- is pushed with m (g - a w^2) at the top.
do
  local m = mbs.model { "fast", gravity = { 0, -9.81 } }
  local speed = m:param { "speed", 60, unit = "rad/s" }
  local shaft = m:body { "shaft", mass = 1, inertia = 1, at = { 0, 0 } }
  m:driver { m:revolute { m.ground, shaft, at = { 0, 0 } }.angle, law = function(s) return speed * s.t end }
  local point = m:point { "follower", at = { 0, 0.06 }, mass = 1 }
  m:constraint { law = point.x }
  local cam = m:cam { "cam", shaft, point, profile = function(s) return 0.05 + 0.01 * math.sin(s.angle) end }
  local run = m:kinematics { t = 0.1 }
  check.near(run:at(cam.normal_force, 0), 9.81 - 0.01 * 60^2, 1e-6)
  assert(#run.warnings == 1 and run.warnings[1]:find 'contact is lost in "cam"' and not run.warnings[1]:find "stop =", run.warnings[1])
  speed.value = 20
  assert(#m:kinematics { t = 0.1 }.warnings == 0)
end
