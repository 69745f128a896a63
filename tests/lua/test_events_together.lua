-- Conditions that change at the same time and need not with other parameters: each has its own event, so that gradients
-- follow what moves each of them. Closed forms, models with one condition alone, and runs with other parameters.
local mbs = require "perilune"
local check = require "check"

local where, gt = mbs.where, mbs.gt
local adaptive = { mbs.dormand_prince {}, mbs.dormand_prince { order = 8 }, mbs.radau { order = 3 }, mbs.radau {},
                   mbs.bdf {}, mbs.rosenbrock {} }
local tight = { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
local methods = { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 3 }, mbs.adjoint { intervals = 2 } }

-- A point of speed 1 is at x = 1 after 1 s, where forces begin: what begins later by dt is missing as speed from then on.
local T, forces = 2, { 0.5, -0.25, 0.125 }
local function zones(apart)
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  local time = m:param { "time", 1 }
  local over = { time }
  for i, force in ipairs(forces) do
    local begin = m:param { "begin" .. i, 1 + i * apart }
    over[i + 1] = begin
    m:force { "f" .. i, on = P, law = function(s) return where(gt(s.x, begin), force, 0), 0 end }
  end
  m:force { "late", on = P, law = function(s) return 0, where(gt(s.t, time), 1, 0) end }
  return m, over, {
    m:objective { "x", terminal = P.x }, m:objective { "vx", terminal = P.vx }, m:objective { "vy", terminal = P.vy },
    m:objective { "beyond", integral = where(gt(P.x, over[2]), 3, 0) + where(gt(P.x, over[3]), 5, 0) },
  }
end
local expected = {
  { 0, -0.5, 0.25, -0.125 }, { 0, -0.5, 0.25, -0.125 }, { -1, 0, 0, 0 }, { 0, -3, -5, 0 },
}
for _, apart in ipairs { 0, 1e-13, -1e-13, 1e-10 } do
  for _, integrator in ipairs(adaptive) do
    for _, method in ipairs(methods) do
      local m, over, J = zones(apart)
      local who = ("%s, %s, %g apart"):format(integrator, method, apart)
      local found = m:gradient { J, t = T, integrator = integrator, method = method, over = over }
      for o, row in ipairs(expected) do
        for k, value in ipairs(row) do check.near(found[o].gradient[k], value, 2e-7, who .. ", " .. o .. k) end
      end
    end
  end
end

