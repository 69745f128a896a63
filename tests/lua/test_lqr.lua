-- State feedback by mbs.lqr: closed forms, the Riccati equation evaluated here, and mechanisms whose linearization has
-- the eigenvalues that the gains promise.
local mbs = require "perilune"
local check = require "check"

-- Double integrator with Q = I, R = 1: K = (1, sqrt 3), P = ((sqrt 3, 1), (1, sqrt 3)).
do
  local found = mbs.lqr { A = { { 0, 1 }, { 0, 0 } }, B = { { 0 }, { 1 } }, Q = { 1, 1 }, R = { 1 } }
  local K, P, root = found.gain[1], found.riccati, math.sqrt(3)
  check.near(K[1], 1, 1e-13)
  check.near(K[2], root, 1e-13)
  for i, row in ipairs { { root, 1 }, { 1, root } } do
    for j, x in ipairs(row) do check.near(P[i][j], x, 1e-13) end
  end
  -- s^2 + sqrt 3 s + 1
  check.near(found.eigenvalues[1].real, -root / 2, 1e-13)
  check.near(math.abs(found.eigenvalues[1].imaginary), 1 / 2, 1e-13)
  assert(tostring(found):find "slowest eigenvalue %-0.866025 1/s")
end

-- One state: p = r (a + sqrt(a^2 + b^2 q / r)) / b^2 over many sizes, stable and unstable.
for _, a in ipairs { -3, 0, 2, 1e4, 1e-4 } do
  for _, b in ipairs { 1e-3, 1, -50 } do
    for _, q in ipairs { 1e-4, 1, 1e5 } do
      local r = 0.7
      local found = mbs.lqr { A = { { a } }, B = { { b } }, Q = { { q } }, R = { { r } } }
      local p = r * (a + math.sqrt(a ^ 2 + b ^ 2 * q / r)) / b ^ 2
      if a < 0 then p = q / (math.sqrt(a ^ 2 + b ^ 2 * q / r) - a) end -- the same without cancellation
      check.near(found.gain[1][1] / (b * p / r), 1, 1e-7, ("a = %g, b = %g, q = %g"):format(a, b, q))
      check.near(found.eigenvalues[1].real / -math.sqrt(a ^ 2 + b ^ 2 * q / r), 1, 1e-7)
    end
  end
end

-- Matrices without structure: the equation itself, and stability.
local function times(A, B)
  local C = {}
  for i = 1, #A do
    C[i] = {}
    for j = 1, #B[1] do
      C[i][j] = 0
      for k = 1, #B do C[i][j] = C[i][j] + A[i][k] * B[k][j] end
    end
  end
  return C
end
local function transposed(A)
  local C = {}
  for j = 1, #A[1] do
    C[j] = {}
    for i = 1, #A do C[j][i] = A[i][j] end
  end
  return C
end
for seed = 1, 12 do
  math.randomseed(seed)
  local n, inputs = 2 + seed % 6, 1 + seed % 3
  local function random(rows, columns)
    local M = {}
    for i = 1, rows do
      M[i] = {}
      for j = 1, columns do M[i][j] = 2 * math.random() - 1 end
    end
    return M
  end
  local A, B, half = random(n, n), random(n, inputs), random(n, n)
  local Q, R = times(half, transposed(half)), {}
  for i = 1, inputs do R[i] = 0.5 + math.random() end
  local found = mbs.lqr { A = A, B = B, Q = Q, R = R }
  local P, K = found.riccati, found.gain
  local PA, PBK = times(P, A), times(times(P, B), K)
  local size, worst = 0, 0
  for i = 1, n do
    for j = 1, n do
      size = math.max(size, math.abs(PA[i][j]), math.abs(PBK[i][j]))
      worst = math.max(worst, math.abs(PA[i][j] + PA[j][i] - PBK[i][j] + Q[i][j]))
    end
  end
  assert(worst < 1e-11 * size, ("seed %d: residual %.1e"):format(seed, worst / size))
  local BP = times(transposed(B), P)
  for i = 1, inputs do
    for j = 1, n do check.near(K[i][j], BP[i][j] / R[i], 1e-11) end
  end
  for _, s in ipairs(found.eigenvalues) do assert(s.real < 0) end
end

