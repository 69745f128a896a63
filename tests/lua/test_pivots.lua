-- Steps whose matrices change on the way so that an order of elimination that was good is none any more. States would
-- come out right, as Newton's method corrects them; gradients have nothing that does.
local mbs = require "perilune"

local function near(a, b, tolerance, what)
  assert(math.abs(a - b) <= tolerance * math.abs(b), ("%s: %.15g, not %.15g"):format(what, a, b))
end

-- Springs at joints, so stiff that each angle has a pivot of its own, lose all their stiffness: then only the constraint
-- that makes the angle has one. The angles drop to single points of the pendulums' own time scale.
local function softening(rate)
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local p = m:param { "p", 1 }
  local last, joints = m.ground, {}
  for k = 1, 3 do
    local b = m:body { "B" .. k, mass = 1, inertia = { 0.1, 0.12, 0.09 }, at = { k - 0.5, 0, 0 } }
    local j = m:revolute { last, b, at = { k - 1, 0, 0 }, axis = "y" }
    m:torsion_spring { on = j, law = function(s)
      return 1e6 * math.exp(-rate * s.t) * s.angle + p * 3 * math.sin(3 * s.t)
    end }
    last, joints[k] = b, j
  end
  return m, m:objective { integral = function(s) return joints[2].angle(s) ^ 2 end }
end

for _, rate in ipairs { 60, 200 } do
  local m, cost = softening(rate)
  local function slope(method, formulation, step)
    return m:gradient { cost, t = 1, formulation = formulation, integrator = mbs.trapezoidal { step = step or 0.01 },
                        method = method }.gradient[1]
  end
  for _, form in ipairs { mbs.index1 {}, mbs.index2 {}, mbs.penalty {}, mbs.augmented_lagrangian {} } do
    local adjoint = slope(mbs.adjoint {}, form)
    near(slope(mbs.direct {}, form), adjoint, 1e-9, "direct, " .. tostring(form))
    near(slope(mbs.finite_difference { richardson = 2 }, form), adjoint, 3e-7, "differences, " .. tostring(form))
  end
end

-- A wheel that carries others, of masses from 1e-3 to 1000 kg, on rows of velocities: some factorizations are refused on
-- the way, others are those of error estimates, which motions that are made again from checkpoints do not ask for.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local p = m:param { "p", 1 }
  local last
  for k = 1, 3 do
    local M = 10 ^ (3 * k - 6)
    local w = m:body { "w" .. k, mass = M, inertia = { 0.1 * M, 0.2 * M, 0.1 * M }, at = { k, 0, 0.5 },
                       velocity = { 1, 0, 0 }, angular_velocity = { 0, 2, 0 } }
    m:constraint { law = function(s) return w.z(s) - 0.5 end }
    m:constraint { velocity = function(s) return w.vx(s) - 0.5 * w.omega_y(s) end }
    m:constraint { velocity = function(s) return w.vy(s) end }
    if last then m:spring { last, w, stiffness = 1e6 * p, free_length = 0.9, damping = 1 } end
    last = w
  end
  local cost = m:objective { integral = function(s) return last.x(s) ^ 2 end }
  for form, time in pairs { [mbs.index3 {}] = 0.002, [mbs.index2 {}] = 0.01 } do
    local bits
    for _, count in ipairs { 0, 2, 5, 30 } do
      local found = m:gradient { cost, t = time, formulation = form, method = mbs.adjoint { checkpoints = count },
                                 integrator = mbs.radau { relative_tolerance = 1e-6, absolute_tolerance = 1e-8 } }
      local own = ("%a %a"):format(found.value, found.gradient[1])
      bits = bits or own
      assert(own == bits, ("%s: %d checkpoints give %s, not %s"):format(form, count, own, bits))
    end
  end
end
