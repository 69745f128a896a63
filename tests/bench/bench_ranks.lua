-- What a cost model of several processes needs, measured on this machine: docs/howto/many_cores.md predicts from it.
--   perilune tests/bench/bench_ranks.lua [mpirun]
local mbs = require "perilune"

if arg[1] == "sweep" then  -- a child: so many jobs of so long a motion
  local count, t = tonumber(arg[2]), tonumber(arg[3])
  local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
  local k = m:param { "k", 100, unit = "N/m", min = 50, max = 200 }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 1, 0 } }
  local P1, P2 = m:point { "P1", at = { -1, -1 } }, m:point { "P2", at = { 0.5, -2 } }
  local P3 = m:point { "P3", at = { 2, -1 } }
  m:bar { "bar1", A, P1, mass = 1 }
  m:bar { "bar2", P1, P2, mass = 1.5 }
  m:bar { "bar3", P2, P3, mass = 1.5 }
  m:bar { "bar4", P3, B, mass = 1 }
  m:spring { "s1", A, P3, stiffness = k, free_length = 2.236 }
  m:spring { "s2", A, P2, stiffness = k, free_length = 2.062 }
  local distance = m:objective { "distance", integral = function() return (P2.x - 0.5) ^ 2 + (P2.y + 2) ^ 2 end }
  m:simulate { t = t, formulation = mbs.penalty { alpha = 1e9 }, integrator = mbs.rk4 { step = 1e-3 } }
  if count > 0 then mbs.sweep { distance, over = k, design = mbs.grid { count }, method = mbs.adjoint {} } end
  return
end

local mpirun = arg[1] or "mpirun"
local perilune = io.popen "readlink /proc/$PPID/exe":read "l"

local function now()
  return tonumber(io.popen "date +%s.%N":read "l")
end

--- Seconds by the clock of a sweep in so many processes of one thread each: the least of three.
local function seconds(processes, jobs, t)
  local best = math.huge
  for _ = 1, 3 do
    local began = now()
    assert(os.execute(("OMP_NUM_THREADS=1 %s -n %d %s %s sweep %d %g 2>&1"):format(
      mpirun, processes, perilune, arg[0], jobs, t)))
    best = math.min(best, now() - began)
  end
  return best
end

local start_one, start_two = seconds(1, 0, 1), seconds(2, 0, 1)
print(("start of one process %.2f s, of two %.2f s"):format(start_one, start_two))
local tiny, many = 0.01, 20000
local one, two = seconds(1, many, tiny) - start_one, seconds(2, many, tiny) - start_two
print(("%d jobs of %.3f ms: %.2f s by one, %.2f s by two processes; beyond the half %.1f us a job"):format(
  many, one / many * 1e3, one, two, (two - one / 2) / many * 1e6))
local long, few = 5, 1000
one, two = seconds(1, few, long), seconds(2, few, long)
print(("%d jobs of %.1f ms: %.2f s by one, %.2f s by two processes, start included: %.2f times as fast"):format(
  few, (one - start_one) / few * 1e3, one, two, one / two))
