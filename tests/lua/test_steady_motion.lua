-- Small motions with constraints on velocities, at rest and beside steady motions: closed forms, and the benchmark of
-- the bicycle (Meijaard, Papadopoulos, Ruina and Schwab, 2007).
local mbs = require "perilune"
local check = require "check"

--- Thin wheels with the axis y of their body touch the plane z = 0 with their lowest point, which does not slip: by hand,
--- beside m:rolling.
local function roll(m, name, wheel, radius)
  local function parts(s)
    local e0, e1, e2, e3 = wheel.e0(s), wheel.e1(s), wheel.e2(s), wheel.e3(s)
    -- The columns of the matrix of rotation, its axis the second one.
    local A = { { e0^2 + e1^2 - e2^2 - e3^2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2) },
                { 2 * (e1 * e2 + e0 * e3), e0^2 - e1^2 + e2^2 - e3^2, 2 * (e2 * e3 - e0 * e1) },
                { 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0^2 - e1^2 - e2^2 + e3^2 } }
    local n = { A[1][2], A[2][2], A[3][2] }
    local upright = (n[1]^2 + n[2]^2)^0.5
    local down = { radius * n[1] * n[3] / upright, radius * n[2] * n[3] / upright, -radius * upright }
    local w = { wheel.omega_x(s), wheel.omega_y(s), wheel.omega_z(s) }
    local turn = {}
    for i = 1, 3 do turn[i] = A[i][1] * w[1] + A[i][2] * w[2] + A[i][3] * w[3] end
    return down, turn
  end
  m:constraint { name .. "_touch", law = function(s)
    local down = parts(s)
    return wheel.z(s) + down[3]
  end }
  m:constraint { name .. "_x", velocity = function(s)
    local down, turn = parts(s)
    return wheel.vx(s) + turn[2] * down[3] - turn[3] * down[2]
  end }
  m:constraint { name .. "_y", velocity = function(s)
    local down, turn = parts(s)
    return wheel.vy(s) + turn[3] * down[1] - turn[1] * down[3]
  end }
end

--- Whether an eigenvalue is there, to a tolerance.
local function has(found, real, imaginary, tolerance, what)
  local nearest, distance = nil, math.huge
  for _, value in ipairs(found.eigenvalues) do
    local far = math.max(math.abs(value.real - real), math.abs(math.abs(value.imaginary) - imaginary))
    if far < distance then nearest, distance = value, far end
  end
  assert(distance < tolerance, ("%s: %.12g +- %.12g i is no eigenvalue, the nearest is %.2g away\n%s"):format(
    what, real, imaginary, distance, tostring(found)))
  return nearest
end

--- Where f is zero between a and b, by secants.
local function root(f, a, b)
  local fa, fb = f(a), f(b)
  assert(fa * fb < 0)
  for _ = 1, 20 do
    local c = b - fb * (b - a) / (fb - fa)
    if math.abs(c - b) < 1e-5 then return c end  -- what is left is of the order of the product of two steps
    a, fa, b, fb = b, fb, c, f(c)
  end
  error "no root was found"
end

-- An upright rolling disc: with the axial inertia C, the diametral A and the spin w, the lean has the eigenvalues
-- s^2 = (m g r A - C (C + m r^2) w^2) / (A (A + m r^2)) (Neimark and Fufaev); the others are zero.
local function disc(mass, r, C, A, w)
  local m = mbs.model { "disc", gravity = { 0, 0, -9.81 } }
  local wheel = m:body { "wheel", mass = mass, inertia = { A, C, A }, at = { 0.2, -0.1, r },
                         velocity = { w * r, 0, 0 }, angular_velocity = { 0, w, 0 } }
  roll(m, "ground", wheel, r)
  return m
end
do
  for _, case in ipairs { { "thin disc", 0.5, 1 / 3 }, { "hoop", 1, 1 / 4 } } do
    local what, share, limit = case[1], case[2], case[3]
    local mass, r = 1.3, 0.4
    local C = share * mass * r^2
    local A = C / 2
    local critical = (limit * 9.81 / r)^0.5
    for _, w in ipairs { 0.3 * critical, 0.9 * critical, 1.1 * critical, 4 * critical } do
      local found = disc(mass, r, C, A, w):linearize { steady = true }
      check.equal(found.degrees_of_freedom, 3)
      check.equal(found.position_freedoms, 5)
      local square = (mass * 9.81 * r * A - C * (C + mass * r^2) * w^2) / (A * (A + mass * r^2))
      if square > 0 then
        has(found, square^0.5, 0, 1e-9, what)
      else
        has(found, 0, (-square)^0.5, 1e-9, what)
      end
      check.equal(found.stable, w > critical, what)
    end
    -- At rest it falls, whether that is called steady or not.
    local square = mass * 9.81 * r / (A + mass * r^2)
    for _, steady in ipairs { false, true } do
      has(disc(mass, r, C, A, 0):linearize { steady = steady }, square^0.5, 0, 1e-9, what)
    end
  end
