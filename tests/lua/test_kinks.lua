-- The kinks of contacts and tires are mesh points of adaptive runs, and gradients are those of the motion: closed forms,
-- and extrapolated differences of runs at tolerances that leave nothing of a kink.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"

local g = 9.81
local integrators = { dormand_prince = mbs.dormand_prince {}, radau = mbs.radau {}, bdf = mbs.bdf {},
                      rosenbrock = mbs.rosenbrock {} }

--- The gradient of J by the only parameter, with default tolerances; `events`: names that the run has to list.
local function compare(what, build, t, exact, tolerance, events)
  for name, integrator in pairs(integrators) do
    local m, J = build()
    for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
      local gradient = m:gradient { J, t = t, integrator = integrator, method = method }.gradient
      check.near(gradient[1], exact, tolerance, what .. " with " .. name .. " by " .. tostring(method))
    end
    local listed = {}
    for _, event in ipairs(m:simulate { t = t, integrator = integrator }.events) do listed[event.what] = true end
    for _, event in ipairs(events) do assert(listed[event], what .. " with " .. name .. ": no event " .. event) end
  end
end

--- dJ/dp by differences of runs that are nearly exact.
local function by_differences(build, t, p)
  local tight = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-14 }
  local function central(by)
    local function J(x)
      local m, objective = build(x)
      return m:simulate { t = t, integrator = tight, objectives = objective }.objectives.J
    end
    return (J(p + by) - J(p - by)) / (2 * by)
  end
  return (4 * central(1e-4) - central(2e-4)) / 3
end

-- A damper that counts in unloading by a part only. Without gravity all of the contact is linear in the speed v of the
-- impact: it lasts as long whatever v, and the mass leaves the damper, where that would pull, at a depth a v, at e v.
do
  local K, D, c, mass, t = 2e4, 120, 0.25, 1, 0.4
  local s, w = D / (2 * mass), math.sqrt(K / mass - (D / (2 * mass)) ^ 2)
  local deepest = math.atan(w, s) / w
  local depth = math.exp(-s * deepest) * math.sin(w * deepest) / w
  -- Unloading from rest: x = depth e^(-s t) (cos(w t) + s / w sin(w t)), until the force K x + c D x' vanishes.
  s = c * D / (2 * mass)
  w = math.sqrt(K / mass - s ^ 2)
  local function x(u) return depth * math.exp(-s * u) * (math.cos(w * u) + s / w * math.sin(w * u)) end
  local function v(u) return -depth * math.exp(-s * u) * (s ^ 2 + w ^ 2) / w * math.sin(w * u) end
  local low, high = 0, math.pi / w
  for _ = 1, 100 do
    local middle = (low + high) / 2
    if K * x(middle) + c * D * v(middle) > 0 then low = middle else high = middle end
  end
  compare("restitution", function()
    local m = mbs.model { gravity = { 0, 0 } }
    local speed = m:param { "v", 2 }
    local P = m:point { "P", at = { 0, 0.3 }, velocity = { 0, -speed }, mass = mass }
    m:contact { "floor", m.ground, P, radius = 0.1,
                normal = mbs.kelvin_voigt { stiffness = K, damping = D, restitution = c } }
    return m, m:objective { "J", terminal = P.y }
  end, t, -x(low) - v(low) * (t - deepest - low), 1e-6, { "floor.gap", "floor.compression", "floor.normal_force" })
end

-- Damping that grows over a width; with a part of it in unloading, the force has both kinks.
for _, restitution in ipairs { 1, 0.3 } do
  local function build(height)
    local m = mbs.model { gravity = { 0, -g } }
    local h = m:param { "h", height or 0.5 }
    local P = m:point { "P", at = { 0, h }, mass = 1 }
    m:contact { "floor", m.ground, P, radius = 0.1,
                normal = mbs.kelvin_voigt { stiffness = 2e4, damping = 60, width = 1e-3, restitution = restitution } }
    return m, m:objective { "J", terminal = P.y + 0.1 * P.vy }
  end
  compare("width", build, 0.5, by_differences(build, 0.5, 0.5), 2e-5, { "floor.width" })
end

