-- Numbers of FreeCAD's assembly text as parameters: derivatives against differences of files that are altered.
local mbs = require "perilune"
local check = require "check"
local assembly_text = require "assembly_text"
local between = assembly_text.between
local path = os.tmpname() .. ".asmt"

local function read(a, fields) return assembly_text.read(path, a, fields) end

local function turn_about_z(angle)
  local c, s = math.cos(angle), math.sin(angle)
  return { c, -s, 0, s, c, 0, 0, 0, 1 }
end

-- `build` makes an assembly of a table of numbers by their paths; `cost` an integrand of the model.
local function compare(given, unit, t, build, cost)
  local settings = { t = t, formulation = mbs.augmented_lagrangian {}, integrator = mbs.rk4 { step = 1e-3 } }
  local names = {}
  for name in pairs(given) do names[#names + 1] = name end
  local m = read(build(given), { unit = unit, parameters = names })
  for name, value in pairs(given) do check.equal(m:object(name).unit ~= nil, true, name) end
  local gradient = m:gradient { m:objective { "cost", integral = cost(m) }, t = t, formulation = settings.formulation,
                                integrator = settings.integrator }
  for name, value in pairs(given) do
    local function at(by)
      local altered = {}
      for key, number in pairs(given) do altered[key] = number end
      altered[name] = value + by
      local other = read(build(altered), { unit = unit })
      settings.objectives = { other:objective { "cost", integral = cost(other) } }
      return other:simulate(settings).objectives.cost
    end
    local h = 2e-3 * math.max(1, math.abs(value))
    local wide, narrow = (at(h) - at(-h)) / (2 * h), (at(h / 2) - at(-h / 2)) / h
    local expected = (4 * narrow - wide) / 3
    check.near(gradient.by_name[name], expected, 1e-6 * math.max(1e-3, math.abs(expected)), name)
  end
end

-- A pendulum of two parts in m: masses, moments, places of all kinds, gravity, start velocities.
compare({
  ["Test.ConstantGravity.y"] = -9.81, ["upper.PrincipalMassMarker.Mass"] = 2, ["lower.PrincipalMassMarker.MomentOfInertias.z"] = 0.25,
  ["upper.PrincipalMassMarker.Position3D.x"] = 0.3, ["upper.pin.Position3D.x"] = 0.6, ["upper.pin.RefPoint.Position3D.y"] = 0.1,
  ["lower.Velocity3D.y"] = 0.4, ["lower.Omega3D.z"] = 1, ["Test.top.Position3D.x"] = 0.05, ["lower.Position3D.x"] = 0.62,
}, "m", 0.4, function(v)
  return {
    gravity = { 0.5, v["Test.ConstantGravity.y"], 0 }, markers = { { "top", at = { v["Test.top.Position3D.x"], 0, 0 } } },
    parts = {
      { "upper", mass = v["upper.PrincipalMassMarker.Mass"], at = { 0.05, 0, 0 },
        center = { at = { v["upper.PrincipalMassMarker.Position3D.x"], 0, 0 } },
        markers = { { "base" }, { "pin", at = { v["upper.pin.Position3D.x"], 0, 0 },
          frame = { at = { 0, v["upper.pin.RefPoint.Position3D.y"], 0 } } } } },
      { "lower", at = { v["lower.Position3D.x"], 0.1, 0 }, v = { 0, v["lower.Velocity3D.y"], 0 }, w = { 0, 0, v["lower.Omega3D.z"] },
        moments = { 0.1, 0.2, v["lower.PrincipalMassMarker.MomentOfInertias.z"] }, center = { at = { 0.2, 0, 0 } },
        markers = { { "base" } } },
    },
    joints = { between("RevoluteJoint", "shoulder", "top", "upper/base"), between("SphericalJoint", "elbow", "upper/pin", "lower/base") },
  }
end, function(m) return m:object "lower".x ^ 2 + m:object "upper".y end)

-- A rack that a pinion drives, whose load hangs on it, in mm: numbers of joints and of motions.
compare({
  ["rack.pitchRadius"] = 40, ["motor.RotationZ.1"] = 2, ["motor.RotationZ.2"] = 0.3, ["rod.distanceIJ"] = 500,
}, "mm", 0.3, function(v)
  local along = { 0, 0, 1, 0, 1, 0, -1, 0, 0 }
  return {
    gravity = { 0, -9810, 0 }, markers = { { "axle" }, { "rail", at = { 0, 40, 0 }, axes = along } },
    parts = {
      { "pinion", moments = { 1e3, 1e3, 1e3 }, markers = { { "axle" } } },
      { "bar", at = { 0, 40, 0 }, moments = { 1e3, 1e3, 1e3 }, markers = { { "rail", axes = along }, { "mesh" }, { "hook" } } },
      { "load", at = { 300, 440, 0 }, moments = { 1e3, 1e3, 1e3 }, markers = { { "hook" } } },
    },
    joints = {
      between("RevoluteJoint", "bearing", "axle", "pinion/axle"), between("TranslationalJoint", "guide", "rail", "bar/rail"),
      between("RackPinionJoint", "rack", "bar/mesh", "pinion/axle", "pitchRadius", v["rack.pitchRadius"]),
      between("SphSphJoint", "rod", "bar/hook", "load/hook", "distanceIJ", v["rod.distanceIJ"]),
    },
    motions = { { "RotationalMotion", "motor", "MotionJoint", "/Test/bearing", "RotationZ",
      ("%.17g*time + %.17g*sin(time)^2"):format(v["motor.RotationZ.1"], v["motor.RotationZ.2"]) } },
  }
end, function(m) return m:object "load".x ^ 2 + m:object "load".y + m:object "bar".x end)

-- Offsets, angles, a screw and gears, in mm.
compare({
  ["table.offset"] = 50, ["tilt.theIzJz"] = 0.3, ["thread.pitch"] = 20, ["gears.radiusI"] = 30, ["gears.radiusJ"] = 70,
}, "mm", 0.3, function(v)
  local c, s = math.cos(0.3), math.sin(0.3)
  return {
    gravity = { 0, -3000, -9810 }, markers = { { "axle" }, { "other", at = { 100, 0, 0 } }, { "slope", at = { 0, 0, 100 } } },
    parts = {
      { "wheel", moments = { 1e3, 1e3, 1e3 }, markers = { { "axle" } } },
      { "second", at = { 100, 0, 0 }, moments = { 1e3, 1e3, 1e3 }, center = { at = { 20, 0, 0 } }, markers = { { "axle" } } },
      { "nut", at = { 0, 0, 100 }, moments = { 1e3, 1e3, 1e3 }, markers = { { "axis" } } },
      { "puck", at = { 10, 0, 150 }, axes = { 1, 0, 0, 0, c, -s, 0, s, c }, moments = { 1e3, 2e3, 2e3 },
        center = { at = { 0, 30, 10 } }, markers = { { "foot" } } },
    },
    joints = {
      between("RevoluteJoint", "bearing", "axle", "wheel/axle"), between("RevoluteJoint", "bearing2", "other", "second/axle"),
      between("TranslationalJoint", "guide", "slope", "nut/axis"),
      between("ScrewJoint", "thread", "nut/axis", "wheel/axle", "pitch", v["thread.pitch"]),
      between("GearJoint", "gears", "wheel/axle", "second/axle", "radiusI", v["gears.radiusI"], "radiusJ", v["gears.radiusJ"]),
      between("PointInPlaneJoint", "table", "slope", "puck/foot", "offset", v["table.offset"]),
      between("AngleJoint", "tilt", "slope", "puck/foot", "theIzJz", v["tilt.theIzJz"]),
    },
  }
end, function(m) return m:object "second".e3 + m:object "nut".z + m:object "puck".y ^ 2 + m:object "puck".z end)

-- Loads, in mm.
compare({
  ["push.WorldWrench.2"] = 3000, ["push.WorldWrench.6"] = 2e5, ["coil.LinearSpringDamper.1"] = 20,
  ["coil.LinearSpringDamper.3"] = 500, ["gust.Formula.1"] = 4000, ["clock.TorsionalSpringDamper.1"] = 1e6,
}, "mm", 0.3, function(v)
  return {
    markers = { { "G" }, { "far", at = { 900, 0, 0 } } },
    parts = { { "P", moments = { 1e5, 1e5, 1e5 }, center = { at = { 100, 0, 0 } }, markers = { { "M" }, { "tip", at = { 200, 100, 0 } } } } },
    joints = { between("RevoluteJoint", "hinge", "G", "P/M") },
    loads = {
      { "push", "P/tip", "G", ("WorldWrench 0 %.17g 0 0 0 %.17g"):format(v["push.WorldWrench.2"], v["push.WorldWrench.6"]) },
      { "coil", "far", "P/tip", ("LinearSpringDamper %.17g 0.5 %.17g"):format(v["coil.LinearSpringDamper.1"], v["coil.LinearSpringDamper.3"]) },
      { "gust", "P/tip", "G", ('WorldForceFormula 0 1 0 "%.17g*cos(time)"'):format(v["gust.Formula.1"]) },
      { "clock", "G", "P/M", ("TorsionalSpringDamper %.17g 0 0.4"):format(v["clock.TorsionalSpringDamper.1"]) },
    },
  }
end, function(m) return m:object "hinge".angle ^ 2 end)

-- A four-bar linkage whose crank and base are not as drawn: the angle of its rocker by triangles.
do
  local function link(name, x, y, to_x, to_y)
    return { name, at = { x, y, 0 }, moments = { 1e4, 1e4, 1e4 }, markers = { { "base" }, { "tip", at = { to_x, to_y, 0 } } } }
  end
  local m = read({
    markers = { { "A" }, { "D", at = { 1000, 0, 0 } } },
    parts = { link("crank", 0, 0, 0, 300), link("coupler", 0, 300, 900, 200), link("rocker", 1000, 0, -100, 500) },
    joints = {
      between("RevoluteJoint", "motor", "A", "crank/base"), between("RevoluteJoint", "pin", "crank/tip", "coupler/base"),
      between("RevoluteJoint", "close", "coupler/tip", "rocker/tip"), between("RevoluteJoint", "pivot", "D", "rocker/base"),
    },
    motions = { { "RotationalMotion", "speed", "MotionJoint", "/Test/motor", "RotationZ", "6*time" } },
  }, { unit = "mm", parameters = { "crank.tip.Position3D.y", "Test.D.Position3D.x" } })
  for _, case in ipairs { { 300, 1000 }, { 120, 900 } } do
    m:object "crank.tip.Position3D.y".value, m:object "Test.D.Position3D.x".value = case[1], case[2]
    local run = m:simulate { t = 1, formulation = mbs.augmented_lagrangian {} }
    for _, t in ipairs { 0, 0.3, 1 } do
      local phi = math.pi / 2 + 6 * t
      local x, y = case[1] * math.cos(phi), case[1] * math.sin(phi)
      local dx, dy = case[2] - x, -y
      local d, coupler, rocker = math.sqrt(dx ^ 2 + dy ^ 2), 850e3, 260e3  -- squares of the lengths
      local along = (coupler - rocker + d ^ 2) / (2 * d)
      local up = math.sqrt(coupler - along ^ 2)
      x, y = x + (along * dx - up * dy) / d, y + (along * dy + up * dx) / d
      check.near(run:at("pivot.angle", t), math.atan(y, x - case[2]) - math.atan(500, -100), 1e-6)
    end
  end
end

-- A number of a matrix turns the frame.
do
  local a = { markers = { { "G", axes = turn_about_z(0.2) } }, parts = { { "P", axes = turn_about_z(0.2), markers = { { "M" } } } },
              joints = { between("FixedJoint", "joint", "G", "P/M") } }
  local m = read(a, { unit = "m", parameters = { "Test.G.RotationMatrix.4" } })
  check.near(m:object("Test.G.RotationMatrix.4").value, math.sin(0.2))
  check.near(2 * m:simulate({ t = 0.01 }):at("P.e3", 0) * m:simulate({ t = 0.01 }):at("P.e0", 0), math.sin(0.2))
end
os.remove(path)
