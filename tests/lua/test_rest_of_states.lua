-- Starts at rest with first-order states and with static friction: closed forms, and gradients against differences.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"

--- Hessian products against differences of exact gradients.
local function second_derivatives(m, how, names)
  how.method = nil
  local matrix = m:hessian(how).matrix
  how.method = mbs.adjoint {}
  for k, name in ipairs(names) do
    local p = m[name]
    local value = p.value
    local h = 1e-4 * value
    p.value = value + h
    local above = m:gradient(how).gradient
    p.value = value - h
    local below = m:gradient(how).gradient
    p.value = value
    for i = 1, #names do
      local slope = (above[i] - below[i]) / (2 * h)
      check.near(matrix[i][k], slope, 1e-6 * (1 + math.abs(slope)), "second derivative by " .. names[i] .. ", " .. name)
    end
  end
end

-- A mass on a spring and on an actuator that follows the load with a lag: at rest z = b (c x + d), and
-- -k x - m g + z = 0, so that x = (b d - m g) / (k - b c).
do
  local g = 9.81
  local function make()
    local m = mbs.model { gravity = { 0, -g } }
    local k = m:param { "k", 300 }
    local mass = m:param { "mass", 2 }
    local b = m:param { "b", 0.5 }
    local lag = m:param { "lag", 0.07 }
    local P = m:point { "P", at = { 0, 0.3 }, mass = mass }
    m:constraint { "rail", law = P.x }
    local z = m:state { "z", rate = function(s) return (b * (120 * P.y(s) + 30) - s.value) / lag end, at = 4 }
    m:force { "spring", on = P, law = function(s) return 0, -k * P.y(s) + z.value(s) end }
    return m, P, z
  end
  local m, P, z = make()
  local run = m:simulate { t = 0.2, at_rest = true }
  local x = (0.5 * 30 - 2 * g) / (300 - 0.5 * 120)
  for _, t in ipairs { 0, 0.2 } do
    check.near(run:at("P.y", t), x, 1e-12, "place")
    check.near(run:at("z.value", t), 0.5 * (120 * x + 30), 1e-10, "state")
  end
  local cost = m:objective { "J", terminal = P.y + 0.01 * z.value }
  local how = { cost, t = 0.2, at_rest = true }
  local dx = { -x / (300 - 60), -g / 240, 30 / 240 + x * 120 / 240, 0 }
  local dz = { 60 * dx[1], 60 * dx[2], 120 * x + 30 + 60 * dx[3], 0 }
  for _, form in ipairs { mbs.maggi {}, mbs.index1 {}, mbs.index1 { project = true }, mbs.index3 {}, mbs.penalty {},
                          mbs.coordinate_partitioning {}, mbs.index2 {}, mbs.stabilized_index1 {} } do
    for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
      how.formulation, how.method = form, method
      how.integrator = mbs.radau { step = 0.01 }
      local gradient = m:gradient(how).gradient
      for k = 1, 4 do check.near(gradient[k], dx[k] + 0.01 * dz[k], 1e-8, tostring(form) .. k) end
    end
  end
  second_derivatives(m, { cost, t = 0.2, at_rest = true, formulation = mbs.maggi {},
                          integrator = mbs.radau { step = 0.01 } }, { "k", "mass", "b", "lag" })
end

