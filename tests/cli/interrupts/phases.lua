-- A motion in very many phases.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local L = m:param { "L", 1, min = 0.5, max = 2 }
local P = m:point { "P", at = { L, 0 }, mass = 1 }
m:distance { m.ground, P }
local swing = m:phase { "swing", stop = -P.x, within = 100 }
local back = m:phase { "back", stop = P.x, within = 100 }
local list = {}
for k = 1, 2000 do list[k] = k % 2 == 1 and swing or back end
print "ready"
m:simulate { t = 1e5, phases = list }
