-- Many degrees of freedom over many steps: what is kept is large, and so is every step.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, 0, -9.81 } }
local mass = m:param { "mass", 1, min = 0.5, max = 2 }
local before = m.ground
for k = 1, 200 do
  local b = m:body { "b" .. k, mass = mass, inertia = { 1, 1, 1 }, at = { k, 0, 0 } }
  m:revolute { "j" .. k, before, b, at = { k - 0.5, 0, 0 }, axis = "y" }
  before = b
end
local cost = m:objective { "height", terminal = before.z }
print "ready"
m:gradient { cost, t = 10, integrator = mbs.rk4 { step = 1e-3 }, formulation = mbs.penalty {}, method = mbs.adjoint {} }
