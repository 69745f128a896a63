-- Values of signals between steps.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 1, 0 }, mass = 1 }
m:distance { m.ground, P }
local run = m:simulate { t = 10 }
local times = {}
for k = 1, 2000000 do times[k] = 10 * k / 2000000 end
print "ready"
run:values("P.ay", times)
