-- fails: stiffer
-- says: measure the speed
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
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 } }
  m:coincidence { "pivot", fork:point { l, 0 }, P }
  m:driver { "tow", P.x, law = function(s) return v * s.t end }
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

-- By bisection, with the model alone.
local function stability(k)
  local low, high = 0.1, 20
  for _ = 1, 40 do
    local middle = (low + high) / 2
    if growth(middle, k) < 0 then low = middle else high = middle end
  end
  return low, select(2, growth(high, k))
end

local k = given.stiffness
local speed, frequency = stability(k)
local stiff_speed, stiff_frequency = stability(4 * k)

return {
  polynomial = polynomial,
  speed = speed,
  frequency = frequency,
  growth = { (growth(1, k)), (growth(3, k)), (growth(9, k)) },
  stiffer = { 2, stiff_frequency / frequency },
  backward = (growth(-1, k)),
  safe_trail = l + J / (M * l),
}
