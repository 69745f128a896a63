-- The problems of `perilune bench`. A problem is a record:
--   name, what     its name, and one line about it
--   t              length of the motion (s)
--   build          makes the model; returns it, and the signals whose values at the end are compared (m)
--   methods        what runs it: { name, formulation, integrators }, integrators from rough to fine
--   target         largest error of the comparison (m)
--   references     two runs that are finer than all of these, by different formulations: an error is the distance from
--                  the first of them that is not by the formulation which is measured
--   gradient       for problems that have one: `build` makes the model, an objective and its parameters, by the first of
--                  which, as many as `counts` say, it is differentiated; `target` and `peers` as above, errors relative
--   peers          steps of programs of others, from rough to fine, by the name of the program
local mbs = require "perilune"

local problems = {}

local function explicit(...)
  local list = {}
  for _, tolerance in ipairs { ... } do
    list[#list + 1] = { ("tolerance %.0e"):format(tolerance), mbs.dormand_prince {
      relative_tolerance = tolerance, absolute_tolerance = tolerance } }
  end
  return list
end

-- Dormand and Prince's method of order 8.
local function eighth(...)
  local list = {}
  for _, tolerance in ipairs { ... } do
    list[#list + 1] = { ("order 8, tolerance %.0e"):format(tolerance), mbs.dormand_prince {
      order = 8, relative_tolerance = tolerance, absolute_tolerance = tolerance } }
  end
  return list
end

local function implicit(...)
  local list = {}
  for _, tolerance in ipairs { ... } do
    list[#list + 1] = { ("radau, tolerance %.0e"):format(tolerance), mbs.radau {
      relative_tolerance = tolerance, absolute_tolerance = tolerance } }
  end
  return list
end

local fine = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-12 }
local projected, reduced = mbs.index1 { project = true }, mbs.maggi {}
local tree = mbs.joint_coordinates {}

