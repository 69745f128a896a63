-- Redundant constraints in independent coordinates: the motion and its gradients are those without them, the run says
-- that reactions are not determined, and whoever needs one is refused.
local mbs = require "perilune"
local check = require "check"

-- A revolute, a weld, and a distance between the welded two.
local function weld(redundant)
  local m = mbs.model { "weld", gravity = { 0, -9.81 } }
  local d = m:param { "d", 0.3 }
  local a = m:body { "a", at = { 0.5, 0 }, mass = 1, inertia = 0.1 }
  local b = m:body { "b", at = { 1.5, 0.2 }, mass = 2, inertia = 0.2 }
  m:revolute { "hinge", m.ground, a, at = { 0, 0 } }
  m:weld { "weld", a, b, at = { 1, 0.1 } }
  if redundant then m:distance { "bar", a:point { 0.1, 0.2 }, b:point { 0.3, 0.4 } } end
  m:torque { on = b, law = function(s) return -d * b.omega(s) end }
  return m, m:objective { integral = function(s) return b.x(s) ^ 2 + b.vy(s) ^ 2 end }, { d }, d
end

-- A coupler on two parallel cranks, or three, whose length is a parameter.
local function parallelogram(redundant)
  local m = mbs.model { "parallelogram", gravity = { 0, -9.81 } }
  local L = m:param { "L", 1 }
  local coupler = m:body { "coupler", at = { 0.6, -0.8 }, mass = 2, inertia = 0.3 }
  for i = 0, redundant and 2 or 1 do
    local from = coupler:point { i, 0.1 * i }
    m:distance { "crank" .. i, m:ground { at = { i, 0.1 * i } }, from, length = L }
  end
  return m, m:objective { terminal = function(s) return coupler.x(s) + coupler.vy(s) end }, { L }
end

-- Four parallel hinges in space; without redundancy, two of them are a ball joint and a ball on a line.
local function spatial_four_bar(redundant)
  local m = mbs.model { "four-bar in space", gravity = { 0, 0, -9.81 } }
  local I = { 0.01, 0.02, 0.03 }
  local crank = m:body { "crank", at = { 0, 0, 0.5 }, mass = 1, inertia = I }
  local coupler = m:body { "coupler", at = { 1, 0, 1.2 }, mass = 1, inertia = I }
  local rocker = m:body { "rocker", at = { 2, 0, 0.7 }, mass = 1, inertia = I }
  local mu = m:param { "mu", 0.5 }
  m:revolute { "A", m.ground, crank, at = { 0, 0, 0 }, axis = "y" }
  m:revolute { "B", crank, coupler, at = { 0, 0, 1 }, axis = "y" }
  if redundant then
    m:revolute { "C", coupler, rocker, at = { 2, 0, 1.4 }, axis = "y" }
    m:revolute { "D", rocker, m.ground, at = { 2.2, 0, 0 }, axis = "y" }
  else
    m:spherical { "C", coupler, rocker, at = { 2, 0, 1.4 } }
    m:cylindrical { "D", rocker, m.ground, at = { 2.2, 0, 0 }, axis = "y" }
  end
  m:force { on = coupler, law = function(s) return -mu * coupler.vx(s), 0, 0 end }
  return m, m:objective { integral = function(s) return crank.x(s) ^ 2 end }, { mu }, mu
end

local function has_warning(run)
  for _, warning in ipairs(run.warnings) do
    if warning:find("reactions", 1, true) then return true end
  end
  return false
end

