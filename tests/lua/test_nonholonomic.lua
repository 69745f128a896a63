-- Constraints on velocities: closed forms in every form, reactions, freedoms, gradients, and what is refused.
local mbs = require "perilune"
local check = require "check"

local function forms()
  return { mbs.index1 {}, mbs.index1 { alpha = 5, beta = 5 }, mbs.index1 { project = true }, mbs.index2 {},
           mbs.index3 {}, mbs.stabilized_index1 {}, mbs.penalty {}, mbs.augmented_lagrangian {},
           mbs.augmented_lagrangian { index = 3 }, mbs.maggi {}, mbs.coordinate_partitioning {} }
end

--- Calls judge(run, what, order) for every form with every integrator that goes with it; returns how many did.
local function for_all(m, options, judge)
  local count = 0
  local tight = { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 }
  local integrators = { mbs.rk4 { step = 0.01 }, mbs.trapezoidal { step = 0.002 }, mbs.sdirk4 { step = 0.005 },
                        mbs.radau { step = 0.02 }, mbs.generalized_alpha { step = 0.001 }, mbs.bdf { step = 0.002 },
                        mbs.rosenbrock { step = 0.01 }, mbs.dormand_prince(tight), mbs.radau(tight) }
  for _, form in ipairs(forms()) do
    for _, integrator in ipairs(integrators) do
      options.formulation, options.integrator = form, integrator
      local done, run = pcall(m.simulate, m, options)
      if done then
        count = count + 1
        judge(run, tostring(form) .. ", " .. tostring(integrator))
      else
        assert(tostring(run):find "needs", run)  -- forms and integrators that do not go together
      end
    end
  end
  return count
end

local function cosh(x) return (math.exp(x) + math.exp(-x)) / 2 end
local function tanh(x) return 1 - 2 / (math.exp(2 * x) + 1) end

local function across(body, behind)
  return function(s)
    return math.cos(body.angle(s)) * body.vy(s) - math.sin(body.angle(s)) * body.vx(s) - behind * body.omega(s)
  end
end

