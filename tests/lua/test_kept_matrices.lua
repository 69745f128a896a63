-- Steps of implicit integrators keep a matrix while corrections shrink quickly, and begin with that of the step before:
-- fewer matrices than steps, the same steps.
local mbs = require "perilune"

-- A chain that swings and whose links stretch, of 2 count coordinates and a link at the ground that does not.
local function chain(count, stiffness)
  local m = mbs.model { "chain", gravity = { 0, -9.81 } }
  local before = m:ground { at = { 0, 0 } }
  for k = 1, count do
    local P = m:point { "P" .. k, at = { 0.2 * k, 0.01 * k }, mass = 0.5 }
    if k == 1 then
      m:distance { before, P, length = (0.2 ^ 2 + 0.01 ^ 2) ^ 0.5 }
    else
      m:spring { before, P, stiffness = stiffness, free_length = 0.2, damping = 1 }
    end
    before = P
  end
  return m, before
end

local function apart(count, stiffness, make, loose)
  local m, last = chain(count, stiffness)
  local function go(tolerance)
    return m:simulate { t = 0.4, integrator = make(tolerance), formulation = mbs.index1 { project = true } }
  end
  local run, exact = go(loose), go(1e-14)
  local worst, times = 0, run:times()
  for _, signal in ipairs { last.ax, last.ay } do
    local a, b = run:values(signal, times), exact:values(signal, times)
    local size = 0
    for i = 1, #a do size = math.max(size, math.abs(b[i])) end
    for i = 1, #a do worst = math.max(worst, math.abs(a[i] - b[i]) / size) end
  end
  return worst, run
end

local makers = {
  trapezoidal = function(tolerance) return mbs.trapezoidal { step = 2e-3, tolerance = tolerance } end,
  generalized_alpha = function(tolerance) return mbs.generalized_alpha { step = 2e-3, tolerance = tolerance } end,
  radau = function(tolerance) return mbs.radau { order = 5, step = 4e-3, tolerance = tolerance } end,
}
for name, make in pairs(makers) do
  -- What an iteration leaves is below a hundredth of the tolerance, in every step; in 200 steps it adds up.
  local off, run = apart(30, 2000, make, 1e-6)
  assert(off < 1e-6, ("%s: accelerations are off by %.1e"):format(name, off))
  off, run = apart(30, 2000, make, 1e-11)
  assert(off < 1e-10, ("%s: accelerations are off by %.1e"):format(name, off))
  assert(run.jacobians <= 0.5 * run.steps and run.newton_iterations >= 2 * run.steps, ("%s: %d matrices, %d iterations, %d steps"):format(
    name, run.jacobians, run.newton_iterations, run.steps))
  -- Medium ones are kept within a step.
  if name ~= "radau" then
    local _, medium = apart(9, 2000, make, 1e-11)
    assert(medium.jacobians >= medium.steps and medium.jacobians < 0.8 * medium.newton_iterations, name)
  end
  -- Small matrices cost no more than residuals.
  if name ~= "radau" then
    local _, small = apart(3, 2000, make, 1e-11)
    assert(small.jacobians == small.newton_iterations, name)
  end
end

-- Where corrections shrink slowly the matrix is made anew: links that stiffen by the cube of what they stretch, in steps
-- that are long for them. There kept matrices leave the most of the errors, and no more than is promised.
do
  local function hardening(tolerance)
    local m = mbs.model { "hardening", gravity = { 0, -9.81 } }
    local before, third = m:ground { at = { 0, 0 } }, nil
    for k = 1, 10 do
      local P = m:point { "P" .. k, at = { 0.2 * k, 0 }, mass = 0.5 }
      m:spring { before, P, stiffness = 1e3, free_length = 0.2,
                 law = function(s) return 1e3 * (s.length - 0.2) + 1e9 * (s.length - 0.2) ^ 3 end }
      before = P
      if k == 3 then third = P end
    end
    local run = m:simulate { t = 0.3, integrator = mbs.trapezoidal { step = 5e-3, tolerance = tolerance } }
    return run, run:values(third.ay, run:times())
  end
  local _, exact = hardening(1e-14)
  local size = 0
  for _, a in ipairs(exact) do size = math.max(size, math.abs(a)) end
  for _, tolerance in ipairs { 1e-3, 1e-4, 1e-8 } do
    local run, found = hardening(tolerance)
    local off = 0
    for i, a in ipairs(found) do off = math.max(off, math.abs(a - exact[i]) / size) end
    assert(off < 0.015 * tolerance, off / tolerance)
    assert(run.jacobians > 1.2 * run.steps and run.jacobians < 0.6 * run.newton_iterations, run.jacobians)
  end
end

-- Two wheels, each with an arm on a universal joint that stands off its middle. The faster they turn, the less is a matrix of an
-- earlier step of use: then few are tried, and where they lead astray nothing is left of it.
do
  local function wheel(speed, make)
    local m = mbs.model { "wheel", gravity = { 0, 0, -9.81 } }
    local arm
    for k = 1, 2 do
      local wheel = m:body { "wheel" .. k, mass = 2, inertia = { 0.02, 0.05, 0.03 }, at = { k, 0, 0 },
                             angular_velocity = { 0, speed, 0 } }
      arm = m:body { "arm" .. k, mass = 1, inertia = { 0.02, 0.02, 0.01 }, at = { k + 0.3, 0.1, 0.02 },
                     velocity = { 0.02 * speed, 0, -0.3 * speed }, angular_velocity = { 0, speed, 0 } }
      m:revolute { "bearing" .. k, m.ground, wheel, at = { k, 0, 0 }, axis = "y" }
      m:universal { "joint" .. k, wheel, arm, at = { k + 0.1, 0.1, 0 }, axis = "y", axis_b = "z" }
    end
    local run = m:simulate { t = 0.3, integrator = make, formulation = mbs.index1 { project = true } }
    return run, run:values(arm.az, run:times())
  end
  for name, make in pairs(makers) do
    for _, speed in ipairs { 2, 20, 150 } do
      local _, exact = wheel(speed, make(1e-14))
      local run, found = wheel(speed, make(1e-8))
      local size, off = 0, 0
      for i, a in ipairs(exact) do size, off = math.max(size, math.abs(a)), math.max(off, math.abs(a - found[i])) end
      assert(off < 1e-10 * size, ("%s, %g rad/s: accelerations are off by %.1e"):format(name, speed, off / size))
      local matrices = run.jacobians / run.steps
      assert(speed > 2 and matrices > 0.8 or matrices < 0.5, ("%s, %g rad/s: %d matrices"):format(name, speed, run.jacobians))
    end
  end
end
