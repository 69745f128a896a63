local mbs = require "perilune"
local given = require "given"

-- 3 s with some damping (N s/m), an integrator, and a velocity at the start (m/s).
local function simulate(damping, integrator, velocity)
  local m = mbs.model { "door closer", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1.1, 0 }, velocity = { velocity, 0 }, mass = 1 }
  m:spring { "s", m:ground { at = { 0, 0 } }, P, stiffness = given.stiffness, free_length = 1, damping = damping }
  return m:simulate { t = 3, integrator = integrator }
end

local r = 1e-3
local run = simulate(given.damping, mbs.dormand_prince { relative_tolerance = r, absolute_tolerance = r / 100 }, 0)
print(run.steps, run:at("P.x", 3) - 1)

local function amplification(z)
  return { 0, 0, 0, 0 }
end

return { slow = 0, fast = 0, amplification = amplification, largest_steps = { 0, 0 }, explicit = { run.steps, 0, 0 },
         implicit = { 0, 0, 0 }, explicit_factor = 0, implicit_factor = 0, left = { 0, 0 }, rings = { 0, 0 } }
