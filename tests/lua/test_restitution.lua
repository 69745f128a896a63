-- Impacts with restitution between phases: closed forms, momentum, energy, and derivatives by it.
local mbs = require "perilune"
local check = require "check"
local g = 9.81

-- A ball on the floor, three times: heights, times, energies and all derivatives in closed form.
do
  local m = mbs.model { "ball", gravity = { 0, -g } }
  local e = m:param { "e", 0.7, min = 0, max = 1 }
  local h = m:param { "h", 1.3, unit = "m" }
  local ball = m:point { "ball", at = { 0, h }, velocity = { 2, 0 }, mass = 0.4 }
  local floor = m:constraint { "floor", law = ball.y }
  local function flies(k) return m:phase { "flies " .. k, without = { floor }, stop = -ball.y, within = 5 } end
  local function hits(k) return m:phase { "hits " .. k, restitution = e } end
  local phases = { flies(1), hits(1), flies(2), hits(2), m:phase { "flies 3", without = { floor }, stop = -ball.vy } }
  local run = m:simulate { t = 10, phases = phases }
  local v0 = math.sqrt(2 * g * h.value)
  local function closed_form(E, H)
    local v = math.sqrt(2 * g * H)
    return E^4 * H, v / g * (1 + 2 * E + E^2)
  end
  local height, time = closed_form(e.value, h.value)
  check.near(run:at("ball.y", run.t), height, 1e-11)
  check.near(run.t, time, 1e-11)
  check.near(run:at("ball.x", run.t), 2 * time, 1e-11)
  for k, phase in ipairs { run.phases[2], run.phases[4] } do
    local v = v0 * e.value^(k - 1)
    check.near(phase.kinetic_energy_lost, 0.4 / 2 * v^2 * (1 - e.value^2), 1e-11)
    check.near(math.abs(phase.impulses.floor.force or phase.impulses.floor.lambda), 0.4 * v * (1 + e.value), 1e-11)
  end
  local top = m:objective { "top", terminal = ball.y }
  local till = m:objective { "till", terminal = function(s) return s.t end }
  local area = m:objective { "area", integral = ball.y }
  local function slope(f, x) local d = 1e-5; return (f(x + d) - f(x - d)) / (2 * d) end
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.adjoint { checkpoints = 5 }, mbs.adjoint { intervals = 7 } } do
    local found = m:gradient { { top, till, area }, method = method, phases = phases }
    check.near(found[1].by_name.e, 4 * e.value^3 * h.value, 1e-9)
    check.near(found[1].by_name.h, e.value^4, 1e-9)
    check.near(found[2].by_name.e, v0 / g * (2 + 2 * e.value), 1e-9)
    check.near(found[2].by_name.h, time / (2 * h.value), 1e-9)
    -- A parabola of height H takes sqrt(8 H / g) and has two thirds of its box as area.
    local function area_of(E, H)
      local function half(y) return 2 / 3 * y * math.sqrt(2 * y / g) end
      return half(H) + 2 * half(E^2 * H) + half(E^4 * H)
    end
    check.near(found[3].value, area_of(e.value, h.value), 1e-8)
    check.near(found[3].by_name.e, slope(function(x) return area_of(x, h.value) end, e.value), 1e-7)
    check.near(found[3].by_name.h, slope(function(x) return area_of(e.value, x) end, h.value), 1e-7)
  end
  -- Perfectly elastic, it comes back to where it was.
  e.value = 1
  check.near(m:simulate { t = 10, phases = phases }:at("ball.y", m.last_run.t), h.value, 1e-10)
  check.near(m.last_run.phases[2].kinetic_energy_lost, 0, 1e-14)
  -- The design that rises to half the height, to rounding.
  e.value = 0.6
  local miss = m:objective { "miss", terminal = (ball.y - 0.5 * h)^2 }
  m:optimize { minimize = miss, over = { e }, phases = phases }
  check.near(e.value, 0.5^0.25, 1e-5)
end

-- A swinging rod strikes a ball that rests: what joints hold already goes on to be held (the hinge), and what closes
-- parts with e times its speed. Momentum about the hinge, by hand.
do
  local m = mbs.model { "strike", gravity = { 0, 0 } }
  local e = m:param { "e", 0.4 }
  local rod = m:body { "rod", mass = 3, inertia = 0.25, at = { 0, -0.5 }, angle = -math.pi / 2, velocity = { 1, 0 }, angular_velocity = 2 }
  m:revolute { "hinge", m.ground, rod, at = { 0, 0 } }
  local ball = m:point { "ball", at = { 0.3, -1 }, mass = 1 }
  local touch = m:constraint { "touch", law = rod.angle + math.pi / 2 - 0.3 - (ball.x - 0.3) }
  local run = m:simulate { t = 0.5, phases = {
    m:phase { "swings", without = { touch }, stop = rod.angle + math.pi / 2 - 0.3 },
    m:phase { "strikes", restitution = e },
    m:phase { "part", without = { touch } } } }
  local J = 0.25 + 3 * 0.25
  -- Along the touch the rod has the generalized mass J and the ball 1.
  local after = (J * 2 - 1 * e.value * 2) / (J + 1)
  check.near(run:at("rod.omega", run.t), after, 1e-9)
  check.near(run:at("ball.vx", run.t), after + e.value * 2, 1e-9)
  check.near(run.phases[2].kinetic_energy_lost, 0.5 * J * 1 / (J + 1) * 2^2 * (1 - e.value^2), 1e-9)
  local far = m:objective { "far", terminal = ball.x + rod.angle^2 }
  local exact = m:gradient { far }
  local direct = m:gradient { far, method = mbs.direct {} }
  check.near(exact.gradient[1], direct.gradient[1], 1e-12)
  local function value(x) e.value = x; return m:simulate { objectives = far }.objectives.far end
  local d = 1e-4
  check.near(exact.gradient[1], (value(0.4 + d) - value(0.4 - d)) / (2 * d), 1e-7)
end

-- A racket that moves gives energy: what it does to a ball at rest is (1 + e)^2 m w^2 / 2, not a share of the case e = 0.
do
  local m = mbs.model { "racket", gravity = { 0, 0 } }
  local w, mass, e = 2, 0.3, 0.5
  local ball = m:point { "ball", at = { 1, 0 }, mass = mass }
  local racket = m:constraint { "racket", law = function(s) return ball.x - w * s.t end }
  local phases = { m:phase { "waits", without = { racket }, stop = function(s) return w * s.t - ball.x end },
                   m:phase { "hit", restitution = e },
                   m:phase { "flies", without = { racket }, stop = function(s) return s.t - 1 end } }
  local run = m:simulate { t = 2, phases = phases, integrator = mbs.rk4 { step = 0.01 } }
  check.near(run:at("ball.vx", 1), (1 + e) * w, 1e-12)
  check.near(run.phases[2].kinetic_energy_lost, -mass / 2 * ((1 + e) * w)^2, 1e-12)
end
