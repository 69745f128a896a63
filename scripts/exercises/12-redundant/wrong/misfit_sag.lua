-- fails: misfits
-- says: by so much the door sinks without misfit
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
better:spherical { "upper", better.ground, moving, at = { 0, 0, given.high } }
better:point_on_line { "lower", better.ground, moving, at = { 0, 0, given.low }, axis = "z" }

local function upper_force(factor, misfit)
  local elastic, hung = door(0)
  local k, c = factor * given.stiffness, given.distance
  local function hinge(name, on_wall, on_door, kz)
    elastic:bushing { name, elastic:ground { at = { 0, 0, on_wall } }, hung:point { -c, 0, on_door - given.middle },
                      stiffness = { 1e7 * factor, 1e7 * factor, kz, 0, 0, 1 } }
  end
  hinge("lower", given.low, given.low, k)
  hinge("upper", given.high - misfit, given.high, given.ratio * k)
  return elastic:equilibrium({}):at "upper.fz"
end

-- The force falls in proportion to the misfit.
local function misfit(factor)
  local at_zero, small = upper_force(factor, 0), 1e-5 / factor
  return small * at_zero / (at_zero - upper_force(factor, small))
end

return {
  counts = { counted.degrees_of_freedom, redundant },
  choices = choices,
  trusted = { 0, 1, 0, 1, 1 },
  determinate = better:simulate { t = 1 },
  shares = { upper_force(1, 0) / weight, upper_force(1000, 0) / weight },
  misfits = { misfit(1) / (1 + given.ratio), misfit(1000) / (1 + given.ratio) },
}
