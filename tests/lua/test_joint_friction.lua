-- Friction in joints by their own loads: closed forms of loads and motions, balances of energy and momentum in every
-- joint that rubs, and what is refused.
local mbs = require "perilune"
local check = require "check"

local pressed = math.pi ^ 3 / 24  -- of a journal, by a parabolic pressure
local tight = { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 }
local g = 9.81

local function space(gravity) return mbs.model { gravity = gravity or { 0, 0, -g } } end
local function plane(gravity) return mbs.model { gravity = gravity or { 0, -g } } end
local function dry(mu, v) return mbs.coulomb_cubic { coefficient = mu, regularization = v or 1e-6 } end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

do -- Two free bodies in space with any joint: what rubs keeps both momenta, and takes exactly the energy that it says.
  local law = mbs.brown_mcphee { static = 0.5, dynamic = 0.4, transition = 0.2 }
  local bodies = { A = { mass = 1.3, inertia = { 0.02, 0.03, 0.04 } }, B = { mass = 0.7, inertia = { 0.03, 0.02, 0.025 } } }
  local bearings = {
    revolute = { radius = 0.03, length = 0.1, offset = 0.02, thrust_radius = 0.05 },
    cylindrical = { radius = 0.03, length = 0.1, offset = 0.02, preload = 1 },
    screw = { radius = 0.03, length = 0.1, lead = 0.2 },
    translational = { length = 0.1, half_width = 0.04, offset = -0.01 },
    spherical = { radius = 0.05, preload = 2 },
    universal = { radius = 0.03, length = 0.1, axis_b = { 1, 0, -0.2 } },
    planar = { radius = 0.1, preload = 1 },
    point_on_line = { preload = 0.2 },
    point_on_plane = {},
  }
  local function momenta(run, t)
    local p, l = { 0, 0, 0 }, { 0, 0, 0 }
    for name, body in pairs(bodies) do
      local function at(signal) return run:at(name .. "." .. signal, t) end
      local r, v = { at "x", at "y", at "z" }, { at "vx", at "vy", at "vz" }
      local w, e0, e = { at "omega_x", at "omega_y", at "omega_z" }, at "e0", { at "e1", at "e2", at "e3" }
      -- H = A J omega, with omega in the body.
      local own = { body.inertia[1] * w[1], body.inertia[2] * w[2], body.inertia[3] * w[3] }
      local once = cross(e, own)
      local twice, h = cross(e, once), {}
      for k = 1, 3 do h[k] = own[k] + 2 * e0 * once[k] + 2 * twice[k] end
      local swing = cross(r, v)
      for k = 1, 3 do
        p[k] = p[k] + body.mass * v[k]
        l[k] = l[k] + body.mass * swing[k] + h[k]
      end
    end
    return p, l
  end
  for kind, fields in pairs(bearings) do
    local m = space { 0, 0, 0 }
    local A = m:body { "A", mass = bodies.A.mass, inertia = bodies.A.inertia, at = { 0.1, 0, 0 },
                       velocity = { 0.2, 0.1, -0.3 }, angular_velocity = { 1, -2, 0.5 } }
    local B = m:body { "B", mass = bodies.B.mass, inertia = bodies.B.inertia, at = { 0.4, 0.2, 0.1 },
                       velocity = { -0.2, 0.6, 0.3 }, angular_velocity = { -1, 2, 3 } }
    local call = { "joint", A:point { 0.2, 0.1, 0.05 }, B:point { -0.1, -0.1, -0.05 }, friction = law }
    if kind ~= "spherical" then call.axis = { 0.2, 0.3, 1 } end
    for field, value in pairs(fields) do call[field] = value end
    local joint = m[kind](m, call)
    local lost = m:objective { "lost", integral = joint.dissipation }
    local run = m:simulate { t = 1, objectives = { lost }, formulation = mbs.index1 { project = true },
                             integrator = mbs.radau(tight) }
    check.near(run:at("energy.kinetic", 0) - run:at("energy.kinetic", 1), run.objectives.lost, 1e-10, kind)
    assert(run.objectives.lost > 0.01, kind)
    local p0, l0 = momenta(run, 0)
    local p1, l1 = momenta(run, 1)
    for k = 1, 3 do
      check.near(p1[k], p0[k], 1e-10, kind .. ": momentum")
      check.near(l1[k], l0[k], 1e-9, kind .. ": angular momentum")
    end
  end
