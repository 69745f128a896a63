-- Conditions that change their side right where a phase or a run ends, or where a law that divides by what they compare
-- jumps: closed forms, and what is said.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"

local where, lt, gt = mbs.where, mbs.lt, mbs.gt
local integrators = { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} }
local methods = { mbs.direct {}, mbs.adjoint {}, mbs.finite_difference {} }

--- A mass that begins at x = 0 with the speed 1, a parameter p, and the law of a force along x.
local function moving(value, law)
  local m = mbs.model { "moving", gravity = { 0, 0 } }
  local p = m:param { "p", value }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  m:force { "F", on = P, law = function(s) return law(s, p), 0 end }
  return m, p, P
end

-- The first of two phases ends at t = 1 or x = 1, where the force changes, too, by a parameter or not. The end at t = 2
-- does not know where the phase ended; the speed gains a where the condition holds and b behind it.
local by_time = function(s, p) return where(lt(s.t, p), 3, 7) end
local by_place = function(s, p) return where(lt(s.x, p), 0, 7) end
for _, case in ipairs {
  { "t = 1 and t < p", by_time, function(s) return s.t - 1 end, -4 },
  { "t = p and t < p", by_time, function(s, _, p) return s.t - p end, -4 },
  { "t = p and t < 1", function(s) return where(lt(s.t, 1), 3, 7) end, function(s, _, p) return s.t - p end, 0 },
  { "x = 1 and x < p", by_place, function(_, P) return P.x - 1 end, -7 },
  { "x = p and x < p", by_place, function(_, P, p) return P.x - p end, -7 },
  { "x = p and x < 1", function(s) return where(lt(s.x, 1), 0, 7) end, function(_, P, p) return P.x - p end, 0 },
  { "x = 1 and p < x", function(s, p) return where(gt(s.x, p), 7, 0) end, function(_, P) return P.x - 1 end, -7 },
} do
  local what, law, stop, exact = table.unpack(case)
  -- A hundred billionths beside each other they are two events as any others.
  for _, value in ipairs { 1, 1 + 1e-7, 1 - 1e-7 } do
    for _, integrator in ipairs(integrators) do
      for _, method in ipairs(methods) do
        local m, p, P = moving(value, law)
        local speed = m:objective { "speed", terminal = P.vx }
        local first = m:phase { "first", stop = function(s) return stop(s, P, p) end }
        local found = m:gradient { speed, t = 2, phases = { first, m:phase { "second" } }, integrator = integrator,
                                   method = method }
        check.near(found.gradient[1], exact, 1e-7, ("%s at %.9g, %s, %s"):format(what, value, integrator, method))
      end
    end
  end
end

