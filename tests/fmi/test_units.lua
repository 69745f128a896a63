-- Units that m:export writes, driven by a host that knows the standard alone (host.cpp): motions, gradients and events
-- as the program itself has them.
-- perilune test_units.lua fmi_host folder cmake fmi_abuse
local driving = dofile(arg[0]:match "^(.*/)" .. "driving.lua")
local write, run, export, drive = driving.write, driving.run, driving.export, driving.drive
local near, expect, check_description = driving.near, driving.expect, driving.check_description
local folder = driving.folder

-- A closed loop of points: motion, units, gradients.
local crank = [[
local mbs = require "perilune"
local m = mbs.model { "crank", gravity = {0, -9.81} }
local a = m:param { "a", 0.2, unit = "m", min = 0.1, max = 0.5 }
local k = m:param { "k", 20, unit = "N/m" }
local M = m:param { "M", 0.3, unit = "N m" }
local A = m:ground { at = {0, 0} }
local P = m:point { "P", at = {0, a}, velocity = {1, 0}, mass = 1 }
local S = m:point { "S", at = {math.sqrt(0.7 ^ 2 - a ^ 2), 0}, velocity = {1, 0}, mass = 2 }
m:distance { "arm", A, P }
m:distance { "rod", P, S, length = 0.7 }
m:constraint { "guide", law = function(s) return S.y(s) end }
m:force { "drive", on = P, law = function(s) return -M * P.y(s) / a ^ 2, M * P.x(s) / a ^ 2 end }
m:spring { "s", m:ground { at = {1, 0} }, S, stiffness = k, free_length = 0.1 }
m:signal { "way", S.x, unit = "mm" }
]]
export("crank", crank .. [[
print "before"
m:export { "crank.fmu", inputs = { M }, outputs = { "way", "P.y", "energy.total" },
  formulation = mbs.coordinate_partitioning {}, integrator = mbs.rk4 { step = 1e-3 } }
print "after"
]])
local text = check_description "crank"
expect(text, 'name="a" valueReference="1" causality="parameter" variability="fixed"')
expect(text, 'name="k" valueReference="2" causality="parameter" variability="tunable"')
expect(text, 'name="M" valueReference="3" causality="input" variability="continuous"')
expect(text, 'factor="0.001"')


local mbs = require "perilune"
local function own_crank(values)
  local m = assert(load(crank .. "return m", "=crank"))()
  for name, value in pairs(values or {}) do m:object(name).value = value end
  return m
end
local partitioning, steps = mbs.coordinate_partitioning {}, mbs.rk4 { step = 1e-3 }
do
  local m = own_crank()
  local run_here = m:simulate { t = 0.05, formulation = partitioning, integrator = steps }
  local answers, said = drive("crank", "me", { { "init", 0 }, { "get", "way" }, { "rk4", 1e-3, 50 }, { "get", "way" },
    { "get", "P.y" }, { "get", "energy.total" }, { "direct", "way", "k" }, { "direct", "way", "M" },
    { "adjoint", "way", "k", "M" }, { "direct", "energy.total", "M" }, { "adjoint", "energy.total", "k", "M" } })
  assert(said == "", said)
  local x, events, x_end, y, energy, by_k, by_M, both, energy_by_M, energy_by = table.unpack(answers)
  near(x, 1e3 * math.sqrt(0.7 ^ 2 - 0.2 ^ 2), 1e-12, "start in mm")
  assert(events == 0)
  near(x_end, 1e3 * run_here:at("S.x", 0.05), 1e-11, "way in mm")
  near(y, run_here:at("P.y", 0.05), 1e-11, "P.y")
  near(energy, run_here:at("energy.total", 0.05), 1e-11, "energy")
  local way = m:objective { "end of way", terminal = function(s) return 1000 * m:object "S".x(s) end }
  local total = m:objective { "energy at the end", terminal = function(s) return m:signal "energy.total"(s) end }
  local over = { m:object "k", m:object "M" }
  local g = m:gradient { { way, total }, over = over, method = mbs.adjoint {} }
  assert(math.abs(g[1].gradient[1]) > 1e-3 and math.abs(g[1].gradient[2]) > 1)  -- there is something to compare
  for k = 1, 2 do near(both[k], g[1].gradient[k], 1e-9, "adjoint of way") end
  near(by_k, g[1].gradient[1], 1e-9, "direct")
  near(by_M, g[1].gradient[2], 1e-9, "direct")
  for k = 1, 2 do near(energy_by[k], g[2].gradient[k], 1e-9, "adjoint of energy") end
  near(energy_by_M, g[2].gradient[2], 1e-9, "direct of energy")

  -- The same by co-simulation, with an input and parameters that change; a is one of the start.
  local other = own_crank { a = 0.25, k = 30 }
  local first = other:simulate { t = 0.1, formulation = partitioning, integrator = steps }
  other:object "M".value = -1
  other:object "k".value = 10
  local second = other:simulate { start = 0.1, from = first, t = 0.3, formulation = partitioning, integrator = steps }
  answers, said = drive("crank", "cs", { { "set", "a", 0.25 }, { "set", "k", 30 }, { "init", 0 }, { "step", 0.1 },
    { "get", "P.y" }, { "set", "M", -1 }, { "set", "k", 10 }, { "save" }, { "step", 0.2 }, { "get", "P.y" },
    { "get", "time" }, { "bytes" }, { "restore" }, { "step", 0.2 }, { "get", "P.y" }, { "reset" }, { "init", 0 },
    { "get", "a" }, { "get", "k" }, { "get", "M" } })
  assert(said == "", said)
  near(answers[1], first:at("P.y", 0.1), 1e-12, "first stretch")
  near(answers[2], second:at("P.y", 0.3), 1e-11, "second stretch")
  near(answers[3], 0.3, 1e-15, "time")
  assert(answers[5] == answers[2], "a state that came through bytes goes on as the first did, bit for bit")
  assert(answers[6] == 0.2 and answers[7] == 20 and answers[8] == 0.3)
