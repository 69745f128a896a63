-- Digital controllers: a mass under a held force in closed form, a double pendulum whose motor is set by hand at each
-- tick, derivatives through ticks, and what meets at one.
local check = require "check"
local mbs = require "perilune"

-- A mass under a force that is held between ticks moves by x + h v + h^2 f / 2m: exactly, by every integrator.
do
  local T, x0, mass, t = 0.05, 0.1, 2, 1.02
  local m = mbs.model { gravity = { 0, 0 } }
  local k, d = m:param { "k", 40, unit = "N/m" }, m:param { "d", 9, unit = "N s/m" }
  local P = m:point { "P", at = { x0, 0 }, mass = mass }
  local u = m:sampled { "u", period = T, unit = "N", next = function(s) return -k * P.x - d * P.vx end }
  m:force { on = P, law = function(s) return u.value, 0 end }
  local cost = m:objective { terminal = P.x ^ 2 + P.vx, integral = u.value ^ 2 }
  -- Values, and derivatives by k and d.
  local x, v, J = { x0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }
  local function go(h)
    local f = { -40 * x[1] - 9 * v[1], -x[1] - 40 * x[2] - 9 * v[2], -v[1] - 40 * x[3] - 9 * v[3] }
    for i = 1, 3 do
      J[i] = J[i] + h * (i == 1 and f[1] ^ 2 or 2 * f[1] * f[i])
      x[i], v[i] = x[i] + h * v[i] + h ^ 2 / 2 * f[i] / mass, v[i] + h * f[i] / mass
    end
  end
  for _ = 1, 20 do go(T) end
  go(t - 20 * T)
  local exact = { J[1] + x[1] ^ 2 + v[1] }
  for i = 2, 3 do exact[i] = J[i] + 2 * x[1] * x[i] + v[i] end
  local integrators = { mbs.rk4 { step = 0.01 }, mbs.rk4 { step = 0.007 }, mbs.dormand_prince {}, mbs.radau {},
    mbs.radau { step = 0.01 }, mbs.bdf {}, mbs.bdf { step = 0.005 }, mbs.trapezoidal { step = 0.01 },
    mbs.sdirk4 { step = 0.01 }, mbs.newmark { step = 0.01 }, mbs.hht { step = 0.01 },
    mbs.generalized_alpha { step = 0.01 }, mbs.rosenbrock {}, mbs.variational { step = 0.01 } }
  for _, integrator in ipairs(integrators) do
    local what = tostring(integrator)
    local tolerance = what:find "bdf.*step = 0," and 1e-7 or 1e-12
    for _, method in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.adjoint { checkpoints = 5 } } do
      local g = m:gradient { cost, over = { k, d }, t = t, integrator = integrator, method = method }
      check.near(g.value, exact[1], tolerance, what)
      check.near(g.gradient[1], exact[2], tolerance, what)
      check.near(g.gradient[2], exact[3], tolerance, what)
    end
  end
  -- A step that was planned longer than a period is one step for each, behind the first.
  local run = m:simulate { t = t, integrator = mbs.dormand_prince {} }
  assert(run.steps < 30, run.steps)
end

