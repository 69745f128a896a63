-- Where runs end: at the zero of their condition, wherever in a step it lies. A ball at its highest point, in closed
-- form, for many speeds: a condition that is linear in time leaves the search for its zero no room.
local mbs = require "perilune"
local check = require "check"

local m = mbs.model { gravity = { 0, -9.81 } }
local v = m:param { "v", 1, unit = "m/s" }
local P = m:point { "P", at = { 0, 1 }, velocity = { 1, v }, mass = 2 }
local top = m:objective { "top", terminal = P.y }
for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {}, mbs.rk4 { step = 0.05 } } do
  for i = 0, 200 do
    v.value = 1 + 0.01 * i
    local run = m:simulate { t = 2, stop = P.vy, integrator = integrator }
    check.near(run.t, v.value / 9.81, 1e-13)
    check.near(run:at("P.x", run.t), v.value / 9.81, 1e-12)
  end
  check.near(m:gradient { top, stop = P.vy }.gradient[1], v.value / 9.81, 1e-9)
end

-- A condition that becomes zero twice within one step, whatever nodes a method keeps beside the ends of its steps.
local before = 1e-4 -- m below the top
for _, integrator in ipairs { mbs.rk4 { step = 0.05 }, mbs.radau { step = 0.05 }, mbs.newmark { step = 0.05 },
                              mbs.hht { step = 0.05 }, mbs.generalized_alpha { step = 0.05 }, mbs.dormand_prince {} } do
  for i = 0, 20 do
    v.value = 1 + 0.1 * i
    local below = P.y - (1 + v.value^2 / (2 * 9.81) - before)
    for _, stop in ipairs { below, -below } do
      local run = m:simulate { t = 1, stop = stop, integrator = integrator }
      check.near(run.t, v.value / 9.81 - (2 * before / 9.81)^0.5, 1e-9, tostring(integrator) .. ", " .. v.value)
    end
  end
end