end

-- Constraints on velocities and a state that moves: only where it is steady.
do
  check.fails("steady = true", function() disc(1, 0.3, 0.045, 0.0225, 10):linearize {} end)
end

-- The bicycle: four bodies, two wheels that roll, hands off. The benchmark's axes have z down; here y and z are turned
-- over, and the contact of the rear wheel is the origin.
local function bicycle(v)
  local m = mbs.model { "bicycle", gravity = { 0, 0, -9.81 } }
  local function body(name, x, z, mass, xx, yy, zz, xz, spin)
    return m:body { name, at = { x, 0, z }, mass = mass, inertia = { xx, yy, zz, 0, -xz, 0 }, velocity = { v, 0, 0 },
                    angular_velocity = { 0, spin, 0 } }
  end
  local rear = body("rear", 0, 0.3, 2, 0.0603, 0.12, 0.0603, 0, v / 0.3)
  local frame = body("frame", 0.3, 0.9, 85, 9.2, 11, 2.8, 2.4, 0)
  local fork = body("fork", 0.9, 0.7, 4, 0.05892, 0.06, 0.00708, -0.00756, 0)
  local front = body("front", 1.02, 0.35, 3, 0.1405, 0.28, 0.1405, 0, v / 0.35)
  m:revolute { "rear_hub", frame, rear, at = { 0, 0, 0.3 }, axis = "y" }
  m:revolute { "front_hub", fork, front, at = { 1.02, 0, 0.35 }, axis = "y" }
  -- The steer axis leans back by pi / 10 and meets the ground 0.08 m in front of the front contact.
  local tilt = math.pi / 10
  m:revolute { "steer", frame, fork, at = { 1.1 - 0.7 * math.tan(tilt), 0, 0.7 },
               axis = { -math.sin(tilt), 0, math.cos(tilt) } }
  m:rolling { "rear_tire", m.ground, rear, radius = 0.3, axis = "y" }
  m:rolling { "front_tire", m.ground, front, radius = 0.35, axis = "y" }
  return m
end

do
  local table_of_values = {
    [0] = { { 3.131643247906558, 0 }, { -3.131643247906558, 0 }, { 5.530943717653935, 0 }, { -5.530943717653935, 0 } },
    [2] = { { 2.682345175127456, 1.680662965906760 }, { -3.071586456415142, 0 }, { -8.673879848317371, 0 } },
    [4] = { { 0.413253315211240, 3.079108186032053 }, { -1.429444273613260, 0 }, { -12.158614265764431, 0 } },
    [5] = { { -0.775341882195844, 4.464867713788225 }, { -0.322866429004087, 0 }, { -14.078389692798238, 0 } },
    [6] = { { -1.526444865841423, 5.876730605987088 }, { -0.004066900769704, 0 }, { -16.08537123098027, 0 } },
    [8] = { { -2.693486835810957, 8.460379713969331 }, { 0.143278797657129, 0 }, { -20.27940894394563, 0 } },
  }
  local function eigenvalues(v) return bicycle(v):linearize { steady = v > 0 } end
  for v, values in pairs(table_of_values) do
    local found = eigenvalues(v)
    check.equal(found.degrees_of_freedom, 3)
    for _, value in ipairs(values) do has(found, value[1], value[2], 1e-9, "bicycle at " .. v .. " m/s") end
    check.equal(found.stable, v == 5 or v == 6, tostring(v))
  end
  -- The real part of the swinging mode, weave, and the real eigenvalue next to zero, capsize.
  local function weave(v)
    for _, mode in ipairs(eigenvalues(v).modes) do
      if mode.imaginary > 1 then return mode.real end
    end
  end
  local function capsize(v)
    local nearest
    for _, mode in ipairs(eigenvalues(v).modes) do
      if mode.imaginary == 0 and mode.real ~= 0 and math.abs(mode.real) < 1 then nearest = mode.real end
    end
    return nearest
  end
  check.near(root(weave, 4, 5), 4.292382536341099, 1e-9)
  check.near(root(capsize, 5.9, 6.1), 6.024262015388369, 1e-9)
