-- Drivers and constraints whose laws have corners: a corner of the velocity is a blow, which is refused, or warned of
-- where the formulation gives way to it; one of the acceleration is a mesh point of adaptive runs.
local mbs = require "perilune"
local check = require "check"

local exact = { mbs.index1 { project = true }, mbs.maggi {}, mbs.coordinate_partitioning {}, mbs.index3 {},
                mbs.stabilized_index1 {}, mbs.augmented_lagrangian { index = 3 } }
local soft = { mbs.penalty {}, mbs.augmented_lagrangian {}, mbs.index1 { alpha = 5, beta = 5 } }
local integrators = { mbs.radau {}, mbs.bdf {}, mbs.trapezoidal { step = 1e-2 } }

-- Two links; the first is driven.
local function arm(law)
  local m = mbs.model { "arm", gravity = { 0, 0 } }
  local A = m:body { "A", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
  local B = m:body { "B", mass = 1, inertia = 0.1, at = { 1.5, 0 } }
  local hinge = m:revolute { "shoulder", m.ground, A, at = { 0, 0 } }
  m:revolute { "elbow", A, B, at = { 1, 0 } }
  m:driver { "motor", hinge.angle, law = law }
  return m
end
local function corner(s) return mbs.where(mbs.lt(s.t, 0.503), 0, 2 * (s.t - 0.503)) end
local function leap(s) return mbs.where(mbs.lt(s.t, 0.503), 0, 0.1) end
for _, law in ipairs { corner, leap } do
  local text = law == corner and 'the velocity that "motor" prescribes jumps by 2 (m/s or rad/s)'
    or 'the position that "motor" prescribes jumps by 0.1 (m or rad)'
  for _, integrator in ipairs(integrators) do
    for _, formulation in ipairs(exact) do
      check.fails(text, function() arm(law):simulate { t = 0.6, formulation = formulation, integrator = integrator } end)
    end
    for _, formulation in ipairs(soft) do
      local run = arm(law):simulate { t = 0.6, formulation = formulation, integrator = integrator }
      local said = false
      for _, warning in ipairs(run.warnings) do said = said or warning:find(text, 1, true) end
      assert(said, tostring(run))
    end
  end
  check.fails(text, function() arm(law):simulate { t = 0.6 } end)
end

-- A smooth law asks for nothing of the kind, whatever its rounding.
do
  local run = arm(function(s) return mbs.smoothstep(s.t, 0.2, 0.4) end):simulate { t = 0.6 }
  check.equal(#run.warnings, 0)
end

-- The base of an oscillator starts to accelerate at t0: with tau = t - t0,
--   y = a tau^2 / 2 - (a / omega^2) (1 - cos(omega tau)).
for _, formulation in ipairs { mbs.index1 { project = true }, mbs.maggi {}, mbs.index3 {} } do
  local m = mbs.model { "table", gravity = { 0, 0 } }
  local base = m:point { "base", at = { 0, 0 }, mass = 1 }
  local load = m:point { "load", at = { 1, 0 }, mass = 1 }
  local a, t0 = m:param { "a", 3 }, m:param { "t0", 0.3 }
  m:constraint { "straight", law = base.y }
  m:constraint { "level", law = load.y }
  m:driver { "motor", base.x, law = function(s) return mbs.where(mbs.lt(s.t, t0), 0, a * (s.t - t0) ^ 2 / 2) end }
  m:spring { "spring", base, load, stiffness = 100, free_length = 1 }
  local J = m:objective { "J", terminal = load.x - 1 }
  local run = m:simulate { t = 0.8, formulation = formulation, objectives = J,
                           integrator = mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-10 } }
  check.equal(#run.warnings, 0)
  check.equal(#run.events, 1)
  check.near(run.events[1].t, 0.3, 1e-9)
  local tau, omega = 0.5, 10
  check.near(run.objectives.J, 3 * tau ^ 2 / 2 - 3 / omega ^ 2 * (1 - math.cos(omega * tau)), 1e-8)
  local gradient = m:gradient { J, over = { a, t0 } }
  check.near(gradient.by_name.a, tau ^ 2 / 2 - (1 - math.cos(omega * tau)) / omega ^ 2, 1e-7)
  check.near(gradient.by_name.t0, -3 * tau + 3 / omega * math.sin(omega * tau), 1e-6)
end

-- A bead on a wire that is bent at a right angle.
do
  local function wire()
    local m = mbs.model { "wire", gravity = { 0, 0 } }
    local P = m:point { "P", at = { -1, 1 }, velocity = { 1, -1 }, mass = 1 }
    m:constraint { "wire", law = P.y - math.abs(P.x) }
    return m
  end
  check.fails('"wire" prescribes jumps', function() wire():simulate { t = 2 } end)
  check.fails('"wire" prescribes jumps', function() wire():simulate { t = 2, integrator = mbs.rk4 { step = 1e-2 } } end)
end
