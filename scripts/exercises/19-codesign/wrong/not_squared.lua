-- fails: cost
-- says: u is squared
local mbs = require "perilune"
local given = require "given"
local g, m, H, T = 9.81, given.mass, given.travel, given.time

local function cost(M, time) return 12 * (m + M) * H ^ 2 / time ^ 3 + (m - M) * g ^ 2 * time end

local function best(time)
  local inertia, load = 12 * H ^ 2 / time ^ 3, g ^ 2 * time
  return math.max(0, m * (load - inertia) / (load + inertia))
end

local function axis(M, c0, c1)
  local model = mbs.model { "axis", gravity = { 0, -g } }
  local p = { M = model:param { "M", M, unit = "kg", min = 0.01, max = 10 * m },
              c0 = model:param { "c0", c0, unit = "N", min = -1e4, max = 1e4 },
              c1 = model:param { "c1", c1, unit = "N/s", min = -1e5, max = 1e5 } }
  local slide = model:body { "slide", mass = m, inertia = 1, at = { 0, 0 } }
  local counterweight = model:body { "counterweight", mass = p.M, inertia = 1, at = { 1, 0 } }
  model:translational { "rail", model.ground, slide, at = { 0, 0 }, axis = "y" }
  model:translational { "second rail", model.ground, counterweight, at = { 1, 0 }, axis = "y" }
  model:constraint { "belt", law = slide.y + counterweight.y }
  model:force { "motor", on = slide, law = function(s) return 0, p.c0 + p.c1 * s.t end }
  p.J = model:objective { "J", integral = function(s) return (p.c0 + p.c1 * s.t) ^ 2 end }
  p.height = model:objective { "height", terminal = slide.y }
  p.speed = model:objective { "speed", terminal = slide.vy }
  return model, p
end

local model, p = axis(m, 10 * m, -10 * m)

local function optimized(over)
  return model:optimize({ minimize = p.J, over = over, t = T, optimizer = mbs.slsqp {},
                          subject_to = { { "up", p.height, equals = H }, { "stop", p.speed, equals = 0 } } }).final
end

local sequential = optimized { p.c0, p.c1 }
-- With c0 and c1 given, two limits leave no freedom to M: the program says so.
local moved = pcall(optimized, { p.M })
local turns = not moved and p.M.value or nil
local least = optimized { p.M, p.c0, p.c1 }

return {
  cost = cost,
  best = best,
  sequential = sequential,
  least = least,
  codesign = { p.M.value, p.c0.value, p.c1.value },
  run = model:simulate { t = T },
  turns = turns,
  fast = { cost(0, given.fast), cost(m, given.fast), cost(best(given.fast), given.fast) },
  no_counterweight = (12 * H ^ 2 / g ^ 2) ^ (1 / 4),
}
