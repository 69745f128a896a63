-- What motors, drivers and circles in which wheels roll look like: how far their arrows go around, which way, how long
-- they are, what is said of them, and that they can be hidden.
local mbs = require "perilune"
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/?.lua;" .. package.path
local browser = require "browser"
local check = require "check"

local m = mbs.model { "drives", gravity = { 0, 0 } }
local function turner(name, x, law)
  local body = m:body { name, mass = 1, inertia = 0.5, at = { x, 0 } }
  m:revolute { name .. "_hinge", m.ground, body, at = { x - 0.2, 0 } }
  return m:torque { name .. "_motor", on = body, law = law }
end
turner("strong", 0, function() return 8 end)
turner("weak", 1, function() return -2 end)
turner("later", 2, function(s) return mbs.where(mbs.gt(s.t, 0.5), 4, 0) end)
local block = m:body { "block", mass = 2000, inertia = 0.1, at = { 1, 0.8 } }
local rail = m:translational { "rail", m.ground, block, at = { 1, 0.8 }, axis = "x" }
m:driver { "feed", rail.displacement, law = function(s) return -0.05 * s.t^2 end }
local run = m:simulate { t = 2 }
run:view "drives.html"
require "page".text "drives.html"
local found, console = browser.examine "drives.html"
check.equal(table.concat(console, "\n"), "", "console")
local before, after = {}, {}
for k, list in ipairs { before, after } do
  for _, drive in ipairs(found.drives[k]) do list[drive.name] = drive end
end
-- Three hundred degrees are what is nearly the largest of all.
local whole = math.rad(300)
check.near(after.strong_motor.sweep, whole, 1e-3, "the largest goes around")
check.near(after.weak_motor.sweep, whole / 4, 1e-3, "a fourth of it")
check.near(after.strong_motor.direction[3], 1, 1e-6, "counter-clockwise")
check.near(after.weak_motor.direction[3], -1, 1e-6, "clockwise")
assert(not before.later_motor.seen, "no torque, no arrow")
check.near(after.later_motor.sweep, whole / 2, 1e-3, "half of it")
local t = found.time
local hinge = run:at("strong.x", t) - 0.2 * math.cos(run:at("strong.angle", t))
check.near(after.strong_motor.at[1], hinge, 1e-3, "at its hinge")
check.near(after.feed.direction[1], -1, 1e-6, "to the left")
assert(after.feed.length > 0.05 and after.feed.seen, "the arrow of a driver")
local parts = {}
for _, part in ipairs(found.parts) do parts[part.name] = part end
local hidden, through = parts.actuators.hidden, parts.actuators.through
assert(hidden > 0.003 and through > 0.001, "a group to hide: " .. hidden)
check.equal(parts.actuators.back, 0, "and to show again")
for label, says in pairs { ["torque weak_motor"] = "torque on weak\t-2 N m",
                           ["torque strong_motor"] = "torque on strong\t8 N m",
                           ["driver feed"] = "force on block\t200 N" } do
  assert(found.picks[label], "nothing to click for " .. label)
  assert(found.picks[label]:find(says, 1, true), found.picks[label])
end

-- A wheel in a ring: both are seen, also where the ring has a solid that would hide the wheel.
for solid = 0, 1 do
  local r = mbs.model { "ring", gravity = { 0, -9.81 } }
  local ring = solid == 1 and
    r:body { "ring", inertia_of = mbs.cylinder { mass = 2, radius = 0.6, length = 0.1, axis = "z" } } or
    r:body { "ring", mass = 2, inertia = 0.5, at = { 0, 0 } }
  r:revolute { "axle", r.ground, ring, at = { 0, 0 } }
  local wheel = r:body { "wheel", mass = 1, inertia = 0.005, at = { 0.4, 0 } }
  r:rolling { "roll", ring, wheel, ball = 0.5, radius = 0.1, inside = true }
  r:simulate({ t = 0.5 }):view "ring.html"
  found, console = browser.examine "ring.html"
  check.equal(table.concat(console, "\n"), "", "console")
  assert(found.picks["wheel of roll"], "the wheel is hidden")
  assert(found.picks[solid == 1 and "body ring" or "circle of roll"], "no ring")
  parts = {}
  for _, part in ipairs(found.parts) do parts[part.name] = part end
  -- The edge of 1.06 radii has an eighth of the area of the circle.
  if solid == 0 then assert(parts.contacts.hidden > 0.02, "the circle covers a part of the picture") end
