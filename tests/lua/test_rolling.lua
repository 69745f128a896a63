-- What rolls without slip: closed forms of wheels and balls on planes, balls and cylinders, in every form; gradients.
local mbs = require "perilune"
local check = require "check"
local g = 9.81

local function forms()
  return { mbs.index1 {}, mbs.index1 { alpha = 5, beta = 5 }, mbs.index1 { project = true }, mbs.index2 {},
           mbs.index3 {}, mbs.stabilized_index1 {}, mbs.penalty {}, mbs.augmented_lagrangian {},
           mbs.augmented_lagrangian { index = 3 }, mbs.maggi {}, mbs.coordinate_partitioning {} }
end

--- Calls judge(run, what) for every form with every integrator that goes with it; returns how many did.
local function for_all(m, options, judge)
  local count = 0
  local tight = { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 }
  local integrators = { mbs.rk4 { step = 0.01 }, mbs.trapezoidal { step = 0.002 }, mbs.sdirk4 { step = 0.005 },
                        mbs.radau { step = 0.02 }, mbs.generalized_alpha { step = 0.001 }, mbs.bdf { step = 0.002 },
                        mbs.rosenbrock { step = 0.01 }, mbs.dormand_prince(tight), mbs.radau(tight) }
  for _, form in ipairs(forms()) do
    for _, integrator in ipairs(integrators) do
      options.formulation, options.integrator = form, integrator
      local done, run = pcall(m.simulate, m, options)
      if done then
        count = count + 1
        judge(run, tostring(form) .. ", " .. tostring(integrator))
      else
        assert(tostring(run):find "needs", run)  -- forms and integrators that do not go together
      end
    end
  end
  return count
end

local function has(found, real, imaginary, tolerance, what)
  local distance = math.huge
  for _, value in ipairs(found.eigenvalues) do
    local far = math.max(math.abs(value.real - real), math.abs(math.abs(value.imaginary) - imaginary))
    distance = math.min(distance, far)
  end
  assert(distance < tolerance, ("%s: %.12g +- %.12g i is no eigenvalue, the nearest is %.2g away\n%s"):format(
    what, real, imaginary, distance, tostring(found)))
end

local function no_warnings(run, what)
  check.equal(#run.warnings, 0, (what or "") .. table.concat(run.warnings, "\n"))
end

local precise = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
local function precisely(m, options)
  options.integrator, options.formulation = options.integrator or precise, options.formulation or mbs.maggi {}
  return m:simulate(options)
end

--- The matrix of rotation of a body at a time, and the angular velocity in space.
local function pose(run, name, t)
  local function at(what) return run:at(name .. "." .. what, t) end
  local e0, e1, e2, e3 = at "e0", at "e1", at "e2", at "e3"
  local A = { { e0^2 + e1^2 - e2^2 - e3^2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2) },
              { 2 * (e1 * e2 + e0 * e3), e0^2 - e1^2 + e2^2 - e3^2, 2 * (e2 * e3 - e0 * e1) },
              { 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0^2 - e1^2 - e2^2 + e3^2 } }
  local w, turn = { at "omega_x", at "omega_y", at "omega_z" }, {}
  for i = 1, 3 do turn[i] = A[i][1] * w[1] + A[i][2] * w[2] + A[i][3] * w[3] end
  return A, turn, { at "x", at "y", at "z" }, { at "vx", at "vy", at "vz" }
end

--- The velocity of the point of a body that touches, from its pose and the place of contact.
local function slip_of(run, body, contact, t)
  local _, w, r, v = pose(run, body, t)
  local s = {}
  for i, axis in ipairs { "x", "y", "z" } do s[i] = run:at(contact .. "." .. axis, t) - r[i] end
  return { v[1] + w[2] * s[3] - w[3] * s[2], v[2] + w[3] * s[1] - w[1] * s[3], v[3] + w[1] * s[2] - w[2] * s[1] }
end

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
  local found = m:simulate { objectives = impulse, t = 1.5, formulation = mbs.maggi {}, integrator = precise }
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

