-- Jobs of a sweep that go along together in registers have the bits of runs one by one, which never do.
local mbs = require "perilune"
local check = require "check"

--- Every job of a sweep over these parameters against a run of its own.
local function check_jobs(m, over, objectives, points, settings)
  m:simulate(settings)
  local found = mbs.sweep { objectives, over = over, design = mbs.list(points) }
  check.equal(#found, #points)
  local failed = 0
  local single = { objectives = objectives }
  for name, value in pairs(settings) do single[name] = value end
  for k, row in ipairs(found) do
    for i, parameter in ipairs(over) do parameter.value = points[k][i] end
    local ok, run = pcall(m.simulate, m, single)
    check.equal(row.failure == nil, ok, tostring(run))
    if not ok then failed = failed + 1 end
    for _, objective in ipairs(ok and objectives or {}) do
      check.equal(row.values[objective.name], run.objectives[objective.name])
    end
  end
  return failed
end

local rk4 = { t = 0.3, integrator = mbs.rk4 { step = 1e-3 }, formulation = mbs.penalty {} }
local adaptive = { t = 0.3, integrator = mbs.dormand_prince {}, formulation = mbs.index1 {} }

-- Points and bars: elements, factorization and solution in registers.
do
  local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
  local first = m:param { "first", 2.2, unit = "m" }
  local second = m:param { "second", 2, unit = "m" }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 1, 0 } }
  local P1 = m:point { "P1", at = { -1, -1 } }
  local P2 = m:point { "P2", at = { 0.5, -2 } }
  local P3 = m:point { "P3", at = { 2, -1 } }
  m:bar { "bar1", A, P1, mass = 1 }
  m:bar { "bar2", P1, P2, mass = 1.5 }
  m:bar { "bar3", P2, P3, mass = 1.5 }
  m:bar { "bar4", P3, B, mass = 1 }
  m:spring { "s1", A, P3, stiffness = 100, free_length = first }
  m:spring { "s2", A, P2, stiffness = 100, free_length = second }
  local way = m:objective { "way", integral = function() return (P2.x - 0.5)^2 + (P2.y + 2)^2 end }
  local height = m:objective { "height", terminal = P2.y }
  local points = {}
  for k = 1, 11 do points[k] = { 1.5 + 0.1 * k, 2.5 - 0.07 * k } end
  check.equal(check_jobs(m, { first, second }, { way, height }, points, rk4), 0)
  check.equal(check_jobs(m, { first, second }, { way, height }, points, adaptive), 0)
  check.equal(check_jobs(m, { first, second }, { way }, points, { t = 0.3 }), 0)
  -- Two alone, and a bar that is too short for the others.
  check.equal(check_jobs(m, { first, second }, { way }, { { 2, 2 }, { 2.1, 2 } }, rk4), 0)
end

-- Planar bodies and a law. One design cannot be run.
do
  local m = mbs.model { "arms", gravity = { 0, -9.81 } }
  local lever = m:param { "lever", 0.4, unit = "m" }
  local damping = m:param { "damping", 0.2 }
  local upper = m:body { "upper", mass = 2, inertia = 0.1, center_of_mass = { lever, 0 } }
  local lower = m:body { "lower", mass = 1, inertia = 0.1, at = { 1, 0 } }
  m:revolute { "shoulder", m:ground { at = { 0, 0 } }, upper }
  m:revolute { "elbow", upper, lower, at = { 1, 0 } }
  m:torque { "drag", on = upper, law = function(s) return -damping * mbs.tanh(s.omega) / (lever - 0.2) end }
  local height = m:objective { "height", terminal = lower.y }
  local points = {}
  for k = 1, 10 do points[k] = { 0.1 * k, 0.05 * k } end  -- the second one divides by zero
  check.equal(check_jobs(m, { lever, damping }, { height }, points, rk4), 1)
  check.equal(check_jobs(m, { lever, damping }, { height }, points, adaptive), 1)
end

-- Contact, whose law is held on its side over each step and changes it at events, with an integrand that has sides of
-- its own.
do
  local m = mbs.model { "balls", gravity = { 0, -9.81 } }
  local stiffness = m:param { "stiffness", 2e4 }
  local drift = m:param { "drift", 0.5, unit = "m/s" }
  local floor = m:ground { at = { 0, 0 } }
  local high = m:point { "high", at = { 0, 0.3 }, velocity = { drift, 0 }, mass = 0.5 }
  local low = m:point { "low", at = { 0.4, 0.2 }, velocity = { drift, 0 }, mass = 0.5 }
  m:bar { "rod", high, low, mass = 0.1 }
  for _, ball in ipairs { high, low } do
    m:force { "floor of " .. ball.name, on = ball, law = function(s)
      return 0, mbs.where(mbs.lt(s.y, 0.05), stiffness * (0.05 - s.y) - 5 * s.vy, 0)
    end }
  end
  local below = m:objective { "below", integral = function()
    return mbs.where(mbs.lt(low.y, 0.1), (0.1 - low.y)^2, 0)
  end }
  local points = {}
  for k = 1, 9 do points[k] = { 1e4 + 2e3 * k, 0.1 * k } end
  check.equal(check_jobs(m, { stiffness, drift }, { below }, points,
    { t = 0.4, integrator = mbs.dormand_prince {}, formulation = mbs.index1 {} }), 0)
  m:simulate { t = 0.4, integrator = mbs.dormand_prince {}, formulation = mbs.index1 {} }
  check.equal(#m.last_run.events > 3, true)
end

-- Differences of runs that end at a condition. The point falls freely until y = -d: x = v sqrt(2 d / g), and its speed
-- there is sqrt(2 g d).
do
  local m = mbs.model { "fall", gravity = { 0, -9.81 } }
  local d = m:param { "d", 0.5 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 2, 0 }, mass = 1 }
  local speed = m:objective { "speed", terminal = -P.vy }
  local way = m:objective { "way", integral = P.vx }
  for _, integrator in ipairs { mbs.rk4 { step = 1e-2 }, mbs.dormand_prince {} } do
    m:simulate { t = 1, integrator = integrator, formulation = mbs.index1 {}, stop = function() return P.y + d end }
    local function difference(objective)
      return m:gradient { objective, over = { d }, method = mbs.finite_difference {} }
    end
    check.near(difference(speed).value, (2 * 9.81 * 0.5)^0.5, 1e-9)
    check.near(difference(speed).gradient[1], (9.81 / (2 * 0.5))^0.5, 1e-6)
    check.near(difference(way).gradient[1], 2 / (2 * 9.81 * 0.5)^0.5, 1e-6)
  end
end

-- Nine jobs, of which the last one has nobody to go along with, and an objective without an integral.
do
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local speed = m:param { "speed", 1, unit = "m/s" }
  local P = m:point { "P", at = { 1, 0 }, velocity = { 0, speed }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  local height = m:objective { "height", terminal = P.y }
  local points = {}
  for k = 1, 9 do points[k] = { 0.1 * k } end
  check.equal(check_jobs(m, { speed }, { height }, points, rk4), 0)
  check.equal(check_jobs(m, { speed }, { height }, points, adaptive), 0)
end
