-- mbs.joint_coordinates of mechanisms with loops: a tree and what closes its loops, against other forms, differences
-- and closed forms.
local mbs = require "perilune"
local check = require "check"
local loop_checks = require "loop_checks"

-- Each returns the model, its parameters, and signals to compare: motions, accelerations, multipliers.
local loops = {}

-- A crank about x, a rod on a ball joint and a universal one, a slider along x.
function loops.slider_crank()
  local m = mbs.model { gravity = { 0, 1, -9.81 } }
  local mass, stiffness = m:param { "mass", 1.3 }, m:param { "stiffness", 10 }
  local crank = m:body { "crank", mass = 0.8, inertia = { 0.01, 0.02, 0.015 }, at = { 0, 0.05, 0.1 },
                         center_of_mass = { 0.01, 0, 0.02 } }
  local rod = m:body { "rod", mass = mass, inertia = { 0.01, 0.015, 0.02 }, at = { 0.2, 0.05, 0.1 } }
  local slider = m:body { "slider", mass = 2, inertia = { 0.01, 0.01, 0.01 }, at = { 0.4, 0, 0 } }
  local hinge = m:revolute { "hinge", m.ground, crank, at = { 0, 0, 0 }, axis = "x" }
  m:translational { "rail", m.ground, slider, at = { 0.4, 0, 0 }, axis = "x" }
  m:spherical { "ball", crank, rod, at = { 0, 0.1, 0.2 } }
  m:universal { "cross", rod, slider, at = { 0.4, 0, 0 }, axis = { 0, 0, 1 }, axis_b = { 0, 1, 0 } }
  m:torsion_spring { "spring", on = hinge, stiffness = stiffness, damping = 0.1 }
  return m, { mass, stiffness },
         { "rod.ax", "slider.ax", "crank.alpha_x", "slider.x", "hinge.angle", "hinge.force_x", "hinge.torque_y", "rail.force_y",
           "rail.torque_z", "ball.force_z", "cross.force_y", "cross.torque_x", "rod.lambda", "slider.lambda", "crank.lambda" }
end

-- Loops that share bodies, closed by joints of several kinds and a rod, with a spring on an angle that closes one.
function loops.nested()
  local m = mbs.model { gravity = { 0.3, 1, -9.81 } }
  local mass, stiffness = m:param { "mass", 1.1 }, m:param { "stiffness", 5 }
  local function body(name, at, orientation)
    return m:body { name, mass = mass, inertia = { 0.02, 0.03, 0.025, 0.001, 0.002, -0.001 }, at = at,
                    orientation = orientation, center_of_mass = { 0.02, 0.01, -0.02 } }
  end
  local a, b = body("a", { 0, 0, 0.3 }, { 0.9, 0.1, 0.2, 0.1 }), body("b", { 0.5, 0.1, 0.6 }, { 0.7, -0.2, 0.2, 0.3 })
  local c, d = body("c", { 1, 0, 0.3 }, { 0.5, 0.1, -0.2, 0.6 }), body("d", { 1.2, 0.5, 0.8 }, { 0.9, 0.3, -0.2, 0.1 })
  local e = body("e", { 0.2, 0.9, 0.4 }, { 0.9, 0.1, 0.4, 0.1 })
  m:revolute { "p", m.ground, a, at = { 0, 0, 0 }, axis = { 0.1, 1, 0 } }
  m:spherical { "q", a, b, at = { 0.05, 0, 0.6 } }
  m:universal { "r", b, c, at = { 1, 0.05, 0.6 }, axis = { 0, 1, 0 }, axis_b = { 1, 0, 0.1 } }
  local t = m:revolute { "t", c, m.ground, at = { 1, 0, 0 }, axis = { 0, 1, 0.2 } }
  local u = m:cylindrical { "u", c, d, at = { 1.2, 0.2, 0.5 }, axis = { 0.2, 1, 0.5 } }
  m:spherical { "v", d, e, at = { 0.9, 0.9, 0.6 } }
  m:spherical { "w", e, a, at = { 0.1, 0.4, 0.3 } }
  m:distance { "rod", d:point { 0.1, 0, 0 }, m.ground:point { 1.5, 1.5, 1.5 } }
  m:torsion_spring { "s", on = t, stiffness = stiffness, damping = 0.1 }
  m:torsion_spring { "y", on = u, stiffness = 2, damping = 0.1 }
  m:spring { "z", b:point { 0.1, 0, 0 }, e:point { 0, 0.1, 0 }, stiffness = 10 * stiffness, free_length = 0.4, damping = 1 }
  return m, { mass, stiffness },
         { "a.ax", "b.ay", "c.alpha_y", "d.ax", "e.alpha_x", "t.angle", "u.displacement", "p.force_x", "q.force_z", "r.torque_x",
           "t.force_x", "t.torque_x", "u.force_x", "u.torque_z", "v.force_x", "w.force_y", "rod.lambda", "a.lambda",
           "b.lambda", "c.lambda", "d.lambda", "e.lambda" }