-- In a bowl of the radius R a ball swings with 5 g / (7 (R - r)), a planar wheel in a hollow cylinder with
-- g / ((R - r) (1 + C / (m r^2))); and in a valley of a terrain with the same curvature.
do
  local R, r, mass = 0.8, 0.1, 2
  local J = 0.4 * mass * r^2
  local expected = (5 * g / (7 * (R - r)))^0.5
  local function bowl(options)
    local m = mbs.model { "bowl", gravity = { 0, 0, -g } }
    local base = m:ground { at = { 0.3, 0, 1 } }
    local lowest = options.height and 1 or 1 - R
    local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { 0.3, 0, lowest + r } }
    options[1], options[2], options[3], options.radius = "roll", base, ball, r
    m:rolling(options)
    return m
  end
  local found = bowl { ball = R, inside = true }:linearize {}
  check.equal(found.degrees_of_freedom, 3)
  has(found, 0, expected, 1e-9, "bowl")
  has(bowl { height = function(s) return (s.x^2 + s.y^2) / (2 * R) end }:linearize {}, 0, expected, 1e-8, "paraboloid")
  has(bowl { ball = R, inside = true, spin = false }:linearize {}, 0, expected, 1e-9, "bowl without spin")

  for _, on in ipairs { { ball = R, inside = true }, { height = function(s) return s.x^2 / (2 * R) end } } do
    local C = 0.6 * mass * r^2
    local m = mbs.model { "hollow", gravity = { 0, -g } }
    local wheel = m:body { "wheel", mass = mass, inertia = C, at = { 0, on.ball and r - R or r } }
    on[1], on[2], on[3], on.radius = "roll", m.ground, wheel, r
    m:rolling(on)
    has(m:linearize {}, 0, (g / ((R - r) * 1.6))^0.5, 1e-8, "hollow cylinder")
    if on.ball then check.near(m:equilibrium {}:at "roll.normal_force", mass * g, 1e-9) end
  end
end

-- On a terrain that is an incline, as down the incline above; over hills the energy is kept, and nothing slips.
do
  local slope, mass, r = 0.3, 1.7, 0.25
  local J = 0.4 * mass * r^2
  local m = mbs.model { "terrain", gravity = { 0, 0, -g } }
  local n = { math.sin(slope), math.cos(slope) }
  local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { r * n[1], 0, r * n[2] } }
  m:rolling { "roll", m.ground, ball, radius = r, height = function(s) return -math.tan(slope) * s.x end }
  local run = precisely(m, { t = 1 })
  check.near(run:at("ball.x", 1), r * n[1] + 5 / 7 * g * math.sin(slope) / 2 * math.cos(slope), 1e-8)
  check.near(run:at("roll.friction_x", 1), -2 / 7 * mass * g * math.sin(slope) * math.cos(slope), 1e-8)
  check.near(run:at("roll.normal_force", 1), mass * g * math.cos(slope), 1e-8)

  local hills = mbs.model { "hills", gravity = { 0, 0, -g } }
  local ball = hills:body { "ball", mass = mass, inertia = { J, J, J }, at = { 0, 0, r + 0.05 },
                            velocity = { 1, 0.4, 0 }, angular_velocity = { -0.4 / r, 1 / r, 0.3 } }
  hills:rolling { "roll", hills.ground, ball, radius = r,
                  height = function(s) return 0.05 * math.cos(2 * s.x) * math.cos(s.y) end }
  local over = precisely(hills, { t = 2 })
  for _, t in ipairs { 0.5, 1.3, 2 } do
    check.near(over:at("energy.total", t), over:at("energy.total", 0), 1e-7)
    local slip = slip_of(over, "ball", "roll", t)
    for i = 1, 3 do check.near(slip[i], 0, 1e-6, "slip on the hills") end
    local x, y = over:at("roll.x", t), over:at("roll.y", t)
    check.near(over:at("roll.z", t), 0.05 * math.cos(2 * x) * math.cos(y), 1e-6)
  end
end

