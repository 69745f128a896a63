-- Questions that used to be answered by the answer to another one.
local mbs = require "perilune"
local check = require "check"

local g = 9.81

do -- A last phase without a stop lasts until t; within = 0 ends the motion with its impact.
  local m = mbs.model { gravity = { 0, -g } }
  local h = m:param { "h", 1, unit = "m", min = 0.5 }
  local P = m:point { "P", at = { 0, h }, mass = 1 }
  local y = m:objective { "y", terminal = P.y }
  local falls, T = m:phase { "falls", stop = -P.y }, math.sqrt(2 / g)
  local run = m:simulate { t = 1, phases = { falls, m:phase { "falls on" } } }
  check.near(run.t, 1)
  assert(run.phases[2].complete and run.phases[2].finish == 1)
  check.near(run:at("P.y", 1), 1 - g / 2, 1e-9)
  check.near(m:gradient { y }.gradient[1], 1, 1e-8)
  check.near(m:gradient { y, method = mbs.finite_difference { richardson = 2 } }.gradient[1], 1, 1e-6)
  run = m:simulate { t = 1, phases = { falls, m:phase { "lands", within = 0 } } }
  check.near(run.t, T, 1e-8)
  check.equal(run.reason, "went through all phases")
  check.fails("within = 0 is for a phase that is over with its impact and has no stop",
              function() m:phase { stop = P.y, within = 0 } end)
  check.fails("within is the time by which stop must come, which is missing", function() m:phase { within = 1 } end)
end

do -- A limit cycle is a motion that comes to its end.
  local m = mbs.model { "bouncer", gravity = { 0, -g } }
  local v = m:param { "v", 3, unit = "m/s", min = 0.1 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 0, v }, mass = 1 }
  local bounce = { m:phase { "flies", stop = -P.y } }
  local returns = { v = 0.5 - 0.8 * P.vy }
  check.fails('phase "flies" has not ended by t = 0.3 s, so that nothing returns; give a later t',
              function() m:limit_cycle { t = 0.3, phases = bounce, returns = returns } end)
  check.equal(v.value, 3)
  local cycle = m:limit_cycle { t = 5, phases = bounce, returns = returns }
  check.near(cycle.parameters.v, 2.5, 1e-9)
  check.near(cycle.eigenvalues[1].real, 0.8, 1e-7)
end

