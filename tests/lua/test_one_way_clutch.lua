-- The one-way clutch in closed form: where it overruns, engages, holds and lets go, and the derivatives of all that.
local mbs = require "perilune"
local check = require "check"

-- A wheel on a clutch, held by k and c: with d = c / 2J and the frequency w it swings as J s'' + c s' + k s = M.
local J, k, c = 0.05, 200, 1
local function model(omega, torque, sense)
  local m = mbs.model { gravity = { 0, 0 } }
  local p = { J = m:param { "J", J }, k = m:param { "k", k }, c = m:param { "c", c },
              omega = m:param { "omega", omega }, torque = m:param { "torque", torque } }
  local wheel = m:body { "wheel", mass = 2, inertia = p.J, angular_velocity = p.omega }
  local axle = m:revolute { "axle", m.ground, wheel, at = { 0, 0 } }
  m:torque { "motor", on = wheel, torque = p.torque }
  m:one_way_clutch { "clutch", on = sense == -1 and -axle.angle or axle, stiffness = p.k, damping = p.c }
  return m, p, wheel
end
local order = { "J", "k", "c", "omega", "torque" }
local present = function(omega, torque) return { J = J, k = k, c = c, omega = omega, torque = torque } end

-- Driven against its sense first: it stops, engages and winds up to M / k.
local T = 0.55
local function driven(p)
  local d, at = p.c / (2 * p.J), T + p.J * p.omega / p.torque
  local w = math.sqrt(p.k / p.J - d * d)
  local wind_up = p.torque / p.k * (1 - math.exp(-d * at) * (math.cos(w * at) + d / w * math.sin(w * at)))
  return -p.J * p.omega ^ 2 / (2 * p.torque) + wind_up, wind_up
end
-- Thrown into its sense without a torque: it swings once, and is let go where J s'' vanishes.
local function thrown(p)
  local d = p.c / (2 * p.J)
  local w = math.sqrt(p.k / p.J - d * d)
  local free = (math.pi - math.atan(2 * d * w / (w * w - d * d))) / w
  local rate = p.omega * math.exp(-d * free) * (math.cos(w * free) - d / w * math.sin(w * free))
  local left = p.omega / w * math.exp(-d * free) * math.sin(w * free)
  return left + rate * (T - free), left * math.exp(-p.k / p.c * (T - free)), free, rate
end

local function check_gradient(m, y, of, p, integrator, method, sense)
  local gradient = m:gradient { y, t = T, integrator = integrator, method = method }.gradient
  for i = 1, of == thrown and 4 or 5 do -- the closed form of what is thrown has no torque
    local name = order[i]
    local h, here = 1e-6 * math.abs(p[name]), p[name]
    p[name] = here + h
    local above = of(p)
    p[name] = here - h
    local slope = (above - of(p)) / (2 * h)
    p[name] = here
    local turned = sense == -1 and (name == "omega" or name == "torque") and slope or sense * slope
    check.near(gradient[i], turned, 2e-6 * math.max(1, math.abs(slope)), name .. " with " .. tostring(method))
  end
end

for _, case in ipairs { { driven, -3, 0.5 }, { thrown, 3, 0 } } do
  local closed, omega, torque = table.unpack(case)
  local p = present(omega, torque)
  local angle, wind_up = closed(p)
  for _, sense in ipairs { 1, -1 } do
    local m, _, wheel = model(sense * omega, sense * torque, sense)
    for _, integrator in ipairs { mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 },
                                  mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 } } do
      local run = m:simulate { t = T, integrator = integrator }
      check.near(run:at("wheel.angle", T), sense * angle, 1e-9)
      check.near(run:at("clutch.wind_up", T), wind_up, 1e-9)
      assert(#run.events > 0 and run.events[1].what == "clutch.engages", "it has an event of its own")
      for _, t in ipairs { 0, 0.05, 0.1, 0.3, 0.4, 0.5 } do
        assert(run:at("clutch.torque", t) >= 0, "a clutch never pulls")
        assert(run:at("clutch.dissipation", t) >= 0, "and never drives")
      end
      local y = m:objective { terminal = wheel.angle }
      for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
        check_gradient(m, y, closed, p, integrator, method, sense)
      end
    end
    assert(m:check_elements().worst < 1e-9)
  end
end

-- Where it is let go, and energy: what the wheel loses is stored or dissipated.
do
  local m = model(3, 0)
  local lost = m:objective { "lost", integral = m:signal "clutch.dissipation" }
  local run = m:simulate { t = T, objectives = { lost },
                           integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 } }
  local _, _, free, rate = thrown(present(3, 0))
  check.near(run.events[#run.events].t, free, 1e-9)
  for _, after in ipairs { 0.002, 0.006 } do -- the winding dies away, with the time c / k
    local d = c / (2 * J)
    local w = math.sqrt(k / J - d * d)
    local left = 3 / w * math.exp(-d * free) * math.sin(w * free)
    check.near(run:at("clutch.wind_up", free + after), left * math.exp(-k / c * after), 1e-8)
  end
  check.near(run:at("wheel.omega", T), rate, 1e-9)
  check.near(run.objectives.lost, 0.5 * J * 9 - run:at("energy.total", T), 1e-9)
  check.near(run.objectives.lost, 0.5 * J * (9 - rate * rate), 1e-9)
end

-- Statics: it carries a torque in its sense, as far as it gives way.
do
  local m = model(0, 0.7)
  local rest = m:equilibrium {}
  check.near(rest:at "wheel.angle", 0.7 / k, 1e-12)
  check.near(rest:at "clutch.torque", 0.7, 1e-10)
end

-- In space, between two bodies that are both free to turn: the clutch drives both by the same torque.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local a = m:body { "a", mass = 1, inertia = { 0.1, 0.1, 0.2 }, at = { 0, 0, 0 } }
  local b = m:body { "b", mass = 1, inertia = { 0.2, 0.2, 0.3 }, at = { 0, 0, 0 }, angular_velocity = { 0, 0, 2 } }
  m:revolute { m.ground, a, at = { 0, 0, 0 }, axis = "z" }
  local joint = m:revolute { "between", a, b, at = { 0, 0, 0 }, axis = "z" }
  m:one_way_clutch { "clutch", on = joint, stiffness = 50, damping = 5 }
  local run = m:simulate { t = 0.5, integrator = mbs.dormand_prince { relative_tolerance = 1e-10 } }
  -- Angular momentum stays; b gives some of it to a before the two part.
  check.near(0.2 * run:at("a.omega_z", 0.5) + 0.3 * run:at("b.omega_z", 0.5), 0.6, 1e-8)
  assert(run:at("a.omega_z", 0.5) > 0.9 and run:at("b.omega_z", 0.5) < 1.5)
  assert(m:check_elements().worst < 1e-9)
end

-- Bad input.
local m, _, wheel = model(1, 0)
check.fails('one_way_clutch "no": stiffness is missing', m.one_way_clutch, m, { "no", on = wheel.angle, damping = 1 })
check.fails("damping must be positive, got 0", m.one_way_clutch, m, { "no", on = wheel.angle, stiffness = 1, damping = 0 })
check.fails("on must be", m.one_way_clutch, m, { "no", on = 3, stiffness = 1, damping = 1 })
check.fails("is not known before the forces are", m.one_way_clutch, m,
  { "no", on = wheel.omega, stiffness = 1, damping = 1 })
check.fails("has no effect", m.one_way_clutch, m, { "no", on = 0 * wheel.angle, stiffness = 1, damping = 1 })
check.fails("clutch", m.one_way_clutch, m, { "clutch", on = wheel.angle, stiffness = 1, damping = 1 })
