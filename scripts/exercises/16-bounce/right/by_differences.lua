-- Slopes by differences; the saltation matrix by the general formula.
local mbs = require "perilune"
local given = require "given"
local g, h, e, T = 9.81, given.height, given.restitution, given.time

local function height(start)
  local t1 = math.sqrt(2 * start / g)
  return e * g * t1 * (T - t1) - g / 2 * (T - t1) ^ 2
end

local function saltation(v1)
  local before, after = { -v1, -g }, { e * v1, -g } -- rates of (y, v)
  local jumped = { before[1], -e * before[2] } -- the law of the bounce applied to them
  local S = { { 1, 0 }, { 0, -e } }
  for i = 1, 2 do S[i][1] = S[i][1] + (after[i] - jumped[i]) / before[1] end
  return S
end

local function slope_of(damping, integrator)
  local m = mbs.model { "ball", gravity = { 0, -g } }
  local start = m:param { "h", h, unit = "m" }
  local P = m:point { "P", at = { 0, start }, mass = 1 }
  m:contact { "floor", m.ground, P, normal = mbs.kelvin_voigt { stiffness = given.stiffness, damping = damping } }
  local psi = m:objective { "psi", terminal = function(s) return P.y(s) end }
  local result = m:gradient { psi, over = start, t = T, integrator = integrator, method = mbs.direct {} }
  return result.gradient[1], result.value
end

local at_kink = g / 2 * (T / (1 + 2 * e)) ^ 2
local above = (height(at_kink * (1 + 1e-7)) - height(at_kink)) / (at_kink * 1e-7)

return {
  height = height,
  slope = (height(h + 1e-5) - height(h - 1e-5)) / 2e-5,
  naive = 1,
  saltation = saltation,
  elastic = (slope_of(0, mbs.dormand_prince { relative_tolerance = 1e-10 })),
  damped = { (slope_of(given.damping, mbs.dormand_prince { relative_tolerance = 1e-10 })), (slope_of(given.damping, mbs.rk4 { step = 1e-4 })) },
  kink = { at_kink, above, -e * above },
}
