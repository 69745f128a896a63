-- fails: swing
local mbs = require "perilune"
local given = require "given"

local function slope(phi, rate)
  return rate, -9.81 / given.length * math.sin(phi)
end

local function swing(steps)
  local results = {}
  for i, h in ipairs(steps) do
    local phi, rate = given.amplitude, 0
    for _ = 1, math.floor(1 / h + 0.5) do
      local a, b = slope(phi, rate)
      a, b = slope(phi + h / 2 * a, rate + h / 2 * b)
      phi, rate = phi + h * a, rate + h * b
    end
    results[i] = { phi, rate }
  end
  return results
end

local function simulate(integrator)
  local L, a = given.length, given.amplitude
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local rod = m:body { "rod", mass = 1, inertia = L ^ 2 / 12, angle = a - math.pi / 2,
                       at = { L / 2 * math.sin(a), -L / 2 * math.cos(a) } }
  m:revolute { m.ground, rod, at = { 0, 0 } }
  local run = m:simulate { t = 1, formulation = mbs.maggi {}, integrator = integrator }
  return run:at("rod.angle", 1), run:at("rod.omega", 1)
end

local angle, omega = simulate(mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-13 })
local function distance(a, w) return math.sqrt((a - angle) ^ 2 + (w - omega) ^ 2) end
local function order(make)
  return math.log(distance(simulate(make(0.04))) / distance(simulate(make(0.02)))) / math.log(2)
end

local growth = 1 + (given.omega * given.step) ^ 2

return {
  swing = swing,
  orders = { order(function(h) return mbs.rk4 { step = h } end),
             order(function(h) return mbs.trapezoidal { step = h } end),
             order(function(h) return mbs.radau { order = 5, step = h } end) },
  energy_factors = { growth, 1 / growth, 1 },
}
