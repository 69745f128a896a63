-- How runs of several processes end: with errors, when processes part from each other, when one dies.
local here = arg[0]:match "^(.*)/"
package.path = here .. "/?.lua;" .. package.path
local launch = require "launch"

local model = [[
local mbs = require "perilune"
local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
local L = m:param { "L", 1, unit = "m", min = 0.5, max = 2 }
local P = m:point { "P", at = { L, 0 }, mass = 1 }
m:distance { m:ground { at = { 0, 0 } }, P }
local height = m:objective { "height", integral = function() return P.y ^ 2 end }
m:simulate { t = 1 }
local function sweep(count, fields)
  local all = { height, over = L, design = mbs.grid { count } }
  for key, value in pairs(fields or {}) do all[key] = value end
  return mbs.sweep(all)
end
-- What this process has of its own: the others' complaints go nowhere.
local complaints = io.popen("readlink /proc/" .. io.open "/proc/self/stat":read "n" .. "/fd/2")
local is_first = complaints:read "l" ~= "/dev/null"
]]

local function contains(text, part)
  if not text:find(part, 1, true) then error(("expected\n%s\nin\n%s"):format(part, text), 2) end
end

local function run(text, count)
  return launch.processes(count or 2, ("'%s'"):format(launch.script("ending.lua", model .. text)))
end

-- The script's own end.
local out, err, code = run "print(#sweep(12)) error 'too bad'"
assert(out == "12\n" and code == 1)
contains(err, "too bad")
assert(select(2, err:gsub("ending.lua:%d+: too bad", "")) == 1, err)
out, err, code = run "print(#sweep(12)) os.exit(7)"
assert(out == "12\n" and code == 7)
out, err, code = run "print(pcall(sweep, 'many')) print(#sweep(5))"
assert(code == 0)
contains(out, "\n5\n")

-- Files are the first's, and what it starts is a process of its own.
local file = launch.folder .. "/written.txt"
out, err, code = run(([[
local f = io.open(%q, "a") f:write "once " f:close()
sweep(3):csv(%q)
mbs.make_folder(%q)
local child = io.popen(%q .. " -e 'print(require \"perilune\" and 1)'"):read "a"
assert(child == "1\n", child)]]):format(file, launch.folder .. "/written.csv", launch.folder .. "/made", launch.perilune))
assert(code == 0, err)
local f = assert(io.open(file))
assert(f:read "a" == "once ")
f:close()
os.remove(file)

for _, left in ipairs { "/by_other.json", "/folder_other" } do os.remove(launch.folder .. left) end
out, err, code = run(([[
local who = is_first and "first" or "other"
mbs.write_json(%q .. who .. ".json", { who = who })
mbs.make_folder(%q .. who)
sweep(3)]]):format(launch.folder .. "/by_", launch.folder .. "/folder_"))
assert(code == 0, err)
assert(io.open(launch.folder .. "/by_first.json") and io.open(launch.folder .. "/folder_first"))
assert(not io.open(launch.folder .. "/by_other.json") and not io.open(launch.folder .. "/folder_other"))

-- Processes that part from each other.
out, err, code = run "sweep(is_first and 12 or 13)"
assert(code == 1)
contains(err, "ending.lua:11: rank 1 of the run does not do what the first does: it came to sweep 1 (13 jobs")
contains(err, "the first to sweep 1 (12 jobs")
out, err, code = run "if not is_first then sweep(5) end print 'end'"
assert(out == "end\n" and code == 1)
contains(err, "rank 1 of the run still has work to share where the first has come to the end of the script")
out, err, code = run "if is_first then sweep(5) end"
assert(code == 1)
contains(err, "rank 1 of the run has come to the end of the script, where the first still has work to share")
out, err, code = run "if not is_first then error 'only here' end sweep(5)"
assert(code == 1)
contains(err, "rank 1 of the run has ended: ")
contains(err, "only here")
out, err, code = run("if not is_first then error 'only here' end print 'end'", 3)
assert(out == "end\n" and code == 1)
contains(err, "perilune: rank ")
out, err, code = run "m:optimize { minimize = height, over = L, job = 'search.job' }"
assert(code == 1)
contains(err, "job = 'search.job': a search that is kept in a file is one of a single process")