-- A double pendulum with two clocks, whose law reads angles, reactions and accelerations: against runs from tick to
-- tick in which the motor's torque is a parameter, set by hand.
do
  local t, period = 0.52, 0.05
  local function pendulum(is_sampled)
    local m = mbs.model { gravity = { 0, -9.81 } }
    local kp, kd = m:param { "kp", 12, unit = "N m/rad" }, m:param { "kd", 2, unit = "N m s/rad" }
    local L = m:param { "L", 1, unit = "m" }
    local a = m:body { "a", mass = 1, inertia = 0.1, at = { L / 2, 0 } }
    local b = m:body { "b", mass = 0.5, inertia = 0.05, at = { L + 0.5, 0 } }
    local p = m:revolute { "p", m.ground, a, at = { 0, 0 } }
    m:revolute { "q", a, b, at = { L, 0 } }
    local function law() return kp * (0.3 - a.angle) - kd * a.omega + 0.02 * p.force_y - 0.1 * b.ay end
    local function more(I) return I + 2 * period * (0.3 - a.angle) end
    local u
    if is_sampled then
      local I = m:sampled { "I", period = 2 * period, next = function(s) return more(s.value) end }
      u = m:sampled { "u", period = period, next = function() return law() + 3 * I.value end }.value
    else
      u = m:param { "u", 0, unit = "N m" }
    end
    m:torque { "motor", on = a, law = function() return u end }
    local z = m:state { "z", rate = function() return a.omega ^ 2 + 0.001 * u ^ 2 end }
    return m, b.x ^ 2 + a.angle + z.value, u, law, more
  end
  local settings = { formulation = mbs.index1 { project = true },
                     integrator = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-13 } }
  local function by_hand(name, by)
    local m, cost, u, law, more = pendulum(false)
    if name then m[name].value = m[name].value + by end
    local I, run, now = 0, nil, 0
    for k = 0, math.floor(t / period) do
      local till = math.min(period * (k + 1), t)
      local function go()
        return m:simulate { start = now, t = till, from = run, formulation = settings.formulation,
                            integrator = settings.integrator }
      end
      local before = go() -- with the torque so far, which reactions and accelerations are sampled under
      local torque, integral = before:at(law(), now) + 3 * I, before:at(more(I), now)
      if k % 2 == 0 then I = integral end -- the other one has read the one before
      u.value = torque
      run, now = go(), till
    end
    return run:at(cost, t)
  end
  local m, cost = pendulum(true)
  local over = { m["kp"], m["kd"], m["L"] }
  local objective = m:objective { terminal = cost }
  m:simulate { t = t, formulation = settings.formulation, integrator = settings.integrator }
  local exact = m:gradient { objective, over = over }
  check.near(exact.value, by_hand(), 1e-11)
  for j, name in ipairs { "kp", "kd", "L" } do
    local e = 1e-4
    local rate = (by_hand(name, e) - by_hand(name, -e)) / (2 * e)
    check.near(exact.gradient[j], rate, 2e-8, name)
  end
  -- Other forms and integrators have the same motion, and direct and adjoint derivatives of it.
  for _, formulation in ipairs { mbs.index1 {}, mbs.index2 {}, mbs.index3 {}, mbs.maggi {},
    mbs.coordinate_partitioning {}, mbs.penalty {}, mbs.augmented_lagrangian {}, mbs.stabilized_index1 {} } do
    for _, integrator in ipairs { mbs.radau { relative_tolerance = 1e-10 }, mbs.bdf { step = 2e-3 } } do
      local what = tostring(formulation) .. ", " .. tostring(integrator)
      m:simulate { t = t, formulation = formulation, integrator = integrator }
      local adjoint = m:gradient { objective, over = over }
      local direct = m:gradient { objective, over = over, method = mbs.direct {} }
      check.near(adjoint.value, exact.value, 1e-8, what)
      for j = 1, 3 do
        check.near(adjoint.gradient[j], direct.gradient[j], 1e-11, what)
        check.near(adjoint.gradient[j], exact.gradient[j], 1e-7, what)
      end
    end
  end
  -- Second derivatives, against differences of the first.
  m:simulate { t = 0.22, formulation = mbs.maggi {}, integrator = mbs.radau {} }
  local H, e = m:hessian { objective, over = over }.matrix, 1e-4
  for j, p in ipairs(over) do
    local middle, rows = p.value, {}
    for i, by in ipairs { e, -e } do
      p.value = middle + by
      rows[i] = m:gradient { objective, over = over }.gradient
    end
    p.value = middle
    for l = 1, 3 do check.near(H[j][l], (rows[1][l] - rows[2][l]) / (2 * e), 1e-6, "second derivative") end
  end
end

