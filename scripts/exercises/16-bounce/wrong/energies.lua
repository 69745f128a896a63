-- fails: height
-- says: not of energies
local mbs = require "perilune"
local given = require "given"
local g, h, e, T = 9.81, given.height, given.restitution, given.time

local function height(start)
  local t1 = math.sqrt(2 * start / g)
  return math.sqrt(e) * g * t1 * (T - t1) - g / 2 * (T - t1) ^ 2
end

local function saltation(v1)
  return { { -e, 0 }, { (1 + e) * g / v1, -e } }
end

local function slope_of(damping, integrator)
  local m = mbs.model { "ball", gravity = { 0, -g } }
  local start = m:param { "h", h, unit = "m" }
  local P = m:point { "P", at = { 0, start }, mass = 1 }
  m:contact { "floor", m.ground, P, normal = mbs.kelvin_voigt { stiffness = given.stiffness, damping = damping } }
  local psi = m:objective { "psi", terminal = P.y }
  local result = m:gradient { psi, t = T, integrator = integrator }
  return result.gradient[1], result.value
end

local t1 = math.sqrt(2 * h / g)
local above = e + 2 * e ^ 2

return {
  height = height,
  slope = (1 + e) * (T - t1) / t1 - e,
  naive = 1,
  saltation = saltation,
  elastic = (slope_of(0, mbs.dormand_prince {})),
  damped = { (slope_of(given.damping, mbs.dormand_prince {})), (slope_of(given.damping, mbs.rk4 { step = 1e-4 })) },
  kink = { g / 2 * (T / (1 + 2 * e)) ^ 2, above, -e * above },
}
