-- What m:export writes as MJCF, mbs.read reads: the same motion from the declared state, and the same angles.
local mbs = require "perilune"
local same_motion = require "same_motion"

local function written(m)
  local file = os.tmpname() .. ".xml"
  m:export(file)
  local text <close> = assert(io.open(file))
  local copy = mbs.read { file, key = "start" }
  os.remove(file)
  return copy, text:read "a"
end

local motion = same_motion.of
local function same(one, other, bodies, signals)
  same_motion.check(one, other, bodies, { "x", "y", "z", "e0", "e1", "e2", "e3", "omega_x", "omega_y", "omega_z" }, signals)
end

-- A tree, with springs.
local m = require "exported_model" ()
local copy, text = written(m)
local one = motion(m)
same(one, motion(copy), { "a", "b", "d", "f", "g", "h", "k" },
  { "pivot.angle", "pivot.omega", "rail.displacement", "free.angle", "turned.angle", "moved.displacement" })
assert(math.abs(one:at("turned.angle", 0)) > 0.3 and math.abs(one:at("moved.displacement", 0)) > 0.3)
-- Numbers are the shortest that read back to the same.
assert(text:find('gravity="0.3 0 -9.81"', 1, true) and text:find('fullinertia="0.1 0.12 0.05 0.01 0.002 0.003"', 1, true))

-- What was removed is not written.
for _, name in ipairs { "stiff", "soft", "back", "buffer", "bearing", "coil", "band" } do m:remove(m:object(name)) end
local _, without = written(m)
assert(text:find "stiffness" and text:find "<motor" and not without:find "stiffness" and not without:find "<site" and not without:find "<motor")

local loops = mbs.augmented_lagrangian {}

-- Loops: a hinge is two connections at places of its axis, which leave the same freedom.
for _, kind in ipairs { "spherical", "revolute" } do
  local loop = require "exported_loop" (kind, 0.7)
  local again, words = written(loop)
  local _, count = words:gsub("<connect ", "")
  assert(count == (kind == "revolute" and 2 or 1))
  assert(loop:mobility {}.degrees_of_freedom == 1 and again:mobility {}.degrees_of_freedom == 1)
  same(motion(loop, loops), motion(again, loops), { "crank", "coupler", "rocker" }, { "shaft.angle", "pivot.angle", "pin.omega" })
end

-- A hinge and a weld that close loops where nothing else holds what they do: a body on two arms.
local function arms(last)
  local x = mbs.model { "arms", gravity = { 0, 0, -9.81 } }
  local function body(name, at)
    return x:body { name, mass = 1, inertia = { 0.1, 0.12, 0.05 }, at = at }
  end
  local left, right, load = body("left", { 0, 0, 0 }), body("right", { 2, 0, 0 }), body("load", { 1, 0, -1 })
  x:spherical { "hook", x.ground, left, at = { 0, 0, 1 } }
  x:coincidence { "hook2", x.ground:point { 2, 0.3, 1 }, right:point { 0, 0.3, 1 } }
  x:spherical { "joint", left, load, at = { 0.5, 0, -0.5 } }
  x[last](x, { "last", load, right, at = { 1.5, 0, -0.5 }, axis = last == "revolute" and { 0.3, 1, 0 } or nil })
  return x
end
for last, freedom in pairs { spherical = 6, revolute = 4, weld = 3 } do
  local x = arms(last)
  local again = written(x)
  assert(x:mobility {}.degrees_of_freedom == freedom and again:mobility {}.degrees_of_freedom == freedom)
  same(motion(x, loops), motion(again, loops), { "left", "right", "load" }, {})
end
