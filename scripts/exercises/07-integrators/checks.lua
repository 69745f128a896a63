local mbs = require "perilune"
local check = require "exercise"

local steps = { 0.1, 0.05, 0.025, 0.0125 }

-- phi and phi' at t = 1 s.
local function exact(given)
  local L, a = given.length, given.amplitude
  local m = mbs.model { gravity = { 0, -9.81 } }
  local rod = m:body { "rod", mass = 1, inertia = L ^ 2 / 12, angle = a - math.pi / 2,
                       at = { L / 2 * math.sin(a), -L / 2 * math.cos(a) } }
  m:revolute { m.ground, rod, at = { 0, 0 } }
  local run = m:simulate { t = 1, formulation = mbs.maggi {},
                           integrator = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-13 } }
  return { run:at("rod.angle", 1) + math.pi / 2, run:at("rod.omega", 1) }
end

return {
  title = "Integrators and their order",
  topic = "integration",
  level = 2,
  given = function(random)
    return { length = random(0.7, 1.4), amplitude = random(0.6, 1.2), omega = random(3, 8), step = random(0.02, 0.08) }
  end,
  checks = function(given)
    local growth = 1 + (given.omega * given.step) ^ 2
    return {
      check.near { "swing", name = "your integrator", points = 2, call = "swing", arguments = { { 0.001 } },
                   rtol = 1e-3, expected = function() return { exact(given) } end },
      check.converges { "order", name = "is of order 2", points = 3, call = "swing", arguments = { steps }, steps = steps,
                        exact = function() return exact(given) end, order = { 1.7, 2.4 },
                        hint = "with the slope at the beginning alone it is Euler's method, of order 1" },
      check.near { "orders", name = "measured orders", points = 3, answer = "orders", rtol = 0, atol = 0.35,
                   expected = { 4, 2, 5 },
                   mistakes = { { { 5, 3, 6 }, "these are the orders of a single step" },
                                { { 16, 4, 32 }, "these are 2^p; take the logarithm" } } },
      check.near { "energy_factors", name = "energy of one step", points = 3, answer = "energy_factors", rtol = 1e-6,
                   expected = { growth, 1 / growth, 1 },
                   mistakes = { { { math.sqrt(growth), 1 / math.sqrt(growth), 1 }, "these are the factors of the amplitude" },
                                { { 1 / growth, growth, 1 }, "explicit and implicit are exchanged" } },
                   hint = "write a step as a matrix for (omega x, x') and look at what it does to the length of that" },
      check.uses { "measured", name = "measured by simulations", of = "model:simulate", at_least = 7 },
    }
  end,
}
