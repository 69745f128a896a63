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
for _, intervals in ipairs { 1, 2, 3, 10, 60 } do
  near(kinked(mbs.adjoint { intervals = intervals }, 2), kinked(mbs.adjoint {}, 2), 1e-12)
end

-- Events in intervals: forces that jump, at times and places that move with parameters, integrands and stop conditions
-- that do, extrema, one event right behind another, by steps that go by one point and by several.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L = m:param { "L", 1, unit = "m", min = 0.1 }
  local c = m:param { "c", 0.7 }
  local T = m:param { "T", 0.41 }
  local P = m:point { "P", at = { L, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { 2 * L, 0 }, mass = 0.4 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  m:distance { "second", P, Q }
  m:force { "wind", on = P, law = function(s)
    local gust = mbs.where(mbs.lt(T, s.t), mbs.where(mbs.lt(s.t, T + 0.01), 30, 0), 0)
    return gust - mbs.where(mbs.lt(P.y(s), -0.6), 4 + 20 * P.x(s), 0), -c * P.vy(s) * math.abs(P.vy(s))
  end }
  local costs = {
    m:objective { "path", integral = function(s) return P.y(s)^2 + math.max(0, Q.x(s)) + mbs.where(mbs.lt(T, s.t), P.vx(s)^2, 0) end },
    m:objective { "end", terminal = Q.x^2 + P.ay / 10, integral = Q.y },
    m:objective { "fastest", maximum = Q.vx^2 + P.ay / 100 },
  }
  local left = function(s) return Q.x(s) + 0.5 * L end
  local methods = {
    [mbs.maggi {}] = { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {} },
    [mbs.index1 { alpha = 5, beta = 5 }] = { mbs.dormand_prince {}, mbs.bdf {} },
    [mbs.coordinate_partitioning {}] = { mbs.dormand_prince {}, mbs.radau {} },
    [mbs.index1 { project = true }] = { mbs.dormand_prince {}, mbs.radau {}, mbs.rosenbrock { relative_tolerance = 1e-6 } },
  }
  local most = 0
  for form, of_form in pairs(methods) do
    for _, method in ipairs(of_form) do
      for _, stop in ipairs { false, left, "earlier" } do
        local t = stop == "earlier" and 0.6 or 1.2
        stop = stop == left and left
        local how = { costs, t = t, formulation = form, integrator = method, stop = stop }
        local events = #m:simulate { t = t, formulation = form, integrator = method, stop = stop }.events
        check.equal(events >= 4, true, "events")
        how.method = mbs.adjoint {}
        local whole = m:gradient(how)
        how[1] = { costs[1], costs[2] }
        for _, intervals in ipairs { 2, 7, 25, 3 } do
          if intervals == 3 then how[1] = costs end
          how.method = mbs.adjoint { intervals = intervals }
          local parts = m:gradient(how)
          for o = 1, #how[1] do
            for k = 1, 3 do
              local error = math.abs(parts[o].gradient[k] - whole[o].gradient[k])
              most = math.max(most, error / (1 + math.abs(whole[o].gradient[k])))
            end
          end
        end
      end
    end
  end
  check.near(most, 0, 1e-12)
end

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

-- Where pieces of a law meet that is not continued beyond, the motion has two pieces as well; redundant constraints.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L = m:param { "L", 1, min = 0.1 }
  local P = m:point { "P", at = { L, 0 }, mass = 1, velocity = { 0, 1 } }
  local pin = m:ground { "pin", at = { 0, 0 } }
  m:distance { "rod", pin, P }
  m:force { on = P, law = function(s) return -9 * math.abs(P.y(s) + 0.3) ^ 1.5, 0 end }
  local J = m:objective { "J", integral = P.x ^ 2 + P.vy ^ 2 }
  local how = { J, t = 0.8, formulation = mbs.stabilized_index1 {}, integrator = mbs.radau {} }
  for _, intervals in ipairs { 1, 4 } do
    how.method = mbs.piecewise_adjoint { intervals = intervals }
    check.fails("changes its side, which the piecewise adjoint does not follow", m.gradient, m, how)
  end
  m:distance { "again", pin, P }
  for _, form in ipairs { mbs.penalty { alpha = 1e6 }, mbs.maggi {} } do
    how.formulation, how.method = form, mbs.adjoint {}
    local whole = m:gradient(how)
    how.method = mbs.adjoint { intervals = 3 }
    check.near(m:gradient(how).gradient[1] / whole.gradient[1], 1, 1e-12, "redundant constraints")
  end
  how.method = mbs.piecewise_adjoint { intervals = 3 }
  check.fails("does not go with redundant constraints", m.gradient, m, how)
  -- Differences, too, need a motion that comes to its end.
  how.formulation, how.method, how.stop = mbs.index1 {}, mbs.finite_difference {}, function(s) return P.x(s) + 5 end
  m:remove(m["again"])
  check.fails("the stop condition was not met", m.gradient, m, how)
  assert(table.concat(m:simulate { t = 0.8, objectives = { J }, stop = how.stop }.warnings, " "):find("the stop condition was not met before", 1, true))
end

-- A wheel that rolls: constraints on velocities, by steps of one point and of several.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local c = m:param { "c", 0.3 }
  local P = m:point { "P", at = { 0, 0 }, mass = 2, velocity = { 1, 0 } }
  local Q = m:point { "Q", at = { 1, 0 }, mass = 1, velocity = { 1, 0 } }
  m:constraint { "blade", velocity = function(s) return (P.vx(s) + Q.vx(s)) * (Q.y(s) - P.y(s)) - (P.vy(s) + Q.vy(s)) * (Q.x(s) - P.x(s)) + c * P.x(s) end }
  m:distance { P, Q }
  local J = m:objective { "J", terminal = P.x + Q.y ^ 2, integral = Q.vx ^ 2 }
  for _, form in ipairs { mbs.maggi {}, mbs.index1 {} } do
    for _, steps in ipairs { mbs.rk4 { step = 0.01 }, mbs.bdf { step = 0.01 } } do
      local how = { J, t = 0.4, formulation = form, integrator = steps, method = mbs.adjoint {} }
      local whole = m:gradient(how)
      how.method = mbs.adjoint { intervals = 4 }
      check.near(m:gradient(how).gradient[1] / whole.gradient[1], 1, 1e-12, "constraints on velocities")
    end
  end
end
