-- Matrices of earlier steps, where accelerations say little about what they leave: the multipliers of what moves as it is
-- told, a light part beside heavy ones, and steps so short that corrections look like rounding.
local mbs = require "perilune"

local function check(what, off, allowed)
  assert(off <= allowed, ("%s: off by %.1e, at most %.1e expected"):format(what, off, allowed))
end

-- Points that are driven along a line by their distance from the origin, with a load that changes: accelerations are known
-- from the start, and drivers' forces are multipliers. Closed form: F = 10 sin(5 t) (1 + x^2)^0.5 / x at x = 0.1 + t.
local function guided(integrator, formulation)
  local m = mbs.model { "guided", gravity = { 0, 0 } }
  local drive
  for k = 1, 14 do
    local P = m:point { "P" .. k, at = { 0.1, 1 }, velocity = { 1, 0 }, mass = 1 }
    m:driver { "floor" .. k, P.y, law = function() return 1 end }
    drive = m:driver { "drive" .. k, (P.x ^ 2 + P.y ^ 2) ^ 0.5,
                       law = function(s) return (1 + (0.1 + s.t) ^ 2) ^ 0.5 end }
    m:force { "load" .. k, on = P, law = function(s) return 10 * math.sin(5 * s.t), 0 end }
  end
  local square = m:objective { "square", integral = function(s) return drive.force(s) ^ 2 end }
  return m:simulate { t = 1, integrator = integrator, formulation = formulation, objectives = square }.objectives.square
end

local exact, count = 0, 10000 -- by Simpson's rule
for i = 0, count do
  local t = i / count
  local weight = (i == 0 or i == count) and 1 or i % 2 == 1 and 4 or 2
  exact = exact + weight * (10 * math.sin(5 * t) * (1 + (0.1 + t) ^ 2) ^ 0.5 / (0.1 + t)) ^ 2 / (3 * count)
end
local makers = {
  trapezoidal = function(tolerance) return mbs.trapezoidal { step = 2e-3, tolerance = tolerance } end,
  generalized_alpha = function(tolerance) return mbs.generalized_alpha { step = 2e-3, tolerance = tolerance } end,
  newmark = function(tolerance) return mbs.newmark { step = 2e-3, tolerance = tolerance } end,
  radau = function(tolerance) return mbs.radau { step = 2e-3, tolerance = tolerance } end,
  bdf = function(tolerance) return mbs.bdf { step = 2e-3, tolerance = tolerance } end,
}
local forms = { index1 = mbs.index1 {}, index3 = mbs.index3 {}, augmented_lagrangian = mbs.augmented_lagrangian {} }
for name, make in pairs(makers) do
  for form, formulation in pairs(forms) do
    local tight = guided(make(1e-13), formulation)
    check(("driven, %s, %s, beside the closed form"):format(name, form), math.abs(tight / exact - 1), 2e-4)
    for _, tolerance in ipairs { 1e-11, 1e-6, 1e-3 } do
      check(("driven, %s, %s, tolerance %g"):format(name, form, tolerance),
        math.abs(guided(make(tolerance), formulation) / tight - 1), tolerance)
    end
  end
end

-- Three presses at a given speed, whose sliders feel a load that changes quickly: the torque of a motor.
local function press(integrator, formulation, speed)
  local m = mbs.model { "press", gravity = { 0, -9.81 } }
  local motor
  for k = 1, 3 do
    local crank = m:body { "crank" .. k, mass = 1, inertia = 0.01, at = { 0.05, 0 }, angular_velocity = speed,
                           velocity = { 0, 0.05 * speed } }
    local rod = m:body { "rod" .. k, mass = 1, inertia = 0.02, at = { 0.25, 0 }, angular_velocity = -speed / 3,
                         velocity = { 0, 0.05 * speed } }
    local slider = m:body { "slider" .. k, mass = 2, inertia = 0.01, at = { 0.4, 0 } }
    local pin = m:revolute { "pin" .. k, m.ground, crank, at = { 0, 0 } }
    m:revolute { "big end" .. k, crank, rod, at = { 0.1, 0 } }
    m:revolute { "small end" .. k, rod, slider, at = { 0.4, 0 } }
    m:translational { "guide" .. k, m.ground, slider, at = { 0.4, 0 }, axis = "x" }
    motor = m:driver { "motor" .. k, pin.angle, law = function(s) return speed * s.t end }
    m:force { "load" .. k, on = slider, law = function(s) return 1000 * math.sin(50 * s.t), 0 end }
  end
  local square = m:objective { "square", integral = function(s) return motor.force(s) ^ 2 end }
  return m:simulate { t = 1, integrator = integrator, formulation = formulation, objectives = square }.objectives.square
