-- Spheres against boxes and plates: a face is a plane, a corner is a point, an edge in space a corner in the plane;
-- momenta, energy and derivatives; a Geneva drive against its closed form.
local check = require "check"
local mbs = require "perilune"

local elastic = mbs.hunt_crossley { stiffness = 1e5, dissipation = 0 }
local tight = mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }

-- The same throw in the plane against a surface that `touch` declares.
local function thrown(at, velocity, touch, gravity)
  local m = mbs.model { gravity = gravity or { 0, 0 } }
  local P = m:point { "P", at = at, velocity = velocity, mass = 1 }
  touch(m, P)
  return m:simulate { t = 1, integrator = tight }, P
end
local function same(a, b, signals, tolerance, what)
  for _, signal in ipairs(signals) do
    for t = 0, 1, 0.25 do check.near(a:at(signal, t), b:at(signal, t), tolerance, what .. ", " .. signal .. " at " .. t) end
  end
end
local planar = { "P.x", "P.y", "P.vx", "P.vy" }

-- Faces of a box that is turned, with friction.
do
  local angle, law = 0.4, mbs.coulomb { coefficient = 0.3 }
  local c, s = math.cos(angle), math.sin(angle)
  local start, velocity = { -0.5 * s + 0.2 * c, 0.5 * c + 0.2 * s }, { 2 * s, -2 * c }
  local box = thrown(start, velocity, function(m, P)
    local middle = m.ground:marker { at = { -0.1 * c + 0.1 * s, -0.1 * s - 0.1 * c }, angle = angle }
    m:contact { middle, P, box = { 3, 0.2 }, radius = 0.1, normal = elastic, friction = law }
  end, { 0, -9.81 })
  local plane = thrown(start, velocity, function(m, P)
    m:contact { m.ground:marker { angle = angle }, P, radius = 0.1, normal = elastic, friction = law }
  end, { 0, -9.81 })
  assert(math.abs(plane:at("P.vx", 1)) > 0.1)
  same(box, plane, planar, 1e-9, "face")
end

-- A corner: as a ball of no size; energy, and the angular momentum about it.
do
  local start, velocity = { -1, 0.35 }, { 2, 0 }
  local box, P = thrown(start, velocity, function(m, P)
    m:contact { m:ground { at = { 0, 0 } }, P, box = { 0.2, 0.6 }, radius = 0.1, normal = elastic }
  end)
  local ball = thrown(start, velocity, function(m, P)
    m:contact { m:ground { at = { -0.1, 0.3 } }, P, ball = 1e-13, radius = 0.1, normal = elastic }
  end)
  assert(box:at("P.vy", 1) > 1)
  same(box, ball, planar, 1e-9, "corner")
  check.near(box:at("energy.kinetic", 1), 2, 1e-9)
  check.near(box:at((P.x + 0.1) * P.vy - (P.y - 0.3) * P.vx, 1), -0.05 * 2, 1e-9)
end

