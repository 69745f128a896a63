-- What rolls without slip on planes, and derivatives: closed forms of wheels and balls in every form.
local mbs = require "perilune"
local check = require "check"
local rolls = require "rolls"
local forms, for_all, has, precisely = rolls.forms, rolls.for_all, rolls.has, rolls.precisely
local pose, slip_of, no_warnings = rolls.pose, rolls.slip_of, rolls.no_warnings
local g = 9.81

-- A ball on a turntable, a body that a drive turns with the rate W, circles with 2 W / 7 (Neimark and Fufaev), and the
-- friction is what holds it on its circle.
do
  local W, r, mass = 1.4, 0.1, 2
  local J = 0.4 * mass * r^2
  local m = mbs.model { "turntable", gravity = { 0, 0, -g } }
  local plate = m:body { "plate", mass = 5, inertia = { 1, 1, 2 }, at = { 0, 0, 0 }, angular_velocity = { 0, 0, W } }
  local axle = m:revolute { "axle", m.ground, plate, at = { 0, 0, 0 }, axis = "z" }
  m:driver { "motor", axle.angle, law = function(s) return W * s.t end }
  local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { 0.5, 0, r }, velocity = { 0, 0.1, 0 },
           angular_velocity = { (W * 0.5 - 0.1) / r, 0, 0.7 } }
  m:rolling { "roll", plate, ball, radius = r }
  assert(m:check_elements().worst < 1e-9)
  local free = m:mobility {}
  check.equal(free.degrees_of_freedom, 3)
  check.equal(free.position_freedoms, 5)
  local rate = 2 * W / 7
  local radius = 0.1 / rate
  local centre = 0.5 - radius
  local count = for_all(m, { t = 1 }, function(run, what)
    local x, y = centre + radius * math.cos(rate), radius * math.sin(rate)
    local is_diagonal = what:find "sdirk4"  -- of the first order with index 3, as without the plate
    local tolerance = is_diagonal and what:find "index[ =]*3" and 3e-3 or 2e-6
    assert(math.abs(run:at("ball.x", 1) - x) < tolerance and math.abs(run:at("ball.y", 1) - y) < tolerance,
           what .. ": " .. run:at("ball.x", 1) .. ", " .. run:at("ball.y", 1) .. " for " .. x .. ", " .. y)
    assert(math.abs(run:at("roll.normal_force", 0.5) - mass * g) < 1e-4, what)
  end)
  check.equal(count >= 60, true)
  local run = precisely(m, { t = 3 })
  for _, t in ipairs { 0, 1.3, 3 } do
    local pull = mass * rate^2 * radius
    check.near(run:at("roll.friction_x", t), -pull * math.cos(rate * t), 1e-8)
    check.near(run:at("roll.friction_y", t), -pull * math.sin(rate * t), 1e-8)
    check.near(run:at("roll.x", t), run:at("ball.x", t), 1e-12)
    check.near(run:at("roll.z", t), 0, 1e-10)
  end
  no_warnings(run)
end

-- The same from small motions beside resting in the middle of a table that a drive turns, or that keeps its speed, and
-- beside circling with 2 W / 7.
do
  local W, r, mass = 1.4, 0.1, 2
  local J, rate = 0.4 * mass * r^2, 2 * W / 7
  for _, radius in ipairs { 0, 0.5 } do
    for _, law in ipairs { "law", "velocity" } do
      local m = mbs.model { "turntable", gravity = { 0, 0, -g } }
      local plate = m:body { "plate", mass = 5, inertia = { 1, 1, 2 }, at = { 0, 0, 0 },
                             angular_velocity = { 0, 0, W } }
      local axle = m:revolute { "axle", m.ground, plate, at = { 0, 0, 0 }, axis = "z" }
      m:driver { "motor", axle.angle, [law] = function(s) return law == "law" and W * s.t or W + 0 * s.t end }
      local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { radius, 0, r },
                            velocity = { 0, rate * radius, 0 }, angular_velocity = { (W - rate) * radius / r, 0, 0.7 } }
      m:rolling { "roll", plate, ball, radius = r }
      local found = m:linearize { steady = true }
      check.equal(found.degrees_of_freedom, 3)
      check.equal(found.position_freedoms, law == "law" and 5 or 6)
      has(found, 0, rate, 1e-10, law)
    end
  end
end

