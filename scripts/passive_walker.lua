-- The kneed passive walker (Zhu 2014, chapter 5; V. F. Hsu Chen 2007): two legs with knees walk down a slope without
-- any motor. First with instantaneous impacts, where a step is a motion in phases, the gait a fixed point of its return
-- map, and its stability the eigenvalues there; then with compliant contact. --out FOLDER: where pictures go; --json
-- FILE: gradients and optimizations; --part gait: only the gait with instantaneous impacts.
local mbs = require "perilune"
local walker = require "walker"
local results = require "results"
local options = mbs.options { out = "", json = "", part = "all" }
local rows, optimizations = {}, {}
local g = 9.81

local robot = walker.rigid()
local m, thigh, shank, foot_x, q1 = robot.model, robot.thigh, robot.shank, robot.foot_x, robot.start.q1
local precise = mbs.dormand_prince { relative_tolerance = 1e-10 }
local function simulate(steps) return m:simulate { t = 20, formulation = mbs.penalty {}, integrator = precise, phases = robot.phases(steps) } end

print "1. Instantaneous impacts"
local run = simulate(8)
io.write "q1 after each step from the printed start:"
for _, phase in ipairs(run.phases) do
  local strikes, leg = phase.name:match "(heel strike) (%d)"
  if strikes then io.write((" %.4f"):format(run:values(thigh[tonumber(leg)].angle - robot.slope)[phase.last])) end
end
print ""
local portrait = {
  { "from the printed start", x = run:values "thigh1.angle", y = run:values "thigh1.omega" },
}

local gait = m:limit_cycle { phases = robot.phases(1), returns = {
  q1 = thigh[2].angle - robot.slope, w1 = thigh[2].omega, w2 = thigh[1].omega,
} }
print(gait)
run = simulate(2)
table.insert(portrait, { "limit cycle", x = run:values "thigh1.angle", y = run:values "thigh1.omega" })
if options.out ~= "" then
  mbs.chart { options.out .. "/passive_walker_portrait.svg", title = "Thigh of leg 1 over two steps",
              x_label = "angle [rad]", y_label = "rate [rad/s]", curves = portrait }
end

local free, locked, strike = run.phases[1], run.phases[2], run.phases[3]
local function value(signal, point) return run:values(signal)[point] end
local at_knee, at_heel = locked.kinetic_energy_lost, strike.kinetic_energy_lost
local length = value(foot_x[2], strike.first)
local friction = 0 -- the ratio of tangential to normal force that the foot needs
for k, fx in ipairs(run:values "pin1.force_x") do
  if k <= locked.last then friction = math.max(friction, math.abs(fx / run:values("pin1.force_y")[k])) end
end

-- The reference is an independent simulation of the same equations.
print(("\n%-42s %12s %12s"):format("", "here", "reference"))
for _, row in ipairs {
  { "q1, rad", q1.value, 0.188185 },
  { "w1, rad/s", robot.start.w1.value, -1.109587 },
  { "w2, rad/s", robot.start.w2.value, -0.057148 },
  { "knee strike, s", free.finish, 0.348612 },
  { "period, s", strike.finish, 0.564328 },
  { "eigenvalue 1, real", gait.eigenvalues[1].real, 0.35257 },
  { "eigenvalue 1, imaginary", gait.eigenvalues[1].imaginary, 0.55221 },
  { "eigenvalue 3", gait.eigenvalues[3].real, 0.14382 },
  { "stance thigh before knee strike, rad/s", value(thigh[1].omega, free.last), -0.757345 },
  { "swing thigh before", value(thigh[2].omega, free.last), 0.743517 },
  { "swing shank before", value(shank[2].omega, free.last), 8.459251 },
  { "stance leg after", value(thigh[1].omega, locked.first), -0.719523 },
  { "swing leg after", value(thigh[2].omega, locked.first), 1.256381 },
  { "stance leg before heel strike, rad/s", value(thigh[1].omega, locked.last), -1.538918 },
  { "swing leg before", value(thigh[2].omega, locked.last), -1.990816 },
  { "energy lost at knee strike, J", at_knee, 0.016393 },
  { "energy lost at heel strike, J", at_heel, 0.357358 },
  { "both; weight times descent of a step", at_knee + at_heel, 1.6 * g * length * math.sin(robot.slope.value) },
  { "step length, m", length, 0.472657 },
  { "mean speed, m/s", length / strike.finish, 0.83756 },
} do
  print(("%-42s %12.6f %12.6f"):format(table.unpack(row)))