end

-- A whole turn: the independent coordinates change on the way, at events that the unit asks for.
do
  local answers, said = drive("crank", "me", { { "set", "M", 3 }, { "init", 0 }, { "rk4", 1e-3, 1000 }, { "get", "way" },
    { "get", "P.y" }, { "states" } })
  assert(said == "", said)
  local m = own_crank { M = 3 }
  local exact = m:simulate { t = 1, integrator = mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  assert(answers[1] >= 2, "coordinates change: " .. answers[1])
  near(answers[2], 1e3 * exact:at("S.x", 1), 1e-6, "way after turns")
  near(answers[3], exact:at("P.y", 1), 1e-6, "P.y after turns")

  -- Derivatives go along over these events, and over the start, which a moves: parts of the rod and of the arm.
  answers, said = drive("crank", "me", { { "set", "M", 3 }, { "differentiate", "a", "k", "M" }, { "init", 0 },
    { "rk4", 1e-3, 1000 }, { "adjoint", "way", "a", "k", "M" }, { "direct", "way", "a" }, { "direct", "way", "k" },
    { "direct", "way", "M" }, { "get", "way" } })
  assert(said == "", said)
  assert(answers[1] >= 1, "coordinates change: " .. answers[1])
  local way = m:objective { "way at the end", terminal = function(s) return 1000 * m:object "S".x(s) end }
  local over = { m:object "a", m:object "k", m:object "M" }
  local g = m:gradient { way, t = 1, over = over }
  near(answers[6], g.value, 1e-8, "way")
  for k = 1, 3 do
    assert(math.abs(g.gradient[k]) > 1)
    near(answers[2][k], g.gradient[k], 1e-7, "adjoint over a change of coordinates")
    near(answers[2 + k], answers[2][k], 1e-11, "direct over a change of coordinates")
  end
end

-- Bodies in space in a closed loop, with a module and a file that the script reads, used from another folder.
write("lengths.lua", "return { crank = 0.3 }\n")
write("masses.json", '{"mass": [1.5]}')
local spatial = [[
local mbs = require "perilune"
local lengths = require "lengths"
local masses = mbs.read_json "masses.json"
local m = mbs.model { "loop", gravity = {0, 0, -9.81} }
local c = m:param { "c", lengths.crank, unit = "m" }
local damping = m:param { "damping", 0.4, unit = "N m s" }
local crank = m:body { "crank", mass = masses.mass[1], inertia = {0.01, 0.02, 0.02}, at = {0, 0, c / 2} }
local coupler = m:body { "coupler", mass = 1, inertia = {0.02, 0.01, 0.02}, at = {0.4, 0, c} }
local rocker = m:body { "rocker", mass = 1, inertia = {0.02, 0.02, 0.01}, at = {0.8, 0.1, 0.2} }
m:revolute { "O", m.ground, crank, at = {0, 0, 0}, axis = "y" }
m:spherical { "A", crank, coupler, at = {0, 0, c} }
m:universal { "B", coupler, rocker, at = {0.8, 0, 0.4}, axis = {0, 1, 0}, axis_b = {1, 0, 0} }
m:revolute { "C", m.ground, rocker, at = {0.8, 0, 0}, axis = {0.1, 1, 0} }
m:torque { "brake", on = crank, law = function(s) return 0, -damping * crank.omega_y(s), 0 end }
m:signal { "height", coupler.z }
]]
export("loop", spatial .. [[
m:export { "loop.fmu", outputs = { "height", "coupler.x", "O.force_z" }, integrator = mbs.rk4 { step = 2e-3 },
  formulation = mbs.maggi {} }
]])
os.remove(folder .. "/lengths.lua")
os.remove(folder .. "/masses.json")
check_description "loop"
do
  package.loaded.lengths = { crank = 0.3 }
  local text = spatial:gsub('mbs.read_json "masses.json"', "{ mass = { 1.5 } }")
  local m = assert(load(text .. "return m", "=loop"))()
  local settings = { formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 2e-3 } }
  local here = m:simulate { t = 0.2, formulation = settings.formulation, integrator = settings.integrator }
  local answers, said = drive("loop", "me", { { "init", 0 }, { "rk4", 2e-3, 100 }, { "get", "height" },
    { "get", "coupler.x" }, { "get", "O.force_z" }, { "direct", "height", "damping" },
    { "adjoint", "height", "damping" }, { "direct", "O.force_z", "damping" }, { "adjoint", "O.force_z", "damping" } })
  assert(said == "", said)
  assert(answers[1] == 0)
  near(answers[2], here:at("height", 0.2), 1e-11, "height")
  near(answers[3], here:at("coupler.x", 0.2), 1e-11, "coupler.x")
  near(answers[4], here:at("O.force_z", 0.2), 1e-10, "reaction")
  local damping = m:object "damping"
  local height = m:objective { "h", terminal = function(s) return m:signal "height"(s) end }
  local force = m:objective { "f", terminal = function(s) return m:object "O".force_z(s) end }
  local g = m:gradient { { height, force }, over = { damping }, method = mbs.adjoint {} }
  assert(math.abs(g[1].gradient[1]) > 1e-6 and math.abs(g[2].gradient[1]) > 1e-4)
  near(answers[5], g[1].gradient[1], 1e-9, "direct of the height")
  near(answers[6], g[1].gradient[1], 1e-9, "adjoint of the height")
  near(answers[7], g[2].gradient[1], 1e-9, "direct of the reaction")
  near(answers[8], g[2].gradient[1], 1e-9, "adjoint of the reaction")
