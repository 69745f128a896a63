local mbs = require "perilune"
local given = require "given"
local g, h, e, T = 9.81, given.height, given.restitution, given.time

-- y(T) on the hard floor.
local function height(start)
  return start
end

local function saltation(v1)
  return { { 1, 0 }, { 0, 1 } }
end

-- The slope of y(T) with a damping of the contact, by an integrator; and y(T).
local function slope_of(damping, integrator)
  local m = mbs.model { "ball", gravity = { 0, -g } }
  local start = m:param { "h", h, unit = "m" }
  local P = m:point { "P", at = { 0, start }, mass = 1 }
  -- contact and objective are missing here
  return 0, 0
end

return { height = height, slope = 0, naive = 0, saltation = saltation, elastic = (slope_of(0, mbs.dormand_prince {})),
         damped = { 0, 0 }, kink = { 0, 0, 0 } }
