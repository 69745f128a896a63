-- Adaptive runs miss no touch, jump or kink between their steps, and gradients follow: closed forms. Fixed steps say
-- what they went across.
local mbs = require "perilune"
local check = require "check"

local g = 9.81
local integrators = { dormand_prince = mbs.dormand_prince {}, radau = mbs.radau {}, bdf = mbs.bdf {},
                      rosenbrock = mbs.rosenbrock {} }

--- The first zero of f after `from`, found on a grid much finer than what f has, then by bisection.
local function first_zero(f, from, to)
  local n, sign = 200000, f(from) > 0
  for i = 1, n do
    local high = from + (to - from) * i / n
    if (f(high) > 0) ~= sign then
      local low = from + (to - from) * (i - 1) / n
      for _ = 1, 60 do
        local middle = (low + high) / 2
        if (f(middle) > 0) == sign then low = middle else high = middle end
      end
      return low
    end
  end
end

-- A point is thrown over a ridge that is much narrower than the steps of free flight; a ball likewise.
for _, width in ipairs { 0.5, 0.1, 0.02 } do
  local touch = first_zero(function(t) return 1 + 3 * t - g / 2 * t ^ 2 - 3 * math.exp(-((10 * t - 5) / width) ^ 2) end,
                           0, 0.9)
  for name, integrator in pairs(integrators) do
    local m = mbs.model { gravity = { 0, -g } }
    local P = m:point { "P", at = { 0, 1 }, velocity = { 10, 3 }, mass = 1 }
    m:contact { "ridge", m.ground, P, normal = mbs.hunt_crossley { stiffness = 1e4, dissipation = 0.1 },
                height = function(s) return 3 * math.exp(-((s.x - 5) / width) ^ 2) end }
    local run = m:simulate { t = 0.9, integrator = integrator }
    assert(#run.events > 0, name .. " flies through the ridge of width " .. width)
    check.near(run.events[1].t, touch, 1e-9, name)
  end
end
do
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0.1 + 1e-4 }, velocity = { 10, 0 }, mass = 1 }
  m:contact { "bump", m.ground, P, radius = 0.1, normal = mbs.hertz { stiffness = 1e4 },
              height = function(s) return 2e-4 * math.exp(-((s.x - 5) / 0.05) ^ 2) end }
  assert(#m:simulate { t = 1 }.events >= 2, "the ball rolls over the bump and leaves it")
end

-- A stop condition that changes its sign twice within a step of free flight.
for name, integrator in pairs(integrators) do
  for _, below in ipairs { 1e-2, 1e-6 } do
    local m = mbs.model { gravity = { 0, -g } }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 5 }, mass = 1 }
    local run = m:simulate { t = 2, stop = P.y - (5 ^ 2 / (2 * g) - below), integrator = integrator }
    check.near(run:times()[#run:times()], 5 / g - math.sqrt(2 * below / g), 1e-6, name)
  end
end

-- A force that acts in a narrow band only, and one that jumps in time.
for name, integrator in pairs(integrators) do
  local m = mbs.model { gravity = { 0, 0 } }
  local F = m:param { "F", 500 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 10, 0 }, mass = 1 }
  m:force { "band", on = P, law = function(s)
    return mbs.where(mbs.lt(s.x, 5), 0, mbs.where(mbs.lt(s.x, 5.02), F, 0)), 0
  end }
  local fast = math.sqrt(10 ^ 2 + 2 * 500 * 0.02)
  local run = m:simulate { t = 1, integrator = integrator }
  check.near(run:at("P.vx", 1), fast, 1e-7, name .. " in a band")
  check.equal(#run.events, 2)
  -- x(1) = 5.02 + v (1 - 0.5 - (v - 10) / F)
  local J = m:objective { "J", terminal = P.x }
  local slope = 0.02 / fast
  local exact = slope * (0.5 - (fast - 10) / 500) + fast * ((fast - 10) / 500 ^ 2 - slope / 500)
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
    check.near(m:gradient { J, t = 1, integrator = integrator, method = method }.gradient[1], exact, 1e-6, name)
  end

  local n = mbs.model { gravity = { 0, 0 } }
  local Q = n:point { "Q", at = { 0, 0 }, mass = 1 }
  n:force { "switched", on = Q, law = function(s) return mbs.where(mbs.lt(s.t, 0.15), 1, -1), 0 end }
  local jump = n:simulate { t = 1, integrator = integrator }
  check.near(jump:at("Q.x", 1), 0.15 ^ 2 / 2 + 0.15 * 0.85 - 0.85 ^ 2 / 2, 1e-10, name .. " in time")
end

-- Drag with |v| on the way up and down: up by a tangent, down by a hyperbolic tangent.
do
  local function speed_after(v, t, c)
    local w = math.sqrt(g / c)
    local up = w / g * math.atan(v / w)
    local f = g / w * (t - up)
    return -w * (1 - math.exp(-2 * f)) / (1 + math.exp(-2 * f))
  end
  local exact = (speed_after(6 + 1e-4, 1.5, 0.3) - speed_after(6 - 1e-4, 1.5, 0.3)) / 2e-4
  for name, integrator in pairs(integrators) do
    local m = mbs.model { gravity = { 0, -g } }
    local v = m:param { "v", 6 }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 0, v }, mass = 1 }
    m:force { "drag", on = P, law = function(s) return 0, -0.3 * s.vy * math.abs(s.vy) end }
    local J = m:objective { "J", terminal = P.vy }
    local grad = m:gradient { J, t = 1.5, integrator = integrator, method = mbs.adjoint {} }.gradient
    check.near(grad[1], exact, 1e-4, name .. " with |v|")
  end
