local mbs = require "perilune"
local given = require "given"

local function null_space(q)
  local x, y = table.unpack(q)
  return { 1, 0 }
end

local function acceleration(q, v)
  return { 0, -9.81 }
end

-- The parallelogram with its cranks at an angle (rad) and turning at omega (rad/s).
local function parallelogram(angle, omega)
  local r, b = given.crank, given.base
  local m = mbs.model { "parallelogram", gravity = { 0, -9.81 } }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { b, 0 } }
  local P = m:point { "P", at = { r * math.cos(angle), r * math.sin(angle) } }
  -- Q and the three bars are missing, and the velocities
  return m
end

return { null_space = null_space, acceleration = acceleration, independent = 0, freedoms = 0, singular_freedoms = 0 }