-- Chaplygin's sleigh: a knife edge behind the centre of mass (Neimark and Fufaev). With k = J / m + a^2 the speed along
-- the edge is V tanh(a V t / k + c) and the rate of turn V / sqrt(k) sech(a V t / k + c).
do
  local mass, J, a, V, c = 2, 0.3, 0.4, 1.5, -0.5
  local k = J / mass + a * a
  local function speed(t) return V * tanh(a * V * t / k + c) end
  local function turn(t) return V / math.sqrt(k) / cosh(a * V * t / k + c) end
  local m = mbs.model { "sleigh", gravity = { 0, 0 } }
  local sled = m:body { "sled", mass = mass, inertia = J, at = { 0, 0 }, velocity = { speed(0), a * turn(0) },
                        angular_velocity = turn(0) }
  m:constraint { "edge", velocity = across(sled, a) }
  local free = m:mobility {}
  check.equal(free.degrees_of_freedom, 2)
  check.equal(free.position_freedoms, 3)
  check.equal(free.velocity_constraints, 1)
  check.equal(tostring(free):find "1 on velocities, so that positions have 3 freedoms" ~= nil, true)
  local energy = 0.5 * mass * V^2
  local count = for_all(m, { t = 0.8 }, function(run, what)
    local t, turned = 0.8, run:at("sled.angle", 0.8)
    local vx, vy, w = run:at("sled.vx", t), run:at("sled.vy", t), run:at("sled.omega", t)
    local along = vx * math.cos(turned) + vy * math.sin(turned)
    local tolerance = 2e-5
    assert(math.abs(along - speed(t)) < tolerance, what .. ": speed " .. along .. " for " .. speed(t))
    assert(math.abs(w - turn(t)) < tolerance, what .. ": turn " .. w .. " for " .. turn(t))
    -- The angle is what the rate of turn sums up to: the integral of sech is the Gudermannian.
    local function gudermannian(x) return 2 * math.atan(tanh(x / 2)) end
    local expected = math.sqrt(k) / a * (gudermannian(a * V * t / k + c) - gudermannian(c))
    assert(math.abs(turned - expected) < tolerance, what .. ": angle " .. turned .. " for " .. expected)
    assert(math.abs(run:at("energy.total", t) - energy) < 5 * tolerance, what .. ": energy")
    -- The edge pushes the centre of mass around: along its normal m (v w + a w').
    local slope = -a * V / k * tanh(a * V * t / k + c) * turn(t)
    local push = mass * (speed(t) * turn(t) + a * slope)
    local found = -run:at("edge.lambda", t)
    assert(math.abs(found - push) < 2e-3 * (1 + math.abs(push)), what .. ": push " .. found .. " for " .. push)
  end)
  check.equal(count >= 60, true)
end

-- A skate on a slope that turns at a constant rate does not descend on average.
do
  local g, w = 3, 2
  local m = mbs.model { "skate", gravity = { g, 0 } }
  local skate = m:body { "skate", mass = 1.3, inertia = 0.2, at = { 0, 0 }, angular_velocity = w }
  m:constraint { "edge", velocity = across(skate, 0) }
  local count = for_all(m, { t = 1 }, function(run, what)
    local x, y = run:at("skate.x", 1), run:at("skate.y", 1)
    local X, Y = g / (2 * w^2) * math.sin(w)^2, g / (2 * w^2) * (w - math.sin(2 * w) / 2)
    assert(math.abs(x - X) < 1e-5 and math.abs(y - Y) < 1e-5, what .. ": " .. x .. ", " .. y .. " for " .. X .. ", " .. Y)
  end)
  check.equal(count >= 60, true)
end

-- A ball on a turntable runs on a circle with 2/7 of its rate, wherever it starts.
do
  local W, r, mass = 1.4, 0.1, 2
  local J = 0.4 * mass * r^2
  local m = mbs.model { "turntable", gravity = { 0, 0, -9.81 } }
  local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { 0.5, 0, r }, velocity = { 0, 0.1, 0 },
                        angular_velocity = { (W * 0.5 - 0.1) / r, 0, 0.7 } }
  m:constraint { "x", velocity = function(s) return ball.vx(s) - r * ball.omega_y(s) + W * ball.y(s) end }
  m:constraint { "y", velocity = function(s) return ball.vy(s) + r * ball.omega_x(s) - W * ball.x(s) end }
  m:constraint { "plane", law = function(s) return ball.z(s) - r end }
  local rate = 2 * W / 7
  local centre = 0.5 - 0.1 / rate  -- of the circle: it starts on the x axis, straight up
  local count = for_all(m, { t = 1 }, function(run, what)
    local x, y = centre + 0.1 / rate * math.cos(rate), 0.1 / rate * math.sin(rate)
    local found_x, found_y = run:at("ball.x", 1), run:at("ball.y", 1)
    -- Diagonally implicit steps of index 3 have the first order where Euler parameters turn, whatever rolls; those of
    -- index 2 the second.
    local is_diagonal = what:find "sdirk4"
    local tolerance = is_diagonal and what:find "index[ =]*3" and 3e-3 or 1e-6
    assert(math.abs(found_x - x) < tolerance and math.abs(found_y - y) < tolerance,
           what .. ": " .. found_x .. ", " .. found_y .. " for " .. x .. ", " .. y)
    assert(math.abs(run:at("plane.lambda", 0.5) + mass * 9.81) < 1e-5, what)
  end)
  check.equal(count >= 60, true)
end

