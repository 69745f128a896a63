-- Bushings in space that are turned past half a turn: a run says so, in every form and integrator, and goes on as the law
-- does, which is a pendulum: with x = 2 sin(angle / 2) the torque is -k sin(angle).
local mbs = require "perilune"
local check = require "check"

local k, J, fast = 1.5, 0.5, 3.6  -- past half a turn from 2 (k / J)^(1/2) = 3.46 on

local function speed(angle) return (fast^2 - 2 * k / J * (1 - math.cos(angle)))^0.5 end

--- When the pendulum comes to an angle, by Gauss's rule of three points over short intervals.
local function time_to(angle)
  local sum, n = 0, 2000
  for i = 1, n do
    local middle, half = (i - 0.5) * angle / n, angle / n / 2
    sum = sum + half * (8 / speed(middle) + 5 / speed(middle - 0.6^0.5 * half) + 5 / speed(middle + 0.6^0.5 * half)) / 9
  end
  return sum
end
local passage, t_end = time_to(math.pi), time_to(4.4)

-- The axis of the hinge-like turn is z; two markers on each end, turned together by a third of a turn and by half a turn
-- about other axes, change nothing.
local function model(kind, axes_a, axes_b, w)
  local m = mbs.model { "rotor", gravity = { 0, 0, 0 } }
  local body = m[kind](m, { "body", mass = 1, inertia = { 0.3, 0.4, J }, angular_velocity = { 0, 0, w or fast } })
  local a, b = m.ground, body
  if axes_a then a, b = m.ground:marker(axes_a), body:marker(axes_b or axes_a) end
  m:bushing { "mount", a, b, stiffness = { 50, 60, 70, 5, 6, k } }
  return m, body
end

local function said(warnings)
  for _, text in ipairs(warnings) do
    if text:find('bushing "mount" is turned', 1, true) then return tonumber(text:match "at t = ([%d%.e%-]+)"), text end
  end
end

-- Beyond half a turn the law goes on smoothly: 2 sin(angle / 2) about z.
local tight = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 }
for _, axes in ipairs { {}, { { axis = "z", x_axis = { 0.3, -1, 0 } } }, { { axis = { 0, 0, -1 }, x_axis = "x" } },
                        { { axis = { 0, 0, -1 }, x_axis = "y" } } } do
  local m = model("body", axes[1], axes[2])
  local run = m:simulate { t = t_end, integrator = tight }
  local t, text = said(run.warnings)
  check.near(t, passage, 2e-5, "the time of half a turn")
  assert(text:find("past half a turn", 1, true), text)
  local sign = axes[1] and axes[1].axis ~= "z" and -1 or 1
  check.near(run:at("mount.rz", t_end), sign * 2 * math.sin(2.2), 1e-6, "turning")
  check.near(run:at("body.omega_z", t_end), speed(4.4), 1e-6, "speed")
  check.near(run:at("energy.total", t_end), J * fast^2 / 2, 1e-8, "energy")
end

-- Every form and integrator.
local forms = { mbs.penalty {}, mbs.index1 {}, mbs.index2 {}, mbs.index3 {}, mbs.augmented_lagrangian {}, mbs.maggi {},
  mbs.coordinate_partitioning {}, mbs.stabilized_index1 {}, mbs.joint_coordinates {} }
local steps = { mbs.rk4 { step = 0.01 }, mbs.dormand_prince {}, mbs.trapezoidal { step = 0.01 }, mbs.radau {},
  mbs.radau { step = 0.01 }, mbs.sdirk4 {}, mbs.bdf {}, mbs.bdf { step = 0.005 }, mbs.hht { step = 0.01 },
  mbs.generalized_alpha { step = 0.01 }, mbs.newmark { step = 0.01 }, mbs.rosenbrock {}, mbs.variational { step = 0.01 } }
local count = 0
for _, formulation in ipairs(forms) do
  for _, integrator in ipairs(steps) do
    local what = tostring(formulation) .. ", " .. tostring(integrator)
    for _, w in ipairs { fast, 3.4 } do
      local m = model("body", nil, nil, w)
      local done, run = pcall(m.simulate, m, { t = t_end, formulation = formulation, integrator = integrator })
      if done then
        count = count + 1
        local t = said(run.warnings)
        assert((t ~= nil) == (w == fast), what .. ": half a turn is passed in silence, or told where it is not passed")
        if t then assert(math.abs(t - passage) < 0.05, what .. " tells it at " .. t) end
      else
        assert(run:find("cannot", 1, true) or run:find("needs", 1, true) or run:find("for ", 1, true), what .. ": " .. run)
      end
    end
  end
end
assert(count > 150, count)

-- Gradients, kinematics and phases say it, too.
do
  local m, body = model "body"
  local J_end = m:objective { "end", terminal = m:signal "mount.rz" }
  local w = m:param { "w", 1 }
  assert(said(m:gradient { objective = J_end, over = { w }, t = t_end }.warnings))
  local driven = mbs.model { gravity = { 0, 0, 0 } }
  local rotor = driven:body { "rotor", mass = 1, inertia = { 1, 1, 1 } }
  local pin = driven:revolute { "pin", driven.ground, rotor, at = { 0, 0, 0 }, axis = "z" }
  driven:driver { "motor", pin.angle, law = function(s) return 4 * s.t end }
  driven:bushing { "mount", driven.ground, rotor, stiffness = { 50, 60, 70, 5, 6, k } }
  local t = said(driven:kinematics { t = 1, points = 101 }.warnings)
  assert(t and math.abs(t - math.pi / 4) < 0.011, t)
  assert(not said(driven:kinematics { t = 0.7, points = 101 }.warnings))