end
for name, make in pairs(makers) do
  for form, formulation in pairs(forms) do
    for _, speed in ipairs { 0.1, 5 } do
      local tight = press(make(1e-13), formulation, speed)
      for _, tolerance in ipairs { 1e-11, 1e-6, 1e-3 } do
        -- The torque is to the force on the slider as the crank's height is to 1 m: at 0.1 rad/s below 0.01.
        local size = speed < 1 and 1e4 or 1
        check(("press, %s, %s, %g rad/s, tolerance %g"):format(name, form, speed, tolerance),
          math.abs(press(make(tolerance), formulation, speed) / tight - 1), size * tolerance)
      end
    end
  end
end

-- Points on linear springs that are shaken, and a light one on a spring that hardens by the cube beside them.
local function beside(integrator)
  local m = mbs.model { "beside", gravity = { 0, 0 } }
  for k = 1, 26 do
    local P = m:point { "P" .. k, at = { 0.2 * k, 0 }, mass = 0.5 }
    m:force { "shake" .. k, on = P, law = function(s) return 1e3 * math.sin(300 * s.t), 1e3 * math.cos(200 * s.t) end }
    m:force { "hold" .. k, on = P, law = function(s) return -1e3 * (s.x - 0.2 * k), -1e3 * s.y end }
  end
  local Q = m:point { "Q", at = { 1e-3, 0 }, velocity = { 1, 0 }, mass = 1e-3 }
  m:force { "hardening", on = Q, law = function(s) return -2e5 * s.x ^ 3 - 0.1 * s.x, 0 end }
  local run = m:simulate { t = 0.5, integrator = integrator, formulation = mbs.index1 {} }
  return run:values(Q.ax, run:times())
end
for name, make in pairs(makers) do
  local tight = beside(make(1e-14))
  for _, tolerance in ipairs { 1e-4, 1e-6, 1e-8, 1e-11 } do
    local found, off = beside(make(tolerance)), 0
    for i, a in ipairs(tight) do off = math.max(off, math.abs(a - found[i])) end
    check(("beside, %s, tolerance %g"):format(name, tolerance), off / 2000, 2 * tolerance) -- of the shaken points: 2000 m/s^2
  end
end

-- Points in free fall, one of which picks up mass in proportion to its acceleration from 0.55 us on, in steps of 0.1 us.
local m = mbs.model { "short steps", gravity = { 0, -9.81 } }
for k = 1, 25 do m:point { "P" .. k, at = { k, 0 }, mass = 1 } end
local Q = m:point { "Q", at = { 0, 0 }, mass = 1 }
m:force { "added", on = Q, law = function(s) return 0, -0.8 * mbs.where(mbs.lt(s.t, 0.55e-6), 0, 1) * Q.ay end }
local last = m:objective { "last", terminal = function(s) return Q.ay(s) end }
for _, steps in ipairs { 5, 6, 8, 20, 50 } do
  local run = m:simulate { t = steps * 1e-7, integrator = mbs.trapezoidal { step = 1e-7 }, formulation = mbs.index1 {},
                           objectives = last }
  check(("%d short steps"):format(steps), math.abs(run.objectives.last / (steps > 5 and -9.81 / 1.8 or -9.81) - 1), 1e-9)
end

-- A press that is driven, whose guide rubs by its load: accelerations are known from the start, and multipliers are not, as
-- forces read them.
local function rubbing(integrator, count)
  local press = mbs.model { "rubbing", gravity = { 0, -9.81 } }
  local motor
  for k = 1, count do
    local y = k - 1
    local crank = press:body { "crank" .. k, mass = 1, inertia = 0.01, at = { 0.05, y }, angular_velocity = 20,
                               velocity = { 0, 1 } }
    local rod = press:body { "rod" .. k, mass = 1, inertia = 0.02, at = { 0.25, y }, angular_velocity = -20 / 3,
                             velocity = { 0, 1 } }
    local slider = press:body { "slider" .. k, mass = 2, inertia = 0.01, at = { 0.4, y } }
    local pin = press:revolute { "pin" .. k, press.ground, crank, at = { 0, y } }
    press:revolute { "big end" .. k, crank, rod, at = { 0.1, y } }
    press:revolute { "small end" .. k, rod, slider, at = { 0.4, y } }
    press:translational { "guide" .. k, press.ground, slider, at = { 0.4, y }, axis = "x", length = 0.03,
                          friction = mbs.coulomb { coefficient = 0.8 } }
    motor = press:driver { "motor" .. k, pin.angle, law = function(s) return 20 * s.t end }
    press:force { "load" .. k, on = slider, law = function(s) return 300 * math.sin(70 * s.t), 0 end }
  end
  local sum = press:objective { "sum", integral = function(s) return motor.force(s) end }
  return press:simulate { t = 0.7, integrator = integrator, formulation = mbs.index1 {}, objectives = sum }.objectives.sum
end
for name, make in pairs(makers) do
  if name ~= "newmark" then
    local tight = rubbing(make(1e-14), 1)
    for _, count in ipairs { 1, 3 } do
      for _, tolerance in ipairs { 1e-11, 1e-8 } do
        check(("rubbing, %s, %d presses, tolerance %g"):format(name, count, tolerance),
          math.abs(rubbing(make(tolerance), count) / tight - 1), 20 * tolerance)
      end
    end
  end
end
