-- What is placed on the floor touches it at the start, by nothing: every friction law has to begin there.
local mbs = require "perilune"
local check = require "check"

-- A box on its corners, pushed by less than its friction holds. It sinks into the floor by what carries its weight,
-- swings about that depth as an oscillator does, and stays where it is.
do
  local m = mbs.model { "box", gravity = { 0, -9.81 } }
  local box = m:body { "box", mass = 1, inertia = 0.01, at = { 0, 0.1 } }
  local floor = m:contact { m.ground, box:point { -0.1, -0.1 }, box:point { 0.1, -0.1 },
    normal = mbs.kelvin_voigt { stiffness = 1e5, damping = 400 },
    friction = mbs.static_friction { stiffness = 1e5, damping = 300, coefficient = 0.4 } }
  m:force { on = box, force = { 2, 0 } }
  local run = m:simulate { t = 1 }
  check.near(run:at(floor.normal_force, 1), 9.81, 1e-6)
  check.near(run:at("box.x", 1), 2 / 2e5, 1e-3)  -- what the two anchors give way
  check.near(run:at("box.vx", 1), 0, 1e-6)
end

-- Bodies that nothing couples, by implicit steps of several stages: each moves as it does alone.
do
  local function bodies(count)
    local m = mbs.model { gravity = { 0, -9.81 } }
    for i = 1, count do
      local b = m:body { "b" .. i, mass = 1, inertia = 0.004, at = { i, 0.12 } }
      m:contact { m.ground, b, radius = 0.1, normal = mbs.hertz { stiffness = 1e6 } }
    end
    return m
  end
  local alone = bodies(1):simulate { t = 0.2, integrator = mbs.radau {} }
  for _, integrator in ipairs { mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} } do
    local run = bodies(3):simulate { t = 0.2, integrator = integrator }
    check.near(run:at("b3.y", 0.2), alone:at("b1.y", 0.2), 1e-6)
  end
end

-- Parameters in their units, set by a phase and by a return map: expressions are in SI units, numbers in theirs.
do
  local m = mbs.model { "push", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  local L = m:param { "L", 100, unit = "mm" }
  local f = m:force { "f", on = P, law = function() return L, 0 end }
  local first = m:phase { stop = P.x - 0.5, within = 5, without = { f } }
  local run = m:simulate { t = 1, phases = { first, m:phase { set = { L = 2 * L } } } }
  check.near(run:at("f.fx", 1), 0.2, 1e-12)
  run = m:simulate { t = 1, phases = { first, m:phase { set = { L = 300 } } } }
  check.near(run:at("f.fx", 1), 0.3, 1e-12)
end
for _, unit in ipairs { "m/s", "mm/s" } do
  local m = mbs.model { "relaxing", gravity = { 0, 0 } }
  local v = m:param { "v", unit == "m/s" and 1 or 1000, unit = unit }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  m:force { on = P, law = function(s) return 2 - s.vx, 0 end }
  local cycle = m:limit_cycle { t = 1, returns = { v = P.vx } }
  check.near(v.in_si, 2, 1e-9)  -- the speed at which nothing pushes
  check.near(cycle.jacobian[1][1], math.exp(-1), 1e-4)  -- as a number, whatever the unit
end

-- A run that goes on with a longer rod is told what assembly did.
do
  local m = mbs.model { "rod", gravity = { 0, -9.81 } }
  local L = m:param { "L", 1, unit = "m" }
  local P = m:point { "P", at = { L, 0 }, mass = 1 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P, length = L }
  local run = m:simulate { t = 0.5 }
  assert(#m:simulate { from = run, t = 1 }.warnings == 0)
  L.value = 1.3
  local warnings = m:simulate { from = run, t = 1 }.warnings
  assert(warnings[1]:find "^assembly moved P%.[xy] by .* at the end of the run that this one goes on from", warnings[1])
end

-- Two hinges of a door by a penalty: what each carries is one possibility of many, and said to be.
do
  local m = mbs.model { "door", gravity = { 0, 0, -9.81 } }
  local door = m:body { "door", mass = 20, inertia = { 4, 2, 2 }, at = { 0.5, 0, 1 } }
  for k = 1, 2 do m:revolute { "hinge" .. k, m.ground, door, at = { 0, 0, k - 0.5 }, axis = "z" } end
  for _, form in ipairs { mbs.penalty {}, mbs.augmented_lagrangian {}, mbs.maggi {} } do
    local warnings = table.concat(m:simulate { t = 0.1, formulation = form }.warnings, "\n")
    assert(warnings:find "one possibility of many", warnings)
  end
end
