-- All of it measured.
local mbs = require "perilune"
local given = require "given"
local m, J, a, v0, w0 = given.mass, given.inertia, given.ahead, given.speed, given.spin
local I = J + m * a ^ 2

local function energy(v, w) return m / 2 * (v ^ 2 + a ^ 2 * w ^ 2) + J / 2 * w ^ 2 end

local function sleigh(v, w)
  local model = mbs.model { "ice", gravity = { 0, 0 } }
  local sled = model:body { "sled", mass = m, inertia = J, at = { a, 0 }, velocity = { v, a * w },
                            angular_velocity = w }
  local edge = model:knife_edge { "edge", model.ground, sled:point { -a, 0 } }
  return model, edge
end

local model, edge = sleigh(-v0, w0)
local counted = model:mobility {}
local run = model:simulate { t = 20 }

local V = math.sqrt(2 * energy(-v0, w0) / m)

return {
  counts = { counted.position_freedoms, counted.degrees_of_freedom },
  energy = energy,
  final = { run:at("edge.speed", 20), run:at("sled.omega", 20) },
  still = model:simulate({ t = 20, stop = edge.speed }).t,
  turned = run:at("sled.angle", 20),
  limit = sleigh(-v0, 1e-6 * w0):simulate({ t = 60 }):at("sled.angle", 60),
  run = run,
  force = run:at("edge.lateral_force", 0),
  decay = m * a * V / I,
}
