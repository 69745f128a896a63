-- mbs.read of FreeCAD's assembly text: closed forms, what defines each joint, and models by hand.
local mbs = require "perilune"
local check = require "check"
local assembly_text = require "assembly_text"
local between = assembly_text.between
local path = os.tmpname() .. ".asmt"

local function read(a, fields)
  fields = fields or {}
  fields.unit = fields.unit or "m"
  return assembly_text.read(path, a, fields)
end
local exact = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 }

-- Rows of matrices that turn.
local function about(letter, angle)
  local c, s = math.cos(angle), math.sin(angle)
  if letter == "x" then return { 1, 0, 0, 0, c, -s, 0, s, c } end
  if letter == "y" then return { c, 0, s, 0, 1, 0, -s, 0, c } end
  return { c, -s, 0, s, c, 0, 0, 0, 1 }
end
local function product(A, B)
  local out = {}
  for i = 0, 2 do
    for k = 1, 3 do
      local sum = 0
      for n = 0, 2 do sum = sum + A[3 * i + n + 1] * B[3 * n + k] end
      out[3 * i + k] = sum
    end
  end
  return out
end
local function transposed(A) return { A[1], A[4], A[7], A[2], A[5], A[8], A[3], A[6], A[9] } end
local function times(A, v)
  local out = {}
  for i = 0, 2 do out[i + 1] = A[3 * i + 1] * v[1] + A[3 * i + 2] * v[2] + A[3 * i + 3] * v[3] end
  return out
end
-- Of a body in a run, by its Euler parameters.
local function pose(run, name, t)
  local w, x, y, z = run:at(name .. ".e0", t), run:at(name .. ".e1", t), run:at(name .. ".e2", t), run:at(name .. ".e3", t)
  return { run:at(name .. ".x", t), run:at(name .. ".y", t), run:at(name .. ".z", t) }, {
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
    2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) }
end

-- A slider-crank in mm, with markers in turned frames: the slider's place and acceleration.
do
  local quarter = about("x", math.pi / 2)
  local a = {
    name = "OndselAssembly", gravity = { 0, -9810, 0 },
    markers = { { "center" }, { "rail", axes = about("y", math.pi / 2) } },
    parts = {
      { "crank", moments = { 1, 1, 1 }, mass = 1, markers = { { "base" }, { "tip", at = { 0, 0, -40 }, frame = { at = { 60, 40, 0 },
        axes = quarter }, axes = transposed(quarter) } } },
      { "rod", at = { 60, 80, 0 }, axes = about("z", -math.asin(80 / 250)), center = { at = { 125, 0, 0 } }, mass = 2,
        moments = { 10, 9e3, 9e3 }, markers = { { "base" }, { "tip", at = { 250, 0, 0 } } } },
      { "slider", at = { 60 + math.sqrt(250 ^ 2 - 80 ^ 2), 0, 0 }, moments = { 1e3, 1e3, 1e3 },
        markers = { { "pin" }, { "guide", axes = about("y", math.pi / 2) } } },
    },
    joints = {
      { "RevoluteJoint", "main", "MarkerI", "/OndselAssembly/center", "MarkerJ", "/OndselAssembly/crank/base" },
      { "RevoluteJoint", "crankpin", "MarkerI", "/OndselAssembly/crank/tip", "MarkerJ", "/OndselAssembly/rod/base" },
      { "SphericalJoint", "wrist", "MarkerI", "/OndselAssembly/rod/tip", "MarkerJ", "/OndselAssembly/slider/pin" },
      { "TranslationalJoint", "rails", "MarkerI", "/OndselAssembly/rail", "MarkerJ", "/OndselAssembly/slider/guide" },
    },
    motions = { { "RotationalMotion", "motor", "MotionJoint", "/OndselAssembly/main", "RotationZ", "2.0d*pi*time" } },
  }
  local file <close> = assert(io.open(path, "w"))
  file:write(assembly_text.write(a))
  file:flush()
  local m = mbs.read(path)
  check.equal(m.name, "OndselAssembly")
  check.equal(m:mobility {}.degrees_of_freedom, 0)
  local run = m:simulate { t = 0.6, integrator = exact }
  local r, l, start, w = 0.1, 0.25, math.atan(80, 60), 2 * math.pi
  for _, t in ipairs { 0, 0.1, 0.37, 0.6 } do
    local phi = start + w * t
    local root = math.sqrt(l ^ 2 - (r * math.sin(phi)) ^ 2)
    check.near(run:at("slider.x", t), r * math.cos(phi) + root, 1e-10)
    check.near(run:at("rails.displacement", t), r * math.cos(phi) + root, 1e-10)
    local acceleration = -r * w ^ 2 * (math.cos(phi) + r * math.cos(2 * phi) / root +
      r ^ 3 * math.sin(2 * phi) ^ 2 / (4 * root ^ 3))
    check.near(run:at("slider.ax", t), acceleration, 1e-8)
  end
  check.near(m:object("rod").mass, 2)
  check.near(m:object("rod").inertia[3], 9e-3)
  check.equal(m:object("rod_tip").kind, "marker")
  check.equal(m:object("motor").kind, "driver")
