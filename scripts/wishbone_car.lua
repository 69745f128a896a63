-- A car on double wishbones of 16 hollow beams that bend: Ebrahimi, Butscher, Cheong and Iorio (2019), section 6.3. Where
-- are its beams and struts to be attached, and how stiff and damped are these to be, so that the chassis moves least?
--
--   perilune wishbone_car.lua [--time 3] [--step 0.001] [--gravity 0] [--stress 400] [--evaluations 60] [--json FILE]
--
-- Printed in the source: 60 variables with start and bounds (table 1), the road at the wheels (table 2), masses, the
-- tubes' material and section, where the centres of mass are (table 3), the objective, the integral of the square of the
-- chassis' displacement over 3 s, stresses within 400 MPa, lengths of at least 0.001 m, steps of 1 ms, 60 iterations;
-- and its optimum (table 4), which nobody can reproduce, as the following is not printed.
--
-- Ours: the wishbones' apexes, on the wheels 0.06 m inwards at the heights of their nodes; struts from the wheels'
-- centres to the chassis 0.3 m beside its middle; balls where beams meet the chassis and the wheels, and a weld that
-- keeps the angle of the two beams of a wishbone; a tie rod for each wheel; moments of inertia; the chassis drives
-- straight ahead (x, y and its turning about the vertical are held), the wheels slide across; the height of their centres
-- is the road's, and they and the beams begin with its velocity; damping of the tubes, 0.3 ms; one cubic element for each;
-- stresses are those of the outermost fibre at the weld, as balls transmit no moment. The source names no gravity, and
-- its springs are without load at first: there is none, unless --gravity says so. With 9.81 the chassis falls so far on
-- them that the struts behind pass the dead centre of our geometry: from then on the smallest change decides, derivatives
-- are right and of no use. The 60 evaluations take some minutes; docs/theory/published_numbers.md has what they find.
-- --json FILE: objective, half_step, gradient, differences, optimization, stress, counts.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { json = "", time = 3, step = 0.001, gravity = 0, stress = 400, evaluations = 60 }

-- Table 1 and table 4: start, lower and upper bound, and the source's optimum by the adjoint. Nodes on the right side.
local nodes = {
  { { -1.270, 0.210, 0.150 }, { -1.350, 0.100, 0.100 }, { -1.100, 0.350, 0.300 }, { -1.27028, 0.20972, 0.14977 } },
  { { -0.960, 0.210, 0.150 }, { -1.100, 0.100, 0.100 }, { -0.800, 0.350, 0.300 }, { -0.96033, 0.21016, 0.15049 } },
  { { -1.270, 0.180, 0 }, { -1.350, 0.100, -0.100 }, { -1.100, 0.350, 0.100 }, { -1.27009, 0.18006, 0.00561 } },
  { { -0.960, 0.180, 0 }, { -1.100, 0.100, -0.100 }, { -0.800, 0.350, 0.100 }, { -0.96021, 0.18013, 0.00234 } },
  { { 0.210, 0.140, 0.250 }, { 0.100, 0.100, 0.100 }, { 0.350, 0.300, 0.300 }, { 0.21030, 0.13594, 0.26894 } },
  { { 0.520, 0.140, 0.250 }, { 0.400, 0.100, 0.100 }, { 0.650, 0.300, 0.300 }, { 0.51827, 0.14297, 0.23080 } },
  { { 0.210, 0.100, 0 }, { 0.100, 0.100, -0.100 }, { 0.350, 0.300, 0.100 }, { 0.20898, 0.11675, -0.03229 } },
  { { 0.520, 0.100, 0 }, { 0.400, 0.100, -0.100 }, { 0.650, 0.300, 0.100 }, { 0.51810, 0.12266, -0.04791 } },
}
-- The left side mirrors it: nodes 9 to 12 are 5 to 8, nodes 13 to 16 are 1 to 4.
for _, first in ipairs { 5, 1 } do
  for k = first, first + 3 do
    local at, lower, upper, optimum = table.unpack(nodes[k])
    nodes[#nodes + 1] = { { at[1], -at[2], at[3] }, { lower[1], -upper[2], lower[3] }, { upper[1], -lower[2], upper[3] },
                          { optimum[1], -optimum[2], optimum[3] } }
  end
