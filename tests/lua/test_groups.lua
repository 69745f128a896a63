-- Mass, centre of mass, momenta and energy of bodies together, against sums worked out by hand.
local mbs = require "perilune"
local check = require "check"
local near, fails = check.near, check.fails

do -- the plane: a body off its centre of mass, a point, and one that does not count
  local m = mbs.model { gravity = { 0, -9.81 } }
  local w = m:param { "w", 2, min = 0, max = 9 }
  local mass = m:param { "load_mass", 3, unit = "kg", min = 1, max = 9 }
  local arm = m:body { "arm", mass = 2, inertia = 0.1, center_of_mass = { 0.5, 0.1 }, at = { 1, 2 }, angle = 0.3,
    velocity = { 1, -1 }, angular_velocity = w }
  local load = m:point { "load", at = { -1, 4 }, velocity = { 0.5, 2 }, mass = mass }
  m:body { "other", mass = 100, inertia = 7, at = { 9, 9 }, velocity = { 9, 9 }, angular_velocity = 9 }
  local both = m:group { "both", arm, load }
  local run = m:simulate { t = 0.5 }
  local c, s = math.cos(0.3), math.sin(0.3)
  local dx, dy = 0.5 * c - 0.1 * s, 0.5 * s + 0.1 * c
  local x, y, vx, vy = 1 + dx, 2 + dy, 1 - 2 * dy, -1 + 2 * dx
  near(run:at("both.mass", 0), 5, 1e-12, "mass")
  near(run:at("both.com_x", 0), (2 * x - 3) / 5, 1e-12, "com_x")
  near(run:at("both.com_y", 0), (2 * y + 12) / 5, 1e-12, "com_y")
  near(run:at("both.com_vx", 0), (2 * vx + 1.5) / 5, 1e-12, "com_vx")
  near(run:at("both.momentum_y", 0), 2 * vy + 6, 1e-12, "momentum_y")
  near(run:at("both.angular_momentum", 0), 2 * (x * vy - y * vx) + 0.1 * 2 + 3 * (-1 * 2 - 4 * 0.5), 1e-12, "angular")
  near(run:at("both.kinetic_energy", 0), vx ^ 2 + vy ^ 2 + 0.05 * 4 + 1.5 * (0.25 + 4), 1e-12, "energy")
  -- A free fall of both: y of the centre of mass, and its derivatives by a mass and by the speed of turning.
  local t = 0.5
  near(run:at(both.com_y, t), (2 * y + 12) / 5 + (2 * vy + 6) / 5 * t - 9.81 / 2 * t ^ 2, 1e-7, "a parabola")
  local objective = m:objective { "height", terminal = both.com_y }
  local of = m:gradient { objective = { objective }, over = { w, mass }, t = t }[1]
  near(of.by_name.w, 2 * dx / 5 * t, 1e-6, "by the speed of turning")
  local sum = 2 * y + 12 + (2 * vy + 6) * t
  near(of.by_name.load_mass, (4 + 2 * t) / 5 - sum / 25, 1e-6, "by a mass")
end

do -- space, both kinds of bodies: groups of one, and of all, which is the whole model
  local function solid(x) return { mass = 2, inertia = { 0.3, 0.2, 0.4, 0.01, 0.02, -0.03 }, center_of_mass = { 0.1, -0.2, 0.3 },
    at = { x, 2, 3 }, orientation = { 0.5, 0.5, 0.5, 0.5 }, velocity = { 1, 2, 3 }, angular_velocity = { 0.3, -0.5, 0.7 } } end
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local first, second = solid(1), solid(-4)
  first[1], second[1] = "first", "second"
  local a, b = m:body(first), m:natural_body(second)
  m:group { "one", a }
  m:group { "two", b }
  m:group { "all", a, b }
  local run = m:simulate { t = 0.3 }
  -- The orientation takes x to y, y to z, z to x.
  near(run:at("one.com_x", 0), 1 + 0.3, 1e-12, "com_x")
  near(run:at("one.com_y", 0), 2 + 0.1, 1e-12, "com_y")
  near(run:at("one.com_z", 0), 3 - 0.2, 1e-12, "com_z")
  near(run:at("two.com_x", 0), -4 + 0.3, 1e-12, "com_x of natural coordinates")
  near(run:at("two.com_z", 0), 3 - 0.2, 1e-12, "com_z of natural coordinates")
  near(run:at("all.mass", 0), 4, 1e-12, "mass")
  near(run:at("all.com_x", 0), -1.5 + 0.3, 1e-12, "com_x of both")
  for _, t in ipairs { 0, 0.3 } do
    for _, k in ipairs { "x", "y", "z" } do
      near(run:at("all.momentum_" .. k, t), run:at("momentum." .. k, t), 1e-12, "momentum " .. k)
      near(run:at("all.angular_momentum_" .. k, t), run:at("angular_momentum." .. k, t), 1e-12, "angular momentum " .. k)
      near(run:at("one.com_v" .. k, t), run:at("one.momentum_" .. k, t) / 2, 1e-12, "velocity " .. k)
    end
    near(run:at("all.kinetic_energy", t), run:at("energy.kinetic", t), 1e-12, "energy")
    near(run:at("one.com_x", t), run:at(a.com_x, t), 1e-12, "the body's own")
  end
  -- omega x d in space: the body's omega is (0.7, 0.3, -0.5) there, d is (0.3, 0.1, -0.2).
  near(run:at("one.com_vx", 0), 1 + (0.3 * -0.2 - -0.5 * 0.1), 1e-12, "omega x d")
end

do -- who can be a member
  local m = mbs.model { gravity = { 0, -9.81 } }
  local a = m:body { "a", mass = 1, inertia = 1 }
  local light = m:point { "light", at = { 0, 0 } }
  fails('"light" is no body or point with a mass', function() m:group { "g", light } end)
  fails("the ground has no mass", function() m:group { "g", m.ground } end)
  fails('"a" is given twice', function() m:group { "g", a, a } end)
  fails("member is missing", function() m:group { "g" } end)
  fails("the name is taken by the body", function() m:group { "a", a } end)
  m:group { "g", a }
  assert(m:object "g".mass == m:signal "g.mass", "found by its name")
end

print "ok"
