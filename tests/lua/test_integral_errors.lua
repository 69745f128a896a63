-- Objectives that are integrals are under error control like the motion: in free flight, whose steps have no error of
-- their own, an oscillating integrand decides their length. Closed forms, value and gradient.
local mbs = require "perilune"
local check = require "check"

local m = mbs.model { "flight" }
local v = m:param { "v", 1, unit = "m/s" }
local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
-- The integral of sin(25 v t)^2 and its derivative.
local cost = m:objective { "cost", integral = function(s) return math.sin(25 * P.x(s)) ^ 2 end }
local T, w = 2, 50
for _, integrator in ipairs {
  mbs.dormand_prince {}, mbs.radau {}, mbs.radau { order = 3, relative_tolerance = 1e-6, absolute_tolerance = 1e-8 }, mbs.bdf {}, mbs.rosenbrock {},
  mbs.rosenbrock { order = 3, relative_tolerance = 1e-6, absolute_tolerance = 1e-8 }
} do
  v.value = 1
  local run = m:simulate { t = T, integrator = integrator, objectives = { cost } }
  check.near(run.objectives.cost, T / 2 - math.sin(w * T) / (2 * w), 2e-6, tostring(run))
  local promised = run.quality.integral_error.cost
  assert(promised > 0 and promised < 1e-3, promised)
  local g = m:gradient { cost, t = T, integrator = integrator }
  check.near(g.value, run.objectives.cost, 1e-14)
  check.near(g.gradient[1], -T * math.cos(w * T) / 2 + math.sin(w * T) / (2 * w), 2e-4, tostring(run))
  -- The steps chosen by the integrals are repeated to the last bit.
  local again = m:gradient { cost, method = mbs.adjoint { checkpoints = 5 } }
  check.equal(again.gradient[1], g.gradient[1])
  check.near(m:gradient { cost, method = mbs.direct {} }.gradient[1], g.gradient[1], 1e-9)
end

-- Without integrals the steps are those of the motion alone.
local last = m:objective { "last", terminal = P.x }
local alone = m:simulate { t = T, integrator = mbs.dormand_prince {} }
local with = m:simulate { t = T, objectives = { last } }
check.equal(with.steps, alone.steps)
check.equal(next(with.quality.integral_error), nil)
