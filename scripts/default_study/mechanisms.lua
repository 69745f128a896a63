-- Mechanisms on which the default formulation and integrator are chosen: most were not made with Perilune in mind. Each
-- function makes a model and returns it with the time to simulate and what tells how wrong a run is:
--   length = l       of a mechanism far below 1 m (m)
--   energy = E       the total energy is constant; errors are relative to E (J), what the motion exchanges
--   truth = { "signal", value }  a value that is known otherwise at the end; errors are relative to `size`
--   reference = "signal"         compared with a run by other equations and another integrator at 1e-12
local mbs = require "perilune"

local g = 9.81
local study = {}
local list = {}
local function add(name, kind, make) list[#list + 1] = { name = name, kind = kind, make = make } end

local function planar(name, gravity) return mbs.model { name, gravity = { 0, -(gravity or g) } } end
local function spatial(name, gravity) return mbs.model { name, gravity = { 0, 0, -(gravity or g) } } end

-- A slender rod from one place to another, of 1 kg per default.
local function rod(m, name, x1, y1, x2, y2, mass)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  mass = mass or 1
  local body = m:body { name, mass = mass, inertia = mass * length^2 / 12, at = { (x1 + x2) / 2, (y1 + y2) / 2 },
                        angle = math.atan(dy, dx) }
  return body, body:point { -length / 2, 0 }, body:point { length / 2, 0 }
end

add("pendulum, a point on a bar", "open", function()
  local m = planar "pendulum"
  m:distance { m:ground { at = { 0, 0 } }, m:point { "P", at = { 1, 0 }, mass = 1 } }
  return { model = m, t = 10, energy = g }
end)

add("pendulum over 100 s", "long", function()
  local m = planar "long pendulum"
  m:distance { m:ground { at = { 0, 0 } }, m:point { "P", at = { 1, 0 }, mass = 1 } }
  return { model = m, t = 100, energy = g }
end)

-- Of the size of a cell, and as heavy as a mountain: nothing but units changes.
for _, case in ipairs { { 1e-4, 1 }, { 1e-3, 100 }, { 0.1, 1e6 }, { 1, 1e12 } } do
  local length, mass = case[1], case[2]
  add(("pendulum of %g m and %g kg"):format(length, mass), "scale", function()
    local m = planar "scaled pendulum"
    m:distance { m:ground { at = { 0, 0 } }, m:point { "P", at = { length, 0 }, mass = mass } }
    return { model = m, t = 5 * math.sqrt(length / g), energy = mass * g * length, length = length }
  end)
end

add("double pendulum of rods", "open", function()
  local m = planar "double pendulum"
  local a, _, a2 = rod(m, "a", 0, 0, 1, 0)
  local b = rod(m, "b", 1, 0, 2, 0)
  m:revolute { "h1", m.ground, a, at = { 0, 0 } }
  m:revolute { "h2", a, b, at = { 1, 0 } }
  return { model = m, t = 4, energy = 2 * g }
end)

local function chain(n, t)
  return function()
    local m = spatial "chain"
    local before = m.ground
    for i = 1, n do
      local link = m:body { "link" .. i, mass = 0.2, inertia = { 0.2 * 0.02^2 / 6, 0.2 * (0.2^2 + 0.02^2) / 12,
                            0.2 * (0.2^2 + 0.02^2) / 12 }, at = { 0.2 * (i - 0.5), 0, 0 } }
      m:revolute { "h" .. i, before, link, at = { 0.2 * (i - 1), 0, 0 }, axis = i % 2 == 1 and "z" or "y" }
      before = link
    end
    return { model = m, t = t, energy = 0.2 * g * 0.2 * n * n / 2 }
  end
end
add("chain of 4 links in space", "open", chain(4, 2))
add("chain of 10 links in space", "open", chain(10, 1))

add("heavy top", "spin", function()
  local m = spatial "top"
  local top = m:body { "top", mass = 2, inertia = { 0.02, 0.02, 0.03 }, at = { 0.3, 0, 0 }, euler = nil,
                       angular_velocity = { 0, 0, 100 } }
  m:spherical { "tip", m.ground, top, at = { 0, 0, 0 } }
  return { model = m, t = 1, energy = 2 * g * 0.3 }
end)

add("free body at 1000 rad/s", "spin", function()
  local m = spatial("spin", 0)
  m:body { "B", mass = 1, inertia = { 1, 2, 3 }, at = { 0, 0, 0 }, angular_velocity = { 1000, 1, 1 } }
  return { model = m, t = 0.1, energy = 0.5 * 1e6 }
end)

add("free body about its middle axis", "spin", function()
  local m = spatial("tumbling", 0)
  m:body { "B", mass = 1, inertia = { 1, 2, 3 }, at = { 0, 0, 0 }, angular_velocity = { 0.01, 5, 0.01 } }
  return { model = m, t = 10, energy = 25 }
end)

add("four-bar of rods", "loop", function()
  local m = planar "four-bar"
  local a, b, c = rod(m, "a", 0, 0, 0, 1), rod(m, "b", 0, 1, 2, 2), rod(m, "c", 2.5, 0, 2, 2)
  m:revolute { "h1", m.ground, a, at = { 0, 0 } }
  m:revolute { "h2", a, b, at = { 0, 1 } }
  m:revolute { "h3", b, c, at = { 2, 2 } }
  m:revolute { "h4", m.ground, c, at = { 2.5, 0 } }
  return { model = m, t = 5, energy = 3 * g }
end)

add("five-bar of points and springs", "loop", function()
  local m = planar "five-bar"
  local A, B = m:ground { at = { -1, 0 } }, m:ground { at = { 0.5, 0 } }
  local p = { m:point { "P1", at = { -1.5, 1 } }, m:point { "P2", at = { 0, 2 } }, m:point { "P3", at = { 1, 1 } } }
  m:bar { A, p[1], mass = 1 }
  m:bar { p[1], p[2], mass = 1.5 }
  m:bar { p[2], p[3], mass = 1.5 }
  m:bar { p[3], B, mass = 1 }
  m:spring { p[2], A, stiffness = 100, free_length = math.sqrt(5) }
  m:spring { p[2], B, stiffness = 100, free_length = math.sqrt(4.25) }
  return { model = m, t = 5, energy = 5 * g }
end)

add("slider-crank of rods", "loop", function()
  local m = planar "slider-crank"
  local x, y = 0.2 * math.cos(0.6), 0.2 * math.sin(0.6)
  local s = x + math.sqrt(0.25 - y * y)
  local crank = m:body { "crank", mass = 0.4, inertia = 0.4 * 0.04 / 12, at = { x / 2, y / 2 }, angle = 0.6,
                         angular_velocity = 10, velocity = { -y * 5, x * 5 } }
  local rod2 = rod(m, "rod", x, y, s, 0)
  local slider = m:body { "slider", mass = 1.5, inertia = 0.01, at = { s, 0 } }
  m:revolute { "main", m.ground, crank, at = { 0, 0 } }
  m:revolute { "crank pin", crank, rod2, at = { x, y } }
  m:revolute { "wrist", rod2, slider, at = { s, 0 } }
  m:translational { "guide", m.ground, slider, at = { s, 0 }, axis = "x" }
  return { model = m, t = 5, energy = 10 }
end)

add("spatial slider-crank", "loop", function()
  local m = spatial "spatial slider-crank"
  local crank = m:body { "crank", mass = 1.2, inertia = { 0.02, 0.01, 0.015 }, at = { 0, 0.1, 0.16 } }
  local link = m:body { "rod", mass = 0.5, inertia = { 0.004, 0.005, 0.006 }, at = { 0.1, 0.05, 0.1 } }
  local slider = m:body { "slider", mass = 2, inertia = { 0.01, 0.01, 0.01 }, at = { 0.2, 0, 0 } }
  m:revolute { "main", m.ground, crank, at = { 0, 0.1, 0.12 }, axis = "x" }
  m:spherical { "ball", crank, link, at = { 0, 0.1, 0.2 } }
  m:universal { "cross", link, slider, at = { 0.2, 0, 0 }, axis = { 0.1, 0.2, 0 }, axis_b = "z" }
  m:translational { "guide", m.ground, slider, at = { 0.2, 0, 0 }, axis = "x" }
  return { model = m, t = 3, energy = 1.2 * g * 0.08 }
end)

-- N windows of IFToMM's ladder: it passes its singular position, where all bars lie in one line.
local function ladder(n, t)
  return function()
    local m = planar "ladder"
    local before
    for i = 0, n do
      local P = m:point { "P" .. i, at = { i, 1 }, velocity = { 1, 0 } }
      m:bar { m:ground { at = { i, 0 } }, P, mass = 1 }
      if before then m:bar { before, P, mass = 1 } end
      before = P
    end
    return { model = m, t = t, energy = (n + 1) * g }
  end
end
for _, n in ipairs { 1, 2, 3, 5, 8 } do add(("ladder of %d windows, points"):format(n), "singular", ladder(n, 6)) end

for _, n in ipairs { 1, 2, 3 } do
  add(("ladder of %d windows, rods"):format(n), "singular", function()
    local m = planar "ladder of rods"
    local before
    for i = 0, n do
      local post, foot, tip = m:body { "post" .. i, mass = 1, inertia = 1 / 12, at = { i, 0.5 }, angle = math.pi / 2,
                                       velocity = { 0.5, 0 }, angular_velocity = -1 }
      m:revolute { "foot" .. i, m.ground, post, at = { i, 0 } }
      if before then
        local beam = m:body { "beam" .. i, mass = 1, inertia = 1 / 12, at = { i - 0.5, 1 }, velocity = { 1, 0 } }
        m:revolute { "left" .. i, before, beam, at = { i - 1, 1 } }
        m:revolute { "right" .. i, beam, post, at = { i, 1 } }
      end
      before = post
    end
    return { model = m, t = 10, energy = (2 * n + 1) * g }
  end)
end

add("parallelogram at 5 m/s", "singular", function()
  local m = planar "parallelogram"
  local P = m:point { "P", at = { 0, 1 }, mass = 1, velocity = { 5, 0 } }
  local Q = m:point { "Q", at = { 2, 1 }, mass = 1, velocity = { 5, 0 } }
  m:distance { m:ground { at = { 0, 0 } }, P }
  m:distance { m:ground { at = { 2, 0 } }, Q }
  m:distance { P, Q }
  return { model = m, t = 3, energy = 25 }
end)

add("a weld and a distance too many", "redundant", function()
  local m = planar "redundant weld"
  local a = rod(m, "a", 0, 0, 1, 0)
  local b = rod(m, "b", 1, 0, 1, 1)
  m:revolute { "hinge", m.ground, a, at = { 0, 0 } }
  m:weld { "weld", a, b, at = { 1, 0 } }
  m:distance { "stay", a:point { -0.5, 0 }, b:point { 0.5, 0 } }
  return { model = m, t = 5, energy = 3 * g }
end)

add("platform on three cranks", "redundant", function()
  local m = planar "three cranks"
  local a = 0.7
  local platform = m:body { "platform", mass = 3, inertia = 0.4, at = { 0.8 * math.cos(a), 0.8 * math.sin(a) } }
  for i = -1, 1 do
    local crank, foot, tip = rod(m, "crank" .. i + 2, i, 0, i + 0.8 * math.cos(a), 0.8 * math.sin(a))
    m:coincidence { m:ground { at = { i, 0 } }, foot }
    m:coincidence { tip, platform:point { i, 0 } }
  end
  return { model = m, t = 0.8, energy = 3 * g }
end)

add("door on two hinges", "redundant", function()
  local m = spatial "door"
  m:set_gravity { 0, -g, -g }
  local door = m:body { "door", at = { 0.5, 0, 1 }, mass = 20, inertia = { 6, 8, 2 } }
  m:revolute { "lower", m.ground, door, at = { 0, 0, 0 }, axis = "z" }
  m:revolute { "upper", m.ground, door, at = { 0, 0, 2 }, axis = "z" }
  return { model = m, t = 5, energy = 20 * g * 0.5 }
end)

-- Six hinges in space that move only because of their symmetry.
add("Bricard's linkage", "redundant", function()
  local m = spatial "Bricard"
  local nodes = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 0, 1 } }
  local bodies = { m.ground }
  for i = 2, 6 do
    local p, q = nodes[i], nodes[i % 6 + 1]
    bodies[i] = m:body { "rod" .. i, mass = 1, inertia = { 0.1, 0.12, 0.09 },
                         at = { (p[1] + q[1]) / 2, (p[2] + q[2]) / 2, (p[3] + q[3]) / 2 } }
  end
  local axes = { "y", "z", "x", "y", "z", "x" }
  for i = 1, 6 do
    m:revolute { "h" .. i, bodies[(i - 2) % 6 + 1], bodies[i], at = nodes[i], axis = axes[i] }
  end
  -- It falls from rest until its centres of mass are as low as they come: 6.46 g, by Maggi's form at 1e-11 as well.
  return { model = m, t = 3, energy = 6.46 * g }