end

-- Natural bodies: from 158 degrees on.
do
  local m = model "natural_body"
  local t, text = said(m:simulate { t = t_end, integrator = tight }.warnings)
  check.near(t, time_to(2 * math.acos(0.19)), 1e-4)
  assert(text:find("158 degrees", 1, true), text)
  -- Constant steps come upon half a turn itself, where their law is none, and end there or say so before.
  local done, run = pcall(m.simulate, m, { t = t_end, integrator = mbs.rk4 { step = 0.01 }, formulation = mbs.index1 {} })
  t = said((done and run or m.last_run).warnings)
  assert(t and t < passage, "half a turn of a natural body is passed in silence")
  assert(done or tostring(run):find('the contribution of "mount"', 1, true), run)
end

-- Coupled stiffness goes on beyond half a turn: a force along z of 8 N per unit of the turning.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local rotor = m:body { "rotor", mass = 1, inertia = { 1, 1, 1 } }
  local pin = m:revolute { "pin", m.ground, rotor, at = { 0, 0, 0 }, axis = "z" }
  m:driver { "motor", pin.angle, law = function(s) return 4 * s.t end }
  local K = {}
  for i = 1, 6 do
    K[i] = {}
    for j = 1, 6 do K[i][j] = i == j and 10 or 0 end
  end
  K[3][6], K[6][3] = 8, 8
  m:bushing { "mount", m.ground, rotor, stiffness = K }
  local run = m:kinematics { t = 1, points = 101 }
  for _, t in ipairs { 0.5, 0.78, 0.79, 1 } do check.near(run:at("mount.fz", t), -8 * 2 * math.sin(2 * t), 1e-9) end
end

-- Half a turn as declared has no direction; no more than half of one has.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local body = m:body { "body", mass = 1, inertia = { 1, 1, 1 } }
  check.fails("half a turn against each other", m.bushing, m, { "b", m.ground:marker { axis = { 0, 0, -1 }, x_axis = "x" }, body,
    stiffness = { 1, 1, 1, 1, 1, 1 } })
  local natural = m:natural_body { "natural", mass = 1, inertia = { 1, 1, 1 } }
  check.fails("half a turn against each other", m.bushing, m, { "c", natural:marker { axis = { 0, 0, -1 }, x_axis = "x" }, body,
    stiffness = { 1, 1, 1, 1, 1, 1 } })
  m:bushing { "d", m.ground:marker { axis = { 0, 0.02, -1 }, x_axis = "x" }, body, stiffness = { 1, 1, 1, 1, 1, 1 } }
end

-- Both ends turned alike by a parameter change nothing, wherever that stands as the bushing is declared.
for _, declared in ipairs { 90, 180, 270 } do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local p = m:param { "p", declared, unit = "deg" }
  local x = { math.cos(p), math.sin(p), 0 }
  local body = m:body { "body", mass = 1, inertia = { 0.1, 0.1, 0.1 } }
  m:bushing { "b", m.ground:marker { x_axis = x }, body:marker { x_axis = x }, stiffness = { 1, 1, 1, 20, 20, 20 } }
  m:torque { on = body, law = function() return 0, 0, 1 end }
  local turned = m:objective { "turned", terminal = body.e3 }
  local plain
  for _, angle in ipairs { 90, 0, 1e-5, 179, 179.9999, 179.99999, 180, 180.00001, 270, 360 } do
    p.value = angle
    local slope = m:gradient { turned, t = 0.3 }
    plain = plain or slope.value
    check.near(slope.value, plain, 1e-9, "declared at " .. declared .. ", at " .. angle)
    check.near(slope.gradient[1], 0, 1e-9, "declared at " .. declared .. ", at " .. angle)
  end
end

-- Rest beyond half a turn is told, of one position and of a path.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local start = math.rad(170)
  local rotor = m:body { "rotor", mass = 1, inertia = { 1, 1, 1 },
                         orientation = { math.cos(start / 2), 0, 0, math.sin(start / 2) } }
  local pin = m:revolute { "pin", m.ground:marker {}, rotor:marker {} }
  m:bushing { "mount", m.ground, rotor, stiffness = { 10, 10, 10, 10, 10, 10 } }
  local aim = m:param { "aim", 150, unit = "deg" }
  m:torsion_spring { "spring", on = pin, stiffness = 100, free_angle = aim }
  check.equal(#m:equilibrium {}.warnings, 0)
  aim.value = 200
  local rest = m:equilibrium {}
  assert(math.deg(rest:at("pin.angle", 0)) > 180)
  assert(rest.warnings[1]:find('"mount" is turned past half a turn', 1, true), rest.warnings[1])
  aim.value = 150
  local path = m:equilibrium_path { over = aim, to = 200 }
  local told = 0
  for _, sentence in ipairs(path.warnings) do
    if sentence:find('"mount" is turned past half a turn', 1, true) then told = told + 1 end
  end
  check.equal(told, 1)
end

-- A sweep hands on what is said of its runs.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local w = m:param { "w", 1, unit = "rad/s" }
  local rotor = m:body { "rotor", mass = 1, inertia = { 1, 1, 1 }, angular_velocity = { 0, 0, w } }
  m:bushing { "mount", m.ground, rotor, stiffness = { 10, 10, 10, 1, 1, 1 } }
  local turned = m:objective { "turned", terminal = rotor.e3 }
  local found = mbs.sweep { turned, over = { w }, design = mbs.list { { 0.5 }, { 5 } }, t = 1 }
  check.equal(found[1].warnings, nil)
  assert(found[2].warnings[1]:find('"mount" is turned past half a turn', 1, true))
end

print "ok"
