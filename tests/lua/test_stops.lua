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

-- Whichever of several conditions comes first: a ball that is thrown against a wall, on the ground or out at the top, in
-- closed form by the parabola, with its derivatives by where these are; direct, adjoint and two integrators.
do
  local throw = mbs.model { "throw", gravity = { 0, -9.81 } }
  local wall = throw:param { "wall", 8, unit = "m" }
  local ground = throw:param { "ground", 0, unit = "m" }
  local roof = throw:param { "roof", 20, unit = "m" }
  local ball = throw:point { "ball", at = { 0, 1.5 }, mass = 0.5, velocity = { 8, 6 } }
  local height, far = throw:objective { "height", terminal = ball.y }, throw:objective { "far", terminal = ball.x }
  local time = throw:objective { "time", integral = function() return 1 end }
  local function first() return math.max(ball.x - wall, ground - ball.y, ball.y - roof) end
  for _, case in ipairs { { 3, 0, 20 }, { 14, 0, 20 }, { 14, -2, 20 }, { 14, 0, 2.5 } } do
    wall.value, ground.value, roof.value = table.unpack(case)
    local g = 9.81
    local at_wall, at_ground = wall.value / 8, (6 + (36 + 2 * g * (1.5 - ground.value)) ^ 0.5) / g
    local below = 36 - 2 * g * (roof.value - 1.5)
    local at_roof = below > 0 and (6 - below ^ 0.5) / g or math.huge
    local t = math.min(at_wall, at_ground, at_roof)
    local vy = 6 - g * t
    -- By how much the end moves with what it ends at.
    local by = { wall = t == at_wall and 1 / 8 or 0, ground = t == at_ground and 1 / vy or 0,
                 roof = t == at_roof and 1 / vy or 0 }
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {} } do
      local run = throw:simulate { t = 5, stop = first, integrator = integrator }
      check.near(run.t, t, 1e-12)
      for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
        local slopes = throw:gradient { { height, far, time }, t = 5, stop = first, method = method, integrator = integrator }
        for name, shift in pairs(by) do
          check.near(slopes[1].by_name[name], vy * shift, 1e-9)
          check.near(slopes[2].by_name[name], 8 * shift, 1e-9)
          check.near(slopes[3].by_name[name], shift, 1e-9)
        end
      end
    end
  end
end

-- An end time that follows parameters: the parabola at 2 T, in closed form, by all kinds of steps and methods.
do
  local throw = mbs.model { "timed", gravity = { 0, -9.81 } }
  local T = throw:param { "T", 0.7, unit = "s", min = 0.01, max = 3 }
  local up = throw:param { "up", 3, unit = "m/s" }
  local ball = throw:point { "ball", at = { 0, 0 }, velocity = { 1, up }, mass = 2 }
  local height = throw:objective { "height", terminal = ball.y }
  local sum = throw:objective { "sum", integral = ball.y }
  local late = throw:objective { "late", terminal = T * ball.x }
  local function y(t) return up.value * t - 9.81 / 2 * t^2 end
  for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {}, mbs.rk4 { step = 0.03 },
                                mbs.bdf { step = 0.01, max_order = 2 } } do
    -- Formulas of second order have the parabola's positions exactly, but not their integral.
    local is_rough = tostring(integrator):find "bdf"
    local run = throw:simulate { t = 2 * T, integrator = integrator, objectives = height }
    assert(run.reason == "reached the end time", run.reason)
    check.near(run.t, 1.4, 1e-15)
    check.near(run.objectives.height, y(1.4), is_rough and 2e-5 or 1e-12)
    for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 4 } } do
      local slopes = throw:gradient { { height, sum, late }, method = method }
      local near = is_rough and 1e-3 or 1e-5
      check.near(slopes[1].by_name.T, 2 * (up.value - 9.81 * 1.4), near)
      check.near(slopes[1].by_name.up, 1.4, near)
      check.near(slopes[2].by_name.T, 2 * y(1.4), near)
      check.near(slopes[2].by_name.up, 1.4^2 / 2, near)
      check.near(slopes[3].by_name.T, 1.4 + 2 * 0.7, near)
    end
  end
  -- The last step ends there but for rounding, which must not hide that it does: without that the end would not follow.
  for i = 1, 400 do
    T.value = 0.01 + 2.9 * ((i * 0.6180339887) % 1)
    local run = throw:simulate { t = T / 3, integrator = mbs.dormand_prince {} }
    assert(run.reason == "reached the end time", ("at T = %.17g: %s"):format(T.value, run.reason))
  end
  throw:simulate { t = 2 * T }
  check.near(throw:gradient { late }.by_name.T, 4 * T.value, 1e-9)
  -- The end follows the parameter wherever it is changed; it is remembered like a number.
  T.value = 0.3
  check.near(throw:simulate { integrator = mbs.dormand_prince {} }.t, 0.6, 1e-15)
  local found = mbs.sweep { height, over = T, design = mbs.grid { { 0.2, 1.1 } } }
  for k, value in ipairs { 0.2, 1.1 } do check.near(found[k].values.height, y(2 * value), 1e-10) end
  local short = throw:objective { "short", terminal = -ball.y }
  throw:optimize { minimize = short, over = { T } }
  check.near(T.value, up.value / 9.81 / 2, 1e-7)
  -- With something else that may come first.
  T.value = 0.25
  local function first(s) return math.max(ball.x - 1, s.t - 2 * T) end
  check.near(throw:simulate { t = 5, stop = first }.t, 0.5, 1e-12)
  check.near(throw:gradient { height }.by_name.T, 2 * (up.value - 9.81 * 0.5), 1e-9)
  -- A number in its place, or no stop condition.
  check.near(throw:simulate { t = T, stop = false }.t, 0.25, 1e-15)
  check.near(throw:simulate { stop = false }.t, 0.25, 1e-15)
  check.near(throw:simulate { t = 1 }.t, 1, 0)
  T.value = 0.1
  check.near(throw:simulate {}.t, 1, 0)
end

-- A run that fails on its way to an end time that is a parameter says so, and nothing of a condition that nobody gave.
do
  local m = mbs.model { "fails", gravity = { 0, 0 } }
  local T = m:param { "T", 1, unit = "s" }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  m:force { "until half", on = P, law = function(s) return math.sqrt(0.5 - s.t), 0 end }
  local far = m:objective { "far", terminal = P.x }
  local ok, run = pcall(m.simulate, m, { t = T, objectives = far })
  local warnings = ok and run.warnings or m.last_run.warnings
  check.equal(table.concat(warnings, "\n"):find("stop condition", 1, true), nil)
end
