-- Sketches: true to scale, one picture for each time, joints by their type.
local mbs = require "perilune"
local check = require "check"

local file = os.tmpname()
local function drawn(m, fields)
  fields = fields or {}
  fields[1] = file
  m:sketch(fields)
  local svg = assert(io.open(file)):read "a"
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
m:point { "R", at = { 0, 0 }, mass = 1 }
check.fails("the model has got more coordinates since that run", m.sketch, m, { file, run = run })
check.fails("the model has got more coordinates since that run", run.view, run, file)
os.remove(file)
