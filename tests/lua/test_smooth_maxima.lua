-- Smooth stand-ins for extrema against closed forms: over whole swings of x = A cos(w t) the mean of exp(k x / r) is
-- the modified Bessel function I0(k A / r), and the mean of x^p is that of a cosine's power.
local mbs = require "perilune"
local check = require "check"

local function I(n, x)  -- by its series
  local term = (x / 2) ^ n
  for i = 2, n do term = term / i end
  local sum, k = 0, 0
  while term > 1e-18 * sum or k < 3 do
    sum, k = sum + term, k + 1
    term = term * (x / 2) ^ 2 / (k * (k + n))
  end
  return sum
end

local m = mbs.model { "oscillator" }
local A = m:param { "A", 0.4, unit = "m", min = 0.1, max = 1 }
local w = 2 * math.pi
local P = m:point { "P", at = { A, 0 }, mass = 1 }
m:force { "f", on = P, law = function() return -w ^ 2 * P.x, 0 end }
local k, r = 30, 0.5
local z = k * 0.4 / r
local greatest = m:objective { "greatest", maximum = P.x, smooth = "ks", sharpness = k, about = r }
local least = m:objective { "least", minimum = P.x, smooth = "ks", sharpness = k, about = -r }
local size = m:objective { "size", maximum = P.x, smooth = "p_norm", sharpness = 10, about = r }
local swing = 252 / 1024  -- the mean of cos^10: C(10, 5) / 2^10
local bend = k / r * (1 - I(1, z) / z / I(0, z) - (I(1, z) / I(0, z)) ^ 2)
local expected = {
  { greatest, r / k * math.log(I(0, z)), I(1, z) / I(0, z), bend },
  { least, -r / k * math.log(I(0, z)), -I(1, z) / I(0, z), -bend },
  { size, 0.4 * swing ^ 0.1, swing ^ 0.1, 0 },
}
for _, integrator in ipairs { mbs.rk4 { step = 1e-3 }, mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } } do
  local run = m:simulate { t = 2, integrator = integrator, objectives = { greatest, least, size } }
  for _, case in ipairs(expected) do
    local objective, value, slope = case[1], case[2], case[3]
    check.near(run.objectives[objective.name], value, 1e-8)
    check.near(math.abs(run.peaks[objective.name].value), 0.4, 1e-7)  -- what it stands for
    check.equal(run.peaks[objective.name].smooth, run.objectives[objective.name])
    for _, method in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.continuous_direct {}, mbs.continuous_adjoint {},
                              mbs.finite_difference { step = 1e-3, richardson = 2 } } do
      check.near(m:gradient { objective, t = 2, integrator = integrator, method = method }.gradient[1], slope, 1e-7)
    end
  end
end
for _, case in ipairs(expected) do
  local second = m:hessian { case[1], t = 2, integrator = mbs.rk4 { step = 1e-3 }, formulation = mbs.index1 {} }
  check.near(second.matrix[1][1], case[4], 1e-6)
  check.near(second.gradient[1], case[3], 1e-7)
end

-- A window counts its own time; the stand-in never exceeds the extremum.
local late = m:objective { "late", maximum = P.x, from = 0.2, to = 0.6, smooth = "ks", about = 0.12 }
local run = m:simulate { t = 2, integrator = mbs.dormand_prince {}, objectives = { late } }
check.near(run.peaks.late.value, 0.4 * math.cos(w * 0.2), 1e-6)
assert(run.objectives.late < run.peaks.late.value and run.objectives.late > run.peaks.late.value - 0.05)
check.near(m:gradient { late, t = 2 }.gradient[1],
           m:gradient { late, t = 2, method = mbs.direct {} }.gradient[1], 1e-10)

-- An optimum says what its smooth extrema stand for: here the amplitude, beyond the limit of its stand-in.
do
  local m = mbs.model { "oscillator", gravity = { 0, 0 } }
  local A = m:param { "A", 0.5, min = 0.1, max = 3, unit = "m" }
  local P = m:point { "P", at = { A, 0 }, mass = 1 }
  m:spring { m:ground { at = { 0, 0 } }, P, stiffness = 4, free_length = 0 }
  local swing = m:objective { "swing", maximum = P.x, smooth = "ks", sharpness = 60, about = 1 }
  local far = m:objective { "far", terminal = -P.x }
  local best = m:optimize { minimize = far, over = A, t = math.pi, subject_to = { { "swing", swing, max = 1 } } }
  check.near(best.constraints.swing.value, 1, 1e-6)
  check.near(best.extrema.swing.value, A.value, 1e-6)
  check.near(best.extrema.swing.smooth, 1, 1e-6)
  assert(A.value > 1.01)
  local excess = tostring(best):match "what the smooth extrema stand for:.-swing%s+1%s+([%d.]+)"
  check.near(tonumber(excess), A.value, 1e-5)
  assert(tostring(best):find(("%.3g beyond its limit"):format(A.value - 1), 1, true), tostring(best))
  local two = m:optimize { minimize = far, over = A, t = math.pi, subject_to = { { "swing", swing, max = 1 } },
                           experiments = { { "as it is" }, { "half", set = { A = A / 2 } } } }
  check.near(two.extrema["swing in half"].value, A.value / 2, 1e-6)
end

-- `about` half as much again as the extremum: the integrand is below the tolerance of steps all the way, which is told.
do
  local m = mbs.model { "flight", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  for _, kind in ipairs { "ks", "p_norm" } do
    local function reached(about)
      local name = kind .. about
      local o = m:objective { name, maximum = P.x, smooth = kind, about = about }
      local run = m:simulate { t = 2, objectives = { o } }
      return run.objectives[name], table.concat(run.warnings, "\n")
    end
    local k = 50 / 2
    local expected = kind == "ks" and 2 + math.log((1 - math.exp(-2 * k)) / (2 * k)) / k or 2 * (1 / 51) ^ (1 / 50)
    local value, text = reached(2)
    check.near(value, expected, 1e-8)
    assert(text == "", text)
    text = select(2, reached(3))
    assert(text:find("is far from its extremum", 1, true), text)
  end
end
