-- A page of many bodies and steps.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, 0, -9.81 } }
for k = 1, 50 do m:body { "b" .. k, mass = 1, inertia = { 1, 1, 1 }, at = { k, 0, 0 }, angular_velocity = { 1, 0, k } } end
local run = m:simulate { t = 2, integrator = mbs.rk4 { step = 2e-3 } }
print "ready"
local name = os.tmpname()
for _ = 1, 200 do run:view(name) end
os.remove(name)