-- Upright wheels with a round edge: with the axial inertia C, the diametral A, the spin w and the crown c, the lean has
-- s^2 = (m g (r - c) A - C (C + m r^2) w^2) / (A (A + m r^2)); thin discs for c = 0 (Neimark and Fufaev).
local function upright(mass, r, c, C, A, w, gravity)
  local m = mbs.model { "disc", gravity = gravity or { 0, 0, -g } }
  local wheel = m:body { "wheel", mass = mass, inertia = { A, C, A }, at = { 0.2, -0.1, r }, velocity = { w * r, 0, 0 },
           angular_velocity = { 0, w, 0 } }
  m:rolling { "roll", m.ground, wheel, radius = r, axis = "y", crown = c }
  return m
end
do
  local mass, r = 1.3, 0.4
  for _, case in ipairs { { "thin disc", 0.5, 0, 1 / 3 }, { "hoop", 1, 0, 1 / 4 }, { "tire", 0.8, 0.15 },
                          { "barrel", 0.5, 0.9 } } do
    local what, share, c, limit = case[1], case[2], case[3], case[4]
    local C = share * mass * r^2
    local A = C / 2
    for _, w in ipairs { 0, 0.9, 1.8, 3, 12 } do
      local found = upright(mass, r, c, C, A, w):linearize { steady = w > 0 }
      check.equal(found.degrees_of_freedom, 3)
      check.equal(found.position_freedoms, 5)
      local square = (mass * g * (r - c) * A - C * (C + mass * r^2) * w^2) / (A * (A + mass * r^2))
      has(found, square > 0 and square^0.5 or 0, square > 0 and 0 or (-square)^0.5, 1e-9, what .. " at " .. w)
      if limit and w > 0 then check.equal(found.stable, w^2 > limit * g / r, what) end
    end
  end
end

-- A wheel that leans and wobbles: it keeps its energy, its edge touches the ground with the lowest point and does not
-- slip, which the pose alone says; the load is mass times acceleration.
do
  local mass, r, c, C, A = 1.3, 0.4, 0.07, 0.15, 0.09
  local lean = 0.5
  local m = mbs.model { "wobble", gravity = { 0, 0, -g } }
  local n = { 0, math.cos(lean), math.sin(lean) }  -- the axis
  local z = (r - c) * math.cos(lean) + c
  -- Spin about the axis only: the centre moves with omega x (from the contact to the centre), along x.
  local w = 5
  local arm = { 0, (r - c) * math.sin(lean), -z }
  local wheel = m:body { "wheel", mass = mass, inertia = { A, C, A }, at = { 0, 0, z },
           orientation = { math.cos(lean / 2), math.sin(lean / 2), 0, 0 }, angular_velocity = { 0, w, 0 },
           velocity = { -w * (n[2] * arm[3] - n[3] * arm[2]), 0, 0 } }
  m:rolling { "roll", m.ground, wheel, radius = r, axis = n, crown = c }
  local run = precisely(m, { t = 2 })
  no_warnings(run)
  for _, t in ipairs { 0, 0.3, 0.77, 1.5, 2 } do
    check.near(run:at("energy.total", t), run:at("energy.total", 0), 1e-8)
    local slip = slip_of(run, "wheel", "roll", t)
    for i = 1, 3 do check.near(slip[i], 0, 1e-8, "slip at " .. t) end
    local rotation, _, centre = pose(run, "wheel", t)
    local upright_part = (rotation[1][2]^2 + rotation[2][2]^2)^0.5
    check.near(centre[3], (r - c) * upright_part + c, 1e-9)
    check.near(run:at("roll.z", t), 0, 1e-9)
    -- Reactions, along the path and across it, and as components in space.
    local fx, fy = mass * run:at("wheel.ax", t), mass * run:at("wheel.ay", t)
    check.near(run:at("roll.friction_x", t), fx, 1e-8)
    check.near(run:at("roll.friction_y", t), fy, 1e-8)
    check.near(run:at("roll.normal_force", t), mass * (g + run:at("wheel.az", t)), 1e-8)
    -- The path is normal to the axis: u x z / |u x z|.
    local px, py = rotation[2][2] / upright_part, -rotation[1][2] / upright_part
    check.near(run:at("roll.longitudinal_force", t), fx * px + fy * py, 1e-8)
    check.near(run:at("roll.lateral_force", t), -fx * py + fy * px, 1e-8)
    check.near(run:at("roll.speed", t), run:at("wheel.vx", t) * px + run:at("wheel.vy", t) * py, 1e-8)
  end
