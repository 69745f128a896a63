-- Ellipsoids in contact: where they touch, small oscillations in closed form, energy, derivatives, gradients.
local mbs = require "perilune"
local check = require "check"

local g = 9.81
local fine = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
local steel = mbs.hunt_crossley { stiffness = 1e5, dissipation = 0.1 }
local function first(m, signal) return m:simulate { t = 1e-6, integrator = mbs.rk4 { step = 1e-6 } }:at(signal, 0) end

-- An ellipse (planar) and an ellipsoid (in space) rock on a floor about their flat side: on ice their centre only rises
-- and falls, with static friction they roll.
--   V = m g sqrt(a^2 sin^2 + b^2 cos^2), so V'' = m g (a^2 - b^2) / b; the inertia is I, or I + m b^2
local a, b, mass, inertia = 0.5, 0.2, 3, 0.25
for _, rolls in ipairs { false, true } do
  local friction = rolls and mbs.static_friction { stiffness = 1e8, damping = 1e-3 } or nil
  local normal = mbs.kelvin_voigt { stiffness = 1e8 }
  local depth = mass * g / 1e8
  local function frequencies(m)
    local found = {}
    for _, mode in ipairs(m:linearize {}.modes) do found[#found + 1] = 2 * math.pi * mode.frequency end
    return found
  end
  local function expect(m, w)
    local nearest = math.huge
    for _, x in ipairs(frequencies(m)) do nearest = math.min(nearest, math.abs(x / w - 1)) end
    check.near(nearest, 0, 2e-6, "rocking" .. (rolls and " and rolling" or ""))
  end
  local m = mbs.model { gravity = { 0, -g } }
  local X = m:body { "X", mass = mass, inertia = inertia, at = { 0, b - depth } }
  m:contact { "floor", m.ground, X, semi_axes = { a, b }, normal = normal, friction = friction }
  expect(m, math.sqrt(mass * g * (a ^ 2 - b ^ 2) / b / (inertia + (rolls and mass * b ^ 2 or 0))))
  m = mbs.model { gravity = { 0, 0, -g } }
  local c = 0.3
  X = m:body { "X", mass = mass, inertia = { 0.1, inertia, 0.3 }, at = { 0, 0, b - depth } }
  m:contact { "floor", m.ground, X, semi_axes = { a, c, b }, normal = normal, friction = friction }
  expect(m, math.sqrt(mass * g * (a ^ 2 - b ^ 2) / b / (inertia + (rolls and mass * b ^ 2 or 0))))
  expect(m, math.sqrt(mass * g * (c ^ 2 - b ^ 2) / b / (0.1 + (rolls and mass * b ^ 2 or 0))))
end

-- Where it touches: a turned ellipse on a plane, a ball beside an ellipsoid, and a terrain like a bowl, against the
-- nearest of many points.
do
  local turn = 0.4
  local m = mbs.model { gravity = { 0, -g } }
  local X = m:body { "X", mass = mass, inertia = inertia, at = { 0, 0.45 }, angle = turn, angular_velocity = 3,
                     velocity = { 2, 0 } }
  local floor = m:contact { "floor", m.ground, X, semi_axes = { a, b }, normal = steel,
                            friction = mbs.coulomb { coefficient = 0.3 } }
  local height = math.sqrt((a * math.sin(turn)) ^ 2 + (b * math.cos(turn)) ^ 2)
  check.near(first(m, floor.gap), 0.45 - height)
  -- the lowest point is this far ahead of the centre
  local ahead = (b ^ 2 - a ^ 2) * math.sin(turn) * math.cos(turn) / height
  check.near(first(m, floor.slip_x), 2 + 3 * height, 1e-9)
  m = mbs.model { gravity = { 0, -g } }
  X = m:body { "X", mass = mass, inertia = inertia, at = { 0, height - 0.01 }, angle = turn }
  m:contact { "floor", m.ground, X, semi_axes = { a, b }, normal = mbs.hertz { stiffness = 1e5 } }
  check.near(first(m, X.alpha), 1e5 * 0.01 ^ 1.5 * ahead / inertia, 1e-9)
end
for _, case in ipairs { { 0.3, 1, 2, -0.1 }, { 1, 0, 0, -0.01 }, { 0.1, 0.1, 1, 0.5 }, { -2, 1, 0.2, 3 } } do
  local s, u, length, normal, size = { 0.6, 0.3, 0.15 }, { table.unpack(case, 1, 3) }, 0, {}, 0
  for k = 1, 3 do length = length + u[k] ^ 2 end
  for k = 1, 3 do normal[k] = u[k] / s[k]; size = size + normal[k] ^ 2 end
  local centre, foot, n = {}, {}, {}
  for k = 1, 3 do
    foot[k], n[k] = s[k] * u[k] / math.sqrt(length), normal[k] / math.sqrt(size)
    centre[k] = foot[k] + (0.8 + case[4]) * n[k]  -- of a ball of radius 0.8
  end
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local egg = m:body { "egg", mass = 1, inertia = { 0.1, 0.2, 0.3 }, angular_velocity = { 1, 2, 3 } }
  local hit = m:contact { "hit", m:ground { at = centre }, egg, ball = 0.8, semi_axes = s, normal = steel,
                          friction = mbs.coulomb { coefficient = 0.3 } }
  check.near(first(m, hit.gap), case[4], 1e-11)
  local v = { 2 * foot[3] - 3 * foot[2], 3 * foot[1] - foot[3], foot[2] - 2 * foot[1] }
  local along = v[1] * n[1] + v[2] * n[2] + v[3] * n[3]
  for k, axis in ipairs { "x", "y", "z" } do check.near(first(m, hit["slip_" .. axis]), v[k] - along * n[k], 1e-10) end
end
do
  local R, turn, x = 2, 0.3, 0.7
  local function bowl(at) return R - math.sqrt(R ^ 2 - at ^ 2) end
  local function distance(y)  -- of the bowl from the ellipse: both are convex, seen from the inside
    local nearest = math.huge
    for i = 0, 400000 do
      local u = 2 * math.pi * i / 400000
      local px, py = a * math.cos(u), b * math.sin(u)
      local qx, qy = x + px * math.cos(turn) - py * math.sin(turn), y + px * math.sin(turn) + py * math.cos(turn)
      nearest = math.min(nearest, R - math.sqrt(qx ^ 2 + (qy - R) ^ 2))
    end
    return nearest
  end
  local low, high = bowl(x), bowl(x) + 1
  for _ = 1, 20 do
    local middle = (low + high) / 2
    if distance(middle) < -0.02 then low = middle else high = middle end
  end
  local m = mbs.model { gravity = { 0, -g } }
  local X = m:body { "X", mass = mass, inertia = inertia, at = { x, low }, angle = turn }
  local floor = m:contact { m.ground, X, semi_axes = { a, b }, normal = steel,
                            height = function(s) return bowl(s.x) end }
  check.near(first(m, floor.gap), distance(low), 1e-9)
end

-- An ellipsoid with equal axes is a sphere: on a plane, on a terrain, and on a ball.
for _, surface in ipairs {
  { axis = { 0.1, 0, 1 } }, { ball = 1 }, { height = function(s) return 0.3 * s.x ^ 2 + 0.1 * math.sin(3 * s.y) end },
} do
  local ends = {}
  for i, round in ipairs { { radius = 0.2 }, { semi_axes = { 0.2, 0.2, 0.2 } } } do
    local m = mbs.model { gravity = { 0, 0, -g } }
    local X = m:body { "X", mass = 1, inertia = { 0.02, 0.03, 0.04 }, at = { 0.1, 0.2, surface.ball and 1.3 or 0.4 },
                       velocity = { 0.5, 0, 0 }, angular_velocity = { 1, 2, 3 } }
    local fields = { "c", m.ground, X, normal = steel, friction = mbs.coulomb { coefficient = 0.3 } }
    for _, more in ipairs { surface, round } do
      for k, v in pairs(more) do fields[k] = v end
    end
    m:contact(fields)
    local run = m:simulate { t = 0.4, formulation = mbs.index1 {}, integrator = fine }
    ends[i] = { run:at("X.x", 0.4), run:at("X.z", 0.4), run:at("X.omega_y", 0.4), run:at("c.normal_force", 0.2) }
  end
  for k = 1, 4 do check.near(ends[1][k], ends[2][k], 1e-6) end
end

-- Tumbling on every surface: nothing is lost without friction; with it, what is lost is the dissipation. Derivatives of
-- the element, and gradients over the semi-axes by two methods and by differences.
local hill = mbs.hertz { stiffness = 5e4 }
local surfaces = {
  { "plane", {} },
  { "terrain", { height = function(s) return 0.1 * s.x ^ 2 - 0.05 * s.x + 0.03 * math.sin(3 * s.x) end } },
  { "ball", { ball = 3 } },
}
for _, case in ipairs(surfaces) do
  for dimension = 2, 3 do
    for _, friction in ipairs { false, mbs.coulomb { coefficient = 0.4, regularization = 0.05 } } do
      local planar = dimension == 2
      local m = mbs.model { gravity = planar and { 0, -g } or { 0, 0, -g } }
      local p, q = m:param { "p", 0.3 }, m:param { "q", 0.15 }
      local up = case[1] == "ball" and 3.3 or 0.35
      local X = m:body { "X", mass = 1, inertia = planar and 0.03 or { 0.02, 0.03, 0.04 },
                         at = planar and { 0.05, up } or { 0.05, 0.02, up }, velocity = planar and { 0.3, 0 } or nil,
                         angular_velocity = planar and 2 or { 1, 2, 0.5 } }
      local fields = { "c", planar and m.ground or m:ground { at = { 0, 0, 0 } }, X,
                       semi_axes = planar and { p, q } or { p, 0.2, q }, normal = hill, friction = friction or nil }
      for k, v in pairs(case[2]) do fields[k] = v end
      m:contact(fields)
      check.near(m:check_elements().worst, 0, 1e-9, case[1])
      local lost = m:objective { "lost", integral = m:signal "c.dissipation" }
      local motion = m:objective { "motion", terminal = X.x + 0.1 * X.vx }
      local run = m:simulate { t = 0.6, objectives = { lost }, formulation = mbs.index1 {}, integrator = fine }
      local energy = run:values "energy.total"
      assert(#run.events > 1 and (not friction or run.objectives.lost > 0.01))
      check.near(energy[#energy] + run.objectives.lost, energy[1], 1e-7, case[1] .. " energy")
      if friction then
        local got = {}
        for i, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.finite_difference { step = 1e-6 } } do
          got[i] = m:gradient { motion, t = 0.2, formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 2e-4 },
                                method = method }.gradient
        end
        for k = 1, 2 do
          assert(math.abs(got[1][1]) + math.abs(got[1][2]) > 1e-3)
          check.near(got[2][k], got[1][k], 1e-10)
          check.near(got[3][k], got[1][k], 1e-5)
        end
      end
    end
  end
end

-- What makes no sense.
do
  local m = mbs.model { gravity = { 0, 0, -g } }
  local X = m:body { "X", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 1 } }
  local P = m:point { "P", mass = 1, at = { 0, 0, 1 } }
  local function fails(text, fields)
    fields[1], fields.normal = m.ground, fields.normal or steel
    fields[2] = fields[2] or X
    check.fails(text, m.contact, m, fields)
  end
  fails("has no axes for an ellipsoid", { nil, P, semi_axes = { 1, 1, 1 } })
  fails("either a radius or semi_axes", { semi_axes = { 1, 1, 1 }, radius = 1 })
  fails("semi_axes must have 3 components", { semi_axes = { 1, 1 } })
  fails("semi_axes[2] must be positive", { semi_axes = { 1, 0, 1 } })
  fails("starts 1.5 m deep", { semi_axes = { 1, 1, 2.5 } })
  fails("modulus", { semi_axes = { 1, 1, 1 }, normal = mbs.hertz { modulus = 1e9 } })
end
print "ellipsoid: ok"
