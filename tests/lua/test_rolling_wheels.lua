-- Wheels on what has no closed form for the point that touches: terrain and cylinders.
local mbs = require "perilune"
local check = require "check"
local rolls = require "rolls"
local has, precisely = rolls.has, rolls.precisely
local pose, slip_of = rolls.pose, rolls.slip_of
local g = 9.81
local mass, r, C, A = 1.3, 0.3, 0.06, 0.035

--- A leaning wheel that starts off along x.
local function wheel_on(m, base, options, at, lean, speed)
  local axis = { 0, math.cos(lean), math.sin(lean) }
  local wheel = m:body { "wheel", mass = mass, inertia = { A, C, A }, at = at,
           orientation = { math.cos(lean / 2), math.sin(lean / 2), 0, 0 },
           angular_velocity = { 0, speed / r, 0 }, velocity = { speed, 0, 0 } }
  options[1], options[2], options[3], options.radius, options.axis = "roll", base, wheel, r, axis
  return m:rolling(options)
end

--- Starts are assembled, as they are not declared to fit; there is nothing else to be said.
local function only_assembled(run)
  for _, text in ipairs(run.warnings) do assert(text:find "^assembly ", text) end
end

--- Of every point of the edge, the least distance that this says of a place in space.
local function least_around(run, t, crown, distance)
  local rotation, _, centre = pose(run, "wheel", t)
  local least = math.huge
  for k = 1, 7200 do
    local c, s = (r - crown) * math.cos(k * math.pi / 3600), (r - crown) * math.sin(k * math.pi / 3600)
    local at = {}
    for i = 1, 3 do at[i] = centre[i] + c * rotation[i][1] + s * rotation[i][3] end
    least = math.min(least, distance(at))
  end
  return least - crown
end

