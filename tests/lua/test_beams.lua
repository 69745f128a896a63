-- Flexible beams against the theory of slender beams, and against numbers of an independent program (Ebrahimi 2019,
-- reference sections 9.3 and 9.4).
local mbs = require "perilune"
local check = require "check"
local elastica = require "elastica"

local E, A, I, rho, L = 7e10, 1e-4, 8e-10, 2700, 1

--- A cantilever along x, in the plane or in space, from a clamp at the origin.
local function cantilever(n, dimension, axial)
  local zero = dimension == 3 and { 0, 0, 0 } or { 0, 0 }
  local m = mbs.model { "cantilever", gravity = zero }
  local tip = dimension == 3 and { L, 0, 0 } or { L, 0 }
  local arm = m:beam { "arm", from = zero, to = tip, elements = n, young = E, density = rho, area = A, second_moment = I,
                       axial = axial }
  m:clamp { arm.first, m.ground }
  return m, arm
end

-- A small load at the tip: P L^3 / (3 E I) and P L^2 / (2 E I), which cubic elements have exactly.
do
  local m, arm = cantilever(3)
  m:force { on = arm.last, law = function() return 0, -0.01 end }
  local rest = m:equilibrium {}
  check.near(rest:values "arm_4.y"[1] / (-0.01 * L^3 / (3 * E * I)), 1, 1e-6)
  check.near(rest:values "arm_4.slope_y"[1] / (-0.01 * L^2 / (2 * E * I)), 1, 1e-6)
  check.near(rest:values "arm.strain_energy"[1] / (0.01^2 * L^3 / (6 * E * I)), 1, 1e-6)
end

-- Natural frequencies (beta L)^2 sqrt(E I / (rho A L^4)): the error falls with the fourth power of the element.
for dimension = 2, 3 do
  local errors = {}
  for _, n in ipairs { 4, 8 } do
    local m = cantilever(n, dimension)
    local modes = m:linearize {}.modes
    for k, beta in ipairs { 1.8751040687119612, 4.694091132974175 } do
      local exact = beta^2 * math.sqrt(E * I / (rho * A * L^4)) / (2 * math.pi)
      local f = modes[dimension == 3 and 2 * k or k].frequency  -- in space each twice
      errors[k] = errors[k] or {}
      table.insert(errors[k], f / exact - 1)
    end
  end
  for k = 1, 2 do
    local ratio = errors[k][1] / errors[k][2]
    assert(errors[k][2] > 0 and errors[k][2] < 1e-4 and ratio > 14 and ratio < 18, ("%d: %g %g"):format(k, ratio, errors[k][2]))
  end
end

-- Euler's load of the cantilever, pi^2 E I / (4 L^2): below it the beam stays straight, above it does not. By chords,
-- which shorten less than the line, it is higher by (pi / (2 n))^2 / 12. Far above, the line is Euler's elastica
-- (elastica.lua).
local function pressed(n, axial, share)
  local m, arm = cantilever(n, 2, axial)
  local load = share * math.pi^2 * E * I / (4 * L^2)
  m:force { on = arm.last, law = function() return -load, 0 end }
  local rest = m:equilibrium {}
  check.equal(rest.stable, true)
  return rest:values(arm.last.x)[1], math.abs(rest:values(arm.last.y)[1])
end
for _, case in ipairs { { "green", 0.999, 0 }, { "green", 1.001, 0.05 }, { "chord", 1.005, 0 }, { "chord", 1.008, 0.05 } } do
  local axial, share, least = table.unpack(case)
  local _, y = pressed(6, axial, share)
  assert(least == 0 and y < 1e-9 or least > 0 and y > least, ("%s at %g of Euler's load: %g"):format(axial, share, y))
end
for _, degrees in ipairs { 40, 80 } do
  local k = math.sin(math.rad(degrees) / 2)
  local first, second = elastica.elliptic(k)
  local x, y = pressed(12, "green", (2 * first / math.pi)^2)
  check.near(x, 2 * second / first - 1, 1e-3)
  check.near(y, 2 * k / first, 1e-3)
end

