-- Beams in sketches and ParaView: the bent line between the nodes, and what varies along it.
local mbs = require "perilune"
local check = require "check"

local file = os.tmpname()
local function read(name)
  local f = assert(io.open(name))
  local text = f:read "a"
  f:close()
  return text
end
local function numbers(text)
  local all = {}
  for number in assert(text):gmatch "%S+" do all[#all + 1] = tonumber(number) or 0 / 0 end
  return all
end

-- The line of a beam in a sketch: its dots in metres from the first one, and their number.
local function line_in_sketch(m, fields)
  fields[1] = file
  m:sketch(fields)
  local svg = read(file)
  local from, to, length = svg:match 'd="M([%d.]+) [%d.]+v8m0 %-4H([%d.]+)m0 %-4v8".->([%d.e-]+) m</text>'
  local scale = (to - from) / length
  local longest = ""
  for data in svg:gmatch '<path d="(M[%d. L-]+)" fill="none" stroke="#%x+" stroke%-width="[%d.]+"' do
    if select(2, data:gsub("L", "")) > select(2, longest:gsub("L", "")) then longest = data end
  end
  local dots = {}
  for x, y in longest:gmatch "[ML](%S-) ([%d.-]+)" do dots[#dots + 1] = { tonumber(x), tonumber(y) } end
  for k = #dots, 1, -1 do dots[k] = { (dots[k][1] - dots[1][1]) / scale, (dots[1][2] - dots[k][2]) / scale } end
  return dots
end

-- A soft cantilever that falls far, of three elements: 19 samples, every sixth of them a node.
local soft = mbs.model { "soft", gravity = { 0, -9.81 } }
local arm = soft:beam { "arm", from = { 0, 0 }, to = { 1.2, 0 }, elements = 3, young = 1e7, density = 4000,
                        section = mbs.rectangular_section { width = 0.05 } }
soft:clamp { arm.first, soft.ground }
local dots = line_in_sketch(soft, {})
check.equal(#dots, 19, "samples of the straight beam")
for k, dot in ipairs(dots) do
  check.near(dot[1], 1.2 * (k - 1) / 18, 2e-3)
  check.near(dot[2], 0, 2e-3)
end
local run = soft:simulate { t = 0.5, integrator = mbs.generalized_alpha { step = 2e-3 } }
local function last(signal)
  local values = run:values(signal)
  return values[#values]
end
dots = line_in_sketch(soft, { run = run, times = { 0.5 } })
check.equal(#dots, 19, "samples of the bent beam")
assert(last(arm.last.y) < -0.3, "it hardly bends")
for k, node in ipairs(arm.nodes) do
  check.near(dots[6 * k - 5][1], last(node.x), 3e-3, "x of a node")
  check.near(dots[6 * k - 5][2], last(node.y), 3e-3, "y of a node")
end
-- Between nodes it leaves the chord: its middle is off by about l^2 / 8 times the curvature.
local middle, a, b = dots[4], dots[1], dots[7]
local off = ((b[1] - a[1]) * (middle[2] - a[2]) - (b[2] - a[2]) * (middle[1] - a[1])) / 0.4
check.near(off, -last(arm:station { 1 / 6 }.curvature) * 0.4 ^ 2 / 8, 4e-3, "height of the arc")

-- ParaView, at rest under a small load at the tip, where the closed forms are exact for cubic elements: moment P (L - x)
-- and stress P (L - x) c / I along it.
local function at_rest(kind)
  local P, L, w, E = 0.05, 1, 0.01, 7e10
  local m = mbs.model { "cantilever", gravity = { 0, 0 } }
  local beam = m:beam { "beam", from = { 0, 0 }, to = { L, 0 }, elements = 4, young = E, density = 2700,
                        section = mbs.rectangular_section { width = w }, kind = kind,
                        shear_factor = kind == "shear" and 1e6 or nil }
  if kind == "shear" then m:weld { m.ground, beam.first, at = { 0, 0 } } else m:clamp { beam.first, m.ground } end
  m:force { on = beam.last, force = { 0, -P } }
  local folder = os.tmpname()
  os.remove(folder)
  mbs.make_folder(folder)
  local rest = m:equilibrium {}
  rest:vtk(folder .. "/rest.pvd")
  local picture = read(folder .. "/rest_0000.vtp")
  local function array(name) return numbers(picture:match('Name="' .. name .. '".->(.-)</DataArray>')) end
  local points = numbers(picture:match '<Points>\n<DataArray .->(.-)</DataArray>')
  local moment, stress, force = array "moment", array "stress", array "axial_force"
  check.equal(3 * #moment, #points, "an item for each point")
  local energy, displacement, speed = array "strain_energy", array "displacement", array "speed"
  local first = #moment - 25
  assert(moment[first] ~= moment[first], "a moment at what is no beam")
  for k = 1, 25 do
    local x = L * (k - 1) / 24
    check.near(moment[first + k], -P * (L - x), 1e-5 * P * L, "moment")
    check.near(stress[first + k], P * (L - x) * (w / 2) / (w ^ 4 / 12), 1e-3 * 3e5, "stress")
    check.near(force[first + k], 0, 1e-3 * P, "axial force")
    -- The line of deflection of textbooks.
    local deflection = P * x ^ 2 * (3 * L - x) / (6 * E * w ^ 4 / 12)
    check.near(points[3 * (first + k) - 1], -deflection, 1e-8, "deflection")
    check.near(displacement[first + k], deflection, 1e-7, "displacement")
    check.near(energy[first + k], (P * (L - x)) ^ 2 / (2 * E * w ^ 4 / 12), 1e-4 * P ^ 2 / (2 * E * w ^ 4 / 12), "energy")
    check.equal(speed[first + k], 0)
  end
  if kind == "shear" then
    for k, V in ipairs(array "shear_force") do if k > first then check.near(V, -P, 1e-4 * P, "shear force") end end
  end
  local longest = 0
  local cells = picture:match '<Lines>\n<DataArray .->\n(.-)</DataArray>'
  for cell in cells:gmatch "[^\n]+" do longest = math.max(longest, #numbers(cell)) end
  check.equal(longest, 25, "one poly-line through all samples")
  assert(os.execute(("rm -r '%s'"):format(folder)))
end
at_rest "slender"
at_rest "shear"

-- In space, under a torque, a force along z and one along y at the end: what the closed forms of a tube say along it.
do
  local d, L, P, T = 0.02, 0.5, 0.02, 0.03
  local m = mbs.model { "tube", gravity = { 0, 0, 0 } }
  local arm = m:beam { "arm", kind = "shear", from = { 0, 0, 0 }, to = { L, 0, 0 }, elements = 3, young = 2e11, density = 7800,
                       section = mbs.round_section { diameter = d }, up = { 0, 1, 0 } }
  m:weld { m.ground, arm.first, at = { 0, 0, 0 } }
  m:force { on = arm.last, force = { 0, 2 * P, P }, torque = { T, 0, 0 } }
  local rest = m:equilibrium {}
  local I = math.pi / 64 * d^4
  local function along(name, value)
    local found = rest:envelope(arm, name)
    for k, share in ipairs(found.share) do
      local wanted = value(L * (1 - share))
      check.near(found.most[k], wanted, 1e-4 * math.abs(value(L)), name)
    end
  end
  along("shear_y", function() return 2 * P end)
  along("shear_z", function() return P end)
  along("torque", function() return T end)
  along("moment_z", function(x) return 2 * P * x end)
  along("moment_y", function(x) return -P * x end)
  along("moment", function(x) return math.sqrt(5) * P * x end)
  along("torsion_stress", function() return T * d / (4 * I) end)
  along("von_mises", function(x) return math.sqrt((math.sqrt(5) * P * x * d / (2 * I))^2 + 3 * (T * d / (4 * I))^2) end)
  local G, A, nu = 2e11 / 2.6, math.pi / 4 * d^2, 0.3
  local k = 6 * (1 + nu) / (7 + 6 * nu)
  along("strain_energy", function(x)
    return (5 * (P * x)^2 / (2e11 * I) + T^2 / (2 * G * I) + 5 * P^2 / (k * G * A)) / 2
  end)
end
-- The speed of a bar that turns: as far from the pivot as it is, times the angular velocity; and how far it has come.
for _, kind in ipairs { "slender", "shear" } do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local bar = m:beam { "bar", kind = kind, from = { 0, 0, 0 }, to = { 0, 2, 0 }, young = 1e11, density = 1000, elements = 2,
                       section = mbs.round_section { diameter = 0.05 }, angular_velocity = { 0.1, 0, 0 } }
  m:coincidence { bar.first, m:ground { at = { 0, 0, 0 } } }
  local run = m:simulate { t = 1, integrator = mbs.generalized_alpha { step = 0.01 } }
  local speed, displacement = run:envelope(bar, "speed"), run:envelope(bar, "displacement")
  check.equal(displacement.unit, "m")
  for k, share in ipairs(speed.share) do
    check.near(speed.least[k], 0.2 * share, 1e-4)
    check.near(speed.most[k], 0.2 * share, 1e-4)
    check.near(displacement.most[k], 4 * share * math.sin(0.05), 1e-4)
  end
end

-- Without a fibre there is no stress, in space, too; many elements have fewer samples each.
local s = mbs.model { "space", gravity = { 0, 0, 0 } }
local wire = s:beam { "wire", from = { 0, 0, 0 }, to = { 0, 3, 4 }, elements = 100, young = 1e9, density = 1000,
                      area = 1e-4, second_moment = 1e-9 }
s:clamp { wire.first, s.ground }
check.equal(#line_in_sketch(s, { view = { 1, 0, 0 } }), 201, "two samples for each element")
os.remove(file)

-- Envelopes: a cantilever that is let go from its straight line swings to twice what its weight does at rest (its first
-- mode does, to some percent), most at the clamp and nothing at the end; the same numbers as its stations have.
for _, kind in ipairs { "slender", "shear" } do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local h = 0.01
  local arm = m:beam { "arm", kind = kind, from = { 0, 0 }, to = { 1, 0 }, elements = 6, young = 7e10, density = 2700,
                       nodes_at = { 0.7 }, section = mbs.rectangular_section { width = 0.02, height = h } }
  if kind == "slender" then m:clamp { arm.first, m.ground } else m:weld { m.ground, arm.first, at = { 0, 0 } } end
  local run = m:simulate { t = 0.13, integrator = mbs.generalized_alpha { step = 0.0005 } }
  local worst = run:envelope(arm, "stress")
  check.equal(worst.unit, "Pa")
  check.equal(worst.share[#worst.share], 1)
  local at_rest = 2700 * 9.81 * h * 0.5 / (h^2 / 6)
  check.near(worst.most[1] / at_rest, 2, 0.5, kind)
  check.equal(worst.most[#worst.most] < 0.02 * worst.most[1], true)
  local moment = run:envelope(arm, "moment")
  for k = 1, #worst.share, 5 do
    local least, at = math.huge, nil
    for i, value in ipairs(run:values(arm:station { worst.share[k] }.moment)) do
      if value < least then least, at = value, run:times()[i] end
    end
    check.near(moment.least[k], least, 1e-9, kind)
    check.equal(moment.t_least[k], at)
  end
  check.fails("has no 'torque'", run.envelope, run, arm, "torque")
  check.fails("expected a beam", run.envelope, run, m.ground, "stress")
end
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local arm = m:beam { "arm", from = { 0, 0 }, to = { 1, 0 }, young = 7e10, density = 2700, area = 1e-4, second_moment = 1e-9 }
  m:clamp { arm.first, m.ground }
  local run = m:equilibrium {}
  check.fails("has no stress", run.envelope, run, arm, "stress")
  local late = m:beam { "late", from = { 0, 0 }, to = { 1, 0 }, young = 7e10, density = 2700, area = 1e-4, second_moment = 1e-9 }
  check.fails("declared after", run.envelope, run, late, "moment")
end