-- A given speed of what is free in position, and gradients of everything.
do
  local m = mbs.model { "given speed", gravity = { 0, -9.81 } }
  local rate = m:param { "rate", 2, unit = "rad/s" }
  local mass = m:param { "mass", 1.5, unit = "kg" }
  local behind = m:param { "behind", 0.3, unit = "m" }
  local sled = m:body { "sled", mass = mass, inertia = 0.2, at = { 0.3, 0 } }
  m:constraint { "edge", velocity = across(sled, behind) }
  m:constraint { "turn", velocity = function(s) return sled.omega(s) - rate * math.cos(3 * s.t) end }
  assert(m:check_elements().worst < 1e-9)
  local far = m:objective { "far", terminal = function(s) return sled.x(s) + sled.y(s)^2 end,
                            integral = function(s) return 0.1 * sled.vx(s) * sled.angle(s) end }
  for _, form in ipairs(forms()) do
    local options = { far, over = { rate, mass, behind }, t = 0.7, formulation = form,
                      integrator = mbs.radau { step = 0.05 } }
    local function gradient(method)
      options.method = method
      return m:gradient(options)
    end
    local direct, adjoint = gradient(mbs.direct {}), gradient(mbs.adjoint {})
    local differences = gradient(mbs.finite_difference { richardson = 2 })
    for i, p in ipairs { "rate", "mass", "behind" } do
      local a, b, d = direct.gradient[i], adjoint.gradient[i], differences.gradient[i]
      local size = math.abs(d) + 1e-3
      assert(math.abs(a - b) < 1e-10 * size, tostring(form) .. ": " .. p .. " " .. a .. " " .. b)
      assert(math.abs(a - d) < 2e-6 * size, tostring(form) .. ": " .. p .. " " .. a .. " " .. d)
    end
  end
end

-- The continuous equations, against the circle of the ball on a turntable differentiated by hand: it is run through at
-- the rate c = W J / (J + m r^2), with x = 0.5 - v (1 - cos(c t)) / c and y = v sin(c t) / c.
do
  local r, mass, v, t = 0.1, 2, 0.1, 0.5
  local m = mbs.model { "turntable", gravity = { 0, 0, -9.81 } }
  local W, J = m:param { "W", 1.4, unit = "rad/s" }, m:param { "J", 0.4 * mass * r^2, unit = "kg m^2" }
  local ball = m:body { "ball", mass = mass, inertia = { J, J, J }, at = { 0.5, 0, r }, velocity = { 0, v, 0 },
                        angular_velocity = { (W * 0.5 - v) / r, 0, 0.7 } }
  m:constraint { "x", velocity = function(s) return ball.vx(s) - r * ball.omega_y(s) + W * ball.y(s) end }
  m:constraint { "plane", law = function(s) return ball.z(s) - r end }
  m:constraint { "y", velocity = function(s) return ball.vy(s) + r * ball.omega_x(s) - W * ball.x(s) end }
  local way = m:objective { "way", terminal = function(s) return ball.x(s) + 2 * ball.y(s) end,
                            integral = function(s) return ball.y(s) end }
  -- The derivative by c, and those of c.
  local w, j = W.value, J.value
  local c = w * j / (j + mass * r^2)
  local x_c = v * ((1 - math.cos(c * t)) / c^2 - t * math.sin(c * t) / c)
  local y_c = v * (t * math.cos(c * t) / c - math.sin(c * t) / c^2)
  local sum_c = v * (t * math.sin(c * t) / c^2 - 2 * (1 - math.cos(c * t)) / c^3)
  local by_c = x_c + 2 * y_c + sum_c
  local expected = { by_c * c / w, by_c * w * mass * r^2 / (j + mass * r^2)^2 }
  local adjoints = { "first_order_explicit", "first_order_implicit", "second_order", "approach1", "approach2" }
  local count = 0
  for _, form in ipairs(forms()) do
    local function error_of(method, step)
      local done, found = pcall(m.gradient, m, { way, over = { W, J }, t = t, formulation = form, method = method,
                                                 integrator = mbs.radau { step = step } })
      if not done then
        assert(found:find "are not those of" or found:find "not known for constraints on velocities", found)
        return
      end
      return math.max(math.abs(found.gradient[1] / expected[1] - 1), math.abs(found.gradient[2] / expected[2] - 1))
    end
    local function judge(method)
      local error = error_of(method, 0.01)
      if not error then return end
      count = count + 1
      -- The fourth order of the continuous equations, and the third of steps of index 3. The weights of the equations
      -- of motion, for unknowns, turn faster than the adjoints of the state.
      local most = tostring(method):find "first_order_implicit" and 2e-4 or 5e-5
      local finer = error_of(method, 0.005)
      assert(error < most and finer < math.max(1e-9, error / (tostring(form):find "index[ =]*3" and 6 or 10)),
             tostring(form) .. ", " .. tostring(method) .. ": " .. error .. ", " .. finer)
    end
    judge(mbs.continuous_direct {})
    for _, name in ipairs(adjoints) do judge(mbs.continuous_adjoint { form = name }) end
  end
  check.equal(count, 11 + 5 * 3 + 3 + 2 * 1 + 2 * 2 + 1)
  for form, name in pairs { [mbs.maggi {}] = "second_order", [mbs.stabilized_index1 {}] = "second_order" } do
    check.fails("equations of " .. tostring(form):match "[%a_]+%d?" .. " are not known for constraints on velocities, " ..
                'such as that of "x"', function()
      m:gradient { way, over = { W }, t = t, formulation = form, integrator = mbs.radau {},
                   method = mbs.continuous_adjoint { form = name } }
    end)
  end
