-- fails: differences
local mbs = require "perilune"
local given = require "given"

local m = mbs.model { "chain", gravity = { 0, -9.81 } }
local k, end_point = {}, nil
local previous = m:ground { at = { 0, 0 } }
for i = 1, 6 do
  k[i] = m:param { "k" .. i, given.stiffness + 10 * i, unit = "N/m", min = 1 }
  end_point = m:point { "P" .. i, at = { 0.5 * i, 0 }, mass = given.mass }
  m:spring { "s" .. i, previous, end_point, stiffness = k[i], free_length = 0.45, damping = 0.5 }
  previous = end_point
end
local cost = m:objective { "cost", integral = end_point.y ^ 2 }
local rk4 = mbs.rk4 { step = 0.01 }

-- The objective at the present stiffnesses.
local function simulate()
  return m:simulate { t = 1, integrator = rk4, objectives = cost }.objectives.cost
end

local differences = {}
for i = 1, 6 do
  local before = k[i].value
  local d = 1e-1 * before
  k[i].value = before + d
  local above = simulate()
  k[i].value = before - d
  local below = simulate()
  differences[i] = (above - below) / (2 * d)
end

local function gradient(method)
  return m:gradient { cost, over = k, t = 1, integrator = rk4, method = method }.gradient
end

return {
  differences = differences,
  direct = gradient(mbs.direct {}),
  adjoint = gradient(mbs.adjoint {}),
  runs_for_1000 = 2000,
}
