-- fails: pulled
-- says: moves where it should stick
local mbs = require "perilune"
local given = require "given"
local g, m, mu, a = 9.81, given.mass, given.coefficient, given.angle

local function model(angle, friction)
  local model = mbs.model { "slope", gravity = { g * math.sin(angle), -g * math.cos(angle) } }
  local block = model:body { "block", mass = m, inertia = 1, at = { 0, 0 } }
  model:translational { "way", model.ground, block, at = { 0, 0 }, axis = "x", length = 0.2, friction = friction }
  return model, block
end

local function artanh(x) return math.log((1 + x) / (1 - x)) / 2 end

local creep = given.regularization * artanh(math.tan(a) / mu)
local slope = model(a, mbs.coulomb_tanh { coefficient = mu, regularization = given.regularization })
local needed = given.regularization * 1e-3 / (3600 * creep)
local held = model(a, mbs.static_friction { coefficient = mu, stiffness = 1e5, damping = 500 })

local k, V, N = given.stiffness, given.speed, m * g
local A, omega = (given.static - given.dynamic) * N / k, math.sqrt(k / m)
local slide = 2 / omega * (math.pi - math.atan(A * omega / V))
local period = 2 * A / V + slide

local pulled, block = model(0, mbs.viscous { damping = 20 })
pulled:force { "spring", on = block, law = function(s) return k * (V * s.t - s.x), 0 end }

return {
  creep = creep,
  hour = 3600 * creep,
  slope = slope:simulate { t = 10, integrator = mbs.radau {} },
  regularization = needed,
  steps = mu * g * math.cos(a) / needed / 2.785,
  held = held:simulate({ t = 1, integrator = mbs.radau {} }):at("block.x", 1),
  forces = { given.static * N, (2 * given.dynamic - given.static) * N },
  mean = given.dynamic * N,
  period = period,
  jump = V * period,
  pulled = pulled:simulate { t = 40, integrator = mbs.radau {} },
}