for name, make in pairs { weld = weld, parallelogram = parallelogram, spatial_four_bar = spatial_four_bar } do
  local m, cost, over, damping = make(true)
  local sound, sound_cost, sound_over = make(false)
  assert(#m:mobility({}).redundant > 0, name)
  assert(#sound:mobility({}).redundant == 0, name)
  for _, form in ipairs { mbs.maggi {}, mbs.coordinate_partitioning {} } do
    for _, integrator in ipairs { mbs.rk4 { step = 5e-3 }, mbs.radau { step = 2e-2 } } do
      local what = name .. ", " .. tostring(form) .. ", " .. tostring(integrator)
      local options = { t = 0.4, formulation = form, integrator = integrator }
      local run, other = m:simulate(options), sound:simulate(options)
      assert(has_warning(run), what)
      assert(not has_warning(other), what)
      local body = name == "weld" and "b" or "coupler"
      for _, signal in ipairs { body .. ".x", body .. ".vx" } do
        check.near(run:at(signal, 0.4), other:at(signal, 0.4), 1e-6, what .. ": " .. signal)
      end
      if not damping then
        local before, after = run:at("energy.total", 0), run:at("energy.total", 0.4)
        check.near(after, before, 1e-6, what .. ": energy")
      end
      local direct = m:gradient { cost, over = over, method = mbs.direct() }
      local adjoint = m:gradient { cost, over = over, method = mbs.adjoint() }
      local expected = sound:gradient { sound_cost, over = sound_over, method = mbs.direct() }
      check.near(direct.gradient[1], adjoint.gradient[1], 1e-10, what .. ": direct and adjoint")
      check.near(direct.gradient[1], expected.gradient[1], 1e-5, what .. ": gradient")
    end
  end
end

-- The index-1 equations of the sound mechanism agree too.
do
  local m = parallelogram(true)
  local sound = parallelogram(false)
  local steps = mbs.rk4 { step = 1e-3 }
  local run = m:simulate { t = 1, formulation = mbs.maggi {}, integrator = steps }
  local other = sound:simulate { t = 1, formulation = mbs.index1 {}, integrator = steps }
  check.near(run:at("coupler.x", 1), other:at("coupler.x", 1), 1e-9)
end

-- Bricard's linkage: six hinges in space that move only because of their symmetry, so that one row is redundant all along.
do
  local m = mbs.model { "Bricard", gravity = { 0, 0, -9.81 } }
  local nodes = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 0, 1 } }
  local bodies = { m.ground }
  for i = 2, 6 do
    local p, q = nodes[i], nodes[i % 6 + 1]
    local middle = { (p[1] + q[1]) / 2, (p[2] + q[2]) / 2, (p[3] + q[3]) / 2 }
    bodies[i] = m:body { "rod" .. i, mass = 1, inertia = { 0.1, 0.12, 0.09 }, at = middle }
  end
  local axes = { "y", "z", "x", "y", "z", "x" }
  for i = 1, 6 do
    m:revolute { "h" .. i, bodies[(i - 2) % 6 + 1], bodies[i], at = nodes[i], axis = axes[i] }
  end
  local run = m:simulate { t = 1, formulation = mbs.maggi {}, integrator = mbs.dormand_prince {} }
  check.near(run:at("energy.total", 1), run:at("energy.total", 0), 1e-6, "energy of Bricard's linkage")
end

-- An objective that reads what is not determined is refused; what the redundancy does not touch may be read.
do
  local m = mbs.model { "two bars", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  local origin = m:ground { at = { 0, 0 } }
  local one = m:distance { "one", origin, P }
  m:distance { "two", origin, P }
  local Q = m:point { "Q", at = { 3, 0 }, mass = 1 }
  local three = m:distance { "three", m:ground { at = { 2, 0 } }, Q }
  local k = m:param { "k", 1 }
  m:force { on = Q, law = function(s) return -k * Q.vx(s), 0 end }
  local wrong = m:objective { "wrong", integral = function(s) return one.force(s) end }
  local right = m:objective { "right", integral = function(s) return three.force(s) + P.x(s) end }
  local options = { t = 0.5, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 1e-2 } }
  m:simulate(options)
  assert(m:gradient { right, over = { k } }.gradient[1] ~= 0)
  check.fails('objective "wrong" reads multipliers that redundant constraints leave undetermined: that of "two"', m.gradient, m, { wrong, over = { k } })
end

