local given = require "given"
local a, b = given.length1 / 2, given.length2 / 2
local cos, sin = math.cos, math.sin

local function constraints(q)
  local x1, y1, theta1, x2, y2, theta2 = table.unpack(q)
  return { x1 - a * cos(theta1), y1 - a * sin(theta1),
           x1 + a * cos(theta1) - (x2 - b * cos(theta2)), y1 + a * sin(theta1) - (y2 - b * sin(theta2)) }
end

local function jacobian(q)
  local theta1, theta2 = q[3], q[6]
  return {
    { 1, 0, a * sin(theta1), 0, 0, 0 },
    { 0, 1, -a * cos(theta1), 0, 0, 0 },
    { 1, 0, -a * sin(theta1), -1, 0, -b * sin(theta2) },
    { 0, 1, a * cos(theta1), 0, -1, b * cos(theta2) },
  }
end

local function gamma(q, v)
  local theta1, theta2, w1, w2 = q[3], q[6], v[3], v[6]
  return { -a * cos(theta1) * w1 ^ 2, -a * sin(theta1) * w1 ^ 2,
           a * cos(theta1) * w1 ^ 2 + b * cos(theta2) * w2 ^ 2, a * sin(theta1) * w1 ^ 2 + b * sin(theta2) * w2 ^ 2 }
end

return { constraints = constraints, jacobian = jacobian, gamma = gamma, freedoms = 2 }