-- The flexible pendulum with the three axial forms, and gradients that an independent program has: the deflection of
-- the tip in the frame of the first slope; its steps are by the midpoint rule, ours by the trapezoidal one.
for axial, at_half in pairs { printed = -0.25441, chord = -0.25701, green = -0.25560 } do
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local b, density, young = m:param { "b", 0.05 }, m:param { "rho", 4000 }, m:param { "E", 1e7 }
  local arm = m:beam { "arm", from = { 0, 0 }, to = { 1.2, 0 }, elements = 5, young = young, density = density,
                       area = b^2, second_moment = b^4 / 12, axial = axial }
  m:coincidence { arm.first, m:ground { at = { 0, 0 } } }
  local foot, tip = arm.first, arm.last
  local deflection = m:objective { "deflection", terminal =
    (foot.slope_x * tip.y - foot.slope_y * tip.x) / (foot.slope_x^2 + foot.slope_y^2)^0.5 }
  local how = { objective = deflection, over = { b, density, young }, t = 0.5,
                integrator = mbs.trapezoidal { step = 0.001 }, method = mbs.adjoint {} }
  local g = m:gradient(how)
  check.near(g.value, at_half, 2e-4)
  -- The motion depends on E / rho alone.
  local by = { b = g.gradient[1], rho = g.gradient[2], E = g.gradient[3] }
  check.near((young.value * by.E + density.value * by.rho) / (young.value * by.E), 0, 1e-8)
  how.method = mbs.direct {}
  local direct = m:gradient(how).gradient
  for i, x in ipairs(g.gradient) do check.near(x / direct[i], 1, 1e-10) end
  if axial == "printed" then check.near(by.b, 4.79, 0.02) end
end