end)

add("quarter car on bushings of 1e6 N/m", "stiff", function()
  local m = planar "suspension"
  local chassis = m:body { "chassis", mass = 350, inertia = 50, at = { 0, 0.6 } }
  m:translational { "guide", m.ground, chassis, at = { 0, 0.6 }, axis = { 0, 1 } }
  local arm = rod(m, "arm", 0.3, 0.25, 0.7, 0.22, 6)
  m:bushing { "mount", chassis:point { 0.3, -0.35 }, arm:point { -0.2005617, 0 }, stiffness = { 1e6, 1e6, 100 },
              damping = { 1e3, 1e3, 1 } }
  m:spring { chassis:point { 0.42, 0.2 }, arm:point { 0.1, 0 }, stiffness = 40e3, damping = 3e3, free_length = 0.62 }
  m:spring { m:ground { at = { 0.7, -0.3 } }, arm:point { 0.2005617, 0 }, stiffness = 2e5, free_length = 0.52 }
  return { model = m, t = 1, reference = "arm.y", size = 0.1 }
end)

add("ball that bounces", "contact", function()
  local m = planar "ball"
  local P = m:point { "P", at = { 0, 1 }, mass = 1, velocity = { 1, 0 } }
  m:contact { m.ground, P, normal = mbs.hertz { stiffness = 1e6 } }
  return { model = m, t = 3, energy = g }
end)

