-- The index-2 form: velocities on the constraints, positions that drift by the errors of steps or are put back.
local mbs = require "perilune"
local check = require "check"

-- A pendulum of natural coordinates. Its speed at the bottom follows from the height that it has lost.
local function pendulum()
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L = m:param { "L", 1.2 }
  local P = m:point { "P", at = { L, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P, length = L }
  return m, P, L
end

local function largest(run, name)
  local most = 0
  for _, value in ipairs(run:values(name, run:times())) do most = math.max(most, math.abs(value)) end
  return most
end

local function drift(step, form, order)
  local m = pendulum()
  local run = m:simulate { t = 2, formulation = form, integrator = mbs.radau { order = order, step = step } }
  local of_velocities = largest(run, "constraint.velocity_drift")
  assert(of_velocities < 1e-11, "velocities leave the constraints by " .. of_velocities)
  return largest(run, "constraint.drift")
end

-- Positions drift, by less the shorter the steps are: at the order of the method at least.
local coarse, fine = drift(0.04, mbs.index2 {}, 3), drift(0.02, mbs.index2 {}, 3)
assert(coarse > 1e-7 and coarse / fine > 6, coarse .. " " .. fine)
local m = pendulum()
local run = m:simulate { t = 2, formulation = mbs.index2 { project = true },
                         integrator = mbs.radau { order = 3, step = 0.04 } }
assert(largest(run, "constraint.drift") < 1e-12)

-- The time of a quarter swing from the horizontal: sqrt(L / g) K(1 / sqrt 2), and its derivative by L.
do
  local m, P, L = pendulum()
  local K, exact = 1.8540746773013719, nil
  exact = math.sqrt(L.value / 9.81) * K
  local duration = m:objective { integral = function() return 1 end }
  for _, form in ipairs { mbs.index2 {}, mbs.index2 { project = true } } do
    for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
      local g = m:gradient { duration, t = 2, stop = P.x, formulation = form, method = method,
                             integrator = mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
      check.near(g.value, exact, 1e-8)
      check.near(g.gradient[1], exact / (2 * L.value), 1e-7)
    end
  end
end

check.fails("index2 needs an implicit integrator", function()
  m:simulate { t = 1, formulation = mbs.index2 {}, integrator = mbs.rk4 { step = 1e-3 } }
end)
print "index2: ok"
