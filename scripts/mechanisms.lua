-- The mechanisms on which formulations, integrators and sensitivity methods are compared. Each function makes a model
-- and returns it with its name, the parameters to differentiate by, an objective, the time to simulate, a fixed step
-- that suits it, and whether its constraints are redundant.
local mbs = require "perilune"

local mechanisms = {}

-- Zhu's five-bar mechanism with the geometry that reproduces his gradient; see five_bar.lua.
function mechanisms.five_bar()
  local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
  local L01 = m:param { "L01", math.sqrt(2^2 + 1^2), unit = "m", min = 0.5, max = 5 }
  local L02 = m:param { "L02", math.sqrt(2^2 + 0.5^2), unit = "m", min = 0.5, max = 5 }
  local k = m:param { "k", 100, unit = "N/m", min = 0 }
  local mass = m:param { "mass", 1.5, unit = "kg", min = 0.1 }
  local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 1, 0 } }
  local P1, P2, P3 = m:point { "P1", at = { -1, -1 } }, m:point { "P2", at = { 0.5, -2 } }, m:point { "P3", at = { 2, -1 } }
  m:bar { "bar1", A, P1, mass = 1 }
  m:bar { "bar2", P1, P2, mass = mass }
  m:bar { "bar3", P2, P3, mass = mass }
  m:bar { "bar4", P3, B, mass = 1 }
  m:spring { "s1", A, P3, stiffness = k, free_length = L01 }
  m:spring { "s2", A, P2, stiffness = k, free_length = L02 }
  local cost = m:objective { "cost", terminal = P2.x^2,
                             integral = (P2.x - 0.5)^2 + (P2.y + 2)^2 + 0.001 * P2.ay^2 }
  return { name = "five-bar", model = m, P2 = P2, over = { L01, L02, k, mass }, cost = cost, t = 1, step = 1e-2 }
end

-- A crank about x, a rod with a ball and a Cardan joint, a slider along x: the joints of Schaffer's slider-crank
-- (2005, section 6.1), which prints no dimensions; those here are ours.
function mechanisms.slider_crank()
  local m = mbs.model { "spatial slider-crank", gravity = { 0, 0, -9.81 } }
  local m1 = m:param { "m1", 1.2, unit = "kg", min = 0.1 }
  local m2 = m:param { "m2", 0.5, unit = "kg", min = 0.1 }
  local m3 = m:param { "m3", 2, unit = "kg", min = 0.1 }
  local T = m:param { "T", 0.8, unit = "N m" }
  local crank = m:body { "crank", mass = m1, inertia = { 0.02, 0.01, 0.015 }, at = { 0, 0.1, 0.16 } }
  local rod = m:body { "rod", mass = m2, inertia = { 0.004, 0.005, 0.006 }, at = { 0.1, 0.05, 0.1 } }
  local slider = m:body { "slider", mass = m3, inertia = { 0.01, 0.01, 0.01 }, at = { 0.2, 0, 0 } }
  m:revolute { "main", m.ground, crank, at = { 0, 0.1, 0.12 }, axis = "x" }
  m:spherical { "ball", crank, rod, at = { 0, 0.1, 0.2 } }
  m:universal { "cross", rod, slider, at = { 0.2, 0, 0 }, axis = { 0.1, 0.2, 0 }, axis_b = "z" }
  m:translational { "guide", m.ground, slider, at = { 0.2, 0, 0 }, axis = "x" }
  m:torque { "motor", on = crank, torque = { T, 0, 0 } }
  local cost = m:objective { "cost", terminal = slider.x, integral = slider.x^2 + 0.01 * slider.vx^2 + 0.001 * slider.ax^2 }
  return { name = "spatial slider-crank", model = m, over = { m1, m2, m3, T }, cost = cost, t = 0.3, step = 5e-3 }
end

