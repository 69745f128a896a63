-- A run with very many signals, and its tables.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
for k = 1, 20000 do m:point { "P" .. k, at = { k, 0 }, mass = 1 } end
local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 0.1 } }
local null = io.open("/dev/null", "w")
print "ready"
for _ = 1, 1000 do
  null:write(tostring(run), tostring(m))
  for _, name in ipairs(m:signals()) do null:write(name) end
end
