-- Terrain given by tables: bicubic splines against products of splines, contacts and tires on them, gradients over
-- heights.
local mbs = require "perilune"
local check = require "check"

local g = 9.81
local function first(m, signal) return m:simulate { t = 1e-6, integrator = mbs.rk4 { step = 1e-6 } }:at(signal, 0) end
local steel = mbs.hunt_crossley { stiffness = 1e5, dissipation = 0.1 }

-- A table of products is the product of two splines, everywhere; a bilinear one is reproduced.
local x, y = { -1, 0, 0.5, 2 }, { -1, 0.3, 1 }
local f, h = { 0.3, -0.2, 0.5, 0.1 }, { 0.4, 1, -0.3 }
local along, across = mbs.spline { x = x, y = f }, mbs.spline { x = y, y = h }
local function table_of(height)
  local rows = {}
  for i = 1, #x do
    rows[i] = {}
    for j = 1, #y do rows[i][j] = height(i, j) end
  end
  return rows
end
local product = mbs.bicubic_spline { x = x, y = y, z = table_of(function(i, j) return f[i] * h[j] end) }
local flat = mbs.bicubic_spline { x = x, y = y,
                                  z = table_of(function(i, j) return 1 + 2 * x[i] - 3 * y[j] + x[i] * y[j] end) }
for _, u in ipairs { -3, -1, -0.4, 0, 0.2, 0.5, 1.7, 2, 5 } do
  for _, v in ipairs { -2, -1, -0.1, 0.3, 0.8, 1, 4 } do
    check.near(product(u, v), along(u) * across(v), 1e-13)
    check.near(flat(u, v), 1 + 2 * u - 3 * v + u * v, 1e-12)
  end
end
check.equal(tostring(product), "bicubic spline of 4 x 3 heights")
check.equal(product.z[2][3], f[2] * h[3])

-- A contact and a tire on the table are those on the law: motions, and the derivatives of their elements. So are those
-- on a table with parameters, whose gradients agree by three methods.
local function roll(height, kind)
  local m = mbs.model { gravity = { 0, 0, -g } }
  local p = m:param { "p", f[2] * h[2] }
  local X = m:body { "X", mass = 1, inertia = { 0.02, 0.03, 0.04 }, at = { 0.1, 0.2, 0.41 },
                     velocity = { 3, 0.2, 0 }, angular_velocity = { 0, 8, 0 } }
  if kind == "tire" then
    m:tire { "c", m.ground, X, radius = 0.6, stiffness = 2e3, friction = 0.5, least_speed = 2, critical_slip = 0.5,
             height = height(p) }
  else
    m:contact { "c", m.ground, X, [kind] = kind == "radius" and 0.3 or { 0.3, 0.25, 0.2 }, height = height(p),
                normal = steel, friction = mbs.coulomb { coefficient = 0.3, regularization = 0.1 } }
  end
  return m, X
end
for _, kind in ipairs { "radius", "semi_axes", "tire" } do
  local ends = {}
  local with_parameter = table_of(function(i, j) return f[i] * h[j] end)
  for i, height in ipairs {
    function() return function(s) return along(s.x) * across(s.y) end end,
    function() return product end,
    function(p)
      with_parameter[2][2] = p
      return mbs.bicubic_spline { x = x, y = y, z = with_parameter }
    end,
    function(p)
      local surface = mbs.bicubic_spline { x = x, y = y, z = with_parameter }
      return function(s) return surface(s.x, s.y) + 0 * p end
    end,
  } do
    local ok, m, X = pcall(roll, height, kind)
    if i == 4 then
      check.equal(ok, false)  -- the table belongs to another model
    else
      assert(ok, m)
      check.near(m:check_elements().worst, 0, 1e-9)
      local run = m:simulate { t = 0.3, integrator = mbs.rk4 { step = 2.5e-4 }, formulation = mbs.index1 {} }
      ends[i] = { run:at("X.x", 0.3), run:at("X.z", 0.3), run:at("X.omega_y", 0.3) }
      if i == 3 then
        local motion = m:objective { "motion", terminal = X.x + X.vz }
        local got = {}
        for k, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.finite_difference { step = 1e-6 } } do
          got[k] = m:gradient { motion, t = 0.3, formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 2.5e-4 },
                                method = method }.gradient[1]
        end
        assert(math.abs(got[1]) > 1e-3)
        check.near(got[2], got[1], 1e-10)
        check.near(got[3], got[1], 1e-4)
      end
    end
  end
  for k = 1, 3 do
    check.near(ends[2][k], ends[1][k], 1e-9)
    check.near(ends[3][k], ends[1][k], 1e-9)
  end
end

-- Along one axis: a spline is a table of a planar model, and in space of what does not change across.
for dimension = 2, 3 do
  local m = mbs.model { gravity = dimension == 2 and { 0, -g } or { 0, 0, -g } }
  local P = m:point { "P", mass = 1, at = dimension == 2 and { 0.7, 1 } or { 0.7, 3, 1 } }
  local floor = m:contact { m.ground, P, height = along, normal = steel }
  check.near(first(m, floor.gap), (1 - along(0.7)) / math.sqrt(1 + along:slope(0.7) ^ 2))
end

-- What makes no sense.
local function fails(text, z, xs, ys)
  check.fails(text, function() mbs.bicubic_spline { x = xs or { 0, 1 }, y = ys or { 0, 1 }, z = z } end)
end
fails("x must increase; number 2 is not above the one before", { { 0, 0 }, { 0, 0 } }, { 0, 0 })
fails("y needs at least 2 numbers, not 1", { { 0 }, { 0 } }, nil, { 0 })
fails("z must have one row for each x, so 2, not 3", { { 0, 0 }, { 0, 0 }, { 0, 0 } })
fails("row 2 of z must have one height for each y, so 2, not 3", { { 0, 0 }, { 0, 0, 0 } })
fails("z[2] must be a list of numbers, got", { { 0, 0 }, 3 })
fails("z[2][1] must be", { { 0, 0 }, { 0 / 0, 0 } })
fails("z[1][2] must be", { { 0, "a" }, { 0, 0 } })
do
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", mass = 1, at = { 0, 1 } }
  check.fails("the model is planar", m.contact, m, { m.ground, P, height = product, normal = steel })
  check.fails("height must be a function of the place, or a table", m.contact, m,
              { m.ground, P, height = 3, normal = steel })
end
print "terrain: ok"
