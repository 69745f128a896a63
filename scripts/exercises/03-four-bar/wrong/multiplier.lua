-- fails: torque
-- says: the sign is wrong
local mbs = require "perilune"
local given = require "given"

local px, py = given.crank * math.cos(given.angle), given.crank * math.sin(given.angle)
local dx, dy = given.base - px, -py
local d = math.sqrt(dx ^ 2 + dy ^ 2)
local along = (d ^ 2 + given.coupler ^ 2 - given.rocker ^ 2) / (2 * d)
local across = math.sqrt(given.coupler ^ 2 - along ^ 2)
local qx, qy = px + (along * dx - across * dy) / d, py + (along * dy + across * dx) / d

-- The loop P + (coupler) - (rocker) = C with the vectors u = Q - P and w = Q - C. A vector turns by its angle's rate
-- times its normal: (-u_y, u_x). So  w2 u_normal - w3 w_normal = -w1 p_normal.
local ux, uy, wx, wy = qx - px, qy - py, qx - given.base, qy
local function solve(bx, by) -- a u_normal - b w_normal = (bx, by)
  local det = -uy * -wx - wy * ux
  return (bx * -wx - wy * by) / det, (-uy * by - ux * bx) / det
end
local w1 = given.omega
local w2, w3 = solve(w1 * py, -w1 * px)
-- Once more: a2 u_normal - a3 w_normal = w2^2 u - w3^2 w + w1^2 p.
local a2, a3 = solve(w2 ^ 2 * ux - w3 ^ 2 * wx + w1 ^ 2 * px, w2 ^ 2 * uy - w3 ^ 2 * wy + w1 ^ 2 * py)
local rates, accelerations = { w2, w3 }, { a2, a3 }

local m = mbs.model { "four-bar", gravity = { 0, -9.81 } }
local function bar(name, x1, y1, x2, y2)
  local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  return m:body { name, mass = 1, inertia = length ^ 2 / 12, at = { (x1 + x2) / 2, (y1 + y2) / 2 },
                  angle = math.atan(y2 - y1, x2 - x1) }
end
local crank = bar("crank", 0, 0, px, py)
local coupler = bar("coupler", px, py, qx, qy)
local rocker = bar("rocker", given.base, 0, qx, qy)
local hinge = m:revolute { "O", m.ground, crank, at = { 0, 0 } }
m:revolute { "P", crank, coupler, at = { px, py } }
m:revolute { "Q", coupler, rocker, at = { qx, qy } }
m:revolute { "C", m.ground, rocker, at = { given.base, 0 } }
m:driver { "motor", hinge.angle, law = function(s) return given.omega * s.t end }
local run = m:kinematics { t = 2 * math.pi / given.omega, points = 201 }

return { rates = rates, accelerations = accelerations, run = run, torque = run:at("motor.lambda", 0) }