-- Differences that repeat the steps find them as well, and every condition is among the events, once.
do
  local m, over, J = zones(0)
  local found = m:gradient { J, t = T, integrator = mbs.radau(tight), over = over, method = mbs.finite_difference {} }
  for o, row in ipairs(expected) do
    for k, value in ipairs(row) do check.near(found[o].gradient[k], value, 1e-6, o .. k) end
  end
  check.equal(#m:simulate { t = T }.events, 4)
end

-- Two that know nothing of each other, in one model and alone: a pendulum, and another one with its own brake.
local function pendulums(which)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local at, over, sum = { m:param { "a1", 0.3 }, m:param { "a2", 0.3 } }, {}, 0
  for k = 1, 2 do
    if which == k or which == "both" then
      local body = m:body { "b" .. k, mass = 1, inertia = 0.1, at = { 0.5, 0 } }
      m:revolute { "r" .. k, m.ground, body, at = { 0, 0 } }
      m:force { "brake" .. k, on = body,
                law = function(s) return where(gt(at[k], s.x), -3 * k * s.vx, 0), where(gt(at[k], s.x), 2, 0) end }
      over[#over + 1] = at[k]
      sum = sum + body.x + 2 * body.y
    end
  end
  return m, over, m:objective { "J", terminal = sum }
end
for name, form in pairs { index1 = mbs.index1 {}, maggi = mbs.maggi {}, joints = mbs.joint_coordinates {},
                          penalty = mbs.penalty { alpha = 1e9 }, partitioning = mbs.coordinate_partitioning {},
                          augmented = mbs.augmented_lagrangian {}, stabilized = mbs.stabilized_index1 {} } do
  for kind, make in pairs { explicit = mbs.dormand_prince, implicit = mbs.radau } do
    local function gradient(which, method)
      local m, over, J = pendulums(which)
      return m:gradient { J, t = 0.6, over = over, formulation = form, method = method,
                          integrator = make { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 } }.gradient
    end
    if name ~= "stabilized" or kind == "implicit" then
      local one, two = gradient(1)[1], gradient(2)[1]
      for _, method in ipairs(methods) do
        local both = gradient("both", method)
        check.near(both[1], one, 2e-6, name .. " " .. kind)
        check.near(both[2], two, 2e-6, name .. " " .. kind)
      end
    end
  end
end

-- A plate that lands flat on two feet, by how long one of them is.
local function plate(length)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local left = m:param { "length", length or 0.1 }
  local body = m:body { "plate", mass = 2, inertia = 0.3, at = { 0, 0.15 } }
  for side, x in pairs { left = -0.5, right = 0.4 } do
    local foot = body:point { side, x, side == "left" and -left or -0.1 }
    m:contact { side .. "_foot", m.ground, foot, normal = mbs.kelvin_voigt { stiffness = 4e3, damping = 60 } }
  end
  return m, m:objective { "J", terminal = body.y + 3 * body.angle + 0.2 * body.vy }
end
do
  local function value(length)
    local m, J = plate(length)
    return m:simulate { t = 0.3, objectives = J, integrator = mbs.dormand_prince(tight) }.objectives.J
  end
  local h = 1e-6
  local difference = (value(0.1 + h) - value(0.1 - h)) / (2 * h)
  for _, method in ipairs(methods) do
    local m, J = plate()
    check.near(m:gradient { J, t = 0.3, integrator = mbs.dormand_prince(tight), method = method }.gradient[1],
               difference, 1e-4 * math.abs(difference))
  end
end

-- Where one acts only beside the other, either may be first with other parameters: that is said, and only there.
local function gate(law)
  local m = mbs.model { gravity = { 0, 0 } }
  local a, b = m:param { "a", 1 }, m:param { "b", 1 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 1 }, mass = 1 }
  m:force { "gate", on = P, law = function(s) return law(s, a, b), 0 end }
  return m:gradient { m:objective { "J", terminal = P.x }, t = 2, over = { a, b }, method = mbs.direct {} }
end
local function said(found) return table.concat(found.warnings, "\n"):find("change their sides at the same time", 1, true) ~= nil end
check.equal(said(gate(function(s, a, b) return where(gt(s.x, a), where(gt(s.y, b), 1, 0), 0) end)), true)
check.equal(said(gate(function(s, a, b) return math.max(s.x - a, 0) + where(gt(s.y, b), 1, 0) end)), false)
check.equal(said(gate(function(s, a) return where(gt(s.x, a), where(gt(2 * s.x, 2 * a), 1, 0), 0) end)), false)
check.equal(said(gate(function(s, a, b) return mbs.sign(s.x - a) + mbs.sign(b - s.y) end)), false)
-- Or where one changes how soon the other comes: a push that begins at time 1, and one where the velocity is that of then.
check.equal(said(gate(function(s, a, b) return 1 + where(gt(s.t, a), 1, 0) + where(gt(s.vx, 1 + b), 1, 0) end)), true)
-- Contacts of one body, of which the square of an acceleration is read.
do
  local m = plate()
  local J = m:objective { "pushed", integral = m:signal "plate.ay" ^ 2 }
  check.equal(said(m:gradient { J, t = 0.3 }), true)
  m = plate()
  check.equal(said(m:gradient { m:objective { "low", integral = m:signal "plate.y" ^ 2 }, t = 0.3 }), false)
end

-- A place where a law and two integrands change, wherever it is to the last digit, and others hardly apart from it.
for k = 1, 18 do
  for _, apart in ipairs { 0, 1e-10, -1e-10, 1e-13 } do
    local m = mbs.model { gravity = { 0, 0 } }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
    local b = 0.1 * k
    local first, second = m:param { "first", b + apart }, m:param { "second", b }
    m:force { "f", on = P, law = function(s) return 0, -2 * math.max(s.x - second, 0) end }
    local J = m:objective { "J", integral = where(gt(P.x, first), 1, 0) + where(gt(P.x, second), 1, 0) }
    local K = m:objective { "K", terminal = P.vy }
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {} } do
      local found = m:gradient { { J, K }, t = 2, over = { first, second }, integrator = integrator }
      check.near(found[1].gradient[1], -1, 1e-6, "at " .. b)
      check.near(found[1].gradient[2], -1, 1e-6, "at " .. b)
      check.near(found[2].gradient[2], 2 * (2 - b), 1e-6, "at " .. b)
    end
  end
end

