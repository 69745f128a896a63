-- The continuous equations of the stabilized form across kinks of laws, and gradients over intervals of time.
local mbs = require "perilune"
local check = require "check"

local function pendulum(law)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L = m:param { "L", 1, unit = "m", min = 0.1 }
  local c = m:param { "c", 0.7 }
  local k = m:param { "k", 30 }
  local P = m:point { "P", at = { L, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  m:force { "drag", on = P, law = function(s) return law(s, P, c, k) end }
  local cost = m:objective { "J", integral = P.y^2 + P.vx^2 }
  return function(method, t)
    return m:gradient { cost, t = t, method = method, formulation = mbs.stabilized_index1 {},
                        integrator = mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  end
end

local function near(got, expected, tolerance)
  for k = 1, #expected.gradient do check.near(got.gradient[k], expected.gradient[k], tolerance, "derivative " .. k) end
end

-- Laws with kinks: the switches are held as in each part of the motion (they were held as at its start, once).
local kinked = pendulum(function(s, P, c, k)
  return -c * P.vx(s) * math.abs(P.vx(s)) - 3 * math.abs(P.vy(s)), k * math.max(0, -(P.y(s) + 0.5))
end)
local differences = kinked(mbs.finite_difference { richardson = 2 }, 2)
near(kinked(mbs.adjoint {}, 2), differences, 1e-7)
near(kinked(mbs.continuous_adjoint {}, 2), differences, 1e-7)
near(kinked(mbs.continuous_direct {}, 2), differences, 1e-7)
check.fails("changes its side, which the piecewise adjoint does not follow; mbs.adjoint {} without intervals does",
            kinked, mbs.piecewise_adjoint {}, 2)
check.fails("changes its side, which the adjoint over intervals does not follow", kinked,
            mbs.adjoint { intervals = 3 }, 2)

-- Without events; and switches whose sides do not change.
local rounding = 1e-12
for _, law in ipairs {
  function(s, P, c, k) return -c * P.vx(s), -c * P.vy(s) - k / 30 * P.x(s) end,
  function(s, P, c, k) return -c * P.vx(s) * math.abs(P.vx(s) - 20), k / 30 * math.max(P.y(s) + 5, 0) end,
} do
  local smooth = pendulum(law)
  local exact = smooth(mbs.adjoint {}, 2)
  near(smooth(mbs.finite_difference { richardson = 2 }, 2), exact, 1e-8)
  near(smooth(mbs.adjoint { intervals = 7 }, 2), exact, rounding)
  local classic = smooth(mbs.continuous_adjoint {}, 2)
  near(classic, exact, 1e-8)
  for _, intervals in ipairs { 0, 1, 5 } do
    near(smooth(mbs.piecewise_adjoint { intervals = intervals }, 2), classic, rounding)
  end
  near(smooth(mbs.piecewise_adjoint { intervals = 5, pipeline = false }, 2), classic, rounding)
end