end

-- What m:kinematics points to: with a speed and a rate of turn given, no freedom is left, whatever the forces, and the
-- sled runs on a circle; the gradient of where it ends is known, too, when it has no velocity of its own choice.
do
  local m = mbs.model { "driven", gravity = { 0, -9.81 } }
  local V, w = m:param { "V", 1.2, unit = "m/s" }, m:param { "w", 0.5, unit = "rad/s" }
  local sled = m:body { "sled", mass = 2, inertia = 0.2, at = { 0, 0 }, velocity = { V, 0 }, angular_velocity = w }
  m:constraint { "edge", velocity = across(sled, 0) }
  m:constraint { "speed", velocity = function(s)
    return math.cos(sled.angle(s)) * sled.vx(s) + math.sin(sled.angle(s)) * sled.vy(s) - V
  end }
  m:constraint { "turn", velocity = function(s) return sled.omega(s) - w end }
  check.equal(m:mobility {}.degrees_of_freedom, 0)
  local far = m:objective { "far", terminal = function(s) return sled.x(s) + 2 * sled.y(s) end }
  local v, turn, t = V.value, w.value, 2
  local S, C = math.sin(turn * t), math.cos(turn * t)
  local value = v * (S + 2 * (1 - C)) / turn
  local by_turn = v * t * (C + 2 * S) / turn - value / turn
  for _, form in ipairs(forms()) do
    for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.continuous_direct {}, mbs.continuous_adjoint {} } do
      local found = m:gradient { far, over = { V, w }, t = t, formulation = form, method = method,
                                 integrator = mbs.radau { step = 0.02 } }
      local what = tostring(form) .. ", " .. tostring(method)
      check.near(found.value, value, 1e-8, what)
      check.near(found.gradient[1], value / v, 1e-6, what)
      check.near(found.gradient[2], by_turn, 1e-6, what)
    end
  end
end

-- What is no constraint on velocities is refused where it is declared, and what does not know them where it is asked.
do
  local m = mbs.model { "refused", gravity = { 0, -9.81 } }
  local mass = m:param { "mass", 1, unit = "kg" }
  local P = m:point { "P", at = { 0, 0 }, mass = mass }
  check.fails("linear in the velocities", function()
    m:constraint { "fast", velocity = function(s) return P.vx(s)^2 + P.vy(s)^2 - 1 end }
  end)
  -- With slopes that are constant, but a part that velocities change.
  for _, law in ipairs { function(s) return P.vx(s) - 0.5 * mbs.sign(P.vy(s)) end,
                         function(s) return mbs.where(mbs.gt(P.vx(s), 0), -1, 2) + P.vx(s) end,
                         function(s) return P.vx(s) - math.abs(P.vy(s)) end } do
    check.fails("linear in the velocities", function() m:constraint { "jumps", velocity = law } end)
  end
  check.fails("reads no velocity", function() m:constraint { "still", velocity = function(s) return P.x(s) end } end)
  check.fails("P.ax", function() m:constraint { "pushed", velocity = function(s) return P.ax(s) end } end)
  check.fails("cannot both be given", function()
    m:constraint { "both", law = function(s) return P.x(s) end, velocity = function(s) return P.vx(s) end }
  end)
  check.fails("law is missing", function() m:constraint { "neither" } end)
  m:constraint { "slide", velocity = function(s) return P.vx(s) - P.vy(s) end }
  check.fails("no equilibrium was found", function() m:equilibrium {} end)  -- it slides down for ever
  check.fails("use m:simulate, whose motion is the same whatever the forces", function() m:kinematics { t = 1 } end)
  -- One more that says the same is redundant by name.
  m:constraint { "again", velocity = function(s) return 2 * P.vx(s) - 2 * P.vy(s) end }
  local found = m:mobility {}
  check.equal(found.redundant[1].joint, "again")
  check.equal(found.degrees_of_freedom, 1)
  check.near(m:simulate { t = 0.5, formulation = mbs.maggi {} }:at("P.x", 0.5), -9.81 / 4 * 0.25, 1e-7)
