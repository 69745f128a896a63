-- Constant steps that blow up what is fast, or damp it away, say so: by closed forms of what a step does to the energy of
-- an oscillator, and by contacts that steps pass over. Steps that keep the energy, or lose it to dampers, are silent.
local mbs = require "perilune"
local check = require "check"

local function said(run) return table.concat(run.warnings, "\n") end

-- x'' = -w^2 x - c x', released 0.1 m from rest: its energy is w^2 / 200.
local function oscillator(w, t, integrator, damping)
  local m = mbs.model { "oscillator", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1.1, 0 }, mass = 1 }
  m:spring { "s", m:ground { at = { 0, 0 } }, P, stiffness = w ^ 2, free_length = 1, damping = damping or 0 }
  return m:simulate { t = t, integrator = integrator }
end

-- One step of the classical Runge-Kutta method multiplies the energy by this, z = w h.
local function by_step(z) return 1 - z ^ 6 / 72 + z ^ 8 / 576 end

-- It loses all of it, which is what the motion is measured by, and not by what is left.
do
  local run = oscillator(1000, 3, mbs.rk4 { step = 1e-3 })
  assert(run:at("energy.total", 3) < 1)
  check.near(run.quality.energy, 5000, 1e-3)
  check.near(run.quality.energy_error, 5000, 1e-3)
  check.equal(#run.warnings, 1)
  assert(said(run):find("5e+03 J less than the forces put in", 1, true) and said(run):find("damp away", 1, true), said(run))
  -- From when half of it is gone.
  local half = math.log(0.5) / math.log(by_step(1)) * 1e-3
  local since = tonumber(said(run):match "at t = ([%d.]+) s")
  assert(since >= half - 1e-3 and since < half + 3e-3, since)
end
-- Half of it is no alarm, but a figure: 20 steps with z = 1.
do
  local run = oscillator(1000, 0.02, mbs.rk4 { step = 1e-3 })
  check.near(run.quality.energy_error, 5000 * (1 - by_step(1) ^ 20), 1e-9)
  check.equal(#run.warnings, 0)
end
-- It gains with z = 3, and BDF with z = 1: what blows up is measured by what was there, not by itself.
for _, case in ipairs { { 3000, 0.1, mbs.rk4 { step = 1e-3 } }, { 1000, 0.5, mbs.bdf { step = 1e-3 } } } do
  local run = oscillator(table.unpack(case))
  local start = case[1] ^ 2 / 200
  assert(run.quality.energy_error > 100 * start and run.quality.energy <= start * (1 + 1e-9), tostring(run))
  assert(said(run):find("more than the forces put in", 1, true) and said(run):find("blow up", 1, true), said(run))
  assert(tostring(run):find "energy to %de%+")
end
check.near(oscillator(3000, 0.003, mbs.rk4 { step = 1e-3 }).quality.energy_error, 45000 * (by_step(3) ^ 3 - 1), 1e-9)

-- The trapezoidal rule keeps it, with z = 3, too; and dampers may take all of it.
for _, w in ipairs { 1, 100, 1000, 3000 } do
  local run = oscillator(w, 1, mbs.trapezoidal { step = 1e-3 })
  assert(run.quality.energy_error < 1e-6 * w ^ 2 / 200, tostring(run))
  check.equal(#run.warnings, 0)
end
for _, integrator in ipairs { mbs.rk4 { step = 1e-3 }, mbs.bdf { step = 1e-3 }, mbs.radau { step = 1e-3 },
                              mbs.trapezoidal { step = 1e-3 }, mbs.generalized_alpha { step = 1e-3 },
                              mbs.variational { step = 1e-3 } } do
  local run = oscillator(100, 2, integrator, 10)
  assert(run:at("energy.total", 2) < 1e-3 * run:at("energy.total", 0))
  check.equal(#run.warnings, 0)
end

-- A ball on ground that is so hard that a step passes over it, or meets it once: free flight is exact, so that all that its
-- energy changes comes from there. Steps that resolve it are silent, with losses and without.
local function ball(stiffness, damping, step)
  local m = mbs.model { "ball", gravity = { 0, -9.81 } }
  local a = m:body { "a", mass = 1, inertia = 0.004, at = { 0, 1 } }
  m:contact { m.ground, a, radius = 0.1, normal = mbs.hunt_crossley { stiffness = stiffness, exponent = 1, dissipation = damping } }
  return m:simulate { t = 3, integrator = mbs.rk4 { step = step } }
end
do
  local run = ball(1e8, nil, 1e-3)
  local worst = 0
  for k = 0, 3000 do worst = math.max(worst, math.abs(run:at("energy.total", k * 1e-3) - 9.81)) end
  assert(worst > 100)
  check.near(run.quality.energy_error, worst, 1e-6)
  check.near(run.quality.energy, 0.9 * 9.81, 0.01)
  assert(said(run):find("J more than the forces put in", 1, true), said(run))
end
for _, damping in ipairs { 0, 0.3 } do check.equal(#ball(1e4, damping, 1e-3).warnings, 0) end

-- What puts energy in for a moment, between the steps that are looked into, is work as any other.
do
  local m = mbs.model { "kick", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, mass = 1, velocity = { 1e-3, 0 } }
  m:force { "kick", on = P, law = function(s) return 1e3 * math.exp(-((s.t - 0.5172) / 2e-3) ^ 2), 0 end }
  local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-3 } }
  check.near(run:at("P.vx", 1), 1e-3 + 2 * math.sqrt(math.pi), 1e-6)
  check.equal(#run.warnings, 0)
end

-- In joint coordinates, too, where few steps are looked into: a torsional oscillator on a hinge, with z = 1.
do
  local m = mbs.model { "wheel", gravity = { 0, 0, 0 } }
  local b = m:body { "wheel", at = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 }, angular_velocity = { 0, 0, 0.1 } }
  local axle = m:revolute { "axle", m.ground, b, at = { 0, 0, 0 }, axis = "z" }
  m:torsion_spring { "s", on = axle, stiffness = 1e6 }
  local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-3 } }
  check.near(run.quality.energy_error / (0.5 * 0.1 ^ 2), 1, 1e-3)
  assert(said(run):find("damp away", 1, true), said(run))
end

-- What hangs still is measured by its weight and size, at the origin as elsewhere.
for _, form in ipairs { mbs.penalty {}, mbs.augmented_lagrangian {} } do
  for _, integrator in ipairs { mbs.rk4 { step = 1e-3 }, mbs.trapezoidal { step = 1e-3 }, mbs.dormand_prince {}, mbs.radau {} } do
    for _, height in ipairs { 0, 0.5 } do
      local m = mbs.model { "still", gravity = { 0, -9.81 } }
      local a = m:body { "a", mass = 1, inertia = 0.004, at = { 0, 0 } }
      m:revolute { "j", m.ground, a, at = { 0, height } }
      local run = m:simulate { t = 1, formulation = form, integrator = integrator }
      assert(#run.warnings == 0, run.warnings[1])
    end
  end
end

-- Steps that keep positions alone, and damp nothing: velocities that become what they are not are told, though the
-- positions and the sums of energies look right. A wheel that turns freely goes on at 20 rad/s.
do
  local m = mbs.model { "free", gravity = { 0, 0, 0 } }
  local wheel = m:body { "wheel", mass = 1, inertia = { 0.1, 0.1, 0.1 }, angular_velocity = { 0, 0, 20 } }
  m:revolute { "hinge", m.ground, wheel, at = { 0, 0, 0 }, axis = "z" }
  local function simulate(form, t, step)
    local run = m:simulate { t = t, formulation = form, integrator = mbs.trapezoidal { step = step } }
    return math.abs(run:at("wheel.omega_z", t) - 20), math.abs(run:at("hinge.omega", t) - 20), said(run)
  end
  for _, case in ipairs { { 3.7, 0.01 }, { 2.8, 1e-3 }, { 3, 0.05 } } do
    local of_wheel, of_hinge, text = simulate(mbs.index3 {}, table.unpack(case))
    assert(math.max(of_wheel, of_hinge) > 0.5 and text:find("the velocities do not fit", 1, true), text)
    of_wheel, of_hinge, text = simulate(mbs.maggi {}, case[1], 0.01)
    assert(of_wheel < 0.1 and of_hinge < 0.1 and text == "", text)
  end
  local of_wheel, _, text = simulate(mbs.index3 {}, 1, 1e-3)
  assert(of_wheel < 1e-3 and text == "", text)
end
