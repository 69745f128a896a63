-- Of a long chain that hangs from both ends.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local before = m:ground { at = { 0, 0 } }
for k = 1, 8000 do
  local P = m:point { "P" .. k, at = { k, -0.1 * math.sin(k) }, mass = 1 }
  m:spring { before, P, stiffness = 1e4, free_length = 0.9 }
  before = P
end
m:spring { before, m:ground { at = { 8001, 0 } }, stiffness = 1e4, free_length = 0.9 }
print "ready"
m:equilibrium {}
