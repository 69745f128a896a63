-- Of a thousand bodies on hinges with springs.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, 0, -9.81 } }
local before = m.ground
for k = 1, 1000 do
  local b = m:body { "b" .. k, mass = 1, inertia = { 1, 1, 1 }, at = { k, 0, 0 } }
  local hinge = m:revolute { "j" .. k, before, b, at = { k - 0.5, 0, 0 }, axis = "y" }
  m:torsion_spring { on = hinge, stiffness = 1e9 }
  before = b
end
print "ready"
m:equilibrium {}
