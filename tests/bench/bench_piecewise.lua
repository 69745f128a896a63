-- The piecewise adjoint by one process, by two, and by two threads, one after the other in each row: the table of
-- docs/howto/many_cores.md. The spatial slider-crank of scripts/schaffer_slider_crank.lua over 2 s, the vehicle over 1 s.
--   perilune tests/bench/bench_piecewise.lua [rows] [mpirun]
local mbs = require "perilune"
local scripts = arg[0]:match "^(.*)tests/bench/" .. "scripts/"
package.path = scripts .. "?.lua;" .. package.path

local function now()
  local clock <close> = io.popen "date +%s.%N"
  return clock:read "n"
end

--- The part of the script that builds the mechanism; it gives nothing back.
local function slider_crank()
  local file <close> = assert(io.open(scripts .. "schaffer_slider_crank.lua"))
  local text = file:read "a":match "^(.-)\nlocal given" .. "\nreturn build(true)"
  local it = assert(load(text, "=schaffer_slider_crank.lua"))()
  return it.model, it.cost, { over = it.over, t = 2, independent = { "crank.e1" }, formulation = mbs.maggi {},
                              integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
end

local function vehicle()
  local car = require "perilune.hmmwv".build { velocity = { 0, 0, -0.3 }, angular_velocity = { 0.4, 0.25, 0.3 } }
  local cost = car.model:objective { "cost", integral = require "schaffer_tables".integrand(car.bodies) }
  return car.model, cost, { over = car.parameters, t = 1, formulation = mbs.stabilized_index1 {},
                            integrator = mbs.bdf { relative_tolerance = 5e-10, absolute_tolerance = 5e-14 } }
end

local measured = { slider_crank = { slider_crank, 40 }, vehicle = { vehicle, 1 } }
if measured[arg[1]] then  -- a child: seconds by the clock of a gradient, the mean of so many
  local name, threads = arg[1], tonumber(arg[2])
  arg[1], arg[2] = nil, nil
  local build, count = table.unpack(measured[name])
  local m, cost, how = build()
  how[1], how.method = cost, mbs.piecewise_adjoint { threads = threads }
  m:gradient(how)
  local began = now()
  for _ = 1, count do m:gradient(how) end
  print((now() - began) / count)
  return
end

local rows, mpirun = tonumber(arg[1]) or 8, arg[2] or "mpirun"
local perilune = io.popen "readlink /proc/$PPID/exe":read "l"
local function seconds(before, name, threads)
  local child <close> = io.popen(("OMP_NUM_THREADS=%d %s %s %s %s %d"):format(threads, before, perilune, arg[0], name, threads))
  return child:read "n" or error "a gradient has failed"
end
for name in pairs(measured) do
  local sums = { 0, 0, 0 }
  print(name .. ", s: one process, two, two threads; times as fast as one")
  for _ = 1, rows do
    local row = { seconds("", name, 1), seconds(mpirun .. " -n 2", name, 1), seconds("", name, 2) }
    for k in ipairs(sums) do sums[k] = sums[k] + row[k] end
    print(("%.4g %.4g %.4g   %.2f %.2f"):format(row[1], row[2], row[3], row[1] / row[2], row[1] / row[3]))
  end
  print(("in all %.2f %.2f"):format(sums[1] / sums[2], sums[1] / sums[3]))
end