end

-- What touches has one picture: the solid of its body, where that lies there, and else the ball of the contact, of several
-- contacts once.
for solid = 0, 1 do
  local b = mbs.model { "ball", gravity = { 0, 0, -9.81 } }
  local ball = b:body { "ball", inertia_of = solid == 1 and mbs.sphere { radius = 0.1, mass = 1 } or nil, mass = solid == 0 and 1 or nil,
                        inertia = solid == 0 and { 0.004, 0.004, 0.004 } or nil, at = { 0, 0, 0.3 } }
  for _, name in ipairs { "first", "second" } do
    b:contact { name, b.ground, ball, radius = 0.1, normal = mbs.hunt_crossley { stiffness = 1e4 } }
  end
  b:simulate({ t = 0.5 }):view "ball.html"
  found, console = browser.examine "ball.html"
  check.equal(table.concat(console, "\n"), "", "console")
  check.equal(found.picks["contact of first"] ~= nil, solid == 0, "the ball of a contact")
  check.equal(found.picks["contact of second"], nil, "the same once more")
  check.equal(found.picks["body ball"] ~= nil, solid == 1, "the solid")
end

-- Reactions are arrows where there are any: in free fall they are rounding. What goes far has arrows by its own size.
for falls = 0, 1 do
  local f = mbs.model { "fall", gravity = { 0, -9.81 } }
  local one = f:body { "one", mass = 1, inertia = 0.1, at = { 0.5, 0 }, velocity = { falls * 20, 0 } }
  local two = f:body { "two", mass = 2, inertia = 0.1, at = { 1.5, 0 }, velocity = { falls * 20, 0 } }
  f:revolute { "pin", one, two, at = { 1, 0.1 } }
  if falls == 0 then f:revolute { "wall", f.ground, one, at = { 0, 0 } } end
  f:simulate({ t = 1 }):view "fall.html"
  found, console = browser.examine "fall.html"
  check.equal(table.concat(console, "\n"), "", "console")
  assert(falls == 1 and found.perNewton == 0 or falls == 0 and found.perNewton > 0, "arrows of rounding: " .. found.perNewton)
  if falls == 1 then assert(found.longestArrow < 2.1, "0.09 of 20.6 m: " .. found.longestArrow) end
end

-- Names of what lies on each other do not, those without room are left out, and none is cut off; one ball alone is seen on
-- its whole way, with the floor.
do
  local c = mbs.model { "crowd", gravity = { 0, -9.81 } }
  for k = 1, 5 do
    local body = c:body { "a body with a long name " .. k, mass = 1, inertia = 0.1, at = { 0.5, 0 } }
    c:revolute { "hinge of number " .. k, c.ground, body, at = { 0, 0 } }
  end
  c:simulate({ t = 0.5 }):view "crowd.html"
  found, console = browser.examine "crowd.html"
  check.equal(table.concat(console, "\n"), "", "console")
  assert(found.names.seen >= 4, "those that have room: " .. found.names.seen)
  check.equal(found.names.over, 0, "names on names")
  check.equal(found.names.beyond, 0, "names that are cut off")
  local h = mbs.model { "hop", gravity = { 0, -9.81 } }
  local ball = h:body { "ball", mass = 1, inertia = 1e-4, at = { 0, 1 } }
  h:contact { "floor", h.ground, ball, radius = 0.02,
              normal = mbs.hunt_crossley { stiffness = 1e5, dissipation = 0.3 } }
  h:simulate({ t = 1 }):view "hop.html"
  found = browser.examine "hop.html"
  local follows = table.concat(found.toggles, " "):find("Follow", 1, true)
  assert(not follows, "the camera follows it, and nothing is seen to move")
end