-- What redundant constraints carry together is determined: the sum of two bars, and that of two hinges of a door, by
-- the same mechanisms without redundance.
do
  local function bars(double)
    local m = mbs.model { "bars", gravity = { 0, -9.81 } }
    local L, mass = m:param { "L", 1, min = 0.1 }, m:param { "mass", 2, min = 0.1 }
    local P = m:point { "P", at = { L, 0 }, mass = mass }
    local origin = m:ground { at = { 0, 0 } }
    local sum = m:distance { "one", origin, P }.force
    if double then sum = sum + m:distance { "two", origin, P }.force end
    return m, { L, mass }, m:objective { "J", integral = sum ^ 2, terminal = sum }
  end
  local function door(double)
    local m = mbs.model { "door", gravity = { 0, 1, -9.81 } }
    local mass, w = m:param { "mass", 20, min = 1 }, m:param { "w", 0.5, min = 0.1 }
    local leaf = m:body { "leaf", at = { w, 0, 1 }, mass = mass, inertia = { 6, 8, 2 } }
    local lower = m:revolute { "lower", m.ground, leaf, at = { 0, 0, 0 }, axis = "z" }
    local z, x = lower.force_z, lower.force_x
    if double then
      local upper = m:revolute { "upper", m.ground, leaf, at = { 0, 0, 2 }, axis = "z" }
      z, x = z + upper.force_z, x + upper.force_x
      local one = m:objective { "one", integral = lower.force_x }
      check.fails('objective "one" reads multipliers that redundant', m.gradient, m, { one, over = { w }, t = 0.1, formulation = mbs.maggi {} })
    end
    return m, { mass, w }, m:objective { "J", integral = x ^ 2 + z, terminal = x }
  end
  -- One of two is not, either where it counts beyond a threshold alone: small or larger than loads can be tried with, or
  -- where a root is of it. The same of the sum is.
  do
    local m = mbs.model { "thresholds", gravity = { 0, -9.81 } }
    local mass = m:param { "mass", 2e4, min = 0.1 }
    local P = m:point { "P", at = { 1, 0 }, mass = mass }
    local origin = m:ground { at = { 0, 0 } }
    local one, two = m:distance { "one", origin, P }, m:distance { "two", origin, P }
    local how = { t = 0.5, formulation = mbs.maggi {}, integrator = mbs.dormand_prince {} }
    for _, limit in ipairs { 5e4, 1e12 } do
      how[1] = m:objective { ("one %g"):format(limit), integral = math.max(0, one.force - limit) }
      check.fails("reads multipliers that redundant", m.gradient, m, how)
    end
    how[1] = m:objective { "root", integral = math.sqrt(one.force + 1e-3) }
    check.fails("reads multipliers that redundant", m.gradient, m, how)
    how[1] = m:objective { "both", integral = math.max(0, one.force + two.force - 5e4) }
    assert(m:gradient(how).gradient[1] > 0)
  end

  for _, make in ipairs { bars, door } do
    local how = { t = 0.3, formulation = mbs.maggi {}, integrator = mbs.radau { step = 0.01 }, method = mbs.direct {} }
    local m, over, J = make(false)
    how[1], how.over = J, over
    local exact = m:gradient(how)
    m, over, J = make(true)
    how[1], how.over = J, over
    for _, form in ipairs { mbs.maggi {}, mbs.coordinate_partitioning {} } do
      how.formulation = form
      for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 3 } } do
        how.method = method
        local got = m:gradient(how)
        check.near(got.value, exact.value, 1e-9 * math.abs(exact.value), "value")
        for k = 1, 2 do check.near(got.gradient[k], exact.gradient[k], 1e-8 * (1 + math.abs(exact.gradient[k])), tostring(form)) end
      end
      how.method = mbs.finite_difference { richardson = 1 }
      for k, slope in ipairs(m:gradient(how).gradient) do check.near(slope, exact.gradient[k], 1e-5 * (1 + math.abs(exact.gradient[k]))) end
    end
  end
end

