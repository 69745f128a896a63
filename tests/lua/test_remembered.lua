-- What m:simulate remembers, and what those that follow make of it: the motion that was simulated is the one that is
-- differentiated and optimized, or there is a sentence.
local mbs = require "perilune"
local check = require "check"

local g = 9.81

-- A stone that is thrown from the height h: it lands after T, at the distance v T.
local function throw()
  local m = mbs.model { "throw", gravity = { 0, -g } }
  local v = m:param { "v", 5, unit = "m/s", min = 1, max = 8 }
  local h = m:param { "h", 2, unit = "m", min = 1, max = 3 }
  local stone = m:point { "stone", at = { 0, h }, velocity = { v, 0 }, mass = 1 }
  return m, v, h, stone, m:objective { "width", terminal = stone.x }
end

do -- stop is remembered, by everything that follows, and false is for none.
  local m, v, h, stone, width = throw()
  local T = math.sqrt(2 * 2 / g)
  m:simulate { t = 10, stop = stone.y }
  local slope = m:gradient { width, over = { v, h } }
  check.near(slope.value, 5 * T, 1e-9)
  check.near(slope.gradient[1], T, 1e-9)
  check.near(slope.gradient[2], 5 / (g * T), 1e-9)
  check.near(m:simulate {}.t, T, 1e-9)
  local far = m:objective { terminal = -stone.x }
  local best = m:optimize { minimize = far, over = { v } }
  check.near(best.final, -8 * T, 1e-9)
  check.near(m:check_gradient { width, over = v }[1].value[1], T, 1e-9)
  local rows = mbs.sweep { width, design = mbs.list { { 1 }, { 4 } }, over = v }
  check.near(rows[2].values.width, 4 * T, 1e-9)
  check.fails("without a stop condition", function() m:hessian { width, over = v } end)
  check.near(m:gradient { width, over = v, t = 2, stop = false }.gradient[1], 2, 1e-9)
  check.near(m:gradient { width, over = v }.gradient[1], T, 1e-9, "a gradient does not change what is remembered")
  m:simulate { t = 2, stop = false }
  check.near(m:gradient { width, over = v }.gradient[1], 2, 1e-9)
  check.fails("stop must be a function of the state or an expression of signals, or false for none (whichever of two " ..
                "comes first: function() return math.max(a, b) end, both negative before), got true",
              function() m:simulate { stop = true } end)
end

do -- A model that remembers a stop is collected like any other.
  local models = setmetatable({}, { __mode = "v" })
  for k = 1, 20 do
    local m, _, _, stone = throw()
    m:simulate { t = 1, stop = stone.y, integrator = mbs.rk4 { step = 0.1 } }
    models[k] = m
  end
  collectgarbage()
  collectgarbage()
  local alive = 0
  for _ in pairs(models) do alive = alive + 1 end
  assert(alive <= 1, alive)
end

do -- A model has one memory, however it is reached.
  local m, v, _, stone, width = throw()
  local run = stone.model:simulate { t = 1 }
  assert(rawequal(stone.model, m) and m.last_run == run)
  check.near(m:gradient { width, over = v }.gradient[1], 1, 1e-9)
end

do -- Phases are remembered too, and {} is for none.
  local m, v, _, stone, width = throw()
  local T = math.sqrt(2 * 2 / g)
  local phases = { m:phase { "falls", stop = -stone.y } }
  m:simulate { t = 10, phases = phases }
  phases[1] = nil
  collectgarbage()
  check.near(m:gradient { width, over = v }.gradient[1], T, 1e-8)
  local table = m:check_gradient { width, over = v }
  assert(#table == 3 and table[1].method == "discrete adjoint" and table.worst < 1e-6, tostring(table))
  check.equal(#m:simulate {}.phases, 1)
  check.fails("the last simulation went in phases, through which this cannot go; simulate without them first",
              function() m:hessian { width, over = v } end)
  check.fails("the last simulation went in phases",
              function() mbs.sweep { width, design = mbs.list { { 1 } }, over = v } end)
  check.fails("give phases = {} for a motion without", function() m:simulate { stop = stone.y } end)
  check.near(m:gradient { width, over = v, t = 2, phases = {} }.gradient[1], 2, 1e-9)
  check.near(m:simulate { t = 3, phases = {} }.t, 3)
  check.near(m:gradient { width, over = v }.gradient[1], 3, 1e-9)
  -- New phases end a motion in their way, whatever stop was remembered.
  m:simulate { t = 3, stop = stone.y - 1 }
  check.near(m:simulate { t = 10, phases = { m:phase { "lands", stop = -stone.y } } }.t, T, 1e-8)
end

do -- A simulation that goes on from a run is nothing that can be differentiated, nor where the next one starts.
  local m, v, _, stone, width = throw()
  local first = m:simulate { t = 0.5 }
  check.near(m:simulate { from = first, t = 1 }:times()[1], 0.5)
  for _, call in ipairs { "gradient", "hessian", "check_gradient" } do
    check.fails("the last simulation started from a given run, but this needs a motion that starts as declared: "
                .. "simulate that first, or give its start, as in start = 0",
                function() m[call](m, { width, over = v }) end)
  end
  check.fails("started from a given run", function() m:optimize { minimize = width, over = v } end)
  check.near(m:gradient { width, over = v, start = 0 }.gradient[1], 1, 1e-9)
  local anew = m:simulate { t = 0.25 }
  check.near(anew:at("stone.x", 0), 0)
  check.near(m:gradient { width, over = v }.gradient[1], 0.25, 1e-9)
  check.fails("give either from or at_rest", function() m:simulate { from = first, t = 2, at_rest = true } end)
  check.fails("more than 100 million steps", function() m:simulate { t = 9, integrator = mbs.rk4 { step = 1e-12 } } end)
  check.near(m:gradient { width, over = v }.gradient[1], 0.25, 1e-9, "a refused call is not remembered")
end

do -- What contradicts a remembered setting says where that comes from.
  local m = throw()
  m:simulate { start = 1, t = 2 }
  check.fails("t must be greater than the start, got 0.5 and 1; the start is that of the last simulation",
              function() m:simulate { t = 0.5 } end)
  check.fails("t must be greater than the start, got 2 and 3; t is that of the last simulation",
              function() m:simulate { start = 3 } end)
end
