-- Steps with friction that feels its load: a slider-crank in space, whose guide rubs.
local mbs = require "perilune"

local function crank(transition)
  local m = mbs.model { "slider-crank", gravity = { 0, 0, -9.81 } }
  local radius, length, y, z = 0.08, 0.3, 0.05, 0.06
  local top = z + radius
  local x = (length ^ 2 - y ^ 2 - top ^ 2) ^ 0.5
  local wheel = m:body { "wheel", mass = 0.12, inertia = { 6.4e-5, 6.4e-5, 1e-5 }, at = { 0, y, z + radius / 2 } }
  local rod = m:body { "rod", mass = 0.5, inertia = { 4e-4, 3.75e-3, 3.75e-3 }, at = { x / 2, y / 2, top / 2 },
                       orientation = { 1 + x / length, 0, top / length, -y / length } }
  local slider = m:body { "slider", mass = 2, inertia = { 1e-4, 1e-4, 1e-4 }, at = { x, 0, 0 } }
  m:revolute { "bearing", m.ground, wheel, at = { 0, y, z }, axis = "x" }
  m:spherical { "ball", wheel, rod, at = { 0, y, top } }
  m:universal { "cross", rod, slider, at = { x, 0, 0 }, axis = { y, x, 0 }, axis_b = "z" }
  m:translational { "guide", m.ground, slider, at = { x - 0.025, 0, 0 }, axis = "x", length = 0.05, half_width = 0.025,
                    friction = mbs.brown_mcphee { static = 0.4, dynamic = 0.3, transition = transition } }
  local torque = -(wheel.omega_x + 10)
  m:torque { "motor", on = wheel, law = function() return torque, 0, 0 end }
  return m, m:objective { "deviation", integral = (wheel.omega_x + 10) ^ 2 + 0.01 * torque ^ 2 }
end

-- Adaptive BDF comes back to its orders after a load has turned round, whatever rounding makes of it: where steps end
-- on the constraints, some of these runs went on by thousands of steps of the first order.
for _, transition in ipairs { 0.01, 0.011, 0.012, 0.02, 0.03, 0.1 } do
  local m, objective = crank(transition)
  for _, seen in ipairs { {}, { objective } } do
    local function steps(formulation)
      return m:simulate { t = 1, formulation = formulation, integrator = mbs.bdf {}, objectives = seen }.steps
    end
    local projected, stabilized = steps(mbs.index1 { project = true }), steps(mbs.index1 { alpha = 50, beta = 50 })
    assert(projected < 1.4 * stabilized, ("%g m/s: %d steps, %d"):format(transition, projected, stabilized))
  end
end

-- Steps in independent coordinates find the loads in the span of what rubs, those of all coordinates with the step: the
-- same motion.
do
  local m = crank(0.05)
  local way = {}
  for name, formulation in pairs { maggi = mbs.maggi {}, partitioning = mbs.coordinate_partitioning {},
                                   index2 = mbs.index2 {} } do
    local how = { t = 0.05, formulation = formulation, integrator = mbs.radau { order = 5, step = 5e-4 } }
    way[name] = m:simulate(how):at("slider.x", 0.05)
  end
  assert(math.abs(way.maggi - way.partitioning) < 1e-13)
  assert(math.abs(way.maggi - way.index2) < 1e-9, way.maggi - way.index2)
end