-- Ticks: the first one, several clocks, rounding, the end of a run, a run that goes on.
do
  local m = mbs.model { gravity = { 0, 0 } }
  m:point { "P", at = { 0, 0 }, mass = 1, velocity = { 1, 0 } }
  local late = m:sampled { "late", period = 0.03, first = 0.01, at = 5, next = function(s) return s.value + 1 end }
  local fast = m:sampled { "fast", period = 0.1, next = function(s) return s.value + 1 end }
  local slow = m:sampled { "slow", period = 0.3, next = function(s) return fast.value end }
  local run = m:simulate { t = 1 }
  for t, value in pairs { [0] = 5, [0.009] = 5, [0.0101] = 6, [0.0399] = 6, [0.0401] = 7, [0.999] = 38 } do
    check.near(run:at(late.value, t), value, 1e-14, "late at " .. t)
  end
  check.near(run:at("late.integral", 0.07), 0.01 * 5 + 0.03 * 6 + 0.03 * 7, 1e-14)
  -- At 0.3, 0.6 and 0.9 both tick at once, though 3 * 0.1 is not 0.3: what is read is the value before.
  for t, value in pairs { [0.2] = 0, [0.4] = 3, [0.7] = 6, [0.95] = 9 } do
    check.near(run:at(slow.value, t), value, 1e-14, "slow at " .. t)
  end
  check.equal(run:at(fast.value, 1), 10) -- the tick at the end is the next run's
  local half = m:simulate { t = 0.5 }
  local rest = m:simulate { start = 0.5, t = 1, from = half }
  for _, z in ipairs { late, fast, slow } do check.equal(rest:at(z.value, 1), run:at(z.value, 1)) end
  check.equal(m:simulate { start = 0.25, t = 0.26 }:at(fast.value, 0.26), 0) -- no tick, hence as declared
end

-- What was declared first can be set later; without it nothing runs; removal.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  local a = m:sampled { "a", at = 1, period = 0.1 }
  check.fails('sampled "a" has no next value', m.simulate, m, { t = 1 })
  local b = m:sampled { "b", period = 0.1, next = function(s) return a.value end }
  a:set_next { function(s) return s.value + b.value end }
  check.fails("has its next value already", a.set_next, a, { function(s) return 0 end })
  check.equal(m:simulate({ t = 1 }):at(a.value, 1), 89) -- Fibonacci's
  local c = m:sampled { "c", period = 0.1, next = function(s) return P.x end }
  check.fails('something depends on point "P": sampled "c"', m.remove, m, P)
  m:remove(c)
  check.equal(m:simulate({ t = 1 }):at(a.value, 1), 89)
end

