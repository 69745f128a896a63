local mbs = require "perilune"
local check = require "exercise"

local function gradient(given)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local k, end_point = {}, nil
  local previous = m:ground { at = { 0, 0 } }
  for i = 1, 6 do
    k[i] = m:param { "k" .. i, given.stiffness + 10 * i }
    end_point = m:point { "P" .. i, at = { 0.5 * i, 0 }, mass = given.mass }
    m:spring { previous, end_point, stiffness = k[i], free_length = 0.45, damping = 0.5 }
    previous = end_point
  end
  local cost = m:objective { integral = end_point.y ^ 2 }
  return m:gradient { cost, over = k, t = 1, integrator = mbs.rk4 { step = 0.01 }, method = mbs.direct {} }.gradient
end

return {
  title = "Direct or adjoint: count the runs",
  topic = "gradients",
  level = 2,
  given = function(random) return { mass = random(0.5, 1.5), stiffness = random(40, 80) } end,
  checks = function(given)
    local function expected() return gradient(given) end
    local function near(name, text, points, rtol, hint)
      return check.near { name, name = text, points = points, answer = name, unit = "m^3 s/N", rtol = rtol,
                          expected = expected, hint = hint }
    end
    return {
      near("differences", "your differences", 3, 1e-4, "(psi(k + d) - psi(k - d)) / (2 d), with d about 1e-4 k"),
      near("direct", "the direct method", 2, 1e-7),
      near("adjoint", "the adjoint method", 2, 1e-7),
      check.uses { "runs", name = "no more runs than needed", points = 2, of = "model:simulate", at_least = 12,
                   at_most = 13, hint = "central differences need two runs for each parameter, and none in the middle" },
      check.uses { "uses_direct", name = "by the direct method", of = "mbs.direct" },
      check.uses { "uses_adjoint", name = "by the adjoint method", of = "mbs.adjoint" },
      check.avoids { "own", name = "by differences of your own", of = { "mbs.finite_difference", "model:check_gradient" } },
      check.near { "runs_for_1000", name = "runs for 1000 parameters", answer = "runs_for_1000", rtol = 0, atol = 1,
                   expected = 2000, mistakes = { { 1000, "so many do one-sided differences need" } } },
    }
  end,
}
