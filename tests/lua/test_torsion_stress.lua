-- Shear stress of torsion: closed forms of circles and tubes, printed values of rectangles (Timoshenko and Goodier,
-- Theory of Elasticity, section 109; Roark), von Mises' stress, and derivatives by the sizes of sections.
local mbs = require "perilune"
local check = require "check"
local pi = math.pi

-- k1 and k2 of the table for sides in these ratios: T = k1 G theta w^3 h, tau = T / (k2 w^2 h).
local printed = { { 1, 0.1406, 0.208 }, { 1.2, 0.166, 0.219 }, { 1.5, 0.196, 0.231 }, { 2, 0.229, 0.246 },
                  { 2.5, 0.249, 0.258 }, { 3, 0.263, 0.267 }, { 4, 0.281, 0.282 }, { 5, 0.291, 0.291 }, { 10, 0.312, 0.312 } }
for _, row in ipairs(printed) do
  local ratio, k1, k2 = table.unpack(row)
  local w, h = 0.01, 0.01 * ratio
  for _, section in ipairs { mbs.rectangular_section { width = w, height = h }, mbs.rectangular_section { width = h, height = w } } do
    check.near(section.torsion_constant / (h * w^3), k1, 6e-4)
    check.near(section.torsion_modulus / (h * w^2), k2, 6e-4)
  end
end
-- More digits: 0.140577 and 0.208157 for squares, 0.2459 where one side is twice the other; thin strips w^2 h / 3
-- less what their ends lack, 0.63 w of the length (Roark).
local square = mbs.rectangular_section { width = 0.02 }
check.near(square.torsion_constant / 0.02^4, 0.1405770, 1e-7)
check.near(square.torsion_modulus / 0.02^3, 0.2082, 5e-5)
check.near(mbs.rectangular_section { width = 1, height = 2 }.torsion_modulus / 2, 0.2459, 5e-5)
local strip = mbs.rectangular_section { width = 1e-3, height = 1 }
check.near(strip.torsion_constant / (1e-9 / 3), 1 - 0.630249 * 1e-3, 1e-9)
check.near(strip.torsion_modulus / (1e-6 / 3), 1 - 0.630249 * 1e-3, 1e-9)
-- The stress in the middle of a side by Prandtl's function on a grid, whose error falls with the square of its width:
-- extrapolated. It shares nothing with the series.
local function by_grid(ratio, n)
  local h, nx = 1 / n, math.floor(ratio * n + 0.5)
  local f = {}
  for i = 0, nx do f[i] = {} for j = 0, n do f[i][j] = 0 end end
  local omega = 2 / (1 + math.sin(pi / n))
  for _ = 1, 14 * n do
    for i = 1, nx - 1 do
      for j = 1, n - 1 do
        f[i][j] = f[i][j] + omega * ((f[i - 1][j] + f[i + 1][j] + f[i][j - 1] + f[i][j + 1] + 2 * h^2) / 4 - f[i][j])
      end
    end
  end
  local torque, middle = 0, nx // 2
  for i = 1, nx - 1 do for j = 1, n - 1 do torque = torque + 2 * f[i][j] * h^2 end end
  return torque / ((4 * f[middle][1] - f[middle][2]) / (2 * h))  -- the slope at the edge, to the second order
end
do
  local coarse, fine = by_grid(1.5, 32), by_grid(1.5, 64)
  local W = mbs.rectangular_section { width = 1, height = 1.5 }.torsion_modulus
  check.near(W / ((4 * fine - coarse) / 3), 1, 2e-4)
end

-- A shaft under torque, moment and pull: tau = T r / J, sigma = M r / I + F / A.
local function shaft(section, extra)
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local fields = { "shaft", kind = "shear", from = { 0, 0, 0 }, to = { 0.5, 0, 0 }, elements = 4, young = 2e11, density = 7800,
                   section = section }
  for key, value in pairs(extra or {}) do fields[key] = value end
  local arm = m:beam(fields)
  m:weld { m.ground, arm.first, at = { 0, 0, 0 } }
  m:force { on = arm.last, force = { 0.5, 0, 0 }, torque = { -0.03, 0, 0.02 } }
  return m, arm