end

-- Events: a mass on a stop. Where the contact begins and ends follows from closed forms: free fall, then an oscillator.
export("bounce", [[
local mbs = require "perilune"
local m = mbs.model { "bounce", gravity = {0, -10} }
local k = m:param { "k", 1000, unit = "N/m", min = 1 }
local P = m:point { "P", at = {0, 0.8}, mass = 1 }
m:constraint { "guide", law = function(s) return P.x(s) end }
m:bump_stop { "floor", on = P.y, lower = 0, stiffness = k }
m:export { "bounce.fmu", outputs = { "P.y", "P.vy" } }
]])
assert(check_description "bounce":find "EventIndicator")
do
  local g, k, h = 10, 1000, 0.8
  local t_down, v = math.sqrt(2 * h / g), math.sqrt(2 * g * h)
  local w = math.sqrt(k)
  -- y = -g / w^2 + C cos(w s + d), 0 and -v at the start of the contact and 0 and v at its end.
  local rest = g / k
  local d = math.atan(v / w, rest)
  local t_contact = 2 * (math.pi - d) / w
  local commands = { { "init", 0 }, { "rk4", 1e-3, 800 }, { "get", "P.y" }, { "get", "P.vy" }, { "indicators" } }
  local since = 0.8 - t_down - t_contact
  local y, vy = v * since - g * since ^ 2 / 2, v - g * since
  local answers, said = drive("bounce", "me", commands)
  assert(said == "", said)
  assert(answers[1] == 2, "two events")
  near(answers[2], y, 1e-8, "height after a contact")
  near(answers[3], vy, 1e-8, "velocity after a contact")
  assert(answers[4] >= 1)
  answers, said = drive("bounce", "cs", { { "init", 0 }, { "step", 0.5 }, { "step", 0.3 }, { "get", "P.y" },
    { "get", "P.vy" }, { "set", "k", 0.5 } })
  near(answers[1], y, 1e-6, "height by co-simulation")
  near(answers[2], vy, 1e-6, "velocity by co-simulation")
  expect(said, 'parameter "k" is set to 0.5, outside its bounds 1 to inf')
