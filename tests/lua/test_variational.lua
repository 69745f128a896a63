-- The variational integrator: an independent program's numbers (reference, Ebrahimi 2019, sections 9.2 and 9.3), what a
-- discrete Lagrangian promises, and orders of convergence.
local mbs = require "perilune"
local check = require "check"

local function range(x)
  local least, most = math.huge, -math.huge
  for _, each in ipairs(x) do least, most = math.min(least, each), math.max(most, each) end
  return least, most
end
local function most_change(x)
  local least, most = range(x)
  return math.max(most - x[1], x[1] - least)
end

-- A free body that turns about its middle axis, 20 s. The source's momenta are the mean of those on both sides of a mesh
-- point: their energy errs by these parts, ours by rounding. With Euler parameters the discrete Lagrangian is the same.
local J = { 0.5, 1.0, 1.3 }
local function spinning(kind, step)
  local m = mbs.model { "spinning", gravity = { 0, 0, 0 } }
  local b = m[kind](m, { "b", mass = 2, inertia = J, at = { 0, 0, 0 }, velocity = { 0.3, -0.2, 0.5 },
                         angular_velocity = { 0.1, 3, 0.1 } })
  return m:simulate { t = 20, integrator = mbs.variational { step = step } }, b
end
local function axes_of(run, b)
  local out = {}
  if b.kind == "natural_body" then
    for i, axis in ipairs { "u", "v", "w" } do
      out[i] = {}
      for k, c in ipairs { "x", "y", "z" } do out[i][k] = run:values(b[axis .. "_" .. c]) end
    end
    return out
  end
  local e = {}
  for i = 0, 3 do e[i] = run:values(b["e" .. i]) end
  for i = 1, 3 do out[i] = { {}, {}, {} } end
  for n = 1, #e[0] do
    local p, x, y, z = e[0][n], e[1][n], e[2][n], e[3][n]
    local rows = { { 1 - 2 * (y * y + z * z), 2 * (x * y + p * z), 2 * (x * z - p * y) },
                   { 2 * (x * y - p * z), 1 - 2 * (x * x + z * z), 2 * (y * z + p * x) },
                   { 2 * (x * z + p * y), 2 * (y * z - p * x), 1 - 2 * (x * x + y * y) } }
    for i = 1, 3 do for k = 1, 3 do out[i][k][n] = rows[i][k] end end
  end
  return out
end
local function angular_momentum(run, b)
  local axes, sum = axes_of(run, b), { {}, {}, {} }
  local w = { run:values(b.omega_x), run:values(b.omega_y), run:values(b.omega_z) }
  for n = 1, #w[1] do
    for k = 1, 3 do
      sum[k][n] = 0
      for i = 1, 3 do sum[k][n] = sum[k][n] + axes[i][k][n] * J[i] * w[i][n] end
    end
  end
  return sum
end
for step, printed in pairs { [0.02] = 1.7e-7, [0.01] = 1.1e-8, [0.005] = 6.7e-10 } do
  for _, kind in ipairs { "natural_body", "body" } do
    local run, b = spinning(kind, step)
    local second = { (J[2] + J[3] - J[1]) / 2, (J[1] + J[3] - J[2]) / 2, (J[1] + J[2] - J[3]) / 2 }
    local axes, worst = axes_of(run, b), 0
    local energy = 2 * (0.3^2 + 0.2^2 + 0.5^2) / 2 + (J[1] * 0.1^2 + J[2] * 3^2 + J[3] * 0.1^2) / 2
    for n = 2, #axes[1][1] - 1 do
      local sum = 2 * (0.3^2 + 0.2^2 + 0.5^2) / 2
      for i = 1, 3 do
        for k = 1, 3 do sum = sum + second[i] / 2 * ((axes[i][k][n + 1] - axes[i][k][n - 1]) / (2 * step))^2 end
      end
      worst = math.max(worst, math.abs(sum - energy))
    end
    assert(math.abs(worst / energy / printed - 1) < 0.05, ("%g: %g for %g"):format(step, worst / energy, printed))
    assert(most_change(run:values("energy.total")) < 1e-11)
    for _, name in ipairs { "vx", "vy", "vz" } do assert(most_change(run:values(b[name])) < 2e-13) end
    for _, component in ipairs(angular_momentum(run, b)) do assert(most_change(component) < 3e-12) end
  end
end