end

do -- Loads of bearings by statics.
  local W = 2 * g
  local function load(build)
    local m = space()
    return build(m, m:body { "b", mass = 2, inertia = { 0.02, 0.02, 0.02 }, at = { 0, 0, 0 } }):at("joint.load", 0)
  end
  local function run(m) return m:simulate { t = 0.001, formulation = mbs.maggi {} } end
  -- A horizontal shaft whose bearing's middle is 0.05 m from the centre of mass, which is 0.02 m from b's place.
  local shaft = load(function(m, b)
    m:revolute { "joint", m.ground, b:point { 0, -0.02, 0 }, axis = "y", friction = dry(0.1), radius = 0.01, length = 0.08,
                 offset = -0.03 }
    return run(m)
  end)
  check.near(shaft, pressed * W * (0.5 + 0.05 / 0.08 + math.abs(0.5 - 0.05 / 0.08)), 1e-6, "journal")
  -- A slide along x whose load hangs 0.07 m beside it, and 0.1 m along it.
  local slide = load(function(m, b)
    m:translational { "joint", m.ground, b:point { -0.1, -0.07, 0 }, axis = "x", friction = dry(0.1), length = 0.06,
                      half_width = 0.02 }
    return run(m)
  end)
  check.near(slide, W * (0.5 + 0.1 / 0.06 + math.abs(0.5 - 0.1 / 0.06)) + W * 0.07 / 0.02, 1e-6, "slide")
  -- A table on four pads, which keeps what would tip over their edge.
  for _, beside in ipairs { 0.02, 0.15 } do
    local table_load = load(function(m, b)
      m:planar { "joint", m.ground, b:point { beside, 0, 0 }, axis = "z", friction = dry(0.1), radius = 0.1 }
      return run(m)
    end)
    check.near(table_load, W * math.max(1, 0.5 + beside / 0.1), 1e-6, "pads")
  end
  -- A torque across both arms of a cross, without weight.
  local m = space { 0, 0, 0 }
  local b = m:body { "b", mass = 2, inertia = { 0.02, 0.02, 0.02 }, at = { 0, 0, 0 } }
  m:universal { "joint", m.ground, b, at = { 0, 0, 0 }, axis = "x", axis_b = "y", friction = dry(0.1), radius = 0.01,
                length = 0.05 }
  m:torque { on = b, torque = { 0, 0, 3 } }
  check.near(run(m):at("joint.load", 0), 2 * pressed * 2 * 3 / 0.05, 1e-5, "cross")
end

do -- A thrust bearing slows a top by mu W r.
  local m = space()
  local b = m:body { "b", mass = 2, inertia = { 0.02, 0.02, 0.03 }, at = { 0, 0, 0 }, angular_velocity = { 0, 0, 20 } }
  m:revolute { "pin", m.ground, b, at = { 0, 0, 0 }, axis = "z", friction = dry(0.2), radius = 0.01, length = 0.1,
               thrust_radius = 0.04 }
  local run = m:simulate { t = 1, integrator = mbs.radau(tight) }
  check.near(run:at("b.omega_z", 1), 20 - 0.2 * 2 * g * 0.04 / 0.03, 1e-6)
  check.near(run:at("pin.friction_torque", 0.5), -0.2 * 2 * g * 0.04, 1e-6)
end

