-- The Bombardier Iltis drives down a step of 10 cm at 5 m/s: its suspension is optimized for ride, as in Zhu (2014,
-- sections 5.3 and 5.4; tables 5.11 and 5.12). Psi is the integral of the fourth power of the vertical acceleration
-- of the chassis, in m^4/s^7; the parameters are the stiffness kL of the leaf springs, the damping c and the stiffness k
-- of the spring-dampers, of the rear and of the front axle. Every run starts in the equilibrium that its parameters
-- have, and gradients include how that moves.
--
--   perilune iltis_speed_bump.lua                        the printed optima, the gradient, all six parameters (1 min)
--   perilune iltis_speed_bump.lua --part printed         only the printed optima
--   perilune iltis_speed_bump.lua --part choices         the same with other choices of what the source leaves open
--   perilune iltis_speed_bump.lua --part gradient        only the gradient by three methods
--   perilune iltis_speed_bump.lua --part optimum         only the optimization of all six
--   perilune iltis_speed_bump.lua --part pairs           the optimizations of the pairs kL, c and k too
--   perilune iltis_speed_bump.lua --view folder          pages and pictures of the optimization, before and after
local mbs = require "perilune"
local iltis = require "perilune.iltis"

local options = mbs.options { part = "all", view = "" }
local function wants(part) return options.part == "all" and part ~= "pairs" and part ~= "choices"
         or options.part == part end

-- The step is a slope over 4 cm, so that it has a normal: ours. The bump stops are out of play in the printed runs:
-- with them Psi starts at 10000, and at 25000 without slip forces.
local function road(s) return -0.1 * mbs.smoothstep(s.x, 5.98, 6.02) end
local upper = math.huge
local function new_car(changes, alter)
  local data = iltis.data()
  if alter then alter(data) end
  local build = { speed = 5, height = road, bump_stop = false, data = data,
                  bounds = { kL = { 0, upper }, c = { 0, upper }, k = { 28300000, 28500000 } } }
  for key, value in pairs(changes or {}) do build[key] = value end
  local car = iltis.build(build)
  car.ride = car.model:objective { "ride", integral = function(s) return car.chassis.body.az(s) ^ 4 end }
  return car
end

local names = { "kL_rear", "kL_front", "c_rear", "c_front", "k_rear", "k_front" }
local original = { 35906, 35906, 9945.627, 9945.627, 28397000, 28397000 }
local runs = {
  { name = "original", psi = 678, at = original },
  { name = "all six", psi = 48, ratio = 13.0, over = names, at = { 1497, 3052, 14531, 8418, 28378782, 28382080 } },
  { name = "kL", psi = 96, ratio = 6.5, over = { names[1], names[2] },
    at = { 0, 0, 9945.627, 9945.627, 28397000, 28397000 } },
  { name = "c", psi = 257, ratio = 3.0, over = { names[3], names[4] },
    at = { 35906, 35906, 18399, 20402, 28397000, 28397000 } },
  { name = "k", psi = 81, ratio = 9.5, over = { names[5], names[6] },
    at = { 35906, 35906, 9945.627, 9945.627, 28300000, 28301252 } } }

local function set(car, values)
  for i, name in ipairs(names) do car.parameters[name].value = values[i] end
end

-- A stiff method with few matrices, adaptive: on the even road, in equilibrium, its steps are long.
local integrator = mbs.bdf { relative_tolerance = 1e-4, absolute_tolerance = 1e-4, tolerance = 1e-8 }
local settings = { t = 3.5, at_rest = true, integrator = integrator }
local function with(more)
  local all = {}
  for key, value in pairs(settings) do all[key] = value end
  for key, value in pairs(more) do all[key] = value end
  return all
end
local function psi(car) return car.model:simulate(with { objectives = car.ride }).objectives.ride end

local function printed_optima()
  print "Psi at the printed optima, and how far it falls (the ratio that the preload-kept laws should have: 15 %)"
  print "run            printed     Psi  chassis, mm   its ratio    wanted   printed"
  local car = new_car()
  local start
  for _, run in ipairs(runs) do
    set(car, run.at)
    local value = psi(car)
    start = start or value
    print(("%-12s %8.0f %9.1f %11.1f %11.2f %9s %9.1f"):format(run.name, run.psi, value,
      1000 * (car.model.last_run:at("chassis.z", 0) - 0.57), start / value, run.ratio or "", 678 / run.psi))
  end
end

