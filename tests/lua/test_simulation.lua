-- Simulations against closed forms, and what a run keeps and writes.
local mbs = require "perilune"
local check = require "check"

-- Free fall is a parabola: exact for every method of order 2 or more.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 1, 2 }, velocity = { 3, 4 }, mass = 2 }
  for _, method in ipairs { mbs.rk4 { step = 0.1 }, mbs.dormand_prince {}, mbs.trapezoidal { step = 0.1 } } do
    local run = m:simulate { t = 1.5, integrator = method }
    check.near(run:at("P.x", 1.5), 1 + 3 * 1.5, 1e-12, tostring(method))
    check.near(run:at("P.y", 1.5), 2 + 4 * 1.5 - 9.81 / 2 * 1.5^2, 1e-12, tostring(method))
    check.near(run:at(P.vy, 0.7), 4 - 9.81 * 0.7, 1e-10)
    check.equal(run.t, 1.5)
    check.equal(run.moved, 0)
    check.equal(run.reason, "reached the end time")
  end
  check.equal(m:simulate { t = 1, integrator = mbs.rk4 { step = 0.3 } }.steps, 4)
  local late = m:simulate { start = 10, t = 11 }
  check.equal(late:times()[1], 10)
  check.near(late:at("P.x", 11), 4)
end

-- A mass on a spring swings with the period 2 pi sqrt(m / k).
do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1.25, 0 }, mass = 2 }
  m:spring { m:ground { at = { 0, 0 } }, P, stiffness = 50, free_length = 1 }
  local period = 2 * math.pi * math.sqrt(2 / 50)
  local run = m:simulate { t = period, integrator = mbs.dormand_prince { relative_tolerance = 1e-11 } }
  check.near(run:at("P.x", period), 1.25, 1e-9)
  check.near(run:at("P.x", period / 2), 0.75, 1e-7)
  check.near(run:at("P.vx", period), 0, 1e-8)
end

-- Energies and constraints of a pendulum, by every formulation; settings are taken from the last simulation.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  for _, formulation in ipairs { mbs.penalty { alpha = 1e9 }, mbs.index1 { alpha = 10, beta = 10 } } do
    local run = m:simulate { t = 2, formulation = formulation, integrator = mbs.rk4 { step = 1e-3 } }
    check.near(run:at("energy.total", 2), run:at("energy.total", 0), 1e-7, tostring(formulation))
    check.near(run:at("constraint.drift", 2), 0, 1e-7, tostring(formulation))
    local again = m:simulate {}
    check.equal(again.steps, run.steps)
    check.equal(again:at("P.x", 2), run:at("P.x", 2))
    check.equal(m:simulate { t = 1 }.steps, 1000)
    check.equal(m.last_run.steps, 1000)
  end
end

