-- Sweeps: values in closed form, what the result offers, the same bits with any number of threads and shards.
local mbs = require "perilune"
local check = require "check"
local json = require "json"
local program = arg[-1]

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

-- A point thrown at (v, w): after a second it is at (v, w). root fails where v is above 2.
local m = mbs.model { "throw", gravity = { 0, 0 } }
local v = m:param { "v", 1, unit = "m/s", min = 0, max = 4 }
local w = m:param { "w", 5, min = 0, max = 10 }
local P = m:point { "P", at = { 0, 0 }, velocity = { v, w }, mass = 1 }
local far = m:objective { "far", terminal = P.x^2 + P.y }
local root = m:objective { "root", terminal = function() return math.sqrt(2 - P.x) end }
m:simulate { t = 1, integrator = mbs.rk4 { step = 0.125 } }  -- the settings of all that follows

do
  local found = mbs.sweep { far, design = mbs.grid { { 1, 3 }, 3 } }
  check.equal(#found, 6)
  check.equal(found.jobs, 6)
  check.equal(found.failed, 0)
  assert(found.complete)
  for k, point in ipairs { { 1, 0 }, { 1, 5 }, { 1, 10 }, { 3, 0 }, { 3, 5 }, { 3, 10 } } do
    check.equal(found[k].job, k)
    check.equal(found[k].parameters.v, point[1])
    check.equal(found[k].parameters.w, point[2])
    check.near(found[k].values.far, point[1]^2 + point[2])
    check.equal(found[k].gradients, nil)
    check.equal(found[k].failure, nil)
  end
  check.equal(found.best.job, 1)
  check.equal(mbs.last_sweep, found)
  check.equal(v.value, 1)
  check.equal(w.value, 5)
end

-- Several objectives, gradients, and jobs that fail.
do
  local design = mbs.list { { 1 }, { 3 }, { 0 } }
  local found = mbs.sweep { { root, far }, over = v, design = design, method = mbs.adjoint {} }
  check.equal(found.failed, 1)
  assert(found.complete)
  check.near(found[1].gradients.root.v, -0.5)
  check.near(found[1].gradients.far.v, 2)
  check.near(found[3].values.root, math.sqrt(2))
  check.equal(found[2].values, nil)
  assert(found[2].failure:find('objective "root" is not a finite number', 1, true), found[2].failure)
  check.equal(found.best.job, 1)
  check.fails("is a method of what mbs.sweep returns", getmetatable(found).__tostring, {})
  check.equal(tostring(found),
              'sweep of "throw" over v: 3 jobs, 1 failed; lowest root 1 (job 1); lowest far 5 (job 3)')

  local path = os.tmpname()
  found:csv(path)
  local lines = {}
  for line in read(path):gmatch "[^\n]+" do lines[#lines + 1] = line end
  check.equal(lines[1], "job,v [m/s],root,far,d root / d v,d far / d v,failure")
  check.equal(lines[2], "1,1,1,6,-0.5,2,")
  assert(lines[3]:find('^2,3,nan,nan,nan,nan,"at t = 1 s: objective ""root"" is not'), lines[3])
  check.equal(#lines, 4)

  found:json(path)
  local data = json.decode(read(path))
  check.equal(data.jobs, 3)
  check.equal(data.units.v, "m/s")
  check.equal(data.results[1].values.far, 6)
  check.equal(data.results[1].gradients.far.v, 2)
  check.equal(data.results[2].failure, found[2].failure)
  check.equal(data.results[2].values, nil)

  found:svg(path, "far")
  assert(read(path):find("<svg", 1, true))
  os.remove(path)
end

-- Plots: of a grid a curve for each combination of the other parameters, of scattered points dots.
do
  local path = os.tmpname()
  local function shapes(design, ...)
    mbs.sweep { far, design = design }:svg(path, ...)
    local text = read(path)
    local curves = 0
    for data in text:gmatch 'd="(M[^"]*L[^"]*)"[^>]*stroke%-width' do curves = curves + select(2, data:gsub("M", "")) end
    local _, dots = text:gsub("<circle", "")
    return curves, dots, text
  end
  local curves, dots, text = shapes(mbs.grid { 4, 3 }, "v")
  check.equal(curves, 3)
  for _, value in ipairs { 0, 5, 10 } do assert(text:find(">far, w = " .. value .. "<", 1, true), text) end  -- in the legend
  curves, dots, text = shapes(mbs.grid { 4, 9 }, "v")
  check.equal(curves, 9)
  assert(not text:find("far, w", 1, true), "too many for a legend")
  check.equal(dots, 0)
  check.equal((shapes(mbs.grid { 4, 3 }, "w")), 4)
  curves, dots = shapes(mbs.latin_hypercube { points = 7 })
  check.equal(curves, 0)
  check.equal(dots, 7)
  os.remove(path)
end

-- Seeds.
do
  local function points(design)
    local list = {}
    for _, row in ipairs(mbs.sweep { far, design = design }) do list[#list + 1] = row.parameters.v end
    return table.concat(list, " ")
  end
  check.equal(points(mbs.random { points = 3, seed = 4 }), points(mbs.random { points = 3, seed = 4 }))
  assert(points(mbs.random { points = 3, seed = 4 }) ~= points(mbs.random { points = 3, seed = 5 }))
  assert(points(mbs.latin_hypercube { points = 3 }) ~= points(mbs.latin_hypercube { points = 3, seed = 5 }))
end

-- Several starts: the lowest of many minima, where the present value leads to another one.
do
  local waves = m:objective { "waves", terminal = function() return math.cos(6 * P.x) + 0.1 * (P.x - 1)^2 end }
  v.value = 4
  local single = m:optimize { minimize = waves, over = v }
  check.equal(single.starts, nil)
  v.value = 4
  local best = m:optimize { minimize = waves, over = v, starts = 8, seed = 3 }
  assert(best.final < single.final - 0.5)
  check.equal(v.value, best.parameters.v)
  check.equal(#best.starts, 8)
  check.equal(best.starts[1].from.v, 4)
  check.equal(best.starts[1].final, single.final)
  check.equal(best.starts[best.start].final, best.final)
  local strata = {}
  for k = 2, 8 do
    assert(best.starts[k].final >= best.final)
    strata[math.floor(best.starts[k].from.v / 4 * 7)] = true
  end
  for stratum = 0, 6 do assert(strata[stratum], "no start in stratum " .. stratum) end
  assert(tostring(best):find("The best of 8 starts, number " .. best.start, 1, true), tostring(best))
  assert(tostring(best.starts):find("8 starts, * the best", 1, true))

  v.value = 1
  best = m:optimize { minimize = root, over = v, starts = 9 }
  local failed = 0
  for _, start in ipairs(best.starts) do
    if start.failure then failed = failed + 1 end
    assert(not start.failure == (start.from.v < 2), start.from.v)
  end
  check.equal(failed, 4)  -- strata of 1/2 between 2 and 4
end

-- In processes of their own. The script's results do not depend on threads and shards.
local folder = os.tmpname()
os.remove(folder)
mbs.make_folder(folder)
local function run(command)
  local pipe = assert(io.popen(("cd '%s' && { %s; } 2>&1"):format(folder, command:gsub("perilune", program))))
  local text = pipe:read "a"
  return text, pipe:close()
end

write(folder .. "/sweep.lua", [[
local mbs = require "perilune"
local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
local L = m:param { "L", 1, unit = "m", min = 0.5, max = 2 }
local c = m:param { "c", 0.1, unit = "N s/m", min = 0, max = 1 }
local A, P = m:ground { at = { 0, 0 } }, m:point { "P", at = { L, 0 }, mass = 1 }
m:distance { A, P }
m:force { "drag", on = P, law = function(s) return -c * s.vx, -c * s.vy end }
local height = m:objective { "height", integral = function() return P.y^2 end }
local root = m:objective { "root", terminal = function() return math.sqrt(P.x + 0.5) end }
local design = mbs.latin_hypercube { points = 23, seed = 5 }
local first = mbs.sweep { { height, root }, over = { L, c }, design = design, t = 1, method = mbs.adjoint {} }
local second = mbs.sweep { height, over = { L, c }, design = mbs.grid { 3, { 0, 0.25 } }, t = 2 }
io.write(#first, " ", #second, " ", first.failed, "\n")
if first.complete and second.complete then
  local best = m:optimize { minimize = height, over = { L }, t = 0.5, starts = 4 }
  first:csv "first.csv"
  second:json "second.json"
  mbs.write_json("best.json", { final = best.final, start = best.start, L = L.value, c = c.value })
end
]])
local function results()
  local text = read(folder .. "/first.csv") .. read(folder .. "/second.json") .. read(folder .. "/best.json")
  os.remove(folder .. "/first.csv")
  return text
end

local counts = run "OMP_NUM_THREADS=1 perilune sweep.lua"
local failed = tonumber(counts:match "^23 6 (%d+)\n$")
assert(failed and failed > 0 and failed < 23, counts)
local alone = results()
for _, threads in ipairs { 2, 4 } do
  check.equal(run("OMP_NUM_THREADS=" .. threads .. " perilune sweep.lua"), counts)
  check.equal(results(), alone)
end

-- Shards of 3, the last of them killed in the midst of a line and started again.
run "perilune run sweep.lua --shard 1/3"
run "OMP_NUM_THREADS=1 perilune run sweep.lua --shard=2/3"
check.equal(run "perilune run sweep.lua --shard 3/3 --results last.jsonl":match "^7 2 ", "7 2 ")
local last = read(folder .. "/last.jsonl")
local fourth = select(2, last:find "\n.-\n.-\n") + 40
write(folder .. "/last.jsonl", last:sub(1, fourth))
local partial = run "perilune merge sweep.*.jsonl last.jsonl | wc -l"
assert(partial:find("perilune: missing: sweep 1: jobs ", 1, true), partial)
run "perilune run sweep.lua --shard 3/3 --results last.jsonl"
check.equal(read(folder .. "/last.jsonl"):sub(1, fourth - 40), last:sub(1, fourth - 40))
check.equal(run "perilune merge sweep.*.jsonl last.jsonl > all.jsonl", "")
check.equal(run "perilune run sweep.lua --results whole.jsonl && perilune merge whole.jsonl | cmp - all.jsonl", counts)
check.equal(results(), alone)

-- From the merged file the script has all results without a simulation: the file stays as it is.
local merged = read(folder .. "/all.jsonl")
check.equal(run "perilune run sweep.lua --results all.jsonl", counts)
check.equal(results(), alone)
check.equal(read(folder .. "/all.jsonl"), merged)
for line in merged:gmatch "[^\n]+" do
  local job = json.decode(line)
  assert(job.script == "sweep.lua" and (job.values or job.failure) and job.parameters.L, line)
end

-- Really killed: finished jobs are kept, and the rest is done after the restart.
write(folder .. "/slow.lua", (read(folder .. "/sweep.lua"):gsub("t = 1,", "t = 30,")))
run "perilune slow.lua"
alone = results()
run [[perilune run slow.lua --results slow.jsonl & pid=$!
      while [ "$(cat slow.jsonl 2>/dev/null | wc -l)" -lt 3 ]; do sleep 0.01; done; kill -9 $pid; wait $pid]]
local kept = read(folder .. "/slow.jsonl"):match "^.*\n"
assert(select(2, kept:gsub("\n", "")) >= 3)
run "perilune run slow.lua --results slow.jsonl"
check.equal(read(folder .. "/slow.jsonl"):sub(1, #kept), kept)
check.equal(results(), alone)

-- What must not be mixed.
local function fails(command, text)
  local output, ok = run(command)
  assert(not ok and output:find(text, 1, true), output)
end
fails("perilune run sweep.lua --results whole.jsonl --param c=0.2", "whole.jsonl:1: this job is of another script")
fails("perilune run sweep.lua --results whole.jsonl other words", "whole.jsonl:1: this job is of another script")
-- The same words, but a formula and a step that come from elsewhere.
write(folder .. "/outside.lua", [[
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local k = m:param { "k", 1, min = 0.5, max = 2 }
local P = m:point { "P", at = { k, 0 }, mass = 1 }
local weight, step = tonumber(os.getenv "WEIGHT" or "1"), tonumber(os.getenv "STEP" or "0.01")
local cost = m:objective { "cost", integral = function() return weight * P.y^2 end }
mbs.sweep { cost, over = k, design = mbs.grid { 3 }, t = 1, integrator = mbs.rk4 { step = step } }
]])
run "perilune run outside.lua --results outside.jsonl"
check.equal(run "perilune run outside.lua --results outside.jsonl", "")
for _, other in ipairs { "WEIGHT=2", "STEP=0.02" } do
  fails(other .. " perilune run outside.lua --results outside.jsonl", "outside.jsonl:1: this job is of another script, "
    .. "other arguments, or another model, design or setting")
end
fails("perilune merge whole.jsonl slow.jsonl", "slow.jsonl:1: sweep 1 is another one (of slow.lua, with 23 jobs)")

-- The example: in shards, joined, and then as a whole. At the optimum the mechanism stays at rest, whatever the time.
local script = arg[0]:gsub("[^/]*$", "") .. "../../scripts/sweep_five_bar.lua"
write(folder .. "/study.lua", read(script))
for shard = 1, 2 do
  local output = run("perilune run study.lua --shard " .. shard .. "/2 --levels 3 --points 4 --starts 3 --t 0.5")
  assert(output:find("5 of 9 jobs", 1, true) or output:find("4 of 9 jobs", 1, true), output)
end
run "perilune merge study.*.jsonl > study.jsonl"
local output = run "perilune run study.lua --results study.jsonl --levels 3 --points 4 --starts 3 --t 0.5"
assert(output:find("optimum: L01 = 2.431924 m, L02 = 1.844869 m at k = 100 N/m", 1, true), output)
assert(select(2, read(folder .. "/sweep_five_bar_results/grid.csv"):gsub("\n", "")) == 10)
os.execute(("rm -r '%s'"):format(folder))
