-- Limits, dead zones, limited rates, filters and shaped inputs against closed forms, with their derivatives; and
-- controllers with limits in a loop, by all discrete methods.
local mbs = require "perilune"
local check = require "check"

local integrators = { mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 },
                      mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 } }

--- The values and gradients of terminal objectives of a model with one parameter for each number of `values`, against
--- closed(values), a list: their slopes are central differences of the closed form.
local function compare(what, values, build, closed, t, events)
  for _, integrator in ipairs(integrators) do
    local m = mbs.model { gravity = { 0, 0 } }
    local p = {}
    for i, value in ipairs(values) do p[i] = m:param { "p" .. i, value } end
    local objectives = build(m, p)
    for i, expression in ipairs(objectives) do objectives[i] = m:objective { "J" .. i, terminal = expression } end
    local expected = closed(values)
    local by = {}
    for k, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
      by[k] = m:gradient { objectives, t = t, integrator = integrator, method = method }
    end
    for i, result in ipairs(by[1]) do
      check.near(result.value, expected[i], 1e-9, what .. ", value " .. i)
      for j, value in ipairs(values) do
        local h, slope = 1e-3 * math.max(0.1, math.abs(value)), 0
        for _, term in ipairs { { 1, 4 / 3 }, { 2, -1 / 3 } } do
          local moved = { table.unpack(values) }
          moved[j] = value + term[1] * h
          local above = closed(moved)[i]
          moved[j] = value - term[1] * h
          slope = slope + term[2] * (above - closed(moved)[i]) / (2 * term[1] * h)
        end
        check.near(result.gradient[j], slope, 2e-8, ("%s, derivative of %d by %d"):format(what, i, j))
        check.near(by[2][i].gradient[j], result.gradient[j], 1e-10, what .. ", direct and adjoint")
      end
    end
    check.equal(#m:simulate { t = t, integrator = integrator }.events, events, what .. ", events")
  end
end

local function root(f, low, high)
  local sign = f(low) > 0
  for _ = 1, 200 do
    local middle = (low + high) / 2
    if (f(middle) > 0) == sign then low = middle else high = middle end
  end
  return (low + high) / 2
end

-- A controller whose error falls evenly, e = E - c t, at its limit U from the start until it lets go: while limited
-- I' = e + (U - kp e - ki I) / (ki T) is linear with a linear input.
local function wound(sense)
  return function(v)
    local E, c, kp, ki, U, T = table.unpack(v)
    T = T or kp / ki
    local f0, f1 = E + (U - kp * E) / (ki * T), -c + kp * c / (ki * T)
    local b = T * f1
    local a = T * (f0 - b)
    local function I(t) return a + b * t - a * math.exp(-t / T) end
    local free = root(function(t) return kp * (E - c * t) + ki * I(t) - U end, 0, E / c)
    local d = 1 - free
    local e = E - c * free
    local integral = I(free) + e * d - c * d ^ 2 / 2
    local pushed = U * free + kp * (e * d - c * d ^ 2 / 2) + ki * (I(free) * d + e * d ^ 2 / 2 - c * d ^ 3 / 6)
    return { sense * integral, sense * pushed }
  end
end
for _, sense in ipairs { 1, -1 } do
  for _, values in ipairs { { 2, 2.2, 5, 3, 4 }, { 2, 2.2, 5, 3, 4, 0.4 }, { 2, 2.2, 5, 3, 4, 5 } } do
    compare("anti-windup", values, function(m, p)
      local E, c, kp, ki, U, T = table.unpack(p)
      local P = m:point { "P", at = { 0, 0 }, mass = 1 }
      local ctl = m:pid { "ctl", error = function(s) return sense * (E - c * s.t) end, kp = kp, ki = ki, tracking = T,
                          lower = sense < 0 and -U or -100, upper = sense > 0 and U or nil }
      m:force { "push", on = P, law = function(s) return ctl.output, 0 end }
      return { ctl.integral, P.vx }
    end, wound(sense), 1, 1)
  end
end

-- A limit without an integral: a force of k t up to U.
compare("saturation in time", { 3, 2 }, function(m, p)
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  local ctl = m:pid { "ctl", error = function(s) return s.t end, kp = p[1], upper = p[2] }
  m:force { "push", on = P, law = function(s) return ctl.output, mbs.saturate(-p[1] * s.t, -p[2], p[2]) end }
  return { P.vx, P.vy }
end, function(v)
  local k, U = v[1], v[2]
  local speed = U ^ 2 / (2 * k) + U * (1 - U / k)
  return { speed, -speed }
end, 1, 1) -- both forces reach their limits at once

-- A spring that pulls with U at most.
compare("saturation in place", { 1.5, 20, 3 }, function(m, p)
  local P = m:point { "P", at = { p[1], 0 }, mass = 1 }
  m:force { "spring", on = P, law = function(s) return mbs.saturate(-p[2] * s.x, -p[3], p[3]), 0 end }
  return { P.x, P.vx }
end, function(v)
  local x0, k, U = table.unpack(v)
  local w, far = math.sqrt(k), x0 - U / k
  local speed, left = -math.sqrt(2 * U * far), 1 - math.sqrt(2 * far / U)
  return { U / k * math.cos(w * left) + speed / w * math.sin(w * left),
           -U / k * w * math.sin(w * left) + speed * math.cos(w * left) }
end, 1, 1)

-- Play: through the zone evenly, half a swing beyond its end, and back.
compare("dead zone", { 2, 50, 0.3 }, function(m, p)
  local P = m:point { "P", at = { 0, 0 }, velocity = { p[1], 0 }, mass = 1 }
  m:force { "play", on = P, law = function(s) return -p[2] * mbs.dead_zone(s.x, p[3]), 0 end }
  return { P.x }
end, function(v)
  local speed, k, w = table.unpack(v)
  return { w - speed * (0.75 - w / speed - math.pi / math.sqrt(k)) }
end, 0.75, 2)

-- A ramp that is too steep for the rate: a lag at first, then the rate. From the declared place and velocity.
for _, sense in ipairs { 1, -1 } do
  compare("rate limit", { 0.4, 3, 1.2, 0.2 }, function(m, p)
    local x0, c, r, T = table.unpack(p)
    local P = m:point { "P", at = { sense * x0, 0 }, velocity = { sense * c, 0 }, mass = 1 }
    local y = m:rate_limit { "y", input = P.x + 0.1 * P.vx, time_constant = T, rate = sense > 0 and r or 50,
                             falling_rate = sense < 0 and r or nil }
    return { y.output, y.rate }
  end, function(v)
    local x0, c, r, T = table.unpack(v)
    local t = -T * math.log(1 - r / c)
    return { sense * (x0 + 0.1 * c + c * t - T * r + r * (1 - t)), sense * r }
  end, 1, 1)
end

-- Filters of a ramp.
compare("filter of first order", { 0.4, 3, 0.2 }, function(m, p)
  local P = m:point { "P", at = { p[1], 0 }, velocity = { p[2], 0 }, mass = 1 }
  local y = m:filter { "y", input = function(s) return P.x end, time_constant = p[3] }
  local z = m:filter { "z", input = y.rate, time_constant = p[3], at = 2 }
  return { y.output, y.rate, z.output }
end, function(v)
  local x0, c, T = table.unpack(v)
  local gone = math.exp(-1 / T)
  return { x0 + c - c * T * (1 - gone), c * (1 - gone), c + (2 - c - c / T) * gone }
end, 1, 0)
for _, zeta in ipairs { 0, 0.3, 0.9 } do
  compare("filter of second order", { 0.4, 3, 7, zeta }, function(m, p)
    local P = m:point { "P", at = { p[1], 0 }, velocity = { p[2], 0 }, mass = 1 }
    local y = m:filter { "y", input = P.x, natural_frequency = p[3], damping = p[4] }
    return { y.output, y.rate }
  end, function(v)
    local x0, c, w, z = table.unpack(v)
    local wd = w * math.sqrt(1 - z ^ 2)
    local cos, sin, gone = math.cos(wd), math.sin(wd), math.exp(-z * w)
    local a, b = 2 * z * c / w, (2 * z ^ 2 - 1) * c / wd
    return { x0 + c - a + gone * (a * cos + b * sin),
             c + gone * ((-z * w * a + wd * b) * cos - (z * w * b + wd * a) * sin) }
  end, 1, 0)
end

-- The shape of a control: held before and after, its nodes are design variables and mesh points.
compare("piecewise linear", { 3, -1, 2, 0.5 }, function(m, p)
  local thrust = mbs.piecewise_linear { x = { 0.2, 0.5, 0.6, 0.9 }, y = p }
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  m:force { "thrust", on = P, law = function(s) return thrust(s.t), 0 end }
  return { P.vx, P.x }
end, function(v)
  local x, y = { 0, 0.2, 0.5, 0.6, 0.9, 1 }, { v[1], v[1], v[2], v[3], v[4], v[4] }
  local speed, place = 0, 0
  for i = 1, 5 do
    local h = x[i + 1] - x[i]
    place = place + speed * h + h ^ 2 * (2 * y[i] + y[i + 1]) / 6
    speed = speed + h * (y[i] + y[i + 1]) / 2
  end
  return { speed, place }
end, 1, 4)
do
  local f = mbs.piecewise_linear { x = { -1, 0, 2 }, y = { 3, 1, 5 } }
  for x, y in pairs { [-2] = 3, [-1] = 3, [-0.5] = 2, [0] = 1, [0.5] = 2, [2] = 5, [100] = 5 } do
    check.equal(f(x), y)
  end
  check.equal(tostring(f), "piecewise_linear of 3 points from x = -1 to 2")
  check.equal(f.y[3], 5)
end
for x, y in pairs { [-3] = -2, [-2] = -2, [0.5] = 0.5, [4] = 4, [4.5] = 4 } do
  check.equal(mbs.saturate(x, -2, 4), y)
end
for x, y in pairs { [-3] = -1, [-2] = 0, [0.5] = 0, [2] = 0, [2.5] = 0.5 } do check.equal(mbs.dead_zone(x, 2), y) end

-- A servo whose controller, valve and sensor are all of these, in a loop that is at its limits for a while.
local function servo()
  local m = mbs.model { gravity = { 0, -9.81 } }
  local p = function(name, value) return m:param { name, value } end
  local arm = m:body { "arm", mass = 2, inertia = p("inertia", 0.3), at = { 0.4, 0 } }
  local pin = m:revolute { "pin", m.ground, arm, at = { 0, 0 } }
  local sensor = m:filter { "sensor", input = pin.angle, natural_frequency = p("w", 60), damping = p("zeta", 0.7) }
  local goal, play = p("goal", 0.8), p("play", 0.1)
  local ctl = m:pid { "ctl", error = function(s) return goal - sensor.output end, kp = p("kp", 60),
                      ki = p("ki", 90), kd = p("kd", 10), filter = p("lag", 0.02), lower = p("lower", -14),
                      upper = p("upper", 15), tracking = p("tracking", 0.3) }
  local valve = m:rate_limit { "valve", input = ctl.output, rate = p("rate", 150), time_constant = p("T", 0.02) }
  local shape = mbs.piecewise_linear { x = { 0, 0.2, 0.5 }, y = { p("u1", 1), p("u2", -1), p("u3", 2) } }
  m:torque { "motor", on = arm, law = function(s)
    return mbs.dead_zone(valve.output, play) + shape(s.t) + mbs.saturate(-pin.omega, -1, 1)
  end }
  return m, m:objective { "J", integral = function(s) return ctl.error ^ 2 + 1e-4 * ctl.output ^ 2 end,
                          terminal = pin.angle + 0.1 * ctl.integral + 0.01 * valve.output }
end
local tight = { relative_tolerance = 1e-12, absolute_tolerance = 1e-13 }
for _, way in ipairs {
  { mbs.index1 { alpha = 10, beta = 10 }, mbs.dormand_prince(tight), 1e-8 },
  { mbs.maggi {}, mbs.radau(tight), 1e-8 },
  { mbs.penalty { alpha = 1e6 }, mbs.rk4 { step = 1e-3 } },
  { mbs.index1 { alpha = 10, beta = 10 }, mbs.trapezoidal { step = 2e-3 } },
} do
  local m, J = servo()
  local settings = { J, t = 0.7, formulation = way[1], integrator = way[2] }
  local function by(method)
    settings.method = method
    return m:gradient(settings).gradient
  end
  local adjoint, direct = by(mbs.adjoint {}), by(mbs.direct {})
  -- Kinks wander through constant steps, of which differences are no derivative.
  local differences = way[3] and by(mbs.finite_difference { step = 1e-3, richardson = 3 })
  local what = tostring(way[1]) .. ", " .. tostring(way[2])
  for k = 1, #adjoint do
    check.near(direct[k], adjoint[k], 1e-10, what .. ", direct of parameter " .. k)
    if differences then check.near(adjoint[k], differences[k], way[3], what .. ", parameter " .. k) end
  end
end
do
  local m = servo()
  assert(m:check_elements().worst < 1e-9)
  -- At its limits for a while, then free.
  local run = m:simulate { t = 0.7 }
  check.near(run:at("ctl.output", 0.05), 15, 1e-12)
  assert(run:at("ctl.unlimited", 0.05) > 15 and run:at("ctl.unlimited", 0.6) < 15)
end

-- Feedforward: the force of a driver is what the motion needs, and as a table it makes the mechanism move so.
do
  local function arm()
    local plan = mbs.model { gravity = { 0, -9.81 } }
    local body = plan:body { "arm", mass = 3, inertia = 0.1, at = { 0.4, 0 } }
    return plan, body, plan:revolute { "pin", plan.ground, body, at = { 0, 0 } }
  end
  local plan, _, pin = arm()
  plan:driver { "drive", pin.angle, law = function(s) return 0.6 * s.t ^ 2 * (3 - 2 * s.t) end }
  local moved = plan:kinematics { t = 1, step = 0.01 }
  local times, needed = moved:times(), moved:values "drive.force"
  for i, t in ipairs(times) do
    local angle, growth = 0.6 * t ^ 2 * (3 - 2 * t), 0.6 * (6 - 12 * t)
    check.near(needed[i], (0.1 + 3 * 0.4 ^ 2) * growth + 3 * 9.81 * 0.4 * math.cos(angle), 1e-9)
  end
  local torque = mbs.spline { x = times, y = needed }
  local free, body = arm()
  free:torque { "motor", on = body, law = function(s) return torque(s.t) end }
  local run = free:simulate { t = 1 }
  for _, t in ipairs { 0.3, 0.7, 1 } do check.near(run:at("pin.angle", t), 0.6 * t ^ 2 * (3 - 2 * t), 1e-4) end
end

-- Messages.
local m = mbs.model { gravity = { 0, 0 } }
local P = m:point { "P", at = { 0, 0 }, mass = 1 }
local free = m:pid { "free", error = P.x, kp = 1, ki = 2 }
check.fails("the integral of pid \"free\" would wind up", mbs.saturate, free.output, -1, 1)
check.fails("give the controller itself lower and upper", mbs.saturate, 2 * free.output + P.x, -1, 1)
check.fails("the integral of pid \"free\" would wind up", m.force, m, { on = P, law = function(s)
  return mbs.saturate(free.output, -1, 1), 0
end })
do -- Also behind what passes it on.
  local sensor = m:filter { "lag", input = free.output, natural_frequency = 9, damping = 1 }
  local valve = m:rate_limit { "valve", input = sensor.output, rate = 1, time_constant = 0.1, at = 0 }
  check.fails("the integral of pid \"free\" would wind up", mbs.saturate, valve.output, -1, 1)
  mbs.saturate(m:filter({ "other", input = P.x, time_constant = 1 }).output, -1, 1)
end
mbs.saturate(m:pid({ "held", error = P.x, kp = 1, ki = 2, lower = -1 }).output, -2, 2)
mbs.saturate(m:pid({ "short", error = P.x, kp = 1 }).output, -2, 2)
local function fails(text, fields)
  fields[1], fields.error = "c", P.x
  check.fails(text, m.pid, m, fields)
end
fails("PID controller \"c\": lower must be below upper, got 2 and 1", { kp = 1, lower = 2, upper = 1 })
fails("kp is 0 and ki 2; give tracking", { ki = 2, lower = -1 })
fails("kp is -1 and ki 2; give tracking", { kp = -1, ki = 2, upper = 1 })
fails("tracking must be positive", { kp = 1, ki = 2, upper = 1, tracking = 0 })
fails("tracking is the time constant of anti-windup", { kp = 1, ki = 2, tracking = 1 })
fails("tracking is the time constant of anti-windup", { kp = 1, upper = 2, tracking = 1 })
fails("ki must not be zero where tracking is given", { ki = m:param { "zero", 0 }, upper = 2, tracking = 1 })
do -- Parameters that break it later.
  local ki = m:param { "ki", 2 }
  m:pid { "later", error = P.x, kp = 1, ki = ki, upper = 1 }
  ki.value = -1
  check.fails("anti-windup has the time constant kp / ki", m.simulate, m, { t = 0.1 })
end
m = mbs.model { gravity = { 0, 0 } }
P = m:point { "P", at = { 0, 0 }, mass = 1 }
check.fails("mbs.saturate: lower must be below upper, got 1 and 1", mbs.saturate, P.x, 1, 1)
check.fails("mbs.dead_zone: width must not be negative, got -1", mbs.dead_zone, P.x, -1)
check.fails("rate is missing", m.rate_limit, m, { "r", input = P.x, time_constant = 1 })
check.fails("time_constant is missing", m.rate_limit, m, { "r", input = P.x, rate = 1 })
check.fails("falling_rate must be positive", m.rate_limit, m,
            { "r", input = P.x, rate = 1, falling_rate = -1, time_constant = 1 })
check.fails("filter \"f\": the input reads 'P.ax', which is not known before the run; give at", m.filter, m,
            { "f", input = P.ax, time_constant = 1 })
m:filter { "f", input = P.ax, time_constant = 1, at = 0 }
check.fails("give time_constant (first order), or natural_frequency and damping (second)", m.filter, m,
            { "g", input = P.x })
check.fails("give either", m.filter, m, { "g", input = P.x, time_constant = 1, damping = 1 })
check.fails("damping is missing", m.filter, m, { "g", input = P.x, natural_frequency = 1 })
check.fails("natural_frequency", m.filter, m, { "g", input = P.x, damping = 1 })
check.fails("input is missing", m.filter, m, { "g", time_constant = 1 })
check.fails("time_constant must be positive", m.filter, m, { "g", input = P.x, time_constant = 0 })
check.fails("x must increase, but x[2] = 1 is followed by 1", mbs.piecewise_linear,
            { x = { 0, 1, 1 }, y = { 1, 2, 3 } })
check.fails("got 2 abscissas and 3 ordinates", mbs.piecewise_linear, { x = { 0, 1 }, y = { 1, 2, 3 } })
check.fails("x needs at least 2 points, got 1", mbs.piecewise_linear, { x = { 0 }, y = { 1 } })

print "controllers: ok"
