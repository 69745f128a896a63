-- Rank of the constraints of 2000 spatial bodies.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, 0, -9.81 } }
local before = m.ground
for k = 1, 2000 do
  local b = m:body { "b" .. k, mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, -k } }
  m:revolute { "j" .. k, before, b, at = { 0, 0, 0.5 - k }, axis = "y" }
  before = b
end
print "ready"
m:mobility {}