-- What a sweep computes has to be the same in all.
for _, text in ipairs {
  "sweep(9, { integrator = mbs.rk4 { step = is_first and 0.01 or 0.02 } })",
  "sweep(9, { stop = P.x - (is_first and 0.5 or 0.4) * L })",
  "sweep(9, { method = mbs.finite_difference { step = is_first and 1e-5 or 1e-4 } })",
  "sweep(9, { m:objective { 'other', terminal = is_first and P.x or P.y } })",
  "sweep(9, { independent = { is_first and 'P.x' or 'P.y' }, formulation = mbs.maggi {} })",
  "m:optimize { minimize = height, over = L, starts = 2, integrator = mbs.rk4 { step = is_first and 0.01 or 0.02 } }",
  "m:gradient { height, over = L, formulation = mbs.maggi {}, t = is_first and 1 or 1.1, method = mbs.adjoint { intervals = 2 } }",
  "local c = m:param { 'c', 1 } m:force { on = P, force = { c, 0 } } " ..
    "m:gradient { m:objective { 'other', terminal = is_first and P.x or P.y }, over = { L, c }, method = mbs.direct {} }",
} do
  out, err, code = run(text)
  assert(code == 1, text)
  contains(err, "rank 1 of the run does not do what the first does: it came to ")
end
out, err, code = launch.shell(("ASAN_OPTIONS=detect_leaks=0 timeout 300 '%s' -n 2 sh -c \"'%s' '%s' \\$OMPI_COMM_WORLD_RANK\""):format(
  arg[1], launch.perilune, launch.script("words.lua", model .. "print(arg[1])")))
assert(code == 1 and out == "", out)
contains(err, "rank 1 of the run does not do what the first does: it came to the start of ")

-- What fails in the first alone, before there is work to share, fails in all, and they go on together.
local other = launch.folder .. "/other.jsonl"
os.remove(other)
launch.processes(1, ("run '%s' --results '%s'"):format(launch.script("other.lua", model .. "sweep(3)"), other))
local both = launch.script("both.lua", model .. "print((pcall(sweep, 5))) print(pcall(sweep, 6))")
out, err, code = launch.processes(2, ("run '%s' --results '%s'"):format(both, other))
assert(code == 0, err)
contains(out, "false\n")

-- A name of this process alone is its file; the exit code is the script's.
out, err, code = run [[
local name = os.tmpname()
local f = io.open(name, "w") f:write "mine" f:close()
assert(io.open(name):read "a" == "mine")
assert(os.remove(name) and not io.open(name))
sweep(3) os.exit(7)]]
assert(code == 7, err)

-- No script: the first alone answers.
out, err, code = launch.processes(3, "-e 'print(1)'")
assert(out == "1\n" and code == 0, err)
out, err, code = launch.processes(2, "doc shards")
assert(select(2, out:gsub("perilune merge", "")) == 1 and code == 0, out)
local empty = launch.script("empty.lua", "print 'by a child'")
out, err, code = launch.processes(2, ("-e \"os.execute [[%s %s]]\""):format(launch.perilune, empty))
assert(out == "by a child\n" and code == 0, err)
out, err, code = launch.processes(2, "--version")
assert(select(2, out:gsub("Perilune", "")) == 1 and code == 0, out)

-- A process that dies takes the others with it, and what was finished is kept.
local jobs = launch.folder .. "/jobs.jsonl"
os.remove(jobs)
local long = launch.script("long.lua", model .. [[
local count = 0
if not is_first then
  local sweeping = mbs.sweep { height, over = L, design = mbs.grid { 8 } }
  io.popen("kill -9 " .. io.open "/proc/self/stat":read "n"):read "a"
end
sweep(8)
]])
out, err, code = launch.processes(2, ("run '%s' --results '%s'"):format(long, jobs))
assert(code ~= 0)
local function lines()
  local n = 0
  for line in io.lines(jobs) do n = n + (line:find '"job":' and 1 or 0) end
  return n
