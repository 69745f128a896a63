local mbs = require "perilune"
local check = require "exercise"

local function five_bar(given, length1, length2)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L01 = m:param { "L01", length1 or math.sqrt(5), min = 0.5, max = 5 }
  local L02 = m:param { "L02", length2 or math.sqrt(4.25), min = 0.5, max = 5 }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 1, 0 } }
  local P1, P2 = m:point { "P1", at = { -1, -1 } }, m:point { "P2", at = { 0.5, -2 } }
  local P3 = m:point { "P3", at = { 2, -1 } }
  m:bar { A, P1, mass = 1 }
  m:bar { P1, P2, mass = given.mass }
  m:bar { P2, P3, mass = given.mass }
  m:bar { P3, B, mass = 1 }
  m:spring { A, P3, stiffness = given.stiffness, free_length = L01 }
  m:spring { A, P2, stiffness = given.stiffness, free_length = L02 }
  local cost = m:objective { "cost", integral = (P2.x - 0.5)^2 + (P2.y + 2)^2 }
  local result = m:gradient { cost, over = { L01, L02 }, t = 2, formulation = mbs.penalty { alpha = 1e9 },
                              integrator = mbs.rk4 { step = 5e-3 } }
  return result.value, result.gradient
end

-- psi with the free lengths that the script found, divided by that at the start.
local function rest_of(given, _, answers)
  for _, name in ipairs { "L01", "L02" } do
    local length = answers[name]
    if math.type(length) == nil then return name .. ": should be a number in m" end
    if not (length >= 0.5 and length <= 5) then return name .. ": should be between 0.5 and 5 m" end
  end
  return (five_bar(given, answers.L01, answers.L02)) / (five_bar(given))
end

return {
  title = "Optimizing a five-bar mechanism",
  topic = "optimization",
  level = 3,
  limits = { seconds = 30 },
  given = function(random) return { mass = random(1, 2), stiffness = random(80, 140) } end,
  checks = function(given)
    return {
      check.near { "initial", name = "the objective at first", points = 2, answer = "initial", unit = "m^2 s", rtol = 1e-3,
                   expected = function() return (five_bar(given)) end },
      check.near { "gradient", name = "its gradient", points = 3, answer = "gradient", unit = "m s", rtol = 1e-3,
                   expected = function() return (select(2, five_bar(given))) end,
                   hint = "over = { L01, L02 }; the gradient is that at the first free lengths, before the optimization" },
      check.bound { "optimum", name = "the optimum", points = 4, answer = "L01",
                    measure = function(...) return rest_of(given, ...) end, below = 1e-6,
                    measured = "psi with your free lengths, as a part of the first psi",
                    why_less = ": the optimum is (nearly) zero" },
      check.bound { "rest", name = "what it is", points = 2, answer = "rest_distance", above = 0, below = 1e-3,
                    why_less = " m: with the optimal free lengths P2 rests at its place" },
      check.uses { "equilibrium", name = "by statics", of = "model:equilibrium" },
      check.runs_within { "time", name = "within reasonable time", seconds = 25 },
    }
  end,
}
