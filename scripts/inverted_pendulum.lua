-- The inverted spatial pendulum of Verulkar, Sandu, Sandu and Dopico (2023), section 4.1: three gains that hold a pole
-- upright on a plate with friction, by exact gradients through friction that feels its load; then a plant with another
-- law of friction, driven by the gains that were found with friction and without it.
--
-- The source prints gains, coefficients and what happens, and no data of the mechanism: those are SP-1, ours, fitted to
-- five of the printed gains and to the two times at which friction changes its sign. `reference` below are numbers of
-- another program that solves SP-1. --out FOLDER: pictures; --json FILE: objective, gradient, optimizations, counts.
local mbs = require "perilune"
local plate_and_pole = require "plate_and_pole"
local results = require "results"
local options = mbs.options { out = "", json = "" }

local initial, published, frictionless = { 750, 200, 10 }, { 563.11, 626.57, 90.68 }, { 419.42, 30.30, 65.95 }
local t_end, index1 = 3, mbs.index1 {}
local tight = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 }
local fine = mbs.dormand_prince { relative_tolerance = 1e-9, absolute_tolerance = 1e-11 }

local function build(gains, friction, azimuth)
  return plate_and_pole.build { gains = gains, friction = friction, azimuth = azimuth }
end
local function simulate(r, integrator)
  return r.model:simulate { t = t_end, formulation = index1, integrator = integrator, objectives = r.cost }
end
local function row(name, here, reference) -- with the reference's own digits
  local digits = #(reference:match "%.(%d+)" or "")
  print(("%-62s %15s %15s"):format(name, ("%%.%df"):format(digits):format(here), reference))
end
local function gains_text(gains) return ("[%.2f, %.2f, %.2f]"):format(gains[1], gains[2], gains[3]) end

