-- Three test problems, T, T1 and T2, for the penalty form and its adjoint with all that Zhu, Dopico, Sandu and Sandu's
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

-- T: four coordinates under two constraints that depend on time and parameters, a full mass matrix, forces of all
-- kinds, objectives that read accelerations and multipliers. What the mass matrix diag(m1, m1, m2, m2) + 0.2 m2 u u^T has
-- beyond the points' masses is a force that reads accelerations. The source's penalty form has a factor for each
-- constraint, (120, 80): the first is written sqrt(1.5) times as large, with one factor of 80.
do
  local function problem(scale)
    local m = mbs.model { "T", gravity = { 0, -9.81 } }
    local m1, m2, L1, L2 = m:param { "m1", 1.3 }, m:param { "m2", 0.8 }, m:param { "L1", 1.0 }, m:param { "L2", 0.9 }
    local k, c, A = m:param { "k", 2.0 }, m:param { "c", 0.4 }, m:param { "A", 0.15 }
    local over = { m1, m2, L1, L2, k, c, A }
    local function start(value, slopes)
      for i, p in ipairs(over) do value = value + slopes[i] * (p - p.value) end
      return value
    end
    local P1 = m:point { "P1", mass = m1, at = { start(0.25, { .1, 0, .05, .02, .03, 0, .04 }), -0.968246 },
                         velocity = { start(0.3, { .02, .1, 0, .03, .05, -.04, .1 }), 0 } }
    local P2 = m:point { "P2", mass = m2, at = { start(0.45, { 0, .05, .02, -.03, 0, .02, .1 }), -1.845742 },
                         velocity = { start(-0.2, { .1, -.02, .04, 0, .02, .03, 0 }), -0.110114 } }
    local x1, y1, x2, y2 = P1.x, P1.y, P2.x, P2.y
    local first = m:constraint { "C1", law = function(s) return scale * ((x1 - A * sin(2 * s.t))^2 + y1^2 - L1^2) end }
    local second = m:constraint { "C2", law = function(s)
      return (x2 - x1)^2 + (y2 - y1)^2 - L2^2 + 0.1 * A * s.t * x2
    end }
    local a = { P1.ax, P1.ay, P2.ax, P2.ay }
    local u = { y2, x1 * x2 / 2, x1 / 2 + L1 * y1 / 4, 1 }
    local inertia = 0.2 * m2 * (u[1] * a[1] + u[2] * a[2] + u[3] * a[3] + u[4] * a[4])
    m:force { "Q1", on = P1, law = function(s)
      return -k * x1^3 - c * P1.vx + c * P1.vy * x2 / 2 + sin(3 * s.t) / 2 - u[1] * inertia,
        -c * P1.vy * (1 + P1.vy^2 / 9) - c * P1.vx * x2 / 2 - u[2] * inertia
    end }
    m:force { "Q2", on = P2, law = function(s)
      return -k * (x2 - 0.3) - c * (P2.vx - P1.vx) * (1 + y1^2) - u[3] * inertia,
        -c * P2.vy * x1^2 + 0.1 * k * y2 * x2 + m1 * P1.vx * P2.vx / 7 - u[4] * inertia
    end }
    local lambda1, lambda2 = scale * first.lambda, second.lambda
    local W = { { 1, .2, -.3, .4 }, { .1, .5, .2, .3 }, { -.2, .4, .6, .1 }, { .3, -.5, .2, .7 } }
    local q, weighted, size = { x1, y1, x2, y2 }, 0, 0
    for i = 1, 4 do
      for j = 1, 4 do weighted = weighted + a[i] * W[i][j] / 10 * q[j] end
      size = size + a[i]^2
    end
    local gA = function(s)
      return x1 * x2 + 0.3 * P1.vx^2 + P2.vy * y1 * L1 + k * y2^2 / 50 + x1 * P2.vx * sin(s.t)
    end
    local wA = x1 * y2 + P2.vx^2 / 3 + P1.vy * x2 + m1 * x1
    local gB = function(s) return gA(s) + m2 * weighted + (lambda1 * x1 + lambda2 * x2^2) / 20 end
    local gC = function(s) return gB(s) + size / 40 + (lambda1^2 + lambda2^2 * x1) / 50 end
    local wC = wA + m1 * size / 30 + (lambda1 * x1 + lambda2^2) / 40
    return m, over, { m:objective { "psiA", integral = gA, terminal = wA },
                      m:objective { "psiB", integral = gB, terminal = wA },
                      m:objective { "psiC", integral = gC, terminal = wC } }
  end
  local recomputed = {
    { "exact", 1, mbs.index1 {},
      { 0.18995790481, 0.3415814493, 0.02182210535, -0.3700411374, -0.05954321098, 0.07367396383, -0.02420865853,
        -0.7280122712 },
      { 0.32957644161, 0.41467683316, 0.17175043207, -0.34102466789, -0.04275815829, 0.09110739654, -0.03056413923,
        -0.89328904141 },
      { 2.3892027995, 1.73260706223, 3.04997683936, -3.1916276345, -1.42211269955, 0.12560607613, -0.09633300749,
        -0.58862875159 } },
    { "penalty", sqrt(1.5), mbs.penalty { alpha = 80, xi = 1, omega = 10 },
      { 0.19056269168, 0.34182820692, 0.02226032219, -0.36937046202, -0.06044350635, 0.07368265774, -0.02430798448,
        -0.7282565661 },
      { 0.33014936289, 0.41496666192, 0.172103859, -0.34037490847, -0.0436197056, 0.09112920039, -0.03068234935,
        -0.89368545572 },
      { 2.3887390231, 1.73192538284, 3.0480728581, -3.18726602433, -1.42141768452, 0.12564447287, -0.09648606461,
        -0.58842034528 } } }
  for _, case in ipairs(recomputed) do
    local m, over, objectives = problem(case[2])
    for _, method in ipairs { { "adjoint", mbs.adjoint {} }, { "direct", mbs.direct {} } } do
      local got = m:gradient { objectives, over = over, t = 0.6, independent = { "P1.x", "P2.x" }, method = method[2],
                               formulation = case[3], integrator = mbs.rk4 { step = 1e-3 } }
      for o = 1, #objectives do
        local name = case[1] .. ", " .. objectives[o].name
        compare("T", name, method[1], case[3 + o][1], got[o].value)
        for i, p in ipairs(over) do
          compare("T", name .. " by " .. p.name, method[1], case[3 + o][1 + i], got[o].gradient[i])
        end
      end
    end
  end
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

print(("%-4s %-18s %-20s %16s %16s %10s"):format("", "quantity", "method", "recomputed", "computed", "relative"))
for _, r in ipairs(rows) do
  print(("%-4s %-18s %-20s %16.9g %16.9g %10.1e"):format(r.problem, r.quantity, r.method, r.recomputed, r.computed,
                                                         math.abs(r.computed / r.recomputed - 1)))
end
if options.json ~= "" then mbs.write_json(options.json, { rows = rows }) end
