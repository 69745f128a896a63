-- Rotations by products of quaternions, times by the values of a run.
local mbs = require "perilune"
local given = require "given"
local I1, I2, I3 = given.inertia1, given.inertia2, given.inertia3

-- The product of two quaternions.
local function times(a, b)
  return { a[1] * b[1] - a[2] * b[2] - a[3] * b[3] - a[4] * b[4], a[1] * b[2] + a[2] * b[1] + a[3] * b[4] - a[4] * b[3],
           a[1] * b[3] + a[3] * b[1] + a[4] * b[2] - a[2] * b[4], a[1] * b[4] + a[4] * b[1] + a[2] * b[3] - a[3] * b[2] }
end

local function conjugate(a) return { a[1], -a[2], -a[3], -a[4] } end

local function rotation(p)
  local rows = { {}, {}, {} }
  for k = 1, 3 do
    local turned = times(times(p, { 0, k == 1 and 1 or 0, k == 2 and 1 or 0, k == 3 and 1 or 0 }), conjugate(p))
    for i = 1, 3 do rows[i][k] = turned[i + 1] end
  end
  return rows
end

local function angular_velocity(p, v)
  local product = times(conjugate(p), v)
  return { 2 * product[2], 2 * product[3], 2 * product[4] }
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
-- Between two changes of sign.
local function interval(start)
  local run = simulate(start, 40)
  local reversals, before = {}, nil
  for i = 0, 40000 do
    local t = i / 1000
    local now = run:at("nut.omega_y", t)
    if before and before * now <= 0 then reversals[#reversals + 1] = t - 0.001 * now / (now - before) end
    before = now
  end
  return reversals[2] - reversals[1]
end

local intervals = { interval(d), interval(d / 10) }
local growth = given.rate * math.sqrt((I3 - I2) * (I2 - I1) / (I1 * I3))
local per_decade = 2 * math.log(10) / growth

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