end

-- The same, of which the angle that closes a loop follows a law.
function loops.driven()
  local m, parameters, signals = loops.nested()
  local t = m["t"]
  m:driver { "motor", t.angle, law = function(x) return 0.2 * math.sin(3 * x.t) end }
  signals[#signals + 1] = "motor.force"
  return m, parameters, signals
end

-- A gear between angles, one of which is of a hinge that closes a loop of hinges and balls.
function loops.geared()
  local m = mbs.model { gravity = { 0, 0.5, -9.81 } }
  local mass, ratio = m:param { "mass", 1.1 }, m:param { "ratio", 2 }
  local a = m:body { "a", mass = mass, inertia = { 0.02, 0.03, 0.025 }, at = { 0.3, 0, 0.1 } }
  local b = m:body { "b", mass = 0.7, inertia = { 0.02, 0.01, 0.025 }, at = { 0.6, 0.1, 0.3 } }
  local c = m:body { "c", mass = 0.9, inertia = { 0.02, 0.015, 0.025 }, at = { 1, 0, 0.1 } }
  local wheel = m:body { "wheel", mass = 0.5, inertia = { 0.02, 0.015, 0.025 }, at = { 1, 1, 0 }, center_of_mass = { 0.1, 0, 0 } }
  m:revolute { "ha", m.ground, a, at = { 0, 0, 0 }, axis = { 0.1, 1, 0 } }
  m:spherical { "hb", a, b, at = { 0.3, 0, 0.4 } }
  m:universal { "hc", b, c, at = { 0.9, 0, 0.4 }, axis = { 0, 1, 0 }, axis_b = { 1, 0, 0 } }
  local cut = m:revolute { "cut", c, m.ground, at = { 1, 0, 0 }, axis = { 0, 1, 0.2 } }
  local turning = m:revolute { "turning", m.ground, wheel, at = { 1, 1, 0 }, axis = { 0, 1, 0 } }
  m:torsion_spring { "s", on = cut, stiffness = 3, damping = 0.1 }
  m:constraint { "gear", law = function() return cut.angle - ratio * turning.angle end }
  return m, { mass, ratio },
         { "a.ax", "b.az", "c.alpha_y", "cut.angle", "turning.angle", "ha.force_x", "hb.force_y", "hc.torque_x",
           "cut.force_x", "cut.torque_x", "gear.lambda", "wheel.lambda", "turning.torque_x" }
end

-- Bodies that float, held by rods, a bead on a line and a ball joint alone, and a screw and a planar joint in loops.
function loops.floating()
  local m = mbs.model { gravity = { 0.3, -0.2, -9.81 } }
  local mass, length = m:param { "mass", 0.9 }, m:param { "length", 0.05 }
  local function body(name, at) return m:body { name, mass = mass, inertia = { 0.02, 0.03, 0.025, 0.001, 0.002, -0.001 }, at = at } end
  local a, b, c, d = body("a", { 0, 0, 0 }), body("b", { 1, 0, 0 }), body("c", { 1, 1, 0.2 }), body("d", { 0, 1, 0.3 })
  m:distance { "one", a:point { 0.1, 0, 0.1 }, m.ground:point { 0, 0, 1 } }
  m:distance { "two", a:point { -0.1, 0.1, 0.1 }, m.ground:point { 0.5, 0, 1 } }
  m:spherical { "ball", a, b, at = { 0.5, 0, 0 } }
  m:point_on_line { "bead", b:point { 0.2, 0, 0 }, m.ground:marker { at = { 1.2, 0, 0 }, axis = { 0.2, 1, 0.3 } } }
  m:screw { "screw", b, c, at = { 1, 0.5, 0 }, axis = { 0.1, 1, 0.2 }, lead = length }
  m:planar { "table", c, d, at = { 0.5, 1, 0.2 }, axis = { 0.3, 0.2, 1 } }
  m:distance { "three", d:point { 0.1, 0, 0 }, a:point { 0, 0.2, 0 } }
  m:spring { "s", d:point { 0, 0, 0.1 }, m.ground:point { 0, 1, 1 }, stiffness = 50, free_length = 0.5, damping = 1 }
  return m, { mass, length },
         { "a.ax", "b.ay", "c.alpha_z", "d.az", "a.e1", "d.e2", "one.lambda", "two.lambda", "ball.force_x", "bead.lambda_slide1", "screw.force_x",
           "screw.torque_y", "table.force_z", "table.torque_x", "three.lambda", "a.lambda", "b.lambda", "c.lambda", "d.lambda" }
end

local function last(run, what)
  local values = run:values(what)
  return values[#values]
end
local tight = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
local joints = mbs.joint_coordinates {}

for name, make in pairs(loops) do
  local m, parameters, signals = make()
  local found = m:simulate { t = 0.5, formulation = joints, integrator = tight }
  local other = make():simulate { t = 0.5, formulation = mbs.index1 { project = true }, integrator = tight }
  check.equal(found.factorizations, 0, name .. ": no matrix is factored")
  check.equal(table.concat(found.warnings, "\n"):find("joint_coordinates", 1, true), nil, name .. ": no remark")
  for _, what in ipairs(signals) do
    local start = other:values(what)[1]
    check.near(found:values(what)[1], start, 1e-10 * (1 + math.abs(start)), name .. " at the start: " .. what)
    check.near(last(found, what), last(other, what), 1e-7 * (1 + math.abs(start)), name .. ": " .. what)
  end
  local implicit = make():simulate { t = 0.5, formulation = joints,
                                     integrator = mbs.radau { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 } }
  for _, what in ipairs(signals) do
    check.near(last(implicit, what), last(other, what), 1e-4 * (1 + math.abs(last(other, what))), name .. ", radau: " .. what)
  end
  loop_checks.gradients(name, m, parameters, signals)
end

-- A parallelogram of hinges in space, of whose 5 closing constraints 3 are redundant: it swings as one pendulum,
-- (2 J + m L^2 / 2 + M L^2) w^2 / 2 = (m + M) g L (cos f - cos f0).
local L, crank_mass, J, M = 0.5, 0.5, 0.01, 1.3
local function parallelogram(speed)
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local s, c = math.sin(1), math.cos(1)
  local function crank(name, x)
    return m:body { name, mass = crank_mass, inertia = { J, J, J }, at = { x + L * s / 2, 0, -L * c / 2 },
                    angular_velocity = { 0, -speed, 0 }, velocity = { speed * L * c / 2, 0, speed * L * s / 2 } }
  end
  local a, b = crank("a", 0), crank("b", 1)
  local k = m:body { "k", mass = M, inertia = { 0.1, 0.1, 0.1 }, at = { 0.5 + L * s, 0, -L * c },
                     velocity = { speed * L * c, 0, speed * L * s } }
  m:revolute { "ga", m.ground, a, at = { 0, 0, 0 }, axis = "y" }
  m:revolute { "gb", m.ground, b, at = { 1, 0, 0 }, axis = "y" }
  m:revolute { "ka", a, k, at = { L * s, 0, -L * c }, axis = "y" }
  m:revolute { "kb", k, b, at = { 1 + L * s, 0, -L * c }, axis = "y" }
  return m, k
end
do
  local m, k = parallelogram(0)
  local run = m:simulate { t = 2, formulation = joints, integrator = tight, stop = function(s) return k.x(s) - 0.5 end }
  check.equal(run.factorizations, 0, "a parallelogram")
  local inertia = 2 * J + crank_mass * L ^ 2 / 2 + M * L ^ 2
  local speed = math.sqrt(2 * 9.81 * L * (crank_mass + M) * (1 - math.cos(1)) / inertia)
  for _, crank in ipairs { "a", "b" } do check.near(math.abs(last(run, crank .. ".omega_y")), speed, 1e-9, "a parallelogram") end
  check.near(last(run, "k.omega_y"), 0, 1e-10, "a parallelogram")
  -- Both cranks together carry what turns below: (m + M) g and what its centre of mass needs.
  local carried = last(run, "ga.force_y") + last(run, "gb.force_y")
  check.near(math.abs(carried), (2 * crank_mass + M) * 9.81 + (crank_mass + M) * L * speed ^ 2, 1e-7, "a parallelogram")
  check.equal(table.concat(run.warnings, "\n"):find("redundant constraints", 1, true) ~= nil, true, "what is redundant is said")
end

-- Derivatives, where constraints are left out.
do
  local m = parallelogram(1)
  local mass = m:param { "mass", 0.4 }
  m:weld { m["k"], m:body { "load", mass = mass, inertia = { 0.01, 0.01, 0.01 }, at = { 1, 0, -0.5 } }, at = { 1, 0, -0.5 } }
  local cost = m:objective { "cost", terminal = m["k"].x, integral = m["a"].alpha_y }
  loop_checks.redundant_gradient(m, cost, mass)
end

-- Through its singular positions it goes as Maggi's form does, and ends where that does.
for _, integrator in ipairs { mbs.dormand_prince {}, mbs.rk4 { step = 0.002 } } do
  local how = { t = 1, formulation = joints, integrator = integrator }
  local found = parallelogram(12):simulate(how)
  how.formulation = mbs.maggi {}
  local other = parallelogram(12):simulate(how)
  check.near(last(found, "k.x"), last(other, "k.x"), 1e-6, "through singular positions")
  check.near(last(found, "kb.angle"), last(other, "kb.angle"), 1e-6, "through singular positions")
end
for _, form in ipairs { joints, mbs.maggi {} } do
  local ok, why = pcall(function() return parallelogram(12):simulate { t = 1, formulation = form, integrator = tight } end)
  check.equal(ok, false, "finer than rounding allows")
  check.equal(tostring(why):find("the run makes no headway", 1, true) ~= nil, true, tostring(why))
end

-- Bricard's linkage: six hinges along edges of a cube, one of whose constraints follows from the others.
do
  local function bricard()
    local m = mbs.model { "Bricard", gravity = { 0, 0, -9.81 } }
    local nodes = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 0, 1 } }
    local bodies = { m.ground }
    for i = 2, 6 do
      local p, q = nodes[i], nodes[i % 6 + 1]
      bodies[i] = m:body { "rod" .. i, mass = 1, inertia = { 0.1, 0.12, 0.09 },
                           at = { (p[1] + q[1]) / 2, (p[2] + q[2]) / 2, (p[3] + q[3]) / 2 } }
    end
    for i, axis in ipairs { "y", "z", "x", "y", "z", "x" } do
      m:revolute { "h" .. i, bodies[(i - 2) % 6 + 1], bodies[i], at = nodes[i], axis = axis }
    end
    return m
  end
  local how = { t = 3, formulation = joints, integrator = tight }
  local found = bricard():simulate(how)
  how.formulation = mbs.maggi {}
  local other = bricard():simulate(how)
  check.equal(found.factorizations, 0, "Bricard")
  for _, what in ipairs { "rod3.x", "rod5.e2", "rod4.alpha_x", "h4.omega" } do
    check.near(last(found, what), last(other, what), 1e-7, "Bricard " .. what)
  end
  check.near(last(found, "energy.total"), found:values("energy.total")[1], 1e-8, "Bricard")
