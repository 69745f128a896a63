-- A four-bar linkage: a crank that turns once per second, and the rocker that swings.
local mbs = require "perilune"
local m = mbs.model { "four-bar", gravity = { 0, -9.81 } }
local function link(name, x, y, dx, dy) -- from (x, y) to (x + dx, y + dy), of 1 kg
  local length = math.sqrt(dx ^ 2 + dy ^ 2)
  local bar = mbs.box { mass = 1, size = { length, 0.04, 0.04 }, at = { length / 2, 0, 0 } }
  return m:body { name, inertia_of = bar, at = { x, y }, angle = math.atan(dy, dx) }
end
local crank = link("crank", 0, 0, 0.3, 0)
local coupler = link("coupler", 0.3, 0, 0.6, 0.7)
local rocker = link("rocker", 1, 0, -0.1, 0.7)
local hinge = m:revolute { "hinge", m.ground, crank, at = { 0, 0 } }
m:revolute { "crank pin", crank, coupler, at = { 0.3, 0 } }
m:revolute { "rocker pin", coupler, rocker, at = { 0.9, 0.7 } }
m:revolute { "pivot", rocker, m.ground, at = { 1, 0 } }
m:driver { "motor", hinge.angle, law = function(s) return 2 * math.pi * s.t end }
local run = m:kinematics { t = 1, points = 201 }
run:plot("rocker.angle", "motor.force")
run:view "four_bar.html"
