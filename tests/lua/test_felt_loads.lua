-- Derivatives of forces that feel loads, as friction in joints does: where they are known to be off, a warning says so.
local mbs = require "perilune"
local check = require "check"

local function warns(g, of)
  for _, warning in ipairs(g.warnings) do
    if warning:find(of, 1, true) then return true end
  end
  return false
end

-- Two arms, the first with friction in its pin, the second on a stop.
local m = mbs.model { gravity = { 0, -9.81 } }
local k, L = m:param { "k", 3000 }, m:param { "L", 0.8 }
local a = m:body { "a", mass = 1, inertia = 0.1, center_of_mass = { 0.4, 0 }, angle = -0.3 }
local pin = m:revolute { "pin", m.ground, a, at = { 0, 0 }, radius = 0.05,
                         friction = mbs.coulomb { coefficient = 0.3, regularization = 0.1 } }
local x, y = 0.8 * math.cos(0.3), -0.8 * math.sin(0.3)
local b = m:body { "b", mass = 1, inertia = 0.1, center_of_mass = { 0.3, 0 }, at = { x, y }, angle = -0.2 }
m:revolute { "elbow", a, b, at = { x, y } }
m:bump_stop { on = b:point { L - 0.1, 0 }.y, lower = -0.4, stiffness = k, damping = 20 }
local cost = m:objective { "cost", terminal = pin.angle * pin.omega, integral = pin.angle ^ 2 }

local function value(dk, dL)
  k.value, L.value = 3000 + dk, 0.8 + dL
  local run = m:simulate { objectives = cost, t = 0.8, formulation = mbs.maggi {},
                           integrator = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-12 } }
  k.value, L.value = 3000, 0.8
  return run.objectives.cost
end
local function difference(dk, dL, h) return (value(dk, dL) - value(-dk, -dL)) / (2 * h) end
local exact = { difference(5, 0, 5), difference(0, 1e-3, 1e-3) }

local function gradient(formulation, method, t, phases)
  return m:gradient { cost, over = { k, L }, t = t or 0.8, phases = phases, formulation = formulation, method = method,
                      integrator = mbs.bdf { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 } }
end
local sentence = "those of index 3 have not converged"
for _, method in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.finite_difference {} } do
  local right = gradient(mbs.index2 {}, method)
  assert(not warns(right, sentence), "no warning of index 2")
  for i = 1, 2 do check.near(right.gradient[i], exact[i], 1e-4 * math.abs(exact[i]), "index 2 by " .. tostring(method)) end
end
for _, formulation in ipairs { mbs.index3 {}, mbs.augmented_lagrangian { index = 3 } } do
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
    local g = gradient(formulation, method)
    assert(warns(g, sentence), "the warning of index 3")
    assert(warns(g, 'such as that of "pin"'), "it names the joint")
    assert(not warns(gradient(formulation, method, 0.05), sentence), "no warning before the first event")
  end
  local g = gradient(formulation, mbs.finite_difference {})
  assert(not warns(g, sentence), "no warning of differences")
  check.near(g.gradient[1], exact[1], 1e-3 * math.abs(exact[1]), "differences of index 3")
end
local phases = { m:phase { "falls", stop = -0.35 - a.angle, within = 0.5 }, m:phase { "goes on" } }
for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
  assert(warns(gradient(mbs.index3 {}, method, 0.8, phases), sentence), "the warning in phases")
end

-- A slide whose load turns its sign: second derivatives miss the corner of its size, unless it is wide.
local function second(width)
  local s = mbs.model { gravity = { 0, 0 } }
  local F, w = s:param { "F", 5 }, s:param { "w", 6 }
  local body = s:body { "b", mass = 1, inertia = 0.1, velocity = { 1, 0 } }
  s:translational { "rail", s.ground, body, at = { 0, 0 }, axis = "x", length = 0.2, load_regularization = width,
                    friction = mbs.coulomb_tanh { coefficient = 0.3, regularization = 0.1 } }
  s:spring { s:ground { at = { -0.5, 0.6 } }, body, stiffness = 10 * F, free_length = 0.6, damping = 0.5 }
  s:force { on = body, law = function(at) return 0, F * math.cos(w * at.t) + 2 * at.vx end }
  local o = s:objective { "o", terminal = body.x, integral = body.vx ^ 2 }
  local how = { o, over = { F, w }, t = 1, formulation = mbs.maggi {},
                integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 } }
  local H = s:hessian(how)
  assert(warns(H, "second derivatives cannot tell where a load changes its sign"), "the warning of a Hessian")
  local function slope(by)
    w.value = 6 + by
    local g = s:gradient(how)
    w.value = 6
    return g.gradient[2]
  end
  return H.matrix[2][2], (slope(1e-3) - slope(-1e-3)) / 2e-3
end
local H, differences = second(1)
check.near(H, differences, 1e-4 * math.abs(differences), "a corner as wide as the warning asks for")

-- A force that feels an acceleration alone has no load.
local p = mbs.model { gravity = { 0, -9.81 } }
local share = p:param { "share", 0.3 }
local P = p:point { "P", at = { 1, 0 }, mass = 1 }
p:distance { p.ground:point { 0, 0 }, P }
p:force { on = P, law = function() return -share * P.ax, 0 end }
local swing = p:hessian { p:objective { "swing", terminal = P.x }, over = { share }, t = 0.3 }
assert(not warns(swing, "second derivatives cannot tell"), "no warning where no load is felt")
