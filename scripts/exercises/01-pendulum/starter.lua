local mbs = require "perilune"
local given = require "given"
local L, mass, a = given.length, given.mass, given.amplitude

-- 1. The period of small swings, by hand.
local small_period = 0

-- 2. The model. Where is the centre of the rod when the rod is turned by a from hanging down, towards +x?
local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
local rod = m:body { "rod", mass = mass, inertia = mass * L ^ 2 / 12, at = { 0, -L / 2 } }
-- a revolute joint is missing here
local run = m:simulate { t = 10 }

-- 3. The period of the large swing. run:values(signal) is a list, run:times() has the times that belong to it.
local period = 0

return { small_period = small_period, run = run, period = period }
