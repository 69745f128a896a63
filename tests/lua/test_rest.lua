-- Motions that start at rest (at_rest): where that is, with the declared velocities, and its derivatives.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"

local g, mass = 9.81, 2
local function hung()
  local m = mbs.model { gravity = { 0, -g } }
  local k = m:param { "k", 100, unit = "N/m", min = 1 }
  local L = m:param { "L", 1, unit = "m" }
  local v = m:param { "v", 0.3, unit = "m/s" }
  local P = m:point { "P", at = { 0, -0.8 }, velocity = { v, 0 }, mass = mass }
  m:spring { m:ground { at = { 0, 0 } }, P, stiffness = k, free_length = L }
  return m, P, k
end

-- A mass on a spring: y = -(L + m g / k), pushed aside at v; the start alone, then a motion by every method.
do
  local m, P, k = hung()
  local depth, path = m:objective { "depth", terminal = P.y }, m:objective { "path", integral = P.x ^ 2 + P.y ^ 2 }
  local brief = m:simulate { t = 1e-9, at_rest = true, integrator = mbs.rk4 { step = 1e-9 } }
  check.near(brief:at("P.y", 0), -(1 + mass * g / 100), 1e-7)
  check.near(brief:at("P.x", 0), 0, 1e-12)
  check.near(brief:at("P.vx", 0), 0.3, 1e-12)
  local slope = m:gradient { depth }.by_name
  check.near(slope.k, mass * g / 100 ^ 2, 1e-6)
  check.near(slope.L, -1, 1e-6)
  local settings = { path, t = 1, at_rest = true, integrator = mbs.rk4 { step = 1e-3 } }
  local compared = m:check_gradient(settings)
  assert(#compared >= 4 and compared.worst < 1e-6, tostring(compared))
  local second = m:hessian(settings)
  settings.over = { k }
  local function at(value)
    k.value = value
    return m:gradient(settings).gradient[1]
  end
  check.near(second.matrix[1][1], (at(100.1) - at(99.9)) / 0.2, 1e-5)
  k.value = 100
  -- What was simulated last is kept, and can be taken back.
  check.near(m:simulate { t = 1e-3 }:at("P.y", 0), -(1 + mass * g / 100), 1e-7)
  check.near(m:simulate { t = 1e-3, at_rest = false }:at("P.y", 0), -0.8, 1e-12)
end

-- What no force holds stays where it is declared: a carriage on a level rail, with a mass hung from it.
do
  local m = mbs.model { gravity = { 0, -g } }
  local k = m:param { "k", 50, unit = "N/m" }
  local carriage = m:body { "carriage", mass = 5, inertia = 1, at = { 0.4, 0 } }
  m:translational { "rail", m.ground, carriage, at = { 0, 0 }, axis = { 1, 0 } }
  local load = m:point { "load", at = { 0.5, -1.2 }, mass = 1 }
  m:spring { carriage, load, stiffness = k, free_length = 1, damping = 0.1 }
  local run = m:simulate { t = 0.5, at_rest = true, integrator = mbs.rk4 { step = 1e-3 } }
  check.near(run:at("load.x", 0), run:at("carriage.x", 0), 1e-7)
  check.near(run:at("load.y", 0), -(1 + g / 50), 1e-6)
  check.near(run:at("load.y", 0.5), run:at("load.y", 0), 1e-6)
  local cost = m:objective { integral = load.y ^ 2 }
  local adjoint = m:gradient { cost, method = mbs.adjoint {} }.gradient[1]
  check.near(adjoint, -2 * 0.5 * (1 + g / 50) * g / 50 ^ 2, 1e-5)
  check.near(m:gradient { cost, method = mbs.direct {} }.gradient[1], adjoint, 1e-9)
end

-- A vehicle with redundant constraints, whose regularization rounding sometimes undoes: it still finds its rest.
do
  local iltis = require "perilune.iltis"
  local data = iltis.data()
  data.chassis.mass = 1360
  local car = iltis.build { speed = 5, bump_stop = false, data = data }
  for i = 0, 12 do
    car.parameters.kL_rear.value = 20000 + 300 * i
    car.model:simulate { t = 1e-3, at_rest = true, integrator = mbs.rk4 { step = 1e-3 } }
  end
end

-- What nothing holds comes to where it is nearest to the declared place: a vehicle that sinks on its tires turns and
-- shifts by a little, which follows the parameters by how the constraints turn with it.
do
  local hmmwv = require "perilune.hmmwv"
  local data = hmmwv.data()
  data.tire.free_length, data.strut.compression = 0.47, 0
  local car = hmmwv.build { velocity = { 0, 0, -0.3 }, angular_velocity = { 0.4, 0.25, 0.3 }, data = data }
  local body = car.bodies[1]
  local settings = { {}, over = { car.parameters[3] }, t = 1e-9, at_rest = true, integrator = mbs.rk4 { step = 1e-9 },
                     formulation = mbs.index1 {} }
  for k, signal in ipairs { body.y, body.vx, body.vy, body.z } do
    settings[1][k] = car.model:objective { "of " .. k, terminal = signal }
  end
  local adjoint = car.model:gradient(settings)
  settings.method = mbs.direct {}
  local direct = car.model:gradient(settings)
  settings.method = mbs.finite_difference { step = 1e-2, richardson = 2 }
  for k, differences in ipairs(car.model:gradient(settings)) do
    local expected = differences.gradient[1]
    check.near(adjoint[k].gradient[1] / expected, 1, 1e-4, "derivative " .. k)
    check.near(direct[k].gradient[1] / adjoint[k].gradient[1], 1, 1e-6, "direct " .. k)
  end
end

-- Several directions at once, some of which move the declared place of what nothing holds, and some none of it: points on
-- vertical springs. P rests at y = -m g / k, Q beside it, x where they are declared.
do
  local m = mbs.model { "aside", gravity = { 0, -9.81 } }
  local a, b = m:param { "a", 0.3, unit = "m" }, m:param { "b", 0.7, unit = "m" }
  local k, c = m:param { "k", 200, unit = "N/m" }, m:param { "c", 1.1, unit = "m" }
  local P, Q = m:point { "P", at = { a, 0.5 }, mass = 1 }, m:point { "Q", at = { b, 0.4 }, mass = 2 }
  m:force { on = P, law = function(s) return 0, -k * s.y end }
  m:force { on = Q, law = function(s) return 0, -2 * k * (s.y - c) end }
  local far = m:objective { "far", terminal = P.x + 3 * Q.x + P.y * Q.y }
  local sag = 9.81 / 200
  -- of (-sag) (c - sag), sag by k: -sag / k
  local expected = { [a] = 1, [b] = 3, [c] = -sag, [k] = (1.1 - 2 * sag) * sag / 200 }
  for _, over in ipairs { { k, b, c, a }, { a, b, k, c }, { c, k }, { b, a } } do
    for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
      local found = m:gradient { far, over = over, t = 0.1, at_rest = true, method = method }.gradient
      for i, parameter in ipairs(over) do check.near(found[i], expected[parameter], 1e-9, tostring(parameter)) end
    end
  end
end
