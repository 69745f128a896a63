-- mbs.joint_coordinates of planar mechanisms with loops: a tree and what closes its loops, against other forms,
-- differences and closed forms. test_joint_loops does so in space.
local mbs = require "perilune"
local check = require "check"
local loop_checks = require "loop_checks"

-- Each returns the model, its parameters, and signals to compare: motions, accelerations, multipliers.
local loops = {}

-- A bar of a body whose centre of mass is off its middle.
local function bar(m, name, a, b, more)
  local body = { name, at = { (a[1] + b[1]) / 2, (a[2] + b[2]) / 2 }, mass = 1, inertia = 0.03, center_of_mass = { 0.02, -0.01 } }
  for key, value in pairs(more or {}) do body[key] = value end
  return m:body(body)
end

function loops.four_bar()
  local m = mbs.model { gravity = { 0.4, -9.81 } }
  local mass, reach, stiffness = m:param { "mass", 1.3 }, m:param { "reach", 0.05 }, m:param { "stiffness", 10 }
  local a = bar(m, "a", { 0, 0 }, { 0.1, 0.4 }, { mass = mass, center_of_mass = { reach, 0.02 } })
  local b = bar(m, "b", { 0.1, 0.4 }, { 0.9, 0.7 }, { angle = 0.3 })
  local c = bar(m, "c", { 0.9, 0.7 }, { 0.8, 0 }, { inertia = 0.02 + reach })
  local p = m:revolute { "p", m.ground, a, at = { 0, 0 } }
  m:revolute { "q", b, a, at = { 0.1, 0.4 } }
  local r = m:revolute { "r", b, c, at = { 0.9, 0.7 } }
  local s = m:revolute { "s", c, m.ground, at = { 0.8, 0 } }
  m:torsion_spring { "twist", on = r, stiffness = stiffness, damping = 0.1 }
  m:torsion_spring { "drag", on = s, stiffness = 0.5 * stiffness, damping = 0.1 }
  m:spring { "coil", a:point { 0.1, 0 }, c:point { 0, 0.1 }, stiffness = 3 * stiffness, free_length = 0.4, damping = 0.5 }
  return m, { mass, reach, stiffness },
         { "b.ax", "c.alpha", "a.y", "p.angle", "r.angle", "s.angle", "p.force_x", "p.force_y", "q.force_x", "q.force_y",
           "r.force_x", "r.force_y", "s.force_x", "s.force_y", "coil.force" }
end

-- A slider on a rail askew.
function loops.slider_crank()
  local m = mbs.model { gravity = { 0, -9.81 } }
  local mass, stiffness = m:param { "mass", 1.3 }, m:param { "stiffness", 40 }
  local crank = bar(m, "crank", { 0, 0 }, { 0.1, 0.2 }, { mass = mass })
  local rod = bar(m, "rod", { 0.1, 0.2 }, { 0.6, 0.1 })
  local slider = m:body { "slider", mass = 2, inertia = 0.01, at = { 0.6, 0.1 }, angle = 0.2, center_of_mass = { 0, 0.03 } }
  m:revolute { "main", m.ground, crank, at = { 0, 0 } }
  m:revolute { "pin", crank, rod, at = { 0.1, 0.2 } }
  m:revolute { "wrist", slider, rod, at = { 0.6, 0.1 } }
  m:translational { "rail", slider, m.ground:marker { at = { 0.6, 0.05 }, angle = 0.3 } }
  m:spring { "coil", m.ground:point { 1, 0.2 }, slider, stiffness = stiffness, free_length = 0.3, damping = 0.3 }
  return m, { mass, stiffness },
         { "slider.ax", "rod.alpha", "crank.alpha", "slider.y", "rail.displacement", "main.force_x", "main.force_y", "pin.force_x",
           "pin.force_y", "wrist.force_x", "wrist.force_y", "rail.force_x", "rail.force_y", "rail.torque" }
end