end

-- A crown as large as the radius makes a ball of it, on planes, and in and on balls.
do
  local function rolls(options, z, as_wheel)
    local m = mbs.model { "ball or wheel", gravity = { 0.4, 0, -g } }
    local r, J = 0.1, 0.02
    local ball = m:body { "ball", mass = 2, inertia = { J, 1.2 * J, J }, at = { 0, 0, z }, velocity = { 0.3, 0.2, 0 },
             angular_velocity = { -0.2 / r, 0.3 / r, 0.8 } }
    options[1], options[2], options[3], options.radius = "roll", m.ground, ball, r
    if as_wheel then options.axis, options.crown = { 0.1, 1, 0.2 }, r end
    m:rolling(options)
    return precisely(m, { t = 0.5 })
  end
  for _, case in ipairs { { {}, 0.1 }, { { ball = 0.5 }, 0.6 } } do
    local ball, wheel = rolls(case[1], case[2]), rolls(case[1], case[2], true)
    case[1].axis, case[1].crown = nil, nil
    for _, signal in ipairs { "ball.x", "ball.y", "ball.z", "ball.omega_z", "roll.friction_y", "roll.normal_force" } do
      check.near(wheel:at(signal, 0.5), ball:at(signal, 0.5), 1e-8, signal)
    end
  end
end

-- Down an incline: a = g sin / (1 + C / (m r^2)), the friction C a / r^2, the load m g cos; in the plane and in space.
do
  local slope, mass, r, C = 0.3, 1.7, 0.25, 0.04
  local a = g * math.sin(slope) / (1 + C / (mass * r^2))
  local up = { math.sin(slope), math.cos(slope) }  -- down to the right
  local m = mbs.model { "incline", gravity = { 0, -g } }
  local disc = m:body { "disc", mass = mass, inertia = C, at = { 3 + r * up[1], r * up[2] - 3 * math.tan(slope) } }
  m:rolling { "roll", m.ground, disc, radius = r, normal = up }
  check.equal(m:mobility {}.degrees_of_freedom, 1)
  check.equal(m:mobility {}.velocity_constraints, 0)
  assert(m:check_elements().worst < 1e-9)
  local count = for_all(m, { t = 1 }, function(run, what)
    assert(math.abs(run:at("disc.x", 1) - (3 + r * up[1] + a / 2 * math.cos(slope))) < 1e-6, what)
    assert(math.abs(run:at("disc.angle", 1) + a / 2 / r) < 1e-5, what)  -- it turns clockwise
    assert(math.abs(run:at("roll.normal_force", 0.5) - mass * g * math.cos(slope)) < 1e-4, what)
    assert(math.abs(run:at("roll.longitudinal_force", 0.5) + C * a / r^2) < 1e-4, what)
    assert(math.abs(run:at("roll.speed", 0.5) - a / 2) < 1e-5, what)
  end)
  check.equal(count >= 60, true)
  local space = mbs.model { "incline", gravity = { 0, 0, -g } }
  local disc = space:body { "disc", mass = mass, inertia = { C / 2, C, C / 2 }, at = { r * up[1], 0, r * up[2] } }
  space:rolling { "roll", space.ground, disc, radius = r, normal = { up[1], 0, up[2] }, axis = "y" }
  local run = precisely(space, { t = 1 })
  check.near(run:at("disc.x", 1), r * up[1] + a / 2 * math.cos(slope), 1e-9)
  check.near(run:at("roll.longitudinal_force", 1), -C * a / r^2, 1e-9)
  check.near(run:at("roll.lateral_force", 1), 0, 1e-9)
  check.near(run:at("roll.speed", 1), a, 1e-9)
end

-- In the plane positions are what is kept: kinematics and equilibria know of it.
do
  local m = mbs.model { "kinematics", gravity = { 0, -g } }
  local wheel = m:body { "wheel", mass = 2, inertia = 0.1, at = { 0, 0.25 } }
  m:rolling { "roll", m.ground, wheel, radius = 0.25 }
  m:spring { "pull", m:ground { at = { -1, 0.25 } }, wheel, stiffness = 50, free_length = 1.3 }
  check.near(m:equilibrium {}:at "wheel.angle", -0.3 / 0.25, 1e-9)
  m:driver { "turn", wheel.angle, law = function(s) return -3 * s.t^2 end }
  local run = m:kinematics { t = 1 }
  check.near(run:at("wheel.x", 1), 0.25 * 3, 1e-9)
  check.near(run:at("wheel.ax", 1), 0.25 * 6, 1e-9)
