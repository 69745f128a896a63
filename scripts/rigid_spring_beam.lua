-- A rod, a spring and a beam that swings: Ebrahimi, Butscher, Cheong and Iorio (2019), section 6.2. Where is the beam
-- to be pinned so that the end of the rod moves least? By variational steps of two lengths.
--
--   perilune rigid_spring_beam.lua [--gravity 9.81] [--evaluations 60] [--json FILE]
--
-- Printed in the source: the rod AB (1.6 kg, 0.01 m thick) pinned at A, the beam DC (70 GPa, 3700 kg/m^3, square, 0.01
-- m wide) pinned at D, the spring BC (100 N/m, unstressed at first), -5 rad/s of the beam, 1 s, steps of 1 and 0.5 ms,
-- D within 10 m, a beam of 0.001 m at least, an augmented Lagrangian, 60 iterations at most. Its results are three
-- sentences: both steps have the same optimum; differences of 1 percent of the parameters lead to it, too; the adjoint
-- is some 4.5 times as fast.
--
-- Ours is the geometry, which the source has in a figure alone: A, B, C and the first D below. Its text names no
-- gravity: there is none, unless --gravity says so. The beam is one element, as where the source explains the assembly,
-- with the printed form of the axial force; the rod is a planar body, at rest. The search by differences of 1 percent
-- has 10 evaluations, unless --evaluations says more. --json FILE: objective, gradient, optimizations, scan, short,
-- motion.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { json = "", gravity = 0, evaluations = 10 }

local start, x_C, y_C, width = { 2, -0.3 }, 1.3, 0.2, 0.01 -- A is the origin, B is (1, 0)
local m = mbs.model { "rod, spring and beam", gravity = { 0, -options.gravity } }
local X = m:param { "X_D", start[1], unit = "m", min = -10, max = 10 }
local Y = m:param { "Y_D", start[2], unit = "m", min = -10, max = 10 }
local rod = m:body { "rod", mass = 1.6, inertia = 1.6 * (1 / 12 + 0.01 ^ 2 / 16), at = { 0.5, 0 } }
m:revolute { "A", m.ground, rod, at = { 0, 0 } }
local B = rod:point { 0.5, 0 }
local beam = m:beam { "beam", from = { X, Y }, to = { x_C, y_C }, elements = 1, young = 7e10, density = 3700,
                      area = width ^ 2, second_moment = width ^ 4 / 12, angular_velocity = -5, axial = "printed" }
m:coincidence { "D", beam.first, m:ground { at = { X, Y } } }
m:spring { "BC", B, beam.last, stiffness = 100, free_length = ((x_C - 1) ^ 2 + y_C ^ 2) ^ 0.5 }
local x_B, y_B = rod.x + 0.5 * math.cos(rod.angle), rod.y + 0.5 * math.sin(rod.angle)
local moved = (x_B - 1) ^ 2 + y_B ^ 2
local cost = m:objective { "moved", integral = moved }
local length = ((X - x_C) ^ 2 + (Y - y_C) ^ 2) ^ 0.5

local function put(place) X.value, Y.value = place[1], place[2] end
local function with(step, more)
  more.t, more.integrator = 1, mbs.variational { step = step }
  return more
end
local function simulate(step) return m:simulate(with(step, { objectives = cost })) end
local function gradient(step, method)
  return m:gradient(with(step, { objective = cost, over = { X, Y }, method = method }))
end
local steps = { 0.001, 0.0005 }

print "1. Motion of B with D at (2, -0.3) m"
print "  t/s      x/m, 1 ms   0.5 ms         y/m, 1 ms   0.5 ms"
local runs, before = {}, {}
for i, step in ipairs(steps) do runs[i] = simulate(step) end
for k = 1, 5 do
  local t = k / 5
  print(("  %.1f     %9.6f  %9.6f      %9.6f  %9.6f"):format(t, runs[1]:at(x_B, t), runs[2]:at(x_B, t),
                                                       runs[1]:at(y_B, t), runs[2]:at(y_B, t)))
end
local apart, farthest = 0, 0
for k = 1, 1000 do
  local t = k / 1000
  local x, y = runs[1]:at(x_B, t), runs[1]:at(y_B, t)
  apart = math.max(apart, ((x - runs[2]:at(x_B, t)) ^ 2 + (y - runs[2]:at(y_B, t)) ^ 2) ^ 0.5)
  before[k] = ((x - 1) ^ 2 + y ^ 2) ^ 0.5
  farthest = math.max(farthest, before[k])
