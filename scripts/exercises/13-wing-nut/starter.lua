local mbs = require "perilune"
local given = require "given"
local I1, I2, I3 = given.inertia1, given.inertia2, given.inertia3

local function rotation(p)
  local e0, e1, e2, e3 = table.unpack(p)
  return { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
end

local function angular_velocity(p, v)
  return { 0, 0, 0 }
end

local function acceleration(w)
  return { 0, 0, 0 }
end

-- The motion from a disturbance d; with `stop` it ends where that becomes zero: nut.omega_y is such a thing.
local function simulate(d)
  local m = mbs.model { "space", gravity = { 0, 0, 0 } }
  local nut = m:body { "nut", mass = 1, inertia = { I1, I2, I3 }, at = { 0, 0, 0 } }
  -- it does not turn yet
  return m:simulate { t = 20 }
end

return { rotation = rotation, angular_velocity = angular_velocity, acceleration = acceleration,
         after_turn = { 1, 0, 0, 0 }, turns = 1, stable = { 1, 1, 1 }, growth = 0, run = simulate(given.disturbance),
         intervals = { 0, 0 }, per_decade = 0, exponent = 0 }
