-- Gradients: closed forms, and every method against the others, on mechanisms built from Lua.
local mbs = require "perilune"
local check = require "check"

local function agree(m, cost, settings, tolerance)
  settings[1] = cost
  settings.method = mbs.adjoint {}
  local reference = m:gradient(settings)
  local size = 1e-3
  for _, g in ipairs(reference.gradient) do size = math.max(size, math.abs(g)) end
  for how, allowed in pairs { [mbs.direct {}] = 1e-10,
                              [mbs.finite_difference { step = 1e-2, richardson = 3 }] = tolerance or 1e-7 } do
    settings.method = how
    local other = m:gradient(settings)
    check.near(other.value, reference.value)
    check.equal(#other.gradient, #reference.gradient)
    for k, g in ipairs(reference.gradient) do
      check.near(other.gradient[k] / size, g / size, allowed, tostring(how) .. " of parameter " .. k)
    end
  end
  settings.method = nil
  return reference
end

-- A projectile: x(t) = x0 + v t, y(t) = -g t^2 / 2 + w t, with the start and the velocity as parameters.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local x0, v = m:param { "x0", 2 }, m:param { "v", 3 }
  local P = m:point { "P", at = { x0^2, 0 }, velocity = { v, 2 * v }, mass = 1 }
  local miss = m:objective { "miss", terminal = P.x * P.y }
  local t = 0.8
  local g = m:gradient { miss, t = t, over = { v, x0 } }
  local x, y = 4 + 3 * t, 6 * t - 9.81 / 2 * t^2
  check.near(g.value, x * y, 1e-11)
  check.near(g.by_name.x0, 4 * y, 1e-11)
  check.near(g.by_name.v, t * y + x * 2 * t, 1e-11)
  check.equal(g.gradient[1], g.by_name.v)
  check.equal(g.gradient[2], g.by_name.x0)
  check.equal(g.method, "discrete adjoint")
end

-- A planar mechanism of bodies: joints at places and a start that depend on parameters.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local a, w, k = m:param { "a", 0.5 }, m:param { "w", 1 }, m:param { "k", 20 }
  local arm = m:body { "arm", mass = 1, inertia = 0.1, at = { a, 0 }, angular_velocity = w }
  local link = m:body { "link", mass = 0.5, inertia = 0.05, at = { 2 * a + 0.3, 0 } }
  m:revolute { m.ground, arm, at = { 0, 0 } }
  m:revolute { arm, link, at = { 2 * a, 0 } }
  m:spring { m:ground { at = { 1, 1 } }, link, stiffness = k, free_length = 0.8, damping = 0.1 }
  local cost = m:objective { "cost", integral = link.x^2 + 0.1 * arm.omega^2, terminal = link.y^2 }
  local other = m:objective { "other", terminal = arm.angle * a }
  for _, formulation in ipairs { mbs.penalty { alpha = 1e7 }, mbs.index1 { alpha = 10, beta = 10 } } do
    for _, integrator in ipairs { mbs.rk4 { step = 2e-3 }, mbs.trapezoidal { step = 5e-3 }, mbs.dormand_prince {} } do
      local one = agree(m, cost, { t = 0.5, formulation = formulation, integrator = integrator })
      local both = m:gradient { { other, cost }, t = 0.5, formulation = formulation, integrator = integrator }
      check.equal(#both, 2)
      check.equal(both[2].objective, "cost")
      check.near(both[2].value, one.value, 1e-13)
      for p = 1, 3 do check.near(both[2].gradient[p], one.gradient[p], 1e-12) end
      check.near(both[1].gradient[1], m:gradient { other, t = 0.5, formulation = formulation,
                                                     integrator = integrator }.gradient[1], 1e-12)
    end
  end
end

-- A spatial pendulum with Euler parameters.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local a, J = m:param { "a", 0.4 }, m:param { "J", 0.2 }
  local top = m:body { "top", mass = 1, inertia = { J, 0.15, 0.1 }, at = { a, 0, 0 }, angular_velocity = { 0.3, 0, 2 } }
  m:spherical { m:ground { at = { 0, 0, 0 } }, top:point { -a, 0, 0 } }
  local cost = m:objective { "cost", integral = top.z^2 + top.x, terminal = top.y }
  for _, integrator in ipairs { mbs.rk4 { step = 2e-3 }, mbs.dormand_prince {} } do
    agree(m, cost, { t = 0.4, formulation = mbs.penalty { alpha = 1e7 }, integrator = integrator })
    agree(m, cost, { t = 0.4, formulation = mbs.index1 { alpha = 10, beta = 10 }, integrator = integrator })
  end
end

-- All methods in one table.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L, k = m:param { "L", 1.2 }, m:param { "k", 30 }
  local P = m:point { "P", at = { L, 0 }, mass = 1 }
  m:spring { m:ground { at = { 0, 0 } }, P, stiffness = k, free_length = 1 }
  local cost = m:objective { "cost", integral = function(s) return P.x(s) ^ 2 end, terminal = P.y }
  local table = m:check_gradient { cost, t = 0.5, integrator = mbs.rk4 { step = 2e-3 } }
  check.equal(#table, 7)  -- the continuous adjoint in three forms
  check.equal(table[1].method, "discrete adjoint")
  check.equal(table[1].relative_difference, 0)
  assert(table[2].relative_difference < 1e-12 and table[3].relative_difference < 1e-6 and table.worst < 1e-6)
  check.equal(#table[7].value, 2)
  assert(tostring(table):find("forward runs", 1, true))
  local stiff = m:check_gradient { cost, t = 0.5, integrator = mbs.sdirk4 { step = 2e-3 } }
  check.equal(#stiff, 7)
  assert(stiff.worst < 1e-6, stiff.worst)
end

do  -- checkpoints change nothing but the memory
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L = m:param { "L", 1, unit = "m", min = 0.1 }
  local P = m:point { "P", at = { L, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  local cost = m:objective { "cost", integral = P.y^2 }
  local whole = m:gradient { cost, t = 1, integrator = mbs.rk4 { step = 1e-2 } }
  local few = m:gradient { cost, t = 1, integrator = mbs.rk4 { step = 1e-2 }, method = mbs.adjoint { checkpoints = 3 } }
  assert(whole.gradient[1] == few.gradient[1])
  -- Second derivatives, and an end that moves.
  local second = m:hessian { cost, t = 1, integrator = mbs.rk4 { step = 1e-2 } }
  local function slope(l)
    L.value = l
    return m:gradient { cost, t = 1, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 1e-2 } }.gradient[1]
  end
  local difference = (slope(1 + 1e-4) - slope(1 - 1e-4)) / 2e-4
  L.value = 1
  assert(math.abs(second.matrix[1][1] / difference - 1) < 1e-6, second.matrix[1][1])
  local run = m:simulate { t = 5, stop = P.y + 0.5, integrator = mbs.bdf {} }
  check.near(run:at("P.y", run.t), -0.5)
  assert(run.reason == "the stop condition became zero")
end

do  -- a gradient that is no number says so: the speed has no derivative where it is zero
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { m:param { "v", 0 }, 0 }, mass = 1 }
  local path = m:objective { "path", integral = math.sqrt(P.vx^2 + P.vy^2) }
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
    local ok, message = pcall(m.gradient, m, { path, t = 0.1, integrator = mbs.rk4 { step = 1e-2 }, method = method })
    assert(not ok and tostring(message):find 'path.*not', message)
  end
end
