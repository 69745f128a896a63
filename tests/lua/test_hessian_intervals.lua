-- Second derivatives over intervals of time, and by rows that share a motion: against one sweep and one row each.
local mbs = require "perilune"
local check = require "check"

local m = mbs.model { gravity = { 0, -9.81 } }
local L = m:param { "L", 1, unit = "m", min = 0.1 }
local c = m:param { "c", 0.7 }
local k = m:param { "k", 30 }
local P = m:point { "P", at = { L, 0 }, mass = 1 }
local Q = m:point { "Q", at = { 2 * L, 0 }, mass = 0.4 }
local pin = m:ground { at = { 0, 0 } }
m:distance { "rod", pin, P }
m:distance { "second", P, Q }
m:force { "drag", on = P, law = function(s) return -c * P.vx(s) * P.vy(s)^2, -k / 10 * Q.x(s) * P.y(s) end }
local cost = m:objective { "J", integral = function(s) return P.y(s)^2 + Q.vx(s)^2 end, terminal = Q.x^2 + P.ay / 10 }

local function far(a, b)
  local most, size = 0, 0
  for i = 1, 3 do
    for j = 1, 3 do
      size = math.max(size, math.abs(b[i][j]))
      most = math.max(most, math.abs(a[i][j] - b[i][j]))
    end
  end
  return most / size
end

for _, way in ipairs {
  { mbs.maggi {}, mbs.rk4 { step = 0.01 } },
  { mbs.maggi {}, mbs.radau {} },
  { mbs.coordinate_partitioning {}, mbs.dormand_prince {} },
  { mbs.index1 { alpha = 5, beta = 5 }, mbs.trapezoidal { step = 0.005 } },
  { mbs.index1 {}, mbs.bdf { step = 0.005 } },
  { mbs.index3 {}, mbs.generalized_alpha { step = 0.005 } },
} do
  local how = { cost, t = 0.6, formulation = way[1], integrator = way[2] }
  local whole = m:hessian(how)
  for i = 1, 3 do
    how.direction = { i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0 }
    local row = m:hessian(how)
    for j = 1, 3 do
      check.equal(row.product[j], whole.matrix[i][j], "a row alone")
      check.equal(row.gradient[j], whole.gradient[j], "its gradient")
    end
  end
  how.direction = nil
  for _, intervals in ipairs { 1, 3, 8 } do
    how.method = mbs.adjoint { intervals = intervals }
    local parts = m:hessian(how)
    check.near(far(parts.matrix, whole.matrix), 0, 1e-12, "intervals")
    for j = 1, 3 do check.near(parts.gradient[j] / whole.gradient[j], 1, 1e-12, "gradient in intervals") end
    how.method = mbs.adjoint { intervals = intervals, threads = 1 }
    local alone = m:hessian(how)
    for i = 1, 3 do
      for j = 1, 3 do check.equal(alone.matrix[i][j], parts.matrix[i][j], "the bits of any number of threads") end
    end
  end
end

local how = { cost, t = 0.1, integrator = mbs.rk4 { step = 0.01 }, method = mbs.adjoint { intervals = 11 } }
check.fails("the motion has 10 steps, too few for the 11 intervals of second derivatives over intervals", m.hessian, m, how)
for _, method in ipairs { mbs.direct {}, mbs.adjoint { checkpoints = 3 }, mbs.piecewise_adjoint {} } do
  how.method = method
  check.fails("method must be mbs.adjoint {} or mbs.adjoint { intervals = ... }", m.hessian, m, how)
end

-- More numbers are carried than intervals pay for: one sweep, with a warning.
do
  local chain = mbs.model { gravity = { 0, -9.81 } }
  local mass = chain:param { "mass", 1 }
  local last = chain:ground { at = { 0, 0 } }
  for i = 1, 20 do
    local next = chain:point { "P" .. i, at = { i, 0 }, mass = mass }
    chain:spring { last, next, stiffness = 100, free_length = 0.9 }
    last = next
  end
  local J = chain:objective { "J", terminal = last.y }
  local of = { J, t = 0.05, formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 0.01 } }
  local whole = chain:hessian(of)
  of.method = mbs.adjoint { intervals = 2 }
  local parts = chain:hessian(of)
  check.equal(parts.matrix[1][1], whole.matrix[1][1])
  assert(table.concat(parts.warnings, " "):find("intervals are not solved apart here", 1, true))
end
