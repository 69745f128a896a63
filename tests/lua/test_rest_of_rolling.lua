-- What rolls comes to rest where its way leads: equilibria and starts at rest with constraints on velocities, against
-- closed forms, with reactions, stability and derivatives; and what is said where the way is not one of rolling.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"

local g = 9.81

--- Derivatives of objectives at the very start of a run at rest by both discrete methods, against expected ones.
local function start_slopes(m, objective, expected, tolerance)
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
    local by = m:gradient { objective, t = 1e-6, at_rest = true, method = method,
                            integrator = mbs.rk4 { step = 1e-6 } }.by_name
    for name, value in pairs(expected) do
      check.near(by[name], value, tolerance or 1e-5, tostring(method) .. ", by " .. name)
    end
  end
end

-- A wheel on a level line that a spring pulls: it rests where the spring is slack, turned by the way over R.
do
  local m = mbs.model { "wheel", gravity = { 0, -g } }
  local R, x0 = m:param { "R", 0.4, unit = "m" }, m:param { "x0", 0.3, unit = "m" }
  local L = m:param { "L", 0.5, unit = "m" }
  local wheel = m:body { "wheel", mass = 3, inertia = 0.2, at = { x0, R }, angle = 0.7 }
  m:constraint { "touches", law = function() return wheel.y - R end }
  m:constraint { "rolls", velocity = function() return wheel.vx + R * wheel.omega end }
  m:spring { m:ground { at = { 9, R } }, wheel, stiffness = 50, free_length = L }
  local rest = m:equilibrium {}
  check.near(rest:at "wheel.x", 8.5, 1e-12)
  check.near(rest:at "wheel.angle", 0.7 - 8.2 / 0.4, 1e-12)
  check.near(rest:at "rolls.lambda", 0, 1e-9)
  check.equal(rest.stable, true)
  check.equal(#rest.warnings, 0)
  check.near(m:equilibrium { stable = false }:at "wheel.angle", 0.7 - 8.2 / 0.4, 1e-12)
  -- Small motions there: the mass, and the inertia over R^2, on the spring; and rolling off.
  local modes = m:linearize { from = rest }.modes
  check.fails("derivatives over parameters about an equilibrium are not offered with constraints on velocities",
              function() m:linearize { from = rest, over = { R } } end)
  check.near(modes[#modes].frequency, math.sqrt(50 / (3 + 0.2 / 0.16)) / (2 * math.pi), 1e-9)
  -- From elsewhere another way leads to another angle.
  local pushed = m:simulate { t = 0.2 }
  local from = m:equilibrium { from = pushed }
  check.near(from:at "wheel.angle", pushed:at("wheel.angle", 0.2) - (8.5 - pushed:at("wheel.x", 0.2)) / 0.4, 1e-9)
  local run = m:simulate { t = 0.1, at_rest = true }
  check.near(run:at("wheel.angle", 0.1), 0.7 - 8.2 / 0.4, 1e-9)
  check.equal(#run.warnings, 0)
  start_slopes(m, m:objective { "turned", terminal = wheel.angle }, { R = 8.2 / 0.16, x0 = 1 / 0.4, L = 1 / 0.4 })
end

-- A wheel with its centre of mass off its axle by e, on a slope: it rests where that is above the touch,
-- e cos(angle - slope) = -R sin(slope), and on the other side where it is up, which is not stable.
do
  local m = mbs.model { "eccentric", gravity = { 0, 0 } }
  local R, e = m:param { "R", 0.3, unit = "m" }, m:param { "e", 0.2, unit = "m" }
  local slope = m:param { "slope", 0.25, unit = "rad" }
  m:set_gravity { g * math.sin(slope), -g * math.cos(slope) }
  local start = m:param { "start", -1.2, unit = "rad" }
  local wheel = m:body { "wheel", mass = 2, inertia = 0.1, at = { 0.1, R }, angle = start, center_of_mass = { e, 0 } }
  m:constraint { "touches", law = function() return wheel.y - R end }
  m:constraint { "rolls", velocity = function() return wheel.vx + R * wheel.omega end }
  local u = -0.3 / 0.2 * math.sin(0.25)
  local down, up = 0.25 - math.acos(u), 0.25 + math.acos(u)
  local rest = m:equilibrium {}
  check.near(rest:at "wheel.angle", down, 1e-11)
  check.near(rest:at "wheel.x", 0.1 - 0.3 * (down + 1.2), 1e-11)
  check.equal(rest.stable, true)
  check.equal(#rest.warnings, 0)
  -- The ground pushes up by the weight: along the line its part is the reaction of rolling.
  check.near(math.abs(rest:at "rolls.lambda"), 2 * g * math.sin(0.25), 1e-9)
  local root = 1 / math.sqrt(1 - u * u)
  local by = { R = -root * math.sin(0.25) / 0.2, e = root * 0.3 * math.sin(0.25) / 0.04,
               slope = 1 - root * 0.3 / 0.2 * math.cos(0.25), start = 0 }
  start_slopes(m, m:objective { "angle", terminal = wheel.angle }, by)
  -- x = 0.1 - R (angle - start)
  start_slopes(m, m:objective { "way", terminal = wheel.x },
               { R = -(down + 1.2) - 0.3 * by.R, e = -0.3 * by.e, slope = -0.3 * by.slope, start = 0.3 })
  start.value = up - 0.1
  local balanced = m:equilibrium { stable = false }
  check.near(balanced:at "wheel.angle", up, 1e-10)
  check.near(balanced:at "wheel.x", 0.1 - 0.3 * 0.1, 1e-10)
  check.equal(balanced.stable, false)
  -- Downhill from there.
  local found = m:equilibrium {}:at "wheel.angle"
  check.near((found - down) / (2 * math.pi) - math.floor((found - down) / (2 * math.pi) + 0.5), 0, 1e-10)
  -- Exactly on top nothing says which way: it is pushed off.
  start.value = up
  check.equal(m:equilibrium {}.stable, true)
end

-- A sleigh with its edge behind the centre by a, a spring to its centre, and one against turning: reactions are
-- lateral, and the way is not one of rolling, so that more places would do; this is that of one step's equations.
do
  local m = mbs.model { "sleigh", gravity = { 0, 0 } }
  local k, c = m:param { "k", 20, unit = "N/m" }, m:param { "c", 3, unit = "N m/rad" }
  local a, y0 = m:param { "a", 0.3, unit = "m" }, m:param { "y0", 0.2, unit = "m" }
  local turned = m:param { "turned", 0.4, unit = "rad" }
  local sled = m:body { "sled", mass = 2, inertia = 0.3, at = { 0.1, y0 }, angle = turned }
  m:constraint { "edge", velocity = function()
    return math.cos(sled.angle) * sled.vy - math.sin(sled.angle) * sled.vx - a * sled.omega
  end }
  m:force { "pull", on = sled, law = function() return k * (2 - sled.x), k * (1 - sled.y) end,
            torque = function() return -c * sled.angle end }
  local rest = m:equilibrium {}
  local x, y, angle = rest:at "sled.x", rest:at "sled.y", rest:at "sled.angle"
  local sine, cosine = math.sin(angle), math.cos(angle)
  local fx, fy = 20 * (2 - x), 20 * (1 - y)
  check.near(fx * cosine + fy * sine, 0, 1e-9)                       -- along the edge
  local lateral = -fx * sine + fy * cosine
  check.near(math.abs(rest:at "edge.lambda"), math.abs(lateral), 1e-9)
  check.near(-3 * angle + 0.3 * lateral, 0, 1e-9)                    -- about the centre
  check.near(cosine * (y - 0.2) - sine * (x - 0.1) - 0.3 * (angle - 0.4), 0, 1e-11)
  assert(math.abs(lateral) > 1 and math.abs(angle - 0.4) > 0.05)     -- not the trivial one
  check.equal(#rest.warnings, 1)
  assert(rest.warnings[1]:find("one straight step of rolling", 1, true) and rest.warnings[1]:find("edge", 1, true))
  check.equal(rest.stable, true)
  -- Derivatives at rest against differences of equilibria, extrapolated.
  local objective = m:objective { "place", terminal = sled.x + 2 * sled.y + 3 * sled.angle }
  local function place()
    local at = m:equilibrium {}
    return at:at "sled.x" + 2 * at:at "sled.y" + 3 * at:at "sled.angle"
  end
  local expected = {}
  for name, p in pairs { k = k, c = c, a = a, y0 = y0, turned = turned } do
    local value = p.value
    local function difference(h)
      p.value = value + h
      local plus = place()
      p.value = value - h
      local minus = place()
      p.value = value
      return (plus - minus) / (2 * h)
    end
    local h = 1e-3 * value
    expected[name] = (4 * difference(h) - difference(2 * h)) / 3
  end
  start_slopes(m, objective, expected, 1e-6)
  local run = m:simulate { t = 0.1, at_rest = true }
  check.near(run:at("sled.angle", 0.1), angle, 1e-9)
  assert(run.warnings[1]:find("one straight step of rolling", 1, true))
  check.fails("a second derivative of a start at rest is not offered with constraints on velocities", function()
    m:hessian { objective, t = 0.1, at_rest = true }
  end)
end

-- A ball that a spring pulls over a plane, by more than a turn: it is turned by the way over r, about the axis across.
do
  for k, way in ipairs { 0.1, 0.7, 0.7, 0.9, 2.3, 2.3 } do
    local spins = k % 2 == 0  -- about the normal, which nothing holds then
    local target = mbs.model { "ball", gravity = { 0, 0, -g } }
    local radius = target:param { "r", 0.1, unit = "m" }
    local beta = target:param { "beta", 0.5, unit = "rad" }  -- turned about x before
    local b = target:body { "ball", mass = 1, inertia = { 4e-3, 4e-3, 4e-3 }, at = { 0, 0, radius },
                            orientation = { math.cos(beta / 2), math.sin(beta / 2), 0, 0 } }
    target:rolling { "roll", target.ground, b, radius = radius, spin = spins }
    target:force { "pull", on = b, law = function() return 40 * (0.6 * way - b.x), 40 * (0.8 * way - b.y), 0 end }
    local rest = target:equilibrium {}
    check.near(rest:at "ball.x", 0.6 * way, 1e-11)
    local half = way / 0.1 / 2  -- about (-0.8, 0.6, 0)
    local c, S, cb, sb = math.cos(half), math.sin(half), math.cos(0.25), math.sin(0.25)
    for name, value in pairs { e0 = c * cb + 0.8 * S * sb, e1 = c * sb - 0.8 * S * cb, e2 = 0.6 * S * cb,
                               e3 = -0.6 * S * sb } do
      check.near(rest:at("ball." .. name), value, spins and 1e-6 or 1e-9, name .. " after " .. way)
    end
    check.near(rest:at "roll.normal_force", g, 1e-9)
    check.equal(#rest.warnings, 0)
    start_slopes(target, target:objective { "e0", terminal = b.e0 }, 
                 { r = (S * cb - 0.8 * c * sb) * way / 0.02, beta = (-c * sb + 0.8 * S * cb) / 2 }, 1e-6)
  end
end

-- A ball in a bowl comes to its bottom, and is turned by nearly the way along it.
do
  local m = mbs.model { "bowl", gravity = { 0, 0, -g } }
  local marble = m:body { "marble", mass = 0.1, inertia = { 4e-6, 4e-6, 4e-6 },
                          at = { 0.19 * math.sin(0.3), 0, -0.19 * math.cos(0.3) } }
  m:rolling { "roll", m.ground, marble, radius = 0.01, ball = 0.2, inside = true }
  local rest = m:equilibrium {}
  check.near(rest:at "marble.x", 0, 1e-9)
  check.near(rest:at "marble.z", -0.19, 1e-12)
  check.near(rest:at "roll.normal_force", 0.1 * g, 1e-9)
  check.near(rest:at "roll.friction_x", 0, 1e-9)
  -- 0.19 sin(0.3) / 0.01 is what the step says, 0.19 0.3 / 0.01 is what rolling would: the warning says so.
  check.near(math.abs(rest:at "marble.e0"), math.abs(math.cos(0.19 * math.sin(0.3) / 0.01 / 2)), 1e-9)
  assert(rest.warnings[1]:find("roll", 1, true))
end

-- A condition that is stated twice changes nothing, and what has no rest is said to have none.
do
  local m = mbs.model { "twice", gravity = { 0, -g } }
  local P = m:point { "P", at = { 0.2, 0.1 }, mass = 1 }
  m:constraint { "slide", velocity = function() return P.vx - 2 * P.vy end }
  check.fails("no equilibrium was found", function() m:equilibrium {} end)
  m:constraint { "again", velocity = function() return 3 * P.vx - 6 * P.vy end }
  local k = m:param { "k", 30, unit = "N/m" }
  m:force { on = P, law = function() return -k * P.x, -k * P.y end }
  -- Along (2, 1) from (0.2, 0.1), that is through the origin: -k s sqrt(5) - g / sqrt(5) = 0 at s (2, 1).
  local s = -g / 5 / 30
  local rest = m:equilibrium {}
  check.near(rest:at "P.x", 2 * s, 1e-10)
  check.near(rest:at "P.y", s, 1e-10)
  start_slopes(m, m:objective { terminal = P.y }, { k = -s / 30 }, 1e-7)
end

-- What is driven does not rest.
do
  local m = mbs.model { "driven", gravity = { 0, 0 } }
  local speed = m:param { "speed", 2, unit = "m/s" }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  m:spring { m:ground { at = { 0, 1 } }, P, stiffness = 10, free_length = 0.4 }
  m:constraint { "belt", velocity = function() return P.vx - speed end }
  check.fails("asks for a velocity of 2; let that be zero", function() m:equilibrium {} end)
  check.fails("asks for a velocity of 2; let that be zero", function() m:simulate { t = 0.1, at_rest = true } end)
  speed.value = 0
  check.near(m:equilibrium {}:at "P.y", 0.6, 1e-9)
end
