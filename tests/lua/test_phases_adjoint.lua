-- The adjoint through phases as scripts use it.
local mbs = require "perilune"
local check = require "check"

-- Gradients of both discrete methods agree, and with differences of whole motions.
local function compare(m, call, tolerance)
  call.method = mbs.direct {}
  local direct = m:gradient(call)
  call.method = mbs.finite_difference { step = 1e-4, richardson = 2 }
  local differences = m:gradient(call)
  call.method = nil
  local adjoint = m:gradient(call)
  call.method = mbs.adjoint { checkpoints = 3 }
  local few = m:gradient(call)
  call.method = mbs.adjoint { intervals = 8 }
  local parts = m:gradient(call)
  for o = 1, #adjoint do
    check.equal(adjoint[o].method, "discrete adjoint")
    local size = 0
    for _, x in ipairs(direct[o].gradient) do size = math.max(size, math.abs(x)) end
    assert(size > 0)
    for p, x in ipairs(adjoint[o].gradient) do
      check.near(x, direct[o].gradient[p], 1e-9 * size)
      check.near(x, differences[o].gradient[p], tolerance * size)
      check.equal(few[o].gradient[p], x)
      check.near(parts[o].gradient[p], x, 1e-12 * size)
    end
  end
end

local integrators = { mbs.dormand_prince { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 },
                      mbs.rk4 { step = 2e-3 }, mbs.radau {},
                      mbs.generalized_alpha { step = 2e-3 } }

do -- A stone falls into a rope, swings, and is let go; the rope's place is set where it was caught.
  local m = mbs.model { "rope", gravity = { 0, -9.81 } }
  local L = m:param { "L", 1, unit = "m" }
  local v = m:param { "v", 0.3, unit = "m/s" }
  local release = m:param { "release", 0.2, unit = "rad" }
  local x, y = m:param { "x", 7, unit = "m" }, m:param { "y", 7, unit = "m" }
  local P = m:point { "P", at = { 0.6, 0 }, velocity = { v, 0 }, mass = 2 }
  local rope = m:distance { "rope", m:ground { at = { x, y } }, P, length = L }
  local phases = {
    m:phase { "falls", without = { rope }, stop = P.x ^ 2 + P.y ^ 2 - L ^ 2, within = 1 },
    m:phase { "swings", set = { x = P.x - 0.6 * L, y = P.y + 0.8 * L }, stop = -P.x + release, within = 2 },
    m:phase { "flies", without = { rope } },
  }
  local objectives = {
    m:objective { "end", terminal = function(s) return P.x * s.t + x * P.vy end },
    m:objective { "pull", integral = function(s) return rope.lambda ^ 2 * 1e-3 + s.t * P.vx end },
    m:objective { "both", terminal = P.ay * L, integral = function(s) return y * s.t end },
  }
  for _, formulation in ipairs { mbs.maggi {}, mbs.index1 { alpha = 5, beta = 5 }, mbs.penalty { alpha = 1e6 } } do
    for _, integrator in ipairs(integrators) do
      compare(m, { objectives, t = 1.5, phases = phases, over = { L, v, release }, formulation = formulation,
                   integrator = integrator }, 2e-7)
    end
  end
end

do -- Events within phases, whose times move with the phase that they are in; integrands read the time.
  local m = mbs.model { gravity = { 0, -9.81 } }
  local v, where, h = m:param { "v", 1 }, m:param { "where", 0.2 }, m:param { "h", 0.5 }
  local ball = m:point { "ball", at = { 0, h }, velocity = { v, 0 }, mass = 1 }
  m:contact { "floor", m.ground, ball, normal = mbs.kelvin_voigt { stiffness = 1e4, damping = 10 } }
  local objectives = { m:objective { "end", terminal = function(s) return ball.y + s.t end },
                       m:objective { "time", integral = function(s) return s.t * ball.vy ^ 2 end } }
  local phases = { m:phase { "first", stop = ball.x - where }, m:phase { "second", stop = ball.x - 0.6 },
                   m:phase { "last" } }
  local run = m:simulate { t = 0.9, phases = phases }
  assert(run.events[1].t > run.phases[2].start and run.events[2].t < run.phases[2].finish and #run.phases == 3)
  compare(m, { objectives, t = 0.9, phases = phases, over = { v, where, h },
               integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-11 } }, 2e-7)
end

do -- Parameters that are set from the start on, again and from each other, and asked for; an impact as the end.
  local m = mbs.model { gravity = { 0, -9.81 } }
  local v, p, h = m:param { "v", 1 }, m:param { "p", 3 }, m:param { "h", 1 }
  local P = m:point { "P", at = { 0, h }, velocity = { v, 0.2 }, mass = 1 }
  m:force { on = P, law = function() return -p * P.vx, -p * P.vy end }
  local rope = m:distance { "rope", m:ground { at = { 0, 0 } }, P, length = 2 }
  local objectives = { m:objective { "pull", terminal = function(s) return rope.lambda + P.ay * s.t + h end },
                       m:objective { "sum", integral = function(s) return P.x * s.t * p end } }
  local phases = {
    m:phase { "first", without = { rope }, set = { p = 0.1 * P.y + 0.1 * v + 0.01 * p }, stop = P.x - 0.5 * p },
    m:phase { "second", without = { rope }, set = { p = p ^ 2 + 0.1 * P.vx, h = p }, stop = P.x ^ 2 + P.y ^ 2 - 4 },
    m:phase { "taut", within = 0, set = { h = P.vx + p * h } },
  }
  compare(m, { objectives, t = 3, phases = phases, over = { v, p, h } }, 2e-7)