do -- A journal's swing loses the Coulomb amount 2 tau / k per half swing, and keeps its time.
  local m = plane()
  local mass, inertia, stiffness, radius, mu = 3, 0.2, 50, 0.02, 0.3
  local b = m:body { "b", mass = mass, inertia = inertia, at = { 0, 0 }, angle = 0.4 }
  local pin = m:revolute { "pin", m:ground { at = { 0, 0 } }, b, friction = dry(mu), radius = radius }
  m:torsion_spring { on = b.angle, stiffness = stiffness }
  local tau = pressed * mu * radius * mass * g
  local run = m:simulate { t = 3 * math.pi * math.sqrt(inertia / stiffness), integrator = mbs.radau(tight) }
  for k = 1, 3 do
    local t = k * math.pi * math.sqrt(inertia / stiffness)
    check.near(run:at("b.angle", t), (-1) ^ k * (0.4 - 2 * k * tau / stiffness), 1e-6)
  end
  assert(pin.load)
end

do -- A block in a guide, pushed beside it: 2 mu h / L of the push is friction; below the critical length it jams.
  local push, h, mu = 10, 0.2, 0.4
  for _, length in ipairs { 0.4, 0.2, 0.1 } do
    local m = plane { 0, 0 }
    local b = m:body { "b", mass = 2, inertia = 0.1, at = { 0, 0 }, velocity = { 2, 0 } }
    m:translational { "guide", m.ground, b, at = { 0, 0 }, axis = { 1, 0 }, friction = dry(mu, 1e-4), length = length }
    m:force { on = b:point { 0, h }, force = { push, 0 } }
    local a = push * (1 - 2 * mu * h / length) / 2
    local run = m:simulate { t = 0.4, integrator = mbs.radau(tight) }
    check.near(run:at("b.vx", 0.4), 2 + 0.4 * a, 1e-7)
    -- From rest.
    local at_rest = plane { 0, 0 }
    local block = at_rest:body { "b", mass = 2, inertia = 0.1, at = { 0, 0 } }
    at_rest:translational { "guide", at_rest.ground, block, at = { 0, 0 }, axis = { 1, 0 }, friction = dry(mu, 1e-4),
                            length = length }
    at_rest:force { on = block:point { 0, h }, force = { push, 0 } }
    local from_rest = at_rest:simulate { t = 0.4, integrator = mbs.radau(tight) }
    if length < 2 * mu * h then
      assert(from_rest:at("b.x", 0.4) < 0.4 * 1e-4, "it jams")
    else
      check.near(from_rest:at("b.x", 0.4), a * 0.4 ^ 2 / 2, 0.4 * 1e-4)  -- less friction up to the slip 1e-4
    end
  end
end

do -- A loaded screw runs down below the critical coefficient p / r, and locks itself above.
  local radius, lead, mass, inertia = 0.02, 0.03, 1.5, 2e-3
  local p = lead / (2 * math.pi)
  for _, mu in ipairs { 0.1, 0.22, 0.26, 0.4 } do
    local m = space()
    local nut = m:body { "nut", mass = mass, inertia = { inertia, inertia, inertia }, at = { 0, 0, 0 },
                         velocity = { 0, 0, -2 * p }, angular_velocity = { 0, 0, -2 } }
    m:screw { "thread", m.ground, nut, at = { 0, 0, 0 }, axis = "z", lead = lead, friction = dry(mu, 1e-5),
              load_regularization = 1e-9,
              radius = radius, length = 0.1 }
    local run = m:simulate { t = 1.5, integrator = mbs.radau(tight), formulation = mbs.maggi {} }
    -- (m p^2 + J) a = -W p + mu R (r^2 + p^2) / r with the axial load R (1 + mu p / r) = m p a + W.
    local per_load = mu * (radius ^ 2 + p ^ 2) / (radius + mu * p)
    local a = mass * g * (per_load - p) / (mass * p ^ 2 + inertia - mass * p * per_load)
    local t = math.min(1.5, 1.9 / math.max(a, 0.1))
    check.near(run:at("thread.omega", t), -2 + a * t, 1e-6, "slides")
    assert(mu > p / radius == (a > 0))
    if -2 + a * 1.5 > 0.1 then assert(math.abs(run:at("thread.omega", 1.5)) < 1e-5 / radius, "locks itself") end
  end
end