-- 1. Table 2, which is printed.
print(("%-62s %15s %15s"):format("1. Equations, from the compiled model", "here", "printed"))
local friction = plate_and_pole.brown_mcphee {}
local first = build(initial, friction)
local mobility, bodies = first.model:mobility {}, 0
for _, name in ipairs(first.model:signals()) do bodies = bodies + (name:find "%.e0$" and 1 or 0) end
local counts = { bodies = bodies, coordinates = mobility.coordinates, degrees_of_freedom = mobility.degrees_of_freedom,
                 constraints = mobility.constraints, parameters = #first.gains }
counts.first_order_equations = 2 * counts.coordinates
counts.dynamic_equations = counts.first_order_equations + counts.constraints
counts.sensitivities = counts.parameters * counts.dynamic_equations
counts.total = counts.dynamic_equations + counts.sensitivities
for _, line in ipairs {
  { "bodies", 2 }, { "coordinates", 14 }, { "first_order_equations", 28 }, { "degrees_of_freedom", 5 },
  { "constraints", 9 }, { "dynamic_equations", 37 }, { "parameters", 3 }, { "sensitivities", 111 }, { "total", 148 },
} do
  row(line[1]:gsub("_", " "), counts[line[1]], tostring(line[2]))
end
-- The printed count leaves out the integrals of two controllers and of the objective, each with its sensitivities.
counts.total_with_integrals = counts.total + (2 + 1) * (1 + counts.parameters)
print(("with the integrals of both controllers and of the objective: %d"):format(counts.total_with_integrals))

print [[

The source prints no data of the mechanism. SP-1, used from here on, is ours: masses, length and tilt were fitted to
five published gains, and to the times 0.3 and 0.55 s at which friction changes its sign with the initial gains. So
these check nothing. What it was not fitted to: that friction keeps its sign at the optimum, the offset that gains leave
which were found without friction, that gains found with it bear another law, and how far psi falls.
]]
print(("%-62s %15s %15s"):format("2. SP-1: objective psi", "here", "reference"))
local psi = {}
for _, case in ipairs {
  { "initial", initial, friction, "3219.358" }, { "published optimum", published, friction, "1327.842" },
  { "published without friction", frictionless, friction, "2073.600" },
  { "initial", initial, nil, "6062.299366" }, { "published without friction", frictionless, nil, "691.164356" },
} do
  local name = ("%s %s, %s"):format(case[1], gains_text(case[2]), case[3] and "friction" or "frictionless")
  psi[#psi + 1] = simulate(build(case[2], case[3]), tight).objectives.psi
  row(name, psi[#psi], case[4])
end
row("initial, RK4 with 0.5 ms, leaning at an azimuth of 0.6 rad",
    simulate(build(initial, friction, 0.6), mbs.rk4 { step = 5e-4 }).objectives.psi, "3219.283186")
print(("the published optimum is lower by %.1f %%; the source: more than 60 %%"):format(100 * (1 - psi[2] / psi[1])))

print(("\n%-62s %15s %15s"):format("3. Gradients with friction", "here", "reference"))
local rows = {}
for _, case in ipairs { { "initial", initial, { "18.620", "4.5126", "-496.27" } },
                        { "published optimum", published, { "0.04052", "-0.005286", "-0.06142" } } } do
  local r = build(case[2], friction)
  local forward, adjoint = simulate(r, tight).seconds, nil
  for _, method in ipairs { { "discrete adjoint", mbs.adjoint {} }, { "discrete direct", mbs.direct {} },
                            { "differences, extrapolated", mbs.finite_difference { step = 1e-5, richardson = 1 } } } do
    local found = results.row(method[1] .. ", " .. case[1], r.model:gradient { r.cost, method = method[2] }, forward,
                              adjoint)
    adjoint = adjoint or found
    rows[#rows + 1] = found
    print(("%-50s off by %.1e, %5.1f forward runs"):format(found.method, found.relative_difference, found.forward_runs))
  end
  for p, gain in ipairs { "Kp", "Ki", "Kd" } do
    row(("%s, by %s"):format(case[1], gain), adjoint.value[p], case[3][p])
  end
end
print "A third program, with complex steps in the plane, gives -496.40, too; the reference's -496.27 is not explained."

print(("\n%-62s %15s %15s"):format("4. What happens", "here", "reference"))
-- The times at which the plate turns round, by halving.
local function reversals(r, run)
  local found, times = {}, run:times()
  for k = 3, #times do
    local a, b = times[k - 1], times[k]
    if run:at(r.plate.vx, a) * run:at(r.plate.vx, b) < 0 then
      for _ = 1, 40 do
        local middle = (a + b) / 2
        if run:at(r.plate.vx, a) * run:at(r.plate.vx, middle) < 0 then b = middle else a = middle end
      end
      found[#found + 1] = b
    end
  end
  return found
end
local function peak(run, signal)
  local most = 0
  for _, value in ipairs(run:values(signal)) do most = math.max(most, math.abs(value)) end
  return most
end
local before = simulate(first, tight)
local turns = reversals(first, before)
row("initial: friction changes its sign first, s", turns[1], "0.301")
row("initial: and again, s", turns[2], "0.552")
local second = build(published, friction)
local after = simulate(second, tight)
local early = 0
for _, t in ipairs(reversals(second, after)) do early = early + (t < 1 and 1 or 0) end
row("published optimum: changes within a second", early, "0")
row("initial: peak of friction by that of control", peak(before, first.force.x) / peak(before, first.control.x),
    "0.145")
print "The turn is at 0.5529 s. Friction peaks 0.4 ms after the start, while the plate still all but sticks."
local unaware = build(frictionless, friction)
local left = simulate(unaware, tight)
for _, t in ipairs { 2.8, 3 } do
  row(("published without friction: error at %.1f s, m"):format(t), left:at(unaware.error.x, t), "0.0308")
  row(("published optimum: error at %.1f s, mm"):format(t), 1e3 * after:at(second.error.x, t), "-0.29")
end
print "The reference says 3 s; its psi has the errors of 3 s that are found here: those it prints are of 2.8 s."

print "\n5. Optimization"
local optimizations = {}
local function optimize(name, start, law)
  local r = build(start, law)
  local best = r.model:optimize { minimize = r.cost, t = t_end, formulation = index1, integrator = fine }
  optimizations[#optimizations + 1] = results.optimization(name, best)
  local gains = {}
  for p, gain in ipairs(r.gains) do gains[p] = gain.value end
  print(("%s, from %s: %.3f to %.6f in %d evaluations"):format(name, gains_text(start), best.initial, best.final,
                                                              best.evaluations))
  return gains, best.final
end
local function found(gains, value, reference)
  for p, gain in ipairs { "  Kp", "  Ki", "  Kd" } do row(gain, gains[p], reference[p]) end
  row("  psi", value, reference[4])
end
local own, value = optimize("with friction", published, friction)
found(own, value, { "552.04", "627.48", "89.04", "1327.663" })
for p, gain in ipairs { "Kp", "Ki", "Kd" } do
  print(("  the minimum from the published %s: %+.1f %%"):format(gain, 100 * (own[p] / published[p] - 1)))
end
own, value = optimize("with friction", initial, friction)
found(own, value, { "552.04", "627.48", "89.04", "1327.663" })
-- The search of the reference ended elsewhere from there, in a canyon along which the pole all but falls: psi changes
-- by more than these digits of the gains tell. It is no minimum: a search that starts there follows the canyon down.
local canyon = build({ 421.34, 418.30, 13.50 }, friction)
local steep = canyon.model:gradient { canyon.cost, t = t_end, formulation = index1, integrator = tight }
local rounding = 0
for _, slope in ipairs(steep.gradient) do rounding = rounding + 0.005 * math.abs(slope) end
print(("The reference's search from there ended at %s, where psi is 1335.425."):format(
  gains_text { 421.34, 418.30, 13.50 }))
print(("  Here it is %.3f, and the rounding of these gains is worth up to %.0f."):format(steep.value, rounding))
local free, free_value = optimize("frictionless", frictionless, nil)
found(free, free_value, { "425.237", "0.4905", "66.818", "687.840172" })

-- Second part: the optima drive plants that they were not made for. The coefficients of Gonthier's law are printed, its
-- other data are ours.
print "\n6. Plants driven by the published gains, 6 s"
local plants = { { "frictionless", nil }, { "Brown-McPhee", friction }, { "Gonthier", plate_and_pole.gonthier {} } }
print(("%-16s %-26s %10s %12s %10s %14s"):format("plant", "gains", "psi (3 s)", "e(6 s), mm", "peak u, N",
                                                "within 5 %, s"))
local motions = {}
for _, plant in ipairs(plants) do
  for _, gains in ipairs { initial, published, frictionless } do
    local r = build(gains, plant[2])
    local value_ = simulate(r, fine).objectives.psi
    local run = r.model:simulate { t = 6, formulation = index1, integrator = fine }
    local errors, times, settled = run:values(r.error.x), run:times(), 0
    for k, e in ipairs(errors) do
      if math.abs(e) > 0.05 * errors[1] then settled = times[k] end
    end
    motions[#motions + 1] = { plant = plant[1], gains = gains, r = r, run = run }
    print(("%-16s %-26s %10.3f %12.4f %10.3f %14s"):format(
      plant[1], gains_text(gains), value_, 1e3 * run:at(r.error.x, 6), peak(run, r.control.x),
      settled < 5.9 and ("%.3f"):format(settled) or "never"))
  end
end

-- Figures 2 to 7 of the source are pictures without data; these show the same quantities.
if options.out ~= "" then
  local folder, times = mbs.make_folder(options.out), {}
  for k = 0, 600 do times[k + 1] = t_end * k / 600 end
  local names = { [initial] = "initial gains", [published] = "optimal with friction",
                  [frictionless] = "optimal without friction" }
  for _, plant in ipairs(plants) do
    for _, what in ipairs { { "error", "error [m]" }, { "force", "friction [N]" }, { "control", "control [N]" } } do
      local curves = {}
      for _, motion in ipairs(motions) do
        if motion.plant == plant[1] and (what[1] ~= "force" or plant[2]) then
          curves[#curves + 1] = { names[motion.gains], x = times, y = motion.run:values(motion.r[what[1]].x, times) }
        end
      end
      if #curves > 0 then
        local name = ("inverted_pendulum_%s_%s"):format(plant[1]:lower():gsub("%-", "_"), what[1])
        mbs.chart { ("%s/%s.svg"):format(folder, name), x_label = "time [s]", y_label = what[2],
                    title = "Plant: " .. plant[1], curves = curves }
      end
    end
  end
end
results.write(options.json, rows, optimizations, { counts = counts, objective = psi[1] })
