-- Dormand and Prince's method of order 8: its order on a motion in closed form that is not linear, what its steps cost,
-- its derivatives in closed form, beside events, by every form and exact method, and where explicit steps end.
local mbs = require "perilune"
local check = require "check"

-- Kepler's ellipse with half axis 1, eccentricity 0.3 and period 2 pi, from the pericentre.
local e = 0.3
local function kepler(t)
  local E = t
  for _ = 1, 50 do E = E - (E - e * math.sin(E) - t) / (1 - e * math.cos(E)) end
  return math.cos(E) - e, math.sqrt(1 - e ^ 2) * math.sin(E)
end
local function planet()
  local m = mbs.model { "planet", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1 - e, 0 }, velocity = { 0, math.sqrt((1 + e) / (1 - e)) }, mass = 1 }
  m:force { on = P, law = function(s)
    local r3 = (P.x(s) ^ 2 + P.y(s) ^ 2) ^ 1.5
    return -P.x(s) / r3, -P.y(s) / r3
  end }
  return m
end
local m = planet()
local function off(run, t)
  local x, y = kepler(t)
  return math.sqrt((run:at("P.x", t) - x) ^ 2 + (run:at("P.y", t) - y) ^ 2)
end

-- With tolerances that anything fulfils, steps are as long as max_step says: half of it has a 256th of the error.
local errors = {}
for k, step in ipairs { 0.1, 0.05 } do
  local run = m:simulate { t = 5, integrator = mbs.dormand_prince { order = 8, relative_tolerance = 1e3,
    absolute_tolerance = 1e3, max_step = step, initial_step = step } }
  check.equal(run.steps, 5 / step)
  errors[k] = off(run, 5)
end
local order = math.log(errors[1] / errors[2], 2)
assert(order > 7.5 and order < 8.5, ("order %g"):format(order))
assert(errors[2] < 1e-12, errors[2])

-- At the same tolerances it has a smaller error in fewer steps, between mesh points, too.
for _, tolerance in ipairs { 1e-6, 1e-8, 1e-10 } do
  local runs = {}
  for _, order in ipairs { 5, 8 } do
    runs[order] = m:simulate { t = 6, integrator = mbs.dormand_prince { order = order, relative_tolerance = tolerance,
      absolute_tolerance = tolerance } }
  end
  assert(runs[8].steps < 0.65 * runs[5].steps, runs[8].steps)
  for k = 1, 60 do
    assert(off(runs[8], k / 10) < 10 * tolerance, ("%g at %g"):format(off(runs[8], k / 10), k / 10))
  end
  assert(off(runs[8], 6) < off(runs[5], 6))
end
assert(tostring(m:simulate { t = 1, integrator = mbs.dormand_prince { order = 8 } }):find("dormand_prince8", 1, true))

-- An oscillator in closed form: integral of x^2 over time, and its derivatives by stiffness and mass.
local function oscillator()
  local o = mbs.model { "oscillator", gravity = { 0, 0 } }
  local k, mass = o:param { "k", 40, unit = "N/m" }, o:param { "mass", 1.6, unit = "kg" }
  local P = o:point { "P", at = { 1, 0 }, mass = mass }
  o:force { on = P, law = function(s) return -k(s) * P.x(s), 0 end }
  return o, o:objective { "J", integral = function(s) return P.x(s) ^ 2 end }, { k, mass }
end
local o, J, over = oscillator()
local T, w = 2, 5
-- J = T / 2 + sin(2 w T) / (4 w).
local by_w = T * math.cos(2 * w * T) / (2 * w) - math.sin(2 * w * T) / (4 * w ^ 2)
local expected = { by_w * w / (2 * 40), -by_w * w / (2 * 1.6) }
for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 5 } } do
  local g = o:gradient { J, over = over, method = method, t = T,
    integrator = mbs.dormand_prince { order = 8, relative_tolerance = 1e-9, absolute_tolerance = 1e-9 } }
  check.near(g.value, T / 2 + math.sin(2 * w * T) / (4 * w), 1e-9)
  for i = 1, 2 do check.near(g.gradient[i], expected[i], 1e-8) end
end

-- The five-bar with a spring that acts on one side alone, in every form: direct and adjoint are the same number, that of
-- the method of order 5 with fine steps, whose derivatives are tested elsewhere.
local function five_bar()
  local f = mbs.model { "five-bar", gravity = { 0, -9.81 } }
  local A, B = f:ground { at = { -1, 0 } }, f:ground { at = { 0.5, 0 } }
  local P = { f:point { "P1", at = { -1.5, 1 } }, f:point { "P2", at = { 0, 2 } }, f:point { "P3", at = { 1, 1 } } }
  local m2, k = f:param { "m2", 1.5, unit = "kg" }, f:param { "k", 100, unit = "N/m" }
  local chain = { A, P[1], P[2], P[3], B }
  for i = 1, 4 do f:bar { "bar" .. i, chain[i], chain[i + 1], mass = i == 2 and m2 or 1.5 } end
  f:spring { A, P[2], stiffness = k, free_length = 2.2 }
  f:force { on = P[2], law = function(s) return 0, 300 * math.max(1.9 - P[2].y(s), 0) end }
  return f, f:objective { "J", integral = function(s) return P[2].x(s) ^ 2 end }, { m2, k }
end
local f, cost, design = five_bar()
local fine = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-11 }
local reference = f:gradient { cost, over = design, method = mbs.direct {}, t = 1, integrator = fine }
assert(#f:simulate { t = 1, integrator = mbs.dormand_prince { order = 8 } }.events > 0)
for name, form in pairs { index1 = mbs.index1 {}, projected = mbs.index1 { project = true }, maggi = mbs.maggi {},
                          partitioning = mbs.coordinate_partitioning {},
                          lagrangian = mbs.augmented_lagrangian { index = 1 } } do
  local found = {}
  for k, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
    found[k] = f:gradient { cost, over = design, method = method, t = 1, formulation = form,
      integrator = mbs.dormand_prince { order = 8, relative_tolerance = 1e-9, absolute_tolerance = 1e-10 } }.gradient
    for i = 1, 2 do check.near(found[k][i], reference.gradient[i], 1e-6, name) end
  end
  for i = 1, 2 do check.near(found[1][i], found[2][i], 1e-11, name) end
end

-- A damper that is stiff for it: the run says that its steps are as long as the method is stable.
local s = mbs.model { "stiff", gravity = { 0, 0 } }
local Q = s:point { "Q", at = { 1, 0 }, mass = 1 }
s:force { on = Q, law = function(x) return -1e4 * Q.vx(x) - 3 * Q.x(x), 0 end }
local stiff = s:simulate { t = 2, integrator = mbs.dormand_prince { order = 8, relative_tolerance = 1e-6,
  absolute_tolerance = 1e-6 } }
local said = false
for _, warning in ipairs(stiff.warnings) do said = said or warning:find("stability, not accuracy", 1, true) ~= nil end
assert(said, tostring(stiff))

check.fails("order must be 5 or 8, got 7", mbs.dormand_prince, { order = 7 })