do -- A block on a slope creeps as each law says, or sticks.
  local slope, mu, v = 0.3, 0.5, 1e-3
  local share = math.tan(slope) / mu  -- T / (mu N)
  local function cubic()  -- x (3 - x^2) / 2 = share
    local x = 0.5
    for _ = 1, 50 do x = x - (x * (3 - x * x) / 2 - share) / (1.5 - 1.5 * x * x) end
    return x
  end
  local function artanh(x) return 0.5 * math.log((1 + x) / (1 - x)) end
  local laws = {
    { mbs.coulomb { coefficient = mu, regularization = v }, v * share / math.sqrt(1 - share ^ 2) },
    { mbs.coulomb_tanh { coefficient = mu, regularization = v }, v * artanh(share) },
    { mbs.coulomb_cubic { coefficient = mu, regularization = v }, v * cubic() },
    { mbs.threlfall { coefficient = mu, regularization = v }, -v / 3 * math.log(1 - share) },
    { mbs.ambrosio { coefficient = mu, v0 = 1e-8, v1 = 1e-5 }, 1e-8 + (1e-5 - 1e-8) * share },
    { mbs.viscous { damping = 700 }, 3 * g * math.sin(slope) / 700 },
    { function(s) return mu * s.load * s.slip / v end, v * share },
    { mbs.static_friction { stiffness = 1e5, damping = 1e3, coefficient = mu }, 0 },
  }
  for _, law in ipairs(laws) do
    local m = plane()
    local b = m:body { "b", mass = 3, inertia = 0.1, at = { 0, 0 }, angle = -slope }
    m:translational { "slope", m.ground, b, at = { 0, 0 }, axis = { math.cos(slope), -math.sin(slope) }, friction = law[1],
                      length = 0.1 }
    local run = m:simulate { t = 1, integrator = mbs.radau { relative_tolerance = 1e-9, absolute_tolerance = 1e-13 } }
    check.near(run:at("slope.speed", 1) / v, law[2] / v, 1e-6, tostring(law[1]))
    check.near(run:at("slope.load", 1), 3 * g * math.cos(slope), 1e-6)
    if law[2] == 0 then check.near(run:at("slope.displacement", 1), 3 * g * math.sin(slope) / 1e5, 1e-6, "sticks") end
  end
end

do -- A brake shoe that draws itself in: N = P l / (a - mu h), until it jams at mu = a / h.
  local P, l, a, h = 20, 0.3, 0.1, 0.2
  local function brake(mu, speed)
    local m = plane { 0, 0 }
    local belt = m:body { "belt", mass = 50, inertia = 1, at = { 0, -h }, velocity = { speed, 0 } }
    m:translational { "rail", m.ground, belt, at = { 0, -h }, axis = { 1, 0 } }
    local lever = m:body { "lever", mass = 1, inertia = 0.1, at = { 0, 0 } }
    m:revolute { "pin", m:ground { at = { 0, 0 } }, lever }
    m:point_on_line { "shoe", belt, lever:point { a, -h }, axis = { 1, 0 }, friction = dry(mu, 1e-3) }
    m:force { on = lever:point { l, 0 }, force = { 0, -P } }
    return m:simulate { t = 0.01, formulation = mbs.index1 {} }
  end
  for _, mu in ipairs { 0.1, 0.3, 0.45 } do
    check.near(brake(mu, -3):at("shoe.load", 0), P * l / (a - mu * h), 1e-7, "draws itself in")
    check.near(brake(mu, 3):at("shoe.load", 0), P * l / (a + mu * h), 1e-7, "is pushed off")
  end
  check.fails("shoe", brake, 0.5, -3)
  check.fails("jams", brake, 0.6, -3)
end

