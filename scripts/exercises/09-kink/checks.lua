local mbs = require "perilune"
local check = require "exercise"

local function smooth(given)
  local m = mbs.model { gravity = { 0, 0 } }
  local start = m:param { "p", 0 }
  local P = m:point { "P", at = { start, 0 }, mass = 1 }
  m:force { on = P, law = function(s) return given.stiffness * mbs.softplus(-s.x, given.width), 0 end }
  local psi = m:objective { terminal = P.x }
  return m:gradient { psi, t = given.time, integrator = mbs.rk4 { step = 1e-3 } }.gradient[1]
end

return {
  title = "Checking the gradient of a law with a kink",
  topic = "gradients",
  level = 3,
  given = function(random)
    return { stiffness = random(20, 40), time = random(0.12, 0.2), width = random(0.005, 0.02) }
  end,
  checks = function(given)
    local phase = math.sqrt(given.stiffness) * given.time
    local left = math.cos(phase)
    return {
      check.near { "left", name = "the derivative from the left", points = 2, answer = "left", rtol = 1e-4,
                   expected = left,
                   mistakes = { { math.cos(math.rad(phase)), "the argument of the cosine is in radians" },
                                { math.sin(phase), "at the start the point is at rest: which of sine and cosine?" },
                                { math.cos(given.stiffness * given.time), "omega is the square root of k / m" } },
                   hint = "x(t) = p cos(omega t) for p < 0" },
      check.near { "right", name = "the derivative from the right", answer = "right", rtol = 1e-6, expected = 1,
                   mistakes = { { 0, "the point stays at rest, but where?" } } },
      check.near { "central", name = "what central differences give", points = 2, answer = "central", rtol = 1e-4,
                   expected = (1 + left) / 2,
                   mistakes = { { 1, "this is the derivative from the right" },
                                { left, "this is the derivative from the left" } } },
      check.bound { "worst", name = "all methods agree away from the kink", points = 2, answer = "worst", above = 1e-16,
                    below = 1e-5, why_less = ": at p = -0.05 m the point does not reach the kink within T" },
      check.uses { "checked", name = "as the engine says", of = "model:check_gradient" },
      check.near { "smooth", name = "the smooth law", points = 3, answer = "smooth", rtol = 1e-4,
                   expected = function() return smooth(given) end,
                   mistakes = { { 1, "this is the derivative from the right of the law with the kink" },
                                { left, "this is the derivative from the left of the law with the kink" } },
                   hint = "the spring pushes towards +x where x is negative: the force is k softplus(-x, w)" },
    }
  end,
}
