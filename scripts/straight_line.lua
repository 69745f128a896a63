-- Four bars, a triangle and a motor, optimized so that a point of the triangle goes along a straight line: what comes
-- out is Roberts' linkage. The first lines are those of the README, and the rest draws its picture:
--   perilune scripts/straight_line.lua [--svg docs/gallery/straight_line.svg]
local mbs = require "perilune"
local m = mbs.model { "straight line", gravity = { 0, -9.81 } }
local x, y, h = m:param { "x", 0.2 }, m:param { "y", 1.1, max = 1.3 }, m:param { "h", 0.1 }
local A, B = m:ground { at = { -1, 0 } }, m:ground { at = { 1, 0 } }
local C, D, P = m:point { "C", at = { -x, -y } }, m:point { "D", at = { x, -y } }, m:point { "P", at = { 0, h } }
for _, ends in ipairs { { A, C }, { B, D }, { C, D }, { C, P }, { D, P } } do m:bar { ends[1], ends[2], mass = 1 } end
m:driver { "motor", P.x, law = function(s) return 0.9 * math.sin(2 * math.pi * s.t) end }
local cost = m:objective { "deviation", integral = P.y ^ 2 }
print(m:gradient { cost, t = 1 })
print(m:optimize { minimize = cost, t = 1 })

local options = mbs.options { svg = "" }
local after = m:simulate { t = 1 }
x.value, y.value, h.value = 0.2, 1.1, 0.1
local before = m:simulate { t = 1 }
local times = {}
for k = 0, 60 do times[#times + 1] = 0.25 + k / 120 end -- P goes once from the right to the left
local function deviation(run)
  local largest = 0
  for _, height in ipairs(run:values("P.y", times)) do largest = math.max(largest, math.abs(height)) end
  return largest
end
print(("P leaves its line by %.1f mm before, by %.1f mm after"):format(1e3 * deviation(before), 1e3 * deviation(after)))
if options.svg == "" then return end

-- Both mechanisms side by side in one scale, on a card of its own colour: readable on light and dark pages.
local scale, width = 118, 330
local out = {}
local function add(...) out[#out + 1] = string.format(...) end
local function draw(run, left, title)
  local function at(px, py) return ("%.1f %.1f"):format(left + width / 2 + scale * px, 100 - scale * py) end
  local function path(points, style) add('<path d="M%s" %s/>', table.concat(points, "L"), style) end
  local function place(name, t) return at(run:at(name .. ".x", t), run:at(name .. ".y", t)) end
  path({ at(-0.9, 0), at(0.9, 0) }, 'stroke="#1a7f37" stroke-width="2" stroke-dasharray="7 5"')
  for _, t in ipairs { 0.25, 0.75, 1 / 12 } do
    local strong = t < 0.25
    local c, d, p = place("C", t), place("D", t), place("P", t)
    add('<g stroke-opacity="%s" fill-opacity="%s">', strong and "1" or "0.18", strong and "0.35" or "0.07")
    path({ c, d, p, c }, 'fill="#7a93b5" stroke="#44546a" stroke-width="3"')
    path({ at(-1, 0), c }, 'stroke="#44546a" stroke-width="5"')
    path({ at(1, 0), d }, 'stroke="#44546a" stroke-width="5"')
    add '</g>'
    if strong then
      for _, joint in ipairs { c, d } do
        add('<circle cx="%s" cy="%s" r="4" fill="#fff" stroke="#44546a" stroke-width="2"/>', joint:match "(%S+) (%S+)")
      end
    end
  end
  local curve = {}
  local px, py = run:values("P.x", times), run:values("P.y", times)
  for k = 1, #times do curve[k] = at(px[k], py[k]) end
  path(curve, 'stroke="#d1570b" stroke-width="3"')
  local tip = place("P", 1 / 12)
  add('<circle cx="%s" cy="%s" r="5" fill="#d1570b"/>', tip:match "(%S+) (%S+)")
  for _, pivot in ipairs { -1, 1 } do
    local cx, cy = at(pivot, 0):match "(%S+) (%S+)"
    add('<path d="M%s %sl-9 15h18z" fill="#c8ccd2" stroke="#44546a" stroke-width="2"/>', cx, cy)
    add('<circle cx="%s" cy="%s" r="4" fill="#fff" stroke="#44546a" stroke-width="2"/>', cx, cy)
  end
  add('<text x="%g" y="30" text-anchor="middle" fill="#1f2328">%s: P up to %.1f mm beside the line</text>',
    left + width / 2, title, 1e3 * deviation(run))
end
add '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="660" height="280" viewBox="0 0 660 280"'
add '  font-family="Helvetica, Arial, sans-serif" font-size="14" stroke-linejoin="round">'
add '<title>A linkage whose coupler point is to follow a straight line, before and after the optimization</title>'
add '<rect width="660" height="280" rx="10" fill="#f6f8fa"/>'
add '<g fill="none" stroke-linecap="round">'
draw(before, 0, "before")
draw(after, width, "after")
add '</g>'
add '</svg>'
local file <close> = assert(io.open(options.svg, "w"))
assert(file:write(table.concat(out, "\n"), "\n"))
print("picture: " .. options.svg)
