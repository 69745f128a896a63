-- m:remove: afterwards all is as in a model in which the object was never declared, to the last bit.
local mbs = require "perilune"
local check = require "check"
local answers = require "answers"
local same = answers.same

-- A pendulum of two bodies in the plane; `extra` declares more between its parts, and what that returns is removed.
local function planar(extra)
  local m = mbs.model { "arms", gravity = { 0, -9.81 } }
  local k = m:param { "k", 40 }
  local L = m:param { "L", 1 }
  local gone = extra and { extra(m, k, L, 1) } or {}
  local upper = m:body { "upper", mass = 2, inertia = 0.2, at = { L / 2, 0 } }
  local first = m:revolute { "first", m.ground, upper, at = { 0, 0 } }
  if extra then table.move({ extra(m, k, L, 2, upper) }, 1, 9, #gone + 1, gone) end
  local lower = m:body { "lower", mass = 1, inertia = 0.1, at = { L, -0.4 }, angle = -math.pi / 2 }
  m:revolute { "second", upper, lower, at = { L, 0 } }
  m:spring { "stay", m.ground:point { 1, 1 }, lower:point { 0.4, 0 }, stiffness = k, free_length = 0.5, damping = 0.3 }
  local cost = m:objective { "cost", terminal = lower.x ^ 2, integral = function(s) return first.force_x(s) ^ 2 / 100 end }
  if extra then
    table.move({ extra(m, k, L, 3, upper, lower) }, 1, 9, #gone + 1, gone)
    assert(#gone > 0)
    m:simulate { t = 0.05 }  -- compiled with it
    m:remove(table.unpack(gone))
  end
  return answers.of(m, cost, { k, L })
end

local alone = planar()
for what, extra in pairs {
  ["a spring"] = function(m, k, L, where, upper)
    if where == 2 then return m:spring { "s", m.ground, upper:point { 0.2, 0 }, stiffness = 3 * k } end
  end,
  ["a force by a law"] = function(m, k, L, where, upper)
    if where == 2 then return m:force { "push", on = upper, law = function(s) return k * s.x ^ 2, math.abs(s.vy) end } end
  end,
  ["a joint"] = function(m, k, L, where, upper)
    if where == 2 then return m:weld { "held", m.ground, upper, at = { 0, 0 } } end
  end,
  ["a driver"] = function(m, k, L, where, upper, lower)
    if where == 3 then return m:driver { "motor", upper.angle, law = function(s) return s.t end } end
  end,
  ["a point with a distance"] = function(m, k, L, where)
    if where == 1 then
      local P = m:point { "P", at = { 2, 0.5 * L }, mass = 1 }
      return m:distance { "rod", m:ground { "pin", at = { 1, 0 } }, P }, P
    end
  end,
  ["a body between others"] = function(m, k, L, where, upper)
    if where == 2 then
      local b = m:body { "load", mass = 3, inertia = 1, at = { L / 2, -1 } }
      return b, m:revolute { "hook", upper, b, at = { L / 2, 0 } }, m:torque { "brake", on = b, law = function(s) return -0.1 * s.omega end }
    end
  end,
  ["a controller"] = function(m, k, L, where, upper)
    if where == 2 then
      local pid = m:pid { "pid", error = function(s) return 1 - upper.angle(s) end, kp = 1, ki = 2 }
      return pid, m:torque { "servo", on = upper, law = function(s) return pid.output(s) end }
    end
  end,
  ["a contact"] = function(m, k, L, where, upper, lower)
    if where == 3 then
      return m:contact { "floor", m.ground:point { 0, -1.3 }, lower:point { 0.4, 0 }, normal = mbs.hunt_crossley { stiffness = 1e4 }, friction = mbs.lugre { static = 0.6, dynamic = 0.5, stiffness = 1e4, damping = 10 } }
    end
  end,
  ["a group"] = function(m, k, L, where, upper, lower)
    if where == 3 then return m:group { "both", upper, lower } end
  end,
} do
  local ok, why = pcall(planar, extra)
  if not ok then error(what .. ": " .. why, 0) end
  same(why, alone, what)
end

-- In space: joints with angles of their own, Euler parameters, natural bodies; other formulations.
local function spatial(extra, options)
  local m = mbs.model { "space", gravity = { 0, 0, -9.81 } }
  local c = m:param { "c", 0.4 }
  local gone = extra and { extra(m, c) } or {}
  local top = m:body { "top", mass = 1, inertia = { 1, 1.2, 0.5 }, at = { 0.5, 0, 0 }, angular_velocity = { 0, 0, 0.3 } }
  if extra then table.move({ extra(m, c, top) }, 1, 9, #gone + 1, gone) end
  local hinge = m:revolute { "hinge", m.ground, top, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  local ball = m:body { "ball", mass = 2, inertia = { 0.1, 0.1, 0.1 }, at = { 1, 0, -0.3 } }
  m:spherical { "socket", top, ball, at = { 1, 0, 0 } }
  m:torsion_spring { "coil", on = hinge, stiffness = 5 * c, damping = 0.1 }
  local cost = m:objective { "cost", terminal = ball.x ^ 2 + hinge.angle, integral = hinge.omega ^ 2 }
  if extra then m:remove(table.unpack(gone)) end
  return answers.of(m, cost, { c }, options)
end
local function passenger(m, c, top)
  if top then
    return m:revolute { "lid", m["extra"], top, at = { 0.5, 0.2, 0 }, axis = { 1, 0, 0 } }
  end
  return m:body { "extra", mass = c, inertia = { 0.1, 0.2, 0.3 }, at = { 0.5, 0.5, 0 } }
end
for _, options in ipairs { {}, { formulation = mbs.penalty { alpha = 1e7 } }, { integrator = mbs.radau { tolerance = 1e-6 } } } do
  same(spatial(passenger, options), spatial(nil, options), "a body with a joint in space")
end

-- What is refused, and what is gone.
do
  local m = mbs.model { "refused", gravity = { 0, -9.81 } }
  local arm = m:body { "arm", mass = 1, inertia = 1, at = { 1, 0 }, velocity = { 1, 0 } }
  local tip = arm:point { 0.5, 0 }
  local pivot = m:revolute { "pivot", m.ground, arm, at = { 0, 0 } }
  local spring = m:spring { m.ground, tip, stiffness = 10 }
  local pull = m:objective { "pull", integral = spring.force ^ 2 }
  local place = m:objective { "place", terminal = arm.x }
  local load = m:objective { "load", maximum = function(s) return pivot.force_x(s) end }
  m:signal { "reach", arm.x - 1 }
  local before = m:simulate { t = 0.2, objectives = { pull, place, load }, stop = spring.force - 1e6 }
  check.fails('something depends on body "arm": revolute "pivot"', m.remove, m, arm)
  check.fails('signal "reach"', m.remove, m, arm, pivot, spring)
  check.fails('is given twice', m.remove, m, spring, spring)
  check.fails('ground "ground" cannot be removed', m.remove, m, m.ground)
  check.fails('is a place on something', m.remove, m, tip)
  check.fails('is of another model', m.remove, mbs.model {}, spring)
  check.fails('expected the objects to be removed', m.remove, m)
  check.fails('objective "pull" cannot be removed', m.remove, m, pull)
  check.equal(spring.name, "spring1")

  local force = spring.force
  m:remove(spring)
  assert(tostring(spring):find("spring \"spring1\", removed from the model", 1, true), tostring(spring))
  check.fails('spring "spring1" was removed from the model', function() return spring.length end)
  check.fails('was removed from the model', m.remove, m, spring)
  check.fails("has no field, method or object 'spring1'", function() return m["spring1"] end)
  check.fails('objective "pull": this reads spring1, which was removed', m.simulate, m, { t = 0.2, objectives = { pull } })
  check.fails('reads spring1, which was removed', function()
    m:force { "echo", on = arm, law = function(s) return force, 0 end }
    m:simulate { t = 0.1 }
  end)
  m:remove "echo"
  local after = m:simulate { t = 0.2, objectives = { place, load } }
  check.fails("reads spring1, which was removed", after.at, after, force, 0.1)
  -- A run has what it had.
  assert(before:at("spring1.force", 0.1) == before:at(force, 0.1) and before:at("energy.total", 0.2))
  check.fails("has no signal 'spring1.force'", after.at, after, "spring1.force", 0.1)
  -- The name and its number are free.
  check.equal(m:spring { m.ground, tip, stiffness = 20 }.name, "spring1")
  check.equal(m["spring1"].stiffness, 20)

  -- After a joint has gone, what is left is counted anew: objectives that were declared before, too.
  m:remove(pivot)
  check.fails('objective "load": this reads pivot.lambda_x, which was removed', m.gradient, m, { load, t = 0.2 })
  m:simulate { t = 0.2, objectives = { place } }
  check.fails("from: coordinates were removed", function()
    local P = m:point { "P", at = { 3, 0 }, mass = 1 }
    local run = m:simulate { t = 0.1 }
    m:remove(P)
    m:simulate { t = 0.2, from = run }
  end)
end

-- Places with names are on what they are on.
do
  local m = mbs.model { "marked", gravity = { 0, -9.81 } }
  m:point { "P", at = { 3, 0 }, mass = 1 }
  local arm = m:body { "arm", mass = 1, inertia = 1, at = { 1, 0 } }
  local tip = arm:point { "tip", 0.5, 0 }
  local spring = m:spring { "s", m.ground, tip, stiffness = 10 }
  check.fails('"tip"', m.remove, m, arm, spring)
  check.fails('spring "s"', m.remove, m, tip)
  m:remove(arm, spring, tip)
  local run = m:simulate { t = 0.1 }
  for _, name in ipairs(m:signals()) do run:at(name, 0.1) end
end

-- Signals go by their names, alone or with what they read.
do
  local m = mbs.model { "signals", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 3, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { 2, 0 }, mass = 1 }
  m:signal { "reach", Q.x + 1, unit = "mm" }
  check.fails('something depends on point "Q": signal "reach"', m.remove, m, Q)
  check.fails('signals by their names: m:remove(a, "toe")', m.remove, m, Q)
  check.fails('signal "reach" is given twice', m.remove, m, "reach", "reach")
  m:remove(Q, "reach")
  check.fails("no field, method or object 'reach'", function() return m["reach"] end)
  m:signal { "reach", P.x, unit = "mm" }
  m:remove "reach"
  m:signal { "reach", P.x }
  check.equal(m:simulate { t = 0.1 }:at("reach", 0.1), 3)
end

-- Kinks of a law that is gone end no steps.
do
  local function kinked(extra)
    local m = mbs.model { "kink", gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 1, 0.3 }, mass = 1, velocity = { 0, 2 } }
    local push = extra and m:force { "push", on = P, law = function(s) return -math.abs(s.vy), 0 end }
    m:spring { m.ground, P, stiffness = 20 }
    if extra then m:remove(push) end
    local run = m:simulate { t = 1 }
    return ("%a %d"):format(run:at("P.x", 1), run.steps)
  end
  check.equal(kinked(true), kinked(false))
end

-- A motion in phases, of which the second leaves a spring out, and the derivatives of it.
do
  local function in_phases(extra)
    local m = mbs.model { "phases", gravity = { 0, -9.81 } }
    local k = m:param { "k", 40 }
    local ghost = extra and m:body { "ghost", mass = 3, inertia = 1, at = { 5, 1 } }
    local hinge = extra and m:revolute { "hinge", m.ground, ghost, at = { 5, 2 } }
    local P = m:point { "P", at = { 0.8, -0.3 }, mass = 0.5 }
    m:distance { "rod", m:ground { at = { 0, 0 } }, P }
    local pull = extra and m:spring { "pull", m.ground, P, stiffness = 100 }
    local spring = m:spring { "spring", m:ground { at = { 1, 1 } }, P, stiffness = k }
    if extra then m:remove(ghost, hinge, pull) end
    local stretched = m:phase { "stretched", stop = function(s) return s.t - 0.1 end }
    local loose = m:phase { "loose", without = { spring } }
    local how = { t = 0.4, phases = { stretched, loose }, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 1e-3 } }
    local run = m:simulate(how)
    how[1] = m:objective { "end", terminal = P.x }
    local gradient = m:gradient(how)
    return ("%a %a %a %d"):format(run:at("P.x", 0.4), gradient.value, gradient.gradient[1], run.steps)
  end
  check.equal(in_phases(true), in_phases(false), "in phases")
end