-- A rod on a pin that swings under gravity: energy errors of second order that stay as they are for 100000
-- steps (20000 with Euler parameters), the vertical angular momentum, and where the middle is after 1 s.
local function rod_pendulum(kind)
  local m = mbs.model { "rod pendulum", gravity = { 0, 0, -9.81 } }
  local along, across = 1.6 * 0.01^2 / 8, 1.6 * (1 / 12 + 0.01^2 / 16)
  local rod = m[kind](m, { "rod", mass = 1.6, inertia = { along, across, across }, at = { 0.5, 0, 0 },
                           angular_velocity = { 0, 0, 2 }, velocity = { 0, 1, 0 } })
  m:spherical { m:ground { at = { 0, 0, 0 } }, rod:point { -0.5, 0, 0 } }
  return m, rod
end
for _, kind in ipairs { "natural_body", "body" } do
  for step, printed in pairs { [0.01] = 4.51e-3, [0.005] = 1.13e-3, [0.0025] = 2.82e-4 } do
    local m, rod = rod_pendulum(kind)
    local run = m:simulate { t = 10, integrator = mbs.variational { step = step } }
    check.near(run:values("energy.total")[1], 1.0666867, 1e-7)
    check.near(most_change(run:values("energy.total")) / printed, 1, 3e-3)
    if step == 0.0025 then
      for name, expected in pairs { x = -0.249227, y = -0.433369, z = -0.008781 } do
        check.near(run:at(rod[name], 1), expected, 1e-6)
      end
    end
  end
  local m, rod = rod_pendulum(kind)
  local run = m:simulate { t = kind == "body" and 200 or 1000, integrator = mbs.variational { step = 0.01 } }
  local E, worst = run:values("energy.total"), {}
  for n = 1, #E do
    local tenth = math.min(10, 1 + (n - 1) * 10 // (#E - 1))
    worst[tenth] = math.max(worst[tenth] or 0, math.abs(E[n] - E[1]))
  end
  for tenth = 1, 10 do check.near(worst[tenth] / 4.51e-3, 1, 3e-3, "tenth " .. tenth) end
  local axes = axes_of(run, rod)
  local wy, wz = run:values(rod.omega_y), run:values(rod.omega_z)
  local wx, vertical = run:values(rod.omega_x), {}
  local x, y, vx, vy = run:values(rod.x), run:values(rod.y), run:values(rod.vx), run:values(rod.vy)
  local along, across = 1.6 * 0.01^2 / 8, 1.6 * (1 / 12 + 0.01^2 / 16)
  for n = 1, #x do
    vertical[n] = along * wx[n] * axes[1][3][n] + across * (wy[n] * axes[2][3][n] + wz[n] * axes[3][3][n]) +
                  1.6 * (x[n] * vy[n] - y[n] * vx[n])
  end
  assert(most_change(vertical) < 1e-11, most_change(vertical))
end

-- A rod, a spring with the source's damper, and a beam in space: positions, value and gradients to all digits.
do
  local m = mbs.model { "assembly", gravity = { 0, -9.81, 0 } }
  local X, Y, Z = m:param { "X", 2 }, m:param { "Y", -0.3 }, m:param { "Z", 0.1 }
  local k, c, density, b = m:param { "k", 100 }, m:param { "c", 2 }, m:param { "rho", 3700 }, m:param { "b", 0.01 }
  local across = 1.6 * (1 / 12 + 0.01^2 / 16)
  local rod = m:natural_body { "rod", mass = 1.6, inertia = { 1.6 * 0.01^2 / 8, across, across }, at = { 0.5, 0, 0 } }
  m:spherical { m.ground, rod, at = { 0, 0, 0 } }
  local beam = m:beam { "beam", from = { X, Y, Z }, to = { 1.3, 0.2, 0.05 }, elements = 1, young = 7e10,
                        density = density, area = b^2, second_moment = b^4 / 12, angular_velocity = { 0, 0, -5 },
                        axial = "printed" }
  m:coincidence { beam.first, m:ground { at = { X, Y, Z } } }
  -- A point without mass has the velocity of the end as a coordinate's, which in the middle of a step is the source's.
  local B, C = m:point { "B", at = { 1, 0, 0 } }, beam.last
  m:coincidence { B, rod:point { 0.5, 0, 0 } }
  m:spring { B, C, stiffness = k, free_length = 0.364005494464026 }
  local force = {}
  for i, axis in ipairs { "x", "y", "z" } do force[i] = c * (C["v" .. axis] - B["v" .. axis]) end
  m:force { on = B, law = function() return force[1], force[2], force[3] end }
  m:force { on = C, law = function() return -force[1], -force[2], -force[3] end }
  local moved = m:objective { "moved", integral = (B.x - 1)^2 + B.y^2 + B.z^2 }
  local steps = mbs.variational { step = 0.001 }
  local run = m:simulate { t = 0.2, integrator = steps }
  for expression, expected in pairs { [B.x] = 0.9823355, [B.y] = -0.1870910, [B.z] = 0.0037321, [C.x] = 1.2233962,
                                      [C.y] = 0.0662434, [C.z] = 0.0274978 } do
    check.near(run:at(expression, 0.2), expected, 6e-8)
  end
  local expected = { -2.95643763e-3, 1.73984516e-3, -1.76957e-5, 1.72980e-6, -4.31477e-5, -3.907856e-7, -0.287796283 }
  local digits = { 1e-8, 1e-8, 3e-6, 3e-6, 2e-6, 2e-7, 3e-9 }
  local how = { objective = moved, over = { X, Y, Z, k, c, density, b }, t = 0.2, integrator = steps,
                method = mbs.adjoint {} }
  local g = m:gradient(how)
  check.near(g.value / 1.0772148943e-3, 1, 1e-10)
  for i, x in ipairs(expected) do check.near(g.gradient[i] / x, 1, digits[i], "derivative " .. i) end
  how.method = mbs.direct {}
  for i, x in ipairs(m:gradient(how).gradient) do check.near(x / g.gradient[i], 1, 1e-10) end
  how.method = mbs.adjoint { checkpoints = 5 }
  for i, x in ipairs(m:gradient(how).gradient) do check.equal(x, g.gradient[i]) end
  -- Of many objectives threads take some each, by motions that go on as the run's own would.
  local many = { moved }
  for k = 2, 9 do many[k] = m:objective { "moved " .. k, integral = k * (B.x - 1)^2 + B.y^2 } end
  how.objective = many
  local one = m:gradient(how)
  how.method = mbs.adjoint { threads = 2 }
  for k, shared in ipairs(m:gradient(how)) do
    for i, x in ipairs(shared.gradient) do check.equal(x, one[k].gradient[i]) end
  end
end

-- A flexible rod that flies freely: its momenta stay to rounding while it bends.
do
  local m = mbs.model { "flying", gravity = { 0, 0, 0 } }
  local n, length, density, area = 3, 1, 1000, 1e-4
  local rod = m:beam { "rod", from = { 0, 0, 0 }, to = { length, 0, 0 }, elements = n, young = 1e7, density = density,
                       area = area, second_moment = 8e-10, velocity = { 0.2, 0, 0.1 }, angular_velocity = { 0, 1, 6 },
                       axial = "green" }
  m:force { on = rod.last, law = function(s) return 0, mbs.where(mbs.lt(s.t, 0.1), 0.2, 0), 0 end }
  local run = m:simulate { t = 3, integrator = mbs.variational { step = 0.0005 } }
  local l = length / n
  local mass = { { 156, 22, 54, -13 }, { 22, 4, 13, -3 }, { 54, 13, 156, -22 }, { -13, -3, -22, 4 } }
  local q, v = {}, {}
  for i, node in ipairs(rod.nodes) do
    for j, name in ipairs { "", "slope_" } do
      local scale, k = j == 1 and 1 or l, 2 * i - 2 + j
      q[k], v[k] = {}, {}
      for c, axis in ipairs { "x", "y", "z" } do
        q[k][c], v[k][c] = run:values(scale * node[name .. axis]), run:values(scale * node["v" .. name .. axis])
      end
    end
  end
  local function momenta(at)
    local p, L = { 0, 0, 0 }, { 0, 0, 0 }
    for e = 1, n do
      for i = 1, 4 do
        for j = 1, 4 do
          local w, a, b = density * area * l / 420 * mass[i][j], 2 * e - 2 + i, 2 * e - 2 + j
          for c = 1, 3 do
            local d, f = c % 3 + 1, (c + 1) % 3 + 1
            if i % 2 == 1 then p[c] = p[c] + w * v[b][c][at] end
            L[c] = L[c] + w * (q[a][d][at] * v[b][f][at] - q[a][f][at] * v[b][d][at])
          end
        end
      end
    end
    return p, L
  end
  local first, last = 301, #run:values "t"
  local p0, L0 = momenta(first)
  for at = first, last, 50 do
    local p, L = momenta(at)
    for c = 1, 3 do
      assert(math.abs(p[c] - p0[c]) < 1e-11 and math.abs(L[c] - L0[c]) < 1e-11, ("%d: %g, %g"):format(at, p[c] - p0[c], L[c] - L0[c]))
    end
  end
  local E = run:values("energy.total")
  local later = table.move(E, first, last, 1, {})
  assert(most_change(later) / later[1] < 2e-3, most_change(later) / later[1])
end

-- Order 2 in positions, velocities, accelerations and reactions, and in a state: a driven, damped, eccentric body in
-- space against another method; order 1 for another alpha.
local function driven(kind)
  local m = mbs.model { "driven", gravity = { 0, 0, -9.81 } }
  local crank = m[kind](m, { "crank", mass = 1.5, inertia = { 0.02, 0.03, 0.04 }, at = { 0, 0, 0 },
                             center_of_mass = { 0.25, 0.02, 0.1 } })
  local pin = m:spherical { "pin", m.ground, crank, at = { 0, 0, 0 } }
  local tip = m:point { "tip", at = { 0.2, 0, 0 } }
  m:coincidence { tip, crank:point { 0.2, 0, 0 } }
  m:driver { "lift", tip.z, law = function(s) return 0.1 * s.t^2 end }
  m:spring { "spring", m:ground { at = { 0.4, 0.1, 0 } }, tip, stiffness = 60, damping = 1, free_length = 0.2 }
  local lag = m:state { "lag", at = 0.2, rate = function(s) return 5 * (tip.y(s) - s.value) end }
  m:force { on = tip, law = function(s) return 0, -8 * lag.value(s), 0 end }
  return m, { tip.x, tip.vy, pin.lambda_x, tip.ay, lag.value }
end
local function ending(m, signals, integrator)
  local run, out = m:simulate { t = 0.6, integrator = integrator }, {}
  for i, signal in ipairs(signals) do out[i] = run:at(signal, 0.6) end
  return out
end
local m, signals = driven "body"
local exact = ending(m, signals, mbs.radau { relative_tolerance = 1e-12, absolute_tolerance = 1e-13 })
for _, case in ipairs { { "body", 0.5, 4 }, { "natural_body", 0.5, 4 }, { "natural_body", 0.3, 2 },
                        { "natural_body", 0, 2 }, { "natural_body", 1, 2 } } do
  local kind, alpha, ratio = table.unpack(case)
  local model, of_run = driven(kind)
  local errors = {}
  for i, step in ipairs { 0.004, 0.002, 0.001 } do
    errors[i] = ending(model, of_run, mbs.variational { step = step, alpha = alpha })
    for k in ipairs(exact) do errors[i][k] = errors[i][k] - exact[k] end
  end
  -- With another alpha, accelerations and reactions are small sums of larger errors: no ratio of their own.
  for k = 1, ratio == 4 and #exact or 2 do
    local seen = errors[2][k] / errors[3][k]
    assert(math.abs(seen / ratio - 1) < (ratio == 4 and 0.005 or 0.05), ("%s, %g, %d: %g"):format(kind, alpha, k, seen))
  end
end

-- Beams whose axial waves are far too fast for the step: Newton's method finds where they go, though their acceleration
-- is no guess of it, and steps that are made again have the same bits.
for _, case in ipairs { { 0.258, 0.001, "printed" }, { 0.086, 0.002, "printed" }, { 0.258, 0.002, "green" } } do
  local length, step, axial = table.unpack(case)
  local m = mbs.model { "stiff", gravity = { 0, 0 } }
  local rod = m:body { "rod", mass = 1.6, inertia = 1.6 * (1 / 12 + 0.01 ^ 2 / 16), at = { 0.5, 0 } }
  m:revolute { "A", m.ground, rod, at = { 0, 0 } }
  local d = math.sqrt(0.7 ^ 2 + 0.5 ^ 2)
  local x, y = 1.3 + length * 0.7 / d, 0.2 - length * 0.5 / d
  local stiffness = m:param { "stiffness", 100 }
  local beam = m:beam { "beam", from = { x, y }, to = { 1.3, 0.2 }, elements = 1, young = 7e10, density = 3700,
                        area = 1e-4, second_moment = 1e-8 / 12, angular_velocity = -5, axial = axial }
  m:coincidence { beam.first, m:ground { at = { x, y } } }
  m:spring { rod:point { 0.5, 0 }, beam.last, stiffness = stiffness, free_length = math.sqrt(0.3 ^ 2 + 0.2 ^ 2) }
  local turned = m:objective { "turned", terminal = rod.angle }
  local how = { turned, t = 0.2, integrator = mbs.variational { step = step }, method = mbs.adjoint {} }
  local whole = m:gradient(how)
  how.method = mbs.adjoint { checkpoints = 3 }
  local again = m:gradient(how)
  check.equal(again.value, whole.value)
  check.equal(again.gradient[1], whole.gradient[1])
end
