-- Elastic hinges by hand, the better door by places.
local mbs = require "perilune"
local given = require "given"
local weight = 9.81 * given.mass

local function door(omega)
  local m = mbs.model { "door", gravity = { 0, 0, -9.81 } }
  local leaf = m:body { "leaf", mass = given.mass, inertia = { 6, 8, 2 }, at = { given.distance, 0, given.middle },
                        velocity = { 0, given.distance * omega, 0 }, angular_velocity = { 0, 0, omega } }
  return m, leaf
end

local m, leaf = door(0)
m:revolute { "lower", m.ground, leaf, at = { 0, 0, given.low }, axis = "z" }
m:revolute { "upper", m.ground, leaf, at = { 0, 0, given.high }, axis = "z" }
local counted = m:mobility {}
local redundant = 0
for _, joint in ipairs(counted.redundant) do redundant = redundant + joint.count end

local function verticals(formulation)
  local run = m:simulate { t = 1, formulation = formulation }
  return { run:at("lower.force_z", 1), run:at("upper.force_z", 1) }
end
local choices = { verticals(mbs.maggi {}), verticals(mbs.augmented_lagrangian {}) }

local better, moving = door(given.omega)
better:point_on_line { "lower", better:ground { at = { 0, 0, 0 } }, moving:point { -given.distance, 0, given.low - given.middle }, axis = "z" }
better:spherical { "upper", better:ground { at = { 0, 0, given.high } }, moving:point { -given.distance, 0, given.high - given.middle } }

local share = given.ratio / (1 + given.ratio)
local misfit = weight / given.stiffness

return {
  counts = { counted.degrees_of_freedom, redundant },
  choices = choices,
  trusted = { 0, 1, 0, 1, 1 },
  determinate = better:simulate { t = 1, integrator = mbs.rk4 { step = 1e-3 } },
  shares = { share, share },
  misfits = { misfit, misfit / 1000 },
}
