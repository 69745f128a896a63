-- Motions in phases as scripts see them.
local mbs = require "perilune"

-- A wheel without rim on two spokes; see help "phase".
local function wheel()
  local m = mbs.model { "rimless wheel", gravity = { 9.81 * math.sin(0.08), -9.81 * math.cos(0.08) } }
  local w = m:param { "w", -1, unit = "rad/s", min = -3, max = -0.1 }
  local a = 0.3
  local hub = m:body { "hub", mass = 1, inertia = 0.1, at = { -math.sin(a), math.cos(a) },
                       velocity = { -w * math.cos(a), -w * math.sin(a) }, angular_velocity = w }
  local place = m:param { "place", 0, unit = "m" }
  local foot = m:coincidence { "foot", m:ground { at = { 0, 0 } }, hub:point { math.sin(a), -math.cos(a) } }
  local next_foot = m:coincidence { "next foot", m:ground { at = { place, 0 } },
                                    hub:point { math.sin(3 * a), -math.cos(3 * a) } }
  local phases = {
    m:phase { "rolls", without = { next_foot }, stop = math.cos(hub.angle + 3 * a) - hub.y, within = 0.9 },
    m:phase { "strikes", within = 0, without = { foot }, set = { place = hub.x + math.sin(hub.angle + 3 * a) } },
  }
  return { m = m, w = w, hub = hub, place = place, foot = foot, next_foot = next_foot, phases = phases }
end

