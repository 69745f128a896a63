-- What rolls without slip on balls, cylinders and terrain, and where it ceases to: closed forms.
local mbs = require "perilune"
local check = require "check"
local rolls = require "rolls"
local has, precisely = rolls.has, rolls.precisely
local pose, slip_of, no_warnings = rolls.pose, rolls.slip_of, rolls.no_warnings
local g = 9.81

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
    local run = m:simulate { t = 3, stop = -roll.normal_force, integrator = rolls.precise }
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
    { { cylinder = 1, axis = { 0.2, 1, 0.1 } }, { 1.3, 0, 0.2 } },
    { { cylinder = 1, axis = { 0.2, 0.3, 1 }, crown = 0.1 }, { 1.3, 0, 0.2 } },
    { { cylinder = 1, axis = { 0.2, 1, 0.3 }, crown = 0.1, inside = true }, { 0.7, 0, 0.2 } },
    { { axis = { 0.1, 1, 0.2 }, height = function(s) return 0.05 * math.sin(s.x) * s.y end }, { 0, 0, 0.3 } },
    { { axis = { 0.1, 1, 0.2 }, crown = 0.1, height = function(s) return 0.05 * math.sin(s.x) * s.y end },
      { 0, 0, 0.3 } },
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
