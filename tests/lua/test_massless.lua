-- Bodies without mass or inertia, where joints hold them or what they carry has mass: against the same mechanisms with a
-- distance, a joint of another kind, and closed forms.
local mbs = require "perilune"
local check = require "check"

local forms = {
  { nil, nil }, { mbs.index1 { project = true } }, { mbs.maggi {} }, { mbs.coordinate_partitioning {} },
  { mbs.index2 {}, mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } },
  { mbs.index3 {}, mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } },
}
local precise = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 }

-- A double pendulum whose upper link weighs nothing, and one whose lower body hangs on a distance. What both can do is the
-- same, by any length; the link carries a force along itself and no other.
do
  local function pendulum(has_link)
    local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
    local L = m:param { "L", 1, unit = "m" }
    local lower = m:body { "lower", mass = 1, inertia = 0.1, at = { L + 0.5, 0 } }
    local held
    if has_link then
      local link = m:body { "link", mass = 0, inertia = 0, at = { L / 2, 0 } }
      m:revolute { "upper", m.ground, link, at = { 0, 0 } }
      held = m:revolute { "middle", link, lower, at = { L, 0 } }
    else
      held = m:distance { "held", m:ground { at = { 0, 0 } }, lower:marker { at = { -0.5, 0 } } }
    end
    return m, held, m:objective { "low", terminal = lower.y, integral = lower.x^2 }
  end
  local plain, _, low = pendulum(false)
  local expected = plain:simulate { t = 1, integrator = precise }
  local slope = plain:gradient { low }
  for _, form in ipairs(forms) do
    local m, _, cost = pendulum(true)
    local run = m:simulate { t = 1, formulation = form[1], integrator = form[2] or precise }
    for _, name in ipairs { "lower.x", "lower.y", "lower.angle" } do check.near(run:at(name, 1), expected:at(name, 1), 1e-7) end
    local x, y = run:at("lower.x", 1) - 0.5 * math.cos(run:at("lower.angle", 1)), run:at("lower.y", 1) - 0.5 * math.sin(run:at("lower.angle", 1))
    -- Reactions are given in the axes of the link.
    check.near(run:at("middle.force_y", 1), 0, 1e-6)
    check.near(math.sqrt(x^2 + y^2), 1, 1e-8)
    for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
      local found = m:gradient { cost, method = method }
      check.near(found.value, slope.value, 1e-7)
      check.near(found.gradient[1], slope.gradient[1], 1e-6)
    end
  end
end

-- A Hooke's joint as a cross without mass on two hinges, and the joint itself.
do
  local function shaft(has_cross)
    local m = mbs.model { "shaft", gravity = { 0, 0, -9.81 } }
    local arm = m:body { "arm", mass = 2, inertia = { 0.02, 0.15, 0.16 }, at = { 0.5, 0, 0 },
                         velocity = { 0, 0.5, -0.2 }, angular_velocity = { 0, 0.4, 1 } }
    if has_cross then
      local cross = m:body { "cross", mass = 0, inertia = { 0, 0, 0 }, at = { 0, 0, 0 }, angular_velocity = { 0, 0.4, 0 } }
      m:revolute { m.ground, cross, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
      m:revolute { cross, arm, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
    else
      m:universal { m.ground, arm, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, axis_b = { 0, 0, 1 } }
    end
    return m
  end
  local expected = shaft(false):simulate { t = 1, formulation = mbs.index1 { project = true }, integrator = precise }
  for _, form in ipairs(forms) do
    local run = shaft(true):simulate { t = 1, formulation = form[1], integrator = form[2] or precise }
    for _, name in ipairs { "arm.x", "arm.y", "arm.z", "arm.omega_x" } do
      check.near(run:at(name, 1), expected:at(name, 1), 2e-7, tostring(form[1]) .. " " .. name)
    end
  end
  assert(tostring(shaft(true):simulate { t = 0.1 }):find "joint_coordinates")
end

-- A slender rod has no inertia about itself: the frequency of one on a hinge.
do
  local m = mbs.model { "rod", gravity = { 0, 0, -9.81 } }
  local rod = m:body { "rod", mass = 3, inertia = { 0, 3 * 0.8^2 / 12, 3 * 0.8^2 / 12 }, at = { 0.4, 0, 0 } }
  m:revolute { "hinge", m.ground, rod, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  local rest = m:equilibrium {}
  local modes = m:linearize { from = rest }
  check.near(modes.modes[1].frequency * 2 * math.pi, math.sqrt(1.5 * 9.81 / 0.8), 1e-9)
end

-- A four-bar whose coupler weighs nothing is one with a distance.
do
  local function four_bar(has_coupler)
    local m = mbs.model { "four_bar", gravity = { 0, -9.81 } }
    local crank = m:body { "crank", mass = 1, inertia = 0.02, at = { 0, 0.2 }, angle = math.pi / 2 }
    local rocker = m:body { "rocker", mass = 2, inertia = 0.1, at = { 1, 0.4 }, angle = math.pi / 2 }
    m:revolute { m.ground, crank, at = { 0, 0 } }
    m:revolute { m.ground, rocker, at = { 1, 0 } }
    if has_coupler then
      local coupler = m:body { "coupler", mass = 0, inertia = 0, at = { 0.5, 0.6 } }
      m:revolute { crank, coupler, at = { 0, 0.4 } }
      m:revolute { coupler, rocker, at = { 1, 0.8 } }
    else
      m:distance { crank:marker { at = { 0.2, 0 } }, rocker:marker { at = { 0.4, 0 } } }
    end
    return m
  end
  local expected = four_bar(false):simulate { t = 1, integrator = precise }
  for _, form in ipairs(forms) do
    local run = four_bar(true):simulate { t = 1, formulation = form[1], integrator = form[2] or precise }
    check.near(run:at("rocker.angle", 1), expected:at("rocker.angle", 1), 1e-7)
  end
end