-- A cart with a pole: A and B on paper, gains into the law of a force, and the nonlinear model's own linearization.
do
  local M, mass, l, J, g = 2, 0.5, 0.6, 0.03, 9.81
  local m = mbs.model { gravity = { 0, -g } }
  local cart = m:body { "cart", mass = M, inertia = 1 }
  local pole = m:body { "pole", mass = mass, inertia = J, at = { 0, l } }
  m:translational { "rail", m.ground, cart, at = { 0, 0 }, axis = "x" }
  local hinge = m:revolute { "hinge", cart, pole, at = { 0, 0 } }
  -- (M + m) x'' - m l phi'' = F, -m l x'' + (J + m l^2) phi'' = m g l phi, with phi positive to the left.
  local D = (M + mass) * (J + mass * l ^ 2) - (mass * l) ^ 2
  local A = { { 0, 0, 1, 0 }, { 0, 0, 0, 1 }, { 0, mass ^ 2 * l ^ 2 * g / D, 0, 0 },
              { 0, (M + mass) * mass * g * l / D, 0, 0 } }
  local B = { { 0 }, { 0 }, { (J + mass * l ^ 2) / D }, { mass * l / D } }
  local found = mbs.lqr { A = A, B = B, Q = { 10, 100, 1, 1 }, R = { 0.1 } }
  local K = found.gain[1]
  m:force { "drive", on = cart, law = function(s)
    return -K[1] * cart.x - K[2] * hinge.angle - K[3] * cart.vx - K[4] * hinge.omega, 0
  end }
  local small = m:linearize {}
  assert(small.stable and #small.eigenvalues == 4)
  for _, wanted in ipairs(found.eigenvalues) do
    local nearest = math.huge
    for _, s in ipairs(small.eigenvalues) do
      nearest = math.min(nearest, math.abs(s.real - wanted.real) + math.abs(s.imaginary - wanted.imaginary))
    end
    assert(nearest < 1e-9, nearest)
  end
end

-- What cannot be, and what is mistaken.
local A, B = { { 0, 1 }, { 0, 0 } }, { { 0 }, { 1 } }
local function with(fields)
  local all = { A = A, B = B, Q = { 1, 1 }, R = { 1 } }
  for key, value in pairs(fields) do all[key] = value end
  return all
end
check.fails("no input reaches the motion with the eigenvalue 2 1/s", mbs.lqr,
            with { A = { { -1, 0 }, { 0, 2 } }, B = { { 1 }, { 0 } } })
check.fails("no input reaches the motion with the eigenvalue 0 1/s", mbs.lqr, with { B = { { 1 }, { 0 } } })
check.fails("no input reaches the motion with the eigenvalue 0 1/s", mbs.lqr, with { B = { { 0 }, { 0 } } })
check.fails("no input reaches the motion with the eigenvalue 0 + 3i 1/s", mbs.lqr, with {
  A = { { 0, 3, 0 }, { -3, 0, 0 }, { 0, 0, 1 } }, B = { { 0 }, { 0 }, { 1 } }, Q = { 1, 1, 1 } })
check.fails("Q does not see the motion with the eigenvalue 0 + 3i 1/s", mbs.lqr, with {
  A = { { 0, 3 }, { -3, 0 } }, Q = { 0, 0 } })
check.fails("R must be positive definite", mbs.lqr, with { R = { 0 } })
check.fails("R must be positive definite", mbs.lqr, with { R = { -1 } })
check.fails("Q must not have negative eigenvalues", mbs.lqr, with { Q = { 1, -1 } })
check.fails("Q must be symmetric", mbs.lqr, with { Q = { { 1, 0.5 }, { 0, 1 } } })
check.fails("A must have 3 rows, got 2", mbs.lqr, with { A = { { 0, 1, 0 }, { 0, 0, 1 } } })
check.fails("A: row 2 has 1 numbers, the first has 2", mbs.lqr, with { A = { { 0, 1 }, { 0 } } })
check.fails("B must have 2 rows, got 1", mbs.lqr, with { B = { { 1 } } })
check.fails("A is empty", mbs.lqr, with { A = {} })
check.fails("R must have 1 components", mbs.lqr, with { R = { 1, 2 } })
-- A motion that decays by itself may be out of reach, and one that Q does not see may decay.
mbs.lqr(with { A = { { -1, 0 }, { 0, 2 } }, B = { { 0 }, { 1 } }, Q = { 0, 1 } })

print "linear quadratic regulator: ok"

-- A table that holds itself is no matrix, and no field of anything else.
do
  local loop = {}
  loop[1], loop.me = loop, loop
  check.fails("A[1][1] must be a number, got a table", mbs.lqr, with { A = loop })
  local m = mbs.model {}
  check.fails("stiffness[1] must be a number, got a table", function() m:spring { m:ground { at = { 0, 0 } }, m:point { "P", at = { 1, 0 }, mass = 1 }, stiffness = loop } end)
  check.fails("at", function() m:point { "Q", mass = 1, at = loop } end)
end