end
local function front(name, side)
  return { name = name, at = { -1.110, 0.680 * side, 0.075 }, side = side, road = { 0.050, 2 * math.pi },
           start = { Z = 0.3, k = 10000, c = 50 }, optimum = { Z = 0.18536, k = 7552.08, c = 102.625 } }
end
local function rear(name, side)
  return { name = name, at = { 0.370, 0.560 * side, 0.125 }, side = side, road = { 0.075, 4 * math.pi },
           start = { Z = 0.4, k = 10000, c = 500 }, optimum = { Z = 0.28891, k = 21048.1, c = 457.101 } }
end
local wheels = { front("front_right", 1), rear("rear_right", 1), rear("rear_left", -1), front("front_left", -1) }
local center = { 0.243, 0, 0.365 }

local m = mbs.model { "car on double wishbones", gravity = { 0, 0, -options.gravity } }
local over, starts, printed = {}, {}, {}
local function parameter(name, at, lower, upper, unit, optimum)
  over[#over + 1] = m:param { name, at, unit = unit, min = lower, max = upper }
  starts[#over], printed[#over] = at, optimum
  return over[#over]
end
for k, node in ipairs(nodes) do
  for i, axis in ipairs { "X", "Y", "Z" } do
    node[i + 4] = parameter(axis .. k, node[1][i], node[2][i], node[3][i], "m", node[4][i])
  end
end
for _, kind in ipairs { { "Z", 0.15, 0.6, "m" }, { "k", 100, 30000, "N/m" }, { "c", 20, 1000, "N s/m" } } do
  local what, lower, upper, unit = table.unpack(kind)
  for k, wheel in ipairs(wheels) do
    wheel[what] = parameter(what .. (what == "Z" and 16 + k or k), wheel.start[what], lower, upper, unit,
                            wheel.optimum[what])
  end
end

local chassis = m:body { "chassis", mass = 300, inertia = { 22, 87, 97 }, at = center }
m:constraint { "ahead", law = chassis.x - center[1] }
m:constraint { "beside", law = chassis.y }
m:constraint { "straight", law = 2 * (chassis.e1 * chassis.e2 + chassis.e0 * chassis.e3) }
local function on_chassis(x, y, z) return chassis:point { x - center[1], y - center[2], z - center[3] } end

local tube = mbs.round_section { diameter = 0.03, inner_diameter = 0.02 }
local beams = {}
--- A beam from the node i of the chassis to the apex, turning with the wheel's velocity; and its direction.
local function add_beam(i, apex, hub, speed)
  local X, Y, Z = table.unpack(nodes[i], 5)
  local way = { apex[1] - X, apex[2] - Y, apex[3] - Z }
  local length = (way[1] ^ 2 + way[2] ^ 2 + way[3] ^ 2) ^ 0.5
  beams[i] = m:beam { "beam" .. i, from = { X, Y, Z }, to = apex, elements = 1, young = 200e9, density = 7800,
                      section = tube, damping = 3e-4,
                      angular_velocity = { way[2] * speed / length ^ 2, -way[1] * speed / length ^ 2, 0 } }
  m:coincidence { on_chassis(X, Y, Z), beams[i].first }
  m:coincidence { hub, beams[i].last }
  nodes[i].length = length
  return { way[1] / length, way[2] / length, way[3] / length }
end
for k, wheel in ipairs(wheels) do
  local name, at, side, height, omega = wheel.name, wheel.at, wheel.side, table.unpack(wheel.road)
  local speed = height * omega
  local body = m:body { name, mass = 20, inertia = { 0.35, 0.6, 0.35 }, at = at, velocity = { 0, 0, speed } }
  m:driver { name .. "_road", body.z, law = function(s) return at[3] + height * math.sin(omega * s.t) end }
  for i = 4 * k - 3, 4 * k - 1, 2 do  -- the upper wishbone, then the lower one
    local z = nodes[i][1][3]
    local apex, hub = { at[1], at[2] - 0.06 * side, z }, body:point { 0, -0.06 * side, z - at[3] }
    local d, e = add_beam(i, apex, hub, speed), add_beam(i + 1, apex, hub, speed)
    local a, b = beams[i].last, beams[i + 1].last
    m:constraint { ("weld%d"):format(i), law = a.slope_x * b.slope_x + a.slope_y * b.slope_y + a.slope_z * b.slope_z
                                               - (d[1] * e[1] + d[2] * e[2] + d[3] * e[3]) }
  end
  m:distance { name .. "_tie", body:point { 0.1, -0.06 * side, 0 }, on_chassis(at[1] + 0.1, 0.15 * side, at[3]) }
  m:spring { name .. "_strut", on_chassis(at[1], 0.3 * side, wheel.Z), body, stiffness = wheel.k, damping = wheel.c }
end

local moved = m:objective { "moved", integral = (chassis.x - center[1]) ^ 2 + chassis.y ^ 2
                                                + (chassis.z - center[3]) ^ 2 }
local all, limits = { moved }, {}
local function limit(objective, fields)
  fields[1], fields[2] = objective.name, objective
  limits[#limits + 1] = fields
  all[#all + 1] = objective
end
for i, beam in ipairs(beams) do
  local at_weld = beam:station { 1 }
  limit(m:objective { "most" .. i, maximum = at_weld.stress_most }, { max = 1e6 * options.stress, unit = "Pa" })
  limit(m:objective { "least" .. i, minimum = at_weld.stress_least }, { min = -1e6 * options.stress, unit = "Pa" })
end
for i, node in ipairs(nodes) do
  limit(m:objective { "length" .. i, terminal = node.length }, { min = 0.001, unit = "m" })
end

local function with(more, step)
  more.t, more.integrator = options.time, mbs.generalized_alpha { step = step or options.step }
  return more
end

local mobility = m:mobility()
print(mobility)
local run, half = m:simulate(with { objectives = all }), m:simulate(with({ objectives = all }, options.step / 2))
print(("\n1. From the start of table 1, steps of %g and %g ms"):format(1000 * options.step, 500 * options.step))
print(("objective %.9f and %.9f m^2 s"):format(run.objectives.moved, half.objectives.moved))
local function largest(of)
  local worst = {}
  for i = 1, 16 do worst[i] = math.max(of.objectives["most" .. i], -of.objectives["least" .. i]) / 1e6 end
  return worst
end
local before, finer = largest(run), largest(half)
local function print_stresses(title, stresses)
  io.write(title)
  for i = 1, 8 do io.write((" %8.3f"):format(stresses[i])) end
  print()
end
print "largest stresses, MPa, of beams      1        2        3        4        5        6        7        8"
print_stresses("                            ", before)
print_stresses("with half the step          ", finer)

print("\n2. The gradient of the objective and the 48 limits by 60 variables")
local function gradients(method)
  local clock = os.clock()
  local list = m:gradient(with { all, over = over, method = method })
  return list, (os.clock() - clock) / run.seconds
end
local adjoint, by_adjoint = gradients(mbs.adjoint {})
local direct, by_direct = gradients(mbs.direct {})
local apart = 0
for k, g in ipairs(adjoint) do
  local scale, difference = 0, 0
  for i, p in ipairs(over) do
    local range = p.max - p.min
    scale = math.max(scale, range * math.abs(g.gradient[i]))
    difference = math.max(difference, range * math.abs(g.gradient[i] - direct[k].gradient[i]))
  end
  apart = math.max(apart, scale > 0 and difference / scale or 0)
end
print(("adjoint %.1f simulations, direct %.1f, differences 61, %.0f times the adjoint (the source: 40)"):format(
  by_adjoint, by_direct, 61 / by_adjoint))
print(("direct - adjoint is at most %.0e of the largest derivative"):format(apart))
-- Central differences of two lengths, extrapolated, by some variables of each kind.
local some = { 6, 14, 30, 50, 53, 58 }
local checked = {}
print "variable      adjoint            differences        apart"
for _, i in ipairs(some) do
  local p = over[i]
  local value, h = p.value, 1e-3 * (p.max - p.min)
  local function slope(d)
    p.value = value + d
    local up = m:simulate(with { objectives = moved }).objectives.moved
    p.value = value - d
    local down = m:simulate(with { objectives = moved }).objectives.moved
    p.value = value
    return (up - down) / (2 * d)
  end
  local found = (4 * slope(h / 2) - slope(h)) / 3
  checked[#checked + 1] = { name = p.name, adjoint = adjoint[1].gradient[i], differences = found, range = p.max - p.min }
  print(("%-6s %19.10g %19.10g %10.0e"):format(p.name, adjoint[1].gradient[i], found,
                                              math.abs(found / adjoint[1].gradient[i] - 1)))
end

print(("\n3. The search, within %g MPa"):format(options.stress))
local clock = os.clock()
local best = m:optimize(with { minimize = moved, over = over, subject_to = limits,
                               optimizer = mbs.slsqp { max_evaluations = options.evaluations, kkt = 1e-6 } })
local seconds = os.clock() - clock
print(("%s after %d evaluations: %.6g -> %.6g m^2 s, in the time of %.0f simulations, %.0f s of one processor"):format(
  best.reason, best.evaluations, best.initial, best.final, seconds / run.seconds, seconds))
local excess = 0
local after = m:simulate(with { objectives = all })
for _, each in ipairs(limits) do
  local value, bound = after.objectives[each[1]], each.max or each.min
  excess = math.max(excess, (each.max and value - bound or bound - value) / math.abs(bound))
end
print(("KKT residual %.1e, limits kept to %.0e of their bounds"):format(best.kkt or 0 / 0, math.max(excess, 0)))
print_stresses("largest stresses, MPa       ", largest(after))
print "\nvariable          start       optimum    the source's (another geometry)      its mirror image, apart"
local partner = {}
for i = 1, 48 do partner[i] = i <= 12 and i + 36 or i <= 24 and i + 12 end
local lopsided = 0
for i, p in ipairs(over) do
  local name = p.name
  local index = tonumber(name:match "%d+")
  local is_right = index <= 8 or index == 17 or index == 18
  if name:find "^[kc]" then is_right = index <= 2 end
  if is_right then
    local other = i <= 48 and over[partner[i]] or over[i + (index % 4 == 1 and 3 or 1)]
    local sign = name:find "^Y" and -1 or 1
    local off = math.abs(p.value - sign * other.value) / (p.max - p.min)
    lopsided = math.max(lopsided, off)
    print(("%-6s %16.6g %13.6g %13.6g %40.0e"):format(name, starts[i], p.value, printed[i], off))
  end
end
print(("left and right are mirror images within %.0e of the ranges: nothing asks for it"):format(lopsided))

local rows = { results.row("adjoint", adjoint[1], run.seconds) }
rows[2] = results.row("direct", direct[1], run.seconds, rows[1])
results.write(options.json, rows, { results.optimization("wishbone car", best) }, {
  objective = run.objectives.moved, half_step = half.objectives.moved, differences = checked, excess = excess,
  lopsided = lopsided, stress = { before = before, finer = finer, after = largest(after) },
  counts = { coordinates = mobility.coordinates, constraints = mobility.constraints, freedom = mobility.degrees_of_freedom } })
