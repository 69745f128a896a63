-- 200,000 parts.
local mbs = require "perilune"
local parts = {}
local ball = mbs.sphere { mass = 1, radius = 0.1 }
for k = 1, 200000 do parts[k] = ball end
print "ready"
mbs.assembly(parts)