-- A four-bar of hinges in space moves where all axes are parallel; a rounding of one locks it, which is told. A frame of
-- rods, or in the plane, is meant to stand still.
do
  local function four_bar(askew)
    local m = mbs.model { "four-bar", gravity = { 0, 0, -9.81 } }
    local places = { { 0, 0, 0 }, { 0, 0, 0.3 }, { 0.9, 0, 0.5 }, { 1, 0, 0 } }
    local bodies = { m.ground }
    for i = 1, 3 do
      local a, b = places[i], places[i + 1]
      bodies[i + 1] = m:body { "b" .. i, mass = 1, inertia = { 0.01, 0.01, 0.01 }, at = { (a[1] + b[1]) / 2, 0, (a[3] + b[3]) / 2 } }
    end
    for i = 1, 4 do
      m:revolute { "h" .. i, bodies[i], bodies[i % 4 + 1], at = places[i], axis = { i == 2 and askew or 0, 1, 0 } }
    end
    return m:simulate { t = 0.2 }
  end
  check.equal(table.concat(four_bar(0).warnings, "\n"):find("nothing moves", 1, true), nil)
  assert(table.concat(four_bar(1e-5).warnings, "\n"):find("nothing moves: the joints leave no freedom", 1, true))
  local frame = mbs.model { gravity = { 0, -9.81 } }
  local P = frame:point { "P", at = { 1, 1 }, mass = 1 }
  for _, x in ipairs { 0, 2 } do frame:distance { frame:ground { at = { x, 0 } }, P } end
  check.equal(#frame:simulate { t = 0.2 }.warnings, 0)
end

-- Redundant in one position only, and in contradiction: a driver and a joint that agree at the start.
do
  local m = mbs.model { "contradiction" }
  local arm = m:body { "arm", at = { 1, 0 }, mass = 1, inertia = 0.1 }
  local hinge = m:revolute { "hinge", m.ground, arm, at = { 0, 0 } }
  m:driver { "first", hinge.angle, law = function(s) return s.t end }
  m:driver { "second", hinge.angle, law = function(s) return s.t + s.t ^ 2 end }
  check.fails("followed from the others at the start", m.simulate, m, { t = 1, formulation = mbs.maggi {} })
end

-- Independent coordinates are chosen by dense elimination: a chain too long for that is told at once.
do
  local m = mbs.model { "long chain" }
  local previous = m.ground
  for i = 1, 1500 do
    local body = m:body { "b" .. i, at = { i - 0.5, 0 }, mass = 1, inertia = 0.1 }
    m:revolute { "h" .. i, previous, body, at = { i - 1, 0 } }
    previous = body
  end
  check.fails("dense elimination", m.simulate, m, { t = 1, formulation = mbs.maggi {} })
end

-- The continuous equations solve for the multipliers: what stands in the way is said, and what does without it.
for _, formulation in ipairs { mbs.maggi {}, mbs.coordinate_partitioning {} } do
  for _, method in ipairs { mbs.continuous_adjoint {}, mbs.continuous_direct {} } do
    local m, cost, over = weld(true)
    local settings = { cost, over = over, t = 0.1, formulation = formulation, integrator = mbs.dormand_prince {},
                       method = method }
    local ok, message = pcall(m.gradient, m, settings)
    assert(not ok)
    for _, part in ipairs { '"bar"', '"weld"', "mbs.adjoint {}", "mbs.augmented_lagrangian {} or mbs.penalty {} instead" } do
      assert(message:find(part, 1, true), message)
    end
    assert(not message:find("singular", 1, true), message)
  end
end

-- Where constraints follow from others everywhere, independent coordinates are offered; where they only do at the start,
-- they are no way out.
do
  local m = weld(true)
  check.fails("use mbs.maggi {} or mbs.augmented_lagrangian {} instead", m.simulate, m,
              { t = 0.1, formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 0.01 } })
end

-- Between the points of a run, too, its form finds reactions and accelerations.
do
  local m = mbs.model { "door on two hinges", gravity = { 0, 1, -9.81 } }
  local door = m:body { "door", at = { 0.5, 0, 1 }, mass = 20, inertia = { 6, 8, 2 } }
  m:revolute { "lower", m.ground, door, at = { 0, 0, 0 }, axis = "z" }
  m:revolute { "upper", m.ground, door, at = { 0, 0, 2 }, axis = "z" }
  local run = m:simulate { t = 1, formulation = mbs.maggi {} }
  -- The sum of both is what holds the door: m (a - g).
  local t = 0.512345
  check.near(run:at("lower.force_z", t) + run:at("upper.force_z", t), 20 * 9.81, 1e-6)
  check.near(run:at("lower.force_x", t) + run:at("upper.force_x", t), 20 * run:at("door.ax", t), 1e-6)
end
