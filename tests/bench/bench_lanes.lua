-- Processor time of a sweep whose jobs go along together in registers, over that of the same jobs one by one: sweeps of
-- one job have nobody to go along with; and that of a gradient by differences by two parameters, extrapolated once, in
-- runs of its motion, of which it has nine. On one thread: OMP_NUM_THREADS=1 perilune bench_lanes.lua
local mbs = require "perilune"

local function five_bar(settings)
  local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
  local first = m:param { "first", math.sqrt(5), unit = "m" }
  local second = m:param { "second", math.sqrt(4.25), unit = "m" }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 1, 0 } }
  local P1 = m:point { "P1", at = { -1, -1 } }
  local P2 = m:point { "P2", at = { 0.5, -2 } }
  local P3 = m:point { "P3", at = { 2, -1 } }
  m:bar { "bar1", A, P1, mass = 1 }
  m:bar { "bar2", P1, P2, mass = 1.5 }
  m:bar { "bar3", P2, P3, mass = 1.5 }
  m:bar { "bar4", P3, B, mass = 1 }
  m:spring { "s1", A, P3, stiffness = 100, free_length = first }
  m:spring { "s2", A, P2, stiffness = 100, free_length = second }
  local way = m:objective { "way", integral = function() return (P2.x - 0.5)^2 + (P2.y + 2)^2 end }
  m:simulate(settings)
  return { way, over = { first, second } }, 1.5, 3, m
end

local function arms(settings)
  local m = mbs.model { "arms", gravity = { 0, -9.81 } }
  local lever = m:param { "lever", 0.4, unit = "m" }
  local damping = m:param { "damping", 0.2 }
  local upper = m:body { "upper", mass = 2, inertia = 0.1, center_of_mass = { lever, 0 } }
  local lower = m:body { "lower", mass = 1, inertia = 0.1, at = { 1, 0 } }
  m:revolute { "shoulder", m:ground { at = { 0, 0 } }, upper }
  m:revolute { "elbow", upper, lower, at = { 1, 0 } }
  m:torque { "drag", on = lower, reaction_on = upper, law = function(s) return -damping * mbs.tanh(s.omega) end }
  local way = m:objective { "way", integral = function() return (lower.x - 1)^2 end }
  m:simulate(settings)
  return { way, over = { lever, damping } }, 0.1, 1, m
end

for name, problem in pairs { five_bar = five_bar, arms = arms } do
  for form, formulation in pairs { penalty = mbs.penalty {}, index1 = mbs.index1 {} } do
    local settings = { t = 2, formulation = formulation, integrator = mbs.rk4 { step = 1e-3 } }
    local sweep, from, to, m = problem(settings)
    local points = {}
    for k = 1, 64 do points[k] = { from + (to - from) * k / 64, from + (to - from) * (k * 37 % 64) / 64 } end
    local together, alone = math.huge, math.huge
    for _ = 1, 3 do  -- the shorter ones: others disturb
      sweep.design = mbs.list(points)
      local start = os.clock()
      mbs.sweep(sweep)
      together = math.min(together, os.clock() - start)
      start = os.clock()
      for _, point in ipairs(points) do
        sweep.design = mbs.list { point }
        mbs.sweep(sweep)
      end
      alone = math.min(alone, os.clock() - start)
    end
    print(("%s, %s: %.2f ms a job together, %.2f ms alone, ratio %.2f"):format(name, form, together / 64 * 1e3,
      alone / 64 * 1e3, alone / together))
    local run, differences = math.huge, math.huge
    for _ = 1, 5 do
      local start = os.clock()
      m:simulate(settings)
      run = math.min(run, os.clock() - start)
      start = os.clock()
      m:gradient { sweep[1], over = sweep.over, method = mbs.finite_difference { richardson = 1 } }
      differences = math.min(differences, os.clock() - start)
    end
    print(("%s, %s: nine runs of a gradient by differences take %.1f"):format(name, form, differences / run))
  end
end
