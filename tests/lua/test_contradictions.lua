-- Redundant constraints that agree at one value of a parameter alone: with another one nothing can be assembled, and
-- there is no derivative. Those that move alike have one, that of the mechanism without what is redundant.
local mbs = require "perilune"
local check = require "check"

-- A beam on cranks of equal lengths, of which the third one follows from the others.
local function beam(count, alike)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local body = m:body { "beam", mass = 3, inertia = 1, at = { 0.6, 0.8 } }
  local mass = m:param { "load", 0.5 }
  m:force { "weight", on = body, force = { 0, -9.81 * mass } }
  local lengths = {}
  for k = 1, count do
    lengths[k] = alike and lengths[1] or m:param { "L" .. k, 1 }
    m:distance { "crank" .. k, m:ground { at = { k - 2, 0 } }, body:point { "p" .. k, k - 2, 0 }, length = lengths[k] }
  end
  return m, m:objective { "x", terminal = body.x + 2 * body.y }, lengths, mass
end
local forms = { mbs.maggi {}, mbs.coordinate_partitioning {}, mbs.penalty { alpha = 1e8 }, mbs.augmented_lagrangian {},
                mbs.index1 { project = true }, mbs.joint_coordinates {} }
local methods = { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 3 }, mbs.adjoint { intervals = 2 } }
local refused = 0
for _, form in ipairs(forms) do
  for _, method in ipairs(methods) do
    local options = { t = 0.3, formulation = form, method = method, integrator = mbs.radau {} }
    local function gradient(m, J, over)
      options[1], options.over = J, over
      return m:gradient(options).gradient
    end
    local who = tostring(form) .. ", " .. tostring(method)
    local m, J, lengths, mass = beam(3)
    local ok, message = pcall(gradient, m, J, { mass, lengths[3] })
    assert(not ok, who)
    if not tostring(message):find("cannot tell their multipliers apart", 1, true) then
      assert(tostring(message):find('the constraint of "crank3"', 1, true), who .. ": " .. tostring(message))
      assert(tostring(message):find('agrees with others, from which it follows, at this value of parameter "L3" alone', 1, true),
             who .. ": " .. tostring(message))
      refused = refused + 1
      local load = gradient(m, J, mass)
      local two, J_two, _, mass_two = beam(2)
      check.near(load[1], gradient(two, J_two, mass_two)[1], 1e-6, who)
      local all, J_all, same = beam(3, true)
      local pair, J_pair, same_pair = beam(2, true)
      check.near(gradient(all, J_all, same[1])[1], gradient(pair, J_pair, same_pair[1])[1], 1e-5, who)
    end
  end
end
assert(refused >= 16, refused)

-- In rates alone: two motors on wheels that a gear couples, at any speed of one if that of the other follows.
local function motors(alike)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local slow = m:param { "slow", 2 }
  local fast = alike and slow or m:param { "fast", 2 }
  local a = m:body { "a", mass = 1, inertia = 1, at = { 0, 0 } }
  local b = m:body { "b", mass = 1, inertia = 1, at = { 3, 0 } }
  local ja, jb = m:revolute { "ja", m.ground, a, at = { 0, 0 } }, m:revolute { "jb", m.ground, b, at = { 3, 0 } }
  m:gear { "gear", ja, jb, ratio = 1 }
  m:driver { "da", ja.angle, law = function(s) return slow * s.t end }
  m:driver { "db", jb.angle, law = function(s) return fast * s.t end }
  return m, m:objective { "turned", terminal = b.angle }
end
do
  local m, J = motors(true)
  check.near(m:gradient { J, t = 0.7, formulation = mbs.maggi {} }.gradient[1], 0.7, 1e-9)
  m, J = motors(false)
  check.fails("at this value of parameter \"slow\" alone", m.gradient, m, { J, t = 0.7, formulation = mbs.maggi {} })
  check.fails("at this value of parameter \"slow\" alone", m.hessian, m, { J, t = 0.7, formulation = mbs.maggi {} })
