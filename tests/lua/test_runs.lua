-- A run is of the model as it was: nothing that is declared or set afterwards changes what it says, and it names what
-- it does not have.
local mbs = require "perilune"
local check = require "check"

local file = os.tmpname()
local function read()
  local f = assert(io.open(file))
  local text = f:read "a"
  f:close()
  return text
end

-- Everything that can be asked of a run, as text.
local function account(m, run, signals)
  local parts = {}
  for _, name in ipairs(signals) do
    local mesh, between = run:values(name), run:values(name, { run.t / 7, run.t / 2 })
    for _, x in ipairs(mesh) do parts[#parts + 1] = ("%a"):format(x) end
    for _, x in ipairs(between) do parts[#parts + 1] = ("%a"):format(x) end
  end
  for _, write in ipairs { "csv", "json", "view", "svg", "gnuplot" } do
    run[write](run, file)
    parts[#parts + 1] = read()
  end
  m:sketch { file, run = run }
  parts[#parts + 1] = read()
  run:csv(file, "energy.total", "constraint.drift", "constraint.velocity_drift")
  parts[#parts + 1] = read() .. tostring(run)
  return table.concat(parts, "\n")
end

local function elbow()
  local m = mbs.model { "elbow", gravity = { 0, -9.81 } }
  local L = m:param { "L", 1, unit = "m" }
  local A, P = m:ground { at = { 0, 0 } }, m:point { "P", at = { L, 0 }, mass = 1 }
  m:distance { "d", A, P }
  local arm = m:body { "arm", mass = 2, inertia = 0.3, at = { L + 0.5, 0 } }
  m:coincidence { "j", P, arm:point { -0.5, 0 } }
  return m, L, P, arm
end

do
  local m, L, P, arm = elbow()
  local signals = m:signals()
  local run = m:simulate { t = 0.3, integrator = mbs.rk4 { step = 0.02 } }
  local rest = m:equilibrium {}
  local before, at_rest = account(m, run, signals), rest:at "energy.total"

  L.value = 1.7
  check.equal(account(m, run, signals), before, "after a parameter was set")
  local stiffness = m:param { "k", 10 }
  m:spring { "s", P, m:ground { at = { 0, 2 } }, stiffness = stiffness, free_length = 0.5 }
  local Q = m:point { "Q", at = { 3, 3 }, mass = 5 }
  m:distance { "e", P, Q }
  local late = m:body { "late", mass = 7, inertia = 1, at = { 4, 4 }, angular_velocity = 3 }
  check.equal(account(m, run, signals), before, "after more was declared")
  check.equal(rest:at "energy.total", at_rest)

  -- Signals by name and as expressions, of coordinates, multipliers, parameters and elements of that time.
  check.fails("the run has no signal 'Q.x', which was declared after it was made; simulate again", run.at, run, "Q.x",
    0)
  for _, name in ipairs { "late.alpha", "e.lambda", "s.force" } do
    check.fails("'" .. name .. "', which was declared after it was made", run.values, run, name)
    check.fails("'" .. name .. "', which was declared after it was made", run.csv, run, file, name)
    check.fails("'" .. name .. "', which was declared after it was made", run.view, run, file, name)
    check.fails("'" .. name .. "', which was declared after it was made", rest.at, rest, name)
  end
  check.fails("has no signal 'Q.z'", run.at, run, "Q.z", 0)
  check.fails("the run does not have Q.x, which was declared after it was made", run.at, run, Q.x, 0)
  check.fails("the run does not have Q.ay", run.values, run, Q.ay)
  check.fails("the run does not have late.vx", run.values, run, P.x + late.vx, { 0, 0.1 })
  check.fails("the run does not have k", run.at, run, 2 * stiffness * P.x, 0.1)
  check.fails("the run does not have e.lambda", run.at, run, m:signal "e.lambda", 0.1)
  check.fails("the run does not have Q.x", rest.at, rest, Q.x)
  check.near(run:at(P.x^2 + P.y^2, 0.3), 1, 1e-4)
  check.fails("from: the model has got more coordinates since that run", m.simulate, m, { t = 1, from = run })

  -- The next run has it all, and the old one is what it was even after that.
  local again = m:simulate { t = 0.1 }
  check.equal(again:at("Q.x", 0), 3)
  check.equal(account(m, run, signals), before, "after the next run")
end

-- Kinematics and phases hold to their own systems as well.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local crank = m:body { "crank", mass = 1, inertia = 0.1 }
  local hinge = m:revolute { "hinge", m.ground, crank, at = { 0, 0 } }
  m:driver { "turn", hinge.angle, law = function(s) return 2 * s.t end }
  local run = m:kinematics { t = 1, points = 11 }
  local torque, energy = run:at("turn.force", 0.55), run:at("energy.total", 0.55)
  local Q = m:point { "Q", at = { 1, 0 }, mass = 1, velocity = { 1, 0 } }
  m:distance { m.ground, Q }
  check.equal(run:at("turn.force", 0.55), torque)
  check.equal(run:at("energy.total", 0.55), energy)
  check.fails("does not have Q.vx", run.at, run, Q.vx, 0.5)
end

do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  local bar = m:distance { "bar", m.ground, P }
  local phases = { m:phase { "hangs", stop = -P.x + 0.5 }, m:phase { "flies", without = { bar } } }
  local run = m:simulate { t = 1, phases = phases, integrator = mbs.rk4 { step = 0.01 } }
  local finish = run.phases[1].finish
  local function pull() return ("%a %a"):format(run:at("bar.force", finish / 3), run:at("bar.force", finish * 0.9)) end
  local before = pull()
  m:distance { "second", P, m:point { "Q", at = { 2, 0 }, mass = 1 } }
  check.equal(pull(), before)
  check.fails("'second.force', which was declared after", run.at, run, "second.force", 0.1)
end

-- A run outlives its model.
do
  local run
  do
    local m = elbow()
    run = m:simulate { t = 0.1 }
  end
  for _ = 1, 3 do collectgarbage() end
  check.near(run:at("energy.total", 0.1), run:at("energy.total", 0), 1e-5)
end

-- A signal that is not a number is not handed on as one.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0, 1 }, mass = 1 }
  local root = math.sqrt(P.y)
  local run = m:simulate { t = 1 }
  check.near(run:at(root, 0.1), math.sqrt(1 - 9.81 * 0.005), 1e-6)
  for _, ask in ipairs { function() return run:at(root, 0.9) end, function() return run:values(root) end,
                         function() return run:values(root, { 0.1, 0.9 }) end } do
    check.fails("the signal is not a number at t = ", ask)
  end
end