-- A rod, a spring with a damper, and a beam that swings in space: values and gradients by its foot, the spring, the
-- damper, density and width, as an independent program has them with steps of 0.001 by the midpoint rule.
do
  local m = mbs.model { "assembly", gravity = { 0, -9.81, 0 } }
  local X, Y, Z = m:param { "X", 2 }, m:param { "Y", -0.3 }, m:param { "Z", 0.1 }
  local k, c, density, b = m:param { "k", 100 }, m:param { "c", 2 }, m:param { "rho", 3700 }, m:param { "b", 0.01 }
  local across = 1.6 * (1 / 12 + 0.01^2 / 16)
  local rod = m:natural_body { "rod", mass = 1.6, inertia = { 1.6 * 0.01^2 / 8, across, across }, at = { 0.5, 0, 0 } }
  m:spherical { m.ground, rod, at = { 0, 0, 0 } }
  local B = rod:point { 0.5, 0, 0 }
  local beam = m:beam { "beam", from = { X, Y, Z }, to = { 1.3, 0.2, 0.05 }, elements = 1, young = 7e10,
                        density = density, area = b^2, second_moment = b^4 / 12, angular_velocity = { 0, 0, -5 },
                        axial = "printed" }
  m:coincidence { beam.first, m:ground { at = { X, Y, Z } } }
  local C = beam.last
  m:spring { B, C, stiffness = k, free_length = 0.364005494464026 }
  local v = {}
  for _, axis in ipairs { "x", "y", "z" } do
    local rate = rod["v" .. axis] + 0.5 * (rod.omega_z * rod["v_" .. axis] - rod.omega_y * rod["w_" .. axis])
    v[#v + 1] = c * (C["v" .. axis] - rate)
  end
  m:force { on = B, law = function() return v[1], v[2], v[3] end }
  m:force { on = C, law = function() return -v[1], -v[2], -v[3] end }
  local bx, by, bz = rod.x + 0.5 * rod.u_x, rod.y + 0.5 * rod.u_y, rod.z + 0.5 * rod.u_z
  local moved = m:objective { "moved", integral = (bx - 1)^2 + by^2 + bz^2 }
  local steps = mbs.trapezoidal { step = 0.001 }
  local run = m:simulate { t = 0.2, integrator = steps }
  for expression, expected in pairs { [bx] = 0.9823355, [by] = -0.1870910, [bz] = 0.0037321, [C.x] = 1.2233962,
                                      [C.y] = 0.0662434, [C.z] = 0.0274978 } do
    check.near(run:at(expression, 0.2), expected, 3e-6)
  end
  local g = m:gradient { objective = moved, over = { X, Y, Z, k, c, density, b }, t = 0.2, integrator = steps }
  check.near(g.value / 1.0772148943e-3, 1, 1e-4)
  local expected = { -2.95643763e-3, 1.73984516e-3, -1.76957e-5, 1.72980e-6, -4.31477e-5, -3.907856e-7, -0.287796283 }
  for i, x in ipairs(expected) do check.near(g.gradient[i] / x, 1, 2e-4, "derivative " .. i) end
end

-- A free beam that turns and flies: momentum and angular momentum stay, damping takes nothing while it is straight
-- and stretched by its turning alone; clamped to a turning body it goes with it.
do
  local m = mbs.model { "flying", gravity = { 0, 0 } }
  local arm = m:beam { "arm", from = { 0, 0 }, to = { 1, 0 }, elements = 2, young = 1e9, density = 1000, area = 1e-4,
                       second_moment = 1e-9, angular_velocity = 2, velocity = { 0.5, 0 }, damping = 0.01, axial = "green" }
  local run = m:simulate { t = 3, integrator = mbs.radau { relative_tolerance = 1e-8, absolute_tolerance = 1e-8 } }
  local cx, cy = (arm.first.x + arm.last.x) / 2, (arm.first.y + arm.last.y) / 2
  check.near(run:at(cx, 3), 0.5 + 0.5 * 3, 1e-6)  -- the middle flies with the velocity of the first end and omega x r
  check.near(run:at(cy, 3), 1 * 3, 1e-6)
  local angle = math.atan(run:at(arm.last.y - arm.first.y, 3), run:at(arm.last.x - arm.first.x, 3))
  check.near(angle, 6 - 2 * math.pi, 1e-4)
end
do
  local m = mbs.model { "rotor", gravity = { 0, 0, 0 } }
  local hub = m:body { "hub", mass = 5, inertia = { 1, 1, 1 } }
  local axle = m:revolute { "axle", m.ground, hub, at = { 0, 0, 0 }, axis = "z" }
  m:driver { "speed", axle.angle, law = function(s) return 3 * s.t end }
  local blade = m:beam { "blade", from = { 0.1, 0, 0 }, to = { 0.6, 0, 0 }, elements = 3, young = 7e10, density = 2700,
                         area = 1e-4, second_moment = 1e-9, angular_velocity = { 0, 0, 3 }, velocity = { 0, 0.3, 0 } }
  m:clamp { blade.first, hub }
  local run = m:simulate { t = 1, integrator = mbs.generalized_alpha { step = 0.002 } }
  local tip = blade.last
  check.near(run:at(tip.x, 1), 0.6 * math.cos(3), 1e-4)
  check.near(run:at(tip.y, 1), 0.6 * math.sin(3), 1e-4)
  check.near(run:at(tip.slope_y, 1), math.sin(3), 1e-4)
end

-- Stations: the deflection P x^2 (3 L - x) / (6 E I), the moment P (L - x), the stress at the outer fibre and, of a beam at
-- rest, its derivative by the width: 6 P L / b^3 at the clamp. Pulled along, the force, and E times the strain.
for dimension = 2, 3 do
  local function v(x, y) return dimension == 3 and { x, 0, y } or { x, y } end
  local up = dimension == 3 and "z" or "y"
  for _, axial in ipairs { "chord", "green" } do
    for _, pull in ipairs { 0, 3 } do
      local m = mbs.model { "stations", gravity = v(0, 0) }
      local b, P = m:param { "b", 0.01, unit = "m" }, pull == 0 and 0.02 or 0
      local arm = m:beam { "arm", from = v(0, 0), to = v(L, 0), elements = 3, young = E, density = rho, area = b^2,
                           second_moment = b^4 / 12, axial = axial }
      m:clamp { arm.first, m.ground }
      m:force { on = arm.last, law = function() return table.unpack(v(pull, -P)) end }
      local rest = m:equilibrium {}
      local function at(share, what) return rest:values(arm:station { share, fibre = b / 2 }[what])[1] end
      local EI = E * 0.01^4 / 12
      for _, x in ipairs { 0, 1 / 3, 0.4, 0.75 } do
        check.near(at(x, up), -P * x^2 * (3 * L - x) / (6 * EI), 1e-8)
        check.near(at(x, "moment"), (dimension == 3 and 1 or -1) * P * (L - x), 1e-6)
        check.near(at(x, "axial_force"), pull, 1e-3)
        check.near(at(x, "strain") * E * 1e-4, pull, 1e-3)
        local outer, inner = 6 * P * (L - x) / 0.01^3 + pull / 1e-4, -6 * P * (L - x) / 0.01^3 + pull / 1e-4
        check.near(at(x, dimension == 3 and "stress_most" or "stress_left"), outer, 20)
        check.near(at(x, dimension == 3 and "stress_least" or "stress_right"), inner, 20)
      end
      check.near(at(1, "x"), rest:values(arm.last.x)[1], 1e-14)
      check.near(at(0, "slope_x"), 1 + pull / (E * 1e-4), 1e-9)
    end
  end
end
do
  local m = mbs.model { "stress", gravity = { 0, 0 } }
  local b, P = m:param { "b", 0.01 }, 0.2
  local arm = m:beam { "arm", from = { 0, 0 }, to = { L, 0 }, elements = 2, young = E, density = rho, area = b^2,
                       second_moment = b^4 / 12 }
  m:clamp { arm.first, m.ground }
  m:force { on = arm.last, law = function() return 0, -P end }
  local stress = m:objective { "stress", terminal = arm:station { 0, fibre = b / 2 }.stress_left }
  local g = m:gradient { stress, t = 1e-5, at_rest = true, integrator = mbs.trapezoidal { step = 1e-5 } }
  -- The state at rest is known to the tolerance of positions, some thousandths of the deflection.
  check.near(g.value / (6 * P * L / 0.01^3), 1, 1e-3)
  check.near(g.gradient[1] / (-18 * P * L / 0.01^4), 1, 3e-3)
end

-- Damping by the rate of strain: a mode of angular frequency w decays with damping w^2 / 2. A free beam that bends while
-- it turns keeps its angular momentum and loses energy.
do
  local m = mbs.model { "damped", gravity = { 0, 0 } }
  local arm = m:beam { "arm", from = { 0, 0 }, to = { L, 0 }, elements = 8, young = E, density = rho, area = A,
                       second_moment = I, damping = 1e-4 }
  m:clamp { arm.first, m.ground }
  for k, beta in ipairs { 1.8751040687119612, 4.694091132974175 } do
    local w = beta^2 * math.sqrt(E * I / (rho * A * L^4))
    check.near(m:linearize {}.modes[k].real / (-1e-4 * w^2 / 2), 1, 1e-3)
  end
end
do
  local m = mbs.model { "struck", gravity = { 0, 0 } }
  local arm = m:beam { "arm", from = { 0, 0 }, to = { L, 0 }, elements = 2, young = 1e7, density = 1000, area = A,
                       second_moment = I, angular_velocity = 3, damping = 0.01 }
  m:force { on = arm.last, law = function(s) return 0, mbs.where(mbs.lt(s.t, 0.2), 0.2, 0) end }
  local run = m:simulate { t = 1, integrator = mbs.radau { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 } }
  local mass = { { 156, 22, 54, -13 }, { 22, 4, 13, -3 }, { 54, 13, 156, -22 }, { -13, -3, -22, 4 } }
  local function momentum(t)
    local sum, l = 0, L / 2
    for e = 1, 2 do
      local q, v = {}, {}
      for _, node in ipairs { arm.nodes[e], arm.nodes[e + 1] } do
        for _, name in ipairs { "", "slope_" } do
          local k = #q + 1
          local scale = name == "" and 1 or l
          q[k] = { run:at(node[name .. "x"], t) * scale, run:at(node[name .. "y"], t) * scale }
          v[k] = { run:at(node["v" .. name .. "x"], t) * scale, run:at(node["v" .. name .. "y"], t) * scale }
        end
      end
      for i = 1, 4 do for j = 1, 4 do
        sum = sum + 1000 * A * l / 420 * mass[i][j] * (q[i][1] * v[j][2] - q[i][2] * v[j][1])
      end end
    end
    return sum
  end
  local before = momentum(0.21)
  check.near(momentum(0.5), before, 1e-7)
  check.near(momentum(1), before, 1e-7)
  assert(run:at("energy.total", 1) < 0.999 * run:at("energy.total", 0.21))
end

-- Sections by their sizes: areas, second moments and outermost fibres; derivatives by the sizes reach stresses.
do
  local m = mbs.model { "sections", gravity = { 0, 0 } }
  local h = m:param { "h", 0.01 }
  local leaf = mbs.rectangular_section { width = 0.03, height = h }
  check.near(leaf.area.value, 3e-4)
  check.near(leaf.second_moment.value / (0.03 * 0.01 ^ 3 / 12), 1)
  check.near(leaf.across.value / (0.01 * 0.03 ^ 3 / 12), 1)
  local tube = mbs.round_section { diameter = 0.03, inner_diameter = 0.02 }
  check.near(tube.area / (math.pi * (0.015 ^ 2 - 0.01 ^ 2)), 1)
  check.near(tube.second_moment / (math.pi / 4 * (0.015 ^ 4 - 0.01 ^ 4)), 1)
  check.near(tube.fibre, 0.015)
  check.equal(tube.across, nil)
  check.near(mbs.rectangular_section { width = 0.02 }.second_moment / (0.02 ^ 4 / 12), 1)
  local arm = m:beam { "arm", from = { 0, 0 }, to = { L, 0 }, elements = 3, young = E, density = rho, section = leaf }
  m:clamp { arm.first, m.ground }
  m:force { on = arm.last, law = function() return 0, -2 end }
  local stress = arm:station { 0 }.stress_left
  check.near(m:equilibrium {}:values(stress)[1] / (6 * 2 * L / (0.03 * 0.01 ^ 2)), 1, 1e-4)
  local g = m:gradient { m:objective { "stress", terminal = stress }, t = 1e-5, at_rest = true,
                         integrator = mbs.trapezoidal { step = 1e-5 } }
  -- Of 6 P L / (w h^2), as far as the state at rest is known, which starts have to the tolerance of positions.
  check.near(g.gradient[1] / (-12 * 2 * L / (0.03 * 0.01 ^ 3)), 1, 5e-3)
end

-- What turns gets stiffer: frequencies across the plane of a beam that turns about its clamped end, with the mass of its
-- nodes pulled outwards, against those of Wright, Smith, Thresher and Wang (1982) to all digits that they print; in the
-- plane, seen from the turning frame and without what Coriolis's forces do there, their squares are less by that of the
-- angular velocity.
for _, case in ipairs { { 2, 4.1373, 22.6149 }, { 5, 6.4495, 25.4461 }, { 12, 13.1702, 37.6031 } } do
  for _, kind in ipairs { "slender", "shear" } do
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local n, square = 16, case[1]^2
    local arm = m:beam { "arm", kind = kind, from = { 0, 0, 0 }, to = { 1, 0, 0 }, elements = n, young = 1e6, area = 1,
                         density = 1, second_moment = 1e-6, axial = kind == "slender" and "green" or nil,
                         torsion_constant = kind == "shear" and 2e-6 or nil }
    if kind == "slender" then m:clamp { arm.first, m.ground } else m:weld { m.ground, arm.first, at = { 0, 0, 0 } } end
    local weights = { 3 / 8, 7 / 6, 23 / 24 }
    for k = 2, n + 1 do
      local mass = (weights[k] or weights[n + 2 - k] or 1) / n
      m:force { on = arm.nodes[k], law = function(s) return mass * square * s.x, mass * square * s.y, 0 end }
    end
    local found = {}
    for _, mode in ipairs(m:linearize { from = m:equilibrium {} }.modes) do
      if mode.frequency > 0.1 then found[#found + 1] = 2 * math.pi * mode.frequency end
    end
    table.sort(found)
    check.near(found[2] / case[2], 1, 1e-4, kind)
    check.near(found[4] / case[3], 1, 1e-4, kind)
    check.near(found[1] / (case[2]^2 - square)^0.5, 1, 1e-3, kind)
  end
end
