-- Mechanisms with more constraints than they seem to bear: a Bennett linkage moves although Kutzbach's formula gives -2,
-- but only with the right lengths.
local mbs = require "perilune"
local check = require "check"

local sin, cos, asin, atan, tan = math.sin, math.cos, math.asin, math.atan, math.tan

local function product(A, B)
  local C = {}
  for i = 1, 4 do
    C[i] = {}
    for j = 1, 4 do
      local sum = 0
      for k = 1, 4 do sum = sum + A[i][k] * B[k][j] end
      C[i][j] = sum
    end
  end
  return C
end

-- Denavit and Hartenberg's transformation of one link.
local function link(angle, length, twist)
  local c, s, ct, st = cos(angle), sin(angle), cos(twist), sin(twist)
  return { { c, -s * ct, s * st, length * c }, { s, c * ct, -c * st, length * s }, { 0, st, ct, 0 }, { 0, 0, 0, 1 } }
end

-- Links of lengths a, b, a, b and twists alpha, beta with a / sin(alpha) = b / sin(beta). The joint angles t, p, -t, -p
-- close the loop if tan(t / 2) tan(p / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2) (Bennett 1903).
local function bennett(error)
  local a, b, alpha = 1.0, 0.6, math.rad(60)
  local beta = asin(b / a * sin(alpha))
  local t = 1.0
  local p = 2 * atan(sin((beta + alpha) / 2) / sin((beta - alpha) / 2) / tan(t / 2))
  local frame = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } }
  local at, axis = {}, {}
  for i, step in ipairs { { t, a, alpha }, { p, b, beta }, { -t, a, alpha }, { -p, b, beta } } do
    at[i] = { frame[1][4], frame[2][4], frame[3][4] }
    axis[i] = { frame[1][3], frame[2][3], frame[3][3] }
    frame = product(frame, link(step[1], step[2], step[3]))
  end
  for i = 1, 4 do
    for j = 1, 4 do check.near(frame[i][j], i == j and 1 or 0, 1e-12, "the loop closes") end
  end
  local m = mbs.model { "bennett", gravity = { 0, 0, -9.81 } }
  local bodies = {}
  for i = 1, 3 do
    local middle = {}
    for k = 1, 3 do middle[k] = (at[i][k] + at[i + 1][k]) / 2 end
    bodies[i] = m:body { "link" .. i, mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = middle }
  end
  m:revolute { "A", m.ground, bodies[1], at = at[1], axis = axis[1] }
  m:revolute { "B", bodies[1], bodies[2], at = at[2], axis = axis[2] }
  m:revolute { "C", bodies[2], bodies[3], at = at[3], axis = axis[3] }
  if error == 0 then
    m:revolute { "D", bodies[3], m.ground, at = at[4], axis = axis[4] }
  else
    local own = bodies[3]:marker { at = { at[4][1] - (at[3][1] + at[4][1]) / 2, at[4][2] - (at[3][2] + at[4][2]) / 2,
      at[4][3] - (at[3][3] + at[4][3]) / 2 }, axis = axis[4] }
    local off = { at[4][1] + error, at[4][2], at[4][3] + error }
    m:revolute { "D", own, m.ground:marker { at = off, axis = { axis[4][1], axis[4][2] + error, axis[4][3] } } }
  end
  return m
end

local m = bennett(0)
local found = m:mobility()
check.equal(found.degrees_of_freedom, 1)
local count = 0
for _, group in ipairs(found.redundant) do
  check.equal(group.joint, "D")
  count = count + group.count
end
check.equal(count, 3)

-- The penalty form runs it; the loop stays closed although three constraints follow from the others.
local run = m:simulate { t = 1, formulation = mbs.penalty { alpha = 1e9 }, integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-11 } }
check.near(run:at("constraint.drift", 1), 0, 1e-7)
assert(math.abs(run:at("A.angle", 1)) > 0.3, "it moves")
check.near(run:at("energy.total", 1), run:at("energy.total", 0), 1e-6, "energy")
-- The opposite angles turn alike.
check.near(run:at("A.angle", 1), -run:at("C.angle", 1), 1e-6)
check.fails('redundant constraints of "D"', m.simulate, m, { t = 1, formulation = mbs.index1 {} })

-- With lengths that do not fit, the loop cannot be closed.
check.fails("contradict", function() bennett(0.02):mobility() end)