end

do -- Redundant constraints set in; the equations of several forms tell their impulses apart in their own ways.
  local m = mbs.model { gravity = { 0, -9.81 } }
  local v, w = m:param { "v", 1 }, m:param { "w", 0.5 }
  local x, y = m:param { "x", 3 }, m:param { "y", 1 }
  local rod = m:body { "rod", mass = 2, inertia = 0.3, at = { 0, 1 }, velocity = { v, 0 }, angular_velocity = w }
  local pins = { m:revolute { m:ground { at = { x, y } }, rod:point { 0.4, 0 } },
                 m:coincidence { m:ground { at = { x, y } }, rod:point { 0.4, 0 } } }
  local objectives = { m:objective { "end", terminal = function(s) return rod.ay + rod.x * s.t end },
                       m:objective { "turns", integral = function(s) return rod.omega ^ 2 * s.t end } }
  local phases = {
    m:phase { "flies", without = pins, stop = rod.x - 0.3 },
    m:phase { "hangs", stop = rod.angle - 1,
              set = { x = rod.x + 0.4 * math.cos(rod.angle), y = rod.y + 0.4 * math.sin(rod.angle) } },
    m:phase { "flies on", without = pins },
  }
  for _, formulation in ipairs { mbs.penalty {}, mbs.augmented_lagrangian {}, mbs.maggi {} } do
    compare(m, { objectives, t = 0.9, phases = phases, over = { v, w }, formulation = formulation }, 2e-7)
  end
end

do -- The optimizer uses it.
  local m = mbs.model { gravity = { 0, -9.81 } }
  local h = m:param { "h", 2, unit = "m", min = 0.5 }
  local P = m:point { "P", at = { 0, h }, mass = 1 }
  local phases = { m:phase { "falls", stop = -P.y } }
  local time = m:objective { "time", terminal = function(s) return (s.t - 1) ^ 2 end }
  local best = m:optimize { minimize = time, over = h, t = 5, phases = phases }
  check.near(h.value, 9.81 / 2, 1e-5)
  assert(best.final < 1e-10)
end

do -- The bouncer of the how-to: v = kick + e v, T = 2 v / g; and the cycle's own start.
  local m = mbs.model { gravity = { 0, -10 } }
  local v = m:param { "v", 3, min = 0.1 }
  local kick, e = m:param { "kick", 0.5 }, m:param { "e", 0.8, min = 0 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 0, v }, mass = 1 }
  local call = { t = 5, phases = { m:phase { "flies", stop = -P.y } }, returns = { v = kick - e * P.vy },
                 objectives = { m:objective { "period", terminal = function(s) return s.t end },
                                m:objective { "start", terminal = v } } }
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.finite_difference { richardson = 1 } } do
    call.method = method
    local cycle = m:limit_cycle(call)
    check.near(v.value, 2.5, 1e-9)
    local period, start = cycle.gradients[1], cycle.gradients[2]
    check.near(period.value, 0.5, 1e-9)
    check.near(period.by_name.kick, 1, 1e-7)
    check.near(period.by_name.e, 2.5, 1e-7)
    check.near(start.gradient[1], 5, 1e-7)
    check.near(start.gradient[2], 12.5, 1e-7)
    assert(#start.parameters == 2 and tostring(period):find "gradient of period = 0.5")
  end
  call.over = { v, e }
  check.fails("over: v is among returns, so that it follows the others", function() m:limit_cycle(call) end)
  call.over, call.objectives = e, {}
  check.fails("over and method are of the gradients of objectives, which are missing",
              function() m:limit_cycle(call) end)
  -- Without a kick and a loss every bounce comes back as itself.
  call.over, call.objectives = nil, m:objective { "height", integral = P.vy }
  e.value, kick.value = 1, 0
  check.fails("an eigenvalue of its return map is 1", function() m:limit_cycle(call) end)
end

do -- Two parameters that return, one of which the other follows: u = push + u / 2 + 0.3 v.
  local m = mbs.model { gravity = { 0, -10 } }
  local v, u = m:param { "v", 3, min = 0.1 }, m:param { "u", 0 }
  local kick, push = m:param { "kick", 0.5 }, m:param { "push", 0.1 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { u, v }, mass = 1 }
  local cycle = m:limit_cycle { t = 5, phases = { m:phase { "flies", stop = -P.y } },
                                returns = { v = kick - 0.8 * P.vy, u = push + P.vx / 2 - 0.3 * P.vy },
                                objectives = m:objective { "distance", terminal = P.x } }
  check.near(v.value, 2.5, 1e-9)
  check.near(u.value, 1.7, 1e-9)
  local distance = cycle.gradients[1]
  check.near(distance.value, 1.7 * 0.5, 1e-9)
  check.near(distance.by_name.kick, 3 * 0.5 + 1.7 * 1, 1e-8)
  check.near(distance.by_name.push, 2 * 0.5, 1e-8)
end