-- A condition on an acceleration follows the landing that makes it, and not another one at the same time.
for count = 1, 2 do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local bodies, legs = {}, {}
  for k = 1, count do
    legs[k] = m:param { "leg" .. k, 0.1 }
    bodies[k] = m:body { "b" .. k, mass = 1, inertia = 0.1, at = { 3 * k, 0.2 } }
    m:contact { "c" .. k, m.ground, bodies[k]:point { "f" .. k, 0, -legs[k] },
                normal = mbs.kelvin_voigt { stiffness = 1e3, damping = 20 } }
  end
  local J = m:objective { "J", integral = where(gt(bodies[1].ay, 0), 1, 0) }
  for _, method in ipairs(methods) do
    local slopes = m:gradient { J, t = 0.3, method = method, integrator = mbs.dormand_prince(tight) }.gradient
    if count == 2 then check.near(slopes[2], 0, 1e-9) end
    local function value(leg)
      legs[1].value = leg
      return m:simulate { t = 0.3, objectives = J, integrator = mbs.dormand_prince(tight) }.objectives.J
    end
    check.near(slopes[1], (value(0.1 + 1e-5) - value(0.1 - 1e-5)) / 2e-5, 1e-4)
    legs[1].value = 0.1
  end
end

-- Near a tick and right at it: the tick stays where it is. A force begins at t0; between ticks all is constant, so that
-- with x and v at the ticks, x + v h + a h^2 / 2, the end is known in closed form.
local function held(t0)
  local x, v, h = 0.1, 0, 0.1
  for k = 0, 9 do
    local u, begin = -4 * x, math.max(0, math.min(h, t0 - k * h))
    for _, part in ipairs { { begin, u }, { h - begin, u + 2 } } do
      x, v = x + v * part[1] + part[2] * part[1] ^ 2 / 2, v + part[2] * part[1]
    end
  end
  return x
end
for _, apart in ipairs { 0, 1e-15, -1e-15, 1e-12, -1e-12, -1e-9, 3e-9 } do
  local m = mbs.model { gravity = { 0, 0 } }
  local t0 = m:param { "t0", 0.3 + apart }
  local P = m:point { "P", at = { 0.1, 0 }, mass = 1 }
  local u = m:sampled { "u", period = 0.1, next = function() return -4 * P.x end }
  m:force { "push", on = P, law = function(s) return u.value + where(gt(s.t, t0), 2, 0), 0 end }
  local J = m:objective { "J", terminal = P.x }
  local slope = (held(0.3 + 1e-5) - held(0.3 - 1e-5)) / 2e-5
  for _, integrator in ipairs(adaptive) do
    for _, method in ipairs(methods) do
      local found = m:gradient { J, t = 1, method = method, integrator = integrator }
      check.near(found.value, held(0.3), 1e-7)
      check.near(found.gradient[1], slope, 1e-6, ("%s, %s, %g"):format(integrator, method, apart))
    end
  end
end

-- Another one between two that depend on each other, or some time between two, is told apart.
check.equal(said(gate(function(s, a, b) return where(gt(s.x, a), where(gt(s.y, b), 1, 0), 0) + where(gt(s.t, 1), 1, 0) end)), true)
check.equal(said(gate(function(s, a, b) return where(gt(s.x, a), where(gt(s.y, b + 1e-3), 1, 0), 0) end)), false)

-- A condition that is only watched, as of a root, hardly before a tick: its step ends there, and so does the next one.
for _, integrator in ipairs(adaptive) do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  local u = m:sampled { "u", period = 0.1, next = function() return P.x end }
  m:force { "push", on = P, law = function(s) return 0, where(gt(s.x, 0.3 - 1e-10), (s.x - 0.3 + 1e-10 + 1e-30) ^ 1.5, 0) + u.value end }
  local run = m:simulate { t = 0.4, integrator = integrator }
  check.near(run:at("P.vy", 0.4), 0.1 * (0.1 + 0.2 + 0.3) + 0.1 ^ 2.5 / 2.5, 1e-6, tostring(integrator))
end
do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  local a, b, c = m:param { "a", 1 }, m:param { "b", 1 }, m:param { "c", 1 }
  m:force { "f", on = P, law = function(s)
    local A, B, C = where(gt(s.x, a), 1, 0), where(gt(s.x, b), 1, 0), where(gt(s.x, c), 1, 0)
    return 0, 2 * A * C + B
  end }
  check.equal(said(m:gradient { m:objective { "J", terminal = P.vy }, t = 2 }), true)
end
-- Feet that touch at the same time, and one that lets go long after.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local leg = m:param { "leg", 0.1 }
  local body = m:body { "plate", mass = 2, inertia = 0.3, at = { 0, 0.15 }, velocity = { 0.3, 0 } }
  for side, x in pairs { left = -0.5, right = 0.5 } do
    m:contact { side, m.ground, body:point { side .. "_foot", x, side == "left" and -leg or -0.1 },
                normal = mbs.kelvin_voigt { stiffness = 4e3, damping = 60 }, friction = mbs.dahl { coefficient = 0.3, stiffness = 1e4 } }
  end
  check.equal(said(m:gradient { m:objective { "J", terminal = body.y + 3 * body.angle + body.x }, t = 0.22 }), false)
end
