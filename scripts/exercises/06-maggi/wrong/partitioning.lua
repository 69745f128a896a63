-- fails: maggi
-- says: never called
local mbs = require "perilune"
local given = require "given"

local function null_space(q)
  return { 1, -q[1] / q[2] }
end

-- x'' + n y'' = -g n and x x'' + y y'' = -(x'^2 + y'^2), by Cramer's rule.
local function acceleration(q, v)
  local x, y = table.unpack(q)
  local n = -x / y
  local b1, b2 = -9.81 * n, -(v[1] ^ 2 + v[2] ^ 2)
  local det = y - n * x
  return { (b1 * y - n * b2) / det, (b2 - x * b1) / det }
end

local function parallelogram(angle, omega)
  local r, b = given.crank, given.base
  local x, y = r * math.cos(angle), r * math.sin(angle)
  local v = { -omega * y, omega * x }
  local m = mbs.model { "parallelogram", gravity = { 0, -9.81 } }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { b, 0 } }
  local P = m:point { "P", at = { x, y }, velocity = v }
  local Q = m:point { "Q", at = { b + x, y }, velocity = v }
  m:bar { "left", A, P, mass = 1 }
  m:bar { "top", P, Q, mass = 1 }
  m:bar { "right", B, Q, mass = 1 }
  return m
end

return {
  null_space = null_space,
  acceleration = acceleration,
  independent = 2,
  freedoms = parallelogram(given.angle, 0):mobility({}).degrees_of_freedom,
  singular_freedoms = parallelogram(0, 0):mobility({}).singular_freedoms,
  run = parallelogram(given.angle, given.omega):simulate { t = 2, formulation = mbs.coordinate_partitioning {},
                                                           integrator = mbs.dormand_prince {} },
}
