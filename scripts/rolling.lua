-- Motions with constraints on velocities whose closed forms are known: what every form of the equations finds, with two
-- steps each, and the order that these show.
--
--   perilune scripts/rolling.lua [--json FILE]
--
-- The sleigh, the skate, the ball and the disc are those of Neimark and Fufaev, Dynamics of Nonholonomic Systems. All
-- numbers of masses and lengths are ours.
local mbs = require "perilune"
local options = mbs.options { json = "" }

local g = 9.81
local function cosh(x) return (math.exp(x) + math.exp(-x)) / 2 end
local function tanh(x) return 1 - 2 / (math.exp(2 * x) + 1) end

local cases = {}

-- 1. Chaplygin's sleigh on an edge at the distance a behind its centre of mass. With k = J / m + a^2 the speed along
-- the edge is V tanh(a V t / k + c), the rate of turn V / sqrt(k) sech(a V t / k + c).
function cases.sleigh()
  local mass, J, a, V, c, t = 2, 0.3, 0.4, 1.5, -0.5, 0.8
  local k = J / mass + a * a
  local function speed(time) return V * tanh(a * V * time / k + c) end
  local function turn(time) return V / math.sqrt(k) / cosh(a * V * time / k + c) end
  local m = mbs.model { "sleigh", gravity = { 0, 0 } }
  local sled = m:body { "sled", mass = mass, inertia = J, at = { 0, 0 }, velocity = { speed(0), a * turn(0) },
                        angular_velocity = turn(0) }
  m:knife_edge { "edge", m.ground, sled:point { -a, 0 } }
  local function gudermannian(x) return 2 * math.atan(tanh(x / 2)) end
  local function angle(time) return math.sqrt(k) / a * (gudermannian(a * V * time / k + c) - gudermannian(c)) end
  return m, t, { ["sled.angle"] = angle, ["sled.omega"] = turn }
end

-- 2. A skate on a slope, which turns at the constant rate w, does not descend on average.
function cases.skate()
  local down, w, t = 3, 2, 1
  local m = mbs.model { "skate", gravity = { down, 0 } }
  local skate = m:body { "skate", mass = 1.3, inertia = 0.2, at = { 0, 0 }, angular_velocity = w }
  m:knife_edge { "edge", m.ground, skate }
  return m, t, { ["skate.x"] = function(time) return down / (2 * w^2) * math.sin(w * time)^2 end,
                 ["skate.y"] = function(time) return down / (2 * w^2) * (w * time - math.sin(2 * w * time) / 2) end }
end

-- 3. A ball on a table that turns with W runs on a circle with 2 W / 7.
function cases.turntable()
  local W, r, mass, t = 3, 0.1, 2, 1
  local J = 0.4 * mass * r^2
  local m = mbs.model { "turntable", gravity = { 0, 0, -g } }
  local table_top = m:body { "table", mass = 5, inertia = { 1, 1, 2 }, at = { 0, 0, 0 },
                             angular_velocity = { 0, 0, W } }
  local axle = m:revolute { "axle", m.ground, table_top, at = { 0, 0, 0 }, axis = "z" }
  m:driver { "motor", axle.angle, law = function(s) return W * s.t end }
  local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { 0.5, 0, r }, velocity = { 0, 0.1, 0 },
                        angular_velocity = { (W * 0.5 - 0.1) / r, 0, 0.7 } }
  m:rolling { "roll", table_top, ball, radius = r }
  local rate = 2 * W / 7
  local radius = 0.1 / rate
  return m, t, { ["ball.x"] = function(time) return 0.5 - radius + radius * math.cos(rate * time) end,
                 ["ball.y"] = function(time) return radius * math.sin(rate * time) end }
end

-- 4. A disc that leans by theta rolls in a circle with the rate W about the vertical if its spin about its axis is
-- (A W^2 cos - m g r) sin / ((C + m r^2) W cos).
local r, mass = 0.4, 1.3
local function spin_on_circle(C, A, theta, W)
  return (A * W^2 * math.cos(theta) - mass * g * r) * math.sin(theta) / ((C + mass * r^2) * W * math.cos(theta))