-- A ball in an upright hollow cylinder does not fall: its height swings with sqrt(2 / 7) of the rate W about the axis,
-- about z0 - (r W n + 5 g / 2) / W^2 with the spin n about the normal at first (Neimark and Fufaev).
do
  local R, r, mass, W, n = 0.9, 0.1, 2, 6, 3
  local J, a = 0.4 * mass * r^2, R - r
  local m = mbs.model { "upright", gravity = { 0, 0, -g } }
  local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { a, 0, 0.4 }, velocity = { 0, a * W, 0 },
           angular_velocity = { n, 0, -a * W / r } }
  m:rolling { "roll", m.ground, ball, radius = r, cylinder = R, inside = true }
  assert(m:check_elements().worst < 1e-9)
  local middle, k = -(r * W * n + 2.5 * g) / W^2, (2 / 7)^0.5 * W
  local run = precisely(m, { t = 4 })
  no_warnings(run)
  for _, t in ipairs { 0.5, 1.9, 4 } do
    check.near(run:at("ball.z", t), 0.4 + middle * (1 - math.cos(k * t)), 1e-8)
    check.near(run:at("ball.x", t), a * math.cos(W * t), 1e-8)
    check.near(run:at("roll.normal_force", t), mass * a * W^2, 1e-7)
    check.near(run:at("roll.friction_z", t), mass * (g + middle * k^2 * math.cos(k * t)), 1e-7)
    check.near(run:at("roll.x", t), R * math.cos(W * t), 1e-8)
  end
end

-- A thin disc in a hollow ball: every point of its edge stays inside, and one touches, which does not slip.
do
  local R, mass, r, C = 1, 1.2, 0.3, 0.05
  local m = mbs.model { "disc in a bowl", gravity = { 0, 0, -g } }
  local lean = 0.4
  -- The centre is at r from the lowest point of its circle, whose distance from the middle is R.
  local along, off = r, 0.1  -- in the plane of the disc, and along its axis
  local reach = (R^2 - off^2)^0.5 - along
  local n, down = { 0, math.cos(lean), math.sin(lean) }, { 0, math.sin(lean), -math.cos(lean) }
  local at = {}
  for i = 1, 3 do at[i] = off * n[i] + reach * down[i] end
  local disc = m:body { "disc", mass = mass, inertia = { C / 2, C, C / 2 }, at = at,
           orientation = { math.cos(lean / 2), math.sin(lean / 2), 0, 0 }, velocity = { 7 * r, 0, 0 },
           angular_velocity = { 0, 7, 0 } }
  m:rolling { "roll", m.ground, disc, radius = r, axis = n, ball = R, inside = true }
  local run = precisely(m, { t = 1 })
  for _, t in ipairs { 0, 0.4, 1 } do
    check.near(run:at("energy.total", t), run:at("energy.total", 0), 1e-8)
    local slip = slip_of(run, "disc", "roll", t)
    for i = 1, 3 do check.near(slip[i], 0, 1e-8) end
    local A, _, centre = pose(run, "disc", t)
    local most = 0
    for k = 1, 3600 do
      local c, s, square = r * math.cos(k * math.pi / 1800), r * math.sin(k * math.pi / 1800), 0
      for i = 1, 3 do square = square + (centre[i] + c * A[i][1] + s * A[i][3])^2 end
      most = math.max(most, square^0.5)
    end
    check.near(most, R, 1e-6)
  end
end

