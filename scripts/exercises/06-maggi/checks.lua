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

local function parallelogram(given, angle)
  local r, b = given.crank, given.base
  local x, y = r * math.cos(angle), r * math.sin(angle)
  local v = { -given.omega * y, given.omega * x }
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { x, y }, velocity = v }
  local Q = m:point { "Q", at = { b + x, y }, velocity = v }
  m:bar { m:ground { at = { 0, 0 } }, P, mass = 1 }
  m:bar { P, Q, mass = 1 }
  m:bar { m:ground { at = { b, 0 } }, Q, mass = 1 }
  return m
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
                   expected = function()
                     local run = parallelogram(given, given.angle):simulate {
                       t = 2, formulation = mbs.maggi {}, integrator = mbs.dormand_prince { relative_tolerance = 1e-10 } }
                     return { run:values("P.x", times), run:values("Q.y", times) }
                   end,
                   hint = "a point that turns about the origin has the velocity omega (-y, x)" },
      check.invariant { "energy", name = "and energy is conserved", run = "run", signals = { "energy.total" },
                        times = quarters, rtol = 1e-4, scale = 2 * 9.81 * given.crank },
      check.uses { "maggi", name = "by Maggi's equations", of = "mbs.maggi" },
    }
  end,
}
