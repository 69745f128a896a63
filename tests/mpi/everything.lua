-- All that is spread over processes, printed to the last bit.
local mbs = require "perilune"

local function bits(...)
  local words = {}
  for _, x in ipairs { ... } do words[#words + 1] = math.type(x) == "float" and ("%a"):format(x) or tostring(x) end
  print(table.concat(words, " "))
end

local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
local L = m:param { "L", 1, unit = "m", min = 0.5, max = 2 }
local c = m:param { "c", 0.1, unit = "N s/m", min = 0, max = 1 }
local P = m:point { "P", at = { L, 0 }, mass = 1 }
m:distance { m:ground { at = { 0, 0 } }, P }
m:force { "drag", on = P, law = function(s) return -c * s.vx, -c * s.vy end }
local height = m:objective { "height", integral = function() return P.y ^ 2 end }
local last = m:objective { "last", terminal = P.x }
local near = m:objective { "near", integral = function() return (P.y + 0.7) ^ 2 + (P.x - 0.4) ^ 2 end }
m:simulate { t = 1 }

local jobs = mbs.sweep { { height, last }, over = { L, c }, design = mbs.grid { 7, 5 }, method = mbs.adjoint {} }
bits(#jobs, jobs.failed, jobs.complete)
for _, row in ipairs(jobs) do
  bits(row.job, row.values.height, row.values.last, row.gradients.height.L, row.gradients.last.c)
end

-- Random designs are the same in every process.
local points = {}
for k = 1, 9 do points[k] = { 0.5 + math.random(), math.random() } end
assert(#mbs.sweep { height, over = { L, c }, design = mbs.list(points) } == 9)

-- A job that fails is a row, and a law that fails is an error, in every process.
local steep = m:objective { "steep", terminal = (1.2 - L) ^ 0.5 }
local some = mbs.sweep { steep, over = L, design = mbs.grid { 9 } }
bits(#some, some.failed, some[9].failure)

local function start_again()
  L.value, c.value = 1, 0.1
end
local searches = {
  { minimize = near, over = { L, c }, starts = 4 },
  { minimize = last, over = { L, c }, starts = 3, optimizer = mbs.slsqp {},
    subject_to = { { "height", height, max = 0.5 } } },
  { minimize = near, over = { L, c }, starts = 3, optimizer = mbs.trust_region {}, formulation = mbs.maggi {} },
}
for _, search in ipairs(searches) do
  start_again()
  local best = m:optimize(search)
  bits(#best.starts, best.final, L.value, c.value, best.evaluations)
  for _, found in ipairs(best.starts) do bits(found.final, found.evaluations, found.message) end
end

start_again()
for _, method in ipairs { mbs.adjoint { intervals = 7 }, mbs.adjoint { intervals = 2 } } do
  local slope = m:gradient { { height, last }, over = { L, c }, t = 1, formulation = mbs.maggi {}, method = method }
  bits(slope[1].gradient[1], slope[1].gradient[2], slope[2].gradient[1], slope[2].gradient[2])
end
-- Behind the motion.
for _, steps in ipairs { mbs.rk4 { step = 0.01 }, mbs.bdf { step = 0.01 } } do
  local slope = m:gradient { { height, last }, over = { L, c }, t = 1, formulation = mbs.index1 {}, integrator = steps,
                             method = mbs.adjoint { intervals = 5 } }
  bits(slope[1].gradient[1], slope[1].gradient[2], slope[2].gradient[1], slope[2].gradient[2])
end
local direct = m:gradient { { height, last }, over = { L, c }, t = 1, method = mbs.direct {} }
bits(direct[1].gradient[1], direct[1].gradient[2], direct[2].gradient[1], direct[2].gradient[2])
for _, pipeline in ipairs { true, false } do
  local slope = m:gradient { height, over = { L, c }, t = 1, formulation = mbs.stabilized_index1 {}, integrator = mbs.radau {},
                             method = mbs.piecewise_adjoint { intervals = 5, pipeline = pipeline } }
  bits(slope.gradient[1], slope.gradient[2])
end

-- Objectives of one motion, and rows of second derivatives, with and without intervals.
local costs = { height, last, near }
local several = m:gradient { costs, over = { L, c }, t = 1, formulation = mbs.maggi {}, method = mbs.adjoint {} }
for _, slopes in ipairs(several) do bits(slopes.gradient[1], slopes.gradient[2]) end
for _, intervals in ipairs { 0, 4 } do
  local curved = m:hessian { near, over = { L, c }, t = 1, integrator = mbs.rk4 { step = 0.01 },
                             method = mbs.adjoint { intervals = intervals } }
  for _, row in ipairs(curved.matrix) do bits(curved.gradient[1], row[1], row[2]) end
end

-- Intervals within a job, and a search of one start by gradients in intervals.
local within = mbs.sweep { height, over = L, design = mbs.grid { 4 }, formulation = mbs.maggi {},
                           method = mbs.adjoint { intervals = 3 } }
for _, row in ipairs(within) do bits(row.gradients.height.L) end
local one = m:optimize { minimize = near, over = L, formulation = mbs.maggi {}, method = mbs.adjoint { intervals = 3 } }
bits(one.final, L.value)

-- Experiments are spread: their intervals stay in their process.
L.value, c.value = 1, 0.1
local both = m:optimize { minimize = near, over = { L, c }, formulation = mbs.maggi {},
                          method = mbs.adjoint { intervals = 3 }, experiments = { { "short" }, { "long", t = 1.5 } } }
bits(both.final, L.value, c.value)

-- Their costs as the worst of them and with limits, and one that cannot be run on the way.
L.value, c.value = 1, 0.1
local worst = m:optimize { minimize = near, over = { L, c }, combine = "worst", subject_to = { { last, max = 0.9 } },
                           experiments = { { "short" }, { "long", t = 1.5 }, { "thick", set = { c = 0.4 }, t = 0.7 } } }
bits(worst.final, L.value, c.value, worst.evaluations)

-- A fit of two experiments of different lengths, by their values and slopes.
local function throw(length, damping)
  L.value, c.value = length, damping
  local run = m:simulate { t = 1 }
  local data = { t = {}, x = {} }
  for k = 1, 9 do
    data.t[k] = k / 10
    data.x[k] = run:at("P.x", data.t[k]) + 0.01 * math.sin(7 * k * length)
  end
  return data
end
local first, second = throw(1.2, 0.3), throw(1.2, 0.3)
for k = 9, 6, -1 do second.t[k], second.x[k] = nil, nil end
L.value, c.value = 1, 0.1
local fit = m:fit { signals = { { "x", P.x } }, over = { L, c },
                    experiments = { { "one", data = first }, { "two", data = second } } }
bits(fit.parameters.L, fit.parameters.c, fit.standard_errors.L, fit.signals["x in one"].deviation)

-- A front, from both sides, within limits.
L.value, c.value = 1, 0.1
local front = m:pareto { minimize = { near, height }, over = { L, c }, points = 6 }
for _, point in ipairs(front) do bits(point.values.near, point.values.height, point.parameters.L, point.parameters.c) end

-- Intervals of phases.
local thrown = mbs.model { "thrown", gravity = { 0, -9.81 } }
local v, e = thrown:param { "v", 2 }, thrown:param { "e", 0.4 }
local stone = thrown:point { "stone", at = { 0, 1 }, velocity = { v, 0 }, mass = 1 }
local wall = thrown:constraint { "wall", law = stone.x - 1 }
local far = thrown:objective { "far", terminal = stone.x, integral = function(s) return s.t * stone.y ^ 2 end }
local slope = thrown:gradient {
  far, t = 1, method = mbs.adjoint { intervals = 6 },
  phases = { thrown:phase { "flies", without = { wall }, stop = stone.x - 1 }, thrown:phase { "hits", restitution = e },
             thrown:phase { "comes back", without = { wall } } } }
bits(slope.gradient[1], slope.gradient[2])

-- Large models: processes take turns with the units of an adjoint with checkpoints.
local long = mbs.model { "chain", gravity = { 0, -9.81 } }
local drag, mass = long:param { "drag", 0.05 }, long:param { "mass", 1 }
local link = long:ground { at = { 0, 0 } }
for k = 1, 100 do
  local next_one = long:point { "P" .. k, at = { 0.1 * k, 0 }, mass = mass }
  long:distance { "d" .. k, link, next_one }
  long:force { "drag" .. k, on = next_one, law = function(s) return -drag * s.vx, -drag * s.vy end }
  link = next_one
end
local ends = { long:objective { "end", terminal = link.x + 2 * link.y }, long:objective { "way", integral = link.vx ^ 2 } }
local of_chain = long:gradient { ends, t = 0.3, formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 1e-3 },
                                 method = mbs.adjoint { checkpoints = 250 } }
bits(of_chain[1].gradient[1], of_chain[1].gradient[2], of_chain[2].gradient[1], of_chain[2].gradient[2])