end

-- What assembly takes back of declared places and speeds has a derivative, which is zero. A door on two hinges turns by a
-- driver whatever speed was declared; a second hinge off the line of the first locks it, at rest as well.
local function door(driven, off)
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local speed, offset = m:param { "speed", 0.4 }, m:param { "offset", 0 }
  local leaf = m:body { "leaf", at = { 0.4, 0, 1 }, mass = 20, inertia = { 6, 8, 2 }, angular_velocity = { 0, 0, driven and speed or 0 } }
  local lower = m:revolute { "lower", m.ground, leaf, at = { 0, 0, 0 }, axis = "z" }
  m:revolute { "upper", m.ground, leaf, at = { off and offset or 0, 0, 2 }, axis = "z" }
  if driven then m:driver { "motor", lower.angle, law = function(s) return 0.3 * s.t end } end
  m:torque { "push", on = leaf, torque = { 0, 0, 5 } }
  return m, m:objective { "x", terminal = leaf.x }, speed, offset
end
for _, form in ipairs { mbs.maggi {}, mbs.augmented_lagrangian {} } do
  local m, J, speed = door(true)
  check.near(m:gradient { J, over = speed, t = 0.3, formulation = form }.gradient[1], 0, 1e-12)
  local n, K, _, offset = door(false, true)
  check.fails("or is locked", n.gradient, n, { K, over = offset, t = 0.3, formulation = form })
end
do -- a beam whose declared angle three cranks take back
  local m = mbs.model { gravity = { 0, -9.81 } }
  local angle = m:param { "angle", 0.1 }
  local body = m:body { "beam", mass = 3, inertia = 1, at = { 0.6, 0.8 }, angle = angle }
  for k = 1, 3 do
    m:distance { "crank" .. k, m:ground { at = { k - 2, 0 } }, body:point { "p" .. k, k - 2, 0 }, length = 1 }
  end
  local J = m:objective { "x", terminal = body.x }
  for _, form in ipairs { mbs.maggi {}, mbs.augmented_lagrangian {}, mbs.penalty { alpha = 1e8 }, mbs.joint_coordinates {} } do
    check.near(m:gradient { J, over = angle, t = 0.3, formulation = form }.gradient[1], 0, 1e-9, tostring(form))
  end
end
do -- the same where the parameter moves a driver, too, but not at the start: x = 0.6 + p t
  local m = mbs.model { gravity = { 0, -9.81 } }
  local p = m:param { "p", 0.1 }
  local body = m:body { "beam", mass = 3, inertia = 1, at = { 0.6, 0.8 }, angle = p }
  for k = 1, 3 do
    m:distance { "crank" .. k, m:ground { at = { k - 2, 0 } }, body:point { "p" .. k, k - 2, 0 }, length = 1 }
  end
  m:driver { "motor", body.x, law = function(s) return 0.6 + p * s.t end }
  local J = m:objective { "y", terminal = body.y }
  check.near(m:gradient { J, t = 0.5, formulation = mbs.maggi {} }.gradient[1], -0.65 * 0.5 / math.sqrt(1 - 0.65 ^ 2), 1e-6)
end
do -- a small mechanism far away
  local m = mbs.model { gravity = { 0, -9.81 } }
  local X, last = m:param { "X", 3000 }, m:param { "last", 1e-3 }
  local beam = m:body { "beam", mass = 1, inertia = 1e-6, at = { X, 1e-3 } }
  for k = 1, 3 do
    m:distance { "crank" .. k, m:ground { at = { X + 1e-3 * k, 0 } }, beam:point { "p" .. k, 1e-3 * k, 0 },
                 length = k == 3 and last or 1e-3 }
  end
  local J = m:objective { "x", terminal = beam.x }
  check.fails("parameter \"last\" alone", m.gradient, m, { J, over = { X, last }, t = 0.01, formulation = mbs.maggi {} })
end
