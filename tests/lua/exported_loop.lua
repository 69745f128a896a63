-- What m:export is tested on where joints close loops: a four-bar linkage with a ball joint or a hinge as the last one
-- (kind), which turns from the start, or rests (speed 0).
return function(kind, speed)
  local mbs = require "perilune"
  local m = mbs.model { "loop", gravity = { 0, 0, -9.81 } }
  local function body(name, at, moves, turns)
    return m:body { name, mass = 1, inertia = { 0.1, 0.12, 0.05, 0.01, 0.002, 0.003 }, center_of_mass = { 0.01, 0.02, 0.03 },
                    at = at, velocity = { moves * speed, 0, 0 }, angular_velocity = { 0, turns * speed, 0 } }
  end
  local crank, coupler, rocker = body("crank", { 0, 0, 0.5 }, 0.5, 1), body("coupler", { 1, 0, 1 }, 1, 0),
    body("rocker", { 2, 0, 0.5 }, 0.5, 1)
  m:revolute { "shaft", m.ground, crank, at = { 0, 0, 0 }, axis = "y" }
  m:revolute { "pin", crank, coupler, at = { 0, 0, 1 }, axis = "y" }
  m:revolute { "pivot", rocker, m.ground, at = { 2, 0, 0 }, axis = "y" }
  m[kind](m, { "close", coupler, rocker, at = { 2, 0, 1 }, axis = kind ~= "spherical" and "y" or nil })
  return m
end
