-- A choice by dense elimination, for a chain of 800 links.
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local before = m:ground { at = { 0, 0 } }
for k = 1, 800 do
  local P = m:point { "P" .. k, at = { k, 0 }, mass = 1 }
  m:distance { before, P }
  before = P
end
print "ready"
m:simulate { t = 1, integrator = mbs.rk4 { step = 0.001 }, formulation = mbs.maggi {} }