end

-- Mass, the frame of the principal axes and start velocities, beside the same body by hand in the same place.
do
  local A, P = product(about("x", 0.4), about("z", 1.1)), product(about("y", -0.7), about("x", 0.3))
  local J, c, v, w = { 0.1, 0.2, 0.25 }, { 0.1, -0.2, 0.3 }, { 1, 2, -0.5 }, { 3, -1, 2 }
  local factor = { m = 1, mm = 1000 }
  for unit, f in pairs(factor) do
    local function scaled(list) return { f * list[1], f * list[2], f * list[3] } end
    local m = read({ gravity = scaled { 0.3, -1, -9.81 }, parts = { { "P", at = scaled { 1, 2, 3 }, axes = A, v = scaled(v), w = w,
      mass = 2, moments = { f ^ 2 * J[1], f ^ 2 * J[2], f ^ 2 * J[3] }, center = { at = scaled(c), axes = P },
      markers = { { "tip", at = scaled { 0.5, 0, 0.2 } } } } } }, { unit = unit })
    local tensor = product(product(P, { J[1], 0, 0, 0, J[2], 0, 0, 0, J[3] }), transposed(P))
    local h = mbs.model { gravity = { 0.3, -1, -9.81 } }
    local q = 0.5 * math.sqrt(1 + A[1] + A[5] + A[9])
    local b = h:body { "P", mass = 2, at = { 1, 2, 3 }, center_of_mass = c, velocity = v,
      inertia = { tensor[1], tensor[5], tensor[9], tensor[2], tensor[3], tensor[6] },
      orientation = { q, (A[8] - A[6]) / (4 * q), (A[3] - A[7]) / (4 * q), (A[4] - A[2]) / (4 * q) },
      angular_velocity = times(transposed(A), w) }
    b:marker { "P_tip", at = { 0.5, 0, 0.2 } }
    local one, other = m:simulate { t = 1, integrator = exact }, h:simulate { t = 1, integrator = exact }
    for _, signal in ipairs { "P.x", "P.y", "P.z", "P_tip.x", "P_tip.vy", "P_tip.z", "P.omega_x" } do
      check.near(one:at(signal, 1), other:at(signal, 1), 1e-8, signal)
    end
  end
end

