-- Units that m:export writes, and what happens in them at events: digital controllers that tick, phases that end.
-- perilune test_unit_events.lua fmi_host folder cmake fmi_abuse
local driving = dofile(arg[0]:match "^(.*/)" .. "driving.lua")
local export, drive = driving.export, driving.drive
local near, expect, check_description = driving.near, driving.expect, driving.check_description
local mbs = require "perilune"

-- Sampled numbers tick at the events in time that the unit asks for, and in co-simulation within its steps, which need
-- not be those of the clock. One counts by itself, one ticks later and less often.
local sampled = [[
local mbs = require "perilune"
local m = mbs.model { "sampled", gravity = {0, 0} }
local x0 = m:param { "x0", 1, unit = "m" }
local kp = m:param { "kp", 4, unit = "N/m" }
local push = m:param { "push", 0, unit = "N" }
local P = m:point { "P", at = {x0, 0}, mass = 1 }
local sum = m:sampled { "sum", period = 0.1, next = function(s) return s.value + 0.1 * P.x end }
local u = m:sampled { "u", at = 0.5, period = 0.2, first = 0.05, unit = "N",
  next = function(s) return -kp * P.x - 3 * P.vx - 0.8 * sum.value end }
m:force { on = P, law = function(s) return u.value + push, 0 end }
]]
export("sampled", sampled .. [[
m:export { "sampled.fmu", inputs = { push }, outputs = { "P.x", "u.value", "sum.value" } }
]])
expect(check_description "sampled", "<ModelExchange")
do
  local x, v, u, sum, t = 1.0, 0.0, 0.5, 0.0, 0.0
  local function go(to)
    local h = to - t
    x, v, t = x + v * h + u * h ^ 2 / 2, v + u * h, to
  end
  for k = 0, 19 do  -- every 0.05 s, to t = 0.98; those that tick together read what was before
    go(k * 0.05)
    local u_next = k % 4 == 1 and -4 * x - 3 * v - 0.8 * sum or u
    if k % 2 == 0 then sum = sum + 0.1 * x end
    u = u_next
  end
  go(0.98)
  local answers, said = drive("sampled", "me", { { "differentiate", "x0", "kp", "push" }, { "init", 0 },
    { "rk4", 0.02, 49 }, { "get", "P.x" }, { "get", "u.value" }, { "get", "sum.value" },
    { "adjoint", "P.x", "x0", "kp", "push" }, { "direct", "P.x", "x0" }, { "direct", "P.x", "kp" },
    { "direct", "P.x", "push" }, { "adjoint", "u.value", "x0", "kp", "push" }, { "get", "P.x" } })
  assert(said == "", said)
  assert(answers[1] == 14, "as many events as ticks, the first at the start: " .. answers[1])
  near(answers[2], x, 1e-12, "x in model exchange")
  near(answers[3], u, 1e-12, "u in model exchange")
  near(answers[4], sum, 1e-12, "sum in model exchange")
  near(answers[10], x, 1e-12, "after derivatives")
  local m = assert(load(sampled .. "return m", "=sampled"))()
  local P = m:object "P"
  m:simulate { t = 0.98, integrator = mbs.rk4 { step = 0.01 } }
  local at = m:objective { "at", terminal = function(s) return P.x(s) end }
  local held = m:objective { "held", terminal = function(s) return m:object "u".value(s) end }
  local g = m:gradient { { at, held }, over = { m:object "x0", m:object "kp", m:object "push" } }
  for k = 1, 3 do
    assert(math.abs(g[1].gradient[k]) > 1e-3 and math.abs(g[2].gradient[k]) > 1e-3)
    near(answers[5][k], g[1].gradient[k], 1e-10, "adjoint over ticks")
    near(answers[5 + k], g[1].gradient[k], 1e-10, "direct over ticks")
    near(answers[9][k], g[2].gradient[k], 1e-10, "adjoint of what is sampled")
  end

  -- In steps of 0.07 s; of 0.05 s; and such that one of 1e-9 s goes across a tick.
  local lengths = { {}, {}, { 0.1 - 5e-10, 1e-9, 0.2 - 5e-10, 0.68 } }
  for _ = 1, 14 do lengths[1][#lengths[1] + 1] = 0.07 end
  for _ = 1, 19 do lengths[2][#lengths[2] + 1] = 0.05 end
  lengths[2][20] = 0.03
  for _, list in ipairs(lengths) do
    local commands = { { "init", 0 } }
    for _, h in ipairs(list) do commands[#commands + 1] = { "step", h } end
    table.move({ { "get", "P.x" }, { "get", "u.value" }, { "get", "sum.value" } }, 1, 3, #commands + 1, commands)
    answers, said = drive("sampled", "cs", commands)
    assert(said == "", said)
    near(answers[1], x, 1e-9, "x in co-simulation")
    near(answers[2], u, 1e-9, "u in co-simulation")
    near(answers[3], sum, 1e-9, "sum in co-simulation")
  end

  -- A state that was saved between ticks, and came through bytes.
  answers, said = drive("sampled", "me", { { "init", 0 }, { "rk4", 0.02, 9 }, { "save" }, { "rk4", 0.02, 40 },
    { "get", "P.x" }, { "bytes" }, { "restore" }, { "rk4", 0.02, 40 }, { "get", "P.x" } })
  assert(said == "", said)
  near(answers[3], x, 1e-12, "the first time")
  assert(answers[6] == answers[3], "and the second, bit for bit")
end

-- Phases: in co-simulation alone. A mass falls until its rope is taut, and swings from there to the lowest place.
export("rope", [[
local mbs = require "perilune"
local m = mbs.model { "rope", gravity = {0, -9.81} }
local L = m:param { "L", 1, unit = "m", min = 0.7 }
local drag = m:param { "drag", 0, unit = "N s/m" }
local P = m:point { "P", at = {0.6, 0}, mass = 1 }
local rope = m:distance { "rope", m:ground { at = {0, 0} }, P, length = L }
m:force { on = P, law = function(s) return -drag * P.vx(s), -drag * P.vy(s) end }
local phases = { m:phase { "falls", without = {rope}, stop = P.x^2 + P.y^2 - L^2, within = 1 },
  m:phase { "swings", stop = -P.x } }
m:export { "rope.fmu", inputs = { drag }, outputs = { "P.x", "P.y", "P.vx", "P.vy", "rope.force", "P.ax" },
  phases = phases, integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
]])
do
  local text = check_description "rope"
  assert(not text:find "<ModelExchange" and not text:find "ContinuousStateDerivative" and not text:find "EventIndicator")
  local _, refused = drive("rope", "me", {})
  expect(refused, "the unit is not for this")
  local commands = { { "init", 0 }, { "get", "rope.force" } }
  local function add(...) for _, each in ipairs { ... } do commands[#commands + 1] = each end end
  for _ = 1, 9 do add { "step", 0.05 } end  -- the rope is taut at 0.404 s
  add({ "get", "P.x" }, { "get", "P.y" }, { "get", "P.vx" }, { "get", "rope.force" }, { "save" },
    { "slope", "P.ax", "drag" }, { "slope", "rope.force", "drag" }, { "step", 0.5 }, { "get", "P.x" }, { "get", "P.vx" },
    { "step", 0.1 }, { "bytes" }, { "restore" }, { "step", 0.1 }, { "step", 0.1 })
  local answers, said = drive("rope", "cs", commands)
  local x, y, vx, force, ax_by, force_by, x_end, vx_end = table.unpack(answers, 2)
  assert(answers[1] == 0, "no force where the rope is slack")
  near(x ^ 2 + y ^ 2, 1, 1e-9, "on the circle")
  -- Of the velocity at the impact what is across the rope is left; from there on energy is kept.
  local g, speed_down = 9.81, math.sqrt(2 * 9.81 * 0.8)
  local across = speed_down * 0.6
  local speed = math.sqrt(across ^ 2 + 2 * g * (-0.8 - y))
  near(vx, y * speed, 1e-8, "along the circle")
  near(math.abs(force), speed ^ 2 + g * -y, 1e-7, "what holds it")
  -- P.ax = -(v^2 - g y) x - drag (vx - 0): what drags goes along the circle.
  near(ax_by, -vx, 1e-9, "by the drag")
  near(force_by, 0, 1e-9, "which does not pull")
  near(x_end, 0, 1e-9, "the lowest place")
  near(vx_end, -math.sqrt(across ^ 2 + 2 * g * 0.2), 1e-8, "how fast")
  local ends = tonumber(said:match "ends\t([%d.]+)")
  near(ends, 0.62982, 2e-5, "when it is over")
  expect(said, "the motion is over, with the last of its phases")
  assert(select(2, said:gsub("ends\t", "")) == 2, "it goes on from a state that was saved: " .. said)
end

-- Where a phase ends at a communication point, to rounding; what a phase sets is no parameter of the host's.
export("latch", [[
local mbs = require "perilune"
local m = mbs.model { "latch", gravity = {0, 0} }
local place = m:param { "place", 9, unit = "m" }
local P = m:point { "P", at = {0, 0}, velocity = {1, 2}, mass = 1 }
local latch = m:constraint { "latch", law = function(s) return P.x(s) - place end }
m:simulate { t = 1, phases = { m:phase { "flies", without = { latch }, stop = function(s) return s.t - 0.5 end },
  m:phase { "held", set = { place = P.x }, stop = function(s) return s.t - 0.8 end },
  m:phase { "free", without = { latch } } } }
m:export { "latch.fmu", outputs = { "P.x", "P.y", "P.vx" } }
]])
expect(check_description "latch", 'name="place" valueReference="1" causality="local" variability="discrete"')
for _, h in ipairs { 0.1, 0.25, 0.5, 0.05, 0.3, 1 / 16 } do
  local commands = { { "init", 0 } }
  for _ = 1, math.floor(1 / h + 0.5) do commands[#commands + 1] = { "step", h } end
  table.move({ { "get", "P.x" }, { "get", "P.y" }, { "get", "P.vx" }, { "get", "place" } }, 1, 4, #commands + 1, commands)
  local answers, said = drive("latch", "cs", commands)
  assert(said == "", said)
  near(answers[1], 0.5, 1e-9, "caught, in steps of " .. h)
  near(answers[2], 2 * h * math.floor(1 / h + 0.5), 1e-9, "and sliding")
  near(answers[3], 0, 1e-12, "at rest")
  near(answers[4], 0.5, 1e-9, "its place")
end

-- Rebounds, whose coefficient the host changes on the way.
export("court", [[
local mbs = require "perilune"
local m = mbs.model { "court", gravity = {0, -10} }
local e = m:param { "e", 0.8, min = 0, max = 1 }
local ball = m:point { "ball", at = {0, 0.8}, velocity = {0, 0}, mass = 1 }
m:constraint { "guide", law = ball.x }
local floor = m:constraint { "floor", law = ball.y }
local phases = {}
for k = 1, 3 do
  phases[#phases + 1] = m:phase { "flies" .. k, without = {floor}, stop = -ball.y, within = 2 }
  phases[#phases + 1] = m:phase { "hits" .. k, restitution = e }
end
phases[#phases + 1] = m:phase { "rises", without = {floor} }
m:export { "court.fmu", outputs = { "ball.y", "ball.vy" }, phases = phases }
]])
do
  local commands = { { "init", 0 } }
  for _ = 1, 10 do commands[#commands + 1] = { "step", 0.07 } end  -- the first at 0.4 s, the next 0.64 s later
  commands[#commands + 1] = { "set", "e", 0.5 }
  for _ = 1, 7 do commands[#commands + 1] = { "step", 0.07 } end
  table.move({ { "get", "ball.y" }, { "get", "ball.vy" } }, 1, 2, #commands + 1, commands)
  local answers, said = drive("court", "cs", commands)
  assert(said == "", said)
  local since = 17 * 0.07 - 0.4 - 0.64
  near(answers[1], 1.6 * since - 5 * since ^ 2, 1e-8, "after two rebounds")
  near(answers[2], 1.6 - 10 * since, 1e-8, "its speed")
  local _, set = drive("latch", "cs", { { "set", "place", 3 }, { "init", 0 }, { "set", "place", 4 }, { "step", 0.6 } })
  expect(set, 'parameter "place" cannot be set once the unit runs: phases set it')
  local _, wrong = drive("court", "cs", { { "set", "e", 1.5 }, { "init", 0 }, { "step", 0.3 }, { "step", 0.3 },
    { "get", "ball.y" } })
  expect(wrong, "has a restitution of 1.5, which is not from 0 to 1")
end

driving.abuse { { "sampled", "me", "push" }, { "sampled", "cs", "push" }, { "rope", "cs", "drag" } }
print "events of units: all as it should be"
