-- Exact derivatives of eigenvalues by parameters: closed forms, differences of whole linearizations, and the printed
-- formulas of the bicycle.
local mbs = require "perilune"
local check = require "check"
local formula = require "bicycle_formula"
local bicycle = require "bicycle_model"

--- The eigenvalue nearest to a number.
local function nearest(found, real, imaginary)
  local best, distance = nil, math.huge
  for _, value in ipairs(found.eigenvalues) do
    local far = math.abs(value.real - real) + math.abs(value.imaginary - imaginary)
    if far < distance then best, distance = value, far end
  end
  return best, distance
end

--- Central differences of f at x, extrapolated.
local function slope(f, x, h)
  local rows = {}
  for i = 1, 4 do
    rows[i] = { (f(x + h) - f(x - h)) / (2 * h) }
    for j = 2, i do rows[i][j] = rows[i][j - 1] + (rows[i][j - 1] - rows[i - 1][j - 1]) / (4 ^ (j - 1) - 1) end
    h = h / 2
  end
  return rows[4][4]
end

-- What the eigenvalue near a given one does when parameters change, against differences of whole linearizations.
-- `how`: their fields, made anew for each. `step`: the largest, relative.
local function agrees_with_differences(m, over, how, real, imaginary, tolerance, what, step)
  local fields = how()
  fields.over = over
  local value, far = nearest(m:linearize(fields), real, imaginary)
  assert(far < 1e-3, what)
  for _, p in ipairs(over) do
    local name, declared = p.name, p.value
    local function part(field)
      return slope(function(x)
        p.value = x
        local moved = nearest(m:linearize(how()), value.real, value.imaginary)
        p.value = declared
        return moved[field]
      end, declared, (step or 1e-2) * math.max(0.1, math.abs(declared)))
    end
    for _, field in ipairs { "real", "imaginary" } do
      local got, expected = value.derivative[name][field], part(field)
      check.near(got, expected, tolerance, ("%s: %s by %s"):format(what, field, name))
    end
  end
end

-- A damped mass on a spring: s = -c / (2 m) + i w, w^2 = k / m - (c / (2 m))^2; frequency = sqrt(k / m) / (2 pi),
-- damping ratio = c / (2 sqrt(k m)).
do
  local m = mbs.model { "damped", gravity = { 0, 0 } }
  local k, c, mass = m:param { "k", 40 }, m:param { "c", 1.5 }, m:param { "mass", 2 }
  local P = m:point { "P", at = { 1, 0 }, mass = mass }
  m:constraint { "line", law = function(s) return P.y(s) end }
  m:force { "f", on = P, law = function(s) return -k * (s.x - 1) - c * s.vx, 0 end }
  local found = m:linearize { over = { k, c, mass } }
  local mode = found.modes[1]
  local K, C, M = 40, 1.5, 2
  local w = math.sqrt(K / M - (C / (2 * M)) ^ 2)
  local expected = {
    k = { 0, 1 / (2 * M * w), 1 / (2 * math.sqrt(K * M)), -C / (4 * math.sqrt(K ^ 3 * M)) },
    c = { -1 / (2 * M), -C / (4 * M ^ 2 * w), 0, 1 / (2 * math.sqrt(K * M)) },
    mass = { C / (2 * M ^ 2), (-K / M ^ 2 + C ^ 2 / (2 * M ^ 3)) / (2 * w), -math.sqrt(K / M ^ 3) / 2,
             -C / (4 * math.sqrt(K * M ^ 3)) },
  }
  for name, values in pairs(expected) do
    local got = mode.derivative[name]
    check.near(got.real, values[1], 1e-13)
    check.near(got.imaginary, values[2], 1e-13)
    check.near(got.frequency, (name == "k" and values[3] / M * M or values[3]) / (2 * math.pi), 1e-13)
    check.near(got.damping, values[4], 1e-13)
    for _, value in ipairs(found.eigenvalues) do
      check.near(value.derivative[name].imaginary, values[2] * (value.imaginary > 0 and 1 or -1), 1e-13)
    end
  end
  check.equal(table.concat(found.parameters, " "), "k c mass")
  check.equal(mode.simple, true)
  check.fails("kk", function() return mode.derivative.kk end)
  assert(tostring(found):find("1  +mass "))
  check.equal(m:linearize {}.modes[1].derivative, nil)