end

-- A four-bar that is driven farther than it reaches ends with a sentence, as it does by Maggi's form.
loop_checks.driven_too_far(function()
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local a = m:body { "a", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 0, 0, 0.5 } }
  local b = m:body { "b", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 0.5, 0, 1 } }
  local c = m:body { "c", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 1, 0, 0.75 } }
  local p = m:revolute { "p", m.ground, a, at = { 0, 0, 0 }, axis = "y" }
  m:revolute { "q", a, b, at = { 0, 0, 1 }, axis = "y" }
  m:spherical { "r", b, c, at = { 1, 0, 1 } }
  m:revolute { "s", c, m.ground, at = { 1, 0, 0.5 }, axis = "y" }
  m:driver { "motor", p.angle, law = function(s) return 3 * s.t end }
  return m
end)

-- Two hinges whose axes differ hold two bodies together as a weld does. Each constraint that might be kept of the second
-- cancels in some position of the tumbling pair, and others do not.
do
  local function pair(joins)
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local a = m:body { "a", mass = 1, inertia = { 0.1, 0.12, 0.15 }, at = { 0, 0, 0 }, angular_velocity = { 3, 4, -2 } }
    local b = m:body { "b", mass = 1.5, inertia = { 0.2, 0.14, 0.18 }, at = { 1, 0.2, -0.3 }, angular_velocity = { 3, 4, -2 },
                       velocity = { -0.8, -1.1, -3.4 } }  -- omega x r
    joins(m, a, b)
    return m
  end
  local found = pair(function(m, a, b)
    m:revolute { "one", a, b, at = { 0.4, 0.2, 0.1 }, axis = { 0.3, 1, 0.2 } }
    m:revolute { "two", a, b, at = { 0.7, -0.1, 0.2 }, axis = { 1, -0.4, 0.6 } }
  end):simulate { t = 2, formulation = joints, integrator = tight }
  local exact = pair(function(m, a, b) m:weld { a, b, at = { 0.5, 0, 0 } } end):simulate { t = 2, integrator = tight }
  check.equal(found.factorizations, 0, "a locked hinge")
  for _, what in ipairs { "a.x", "b.z", "a.e1", "b.alpha_y", "b.az" } do
    check.near(last(found, what), last(exact, what), 1e-8, "a locked hinge: " .. what)
  end
end