-- One body in a frame away from its centre of mass, on a ball joint, with drag.
function mechanisms.pendulum()
  local m = mbs.model { "non-centroidal pendulum", gravity = { 0, 0, -9.81 } }
  local mass = m:param { "m", 1.3, unit = "kg", min = 0.1 }
  local J = m:param { "J", 0.9, unit = "kg m^2", min = 0.1 }
  local cz = m:param { "cz", 0.1, unit = "m" }
  local pz = m:param { "pz", 0.9, unit = "m" }
  local body = m:body { "B", mass = mass, inertia = { J, 0.8, 0.6, 0.02, -0.05, 0.03 }, at = { 0.2, -0.1, -pz },
                        center_of_mass = { 0.05, -0.03, cz }, angular_velocity = { 0.8, 1.1, -0.4 },
                        velocity = { -0.4, -0.5, -0.1 } }
  local ball = m:spherical { "ball", m:ground { at = { 0, 0, 0 } }, body:point { -0.2, 0.1, pz } }
  m:force { "drag", on = body, law = function(s) return -0.4 * s.vx, -0.4 * s.vy, -0.4 * s.vz end }
  local cost = m:objective { "cost", terminal = body.x * body.vy,
                             integral = body.x^2 + body.vz^2 + 0.001 * ball.force_z^2 }
  return { name = "non-centroidal pendulum", model = m, over = { mass, J, cz, pz }, cost = cost, t = 0.6, step = 1e-2 }
end

-- A four-bar linkage whose crank follows a law of time.
function mechanisms.driven_four_bar()
  local m = mbs.model { "driven four-bar", gravity = { 0, -9.81 } }
  local w = m:param { "w", 3, unit = "rad/s" }
  local r = m:param { "r", 0.5, unit = "m", min = 0.2, max = 0.8 }
  local c = m:param { "c", 2, unit = "kg", min = 0.1 }
  local k = m:param { "k", 20, unit = "N/m", min = 0 }
  local crank = m:body { "crank", mass = 1, inertia = 0.05, at = { 0.25, 0 } }
  local coupler = m:body { "coupler", mass = c, inertia = 0.2, at = { 1.25, 0.5 }, angle = math.atan(1, 1.5) }
  local rocker = m:body { "rocker", mass = 1.5, inertia = 0.1, at = { 2, 0.5 }, angle = math.pi / 2 }
  local hinge = m:revolute { "hinge", m.ground, crank, at = { 0, 0 } }
  m:coincidence { "pin", crank:point { r - 0.25, 0 }, coupler:point { -math.sqrt(1.5^2 + 1) / 2, 0 } }
  m:revolute { "wrist", coupler, rocker, at = { 2, 1 } }
  m:revolute { "base", m.ground, rocker, at = { 2, 0 } }
  local motor = m:driver { "motor", hinge.angle, law = function(s) return w * s.t + 0.1 * math.sin(4 * s.t) end }
  m:spring { "s", m:ground { at = { 3, 1 } }, coupler, stiffness = k, free_length = 1 }
  local cost = m:objective { "cost", terminal = coupler.x,
                             integral = (coupler.y - 0.5)^2 + 0.01 * coupler.vx^2 + 0.001 * motor.force^2 }
  return { name = "driven four-bar", model = m, over = { w, r, c, k }, cost = cost, t = 0.6, step = 1e-2 }
end