end

-- On a plate that slides freely the momentum is conserved; on one that is pushed, a ball has J / (J + m r^2) of its
-- acceleration.
do
  local m = mbs.model { "plate", gravity = { 0, -g } }
  local plate = m:body { "plate", mass = 3, inertia = 1, at = { 0, 0 }, velocity = { 0.5, 0 } }
  m:translational { "rail", m.ground, plate, at = { 0, 0 }, axis = "x" }
  local r, mass, C = 0.2, 1.1, 0.03
  local wheel = m:body { "wheel", mass = mass, inertia = C, at = { 0.3, r }, velocity = { 2, 0 },
                         angular_velocity = -1.5 / r }
  m:rolling { "roll", plate, wheel, radius = r }
  m:spring { "pull", m.ground, wheel, stiffness = 40, free_length = 0 }
  m:torque { "motor", on = wheel, reaction_on = plate, torque = 0.7 }
  local run = precisely(m, { t = 1.5 })
  no_warnings(run)
  -- The spring alone acts on both along x: its impulse is what the momentum grows by.
  local impulse = m:objective { "impulse", integral = function(s) return -40 * wheel.x(s) end }
  local found = m:simulate { objectives = impulse, t = 1.5, formulation = mbs.maggi {}, integrator = rolls.precise }
  local function momentum(t) return 3 * found:at("plate.vx", t) + mass * found:at("wheel.vx", t) end
  check.near(momentum(1.5) - momentum(0), found.objectives.impulse, 1e-8)
  check.near(run:at("roll.x", 1.5), run:at("wheel.x", 1.5), 1e-12)
  check.near(run:at("wheel.vx", 1.5) + r * run:at("wheel.omega", 1.5), run:at("plate.vx", 1.5), 1e-9)

  local space = mbs.model { "pushed plate", gravity = { 0, 0, -g } }
  local plate = space:body { "plate", mass = 3, inertia = { 1, 1, 1 }, at = { 0, 0, 0 } }
  local rail = space:translational { "rail", space.ground, plate, at = { 0, 0, 0 }, axis = "x" }
  space:driver { "push", rail.displacement, law = function(s) return 0.5 * 3 * s.t^2 end }
  local ball = space:body { "ball", mass = 2, inertia = { 0.008, 0.008, 0.008 }, at = { 0, 0, 0.1 } }
  space:rolling { "roll", plate, ball, radius = 0.1 }
  local pushed = precisely(space, { t = 1 })
  check.near(pushed:at("ball.x", 1), 0.5 * 3 * 2 / 7, 1e-9)
  check.near(pushed:at("roll.friction_x", 1), 2 * 3 * 2 / 7, 1e-9)
end

-- Without spin about the normal a ball on a turntable turns with it, and takes the torque that this needs.
do
  local m = mbs.model { "no spin", gravity = { 0, 0, -g } }
  local plate = m:body { "plate", mass = 5, inertia = { 1, 1, 2 }, at = { 0, 0, 0 } }
  local axle = m:revolute { "axle", m.ground, plate, at = { 0, 0, 0 }, axis = "z" }
  m:driver { "motor", axle.angle, law = function(s) return 0.5 * 3 * s.t^2 end }
  local ball = m:body { "ball", mass = 2, inertia = { 0.008, 0.008, 0.008 }, at = { 0, 0, 0.1 } }
  m:rolling { "roll", plate, ball, radius = 0.1, spin = false }
  local run = precisely(m, { t = 1 })
  check.near(run:at("ball.omega_z", 1), 3, 1e-9)
  check.near(run:at("roll.spin_torque", 1), 0.008 * 3, 1e-10)
  check.equal(m:mobility {}.degrees_of_freedom, 2)
end

