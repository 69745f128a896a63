-- What a script that names no formulation gets for loops of bodies, and that all it could do before it still can.
local mbs = require "perilune"
local check = require "check"

local function body(m, name, at, mass)
  return m:body { name, mass = mass or 1, inertia = { 0.02, 0.03, 0.025 }, at = at }
end

-- A crank, a rod and a rocker on hinges and balls.
local function linkage()
  local m = mbs.model { gravity = { 0, 0.5, -9.81 } }
  local stiffness = m:param { "stiffness", 20 }
  local a, b, c = body(m, "a", { 0, 0.05, 0.1 }), body(m, "b", { 0.25, 0.2, 0.35 }), body(m, "c", { 0.5, 0.3, 0.25 })
  m:revolute { "main", m.ground, a, at = { 0, 0, 0 }, axis = "x" }
  m:spherical { "p", a, b, at = { 0, 0.1, 0.2 } }
  m:spherical { "q", b, c, at = { 0.5, 0.3, 0.5 } }
  m:revolute { "rocking", c, m.ground, at = { 0.5, 0.3, 0 }, axis = "y" }
  m:spring { "spring", a:point { 0, 0, 0.1 }, m.ground:point { 0, 1, 0.5 }, stiffness = stiffness, free_length = 0.5 }
  return m, stiffness
end

local function form_of(run) return tostring(run):match ": ([%w_]+)," end
local function last(run, what)
  local values = run:values(what)
  return values[#values]
end

-- It is said, and the motion and its reactions are those of the form that was the default before.
do
  local tight = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
  local run = linkage():simulate { t = 0.5, integrator = tight }
  check.equal(form_of(run), "joint_coordinates", "a loop")
  check.equal(run.factorizations, 0, "a loop")
  check.equal(#run.warnings, 0, "a loop")
  local other = linkage():simulate { t = 0.5, integrator = tight, formulation = mbs.index1 { project = true } }
  for _, what in ipairs { "c.x", "b.omega_y", "a.alpha_x", "main.force_z", "q.force_x", "rocking.torque_z", "b.lambda" } do
    check.near(last(run, what), last(other, what), 1e-8 * (1 + math.abs(last(other, what))), what)
  end
end

-- Implicit steps, motions in phases and what recursions do not know go as before, without a word about it.
check.equal(form_of(linkage():simulate { t = 0.05, integrator = mbs.radau {} }), "index1", "implicit steps")
do
  local m = linkage()
  local way = m:phase { "way" }
  check.equal(form_of(m:simulate { t = 0.05, phases = { way } }), "index1", "phases")
end
do
  local m = linkage()
  m:torque { "feels", on = m["a"], law = function(s) return 0.01 * m["main"].force_x(s), 0, 0 end }
  local run = m:simulate { t = 0.05 }
  check.equal(form_of(run), "index1", "a force that feels its load")
  check.equal(table.concat(run.warnings):find("joint_coordinates", 1, true), nil, "nothing is said of it")
end

-- What says that a start is singular is not lost: four hinges of a parallelogram on one line.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local a, b, c = body(m, "a", { 0.5, 0, 0 }), body(m, "b", { 2.5, 0, 0 }), body(m, "c", { 2, 0, 0 })
  m:revolute { "ga", m.ground, a, at = { 0, 0, 0 }, axis = "y" }
  m:revolute { "gb", m.ground, b, at = { 2, 0, 0 }, axis = "y" }
  m:revolute { "ac", a, c, at = { 1, 0, 0 }, axis = "y" }
  m:point_on_line { "bc", c:point { 1, 0, 0 }, b:marker { at = { 0.5, 0, 0 }, axis = "y" } }
  check.equal(form_of(m:simulate { t = 0.01 }), "augmented_lagrangian", "a singular start")
end

-- Redundant rows are left out, with the warning that Maggi's form has.
do
  local m = mbs.model { gravity = { 0, -1, -9.81 } }
  local door = body(m, "door", { 0.5, 0, 1 }, 20)
  m:revolute { "lower", m.ground, door, at = { 0, 0, 0 }, axis = "z" }
  m:revolute { "upper", m.ground, door, at = { 0, 0, 2 }, axis = "z" }
  local run = m:simulate { t = 0.5 }
  check.equal(form_of(run), "joint_coordinates", "a door")
  check.equal(run.warnings[1]:find("redundant constraints of \"upper\"", 1, true) ~= nil, true, "a door")
end

-- In the plane the index-1 form is faster, and joint coordinates are where constraints are redundant, as Maggi's form is
-- slower; not for second derivatives, which cost as much.
local function planar(cranks, bodies)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local mass = m:param { "mass", 1.2 }
  local beam = m:body { "coupler", mass = mass, inertia = 0.1, at = { 0.9, -0.3 } }
  for i = 1, cranks do
    local x = i / cranks
    local crank = m:body { "crank" .. i, mass = 1, inertia = 0.02, at = { x + 0.2, -0.15 } }
    m:revolute { m.ground, crank, at = { x, 0 } }
    m:revolute { crank, beam, at = { x + 0.4, -0.3 } }
  end
  if not bodies then m:distance { m:point { "weight", at = { 0.9, -1 }, mass = 0.1 }, beam } end
  return m, mass
end
do
  local tight = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-11 }
  check.equal(form_of(planar(2, true):simulate { t = 0.1 }), "index1", "a planar loop")
  check.equal(form_of(planar(3, false):simulate { t = 0.1 }), "maggi", "a point among redundant constraints")
  check.equal(form_of(planar(3, true):simulate { t = 0.1, integrator = mbs.radau {} }), "maggi", "redundant, by implicit steps")
  check.equal(form_of(planar(17, true):simulate { t = 0.01 }), "joint_coordinates", "32 constraints close planar loops")
  check.equal(form_of(planar(18, true):simulate { t = 0.01 }), "maggi", "34 constraints close planar loops")
  local run = planar(3, true):simulate { t = 0.5, integrator = tight }
  check.equal(form_of(run), "joint_coordinates", "a redundant planar loop")
  check.equal(run.factorizations, 0, "a redundant planar loop")
  local other = planar(3, true):simulate { t = 0.5, integrator = tight, formulation = mbs.maggi {} }
  for _, what in ipairs { "coupler.x", "crank3.omega", "coupler.ay" } do
    check.near(last(run, what), last(other, what), 1e-8 * (1 + math.abs(last(other, what))), what)
  end
  local function derivatives(formulation, method)
    local m, mass = planar(3, true)
    local cost = m:objective { "cost", terminal = m["coupler"].x, integral = m["crank1"].angle }
    local how = { cost, over = mass, t = 0.3, integrator = mbs.rk4 { step = 2e-3 }, formulation = formulation, method = method }
    local first = m:gradient(how).gradient[1]
    how.method = nil
    return first, m:hessian(how).matrix[1][1]
  end
  local first, second = derivatives(mbs.maggi {}, mbs.adjoint {})
  check.equal(math.abs(first) > 1e-6, true, "a derivative")
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.adjoint { checkpoints = 5 }, mbs.finite_difference {} } do
    local found, curved = derivatives(nil, method)
    check.near(found, first, 1e-5 * math.abs(first), "planar, redundant: " .. tostring(method))
    check.near(curved, second, 1e-5 * math.abs(second), "planar, redundant: a second derivative")
  end
