-- fails: motion
-- The amplitude is taken for degrees.
local mbs = require "perilune"
local given = require "given"
local L, a = given.length, math.rad(given.amplitude)
local m = mbs.model { gravity = { 0, -9.81 } }
local rod = m:body { "rod", mass = given.mass, inertia = given.mass * L ^ 2 / 12,
                     at = { L / 2 * math.sin(a), -L / 2 * math.cos(a) }, angle = a - math.pi / 2 }
m:revolute { m.ground, rod, at = { 0, 0 } }
local run = m:simulate { t = 10 }
return { small_period = 2 * math.pi * math.sqrt(2 * L / 3 / 9.81), run = run, period = 1 }
