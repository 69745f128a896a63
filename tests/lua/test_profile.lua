-- Where a run spends its time: shares of a whole, counts that the run itself reports, and no other motion by it.
local mbs = require "perilune"
local check = require "check"

local function five_bar()
  local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
  local A, B = m:ground { at = { -1, 0 } }, m:ground { at = { 0.5, 0 } }
  local P1, P2, P3 = m:point { "P1", at = { -1.5, 1 } }, m:point { "P2", at = { 0, 2 } }, m:point { "P3", at = { 1, 1 } }
  m:bar { "a", A, P1, mass = 1 }
  m:bar { "b", P1, P2, mass = 1.5 }
  m:bar { "c", P2, P3, mass = 1.5 }
  m:bar { "d", P3, B, mass = 1 }
  m:spring { "s", A, P2, stiffness = 100, free_length = math.sqrt(5) }
  return m, P2
end

local function by_name(profile)
  local all = {}
  for _, task in ipairs(profile.tasks) do all[task.name] = task end
  return all
end

local function shares_add_up(profile, what)
  local sum, seconds = 0, 0
  for _, task in ipairs(profile.tasks) do
    assert(task.share >= 0 and task.seconds >= 0, what)
    sum, seconds = sum + task.share, seconds + task.seconds
  end
  check.near(sum, 1, 1e-12, what .. ": sum of shares")
  check.near(seconds, profile.seconds, 1e-12, what .. ": sum of seconds")
end

local m, P2 = five_bar()
local cost = m:objective { "cost", integral = function(s) return P2.x(s) ^ 2 end }

do
  local run = m:simulate { t = 1, formulation = mbs.penalty {}, integrator = mbs.rk4 { step = 1e-3 }, objectives = cost }
  local profile = mbs.profile(run)
  shares_add_up(profile, "explicit")
  local tasks = by_name(profile)
  -- One evaluation, factorization and solution per stage, and those of the first point.
  check.equal(run.factorizations, 4001)
  check.equal(tasks.factorization.calls, run.factorizations, "factorizations")
  check.equal(tasks.elements.calls, run.evaluations, "evaluations")
  check.equal(tasks.start.calls, 1)
  check.equal(tasks.projection.calls, 0)
  check.equal(tasks.slopes.calls, 0)
  assert(tasks.objectives.calls > 4000)
  local text = tostring(profile)
  assert(text:find("profile of penalty, rk4", 1, true) and text:find('in a run of "five-bar":', 1, true), text)
  assert(text:find("factorization", 1, true) and not text:find("projection", 1, true), text)
  -- The whole of it is not less than its parts, by a clock of its own.
  local began = os.clock()
  m:simulate { t = 1, formulation = mbs.penalty {}, integrator = mbs.rk4 { step = 1e-3 }, objectives = cost }
  assert(profile.seconds > 0 and profile.seconds < 20 * (os.clock() - began))
end

do -- a run whose profile was taken has the same bits, and so has the next one
  local settings = { t = 1, formulation = mbs.index1 { project = true }, integrator = mbs.radau {} }
  local before = m:simulate(settings)
  local x = before:values("P2.x")
  local profile = mbs.profile(before)
  shares_add_up(profile, "implicit")
  local tasks = by_name(profile)
  assert(tasks.slopes.calls > 0 and tasks.projection.calls > 0)
  local after = m:simulate(settings)
  check.equal(before.steps, after.steps)
  for k, value in ipairs(after:values("P2.x")) do check.equal(value, x[k]) end
end

do -- parameters that changed since then do not change it
  local model = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local mass = model:param { "mass", 1, unit = "kg" }
  local c = model:param { "c", 0.1, unit = "N s/m" }
  local P = model:point { "P", at = { 1, 0 }, mass = mass }
  model:distance { "arm", model:ground { at = { 0, 0 } }, P }
  model:force { "drag", on = P, law = function(s) return -c * s.vx, -c * s.vy end }
  local run = model:simulate { t = 2 }
  c.value = 5
  shares_add_up(mbs.profile(run), "with its own parameters")
end

do -- a tree by recursions factors nothing on the way
  local model = mbs.model { "arm", gravity = { 0, 0, -9.81 } }
  local arm = model:body { "arm", at = { 0.5, 0, 0 }, mass = 1, inertia = { 0.01, 0.1, 0.1 } }
  model:revolute { "pin", model.ground, arm, at = { 0, 0, 0 }, axis = "y" }
  local run = model:simulate { t = 1, formulation = mbs.joint_coordinates {} }
  local tasks = by_name(mbs.profile(run))
  assert(tasks.recursion.calls >= run.steps, "recursions")
end

do -- conditions, and stops
  local model = mbs.model { "ball", gravity = { 0, -9.81 } }
  local P = model:point { "P", at = { 0, 1 }, mass = 1 }
  model:force { "floor", on = P, law = function(s) return 0, mbs.where(mbs.lt(s.y, 0), -1e4 * s.y, 0) end }
  local profile = mbs.profile(model:simulate { t = 1 })
  shares_add_up(profile, "events")
  assert(by_name(profile).events.calls > 0)
  shares_add_up(mbs.profile(model:simulate { t = 5, stop = function(s) return 0.5 - P.y(s) end }), "stop")
end

do -- in phases
  local model = mbs.model { "two phases", gravity = { 0, -9.81 } }
  local P = model:point { "P", at = { 0, 1 }, mass = 1 }
  local fall = model:phase { "fall", stop = function(s) return -P.y(s) end }
  local rest = model:phase { "rest" }
  local profile = mbs.profile(model:simulate { t = 1, phases = { fall, rest } })
  shares_add_up(profile, "phases")
end

check.fails("profile: expected a run, what m:simulate returned, got nothing (nil)", mbs.profile)
check.fails('profile: expected a run, what m:simulate returned, got model "five-bar"', mbs.profile, m)
check.fails("profile takes a run and nothing else", mbs.profile, m:simulate { t = 0.1 }, 3)
check.fails("profile: this is a run by static equilibrium, which has no steps in time", mbs.profile,
  (function()
    local model = mbs.model { gravity = { 0, -9.81 } }
    model:distance { model:ground { at = { 0, 0 } }, model:point { "P", at = { 0, -1 }, mass = 1 } }
    return model:equilibrium {}
  end)())
