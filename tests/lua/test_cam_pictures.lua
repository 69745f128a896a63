-- Sketches show the profile of a cam as it is, also where it is hollow, and dashpots as dashpots.
local mbs = require "perilune"
local check = require "check"

local function R(angle) return 0.036 + 0.012 * math.cos(angle)^2 end

local m = mbs.model { "valve", gravity = { 0, -9.81 } }
local shaft = m:body { "shaft", mass = 1, inertia = 1e-3, at = { 0, 0 } }
m:driver { m:revolute { "hinge", m.ground, shaft, at = { 0, 0 } }.angle, law = function(s) return 20 * s.t end }
local tip = m:point { "tip", at = { 0, 0.046 }, mass = 0.1 }
m:constraint { "guide", law = tip.x }
m:cam { "lobe", shaft, tip, radius = 0.01, profile = function(s) return 0.036 + 0.012 * math.cos(s.angle)^2 end }

local function sketch()
  local name = os.tmpname()
  m:sketch { name }
  local file <close> = assert(io.open(name))
  local text = file:read "a"
  os.remove(name)
  return text
end

-- Of all closed paths the one with a point for each degree; relative or absolute, its extents are in the same ratio.
local function longest_path(text)
  local best = ""
  for path in text:gmatch ' d="(M[^"]*Z)"' do
    if #path > #best then best = path end
  end
  return best
end

local function extents(path)
  local x, y, points = { math.huge, -math.huge }, { math.huge, -math.huge }, 0
  for a, b in path:gmatch "([%d.-]+)[ ,]([%d.-]+)" do
    a, b, points = tonumber(a), tonumber(b), points + 1
    x, y = { math.min(x[1], a), math.max(x[2], a) }, { math.min(y[1], b), math.max(y[2], b) }
  end
  return x[2] - x[1], y[2] - y[1], points
end

local wide, high, points = extents(longest_path(sketch()))
check.equal(points, 360, "a point for each degree")
local widest, highest = 0, 0
for k = 0, 3600 do
  local angle = k / 3600 * 2 * math.pi
  widest, highest = math.max(widest, R(angle) * math.cos(angle)), math.max(highest, R(angle) * math.sin(angle))
end
check.near(wide / high, widest / highest, 0.01, "as wide and as high as its profile")

local function paths() return select(2, sketch():gsub("<path", "")) end
local before = paths()
m:spring { "closing", tip, m:ground { at = { 0, 0.15 } }, stiffness = 4000, free_length = 0.13 }
local with_spring = paths()
m:spring { "dash", tip, m:ground { at = { 0.07, 0.12 } }, damping = 1 }
assert(paths() - with_spring > with_spring - before, "a dashpot has a pot, a piston and two rods, a spring is one line")
