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
    m:phase { "strikes", without = { foot }, set = { place = hub.x + math.sin(hub.angle + 3 * a) } },
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