-- What defines a joint stays: of J's place along I's axes, r, and A, the cosines between axes of I (rows) and J.
do
  local function plane(r) return r[3] - 0.05 end
  local function cylinder(r) return math.sqrt(r[1] ^ 2 + r[2] ^ 2) - 0.5 end
  local function x(r) return r[1] end
  local function y(r) return r[2] end
  local function z(r) return r[3] end
  local function A(row, column) return function(_, a) return a[3 * row + column - 3] end end
  local quarter, over = about("x", math.pi / 2), about("x", math.pi)
  local at_plane, at_cylinder = { 0.2, 0.1, 0.05 }, { 0.3, 0.4, 0 }
  local kinds = {
    FixedJoint = { 0, { x, y, z, A(1, 2), A(3, 1), A(3, 2) } },
    RevoluteJoint = { 1, { x, y, z, A(3, 1), A(3, 2) }, axes = over },
    CylindricalJoint = { 2, { x, y, A(3, 1), A(3, 2) } },
    TranslationalJoint = { 1, { x, y, A(2, 1), A(3, 1), A(3, 2) }, axes = about("z", math.pi) },
    SphericalJoint = { 3, { x, y, z } },
    UniversalJoint = { 2, { x, y, z, A(3, 3) }, axes = quarter },
    ConstantVelocityJoint = { 2, { x, y, z, function(_, a) return a[2] + a[4] end }, axes = over },
    PlanarJoint = { 3, { plane, A(3, 1), A(3, 2) }, "offset", 0.05, at = at_plane, axes = over },
    PointInPlaneJoint = { 5, { plane }, "offset", 0.05, at = at_plane },
    LineInPlaneJoint = { 4, { plane, A(3, 3) }, "offset", 0.05, at = at_plane, axes = quarter },
    PointInLineJoint = { 4, { x, y } },
    ParallelAxesJoint = { 4, { A(3, 1), A(3, 2) }, axes = over },
    PerpendicularJoint = { 5, { A(3, 3) }, axes = quarter },
    NoRotationJoint = { 3, { A(2, 1), A(3, 1), A(3, 2) }, axes = about("y", math.pi) },
    AngleJoint = { 5, { function(_, a) return a[9] - math.cos(0.3) end }, "theIzJz", 0.3, axes = about("x", 0.3) },
    SphSphJoint = { 5, { function(r) return math.sqrt(r[1] ^ 2 + r[2] ^ 2 + r[3] ^ 2) - 0.5 end }, "distanceIJ", 0.5,
      at = at_cylinder },
    CylSphJoint = { 5, { cylinder }, "distanceIJ", 0.5, at = at_cylinder },
    RevCylJoint = { 3, { cylinder, A(3, 1), A(3, 2) }, "distanceIJ", 0.5, at = at_cylinder, axes = over },
    RevRevJoint = { 2, { cylinder, z, A(3, 1), A(3, 2) }, "distanceIJ", 0.5, at = at_cylinder },
  }
  local ground = product(about("y", 0.5), about("x", -0.8))
  for kind, case in pairs(kinds) do
    local axes = product(ground, case.axes or about("x", 0))
    local m = read {
      gravity = { 1, 2, -9.81 }, markers = { { "G", axes = ground } },
      parts = { { "P", at = times(ground, case.at or { 0, 0, 0 }), center = { at = { 0.1, 0.2, -0.1 } },
        markers = { { "M", axes = axes } } } },
      joints = { between(kind, "joint", "G", "P/M", case[3], case[4]) },
    }
    check.equal(m:mobility {}.degrees_of_freedom, case[1], kind)
    check.equal(m:object("joint") ~= nil, true, kind)
    local run = m:simulate { t = 0.3, integrator = exact }
    local place, turned = pose(run, "P", 0.3)
    local r, cosines = times(transposed(ground), place), product(transposed(ground), product(turned, axes))
    for k, law in ipairs(case[2]) do check.near(law(r, cosines), 0, 1e-8, kind .. " " .. k) end
    if case[1] > 0 then check.equal(#run.warnings, 0, kind) end
    if case[1] > 1 then assert(math.abs(run:at("P.omega_x", 0.3)) + math.abs(run:at("P.vx", 0.3)) > 1e-3, kind) end
  end
end

-- Two parts on axles or rails of the ground, and a coupling between them, of which one is driven.
local function coupled(kind, records, case)
  local m = read {
    markers = { { "G1", at = case.at1, axes = case.axes1 }, { "G2", at = case.at2 } },
    parts = { { "P", at = case.at1, markers = { { "M", axes = case.axes1 }, { "N" } } },
              { "Q", at = case.at2, markers = { { "M" }, { "N", at = { 0, 0, 0.1 } } } } },
    joints = { between(case.first or "RevoluteJoint", "one", "G1", "P/M"), between("RevoluteJoint", "other", "G2", "Q/M"),
               between(kind, "coupling", "P/N", "Q/N", table.unpack(records)) },
    motions = { { "RotationalMotion", "motor", "MotionJoint", "/Test/" .. (case.drives or "other"), "RotationZ", "7*time" } },
  }
  check.equal(m:mobility {}.degrees_of_freedom, 0)
  return m:simulate { t = 3, integrator = exact }
end
do
  local apart = { at1 = { 0, 0, 0 }, at2 = { 1, 0.5, 0 }, drives = "one" }
  local run = coupled("GearJoint", { "radiusI", 0.3, "radiusJ", 0.7 }, apart)
  check.near(run:at("other.angle", 3), -0.3 / 0.7 * 21, 1e-9)
  run = coupled("GearJoint", { "radiusI", 0.3, "radiusJ", -0.7 }, apart)  -- what FreeCAD writes for a belt
  check.near(run:at("other.angle", 3), 0.3 / 0.7 * 21, 1e-9)
  run = coupled("RackPinionJoint", { "pitchRadius", 0.4 }, { at1 = { 0, 0.4, 0 }, at2 = { 0.2, 0, 0 },
    first = "TranslationalJoint", axes1 = about("y", math.pi / 2) })
  check.near(run:at("P.x", 3), 0.4 * 21, 1e-9)
  run = coupled("ScrewJoint", { "pitch", 0.02 }, { at1 = { 0, 0, 0.4 }, at2 = { 0, 0, 0 }, first = "TranslationalJoint" })
  check.near(run:at("P.z", 3), 0.4 - 0.02 * 21 / (2 * math.pi), 1e-9)
end

-- Motions of one part, with the joint that holds it.
local function moved(joint, motion, axes, t)
  local m = read {
    markers = { { "G" } }, parts = { { "P", axes = axes, markers = { { "M" } } } },
    joints = joint and { between(joint, "joint", "G", "P/M") }, motions = { motion },
  }
  return m:simulate { t = t or 1, integrator = exact }
end
do
  local function general(...) return between("GeneralMotion", "motion", "G", "P/M", ...) end
  local run = moved("CylindricalJoint", general("rIJI1", "0.0", "rIJI2", "", "rIJI3", "0.1*sin(2.0*time)", "angIJJ1", "0.0",
    "angIJJ2", "0.0", "angIJJ3", "9.0*time", "RotationOrder", "1\t2\t3\t"))
  check.near(run:at("P.z", 1), 0.1 * math.sin(2))
  check.near(run:at("joint.angle", 1), 9)
  run = moved(nil, general("rIJI1", "0.1*time", "rIJI2", "0.2*sin(time)", "rIJI3", "-time^2", "angIJJ1", "0.5*time", "angIJJ2",
    "0.3*sin(time)", "angIJJ3", "3.0*time", "RotationOrder", "2 1 3"))
  local place, turned = pose(run, "P", 1)
  check.near(place[1], 0.1)
  check.near(place[2], 0.2 * math.sin(1))
  check.near(place[3], -1)
  local expected = product(about("y", 0.5), product(about("x", 0.3 * math.sin(1)), about("z", 3)))
  for k = 1, 9 do check.near(turned[k], expected[k], 1e-9) end
  -- A turn without a joint of its own counts, too; one that begins elsewhere than drawn does so at the nearest half turn.
  run = moved("PointInPlaneJoint", between("RotationalMotion", "motion", "G", "P/M", "RotationZ", "20*time"))
  check.near(run:at("P.omega_z", 1), 20)
  local joint = { "RotationalMotion", "motion", "MotionJoint", "/Test/joint", "RotationZ", "pi + 10*time" }
  check.near(moved("RevoluteJoint", joint, about("z", -3.1)):at("joint.omega", 1), 10)
  local _, end_of = pose(moved("RevoluteJoint", joint, about("z", -3.1)), "P", 1)
  check.near(end_of[1], math.cos(math.pi + 10))
  check.near(moved("RevoluteJoint", joint):at("joint.angle", 1), 10)
end

-- Loads beside those by hand, in m and in mm with the forces that go with it.
for unit, f in pairs { m = 1, mm = 1000 } do
  local function body(name, x) return { name, at = { x * f, 0, 0 }, mass = 2, moments = { 0.1 * f ^ 2, 0.2 * f ^ 2, 0.25 * f ^ 2 },
    markers = { { "M" }, { "N", at = { 0.1 * f, 0.2 * f, 0 } } } } end
  local m = read({
    markers = { { "G" } }, parts = { body("P", 0), body("Q", 1) }, joints = { between("RevoluteJoint", "hinge", "G", "P/M") },
    loads = {
      { "push", "Q/N", "P/N", ("WorldWrench %g %g %g %g %g %g"):format(f, -2 * f, 0.5 * f, 0.1 * f ^ 2, 0, 0.3 * f ^ 2) },
      { "coil", "P/N", "Q/M", ("LinearSpringDamper 20 0.5 %g"):format(0.7 * f) },
      { "clock", "G", "P/M", ("TorsionalSpringDamper %g %g 0.4"):format(3 * f ^ 2, 0.2 * f ^ 2) },
      { "gust", "Q/M", "G", ('WorldForceFormula 0 3 4 "%g*sin(2*time)"'):format(5 * f) },
      { "back", "G", "Q/N", ("WorldWrench %g 0 %g 0 %g 0"):format(-f, 2 * f, 0.1 * f ^ 2) },
      { "twist", "Q/N", "G", ('WorldTorqueFormula 1 0 0 "%g*time"'):format(0.1 * f ^ 2) },
    },
  }, { unit = unit })
  local h = mbs.model { gravity = { 0, 0, 0 } }
  local P = h:body { "P", mass = 2, inertia = { 0.1, 0.2, 0.25 } }
  local Q = h:body { "Q", mass = 2, inertia = { 0.1, 0.2, 0.25 }, at = { 1, 0, 0 } }
  local hinge = h:revolute { "hinge", h.ground, P, at = { 0, 0, 0 }, axis = "z" }
  h:force { on = Q:point { 0.1, 0.2, 0 }, reaction_on = P, force = { 1, -2, 0.5 }, torque = { 0.1, 0, 0.3 } }
  h:spring { P:point { 0.1, 0.2, 0 }, Q:point { 0, 0, 0 }, stiffness = 20, damping = 0.5, free_length = 0.7 }
  h:torsion_spring { on = hinge, stiffness = 3, damping = 0.2, free_angle = 0.4 }
  h:force { on = Q, law = function(s)
    local size = 5 * math.sin(2 * s.t)
    return 0, 0.6 * size, 0.8 * size
  end }
  h:torque { on = Q, law = function(s) return 0.1 * s.t, 0, 0 end }
  -- The opposite of what acts on the ground's origin: a force (1, 0, -2) on a line through it, whose moment about Q's
  -- origin is -r x (1, 0, -2).
  h:force { on = Q, law = function() return 1, 0, -2 end, torque = function()
    return 2 * Q.y, -0.1 - 2 * Q.x - Q.z, Q.y
  end }
  local one, other = m:simulate { t = 1, integrator = exact }, h:simulate { t = 1, integrator = exact }
  for _, signal in ipairs { "hinge.angle", "Q.x", "Q.y", "Q.z", "Q.omega_x" } do
    check.near(one:at(signal, 1), other:at(signal, 1), 1e-8, unit .. " " .. signal)
  end
end

-- Functions of time.
for text, value in pairs {
  ["0.1*time"] = 0.07, ["-0.5*time^2"] = -0.245, ["2*-0.1*time"] = -0.14, ["-2^2*time"] = -2.8, ["2e-1*time"] = 0.14,
  ["2.5d-1*time/0.5 + 1d*sin(0)"] = 0.35, ["2^3^0.5*time - (1 + 2*(time - 1))*time"] = 2 ^ 3 ^ 0.5 * 0.7 - 0.28,
  ["abs(time - 1.1) + arctan(time) - 1.1"] = -0.7 + math.atan(0.7), ["asin(time/2)+arcsin(time/2)"] = 2 * math.asin(0.35),
  ["cos(2.0*pi*time) - 1<n>+ .5*sin( time )"] = math.cos(1.4 * math.pi) - 1 + 0.5 * math.sin(0.7), ["time*180.0/pi"] = 126 / math.pi,
} do
  local run = moved("TranslationalJoint", between("TranslationalMotion", "motion", "G", "P/M", "MotionJoint", "",
    "TranslationZ", text), nil, 0.7)
  check.near(run:at("P.z", 0.7), value, 1e-12, text)
end
os.remove(path)
