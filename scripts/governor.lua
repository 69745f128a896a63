-- The centrifugal governor of Verulkar, Sandu, Sandu and Dopico (2023), section 4.2: seven lengths and masses for which
-- it turns at 15 rad/s, by exact gradients through friction in the bearings of its arms, which feels their load.
--
-- The source prints its parameters, bounds and optimum, spring, damper and control law. Masses, inertias, friction, the
-- spring's free length and the start are ours (scripts/flyball_governor.lua). `reference` below are numbers of another
-- program. --json FILE: objective, gradient, optimizations, counts.
local mbs = require "perilune"
local governor = require "flyball_governor"
local results = require "results"
local options = mbs.options { json = "" }
local data, t_end = governor.data, 1
local settings = { t = t_end, formulation = mbs.index1 { alpha = 50, beta = 50 },
                   integrator = mbs.bdf { relative_tolerance = 1e-7, absolute_tolerance = 1e-9 } }
local function with(more)
  for name, value in pairs(settings) do more[name] = more[name] or value end
  return more
end
local function row(name, here, reference) -- with the reference's own digits
  local digits = #(reference:match "%.(%d+)" or "")
  print(("%-58s %14s %14s"):format(name, ("%%.%df"):format(digits):format(here), reference))
end

print(("%-58s %14s %14s"):format("1. Equations, from the compiled model", "here", "printed"))
local free_length = governor.calibrate(governor.optimum)
local first = governor.build { design = governor.initial, free_length = free_length }
local mobility, bodies, hinges = first.model:mobility {}, 0, 0
for _, name in ipairs(first.model:signals()) do
  bodies = bodies + (name:find "%.e0$" and 1 or 0)
  hinges = hinges + (name:find "%.lambda_turn$" and 1 or 0)
end
-- Three hinges count their turns: a coordinate and a constraint each, which the source does not have.
local counts = { bodies = bodies, coordinates = mobility.coordinates - hinges, parameters = #first.design,
                 degrees_of_freedom = mobility.degrees_of_freedom, constraints = mobility.constraints - hinges }
counts.first_order_equations = 2 * counts.coordinates
counts.dynamic_equations = counts.first_order_equations + counts.constraints
counts.sensitivities = counts.parameters * counts.dynamic_equations
counts.total = counts.dynamic_equations + counts.sensitivities
for _, line in ipairs {
  { "bodies", 6 }, { "coordinates", 42 }, { "first_order_equations", 84 }, { "degrees_of_freedom", 2 },
  { "constraints", 40 }, { "dynamic_equations", 124 }, { "parameters", 7 }, { "sensitivities", 868 }, { "total", 992 },
} do
  row(line[1]:gsub("_", " "), counts[line[1]], tostring(line[2]))
end

-- With arms that weigh nothing the lift of the flyweights follows from the geometry alone.
print(("\n%-58s %14s %14s"):format("2. Both designs of Table 4, the collar at 0.1 m", "here", "reference"))
local function geometry(name, design, reference)
  local driven = governor.build { design = design, speed = 1e-9, drive = 1, friction = false }
  local run = driven.model:kinematics { t = 1e-3, points = 3 }
  local angle = math.asin(math.max(-1, 1 - 2 * run:at("arm1.e2", 0) ^ 2))
  local top, flyweight = design[1], design[7]
  local radius = design[4] + top * math.sin(angle)
  local rate = -run:at("pivot1.omega", 0) -- of the angle by the height, as the collar rises at 1 m/s
  local by_speed, weight = 2 * rate * flyweight * radius * top * math.cos(angle),
                           2 * rate * flyweight * data.gravity * top * math.sin(angle)
  local lift = by_speed * data.target ^ 2 - weight
  row(name .. ": angle of the arms from the vertical, deg", math.deg(angle), reference[1])
  row(name .. ": radius of the flyweights, m", radius, reference[2])
  row(name .. ": turn of the arms by the collar's height, 1/m", rate, reference[3])
  row(name .. ": lift of the collar at 15 rad/s, N", lift, reference[4])
  return function(load) return ((load + weight) / by_speed) ^ 0.5 end, lift
end
local initial_speed = geometry("initial", governor.initial, { "39.783", "0.11138", "6.930", "0.7287" })
local _, load = geometry("optimum", governor.optimum, { "50.556", "0.11630", "4.753", "0.2596" })
row("initial: speed with the load of the optimum, rad/s", initial_speed(load), "11.29")

print "\n3. Motion: masses, friction and the start are ours, the free length is calibrated to 15 rad/s at the optimum"
print(("free length of the spring: %.6f m"):format(free_length))
local speeds = {}
for _, case in ipairs { { "initial", governor.initial }, { "published optimum", governor.optimum } } do
  for _, start in ipairs { data.target, 10 } do
    local r = governor.build { design = case[2], free_length = free_length, speed = start }
    local run = r.model:simulate(with { objectives = r.cost })
    print(("%-18s from %4.1f rad/s: psi %10.6f, after 1 s %8.4f rad/s and the collar at %.6f m"):format(
      case[1], start, run.objectives.psi, run:at("pillar.omega_z", t_end), run:at("collar.z", t_end)))
    speeds[#speeds + 1] = run.objectives.psi
  end
end

print "\n4. Gradient of psi at the initial design"
local rows, forward = {}, first.model:simulate(with { objectives = first.cost }).seconds
for _, method in ipairs { { "discrete adjoint", mbs.adjoint {} }, { "discrete direct", mbs.direct {} },
                          { "differences, extrapolated", mbs.finite_difference { step = 1e-4, richardson = 2 } } } do
  local found = first.model:gradient(with { first.cost, over = first.design, method = method[2] })
  rows[#rows + 1] = results.row(method[1], found, forward, rows[1])
  print(("%-26s off by %.1e, %6.1f forward runs"):format(method[1], rows[#rows].relative_difference,
                                                         rows[#rows].forward_runs))
end
for p, name in ipairs(governor.names) do print(("  by %-16s %14.6f"):format(name, rows[1].value[p])) end

-- All designs that turn at 15 rad/s are as good when they start so; from 10 rad/s the lightest of them is best.
print "\n5. Optimization"
local optimizations = {}
for _, start in ipairs { data.target, 10 } do
  local r = governor.build { design = governor.initial, free_length = free_length, speed = start }
  local best = r.model:optimize(with { minimize = r.cost, over = r.design })
  optimizations[#optimizations + 1] = results.optimization(("from %g rad/s"):format(start), best)
  local run = r.model:simulate(with {})
  print(("from %g rad/s: psi %.6f to %.3g in %d evaluations, after 1 s %.4f rad/s"):format(
    start, best.initial, best.final, best.evaluations, run:at("pillar.omega_z", t_end)))
  print(("  %-16s %9s %9s %9s %9s"):format("", "here", "", "printed", "initial"))
  for p, name in ipairs(governor.names) do
    local value, bounds = r.design[p].value, governor.bounds[p]
    local at = value <= bounds[1] and "lowest" or value >= bounds[2] and "highest" or ""
    print(("  %-16s %9.4f %9s %9.4f %9.4f"):format(name, value, at, governor.optimum[p], governor.initial[p]))
  end
end
results.write(options.json, rows, optimizations, { counts = counts, objective = speeds[1] })
