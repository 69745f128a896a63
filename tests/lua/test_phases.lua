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

-- A force that changes at a time of its own reads the time, though it says so in a condition alone.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local v = m:param { "v", 1 }
  local P = m:point { "P", at = { 0, 1 }, velocity = { v, 0 }, mass = 1 }
  m:force { on = P, law = function(s) return mbs.where(mbs.lt(s.t, 0.3), 1, -1), 0 end }
  local phases = { m:phase { "a", stop = P.x - 0.1, within = 2 }, m:phase { "b" } }
  local ok, message = pcall(m.gradient, m, { m:objective { "J", terminal = P.x }, t = 0.6, phases = phases })
  assert(not ok and tostring(message):find("depends on time as such", 1, true), message)
end
