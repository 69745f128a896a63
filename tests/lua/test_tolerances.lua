-- Costs and some of their standard deviations, of which values, slopes and optima have closed forms.
local mbs = require "perilune"
local check = require "check"

--- psi = a x + (x - 1)^2 + b at the end of one second, by a free point with the velocity (x, b).
local function line(x, least)
  local m = mbs.model { "line", gravity = { 0, 0 } }
  local p = { m = m, x = m:param { "x", x, min = least or -10, max = 10 }, a = m:param { "a", 0.5 }, b = m:param { "b", 0.25 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { p.x, p.b }, mass = 1 }
  p.psi = m:objective { "psi", terminal = p.a * P.x + (P.x - 1)^2 + P.y }
  return p
end

-- sigma^2 = (0.2 x)^2 + 0.1^2. The check and the difference quotient know the derivatives in other ways.
do
  local p = line(2)
  local function robust(x) return 0.5 * x + (x - 1)^2 + 0.25 + 3 * math.sqrt((0.2 * x)^2 + 0.1^2) end
  local best = p.m:optimize { minimize = p.psi, over = p.x, t = 1, tolerances = { { p.a, 0.2 }, { p.b, 0.1 } },
                              check = true, optimizer = mbs.lbfgsb { check_gradient = true } }
  assert(best.gradient_check.relative_error < 1e-7, best.gradient_check.relative_error)
  assert(best.check.relative_difference < 1e-12)
  local x = p.x.value
  check.near(0.5 + 2 * (x - 1) + 3 * 0.04 * x / math.sqrt((0.2 * x)^2 + 0.1^2), 0, 1e-7)
  check.near(best.initial, robust(2), 1e-12)
  check.near(best.final, robust(x), 1e-12)
  check.near(best.nominal, 0.5 * x + (x - 1)^2 + 0.25, 1e-12)
  check.near(best.deviation, math.sqrt((0.2 * x)^2 + 0.1^2), 1e-12)
  check.near(best.tolerances.a, (0.2 * x)^2 / ((0.2 * x)^2 + 0.1^2), 1e-12)
  check.near(best.tolerances.b, 0.1^2 / ((0.2 * x)^2 + 0.1^2), 1e-12)
  check.near(best.second_order_deviation, 0, 1e-12)
  assert(not best.warnings or #best.warnings == 0)
  assert(tostring(best):find("standard deviation to first order: of its square 5", 1, true), tostring(best))
end

-- Another number of deviations, and a limit that holds at the values themselves.
do
  local p = line(2)
  local end_of_it = p.m:objective { "x at the end", terminal = p.x }
  local best = p.m:optimize { minimize = p.psi, over = p.x, t = 1, tolerances = { { p.a, 0.2 } }, deviations = 1,
                              subject_to = { { "far", end_of_it, min = 0.9 } } }
  check.near(p.x.value, 0.9, 1e-7)
  check.near(best.final, 0.5 * 0.9 + 0.01 + 0.25 + 0.2 * 0.9, 1e-7)
  check.near(best.constraints.far.multiplier, -(0.5 - 0.2 + 0.2), 1e-5)  -- the slope there
end

-- Where a design variable scatters itself, with another: by hand the products of second derivatives are 2 and 1.
do
  local p = line(1.2, 1.1)
  local best = p.m:optimize { minimize = p.psi, over = p.x, t = 1, tolerances = { { p.x, 0.05 }, { p.a, 0.3 } } }
  local x = p.x.value
  check.near(x, 1.1, 1e-12)
  check.near(best.deviation, math.sqrt((0.05 * (0.5 + 2 * (x - 1)))^2 + (0.3 * x)^2), 1e-10)
  check.near(best.second_order_shift, 0.05^2, 1e-10)
  check.near(best.second_order_deviation, math.sqrt((4 * 0.05^4 + 2 * (0.05 * 0.3)^2) / 2), 1e-10)
end

-- At the least cost the first order sees nothing of what scatters: it says so, with the exact deviation and shift of a
-- square of a normal distribution.
do
  local p = line(2)
  local best = (function()
    return p.m:optimize { minimize = p.psi, over = p.x, t = 1, tolerances = { { p.x, 0.2 } } }
  end)()
  check.near(best.second_order_deviation, math.sqrt(2) * 0.2^2, 1e-9)
  check.near(best.second_order_shift, 0.2^2, 1e-9)
  assert(table.concat(best.warnings, " "):find("the first order does not describe it", 1, true))
end

-- A spring pendulum over time, in two formulations: the slope of the robust cost against difference quotients, with
-- what scatters inside and outside of what is sought.
for _, formulation in ipairs { mbs.index3 {}, mbs.penalty {} } do
  local m = mbs.model { "spring pendulum" }
  local L = m:param { "L", 0.8, unit = "m", min = 0.7, max = 0.9 }
  local k = m:param { "k", 30, unit = "N/m", min = 20, max = 40 }
  local mass = m:param { "mass", 1.3, unit = "kg" }
  local P = m:point { "P", at = { L, 0 }, mass = mass }
  m:distance { "rod", P, m:ground { at = { 0, 0 } } }
  m:spring { "spring", P, m:ground { at = { 0.5, 0.6 } }, stiffness = k, damping = 0.4, free_length = 0.3 }
  local fall = m:objective { "fall", integral = P.y^2 + 0.1 * P.x }
  local best = m:optimize { minimize = fall, over = { L, k }, t = 0.6, formulation = formulation,
                            tolerances = { { k, 2 }, { mass, 0.1 } }, check = true,
                            integrator = mbs.trapezoidal { step = 0.005 },
                            optimizer = mbs.lbfgsb { check_gradient = true } }
  assert(best.gradient_check.relative_error < 1e-5, best.gradient_check.relative_error)
  assert(best.check.relative_difference < 1e-8, best.check.relative_difference)
  check.near(best.tolerances.k + best.tolerances.mass, 1, 1e-12)
end
