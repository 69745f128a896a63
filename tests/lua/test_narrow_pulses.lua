-- What lasts a moment, after long rest: adaptive steps grow without bound meanwhile, and must not pass over it.
local mbs = require "perilune"
local check = require "check"

-- A force by a table of time, zero but for a moment, on a free mass: what it leaves is the integral of the table, in
-- closed form. By all adaptive integrators; in a force, a rate of a state and an integrand.
local x, y = { 5, 5.1, 5.2, 5.3, 5.4 }, { 0, 2, 5, 2, 0 }
local table_of_time = { x = x, y = y, start_slope = 0, end_slope = 0 }
local area = 0  -- by Simpson's rule, exact for each of its cubics
for k = 2, 5 do
  local between = mbs.spline(table_of_time)((x[k - 1] + x[k]) / 2)
  area = area + (x[k] - x[k - 1]) / 6 * (y[k - 1] + 4 * between + y[k])
end
assert(area > 0.5)
local integrators = { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} }
for _, integrator in ipairs(integrators) do
  local m = mbs.model { "pulse", gravity = { 0, 0 } }
  local size = m:param { "size", 1, unit = "N" }
  local pulse = mbs.spline(table_of_time)
  local P = m:point { "P", at = { 0, 0 }, mass = 2 }
  m:force { on = P, law = function(s) return size * pulse(s.t), 0 end }
  local z = m:state { "z", rate = function(s) return pulse(s.t) end }
  local cost = m:objective { "cost", integral = function(s) return pulse(s.t) end }
  local way = m:objective { "way", terminal = P.x }
  local run = m:simulate { t = 40, integrator = integrator, objectives = { cost } }
  check.near(run:at("P.vx", 40), area / 2, 1e-6)
  check.near(run:at("z.value", 40), area, 1e-6)
  check.near(run.objectives.cost, area, 1e-6)
  assert(#run.events == 0)  -- knots of smooth tables are none
  local g = m:gradient { way, over = { size } }
  check.near(g.gradient[1], g.value, 1e-6)  -- the way is proportional to the force
end

-- A long table that is zero but for three knots in its middle.
do
  local times, values, whole = {}, {}, 0
  for k = 0, 400 do times[k + 1], values[k + 1] = k / 10, (k == 199 or k == 201) and 2 or k == 200 and 5 or 0 end
  local long = mbs.spline { x = times, y = values, start_slope = 0, end_slope = 0 }
  for k = 2, #times do
    whole = whole + 0.1 / 6 * (values[k - 1] + 4 * long((times[k - 1] + times[k]) / 2) + values[k])
  end
  for _, integrator in ipairs(integrators) do
    local m = mbs.model { "long", gravity = { 0, 0 } }
    local P = m:point { "P", at = { 0, 0 }, mass = 2 }
    m:force { on = P, law = function(s) return long(s.t), 0 end }
    check.near(m:simulate { t = 40, integrator = integrator }:at("P.vx", 40), whole / 2, 1e-6)
  end
end

-- The same by place: a narrow hill of a potential that a mass passes at 5 m/s. It leaves with the speed that it had, later
-- by the time that the hill takes, which a run of short steps knows.
do
  local function passes(settings)
    local m = mbs.model { "hill", gravity = { 0, 0 } }
    local slope = mbs.spline { x = { 20, 20.1, 20.2, 20.3 }, y = { 0, 30, -30, 0 }, start_slope = 0, end_slope = 0 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 5, 0 }, mass = 1 }
    m:force { on = P, law = function() return -slope(P.x), 0 end }
    settings.t = 20
    return m:simulate(settings):at("P.x", 20)
  end
  local far, exact = passes {}, passes { integrator = mbs.rk4 { step = 2e-4 } }
  assert(math.abs(exact - 100) > 1e-3)
  check.near(far, exact, 1e-5)
end

-- A support that is shaken for a moment.
do
  local m = mbs.model { "shaken", gravity = { 0, 0 } }
  local shake = mbs.spline { x = { 30, 30.1, 30.2, 30.3 }, y = { 0, 0.1, 0.1, 0 }, start_slope = 0, end_slope = 0 }
  local table_ = m:support { "table", law = function(s) return shake(s.t), 0 end }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  m:constraint { law = P.y }
  m:spring { "spring", table_, P, law = function(s) return 50 * (s.length - 1) end }
  local function moved(settings)
    settings.t = 31
    return m:simulate(settings):at("P.vx", 31)
  end
  local exact = moved { integrator = mbs.dormand_prince { max_step = 0.01 } }
  assert(math.abs(exact) > 1e-3)
  check.near(moved { integrator = mbs.dormand_prince {} }, exact, 1e-6)
end

-- An ellipsoid meets a ball after a long way: it comes back with the speed that it had, as if it had started near it.
do
  local function after(at)
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local a = m:body { "a", mass = 1, inertia = { 1, 1, 1 }, at = { at, 0.01, 0 }, velocity = { 0.5, 0, 0 } }
    m:contact { m.ground, a, semi_axes = { 0.02, 0.03, 0.04 }, ball = 0.05, normal = mbs.hertz { stiffness = 1e7 } }
    local run = m:simulate { t = -2 * at + 20 }
    return run:at("a.vx", -2 * at + 20), #run.events
  end
  local near, events = after(-1)
  local far, events_far = after(-10)
  assert(near < -0.4 and events == 2 and events_far == 2)
  check.near(far, near, 1e-5)
end