-- A terrain that is an incline is the inclined plane.
for _, crown in ipairs { 0, 0.08 } do
  local slope = 0.25
  local runs = {}
  for _, as_terrain in ipairs { true, false } do
    local m = mbs.model { "incline", gravity = { 0, 0, -g } }
    local height = as_terrain and function(s) return -math.tan(slope) * s.x + 0.1 * s.y end or nil
    local normal = not as_terrain and { math.tan(slope), -0.1, 1 } or nil
    wheel_on(m, m.ground, { height = height, normal = normal, crown = crown }, { 0, 0, 0.3 }, 0.3, 2)
    assert(m:check_elements().worst < 1e-11)
    runs[#runs + 1] = precisely(m, { t = 0.8 })
    only_assembled(runs[#runs])
  end
  for _, what in ipairs { "wheel.x", "wheel.y", "wheel.z", "wheel.e2", "wheel.omega_y", "roll.x", "roll.z",
                          "roll.normal_force", "roll.longitudinal_force", "roll.lateral_force", "roll.speed" } do
    check.near(runs[1]:at(what, 0.8), runs[2]:at(what, 0.8), 1e-7, what)
  end
  check.near(runs[1]:at("roll.lambda_edge", 0.8), 0, 1e-9)
end

-- In a hollow cylinder a wheel swings with g / ((R - r) (1 + C / (m r^2))), on top of one it leaves with R + r; and so
-- on a terrain that has its curvature.
do
  local R = 0.8
  local share = 1 + C / (mass * r^2)
  local function swings(options, z)
    local m = mbs.model { "cylinder", gravity = { 0, 0, -g } }
    wheel_on(m, m.ground, options, { 0, 0, z }, 0, 0)
    return m:linearize {}
  end
  for _, crown in ipairs { 0, 0.1 } do
    has(swings({ crown = crown, cylinder = R, inside = true, normal = "y" }, r - R), 0, (g / ((R - r) * share))^0.5,
        1e-8, "inside")
    has(swings({ crown = crown, cylinder = R, normal = "y" }, R + r), (g / ((R + r) * share))^0.5, 0, 1e-8, "on top")
    has(swings({ crown = crown, height = function(s) return s.x^2 / (2 * R) end }, r), 0,
        (g / ((R - r) * share))^0.5, 1e-7, "valley")
    has(swings({ crown = crown, height = function(s) return -s.x^2 / (2 * R) end }, r),
        (g / ((R + r) * share))^0.5, 0, 1e-7, "hill")
    -- Along the cylinder it runs straight, and falls over as on the plane where the edge does not lean on the side.
    local lean = swings({ crown = crown, cylinder = R, normal = "x" }, R + r)
    local square = mass * g * (r - crown) / (A + mass * r^2)
    if crown == 0 then has(lean, square^0.5, 0, 1e-8, "thin disc along a cylinder") end
  end
end

-- Over hills and along cylinders: the energy is kept, nothing slips, and no point of the edge lies below the surface.
do
  local function height(x, y) return 0.06 * math.cos(2 * x) * math.cos(y) + 0.02 * x end
  local cases = {
    { 0, { height = function(s) return height(s.x, s.y) end }, { 0, 0, 0.35 },
      function(p) return p[3] - height(p[1], p[2]) end },
    -- The distance from the hills, by going down their slope.
    { 0.07, { height = function(s) return height(s.x, s.y) end }, { 0, 0, 0.35 }, function(p)
      local x, y = p[1], p[2]
      for _ = 1, 40 do
        local z, e = height(x, y), 1e-6
        local sx, sy = (height(x + e, y) - z) / e, (height(x, y + e) - z) / e
        x, y = p[1] + (p[3] - z) * sx, p[2] + (p[3] - z) * sy
      end
      return ((p[1] - x)^2 + (p[2] - y)^2 + (p[3] - height(x, y))^2)^0.5
    end },
    { 0.05, { cylinder = 1.1, inside = true, normal = { 1, 0.4, 0 } }, { 0, 0, -0.8 }, function(p)
      local along = (p[1] + 0.4 * p[2]) / 1.16
      return 1.1 - ((p[1] - along)^2 + (p[2] - 0.4 * along)^2 + p[3]^2)^0.5
    end },
    { 0, { cylinder = 1.1, normal = { 1, 0.4, 0 } }, { 0, 0, 1.4 }, function(p)
      local along = (p[1] + 0.4 * p[2]) / 1.16
      return ((p[1] - along)^2 + (p[2] - 0.4 * along)^2 + p[3]^2)^0.5 - 1.1
    end },
  }
  for number, case in ipairs(cases) do
    local crown, options, at, distance = table.unpack(case)
    local m = mbs.model { "ways", gravity = { 0, 0, -g } }
    options.crown = crown
    wheel_on(m, m.ground, options, at, 0.1, 3)
    local run = precisely(m, { t = 0.6 })
    for _, t in ipairs { 0, 0.2, 0.6 } do
      local what = "way " .. number .. " at " .. t
      check.near(run:at("energy.total", t), run:at("energy.total", 0), 1e-7, what)
      local slip = slip_of(run, "wheel", "roll", t)
      for i = 1, 3 do check.near(slip[i], 0, 1e-6, what) end
      check.near(least_around(run, t, crown, distance), 0, 2e-6, what)
    end
    only_assembled(run)
  end
end

-- Derivatives by sizes, the start among them, which assembly finds.
do
  local function hills(radius, crown)
    local m = mbs.model { "hills", gravity = { 0, 0, -g } }
    local over = { m:param { "radius", radius or r, unit = "m" }, m:param { "crown", crown or 0.05, unit = "m" },
                   m:param { "hill", 0.06, unit = "m" } }
    local hill = over[3]
    local wheel = m:body { "wheel", mass = mass, inertia = { A, C, A }, at = { 0, 0, 0.35 },
                           velocity = { 2, 0, 0 }, angular_velocity = { 0.4, 2 / r, 0 } }
    m:rolling { "roll", m.ground, wheel, radius = over[1], axis = "y", crown = over[2],
                height = function(s) return hill * math.cos(3 * s.x) * math.cos(s.y) end }
    local psi = m:objective { "psi", terminal = function(s) return wheel.x(s) + 2 * wheel.y(s) + wheel.z(s) end }
    return m, over, psi
  end
  local m, over, psi = hills()
  local options = { psi, over = over, t = 0.5, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 0.005 } }
  local function by(method)
    options.method = method
    return m:gradient(options)
  end
  local direct, adjoint = by(mbs.direct()), by(mbs.adjoint())
  local differences = by(mbs.finite_difference { step = 1e-3, richardson = 2 })
  for _, p in ipairs { "radius", "crown", "hill" } do
    check.near(direct.by_name[p], adjoint.by_name[p], 1e-11 * math.max(1, math.abs(direct.by_name[p])), p)
    check.near(direct.by_name[p], differences.by_name[p], 1e-7 * math.max(1, math.abs(direct.by_name[p])), p)
  end
end

-- Every form with every integrator.
do
  local m = mbs.model { "all", gravity = { 0, 0, -g } }
  wheel_on(m, m.ground, { crown = 0.05, height = function(s) return 0.04 * math.cos(3 * s.x) end }, { 0, 0, 0.34 },
           0.1, 2)
  local expected = precisely(m, { t = 0.3 })
  local count = rolls.for_all(m, { t = 0.3 }, function(run, what)
    for _, signal in ipairs { "wheel.x", "wheel.y", "wheel.z" } do
      -- With index 3 SDIRK4 has order 1, on planes and for balls as well.
      local tolerance = (what:find "^index3.*sdirk4" or what:find "index = 3.*sdirk4") and 2e-3 or 2e-5
      check.near(run:at(signal, 0.3), expected:at(signal, 0.3), tolerance, what)
    end
  end)
  check.equal(count, 84)
end

-- What is refused, and what is said.
do
  local function on(options, lean, at)
    local m = mbs.model { "bad", gravity = { 0, 0, -g } }
    wheel_on(m, m.ground, options, at or { 0, 0, 0.3 }, lean or 0, 0)
    return m
  end
  local function flat() return 0 end
  check.fails("here the crown must be less than the radius 0.3, got 0.3; without axis it is a ball", function()
    on { crown = 0.3, height = flat }
  end)
  check.fails("lies flat and touches all around; raise it", function() on({ height = flat }, math.pi / 2) end)
  check.fails('"wheel" starts 0.7 m away from the surface', function() on({ height = flat }, 0, { 0, 0, 1 }) end)
  local m = mbs.model { "bad", gravity = { 0, 0, -g } }
  check.fails("a crown that is a parameter must be positive on a terrain, got 0", function()
    wheel_on(m, m.ground, { crown = m:param { "c", 0 }, height = flat }, { 0, 0, 0.3 }, 0, 0)
  end)
  -- Down into a valley that is narrower than the wheel: it would touch on both sides.
  local valley = on({ height = function(s) return 0.25 * (1 - math.cos(4 * s.x)) end }, 0, { 0.6, 0, 0.7 })
  local function falls(form)
    return valley.simulate, valley, { t = 1, formulation = form, integrator = mbs.rk4 { step = 0.01 } }
  end
  check.fails("a singular position", falls(mbs.maggi {}))
  check.fails("no positions satisfy the constraints", falls(mbs.index1 { project = true }))
  -- One that just fits is told before.
  local tight = on({ cylinder = 0.303, inside = true, normal = "y" }, 0, { 0, 0, -0.003 })
  local run = tight:simulate { t = 0.1 }
  assert(table.concat(run.warnings, "\n"):find('the wheel of "roll" nearly fits the surface', 1, true))
end

do -- pictures show them as wheels, which are seen to turn, in the plane too; what rolls without an axis is a ball
  local page = os.tmpname()
  local function drawn(m)
    m:simulate { t = 0.01 }:view(page)
    local file <close> = assert(io.open(page))
    return file:read "a":match '"kind":"(%a+)","name":"roll"'
  end
  local plane = mbs.model { gravity = { 0, -9.81 } }
  plane:rolling { "roll", plane.ground, plane:body { "b", mass = 1, inertia = 1, at = { 0, 0.2 } }, radius = 0.2 }
  check.equal(drawn(plane), "wheel")
  for axis, kind in pairs { y = "wheel", [false] = "ball" } do
    local m = mbs.model { gravity = { 0, 0, -9.81 } }
    local b = m:body { "b", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 0.2 } }
    m:rolling { "roll", m.ground, b, radius = 0.2, axis = axis or nil }
    check.equal(drawn(m), kind)
  end
  os.remove(page)
end