end

-- A shaft that turns as a driver says has no states at all. Its cam lets go of the follower, which is said once.
export("cam", [[
local mbs = require "perilune"
local m = mbs.model { "engine", gravity = {0, -9.81} }
local shaft = m:body { "shaft", mass = 1, inertia = 1e-3, at = {0, 0} }
m:driver { m:revolute { "hinge", m.ground, shaft, at = {0, 0} }.angle, law = function(s) return 60 * s.t end }
local point = m:point { "follower", at = {0, 0.06}, mass = 1 }
m:constraint { law = point.x }
m:cam { "cam", shaft, point, profile = function(s) return 0.05 + 0.01 * math.sin(s.angle) end }
m:export { "cam.fmu", outputs = { "cam.normal_force" } }
]])
for _, kind in ipairs { "me", "cs" } do
  local commands = { { "init", 0 }, { "get", "cam.normal_force" } }
  for _ = 1, 4 do commands[#commands + 1] = kind == "me" and { "rk4", 0.01, 5 } or { "step", 0.05 } end
  local answers, said = drive("cam", kind, commands)
  near(answers[1], 9.81 - 0.01 * 60 ^ 2, 1e-9, "force at the start")
  local count = select(2, said:gsub('contact is lost in "cam"', ""))
  assert(count == 1, said)
end

-- A driver that jumps is a blow, which an integrator of velocities does not have.
export("jump", [[
local mbs = require "perilune"
local m = mbs.model { "jump", gravity = {0, -9.81} }
local A = m:point { "A", at = {0, 0}, mass = 1 }
local B = m:point { "B", at = {0, -1}, mass = 1 }
m:driver { "sideways", A.x, law = function(s) return mbs.where(mbs.lt(s.t, 0.3), 0, s.t - 0.3) end }
m:constraint { "level", law = A.y }
m:distance { "rod", A, B }
m:export { "jump.fmu", outputs = { "B.x" } }
]])
do
  local _, said = drive("jump", "me", { { "init", 0 }, { "rk4", 0.01, 40 } })
  expect(said, 'the velocity that "sideways" prescribes jumps by 1')
end

-- What a host does wrong. After each error it begins anew, or goes back to a state from before; else nothing goes on.
do
  local reset, restore = { "reset" }, { "restore" }
  local _, said = drive("crank", "me", { { "get", "way" }, reset, { "set", "way", 1 }, reset, { "set", "k", "nan" }, reset,
    { "init", 0 }, { "save" }, { "set", "a", 0.3 }, restore, { "set", "M", 2 }, { "set", "k", 3 }, restore, { "init", 0 },
    restore, { "call", "fmi3EnterStepMode" }, restore, { "step", 0.1 }, restore, { "call", "fmi3EnterConfigurationMode" },
    { "get", "way" } })
  expect(said, 'output "way" is asked for before fmi3EnterInitializationMode')
  expect(said, 'output "way" cannot be set: it follows from the others')
  expect(said, 'parameter "k" is set to what is no finite number')
  expect(said, 'parameter "a" cannot be set once the unit runs: joints or the start depend on it')
  expect(said, 'parameter "k" can be set at events, not in between')
  expect(said, "fmi3EnterInitializationMode does not belong to this mode of the unit")
  expect(said, "fmi3DoStep does not belong to this mode of the unit")
  assert(select(2, said:gsub("an earlier call has returned fmi3Error", "")) == 1, said)
  -- Up to the stop time, but for the rounding of sums of steps, and not beyond.
  local _, past = drive("crank", "cs", { { "init", 0, 0.3 }, { "step", 0.1 }, { "step", 0.1 }, { "step", 0.1 },
    { "step", 0.1 } })
  assert(select(2, past:gsub("behind the stop time", "")) == 1, past)
  expect(past, "the step is to end at 0.4 s, behind the stop time 0.3 s of fmi3EnterInitializationMode")
  local _, start = drive("crank", "cs", { { "set", "a", 0.9 }, { "init", 0 } })
  expect(start, "sqrt(0.49 - a * a) is not a finite number at these parameters")
end

driving.abuse { { "crank", "me", "M" }, { "crank", "cs", "M" }, { "bounce", "me", "k" }, { "loop", "cs", "damping" } }

-- Values that parameters are given after runs are those of the unit, in its description, too.
export("later", [[
local mbs = require "perilune"
local m = mbs.model { "later", gravity = {0, -10} }
local k, drop = m:param { "k", 10, unit = "N/m", min = 1 }, m:param { "drop", 0, unit = "m" }
local P = m:point { "P", at = {0, -drop}, mass = 2 }
m:constraint { "guide", law = function(s) return P.x(s) end }
m:spring { "s", m:ground { at = {0, 1} }, P, stiffness = k, free_length = 1 }
m:simulate { t = 0.1 }
m:equilibrium {}
k.value, drop.value = 50, 0.3
m:export { "later.fmu", outputs = { "P.y" } }
]])
assert(check_description "later":find 'name="k"[^>]*start="50"')
do
  local answers, said = drive("later", "me", { { "init", 0 }, { "get", "k" }, { "get", "P.y" }, { "rk4", 1e-3, 300 },
    { "get", "P.y" } })
  assert(said == "", said)
  assert(answers[1] == 50)
  near(answers[2], -0.3, 1e-15, "where it starts")
  -- About the rest at -m g / k = -0.4, with the frequency sqrt(k / m) = 5.
  local y = -0.4 + 0.1 * math.cos(5 * 0.3)
  near(answers[4], y, 1e-11, "where it gets to")
  -- Derivatives at communication points: of y'' = -g - k y / m.
  answers, said = drive("later", "cs", { { "init", 0 }, { "step", 0.3 },
    { "slope", "der(velocity 1)", "k", "position 1", "velocity 1", "drop" }, { "slope", "P.y", "position 1", "k" } })
  assert(said == "", said)
  near(answers[1][1], -y / 2, 1e-8, "by the stiffness")
  near(answers[1][2], -50 / 2, 1e-11, "by the position")
  assert(answers[1][3] == 0 and answers[1][4] == 0 and answers[2][1] == 1 and answers[2][2] == 0)
end

-- What scripts do wrong.
local function refused(script, sentence)
  write("wrong.lua", 'local mbs = require "perilune"\nlocal m = mbs.model { "wrong", gravity = {0, -10} }\n' ..
    'local a = m:param { "a", 1, unit = "m" }\nlocal P = m:point { "P", at = {a, 0}, mass = 1 }\n' .. script)
  local said, code = run("wrong.lua")
  assert(code == 1 or code == 3, said)  -- a script, or its numbers
  expect(said, sentence)
  assert(not io.open(folder .. "/wrong.fmu"), "nothing is left")
end
refused('m:export { "wrong.fmu" }', "outputs is missing")
refused('m:export { "wrong.fmu", outputs = { "P.z" } }', "P.z")
refused('m:export { "wrong.fmu", outputs = { "P.x" }, inputs = { a } }', 'joints or the start depend on "a"')
refused('local F = m:param { "F", 0 } local hold = m:constraint { "hold", law = function(s) return P.x(s) - 2 end } ' ..
  'm:export { "wrong.fmu", outputs = { "P.x" }, inputs = { F }, phases = { m:phase { "one", without = { hold }, ' ..
  'stop = P.x - 2 }, m:phase { "two", set = { F = P.x } } } }', 'phases set "F", so that no host can')
refused('local L = m:param { "L", 1 } m:distance { "rod", m:ground { at = {0, 0} }, P, length = L } ' ..
  'm:export { "wrong.fmu", outputs = { "P.x" }, inputs = { L } }', 'joints or the start depend on "L"')
refused('m:export { "wrong.xml", outputs = { "P.x" } }', "outputs belongs to units, whose file ends in .fmu")
refused('m:export { "wrong.zip", outputs = { "P.x" } }', "must end in .xml")
refused('local Q = m:point { "Q", at = {a, 1}, mass = 1 } m:distance { "rod", P, Q } m:distance { "same", P, Q } ' ..
  'm:export { "wrong.fmu", outputs = { "P.x" }, formulation = mbs.index1 {} }', "redundant constraints")
refused('local Q = m:point { "Q", at = {a, 1}, mass = 1 } m:distance { "rod", P, Q } m:distance { "same", P, Q } ' ..
  'm:export { "wrong.fmu", outputs = { "rod.force" }, formulation = mbs.penalty {} }', "undetermined")
refused('P = m:point { "Q", at = {os.clock(), 0}, mass = 1 } m:export { "wrong.fmu", outputs = { "Q.x" } }',
  "the script must do the same each time")
refused('dofile "gone.lua"', "gone.lua")
refused('m:param { "P.x", 1 } m:export { "wrong.fmu", outputs = { "P.x" } }',
  'two variables would be called "P.x"')
print "units: all as it should be"
