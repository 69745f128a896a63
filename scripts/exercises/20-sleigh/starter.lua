local mbs = require "perilune"
local given = require "given"
local m, J, a = given.mass, given.inertia, given.ahead

local function energy(v, w)
  return 0
end

-- The sleigh with a forward speed v of the edge and a rate w.
local function sleigh(v, w)
  local model = mbs.model { "ice", gravity = { 0, 0 } }
  local sled = model:body { "sled", mass = m, inertia = J, at = { a, 0 }, velocity = { v, 0 }, angular_velocity = w }
  -- the edge is missing here; does C have this velocity?
  return model
end

return { counts = { 3, 3 }, energy = energy, final = { -given.speed, 0 }, still = 0, turned = 0, limit = 0, force = 0,
         decay = 0 }
