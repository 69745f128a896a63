local mbs = require "perilune"
local check = require "exercise"

local g = 9.81

local function drift(given, alpha)
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", at = { given.length, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  local run = m:simulate { t = 2, formulation = mbs.penalty { alpha = alpha },
                           integrator = mbs.dormand_prince { relative_tolerance = 1e-10 } }
  return math.max(table.unpack(run:values "constraint.drift"))
end

local function smallest_alpha(given)
  local alpha = 10
  while drift(given, alpha) >= given.tolerance do alpha = 10 * alpha end
  return alpha
end

return {
  title = "Choosing a penalty",
  topic = "formulations",
  level = 2,
  given = function(random)
    return { length = random(0.7, 1.4), tolerance = random(3, 9) * 1e-8, stretch = random(2, 9) * 1e-5 }
  end,
  checks = function(given)
    local k = g / given.stretch
    local omega = math.sqrt(k)
    return {
      check.near { "drifts", name = "the drifts", points = 3, answer = "drifts", rtol = 0.02,
                   expected = function()
                     local list = {}
                     for i = 2, 6 do list[i - 1] = drift(given, 10.0 ^ i) end
                     return list
                   end,
                   hint = "the largest of the list run:values \"constraint.drift\", not the last" },
      check.near { "slope", name = "how the drift falls", answer = "slope", rtol = 0.05, expected = -1 },
      check.near { "alpha", name = "the smallest power of ten", points = 2, answer = "alpha", rtol = 1e-9,
                   expected = function() return smallest_alpha(given) end,
                   mistakes = function()
                     local alpha = smallest_alpha(given)
                     return { { 10 * alpha, "a smaller one will do" }, { alpha / 10, "the drift is above the tolerance" } }
                   end },
      check.near { "stiffness", name = "the stiff spring", answer = "stiffness", unit = "N/m", rtol = 1e-2, expected = k,
                   hint = "in balance k times the stretch is the weight" },
      check.near { "largest_step", name = "its largest step", points = 2, answer = "largest_step", unit = "s",
                   rtol = 1e-2, expected = 2 * math.sqrt(2) / omega,
                   mistakes = { { 2 / omega, "2 is the limit of the central differences, not of Runge-Kutta" },
                                { 2 * math.pi / omega, "this is the period of the oscillation" },
                                { 2 * math.sqrt(2) / k, "omega is the square root of k / m" } } },
    }
  end,
}
