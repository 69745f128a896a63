local mbs = require "perilune"
local given = require "given"
local L, mass, a = given.length, given.mass, given.amplitude

local small_period = 2 * math.pi * math.sqrt(2 * L / 3 / 9.81)

local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
local rod = m:body { "rod", mass = mass, inertia = mass * L ^ 2 / 12,
                     at = { L / 2 * math.sin(a), -L / 2 * math.cos(a) }, angle = a - math.pi / 2 }
m:revolute { "hinge", m.ground, rod, at = { 0, 0 } }
local run = m:simulate { t = 10 }

-- The lowest position is reached after a quarter of the period.
local quarter = m:simulate { t = 10, stop = rod.x }

return { small_period = small_period, run = run, period = 4 * quarter.t }