local function five_bar()
  local m = mbs.model { gravity = { 0.2, -9.81 } }
  local mass, stiffness = m:param { "mass", 0.9 }, m:param { "stiffness", 30 }
  local a = bar(m, "a", { 0, 0 }, { -0.2, 0.5 }, { mass = mass })
  local b = bar(m, "b", { -0.2, 0.5 }, { 0.4, 0.9 })
  local c = bar(m, "c", { 0.4, 0.9 }, { 1.1, 0.6 }, { mass = 2 * mass, angle = -0.4 })
  local d = bar(m, "d", { 1.1, 0.6 }, { 0.9, 0 })
  local first = m:revolute { "ha", m.ground, a, at = { 0, 0 } }
  m:revolute { "hb", a, b, at = { -0.2, 0.5 } }
  m:revolute { "hc", c, b, at = { 0.4, 0.9 } }
  m:revolute { "hd", c, d, at = { 1.1, 0.6 } }
  local last = m:revolute { "he", m.ground, d, at = { 0.9, 0 } }
  m:spring { "left", m.ground:point { -0.5, 0 }, b:point { 0.1, 0.1 }, stiffness = stiffness, free_length = 0.4, damping = 0.2 }
  m:spring { "right", m.ground:point { 0.5, 0 }, c:point { -0.1, 0 }, stiffness = 2 * stiffness, free_length = 0.4, damping = 0.2 }
  return m, { mass, stiffness },
         { "c.ax", "b.ay", "d.alpha", "a.x", "c.angle", "ha.force_x", "ha.force_y", "hb.force_x", "hb.force_y", "hc.force_x",
           "hc.force_y", "hd.force_x", "hd.force_y", "he.force_x", "he.force_y" }, first, last
end
function loops.five_bar() return five_bar() end