end

-- A penalty that is too soft lets the edge slip, and the audit says so.
do
  local m = mbs.model { "soft", gravity = { 0, -9.81 } }
  local sled = m:body { "sled", mass = 2, inertia = 0.2, at = { 0, 0 } }
  m:constraint { "edge", velocity = across(sled, 0.1) }
  local run = m:simulate { t = 0.5, formulation = mbs.penalty { alpha = 100 } }
  assert(table.concat(run.warnings, "\n"):find '"edge".- is violated by', table.concat(run.warnings, "\n"))
end

-- Two wheels on one axle say the same of their body: redundant in every position, which neither rounding nor the
-- velocities that a step proposes change. What an axle says depends on where it is, not on where a wheel is on it.
do
  local function cart(wheels, half, start)
    local m = mbs.model { "cart", gravity = { 0, -2 } }
    local body = m:body { "body", mass = 2, inertia = 0.3, at = { 0, 0 }, angle = start, angular_velocity = 0.7 }
    for k, side in ipairs(wheels) do
      m:constraint { k == 1 and "left" or "right", velocity = function(s)
        local c, n = math.cos(body.angle(s)), math.sin(body.angle(s))
        -- The velocity of the point at `side` beside the body, across the wheel.
        local vx = body.vx(s) - side * half * c * body.omega(s)
        local vy = body.vy(s) - side * half * n * body.omega(s)
        return c * vy - n * vx
      end }
    end
    return m
  end
  for _, start in ipairs { 0, 0.4, 1.1 } do
    for _, half in ipairs { 0.3, 0.5, 1.3 } do
      local found = cart({ 1, -1 }, half, start):mobility {}
      local what = start .. ", " .. half
      check.equal(found.degrees_of_freedom, 2, what)
      check.equal(found.position_freedoms, 3, what)
      check.equal(found.redundant[1].joint, "right", what)
    end
  end
  for _, integrator in ipairs { mbs.rk4 { step = 0.01 }, mbs.radau { step = 0.02 }, mbs.radau {} } do
    local one = cart({ 1 }, 0.5, 0.4):simulate { t = 1, formulation = mbs.maggi {}, integrator = integrator }
    local two = cart({ 1, -1 }, 0.5, 0.4):simulate { t = 1, formulation = mbs.maggi {}, integrator = integrator }
    check.near(two:at("body.x", 1), one:at("body.x", 1), 1e-9, tostring(integrator))
    check.equal(two.steps, one.steps)
  end
end

-- The rate of a constraint on positions follows from it, whichever is declared first, and the position is kept.
do
  for _, rate_first in ipairs { true, false } do
    local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    local function rate() m:constraint { "rate", velocity = function(s) return P.x(s) * P.vx(s) + P.y(s) * P.vy(s) end } end
    if rate_first then rate() end
    m:distance { "rod", m.ground, P, length = 1 }
    if not rate_first then rate() end
    local found = m:mobility {}
    check.equal(found.redundant[1].joint, "rate")
    check.equal(found.position_freedoms, 1)
    local run = m:simulate { t = 2, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 0.01 } }
    check.near(run:at("constraint.drift", 2), 0, 1e-12)
    check.near(run:at("energy.total", 2), 0, 1e-5)
  end
end