end

-- A guard that keeps a power defined is not continued beyond it.
do
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", at = { 0, 1 }, velocity = { 1, 0 }, mass = 1 }
  m:force { "floor", on = P, law = function(s)
    local depth = mbs.where(mbs.lt(s.y, 0), -s.y, 0)
    return 0, mbs.where(mbs.lt(s.y, 0), 1e5 * depth ^ 1.5, 0)
  end }
  local run = m:simulate { t = 2 }
  local highest = 0
  for i, t in ipairs(run:times()) do
    if t > 0.5 then highest = math.max(highest, run:values("P.y")[i] + run:values("P.vy")[i] ^ 2 / (2 * g)) end
  end
  check.near(highest, 1, 1e-4, "bounces back")
end

-- Short contacts: a fall onto a stiff Hertzian floor. Of the discrete methods, derivatives are not under error control:
-- what steps make of them right beside the ends of the contact, where they are steep, is.
for name, integrator in pairs(integrators) do
  local m = mbs.model { gravity = { 0, -g } }
  local h, k = m:param { "h", 0.9 }, m:param { "k", 2e6 }
  local P = m:point { "P", at = { 0, h }, mass = 1 }
  m:contact { "floor", m.ground, P, radius = 0.1, normal = mbs.hertz { stiffness = k } }
  local J = m:objective { "J", terminal = P.y }
  -- From the time of contact, 2 times the integral of 1 / sqrt(v^2 + 2 g d - 4/5 k d^(5/2)) over the depth.
  for _, method in ipairs { mbs.continuous_adjoint {}, mbs.continuous_direct {}, mbs.adjoint {}, mbs.direct {} } do
    local grad = m:gradient { J, t = 0.6, integrator = integrator, method = method }.gradient
    local what = name .. " with " .. tostring(method)
    check.near(grad[1], -0.0632550, 5e-5, what .. " by the height")
    check.near(grad[2] * 1e9, 3.12570, name == "bdf" and 4e-3 or 5e-4, what .. " by the stiffness")
  end
end

-- What is left at the end of a run is no step of its own: velocities of index 3 are differences of positions.
for _, formulation in ipairs { mbs.index3 {}, mbs.stabilized_index1 {} } do
  for i = 1, 40 do
    local t = 0.001 * i
    local m = mbs.model { gravity = { 0, -g } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:distance { m:ground { at = { 0, 0 } }, P }
    local run = m:simulate { t = t, formulation = formulation, integrator = mbs.radau {} }
    check.near(run:at("P.vx", t), -g * g * t ^ 3 / 2, 1e-3, tostring(formulation) .. " until " .. t)
    check.near(run:at("P.vy", t), -g * t, 1e-3, tostring(formulation) .. " until " .. t)
  end
end

-- Fixed steps name the law whose force jumps.
do
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", at = { 0, 0.3 }, mass = 1 }
  m:contact { "floor", m.ground, P, radius = 0.1, normal = mbs.kelvin_voigt { stiffness = 2e4, damping = 60 } }
  local run = m:simulate { t = 0.3, integrator = mbs.rk4 { step = 1e-3 } }
  assert(table.concat(run.warnings, "\n"):find('a jump of the force of "floor.gap"', 1, true))
end
