-- Mass properties of solids, bodies made of them, and gradients through their dimensions.
local mbs = require "perilune"
local check = require "check"

local function list(got, expected)
  check.equal(#got, #expected)
  for i, value in ipairs(expected) do check.near(got[i], value, 1e-14, "item " .. i) end
end

-- Formulas, each written out on its own.
local box = mbs.box { mass = 6, size = { 1, 2, 3 } }
check.equal(box.mass, 6)
list(box.center_of_mass, { 0, 0, 0 })
list(box.inertia, { 6.5, 5, 2.5, 0, 0, 0 })
check.near(mbs.box { density = 2, size = { 1, 2, 3 } }.mass, 12)
list(mbs.rod { mass = 12, length = 2 }.inertia, { 0, 4, 4, 0, 0, 0 })
check.near(mbs.rod { density = 3, length = 2, axis = "z" }.mass, 6)
list(mbs.cylinder { mass = 12, radius = 2, length = 3, axis = "y" }.inertia, { 21, 24, 21, 0, 0, 0 })
list(mbs.cylinder { mass = 12, radius = 2, inner_radius = 1, length = 3 }.inertia, { 30, 24, 24, 0, 0, 0 })
check.near(mbs.cylinder { density = 5, radius = 2, inner_radius = 1, length = 3 }.mass, 45 * math.pi)
list(mbs.sphere { mass = 5, radius = 2 }.inertia, { 8, 8, 8, 0, 0, 0 })
check.near(mbs.sphere { density = 3, radius = 2 }.mass, 32 * math.pi)

-- A quarter turn about z exchanges x and y; a turn by 45 degrees mixes them into a product.
local turned = mbs.box { mass = 6, size = { 1, 2, 3 }, at = { 4, 5, 6 }, orientation = { 1, 0, 0, 1 } }
list(turned.center_of_mass, { 4, 5, 6 })
list(turned.inertia, { 5, 6.5, 2.5, 0, 0, 0 })
local slanted = mbs.box { mass = 6, size = { 1, 2, 3 }, orientation = { math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8) } }
list(slanted.inertia, { 5.75, 5.75, 2.5, 0.75, 0, 0 })

-- Parts make the whole: two halves of a box, and a place within a larger assembly.
local whole = mbs.assembly {
  mbs.box { density = 1, size = { 0.5, 2, 3 }, at = { 0.25, 1, 0 } },
  mbs.box { density = 1, size = { 0.5, 2, 3 }, at = { 0.75, 1, 0 } },
}
check.near(whole.mass, 6)
list(whole.center_of_mass, { 0.5, 1, 0 })
list(whole.inertia, { 6.5, 5, 2.5, 0, 0, 0 })
local dumbbell = mbs.assembly { -- two points at (1, 1, 0) and (-1, -1, 0): Jxy = -2 m
  { mass = 3, center_of_mass = { 1, 1, 0 }, inertia = { 0, 0, 0, 0, 0, 0 } },
  { mass = 3, center_of_mass = { -1, -1, 0 }, inertia = { 0, 0, 0, 0, 0, 0 } },
}
list(dumbbell.inertia, { 6, 6, 12, -6, 0, 0 })

-- Dimensions may be parameters, also in assemblies, and the numbers follow.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local L = m:param { "L", 2 }
  local part = mbs.box { density = 3, size = { L, 0.5, 0.2 }, at = { L / 2, 0, 0 } }
  check.near(part.mass.value, 0.6)
  check.near(part.inertia[3].value, 0.6 * (4 + 0.25) / 12)
  local both = mbs.assembly { part, mbs.sphere { mass = 1, radius = 0.1, at = { L, 0, 0 } } }
  check.near(both.center_of_mass[1].value, (0.6 * 1 + 1 * 2) / 1.6)
  L.value = 4
  check.near(part.mass.value, 1.2)
  check.near(both.center_of_mass[1].value, (1.2 * 2 + 1 * 4) / 2.2)
  local body = m:body { "hammer", inertia_of = both }
  check.equal(body.mass.value, both.mass.value)
  assert(m:signal "hammer.com_x")
end

-- A body without an offset has no signals of its centre of mass.
do
  local m = mbs.model {}
  local arm = m:body { "arm", mass = 1, inertia = 1, center_of_mass = { 0, 0 } }
  check.fails("has no field or method 'com_x'", function() return arm.com_x end)
  local other = m:body { "other", mass = 1, inertia = 1, center_of_mass = { 0.5, 0 }, at = { 1, 0 } }
  assert(other.com_x and other.com_y)
end

-- A hanging plate, released: the derivative of its angular acceleration with respect to its edge, against the formula.
-- Edge L, density per area: alpha = -m g (L / 2) / (m (L^2 + h^2) / 12 + m L^2 / 4) = -6 g L / (4 L^2 + h^2).
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L = m:param { "L", 0.8 }
  local h, g = 0.3, 9.81
  local plate = m:body { "plate", inertia_of = mbs.box { density = 50, size = { L, h, 0.02 }, at = { L / 2, 0, 0 } } }
  m:coincidence { m:ground { at = { 0, 0 } }, plate }
  local cost = m:objective { "alpha", terminal = plate.alpha }
  local run = m:simulate { t = 1e-6, integrator = mbs.rk4 { step = 1e-6 }, formulation = mbs.index1 {} }
  check.near(run:values("plate.alpha")[1], -6 * g * 0.8 / (4 * 0.64 + 0.09), 1e-12)
  local grad = m:gradient { cost, over = { L }, method = mbs.adjoint {} }.gradient
  check.near(grad[1], -6 * g * (0.09 - 4 * 0.64) / (4 * 0.64 + 0.09) ^ 2, 1e-8)
end

-- The same through a motion in space, against extrapolated differences, for both kinds of spatial bodies.
for _, kind in ipairs { "body", "natural_body" } do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local L, r = m:param { "L", 0.7 }, m:param { "r", 0.08 }
  local solid = mbs.assembly {
    mbs.box { density = 400, size = { L, 0.1, 0.05 }, at = { L / 2, 0.02, 0 }, orientation = { 1, 0.2, 0.1, 0 } },
    mbs.cylinder { density = 900, radius = r, length = 0.2, at = { L, 0, 0.05 }, axis = "z" },
  }
  local top = m[kind](m, { "top", inertia_of = solid, angular_velocity = { 3, 1, 5 } })
  m:spherical { "ball", m.ground, top, at = { 0, 0, 0 } }
  m:force { "brake", on = top:point { L, 0, 0 }, law = function(s) return -s.vx, -s.vy, -s.vz end,
    torque = function(s) return 0.1, -0.05 * s.omega_x, 0 end }
  local cost = m:objective { "cost", integral = top.com_z ^ 2 + 0.1 * top.omega_y ^ 2 }
  m:simulate { t = 0.4, integrator = mbs.rk4 { step = 2e-3 }, formulation = mbs.index1 {} }
  local adjoint = m:gradient { cost, over = { L, r }, method = mbs.adjoint {} }
  local direct = m:gradient { cost, over = { L, r }, method = mbs.direct {} }
  local differences = m:gradient { cost, over = { L, r }, method = mbs.finite_difference { richardson = 2 } }
  for _, name in ipairs { "L", "r" } do
    check.near(adjoint.by_name[name], direct.by_name[name], 1e-10, kind .. " " .. name)
    check.near(adjoint.by_name[name], differences.by_name[name], 1e-7, kind .. " " .. name)
  end
end