-- A sledge on a slope that creeps by its bristles alone: at rest the spring and the bristles share the weight, as far as
-- the bristles bend while the spring gives way; then nothing moves.
for name, law in pairs {
  dahl = function(mu, s) return mbs.dahl { coefficient = mu, stiffness = s } end,
  lugre = function(mu, s) return mbs.lugre { static = mu, dynamic = 0.8 * mu, stribeck_speed = 0.01, stiffness = s, damping = 30 } end,
} do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local mu = m:param { "mu", 0.9 }
  local s = m:param { "s", 2000 }
  local mass = m:param { "mass", 3 }
  local k = m:param { "k", 400 }
  local b = m:body { "b", mass = mass, inertia = 0.1, at = { 0.2, 0 }, angle = -0.3 }
  local down = { math.cos(0.3), -math.sin(0.3) }
  m:translational { "slope", m.ground, b, at = { 0, 0 }, axis = down, friction = law(mu, s), length = 0.1 }
  m:spring { m:ground { at = { -1, 0 } }, b, stiffness = k, free_length = 1.1 }
  local run = m:simulate { t = 0.5, at_rest = true }
  check.near(run:at("b.x", 0.5), run:at("b.x", 0), 1e-6, name .. " stays")
  check.equal(math.abs(run:at("b.x", 0) - 0.2) > 1e-5, true, name .. " has given way")
  local cost = m:objective { "J" .. name, integral = b.x + b.y ^ 2, terminal = b.y }
  local how = { cost, t = 0.2, at_rest = true, integrator = mbs.radau { relative_tolerance = 1e-9 } }
  how.method = mbs.finite_difference { richardson = 2 }
  local differences = m:gradient(how).gradient
  for _, method in ipairs { mbs.adjoint {}, mbs.adjoint { checkpoints = 3 }, mbs.direct {}, mbs.continuous_adjoint {} } do
    how.method = method
    local gradient = m:gradient(how).gradient
    for k = 1, 4 do check.near(gradient[k], differences[k], 1e-7, name .. " " .. tostring(method) .. k) end
  end
  second_derivatives(m, { cost, t = 0.05, at_rest = true, formulation = mbs.maggi {},
                          integrator = mbs.radau { step = 0.01 } }, { "mu", "s", "mass", "k" })
end

-- Values of states that decide nothing else but what is read later, one that nothing holds (an integral), and one that
-- reads where another rests.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local k, z0 = m:param { "k", 80 }, m:param { "z0", 0.7 }
  local P = m:point { "P", at = { 0, 0.1 }, mass = 1 }
  m:constraint { "rail", law = P.x }
  m:force { "spring", on = P, law = function(s) return 0, -k * P.y(s) - 3 * P.vy(s) end }
  local first = m:state { "first", rate = function(s) return 5 * (P.y(s) - s.value) end }
  local second = m:state { "second", rate = function(s) return first.value(s) ^ 2 - s.value end }
  local idle = m:state { "idle", rate = function(s) return P.vy(s) end, at = z0 }
  local run = m:simulate { t = 0.1, at_rest = true }
  check.near(run:at("first.value", 0), -9.81 / 80, 1e-10)
  check.near(run:at("second.value", 0), (9.81 / 80) ^ 2, 1e-10)
  check.near(run:at("idle.value", 0), 0.7, 1e-12)
  local cost = m:objective { "J", terminal = second.value + 2 * idle.value + first.value }
  local gradient = m:gradient { cost, t = 0.1, at_rest = true, method = mbs.adjoint {} }.gradient
  check.near(gradient[1], -2 * 9.81 ^ 2 / 80 ^ 3 + 9.81 / 80 ^ 2, 1e-9)
  check.near(gradient[2], 2, 1e-9)
end

-- A controller's integral carries the weight at the place that is asked for; what nothing holds stays where it is
-- declared beside it, and what a controller cannot reach is refused.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local mass, gain, place = m:param { "mass", 2 }, m:param { "gain", 50 }, m:param { "place", 0.4 }
  local x0 = m:param { "x0", 0.3 }
  local P = m:point { "P", at = { x0, 0.1 }, mass = mass }
  local z = m:state { "z", rate = function(s) return place - P.y(s) end }
  m:force { "lift", on = P, law = function(s) return 0, 200 * (place - P.y(s)) + gain * z.value(s) - 8 * P.vy(s) end }
  local run = m:simulate { t = 0.1, at_rest = true }
  check.near(run:at("P.y", 0.1), 0.4, 1e-9)
  check.near(run:at("P.x", 0.1), 0.3, 1e-12)
  check.near(run:at("z.value", 0.1), 2 * 9.81 / 50, 1e-9)
  local cost = m:objective { "J", terminal = z.value + P.x }
  local gradient = m:gradient { cost, t = 0.1, at_rest = true, method = mbs.adjoint {} }.gradient
  for k, exact in ipairs { 9.81 / 50, -2 * 9.81 / 50 ^ 2, 0, 1 } do check.near(gradient[k], exact, 1e-7, "PI " .. k) end
end
