-- Optimizers other than the usual ones: mbs.trust_region with exact second derivatives, mbs.cobyla without gradients.
local mbs = require "perilune"
local check = require "check"
local g = 9.81

-- A throw that is to hit a place in one second: the miss is (vx - 4)^2 + (vy - g / 2 - 1)^2, and its curvature 2, or
-- 2 * 16^2 per scales of the parameters, which are powers of two near their range of 20.
do
  local m = mbs.model { "throw", gravity = { 0, -g } }
  local vx = m:param { "vx", 3, unit = "m/s", min = 0, max = 20 }
  local vy = m:param { "vy", 3, unit = "m/s", min = 0, max = 20 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { vx, vy }, mass = 1 }
  local miss = m:objective { "miss", terminal = (P.x - 4)^2 + (P.y - 1)^2 }
  local best = m:optimize { minimize = miss, t = 1, optimizer = mbs.trust_region {}, check = true }
  check.near(vx.value, 4, 1e-8)
  check.near(vy.value, 1 + g / 2, 1e-8)
  check.equal(best.reason, "projected_gradient")
  check.near(best.least_curvature, 2 * 16^2, 1e-9)
  assert(best.iterations <= 3 and best.products >= 2 and best.products <= 8, tostring(best))
  assert(tostring(best):find "Hessian products: the projected gradient is .* It is a minimum: the least curvature is 512")
  assert(best.check.relative_difference < 1e-10)
  best:convergence(os.tmpname())

  vx.value, vy.value = 3, 3
  best = m:optimize { minimize = miss, over = { vx, vy }, t = 1, optimizer = mbs.trust_region { max_evaluations = 2 } }
  check.equal(best.reason, "evaluation_limit")
  check.equal(best.evaluations + best.products, 2)

  -- Several starts.
  best = m:optimize { minimize = miss, t = 1, starts = 3, optimizer = mbs.trust_region {} }
  for _, one in ipairs(best.starts) do
    check.near(one.parameters.vx, 4, 1e-8)
    assert(one.products > 0)
  end
end

