-- Formulas for the speeds; a body for the pivot, and a translational joint sideways.
local mbs = require "perilune"
local given = require "given"
local M, J, l, b, d = given.mass, given.inertia, given.centre, given.trail, given.damping

local function polynomial(v)
  local k = given.stiffness
  return { J + M * (b - l) ^ 2, M * v * (b - l) + d, k * b ^ 2, k * b * v }
end

local function caster(v, k)
  local m = mbs.model { "caster", gravity = { 0, 0 } }
  local fork = m:body { "fork", mass = M, inertia = J, at = { -l, 0 }, velocity = { v, 0 } }
  local cart = m:body { "cart", mass = 50, inertia = 1, at = { 0, 0 }, velocity = { v, 0 } }
  local way = m:translational { "way", m.ground, cart, at = { 0, 0 }, axis = "x" }
  m:driver { "tow", way.displacement, law = function(s) return v * s.t end }
  local P = m:body { "P", mass = 1e-9, inertia = 1, at = { 0, 0 }, velocity = { v, 0 } }
  m:translational { "side", cart, P, at = { 0, 0 }, axis = "y" }
  m:revolute { "pivot", P, fork, at = { 0, 0 } }
  m:force { "spring", on = P, law = function(s) return 0, -k * s.y end }
  m:torque { "damper", on = fork, law = function(s) return -d * s.omega end }
  m:knife_edge { "wheel", m.ground, fork:point { l - b, 0 } }
  return m
end

-- The largest real part of all modes, and the frequency of the mode that has it.
local function growth(v, k)
  local largest, frequency = -math.huge, nil
  for _, mode in ipairs(caster(v, k):linearize({ steady = true }).modes) do
    if mode.real > largest then largest, frequency = mode.real, mode.frequency end
  end
  return largest, frequency
end

local function stability(k)
  return d * b / (J - M * l * (b - l)), math.sqrt(k * b ^ 2 / (J + M * (b - l) ^ 2)) / (2 * math.pi)
end

local k = given.stiffness
local speed, frequency = stability(k)
local stiff_speed, stiff_frequency = stability(4 * k)

return {
  polynomial = polynomial,
  speed = speed,
  frequency = frequency,
  growth = { (growth(1, k)), (growth(3, k)), (growth(9, k)) },
  stiffer = { stiff_speed / speed, stiff_frequency / frequency },
  backward = (growth(-1, k)),
  safe_trail = l + J / (M * l),
}
