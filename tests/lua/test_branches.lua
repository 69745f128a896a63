-- Mechanisms stay on their branch, or a sentence says that they may not have.
local mbs = require "perilune"
local check = require "check"

-- A crank of 0.8 m turns a rocker of 2 m over a link of sqrt(10.44) m, their bearings 3 m apart. Once a turn the crank
-- points away from the rocker, whose tip is sqrt(10.44) m away from it then: 18.44 + 15.2 cos(rocker) = 10.44, with the
-- other sign on the other branch.
do
  local function four_bar()
    local m = mbs.model { "four-bar", gravity = { 0, 0 } }
    local A = m:body { "A", mass = 1, inertia = 0.1, angle = math.pi / 2 }
    local C = m:body { "C", mass = 1, inertia = 0.1, at = { 3, 0 }, angle = math.pi / 2 }
    local hinge = m:revolute { "crank", m.ground, A, at = { 0, 0 } }
    m:revolute { "rocker", m.ground, C, at = { 3, 0 } }
    m:distance { "link", A:point { 0.8, 0 }, C:point { 2, 0 } }
    m:driver { "motor", hinge.angle, law = function(s) return math.pi / 2 + 2 * math.pi * s.t end }
    return m
  end
  local rocker = math.acos(-8 / 15.2)
  for _, points in ipairs { 7, 61, 301 } do
    local run = four_bar():kinematics { t = 3, points = points }
    for t = 0, 3 do check.near(run:at("C.angle", t), rocker, 1e-9) end
    -- The driver asks for another crank angle than is declared.
    check.equal(#run.warnings, 1)
    assert(run.warnings[1]:find("assembly moved A.angle by 1.571", 1, true), run.warnings[1])
  end
  local run = four_bar():kinematics { t = 50 }
  for _, t in ipairs { 1, 17, 50 } do check.near(run:at("C.angle", t), rocker, 1e-9) end
  check.near(run:at("A.angle", 50) - run:at("A.angle", 0), 100 * math.pi, 1e-9)
end

-- A law with a kink is followed, one that jumps is refused with its time.
do
  local m = mbs.model { "slider", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 1 }, mass = 1 }
  local rod = m:point { "Q", at = { 2, 0 }, mass = 1 }
  m:distance { "rod", P, rod, length = math.sqrt(5) }
  m:driver { "guide", P.x, law = function() return 0 end }
  m:driver { "floor", rod.y, law = function() return 0 end }
  m:driver { "drive", P.y, law = function(s) return 1 + mbs.where(mbs.lt(s.t, 0.51), 0, 0.3 * (s.t - 0.51)) end }
  local run = m:kinematics { t = 1, points = 3 }
  check.near(run:at("Q.x", 1), math.sqrt(5 - 1.147 ^ 2), 1e-9)
end
do
  local m = mbs.model { "slider", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 1 }, mass = 1 }
  m:driver { "guide", P.x, law = function() return 0 end }
  m:driver { "drive", P.y, law = function(s) return mbs.where(mbs.lt(s.t, 0.51), 1, 2) end }
  check.fails("at t = 0.51", m.kinematics, m, { t = 1, points = 3 })
  check.fails("a driver jumps", m.kinematics, m, { t = 1, points = 3 })
end