end
print(("%-42s %12.3f %12.3f"):format("friction that the foot needs", friction, 0.258))

-- Derivatives through all impacts of four steps.
local function compare(title, robot_, phases, settings, over, method)
  local time = robot_.model:objective { "time", terminal = function(s) return s.t end }
  local distance = robot_.model:objective { "distance", terminal = robot_.foot_x[1] }
  local call = { { time, distance }, phases = phases, over = over, method = mbs.direct {} }
  for k, v in pairs(settings) do call[k] = v end
  local direct = robot_.model:gradient(call)
  call.method = method
  local differences = robot_.model:gradient(call)
  local forward = robot_.model:simulate { t = settings.t, phases = phases, formulation = mbs.penalty {}, integrator = settings.integrator }.seconds
  for o, name in ipairs { "time", "distance" } do
    local direct_row = results.row(("discrete direct, %s, %s"):format(name, title), direct[o], forward)
    rows[#rows + 1] = direct_row
    rows[#rows + 1] = results.row(("differences, %s, %s"):format(name, title), differences[o], forward, direct_row)
  end
  print(("\n%-42s %12s %12s"):format(title, "direct", "differences"))
  for o, name in ipairs { "time", "distance" } do
    for p, parameter in ipairs(direct[o].parameters) do
      print(("%-42s %12.8f %12.8f"):format("d " .. name .. " / d " .. parameter, direct[o].gradient[p],
                                           differences[o].gradient[p]))
    end
  end
end
local mass = robot.mass
compare("four steps", robot, robot.phases(4), { t = 20, formulation = mbs.penalty {}, integrator = precise },
        { robot.slope, mass.hip, mass.thigh, mass.shank }, mbs.finite_difference { step = 1e-4, richardson = 2 })

if options.part == "gait" then
  results.write(options.json, rows, optimizations)
  return
end

print "\n2. Compliant contact: the five experiments of the source"
-- Until t (s) or a fall: then some phase takes too long, and fails the motion.
local function walk(r, t, integrator)
  local ok, message = pcall(function() r.model:simulate { t = t, formulation = mbs.penalty {}, integrator = integrator, phases = r.phases(60) } end)
  local run, touches, fell = r.model.last_run, { 0 }, nil
  for k, height in ipairs(run:values "hip.y") do
    if height < 0.7 then fell = fell or run:times()[k] end
  end
  if not ok and not fell then error(message, 0) end
  for _, phase in ipairs(run.phases) do
    if phase.name:find "heel strike" and phase.start < (fell or t) then touches[#touches + 1] = phase.start end
  end
  local text, periods = ("%2d steps in %4.1f s"):format(#touches - 1, fell or run.t), {}
  for k = 2, #touches do periods[k - 1] = touches[k] - touches[k - 1] end
  return text .. (fell and (", fell at %.2f s"):format(fell) or ""), periods
end
local function show(title, source, r, t, integrator)
  local outcome, periods = walk(r, t, integrator)
  print(("%-37s %-29s last period %.4f s; source: %s"):format(title, outcome, periods[#periods], source))
end
local stiff = mbs.rosenbrock { relative_tolerance = 1e-6, absolute_tolerance = 1e-8 }
local point, surface = walker.point_feet, walker.surface_feet
for _, t in ipairs { 5, 10 } do
  show("1 point feet, static friction", "walks, limit cycle", point {}, t, stiff)
  show("2 point feet, dry friction 0.9", "walks, limit cycle", point { mu = 0.9 }, t, stiff)
end
show("  point feet, dry friction 0.3", "not tried", point { mu = 0.3 }, 5, stiff)
show("3 point feet, dry friction 0.2", "falls after one step", point { mu = 0.2 }, 2.2, stiff)
show("4 surface feet, static friction", "walks, not yet periodic", surface {}, 5, stiff)
show("4 surface feet, static friction", "limit cycle after 5 s", surface {}, 10, stiff)
show("5 surface feet, dry friction 0.9", "falls after one step", surface { mu = 0.9 }, 10, stiff)

-- Feet of the source's data would show whether experiment 5 falls: it has none. The reference page suggests feet of
-- 10 g, for which one simulation walked 4 steps in 3 s (0.584, 0.648, 0.640, 0.622 s). Ours falls with these.
print "\nsurface feet by their size, 1 as on the reference page (10 g): periods, s"
for _, size in ipairs { 0.3, 0.4, 0.5, 1 } do
  local outcome, periods = walk(surface { foot = size }, 5, mbs.rosenbrock { step = 1e-4 })
  for k, period in ipairs(periods) do periods[k] = ("%.4f"):format(period) end
  print(("%4.1f  %s (%s)"):format(size, table.concat(periods, " "), outcome))
end

print "\nThe same motion by several tolerances: periods of surface feet, s"
for _, tolerance in ipairs { 1e-5, 1e-6, 1e-7 } do
  local _, periods = walk(surface {}, 10, mbs.rosenbrock { relative_tolerance = tolerance,
                                                           absolute_tolerance = tolerance / 100 })
  print(("relative %.0e: %.6f %.6f %.6f ... %.6f %.6f"):format(
    tolerance, periods[1], periods[2], periods[3], periods[#periods - 1], periods[#periods]))
end

-- Where the energy of a step goes, by the mean of the last two of sixteen: weight times descent is what contacts and
-- knees dissipate, and what a spring still holds when it is let go.
local function balance(title, r, tolerance)
  local run = r.model:simulate { t = 20, phases = r.phases(16), formulation = mbs.penalty {}, integrator = mbs.rosenbrock {
    relative_tolerance = tolerance, absolute_tolerance = tolerance / 100 } }
  local energy, lost, taken, released = run:values "energy.total", {}, { contacts = 0, knees = 0 }, 0
  for e, state in pairs(r.lost) do lost[e] = run:values(state.value) end
  local unexplained, before = 0, nil
  for p, phase in ipairs(run.phases) do
    local gone = energy[phase.first] - energy[phase.last]
    for e, w in pairs(lost) do
      local part = w[phase.last] - w[phase.first]
      gone = gone - part
      local group = (e == r.lock[1] or e == r.lock[2]) and "knees" or "contacts"
      if p > #run.phases - 6 then taken[group] = taken[group] + part / 2 end
    end
    unexplained = math.max(unexplained, math.abs(gone))
    if p > #run.phases - 6 then released = released + (before - energy[phase.first]) / 2 end
    before = energy[phase.last]
  end
  local start = run.phases[#run.phases - 6].last -- and its end: in both leg 1 has been left behind
  local x = run:values "hip.x"
  local descent = 1.6 * g * (x[#x] - x[start]) / 2 * math.sin(r.slope.value)
  print(("%-30s %9.6f %9.6f %9.6f %9.6f %12.1e"):format(title, descent, taken.contacts, taken.knees, released,
                                                       unexplained))
end
print(("\n%-30s %9s %9s %9s %9s %12s"):format("energy of a step, J", "descent", "contacts", "knees", "released",
                                              "unexplained"))
for _, tolerance in ipairs { 1e-5, 1e-7 } do
  balance(("static friction, %.0e"):format(tolerance), point { energy = true }, tolerance)
  balance(("dry friction 0.9, %.0e"):format(tolerance), point { mu = 0.9, energy = true }, tolerance)
end

-- Derivatives through contact and friction with the laws of the experiments, whose forces jump where a foot comes down
-- and have kinks: against extrapolated differences of simulations that choose their steps anew. What is differentiated
-- are the steps that were computed, so tolerances have to be tight; where mu hardly matters its derivative has four
-- digits.
local function compare_anew(title, r, steps)
  local model, phases, step = r.model, r.phases(steps), 1e-4
  local tight = mbs.rosenbrock { relative_tolerance = 1e-9, absolute_tolerance = 1e-11 }
  local function simulated()
    local run = model:simulate { t = 20, phases = phases, formulation = mbs.penalty {}, integrator = tight }
    return { run.t, run:at(r.foot_x[1], run.t) }
  end
  local function difference(parameter, h)
    local start = parameter.value
    parameter.value = start + h
    local above = simulated()
    parameter.value = start - h
    local below = simulated()
    parameter.value = start
    return { (above[1] - below[1]) / (2 * h), (above[2] - below[2]) / (2 * h) }
  end
  local objectives = { model:objective { "time", terminal = function(s) return s.t end },
                       model:objective { "distance", terminal = r.foot_x[1] } }
  local over = { r.slope, r.mass.hip, r.mass.thigh, r.mass.shank, r.mu }
  local direct = model:gradient { objectives, phases = phases, t = 20, formulation = mbs.penalty {}, integrator = tight,
                                  over = over, method = mbs.direct {} }
  print(("\n%-42s %12s %12s %10s"):format(title, "direct", "differences", "off by"))
  for p, parameter in ipairs(over) do
    local wide, narrow = difference(parameter, step), difference(parameter, step / 2)
    for o, name in ipairs { "time", "distance" } do
      local extrapolated, exact = (4 * narrow[o] - wide[o]) / 3, direct[o].gradient[p]
      print(("%-42s %12.8f %12.8f %10.0e"):format("d " .. name .. " / d " .. parameter.name, exact, extrapolated,
                                                  math.abs(exact / extrapolated - 1)))
    end
  end
end
compare_anew("two steps, static friction", point {}, 2)
compare_anew("two steps, dry friction 0.9", point { mu = 0.9 }, 2)

-- Laws without jumps and kinks allow looser tolerances, and differences of the same steps.
local smooth = point { mu = 0.9, smooth = true }
compare("two steps on smooth contact, friction 0.9", smooth, smooth.phases(2), { t = 20, formulation = mbs.penalty {}, integrator = stiff },
        { smooth.mu, smooth.slope, smooth.mass.hip, smooth.mass.thigh, smooth.mass.shank },
        mbs.finite_difference { step = 1e-5, richardson = 2 })

-- Slope and mass of the thighs for speed over some steps. Some designs fall on the way: then their simulation fails,
-- and the optimizer backs off.
print "\n3. Optimization for speed"
local function optimize(r, steps, integrator)
  local slowness = r.model:objective { "minus speed", terminal = function(s) return -r.foot_x[1] / s.t end }
  return r.model:optimize { minimize = slowness, over = { r.slope, r.mass.thigh }, phases = r.phases(steps), t = 20,
                            formulation = mbs.penalty {}, integrator = integrator, optimizer = mbs.lbfgsb { max_evaluations = 20 } }
end
for _, case in ipairs {
  { "instantaneous impacts", walker.rigid(), 8, precise }, { "dry friction 0.9", point { mu = 0.9 }, 4, stiff },
} do
  local title, r = case[1], case[2]
  local best = optimize(r, case[3], case[4])
  table.insert(optimizations, results.optimization(title, best))
  print(("%s, %d steps: from %.4f to %.4f m/s, at slope %.4f rad with thighs of %.4f kg"):format(
    title, case[3], -best.initial, -best.final, r.slope.value, r.mass.thigh.value))
end
local falls = walker.rigid()
falls.slope.value = 0.2
local starts, message = pcall(optimize, falls, 8, precise)
print("from slope 0.2 rad: " .. (starts and "walks" or tostring(message)))
results.write(options.json, rows, optimizations)