-- In space: an edge is a corner of the plane along it, a corner a ball, and a face of a thin plate a plane, from below.
do
  local function flying(at, velocity, touch)
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local P = m:point { "P", at = at, velocity = velocity, mass = 1 }
    touch(m, P)
    return m:simulate { t = 1, integrator = tight }
  end
  local edge = flying({ 0.35, 0.05, -1 }, { 0, 0.1, 2 }, function(m, P)
    m:contact { m:ground { at = { 0, 0, 0 } }, P, box = { 0.6, 1, 0.2 }, radius = 0.1, normal = elastic }
  end)
  local corner, Q = thrown({ -1, 0.35 }, { 2, 0 }, function(m, P)
    m:contact { m:ground { at = { 0, 0 } }, P, box = { 0.2, 0.6 }, radius = 0.1, normal = elastic }
  end)
  for _, pair in ipairs { { "P.z", Q.x }, { "P.x", Q.y }, { "P.vz", Q.vx }, { "P.vx", Q.vy } } do
    check.near(edge:at(pair[1], 1), corner:at(pair[2], 1), 1e-9, "edge")
  end
  check.near(edge:at("P.vy", 1), 0.1, 1e-12)
  local spatial = { "P.x", "P.y", "P.z", "P.vx", "P.vy", "P.vz" }
  local start, velocity = { 0.34, 0.23, -1 }, { 0, 0, 2 }
  same(flying(start, velocity, function(m, P)
    m:contact { m:ground { at = { 0, 0, 0 } }, P, box = { 0.6, 0.4, 0.2 }, radius = 0.1, normal = elastic }
  end), flying(start, velocity, function(m, P)
    m:contact { m:ground { at = { 0.3, 0.2, -0.1 } }, P, ball = 1e-13, radius = 0.1, normal = elastic }
  end), spatial, 1e-9, "corner in space")
  start, velocity = { 0.1, 0.2, -0.6 }, { 0.3, 0.2, 2 }
  local axis = { 1, 2, 3 }
  same(flying(start, velocity, function(m, P)
    local plate = m.ground:marker { at = { 0.1, 0.1, 0.2 }, axis = axis, x_axis = { 1, 0, 0 } }
    m:contact { plate, P, box = { 9, 9, 0 }, radius = 0.1, normal = elastic }
  end), flying(start, velocity, function(m, P)
    local below = m.ground:marker { at = { 0.1, 0.1, 0.2 }, axis = { -1, -2, -3 } }
    m:contact { below, P, radius = 0.1, normal = elastic }
  end), spatial, 1e-9, "plate")
end

-- A ball strikes the corner of a free box, rubbing: momenta of both together stay, for all forms of equations.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local ball = m:body { "ball", at = { -1, 0.16, 0.12 }, velocity = { 2, 0.1, 0 }, mass = 1, inertia = { 0.004, 0.004, 0.004 },
                        angular_velocity = { 0, 0, 5 } }
  local box = m:body { "box", at = { 0, 0, 0 }, mass = 2, inertia = { 0.02, 0.03, 0.025 }, angular_velocity = { 1, 0, 0 } }
  m:contact { "hit", box, ball, box = { 0.3, 0.3, 0.2 }, radius = 0.1,
              normal = mbs.hunt_crossley { stiffness = 1e5, dissipation = 0.1 }, friction = mbs.coulomb { coefficient = 0.3 } }
  local both = m:group { "both", ball, box }
  local run = m:simulate { t = 1, integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-11 } }
  assert(math.abs(run:at("box.omega_z", 1)) > 0.1)
  for _, what in ipairs { "momentum_x", "momentum_y", "momentum_z", "angular_momentum_x", "angular_momentum_y",
    "angular_momentum_z" } do
    check.near(run:at("both." .. what, 1), run:at("both." .. what, 0), 1e-8, what)
  end
end

-- Derivatives by an edge and a radius, through the touch of a corner and over the end of a plate.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local h, r = m:param { "h", 0.3, unit = "m", min = 0.1 }, m:param { "r", 0.1, unit = "m", min = 0.01 }
  local v = m:param { "v", 1, unit = "m/s" }
  local P = m:point { "P", at = { -0.5, 0.5 }, velocity = { v, 0 }, mass = 1 }
  m:contact { "table", m:ground { at = { 0, 0 } }, P, box = { 1, 2 * h }, radius = r,
              normal = mbs.hunt_crossley { stiffness = 1e4, dissipation = 0.2 } }
  local cost = m:objective { terminal = P.y + P.x ^ 2 }
  m:simulate { t = 1.5, integrator = tight }
  local adjoint = m:gradient { cost, over = { h, r, v } }
  local direct = m:gradient { cost, over = { h, r, v }, method = mbs.direct {} }
  for j, p in ipairs { h, r, v } do
    check.near(adjoint.gradient[j], direct.gradient[j], 1e-10)
    local middle, e, values = p.value, 1e-6, {}
    for i, by in ipairs { e, -e } do
      p.value = middle + by
      values[i] = m:gradient { cost, over = { h } }.value
    end
    p.value = middle
    check.near(adjoint.gradient[j], (values[1] - values[2]) / (2 * e), 1e-5, p.name)
  end
end