-- A wheel that spins evenly pulls with all of its friction until its slip has become critical.
local R, K, mass, mu = 0.3, 2e5, 20, 0.9
do
  local critical, t, v = 0.1, 0.5, 5
  local rolling = 8  -- m/s of the wheel's rim at rest
  local at_limit = rolling / (1 + critical)
  local after = t - (at_limit - v) / (mu * g)
  local low, high = at_limit, rolling - 1e-12
  for _ = 1, 100 do
    local x = (low + high) / 2
    if at_limit - x - rolling * math.log((rolling - x) / (rolling - at_limit)) < mu * g / critical * after then
      low = x
    else
      high = x
    end
  end
  compare("spinning wheel", function()
    local m = mbs.model { gravity = { 0, 0, -g } }
    local speed = m:param { "v", v }
    local r = R - mass * g / K
    local wheel = m:body { "wheel", mass = mass, inertia = { 1e9, 1e9, 1e9 }, at = { 0, 0, r },
                           velocity = { speed, 0, 0 }, angular_velocity = { 0, rolling / r, 0 } }
    m:tire { "tire", m.ground, wheel, radius = R, stiffness = K, friction = mu, critical_slip = critical }
    return m, m:objective { "J", terminal = wheel.vx }
  end, t, (rolling / low - 1) / critical, 1e-6, {})
end

-- Spin and drift at once, beyond the ellipse of what a tire holds; a wheel that lands without a damper.
local function wheel_at(height, torque, drift)
  return function(speed)
    local m = mbs.model { gravity = { 0, 0, -g } }
    local v = m:param { "v", speed or 8 }
    local wheel = m:body { "wheel", mass = mass, inertia = { 0.4, 0.8, 0.4 }, at = { 0, 0, height },
                           velocity = { v, drift, 0 }, angular_velocity = { 0, 8 / R, 0 } }
    m:tire { "tire", m.ground, wheel, radius = R, stiffness = K, friction = mu }
    m:torque { "drive", on = wheel, torque = { 0, torque, 0 }, frame = "body" }
    return m, m:objective { "J", terminal = wheel.x + wheel.y + 0.05 * wheel.vx }
  end
end
for what, case in pairs { brake = { wheel_at(0.299, -120, 0.3), { "tire.ellipse", "tire.critical_slip" } },
                          drift = { wheel_at(0.299, 0, 2), { "tire.ellipse", "tire.critical_angle" } },
                          both = { wheel_at(0.299, -120, 1.2), { "tire.ellipse" } },
                          landing = { wheel_at(0.35, 0, 0.5), { "tire.gap" } } } do
  compare(what, case[1], 0.5, by_differences(case[1], 0.5, 8), 2e-5, case[2])
end

-- Fixed steps go across kinks: no force jumps there.
do
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", at = { 0, 0.5 }, mass = 1 }
  m:contact { "floor", m.ground, P, radius = 0.1,
              normal = mbs.kelvin_voigt { stiffness = 2e4, damping = 60, width = 1e-2, restitution = 0.3 } }
  local run = m:simulate { t = 0.5, integrator = mbs.rk4 { step = 1e-3 } }
  check.equal(table.concat(run.warnings, "\n"):find("jump", 1, true), nil, "warnings")
end

-- A law that cannot be continued beyond its condition ends steps there in a phase that leaves another element out, too.
do
  local m = mbs.model { "phased", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  local rest = m:spring { "left out", m:ground { at = { 0, 1 } }, P, stiffness = 1 }
  m:force { "gate", on = P, law = function() return mbs.where(mbs.lt(0.5, P.x), 1 + (P.x - 0.5) ^ 0.5, 0), 0 end }
  local phase = m:phase { "alone", without = { rest }, stop = P.x - 0.9, within = 2 }
  local run = m:simulate { t = 2, phases = { phase } }
  check.equal(#run.events, 1)
  check.near(run.events[1].t, 0.5, 1e-9)
end

-- Laws that are not defined beyond their condition, or might not be, for all that the program knows: the ends of steps
-- there follow the parameters like those of others, so that it does not matter which side a node there reads. Roots,
-- whose slope is infinite there, are less exact, and that is said.
do
  local function crossing(law, integrand)
    local m = mbs.model { "crossing", gravity = { 0, -9.81 } }
    local v = m:param { "v", 2 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
    if law then m:force { "gate", on = P, law = function(s) return -3 * law(s.x - 1), 0 end } end
    local cost = m:objective { "cost", terminal = P.x, integral = integrand and function() return integrand(P.x - 1) end or 0 }
    local function slope(method, integrator)
      local found = m:gradient { cost, t = 1.2, method = method, integrator = integrator }
      return found.gradient[1], table.concat(found.warnings, "\n"):find("infinite slope", 1, true) ~= nil
    end
    local function difference(step)
      local ends = {}
      for _, value in ipairs { 2 + step, 2 - step } do
        v.value = value
        ends[#ends + 1] = m:simulate { t = 1.2, objectives = cost, integrator =
          mbs.dormand_prince { relative_tolerance = 1e-13, absolute_tolerance = 1e-14 } }.objectives.cost
      end
      v.value = 2
      return (ends[1] - ends[2]) / (2 * step)
    end
    return slope, difference
  end
  local function power(exponent)
    return function(u) return mbs.where(mbs.gt(u, 0), u ^ exponent, 0) end
  end
  local forces = { { power(0.5), 1e-3, true }, { power(0.8), 1e-4, true }, { power(1.5), 2e-6, false },
                   { function(u) return math.max(u, 0) ^ 2.5 end, 1e-6, false },
                   { function(u) return mbs.where(mbs.lt(u, 0), math.sqrt(-u) / 9, 0) end, 1e-3, true },
                   { function(u) return mbs.where(mbs.gt(u, 0), -u * math.log(u) / 3, 0) end, 1e-3, true },
                   { function(u) return mbs.where(mbs.gt(u, 0), u / (u ^ 2 + 1e-8) ^ 0.25, 0) end, 1e-5, false },
                   { function(u) return mbs.where(mbs.gt(u, 0), u / (u + 1), 0) end, 1e-7, false } }
  for k, case in ipairs(forces) do
    local slope, difference = crossing(case[1])
    local exact = (4 * difference(1e-3) - difference(2e-3)) / 3
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} } do
      for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
        local found, is_said = slope(method, integrator)
        local who = ("force %d, %s, %s"):format(k, integrator, method)
        check.near(found, exact, case[2], who)
        check.equal(is_said, case[3], who)
      end
    end
  end
  -- The integral of (v t - 1)^e from 1 / v to T is (v T - 1)^(e + 1) / ((e + 1) v).
  for exponent, tolerance in pairs { [0.5] = 1e-4, [1.5] = 1e-7, [2.5] = 1e-8 } do
    local exact = 1.2 + 1.2 * 1.4 ^ exponent / 2 - 1.4 ^ (exponent + 1) / ((exponent + 1) * 4)
    local slope = crossing(nil, power(exponent))
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {} } do
      local found, is_said = slope(mbs.adjoint {}, integrator)
      check.near(found, exact, tolerance, ("integrand %g, %s"):format(exponent, integrator))
      check.equal(is_said, exponent < 1)
    end
  end
