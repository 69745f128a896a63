local mbs = require "perilune"
local given = require "given"

-- The largest drift with a penalty factor alpha.
local function drift(alpha)
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { given.length, 0 }, mass = 1 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  return 0
end

return { drifts = { drift(1e2), drift(1e3), 0, 0, 0 }, slope = 0, alpha = 1, stiffness = 0, largest_step = 0 }