end
print(("B goes %.4f m away; with the two steps it is at most %.1e m apart."):format(farthest, apart))
print(("objective %.10f and %.10f m^2 s"):format(runs[1].objectives.moved, runs[2].objectives.moved))

print "\n2. Its gradient there, and what it costs"
print "                                          d/dX_D          d/dY_D      simulations"
-- As the source has them: each parameter larger by 1 percent, one simulation for each and one for all.
local function forward_differences(step)
  local seconds, values = 0, {}
  for k, place in ipairs { start, { 1.01 * start[1], start[2] }, { start[1], 1.01 * start[2] } } do
    put(place)
    local run = simulate(step)
    seconds, values[k] = seconds + run.seconds, run.objectives.moved
  end
  put(start)
  return { gradient = { (values[2] - values[1]) / (0.01 * start[1]), (values[3] - values[1]) / (0.01 * start[2]) },
           value = values[1], parameters = { "X_D", "Y_D" }, seconds = seconds }
end
local function fastest(tries, action)
  local best
  for _ = 1, tries do
    local one = action()
    if not best or one.seconds < best.seconds then best = one end
  end
  return best
end
local rows, cost_of = {}, {}
for i, step in ipairs(steps) do
  local tries = i == 1 and 3 or 1 -- the shorter step's times are of one try
  local one_run = fastest(tries, function() return simulate(step) end).seconds
  local first
  for _, how in ipairs {
    { "discrete adjoint", tries, function() return gradient(step, mbs.adjoint {}) end },
    { "discrete direct", tries, function() return gradient(step, mbs.direct {}) end },
    { "differences, extrapolated", 1, function()
      return gradient(step, mbs.finite_difference { step = 1e-4, richardson = 3 })
    end },
    { "differences, forward, 1 percent", tries, function() return forward_differences(step) end },
  } do
    local row = results.row(how[1], fastest(how[2], how[3]), one_run, first)
    first = first or row
    row.step = step
    rows[#rows + 1] = row
    cost_of[i .. how[1]] = row.forward_runs
    print(("  %-32s %3.1f ms %14.10f %14.10f %8.1f"):format(how[1], 1000 * step, row.value[1], row.value[2],
                                                          row.forward_runs))
  end
end
print(("By the adjoint it takes %.1f times less than by forward differences."):format(
  cost_of["1differences, forward, 1 percent"] / cost_of["1discrete adjoint"]))

print "\n3. The objective within 1 percent of the start"
print "    X_D/m     1 ms         slope      0.5 ms"
local scan, turns, steepest = {}, 0, 0
for k = -4, 4 do
  X.value = start[1] * (1 + 0.0025 * k)
  local g, finer = gradient(0.001, mbs.adjoint {}), simulate(0.0005).objectives.moved
  local slope, last = g.gradient[1], scan[#scan]
  if last and last.slope * slope < 0 then turns = turns + 1 end
  steepest = math.max(steepest, math.abs(slope))
  scan[#scan + 1] = { x = X.value, objective = g.value, finer = finer, slope = slope }
  print(("  %8.4f   %11.8f  %8.4f   %11.8f"):format(X.value, g.value, slope, finer))
end
put(start)
print(("The slope changes its sign %d times there and reaches %.2f: %s"):format(turns, steepest, turns > 0
  and "differences of 1 percent step over what they are to tell." or "differences of 1 percent tell it roughly."))

-- The first place lies between two optima: there the last bits decide which of them a search finds. So searches begin
-- some way off.
local begin = { 2.1, -0.2 }
print "\n4. Searches from D = (2.1, -0.2) m"
local optimizations = {}
local function distance(a, b)
  return ((a.parameters.X_D - b.parameters.X_D) ^ 2 + (a.parameters.Y_D - b.parameters.Y_D) ^ 2) ^ 0.5
end
local function optimum(step, method, optimizer)
  return m:optimize(with(step, { minimize = cost, over = { X, Y }, method = method, optimizer = optimizer,
                                 subject_to = { { "length", length, min = 0.001, unit = "m" } } }))
end
local function search(name, step, method, optimizer)
  put(begin)
  local clock = os.clock()
  local best = optimum(step, method, optimizer)
  local out = results.optimization(name, best)
  out.seconds_each = (os.clock() - clock) / best.evaluations
  out.step, out.kkt, out.length = step, best.kkt, best.constraints.length.value
  out.slope = gradient(step, mbs.adjoint {}).gradient
  optimizations[#optimizations + 1] = out
  print(("%s: objective %.10f at D = (%.7f, %.7f) m, the beam %.4f m;"):format(name, best.final, X.value, Y.value,
                                                                             out.length))
  print(("  exact gradient %.1e, %.1e; %s after %d evaluations"):format(out.slope[1], out.slope[2], best.reason,
                                                                    best.evaluations))
  return out
end
local found = {}
for i, step in ipairs(steps) do
  found[i] = search(("adjoint, %g ms"):format(1000 * step), step, mbs.adjoint {}, mbs.auglag {})
end
print "  iteration  objective    X_D        Y_D        0.5 ms: objective    X_D        Y_D"
for k = 1, math.max(#found[1].history, #found[2].history) do
  local cells = {}
  for i = 1, 2 do
    local it = found[i].history[k]
    cells[i] = it and ("  %.8f  %9.6f  %9.6f"):format(it.value, it.parameters.X_D, it.parameters.Y_D) or (" "):rep(34)
  end
  print((("  %4d     %s         %s"):format(k - 1, cells[1], cells[2]):gsub(" +$", "")))
end
print(("The optima are %.1e m apart, the objectives %.1e of their size."):format(
  distance(found[1], found[2]), math.abs(found[1].final / found[2].final - 1)))

put { found[1].parameters.X_D, found[1].parameters.Y_D }
local after, less, farthest_after = simulate(0.001), 0, 0
for k = 1, 1000 do
  local t = k / 1000
  local away = ((after:at(x_B, t) - 1) ^ 2 + after:at(y_B, t) ^ 2) ^ 0.5
  farthest_after = math.max(farthest_after, away)
  if away < before[k] then less = less + 1 end
end
print(("B goes %.4f m away with it, in place of %.4f, and is nearer to its place in %d of 1000 steps.\n"):format(
  farthest_after, farthest, less))

local from_start = {}
for i, beside in ipairs { 0, 1e-10 } do
  put { start[1] + beside, start[2] }
  local best = optimum(0.001, mbs.adjoint {}, mbs.auglag {})
  from_start[i] = ("%.8f at (%.4f, %.4f)"):format(best.final, X.value, Y.value)
end
print(("From D = (2, -0.3) m, 1 ms: %s; from 1e-10 m beside it: %s.\n"):format(table.unpack(from_start)))

local small = search("central differences of 0.01 percent, 1 ms", 0.001, mbs.finite_difference { step = 1e-4 },
                     mbs.auglag { kkt = 1e-6 })
print(("  %.1e m from the optimum by the adjoint, whose evaluations take %.1f times less (here they are 5 simulations)"
  ):format(distance(small, found[1]), small.seconds_each / found[1].seconds_each))
local large = search("central differences of 1 percent, 1 ms", 0.001, mbs.finite_difference { step = 1e-2 },
                     mbs.auglag { kkt = 1e-6, max_evaluations = options.evaluations })
print(("  %.1e m from it"):format(distance(large, found[1])))

print "\n5. Shorter beams, from C towards the start, 0.5 ms"
local short, is_less = {}, true
local along_x, along_y = start[1] - x_C, start[2] - y_C
for _, share in ipairs { 1, 0.3, 0.1, 0.03, 0.01 } do
  put { x_C + share * along_x, y_C + share * along_y }
  local size = share * (along_x ^ 2 + along_y ^ 2) ^ 0.5
  local is_run, run = pcall(simulate, 0.0005)
  local value, last = is_run and run.objectives.moved or nil, short[#short]
  if value and last and value >= last.objective then is_less = false end
  if value then short[#short + 1] = { length = size, objective = value } end
  print(("  %.4f m: %s"):format(size, value and ("objective %.3e"):format(value)
                                     or tostring(run):match ":%d+: ([^\n;]*)"))
end
put(start)
print(is_less and "The shorter, the less." or "They are not the less the shorter.")
if short[#short].objective < found[2].final then
  print "The optima above are local ones, then."
end
results.write(options.json, rows, optimizations, {
  objective = runs[1].objectives.moved, scan = scan, short = short,
  motion = { apart = apart, farthest = farthest, farthest_after = farthest_after, nearer = less } })