end
assert(lines() >= 1 and lines() <= 8, lines())

-- The same command goes on.
local whole = launch.script("whole.lua", model .. "local all = sweep(8) print(#all, all.complete)")
os.remove(jobs)
out, err, code = launch.processes(2, ("run '%s' --results '%s'"):format(whole, jobs))
assert(code == 0 and out == "8\ttrue\n" and lines() == 8, err)
out, err, code = launch.processes(2, ("run '%s' --results '%s'"):format(whole, jobs))
assert(code == 0 and out == "8\ttrue\n" and lines() == 8, err)

-- A launcher of another MPI, and a program without the library.
out, err, code = launch.shell(("PMI_SIZE=4 PMI_RANK=0 '%s' '%s'"):format(launch.perilune, whole))
assert(code == 1)
contains(err, "which sees 1 of 4; take the mpirun of the MPI that perilune was built with")
-- srun that knows no MPI would run the script several times, each alone.
out, err, code = launch.shell(("SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 '%s' '%s'"):format(launch.perilune, whole))
assert(code == 1)
contains(err, "(SLURM_STEP_NUM_TASKS), by another MPI")
contains(err, "or srun --mpi=pmix")
out, err, code = launch.shell(("SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 '%s' '%s'"):format(launch.perilune, whole))
assert(code == 0 and out == "8\ttrue\n", err)
local copy = launch.folder .. "/copy/perilune"
os.execute(("mkdir -p '%s/copy' && cp '%s' '%s'"):format(launch.folder, launch.perilune, copy))
out, err, code = launch.shell(("OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 '%s' '%s'"):format(copy, whole))
assert(code == 1)
contains(err, "a launcher has started several processes of this script (OMPI_COMM_WORLD_SIZE), and they cannot share its work")
out, err, code = launch.shell(("OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 '%s' '%s'"):format(copy, whole))
assert(code == 0 and out == "8\ttrue\n", err)

-- Fits of other data, or by other models, are not mixed.
for _, other in ipairs { "data.x[3] = data.x[3] + 0.3", "m:force { on = P, force = { 0.1, 0 } }" } do
  out, err, code = run(([[
local data = { t = {}, x = {} }
for k = 1, 6 do data.t[k], data.x[k] = k / 10, math.cos(k / 5) end
if not is_first then %s end
m:fit { signals = { { "x", P.x } }, over = { L }, experiments = { { "one", data = data }, { "two", data = data } } }
]]):format(other))
  assert(code ~= 0)
  contains(err, "a fit of 12 numbers")
end

-- At a terminal, of which the processes see pipes, progress is shown, and Ctrl-C says what is kept. Elsewhere it is not shown.
if launch.shell "command -v script" ~= "" then
  local long = launch.script("long.lua", model .. "sweep(100000, { t = 20 })")
  local results = launch.folder .. "/long.jsonl"
  os.remove(results)
  local command = launch.command(2, ("run '%s' --results '%s'"):format(long, results))
  local function wait_for(text)
    return ("for i in $(seq 300); do grep -q '%s' '%s/out.txt' && break; sleep 0.2; done;"):format(text, launch.folder)
  end
  out, err = launch.shell(([[%s
    printf '\003'; %s sleep 2; } | { timeout 200 script -qec "%s" /dev/null]]):format(wait_for "jobs, about",
    wait_for "finished jobs are in", command))
  contains(out, " of 100000 jobs, about ")
  contains(out, "\r\27[Kperilune: ended from outside: Ctrl-C")
  contains(out, "finished jobs are in " .. results)
  assert(#assert(io.open(results)):read "a" > 0)
  out, err, code = run "sweep(600, { t = 20 })"
  assert(code == 0 and err == "", err)
end
