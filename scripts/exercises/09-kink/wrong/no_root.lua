-- fails: left
-- says: square root of k / m
local mbs = require "perilune"
local given = require "given"
local k, T, w = given.stiffness, given.time, given.width
local rk4 = mbs.rk4 { step = 1e-3 }

local function declared(p, f)
  local m = mbs.model { "one-sided spring", gravity = { 0, 0 } }
  local start = m:param { "p", p, unit = "m" }
  local P = m:point { "P", at = { start, 0 }, mass = 1 }
  m:force { "stop", on = P, law = function(s) return f(s), 0 end }
  local psi = m:objective { "psi", terminal = P.x }
  return m, psi
end

local m, psi = declared(-0.05, function(s) return mbs.where(mbs.lt(s.x, 0), -k * s.x, 0) end)
local worst = m:check_gradient({ psi, t = T, integrator = rk4 }).worst

m, psi = declared(0, function(s) return k * mbs.softplus(-s.x, w) end)
local smooth = m:gradient({ psi, t = T, integrator = rk4, method = mbs.adjoint {} }).gradient[1]

local left = math.cos(k * T)
return { left = left, right = 1, central = (1 + left) / 2, worst = worst, smooth = smooth }