do -- check_gradient goes on where a method fails, and its differences make sense at an optimum.
  local m = mbs.model { gravity = { 0, 0 } }
  local v = m:param { "v", 2, unit = "m/s", min = 0, max = 5 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  m:force { on = P, law = function() return -0.3 * P.vx, 0 end }
  local way = (1 - math.exp(-0.3)) / 0.3
  local near = m:objective { "near", terminal = 1 + (P.x - 2 * way) ^ 2 }
  local table = m:check_gradient { near, t = 1, integrator = mbs.rk4 { step = 0.05 } }
  assert(table.worst < 1e-6 and not tostring(table):find "nan", tostring(table))
  -- From v - 0.004 v down there is no motion: only differences go there.
  local root = m:objective { "root", terminal = math.sqrt(P.vx - 1.999 * math.exp(-0.3)) }
  table = m:check_gradient { root, t = 1, integrator = mbs.rk4 { step = 0.05 } }
  local failed = 0
  for _, row in ipairs(table) do
    if row.failure then
      failed = failed + 1
      assert(row.method == "finite difference" and row.failure:find "root" and not row.value, row.failure)
    end
  end
  assert(failed == 1 and #table > 2 and table.worst == math.huge, tostring(table))
  assert(tostring(table):find "finite difference +failed: ", tostring(table))
end

do -- The default that help documents may be written; objectives know their names only.
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  local x = m:objective { "x", terminal = P.x }
  local run = m:simulate { t = 1, objectives = {} }
  assert(next(run.objectives) == nil)
  check.equal(x.name, "x")
  check.fails("objective \"x\" has no field 'nam' (did you mean 'name'?), only its name", function() return x.nam end)
  check.fails("its value is in run.objectives", function() return x.value end)
  check.fails("objective \"x\" cannot be changed", function() x.name = "y" end)
end

do -- Whole numbers are checked once, for all fields.
  for _, call in ipairs {
    function(n) return mbs.adjoint { checkpoints = n } end,
    function(n) return mbs.lbfgsb { max_evaluations = n } end,
    function(n) return mbs.trust_region { max_evaluations = n } end,
    function(n) return mbs.cobyla { max_evaluations = n } end,
    function(n) return mbs.random { points = n } end,
    function(n) return mbs.radau { order = n } end,
    function(n) return mbs.augmented_lagrangian { index = n } end,
    function(n) return mbs.finite_difference { richardson = n } end,
  } do
    for _, n in ipairs { 2 ^ 31, 2 ^ 32 + 2, 2 ^ 32 + 1, 2 ^ 53, 2 ^ 63 } do
      check.fails("must be an integer of at most 2147483647, got ", call, n)
    end
    check.fails("must be an integer, got 1.5", call, 1.5)
  end
  check.fails("seed must be an integer of at most 9007199254740991, got 9.007",
              function() mbs.random { points = 1, seed = 2 ^ 53 } end)
  local m = mbs.model { gravity = { 0, 0 } }
  local v = m:param { "v", 1 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  local x = m:objective { terminal = P.x }
  check.near(m:gradient { x, t = 1, method = mbs.adjoint { checkpoints = 2 ^ 31 - 1 },
                          integrator = mbs.rk4 { step = 0.1 } }.gradient[1], 1)
  check.fails("The optimizer remembers at most 1000 steps",
              function() m:optimize { minimize = x, t = 1, optimizer = mbs.lbfgsb { memory = 1001 } } end)
  -- Results print as what they are.
  m:simulate { t = 1, integrator = mbs.rk4 { step = 0.1 } }
  local second = tostring(m:hessian { x })
  assert(second:find "^second derivatives of .- = 1\n" and second:find "\n *v +0", second)
end

do -- A distance is a length, also where the two places coincide.
  local m = mbs.model { gravity = { 0, -g } }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 3, 0 } }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  m:distance { "rod", A, P, length = 0.5 }
  m:coincidence { "pin", A, P }
  check.fails("stays open by 0.5 m", function() m:simulate { t = 1 } end)
end

do -- Near the rounding level of an objective an optimization has converged, and says so.
  local m = mbs.model { gravity = { 0, 0 } }
  local v = m:param { "v", 2, unit = "m/s", min = 0, max = 5 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  for _, size in ipairs { 1, 1e6, 1e10 } do
    for _, offset in ipairs { 0, 1, 1e6 } do
      local cost = m:objective { terminal = offset + size * (P.x - math.pi / 3) ^ 2 }
      for _, start in ipairs { 2, math.pi / 3 + 1e-15, math.pi / 3 + 1e-12 } do
        v.value = start
        local best = m:optimize { minimize = cost, t = 1, integrator = mbs.rk4 { step = 0.1 } }
        assert(best.reason ~= "stalled", best.message)
        check.near(v.value, math.pi / 3, 1e-4)
      end
    end
  end
end

do -- A joint's angle is 0 as declared where a whole body takes over the axes of the other end, as its help says.
  local m = mbs.model { gravity = { 0, 0 } }
  local b = m:body { "b", mass = 1, inertia = 1, angle = 1 }
  m:revolute { "whole", m.ground, b, at = { 0, 0 } }
  local c = m:body { "c", mass = 1, inertia = 1, angle = 1 }
  m:revolute { "places", m:ground { at = { 0, 0 } }, c:point { 0, 0 } }
  local run = m:simulate { t = 0.1 }
  check.near(run:at("whole.angle", 0), 0)
  check.near(run:at("places.angle", 0), 1)
end

do -- Times in messages are numbers: tolerances far below rounding once made the first step no number.
  for _, integrator in ipairs { mbs.dormand_prince, mbs.radau, mbs.bdf, mbs.rosenbrock } do
    local m = mbs.model { gravity = { 0, -g } }
    local P = m:point { "P", at = { 0, 1 }, velocity = { 1, 0 }, mass = 1 }
    m:distance { m:ground { at = { 0, 0 } }, P }
    local tiny = integrator { relative_tolerance = 1e-300, absolute_tolerance = 1e-300 }
    local ok, message = pcall(m.simulate, m, { t = 1e-3, integrator = tiny })
    assert(not ok and not tostring(message):find "nan", message)
  end
end

do -- Names that a result does not have, and lists that end before they seem to.
  local m = mbs.model { gravity = { 0, 0 } }
  local v, w = m:param { "v", 1, min = 0, max = 2 }, m:param { "w", 1, min = 0, max = 2 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, w }, mass = 1 }
  local far = m:objective { "far", terminal = (P.x - 1.5) ^ 2 + P.y ^ 2 }
  local run = m:simulate { t = 1, objectives = far }
  check.fails("there is no 'fra' among these names (did you mean 'far'?)", function() return run.objectives.fra end)
  local slope = m:gradient { far }
  check.fails("there is no 'q' among these names\nthey are:\n  v, w", function() return slope.by_name.q end)
  check.fails("there is no 'u'", function() return m:optimize { minimize = far }.parameters.u end)
  check.fails("over[2] is nil, while the list goes on to item 3",
              function() m:gradient { far, over = { v, nil, w } } end)
  check.fails("over must be a plain list, but has the key \"w\"",
              function() m:gradient { far, over = { v, w = w } } end)
  check.fails("objectives[1] is nil", function() m:simulate { objectives = { nil, far } } end)
end