do -- The run of all phases: times repeat, signals jump, multipliers of what does not act are zero.
  local r = wheel()
  local run = r.m:simulate { t = 5, phases = r.phases }
  assert(run.reason == "went through all phases")
  local rolls, strikes = run.phases[1], run.phases[2]
  assert(rolls.name == "rolls" and strikes.name == "strikes" and rolls.complete and strikes.complete)
  assert(rolls.finish == strikes.start and strikes.start == strikes.finish and run.t == strikes.finish)
  local times, omega = run:times(), run:values(r.hub.omega)
  assert(times[rolls.last] == times[strikes.first])
  local kept = (math.cos(0.6) + 0.1) / 1.1 -- of the rate: angular momentum about the next foot
  assert(math.abs(omega[strikes.first] / omega[rolls.last] - kept) < 1e-9)
  assert(math.abs(run:values(r.place)[strikes.first] - 2 * math.sin(0.3)) < 1e-9)
  assert(run:values(r.place)[rolls.last] == 0)
  assert(run:at("hub.omega", run.t) == omega[#omega])
  local lambda = run:values "next foot.lambda_x"
  assert(lambda[1] == 0 and lambda[strikes.first] ~= 0)
  assert(math.abs(run:at("foot.lambda_x", times[2]) - run:values("foot.lambda_x")[2]) < 1e-4)
end

do -- The limit cycle leaves the parameters there, and the next motion repeats it.
  local r = wheel()
  local cycle = r.m:limit_cycle { t = 5, phases = r.phases, returns = { w = r.hub.omega } }
  assert(cycle.stable and cycle.parameters.w == r.w.value and tostring(cycle):find "stable, eigenvalues")
  local kept = (math.cos(0.6) + 0.1) / 1.1
  assert(math.abs(cycle.eigenvalues[1].real - kept ^ 2) < 1e-7 and cycle.jacobian[1][1] == cycle.eigenvalues[1].real)
  local run = r.m:simulate { t = 5, phases = r.phases }
  assert(math.abs(run:at(r.hub.omega, run.t) - r.w.value) < 1e-9)
end

do -- A wheel that is too slow never gets over its foot: the optimizer backs off.
  local r = wheel()
  local time = r.m:objective { "time", terminal = function(s) return (s.t - 0.62) ^ 2 end }
  local best = r.m:optimize { minimize = time, over = r.w, t = 5, phases = r.phases }
  assert(best.final < 1e-10, tostring(best.final))
  assert(not pcall(function()
    r.w.value = -0.2
    r.m:simulate { t = 5, phases = r.phases }
  end))
  assert(r.m.last_run.reason:find 'phase "rolls" did not end within 0.9 s')
end

-- That f fails, with this in its message.
local function refused(text, f)
  local ok, message = pcall(f)
  assert(not ok and tostring(message):find(text, 1, true), tostring(message))
end

do -- What a phase sets stays within the bounds of the parameter, and a limit cycle is wholly set or not at all.
  local m = mbs.model { "fall", gravity = { 0, -10 } }
  local depth = m:param { "depth", 1, min = 0, max = 4.9 }
  local first, second = m:param { "first", 0.1 }, m:param { "second", 0.3, min = 0.25 }
  local P = m:point { "P", at = { 0, 5 }, mass = 1 }
  local falls = m:phase { "falls", stop = depth - P.y }
  refused('at t = 0.894427 s: phase "goes on" sets depth to 5, outside its bounds 0 to 4.9', function()
    m:simulate { t = 2, phases = { falls, m:phase { "goes on", set = { depth = P.y + 4 } } } }
  end)
  refused("the limit cycle that was found has second = 0.2, outside its bounds 0.25 to inf", function()
    m:limit_cycle { t = 2, phases = { falls }, returns = { first = first / 2 + 0.2, second = second / 2 + 0.1 } }
  end)
  assert(first.value == 0.1 and second.value == 0.3)
end

do -- Functions of set may change the table that they stand in.
  local m = mbs.model { gravity = { 0, -10 } }
  local P = m:point { "P", at = { 0, 5 }, mass = 1 }
  local set, parameters = {}, {}
  for k = 1, 20 do
    parameters[k] = m:param { "p" .. k, 0 }
    set["p" .. k] = function()
      for i = 1, 20 do set["p" .. i] = i ~= k and set["p" .. i] or nil end
      return P.y + k
    end
  end
  local run = m:simulate { t = 2, phases = { m:phase { "falls", stop = 1 - P.y }, m:phase { "after", set = set } } }
  for k = 1, 20 do
    local value = run:at(parameters[k], run.t)
    assert(math.abs(value - 1 - k) < 1e-9, k .. ": " .. value)
  end
end

do -- A state that is left out keeps its value.
  local m = mbs.model { gravity = { 0, -10 } }
  local P = m:point { "P", at = { 0, 5 }, mass = 1 }
  local flown = m:state { "flown", unit = "m", rate = function() return -P.vy end }
  local run = m:simulate { t = 2, phases = { m:phase { "falls", stop = 3 - P.y },
                                             m:phase { "falls on", without = { flown }, stop = 1 - P.y } } }
  assert(math.abs(run:at("flown.value", run.phases[1].finish) - 2) < 1e-8)
  assert(math.abs(run:at("flown.value", run.t) - 2) < 1e-8)
end

do -- Slips of the pen.
  local r = wheel()
  local run = r.m:simulate { t = 5, phases = r.phases }
  assert(r.phases[1].name == "rolls")
  refused('phase "rolls" has no field \'stop\', only its name', function() return r.phases[1].stop end)
  refused("an item of run.phases has no field 'finsh' (did you mean 'finish'?)", function()
    return run.phases[1].finsh
  end)
  refused("phases[2] is nil, while the list goes on to item 3", function()
    r.m:simulate { t = 5, phases = { r.phases[1], nil, r.phases[2] } }
  end)
  refused("without[1] is nil, while the list goes on to item 2", function()
    r.m:phase { "holds", without = { nil, r.foot } }
  end)
  refused("phases must be a plain list, but has the key \"first\"", function()
    r.m:simulate { t = 5, phases = { first = r.phases[1] } }
  end)
  refused('objective "rises.stop" is not a finite number', function()
    local m = mbs.model { gravity = { 0, -10 } }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 0, 10 }, mass = 1 }
    m:simulate { t = 3, phases = { m:phase { "rises", stop = math.log(0.1 - P.y) - 5 } } }
  end)
end

