local given = require "given"
local L1, L2 = given.length1, given.length2

local function constraints(q)
  local x1, y1, theta1, x2, y2, theta2 = table.unpack(q)
  return { 0, 0, 0, 0 }
end

local function jacobian(q)
  return {
    { 1, 0, 0, 0, 0, 0 },
    { 0, 1, 0, 0, 0, 0 },
    { 0, 0, 0, 0, 0, 0 },
    { 0, 0, 0, 0, 0, 0 },
  }
end

local function gamma(q, v)
  return { 0, 0, 0, 0 }
end

return { constraints = constraints, jacobian = jacobian, gamma = gamma, freedoms = 6 }
