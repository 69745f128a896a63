local mbs = require "perilune"
local given = require "given"
local weight = 9.81 * given.mass

-- A door that turns with the rate omega, and nothing that holds it.
local function door(omega)
  local m = mbs.model { "door", gravity = { 0, 0, -9.81 } }
  local leaf = m:body { "leaf", mass = given.mass, inertia = { 6, 8, 2 }, at = { given.distance, 0, given.middle },
                        velocity = { 0, given.distance * omega, 0 }, angular_velocity = { 0, 0, omega } }
  return m, leaf
end

local m, leaf = door(0)
m:revolute { "lower", m.ground, leaf, at = { 0, 0, given.low }, axis = "z" }
-- the upper hinge is missing here

return { counts = { 1, 0 }, choices = { { weight / 2, 0 }, { 0, 0 } }, trusted = { 1, 1, 1, 1, 1 }, shares = { 0, 0 },
         misfits = { 0, 0 } }