end

-- A heavy top that precesses with the rate W, its axis inclined by theta: with A about the pivot, it nutates with
-- s^2 = -(W^2 - 2 m g l cos(theta) / A + (m g l / (A W))^2) (Whittaker). Its coordinates never stand still.
local function top(theta, W, share)
  local mass, l, C, J = 0.7, 0.2, 0.004, 0.003
  local A, load = J + mass * l^2, mass * 9.81 * l
  local axial = share * (load + A * W^2 * math.cos(theta)) / (C * W)
  local m = mbs.model { "top", gravity = { 0, 0, -9.81 } }
  local body = m:body { "body", mass = mass, inertia = { J, J, C },
                        at = { l * math.sin(theta), 0, l * math.cos(theta) },
                        orientation = { math.cos(theta / 2), 0, math.sin(theta / 2), 0 },
                        velocity = { 0, W * l * math.sin(theta), 0 },
                        angular_velocity = { -W * math.sin(theta), 0, axial } }
  m:spherical { "pivot", m.ground, body, at = { 0, 0, 0 } }
  return m, (W^2 - 2 * load / A * math.cos(theta) + (load / (A * W))^2)^0.5
end
do
  for _, case in ipairs { { 0.5, 3 }, { 1.2, -5 }, { math.pi / 2, 2 }, { 2.5, 4 } } do
    local m, nutation = top(case[1], case[2], 1)
    local found = m:linearize { steady = true }
    check.equal(found.degrees_of_freedom, 3)
    check.equal(found.stable, true)
    has(found, 0, nutation, 1e-9 * nutation, "top")
    check.equal(#found.eigenvalues, 6)
    for _, mode in ipairs(found.modes) do assert(math.abs(mode.imaginary - nutation) < 1e-6 or mode.imaginary == 0) end
  end
  -- A little more spin, and it does not only precess.
  check.fails("is of no steady motion: the acceleration of body", function()
    top(0.5, 3, 1.01):linearize { steady = true }
  end)
end

-- A sleigh that runs straight ahead with the speed V, the edge behind: the turn rate decays with a V / (J / m + a^2),
-- as the closed form of test_nonholonomic.lua does at the end. Backwards it grows.
do
  local mass, J, a = 2, 0.3, 0.4
  for _, V in ipairs { 1.5, -0.8 } do
    local m = mbs.model { "sleigh", gravity = { 0, 0 } }
    local sled = m:body { "sled", mass = mass, inertia = J, at = { 3, 1 }, angle = 0.3,
                          velocity = { V * math.cos(0.3), V * math.sin(0.3) } }
    m:constraint { "edge", velocity = function(s)
      return math.cos(sled.angle(s)) * sled.vy(s) - math.sin(sled.angle(s)) * sled.vx(s) - a * sled.omega(s)
    end }
    local found = m:linearize { steady = true }
    check.equal(#found.eigenvalues, 5)
    has(found, -a * V / (J / mass + a^2), 0, 1e-10, "sleigh")
    check.equal(found.stable, V > 0)
    assert(tostring(found):find("beside its steady motion at t = 0 s: 2 degrees of freedom (3 of positions)", 1, true))
  end
end

-- A ball on a turntable, at rest in its middle, where the constraint depends on the position: it circles with 2/7 of
-- the table's rate W. Who circles with it sees what else it does, to stand still, turn back with that rate.
do
  local W, r, mass = 1.4, 0.1, 2
  local J = 0.4 * mass * r^2
  local function ball_on_table(radius)
    local rate = 2 * W / 7
    local m = mbs.model { "turntable", gravity = { 0, 0, -9.81 } }
    local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { radius, 0, r },
                          velocity = { 0, rate * radius, 0 },
                          angular_velocity = { (W - rate) * radius / r, 0, radius > 0 and 0.7 or 0 } }
    local function spin(s)  -- of the ball in space
      local e0, e1, e2, e3 = ball.e0(s), ball.e1(s), ball.e2(s), ball.e3(s)
      local x, y, z = ball.omega_x(s), ball.omega_y(s), ball.omega_z(s)
      return (e0^2 + e1^2 - e2^2 - e3^2) * x + 2 * (e1 * e2 - e0 * e3) * y + 2 * (e1 * e3 + e0 * e2) * z,
             2 * (e1 * e2 + e0 * e3) * x + (e0^2 - e1^2 + e2^2 - e3^2) * y + 2 * (e2 * e3 - e0 * e1) * z
    end
    m:constraint { "x", velocity = function(s)
      local _, y = spin(s)
      return ball.vx(s) - r * y + W * ball.y(s)
    end }
    m:constraint { "y", velocity = function(s) return ball.vy(s) + r * spin(s) - W * ball.x(s) end }
    m:constraint { "plane", law = function(s) return ball.z(s) - r end }
    return m
  end
  has(ball_on_table(0):linearize {}, 0, 2 * W / 7, 1e-10, "in the middle")
  has(ball_on_table(0):linearize { steady = true }, 0, 2 * W / 7, 1e-10, "in the middle, steady")
  has(ball_on_table(0.5):linearize { steady = true }, 0, 2 * W / 7, 1e-10, "on its circle")
end

-- What is steady at the instant, its forces and their slopes the same, but not on its way; and what is of two minds.
do
  local m = mbs.model { "far", gravity = { 0, 0, -9.81 } }
  local sled = m:body { "sled", mass = 1, inertia = { 1, 1, 1 }, velocity = { 2, 0, 0 } }
  m:constraint { "plane", law = function(s) return sled.z(s) end }
  check.equal(m:linearize { steady = true }.stable, true)
  m:force { "far", on = sled, law = function(s) return -s.x^3, 0, 0 end }
  check.fails("is of no steady motion: the forces change on its way", function() m:linearize { steady = true } end)
  local other = mbs.model { "two", gravity = { 0, 0 } }
  other:point { "one", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  other:point { "two", at = { 0, 1 }, velocity = { 0, 2 }, mass = 1 }
  check.fails('"one" and "two" do not move as parts of one whole', function() other:linearize { steady = true } end)
end

-- A body that is not round hangs from its pivot and spins about the vertical: all centres of mass lie on the axis, so
-- that nothing tells the common turn but the body. With the moments of inertia A and B about the pivot and C, in its axes
--   (A s^2 + G - (B - C) W^2) (B s^2 + G - (A - C) W^2) + ((A + B - C) W s)^2 = 0,    G = m g l.
do
  local function closed(W, A, B, C, G)
    local a, b = G - (B - C) * W^2, G - (A - C) * W^2
    local square, linear = A * B, A * b + B * a + ((A + B - C) * W)^2
    local root = (linear^2 - 4 * square * a * b)^0.5
    return { (linear - root) / (2 * square), (linear + root) / (2 * square) }  -- - s^2
  end
  for _, gravity in ipairs { 9.81, 0 } do
    local m = mbs.model { "rotor", gravity = { 0, 0, -gravity } }
    local mass, l, W = m:param { "mass", 0.7 }, m:param { "l", 0.2 }, m:param { "W", 7 }
    local J = { 0.05, 0.07, 0.11 }
    local body = m:body { "body", mass = mass, inertia = J, at = { 0, 0, -l }, angular_velocity = { 0, 0, W } }
    m:spherical { "pivot", m.ground, body, at = { 0, 0, 0 } }
    local found = m:linearize { steady = true, over = { mass, l, W } }
    assert(tostring(found):find('seen by who turns with "body"', 1, true), tostring(found))
    local function expected(x)
      return closed(x.W, J[1] + x.mass * x.l^2, J[2] + x.mass * x.l^2, J[3], x.mass * gravity * x.l)
    end
    local now = { mass = 0.7, l = 0.2, W = 7 }
    for k, square in ipairs(expected(now)) do
      has(found, 0, square^0.5, 1e-8, "rotor")
      local mode
      for _, each in ipairs(found.modes) do
        if math.abs(each.imaginary - square^0.5) < 1e-6 then mode = each end
      end
      for name, value in pairs(now) do
        local function at(x)
          local there = { mass = now.mass, l = now.l, W = now.W }
          there[name] = x
          return expected(there)[k]^0.5
        end
        local h = 1e-4 * value
        local slope = (8 * (at(value + h) - at(value - h)) - (at(value + 2 * h) - at(value - 2 * h))) / (12 * h)
        check.near(mode.derivative[name].imaginary, slope, 1e-7 * math.max(1, math.abs(slope)), name)
      end
    end
  end
end

-- What cannot move at all has no small motions: an empty answer, not a fault.
do
  local m = mbs.model { "held", gravity = { 0, 0, -9.81 } }
  local B = m:body { "B", mass = 2, inertia = { 1, 1, 1 } }
  m:weld { B, m.ground, at = { 0, 0, 0 } }
  check.equal(#m:linearize { steady = true }.eigenvalues, 0)
  check.equal(#m:linearize { }.eigenvalues, 0)
end
