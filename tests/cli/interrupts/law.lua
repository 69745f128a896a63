-- Tracing a law of 3e5 operations, and compiling it.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 1, 0 }, mass = 1 }
print "ready"
m:force { "long", on = P, law = function(s)
  local sum = 0
  for k = 1, 100000 do sum = sum + k * (s.vx - k) end
  return -1e-9 * sum, 0
end }
m:simulate { t = 1e3, integrator = mbs.rk4 { step = 1 } }