do -- Events of all phases are those of the run.
  local m = mbs.model { gravity = { 0, -9.81 } }
  local ball = m:point { "ball", at = { 0, 0.5 }, velocity = { 1, 0 }, mass = 1 }
  m:contact { "floor", m.ground, ball, normal = mbs.kelvin_voigt { stiffness = 1e5, damping = 10 } }
  local plain = m:simulate { t = 1 }
  local split = m:simulate { t = 1, phases = { m:phase { "first", stop = ball.x - 0.4 },
                                               m:phase { "second", stop = ball.x - 9 } } }
  assert(#plain.events >= 4 and #split.events == #plain.events, #split.events)
  for k, event in ipairs(plain.events) do
    assert(split.events[k].what == event.what and math.abs(split.events[k].t - event.t) < 1e-6)
  end
end

do -- A contact that is left out ends no steps where it would begin.
  local m = mbs.model { gravity = { 0, -9.81 } }
  local ball = m:point { "ball", at = { 0, 0.5 }, mass = 1 }
  local floor = m:contact { "floor", m.ground, ball, normal = mbs.kelvin_voigt { stiffness = 1e3 } }
  local through = m:simulate { t = 1, phases = { m:phase { "through", without = { floor }, stop = -0.2 - ball.y } } }
  assert(#through.events == 0 and through.phases[1].complete)
  local bounces = m:simulate { t = 0.6, phases = { m:phase { "bounces", stop = -0.2 - ball.y } } }
  assert(#bounces.events == 2 and #m:simulate { t = 0.1, phases = {} }.phases == 0)
end

-- Forces that read time, in a phase whose start moves with the parameters: by a condition, as such, in a driver and in
-- an integrand. Direct, adjoint, and differences of whole motions.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local v, k = m:param { "v", 1 }, m:param { "k", 2 }
  local P = m:point { "P", at = { 0, 1 }, velocity = { v, 0 }, mass = 1 }
  m:force { on = P, law = function(s)
    return mbs.where(mbs.lt(s.t, 0.3), 1, -1) + k * math.sin(7 * s.t), -math.cos(3 * s.t) * P.vx
  end }
  local Q = m:point { "Q", at = { 1, 1 }, mass = 2 }
  local drive = m:driver { "drive", what = Q.x, law = function(s) return 1 + 0.3 * math.sin(5 * s.t) end }
  local J = m:objective { "J", terminal = P.x + 0.1 * Q.vx * P.vy,
                          integral = function(s) return P.y * math.sin(s.t) + 0.01 * drive.force end }
  local phases = { m:phase { "a", stop = P.x - 0.1, within = 2 },
                   m:phase { "b", stop = function(s) return 1.2 - 0.1 * s.t - P.y - Q.y end, within = 2 },
                   m:phase { "c", set = { k = function(s) return k + 0.2 * s.t end } } }
  for _, integrator in ipairs { mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 },
                                mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } } do
    for _, form in ipairs { mbs.maggi {}, mbs.index1 { project = true } } do
      local how = { J, t = 0.9, phases = phases, integrator = integrator, formulation = form, over = { v, k } }
      how.method = mbs.direct {}
      local direct = m:gradient(how)
      how.method = mbs.adjoint {}
      local adjoint = m:gradient(how)
      how.method = mbs.finite_difference {}
      local differences = m:gradient(how)
      for i = 1, 2 do
        local size = math.max(1, math.abs(adjoint.gradient[i]))
        assert(math.abs(direct.gradient[i] - adjoint.gradient[i]) < 1e-10 * size, direct.gradient[i])
        assert(math.abs(differences.gradient[i] - adjoint.gradient[i]) < 1e-9 * size,
               ("%s, %d: %.12g, %.12g"):format(tostring(integrator), i, adjoint.gradient[i], differences.gradient[i]))
      end
    end
  end
end

-- A ball lands on a floor that heaves and tilts with time, and rides on it: the impact depends on when it comes.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local h, v, k = m:param { "h", 0.5 }, m:param { "v", 0.7 }, m:param { "k", 2 }
  local P = m:point { "P", at = { 0, h }, velocity = { v, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { 1, 1 }, mass = k }
  m:distance { m:ground { at = { 2, 1 } }, Q }
  local function gap(s) return P.y - 0.1 * math.sin(3 * s.t) - 0.05 * P.x * math.cos(s.t) + 0.02 * (Q.y - 1) end
  local floor = m:constraint { "floor", law = gap }
  local J = m:objective { "J", terminal = P.x + P.vy * Q.vx + Q.vy,
                          integral = function(s) return P.y * math.sin(s.t) + 1e-3 * floor.lambda end }
  local phases = { m:phase { "falls", without = { floor }, stop = function(s) return -gap(s) end, within = 2 },
                   m:phase { "rides", stop = P.x - 0.5, within = 3 }, m:phase { "last" } }
  for _, form in ipairs { mbs.maggi {}, mbs.index1 { project = true } } do
    local how = { J, t = 1.5, phases = phases, formulation = form, over = { h, v, k },
                  integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
    local found = {}
    for name, method in pairs { direct = mbs.direct {}, adjoint = mbs.adjoint {},
                                differences = mbs.finite_difference {} } do
      how.method = method
      found[name] = m:gradient(how).gradient
    end
    for i, adjoint in ipairs(found.adjoint) do
      assert(math.abs(found.direct[i] - adjoint) < 1e-11 and math.abs(found.differences[i] - adjoint) < 2e-9,
             ("%d: %.12g %.12g %.12g"):format(i, adjoint, found.direct[i], found.differences[i]))
    end
    local run = m:simulate { t = 1.5, phases = phases, formulation = form, integrator = how.integrator }
    assert(#run.phases == 3 and run.phases[1].complete and run.phases[2].complete)
  end
end

-- A condition of the wrong sign falls through zero, and ends nothing: the run says so.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0, 1 }, mass = 1 }
  local run = m:simulate { t = 1, phases = { m:phase { "falls", stop = P.y }, m:phase { "never" } } }
  assert(#run.phases == 1 and table.concat(run.warnings, "\n"):find("fell through zero", 1, true), run.warnings[1])
  local late = { m:phase { "late", stop = P.y, within = 0.9 }, m:phase {} }
  local ok, message = pcall(m.simulate, m, { t = 1, phases = late })
  assert(not ok and tostring(message):find("change its sign", 1, true), message)
  local right = m:simulate { t = 1, phases = { m:phase { "lands", stop = -P.y }, m:phase { "after" } } }
  assert(#right.phases == 2 and #right.warnings == 0)
end

-- A phase that ends at the very end time ends the motion: the next one begins, and is over before it has moved.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local speed = m:param { "speed", 2, unit = "m/s" }
  local P = m:point { "P", at = { 0, 0 }, velocity = { speed, 0 }, mass = 1 }
  local latch = m:constraint { "latch", law = function(s) return P.x(s) - P.y(s) - 1 end }
  local phases = { m:phase { "flies", without = { latch }, stop = function(s) return s.t - 0.5 end },
                   m:phase { "held", stop = function(s) return s.t - 2 end }, m:phase { "later" } }
  local run = m:simulate { t = 0.5, phases = phases }
  assert(#run.phases == 2 and run.phases[1].complete and not run.phases[2].complete and #run.warnings == 0)
  -- The impact leaves half of the velocity along (1, 1).
  assert(math.abs(run:at("P.vx", 0.5) - 1) < 1e-12 and math.abs(run:at("P.vy", 0.5) - 1) < 1e-12)
  assert(math.abs(run:at("P.x", 0.5) - 1) < 1e-12)
end

-- After a rebound the condition begins at zero but for rounding, and falls: nothing is wrong with that.
do
  local m = mbs.model { gravity = { 0, -10 } }
  local ball = m:point { "ball", at = { 0, 0.8 }, mass = 1 }
  m:constraint { law = ball.x }
  local floor = m:constraint { "floor", law = ball.y }
  local phases = {}
  for k = 1, 3 do
    phases[#phases + 1] = m:phase { "flies" .. k, without = { floor }, stop = -ball.y }
    phases[#phases + 1] = m:phase { "hits" .. k, restitution = 0.8 }
  end
  phases[#phases + 1] = m:phase { "rises", without = { floor } }
  for _, t in ipairs { 0.45, 0.6, 1.05, 1.1, 1.5, 1.6 } do
    assert(#m:simulate { t = t, phases = phases }.warnings == 0)
  end
end
