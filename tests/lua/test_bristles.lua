-- Friction laws with states: closed forms, the same equations by a Runge-Kutta method of this file, balances of energy,
-- rest and drift in joints and in contacts, gradients, and what is refused.
local mbs = require "perilune"
local check = require "check"

local g, exp, abs, sin, pi = 9.81, math.exp, math.abs, math.sin, math.pi
local tight = { relative_tolerance = 1e-10, absolute_tolerance = 1e-13 }
local numbers = { static = 0.5, dynamic = 0.4, stiffness = 1e5, damping = 300, stribeck_speed = 1e-2 }
local function with(fields)
  local all = {}
  for name, value in pairs(numbers) do all[name] = value end
  for name, value in pairs(fields or {}) do all[name] = value end
  return all
end
local function laws()
  return {
    dahl = mbs.dahl { coefficient = 0.5, stiffness = 1e5 },
    lugre = mbs.lugre(with { viscous = 0.4 }),
    elasto_plastic = mbs.elasto_plastic(with { viscous = 0.4 }),
    gonthier = mbs.gonthier(with { viscous = 0.4 }),
  }
end

-- The laws in one direction, from their sources: friction on b, and the rates of the bend z and the dwell d.
local function sign(v) return v > 0 and 1 or v < 0 and -1 or 0 end
local n = with { viscous = 0.4 }
local function falling(v, N) return N * (n.dynamic + (n.static - n.dynamic) * exp(-(v / n.stribeck_speed) ^ 2)) end
local function damping(v, limit) return 300 / math.sqrt(1 + (300 * v / limit) ^ 2) end
local by_hand = {
  dahl = function(v, N, z) return -1e5 * z, v * (1 - 1e5 * z / (0.5 * N) * sign(v)), 0 end,
  lugre = function(v, N, z)
    local rate = v - 1e5 * abs(v) / falling(v, N) * z
    return -(1e5 * z + damping(v, falling(v, N)) * rate + 0.4 * v), rate, 0
  end,
  elasto_plastic = function(v, N, z)
    local most, elastic, alpha = falling(v, N) / 1e5, 0.7 * 0.4 * N / 1e5, 0
    if sign(v) == sign(z) and abs(z) > elastic then
      alpha = abs(z) >= most and 1 or
              0.5 * sin(pi * (abs(z) - (most + elastic) / 2) / (most - elastic)) + 0.5
    end
    local rate = v * (1 - alpha * z / most * sign(v))
    return -(1e5 * z + damping(v, 2 / pi * (falling(v, N) - 0.28 * N)) * rate + 0.4 * v), rate, 0
  end,
  gonthier = function(v, N, z, d)
    local s, x = exp(-(v / 1e-2) ^ 2), abs(v) / 1e-3
    local direction = x >= 1 and sign(v) or v / 1e-3 * (1.5 - 0.5 * x * x)
    local rate = s * v + (1 - s) * (0.4 * N * direction - 1e5 * z) / 300
    local pull, most = 1e5 * z + 300 * rate, N * (0.4 + 0.1 * d)
    if abs(pull) > most then pull = sign(pull) * most end
    return -pull - 0.4 * v, rate, (s - d) * (s >= d and 1 / 0.05 or 1e5 / 300)
  end,
}
-- A mass under a force, by the method of fourth order, from rest, where its bristles are bent.
local function follow(law, mass, N, force, t_end, steps, bend)
  local h = t_end / steps
  local y = { bend or 0, 0, bend or 0, 1 }
  local function rates(t, s)
    local f, z, d = law(s[2], N, s[3], s[4])
    return { s[2], (force(t, s[1]) + f) / mass, z, d }
  end
  local function plus(a, k, b)
    local out = {}
    for i = 1, 4 do out[i] = a[i] + k * b[i] end
    return out
  end
  for i = 0, steps - 1 do
    local t = i * h
    local k1 = rates(t, y)
    local k2 = rates(t + h / 2, plus(y, h / 2, k1))
    local k3 = rates(t + h / 2, plus(y, h / 2, k2))
    local k4 = rates(t + h, plus(y, h, k3))
    y = plus(plus(plus(plus(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4)
  end
  return y
end

-- A mass on a rail that is pressed by 10 N.
local function on_rail(law, mass, velocity)
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, mass = mass or 1, velocity = { velocity or 0, 0 } }
  local rail = m:point_on_line { "rail", m.ground, P, axis = { 1, 0 }, friction = law, preload = 10,
                                 load_regularization = 1e-9 }
  return m, P, rail
end
local function push(m, P, force) m:force { "push", on = P, law = function(s) return force(s), 0 end } end
local function drive(m, P, way) m:constraint { "drive", law = function(s) return P.x - way(s.t) end } end

do -- Gonthier's law: what its reference says of it.
  local gonthier = mbs.gonthier(with())
  local m, P = on_rail(gonthier, 1, 0.1)
  drive(m, P, function(t) return 0.1 * t end)
  check.near(m:simulate { t = 1 }:at("rail.friction_force", 1), -4.0, 1e-9)
  m, P = on_rail(gonthier)
  push(m, P, function(s) return s.t end)
  check.near(m:simulate { t = 8, stop = P.vx - 0.02 }.t, 5.10, 1e-3)
  -- While it slides, the dwell falls with sigma_0 / sigma_1.
  m, P = on_rail(gonthier, 1, 0.1)
  drive(m, P, function(t) return 0.1 * t end)
  check.near(m:simulate { t = 0.01, integrator = mbs.radau(tight) }:at("rail.dwell", 0.006), exp(-2), 1e-8)
end

do -- Dahl's hysteresis: force against way is exponential, whatever the speed.
  local limit, sigma, X = 5, 1e5, 1.2e-4
  for _, omega in ipairs { 1, 30 } do
    local m, P = on_rail(mbs.dahl { coefficient = 0.5, stiffness = sigma }, 1, X * omega)
    drive(m, P, function(t) return X * math.sin(omega * t) end)
    local run = m:simulate { t = 1.5 * pi / omega, integrator = mbs.radau(tight) }
    local turned = limit * (1 - exp(-sigma * X / limit))
    for _, phase in ipairs { 0.3, 1.2, 1.8, 2.5, 4 } do
      local x = X * sin(phase)
      local force = phase < pi / 2 and limit * (1 - exp(-sigma * x / limit)) or
                    -limit + (turned + limit) * exp(-sigma * (X - x) / limit)
      check.near(run:at("rail.friction_force", phase / omega), -force, 1e-7, "at " .. phase)
    end
  end
end

do -- Steady sliding is the Stribeck curve, and rest a spring of the stiffness sigma.
  for name, law in pairs { lugre = mbs.lugre(with { viscous = 0.4 }),
                           elasto_plastic = mbs.elasto_plastic(with { viscous = 0.4 }) } do
    for _, v in ipairs { 1e-4, 5e-3, 1e-2, 3e-2, 1 } do
      local m, P = on_rail(law, 1, v)
      drive(m, P, function(t) return v * t end)
      local t = 3e-3 / v
      check.near(m:simulate { t = t, integrator = mbs.radau(tight) }:at("rail.friction_force", t),
                 -falling(v, 10) - 0.4 * v, 1e-8, name)
    end
  end
  for name, law in pairs(laws()) do
    local m, P = on_rail(law, 1)
    push(m, P, function() return 2.5 end)
    local rest = m:equilibrium()
    check.near(rest:at "P.x" * 1e5, 2.5, 1e-9, name)
    check.near(rest:at "rail.friction_force", -2.5, 1e-9, name)
    local run = m:simulate { t = 2, from = rest, integrator = mbs.radau(tight) }
    check.near(run:at("P.x", 2) * 1e5, 2.5, 1e-8, name .. " stays")
    check.near(run:at("rail.stretch", 2) * 1e5, 2.5, 1e-8, name .. " stays")
    local swing
    for _, mode in ipairs(m:linearize { from = rest }.modes) do
      if mode.imaginary > 0 then swing = mode end
    end
    local c = name == "dahl" and 0 or 300.4
    check.near(swing.imaginary, math.sqrt(1e5 - c * c / 4), 1e-6, name .. ": a spring at rest")
    check.near(swing.real, -c / 2, 1e-6, name .. ": a damper at rest")
    -- More than friction holds is no rest.
    local heavy, Q = on_rail(law, 1)
    push(heavy, Q, function() return 5.1 end)
    check.fails("no equilibrium was found", heavy.equilibrium, heavy)
  end
end

do -- A mass that a spring draws along: it sticks and slips, as the sources' equations say.
  for name, law in pairs(laws()) do
    local m, P = on_rail(law, 1)
    push(m, P, function(s) return 50 * (0.1 * s.t - P.x(s)) end)
    local run = m:simulate { t = 2.5, integrator = mbs.radau { relative_tolerance = 1e-9, absolute_tolerance = 1e-12 } }
    local y = follow(by_hand[name], 1, 10, function(t, x) return 50 * (0.1 * t - x) end, 2.5, 25000)
    check.near(run:at("P.x", 2.5), y[1], 1e-6, name)
    check.near(run:at("P.vx", 2.5), y[2], 1e-5, name)
    check.near(run:at("rail.stretch", 2.5) * 1e5, y[3] * 1e5, 1e-4, name)
    if name == "gonthier" then check.near(run:at("rail.dwell", 2.5), y[4], 1e-4) end
  end
end

-- A block at rest on a slope that something shakes below its breakaway: how far it has gone after 20 shakes, less where
-- it was after 10.
local slope, mass, omega = 0.2, 2, 40
local weight, load = mass * g * math.sin(slope), mass * g * math.cos(slope)
local downhill, out = { math.cos(slope), -math.sin(slope) }, { math.sin(slope), math.cos(slope) }
local function shake(t) return 0.05 * load * math.sin(omega * t) end
local period = 2 * pi / omega
local function in_joint(law)
  local m = mbs.model { gravity = { 0, -g } }
  local b = m:body { "b", mass = mass, inertia = 0.1, at = { 0, 0 }, angle = -slope }
  m:translational { "slope", m.ground, b, at = { 0, 0 }, axis = downhill, friction = law, length = 0.1,
                    load_regularization = 1e-9 }
  m:force { on = b, law = function(s) return shake(s.t) * downhill[1], shake(s.t) * downhill[2] end }
  return m, "slope.displacement"
end
local function in_contact(law)
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", at = { 0, 0 }, mass = mass }
  m:contact { "slope", m.ground, P, axis = out, normal = mbs.kelvin_voigt { stiffness = 1e5, damping = 500 },
              friction = law }
  m:force { on = P, law = function(s) return shake(s.t) * downhill[1], shake(s.t) * downhill[2] end }
  return m, function(run, t) return downhill[1] * run:at("P.x", t) + downhill[2] * run:at("P.y", t) end
end
for name, law in pairs(laws()) do
  local drift = {}
  for where, build in pairs { joint = in_joint, contact = in_contact } do
    local m, at = build(law)
    local signal = type(at) == "string" and function(run, t) return run:at(at, t) end or at
    local run = m:simulate { t = 20 * period, from = m:equilibrium(), integrator = mbs.radau(tight) }
    drift[where] = signal(run, 20 * period) - signal(run, 10 * period)
  end
  check.near(drift.contact * 1e6, drift.joint * 1e6, 2e-3, name .. ": joint and contact")
  if name == "elasto_plastic" then
    assert(abs(drift.joint) < 1e-12 and abs(drift.contact) < 1e-11, name .. " does not drift: " .. drift.joint)
  else
    local function force(t) return weight + shake(t) end
    local function way(t) return follow(by_hand[name], mass, load, force, t, math.floor(4000 * t), weight / 1e5)[1] end
    check.near(drift.joint * 1e6, (way(20 * period) - way(10 * period)) * 1e6, 1e-4, name)
    assert(drift.joint > 1e-7, name .. " drifts")
  end
end

do -- Two free bodies with any joint: all that they lose is the dissipation, and no momentum.
  local bearings = {
    revolute = { radius = 0.03, length = 0.1, offset = 0.02, thrust_radius = 0.05, axis = { 0.2, 0.3, 1 } },
    cylindrical = { radius = 0.03, length = 0.1, preload = 1, axis = { 0.2, 0.3, 1 } },
    translational = { length = 0.4, half_width = 0.2, axis = { 0.2, 0.3, 1 } },
    spherical = { radius = 0.05, preload = 2 },
    universal = { radius = 0.03, length = 0.1, axis = { 0.2, 0.3, 1 }, axis_b = { 1, 0, -0.2 } },
    planar = { radius = 0.1, preload = 1, axis = { 0.2, 0.3, 1 } },
    point_on_plane = { axis = { 0.2, 0.3, 1 }, preload = 1 },
  }
  local soft = { static = 0.5, dynamic = 0.4, stiffness = 2e3, damping = 3, stribeck_speed = 0.2, viscous = 0.1 }
  local choices = { mbs.dahl { coefficient = 0.4, stiffness = 2e3 }, mbs.lugre(soft), mbs.elasto_plastic(soft),
                    mbs.gonthier(soft) }
  local names, count = {}, 0
  for kind in pairs(bearings) do names[#names + 1] = kind end
  table.sort(names)
  for _, kind in ipairs(names) do
    for _, law in ipairs { choices[count % 4 + 1], choices[(count + 1) % 4 + 1] } do
      local m = mbs.model { gravity = { 0, 0, 0 } }
      -- Assembly makes the velocities fit.
      local A = m:body { "A", mass = 1.3, inertia = { 0.02, 0.03, 0.04 }, at = { 0.1, 0, 0 },
                         velocity = { 0.2, 0.1, -0.3 }, angular_velocity = { 1, -2, 0.5 } }
      local B = m:body { "B", mass = 0.7, inertia = { 0.03, 0.02, 0.025 }, at = { 0.4, 0.2, 0.1 },
                         velocity = { -0.2, 0.6, 0.3 }, angular_velocity = { -1, 2, 3 } }
      local call = { "joint", A:point { 0.2, 0.1, 0.05 }, B:point { -0.1, -0.1, -0.05 }, friction = law }
      for field, value in pairs(bearings[kind]) do call[field] = value end
      local joint = m[kind](m, call)
      local lost = m:objective { "lost", integral = joint.dissipation }
      local run = m:simulate { t = 0.2, objectives = { lost }, formulation = mbs.index1 { project = true },
                               integrator = mbs.radau(tight) }
      local function energy(t) return run:at("energy.kinetic", t) + run:at("energy.potential", t) end
      local what = kind .. " with " .. tostring(law)
      check.near(energy(0) - energy(0.2), run.objectives.lost, 1e-9, what)
      assert(run.objectives.lost > 1e-3, what)
      for _, axis in ipairs { "x", "y", "z" } do
        local function momentum(t) return 1.3 * run:at("A.v" .. axis, t) + 0.7 * run:at("B.v" .. axis, t) end
        check.near(momentum(0.2), momentum(0), 1e-10, what)
      end
    end
    count = count + 1
  end
end

do -- Out of contact bristles forget, and nothing is infinite where the load is zero.
  for name, law in pairs(laws()) do
    local m = mbs.model { gravity = { 0, -g } }
    local ball = m:body { "ball", mass = 1, inertia = 4e-3, at = { 0, 0.15 }, velocity = { 2, 0 } }
    local floor = m:contact { "floor", m.ground, ball, radius = 0.1, friction = law,
                              normal = mbs.hunt_crossley { stiffness = 1e6, dissipation = 0.1 } }
    local lost = m:objective { "lost", integral = floor.dissipation }
    local run = m:simulate { t = 0.3, objectives = { lost },
                             integrator = mbs.radau { relative_tolerance = 1e-9, absolute_tolerance = 1e-12 } }
    local function energy(t) return run:at("energy.kinetic", t) + run:at("energy.potential", t) end
    check.near(energy(0) - energy(0.3), run.objectives.lost, 1e-6, name)
    assert(run:at("floor.gap", 0.2) > 0.01 and abs(run:at("floor.stretch_x", 0.2)) < 1e-12, name)
    check.equal(run:at("floor.friction_x", 0.2), 0)
    -- It rolls in the end, with the slip's share of what it had.
    assert(run:at("ball.omega", 0.3) < -1, name)
    if name == "gonthier" then assert(run:at("floor.dwell", 0.05) < 1e-12) end
  end
end

-- Gradients by the numbers of a law: two methods, and differences of whole runs.
for _, case in ipairs {
  { "lugre", mbs.index1 {} }, { "lugre", mbs.maggi {} }, { "lugre", mbs.index3 {} },
  { "elasto_plastic", mbs.index1 {} }, { "gonthier", mbs.maggi {} }, { "dahl", mbs.index1 {} },
} do
  local name, formulation = case[1], case[2]
  local m = mbs.model { gravity = { 0, -g } }
  local p = { m:param { "static", 0.5 }, m:param { "dynamic", 0.4 }, m:param { "sigma", 2e4 },
              m:param { "damping", 200 }, m:param { "length", 0.2 } }
  local b = m:body { "b", mass = 2, inertia = 0.1, at = { 0, 0 }, velocity = { 0.3, 0 } }
  local law = name == "dahl" and mbs.dahl { coefficient = p[1], stiffness = p[3] } or
              mbs[name] { static = p[1], dynamic = p[2], stiffness = p[3], damping = p[4], stribeck_speed = 0.05 }
  local rail = m:translational { "rail", m.ground, b, at = { 0, 0 }, axis = { 1, 0 }, length = p[5], friction = law }
  m:spring { m:ground { at = { -0.5, 0 } }, b, stiffness = 400, free_length = 0.48 }
  m:force { on = b:point { 0, 0.05 }, law = function(s) return 20 * math.sin(12 * s.t), 0 end }
  local cost = m:objective { "cost", terminal = b.x + 1e3 * rail.stretch, integral = rail.dissipation + b.x ^ 2 }
  local integrator = mbs.radau { step = 2e-3 }
  local over = name == "dahl" and { p[1], p[3], p[5] } or p
  local call = { cost, over = over, t = 0.4, integrator = integrator, formulation = formulation,
                 method = mbs.adjoint() }
  local adjoint = m:gradient(call)
  call.method = mbs.direct()
  local direct = m:gradient(call)
  for _, each in ipairs(over) do
    local what, value = ("%s by %s, %s"):format(name, each.name, tostring(formulation)), each.value
    check.near(direct.by_name[each.name] * value, adjoint.by_name[each.name] * value, 1e-10, what)
    local function difference(h)
      local ends = {}
      for _, side in ipairs { 1, -1 } do
        each.value = value * (1 + side * h)
        ends[side] = m:simulate { t = 0.4, integrator = integrator, formulation = formulation,
                                  objectives = { cost } }.objectives.cost
      end
      each.value = value
      return (ends[1] - ends[-1]) / (2 * h)
    end
    -- Corners, Gonthier's where the pull reaches its limit and Dahl's where what rings turns round: no difference may
    -- move them over a stage.
    local h = (name == "gonthier" or name == "dahl") and 2e-5 or 5e-4
    check.near(direct.by_name[each.name] * value, (4 * difference(h) - difference(2 * h)) / 3, 1e-7, what)
  end
end

do -- Through touches: the two methods agree, and come to the differences with the tolerances.
  local m = mbs.model { gravity = { 0, -g } }
  local mu, speed = m:param { "mu", 0.4 }, m:param { "speed", 2 }
  local ball = m:body { "ball", mass = 1, inertia = 4e-3, at = { 0, 0.15 }, velocity = { speed, 0 } }
  m:contact { "floor", m.ground, ball, radius = 0.1, normal = mbs.hunt_crossley { stiffness = 1e6, dissipation = 0.1 },
              friction = mbs.lugre { static = 1.2 * mu, dynamic = mu, stiffness = 2e4, damping = 100,
                                     stribeck_speed = 0.1 } }
  local cost = m:objective { "cost", terminal = ball.x + 0.1 * ball.angle }
  local function to(digits)
    return mbs.radau { relative_tolerance = 10 ^ -digits, absolute_tolerance = 10 ^ (-digits - 4) }
  end
  local function difference(p, h)
    local ends, value = {}, p.value
    for _, side in ipairs { 1, -1 } do
      p.value = value * (1 + side * h)
      ends[side] = m:simulate { t = 0.4, integrator = to(10), objectives = { cost } }.objectives.cost
    end
    p.value = value
    return (ends[1] - ends[-1]) / (2 * h * value)
  end
  local rough = m:gradient { cost, t = 0.4, integrator = to(9), method = mbs.direct() }
  local adjoint = m:gradient { cost, t = 0.4, integrator = to(9), method = mbs.adjoint() }
  local fine = m:gradient { cost, t = 0.4, integrator = to(11), method = mbs.adjoint() }
  for _, p in ipairs { mu, speed } do
    check.near(rough.by_name[p.name], adjoint.by_name[p.name], 1e-10)
    local expected = (4 * difference(p, 1e-4) - difference(p, 2e-4)) / 3
    local off = abs(rough.by_name[p.name] / expected - 1)
    assert(off < 1e-4 and abs(fine.by_name[p.name] / expected - 1) < 0.2 * off, off)
  end
end

do -- Sentences.
  check.fails("lugre: static must not be less than dynamic", mbs.lugre, with { static = 0.3 })
  check.fails("gonthier: static must not be less than dynamic", mbs.gonthier, with { static = 0.3 })
  check.fails("elasto_plastic: breakaway must be less than 1", mbs.elasto_plastic, with { breakaway = 1 })
  check.fails("gonthier: regularization must be less than stribeck_speed", mbs.gonthier, with { regularization = 0.1 })
  check.fails("gonthier: damping must be positive", mbs.gonthier, with { damping = 0 })
  check.fails("stribeck_speed must be positive", mbs.lugre, with { stribeck_speed = 0 })
  check.fails("dwell_time must be positive", mbs.gonthier, with { dwell_time = 0 })
  check.fails("coefficient must not be negative", mbs.dahl, { coefficient = -0.1, stiffness = 1e5 })
  check.fails("stiffness must be positive", mbs.dahl, { coefficient = 0.1, stiffness = 0 })
  check.fails("stiffness", mbs.dahl, { coefficient = 0.1 })
end
print "bristles: ok"
