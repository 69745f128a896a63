-- A long run that nobody can reach any more is freed.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 1, 0 }, mass = 1 }
m:distance { m.ground, P }
print "ready"
for _ = 1, 100 do m:simulate { t = 1000, integrator = mbs.rk4 { step = 1e-3 } } end
