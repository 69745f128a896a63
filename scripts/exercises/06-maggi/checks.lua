local mbs = require "perilune"
local check = require "exercise"

local phi, rate = -0.6, 1.7

local function state(given)
  local L = given.length
  return { L * math.cos(phi), L * math.sin(phi) }, { -L * rate * math.sin(phi), L * rate * math.cos(phi) }
end

local function acceleration(given)
  local q, v = state(given)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = q, velocity = v, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  local run = m:simulate { t = 1e-3, formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 1e-3 } }
  return { run:at("P.ax", 0), run:at("P.ay", 0) }
end

-- P.x and Q.y at the times: both cranks turn alike, and the rod between them is only carried along, so that with the
-- inertia 5/3 m r^2 and the weight of two rods at r the angle follows phi'' = -6 g cos(phi) / (5 r).
local function motion(given, times)
  local r = given.crank
  local function rates(phi, omega) return omega, -1.2 * 9.81 / r * math.cos(phi) end
  local phi, omega, t, step = given.angle, given.omega, 0, 1e-4
  local x, y = {}, {}
  for i, time in ipairs(times) do
    while t < time - step / 2 do
      local a1, b1 = rates(phi, omega)
      local a2, b2 = rates(phi + step / 2 * a1, omega + step / 2 * b1)
      local a3, b3 = rates(phi + step / 2 * a2, omega + step / 2 * b2)
      local a4, b4 = rates(phi + step * a3, omega + step * b3)
      phi, omega = phi + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4), omega + step / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
      t = t + step
    end
    x[i], y[i] = r * math.cos(phi), r * math.sin(phi)
  end
  return { x, y }
end

local times, quarters = {}, {}
for i = 0, 8 do times[#times + 1] = i / 4 end
for i = 0, 100 do quarters[#quarters + 1] = i / 50 end

return {
  title = "Maggi and singular positions",
  topic = "formulations",
  level = 3,
  given = function(random)
    return { length = random(0.7, 1.4), crank = random(0.4, 0.6), base = random(0.9, 1.3), angle = random(0.4, 1),
             omega = random(8, 10) }
  end,
  checks = function(given)
    local q, v = state(given)
    return {
      check.near { "null_space", name = "the null space", points = 2, call = "null_space", arguments = { q }, rtol = 1e-9,
                   expected = { 1, -q[1] / q[2] },
                   mistakes = { { { 1, q[1] / q[2] }, "the sign: Phi_q N is not zero" },
                                { { 1, -q[2] / q[1] }, "x and y are exchanged in the quotient" } },
                   hint = "Phi_q = (2 x, 2 y), and Phi_q N = 0" },
      check.near { "acceleration", name = "the accelerations", points = 4, call = "acceleration", arguments = { q, v },
                   unit = "m/s^2", rtol = 1e-6, expected = function() return acceleration(given) end,
                   mistakes = { { { -9.81 * -q[1] / q[2] / (1 + (q[1] / q[2]) ^ 2),
                                    9.81 * -(q[1] / q[2]) ^ 2 / (1 + (q[1] / q[2]) ^ 2) }, "gamma is missing" } },
                   hint = "gamma = -2 (x'^2 + y'^2), and the second equation is 2 x x'' + 2 y y'' = gamma" },
      check.near { "independent", name = "the independent coordinate", answer = "independent", rtol = 0, expected = 2 },
      check.near { "freedoms", name = "the degrees of freedom", answer = "freedoms", rtol = 0, expected = 1,
                   mistakes = { { 4, "these are the coordinates" } } },
      check.near { "singular_freedoms", name = "those of the singular position", answer = "singular_freedoms", rtol = 0,
                   expected = 1, mistakes = { { 2, "count only the additional ones" } } },
      check.near { "motion", name = "through the singular positions", points = 3, run = "run", signals = { "P.x", "Q.y" },
                   times = times, rtol = 1e-3,
                   expected = function() return motion(given, times) end,
                   hint = "a point that turns about the origin has the velocity omega (-y, x)" },
      check.invariant { "energy", name = "and energy is conserved", run = "run", signals = { "energy.total" },
                        times = quarters, rtol = 1e-4, scale = 2 * 9.81 * given.crank },
      check.uses { "maggi", name = "by Maggi's equations", of = "mbs.maggi" },
    }
  end,
}
