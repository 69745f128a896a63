-- The Bombardier Iltis changes the lane twice at 50 km/h (ISO 3888-1): its suspension is optimized for little roll, as
-- in Zhu (2014, section 5.5; tables 5.13 and 5.14). Psi is the integral of the square of the roll rate of the chassis,
-- in rad^2/s. Every parameter ends at its upper bound: stiffer is better here, which checks an optimizer's bounds.
--
--   perilune iltis_double_lane_change.lua                 the printed optima, and all six parameters from the start
--   perilune iltis_double_lane_change.lua --part printed  only the printed optima
--   perilune iltis_double_lane_change.lua --part all      the optimizations of the pairs kL, c and k too (1 min)
--   perilune iltis_double_lane_change.lua --part gradient  only the gradient at the start, by two methods
--   perilune iltis_double_lane_change.lua --view folder   a page with the motion before and after
--   perilune iltis_double_lane_change.lua --json file     the gradient at the start, and the optimizations
local mbs = require "perilune"
local iltis = require "perilune.iltis"
local results = require "results"
local options = mbs.options { part = "six", view = "", json = "" }

-- The driver, ours, since the source has none: he steers for the lateral acceleration of two changes of 3.5 m, over
-- 32.8 m around the section from 15 m to 45 m and 27.8 m around that from 70 m to 95 m, as the reference model's does.
-- The wheels turn by delta = (l / v^2 + K) a, the rack by that times the steering arm, which points backward; K is
-- tuned so that the car comes back into its lane. Nobody turns a wheel at once: where a change begins and ends, the
-- corner of its law is rounded over a twenty-fifth of its length.
local v, wheelbase, arm, understeer = 50 / 3.6, 2.017, 0.14, 0.0008
local function rising(x)  -- 0, then x
  local half = 0.02
  return mbs.where(mbs.lt(x, -half), 0, mbs.where(mbs.lt(x, half), (x + half) ^ 2 / (4 * half), x))
end
local function change(s, middle, length, side)
  local u = (v * s.t - middle) / length + 0.5
  u = rising(u) - rising(u - 1)
  return side * 3.5 * (v / length) ^ 2 * (60 * u - 180 * u ^ 2 + 120 * u ^ 3)
end
local function rack(s)
  return -arm * (wheelbase / v ^ 2 + understeer) * (change(s, 30, 32.8, 1) + change(s, 82.5, 27.8, -1))
end

local data = iltis.data()
-- Ours: tires that answer faster than in the ride test. The reference model only rolls, its tires have no slip; with
-- theirs the outer wheels give way, and more so with stiff dampers: Psi at the start and over c depend on this angle,
-- which is fitted to them. Psi over all six, kL and k is not, nor that every search ends at the bounds.
data.tire.critical_slip, data.tire.critical_angle = 0.1, 0.07
local car = iltis.build { speed = v, steering = rack, bump_stop = false, data = data,
                          bounds = { kL = { 0, 200000 }, c = { 0, 100000 }, k = { 0, 29000000 } } }
local m = car.model
local roll = m:objective { "roll", integral = function(s) return car.chassis.body.omega_x(s) ^ 2 end }
local names = { "kL_rear", "kL_front", "c_rear", "c_front", "k_rear", "k_front" }
local original = { 35906, 35906, 9945.627, 9945.627, 28397000, 28397000 }
local upper = { 200000, 200000, 100000, 100000, 29000000, 29000000 }
local runs = { { name = "all six", psi = 0.0012, first = 1, last = 6 },
               { name = "kL", psi = 0.0028, first = 1, last = 2 }, { name = "c", psi = 0.0048, first = 3, last = 4 },
               { name = "k", psi = 0.0022, first = 5, last = 6 } }
local settings = { t = 10, at_rest = true,
                   formulation = mbs.penalty {}, integrator = mbs.bdf { relative_tolerance = 1e-4, absolute_tolerance = 1e-4, tolerance = 1e-8,
                                          max_step = 0.05 } }

-- Searches take long, fixed steps: some percent off, but Psi is a smooth function of the parameters then.
local coarse = mbs.trapezoidal { step = 0.02, tolerance = 1e-8 }
local function set(run)
  for i, name in ipairs(names) do
    car.parameters[name].value = run and i >= run.first and i <= run.last and upper[i] or original[i]
  end
end
local function simulate()
  settings.objectives = roll
  local run = m:simulate(settings)
  settings.objectives = nil
  return run
end

-- At the original parameters, on the steps of the searches.
local rows, optimizations = {}, {}
if options.json ~= "" or options.part == "gradient" then
  local run = m:simulate { t = settings.t, at_rest = true, formulation = mbs.penalty {}, integrator = coarse }
  for _, method in ipairs { { "discrete adjoint", mbs.adjoint {} }, { "discrete direct", mbs.direct {} } } do
    rows[#rows + 1] = results.row(method[1] .. ", trapezoidal", m:gradient { roll, method = method[2] }, run.seconds,
                                  rows[1])
    print(("gradient of Psi by %-30s %6.2f forward runs, relative difference %.1e"):format(rows[#rows].method,
      rows[#rows].forward_runs, rows[#rows].relative_difference))
  end
end
if options.part == "gradient" then
  results.write(options.json, rows, optimizations)
  return
end

local before = simulate()
local start = before.objectives.roll
local offset, most = before:values "chassis.y", 0
for _, y in ipairs(offset) do most = math.max(most, y) end
print(("The car moves %.2f m to the left and comes back to %.2f m; Psi = %.4f (printed 0.0257)\n"):format(most,
  offset[#offset], start))
print "at the bounds   printed       Psi   its ratio   printed"
for _, run in ipairs(runs) do
  set(run)
  local psi = simulate().objectives.roll
  print(("%-15s %7.4f %9.5f %11.2f %9.2f"):format(run.name, run.psi, psi, start / psi, 0.0257 / run.psi))
end

if options.part ~= "printed" then
  print "\nL-BFGS-B from the original parameters"
  print "over          Psi      steps   gradients    CPU time   at their upper bounds"
  for i = 1, options.part == "all" and #runs or 1 do
    local run, over = runs[i], {}
    set(nil)
    for k = run.first, run.last do over[#over + 1] = car.parameters[names[k]] end
    local clock = os.clock()
    local best = m:optimize { minimize = roll, over = over, t = settings.t, at_rest = true, formulation = mbs.penalty {}, integrator = coarse,
                              optimizer = mbs.lbfgsb { max_evaluations = 40, relative_decrease = 1e-6 } }
    local seconds, after = os.clock() - clock, simulate()
    optimizations[i] = results.optimization(run.name, best)
    local bound = 0
    for _, parameter in ipairs(over) do if parameter.value == parameter.max then bound = bound + 1 end end
    print(("%-8s %9.5f %8d %11d %9.1f s %15d of %d"):format(run.name, after.objectives.roll, best.iterations,
      best.evaluations, seconds, bound, #over))
    if options.view ~= "" then
      local file = mbs.make_folder(options.view) .. "/lane_change_" .. run.name:gsub(" ", "_")
      best:convergence(file .. ".svg")
      mbs.compare { file .. ".html", before, after, names = { "before", "after" },
                    signals = { "chassis.y", "chassis.omega_x" } }
    end
  end
end
results.write(options.json, rows, optimizations)