-- Two wheels on one axle say the same of sideways slip, wherever it heads; the second is redundant by name.
do
  local function cart(heading, wheels)
    local m = mbs.model { "cart", gravity = { 0, 0, -g } }
    local c, s = math.cos(heading), math.sin(heading)
    local r, half = 0.2, 0.4
    local turn = { math.cos(heading / 2), 0, 0, math.sin(heading / 2) }
    local speed, yaw = 1.5, 0.6
    local axle = m:body { "axle", mass = 2, inertia = { 0.1, 0.1, 0.2 }, at = { 0, 0, r }, orientation = turn,
                          velocity = { speed * c, speed * s, 0 }, angular_velocity = { 0, 0, yaw } }
    for i = 1, wheels do
      local side = 3 - 2 * i
      local forward = speed - side * half * yaw
      local name = i == 1 and "left" or "right"
      local wheel = m:body { name, mass = 0.5, inertia = { 0.005, 0.01, 0.005 }, orientation = turn,
                             at = { -side * half * s, side * half * c, r },
                             velocity = { forward * c, forward * s, 0 },
                             angular_velocity = { 0, forward / r, yaw } }
      m:revolute { name .. "_hub", axle, wheel, at = { -side * half * s, side * half * c, r }, axis = { -s, c, 0 } }
      m:rolling { name .. "_roll", m.ground, wheel, radius = r, axis = { -s, c, 0 } }
    end
    return m
  end
  for _, heading in ipairs { 0, 0.4, math.pi / 2, 2 } do
    local found = cart(heading, 2):mobility {}
    check.equal(found.redundant[1].joint, "right_roll")
    check.equal(#found.redundant, 1)
    check.equal(found.degrees_of_freedom, 3)  -- along, about the vertical, and pitch of the axle itself
    local run = precisely(cart(heading, 2), { t = 1 })
    check.near(run:at("energy.total", 1), run:at("energy.total", 0), 1e-8)
    -- It runs on a circle.
    local back = precisely(cart(heading, 2), { t = 2 * math.pi / 0.6 })
    check.near(back:at("axle.x", 2 * math.pi / 0.6), 0, 1e-6)
    check.near(back:at("axle.y", 2 * math.pi / 0.6), 0, 1e-6)
  end
end

-- Gradients by every number of it: direct, adjoint, and extrapolated differences.
do
  local function wheel()
    local m = mbs.model { "gradients", gravity = { 0.3, 0, -g } }
    local r = m:param { "r", 0.4, unit = "m" }
    local c = m:param { "c", 0.1, unit = "m" }
    local tilt = m:param { "tilt", 0.05 }
    local mass = m:param { "mass", 1.3, unit = "kg" }
    local w = m:param { "w", 4, unit = "rad/s" }
    local body = m:body { "wheel", mass = mass, inertia = { 0.09, 0.15, 0.09 }, at = { 0, 0, r },
                          velocity = { w * r, -0.2 * r, 0 }, angular_velocity = { 0.2, w, 0 } }
    local roll = m:rolling { "roll", m.ground, body, radius = r, crown = c, axis = { tilt, 1, 0 } }
    local far = m:objective { "far", terminal = function(s) return body.x(s) + 2 * body.y(s) end,
                              integral = function(s) return 0.01 * roll.lateral_force(s)^2 end }
    return m, far, { r, c, tilt, mass, w }
  end
  local function planet()
    local m = mbs.model { "planar", gravity = { 0, -g } }
    local R = m:param { "R", 0.8, unit = "m" }
    local r = m:param { "r", 0.15, unit = "m" }
    local body = m:body { "wheel", mass = 1, inertia = 0.02, at = { 0.8 * (R - r), -0.6 * (R - r) } }
    local roll = m:rolling { "roll", m.ground, body, radius = r, ball = R, inside = true }
    local far = m:objective { "far", terminal = function(s) return body.x(s) + 2 * body.angle(s) end,
                              integral = function(s) return 0.01 * roll.normal_force(s)^2 end }
    return m, far, { R, r }
  end
  for _, make in ipairs { wheel, planet } do
    local m, far, over = make()
    for _, form in ipairs(forms()) do
      local options = { far, over = over, t = 0.5, formulation = form, integrator = mbs.radau { step = 0.05 } }
      local function gradient(method)
        options.method = method
        return m:gradient(options)
      end
      local direct, adjoint = gradient(mbs.direct {}), gradient(mbs.adjoint {})
      local differences = gradient(mbs.finite_difference { richardson = 2 })
      for i = 1, #over do
        local a, b, d = direct.gradient[i], adjoint.gradient[i], differences.gradient[i]
        local size = math.abs(d) + 1e-3
        assert(math.abs(a - b) < 1e-10 * size, tostring(form) .. ": " .. i .. " " .. a .. " " .. b)
        assert(math.abs(a - d) < 2e-6 * size, tostring(form) .. ": " .. i .. " " .. a .. " " .. d)
      end
    end
  end
end
