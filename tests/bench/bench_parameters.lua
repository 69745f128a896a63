-- Cost of a gradient in forward runs against the number of parameters, on the five-bar mechanism with everything in it a
-- parameter: 20 in all. Ratios of one run; each the best of a few tries.
local mbs = require "perilune"
local m = mbs.model { "five-bar", gravity = {0, -9.81} }
local parameters = {}
local function p(name, value)
  local parameter = m:param { name, value }
  parameters[#parameters + 1] = parameter
  return parameter
end
local L01, L02 = p("L01", math.sqrt(5)), p("L02", math.sqrt(4.25))
local A, B = m:ground { at = {p("ax", 0), p("ay", 0)} }, m:ground { at = {p("bx", 1), p("by", 0)} }
local P1 = m:point { "P1", at = {p("x1", -1), p("y1", -1)} }
local P2 = m:point { "P2", at = {p("x2", 0.5), p("y2", -2)} }
local P3 = m:point { "P3", at = {p("x3", 2), p("y3", -1)} }
m:bar { "bar1", A, P1, mass = p("m1", 1) }
m:bar { "bar2", P1, P2, mass = p("m2", 1.5) }
m:bar { "bar3", P2, P3, mass = p("m3", 1.5) }
m:bar { "bar4", P3, B, mass = p("m4", 1) }
m:spring { "s1", A, P3, stiffness = p("k1", 100), free_length = L01 }
m:spring { "s2", A, P2, stiffness = p("k2", 100), free_length = L02, damping = p("c2", 0) }
local cost = m:objective { integral = function(s) return (P2.x(s) - 0.5)^2 + (P2.y(s) + 2)^2 end }

local function best(action)
  local seconds = math.huge
  for _ = 1, 5 do seconds = math.min(seconds, action().seconds) end
  return seconds
end
local forward = best(function()
  return m:simulate { t = 5, formulation = mbs.penalty {}, integrator = mbs.rk4 { step = 1e-3 }, objectives = cost }
end)
print "parameters   discrete direct (1 + p/2)   discrete adjoint"
for _, count in ipairs { 1, 2, 4, 8, 20 } do
  local over = table.move(parameters, 1, count, 1, {})
  local direct = best(function() return m:gradient { cost, over = over, method = mbs.direct {} } end) / forward
  local adjoint = best(function() return m:gradient { cost, over = over, method = mbs.adjoint {} } end) / forward
  print(("%6d %19.2f (%.1f) %18.2f"):format(count, direct, 1 + count / 2, adjoint))
end
