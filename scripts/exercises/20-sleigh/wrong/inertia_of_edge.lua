-- fails: motion
-- says: comes of itself
local mbs = require "perilune"
local given = require "given"
local m, J, a, v0, w0 = given.mass, given.inertia, given.ahead, given.speed, given.spin
local I = J + m * a ^ 2

local function energy(v, w) return m / 2 * (v ^ 2 + a ^ 2 * w ^ 2) + J / 2 * w ^ 2 end

local function sleigh(v, w)
  local model = mbs.model { "ice", gravity = { 0, 0 } }
  local sled = model:body { "sled", mass = m, inertia = I, at = { a, 0 }, velocity = { v, a * w },
                            angular_velocity = w }
  model:knife_edge { "edge", model.ground, sled:point { -a, 0 } }
  return model
end

local model = sleigh(-v0, w0)
local counted = model:mobility {}
local run = model:simulate { t = 20 }

local V = math.sqrt(2 * energy(-v0, w0) / m)
local s = a * V * m / I
local gain = math.sqrt(I / m) / a

return {
  counts = { counted.position_freedoms, counted.degrees_of_freedom },
  energy = energy,
  final = { V, 0 },
  still = math.log((V + v0) / (V - v0)) / 2 / s,
  turned = gain * (math.pi / 2 + math.asin(v0 / V)),
  limit = gain * math.pi,
  run = run,
  force = run:at("edge.lateral_force", 0),
  decay = m * a * V / I,
}
