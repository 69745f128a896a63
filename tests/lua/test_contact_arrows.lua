-- The arrows of contacts, tires, cams and wheels that roll in the page of a run: the force on what touches, where it
-- touches, as the signals have it.
local mbs = require "perilune"
local check = require "check"
local page = require "page"
local base64 = require "base64"

local path = os.tmpname()

--- The data of the page that a run writes.
local function page_of(run)
  run:view(path)
  return (page.data(path))
end
--- Numbers of an arrow, rows of three, and where it is.
local function read(arrow)
  local values, places = base64(arrow.values, "<i2"), base64(arrow.positions, "<f")
  local force, at = {}, {}
  for k = 1, #values // 3 do
    force[k] = { values[3 * k - 2] * arrow.unit, values[3 * k - 1] * arrow.unit, values[3 * k] * arrow.unit }
    at[k] = { places[3 * k - 2], places[3 * k - 1], places[3 * k] }
  end
  return force, at
end

--- `expected`, `place`: of the force on what touches and of where it does, along the axes of space, at a time.
local function compare(run, name, expected, place, tolerance)
  local data = page_of(run)
  local found = 0
  for _, arrow in ipairs(data.runs[1].arrows) do
    if arrow.kind == "contact" and arrow.name == name then
      found = found + 1
      local force, at = read(arrow)
      check.equal(#force, data.count)
      local largest = 0
      for k = 1, #force, 7 do
        local t = data.start + data.duration * (k - 1) / (data.count - 1)
        local f, p = expected(t), place(t)
        for i = 1, 3 do
          check.near(force[k][i], f[i], 32767 * arrow.unit * (tolerance or 1e-4), name .. ": force " .. i)
          if math.abs(f[1]) + math.abs(f[2]) + math.abs(f[3]) > 0 then check.near(at[k][i], p[i], 1e-5, name .. ": place " .. i) end
          largest = math.max(largest, math.abs(f[i]))
        end
      end
      assert(largest > 1, "nothing touches")
    end
  end
  check.equal(found, 1, name)
end

-- A ball that bounces and slips on the floor.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local ball = m:body { "ball", mass = 1, inertia = 0.01, at = { 0, 0.3 }, velocity = { 2, 0 }, angular_velocity = 30 }
  local floor = m:contact { "floor", m.ground, ball, radius = 0.1, normal = mbs.hunt_crossley { stiffness = 1e4, dissipation = 0.5 },
    friction = mbs.coulomb_tanh { coefficient = 0.2, regularization = 0.01 } }
  local run = m:simulate { t = 0.6 }
  compare(run, "floor", function(t)
    return { run:at("floor.friction_x", t), run:at("floor.normal_force", t) + run:at("floor.friction_y", t), 0 }
  end, function(t) return { run:at("ball.x", t), run:at("ball.y", t) - 0.1, 0 } end)
end

-- A phase that leaves the floor out has no force of it, however deep the ball falls.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local ball = m:point { "ball", mass = 1, at = { 0, 0.2 } }
  local floor = m:contact { "floor", m.ground, ball, radius = 0.1, normal = mbs.hunt_crossley { stiffness = 1e4 } }
  local run = m:simulate { t = 0.5, phases = { m:phase { "through", without = { floor } } } }
  assert(run:at("ball.y", 0.5) < -0.5)
  for _, arrow in ipairs(page_of(run).runs[1].arrows) do
    for _, force in ipairs((read(arrow))) do check.equal(force[1] ^ 2 + force[2] ^ 2, 0.0) end
  end
end

-- A disc that rolls down a slope: m a = m g_x + F with a = m g_x / (m + J / r^2).
do
  local m = mbs.model { gravity = { 3, -9 } }
  local disc = m:body { "disc", mass = 2, inertia = 0.04, at = { 0, 0.2 }, angular_velocity = 0 }
  m:rolling { "way", m.ground, disc, radius = 0.2 }
  local run = m:simulate { t = 0.5 }
  compare(run, "way", function() return { -2, 18, 0 } end, function(t) return { t ^ 2, 0, 0 } end)
end

-- A tire on a road, and an eccentric that lifts a roller: normal to both, where they touch.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local hub = m:body { "hub", mass = 20, inertia = { 1, 1, 1 }, at = { 0, 0, 0.295 }, velocity = { 3, 0, 0 }, angular_velocity = { 0, 10, 0 } }
  m:tire { "tire", m.ground, hub, radius = 0.3, axis = "y", stiffness = 1e5, damping = 300 }
  local run = m:simulate { t = 0.3 }
  compare(run, "tire", function(t) return { 0, 0, run:at("tire.normal_force", t) } end, function(t) return { run:at("hub.x", t), run:at("hub.y", t), 0 } end, 1e-3)

  local c = mbs.model { gravity = { 0, -9.81 } }
  local disc = c:body { "disc", mass = 1, inertia = 0.1, at = { 0, 0 } }
  local hinge = c:revolute { "hinge", c.ground, disc, at = { 0, 0 } }
  c:driver { hinge.angle, law = function(s) return 5 * s.t end }
  local lifter = c:body { "lifter", mass = 0.5, inertia = 0.1, at = { 0, 0.5 } }
  c:translational { "guide", c.ground, lifter, at = { 0, 0.5 }, axis = { 0, 1 } }
  c:cam { "cam", disc, lifter, radius = 0.1, profile = function(angle) return 0.4 end }
  local turn = c:simulate { t = 0.5 }
  compare(turn, "cam", function() return { 0, 0.5 * 9.81, 0 } end, function() return { 0, 0.4, 0 } end)
end

os.remove(path)