-- Gears without teeth: once around a circle of the radius R, a wheel outside has turned by 1 + R / r, inside by
-- 1 - R / r; both count full turns. If the circle turns, too, so does this.
do
  for _, inside in ipairs { false, true } do
    local R, r = 0.6, 0.2
    local side = inside and -1 or 1
    local length = R + side * r
    local m = mbs.model { "planet", gravity = { 0, 0 } }
    local sun = m:body { "sun", mass = 1, inertia = 1, at = { 0, 0 }, angular_velocity = 0.7 }
    m:revolute { "axle", m.ground, sun, at = { 0, 0 } }
    local arm = m:body { "arm", mass = 1, inertia = 0.1, at = { 0, 0 }, angular_velocity = 2 }
    m:revolute { "carrier", m.ground, arm, at = { 0, 0 } }
    local rate = (length * 2 - R * 0.7) / (side * r)
    local planet = m:body { "planet", mass = 1, inertia = 0.05, at = { length, 0 }, velocity = { 0, 2 * length },
                            angular_velocity = rate }
    m:rolling { "roll", sun, planet, radius = r, ball = R, inside = inside }
    m:revolute { "pin", arm, planet, at = { length, 0 } }
    local found = m:mobility {}
    check.equal(found.degrees_of_freedom, 2)  -- the distance is kept twice: by the arm and by rolling
    local run = precisely(m, { t = 7 })
    check.near(run:at("planet.angle", 7), 7 * rate, 1e-8)
    check.near(run:at("arm.angle", 7), 14, 1e-8)
    assert(#run.warnings == 1 and run.warnings[1]:find "redundant", table.concat(run.warnings, "\n"))
  end
end

-- Off the top of a ball: it lifts off where cos = 10 / 17 of that of the start (a disc: 4 / 7), and a motion that goes
-- on beyond that says so.
do
  local R, r, start = 0.5, 0.1, 0.1
  local function top(dimension)
    local m = mbs.model { "top", gravity = dimension == 2 and { 0, -g } or { 0, 0, -g } }
    local x, z = (R + r) * math.sin(start), (R + r) * math.cos(start)
    local J = (dimension == 2 and 0.5 or 0.4) * 2 * r^2
    local ball = m:body { "ball", mass = 2, inertia = dimension == 2 and J or { J, J, J },
                          at = dimension == 2 and { x, z } or { x, 0, z } }
    local roll = m:rolling { "roll", m.ground, ball, radius = r, ball = R }
    return m, dimension == 2 and "ball.y" or "ball.z", roll
  end
  for dimension, share in pairs { [2] = 4 / 7, [3] = 10 / 17 } do
    local m, height, roll = top(dimension)
    local run = m:simulate { t = 3, stop = -roll.normal_force, integrator = precise }
    no_warnings(run)
    check.near(run:at(height, run.t) / (R + r), share * math.cos(start), 1e-8)
    local ends = run.t
    local on = m:simulate { t = ends + 0.1, stop = false }
    local text = table.concat(on.warnings, "\n")
    local since = tonumber(text:match 'at t = ([%d.]+) s: contact is lost in "roll"')
    assert(since and since >= ends and since < ends + 0.05, text)
    -- Phases go on without it, in free fall.
    local after = m:simulate { t = 1.2 * ends, phases = { m:phase { "rolls", stop = -roll.normal_force },
                                                          m:phase { "flies", without = { roll } } } }
    no_warnings(after)
  end
end

-- A hoop that falls over turns about the point that touches: with the height r s of its centre and A = m r^2 / 2 for
-- its diameter, the load is m g (1 - 2/3 (1 - s^2) - 4/3 (s0 - s) s). It lies flat at last, which is no motion that the
-- constraints follow: all forms that come that far say so.
do
  local r, mass, lean = 0.3, 2, 0.3
  local A, s0 = mass * r^2 / 2, math.cos(lean)
  local m = mbs.model { "falls", gravity = { 0, 0, -g } }
  local hoop = m:body { "hoop", mass = mass, inertia = { A, 2 * A, A }, at = { 0, 0, r * s0 },
                        orientation = { math.cos(lean / 2), math.sin(lean / 2), 0, 0 } }
  m:rolling { "roll", m.ground, hoop, radius = r, axis = { 0, math.cos(lean), math.sin(lean) } }
  local run = precisely(m, { t = 0.5 })
  no_warnings(run)
  local s = run:at("hoop.z", 0.5) / r
  assert(s < 0.3 and s > 0.05)
  check.near(run:at("roll.normal_force", 0.5), mass * g * (1 - 2 / 3 * (1 - s^2) - 4 / 3 * (s0 - s) * s), 1e-8)
  for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.rk4 { step = 0.01 } } do
    local on = m:simulate { t = 0.6, formulation = mbs.maggi {}, integrator = integrator }
    local text = table.concat(on.warnings, "\n")
    local since = tonumber(text:match 'at t = ([%d.]+) s: the wheel of "roll" lies nearly flat')
    assert(since > 0.5 and since <= 0.51, tostring(since))
  end
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

