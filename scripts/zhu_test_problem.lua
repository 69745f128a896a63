-- Two test problems, T1 and T2, for the penalty form and its adjoint with all that Zhu, Dopico, Sandu and Sandu's
-- equations have in them. The numbers beside ours are not printed there: another program recomputed them from the
-- equations (docs/theory/published_numbers.md).
--
--   perilune scripts/zhu_test_problem.lua [--json FILE]
local mbs = require "perilune"

local options = mbs.options { json = "" }
local sin, cos, sqrt = math.sin, math.cos, math.sqrt

local rows = {}
local function compare(problem, quantity, method, recomputed, computed)
  rows[#rows + 1] = { problem = problem, quantity = quantity, method = method, recomputed = recomputed,
                      computed = computed }
end

-- T1: two coordinates under one rheonomic constraint, a mass matrix that depends on positions, and objectives that read
-- accelerations and the multiplier. Points have constant masses here, so the law carries the penalty form itself: with
-- J = Phi_q, lambda = alpha (J M^-1 Q + c) / (1 + alpha J M^-1 J^T) and the force rho2 M^-1 (Q - J^T lambda).
do
  local alpha, xi, omega = 1e4, 1, 10
  local m = mbs.model { "T1", gravity = { 0, 0 } }
  local rho1, rho2, rho3 = m:param { "rho1", 1 }, m:param { "rho2", 1.3 }, m:param { "rho3", 0.5 }
  local x0 = 0.3
  local P = m:point { "P", at = { x0, -sqrt(rho1^2 - x0^2 - 0.1 * rho3 * x0^3) }, velocity = { 0.5, 0 }, mass = rho2 }

  local function motion(x, y, vx, vy, t)
    local s, ds, dds = 0.2 * sin(t), 0.2 * cos(t), -0.2 * sin(t)
    local L, dL, ddL = rho1 + 0.1 * sin(2 * t), 0.2 * cos(2 * t), -0.4 * sin(2 * t)
    local phi = (x - s)^2 + y^2 + 0.1 * rho3 * x^3 - L^2
    local Jx, Jy = 2 * (x - s) + 0.3 * rho3 * x^2, 2 * y
    local rate = Jx * vx + Jy * vy - 2 * (x - s) * ds - 2 * L * dL
    local bias = 2 * (vx - ds)^2 - 2 * (x - s) * dds + 0.6 * rho3 * x * vx^2 + 2 * vy^2 - 2 * dL^2 - 2 * L * ddL
    local c = bias + 2 * xi * omega * rate + omega^2 * phi
    local Qx, Qy = -0.3 * vx * (1 + y^2) - 2 * x, -9.81 * rho2 - 0.1 * rho3 * vy
    local function solve(fx, fy)  -- M^-1 f
      local a, b = 1 + 0.1 * x^2, 0.05 * y
      local scale = 1 / (rho2 * (a - b^2))
      return scale * (fx - b * fy), scale * (a * fy - b * fx)
    end
    local ax, ay = solve(Qx, Qy)
    local bx, by = solve(Jx, Jy)
    local lambda = alpha * (Jx * ax + Jy * ay + c) / (1 + alpha * (Jx * bx + Jy * by))
    return ax - bx * lambda, ay - by * lambda, lambda
  end
  m:force { "penalty form", on = P, law = function(s)
    local ax, ay = motion(s.x, s.y, s.vx, s.vy, s.t)
    return rho2 * ax, rho2 * ay
  end }
  local function lambda(s)
    local _, _, value = motion(P.x(s), P.y(s), P.vx(s), P.vy(s), s.t)
    return value
  end
  local cost = m:objective { "psi",
    integral = function(s)
      return 0.01 * lambda(s)^2 + 0.1 * (P.ax(s)^2 + P.ay(s)^2) + P.x(s)^2 * P.vy(s) + rho3 * P.y(s)
    end,
    terminal = function(s) return 0.3 * lambda(s) * P.x(s) + P.ay(s) * P.vx(s) + rho1 * P.y(s) end }
  local recomputed = { -9.6700379, 1.8439064, -1.9020193 }
  for _, method in ipairs { { "adjoint", mbs.adjoint {} }, { "direct", mbs.direct {} },
                            { "continuous adjoint", mbs.continuous_adjoint {} } } do
    local got = m:gradient { cost, t = 2, over = { rho1, rho2, rho3 }, formulation = mbs.index1 {},
                             integrator = mbs.rk4 { step = 1e-3 }, method = method[2] }
    compare("T1", "psi", method[1], 0.752945050, got.value)
    for i, value in ipairs(recomputed) do compare("T1", "d psi / d rho" .. i, method[1], value, got.gradient[i]) end
  end
end

-- T2: a force that jumps where x passes rho2. The jump is smeared over a width e, with steps that resolve it, and the
-- results are extrapolated to e = 0 from three widths: they are smooth functions of it.
do
  local m = mbs.model { "T2", gravity = { 0, 0 } }
  local rho1, rho2 = m:param { "rho1", 1.5 }, m:param { "rho2", 0.4 }
  local width = m:param { "e", 1e-3 }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  m:force { "jump", on = P, law = function(s)
    local side = (s.x - rho2) / width
    local is_beyond = (1 + mbs.tanh(side)) / 2
    return -4 * s.x - 0.3 * s.vx - rho1 * is_beyond, 0
  end }
  local cost = m:objective { "psi", integral = function(s) return 1e-3 * P.ax(s)^4 + P.x(s)^2 end }
  for _, method in ipairs { { "adjoint", mbs.adjoint {} }, { "direct", mbs.direct {} } } do
    local function at(e)
      width.value = e
      local got = m:gradient { cost, t = 3, over = { rho1, rho2 }, formulation = mbs.index1 {},
                               integrator = mbs.rk4 { step = e / 20 }, method = method[2] }
      return { got.value, got.gradient[1], got.gradient[2] }
    end
    local coarse, middle, fine = at(4e-3), at(2e-3), at(1e-3)
    for i, row in ipairs { { "psi", 1.742217819 }, { "d psi / d rho1", 0.54617753 }, { "d psi / d rho2", -0.67064208 } } do
      local first, second = 2 * middle[i] - coarse[i], 2 * fine[i] - middle[i]
      compare("T2", row[1], method[1], row[2], (4 * second - first) / 3)
    end
  end
end

print(("%-4s %-16s %-20s %16s %16s %10s"):format("", "quantity", "method", "recomputed", "computed", "relative"))
for _, r in ipairs(rows) do
  print(("%-4s %-16s %-20s %16.9g %16.9g %10.1e"):format(r.problem, r.quantity, r.method, r.recomputed, r.computed,
                                                         math.abs(r.computed / r.recomputed - 1)))
end
if options.json ~= "" then mbs.write_json(options.json, { rows = rows }) end
