-- With the motion, over a million steps.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local L = m:param { "L", 1, min = 0.5, max = 2 }
local P = m:point { "P", at = { L, 0 }, mass = 1 }
m:distance { m.ground, P }
local cost = m:objective { "height", integral = function(s) return P.y(s)^2 end }
print "ready"
m:gradient { cost, t = 1000, integrator = mbs.rk4 { step = 1e-3 }, method = mbs.direct {} }
