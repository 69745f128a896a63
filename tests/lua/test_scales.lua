-- Units change nothing: pendulums from a cell to a mountain are the same motion, with lengths in L, times in (L / g)^(1/2)
-- and masses in m. The augmented Lagrangian's iteration has to converge for all of them.
local mbs = require "perilune"
local check = require "check"

local g = 9.81
local function height(L, mass, formulation, integrator)
  local m = mbs.model { "pendulum", gravity = { 0, -g } }
  local P = m:point { "P", at = { 0.6 * L, -0.8 * L }, mass = mass }
  m:distance { "arm", m:ground { at = { 0, 0 } }, P }
  local run = m:simulate { t = 2 * math.sqrt(L / g), formulation = formulation, integrator = integrator }
  return run:at("P.y", run.t) / L, run
end

-- A rod about an axis in space: Euler parameters, whose mass matrix is singular.
local function angle(L, mass, formulation, integrator)
  local m = mbs.model { "rod", gravity = { 0, 0, -g } }
  local J = mass * L^2 / 12
  local rod = m:body { "rod", mass = mass, inertia = { J / 100, J, J }, at = { L / 2, 0, 0 } }
  m:revolute { "hinge", m.ground, rod, at = { 0, 0, 0 }, axis = "y" }
  local run = m:simulate { t = math.sqrt(L / g), formulation = formulation, integrator = integrator }
  return run:at("rod.z", run.t) / L, run
end

local scales = { { 1e-4, 1 }, { 1e-3, 100 }, { 0.1, 1e6 }, { 1, 1e12 }, { 100, 1e-6 } }
for _, make in ipairs { height, angle } do
  local truth = make(1, 1, mbs.maggi {}, mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 })
  for _, case in ipairs {
    { mbs.augmented_lagrangian {}, mbs.dormand_prince {} }, { mbs.augmented_lagrangian {}, mbs.radau {} },
    { mbs.augmented_lagrangian { project = true }, mbs.dormand_prince {} },
    { mbs.augmented_lagrangian { index = 3 }, mbs.radau {} },
  } do
    for _, scale in ipairs(scales) do
      local found, run = make(scale[1], scale[2], case[1], case[2])
      local name = ("%s, %s, %g m, %g kg"):format(case[1], case[2], scale[1], scale[2])
      check.near(found, truth, 2e-5, name)
      check.equal(#run.warnings, 0, name)
      assert(run.steps < 3000, name .. ": " .. run.steps .. " steps") -- 2.6 million while the iteration did not converge
    end
  end
end

-- A run that would need hundreds of millions of steps ends with a sentence, before it has filled the memory.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  m:distance { m:ground { at = { 0, 0 } }, m:point { "P", at = { 1, 0 }, mass = 1e12 } }
  check.fails("the run makes no headway: 2000000 attempted steps", m.simulate, m,
              { t = 1.6, formulation = mbs.penalty { project = true }, integrator = mbs.bdf {} })
end

-- Nor does the place of the origin: all coordinates may be zero at the start, which says nothing about lengths.
for _, form in ipairs { mbs.maggi {}, mbs.index1 { project = true }, mbs.coordinate_partitioning {} } do
  local function fallen(x)
    local m = mbs.model { "pendulum", gravity = { 0, -g } }
    local P = m:point { "P", at = { x, 0 }, mass = 1 }
    m:distance { m:ground { at = { x + 1, 0 } }, P }
    return m:simulate { t = 0.5, formulation = form, integrator = mbs.radau {} }:at("P.y", 0.5)
  end
  check.near(fallen(0), fallen(2), 1e-6)
end