-- On a body that floats, every kind: energy, momentum and moment of momentum are conserved, which has the reactions on
-- both; the points that touch have one velocity, from the poses alone. Derivatives by every number are right.
do
  local kinds = {
    { {}, { 0.2, 0.1, 0.3 } }, { { spin = false }, { 0.2, 0.1, 0.3 } },
    { { axis = { 0.1, 1, 0.2 } }, { 0.2, 0.1, 0.3 } }, { { axis = { 0.1, 1, 0.2 }, crown = 0.1 }, { 0.2, 0.1, 0.3 } },
    { { ball = 1 }, { 1.3, 0, 0 } }, { { ball = 1, inside = true }, { 0.7, 0, 0 } },
    { { ball = 1, axis = { 1, 1, 0 }, crown = 0.1 }, { 0, 0, 1.3 } },
    { { ball = 1, axis = { 1, 1, 0 }, inside = true }, { 0, 0, 0.7 } },
    { { cylinder = 1 }, { 1.3, 0, 0.2 } }, { { cylinder = 1, inside = true }, { 0.7, 0, 0.2 } },
    { { height = function(s) return 0.05 * math.sin(s.x) * s.y end }, { 0, 0, 0.3 } },
  }
  for number, kind in ipairs(kinds) do
    local options, at = kind[1], kind[2]
    local what = "kind " .. number
    local m = mbs.model { "float", gravity = { 0, 0, 0 } }
    local base = m:body { "base", mass = 3, inertia = { 1, 2, 1.5 }, at = { 0, 0, 0 } }
    local b = m:body { "b", mass = 1.2, inertia = { 0.03, 0.04, 0.035 }, at = at, angular_velocity = { 2, 1, -1.5 } }
    for _, field in ipairs { "crown", "ball", "cylinder" } do
      if options[field] then options[field] = m:param { field, options[field], unit = "m" } end
    end
    options[1], options[2], options[3], options.radius = "roll", base, b, m:param { "radius", 0.3, unit = "m" }
    m:rolling(options)
    assert(m:check_elements().worst < 1e-12, what)
    check.equal(m:mobility {}.degrees_of_freedom, options.spin == false and 8 or 9)
    local run = precisely(m, { t = 0.5 })
    local function totals(t)
      local momentum, moment = { 0, 0, 0 }, { 0, 0, 0 }
      for name, body in pairs { base = { 3, 1, 2, 1.5 }, b = { 1.2, 0.03, 0.04, 0.035 } } do
        local A, _, r, v = pose(run, name, t)
        for i = 1, 3 do
          local j, k = i % 3 + 1, (i + 1) % 3 + 1
          momentum[i] = momentum[i] + body[1] * v[i]
          moment[i] = moment[i] + body[1] * (r[j] * v[k] - r[k] * v[j])
          for n, axis in ipairs { "x", "y", "z" } do
            moment[i] = moment[i] + A[i][n] * body[1 + n] * run:at(name .. ".omega_" .. axis, t)
          end
        end
      end
      return momentum, moment
    end
    local p0, l0 = totals(0)
    local p, l = totals(0.5)
    local of_b, of_base = slip_of(run, "b", "roll", 0.5), slip_of(run, "base", "roll", 0.5)
    for i = 1, 3 do
      check.near(p[i], p0[i], 1e-8, what .. ": momentum")
      check.near(l[i], l0[i], 1e-8, what .. ": moment of momentum")
      check.near(of_b[i], of_base[i], 1e-6, what .. ": slip")
    end
    check.near(run:at("energy.total", 0.5), run:at("energy.total", 0), 1e-8, what)
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