end

-- Many loops stay with the form whose cost grows with the bodies alone.
local function rods(count)
  local m, before = mbs.model { gravity = { 0, 1, -9.81 } }, nil
  for i = 1, count do
    local here = body(m, "b" .. i, { i, 0, -0.5 })
    m:spherical { m.ground, here, at = { i, 0, 0 } }
    if before then m:distance { before:point { 0, 0, -0.5 }, here:point { 0, 0, -0.5 } } end
    before = here
  end
  return m:simulate { t = 0.01 }
end
check.equal(form_of(rods(33)), "joint_coordinates", "32 constraints close loops")
check.equal(form_of(rods(34)), "index1", "33 constraints close loops")

-- Every way to a derivative that a default run had, to the derivatives of one that names its form.
do
  local steps = mbs.rk4 { step = 2e-3 }
  local function derivative(formulation, method)
    local m, stiffness = linkage()
    local cost = m:objective { "cost", terminal = m["c"].x, integral = m["main"].angle }
    return m:gradient { cost, over = stiffness, t = 0.3, integrator = steps, formulation = formulation, method = method }.gradient[1]
  end
  local exact = derivative(mbs.maggi {}, mbs.adjoint {})
  check.equal(math.abs(exact) > 1e-6, true, "a derivative")
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.adjoint { checkpoints = 5 }, mbs.finite_difference {},
                            mbs.continuous_direct {}, mbs.continuous_adjoint {}, mbs.piecewise_adjoint {},
                            mbs.continuous_adjoint { form = "approach1" }, mbs.continuous_adjoint { form = "approach2" } } do
    check.near(derivative(nil, method), exact, 1e-5 * math.abs(exact), tostring(method))
  end
  local function curvature(formulation)
    local m, stiffness = linkage()
    local cost = m:objective { "cost", terminal = m["c"].x, integral = m["main"].angle }
    return m:hessian { cost, over = stiffness, t = 0.3, integrator = steps, formulation = formulation }.matrix[1][1]
  end
  local second = curvature(mbs.maggi {})
  check.near(curvature(nil), second, 1e-5 * math.abs(second), "a second derivative")
end

-- A search by a continuous adjoint keeps to the form whose equations that knows, also of another model.
do
  local m, stiffness = linkage()
  local cost = m:objective { "cost", integral = (m["c"].x - 0.5)^2 }
  local found = m:optimize { minimize = cost, over = { stiffness }, t = 0.1, integrator = mbs.rk4 { step = 5e-3 },
                             method = mbs.continuous_adjoint { form = "approach1" }, optimizer = mbs.lbfgsb { max_evaluations = 4 } }
  check.equal(found ~= nil, true, "a search")
end