-- A Geneva drive of four slots, each between two plates: the angle of the wheel is atan(r sin a, d - r cos a) while the
-- pin is in a slot, but for the play and the compression of the plates.
do
  local m = mbs.model { "Geneva drive", gravity = { 0, 0 } }
  local d, r, pin, play, length = 0.1, 0.1 * math.sqrt(0.5), 0.005, 1e-6, 0.06
  local crank = m:body { "crank", mass = 0.5, inertia = 1e-3, at = { 0, 0 }, angle = -math.pi / 2 }
  local shaft = m:revolute { "shaft", m.ground, crank, at = { 0, 0 } }
  m:driver { "motor", shaft.angle, law = function(s) return 2 * math.pi * s.t end }
  local wheel = m:body { "wheel", mass = 1, inertia = 1e-3, at = { d, 0 } }
  m:revolute { "hub", m.ground, wheel, at = { d, 0 } }
  local steel = mbs.hunt_crossley { stiffness = 1e8, exponent = 1, dissipation = 0.3 } -- 5 N press it in by 5e-8 m
  for slot = 0, 3 do
    local angle = math.pi / 4 + slot * math.pi / 2
    local x, y = math.cos(angle), math.sin(angle)
    for side = -1, 1, 2 do
      local along, beside = r - length / 2, side * (pin + play)
      local plate = wheel:marker { at = { along * x - beside * y, along * y + beside * x }, angle = angle }
      m:contact { plate, crank:point { r, 0 }, box = { length, 0 }, radius = pin, normal = steel }
    end
  end
  m:torque { "brake", on = wheel, law = function(s) return -0.02 * mbs.tanh(wheel.omega / 0.05) end }
  local run = m:simulate { t = 0.6 }
  for i = 0, 40 do
    local a = -math.pi / 4 + i / 40 * math.pi / 2
    local exact = math.atan(r * math.sin(a), d - r * math.cos(a))
    check.near(-run:at(wheel.angle, (a + math.pi / 2) / (2 * math.pi)), exact + math.pi / 4, 1.2 * play / (d - r), "Geneva drive")
  end
end

-- What is pressed through a plate comes out on the other side, and the run says so.
do
  for stiffness, warns in pairs { [5e6] = true, [1e9] = false } do
    local run = thrown({ -50, 0.03 }, { 100, 0 }, function(m, P)
      m:contact { "plate", m:ground { at = { 0, 0 } }, P, box = { 0, 0.08 }, radius = 0.01,
                  normal = mbs.hunt_crossley { stiffness = 100 * stiffness } }
    end)
    local said = table.concat(run.warnings, "\n"):find("pressed in by more than half of the radius", 1, true)
    check.equal(said ~= nil, warns, "warning at " .. stiffness)
    check.equal(run:at("P.vx", 1) > 0, warns, "passes at " .. stiffness)
  end
end

-- What a box is not for.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P, Q = m:point { "P", at = { 0, 1 }, mass = 1 }, m:point { "Q", at = { 1, 1 }, mass = 1 }
  local B = m:body { "B", at = { 0, 3 }, mass = 1, inertia = 1 }
  local e = m:param { "e", 0.2, unit = "m" }
  local function touch(more)
    local fields = { m.ground, P, normal = elastic, box = { 1, e } }
    for k, v in pairs(more) do fields[k] = v end
    return function() m:contact(fields) end
  end
  check.fails("a point does not know which side of an edge it is on", touch {})
  check.fails("a box is touched by spheres, not by ellipsoids", touch { [2] = B, semi_axes = { 0.1, 0.2 } })
  check.fails("axis does not go with box", touch { radius = 0.1, axis = "y" })
  check.fails("ball does not go with box", touch { radius = 0.1, ball = 1 })
  check.fails("is a point and has no axes for a surface", touch { radius = 0.1, [1] = Q })
  check.fails("box must have 2 components", touch { radius = 0.1, box = { 1, 1, 1 } })
  check.fails("m deep in the surface", touch { radius = 0.1, box = { 3, 3 } })
  m:contact { "shelf", m.ground, P, normal = elastic, box = { 1, e }, radius = 0.1 }
  e.value = -0.2
  check.fails("an edge of the box must not be negative, got -0.2", m.simulate, m, { t = 1 })
end
