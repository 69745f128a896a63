-- A grid of 1e8 steps.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 1, 0 }, mass = 1 }
m:distance { m.ground, P }
print "ready"
m:simulate { t = 1e6, integrator = mbs.rk4 { step = 0.01 } }