do -- A load rule of the script's own, and a law of slip and load.
  local m = space()
  local b = m:body { "b", mass = 2, inertia = { 0.02, 0.02, 0.03 }, at = { 0, 0, 0 }, angular_velocity = { 0, 0, 20 } }
  m:revolute { "pin", m.ground, b, at = { 0, 0, 0 }, axis = "z", radius = 0.05,
               friction = function(s) return 0.1 * s.load * mbs.tanh(1e4 * s.slip) end,
               load = function(s) return 3 * (s.force_z ^ 2 + s.torque_x ^ 2 + 1e-12) ^ 0.5 + 1 end }
  local run = m:simulate { t = 1, integrator = mbs.radau(tight) }
  check.near(run:at("b.omega_z", 1), 20 - 0.1 * (3 * 2 * g + 1) * 0.05 / 0.03, 1e-7)
end

do -- Sentences.
  local law = mbs.coulomb { coefficient = 0.1 }
  local function model() 
    local m = space()
    return m, m:body { "b", mass = 2, inertia = { 0.02, 0.02, 0.03 }, at = { 0, 0, 0 } }
  end
  local function hinge(fields)
    local m, b = model()
    local call = { "pin", m.ground, b, at = { 0, 0, 0 }, axis = "z" }
    for key, value in pairs(fields) do call[key] = value end
    return m:revolute(call)
  end
  check.fails('revolute "pin": friction needs radius = ... (m)', hinge, { friction = law })
  check.fails('revolute "pin": friction needs length = ... (m)', hinge, { friction = law, radius = 0.01 })
  check.fails('revolute "pin": radius is given, but no friction', hinge, { radius = 0.01 })
  check.fails("radius must be positive", hinge, { friction = law, radius = -0.01, length = 0.1 })
  check.fails("preload must not be negative", hinge, { friction = law, radius = 0.01, length = 0.1, preload = -1 })
  check.fails("friction must be a friction law", hinge, { friction = 0.3, radius = 0.01, length = 0.1 })
  check.fails("preload is part of the rule that load replaces", hinge,
              { friction = law, radius = 0.01, preload = 1, load = function(s) return s.force_x end })
  check.fails("length is for spatial models", function()
    local m = plane()
    local b = m:body { "b", mass = 1, inertia = 1, at = { 0, 0 } }
    m:revolute { "pin", m.ground, b, at = { 0, 0 }, friction = law, radius = 0.01, length = 0.1 }
  end)
  check.fails("static must not be less than dynamic", mbs.stribeck, { static = 0.1, dynamic = 0.2 })
  check.fails("regularization must be less than stribeck_speed", mbs.stribeck,
              { static = 0.3, dynamic = 0.2, stribeck_speed = 1e-3 })
  check.fails("transition must be positive", mbs.brown_mcphee, { static = 0.3, dynamic = 0.2, transition = 0 })
  check.fails("coefficient must not be negative", mbs.threlfall, { coefficient = -0.3 })
  check.fails("two slip together", function()
    local m, b = model()
    m:cylindrical { "sleeve", m.ground, b, at = { 0, 0, 0 }, axis = "z", radius = 0.1, length = 0.1,
                    friction = function(s) return s.slip end }
  end)
  check.fails("anchored along a way", function()
    local m, b = model()
    m:spherical { "ball", m:ground { at = { 0, 0, 0 } }, b, radius = 0.1,
                  friction = mbs.static_friction { stiffness = 1e4, damping = 10 } }
  end)
  check.fails("is a point, which does not turn", function()
    local m = plane()
    local P = m:point { "P", at = { 0, 0 }, mass = 1 }
    local b = m:body { "b", mass = 1, inertia = 1, at = { 1, 0 } }
    m:revolute { "pin", P, b, friction = law, radius = 0.1 }
  end)
  -- What redundant joints leave undetermined is not felt.
  check.fails("pin", function()
    local m, b = model()
    local fields = { axis = "y", friction = law, radius = 0.01, length = 0.1 }
    m:revolute { "pin", m.ground, b, at = { 0, 0, 0 }, axis = "y", friction = law, radius = 0.01, length = 0.1 }
    m:revolute { "second", m.ground, b, at = { 0, 1, 0 }, axis = "y" }
    return fields, m:simulate { t = 0.1, formulation = mbs.maggi {} }
  end)
end
