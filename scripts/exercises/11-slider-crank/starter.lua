local mbs = require "perilune"
local given = require "given"
local r, l, e = given.crank, given.rod, given.offset

-- 1. The slider: x and its first and second derivative by the angle of the crank.
local function position(phi)
  return { r * math.cos(phi) + l, 0, 0 }
end

-- 2. The torque of the motor.
local function torque(phi)
  return 0
end

-- 4. The mechanism at the angle given.angle, with some inertia of the crank, turning at some rate.
local function mechanism(inertia, omega)
  local m = mbs.model { "slider-crank", gravity = { 0, 0 } }
  local px, py = r * math.cos(given.angle), r * math.sin(given.angle)
  local crank = m:body { "crank", mass = 1, inertia = inertia, at = { 0, 0 }, angle = given.angle }
  -- rod, slider, joints and motor are missing here; px and py are the place of A
  return m
end

return { position = position, torque = torque, fastest = math.pi / 2, factors = { 0, 0 }, slowest = { 0, 0 } }
