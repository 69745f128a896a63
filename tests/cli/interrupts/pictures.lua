-- Plots and a comparison of long runs.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 1, 0 }, mass = 1, velocity = { 0, 2 } }
m:distance { m.ground, P }
local run = m:simulate { t = 500, integrator = mbs.rk4 { step = 1e-3 } }
local null = io.open("/dev/null", "w")
print "ready"
local name = os.tmpname()
for _ = 1, 20 do
  run:svg(name)
  mbs.compare { name, run, run }
end
os.remove(name)
