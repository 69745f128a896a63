-- Signals of a million steps as files.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 1, 0 }, mass = 1, velocity = { 1, 2 } }
local run = m:simulate { t = 200, integrator = mbs.rk4 { step = 1e-3 } }
print "ready"
local name = os.tmpname()
for _, write in ipairs { "csv", "json", "mat", "svg", "gnuplot" } do run[write](run, name) end
os.remove(name)
