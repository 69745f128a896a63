-- fails: growth
-- says: rate of the spin, which is missing
local mbs = require "perilune"
local given = require "given"
local I1, I2, I3 = given.inertia1, given.inertia2, given.inertia3

local function rotation(p)
  local e0, e1, e2, e3 = table.unpack(p)
  return { { 2 * (e0 ^ 2 + e1 ^ 2) - 1, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2) },
           { 2 * (e1 * e2 + e0 * e3), 2 * (e0 ^ 2 + e2 ^ 2) - 1, 2 * (e2 * e3 - e0 * e1) },
           { 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 2 * (e0 ^ 2 + e3 ^ 2) - 1 } }
end

-- omega = 2 G(p) p' with the rows of G orthogonal to p.
local function angular_velocity(p, v)
  local e0, e1, e2, e3 = table.unpack(p)
  local v0, v1, v2, v3 = table.unpack(v)
  return { 2 * (-e1 * v0 + e0 * v1 + e3 * v2 - e2 * v3),
           2 * (-e2 * v0 - e3 * v1 + e0 * v2 + e1 * v3),
           2 * (-e3 * v0 + e2 * v1 - e1 * v2 + e0 * v3) }
end

local function acceleration(w)
  return { (I2 - I3) / I1 * w[2] * w[3], (I3 - I1) / I2 * w[3] * w[1], (I1 - I2) / I3 * w[1] * w[2] }
end

local function simulate(d, t, stops)
  local m = mbs.model { "space", gravity = { 0, 0, 0 } }
  local nut = m:body { "nut", mass = 1, inertia = { I1, I2, I3 }, at = { 0, 0, 0 },
                          angular_velocity = { d, given.rate, 0 } }
  return m:simulate { t = t, stop = stops and nut.omega_y,
                      integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
end

local d = given.disturbance
local intervals = { 2 * simulate(d, 60, true).t, 2 * simulate(d / 10, 60, true).t }
local per_decade = intervals[2] - intervals[1]
local growth = math.sqrt((I3 - I2) * (I2 - I1) / (I1 * I3))

return {
  rotation = rotation,
  angular_velocity = angular_velocity,
  acceleration = acceleration,
  after_turn = { -1, 0, 0, 0 },
  turns = 2,
  stable = { 1, 0, 1 },
  growth = growth,
  run = simulate(d, 20),
  intervals = intervals,
  per_decade = per_decade,
  exponent = math.log(d, 10) - (3600 - intervals[1]) / per_decade,
}