-- A platform on three equal parallel cranks: one of them could be left out.
function mechanisms.redundant()
  local m = mbs.model { "three cranks", gravity = { 0, -9.81 } }
  local l = m:param { "l", 0.8, unit = "m", min = 0.2 }
  local mass = m:param { "m", 3, unit = "kg", min = 0.1 }
  local k = m:param { "k", 40, unit = "N/m", min = 0 }
  local d = m:param { "d", 0.3, unit = "N s/m", min = 0 }
  local a = 0.7
  local platform = m:body { "platform", mass = mass, inertia = 0.4, at = { l * math.cos(a), l * math.sin(a) } }
  for i = -1, 1 do
    local crank = m:body { "crank" .. i + 2, mass = 0.5, inertia = 0.03, angle = a,
                           at = { i + l * math.cos(a) / 2, l * math.sin(a) / 2 } }
    m:coincidence { "base" .. i + 2, m:ground { at = { i, 0 } }, crank:point { -l / 2, 0 } }
    m:coincidence { "top" .. i + 2, crank:point { l / 2, 0 }, platform:point { i, 0 } }
  end
  m:spring { "s", m:ground { at = { 2, 1.5 } }, platform, stiffness = k, free_length = 1.2, damping = d }
  local cost = m:objective { "cost", terminal = platform.x^2,
                             integral = platform.y^2 + 0.01 * platform.vx^2 + 0.001 * platform.ay^2 }
  return { name = "three cranks (redundant)", model = m, over = { l, mass, k, d }, cost = cost, t = 0.8, step = 1e-2,
           is_redundant = true }
end

-- The slider-crank above, driven faster, with friction in its guide by the load that the guide carries, a multiplier of
-- the same equations. The numbers are ours.
function mechanisms.rubbing_slider_crank()
  local m = mbs.model { "rubbing slider-crank", gravity = { 0, 0, -9.81 } }
  local mu = m:param { "mu", 0.2, min = 0, max = 0.5 }
  local length = m:param { "length", 0.12, unit = "m", min = 0.02 }
  local mass = m:param { "mass", 2, unit = "kg", min = 0.1 }
  local T = m:param { "T", 3, unit = "N m" }
  local crank = m:body { "crank", mass = 1.2, inertia = { 0.02, 0.01, 0.015 }, at = { 0, 0.1, 0.16 } }
  local rod = m:body { "rod", mass = 0.5, inertia = { 0.004, 0.005, 0.006 }, at = { 0.1, 0.05, 0.1 } }
  local slider = m:body { "slider", mass = mass, inertia = { 0.01, 0.01, 0.01 }, at = { 0.2, 0, 0 } }
  m:revolute { "main", m.ground, crank, at = { 0, 0.1, 0.12 }, axis = "x" }
  m:spherical { "ball", crank, rod, at = { 0, 0.1, 0.2 } }
  m:universal { "cross", rod, slider, at = { 0.2, 0, 0 }, axis = { 0.1, 0.2, 0 }, axis_b = "z" }
  local guide = m:translational { "guide", m.ground, slider, at = { 0.2, 0, 0 }, axis = "x",
                                  friction = mbs.brown_mcphee { static = 1.5 * mu, dynamic = mu, transition = 0.5 },
                                  length = length, half_width = 0.05, load_regularization = 5 }
  m:torque { "motor", on = crank, torque = { T, 0, 0 } }
  local cost = m:objective { "cost", terminal = slider.x,
                             integral = slider.x^2 + 0.01 * slider.vx^2 + 0.001 * guide.friction_force^2 }
  return { name = "rubbing slider-crank", model = m, over = { mu, length, mass, T }, cost = cost, t = 0.2, step = 4e-3 }
end