end
function cases.disc()
  local theta, W, t = 0.3, -1.2, 1
  local C = 0.5 * mass * r^2
  local A = C / 2
  local spin = spin_on_circle(C, A, theta, W)
  local c, s = math.cos(theta), math.sin(theta)
  local m = mbs.model { "disc", gravity = { 0, 0, -g } }
  -- About the axis (0, c, s) the spin, and W c about the line from the contact to the centre, (0, -s, c).
  local wheel = m:body { "wheel", mass = mass, inertia = { A, C, A }, at = { 0, 0, r * c },
                         orientation = { math.cos(theta / 2), math.sin(theta / 2), 0, 0 },
                         velocity = { r * spin, 0, 0 }, angular_velocity = { 0, spin, W * c } }
  m:rolling { "roll", m.ground, wheel, radius = r, axis = { 0, c, s } }
  local radius = r * spin / W
  return m, t, { ["wheel.x"] = function(time) return radius * math.sin(W * time) end,
                 ["wheel.y"] = function(time) return radius * (1 - math.cos(W * time)) end }
end

local forms = {
  { "index1", mbs.index1 {} }, { "index1, alpha = beta = 5", mbs.index1 { alpha = 5, beta = 5 } },
  { "index1, projected", mbs.index1 { project = true } }, { "index2", mbs.index2 {} }, { "index3", mbs.index3 {} },
  { "stabilized_index1", mbs.stabilized_index1 {} }, { "penalty", mbs.penalty {} },
  { "augmented_lagrangian", mbs.augmented_lagrangian {} },
  { "augmented_lagrangian, index 3", mbs.augmented_lagrangian { index = 3 } }, { "maggi", mbs.maggi {} },
  { "coordinate_partitioning", mbs.coordinate_partitioning {} },
}
local integrators = {
  { "rk4", function(h) return mbs.rk4 { step = h } end, 0.01 },
  { "trapezoidal", function(h) return mbs.trapezoidal { step = h } end, 0.01 },
  { "radau", function(h) return mbs.radau { step = h } end, 0.05 },
}

--- The largest deviation from the closed form at four instants, relative to its size.
local function error_of(m, t, expected, form, integrator)
  local done, run = pcall(m.simulate, m, { t = t, formulation = form, integrator = integrator })
  if not done then
    assert(tostring(run):find "needs", run)  -- they do not go together
    return nil
  end
  local worst, size = 0, 0
  for signal, closed_form in pairs(expected) do
    for i = 1, 4 do
      local value = closed_form(t * i / 4)
      worst = math.max(worst, math.abs(run:at(signal, t * i / 4) - value))
      size = math.max(size, math.abs(value))
    end
  end
  return worst / size
end

local results = { orders = {}, stability = {} }
for _, name in ipairs { "sleigh", "skate", "turntable", "disc" } do
  print(("%s: largest error, and the order that halving the step shows"):format(name))
  local m, t, expected = cases[name]()
  for _, form in ipairs(forms) do
    local line = ("  %-30s"):format(form[1])
    for _, integrator in ipairs(integrators) do
      local make, h = integrator[2], integrator[3]
      local coarse = error_of(m, t, expected, form[2], make(h))
      local fine = coarse and error_of(m, t, expected, form[2], make(h / 2))
      if fine then
        local order = math.log(coarse / fine, 2)
        line = line .. ("  %s %.1e (%.1f)"):format(integrator[1], fine, order)
        table.insert(results.orders, { case = name, formulation = form[1], integrator = integrator[1], step = h,
                                       error = coarse, error_of_half = fine, order = order })
      end
    end
    print(line)
  end
end

-- The least spin of an upright disc: w^2 = m g r A / (C (C + m r^2)), for a thin disc g / (3 r), a hoop g / (4 r).
--- Whether it is stable, from small motions beside the steady motion.
local function is_stable(C, w)
  local m = mbs.model { "upright", gravity = { 0, 0, -g } }
  local wheel = m:body { "wheel", mass = mass, inertia = { C / 2, C, C / 2 }, at = { 0, 0, r },
                         velocity = { w * r, 0, 0 }, angular_velocity = { 0, w, 0 } }
  m:rolling { "roll", m.ground, wheel, radius = r, axis = "y" }
  return m:linearize { steady = true }.stable
end
for _, shape in ipairs { { "thin disc", 0.5, 3 }, { "hoop", 1, 4 } } do
  local C = shape[2] * mass * r^2
  local low, high = 0.5, 10
  while high - low > 1e-7 do
    local middle = (low + high) / 2
    if is_stable(C, middle) then high = middle else low = middle end
  end
  local expected = (g / (shape[3] * r))^0.5
  print(("%s: rolls upright from %.6f rad/s on, closed form %.6f"):format(shape[1], high, expected))
  table.insert(results.stability, { shape = shape[1], spin = high, closed_form = expected })
end

if options.json ~= "" then mbs.write_json(options.json, results) end
