-- 2e7 times.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local crank = m:body { "crank", mass = 1, inertia = 0.1 }
local hinge = m:revolute { "hinge", m.ground, crank, at = { 0, 0 } }
m:driver { "turn", hinge.angle, law = function(s) return 2 * s.t end }
print "ready"
m:kinematics { t = 100, points = 20000000 }
