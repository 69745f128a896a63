local mbs = require "perilune"
local given = require "given"
local M, J, l, b, d = given.mass, given.inertia, given.centre, given.trail, given.damping

local function polynomial(v)
  return { 0, 0, 0, 0 }
end

-- The caster at a speed, with a stiffness.
local function caster(v, k)
  local m = mbs.model { "caster", gravity = { 0, 0 } }
  local fork = m:body { "fork", mass = M, inertia = J, at = { -l, 0 }, velocity = { v, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 } }
  m:coincidence { "pivot", fork:point { l, 0 }, P }
  -- driver, spring, damper and wheel are missing here
  return m
end

-- The largest real part of all modes.
local function growth(v, k)
  local largest = -math.huge
  for _, mode in ipairs(caster(v, k):linearize({ steady = true }).modes) do largest = math.max(largest, mode.real) end
  return largest
end

return { polynomial = polynomial, speed = 0, frequency = 0, growth = { 0, 0, 0 }, stiffer = { 2, 2 }, backward = 0,
         safe_trail = 0 }