-- A run says what assembly did to the declared state. The nearest to v = (0, 0, 3) with v_y = 1 m omega is (0, 1.5, 1.5);
-- the point joins the bar's end.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local b = m:body { "b", mass = 1, inertia = 1, at = { 1, 0 }, angular_velocity = 3 }
  m:revolute { "h", m.ground, b, at = { 0, 0 } }
  local run = m:simulate { t = 0.1 }
  check.near(run:at("b.omega", 0), 1.5, 1e-9)
  assert(tostring(run):find("; assembly made the rate of b.angle 1.5, not 3", 1, true), tostring(run))
  assert(not tostring(run):find("moved", 1, true), tostring(run))
  check.equal(#run.warnings, 1)
  assert(run.warnings[1]:find("assembly made b.omega 1.5, which is declared as 3", 1, true), run.warnings[1])
  local far = mbs.model { gravity = { 0, 0 } }
  far:distance { far:ground { at = { 0, 0 } }, far:point { "P", at = { 1, 0 }, mass = 1 }, length = 3 }
  local pulled = far:simulate { t = 0.1 }
  assert(tostring(pulled):find("; assembly moved P.x by 2", 1, true))
  check.equal(#pulled.warnings, 1)
  assert(pulled.warnings[1]:find("assembly moved P.x by 2, from 1 to 3", 1, true), pulled.warnings[1])
  -- What rounding of declared numbers leaves is no reason to warn.
  local near = mbs.model { gravity = { 0, 0 } }
  near:distance {
    near:ground { at = { 0, 0 } }, near:point { "P", at = { 0.707, 0.707 }, velocity = { 0.71, -0.707 }, mass = 1 },
    length = 1,
  }
  local run_near = near:simulate { t = 0.1 }
  assert(run_near.moved > 1e-5)
  check.equal(#run_near.warnings, 0)
end

-- It says so by the size and speed of what hangs together: wherever it stands, and whatever else flies by.
do
  local function arm(x, at)
    local m = mbs.model { gravity = { 0, 0 } }
    m:point { "bullet", mass = 1, at = { 500, 500 }, velocity = { 900, 0 } }
    local b = m:body { "b", mass = 1, inertia = 1, at = { x + at, 0 }, velocity = { 0, 0.5 } }
    m:revolute { "h", m:ground { at = { x, 0 } }, b:point { -0.5, 0 } }
    return m:simulate { t = 0.01 }.warnings
  end
  for _, x in ipairs { 0, 200 } do
    check.equal(#arm(x, 0.5), 1)  -- b.omega is not declared, so that the nearest velocities are others
    assert(arm(x, 0.5)[1]:find("assembly made b.vy", 1, true))
    assert(arm(x, 0.9)[1]:find("assembly moved b.x by -0.4", 1, true))
    assert(arm(x, 0.512)[1]:find("assembly moved b.x by -0.012", 1, true))
    assert(not arm(x, 0.50004)[1]:find("moved", 1, true))
  end
  for _, y in ipairs { 0, -100 } do  -- a rod is as long as it is, wherever its end is held
    local m = mbs.model { gravity = { 0, 0 } }
    m:distance { m:ground { at = { 0, y } }, m:point { "P", at = { 0.01, y }, mass = 1 }, length = 0.013 }
    assert(m:simulate { t = 0.01 }.warnings[1]:find("assembly moved P.x by 0.003", 1, true))
  end
  -- Two decimals may be off by a hundredth; more of them say that the number is meant.
  for x, count in pairs { [0.71] = 0, [0.7104] = 1 } do
    local m = mbs.model { gravity = { 0, 0 } }
    m:distance { m:ground { at = { 0, 0 } }, m:point { "P", at = { x, 0.71 }, mass = 1 }, length = 1 }
    check.equal(#m:simulate { t = 0.01 }.warnings, count)
  end
  -- What hangs on something fast may be off by the rounding of that, and alone it may not.
  for _, is_tied in ipairs { true, false } do
    local m = mbs.model { gravity = { 0, 0 } }
    local slow = m:body { "slow", mass = 1, inertia = 1, at = { 1, 0 }, velocity = { 0.05, 0 }, angular_velocity = 0.05 }
    local fast = m:point { "fast", mass = 1, at = { 1, 3 }, velocity = { 60, 0 } }
    m:constraint { law = slow.x - 1 }
    if is_tied then m:distance { slow:point { 0, 1 }, fast } end
    check.equal(#m:simulate { t = 0.01 }.warnings, is_tied and 0 or 1)
  end
  local m = mbs.model { gravity = { 0, 0 } }
  local slow = m:point { "slow", mass = 1, at = { 2, 0 }, velocity = { 0.3, 0 } }
  local fast = m:point { "fast", mass = 1, at = { 3, 0 }, velocity = { 0, 60 } }
  m:distance { m:ground { at = { 0, 0 } }, slow }
  m:distance { slow, fast }
  local warning = table.concat(m:simulate { t = 0.01 }.warnings)
  assert(warning:find("assembly made slow.vx", 1, true), warning)
end

-- Values at the steps, at given times, of expressions; files that can be read back with every digit.
do
  local m = mbs.model { "ball", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0.1, 0 }, velocity = { 1, 5 }, mass = 1 }
  local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 0.125 } }
  local times, x = run:times(), run:values("P.x")
  check.equal(#times, 9)
  check.equal(#x, 9)
  check.equal(times[9], 1)
  local some = run:values(2 * P.x - P.y, { 1, 0, 0.5 })
  check.equal(#some, 3)
  check.equal(some[2], 0.2)
  check.near(some[1], 2.2 - run:at("P.y", 1))
  check.equal(#run:values("P.x", {}), 0)

  local path = os.tmpname()
  run:csv(path, "P.x", "energy.total")
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  check.equal(#lines, 10, "lines of the CSV")
  assert(lines[1]:find("P.x", 1, true) and lines[1]:find("energy.total", 1, true), lines[1])
  for k = 1, 9 do
    local row = {}
    for cell in lines[k + 1]:gmatch "[^,]+" do row[#row + 1] = tonumber(cell) end
    check.equal(row[1], times[k])
    check.equal(row[2], x[k])
  end
  run:json(path, "P.x")
  local file <close> = assert(io.open(path))
  local text = file:read "a"
  local column, k = assert(text:match '"P.x".-"values":%s*%[(.-)%]'), 0
  for number in column:gmatch "[^,%s]+" do
    k = k + 1
    check.equal(tonumber(number), x[k], "P.x in the JSON")
  end
  check.equal(k, 9)

  mbs.write_json(path, { list = { 1, 0.1 }, name = "a\"b", nan = 0 / 0 })
  local again <close> = assert(io.open(path))
  local written = again:read("a"):gsub("%s", "")
  check.equal(written, '{"list":[1,0.1],"name":"a\\"b","nan":null}')
  os.remove(path)
end

-- A motion that ends early is kept, and so is one whose objective cannot be evaluated at its end.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1, 0 }, velocity = { 1, 0 }, mass = 1 }
  m:force { "root", on = P, law = function(s) return math.sqrt(0.5 - s.t), 0 end }
  for _, method in ipairs { mbs.rk4 { step = 1e-2 }, mbs.dormand_prince {}, mbs.trapezoidal { step = 1e-2 } } do
    check.fails('"root"', m.simulate, m, { t = 1, integrator = method })
    check.near(m.last_run.t, 0.5, 0.011, tostring(method))
    assert(m.last_run:at("P.x", 0.25) > 1)
    assert(tostring(m.last_run):find "stopped: at t = ")
  end
  local bad = m:objective { "bad", terminal = math.log(P.x - 100) }
  check.fails('objective "bad" is not a finite number', m.simulate, m, { t = 0.25, objectives = bad })
  check.equal(m.last_run.t, 0.25)
  local good = m:objective { "good", terminal = P.x }
  check.near(m:simulate { objectives = good }.objectives.good, m.last_run:at("P.x", 0.25))
end

-- A start that contradicts the constraints is moved; independent coordinates stay where they were declared.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0.6, 0.9 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P, length = 1 }
  local run = m:simulate { t = 0.1 }
  assert(run.moved > 0.01)
  check.near(run:at("P.x", 0)^2 + run:at("P.y", 0)^2, 1)
  run = m:simulate { independent = { "P.x" } }
  check.near(run:at("P.x", 0), 0.6)
  check.near(run:at("P.y", 0), 0.8)
end

-- Nothing but errors is written to stderr unless it is a terminal.
do
  local script, errors = os.tmpname(), os.tmpname()
  local out <close> = assert(io.open(script, "w"))
  out:write [[
    local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, -9.81 } }
    local x = m:param { "x", 0.5, min = 0, max = 2 }
    local P = m:point { "P", at = { x, 0 }, mass = 1 }
    local cost = m:objective { terminal = (P.x - 1)^2 }
    m:simulate { t = 200, integrator = mbs.rk4 { step = 1e-3 } }
    m:optimize { minimize = cost, t = 1 }]]
  out:close()
  local program = arg[-1]
  assert(os.execute(("'%s' '%s' 2>'%s'"):format(program, script, errors)))
  local file <close> = assert(io.open(errors))
  check.equal(file:read "a", "", "stderr")
  os.remove(script)
  os.remove(errors)
end
