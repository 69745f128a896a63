local mbs = require "perilune"
local given = require "given"
local g, m, H, T = 9.81, given.mass, given.travel, given.time

local function cost(M, time)
  return 0
end

local function best(time)
  return m
end

-- The axis with a counterweight of the mass M at first, and a controller c0 + c1 t.
local function axis(M, c0, c1)
  local model = mbs.model { "axis", gravity = { 0, -g } }
  local p = { M = model:param { "M", M, unit = "kg", min = 0.01, max = 10 * m },
              c0 = model:param { "c0", c0, unit = "N", min = -1e4, max = 1e4 },
              c1 = model:param { "c1", c1, unit = "N/s", min = -1e5, max = 1e5 } }
  local slide = model:body { "slide", mass = m, inertia = 1, at = { 0, 0 } }
  model:translational { "rail", model.ground, slide, at = { 0, 0 }, axis = "y" }
  -- counterweight, belt, motor and objectives are missing here
  return model, p
end

return { cost = cost, best = best, sequential = 0, least = 0, codesign = { m, 0, 0 }, turns = 0, fast = { 0, 0, 0 },
         no_counterweight = 0 }
