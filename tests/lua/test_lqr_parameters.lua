-- Gains of mbs.lqr that follow parameters: closed forms with their derivatives, gains designed anew, and what is said
-- where they do not follow.
local mbs = require "perilune"
local check = require "check"

-- A mass m with weights w, u of place and speed and the price r of the force: k1 = sqrt(w / r) and
-- k2 = sqrt(u / r + 2 m k1), at a cost x0^2 sqrt(w (u + 2 m sqrt(w r))).
local function rail(weight, mass)
  local m = mbs.model { "rail", gravity = { 0, 0 } }
  local w, u, r = m:param { "w", weight }, m:param { "u", 1 }, m:param { "r", 0.7, min = 1e-3 }
  local inert = m:param { "mass", mass, unit = "kg", min = 0.1 }
  local P = m:point { "P", at = { 1.5, 0 }, mass = inert }
  local found = mbs.lqr { A = { { 0, 1 }, { 0, 0 } }, B = { { 0 }, { 1 / inert } }, Q = { w, u }, R = { r } }
  local K = found.gain[1]
  m:force { "feedback", on = P, law = function(s) return -K[1] * s.x - K[2] * s.vx, 0 end }
  local cost = m:objective { "cost", integral = w * P.x^2 + u * P.vx^2 + r * (K[1] * P.x + K[2] * P.vx)^2 }
  return m, found, cost, { w, u, r, inert }
end

local m, found, cost, over = rail(100, 2)
local w, u, r, mass = table.unpack(over)
local function root(x) return x^0.5 end
local function expected() -- at the parameters' values, and the derivatives of the squared cost by hand
  local W, U, R, M = w.value, u.value, r.value, mass.value
  local k1 = root(W / R)
  local square = W * (U + 2 * M * root(W * R))
  local by = { U + 3 * M * root(W * R), W, M * W * root(W / R), 2 * W * root(W * R) }
  for k = 1, 4 do by[k] = 1.5^2 * by[k] / (2 * root(square)) end
  return k1, root(U / R + 2 * M * k1), 1.5^2 * root(square), by
end
local exact = { relative_tolerance = 1e-12, absolute_tolerance = 1e-14 }
local function compare(tolerance)
  local k1, k2, value, by = expected()
  check.near(found.gain[1][1].value / k1, 1, 1e-12, "k1")
  check.near(found.gain[1][2].value / k2, 1, 1e-12, "k2")
  local slow = 25 * k2 / k1 -- what is left of the motion then is below rounding
  check.near(1.5^2 * found.riccati[1][1].value / value, 1, 1e-12, "P")
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
    local g = m:gradient { cost, over = over, t = slow, method = method, integrator = mbs.radau(exact) }
    check.near(g.value / value, 1, tolerance, "cost")
    for k = 1, 4 do check.near(g.gradient[k] / by[k], 1, tolerance, tostring(method) .. ": " .. over[k].name) end
  end
end
compare(1e-9)
-- Far from where the gains were designed, to both sides.
for _, values in ipairs { { 1e-2, 3, 0.01, 20 }, { 1e4, 0.02, 5, 0.2 } } do
  for k, x in ipairs(values) do over[k].value = x end
  compare(1e-7)
end

-- Second derivatives: of the cost, which is a function of w and r alone that was differentiated by hand above.
do
  local m, _, cost, over = rail(3, 1)
  local w = over[1]
  local function slope(x)
    w.value = x
    return m:gradient { cost, over = over, t = 60, integrator = mbs.radau(exact) }.gradient
  end
  local step = 1e-3
  local above, below = slope(3 + step), slope(3 - step)
  w.value = 3
  local hessian = m:hessian { cost, over = over, t = 60, integrator = mbs.radau { step = 0.05 } }.matrix
  for k = 1, 4 do check.near(hessian[1][k], (above[k] - below[k]) / (2 * step), 3e-6 * math.abs(hessian[1][1]) + 1e-6) end
end

-- Two inputs, four states, entries everywhere: gains that follow are those of the design anew.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local a, b = m:param { "a", 1 }, m:param { "b", 2 }
  local function matrices(a, b)
    local A, B = {}, {}
    for i = 1, 4 do
      A[i], B[i] = {}, {}
      for j = 1, 4 do A[i][j] = math.sin(i * j * j * 1.7 + i) + (i == j and a or 0) + (i < j and 0.1 * b * a or 0) end
      for j = 1, 2 do B[i][j] = math.cos(3 * i + j * i) * b + (i == j and 1 or 0) end
    end
    return { A = A, B = B, Q = { a, b, 1, 2 }, R = { { 1 + a, 0.2 }, { 0.2, b } } }
  end
  local follows = mbs.lqr(matrices(a, b))
  for _, at in ipairs { { 1, 2 }, { 1.5, 1 }, { 0.2, 4 } } do
    a.value, b.value = at[1], at[2]
    local anew = mbs.lqr(matrices(at[1], at[2]))
    for i = 1, 2 do
      for j = 1, 4 do check.near(follows.gain[i][j].value, anew.gain[i][j], 1e-9, "gain") end
    end
  end
end

-- Too far: a run says so, and where.
local m, found, cost, over = rail(1, 1)
m:simulate { t = 0.1 }
over[1].value = 1e12
check.fails(": the gains do not follow the parameters this far", function()
  m:simulate { t = 0.1 }
end)
over[1].value = -1
check.fails("Q must not have negative eigenvalues", function() m:simulate { t = 0.1 } end)
over[1].value = 1
m:simulate { t = 0.1 }

-- A small gain beside a large one, which does not depend on it, is not hidden by it.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local w = m:param { "w", 1, min = 0 }
  local P = m:point { "P", at = { 1, 1 }, mass = 1 }
  local K = mbs.lqr { A = { { 0, 0 }, { 0, 0.2 } }, B = { { 1, 0 }, { 0, 1 } }, Q = { w, 1 }, R = { 1, 1 } }.gain
  m:force { on = P, law = function(s) return -K[1][1] * s.x - s.vx, -K[2][2] * s.y - s.vy end }
  for _, x in ipairs { 1e4, 1e8, 1e12 } do
    w.value = x
    if pcall(m.simulate, m, { t = 0.01 }) then
      check.near(K[2][2].value, 0.2 + 1.04^0.5, 1.3e-6, "the small gain")
    else
      check.fails("gain[2][2] is 1.", function() m:simulate { t = 0.01 } end)
      assert(x > 1e4)
    end
  end
end

-- What does not belong: too many states, and what is no expression of parameters.
local function eye(n, x)
  local rows = {}
  for i = 1, n do
    rows[i] = {}
    for j = 1, n do rows[i][j] = i == j and x or 0 end
  end
  return rows
end
check.fails("A[1][1] must not depend on the state, but reads P.x", function()
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  mbs.lqr { A = { { P.x } }, B = { { 1 } }, Q = { 1 }, R = { 1 } }
end)
check.fails("gains follow parameters with up to 6 states, not with 7; take the .value of the entries", function()
  mbs.lqr { A = eye(7, over[1]), B = eye(7, 1), Q = eye(7, 1), R = eye(7, 1) }
end)
