-- The spatial slider-crank of Verulkar, Sandu, Sandu and Dopico (2023), section 4.3: four lengths of the mechanism and
-- the gain of its controller, together and one after the other, by exact gradients through friction in the slider's
-- guide, which feels its load.
--
-- The source prints parameters, bounds, optimum, control law and objective. All else is ours: masses by length (those
-- of Haug's textbook at the initial design), friction, the start at rest, 2 s, and a crank whose pivot is 0.05 and
-- 0.06 m off the slider's axis, so that it turns all the way within all bounds. --json FILE: objective, gradient,
-- optimizations, counts.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { json = "" }

local names = { "crank_length", "rod_length", "slider_length", "slider_width", "gain" }
local initial, published = { 0.08, 0.3, 0.05, 0.025, 1 }, { 0.06, 0.2, 0.0467, 0.02, 1.0495 }
local bounds = { { 0.06, 0.1 }, { 0.2, 0.4 }, { 0.04, 0.06 }, { 0.02, 0.03 }, { -5, 5 } }
local target = -10 -- rad/s
local off_y, off_z, crank_line, rod_line = 0.05, 0.06, 0.12 / 0.08, 0.5 / 0.3
local static, dynamic, transition = 0.4, 0.3, 1e-2

local function rounded(x) return (x ^ 2 + 1e-2) ^ 0.5 end -- within 0.1 N, which is ours, too

-- Friction of a guide of length a and half width b: the loads of equations (2) and (3) times the coefficient (1).
local function guide_friction(guide, speed, a, b)
  local ax, ay = guide.torque_y / a, guide.torque_x / a
  local load = rounded(guide.force_x - ax) + rounded(guide.force_y + ay) + rounded(ax) + rounded(ay)
               + 2 * rounded(guide.torque_z / (2 * b))
  local v = speed / transition
  return load * (dynamic * mbs.tanh(4 * v) + (static - dynamic) * v / ((v / 2) ^ 2 + 0.75) ^ 2)
end

local function build(design)
  local m, p = mbs.model { "slider-crank", gravity = { 0, 0, -9.81 } }, {}
  for i, name in ipairs(names) do p[i] = m:param { name, design[i], min = bounds[i][1], max = bounds[i][2] } end
  local crank_length, rod_length, length, width, gain = table.unpack(p)
  -- The crank stands upright at the start; the rod goes from its top to the slider, along its own x axis.
  local top = off_z + crank_length
  local x = (rod_length ^ 2 - off_y ^ 2 - top ^ 2) ^ 0.5
  local crank_inertia, rod_inertia = crank_line * crank_length ^ 3 / 12, rod_line * rod_length ^ 3 / 12
  local crank = m:body { "crank", mass = crank_line * crank_length, inertia = { crank_inertia, crank_inertia, 1e-5 },
                         at = { 0, off_y, off_z + crank_length / 2 } }
  local rod = m:body { "rod", mass = rod_line * rod_length, inertia = { 4e-4, rod_inertia, rod_inertia },
                       at = { x / 2, off_y / 2, top / 2 },
                       orientation = { 1 + x / rod_length, 0, top / rod_length, -off_y / rod_length } }
  local slider = m:body { "slider", mass = 2, inertia = { 1e-4, 1e-4, 1e-4 }, at = { x, 0, 0 } }
  m:revolute { "bearing", m.ground, crank, at = { 0, off_y, off_z }, axis = "x" }
  m:spherical { "ball", crank, rod, at = { 0, off_y, top } }
  m:universal { "cross", rod, slider, at = { x, 0, 0 }, axis = { off_y, x, 0 }, axis_b = "z" }
  local guide = m:translational { "guide", m.ground, slider, at = { x - length / 2, 0, 0 }, axis = "x" }
  local friction = guide_friction(guide, slider.vx, length, width)
  m:force { "friction", on = slider, law = function() return -friction, 0, 0 end }
  -- Equation (37) with the sign that slows down what is too fast.
  local torque = -gain * (crank.omega_x - target)
  m:torque { "motor", on = crank, law = function() return torque, 0, 0 end }
  local deviation = (crank.omega_x - target) ^ 2
  return { model = m, design = p, crank = crank, torque = torque,
           cost = m:objective { "psi", integral = deviation + 0.01 * torque ^ 2 },
           other = m:objective { "psi by the gain", integral = deviation * (1 + 0.01 * gain ^ 2) } }
end
local function with(more)
  more.t, more.formulation = more.t or 2, mbs.index1 { alpha = 50, beta = 50 }
  more.integrator = mbs.bdf { relative_tolerance = 1e-7, absolute_tolerance = 1e-9 }
  return more
end

print(("%-40s %10s %10s"):format("1. Equations, from the compiled model", "here", "printed"))
local first = build(initial)
local mobility, bodies, hinges = first.model:mobility {}, 0, 0
for _, name in ipairs(first.model:signals()) do
  bodies = bodies + (name:find "%.e0$" and 1 or 0)
  hinges = hinges + (name:find "%.lambda_turn$" and 1 or 0)
end
-- A hinge counts its turns: a coordinate and a constraint, which the source does not have.
local counts = { bodies = bodies, coordinates = mobility.coordinates - hinges, parameters = #first.design,
                 degrees_of_freedom = mobility.degrees_of_freedom, constraints = mobility.constraints - hinges }
counts.first_order_equations = 2 * counts.coordinates
counts.dynamic_equations = counts.first_order_equations + counts.constraints
counts.sensitivities = counts.parameters * counts.dynamic_equations
counts.total = counts.dynamic_equations + counts.sensitivities
for _, line in ipairs {
  { "bodies", 3 }, { "coordinates", 21 }, { "first_order_equations", 42 }, { "degrees_of_freedom", 1 },
  { "constraints", 20 }, { "dynamic_equations", 62 }, { "parameters", 5 }, { "sensitivities", 310 }, { "total", 372 },
} do
  print(("%-40s %10d %10d"):format(line[1]:gsub("_", " "), counts[line[1]], line[2]))
end

print "\n2. Motion"
local start
for _, case in ipairs { { "initial", initial }, { "printed optimum", published } } do
  local r = build(case[2])
  local run = r.model:simulate(with { objectives = { r.cost, r.other } })
  start = start or run.objectives.psi
  print(("%-16s psi %.9f, by the gain %.9f; after 2 s %.4f rad/s"):format(
    case[1], run.objectives.psi, run.objectives["psi by the gain"], run:at(r.crank.omega_x, 2)))
end
local wrong = build { 0.08, 0.3, 0.05, 0.025, -1 }
print(("with the printed sign of (37) the crank turns at %.1f rad/s after 0.01 s"):format(
  wrong.model:simulate(with { t = 0.01 }):at(wrong.crank.omega_x, 0.01)))

print "\n3. Gradient at the initial design"
local rows, forward = {}, first.model:simulate(with {}).seconds
for _, method in ipairs { { "discrete adjoint", mbs.adjoint {} }, { "discrete direct", mbs.direct {} },
                          { "differences, extrapolated", mbs.finite_difference { step = 1e-4, richardson = 2 } } } do
  local found = first.model:gradient(with { first.cost, over = first.design, method = method[2] })
  rows[#rows + 1] = results.row(method[1], found, forward, rows[1])
  print(("%-26s off by %.1e, %6.1f forward runs"):format(method[1], rows[#rows].relative_difference,
                                                         rows[#rows].forward_runs))
end

-- The comparison that the source announces: everything at once, the mechanism before its controller, and the controller
-- alone; from both designs.
print "\n4. Optimization"
local optimizations = {}
print(("%-38s %10s %10s %5s  %s"):format("", "from", "to", "runs", table.concat(names, ", ")))
local function optimize(title, r, first_, last)
  local over = table.move(r.design, first_, last, 1, {})
  local best, values = r.model:optimize(with { minimize = r.cost, over = over }), {}
  optimizations[#optimizations + 1] = results.optimization(title, best)
  for i, p in ipairs(r.design) do values[i] = ("%.4f"):format(p.value) end
  print(("%-38s %10.6f %10.6f %5d  %s"):format(title, best.initial, best.final, best.evaluations,
                                               table.concat(values, " ")))
end
for _, case in ipairs { { "initial", initial }, { "printed optimum", published } } do
  optimize("together, from the " .. case[1], build(case[2]), 1, 5)
  local r = build(case[2])
  optimize("mechanism, from the " .. case[1], r, 1, 4)
  optimize("then its control", r, 5, 5)
  optimize("control alone, from the " .. case[1], build(case[2]), 5, 5)
end
results.write(options.json, rows, optimizations, { counts = counts, objective = start })
