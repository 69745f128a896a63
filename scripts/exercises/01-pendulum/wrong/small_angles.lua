-- fails: period
-- says: the period of small swings again
local given = require "given"
local T = 2 * math.pi * math.sqrt(2 * given.length / 3 / 9.81)
return { small_period = T, period = T }