-- A sled on a knife edge tows a cart on wheels, in the plane: two constraints on velocities, of which no relation of
-- positions follows. The numbers are ours.
function mechanisms.trailer()
  local m = mbs.model { "trailer on edges", gravity = { 0, 0 } }
  local mass = m:param { "mass", 2, unit = "kg", min = 0.1 }
  local behind = m:param { "behind", 0.4, unit = "m" }
  local reach = m:param { "reach", 0.5, unit = "m", min = 0.1 }
  local thrust = m:param { "thrust", 4, unit = "N" }
  -- No edge slips at the start: 0.3 = 0.4 * 0.75; and the hitch moves sideways by 0.3 - 0.5 * 0.75 = (0.3 + 0.4) * turn.
  local turn = -0.075 / 0.7
  local sled = m:body { "sled", mass = mass, inertia = 0.3, at = { 0, 0 }, velocity = { 1, 0.3 }, angular_velocity = 0.75 }
  local cart = m:body { "cart", mass = 1, inertia = 0.1, at = { -0.9, 0 }, velocity = { 1, 0.3 * turn },
                        angular_velocity = turn }
  m:revolute { "hitch", sled:point { -reach, 0 }, cart:point { 0.4, 0 } }
  local function across(body, distance)
    return math.cos(body.angle) * body.vy - math.sin(body.angle) * body.vx - distance * body.omega
  end
  local knife = m:constraint { "knife", velocity = across(sled, behind) }
  m:constraint { "wheels", velocity = across(cart, 0.3) }
  m:force { "push", on = sled, law = function(s)
    return thrust * math.cos(s.angle), thrust * math.sin(s.angle) - 0.5 * s.vy
  end }
  local cost = m:objective { "cost", terminal = sled.x * sled.y,
                             integral = sled.y^2 + 0.1 * cart.omega^2 + 0.01 * knife.lambda^2 }
  return { name = "trailer on edges", model = m, over = { mass, behind, reach, thrust }, cost = cost, t = 1, step = 1e-2 }
end

-- A quarter car with double wishbones in their plane, on a Gaussian bump of 5 cm: arms on bushings of the given
-- stiffness (N/m) in the chassis, on ball joints in the knuckle. The bushings' damping is the given part of the critical
-- one of an arm. Not of the list below: it has nothing to differentiate.
function mechanisms.suspension(stiffness, damping_ratio)
  local m = mbs.model { "double wishbone", gravity = { 0, -9.81 } }
  local chassis = m:body { "chassis", mass = 350, inertia = 50, at = { 0, 0.6 } }
  m:translational { "guide", m.ground, chassis, at = { 0, 0.6 }, axis = { 0, 1 } }
  local function arm(name, mass, inner, outer)
    local dx, dy = outer[1] - inner[1], outer[2] - inner[2]
    local length, c = math.sqrt(dx^2 + dy^2), 2 * damping_ratio * math.sqrt(stiffness * mass)
    local body = m:body { name, mass = mass, inertia = mass * length^2 / 12, angle = math.atan(dy, dx),
                          at = { (inner[1] + outer[1]) / 2, (inner[2] + outer[2]) / 2 } }
    m:bushing { name .. "_mount", chassis:point { inner[1], inner[2] - 0.6 }, body:point { -length / 2, 0 },
                stiffness = { stiffness, stiffness, 100 }, damping = { c, c, 0.5 } }
    return body
  end
  local lower, upper = arm("lower", 6, { 0.3, 0.25 }, { 0.7, 0.22 }), arm("upper", 3, { 0.35, 0.55 }, { 0.66, 0.52 })
  local knuckle = m:body { "knuckle", mass = 30, inertia = 0.8, at = { 0.78, 0.33 } }
  m:revolute { "lower_ball", lower, knuckle, at = { 0.7, 0.22 } }
  m:revolute { "upper_ball", upper, knuckle, at = { 0.66, 0.52 } }
  m:spring { "strut", chassis:point { 0.42, 0.2 }, lower:point { 0.1, 0 }, stiffness = 40e3, damping = 3e3,
             free_length = 0.62 }
  m:force { "tyre", on = knuckle, law = function(s)
    local road = 0.05 * math.exp(-((s.t - 0.5) / 0.06)^2)
    return 0, 2e5 * (road - (s.y - 0.33)) - 100 * s.vy
  end }
  return { name = "suspension", model = m, t = 1.5,
           coordinates = { "chassis.y", "lower.x", "lower.y", "lower.angle", "upper.x", "upper.y", "upper.angle",
                           "knuckle.x", "knuckle.y", "knuckle.angle" } }
end

mechanisms.list = { mechanisms.five_bar, mechanisms.slider_crank, mechanisms.pendulum, mechanisms.driven_four_bar,
                    mechanisms.redundant, mechanisms.rubbing_slider_crank, mechanisms.trailer }

return mechanisms