-- A condition on time that changes right at the end of the run: said where a parameter moves it off there.
local function said(value, law, fields, integrand)
  local found
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
    local m, p, P = moving(value, law)
    m:param { "idle", 1 }
    local cost = m:objective { "cost", terminal = P.vx, integral = integrand and function(s) return integrand(s, p) end }
    local texts = {}
    local asked = { cost, over = p, method = method }
    for key, x in pairs(fields(m, p, P)) do asked[key] = x end
    for _, text in ipairs(m:gradient(asked).warnings or {}) do
      if text:find("the motion ends right where", 1, true) then texts[#texts + 1] = text:match 'parameter "(%w+)"' end
    end
    local now = table.concat(texts, " ")
    if found then check.equal(now, found, "methods") end
    found = now
  end
  return found
end
local function to_one() return { t = 1 } end
check.equal(said(1, by_time, to_one), "p")
check.equal(said(1, function(s, p) return where(gt(s.t, p), 3, 7) end, to_one), "p")
check.equal(said(1, function() return 0 end, to_one, by_time), "p", "an integrand")
check.equal(said(1 - 1e-6, by_time, to_one), "", "before the end")
check.equal(said(1 + 1e-6, by_time, to_one), "", "behind the end")
check.equal(said(1, function(s) return where(lt(s.t, 1), 3, 7) end, to_one), "", "whatever the parameter")
check.equal(said(1, function(s, p) return where(lt(s.t, p), s.t - p, 0) end, to_one), "", "a kink")
check.equal(said(1, by_time, function(_, p) return { t = p } end), "", "an end that moves along")
check.equal(said(1, by_time, function(_, p) return { t = 2 * p - 1 } end), "p", "an end that moves twice as fast")
check.equal(said(1, by_time, function(m, _, P) return { t = 4, stop = P.x - 1 } end), "", "an end by the motion")

-- What takes over from another force at the end of a phase has the same condition, or another with the same zero.
for _, condition in ipairs { function(x, p) return lt(x, p) end, function(x, p) return lt(2 * x, 2 * p) end } do
  for _, first in ipairs { function(s, p) return where(gt(s.x, p), 7, 0) end, by_place } do
    for _, method in ipairs(methods) do
      local m, p, P = moving(1, first)
      local after = m:force { "after", on = P, law = function(s) return where(condition(s.x, p), 0, 7), 0 end }
      local phases = { m:phase { "a", stop = P.x - 1, without = { after } }, m:phase { "b", without = { m:object "F" } } }
      local found = m:gradient { m:objective { "speed", terminal = P.vx }, t = 2, phases = phases, method = method }
      check.near(found.gradient[1], -7, 1e-7, tostring(method))
    end
  end
end

-- Forces that jump at p and divide by what p is compared with: with the energy E of the force on one side the derivative
-- of v^2 / 2 + E at the end is that of E(p). Of any size.
for _, size in ipairs { 1, 1e-3, 1e3 } do
  for _, case in ipairs {
    { "an inverse square", function(x) return -0.2 / x ^ 2 end, function(x) return -0.2 / x end, function(x) return 0.2 / x ^ 2 end },
    { "an inverse cube", function(x) return -0.2 * x ^ -3 end, function(x) return -0.1 * x ^ -2 end, function(x) return 0.2 * x ^ -3 end },
    { "a hyperbola", function(x) return -0.3 / (x + 0.1) end, function(x) return 0.3 * math.log(x + 0.1) end,
      function(x) return 0.3 / (x + 0.1) end },
  } do
    local what, force, energy, exact = table.unpack(case)
    for k, integrator in ipairs(integrators) do
      local m = mbs.model { "cut off", gravity = { 0, 0 } }
      local p = m:param { "p", 0.5 * size }
      local P = m:point { "P", at = { size, 0 }, velocity = { -1.5 * size, 0 }, mass = 1 }
      m:force { "F", on = P, law = function(s) return where(lt(s.x, p), size * force(s.x / size), 0), 0 end }
      local cost = m:objective { "cost", terminal = (P.vx / size) ^ 2 / 2 + energy(P.x / size) }
      local tight = { relative_tolerance = 1e-9, absolute_tolerance = 1e-12 * size }
      local with = mbs[({ "dormand_prince", "radau", "bdf", "rosenbrock" })[k]](tight)
      check.near(size * m:gradient { cost, t = 0.45, integrator = with }.gradient[1], exact(0.5), 2e-6,
                 ("%s of size %g with %s"):format(what, size, integrator))
    end
  end
end

-- A jump with a root, which may begin at the condition for some motions or parameters, is refused, whatever the
-- parameter was at the declaration.
for _, law in ipairs {
  function(s) return where(gt(s.x, 1), 2 + math.sqrt(s.x - 1), 0) end,
  function(s, p) return where(gt(s.x, 1), 2 + math.sqrt(s.x - p), 0) end,
  function(s, p) return where(gt(s.x, 1), 2 + math.sqrt(math.sqrt(s.x ^ 2 + s.y ^ 2) - p), 0) end,
  function(s) return where(gt(s.x, 1), 2 + (s.x - 1) ^ 1.5, 0) end,
} do
  local m, p, P = moving(0.5, law)
  p.value = 1
  local cost = m:objective { "cost", terminal = P.vx }
  check.fails("jumps where its law cannot be continued", m.gradient, m, { cost, t = 2 })
end

-- Laws with powers that begin at their condition go on there and back, whatever moves them to it later.
do
  local function back(law, v, eps)
    local m = mbs.model { "back", gravity = { 0, 0 } }
    local speed, e = m:param { "v", 1 }, m:param { "eps", eps or 1e-3 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { speed, 0 }, mass = 1 }
    m:force { on = P, law = function(s) return law(s, e), 0 end }
    e.value, speed.value = 0, v
    return m:gradient { m:objective { "end", terminal = P.x }, over = speed, t = 2.5 }
  end
  for _, law in ipairs {
    function(s, e) return where(gt(s.x, 1), -50 * (s.x - 1 + e) ^ 1.5, 0) end,
    function(s) return where(gt(s.x, 1), -50 * (math.sqrt(s.x ^ 2 + s.y ^ 2) - 1) ^ 1.5, 0) end,
  } do
    -- In at x = 1 and out with the opposite speed after the time T v^(-1/5): J = 1 - v (2.5 - 1 / v - T v^(-1/5)).
    local found = back(law, 1)
    local T = (found.value - 1 + 1.5) / 1
    check.near(back(law, 1.2).value, 1 - 1.2 * (2.5 - 1 / 1.2 - T * 1.2 ^ -0.2), 1e-6)
    check.near(found.gradient[1], -2.5 + 0.8 * T, 1e-4)
  end
end

-- Differences, whose steps do not follow such a jump, say so, in phases too; a jump that they do follow is not said.
for _, way in ipairs { {}, { phases = function(m, P) return { m:phase { "a", stop = P.x - 3, within = 5 } } end } } do
  for law, expected in pairs { [function(s, p) return where(gt(s.x, p), 2 + math.sqrt(s.x - p), 0) end] = true,
                               [function(s, p) return where(gt(s.x, p), 2 + 1 / s.x, 0) end] = false } do
    local m, _, P = moving(1, law)
    local cost = m:objective { "cost", terminal = P.vx }
    local found = m:gradient { cost, t = 2, method = mbs.finite_difference {}, phases = way.phases and way.phases(m, P) }
    local said_so = table.concat(found.warnings or {}):find("steps that are repeated do not follow it", 1, true) ~= nil
    check.equal(said_so, expected, "differences over a jump")
  end
end

-- A motion that begins at the touch of a Hertzian contact, or a little inside: the rate of the slope of the force is
-- infinite at the touch, and the first steps are short. By energy and symmetry y comes back at the same speed where it
-- began, so that dJ/dp at touch is -1; inside, runs with small tolerances tell.
do
  local function J(inside, tolerance)
    local m = mbs.model { "touch", gravity = { 0, 0 } }
    local p = m:param { "p", 0.1 - inside }
    local P = m:point { "P", at = { 0, p }, velocity = { 0, -2 }, mass = 1 }
    m:contact { "floor", m.ground, P, radius = 0.1, normal = mbs.hertz { stiffness = 1e6 } }
    local tolerances = tolerance and { relative_tolerance = tolerance, absolute_tolerance = tolerance / 100 } or {}
    return m:gradient { m:objective { "J", terminal = P.y }, t = 0.05, integrator = mbs.dormand_prince(tolerances) }.gradient[1]
  end
  check.near(J(0), -1, 5e-5)
  for _, inside in ipairs { 1e-8, 1e-6, 1e-5, 2e-5 } do check.near(J(inside), J(inside, 1e-12), 5e-5, inside) end
end

-- A condition that is not a number decides nothing in silence.
do
  local m, p, P = moving(1, function(s, p) return math.min((s.vx - 2) ^ 1.5, p) end)
  check.fails('the condition of "F (', m.simulate, m, { t = 1 })
  check.fails("is not a number: it divides by zero, or has a root, power or logarithm of a negative number", m.simulate, m, { t = 1 })
end

-- The Jacobian in rosenbrock's results has no slope where a power below 2 begins.
do
  local m = mbs.model { "power", gravity = { 0, 0 } }
  local p = m:param { "p", 0 }
  local P = m:point { "P", at = { p, 0 }, velocity = { 1, 0 }, mass = 1 }
  m:force { "F", on = P, law = function(s) return -100 * math.max(s.x, 0) ^ 1.5, 0 end }
  local cost = m:objective { "cost", terminal = P.x }
  check.fails("mbs.radau {} has no such Jacobian in its results", m.gradient, m, { cost, t = 0.1, integrator = mbs.rosenbrock {} })
  assert(m:gradient { cost, t = 0.1, integrator = mbs.radau {} })
end
