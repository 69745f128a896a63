-- A law of 200,000 lines, read, traced and compiled.
local mbs = require "perilune"
local m = mbs.model {}
local P = m:point { "P", at = { 1, 0 }, mass = 1 }
local lines = { "local s = ...  local sum = 0" }
for k = 1, 200000 do lines[#lines + 1] = "sum = sum + " .. k .. " * (s.vx - " .. k .. ")" end
lines[#lines + 1] = "return -1e-15 * sum, 0"
print "ready"
m:force { "long", on = P, law = load(table.concat(lines, "\n")) }
m:simulate { t = 1e3, integrator = mbs.rk4 { step = 1 } }
