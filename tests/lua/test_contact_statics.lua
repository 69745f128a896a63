-- Statics with static friction: anchors take the stretch that balance needs.
local mbs = require "perilune"
local check = require "check"

local g, slope, mass, K, T = 9.81, 0.3, 2, 1e5, 4e4
local normal, load = mass * g * math.cos(slope), mass * g * math.sin(slope)
local uphill, out = { math.cos(slope), math.sin(slope) }, { -math.sin(slope), math.cos(slope) }
local law = mbs.kelvin_voigt { stiffness = K, damping = 400 }
local function anchors(mu) return mbs.static_friction { stiffness = T, damping = 300, coefficient = mu } end
local function along(state, name, axis, dimension)
  local sum = 0
  for k, letter in ipairs { "x", "y" } do sum = sum + axis[k] * state:at(name .. letter) end
  return sum
end

-- A block on a slope, declared just touching: it rests with the deflections m g cos / K and m g sin / T, and stays.
for _, mu in ipairs { false, 0.5 } do
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", at = { 0, 0 }, mass = mass }
  m:contact { "floor", m.ground, P, axis = out, normal = law, friction = anchors(mu or nil) }
  local rest = m:equilibrium()
  check.near(along(rest, "P.", out), -normal / K, 1e-12)
  check.near(along(rest, "P.", uphill), -load / T, 1e-12)
  check.near(along(rest, "floor.stretch_", uphill), -load / T, 1e-12)
  check.near(along(rest, "floor.friction_", uphill), load, 1e-9)
  local run = m:simulate { from = rest, t = 1, integrator = mbs.radau { relative_tolerance = 1e-9 } }
  check.near(run:at("P.x", 1), rest:at "P.x", 1e-9)
  check.near(run:at("P.y", 1), rest:at "P.y", 1e-9)
  check.near(run:at("floor.stretch_x", 1), rest:at "floor.stretch_x", 1e-9)
end

-- A box on two feet in space, with a spring that pulls it uphill: forces and moments balance, and nothing moves.
do
  local m = mbs.model { gravity = { 0, 0, -g } }
  local box = m:body { "box", mass = mass, inertia = { 0.02, 0.03, 0.03 },
                         at = { 0.1 * out[1], 0, 0.1 * out[2] },
                         orientation = { math.cos(slope / 2), 0, -math.sin(slope / 2), 0 } }
  local feet = { box:point { -0.2, -0.1, -0.1 }, box:point { 0.2, -0.1, -0.1 }, box:point { 0, 0.2, -0.1 } }
  m:contact { "floor", m.ground, feet[1], feet[2], feet[3], axis = { out[1], 0, out[2] }, radius = 0, normal = law,
              friction = anchors(1) }
  m:spring { "rope", m:ground { at = { 2, 0, 0.5 } }, box, stiffness = 10, free_length = 1.5 }
  local rest = m:equilibrium()
  check.near(rest.residual, 0, 1e-9)
  local pull = rest:at "rope.force"
  local u = { rest:at "box.x" - 2, rest:at "box.y", rest:at "box.z" - 0.5 }
  local length = math.sqrt(u[1] ^ 2 + u[2] ^ 2 + u[3] ^ 2)
  local rope = -pull * (u[1] * uphill[1] + u[3] * uphill[2]) / length
  check.near(rest:at "floor.friction_x" * uphill[1] + rest:at "floor.friction_z" * uphill[2], load - rope, 1e-8)
  local run = m:simulate { from = rest, t = 0.5, integrator = mbs.radau { relative_tolerance = 1e-9 } }
  for _, name in ipairs { "box.x", "box.y", "box.z", "box.e1", "box.e2" } do
    check.near(run:at(name, 0.5), rest:at(name), 1e-8, name)
  end
end

-- Steeper than friction holds there is no rest.
do
  local m = mbs.model { gravity = { 0, -g } }
  local P = m:point { "P", at = { 0, 0 }, mass = mass }
  m:contact { "floor", m.ground, P, axis = out, normal = law, friction = anchors(0.2) }
  check.fails("no equilibrium was found", m.equilibrium, m)
end

-- An ellipse that is put down askew rolls to its flat side.
do
  local a, b = 0.3, 0.2
  local m = mbs.model { gravity = { 0, -g } }
  local height = math.sqrt((a * math.sin(0.3)) ^ 2 + (b * math.cos(0.3)) ^ 2)
  local X = m:body { "X", mass = mass, inertia = 0.05, at = { 0, height }, angle = 0.3 }
  m:contact { "floor", m.ground, X, semi_axes = { a, b }, normal = law, friction = anchors() }
  local rest = m:equilibrium()
  check.near(rest:at "X.y", b - mass * g / K, 1e-9)
  check.near(rest:at "X.angle", 0, 1e-9)
  check.near(rest:at "floor.friction_x", 0, 1e-9)
end
print "contact statics: ok"
