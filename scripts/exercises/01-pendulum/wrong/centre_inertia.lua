-- fails: small_period
-- says: about the centre, not about the hinge
local mbs = require "perilune"
local given = require "given"
local L = given.length
local m = mbs.model { gravity = { 0, -9.81 } }
local rod = m:body { "rod", mass = given.mass, inertia = given.mass * L ^ 2 / 12, at = { 0, -L / 2 } }
m:revolute { m.ground, rod, at = { 0, 0 } }
return { small_period = 2 * math.pi * math.sqrt(L / 6 / 9.81), run = m:simulate { t = 10 }, period = 1 }