-- A run that makes no headway ends with a sentence instead of never.
do
  local m = mbs.model { "hard", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  m:spring { m:ground { at = { 0, 0 } }, P, stiffness = 1e20, free_length = 0.9 }
  check.fails("makes no headway", m.simulate, m, { t = 10, integrator = mbs.dormand_prince {} })
  check.fails("mbs.radau {}", m.simulate, m, { t = 10, integrator = mbs.dormand_prince {} })
  -- One that is short beside its steps does not.
  m:simulate { t = 1e-9, integrator = mbs.dormand_prince {} }
end

-- Redundant constraints are named where they are the trouble, and the formulation in use is not recommended.
do
  local function door()
    local m = mbs.model { "door", gravity = { 0, -9.81 } }
    local a = m:body { "a", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
    local b = m:body { "b", mass = 1, inertia = 0.1, at = { 1.5, 0 } }
    m:revolute { "hinge", m.ground, a, at = { 0, 0 } }
    m:weld { "weld", a, b, at = { 1, 0 } }
    m:distance { "again", a:point { 0, 0.1 }, b:point { 0, 0.3 } }
    return m
  end
  for _, integrator in ipairs { mbs.bdf {}, mbs.trapezoidal { step = 1e-3 } } do
    local m = door()
    local ok, message = pcall(m.simulate, m, { t = 2, formulation = mbs.augmented_lagrangian {}, integrator = integrator })
    if ok then
      local run = m.last_run
      check.near(run:at("energy.total", 2), run:at("energy.total", 0), 1e-3, tostring(integrator))
    else
      assert(message:find('"again" (1 constraint', 1, true) and message:find("redundant", 1, true), message)
      assert(not message:find("mbs.augmented_lagrangian", 1, true), message)
    end
  end
  for _, formulation in ipairs { mbs.index1 {}, mbs.index3 {}, mbs.stabilized_index1 {} } do
    local ok, message = pcall(door().simulate, door(), { t = 2, formulation = formulation, integrator = mbs.radau {} })
    assert(not ok and message:find("redundant constraints of \"again\"", 1, true), message)
    assert(not message:find("use mbs.index", 1, true), message)
  end
end

-- What has no mass is not blamed on the constraints, and no formulation is recommended that is in use.
do
  for _, formulation in ipairs { mbs.penalty {}, mbs.augmented_lagrangian {}, mbs.index1 {} } do
    local m = mbs.model { "light", gravity = { 0, -9.81 } }
    m:point { "P", at = { 1, 0 }, mass = 0 }
    m:point { "Q", at = { 2, 0 }, mass = 1 }
    check.fails("has no mass", m.simulate, m, { t = 1, formulation = formulation })
  end
end

-- Where drivers leave nothing free there is nothing to integrate, and implicit steps still are as short as the motion of
-- the driver asks for: Radau's estimate took what a driver does for what the constraints take care of.
do
  local function linkage()
    local m = mbs.model { "driven four-bar", gravity = { 0, -9.81 } }
    local function rod(name, x1, y1, x2, y2)
      return m:body { name, mass = 1, inertia = 0.1, at = { (x1 + x2) / 2, (y1 + y2) / 2 },
                      angle = math.atan(y2 - y1, x2 - x1) }
    end
    local a, b, c = rod("a", 0, 0, 0.5, 0), rod("b", 0.5, 0, 2, 1.5), rod("c", 2.5, 0, 2, 1.5)
    local hinge = m:revolute { "h1", m.ground, a, at = { 0, 0 } }
    m:revolute { "h2", a, b, at = { 0.5, 0 } }
    m:revolute { "h3", b, c, at = { 2, 1.5 } }
    m:revolute { "h4", m.ground, c, at = { 2.5, 0 } }
    m:driver { "motor", hinge.angle, law = function(s) return 2 * s.t + 0.1 * math.sin(3 * s.t) end }
    return m
  end
  local exact = linkage():kinematics { t = 3 }
  for _, formulation in ipairs { mbs.maggi {}, mbs.coordinate_partitioning {} } do
    for _, integrator in ipairs { mbs.radau {}, mbs.radau { order = 3 }, mbs.dormand_prince {}, mbs.bdf {} } do
      local run = linkage():simulate { t = 3, formulation = formulation, integrator = integrator }
      for _, signal in ipairs { "b.angle", "c.angle", "b.x" } do
        check.near(run:at(signal, 3), exact:at(signal, 3), 1e-9, tostring(integrator) .. " " .. signal)
      end
      check.near(run:at("c.angle", 1.234), exact:at("c.angle", 1.234), 1e-5)
    end
  end
end