end
for _, inner in ipairs { 0, 0.8 } do
  local d = 0.02
  local m, arm = shaft(mbs.round_section { diameter = d, inner_diameter = inner * d })
  local rest, root = m:equilibrium {}, arm:station { 0 }
  local function at(x) return rest:values(x)[1] end
  local I, A = pi / 64 * d^4 * (1 - inner^4), pi / 4 * d^2 * (1 - inner^2)
  local tau, sigma = -0.03 * d / 2 / (2 * I), 0.02 * d / 2 / I + 0.5 / A
  check.near(at(root.torsion_stress) / tau, 1, 1e-4)
  check.near(at(root.stress_most) / sigma, 1, 1e-4)
  check.near(at(root.von_mises) / math.sqrt(sigma^2 + 3 * tau^2), 1, 1e-4)
  -- Compression counts as much.
  m:force { on = arm.last, force = { -1, 0, 0 } }
  rest = m:equilibrium {}
  check.near(at(root.von_mises) / math.sqrt(sigma^2 + 3 * tau^2), 1, 1e-4)
end
-- A rectangle, and numbers in place of a section.
do
  local w, h = 0.01, 0.02
  local m, arm = shaft(mbs.rectangular_section { width = w, height = h }, { up = { 0, 1, 0 } })
  local rest = m:equilibrium {}
  local tau = -0.03 / (0.2459 * h * w^2)
  check.near(rest:values(arm:station { 0.3 }.torsion_stress)[1] / tau, 1, 2e-4)
  local sigma = 0.02 * h / 2 / (w * h^3 / 12) + 0.5 / (w * h)
  check.near(rest:values(arm:station { 0.3 }.von_mises)[1] / math.sqrt(sigma^2 + 3 * tau^2), 1, 3e-4)
  local n, plain = shaft(nil, { area = 1e-4, second_moment = 1e-8, torsion_constant = 1.5e-8, torsion_modulus = 2e-6 })
  check.near(n:equilibrium {}:values(plain:station { 0.5 }.torsion_stress)[1] / (-0.03 / 2e-6), 1, 1e-4)
  check.fails("has no von_mises: its section does not say where its fibres are", function() return plain:station { 0.5 }.von_mises end)
  check.near(n:equilibrium {}:values(plain:station { 0.5, fibre = 0.01 }.von_mises)[1]
             / math.sqrt((0.02 * 0.01 / 1e-8 + 0.5 / 1e-4)^2 + 3 * (0.03 / 2e-6)^2), 1, 1e-4)
end

-- By the sizes of sections: direct = adjoint, and differences; beyond a square the other side is the longer one.
for _, height in ipairs { 0.028, 0.02 } do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local w, h, d = m:param { "w", 0.024 }, m:param { "h", height }, m:param { "d", 0.03 }
  local bar = m:beam { "bar", kind = "shear", from = { 0, 0, 0 }, to = { 0.4, 0.1, 0 }, elements = 2, young = 1e7,
                       density = 1000, section = mbs.rectangular_section { width = w, height = h }, up = { 0, 0, 1 }, damping = 0.01 }
  local arm = m:beam { "arm", kind = "shear", from = { 0.4, 0.1, 0 }, to = { 0.4, 0.4, 0 }, elements = 2, young = 1e7,
                       density = 1000, section = mbs.round_section { diameter = d, inner_diameter = 0.5 * d }, damping = 0.01 }
  m:weld { m.ground, bar.first, at = { 0, 0, 0 } }
  m:weld { bar.last, arm.first, at = { 0.4, 0.1, 0 } }
  m:force { on = arm.last, force = { 0.1, 0, 0 }, torque = { 0, 0.01, 0 } }
  local root, foot = bar:station { 0.2 }, arm:station { 0.5 }
  local cost = m:objective { "cost", integral = 1e-8 * root.torsion_stress^2 + 1e-4 * root.von_mises
                                                + 1e-4 * foot.von_mises + 1e-8 * foot.torsion_stress^2 }
  local how = { objective = cost, over = { w, h, d }, t = 0.2, integrator = mbs.trapezoidal { step = 0.002 },
                method = mbs.adjoint {} }
  local g = m:gradient(how)
  how.method = mbs.direct {}
  local direct = m:gradient(how)
  how.method = mbs.finite_difference { step = 1e-7 }  -- between kinks: moments change their signs
  local differences = m:gradient(how)
  for i, value in ipairs(g.gradient) do
    check.near(direct.gradient[i] / value, 1, 1e-9, how.over[i].name)
    check.near(differences.gradient[i] / value, 1, 5e-6, how.over[i].name)
  end
end