end

-- A pendulum, declared to hang: w^2 = g / L.
do
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local g, L, mass = m:param { "g", 9.81 }, m:param { "L", 1.3 }, m:param { "mass", 2 }
  m:set_gravity { 0, -g }
  local P = m:point { "P", at = { 0, -L }, mass = mass }
  m:distance { m:ground { at = { 0, 0 } }, P }
  local d = m:linearize { over = { g, L, mass } }.modes[1].derivative
  local w = math.sqrt(9.81 / 1.3)
  check.near(d.g.imaginary, 1 / (2 * 1.3 * w), 1e-12)
  check.near(d.L.imaginary, -w / (2 * 1.3), 1e-12)
  check.near(d.mass.imaginary, 0, 1e-13)
end

-- A double pendulum: m1 L1 L2 w^4 - (m1 + m2) g (L1 + L2) w^2 + (m1 + m2) g^2 = 0 at w^2 = u, differentiated by hand.
do
  local p = { m1 = 1.2, m2 = 0.7, L1 = 0.8, L2 = 1.1 }
  local m = mbs.model { "double", gravity = { 0, -9.81 } }
  local of, over = {}, {}
  for _, name in ipairs { "m1", "m2", "L1", "L2" } do
    of[name] = m:param { name, p[name] }
    over[#over + 1] = of[name]
  end
  local first = m:point { "first", at = { 0, -of.L1 }, mass = of.m1 }
  local second = m:point { "second", at = { 0, -of.L1 - of.L2 }, mass = of.m2 }
  m:distance { m:ground { at = { 0, 0 } }, first }
  m:distance { first, second }
  local g, found = 9.81, m:linearize { over = over }
  check.equal(#found.modes, 2)
  for _, mode in ipairs(found.modes) do
    local u, M = mode.imaginary ^ 2, p.m1 + p.m2
    local by_u = 2 * p.m1 * p.L1 * p.L2 * u - M * g * (p.L1 + p.L2)
    local by = { m1 = p.L1 * p.L2 * u ^ 2 - g * (p.L1 + p.L2) * u + g ^ 2, m2 = -g * (p.L1 + p.L2) * u + g ^ 2,
                 L1 = p.m1 * p.L2 * u ^ 2 - M * g * u, L2 = p.m1 * p.L1 * u ^ 2 - M * g * u }
    for name, value in pairs(by) do
      check.near(mode.derivative[name].imaginary, -value / by_u / (2 * mode.imaginary), 1e-11, name)
    end
  end
end

-- Equilibria move with the parameters: a weight on a spring that stiffens, k x + b x^3 = m g, w^2 = (k + 3 b x^2) / m;
-- a pendulum in a side wind F, w^2 = sqrt(F^2 + (m g)^2) / (m L).
do
  local m = mbs.model { "stiffening", gravity = { 0, -9.81 } }
  local k, b, mass = m:param { "k", 30 }, m:param { "b", 200 }, m:param { "mass", 2 }
  local P = m:point { "P", at = { 0, -0.2 }, mass = mass }
  m:constraint { "line", law = function(s) return P.x(s) end }
  m:force { "f", on = P, law = function(s) return 0, -k * s.y - b * s.y ^ 3 end }
  local rest = m:equilibrium {}
  local x, M, g = -rest:at "P.y", 2, 9.81
  check.near(30 * x + 200 * x ^ 3, M * g, 1e-11)
  local d = m:linearize { from = rest, over = { k, b, mass } }.modes[1].derivative
  local stiffness = 30 + 3 * 200 * x ^ 2
  local w = math.sqrt(stiffness / M)
  local moves = { k = -x / stiffness, b = -x ^ 3 / stiffness, mass = g / stiffness }
  local by_itself = { k = 1 / M, b = 3 * x ^ 2 / M, mass = -stiffness / M ^ 2 }
  for name, dx in pairs(moves) do
    check.near(d[name].imaginary, (by_itself[name] + 6 * 200 * x * dx / M) / (2 * w), 1e-10, name)
  end
  -- A run is nothing whose state is followed.
  local run = m:simulate { t = 0.1 }
  check.fails("from = m:equilibrium {}", function() m:linearize { from = run, over = { k } } end)
  -- Nor is an equilibrium of other values one.
  mass.value = 3
  check.fails("other values of the parameters", function() m:linearize { from = rest, over = { k } } end)
end
do
  local m = mbs.model { "windy", gravity = { 0, -9.81 } }
  local F, L, mass = m:param { "F", 7 }, m:param { "L", 1.3 }, m:param { "mass", 2 }
  local P = m:point { "P", at = { 0.1, -L }, mass = mass }
  m:distance { m:ground { at = { 0, 0 } }, P, length = L }
  m:force { "wind", on = P, law = function() return F, 0 end }
  local d = m:linearize { from = m:equilibrium {}, over = { F, L, mass } }.modes[1].derivative
  local pull = math.sqrt(7 ^ 2 + (2 * 9.81) ^ 2)
  local w = math.sqrt(pull / (2 * 1.3))
  check.near(d.F.imaginary, 7 / pull / (2 * 1.3) / (2 * w), 1e-10)
  check.near(d.L.imaginary, -w / (2 * 1.3), 1e-10)
  check.near(d.mass.imaginary, (2 * 9.81 ^ 2 / pull / (2 * 1.3) - w ^ 2 / 2) / (2 * w), 1e-10)
end

-- A first-order state: a Maxwell element, f' = k x' - f / T, on a mass: s (m s^2 + m s / T + k) = 0.
do
  local m = mbs.model { "maxwell", gravity = { 0, 0 } }
  local k, T, mass = m:param { "k", 50 }, m:param { "T", 0.4 }, m:param { "mass", 1.5 }
  local P = m:point { "P", at = { 0, 0 }, mass = mass }
  m:constraint { "line", law = function(s) return P.y(s) end }
  local f = m:state { "f", rate = function(s) return k * P.vx(s) - s.value / T end }
  m:force { "pull", on = P, law = function(s) return -f.value(s), 0 end }
  local found = m:linearize { over = { k, T, mass } }
  local w = math.sqrt(50 / 1.5 - 1 / (4 * 0.4 ^ 2))
  local value = nearest(found, -1 / (2 * 0.4), w)
  check.near(value.imaginary, w, 1e-12)
  check.near(value.derivative.T.real, 1 / (2 * 0.4 ^ 2), 1e-11)
  check.near(value.derivative.T.imaginary, 1 / (4 * 0.4 ^ 3 * w), 1e-11)
  check.near(value.derivative.k.imaginary, 1 / (2 * 1.5 * w), 1e-11)
  check.near(value.derivative.mass.imaginary, -50 / (2 * 1.5 ^ 2 * w), 1e-11)
end

-- Redundant constraints: a door on two hinges and a torsion spring, w^2 = k / I about the hinges.
do
  local m = mbs.model { "door", gravity = { 0, 0, -9.81 } }
  local k, mass, width = m:param { "k", 30 }, m:param { "mass", 20 }, m:param { "width", 0.9 }
  local door = m:body { "door", at = { width / 2, 0, 1 }, mass = mass, inertia = { 6, 7, mass * width ^ 2 / 12 } }
  local lower = m:revolute { "lower", m.ground, door, at = { 0, 0, 0 }, axis = "z" }
  m:revolute { "upper", m.ground, door, at = { 0, 0, 2 }, axis = "z" }
  m:torsion_spring { "spring", on = lower, stiffness = k }
  local inertia = 20 * 0.9 ^ 2 / 3
  local w = math.sqrt(30 / inertia)
  for _, from in ipairs { false, true } do
    local found = m:linearize { from = from and m:equilibrium {} or nil, over = { k, mass, width } }
    local d = found.modes[1].derivative
    check.near(found.modes[1].imaginary, w, 1e-12)
    check.near(d.k.imaginary, w / (2 * 30), 1e-11)
    check.near(d.mass.imaginary, -w / (2 * 20), 1e-11)
    check.near(d.width.imaginary, -w / 0.9, 1e-11)
  end
end

-- Added mass, a force that reads the acceleration: w^2 = k / (m + added).
do
  local m = mbs.model { "added", gravity = { 0, 0 } }
  local k, mass, added = m:param { "k", 50 }, m:param { "mass", 1.5 }, m:param { "added", 0.6 }
  local P = m:point { "P", at = { 0, 0 }, mass = mass }
  m:constraint { "line", law = function(s) return P.y(s) end }
  m:force { "pull", on = P, law = function(s) return -k * s.x - added * P.ax(s), 0 end }
  local d = m:linearize { over = { k, mass, added } }.modes[1].derivative
  local w = math.sqrt(50 / 2.1)
  check.near(d.k.imaginary, w / 100, 1e-12)
  check.near(d.mass.imaginary, -w / 4.2, 1e-12)
  check.near(d.added.imaginary, -w / 4.2, 1e-12)
end

-- What may rest in many places: a pendulum on a cart that nothing holds, w^2 = g (M + m) / (M L). Where the frequency
-- depends on the place, as across a line along which the spring stiffens, the derivative has no meaning.
do
  local m = mbs.model { "cart", gravity = { 0, -9.81 } }
  local L, M, mass = m:param { "L", 0.7 }, m:param { "M", 3 }, m:param { "mass", 2 }
  local cart, bob = m:point { "cart", at = { 0.3, 0 }, mass = M }, m:point { "bob", at = { 0.3, -L }, mass = mass }
  m:constraint { "rail", law = function(s) return cart.y(s) end }
  m:distance { cart, bob, length = L }
  local w = math.sqrt(9.81 * 5 / (3 * 0.7))
  local value = nearest(m:linearize { from = m:equilibrium {}, over = { L, M, mass } }, 0, w)
  check.near(value.imaginary, w, 1e-9)
  check.near(value.derivative.L.imaginary, -w / 1.4, 1e-8)
  check.near(value.derivative.M.imaginary, (9.81 / (3 * 0.7) - w ^ 2 / 3) / (2 * w), 1e-8)
  check.near(value.derivative.mass.imaginary, 9.81 / (3 * 0.7) / (2 * w), 1e-8)
end
do
  local m = mbs.model { "valley", gravity = { 0, 0 } }
  local k = m:param { "k", 4 }
  local P = m:point { "P", at = { 0.5, 0 }, mass = 1 }
  m:force { "slope", on = P, law = function(s) return 0, -k * (1 + s.x ^ 2) * s.y end }
  check.fails("depend on where the mechanism rests", function()
    m:linearize { from = m:equilibrium { stable = false }, over = { k } }
  end)
  -- Where it is declared to rest it does.
  local value = nearest(m:linearize { over = { k } }, 0, math.sqrt(4 * 1.25))
  check.near(value.derivative.k.imaginary, math.sqrt(1.25 / 4) / 2, 1e-12)
end

-- A sleigh that runs straight ahead: s = -a V / (J / m + a^2), in the plane, with a constraint on velocities.
do
  local p = { mass = 2, J = 0.3, a = 0.4, V = 1.5, angle = 0.3 }
  local m = mbs.model { "sleigh", gravity = { 0, 0 } }
  local of, over = {}, {}
  for _, name in ipairs { "mass", "J", "a", "V", "angle" } do
    of[name] = m:param { name, p[name] }
    over[#over + 1] = of[name]
  end
  local sled = m:body { "sled", mass = of.mass, inertia = of.J, at = { 3, 1 }, angle = of.angle,
                        velocity = { of.V * math.cos(of.angle), of.V * math.sin(of.angle) } }
  m:constraint { "edge", velocity = function(s)
    return math.cos(sled.angle(s)) * sled.vy(s) - math.sin(sled.angle(s)) * sled.vx(s) - of.a * sled.omega(s)
  end }
  local k = p.J / p.mass + p.a ^ 2
  local value, far = nearest(m:linearize { steady = true, over = over }, -p.a * p.V / k, 0)
  assert(far < 1e-10)
  check.near(value.derivative.V.real, -p.a / k, 1e-11)
  check.near(value.derivative.a.real, -p.V / k + 2 * p.a ^ 2 * p.V / k ^ 2, 1e-11)
  check.near(value.derivative.J.real, p.a * p.V / k ^ 2 / p.mass, 1e-11)
  check.near(value.derivative.mass.real, -p.a * p.V / k ^ 2 * p.J / p.mass ^ 2, 1e-11)
  check.near(value.derivative.angle.real, 0, 1e-11)
  -- A spring against turning that has no stiffness yet takes the freedom of the angle: s^2 + a V / k s + K / (m k) = 0.
  local K = m:param { "K", 0 }
  m:torque { "spring", on = sled, law = function(s) return -K * (sled.angle(s) - of.angle) end }
  value = nearest(m:linearize { steady = true, over = { K, of.V } }, -p.a * p.V / k, 0)
  check.near(value.derivative.K.real, 1 / (p.mass * p.a * p.V), 1e-11)
  check.near(value.derivative.V.real, -p.a / k, 1e-11)
end

-- An eigenvalue that is not simple has none: two equal oscillators; what nothing holds; a critically damped one.
do
  local m = mbs.model { "equal", gravity = { 0, 0 } }
  local k, damping = m:param { "k", 9 }, m:param { "damping", 6 }
  for i = 1, 2 do
    local P = m:point { "P" .. i, at = { 0, i }, mass = 1 }
    m:constraint { "line" .. i, law = function(s) return P.y(s) - i end }
    m:force { on = P, law = function(s) return -k * s.x, 0 end }
  end
  local free = m:point { "free", at = { 0, 5 }, mass = 1 }
  m:constraint { "line", law = function(s) return free.y(s) - 5 end }
  local critical = m:point { "critical", at = { 0, 6 }, mass = 1 }
  m:constraint { "last", law = function(s) return critical.y(s) - 6 end }
  m:force { on = critical, law = function(s) return -9 * s.x - damping * s.vx, 0 end }
  local single = m:point { "single", at = { 0, 7 }, mass = 1 }
  m:constraint { "single_line", law = function(s) return single.y(s) - 7 end }
  m:force { on = single, law = function(s) return -2 * k * s.x, 0 end }
  local found = m:linearize { over = { k, damping } }
  check.equal(#found.eigenvalues, 10)
  for _, value in ipairs(found.eigenvalues) do
    local is_single = math.abs(math.abs(value.imaginary) - 18 ^ 0.5) < 1e-6
    check.equal(value.simple, is_single)
    check.equal(value.derivative ~= nil, is_single)
    if is_single then check.near(math.abs(value.derivative.k.imaginary), 1 / 18 ^ 0.5, 1e-12) end
  end
  assert(tostring(found):find("none: the eigenvalue is not simple", 1, true))
end

-- A state that moves, and is not steady: the matrix of the instant.
do
  local m = mbs.model { "swinging", gravity = { 0, -9.81 } }
  local L, angle, rate = m:param { "L", 0.8 }, m:param { "angle", 0.7 }, m:param { "rate", 1.9 }
  local mass, damping = m:param { "mass", 1.2 }, m:param { "damping", 0.3 }
  local sin, cos = math.sin(angle), math.cos(angle)
  local first = m:point { "first", at = { L * sin, -L * cos }, velocity = { L * rate * cos, L * rate * sin },
                          mass = mass }
  local second = m:point { "second", at = { L * sin + 1.1, -L * cos - 0.2 }, mass = 0.7,
                           velocity = { L * rate * cos + 0.1, L * rate * sin + 0.55 } }
  m:distance { m:ground { at = { 0, 0 } }, first, length = L }
  m:distance { first, second }
  m:force { "drag", on = first, law = function(s) return -damping * s.vx, -damping * s.vy end }
  local function how() return {} end
  for _, value in ipairs(m:linearize {}.eigenvalues) do
    agrees_with_differences(m, { L, angle, rate, mass, damping }, how, value.real, value.imaginary, 1e-8, "swinging")
  end
end

-- Equilibria in space, without symmetry, with bodies and their Euler parameters: against differences.
do
  local m = mbs.model { "hanging", gravity = { 0, 0, -9.81 } }
  local k, mass, x, J = m:param { "k", 220 }, m:param { "mass", 3 }, m:param { "x", 0.4 }, m:param { "J", 0.06 }
  local body = m:body { "body", at = { x, 0.1, -0.3 }, mass = mass, inertia = { J, 0.08, 0.05, 0.004, 0.002, 0.001 } }
  local pivot = m:universal { "pivot", m.ground, body, at = { 0, 0, 0 }, axis = "x", axis_b = "y" }
  m:spring { "side", m:ground { at = { 0.9, 0.8, 0.2 } }, body:point { 0.1, 0, 0.1 }, stiffness = k,
             free_length = 0.5, damping = 3 }
  local function how() return { from = m:equilibrium {} } end
  for _, value in ipairs(m:linearize(how()).eigenvalues) do
    if value.imaginary >= 0 then
      agrees_with_differences(m, { k, mass, x, J }, how, value.real, value.imaginary, 1e-7, "hanging")
    end
  end
  check.equal(pivot.name, "pivot")
end

-- A rolling disc: with S = s^2 = (m g r A - C (C + m r^2) w^2) / (A (A + m r^2)), s' = S' / (2 s); falling and upright.
do
  local p = { mass = 1.3, r = 0.4, C = 0.104, A = 0.055, g = 9.81 }
  local function square(q, w)
    return (q.mass * q.g * q.r * q.A - q.C * (q.C + q.mass * q.r ^ 2) * w ^ 2) / (q.A * (q.A + q.mass * q.r ^ 2))
  end
  for _, w in ipairs { 1.2, 7 } do
    local m = mbs.model { "disc", gravity = { 0, 0, -9.81 } }
    local of, over = {}, {}
    for _, name in ipairs { "mass", "r", "C", "A", "g", "w" } do
      of[name] = m:param { name, name == "w" and w or p[name] }
      over[#over + 1] = of[name]
    end
    m:set_gravity { 0, 0, -of.g }
    local wheel = m:body { "wheel", mass = of.mass, inertia = { of.A, of.C, of.A }, at = { 0.2, -0.1, of.r },
                           velocity = { of.w * of.r, 0, 0 }, angular_velocity = { 0, of.w, 0 } }
    bicycle.roll(m, "ground", wheel, of.r)
    local S = square(p, w)
    local size = math.abs(S) ^ 0.5
    local value, far = nearest(m:linearize { steady = true, over = over }, S > 0 and size or 0, S < 0 and size or 0)
    assert(far < 1e-9)
    for _, parameter in ipairs(over) do
      local name = parameter.name
      local by = slope(function(x)
        if name == "w" then return square(p, x) end
        return square(setmetatable({ [name] = x }, { __index = p }), w)
      end, parameter.value, 0.02 * parameter.value)
      local got = value.derivative[name]
      check.near(S > 0 and got.real or got.imaginary, by / (2 * size) * (S > 0 and 1 or -1), 1e-9, name)
      check.near(S > 0 and got.imaginary or got.real, 0, 1e-10, name)
    end
  end
end

-- A heavy top that precesses: s = i (W^2 - 2 load cos(theta) / A + (load / (A W))^2)^(1/2), its spin such that it is
-- steady. By what the spin does not follow, it is not.
do
  local function top(theta, W)
    local m = mbs.model { "top", gravity = { 0, 0, -9.81 } }
    local of = { theta = m:param { "theta", theta }, W = m:param { "W", W }, mass = m:param { "mass", 0.7 },
                 l = m:param { "l", 0.2 }, J = m:param { "J", 0.003 }, lazy = m:param { "lazy", 1 } }
    local A, load = of.J + of.mass * of.l ^ 2, of.mass * 9.81 * of.l
    local axial = of.lazy * (load + A * of.W ^ 2 * math.cos(of.theta)) / (0.004 * of.W)
    local body = m:body { "body", mass = of.mass, inertia = { of.J, of.J, 0.004 },
                          at = { of.l * math.sin(of.theta), 0, of.l * math.cos(of.theta) },
                          orientation = { math.cos(of.theta / 2), 0, math.sin(of.theta / 2), 0 },
                          velocity = { 0, of.W * of.l * math.sin(of.theta), 0 },
                          angular_velocity = { -of.W * math.sin(of.theta), 0, axial } }
    m:spherical { "pivot", m.ground, body, at = { 0, 0, 0 } }
    return m, of
  end
  for _, case in ipairs { { 0.5, 3 }, { 1.2, -5 }, { 2.5, 4 } } do
    local m, of = top(case[1], case[2])
    local p = { theta = case[1], W = case[2], mass = 0.7, l = 0.2, J = 0.003 }
    local function nutation(q)
      local A, load = q.J + q.mass * q.l ^ 2, q.mass * 9.81 * q.l
      return (q.W ^ 2 - 2 * load / A * math.cos(q.theta) + (load / (A * q.W)) ^ 2) ^ 0.5
    end
    local found = m:linearize { steady = true, over = { of.theta, of.W, of.mass, of.l, of.J } }
    local value, far = nearest(found, 0, nutation(p))
    assert(far < 1e-8 * nutation(p))
    for name, x in pairs(p) do
      local by = slope(function(moved) return nutation(setmetatable({ [name] = moved }, { __index = p })) end, x,
                       0.02 * math.abs(x))
      check.near(value.derivative[name].imaginary, by, 1e-9, name)
      check.near(value.derivative[name].real, 0, 1e-8 * math.abs(by), name)
    end
    check.fails('steady only at this value of the parameter "lazy"', function()
      m:linearize { steady = true, over = { of.lazy } }
    end)
  end
end

-- The bicycle: all 25 numbers and the speed, against the printed formulas of its coefficients.
do
  local M, C1, K0, K2 = formula.matrices(formula.values)
  check.near(M[1][2], 2.319413322087091, 1e-14)
  check.near(C1[2][2], 1.685403973975596, 1e-14)
  check.near(K0[2][2], -0.803294884586177, 1e-14)
  check.near(K2[1][2], 76.59734589573222, 1e-14)
  for _, v in ipairs { 2, 4.6, 8 } do
    local m, over = bicycle.model { v = v }
    local p = setmetatable({ v = v }, { __index = formula.values })
    local found = m:linearize { steady = true, over = over }
    local simple = 0
    for _, mode in ipairs(found.modes) do
      if mode.simple then
        simple = simple + 1
        local real, imaginary = formula.root(p, mode.real, mode.imaginary)
        check.near(mode.real, real, 1e-9)
        check.near(mode.imaginary, imaginary, 1e-9)
        for _, parameter in ipairs(over) do
          local name, got = parameter.name, mode.derivative[parameter.name]
          local by, by_i = formula.slopes(p, name, real, imaginary)
          check.near(got.real, by, 1e-8, name .. ", real")
          check.near(got.imaginary, by_i, 1e-8, name .. ", imaginary")
        end
      end
    end
    check.equal(simple, 3)
  end
  -- Where capsize is all but zero, and shifts and turns the whole by inverse powers of it, too.
  for _, distance in ipairs { 1e-2, 1e-5, 1e-8 } do
    local v = 6.024262015388369 + distance
    local m, _, of = bicycle.model { v = v }
    local p = setmetatable({ v = v }, { __index = formula.values })
    local over = { of.v, of.c, of.tilt, of.IFyy }
    local value = nearest(m:linearize { steady = true, over = over }, formula.root(p, 0, 0))
    for _, parameter in ipairs(over) do
      local by = formula.slopes(p, parameter.name, value.real, 0)
      check.near(value.derivative[parameter.name].real, by, 1e-9, parameter.name)
    end
  end
  -- And against differences of our own.
  local m, _, of = bicycle.model { v = 4.6 }
  local real, imaginary = formula.root(formula.values, -0.4, 3.9)
  agrees_with_differences(m, { of.v, of.c, of.tilt, of.IFyy }, function() return { steady = true } end, real, imaginary,
                          1e-8, "bicycle", 2e-3)
end