-- A new form of the equations of motion is one line more here.
local function forms(integrators, ...)
  local offered = { index1 = projected, maggi = reduced, joint_coordinates = tree, penalty = mbs.penalty { project = true } }
  local list = {}
  for _, name in ipairs { ... } do
    list[#list + 1] = { name = name, formulation = offered[name], integrators = integrators }
  end
  return list
end

local function both(a, b) return table.move(b, 1, #b, #a + 1, a) end

local function two_references(a, b, integrator)
  integrator = integrator or fine
  return { { name = a[1], formulation = a[2], integrator = integrator },
           { name = b[1], formulation = b[2], integrator = integrator } }
end
local in_the_plane = two_references({ "index1", projected }, { "maggi", reduced })

-- reference/peers: A(-1, 0), 1(-1.5, 1), 2(0, 2), 3(1, 1), B(0.5, 0), two springs of 100 N/m.
local places = { A = { -1, 0 }, B = { 0.5, 0 }, { -1.5, 1 }, { 0, 2 }, { 1, 1 } }
local masses = { 1, 1.5, 1.5, 1 }

local function five_bar()
  local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
  local A, B = m:ground { at = places.A }, m:ground { at = places.B }
  local P = {}
  for k = 1, 3 do P[k] = m:point { "P" .. k, at = places[k] } end
  local chain = { A, P[1], P[2], P[3], B }
  local mass = {}
  for k = 1, 4 do
    mass[k] = m:param { "m" .. k, masses[k], unit = "kg" }
    m:bar { "bar" .. k, chain[k], chain[k + 1], mass = mass[k] }
  end
  local k1, k2 = m:param { "k1", 100, unit = "N/m" }, m:param { "k2", 100, unit = "N/m" }
  local L1, L2 = m:param { "L1", math.sqrt(5), unit = "m" }, m:param { "L2", math.sqrt(4.25), unit = "m" }
  m:spring { "s1", A, P[2], stiffness = k1, free_length = L1 }
  m:spring { "s2", B, P[2], stiffness = k2, free_length = L2 }
  return m, { "P2.x", "P2.y" }, P[2], { k1, k2, L1, L2, table.unpack(mass) }
end

problems[#problems + 1] = {
  name = "five-bar",
  what = "planar five-bar of points and bars, two springs",
  t = 5,
  build = five_bar,
  methods = both(forms(explicit(1e-4, 1e-6, 1e-8), "index1", "maggi", "penalty"), forms(eighth(1e-4, 1e-6), "index1")),
  target = 2e-5,
  references = in_the_plane,
  peers = { mujoco = { 2e-2, 1 / 60, 1e-2, 5e-3, 2e-3, 1e-3 }, simbody = { 1e-3, 1e-4, 1e-5, 1e-6, 1e-7 },
            sundials = { 1e-4, 1e-6, 1e-8 } },
  gradient = {
    build = function()
      local m, _, P2, over = five_bar()
      local cost = m:objective { "cost", integral = function(s) return P2.x(s) ^ 2 + (P2.y(s) - 2) ^ 2 end }
      return m, cost, over
    end,
    counts = { 1, 4, 8 },
    target = 1e-7,
    peers = { sundials = { 1e-6, 1e-7, 1e-8, 1e-9 } },
  },
}

-- The same mechanism of rigid bodies on hinges in space.
problems[#problems + 1] = {
  name = "five-bar-spatial",
  what = "the same of spatial bodies on hinges",
  t = 5,
  build = function()
    local m = mbs.model { "spatial five-bar", gravity = { 0, -9.81, 0 } }
    local chain = { places.A, places[1], places[2], places[3], places.B }
    local bodies = {}
    for k = 1, 4 do
      local a, b = chain[k], chain[k + 1]
      local dx, dy = b[1] - a[1], b[2] - a[2]
      local J = masses[k] * (dx ^ 2 + dy ^ 2) / 12
      local angle = math.atan(dy, dx)
      bodies[k] = m:body { "bar" .. k, at = { (a[1] + b[1]) / 2, (a[2] + b[2]) / 2, 0 }, mass = masses[k],
                           inertia = { J / 100, J, J },
                           orientation = { math.cos(angle / 2), 0, 0, math.sin(angle / 2) } }
      m:revolute { "hinge" .. k, bodies[k - 1] or m.ground, bodies[k], at = { a[1], a[2], 0 }, axis = "z" }
    end
    -- In the plane alone: what a joint says about the rest follows from the hinges.
    local last = bodies[4]:point { math.sqrt(1.25) / 2, 0, 0 }
    m:constraint { "closing along x", law = function() return last.x - places.B[1] end }
    m:constraint { "closing along y", law = function() return last.y - places.B[2] end }
    local tip = bodies[2]:point { math.sqrt(3.25) / 2, 0, 0 }
    m:spring { "s1", m:ground { at = { -1, 0, 0 } }, tip, stiffness = 100, free_length = math.sqrt(5) }
    m:spring { "s2", m:ground { at = { 0.5, 0, 0 } }, tip, stiffness = 100, free_length = math.sqrt(4.25) }
    m:signal { "tip_x", tip.x, unit = "m" }
    m:signal { "tip_y", tip.y, unit = "m" }
    return m, { "tip_x", "tip_y" }
  end,
  methods = both(forms(explicit(1e-4, 1e-6, 1e-8), "index1", "maggi", "joint_coordinates", "penalty"),
                 forms(eighth(1e-4, 1e-5, 1e-6), "index1", "joint_coordinates")),
  target = 2e-5,
  -- In the plane, of points and bars: another model of the same mechanism.
  references = { { name = "points and bars", formulation = projected, integrator = fine, build = five_bar } },
  peers = { mujoco = { 2e-2, 1 / 60, 1e-2, 5e-3, 2e-3, 1e-3 }, simbody = { 1e-3, 1e-4, 1e-5, 1e-6, 1e-7 } },
}

local function slider_crank_at()
  local r, L, angle, rate = 0.2, 0.5, 0.6, 10
  local x, y = r * math.cos(angle), r * math.sin(angle)
  local along = math.sqrt(L ^ 2 - y ^ 2)
  return x, y, along, rate, -rate * y - y * rate * x / along  -- the slider's velocity is last
end

local function slider_crank()
  local m = mbs.model { "slider-crank", gravity = { 0, -9.81 } }
  local x, y, along, rate, velocity = slider_crank_at()
  local C = m:point { "C", at = { x, y }, velocity = { -rate * y, rate * x } }
  local S = m:point { "S", at = { x + along, 0 }, mass = 1.5, velocity = { velocity, 0 } }
  m:bar { "crank", m:ground { at = { 0, 0 } }, C, mass = 0.4 }
  m:bar { "rod", C, S, mass = 1 }
  m:constraint { "rail", law = function() return S.y end }
  return m, { "C.x", "C.y", "S.x" }
end

problems[#problems + 1] = {
  name = "slider-crank",
  what = "planar slider-crank in free motion: crank 0.2 m, rod 0.5 m",
  t = 2,
  build = slider_crank,
  methods = both(forms(explicit(1e-4, 1e-6, 1e-8), "index1", "maggi", "penalty"), forms(eighth(1e-4, 1e-6), "index1")),
  target = 1e-5,
  references = in_the_plane,
  peers = { mujoco = { 2e-3, 1e-3, 5e-4, 2e-4, 1 / 6400, 5e-5 }, simbody = { 1e-3, 1e-4, 1e-5, 1e-6, 1e-7 },
            sundials = { 1e-4, 1e-6, 1e-8 } },
}

problems[#problems + 1] = {
  name = "slider-crank-spatial",
  what = "the same of spatial bodies on hinges and a slide",
  t = 2,
  build = function()
    local m = mbs.model { "spatial slider-crank", gravity = { 0, -9.81, 0 } }
    local x, y, along, rate, velocity = slider_crank_at()
    local function bar(name, mass, ax, ay, dx, dy, spin, vx, vy)
      local J, angle = mass * (dx ^ 2 + dy ^ 2) / 12, math.atan(dy, dx)
      return m:body { name, at = { ax + dx / 2, ay + dy / 2, 0 }, mass = mass, inertia = { J / 100, J, J },
                      orientation = { math.cos(angle / 2), 0, 0, math.sin(angle / 2) },
                      velocity = { vx - spin * dy / 2, vy + spin * dx / 2, 0 }, angular_velocity = { 0, 0, spin } }
    end
    local crank = bar("crank", 0.4, 0, 0, x, y, rate, 0, 0)
    local rod = bar("rod", 1, x, y, along, -y, -rate * x / along, -rate * y, rate * x)
    local slider = m:body { "slider", at = { x + along, 0, 0 }, mass = 1.5, inertia = { 1, 1, 1 },
                            velocity = { velocity, 0, 0 } }
    m:revolute { "main", m.ground, crank, at = { 0, 0, 0 }, axis = "z" }
    m:revolute { "pin", crank, rod, at = { x, y, 0 }, axis = "z" }
    m:translational { "rail", m.ground, slider, at = { x + along, 0, 0 }, axis = "x" }
    -- A hinge here would say twice that all lies in one plane.
    local last = rod:point { 0.25, 0, 0 }
    m:constraint { "closing along x", law = function() return last.x - slider.x end }
    m:constraint { "closing along y", law = function() return last.y - slider.y end }
    local tip = crank:point { 0.1, 0, 0 }
    m:signal { "pin_x", tip.x, unit = "m" }
    m:signal { "pin_y", tip.y, unit = "m" }
    return m, { "pin_x", "pin_y", "slider.x" }
  end,
  methods = both(forms(explicit(1e-4, 1e-6, 1e-8), "index1", "maggi", "joint_coordinates", "penalty"),
                 forms(eighth(1e-4, 1e-6), "index1", "joint_coordinates")),
  target = 1e-5,
  references = { { name = "points and bars", formulation = projected, integrator = fine, build = slider_crank } },
  peers = { mujoco = { 2e-3, 1e-3, 5e-4, 2e-4, 1 / 6400, 5e-5 }, simbody = { 1e-3, 1e-4, 1e-5, 1e-6, 1e-7 } },
}

problems[#problems + 1] = {
  name = "ladder",
  what = "ladder of 40 four-bars of points and bars",
  t = 2,
  build = function()
    local m = mbs.model { "ladder", gravity = { 0, -9.81 } }
    local last
    for i = 0, 40 do
      local P = m:point { "P" .. i, at = { i, 1 }, velocity = { 1, 0 } }
      m:bar { "up" .. i, m:ground { at = { i, 0 } }, P, mass = 1 }
      if last then m:bar { "across" .. i, last, P, mass = 1 } end
      last = P
    end
    return m, { "P0.x", "P0.y", "P40.x", "P40.y" }
  end,
  -- It comes through the position in which all bars lie on a line; Maggi's form needs no multipliers there.
  methods = both(forms(explicit(1e-4, 1e-6), "index1", "penalty"), forms(eighth(1e-4, 1e-6), "index1")),
  target = 1e-3,
  -- All its links swing as one: a bar about its end, and an eighty-first of the rest.
  references = { { name = "one bar", formulation = projected, integrator = fine, build = function()
    local m = mbs.model { "one of them", gravity = { 0, -9.81 } }
    -- 41 bars that turn and 40 that shift, on one angle.
    local P = m:point { "P", at = { 0, 1 }, velocity = { 1, 0 }, mass = 40 }
    m:bar { "up", m:ground { at = { 0, 0 } }, P, mass = 41 }
    return m, { "P.x", "P.y", function(run) return run:at("P.x", 2) + 40 end, "P.y" }
  end } },
  peers = { mujoco = { 1e-1, 1 / 12, 5e-2, 2e-2, 1e-2 }, simbody = { 1e-2, 1e-3, 1e-4, 1e-5 } },
}

for _, count in ipairs { 10, 20, 40 } do
  problems[#problems + 1] = {
    name = "chain-" .. count,
    what = ("chain of %d spatial rods on hinges, axes in turns z and y"):format(count),
    t = 1,
    build = function()
      local m = mbs.model { "chain", gravity = { 0, 0, -9.81 } }
      local L, a, mass = 0.2, 0.02, 0.2
      local across, along = mass * (L ^ 2 + a ^ 2) / 12, mass * a ^ 2 / 6
      local last = m.ground
      for k = 1, count do
        local rod = m:body { "rod" .. k, at = { (k - 0.5) * L, 0, 0 }, mass = mass, inertia = { along, across, across } }
        m:revolute { "hinge" .. k, last, rod, at = { (k - 1) * L, 0, 0 }, axis = k % 2 == 1 and "z" or "y" }
        last = rod
      end
      local tip = last:point { L / 2, 0, 0 }
      m:signal { "tip_x", tip.x, unit = "m" }
      m:signal { "tip_z", tip.z, unit = "m" }
      return m, { "tip_x", "tip_z" }
    end,
    methods = both(forms(explicit(1e-4, 1e-5, 1e-6, 1e-8), "index1", "joint_coordinates"),
                   forms(eighth(1e-3, 1e-4, 1e-6), "joint_coordinates")),
    target = 1e-5,
    references = two_references({ "index1", projected }, { "joint_coordinates", tree }),
    peers = { mujoco = { 1 / 64, 1 / 128, 1 / 200, 4e-3, 2e-3, 1e-3 }, simbody = { 1e-3, 1e-4, 1e-5, 1e-6 } },
  }
end

problems[#problems + 1] = {
  name = "iltis",
  what = "Bombardier Iltis of Zhu (2014) over a step of 10 cm at 5 m/s",
  t = 2,
  build = function()
    local car = require "perilune.iltis".build { speed = 5, bump_stop = false,
      height = function(s) return -0.1 * mbs.smoothstep(s.x, 5.98, 6.02) end }
    return car.model, { "chassis.x", "chassis.z" }
  end,
  settings = { at_rest = true },
  methods = forms(explicit(1e-4, 1e-6), "penalty", "maggi"),
  target = 1e-4,
  references = two_references({ "penalty", mbs.penalty { project = true } }, { "maggi", reduced }, explicit(1e-9)[1][2]),
}

problems[#problems + 1] = {
  name = "hmmwv",
  what = "HMMWV of Schaffer (2005) on its stiff struts at 10 m/s, from a position near its rest",
  t = 0.5,
  build = function()
    return require "perilune.hmmwv".build { velocity = { 10, 0, 0 } }.model, { "CHASSIS.x", "CHASSIS.z" }
  end,
  methods = forms(implicit(1e-4, 1e-6), "index1", "maggi"),
  target = 1e-5,
  references = two_references({ "index1", projected }, { "maggi", reduced }, implicit(1e-9)[1][2]),
}

return problems