-- Between the two hinges on the ground a gear.
function loops.geared()
  local m, parameters, signals, first, last = five_bar()
  local ratio = m:param { "ratio", -0.7 }
  m:gear { "gear", first, last, ratio = ratio }
  parameters[#parameters + 1] = ratio
  signals[#signals + 1] = "gear.lambda"
  return m, parameters, signals
end

-- One hinge follows a law, of the tree; another one, which closes the loop.
function loops.driven()
  local m, parameters, signals, first, last = five_bar()
  local swing = m:param { "swing", 0.3 }
  m:driver { "one", first.angle, law = function(s) return swing * math.sin(3 * s.t) end }
  m:driver { "two", last.angle, law = function(s) return 0.2 * s.t * swing end }
  m:spring { "third", m.ground:point { 0.2, 0 }, m["c"]:point { 0.1, 0 }, stiffness = 15, free_length = 0.4, damping = 0.2 }
  parameters[#parameters + 1] = swing
  for _, name in ipairs { "one.force", "two.force" } do signals[#signals + 1] = name end
  return m, parameters, signals
end

-- Watt's six bars.
function loops.watt()
  local m = mbs.model { gravity = { 0, -9.81 } }
  local mass, stiffness = m:param { "mass", 0.8 }, m:param { "stiffness", 20 }
  local a = bar(m, "a", { 0, 0 }, { 0, 0.4 }, { mass = mass })
  local b = bar(m, "b", { 0, 0.4 }, { 0.8, 0.6 }, { inertia = 0.05 })
  local c = bar(m, "c", { 0.8, 0.6 }, { 0.7, 0 }, { inertia = 0.04, mass = mass })
  local d = bar(m, "d", { 0.4, 1 }, { 1, 1.3 })
  local e = bar(m, "e", { 1, 1.3 }, { 1.2, 0.5 }, { mass = 1.5 * mass })
  m:revolute { "ga", m.ground, a, at = { 0, 0 } }
  m:revolute { "ab", a, b, at = { 0, 0.4 } }
  m:revolute { "bc", b, c, at = { 0.8, 0.6 } }
  m:revolute { "gc", m.ground, c, at = { 0.7, 0 } }
  m:revolute { "bd", d, b, at = { 0.4, 1 } }
  m:revolute { "de", d, e, at = { 1, 1.3 } }
  m:revolute { "ec", e, c, at = { 1.2, 0.5 } }
  m:spring { "coil", m.ground:point { 0.5, 0 }, e:point { 0.1, 0 }, stiffness = stiffness, free_length = 0.6, damping = 0.3 }
  return m, { mass, stiffness },
         { "e.ax", "d.alpha", "b.ay", "e.angle", "ga.force_x", "ga.force_y", "ab.force_x", "ab.force_y", "bc.force_x", "bc.force_y",
           "gc.force_x", "gc.force_y", "bd.force_x", "bd.force_y", "de.force_x", "de.force_y", "ec.force_x", "ec.force_y" }
end

-- A block on a crank slides in a rocker: a slide whose directions turn, far enough that others are chosen.
function loops.quick_return()
  local m = mbs.model { gravity = { 0, -9.81 } }
  local mass, speed = m:param { "mass", 0.7 }, m:param { "speed", 9 }
  local crank = bar(m, "crank", { 0, 0.5 }, { 0.2, 0.5 }, { mass = mass, inertia = 0.3, angular_velocity = speed })
  local block = m:body { "block", mass = 0.3, inertia = 0.004, at = { 0.2, 0.5 }, angle = 0.5 }
  local rocker = bar(m, "rocker", { 0, 0 }, { 0.4, 1 })
  m:revolute { "main", m.ground, crank, at = { 0, 0.5 } }
  m:revolute { "pin", crank, block, at = { 0.2, 0.5 } }
  m:translational { "slot", block, rocker, at = { 0.2, 0.5 }, axis = { 0.2, 0.5 } }
  m:revolute { "foot", rocker, m.ground, at = { 0, 0 } }
  m:torsion_spring { "drag", on = m["foot"], stiffness = 0.3, damping = 0.1 }
  return m, { mass, speed },
         { "rocker.alpha", "block.ax", "crank.alpha", "rocker.angle", "slot.displacement", "main.force_x", "main.force_y",
           "pin.force_x", "pin.force_y", "slot.force_x", "slot.force_y", "slot.torque", "foot.force_x", "foot.force_y" }
end

-- Bodies that float, held by rods, a bead on a line, a hinge, a rail, a weld of three bodies and a constraint.
function loops.floating()
  local m = mbs.model { gravity = { 0.3, -9.81 } }
  local mass, length = m:param { "mass", 0.9 }, m:param { "length", 0.2 }
  local a, b = bar(m, "a", { -0.2, 0 }, { 0.2, 0 }, { mass = mass, angle = 0.4 }), bar(m, "b", { 0.8, 0 }, { 1.2, 0 })
  local c, d = bar(m, "c", { 1, 0.8 }, { 1, 1.2 }), bar(m, "d", { 0, 1 }, { 0.4, 1 }, { inertia = 0.02 + 0.1 * length })
  local e = bar(m, "e", { 0, 1.5 }, { 0.4, 1.5 })
  m:distance { "one", a:point { 0.1, length }, m.ground:point { 0, 1 } }
  m:distance { "two", a:point { -0.2, 0.1 }, m.ground:point { -0.5, 0.9 } }
  m:revolute { "pin", a, b, at = { 0.5, 0 } }
  m:point_on_line { "bead", m.ground:marker { at = { 1.2, 0 }, angle = 0.9 }, b:point { length, 0 } }
  m:translational { "rail", c, b, at = { 1, 0.5 }, axis = { 0.2, 1 } }
  m:revolute { "link", c, d, at = { 0.6, 1.1 } }
  m:weld { "clamp", e, d, at = { 0.2, 1.2 } }
  m:distance { "three", d:point { 0.1, 0 }, a:point { 0, 0.2 } }
  local tip = e:point { 0, 0.1 }
  m:constraint { "curve", law = function() return tip.y - 0.2 * tip.x ^ 2 - 1.592 end }
  m:spring { "s", d:point { 0, 0 }, m.ground:point { 0, 2 }, stiffness = 50, free_length = 0.5, damping = 1 }
  return m, { mass, length },
         { "a.ax", "b.alpha", "c.ay", "d.ax", "e.alpha", "e.angle", "one.lambda", "two.lambda", "pin.force_x", "pin.force_y",
           "bead.lambda_slide1", "rail.force_x", "rail.force_y", "rail.torque", "link.force_x", "link.force_y", "clamp.force_x",
           "clamp.force_y", "clamp.torque", "three.lambda", "curve.lambda" }
end

-- A rail and a weld that close loops, in both orders, and a ring that floats.
function loops.ring()
  local m = mbs.model { gravity = { 0, 0 } }
  local mass, speed = m:param { "mass", 1.2 }, m:param { "speed", 1.5 }
  local corners = { { 0, 0 }, { 1, 0.1 }, { 1.4, 0.9 }, { 0.6, 1.3 }, { -0.3, 0.7 } }
  local bodies = {}
  for i = 1, 5 do
    bodies[i] = bar(m, "b" .. i, corners[i], corners[i % 5 + 1],
                    { mass = mass, angle = 0.3 * i, angular_velocity = i == 1 and speed or 0, velocity = { 0.2, 0.1 * i } })
  end
  for i = 1, 4 do m:revolute { "h" .. i, bodies[i], bodies[i + 1], at = corners[i + 1] } end
  m:translational { "rail", bodies[1], bodies[5], at = corners[1], axis = { 1, 0.4 } }
  local load = bar(m, "cargo", { 2, 1 }, { 2.4, 1 }, { mass = 0.4, velocity = { 0.2, 0.3 } })
  m:translational { "slide", load, bodies[3], at = { 1.6, 1 }, axis = { 1, -0.2 } }
  m:distance { "rod", load, bodies[2]:point { 0, 0.1 } }
  m:spring { "s", bodies[2], bodies[4], stiffness = 30, free_length = 0.8, damping = 0.3 }
  return m, { mass, speed },
         { "b1.ax", "b3.alpha", "cargo.ay", "b5.angle", "b2.y", "h1.force_x", "h2.force_y", "h3.force_x", "h4.force_y", "rail.force_x",
           "rail.torque", "slide.force_x", "slide.torque", "rod.lambda" }
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
  check.equal(found.factorizations, 0, name .. ": no matrix is factored")
  check.equal(table.concat(found.warnings, "\n"):find("joint_coordinates", 1, true), nil, name .. ": no remark")
  local others = { index1 = mbs.index1 { project = true }, maggi = mbs.maggi {} }
  for form, formulation in pairs(others) do
    local other = make():simulate { t = 0.5, formulation = formulation, integrator = tight }
    for _, what in ipairs(signals) do
      local start = other:values(what)[1]
      local size = 1 + math.max(math.abs(start), math.abs(last(other, what)))
      check.near(found:values(what)[1], start, 1e-10 * size, ("%s at the start, %s: %s"):format(name, form, what))
      check.near(last(found, what), last(other, what), 1e-7 * size, ("%s, %s: %s"):format(name, form, what))
    end
  end
  local implicit = make():simulate { t = 0.5, formulation = joints,
                                     integrator = mbs.radau { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 } }
  for _, what in ipairs(signals) do
    check.near(last(implicit, what), last(found, what), 1e-4 * (1 + math.abs(last(found, what))), name .. ", radau: " .. what)
  end
  loop_checks.gradients(name, m, parameters, signals)
end

-- A slider-crank whose crank turns steadily: x = r cos f + sqrt(l^2 - r^2 sin^2 f), once with the driven hinge in the
-- tree and once where it closes the loop, of two bars that hang on each other from the slider on.
for _, order in ipairs { "first", "last" } do
  local r, l, rate = 0.2, 0.5, 4
  local m = mbs.model { gravity = { 0, -9.81 } }
  local crank, main
  if order == "first" then
    crank = bar(m, "crank", { 0, 0 }, { r, 0 })
    main = m:revolute { "main", m.ground, crank, at = { 0, 0 } }
  end
  local slider = m:body { "slider", mass = 1.7, inertia = 0.01, at = { r + l, 0 } }
  local rod = bar(m, "rod", { r, 0 }, { r + l, 0 })
  crank = crank or bar(m, "crank", { 0, 0 }, { r, 0 })
  m:translational { "rail", m.ground, slider, at = { r + l, 0 }, axis = { 1, 0 } }
  m:revolute { "wrist", slider, rod, at = { r + l, 0 } }
  m:revolute { "pin", rod, crank, at = { r, 0 } }
  main = main or m:revolute { "main", crank, m.ground, at = { 0, 0 } }
  m:driver { "motor", main.angle, law = function(s) return (order == "first" and 1 or -1) * rate * s.t end }
  local run = m:simulate { t = 2, formulation = joints, integrator = tight }
  check.equal(run.factorizations, 0, "a driven slider-crank")
  for _, t in ipairs { 0.1, 0.77, 1.3, 1.99 } do
    local f = rate * t
    local root = math.sqrt(l ^ 2 - (r * math.sin(f)) ^ 2)
    check.near(run:at("slider.x", t), r * math.cos(f) + root, 1e-9, "a driven slider-crank: place")
    check.near(run:at("slider.vx", t), -r * rate * math.sin(f) * (1 + r * math.cos(f) / root), 1e-8, "a driven slider-crank: velocity")
  end
end

-- A parallelogram, and another bar in it that makes a constraint redundant: both swing as one pendulum,
-- (n J + n m L^2 / 4 + M L^2) w^2 / 2 = (n m / 2 + M) g L (cos f - cos f0), with n cranks.
local L, crank_mass, J, M = 0.5, 0.5, 0.01, 1.3
local function parallelogram(speed, cranks)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local s, c = math.sin(1), math.cos(1)
  local k = m:body { "k", mass = M, inertia = 0.1, at = { 0.5 + L * s, -L * c }, velocity = { speed * L * c, speed * L * s } }
  for i = 1, cranks do
    local x = (i - 1) / (cranks - 1)
    local a = m:body { "a" .. i, mass = crank_mass, inertia = J, at = { x + L * s / 2, -L * c / 2 }, angular_velocity = speed,
                       velocity = { speed * L * c / 2, speed * L * s / 2 } }
    m:revolute { "g" .. i, m.ground, a, at = { x, 0 } }
    m:revolute { "k" .. i, a, k, at = { x + L * s, -L * c } }
  end
  return m, k
end
for cranks = 2, 4 do
  local m, k = parallelogram(0, cranks)
  local run = m:simulate { t = 2, formulation = joints, integrator = tight, stop = function(s) return k.x(s) - 0.5 end }
  check.equal(run.factorizations, 0, "a parallelogram")
  local inertia = cranks * (J + crank_mass * L ^ 2 / 4) + M * L ^ 2
  local pull = (cranks * crank_mass / 2 + M) * L
  local speed = math.sqrt(2 * 9.81 * pull * (1 - math.cos(1)) / inertia)
  for i = 1, cranks do check.near(math.abs(last(run, "a" .. i .. ".omega")), speed, 1e-9, "a parallelogram") end
  check.near(last(run, "k.omega"), 0, 1e-10, "a parallelogram")
  -- The cranks together carry what turns below: their weight, and what their centre of mass needs.
  local carried = 0
  for i = 1, cranks do carried = carried + last(run, "g" .. i .. ".force_y") end
  check.near(math.abs(carried), (cranks * crank_mass + M) * 9.81 + pull * speed ^ 2, 1e-7, "a parallelogram")
  local said = table.concat(run.warnings, "\n"):find("redundant constraints", 1, true) ~= nil
  check.equal(said, cranks > 2, "what is redundant is said")
end

-- Derivatives where constraints are left out.
do
  local m = parallelogram(1, 3)
  local mass = m:param { "mass", 0.4 }
  m:weld { m["k"], m:body { "load", mass = mass, inertia = 0.01, at = { 1, -0.5 } }, at = { 1, -0.5 } }
  local cost = m:objective { "cost", terminal = m["k"].x, integral = m["a1"].alpha }
  loop_checks.redundant_gradient(m, cost, mass)
end

-- Through its singular positions a parallelogram goes as Maggi's form does.
for _, integrator in ipairs { mbs.dormand_prince {}, mbs.rk4 { step = 0.002 } } do
  local how = { t = 1, formulation = joints, integrator = integrator }
  local found = parallelogram(12, 2):simulate(how)
  how.formulation = mbs.maggi {}
  local other = parallelogram(12, 2):simulate(how)
  check.near(last(found, "k.x"), last(other, "k.x"), 1e-6, "through singular positions")
  check.near(last(found, "k2.angle"), last(other, "k2.angle"), 1e-6, "through singular positions")
end

-- Events: a stop in the loop, and a clutch of contact; both forms end at the same place.
do
  local function with(form)
    local m = loops.four_bar()
    m:contact { m.ground:marker { at = { 0.95, 0 }, angle = math.pi / 2 }, m["b"]:point { 0.4, 0.1 }, normal = mbs.hertz { stiffness = 1e5 } }
    return m:simulate { t = 1.5, formulation = form, integrator = mbs.dormand_prince { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 } }
  end
  local found, other = with(joints), with(mbs.maggi {})
  check.equal(found.factorizations, 0, "a stop")
  check.near(last(found, "b.x"), last(other, "b.x"), 1e-6, "a stop")
  check.near(last(found, "a.omega"), last(other, "a.omega"), 1e-5, "a stop")
end

-- A four-bar that is driven farther than it reaches ends with a sentence, as it does by Maggi's form.
loop_checks.driven_too_far(function()
  local m = mbs.model { gravity = { 0, -9.81 } }
  local a, b, c = bar(m, "a", { 0, 0 }, { 0, 1 }), bar(m, "b", { 0, 1 }, { 1, 1 }), bar(m, "c", { 1, 1 }, { 1, 0.5 })
  local p = m:revolute { "p", m.ground, a, at = { 0, 0 } }
  m:revolute { "q", a, b, at = { 0, 1 } }
  m:revolute { "r", b, c, at = { 1, 1 } }
  m:revolute { "s", c, m.ground, at = { 1, 0.5 } }
  m:driver { "motor", p.angle, law = function(s) return -3 * s.t end }
  return m
end)

-- What recursions do not know goes by coordinate partitioning, with its bits and a sentence.
do
  local function with_point(form)
    local m = loops.four_bar()
    local weight = m:point { "weight", at = { 0.5, 1 }, mass = 0.2 }
    m:distance { "string", weight, m["b"] }
    return m:simulate { t = 0.2, formulation = form, integrator = mbs.rk4 { step = 0.01 } }
  end
  local run, same = with_point(joints), with_point(mbs.coordinate_partitioning {})
  check.equal(last(run, "b.angle"), last(same, "b.angle"), "a point")
  check.equal(table.concat(run.warnings, "\n"):find('joint_coordinates goes by coordinate_partitioning here: "weight.x" is not of a body', 1, true)
              ~= nil, true, table.concat(run.warnings, "\n"))
end
