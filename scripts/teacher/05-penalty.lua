local mbs = require "perilune"
local given = require "given"

local function drift(alpha)
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { given.length, 0 }, mass = 1 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  local run = m:simulate { t = 2, formulation = mbs.penalty { alpha = alpha },
                           integrator = mbs.dormand_prince { relative_tolerance = 1e-10 } }
  return math.max(table.unpack(run:values "constraint.drift"))
end

local drifts = { drift(1e2), drift(1e3), drift(1e4), drift(1e5), drift(1e6) }
local alpha = 1e2
while drift(alpha) >= given.tolerance do alpha = 10 * alpha end
local k = 9.81 / given.stretch

return {
  drifts = drifts,
  slope = math.log(drifts[5] / drifts[1], 10) / 4,
  alpha = alpha,
  stiffness = k,
  largest_step = 2 * math.sqrt(2) / math.sqrt(k),
}
