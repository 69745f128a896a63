-- m:accuracy: the error that it tells is that of the run, within a factor of three, against closed forms, and steps
-- become finer until an accuracy that is asked for is reached.
local mbs = require "perilune"

-- Each returns a model, an objective, the end time and the exact value.
local cases = {
  oscillator = function() -- x = cos(7 t): the integral of x^2
    local m = mbs.model { "oscillator", gravity = { 0, 0 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:force { on = P, law = function(s) return -49 * P.x(s), 0 end }
    return m, m:objective { "psi", integral = function(s) return P.x(s)^2 end }, 2, 1 + math.sin(28) / 28
  end,
  damped = function() -- x'' + 2 x' + 26 x = 0 from 1: x = exp(-t) (cos 5 t + sin(5 t) / 5)
    local m = mbs.model { "damped", gravity = { 0, 0 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:force { on = P, law = function(s) return -26 * P.x(s) - 2 * P.vx(s), 0 end }
    local t = 1.5
    return m, m:objective { "psi", terminal = P.x }, t, math.exp(-t) * (math.cos(5 * t) + math.sin(5 * t) / 5)
  end,
  drag = function() -- v' = -v^2: v = 1 / (1 + t), x = log(1 + t)
    local m = mbs.model { "drag", gravity = { 0, 0 } }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 2, 0 }, mass = 1 }
    m:force { on = P, law = function(s) return -P.vx(s)^2, 0 end }
    return m, m:objective { "psi", terminal = P.x }, 3, math.log(7)
  end,
  orbit = function() -- a circle of radius 1 by a central force: after 2 s at (cos 2, sin 2)
    local m = mbs.model { "orbit", gravity = { 0, 0 } }
    local P = m:point { "P", at = { 1, 0 }, velocity = { 0, 1 }, mass = 1 }
    m:force { on = P, law = function(s)
      local r3 = (P.x(s)^2 + P.y(s)^2)^1.5
      return -P.x(s) / r3, -P.y(s) / r3
    end }
    return m, m:objective { "psi", terminal = P.y }, 2, math.sin(2)
  end,
  cone = function() -- a conical pendulum, with a constraint: x = sin(a) cos(w t), w^2 = g / (L cos(a))
    local m = mbs.model { "cone", gravity = { 0, 0, -9.81 } }
    local a = 0.6
    local w = (9.81 / math.cos(a))^0.5
    local P = m:point { "P", at = { math.sin(a), 0, -math.cos(a) }, velocity = { 0, w * math.sin(a), 0 }, mass = 1 }
    m:distance { m:ground { at = { 0, 0, 0 } }, P }
    return m, m:objective { "psi", terminal = P.x }, 1.3, math.sin(a) * math.cos(1.3 * w)
  end,
}
local integrators = {
  rk4 = mbs.rk4 { step = 0.04 },
  trapezoidal = mbs.trapezoidal { step = 0.01 },
  dormand_prince = mbs.dormand_prince { relative_tolerance = 1e-6, absolute_tolerance = 1e-8 },
  radau = mbs.radau { relative_tolerance = 1e-6, absolute_tolerance = 1e-8 },
}
for name, case in pairs(cases) do
  for method, integrator in pairs(integrators) do
    local m, psi, t, exact = case()
    local found = m:accuracy { psi, t = t, integrator = integrator, formulation = mbs.maggi {} }
    local truth = math.abs(found.values.psi - exact)
    local ratio = found.errors.psi / truth
    if os.getenv "SHOW" then print(name, method, truth, ratio) end
    assert(ratio > 1 / 3 and ratio < 3, ("%s, %s: error %g told as %g"):format(name, method, truth, found.errors.psi))
  end
end

local m, psi, t, exact = cases.orbit()
for _, integrator in ipairs { mbs.dormand_prince { relative_tolerance = 1e-4 }, mbs.rk4 { step = 0.1 } } do
  local found = m:accuracy { psi, t = t, integrator = integrator, accuracy = 1e-8 }
  assert(found.reached and math.abs(found.values.psi - exact) < 1.1e-8)
  assert(tostring(found):find("psi = 0.9092974%d* %+%- %d%.?%de%-%d+\n"), tostring(found))
end
local found = m:accuracy { psi, t = t, integrator = mbs.dormand_prince {}, accuracy = 1e-18 }
assert(not found.reached and tostring(found):find("rounding", 1, true), tostring(found))

do -- derivatives of what stays at rest, by steps as long as the run: off, and said so
  local m = mbs.model { "rest", gravity = { 0, 0 } }
  local x0 = m:param { "x0", 0, unit = "m" }
  local P = m:point { "P", at = { x0, 0 }, mass = 2 }
  m:force { on = P, law = function(s) return -100 * s.x, 0 end }
  local stop = m:objective { "end at rest", terminal = P.x }
  local told = m:gradient { stop, t = 3 }
  assert(told.warnings[1] and told.warnings[1]:find("nothing moves", 1, true), tostring(told))
  local right = m:gradient { stop, t = 3, integrator = mbs.dormand_prince { max_step = 0.02 } }
  assert(#right.warnings == 0 and math.abs(right.gradient[1] - math.cos(3 * 50^0.5)) < 1e-6, tostring(right))
end
