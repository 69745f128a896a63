-- Sketches: true to scale, one picture for each time, joints by their type. Files for gnuplot and ParaView, plots of
-- optimizations, and what a page of several runs refuses.
local mbs = require "perilune"
local check = require "check"

local file = os.tmpname()
local function read(name)
  local f = assert(io.open(name))
  local text = f:read "a"
  f:close()
  return text
end
local function drawn(m, fields)
  fields = fields or {}
  fields[1] = file
  m:sketch(fields)
  local svg = read(file)
  assert(svg:find "^<svg" and svg:find "</svg>\n$", "no SVG document")
  -- The scale bar: pixels of a length in metres.
  local from, to, length = svg:match 'd="M([%d.]+) [%d.]+v8m0 %-4H([%d.]+)m0 %-4v8".->([%d.e-]+) m</text>'
  return svg, (to - from) / length
end
local function count(text, pattern) return select(2, text:gsub(pattern, "")) end
-- The links (strokes of this width) as lengths in pixels.
local function links(svg, width)
  local list = {}
  for x1, y1, x2, y2, w in svg:gmatch 'd="M(%S+) (%S+)L(%S+) (%S+)"[^>]-stroke%-width="(%S+)"' do
    if w == width then list[#list + 1] = math.sqrt((x2 - x1)^2 + (y2 - y1)^2) end
  end
  return list
end

-- A bar of 2 m and a rod of 1 m, at any time of their motion.
local m = mbs.model { "bars", gravity = { 0, -9.81 } }
local A, P, Q = m:ground { at = { 0, 0 } }, m:point { "P", at = { 2, 0 } }, m:point { "Q", at = { 2, 1 }, mass = 1 }
m:bar { A, P, mass = 1 }
m:distance { P, Q }
local svg, scale = drawn(m)
check.near(links(svg, "7")[1] / scale, 2, 1e-4, "length of the bar")
check.near(links(svg, "2")[1] / scale, 1, 1e-4, "length of the rod")
check.equal(count(svg, "<title>bars</title>"), 1, "title")
check.equal(count(svg, 'opacity="0%.'), 0, "one picture, not faint")

local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-3 }, formulation = mbs.index1 {} }
svg, scale = drawn(m, { run = run, times = { 0, 0.3, 0.7 } })
check.equal(#links(svg, "7"), 3, "pictures")
for _, length in ipairs(links(svg, "7")) do check.near(length / scale, 2, 2e-4, "length of the bar") end
check.equal(count(svg, "stroke%-dasharray"), 2, "traces of both points")
check.equal(#links(drawn(m, { run = run }), "7"), 9, "pictures over the whole run")

-- Times that do not divide well: the last picture is at the end, not a rounding error beyond.
for _, t in ipairs { 0.1, 0.4, 0.7, 1.1, 2.3 } do drawn(m, { run = m:simulate { t = t } }) end

-- In space the length that is seen depends on the view; from the side it is the true one.
local s = mbs.model { "arm", gravity = { 0, 0, -9.81 } }
local arm = s:body { "arm", mass = 1, inertia = { 0.1, 1, 1 }, at = { 0, 0, 0 } }
local tip = s:body { "tip", mass = 1, inertia = { 1, 1, 1 }, at = { 3, 0, 0 } }
s:revolute { "pivot", s.ground, arm, at = { 0, 0, 0 }, axis = "y" }
s:spherical { "ball", arm, tip, at = { 3, 0, 0 } }
svg, scale = drawn(s, { view = { 0, -1, 0 } })
check.near(links(svg, "7")[1] / scale, 3, 1e-4, "seen from the side")
svg, scale = drawn(s, { view = { 1, -1, 0 } })
check.near(links(svg, "7")[1] / scale, 3 * math.sqrt(0.5), 1e-4, "seen at 45 degrees")

-- A slider and a solid: the block, and the outline of a box of 2 m by 1 m.
local b = mbs.model { "block", gravity = { 0, -9.81 } }
local block = b:body { "block", inertia_of = mbs.box { mass = 1, size = { 2, 1, 0.1 } }, at = { 1, 0 } }
b:translational { "rail", b.ground, block, at = { 1, 0 }, axis = "x" }
svg, scale = drawn(b)
local x1, x2, y2, y3 = svg:match 'd="M(%S+) %S+L(%S+) (%S+)L%S+ (%S+)L%S+ %S+Z" fill="#%x+" fill%-opacity'
check.near(math.abs(x2 - x1) / scale, 2, 1e-3, "width of the box")
check.near(math.abs(y3 - y2) / scale, 1, 1e-3, "height of the box")

check.fails("view is for spatial models", m.sketch, m, { file, view = { 0, 0, 1 } })
check.fails("view must not be the zero vector", s.sketch, s, { file, view = { 0, 0, 0 } })
check.fails("times are those of a run, but run is missing", m.sketch, m, { file, times = { 1 } })
check.fails("times is an empty list", m.sketch, m, { file, run = run, times = {} })
check.fails("the time 3 s is outside the run, which covers 0 to 1 s", m.sketch, m, { file, run = run, times = { 3 } })
check.fails("run: the run is of another model", s.sketch, s, { file, run = run })
check.fails("run must be a run, such as m:simulate or m:equilibrium returns, got 1", m.sketch, m, { file, run = 1 })
check.fails("file is missing", m.sketch, m, {})
check.fails("cannot write 'missing/x.svg'", m.sketch, m, { "missing/x.svg" })
local drawn_before = drawn(m, { run = run })
m:point { "R", at = { 0, 0 }, mass = 1 }
-- A run is drawn with what there was when it was made.
check.equal(drawn(m, { run = run }), drawn_before)

-- gnuplot: the data as they are, and a panel for each unit.
local g = mbs.model { "it's a throw", gravity = { 0, -10 } }
local B = g:point { "B", at = { 0, 0 }, velocity = { 1, 5 }, mass = 1 }
local throw = g:simulate { t = 1, integrator = mbs.rk4 { step = 0.25 } }
throw:gnuplot(file, "B.x", "B.y", "energy.kinetic")
local script = read(file)
local rows = script:match "%$data << end_of_data\n(.-)end_of_data\n"
check.equal(count(rows, "\n"), 5, "rows")
local t, x, y = rows:match "\n(%S+) (%S+) (%S+) %S+\n$"
check.near(tonumber(x), 1, 1e-12)
check.near(tonumber(y), 0, 1e-12)
check.equal(tonumber(t), 1)
assert(script:find("set multiplot layout 2,1 title 'it''s a throw' noenhanced", 1, true))
local curves = "plot $data using 1:2 with lines title 'B.x', \\\n  $data using 1:3 with lines title 'B.y'"
assert(script:find(curves, 1, true))
assert(script:find("set ylabel 'energy.kinetic [J]'", 1, true))

-- ParaView: a box in free fall that turns by a quarter of a turn a second.
local folder = os.tmpname()
os.remove(folder)
mbs.make_folder(folder)
local v = mbs.model { "box", gravity = { 0, 0, -10 } }
local solid = mbs.box { mass = 1, size = { 2, 4, 6 } }
local box = v:body { "box", inertia_of = solid, angular_velocity = { 0, 0, math.pi / 2 } }
v:spring { "s", v:ground { at = { 0, 0, 9 } }, box, stiffness = 0 }
v:simulate { t = 1 }:vtk(folder .. "/fall.pvd")
local list = read(folder .. "/fall.pvd")
check.equal(count(list, "<DataSet "), 61, "pictures")
assert(list:find('<DataSet timestep="1" part="0" file="fall_0060.vtp"/>', 1, true))
local picture = read(folder .. "/fall_0060.vtp")
local function numbers(pattern)
  local all = {}
  for number in assert(picture:match(pattern), pattern):gmatch "%S+" do all[#all + 1] = tonumber(number) end
  return all
end
-- The reference point, eight corners, two ends of the spring.
check.equal(picture:match '<Piece (.-)>',
  'NumberOfPoints="11" NumberOfVerts="1" NumberOfLines="1" NumberOfStrips="0" NumberOfPolys="6"')
local points = numbers '<Points>\n<DataArray .->(.-)</DataArray>'
check.equal(#points, 33)
check.near(points[3], -5, 1e-8, "height of the reference point")
local corners = { { 2, 1, 3 }, { -2, -1, -3 } }  -- of the box after the quarter turn, in space
for _, corner in ipairs(corners) do
  local found = false
  for k = 4, 27, 3 do
    local x, y, z = points[k] - corner[1], points[k + 1] - corner[2], points[k + 2] + 5 - corner[3]
    found = found or math.abs(x) + math.abs(y) + math.abs(z) < 1e-6
  end
  assert(found, "no corner there")
end
-- Every face: four corners in one plane, with the normal outwards.
local faces = numbers '<Polys>\n<DataArray .->(.-)</DataArray>'
check.equal(#faces, 24)
local function corner(k, i) return points[3 * faces[k] + i] end
for k = 1, 24, 4 do
  local a, b, middle = {}, {}, {}
  for i = 1, 3 do
    a[i], b[i] = corner(k + 1, i) - corner(k, i), corner(k + 2, i) - corner(k + 1, i)
    middle[i] = (corner(k, i) + corner(k + 2, i)) / 2 - points[i]
  end
  local outwards = middle[1] * (a[2] * b[3] - a[3] * b[2]) + middle[2] * (a[3] * b[1] - a[1] * b[3])
    + middle[3] * (a[1] * b[2] - a[2] * b[1])
  check.near(math.abs(outwards), 24, 1e-5, "distance times area, of a box with the volume 48")
  assert(outwards > 0, "a face looks inwards")
end
check.equal(table.concat(numbers 'Name="object".->(.-)</DataArray>', " "), "0 1 0 0 0 0 0 0")
check.fails("the name of the file must end in .pvd", run.vtk, throw, "motion.vtk")
check.fails("cannot write", throw.vtk, throw, folder .. "/missing/motion.pvd")
assert(os.execute(("rm -r '%s'"):format(folder)))

-- Optimizations: objective, projected gradient and parameters.
local o = mbs.model { "aim", gravity = { 0, -10 } }
local speed = o:param { "speed", 3, unit = "m/s", min = 0, max = 20 }
local scale_up = o:param { "factor", 1, min = 0.5, max = 2 }
local ball = o:point { "ball", at = { 0, 0 }, velocity = { speed * scale_up, 5 }, mass = 1 }
local miss = o:objective { "miss", terminal = (ball.x - 4)^2 }
local best = o:optimize { minimize = miss, t = 1, integrator = mbs.rk4 { step = 0.01 } }
assert(tostring(best):find "^optimization: 1 ")
best:convergence(file)
svg = read(file)
for _, word in ipairs { "aim", "iteration", "objective", "gradient", "[log10]", "speed [m/s]", "factor [1]" } do
  assert(svg:find(">" .. word .. "<", 1, true), word)
end
check.equal(best.wheel, nil)
check.fails("write best:convergence() with a colon", best.convergence)
check.fails("convergence: expected the name of a file, got 3", best.convergence, best, 3)

-- Pages of several runs.
check.fails("compare: names has 1 items, but there are 2 runs", mbs.compare, { file, throw, throw, names = { "a" } })
check.fails("model \"it's a throw\" has no signal 'P.x'", mbs.compare, { file, run, throw, signals = { "P.x" } })
check.fails("compare: run must be a run", mbs.compare, { file, throw, 3 })
local spatial_run = s:simulate { t = 1 }
check.fails("runs of planar and of spatial models do not go on one page", mbs.compare, { file, throw, spatial_run,
                                                                                        signals = { "energy.total" } })
check.fails("compare: run is missing", mbs.compare, { file })
os.remove(file)
