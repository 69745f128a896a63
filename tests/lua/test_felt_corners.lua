-- Derivatives where a load that friction feels passes zero within a step: a warning where they are off, and none where
-- steps resolve the corner of the load's size, where friction does not act, or where the load is zero but for rounding.
-- A body slides along x under 5 N, with 10 cos(w t) N across: x(T) = T + 5 T^2 / 2 - mu int (T - t) N(t) dt.
local mbs = require "perilune"
local check = require "check"

local mu, T = 0.3, 1
local full = mbs.coulomb_tanh { coefficient = mu, regularization = 1e-3 }

local function warnings(g)
  local found = {}
  for _, warning in ipairs(g.warnings) do
    if warning:find("passes zero within a step", 1, true) then found[#found + 1] = warning end
  end
  return found
end

-- What the bearing carries is N = sqrt(F^2 + 4 e^2) with F = 10 cos(w t): both ends carry half.
local function slide(law, fields)
  local m = mbs.model { gravity = { 0, 0 } }
  local w = m:param { "w", 6 }
  local b = m:body { "b", mass = 1, inertia = 0.1, velocity = { fields.speed or 1, 0 } }
  m:translational { "rail", m.ground, b, at = { 0, 0 }, axis = "x", length = 0.2, friction = law, load = fields.load,
                    load_regularization = fields.e }
  m:force { on = b, law = function(at) return fields.push or 5, 10 * math.cos(w * at.t) end }
  return m, m:objective { "o", terminal = b.x }, w, b
end

-- dx(T)/dw = -mu int (T - t) F F_w / N dt, by Gauss' rule on intervals that become short towards the zeros of F.
local function exact(e)
  local cuts = { 0, T }
  for _, zero in ipairs { math.pi / 12, math.pi / 4 } do
    cuts[#cuts + 1] = zero
    for k = 0, 60 do
      for _, side in ipairs { -1, 1 } do
        local t = zero + side * 0.25 * 0.6 ^ k
        if t > 0 and t < T then cuts[#cuts + 1] = t end
      end
    end
  end
  table.sort(cuts)
  local nodes = { { 0.1834346424956498, 0.3626837833783620 }, { 0.5255324099163290, 0.3137066458778873 },
                  { 0.7966664774136267, 0.2223810344533745 }, { 0.9602898564975363, 0.1012285362903763 } }
  local sum = 0
  for i = 1, #cuts - 1 do
    local middle, half = (cuts[i] + cuts[i + 1]) / 2, (cuts[i + 1] - cuts[i]) / 2
    for _, node in ipairs(nodes) do
      for _, t in ipairs { middle - half * node[1], middle + half * node[1] } do
        local F, F_w = 10 * math.cos(6 * t), -10 * t * math.sin(6 * t)
        sum = sum - half * node[2] * mu * (T - t) * F * F_w / math.sqrt(F ^ 2 + 4 * e ^ 2)
      end
    end
  end
  return sum
end

local integrators = { { mbs.dormand_prince {}, mbs.maggi {} }, { mbs.dormand_prince { order = 8 }, mbs.maggi {} },
                      { mbs.radau {}, mbs.index2 {} }, { mbs.bdf {}, mbs.maggi {} },
                      { mbs.rosenbrock {}, mbs.augmented_lagrangian {} }, { mbs.rk4 { step = 1e-3 }, mbs.index1 {} } }
local function gradient(law, fields, how)
  local m, o, w = slide(law, fields)
  return m:gradient { o, over = { w }, t = T, integrator = how[1], formulation = how[2], method = how[3] }
end

for _, each in ipairs(integrators) do
  local methods = { mbs.adjoint {}, mbs.direct {}, mbs.adjoint { checkpoints = 4 }, mbs.adjoint { intervals = 3 },
                    mbs.finite_difference {} }
  for _, method in ipairs(methods) do
    local what = tostring(each[1]) .. " by " .. tostring(method)
    local found = warnings(gradient(full, { e = 1e-6 }, { each[1], each[2], method }))
    check.equal(#found, 1, "warnings of " .. what)
    assert(found[1]:find('a load of "rail"', 1, true), "it names the joint")
    local t = tonumber(found[1]:match "at t = ([%d.e-]+) s")
    local away = math.min(math.abs(t - math.pi / 12), math.abs(t - math.pi / 4))
    assert(away < 0.02, "the time of the corner, not " .. t)
  end
  -- As wide as the warning asks for.
  local wide = gradient(full, { e = 1 }, each)
  check.equal(#warnings(wide), 0, "no warning of a wide corner with " .. tostring(each[1]))
  check.near(wide.gradient[1], exact(1), 2e-6, "a wide corner with " .. tostring(each[1]))
end

-- Each end's load changes by 30 N/s where it passes zero, in a step of 0.01 s by 0.3 N = r e: steps follow r = 1.
for r, expected in pairs { [6] = 1, [3] = 1, [1] = 0 } do
  local g = gradient(full, { e = 0.3 / r }, { mbs.rk4 { step = 0.01 }, mbs.index1 {} })
  local found = warnings(g)
  check.equal(#found, expected, "a corner that is 1 / " .. r .. " of a step wide")
  local t = found[1] and tonumber(found[1]:match "at t = ([%d.e-]+) s")
  assert(not t or math.abs(t - math.pi / 12) < 1e-3, "the time of the corner within its step")
end

do -- The continuous direct method follows the corner by adaptive steps; of others it says so.
  local right = gradient(full, { e = 1e-6 }, { mbs.dormand_prince {}, mbs.maggi {}, mbs.continuous_direct {} })
  check.equal(#warnings(right), 0, "no warning of tangents by adaptive steps")
  check.near(right.gradient[1], exact(1e-6), 1e-6, "the continuous direct method")
  local regular = gradient(full, { e = 1e-6 },
                           { mbs.dormand_prince {}, mbs.augmented_lagrangian {}, mbs.continuous_adjoint {} })
  check.equal(#warnings(regular), 0, "no warning of adjoints that feel constraints")
  check.near(regular.gradient[1], exact(1e-6), 1e-6, "the continuous adjoint of a form that draws to constraints")
  for _, how in ipairs { { mbs.rk4 { step = 1e-3 }, mbs.maggi {}, mbs.continuous_direct {} },
                         { mbs.radau {}, mbs.stabilized_index1 {}, mbs.continuous_direct {} },
                         { mbs.dormand_prince {}, mbs.maggi {}, mbs.continuous_adjoint {} },
                         { mbs.rk4 { step = 1e-3 }, mbs.augmented_lagrangian {}, mbs.continuous_adjoint {} } } do
    check.equal(#warnings(gradient(full, { e = 1e-6 }, how)), 1, "warnings by " .. tostring(how[3]))
  end
end

-- Through phases the first says it in whose steps a load passes zero.
for name, at in pairs { early = 0.1, late = 0.5 } do
  local m, o, w, b = slide(full, { e = 1e-6 })
  local phases = { m:phase { "first", stop = b.x - at, within = T }, m:phase { "second" } }
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
    local found = warnings(m:gradient { o, over = { w }, t = T, phases = phases, method = method })
    check.equal(#found, 1, "warnings of a stop that is " .. name)
    local phase = name == "late" and '"first"' or '"second"'
    assert(found[1]:find(phase, 1, true), "it names the phase, " .. phase .. ": " .. found[1])
  end
end

-- Every law that slides feels the load's side; what rests, and what has no friction or feels no load, does not.
local laws = { mbs.coulomb { coefficient = mu, regularization = 1e-3 },
               mbs.brown_mcphee { static = 0.4, dynamic = mu, transition = 0.1 },
               mbs.static_friction { stiffness = 1e4, damping = 10, coefficient = mu },
               mbs.lugre { static = 0.4, dynamic = mu, stribeck_speed = 0.1, stiffness = 1e4, damping = 10 },
               mbs.dahl { coefficient = mu, stiffness = 1e4 } }
for k, law in ipairs(laws) do
  check.equal(#warnings(gradient(law, { e = 1e-6 }, { mbs.radau {} })), 1, "law " .. k .. " that slides")
  local at_rest = { mbs.radau { max_step = 0.02 } }
  for _, push in ipairs { 0, 1e-13 } do
    local still = gradient(law, { e = 1e-6, speed = 0, push = push }, at_rest)
    check.equal(#warnings(still), 0, "law " .. k .. " at rest but for rounding")
  end
end
for k, law in ipairs { mbs.coulomb { coefficient = 0, regularization = 1e-3 }, mbs.viscous { damping = 1 } } do
  check.equal(#warnings(gradient(law, { e = 1e-6 }, { mbs.dormand_prince {} })), 0, "law " .. k .. " without loads")
end
for expected, load in pairs { [0] = function(s) return s.force_y ^ 2 end,
                              function(s) return math.sqrt(s.force_y ^ 2 + 1e-12) end } do
  local own = gradient(full, { load = load }, { mbs.dormand_prince {} })
  check.equal(#warnings(own), expected, "a load of one's own")
end

do -- A load that begins at zero, and grows from there, has passed nothing.
  local m = mbs.model { gravity = { 0, 0 } }
  local F = m:param { "F", 10 }
  local b = m:body { "b", mass = 1, inertia = 0.1, velocity = { 1, 0 } }
  m:translational { "rail", m.ground, b, at = { 0, 0 }, axis = "x", length = 0.2, friction = full }
  m:force { on = b, law = function(at) return 5, F * at.t end }
  local o = m:objective { "o", terminal = b.x }
  local g = m:gradient { o, over = { F }, t = T, integrator = mbs.rk4 { step = 1e-2 } }
  check.equal(#warnings(g), 0, "a load that begins at zero")
  check.near(g.gradient[1], -mu / 6, 1e-3, "its derivative")
end

-- A load that is beyond zero between the ends of a step alone, from 0.515 to 0.535 s, or comes near it.
for _, least in ipairs { -1, 1 } do
  local m = mbs.model { gravity = { 0, 0 } }
  local F = m:param { "F", 1e4 }
  local b = m:body { "b", mass = 1, inertia = 0.1, velocity = { 3, 0 } }
  m:translational { "rail", m.ground, b, at = { 0, 0 }, axis = "x", length = 0.2, friction = full }
  m:force { on = b, law = function(at) return 0, F * ((at.t - 0.525) ^ 2 + least * 1e-4) end }
  local o = m:objective { "o", terminal = b.x }
  local g = m:gradient { o, over = { F }, start = 0.4, t = 0.6, integrator = mbs.rk4 { step = 0.05 } }
  check.equal(#warnings(g), least < 0 and 1 or 0, "a load that is least with " .. least .. " N")
end

do -- A load that jumps to the other side has no corner in between: a step ends there.
  local m = mbs.model { gravity = { 0, 0 } }
  local F = m:param { "F", 5 }
  local b = m:body { "b", mass = 1, inertia = 0.1, velocity = { 1, 0 } }
  m:translational { "rail", m.ground, b, at = { 0, 0 }, axis = "x", length = 0.2, friction = full }
  m:force { on = b, law = function(at) return 5, mbs.where(mbs.lt(at.t, 0.5), F, -2 * F) end }
  local g = m:gradient { m:objective { "o", terminal = b.x }, over = { F }, t = T }
  check.equal(#warnings(g), 0, "a load that jumps")
  check.near(g.gradient[1], -mu * (0.375 + 2 * 0.125), 1e-9, "its derivative")
end

-- Loads of several components: one that passes by 1 mN, one that turns round by 5 N, and the thrust of a hinge.
local function bead(aside)
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local w = m:param { "w", 6 }
  local P = m:point { "P", at = { 0, 0, 0 }, mass = 1, velocity = { 1, 0, 0 } }
  m:point_on_line { "rail", m.ground, P, at = { 0, 0, 0 }, axis = "x", friction = full }
  m:force { on = P, law = function(at) return 5, 10 * math.cos(w * at.t), aside end }
  return m:gradient { m:objective { "o", terminal = P.x }, over = { w }, t = T }
end
check.equal(#warnings(bead(1e-3)), 1, "a load that passes zero closely")
local round = bead(5)
check.equal(#warnings(round), 0, "a load that turns round")
check.near(round.gradient[1], exact(2.5), 1e-7, "its derivative")

-- A hinge whose axis is askew, under gravity normal to it: its thrust is what rounding leaves, far more than e.
for _, formulation in ipairs { mbs.maggi {}, mbs.index1 {}, mbs.augmented_lagrangian {}, mbs.penalty {} } do
  for _, thrust in ipairs { 0, 50 } do
    local axis = { 0.36, 0.48, 0.8 }
    local m = mbs.model { gravity = { 0.8 * 9.81, -0.6 * 9.81, 0 } }
    local w = m:param { "w", 6 }
    local b = m:body { "b", mass = 1, inertia = { 0.1, 0.1, 0.1 }, center_of_mass = { -0.16, 0.312, -0.1152 } }
    local pin = m:revolute { "pin", m.ground, b, at = { 0, 0, 0 }, axis = axis, radius = 0.05, length = 0.2,
                             load_regularization = 1e-15, friction = full }
    m:force { on = b, law = function(at)
      local f = thrust * math.cos(w * at.t)
      return axis[1] * f, axis[2] * f, axis[3] * f
    end }
    m:force { on = b, law = function(at) return 0.48 * w, -0.36 * w, 0 end }
    local g = m:gradient { m:objective { "o", terminal = pin.angle }, over = { w }, t = 0.5, formulation = formulation }
    check.equal(#warnings(g), thrust == 0 and 0 or 1, "a thrust of " .. thrust .. " N with " .. tostring(formulation))
  end
end

-- A mesh point that lies in the corner itself: 30 (t - 1/2 - q) N across, and steps of 10 ms that meet t = 1/2. Then
-- dx(1)/dq = 0.3 * 30 * int_0^1 (1 - t) sign(t - 1/2) dt = -2.25.
for _, q in ipairs { -4e-8, 4e-8, 0, 0.004 } do
  local m = mbs.model { gravity = { 0, 0 } }
  local shift = m:param { "shift", q }
  local b = m:body { "b", mass = 1, inertia = 0.1, velocity = { 6, 0 } }
  m:translational { "rail", m.ground, b, at = { 0, 0 }, axis = "x", length = 0.2, load_regularization = 1e-6,
                    friction = full }
  m:force { on = b, law = function(at) return 5, 30 * (at.t - 0.5 - shift) end }
  local g = m:gradient { m:objective { "o", terminal = b.x }, over = { shift }, t = 1,
                         integrator = mbs.rk4 { step = 0.01 }, formulation = mbs.index1 {} }
  check.equal(#warnings(g), 1, "a mesh point " .. q .. " s beside the zero")
  local off = math.abs(g.gradient[1] + 2.25 - 9 * q)  -- to first order in q
  check.equal(off > 1e-4 or q == 0, true, "off by " .. off)
end

-- And one where a run begins: nothing is passed, whatever the load is at the first point.
for _, q in ipairs { 0, 1e-8 } do
  local m = mbs.model { gravity = { 0, 0 } }
  local slope = m:param { "slope", 30 }
  local b = m:body { "b", mass = 1, inertia = 0.1, velocity = { 6, 0 } }
  m:translational { "rail", m.ground, b, at = { 0, 0 }, axis = "x", length = 0.2, load_regularization = 1e-6,
                    friction = full }
  m:force { on = b, law = function(at) return 5, slope * (at.t + q) end }
  local g = m:gradient { m:objective { "o", terminal = b.x }, over = { slope }, t = 1,
                         integrator = mbs.rk4 { step = 0.01 }, formulation = mbs.index1 {} }
  check.equal(#warnings(g), 0, "a run that begins with " .. q .. " s of load")
  check.near(g.gradient[1], -0.3 / 6, 1e-6)  -- -mu int (1 - t) t dt
end