add("pendulum that hits a wall", "contact", function()
  local m = planar "wall"
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  m:contact { m:ground { at = { -0.2, 0 } }, P, axis = "x", normal = mbs.hertz { stiffness = 1e6 } }
  return { model = m, t = 3, energy = g }
end)

add("driven four-bar", "driver", function()
  local m = planar "driven four-bar"
  local a, b, c = rod(m, "a", 0, 0, 0, 0.5), rod(m, "b", 0, 0.5, 2, 1.5), rod(m, "c", 2.5, 0, 2, 1.5)
  local hinge = m:revolute { "h1", m.ground, a, at = { 0, 0 } }
  m:revolute { "h2", a, b, at = { 0, 0.5 } }
  m:revolute { "h3", b, c, at = { 2, 1.5 } }
  m:revolute { "h4", m.ground, c, at = { 2.5, 0 } }
  local start = hinge.angle
  m:driver { "motor", hinge.angle, law = function(s) return math.pi / 2 + 2 * s.t + 0.1 * math.sin(3 * s.t) end }
  -- Nothing is left to integrate: the positions of kinematics are exact.
  return { model = m, t = 3, kinematics = "c.angle", size = 1 }
end)

for _, entry in ipairs(require "default_study.loops_in_space") do list[#list + 1] = entry end

study.list = list
return study
