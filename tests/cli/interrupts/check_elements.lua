-- Of 500 bodies.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, 0, -9.81 } }
local before = m.ground
for k = 1, 500 do
  local b = m:body { "b" .. k, mass = 1, inertia = { 1, 1, 1 }, at = { k, 0, 0 } }
  m:revolute { "j" .. k, before, b, at = { k - 0.5, 0, 0 }, axis = "y" }
  before = b
end
print "ready"
m:check_elements()
