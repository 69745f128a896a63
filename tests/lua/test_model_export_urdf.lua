-- What m:export writes as URDF, mbs.read reads: the same motion from rest, angles and displacements.
local mbs = require "perilune"
local same_motion = require "same_motion"

local function copy_of(m)
  local file = os.tmpname() .. ".urdf"
  m:export(file)
  local copy = mbs.read(file)
  local handle <close> = assert(io.open(file))
  local text = handle:read "a"
  os.remove(file)
  -- Other readers refuse a prismatic joint without limits; there are none here.
  for joint in text:gmatch "<joint .-</joint>" do
    assert((joint:find 'type="prismatic"' ~= nil) == (joint:find '<limit lower="%-1e9" upper="1e9"' ~= nil), joint)
  end
  return copy
end

local motion = same_motion.of
local function same(one, other, bodies, signals)
  same_motion.check(one, other, bodies, { "e0", "e1", "e2", "e3", "omega_x", "omega_y", "omega_z" }, signals)
end

-- A tree.
local m = require "exported_robot" ()
local copy = copy_of(m)
-- The frame of a link is moved to its joint: the arm's reference point is 1 m from there.
m:object "arm":point { "tip", 0.5, 0, 0 }
copy:object "arm":point { "tip", 1.5, 0, 0 }
local one = motion(m)
same(one, motion(copy), { "arm", "hand", "cart", "puck", "stone" }, { "tip.x", "tip.y", "tip.z", "hand.x", "hand.z", "cart.x",
  "cart.y", "puck.x", "puck.y", "stone.z", "shoulder.angle", "wrist.angle", "wrist.omega", "rail.displacement" })
assert(math.abs(one:at("wrist.angle", 0.5)) > 0.1 and math.abs(one:at("rail.displacement", 0.5)) > 0.01)

-- Loops, by what the reader has beyond the format.
local loops = mbs.augmented_lagrangian {}
for _, kind in ipairs { "spherical", "revolute", "cylindrical", "planar" } do
  local loop = require "exported_loop" (kind, 0)
  same(motion(loop, loops), motion(copy_of(loop), loops), { "crank", "coupler", "rocker" },
    { "shaft.angle", "pivot.angle", "pin.omega", kind ~= "spherical" and kind ~= "planar" and "close.angle" or nil })
end

-- Loops that start at a displacement and at an angle which are not zero: a lift on a cart, on an oblique way.
for kind, turn in pairs { cylindrical = 0.3, translational = 0 } do
  local x = mbs.model { "lift", gravity = { 0, 0, -9.81 } }
  local function body(name, at) return x:body { name, mass = 1, inertia = { 0.1, 0.12, 0.05 }, at = at } end
  local cart, lift = body("cart", { 1, 0, 0 }), body("lift", { 1, 0, 1 })
  x:translational { "floor", x.ground, cart, at = { 1, 0, 0 }, axis = "x" }
  x:translational { "mast", cart, lift, at = { 1, 0, 1 }, axis = "z" }
  local along, cross = { 1, 0, 1 }, { 0, math.cos(turn), 0 }
  local s = math.sin(turn) / math.sqrt(2)
  x[kind](x, { "way", x.ground:marker { at = { 0, 0, 0 }, axis = along, x_axis = { 0, 1, 0 } },
               lift:marker { axis = along, x_axis = { cross[1] - s, cross[2], s } } })
  local signals = { "cart.x", "lift.z", "way.displacement", kind == "cylindrical" and "way.angle" or nil }
  local first = motion(x, loops)
  same(first, motion(copy_of(x), loops), {}, signals)
  assert(math.abs(first:at("way.displacement", 0)) > 1)
  if turn ~= 0 then assert(math.abs(math.abs(first:at("way.angle", 0)) - turn) < 1e-12) end
end
