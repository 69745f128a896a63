local mbs = require "perilune"
local given = require "given"
local g, m = 9.81, given.mass

-- A block with a law of friction, on a slope of the angle a.
local function model(a, friction)
  local model = mbs.model { "slope", gravity = { g * math.sin(a), -g * math.cos(a) } }
  local block = model:body { "block", mass = m, inertia = 1, at = { 0, 0 } }
  -- the joint is missing here
  return model, block
end

-- artanh is not in Lua's library.
local function artanh(x) return math.log((1 + x) / (1 - x)) / 2 end

return { creep = 0, hour = 0, regularization = given.regularization, steps = 0, held = 0, forces = { 0, 0 }, mean = 0,
         period = 0, jump = 0 }
