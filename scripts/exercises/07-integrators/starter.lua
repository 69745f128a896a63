local mbs = require "perilune"
local given = require "given"

local function slope(phi, rate) -- the derivatives of phi and of phi'
  return rate, -1.5 * 9.81 / given.length * math.sin(phi)
end

local function swing(steps)
  local results = {}
  for i, h in ipairs(steps) do
    local phi, rate = given.amplitude, 0
    -- integrate from 0 to 1 s with the step h
    results[i] = { phi, rate }
  end
  return results
end

-- The angle and the angular velocity after 1 s.
local function simulate(integrator)
  local L, a = given.length, given.amplitude
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local rod = m:body { "rod", mass = 1, inertia = L ^ 2 / 12, angle = a - math.pi / 2,
                       at = { L / 2 * math.sin(a), -L / 2 * math.cos(a) } }
  m:revolute { m.ground, rod, at = { 0, 0 } }
  local run = m:simulate { t = 1, formulation = mbs.maggi {}, integrator = integrator }
  return run:at("rod.angle", 1), run:at("rod.omega", 1)
end

return { swing = swing, orders = { 1, 1, 1 }, energy_factors = { 0, 0, 0 } }