-- The end of a pendulum, with constraints and bounds: as far as L-BFGS-B comes, in fewer steps; and the derivative
-- vanishes there by a difference of whole runs.
do
  local m = mbs.model { gravity = { 0, -g } }
  local a, L = m:param { "a", 0.4, min = 0.1, max = 1.5 }, m:param { "L", 1, min = 0.5, max = 2 }
  local P = m:point { "P", at = { L * math.sin(a), -L * math.cos(a) }, mass = 1 }
  local Q = m:point { "Q", at = { L * math.sin(a) + 1, -L * math.cos(a) }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  m:distance { P, Q }
  local cost = m:objective { "cost", terminal = (P.x - 0.3)^2 + (Q.y + 0.9)^2, integral = 0.1 * Q.x^2 }
  local function search(how)
    a.value, L.value = 0.4, 1
    return m:optimize { minimize = cost, t = 1, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 0.01 }, optimizer = how }
  end
  local usual, newton = search(mbs.lbfgsb {}), search(mbs.trust_region {})
  check.near(newton.final, usual.final, 1e-9)
  check.near(newton.parameters.L, usual.parameters.L, 1e-5)
  assert(newton.evaluations < usual.evaluations and newton.least_curvature > 0, tostring(newton))
  local function cost_at(d)
    a.value, L.value = newton.parameters.a + d, newton.parameters.L
    return m:simulate { t = 1, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 0.01 }, objectives = cost }.objectives.cost
  end
  check.near((cost_at(1e-4) - cost_at(-1e-4)) / 2e-4, 0, 1e-6)

  -- Without a formulation it takes one that has second derivatives.
  m = mbs.model { gravity = { 0, -g } }
  L = m:param { "L", 1, min = 0.5, max = 2 }
  P = m:point { "P", at = { L, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  local low = m:objective { "low", terminal = (P.y + 0.8)^2 }
  check.near(m:optimize { minimize = low, t = 0.5, optimizer = mbs.trust_region {} }.final, 0, 1e-12)
end

-- A maximum at the start: the slope of (v^2 - 1)^2 vanishes at v = 0, and what knows gradients alone stays there.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local v = m:param { "v", 0, min = -1, max = 2 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  local well = m:objective { "well", terminal = (P.x^2 - 1)^2 }
  check.equal(m:optimize { minimize = well, t = 1 }.parameters.v, 0)
  local best = m:optimize { minimize = well, t = 1, optimizer = mbs.trust_region {} }
  check.near(math.abs(v.value), 1, 1e-8)
  check.near(best.final, 0, 1e-12)
end

-- Events of adaptive steps are known once there is a run: the sentence says what to take.
do
  local m = mbs.model { gravity = { 0, -g } }
  local h = m:param { "h", 1, min = 0.5, max = 2 }
  local P = m:point { "P", at = { 0, h }, mass = 1 }
  m:force { "floor", on = P, law = function(s) return 0, mbs.where(mbs.lt(s.y, 0.2), 100 * (0.2 - s.y) + 3, 0) end }
  local bounce = m:objective { "bounce", terminal = (P.y - 0.5)^2 }
  check.fails("mbs.lbfgsb {} needs none", function()
    m:optimize { minimize = bounce, t = 1, optimizer = mbs.trust_region {}, integrator = mbs.dormand_prince {} }
  end)
end

-- COBYLA: a throw that is to go far with a limit on its energy and a least height, as in test_constraints_of_optima.
do
  local m = mbs.model { "throw", gravity = { 0, -g } }
  local vx = m:param { "vx", 3, unit = "m/s", min = 0, max = 20 }
  local vy = m:param { "vy", 3, unit = "m/s", min = 0, max = 20 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { vx, vy }, mass = 1 }
  local far, high = m:objective { "far", terminal = -P.x }, m:objective { "high", terminal = P.y }
  local best = m:optimize { minimize = far, t = 1, optimizer = mbs.cobyla {}, subject_to = {
    { "energy", (vx^2 + vy^2) / 2, max = 40, unit = "J/kg" }, { "height", high, min = 1, unit = "m" } } }
  local wanted = 1 + g / 2
  check.near(vy.value, wanted, 1e-5)
  check.near(vx.value, (80 - wanted^2)^0.5, 1e-5)
  check.equal(best.reason, "small_steps")
  check.equal(best.kkt, nil)
  check.equal(best.history[1].projected_gradient, nil)
  check.near(best.constraints.energy.value, 40, 1e-5)
  check.equal(best.constraints.energy.multiplier, nil)
  assert(best.violation <= 1e-6)
  local text = tostring(best)
  assert(text:find("no certificate: neither KKT residual nor multipliers", 1, true) and not text:find "nan", text)
  best:convergence(os.tmpname())
end

-- Where the objective jumps with the place: from 2.25 m on it costs more.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local v = m:param { "v", 2, unit = "m/s", min = 0.5, max = 10 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  local score = m:objective { "score", terminal = mbs.where(mbs.lt(P.x, 2.25), 2.25 - P.x, 2 + P.x) }
  local best = m:optimize { minimize = score, t = 1, optimizer = mbs.cobyla {} }
  assert(v.value < 2.25 and v.value > 2.2, v.value)
  assert(best.evaluations < 300)
end

-- Where there is no gradient at the start: a root at its zero, which the others refuse. Beyond it the cost is
-- (v - 2)^2 + (w - 1/2)^2 - w / 10, the least of it at w = 0.55.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local v, w = m:param { "v", 1, unit = "m/s", min = 0, max = 5 }, m:param { "w", 0, unit = "m/s", min = -1, max = 1 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, w }, mass = 1 }
  local cost = m:objective { "cost", terminal = (P.x - 2)^2 + (P.y - 0.5)^2 - 0.1 * (P.y^2)^0.5 }
  check.fails("is not a finite number", function() m:optimize { minimize = cost, t = 1 } end)
  m:optimize { minimize = cost, t = 1, optimizer = mbs.cobyla {} }
  check.near(v.value, 2, 1e-5)
  check.near(w.value, 0.55, 1e-5)
end

-- A stop that does not come is a step too long; where it comes the end counts.
do
  local m = mbs.model { gravity = { 0, -g } }
  local vy = m:param { "vy", 2, unit = "m/s", min = 0, max = 30 }
  local P = m:point { "P", at = { 0, 1 }, velocity = { 1, vy }, mass = 1 }
  local far = m:objective { "far", terminal = (P.x - 1)^2 }
  local best = m:optimize { minimize = far, t = 2, stop = -P.y, optimizer = mbs.cobyla {},
                            integrator = mbs.dormand_prince { relative_tolerance = 1e-9, absolute_tolerance = 1e-9 } }
  check.near(vy.value, g / 2 - 1, 1e-4)  -- one second: 0 = 1 + vy - g / 2
  check.near(best.final, 0, 1e-7)
end
