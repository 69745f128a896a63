-- Where slip becomes as fast as the whole of friction asks for, its law has a corner, which adaptive runs hold and end
-- steps at: values and derivatives are those of closed forms, whatever the speed, the integrator and the tolerance.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"

local g, mu = 9.81, 0.4
local lowest = 0.04  -- v0 of ambrosio, in parts of v1

local function integral(f, from, to)
  local n, sum = 1000, f(from) + f(to)
  for k = 1, 2 * n - 1 do sum = sum + (k % 2 == 1 and 4 or 2) * f(from + (to - from) * k / (2 * n)) end
  return sum * (to - from) / (6 * n)
end

-- `share`: of mu N that acts from the slip v1 on; `speed`: of a block that friction alone slows down, in parts of v1,
-- the time T after it had v1, where k = mu g / v1.
local laws = {
  ambrosio = {
    make = function(v1) return mbs.ambrosio { coefficient = mu, v0 = lowest * v1, v1 = v1 } end,
    share = 1,
    speed = function(T, k) return lowest + (1 - lowest) * math.exp(-k * T / (1 - lowest)) end,
  },
  threlfall = {
    make = function(v1) return mbs.threlfall { coefficient = mu, regularization = v1 } end,
    share = 1 - math.exp(-3),
    speed = function(T, k) return math.log(1 + (math.exp(3) - 1) * math.exp(-3 * k * T)) / 3 end,
  },
  coulomb_cubic = {
    make = function(v1) return mbs.coulomb_cubic { coefficient = mu, regularization = v1 } end,
    share = 1,
    speed = function(T, k)
      local E = math.exp(-3 * k * T) / 2
      return math.sqrt(3 * E / (1 + E))
    end,
  },
}

-- A block of 1 kg that slides with its weight on what is level: a point in the plane, one in space, askew to the axes,
-- and a body on rails. Returns its way, what its events are called, and in the plane itself.
local places = {}
function places.plane(m, v, law)
  local P = m:point { "P", at = { 0, -g / 1e4 }, velocity = { v, 0 }, mass = 1 }
  m:contact { "floor", m.ground, P, normal = mbs.kelvin_voigt { stiffness = 1e4 }, friction = law }
  return P.x, "floor.full_slip", P
end
function places.space(m, v, law)
  local P = m:point { "P", at = { 0, 0, -g / 1e4 }, velocity = { 0.6 * v, -0.8 * v, 0 }, mass = 1 }
  m:contact { "floor", m.ground, P, normal = mbs.kelvin_voigt { stiffness = 1e4 }, friction = law }
  return 0.6 * P.x - 0.8 * P.y, "floor.full_slip"
end
function places.rails(m, v, law)
  local b = m:body { "b", mass = 1, inertia = 0.1, velocity = { v, 0 } }
  m:translational { "rails", m.ground, b, at = { 0, 0 }, axis = { 1, 0 }, length = 0.2, friction = law }
  return b.x, "rails.full_slip", b
end

local function model(place, law, speed, v1)
  local m = mbs.model { gravity = place == "space" and { 0, 0, -g } or { 0, -g } }
  local v, width = m:param { "v", speed }, m:param { "v1", v1 }
  local way, event, body = places[place](m, v, law.make(width))
  return m, m:objective { "J", terminal = way }, event, body
end

--- `least`: of speeds, how well they are to be known in parts of the tolerance.
local function each_integrator(least, f)
  for _, tolerance in ipairs { 1e-8, 1e-11 } do
    local how = { relative_tolerance = tolerance, absolute_tolerance = least * tolerance }
    local of_order_8 = { relative_tolerance = tolerance, absolute_tolerance = least * tolerance, order = 8 }
    for _, integrator in ipairs { mbs.dormand_prince(how), mbs.dormand_prince(of_order_8), mbs.radau(how), mbs.bdf(how),
                                  mbs.rosenbrock(how) } do
      f(integrator, tolerance)
    end
  end
end

