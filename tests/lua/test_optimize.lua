-- Optima that are known in closed form, and what optimize leaves behind.
local mbs = require "perilune"
local check = require "check"

-- The velocity that takes a point to x = 2 in one second.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local v = m:param { "v", 1, min = 0, max = 5 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  local miss = m:objective { "miss", terminal = (P.x - 2)^2 }
  local best = m:optimize { minimize = miss, over = v, t = 1 }
  check.near(v.value, 2, 1e-8)
  check.near(best.initial, 1)
  check.near(best.final, 0, 1e-12)
  check.equal(best.parameters.v, v.value)
  check.equal(best.history[1].value, best.initial)
  check.equal(best.history[#best.history].value, best.final)
  assert(best.message:find "^Converged")
end

-- (v - 2)^2 + (w - 3)^2 with v at most 1.5: the bound is active, w is free; the third parameter is left alone.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local v, w = m:param { "v", 0.5, min = 0, max = 1.5 }, m:param { "w", 1, min = 0, max = 10 }
  local mass = m:param { "mass", 1.25, min = 1, max = 2 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, w }, mass = mass }
  local miss = m:objective { terminal = (P.x - 2)^2 + (P.y - 3)^2 }
  local best = m:optimize { minimize = miss, over = { w, v }, t = 1,
                            optimizer = mbs.lbfgsb { projected_gradient = 1e-10, check_gradient = true } }
  check.equal(v.value, 1.5)
  check.near(w.value, 3, 1e-8)
  check.equal(mass.value, 1.25)
  check.near(best.final, 0.25)
  check.near(best.gradient_check.relative_error, 0, 1e-5)

  v.value, w.value = 0.5, 1
  best = m:optimize { minimize = miss, over = { v, w }, t = 1, optimizer = mbs.lbfgsb { max_evaluations = 1 } }
  check.equal(best.reason, "evaluation_limit")
  check.equal(best.evaluations, 1)
  check.equal(v.value, 0.5)
end

-- Simulations that fail on the way count as steps too long.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local v = m:param { "v", 0.2, min = 0, max = 10 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  local cost = m:objective { terminal = -10 * P.x - math.log(1 - P.x) }
  m:optimize { minimize = cost, t = 1 }
  check.near(v.value, 0.9, 1e-6)
end

-- Coarse simulations: the optimizer knows their tolerance, and follows gradients below it.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local a, L = m:param { "a", 0.4, min = 0.1, max = 1.5 }, m:param { "L", 1, min = 0.5, max = 2 }
  local P = m:point { "P", at = { L * math.sin(a), -L * math.cos(a) }, mass = 1 }
  local Q = m:point { "Q", at = { L * math.sin(a) + 1, -L * math.cos(a) }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  m:distance { P, Q }
  local cost = m:objective { terminal = (P.x - 0.3)^2 + (Q.y + 0.9)^2, integral = 0.1 * Q.x^2 }
  for _, tolerance in ipairs { 1e-3, 3e-4, 1e-4, 1e-5 } do
    a.value, L.value = 0.4, 1
    local best = m:optimize { minimize = cost, t = 1.5, integrator = mbs.dormand_prince {
      relative_tolerance = tolerance, absolute_tolerance = tolerance / 100 } }
    assert(best.message:find "^Converged" and best.evaluations < 25, best.message)
  end
end

-- What is to become large has its own values.
do
  local m = mbs.model { "throw", gravity = { 0, -9.81 } }
  local v = m:param { "v", 1, min = 0, max = 5 }
  local P = m:point { "P", mass = 1, at = { 0, 0 }, velocity = { v, 1 } }
  local far = m:objective { "far", terminal = 3 * P.x - P.x ^ 2 }
  local best = m:optimize { maximize = far, t = 1 }
  check.near(v.value, 1.5, 1e-7)
  check.near(best.final, 2.25, 1e-12)
  check.fails("maximize must be an objective", m.optimize, m, { maximize = 5, t = 1 })
end
