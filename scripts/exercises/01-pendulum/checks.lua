local mbs = require "perilune"
local check = require "exercise"

local g = 9.81

-- The exact period of a pendulum with the reduced length l, by the arithmetic-geometric mean.
local function exact_period(l, amplitude)
  local x, y = 1, math.cos(amplitude / 2)
  for _ = 1, 40 do x, y = (x + y) / 2, math.sqrt(x * y) end
  return 2 * math.pi * math.sqrt(l / g) / x
end

local times = {}
for i = 0, 40 do times[#times + 1] = i / 4 end

-- Where the centre of the rod is at these times.
local function motion(given)
  local L, a = given.length, given.amplitude
  local m = mbs.model { gravity = { 0, -g } }
  local rod = m:body { "rod", mass = given.mass, inertia = given.mass * L ^ 2 / 12,
                       at = { L / 2 * math.sin(a), -L / 2 * math.cos(a) }, angle = a - math.pi / 2 }
  m:revolute { m.ground, rod, at = { 0, 0 } }
  local run = m:simulate { t = 10, formulation = mbs.maggi {},
                           integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  return { run:values("rod.x", times), run:values("rod.y", times) }
end

return {
  title = "A pendulum and its period",
  topic = "first steps",
  level = 1,
  given = function(random)
    return { length = random(0.6, 1.8), mass = random(0.5, 3), amplitude = random(1.2, 2) }
  end,
  checks = function(given)
    local l = 2 * given.length / 3
    local small = 2 * math.pi * math.sqrt(l / g)
    return {
      check.near { "small_period", name = "the period of small swings", points = 2, answer = "small_period", unit = "s",
                   rtol = 1e-3, expected = small,
                   mistakes = { { 2 * math.pi * math.sqrt(given.length / g), "this is a point mass at the end of the rod" },
                                { 2 * math.pi * math.sqrt(given.length / 6 / g),
                                  "the moment of inertia is about the centre, not about the hinge" } },
                   hint = "parallel axes: J = m L^2 / 12 + m (L / 2)^2" },
      check.near { "motion", name = "the motion of the rod", points = 3, run = "run", signals = { "rod.x", "rod.y" },
                   times = times, rtol = 1e-3, expected = function() return motion(given) end,
                   hint = "at the start the centre is at L / 2 (sin a, -cos a), and the hinge at the origin" },
      check.invariant { "energy", name = "energy is conserved", run = "run", signals = { "energy.total" },
                        times = times, rtol = 1e-5, scale = given.mass * g * given.length },
      check.near { "period", name = "the period of the large swing", points = 3, answer = "period", unit = "s",
                   rtol = 2e-4, expected = function() return exact_period(l, given.amplitude) end,
                   mistakes = { { small, "this is the period of small swings again" } },
                   hint = "m:simulate { stop = ... } ends a motion exactly where a signal becomes zero" },
    }
  end,
}