--- Against the way and its derivatives by both parameters, with 10 and 30 times the tolerance of the steps.
local function compare(who, m, J, v1, t, way, by_speed, by_width)
  each_integrator(1e-2 * v1, function(integrator, tolerance)
    for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
      local found = m:gradient { J, t = t, integrator = integrator, method = method }
      local what = ("%s, %s, %g, %s"):format(who, integrator, tolerance, method)
      check.near(found.value, way, 10 * tolerance, what .. ": way")
      check.near(found.gradient[1], by_speed, 30 * tolerance, what .. ": by the speed")
      if by_width then check.near(found.gradient[2], by_width, 30 * tolerance, what .. ": by v1") end
      check.equal(#found.warnings, 0, what .. ": warnings")
    end
  end)
end

--- How often, and when last, the run of default tolerances lists an event; there is no other.
local function listed(m, t, event)
  local run, last = m:simulate { t = t }, nil
  for _, found in ipairs(run.events) do
    check.equal(found.what, event)
    last = found.t
  end
  return #run.events, last
end

-- Slowed down evenly to v1, and then less and less. With the speed the time after v1 changes by -1 / a. The way since
-- then is v1^2 times a function of T / v1.
for name, law in pairs(laws) do
  for place in pairs(places) do
    for _, case in ipairs { { 1.5, 0.5 }, { 1.53, 0.5 }, { 1.57, 0.03 }, { 0.5, 0.5 } } do
      local speed, v1, t = case[1], case[2], 0.45
      local a, k = mu * g * law.share, mu * g / v1
      local T = t - (speed - v1) / a
      local last = v1 * law.speed(T, k)
      local after = integral(function(s) return v1 * law.speed(s, k) end, 0, T)
      local m, J, event = model(place, law, speed, v1)
      local who = ("%s %s %g %g"):format(name, place, speed, v1)
      local by_speed, by_width = (speed - last) / a, (last - v1) / a + (2 * after - T * last) / v1
      compare(who, m, J, v1, t, (speed ^ 2 - v1 ^ 2) / (2 * a) + after, by_speed, by_width)
      local count, at = listed(m, t, event)
      if speed > v1 then
        check.equal(count, 1, who .. ": events")
        check.near(at, t - T, 1e-8, who .. ": event")
        -- Second-order equations of the continuous adjoint differentiate the slopes of both sides at the corner. They
        -- warn where friction feels loads.
        if place ~= "rails" then
          local continuous = m:gradient {
            J, t = t, formulation = mbs.stabilized_index1 {}, method = mbs.continuous_adjoint { form = "second_order" },
            integrator = mbs.radau { relative_tolerance = 1e-9, absolute_tolerance = 1e-11 } }
          check.near(continuous.gradient[1], by_speed, 1e-7, who .. ": continuous, by the speed")
          check.near(continuous.gradient[2], by_width, 1e-7, who .. ": continuous, by v1")
          check.equal(#continuous.warnings, 0, who .. ": warnings")
        end
        check.fails("second derivatives do not go through events", m.hessian, m, { J, t = t })
      end
    end
  end
end

-- A force that turns the slip round, so fast that a single step would go from full slip to full slip the other way.
-- The other laws have bends at rest, at which no step ends.
for _, place in ipairs { "plane", "rails" } do
  for _, v1 in ipairs { 0.3, 1e-2, 1e-3 } do
    local law, speed, push, t = laws.coulomb_cubic, 0.5, 12, 0.2
    local m, J, event, body = model(place, law, speed, v1)
    m:force { "push", on = body, law = function() return -push, 0 end }
    local a, back = push + mu * g, push - mu * g
    local function over(f)  -- of the ramp, by x from -1 to 1
      return integral(function(x) return f(x) / (push + mu * g * x * (3 - x * x) / 2) end, -1, 1)
    end
    local rest = t - (speed - v1) / a - v1 * over(function() return 1 end)
    local on_ramp = v1 ^ 2 * over(function(x) return x end)
    local way = (speed ^ 2 - v1 ^ 2) / (2 * a) + on_ramp - v1 * rest - back * rest ^ 2 / 2
    local who = ("%s turns round, %g"):format(place, v1)
    compare(who, m, J, v1, t, way, (speed + v1 + back * rest) / a)
    local count, at = listed(m, t, event)
    check.equal(count, 2, who .. ": events")
    check.near(at, t - rest, 1e-8, who .. ": event")
  end
end