-- A condition of a law that reads a held number changes at a tick; a corner of another one between ticks is an event.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local k, d = m:param { "k", 40, unit = "N/m" }, m:param { "d", 9, unit = "N s/m" }
  local P = m:point { "P", at = { 0.1, 0 }, mass = 2 }
  local u = m:sampled { "u", period = 0.05, unit = "N", next = function(s) return -k * P.x - d * P.vx - 100 * P.x ^ 3 end }
  m:force { "f", on = P, law = function(s)
    return mbs.where(mbs.gt(u.value, 0), 2 * u.value, u.value), math.abs(P.x - 0.05)
  end }
  local cost = m:objective { terminal = P.x ^ 2 + P.y, integral = u.value ^ 2 }
  for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {} } do
    local run = m:simulate { t = 1, integrator = integrator }
    check.equal(#run.events, 3)
    check.equal(run.events[1].t, 0.25)
    check.near(run.events[2].t, 0.267016646, 1e-8)
    local adjoint = m:gradient { cost, over = { k, d } }
    local direct = m:gradient { cost, over = { k, d }, method = mbs.direct {} }
    local differences = m:gradient { cost, over = { k, d }, method = mbs.finite_difference {} }
    for j = 1, 2 do
      check.near(adjoint.gradient[j], direct.gradient[j], 1e-11)
      check.near(adjoint.gradient[j], differences.gradient[j], 2e-8)
    end
  end
  -- An end that a stop condition finds between ticks, and one that jumps over zero at a tick.
  local speed = m:objective { terminal = P.vx }
  local stop = { t = 1, integrator = mbs.dormand_prince {}, stop = function() return P.x end }
  m:simulate(stop)
  local g = m:gradient { speed, over = { k, d } }
  local differences = m:gradient { speed, over = { k, d }, method = mbs.finite_difference {} }
  for j = 1, 2 do check.near(g.gradient[j], differences.gradient[j], 1e-7) end
  stop.stop = function() return u.value - 0.5 end
  check.fails('the stop condition jumps across zero as "u" ticks', m.simulate, m, stop)
end

-- Ticks in intervals of time, by steps that go by one point and by several.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  local k, r = m:param { "k", 100, unit = "N/m" }, m:param { "r", 0.9 }
  local u = m:sampled { "u", period = 0.1, next = function(s) return -r * P.y(s) - P.ay(s) / 1000 end }
  m:force { on = P, law = function(s) return 0, k * u.value(s) end }
  local cost = m:objective { terminal = P.y ^ 2 + P.ay, integral = P.y ^ 2 }
  for _, form in ipairs { mbs.maggi {}, mbs.index1 {} } do
    for _, steps in ipairs { mbs.rk4 { step = 0.01 }, mbs.bdf { step = 0.01 }, mbs.newmark { step = 0.01 }, mbs.dormand_prince {} } do
      local how = { cost, over = { k, r }, t = 0.55, formulation = form, integrator = steps, method = mbs.adjoint {} }
      local whole = m:gradient(how)
      for _, intervals in ipairs { 2, 9 } do
        how.method = mbs.adjoint { intervals = intervals }
        local parts = m:gradient(how)
        for i = 1, 2 do check.near(parts.gradient[i] / whole.gradient[i], 1, 1e-12, "ticks in intervals") end
      end
    end
  end
end

-- What does not know ticks says so.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  local u = m:sampled { "u", period = 0.1, next = function(s) return -P.y end }
  local k = m:param { "k", 100, unit = "N/m" }
  m:force { on = P, law = function(s) return 0, k * u.value end }
  local cost = m:objective { terminal = P.y }
  m:simulate { t = 0.5 }
  for _, case in ipairs {
    { "does not know what becomes of sampled", function() m:equilibrium {} end },
    { "a linearization does not know", function() m:linearize {} end },
    { "first-order state", function() m:kinematics { t = 1 } end },
    { "not by the continuous adjoint", function() m:gradient { cost, method = mbs.continuous_adjoint {} } end },
    { "derivatives do not", function()
      m:gradient { cost, over = k, t = 1, phases = { m:phase { "falls", stop = P.y + 9 } } }
    end },
    { "has no rate", function() m:pid { "pid", error = u.value, kd = 1 } end },
    { "period must be a number", function() m:sampled { "v", period = m:param { "T", 1 } } end },
    { "is not a finite number", function()
      local w = m:sampled { "w", period = 0.1, next = function(s) return P.y / (P.x - P.x * 1) end }
      m:simulate { t = 1 }
    end },
    { "more than 100 million times", function()
      m:sampled { "v", period = 1e-12, next = function(s) return 0 end }
      m:simulate { t = 1 }
    end },
  } do check.fails(case[1], case[2]) end
end

-- Motions in phases: the clock goes on through impacts, and a tick where phases meet is one. A ball that bounces leaves
-- what is controlled beside it alone; and a counter pushes a mass, whose velocity is a sum.
do
  local function build(phase_ends, integrator)
    local m = mbs.model { gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 0, 0.6 }, mass = 1 }
    local Q = m:point { "Q", at = { 1, 0 }, velocity = { 0.5, 0 }, mass = 1 }
    m:force { on = Q, force = { 0, 9.81 } }
    local n = m:sampled { "n", period = 0.04, next = function(s) return s.value + 1 end }
    m:force { on = Q, law = function() return n.value, 0 end }
    local floor = m:constraint { "floor", law = P.y - (phase_ends and 0.6 or 0) }
    local stop = phase_ends and function(s) return s.t - phase_ends end or -P.y
    local phases = { m:phase { "before", without = { floor }, stop = stop, within = 3 } }
    if not phase_ends then phases[2] = m:phase { "hit", restitution = 0.7 } end
    phases[#phases + 1] = m:phase { "after", without = { floor } }
    return m:simulate { t = 0.5, phases = phases, integrator = integrator }
  end
  local speed = 0.5
  for k = 0, 12 do speed = speed + (k + 1) * (math.min(0.5, 0.04 * (k + 1)) - 0.04 * k) end
  for _, integrator in ipairs { mbs.rk4 { step = 0.01 }, mbs.dormand_prince {}, mbs.trapezoidal { step = 0.013 }, mbs.bdf {} } do
    for _, phase_ends in ipairs { false, 0.08, 0.0800001, 0.1 } do
      local run = build(phase_ends, integrator)
      check.equal(#run.phases, phase_ends and 2 or 3)
      check.near(run:at("n.value", 0.079), 2, 1e-12)
      check.near(run:at("n.value", 0.081), 3, 1e-12)
      check.near(run:at("n.value", 0.5), 13, 1e-12)
      check.near(run:at("Q.vx", 0.5), speed, 1e-10)
      if not phase_ends then check.near(run.phases[1].finish, math.sqrt(1.2 / 9.81), 1e-6) end
    end
  end
end