local function other_choices()
  print "Psi at the printed optima with other choices of what the source leaves open"
  print "choice                                    original   all six        kL         c         k"
  local function row(name, changes, alter)
    local other, cells = new_car(changes, alter), {}
    for _, run in ipairs(runs) do
      set(other, run.at)
      local ok, value = pcall(psi, other)
      cells[#cells + 1] = ok and ("%10.1f"):format(value) or "   no rest"
    end
    print(("%-40s%s"):format(name, table.concat(cells)))
  end
  row("without slip forces", nil, function(data) data.tire.friction = nil end)
  row("critical slip and angle 0.1", nil,
      function(data) data.tire.critical_slip, data.tire.critical_angle = 0.1, 0.1 end)
  row("tires with a damping of 2000 N s/m", nil, function(data) data.tire.damping = 2000 end)
  row("damper lines as printed", { damper = "printed" })
  row("bump stops", { bump_stop = true })
  row("spring laws as printed (literal)", { preload = "literal" })
end

local function gradients()
  local car = new_car()
  -- Fixed steps, so that differences see the same steps; all methods differentiate the settled start too. Differences
  -- need steps of like effect: k is large, and counts by its change.
  local stiff = { car.parameters.k_rear, car.parameters.k_front }
  local others = {}
  for i = 1, 4 do others[i] = car.parameters[names[i]] end
  local at = { objectives = car.ride, t = 1.7, at_rest = true, integrator = mbs.rk4 { step = 4e-3 } }
  local clock = os.clock()
  car.model:simulate(at)
  local forward = os.clock() - clock
  local function gradient(method, over)
    clock = os.clock()
    local g = car.model:gradient { car.ride, method = method, over = over }
    return g.by_name, (os.clock() - clock) / forward
  end
  local adjoint, cost_of_adjoint = gradient(mbs.adjoint {})
  local direct, cost_of_direct = gradient(mbs.direct {})
  local differences, cost = gradient(mbs.finite_difference { step = 1e-3, richardson = 1 }, others)
  local more, cost_of_more = gradient(mbs.finite_difference { step = 4e-6, richardson = 1 }, stiff)
  for name, value in pairs(more) do differences[name] = value end
  print "\nGradient of Psi at the original parameters, through the fall of both axles (t = 1.7 s)"
  print "parameter            adjoint            direct       differences   direct/adj.-1   diff./adj.-1"
  for _, name in ipairs(names) do
    print(("%-10s %17.10g %17.10g %17.10g %15.1e %14.1e"):format(name, adjoint[name], direct[name], differences[name],
      direct[name] / adjoint[name] - 1, differences[name] / adjoint[name] - 1))
  end
  print(("forward runs     %11.1f %17.1f %17.1f"):format(cost_of_adjoint, cost_of_direct, cost + cost_of_more))
end

local function optimize(run)
  local car = new_car()
  set(car, original)
  local over = {}
  for i, name in ipairs(run.over) do over[i] = car.parameters[name] end
  local before = options.view ~= "" and car.model:simulate(with { objectives = car.ride })
  local clock = os.clock()
  local best = car.model:optimize(with { minimize = car.ride, over = over,
    optimizer = mbs.lbfgsb { max_evaluations = 60, relative_decrease = 5e-3 } })
  local seconds = os.clock() - clock
  clock = os.clock()
  psi(car)
  local forward = os.clock() - clock
  print(("%-8s %7.0f -> %3.0f %8.1f -> %6.2f %7d %7d %8.1f s %8.0f"):format(run.name, 678, run.psi, best.initial,
    best.final, best.iterations, best.evaluations, seconds, seconds / forward))
  for i, name in ipairs(names) do
    print(("         %-8s %12.0f, printed %10.0f"):format(name, car.parameters[name].value, run.at[i]))
  end
  if before then
    local file = mbs.make_folder(options.view) .. "/iltis_" .. run.name:gsub(" ", "_")
    best:convergence(file .. ".svg")
    mbs.compare { file .. ".html", before, car.model.last_run, names = { "before", "after" },
                  signals = { "chassis.z", "chassis.az" } }
  end
end

if wants "printed" then printed_optima() end
if wants "choices" then other_choices() end
if wants "gradient" then gradients() end
if wants "optimum" or wants "pairs" then
  print "\nL-BFGS-B from the original parameters (the minimum is flat: parameters are no criterion)"
  print "over           printed Psi          Psi      steps   gradients    CPU time  forward runs"
  for i = 2, options.part == "pairs" and #runs or 2 do optimize(runs[i]) end
end
