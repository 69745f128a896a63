-- Numbers of friction laws and bearings that parameters put out of their range after the declaration: refused by the
-- name of the joint or contact, as at the declaration.
local mbs = require "perilune"
local check = require "check"

local laws = {
  coulomb = { coefficient = 0.3, regularization = 1e-2 }, coulomb_tanh = { coefficient = 0.3, regularization = 1e-2 },
  coulomb_cubic = { coefficient = 0.3, regularization = 1e-2 }, threlfall = { coefficient = 0.3, regularization = 1e-2 },
  ambrosio = { coefficient = 0.3, v0 = 1e-3, v1 = 1e-2 }, brown_mcphee = { static = 0.5, dynamic = 0.3, transition = 0.1 },
  stribeck = { static = 0.5, dynamic = 0.3, stribeck_speed = 0.1, regularization = 1e-2, damping = 1 },
  viscous = { damping = 2 }, static_friction = { stiffness = 1e3, damping = 10, coefficient = 0.3 },
  dahl = { coefficient = 0.3, stiffness = 1e3, release = 1e-2 },
  lugre = { static = 0.5, dynamic = 0.3, stiffness = 1e3, damping = 10, stribeck_speed = 0.1, viscous = 1, release = 1e-2 },
  elasto_plastic = { static = 0.5, dynamic = 0.3, stiffness = 1e3, damping = 10, breakaway = 0.5 },
  gonthier = { static = 0.5, dynamic = 0.3, stiffness = 1e3, damping = 10, stribeck_speed = 0.1 },
}

local function joint(friction, m)
  local b = m:body { "b", mass = 1, inertia = 0.02, at = { 0.5, 0 } }
  m:revolute { "pin", m.ground, b, at = { 0, 0 }, radius = 0.05, friction = friction }
end
local function contact(friction, m)
  local b = m:body { "b", mass = 1, inertia = 0.02, at = { 0, 0.1 }, velocity = { 1, 0 } }
  m:contact { "touch", m.ground, b, radius = 0.1, normal = mbs.hunt_crossley { stiffness = 1e4 }, friction = friction }
end

local count = 0
for law, numbers in pairs(laws) do
  for field, value in pairs(numbers) do
    for who, build in pairs { ['revolute "pin"'] = joint, ['contact "touch"'] = contact } do
      local m = mbs.model { gravity = { 0, -9.81 } }
      local p, fields = m:param { "p", value }, {}
      for name, number in pairs(numbers) do fields[name] = name == field and p or number end
      build(mbs[law](fields), m)
      m:simulate { t = 1e-3, integrator = mbs.radau {} }
      p.value = -value
      local ok, message = pcall(m.simulate, m, { t = 1e-3, integrator = mbs.radau {} })
      assert(not ok and message:find(who, 1, true) and message:find(field .. " must", 1, true)
             and message:find("at these parameters", 1, true), law .. "." .. field .. ": " .. tostring(message))
      p.value = value
      m:simulate { t = 1e-3, integrator = mbs.radau {} }
      count = count + 1
    end
  end
end
check.equal(count >= 80, true)

-- Numbers that do not fit together.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local static = m:param { "static", 0.5 }
  joint(mbs.stribeck { static = static, dynamic = 0.3 }, m)
  static.value = 0.2
  check.fails("static must not be less than dynamic", function() m:simulate { t = 1e-3 } end)
end

-- Bearings, and normal laws.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local sizes = { radius = m:param { "r", 0.05 }, length = m:param { "l", 0.1 }, thrust_radius = m:param { "R", 0.08 },
                  preload = m:param { "F", 1 }, load_regularization = m:param { "e", 1e-3 } }
  local fields = { "pin", m.ground, m:body { "b", mass = 1, inertia = { 1, 1, 1 }, at = { 0.5, 0, 0 } },
                   at = { 0, 0, 0 }, axis = "z", friction = mbs.coulomb { coefficient = 0.1 } }
  for name, p in pairs(sizes) do fields[name] = p end
  m:revolute(fields)
  m:simulate { t = 1e-3 }
  for name, p in pairs(sizes) do
    p.value = -p.value
    check.fails(name .. " must", function() m:simulate { t = 1e-3 } end)
    p.value = -p.value
  end
  local damping = m:param { "damping", 5 }
  m:contact { "touch", m.ground, m:body { "ball", mass = 1, inertia = { 1, 1, 1 }, at = { 3, 0, 1 } }, radius = 0.1,
              normal = mbs.kelvin_voigt { stiffness = 1e4, damping = damping } }
  damping.value = -5
  check.fails("damping must not be negative, got -5", function() m:simulate { t = 1e-3 } end)
end
