local mbs = require "perilune"
local given = require "given"

-- Positions at t = 0: P, then Q as the upper intersection of two circles.
local px, py = given.crank * math.cos(given.angle), given.crank * math.sin(given.angle)
local dx, dy = given.base - px, -py
local d = math.sqrt(dx ^ 2 + dy ^ 2)
local along = (d ^ 2 + given.coupler ^ 2 - given.rocker ^ 2) / (2 * d)
local across = math.sqrt(given.coupler ^ 2 - along ^ 2)
local qx, qy = px + (along * dx - across * dy) / d, py + (along * dy + across * dx) / d

-- 1. and 2. by hand
local rates = { 0, 0 }
local accelerations = { 0, 0 }

-- 3. A bar of 1 kg from one place to another.
local m = mbs.model { "four-bar", gravity = { 0, -9.81 } }
local function bar(name, x1, y1, x2, y2)
  local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  return m:body { name, mass = 1, inertia = length ^ 2 / 12, at = { (x1 + x2) / 2, (y1 + y2) / 2 },
                  angle = math.atan(y2 - y1, x2 - x1) }
end
local crank = bar("crank", 0, 0, px, py)

return { rates = rates, accelerations = accelerations, torque = 0 }
