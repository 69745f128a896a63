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

-- What a uniform line does: its mass, middle c, the vector d along it, the velocities of these, and the moment of inertia
-- of its sections per mass, against the group at the start.
local function line(run, name, mass, c, d, vc, vd, thick)
  local function cross(a, b)
    return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
  end
  local function square(a) return a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2 end
  local function found(what, value) near(run:at(name .. "." .. what, 0), value, 1e-12, name .. " " .. what) end
  local own, turn, of_middle = thick or 0, cross(d, vd), cross(c, vc)
  local planar = pcall(run.at, run, name .. ".angular_momentum", 0)
  found("mass", mass)
  for k, axis in ipairs { "x", "y", not planar and "z" or nil } do
    found("com_" .. axis, c[k])
    found("com_v" .. axis, vc[k])
    found("momentum_" .. axis, mass * vc[k])
  end
  local omega = square(vd) ^ 0.5 / square(d) ^ 0.5
  for k, axis in ipairs { "_x", "_y", "_z" } do
    local value = mass * (of_middle[k] + turn[k] / 12) + (k == 3 and own * mass * omega or 0)
    if not planar then found("angular_momentum" .. axis, value) elseif k == 3 then found("angular_momentum", value) end
  end
  found("kinetic_energy", mass / 2 * (square(vc) + square(vd) / 12 + own * omega ^ 2))
end

do -- bars: an end fixed in space takes part as any other, though it has no coordinates
  local m = mbs.model { gravity = { 0, -9.81 } }
  local mass = m:param { "rod_mass", 2, unit = "kg", min = 1, max = 9 }
  local P = m:point { "P", at = { 1.5, 1.25 }, velocity = { -1, 2.4 } }
  local Q = m:point { "Q", at = { 2.5, 1.25 }, velocity = { -1, 3 }, mass = 0.5 }
  local rod = m:bar { "rod", m:ground { at = { 0.3, 0.75 } }, P, mass = mass }
  local link = m:bar { "link", Q, P, mass = 3 }
  m:group { "one", rod }
  m:group { "other", link }
  local all = m:group { "all", rod, link, Q }
  local run = m:simulate { t = 0.2 }
  line(run, "one", 2, { 0.9, 1, 0 }, { 1.2, 0.5, 0 }, { -0.5, 1.2, 0 }, { -1, 2.4, 0 })
  line(run, "other", 3, { 2, 1.25, 0 }, { 1, 0, 0 }, { -1, 2.7, 0 }, { 0, 0.6, 0 })
  near(run:at(all.com_x, 0), (2 * 0.9 + 3 * 2 + 0.5 * 2.5) / 5.5, 1e-12, "all")
  for own, of_model in pairs { angular_momentum = "angular_momentum.z", momentum_x = "momentum.x", momentum_y = "momentum.y",
                               kinetic_energy = "energy.kinetic" } do
    near(run:at("all." .. own, 0.2), run:at(of_model, 0.2), 1e-10, own)
  end
  local start = m:objective { "start", integral = all.com_x }
  local slope = m:gradient { objective = start, over = mass, t = 1e-6 }.by_name.rod_mass
  near(slope / 1e-6, 0.9 / 5.5 - 9.05 / 5.5 ^ 2, 1e-5, "by a mass")
end

do -- bars in space
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local P = m:point { "P", at = { 1, 2, 4 }, velocity = { 2, -1, 0 } }
  local Q = m:point { "Q", at = { 1, 4, 4 }, velocity = { 2, -1, 5 } }
  m:group { "one", m:bar { "one_bar", P, m:ground { at = { 0, 0, 4 } }, mass = 0.7 } }
  m:group { "other", m:bar { "other_bar", P, Q, mass = 3 } }
  local run = m:simulate { t = 0.01 }
  line(run, "one", 0.7, { 0.5, 1, 4 }, { 1, 2, 0 }, { 1, -0.5, 0 }, { 2, -1, 0 })
  line(run, "other", 3, { 1, 3, 4 }, { 0, 2, 0 }, { 2, -1, 2.5 }, { 0, 0, 5 })
end

do -- beams: slender ones, and those that have their mass in nodes, with the inertia of sections
  local m = mbs.model { gravity = { 0, -9.81 } }
  for _, kind in ipairs { "slender", "shear" } do
    local beam = m:beam { kind, from = { 1, 0 }, to = { 3, 0 }, kind = kind, young = 1e7, density = 1000, area = 1e-3,
      second_moment = 2e-4, velocity = { 0, 1 }, angular_velocity = 2, elements = 6 }
    m:group { kind .. "_group", beam }
    fails("is given twice", function() m:group { "twice", beam, beam } end)
  end
  local run = m:simulate { t = 1e-4 }
  for kind, thick in pairs { slender = 0, shear = 2e-4 / 1e-3 } do
    line(run, kind .. "_group", 2, { 2, 0, 0 }, { 2, 0, 0 }, { 0, 3, 0 }, { 0, 4, 0 }, thick)
  end
end

do -- who can be a member
  local m = mbs.model { gravity = { 0, -9.81 } }
  local a = m:body { "a", mass = 1, inertia = 1 }
  local light = m:point { "light", at = { 0, 0 } }
  fails('"light" has no mass', function() m:group { "g", light } end)
  local rope = m:distance { "rope", m.ground:point { 0, 1 }, light }
  fails("member must be a body, a point, a bar or a beam, got distance", function() m:group { "g", rope } end)
  fails("member [3] must be a body, a point, a bar or a beam, got a table", function() m:group { "g", a, { a } } end)
  fails("the ground has no mass", function() m:group { "g", m.ground } end)
  fails('"a" is given twice', function() m:group { "g", a, a } end)
  fails("member is missing", function() m:group { "g" } end)
  fails("the name is taken by the body", function() m:group { "a", a } end)
  m:group { "g", a }
  assert(m:object "g".mass == m:signal "g.mass", "found by its name")
end

print "ok"
