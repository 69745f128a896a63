-- The five-bar mechanism of scripts/five_bar.lua over the free lengths of its two springs: a grid for the picture, a
-- Latin hypercube with exact gradients, and an optimization from several starts. It uses all processors. In parts:
--   perilune run sweep_five_bar.lua --shard 1/2        (and 2/2, here or on another machine)
--   perilune merge sweep_five_bar.*.jsonl > all.jsonl
--   perilune run sweep_five_bar.lua --results all.jsonl
-- Another stiffness: perilune sweep_five_bar.lua --param k=120
local mbs = require "perilune"
local options = mbs.options { out = "sweep_five_bar_results", levels = 5, points = 12, starts = 6, t = 2 }

local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
local L01 = m:param { "L01", math.sqrt(2^2 + 1^2), unit = "m", min = 1.5, max = 3 }
local L02 = m:param { "L02", math.sqrt(2^2 + 0.5^2), unit = "m", min = 1.5, max = 3 }
local k = m:param { "k", 100, unit = "N/m", min = 50, max = 200 }
local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 1, 0 } }
local P1 = m:point { "P1", at = { -1, -1 } }
local P2 = m:point { "P2", at = { 0.5, -2 } }
local P3 = m:point { "P3", at = { 2, -1 } }
m:bar { "bar1", A, P1, mass = 1 }
m:bar { "bar2", P1, P2, mass = 1.5 }
m:bar { "bar3", P2, P3, mass = 1.5 }
m:bar { "bar4", P3, B, mass = 1 }
m:spring { "s1", A, P3, stiffness = k, free_length = L01 }
m:spring { "s2", A, P2, stiffness = k, free_length = L02 }
local distance = m:objective { "distance", integral = function() return (P2.x - 0.5)^2 + (P2.y + 2)^2 end }
local lowest = m:objective { "lowest point", terminal = P2.y }
m:simulate { t = options.t, formulation = mbs.penalty { alpha = 1e9 }, integrator = mbs.rk4 { step = 1e-3 } }

local over = { L01, L02 }
local grid = mbs.sweep { { distance, lowest }, over = over, design = mbs.grid { options.levels, options.levels } }
print(grid)
local samples = mbs.sweep { distance, over = over, method = mbs.adjoint {},
                            design = mbs.latin_hypercube { points = options.points, seed = 1 } }
print(samples)
if not (grid.complete and samples.complete) then return end  -- a shard: the rest is for the whole

grid:plot("L01", "distance")
local steepest = samples[1]
for _, row in ipairs(samples) do
  if math.abs(row.gradients.distance.L02) > math.abs(steepest.gradients.distance.L02) then steepest = row end
end
print(("steepest in L02: job %d, %.3f m^2 s per m"):format(steepest.job, steepest.gradients.distance.L02))

local best = m:optimize { minimize = distance, over = over, starts = options.starts }
print(best)
print(best.starts)
print(("optimum: L01 = %.6f m, L02 = %.6f m at k = %g N/m"):format(L01.value, L02.value, k.value))

local folder = mbs.make_folder(options.out)
grid:csv(folder .. "/grid.csv")
grid:svg(folder .. "/grid.svg", "L01", "distance")
samples:json(folder .. "/samples.json")
print("tables and pictures are in " .. folder .. "/")
