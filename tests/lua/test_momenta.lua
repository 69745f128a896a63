-- Linear and angular momentum of a model against closed forms: every kind of body, at any place and attitude.
local mbs = require "perilune"
local check = require "check"

local function at_start(m, names)
  local run, out = m:simulate { t = 1e-3, integrator = mbs.rk4 { step = 1e-3 } }, {}
  for i, name in ipairs(names) do out[i] = run:values(name)[1] end
  return out
end
local function near(got, expected)
  for i, x in ipairs(expected) do check.near(got[i], x, 1e-12, "number " .. i) end
end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
local plane, space = { "momentum.x", "momentum.y", "angular_momentum.z" },
                     { "momentum.x", "momentum.y", "momentum.z", "angular_momentum.x", "angular_momentum.y", "angular_momentum.z" }

-- In the plane: a point, a body, one with its centre of mass off the reference point, a bar, one with a fixed end.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  m:point { "P", at = { 1, 2 }, velocity = { 3, -1 }, mass = 2 }
  near(at_start(m, plane), { 6, -2, 2 * (1 * -1 - 2 * 3) })
end
do
  local m = mbs.model { gravity = { 0, 0 } }
  m:body { "b", mass = 2, inertia = 0.3, at = { 1, 2 }, angle = 0.4, velocity = { 3, -1 }, angular_velocity = 5 }
  near(at_start(m, plane), { 6, -2, 2 * (1 * -1 - 2 * 3) + 0.3 * 5 })
end
do
  local m = mbs.model { gravity = { 0, 0 } }
  m:body { "b", mass = 2, inertia = 0.3, at = { 1, 2 }, angle = 0.4, velocity = { 3, -1 }, angular_velocity = 5,
           center_of_mass = { 0.5, 0 } }
  local c, s = 0.5 * math.cos(0.4), 0.5 * math.sin(0.4)
  local vx, vy = 3 - 5 * s, -1 + 5 * c
  near(at_start(m, plane), { 2 * vx, 2 * vy, 2 * ((1 + c) * vy - (2 + s) * vx) + 0.3 * 5 })
end
do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1, 0 }, velocity = { 0, 2 } }
  m:bar { "free", P, m:point { "Q", at = { 3, 0 }, velocity = { 0, 6 } }, mass = 1.2 }
  -- It turns about the origin with 2 rad/s: 2 m (a^2 + a b + b^2) / 3.
  near(at_start(m, plane), { 0, 1.2 * 4, 2 * 1.2 * (1 + 3 + 9) / 3 })
end
do
  local m = mbs.model { gravity = { 0, 0 } }
  m:bar { "held", m:ground { at = { 0.5, 0 } }, m:point { "P", at = { 2.5, 0 }, velocity = { 0, 4 } }, mass = 1.5 }
  near(at_start(m, plane), { 0, 1.5 * 2, 2 * 1.5 * 4 / 3 + 0.5 * 1.5 * 2 })
end

-- In space: bodies with Euler parameters and in natural coordinates, turned, with and without an offset.
for _, kind in ipairs { "body", "natural_body" } do
  for _, offset in ipairs { { 0, 0, 0 }, { 0.1, -0.2, 0.3 } } do
    local m = mbs.model { gravity = { 0, 0, -9.81 } }
    local r, v, w, J = { 1, 2, 3 }, { 0.3, -0.4, 0.5 }, { 1, -2, 3 }, { 0.2, 0.3, 0.4 }
    local a = math.rad(90) -- about z: the body's x axis is y of space, its y axis -x
    m[kind](m, { "b", mass = 2, inertia = J, at = r, velocity = v, angular_velocity = { w[2], -w[1], w[3] },
                 orientation = { math.cos(a / 2), 0, 0, math.sin(a / 2) },
                 center_of_mass = offset[1] ~= 0 and offset or nil })
    local c = { -offset[2], offset[1], offset[3] }
    local p = cross(w, c)
    for k = 1, 3 do p[k] = 2 * (v[k] + p[k]) end
    local L = cross({ r[1] + c[1], r[2] + c[2], r[3] + c[3] }, p)
    local turned = { J[2], J[1], J[3] }
    for k = 1, 3 do L[k] = L[k] + turned[k] * w[k] end
    near(at_start(m, space), { p[1], p[2], p[3], L[1], L[2], L[3] })
  end
end

-- A beam that turns about its end: rho A L^2 w / 2 and rho A L^3 w / 3; also about an axis through the origin.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  m:beam { "arm", from = { 0, 0, 0 }, to = { 0, 1.5, 0 }, elements = 3, young = 1e9, density = 1000, area = 1e-4,
           second_moment = 1e-9, angular_velocity = { 0, 0, 4 } }
  near(at_start(m, space), { -0.1 * 1.5 ^ 2 * 4 / 2, 0, 0, 0, 0, 0.1 * 1.5 ^ 3 * 4 / 3 })
end
