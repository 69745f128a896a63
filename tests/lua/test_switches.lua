-- Conditions and kinks wherever a script can write them are mesh points of adaptive runs, and gradients follow them:
-- laws that share a condition, integrands of objectives, heights of terrains in place and in time.
local mbs = require "perilune"
local check = require "check"

local where, lt, gt = mbs.where, mbs.lt, mbs.gt
local adaptive = { mbs.dormand_prince {}, mbs.radau { order = 3 }, mbs.radau {}, mbs.bdf {},
                   mbs.rosenbrock { order = 3 }, mbs.rosenbrock {} }

-- A point that is pushed with k until x = 0.15, then pulled: from v = 1 it is there at t1 = (v1 - 1) / k, with
-- v1 = sqrt(1 + 0.3 k), and v(t) = v1 - k (t - t1) after that.
local function pushed(laws)
  local m = mbs.model { gravity = { 0, 0 } }
  local k = m:param { "k", 1 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  for i, law in ipairs(laws) do
    m:force { "f" .. i, on = P, law = function(s) return k / #laws * law(s), 0 end }
  end
  return m, P
end
local v1, dv1 = math.sqrt(1.3), 0.3 / (2 * math.sqrt(1.3))
local dt1 = dv1 - (v1 - 1)
local function forward(s) return where(lt(s.x, 0.15), 1, -1) end
local function backward(s) return where(gt(s.x, 0.15), -1, 1) end
local function square(s) return where(lt(s.x * s.x, 0.0225), 1, -1) end
local function sign(s) return mbs.sign(0.15 - s.x) end
for name, laws in pairs { one = { forward }, same = { forward, forward, forward }, opposite = { forward, backward },
                          square = { forward, square, backward }, sign = { forward, sign } } do
  for _, integrator in ipairs(adaptive) do
    local m, P = pushed(laws)
    local speed = m:objective { "speed", terminal = P.vx }
    local late = m:objective { "late", integral = where(gt(P.x, 0.15), 1, 0) }
    local found = m:gradient { { speed, late }, t = 0.4, integrator = integrator }
    check.near(found[1].value, 2 * v1 - 1 - 0.4, 2e-8, name)
    check.near(found[1].gradient[1], 2 * dv1 - 0.4, 2e-8, name)
    check.near(found[2].value, 0.4 - (v1 - 1), 2e-8, name)
    check.near(found[2].gradient[1], -dt1, 2e-8, name)
  end
end

-- Integrands of a body in free fall from rest, y = -g t^2 / 2, and the closed forms of their derivatives by p.
local g, T = 9.81, 0.8
local function falling(integrand)
  local m = mbs.model { gravity = { 0, -g } }
  local p = m:param { "p", 0.3 }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  return m, m:objective { "J", integral = function(s) return integrand(P, p, s) end }
end
local t_p = math.sqrt(2 * 0.3 / g) -- y = -p
local cases = {
  jump = { function(P, p) return where(gt(P.y, -p), 1, 0) end, 1 / (g * t_p) },
  kink = { function(P, p) return math.max(P.y + p, 0) end, t_p },
  size = { function(P, p) return math.abs(P.y + p) end, t_p - (T - t_p) },
  time = { function(P, p, s) return where(lt(s.t, p), P.vy, 0) end, -g * 0.3 },
}
for name, case in pairs(cases) do
  for _, integrator in ipairs(adaptive) do
    local m, J = falling(case[1])
    check.near(m:gradient { J, t = T, integrator = integrator }.gradient[1], case[2], 1e-7, name)
    check.equal(#m:simulate { t = T, integrator = integrator, objectives = J }.events, 1, name)
    -- Runs that do not ask for it know nothing of it.
    check.equal(#m:simulate { t = T, integrator = integrator }.events, 0, name)
  end
  -- Fixed steps say what they went across: a jump, not a kink.
  local m, J = falling(case[1])
  for _, method in ipairs { mbs.rk4, mbs.newmark, mbs.hht, mbs.generalized_alpha } do
    local run = m:simulate { t = T, integrator = method { step = 0.0101 }, objectives = J }
    local warnings = table.concat(run.warnings, "\n")
    local said = warnings:find("a fixed step went across a jump of an integrand, at \"J", 1, true)
    check.equal(said ~= nil, name == "jump" or name == "time", name)
  end
  -- The continuous equations follow the kinks, and leave jumps to the discrete methods.
  local function continuous()
    return m:gradient { J, t = T, integrator = mbs.radau {}, method = mbs.continuous_direct {} }
  end
  if name == "kink" or name == "size" then
    check.near(continuous().gradient[1], case[2], 1e-7, name)
  else
    check.fails("the integrand of objective \"J\" jumps: the continuous methods do not follow", continuous)
  end
end

-- An integrand that cannot be continued beyond its condition: followed where it has but a kink, refused where it jumps.
do
  local m, J = falling(function(P, p) return where(lt(P.y, -p), (-P.y - p + 1e-30) ^ 1.5, 0) end)
  local found = m:gradient { J, t = T, integrator = mbs.radau {} }.gradient[1]
  -- With y + p = -(g / 2) (t^2 - t_p^2): dJ/dp = -1.5 times the integral of sqrt(g / 2) sqrt(t^2 - t_p^2).
  local r = math.sqrt(T ^ 2 - t_p ^ 2)
  check.near(found, -1.5 * math.sqrt(g / 2) * 0.5 * (T * r - t_p ^ 2 * math.log((T + r) / t_p)), 1e-4)
  m, J = falling(function(P, p) return where(lt(P.y, -p), 1 + math.abs(P.y + p) ^ 0.5, 0) end)
  check.fails("an integrand, at \"J", m.gradient, m, { J, t = T, integrator = mbs.dormand_prince {} })
end

-- In phases, one of which leaves an element out: a stone falls, is caught by a rope and swings on.
do
  local m = mbs.model { gravity = { 0, -g } }
  local p = m:param { "p", 0.35 }
  local P = m:point { "P", at = { 0.6, 0 }, mass = 1 }
  local rope = m:distance { "rope", m:ground { at = { 0, 0 } }, P, length = 1 }
  local phases = { m:phase { "falls", without = { rope }, stop = P.x ^ 2 + P.y ^ 2 - 1, within = 1 },
                   m:phase { "swings", stop = -P.x } }
  local beyond = m:objective { "beyond", integral = where(gt(P.x, p), P.vy ^ 2, 0) + where(lt(P.y, -0.5), 1, 0) }
  local function value(x)
    p.value = x
    local found = m:simulate { t = 3, phases = phases, objectives = beyond,
                               integrator = mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
    p.value = 0.35
    return found.objectives.beyond
  end
  local difference = (value(0.35 + 1e-4) - value(0.35 - 1e-4)) / 2e-4
  for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.rosenbrock {} } do
    check.near(m:gradient { beyond, t = 3, phases = phases, over = p, integrator = integrator }.gradient[1],
               difference, 1e-6)
  end
end

-- Corners of terrains. A point slides over one; the ground begins to rise under a point, or under a ball.
local function over_the_edge(v)
  local m = mbs.model { gravity = { 0, -g } }
  local p = m:param { "v", v or 1 }
  local P = m:point { "P", at = { -1, -0.0007 }, velocity = { p, 0 }, mass = 1 }
  m:contact { "road", m.ground, P, normal = mbs.kelvin_voigt { stiffness = 1e4, damping = 150 },
              height = function(s) return where(lt(s.x, 0), 0, -0.1 * s.x) end }
  return m, m:objective { "J", terminal = P.y + 0.1 * P.vy }, 1.3
end
local function lifted(radius)
  return function(t0)
    local m = mbs.model { gravity = { 0, -g } }
    local p = m:param { "t0", t0 or 0.31 }
    local P = m:point { "P", at = { 0, radius - 0.00981 }, mass = 1 }
    m:contact { "road", m.ground, P, radius = radius, normal = mbs.kelvin_voigt { stiffness = 1e3, damping = 5 },
                height = function(s) return where(lt(s.t, p), 0, 0.2 * (s.t - p)) end }
    return m, m:objective { "J", terminal = P.y + 0.1 * P.vy }, 0.6
  end
end
for name, case in pairs { edge = { over_the_edge, 1 }, lifted_point = { lifted(0), 0.31 },
                          lifted_ball = { lifted(0.1), 0.31 } } do
  local make, at = table.unpack(case)
  local function value(x)
    local m, J, t = make(x)
    return m:simulate { t = t, objectives = J,
                        integrator = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-13,
                                                          max_step = 1e-3 } }.objectives.J
  end
  local difference = (value(at + 1e-4) - value(at - 1e-4)) / 2e-4
  for _, integrator in ipairs(adaptive) do
    local m, J, t = make()
    check.near(m:gradient { J, t = t, integrator = integrator }.gradient[1], difference, 3e-6, name)
  end
end
-- Where both sides stay equal, conditions hold or not as for numbers, and the sign is 0: in integrands and in laws.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  local rest = math.max(P.x - 0.4, 0)
  local cases = {
    { mbs.le(P.vx, 1), 1 }, { mbs.ge(P.vy, 0), 1 }, { lt(P.vx, 1), 0 }, { gt(P.vy, 0), 0 },
    { mbs.le(rest, 0), 0.4 }, { mbs.ge(rest, 0), 1 }, { gt(rest, 0), 0.6 },
  }
  for k, case in ipairs(cases) do
    local J = m:objective { "J" .. k, integral = where(case[1], 1, 0) }
    check.near(m:simulate { t = 1, objectives = J }.objectives["J" .. k], case[2], 1e-9, "condition " .. k)
  end
  local still = m:objective { "still", integral = mbs.sign(P.vy) + mbs.sign(rest) }
  check.near(m:simulate { t = 1, objectives = still }.objectives.still, 0.6, 1e-9)
  for _, law in ipairs { function(s) return 0, mbs.sign(s.vx - 1) end, function(s) return 0, -3 * mbs.sign(s.vy) end,
                         function(s) return 0, where(mbs.le(s.vx, 1), 0, 5) end } do
    local n = mbs.model { gravity = { 0, 0 } }
    local Q = n:point { "Q", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
    n:force { "f", on = Q, law = law }
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.rk4 { step = 0.01 } } do
      check.equal(n:simulate { t = 1, integrator = integrator }:at("Q.vy", 1), 0)
    end
  end
  -- Statics, too: a spring that carries a force which acts at rest.
  local hanging = mbs.model { gravity = { 0, -g } }
  local Q = hanging:point { "Q", at = { 0, -1 }, mass = 1 }
  hanging:spring { hanging.ground, Q, stiffness = 100, free_length = 1 }
  hanging:force { "f", on = Q, law = function(s) return 0, where(mbs.le(s.vy, 0), -10, 0) end }
  check.near(hanging:equilibrium {}:at("Q.y"), -1 - (g + 10) / 100, 1e-9)
end
-- Conditions that change their side every few steps are followed. With a = asin k, in place and in time.
do
  local a, root = math.asin(0.2), math.sqrt(1 - 0.2 ^ 2)
  for _, integrator in ipairs(adaptive) do
    local m = mbs.model { gravity = { 0, 0 } }
    local k = m:param { "k", 0.2 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
    local J = m:objective { "J", integral = where(gt(math.sin(16 * math.pi * P.x), k), 1, 0) }
    local found = m:gradient { J, t = 0.9, integrator = integrator }
    check.equal(#found.warnings, 0)
    check.near(found.value, (7 * (math.pi - 2 * a) + 0.4 * math.pi - a) / (16 * math.pi), 1e-7)
    check.near(found.gradient[1], -15 / (16 * math.pi * root), 1e-6)

    m = mbs.model { gravity = { 0, 0 } }
    k = m:param { "k", 0.2 }
    P = m:point { "P", at = { 0, 0 }, mass = 1 }
    m:force { "f", on = P, law = function(s) return where(gt(math.sin(20 * math.pi * s.t), k), 1, 0), 0 end }
    found = m:gradient { m:objective { "J", terminal = P.x }, t = 1, integrator = integrator }
    check.equal(#found.warnings, 0)
    check.near(found.gradient[1], -10.5 / (20 * math.pi * root), 1e-7)

    -- A thousand pulses in a second: the function is zero, to the last bit, where some of them end.
    for _, T in ipairs { 0.0015, 0.2 } do
      m = mbs.model { gravity = { 0, 0 } }
      k = m:param { "k", 0.25 }
      P = m:point { "P", at = { 0, 0 }, mass = 1 }
      local function pulses(s) return where(gt(math.cos(2000 * math.pi * s.t), math.cos(math.pi * k)), 1, 0), 0 end
      m:force { "f", on = P, law = pulses }
      found = m:gradient { m:objective { "J", terminal = P.vx }, t = T, integrator = integrator }
      check.equal(#found.warnings, 0)
      check.near(found.value / T, 0.25, 1e-7)
      check.near(found.gradient[1] / T, 1, 1e-6)
    end
  end
end

-- Roots of what is never negative can be continued beyond conditions, also where a force jumps at the same place.
do
  for _, integrator in ipairs(adaptive) do
    local m = mbs.model { gravity = { 0, 0 } }
    local k = m:param { "k", 0.3 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
    m:force { "f", on = P, law = function(s) return where(lt(s.x, k), 1, 3), 0 end }
    local root = m:objective { "root", integral = where(lt(P.x, k), math.sqrt(1 + P.x ^ 2), 0) }
    -- The integral over x from 0 to k of sqrt(1 + x^2) / sqrt(1 + 2 x).
    check.near(m:gradient { root, t = 0.8, integrator = integrator }.gradient[1], math.sqrt(1.09 / 1.6), 1e-7)
    -- Others are refused there, and where error control has shortened steps before.
    local beyond = m:objective { "beyond", integral = where(lt(P.x, k), math.sqrt(k - P.x), 2) }
    check.fails("an integrand, at \"beyond", m.gradient, m, { beyond, t = 0.8, integrator = integrator })

    m = mbs.model { gravity = { 0, -g } }
    k = m:param { "k", 0.21 }
    P = m:point { "P", at = { 0, 0 }, velocity = { 1, 4 }, mass = 1 }
    local high = m:objective { "high", integral = where(gt(P.y, k), math.sqrt(P.y - k), P.x + 1) }
    check.fails("an integrand, at \"high", m.gradient, m, { high, t = 0.7, integrator = integrator })
  end
end

-- Of several switches that change within a step the first is found, whatever was declared first: here the two of a sign
-- change together, later than a maximum in the integrand. And a function whose slope by the start of a step is zero.
do
  local function height(t) return 1.18 - 0.22 * t - g * t ^ 2 / 2 end
  local n, exact = 200000, 0
  for i = 1, n do
    local t = (i - 0.5) / n * 0.5
    exact = exact + math.max(math.sin(4.02 * t), height(t)) / n * 0.5
  end
  for _, integrator in ipairs(adaptive) do
    local m = mbs.model { gravity = { 0, -g } }
    local P = m:point { "P", at = { -1.68, 1.18 }, velocity = { -0.68, -0.22 }, mass = 1 }
    m:force { "f", on = P, law = function(s) return mbs.sign(math.sin(-4.74 * s.y)), 0 end }
    local J = m:objective { "J", integral = function(s)
      return math.max(math.max(math.sin(4.02 * s.t), -0.8 * s.t), P.y)
    end }
    check.near(m:simulate { t = 0.5, objectives = J, integrator = integrator }.objectives.J, exact, 1e-7)

    m = mbs.model { gravity = { 0, -g } }
    local k = m:param { "k", 0.6 }
    P = m:point { "P", at = { 0, 0 }, velocity = { 0.2, 0 }, mass = 1 }
    m:force { "f", on = P, law = function(s) return where(lt(s.vx, 0.5), k, 0), 0 end }
    -- vx is 0.5 at 0.3 / k; y falls through -k^2 / 2 at k / sqrt(g).
    local late = m:objective { "late", integral = function(s) return where(lt(P.y, -k ^ 2 / 2), P.vx, s.t) end }
    local t1 = 0.6 / math.sqrt(g)
    local speed = 0.2 + 0.6 * t1
    -- d/dk of t1^2 / 2 + the integral of vx from t1 to 0.5 + 0.5 (0.8 - 0.5), vx = 0.2 + k t until 0.3 / k.
    local slope = (t1 - speed) / math.sqrt(g) + (0.25 - t1 ^ 2) / 2
    check.near(m:gradient { late, t = 0.8, integrator = integrator }.gradient[1], slope, 1e-7)
  end
end

-- An event's function that does not depend on when its step starts, but for rounding.
do
  local function swing(k0)
    local m = mbs.model { gravity = { 0, -9.81 } }
    local k = m:param { "k", k0 }
    local P = m:point { "P", at = { 1, 0 }, velocity = { 0, -0.66 }, mass = 1 }
    m:distance { m:ground { at = { 0, 0 } }, P }
    m:force { "f", on = P, law = function(s)
      local slow = mbs.le(math.exp(-0.62 ^ 2), math.exp(-s.vx ^ 2))
      return math.abs(where(slow, math.sin(-2.28 * k), -1 - s.t)), 0
    end }
    return m, m:objective { "J", integral = function(s)
      local branch = where(gt(math.sin(5.22 * P.vy(s)), P.x(s)), P.y(s) + P.vx(s), s.t - 0.38)
      return branch + math.sqrt(0.5 + P.vy(s) ^ 2)
    end }
  end
  local function value(k)
    local m, J = swing(k)
    local integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 }
    return m:simulate { t = 0.5951504815899, objectives = J, integrator = integrator }.objectives.J
  end
  local difference = (value(-1.68 + 1e-5) - value(-1.68 - 1e-5)) / 2e-5
  for _, integrator in ipairs(adaptive) do
    local m, J = swing(-1.68)
    check.near(m:gradient { J, t = 0.5951504815899, integrator = integrator }.gradient[1], difference, 1e-6)
  end
end

-- Stop conditions: those that jump have no derivatives; those that go up and down within a step have.
do
  local m = mbs.model { gravity = { 0, -g } }
  local v0 = m:param { "v0", 3 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, v0 }, mass = 1 }
  local far = m:objective { "far", terminal = P.x }
  for _, stop in ipairs { where(lt(P.vy, 0), 1, -1), -mbs.sign(P.vy) } do
    check.near(m:simulate { t = 2, stop = stop, objectives = far }.objectives.far, 3 / g, 1e-9)
    check.fails("the stop condition jumps across zero", m.gradient, m, { far, t = 2, stop = stop })
  end
  check.near(m:gradient { far, t = 2, stop = P.vy }.gradient[1], 1 / g, 1e-9)
  for _, integrator in ipairs(adaptive) do
    local found = m:gradient { far, t = 2, stop = math.sin(300 * P.y) - 0.5, integrator = integrator }
    local y = math.pi / 1800
    check.near(found.value, 2 * y / (3 + math.sqrt(9 - 2 * g * y)), 1e-9)
    check.near(found.gradient[1], -found.value / math.sqrt(9 - 2 * g * y), 1e-6)
  end
end

-- Events that depend on velocities, in every form that keeps constraints by itself, against differences of runs with
-- tight tolerances and independent coordinates.
do
  local function pendulum(value)
    local m = mbs.model { gravity = { 0, -g } }
    local k = m:param { "k", value }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:distance { m.ground, P }
    m:force { "f", on = P, law = function(s) return where(gt(s.vx, k), -1, 2), 0 end }
    return m, m:objective { "J", integral = P.x ^ 2 + where(gt(P.vy, -k), 1, 2 * k) }
  end
  local function value(k)
    local m, J = pendulum(k)
    return m:simulate { t = 1.3, objectives = J, formulation = mbs.maggi {}, integrator = mbs.dormand_prince {
      relative_tolerance = 1e-13, absolute_tolerance = 1e-14 } }.objectives.J
  end
  local difference = (8 * (value(0.701) - value(0.699)) - (value(0.702) - value(0.698))) / 12e-3
  for _, form in ipairs { mbs.index3 {}, mbs.augmented_lagrangian { index = 3 }, mbs.stabilized_index1 {}, mbs.maggi {},
                          mbs.index1 { project = true } } do
    for _, integrator in ipairs { mbs.radau {}, mbs.bdf {} } do
      local m, J = pendulum(0.7)
      local found = m:gradient { J, t = 1.3, formulation = form, integrator = integrator }
      check.near(found.gradient[1], difference, tostring(integrator):find "radau" and 1e-8 or 1e-6)
    end
  end
end

-- A motion that comes to rest on the corner of a law: steps go to and fro, and the run ends soon, naming the law.
do
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", at = { -1.34, 1.18 }, velocity = { -1.56, -0.66 }, mass = 1 }
  m:force { "dry", on = P, law = function(s) return mbs.sign(math.sin(-4.5 * s.vx)), 0 end }
  check.fails('the motion stays where "dry', m.simulate, m, { t = 1.0953171065375, integrator = mbs.radau {} })
  m = mbs.model { gravity = { 0, 0 } }
  P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  m:force { "smooth", on = P, law = function(s) return -mbs.tanh(s.vx / 1e-3), 0 end }
  check.near(m:simulate { t = 2, integrator = mbs.radau {} }:at("P.vx", 2), 0, 1e-6)
end

-- Many conditions in one law are followed; more than a thousand are not, and runs say so.
do
  local function staircase(count)
    local m = mbs.model { gravity = { 0, 0 } }
    local k = m:param { "k", 1 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
    return m:gradient { m:objective { "J", integral = function(s)
      local sum = 0
      for i = 1, count do sum = sum + where(gt(P.x(s), k * i / 2000), 1, 0) end
      return sum
    end }, t = 0.9, integrator = mbs.radau {} }
  end
  check.near(staircase(120).gradient[1], -120 * 121 / 2 / 2000, 1e-9)
  local said = table.concat(staircase(1001).warnings, "\n")
  assert(said:find('"J" has more conditions, signs or absolute values than are followed', 1, true), said)
end

-- A step that ends right before an event: with bdf the event had no step of its own, and the derivative was 0.
do
  local m = mbs.model { gravity = { 0, -g } }
  local k = m:param { "k", 0.9 }
  local P = m:point { "P", at = { 0.28, 0.38 }, velocity = { -1.42, 1.96 }, mass = 1 }
  m:spring { m.ground, P, stiffness = 30, free_length = 0.5 }
  m:force { "f", on = P, law = function() return math.sin(1.26 * k), 0 end }
  local J = m:objective { "J", integral = function(s) return mbs.sign(math.sin(0.84 * P.y(s))) end }
  local function at(value, integrator, method)
    k.value = value
    return m:gradient { J, t = 0.6, integrator = integrator, method = method }
  end
  local tight = mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 }
  local h = 1e-4
  local slope = (at(0.9 + h, tight).value - at(0.9 - h, tight).value) / (2 * h)
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
    for _, integrator in ipairs { mbs.bdf {}, mbs.radau {}, mbs.dormand_prince {}, mbs.rosenbrock {} } do
      check.near(at(0.9, integrator, method).gradient[1], slope, 1e-6)
    end
  end
end

-- Functions that are zero where the motion starts: the side is that right after it, whatever other switches are at zero
-- there, too. v - sin(w t) = 2 t - sin(w t) starts at zero, falls, and comes back within the first step.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local k, w = m:param { "k", 2 }, 2.000033
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  m:force { "f", on = P, law = function(s) return k * mbs.sign(s.t * s.t), 0 end }
  local J = m:objective { "J", integral = function(s)
    return mbs.where(mbs.ge(P.vx(s), math.sin(w * s.t)), 1, 0)
  end }
  -- 2 t = sin(w t) at t_e; d t_e / dk = t_e / (w cos(w t_e) - 2).
  local t_e = math.sqrt(6 * (w - 2) / 8)
  for _ = 1, 50 do t_e = t_e - (2 * t_e - math.sin(w * t_e)) / (2 - w * math.cos(w * t_e)) end
  for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} } do
    local run = m:gradient { J, t = 1, integrator = integrator }
    check.near(run.value, 1 - t_e, 1e-6)
    check.near(run.gradient[1], -t_e / (w * math.cos(w * t_e) - 2), 1e-6)
  end
end

print "switches: ok"
