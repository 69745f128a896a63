-- Beams in run:view: tubes through their nodes, their colours and the legend.
local mbs = require "perilune"
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/?.lua;" .. package.path
local browser = require "browser"
local check = require "check"

local function cantilever(load)
  local m = mbs.model { "cantilever", gravity = { 0, 0 } }
  local arm = m:beam { "arm", from = { 0, 0 }, to = { 1, 0 }, elements = 4, young = 7e10, density = 2700,
                       section = mbs.rectangular_section { width = 0.01 } }
  m:clamp { arm.first, m.ground }
  m:force { on = arm.last, force = { 0, -load } }
  return arm, m:equilibrium {}
end

local arm, rest = cantilever(0.05)
rest:view "beam_rest.html"
require "page".text "beam_rest.html"
local found, console = browser.examine "beam_rest.html"
check.equal(table.concat(console, "\n"), "", "console")
local line = found.lines[1][1]
check.equal(line.name, "arm")
check.equal(#line.points, 25)
for k, node in ipairs(arm.nodes) do
  for i, axis in ipairs { "x", "y" } do
    check.near(line.points[6 * k - 5][i], rest:values(node[axis])[1], 1 / 65000, axis .. " of a node")
  end
end
check.near(line.radius, 0.005, 0.005, "about the outer fibre, or what can be seen")
-- The legend ends at M c / I of the clamp, where the moment is load times length, and the clamp has its last colour.
local most = 0.05 * 0.005 / (0.01 ^ 4 / 12)
check.near(found.ranges.stress.high, most, 1e-3 * most, "largest stress")
check.equal(found.ranges.stress.low, 0)
check.equal(found.ranges.stress.unit, "Pa")
assert(found.legend:find("0kPa300", 1, true), found.legend)
check.equal(found.ranges.moment.high, -found.ranges.moment.low, "what has a sign is white at zero")
check.near(found.ranges.moment.high, 0.05, 1e-5, "largest moment")
-- The last colour of the ramp, #fbe04a, as light (the curve of sRGB).
local light = {}
for hex in ("fbe04a"):gmatch "%x%x" do light[#light + 1] = ((tonumber(hex, 16) / 255 + 0.055) / 1.055) ^ 2.4 end
local i = 0
for value in line.colours[1]:gmatch "%S+" do
  i = i + 1
  check.near(tonumber(value), light[i], 2e-3, "colour of the clamp")
end
check.equal(i, 3)
local colours = {}
for _, colour in ipairs(line.colours) do colours[colour] = true end
assert(next(colours, next(colours)), "one colour only, though the stress falls to nothing at the tip")

-- Where nothing varies, neither does the colour.
local _, idle = cantilever(0)
idle:view "beam_idle.html"
found, console = browser.examine "beam_idle.html"
check.equal(table.concat(console, "\n"), "", "console")
for _, colour in ipairs(found.lines[1][1].colours) do check.equal(colour, found.lines[1][1].colours[1]) end

-- Several runs keep their colours until the reader chooses: the bent one has one colour, the idle one another.
mbs.compare { "beam_compare.html", rest, idle, names = { "bent", "idle" } }
found, console = browser.examine "beam_compare.html"
check.equal(table.concat(console, "\n"), "", "console")
local bent, straight = found.lines[1][1].colours, found.lines[1][2].colours
for _, colour in ipairs(bent) do check.equal(colour, bent[1]) end
assert(bent[1] ~= straight[1], "both runs look alike")

-- A pendulum of rubber bends as it falls: the tube moves, and its colours with it.
local p = mbs.model { "rubber", gravity = { 0, -9.81 } }
local bar = p:beam { "bar", from = { 0, 0 }, to = { 1.2, 0 }, elements = 5, young = 1e7, density = 4000,
                     section = mbs.rectangular_section { width = 0.05 } }
p:coincidence { bar.first, p:ground { at = { 0, 0 } } }
local swing = p:simulate { t = 1, integrator = mbs.generalized_alpha { step = 2e-3 } }
swing:view "beam_swing.html"
found, console = browser.examine "beam_swing.html"
check.equal(table.concat(console, "\n"), "", "console")
assert(found.changed > 0.002, "the slider moves nothing: " .. found.changed)
assert(found.lines[1][1].colours[10] ~= found.lines[2][1].colours[10], "the colours stay")
for _, look in ipairs { "", " --window-size=420,700", " --blink-settings=preferredColorScheme=0" } do
  local size
  size, console = browser.screenshot("beam_swing.html#test=colour:moment", "beam_swing.png", look)
  check.equal(table.concat(console, "\n"), "", "console")
  assert(size > 5000, "the screenshot has " .. size .. " bytes")
end
