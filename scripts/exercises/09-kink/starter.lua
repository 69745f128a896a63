local mbs = require "perilune"
local given = require "given"
local k, T, w = given.stiffness, given.time, given.width

-- The model with a law f(s) that starts at p; returns what is needed for gradients.
local function declared(p, f)
  local m = mbs.model { "one-sided spring", gravity = { 0, 0 } }
  local start = m:param { "p", p, unit = "m" }
  local P = m:point { "P", at = { start, 0 }, mass = 1 }
  -- a force is missing here
  local psi = m:objective { "psi", terminal = P.x }
  return m, psi
end

return { left = 0, right = 0, central = 0, worst = 0, smooth = 0 }