end

-- The same of quotients by what is compared: a half sine of the length p, a rope by its length, and a ramp that ends with
-- a jump, which a quotient by a parameter does not keep from being followed.
do
  local function pulse(law, integrand)
    local m = mbs.model { "pulse", gravity = { 0, 0 } }
    local p = m:param { "p", 0.5, unit = "s" }
    local P = m:point { "P", at = { 0, 0 }, mass = 1 }
    if law then m:force { "push", on = P, law = function(s) return law(s.t, p), 0 end } end
    return m, m:objective { "x", terminal = P.x, integral = integrand and function(s) return integrand(s.t, p) end or 0 }
  end
  local function half_sine(t, p) return mbs.where(mbs.lt(t, p), 20 * math.sin(math.pi * t / p), 0) end
  local function ramp(t, p) return mbs.where(mbs.lt(t, p), 20 * t / p, 0) end
  for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} } do
    local function gradient(law, integrand)
      local m, x = pulse(law, integrand)
      return m:gradient { x, t = 0.7, integrator = integrator }.gradient[1]
    end
    local who = tostring(integrator)
    check.near(gradient(half_sine), 40 * 0.2 / math.pi, 1e-6, who)
    check.near(gradient(nil, half_sine), 20 * 2 / math.pi, 1e-6, who)
    -- x(T) = 10 p^2 / 3 + 10 p (T - p).
    check.near(gradient(ramp), 10 * 0.7 - 40 * 0.5 / 3, 1e-6, who)
    -- The kink has an event, through which second derivatives do not go.
    local m, x = pulse(function(t, p) return mbs.where(mbs.lt(t, p), 20 * (1 / (t + p) - 1 / (2 * p)), 0) end)
    check.equal(#m:simulate { t = 0.7, integrator = integrator }.events, 1)
    check.fails("second derivatives do not go through events", m.hessian, m, { x, t = 0.7, integrator = mbs.dormand_prince {} })
  end
  local function rope(law)
    local m = mbs.model { "rope", gravity = { 0, -9.81 } }
    local p = m:param { "p", 0.5, unit = "m" }
    local P = m:point { "P", at = { 0.1, 0.6 }, velocity = { 0.5, 0.3 }, mass = 1 }
    m:spring { "rope", m:ground { at = { 0, 0.7 } }, P, free_length = 0.2, law = function(s) return law(s.length - p) end }
    return m:gradient { m:objective { "e", terminal = P.x + P.y }, t = 1 }.gradient[1]
  end
  check.near(rope(function(u) return mbs.where(mbs.gt(u, 0), 1e5 * u, 0) end), 0.4078925, 1e-6)
  check.near(rope(function(u) return 1e5 * math.max(u, 0) end), 0.4078925, 1e-6)
end

-- A motion that begins right where a force or an integrand jumps: said where a parameter moves it off that place, to
-- either side of which derivatives differ (1 and 3 here), and only there.
do
  local function said(place, speed, how)
    local m = mbs.model { "edge", gravity = { 0, 0 } }
    local x, v, mass = m:param { "x", place }, m:param { "v", speed }, m:param { "mass", 1 }
    local P = m:point { "P", at = { x, 0 }, velocity = { v, 0 }, mass = mass }
    if how.law then m:force { "gate", on = P, law = how.law } end
    local cost = m:objective { "cost", terminal = P.x, integral = how.integrand and how.integrand(P) or 0 }
    local names = {}
    for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 5 }, mbs.adjoint { intervals = 2 } } do
      local found = { tostring(method) }
      for _, parameter in ipairs { x, v, mass } do
        local text = table.concat(m:gradient { cost, over = parameter, t = 1, method = method }.warnings, "\n")
        if text:find("the motion begins right where", 1, true) then found[#found + 1] = text:match 'of parameter "(%w+)"' end
      end
      names[#names + 1] = table.concat(found, " ", 2)
    end
    for k = 2, #names do check.equal(names[k], names[1], "methods") end
    return names[1]
  end
  local gate = { law = function(s) return mbs.where(mbs.gt(s.x, 0), 1, -1), 0 end }
  check.equal(said(0, 1, gate), "x")
  check.equal(said(1e-6, 1, gate), "")
  check.equal(said(0, 1, { law = function(s) return mbs.where(mbs.gt(s.x, 0), s.x, -s.x), 0 end }), "", "a kink")
  local beside = 0.1 + 0.2  -- 0.3 and a rounding
  check.equal(said(beside, 1, { law = function(s) return -10 * math.abs(s.x - 0.3), 0 end }), "", "rounding off a kink")
  check.equal(said(beside, 1, { integrand = function(P) return math.abs(P.x - 0.3) end }), "", "rounding off a kink")
  check.equal(said(0, 1, { integrand = function(P) return mbs.where(mbs.gt(P.x, 0), 1, 2) end }), "x")
  local rubs = { law = function(s) return 1 - 0.1 * mbs.sign(s.vx), 0 end }
  check.equal(said(0, 0, rubs), "v")
  check.equal(said(0, 0.5, rubs), "")
  check.equal(said(0, 1, { law = function(s) return mbs.where(mbs.gt(s.t, 0), 1, 2), 0 end }), "", "time")
end

-- A condition that a law which decides itself shares with a second one is that of both, in either order of declaration: a
-- jump of the second is followed, and its kink in a phase that leaves the first out. The time behind x = 1 is T - 1 / v.
do
  local function brake(x) return mbs.where(mbs.gt(x, 1), -30 * (x - 1) / x, 0) end
  for _, is_first in ipairs { true, false } do
    local m = mbs.model { "shared", gravity = { 0, 0 } }
    local v = m:param { "v", 2 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
    local function declare() m:force { "brake", on = P, law = function(s) return brake(s.x), 0 end } end
    if is_first then declare() end
    local behind = m:objective { "behind", integral = mbs.where(mbs.gt(P.x, 1), 1, 0) }
    if not is_first then declare() end
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} } do
      check.near(m:gradient { behind, t = 0.7, integrator = integrator }.gradient[1], 0.25, 1e-9, tostring(is_first))
    end
  end
  local function through_phases(with_other)
    local m = mbs.model { "phases", gravity = { 0, 0 } }
    local v = m:param { "v", 2 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
    local left_out = with_other and { m:force { "left out", on = P, law = function(s) return 5 * brake(s.x), 0 end } }
    m:force { "brake", on = P, law = function(s) return brake(s.x), 0 end }
    local speed = m:objective { "speed", terminal = P.vx }
    local alone = m:phase { "alone", without = left_out or {}, stop = P.x - 1.3, within = 2 }
    return m:gradient { speed, t = 2, phases = { alone }, integrator = mbs.dormand_prince {} }.gradient[1]
  end
  check.near(through_phases(true), through_phases(false), 1e-9)
end

-- Differences of runs that repeat the steps, where an event is nowhere near with the other values: refused, not 1e5.
do
  local m = mbs.model { "rope", gravity = { 0, -9.81 } }
  local x = m:param { "x", 0.5, unit = "m" }
  local P = m:point { "P", at = { 0, -x }, velocity = { 0.5, 0 }, mass = 1 }
  m:spring { "rope", m:ground { at = { 0, 0 } }, P, free_length = 0.2,
             law = function(s) return mbs.where(mbs.gt(s.length, 0.5), 1e4 * (s.length - 0.5), 0) end }
  local cost = m:objective { "cost", terminal = P.y }
  check.fails("is nowhere near with other values", m.gradient, m,
              { cost, t = 0.5, integrator = mbs.radau {}, method = mbs.finite_difference {} })
end
