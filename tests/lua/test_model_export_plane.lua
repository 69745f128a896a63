-- Models of the plane that m:export writes, mbs.read reads as bodies in space that stay in a plane: x and y of space in
-- MJCF, x and z in URDF, whose gravity is along z.
local mbs = require "perilune"
local plane = require "exported_plane"
local motion = require "same_motion".of

local function written(m, ending, key)
  local file = os.tmpname() .. ending
  m:export(file)
  local text <close> = assert(io.open(file))
  local copy = mbs.read { file, key = key }
  os.remove(file)
  return copy, text:read "a"
end

local function near(x, y, what) assert(math.abs(x - y) < 1e-10, ("%s: %.17g, read again %.17g"):format(what, x, y)) end

-- Two runs, at 0.5 s: where bodies are, how they turn, and other signals.
local function same(one, other, bodies, signals)
  for _, body in ipairs(bodies) do
    local function value(signal) return other:at(body .. "." .. signal, 0.5) end
    for _, signal in ipairs { "x", "y", "vx", "vy" } do near(one:at(body .. "." .. signal, 0.5), value(signal), body) end
    local half = one:at(body .. ".angle", 0.5) / 2
    near(0, math.sin(half) * value "e0" - math.cos(half) * value "e3", body)
    near(one:at(body .. ".omega", 0.5), value "omega_z", body)
    near(0, value "z", body)
  end
  for _, signal in ipairs(signals) do near(one:at(signal, 0.5), other:at(signal, 0.5), signal) end
end

for name, build in pairs(plane.trees) do
  local m, bodies, signals = build()
  local copy, text = written(m, ".xml", "start")
  same(motion(m), motion(copy), bodies, signals)
  assert(m:mobility {}.degrees_of_freedom == copy:mobility {}.degrees_of_freedom)
  -- Slides and hinges alone, and moments that any program takes.
  assert(not text:find "freejoint" and not text:find "ball")
  if name == "pendulum" then assert(text:find('diaginertia="0.05 0.05 0.1"', 1, true)) end
  if name == "thrown" then assert(copy:object "a_angle".x and math.abs(motion(copy):at("a_x.x", 0) - 0.3) < 1e-15) end
end

-- Loops: one connection for a pin, of whose three directions the plane holds one already; in URDF two, that are needed.
for _, build in pairs(plane.loops) do
  local m, bodies, signals = build(2)
  local copy, text = written(m, ".xml", "start")
  local _, count = text:gsub("<connect ", "")
  assert(count == 1 and copy:mobility {}.degrees_of_freedom == 1)
  local again = motion(copy)
  assert(#again.warnings == 1 and again.warnings[1]:find("1 constraint that follows", 1, true))
  same(motion(m), again, bodies, signals)
end

-- URDF has bodies at the joints on which they hang: what is compared is joints and places.
local function same_standing(m, places, signals)
  local copy = written(m, ".urdf")
  for _, model in ipairs { m, copy } do
    for name, at in pairs(places) do
      local body, point = name:match "(%w+)%.(%w+)"
      model:object(body):point { point, at[model == m and 1 or 3], at[model == m and 2 or 4], model == copy and 0 or nil }
    end
  end
  local one, other = motion(m), motion(copy)
  assert(#other.warnings == 0, table.concat(other.warnings, "\n"))
  for name in pairs(places) do
    local point = name:match "%.(%w+)"
    for on_plane, in_space in pairs { x = "x", y = "z", vx = "vx", vy = "vz" } do
      near(one:at(point .. "." .. on_plane, 0.5), other:at(point .. "." .. in_space, 0.5), name)
    end
    near(0, other:at(point .. ".y", 0.5), name)
  end
  for _, signal in ipairs(signals) do near(one:at(signal, 0.5), other:at(signal, 0.5), signal) end
  return one
end

-- Places in the frame here, and in that of the link.
local rocker = { 0.1, 0, 0.1, 0.25 }
same_standing(plane.loops.four_bar(0), { ["crank.mid"] = { 0, 0, 0, 0.15 }, ["rocker.edge"] = rocker },
  { "shaft.angle", "pivot.angle", "pin.omega" })
same_standing(plane.loops.slider_crank(0), { ["piston.face"] = { 0, 0.1, 0, 0.1 }, ["rod.mid"] = { 0, 0, 0.2, -0.15 } },
  { "shaft.angle", "guide.displacement", "pin.angle" })
local one = same_standing(plane.standing(), { ["cart.mid"] = { 0, 0, 0, 0 }, ["stone.edge"] = { 0.1, 0, 0.1, 0 },
    ["tail.low"] = { 0, -1, 0, -1 } }, { "rail.displacement", "rail.speed", "joint.angle", "joint.omega" })
assert(math.abs(one:at("joint.angle", 0.5)) > 0.1 and math.abs(one:at("rail.displacement", 0.5)) > 0.1)
