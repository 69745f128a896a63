-- Bodies in natural coordinates that share points and axes, and free vectors, against bodies with Euler parameters and
-- joints, planar models and closed forms.
local mbs = require "perilune"
local check = require "check"

local axes = { "x", "y", "z" }
local exact = { formulation = mbs.index1 { alpha = 20, beta = 20 }, integrator = mbs.rk4 { step = 5e-4 } }
local function simulated(m, t, more)
  local how = { t = t, formulation = exact.formulation, integrator = exact.integrator }
  for key, value in pairs(more or {}) do how[key] = value end
  return m:simulate(how)
end
local function largest_change(values)
  local most = 0
  for _, x in ipairs(values) do most = math.max(most, math.abs(x - values[1])) end
  return most
end

-- Two arms on a shoulder about y, the second on an elbow about the z axis of the first. The reference points of both are
-- at the elbow. `how`: "joints" (Euler parameters), "bodies" (the second has the point and the axis of the first), or
-- "free" (both have those of a point and a vector).
local pi = math.pi
local J = { { 0.3, 0.4, 0.2, 0.02, -0.01, 0.03 }, { 0.12, 0.1, 0.15, -0.01, 0.02, 0.01 } }
local function arms(how, gravity, more)
  more = more or {}
  local m = mbs.model { gravity = gravity or { 1, 0.5, -9.81 } }
  local s, c = math.sin(0.7), math.cos(0.7)
  local mass, x = more.mass and m:param { "mass", 1.3 } or 1.3, more.x and m:param { "x", 0.3 } or 0.3
  local tilt = more.tilt and m:param { "tilt", 0 } or 0
  -- About y by the tilt, from the position along x.
  local elbow = { 0.8 * math.cos(tilt), 0, -0.8 * math.sin(tilt) }
  local first = { "a", mass = 2, inertia = J[1], center_of_mass = { -0.35, 0.05, 0.02 } }
  local second = { "b", mass = mass, inertia = J[2], center_of_mass = { x, 0.02, 0.05 } }
  local kind = how == "joints" and "body" or "natural_body"
  local turn = { math.cos(tilt / 2), 0, math.sin(tilt / 2), 0 }
  local velocity = { -0.8 * math.sin(tilt), 0, -0.8 * math.cos(tilt) }
  if how == "free" then
    first.position = m:point { "E", at = elbow, velocity = velocity }
    first.w = m:vector { "n", direction = { 5 * math.sin(tilt), 0, 5 * math.cos(tilt) }, angular_velocity = { 0, 1, 0 } }
  else
    first.at, first.velocity = elbow, velocity
  end
  first.orientation, first.angular_velocity = turn, { 0, 1, 0 }
  local a = m[kind](m, first)
  -- a turned by 0.7 about its z axis
  local p, e = { math.cos(0.35), math.sin(0.35) }, turn
  second.orientation = { e[1] * p[1], e[3] * p[2], e[3] * p[1], e[1] * p[2] }
  second.angular_velocity = { s, c, 2 }
  if how == "joints" then
    second.at, second.velocity = elbow, velocity
  else
    second.position, second.w = first.position or a, first.w or a.w
  end
  local b = m[kind](m, second)
  m:revolute { "shoulder", m.ground:marker { at = { 0, 0, 0 }, axis = "y" }, a:marker { at = { -0.8, 0, 0 }, axis = "y" } }
  if how == "joints" then m:revolute { "elbow", a:marker { axis = "z" }, b:marker { axis = "z" } } end
  return m, a, b, { mass, x, tilt }
end

-- (a) The same motion as with joints, and the energy stays.
local names = { "a.x", "a.y", "a.z", "b.x", "b.z", "b.vx", "b.vy", "b.vz", "a.com_x", "b.com_x", "b.com_y", "b.com_z", "b.omega_x", "b.omega_y",
                "b.omega_z", "b.alpha_x", "b.alpha_z", "b.ax", "a.alpha_y", "energy.kinetic", "energy.potential" }
for axis = 1, 3 do
  names[#names + 1] = "momentum." .. axes[axis]
  names[#names + 1] = "angular_momentum." .. axes[axis]
end
local with_joints = arms "joints"
local reference = simulated(with_joints, 1)
for _, how in ipairs { "bodies", "free" } do
  local m, a, b = arms(how)
  -- (b) coordinates and freedoms
  local found = m:mobility()
  check.equal(found.degrees_of_freedom, 2, how)
  check.equal(found.coordinates, 12 + 6 + 1, how)  -- the last is the angle of the shoulder
  check.equal(found.constraints, 5 + 1 + 6 + 5, how)
  check.equal(#found.redundant, 0, how)
  local run = simulated(m, 1)
  for _, t in ipairs { 0, 0.3, 1 } do
    for _, name in ipairs(names) do
      check.near(run:at(name, t), reference:at(name, t), 1e-8, ("%s: %s at %g"):format(how, name, t))
    end
  end
  for axis = 1, 3 do check.near(run:at(b["w_" .. axes[axis]], 1), run:at(a["w_" .. axes[axis]], 1), 0) end
  check.near(largest_change(run:values "energy.total"), 0, 1e-9)
  check.near(largest_change(run:values "constraint.drift"), 0, 1e-9)
  -- What the shoulder carries.
  for axis = 1, 3 do
    for _, what in ipairs { "force_", "torque_" } do
      local name = "shoulder." .. what .. axes[axis]
      check.near(run:at(name, 1), reference:at(name, 1), 1e-7, name)
    end
  end
end

-- The elbow's axis of two bodies that share a vector alone, held together at a point: three constraints for five.
do
  local m = mbs.model { gravity = { 1, 0.5, -9.81 } }
  local s, c = math.sin(0.7), math.cos(0.7)
  local a = m:natural_body { "a", mass = 2, inertia = J[1], center_of_mass = { -0.35, 0.05, 0.02 }, at = { 0.8, 0, 0 },
                             velocity = { 0, 0, -0.8 }, angular_velocity = { 0, 1, 0 } }
  local b = m:natural_body { "b", mass = 1.3, inertia = J[2], center_of_mass = { 0.3, 0.02, 0.05 }, w = a.w,
                             at = { 0.8, 0, 0 }, velocity = { 0, 0, -0.8 }, angular_velocity = { s, c, 2 },
                             orientation = { math.cos(0.35), 0, 0, math.sin(0.35) } }
  m:revolute { "shoulder", m.ground:marker { axis = "y" }, a:marker { at = { -0.8, 0, 0 }, axis = "y" } }
  m:spherical { "elbow", a, b, at = { 0.8, 0, 0 } }
  local run = simulated(m, 1)
  for _, name in ipairs(names) do check.near(run:at(name, 1), reference:at(name, 1), 1e-8, name) end
end

-- The shortest turn, and two shared axes that give the third: starts without an orientation.
do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local P = m:point { "P", at = { 1, 2, 3 }, velocity = { 0.1, 0.2, 0.3 } }
  local n = m:vector { "n", direction = { 1, 2, 2 }, angular_velocity = { 0.3, -0.1, 0.2 } }
  local a = m:natural_body { "a", mass = 1, inertia = { 1, 1.2, 1.4 }, position = P, w = n }
  local b = m:natural_body { "b", mass = 1, inertia = { 1, 1.2, 1.4 }, u = a.v, v = n, at = { 0, 0, 1 } }
  local c = m:natural_body { "c", mass = 1, inertia = { 1, 1.2, 1.4 }, u = a.v, v = a.w, w = a.u, position = b }
  check.equal(m:mobility().degrees_of_freedom, 6 + 3)
  check.equal(m:mobility().constraints, 6 + 3)  -- b: w.w, u.w, v.w; c: none
  local run = simulated(m, 0.01)
  local function vector(object, what)
    local out = {}
    for k, axis in ipairs(axes) do out[k] = run:at(object[what .. axis], 0) end
    return out
  end
  local u, v, w = vector(a, "u_"), vector(a, "v_"), vector(a, "w_")
  for k, x in ipairs { 1 / 3, 2 / 3, 2 / 3 } do
    check.near(w[k], x, 1e-14)
    check.near(run:at(n[axes[k]], 0), x, 1e-14)
    check.near(vector(b, "w_")[k], u[k], 1e-14)  -- v x w of a
    check.near(vector(c, "w_")[k], u[k], 0)
  end
  -- The shortest turn from z to n has u = e_x - n_x (n + e_z) / (1 + n_z).
  check.near(u[1], 1 - 1 / 9 / (5 / 3), 1e-14)
  check.near(u[2], -2 / 9 / (5 / 3), 1e-14)
  check.near(u[3], -1 / 3, 1e-14)
  -- n' = angular_velocity x n, and no spin about it.
  local omega = { 0.3, -0.1, 0.2 }
  local along = (omega[1] + 2 * omega[2] + 2 * omega[3]) / 3
  check.near(run:at(n.vx, 0), omega[2] * 2 / 3 - omega[3] * 2 / 3, 1e-14)
  check.near(run:at(a.omega_z, 0), 0, 1e-14)
  check.near(run:at(c.omega_y, 0), 0, 1e-14)
  local rest = 0
  for k, x in ipairs { 1 / 3, 2 / 3, 2 / 3 } do rest = rest + (omega[k] - along * x)^2 end
  check.near(run:at(a.omega_x, 0)^2 + run:at(a.omega_y, 0)^2, rest, 1e-13)
  check.equal(tostring(a.u), 'vector "a.u", defined at ' .. a.defined_at)
  check.equal(a.w, n)
  check.near(run:at(P.vx, 0), 0.1, 0)
  check.near(run:at(a.vz, 0), 0.3, 0)
  check.fails("no signal", m.signal, m, "c.lambda_uv")
  assert(m:signal "b.lambda_vw")
end

-- A free vector by itself is a direction that the model knows: with a body on it, its momentum is that of the body.
do
  local function total(how)
    local m = mbs.model { gravity = { 0, 0, 0 } }
    local shared = how == "shared"
    local turn = { 0.9, 0.1, -0.2, 0.3 }
    local norm = math.sqrt(0.95)
    local e0, e1, e2, e3 = turn[1] / norm, turn[2] / norm, turn[3] / norm, turn[4] / norm
    local w = { 2 * (e1 * e3 + e0 * e2), 2 * (e2 * e3 - e0 * e1), e0^2 - e1^2 - e2^2 + e3^2 }
    local how = { "b", mass = 2, inertia = J[1], orientation = turn, center_of_mass = { 0.1, 0.2, 0.3 } }
    if shared then
      how.w, how.position = m:vector { "n", direction = w }, m:point { "P", at = { 1, 2, 3 }, velocity = { 0.3, -0.4, 0.5 }, mass = 0.7 }
      how.angular_velocity = { 0, 0, 2 }
      m:natural_body(how)
    else
      how.at, how.velocity, how.angular_velocity = { 1, 2, 3 }, { 0.3, -0.4, 0.5 }, { 0, 0, 2 }
      m:body(how)
      m:point { "P", at = { 1, 2, 3 }, velocity = { 0.3, -0.4, 0.5 }, mass = 0.7 }
    end
    return simulated(m, 0.01)
  end
  local one, other = total "shared", total "apart"
  for _, axis in ipairs(axes) do
    for _, what in ipairs { "momentum.", "angular_momentum." } do
      check.near(one:at(what .. axis, 0), other:at(what .. axis, 0), 1e-12, what .. axis)
    end
  end
end

-- (c) A four-bar in space, closed by two constraints, against the same in the plane.
local lengths, masses = { 0.3, 1.0, 0.7 }, { 0.5, 2, 1.5 }
local B, C, D = { 0.15, 0.15 * math.sqrt(3) }, {}, { 0.9, 0 }
do  -- C at the distance of the coupler from B and of the rocker from D
  local dx, dy = D[1] - B[1], D[2] - B[2]
  local d = math.sqrt(dx * dx + dy * dy)
  local along = (lengths[2]^2 - lengths[3]^2 + d * d) / (2 * d)
  local up = math.sqrt(lengths[2]^2 - along^2)
  C = { B[1] + (along * dx - up * dy) / d, B[2] + (along * dy + up * dx) / d }
end
local points = { { { 0, 0 }, B }, { B, C }, { C, D } }
local function angle_of(k) return math.atan(points[k][2][2] - points[k][1][2], points[k][2][1] - points[k][1][1]) end
local function four_bar(how)
  local is_planar = how == "plane"
  local m = mbs.model { gravity = is_planar and { 2, -9.81 } or { 2, -9.81, 0 } }
  local bars = {}
  for k, name in ipairs { "crank", "coupler", "rocker" } do
    local l, angle = lengths[k], angle_of(k)
    -- The crank has its reference point at B, the others at their first end.
    local at, middle = k == 1 and B or points[k][1], k == 1 and -l / 2 or l / 2
    if is_planar then
      bars[k] = m:body { name, mass = masses[k], inertia = masses[k] * l^2 / 12, center_of_mass = { middle, 0 }, at = at, angle = angle }
    else
      bars[k] = m:natural_body { name, mass = masses[k], center_of_mass = { middle, 0, 0 }, position = k == 2 and bars[1] or nil,
        inertia = { masses[k] * l^2 / 24, masses[k] * l^2 / 24, masses[k] * l^2 / 12 },
        at = k ~= 2 and { at[1], at[2], 0 } or nil, orientation = { math.cos(angle / 2), 0, 0, math.sin(angle / 2) },
        w = k > 1 and bars[1].w or nil }
    end
  end
  if is_planar then
    m:revolute { "A", m.ground, bars[1], at = { 0, 0 } }
    m:revolute { bars[1], bars[2], at = B }
    m:revolute { bars[2], bars[3], at = C }
    m:revolute { "D", bars[3], m.ground, at = D }
  else
    m:revolute { "A", m.ground, bars[1], at = { 0, 0, 0 }, axis = "z" }
    m:spherical { bars[2], bars[3], at = { C[1], C[2], 0 } }
    m:point_on_line { "D", m.ground, bars[3], at = { D[1], D[2], 0 }, axis = "z" }
  end
  return m, bars
end
do
  local plane, space = four_bar "plane", four_bar "space"
  local found = space:mobility()
  check.equal(found.degrees_of_freedom, 1)
  check.equal(#found.redundant, 0)
  local one, other = simulated(plane, 0.6), simulated(space, 0.6)
  for _, name in ipairs { "crank.x", "crank.vy", "coupler.com_x", "coupler.com_y", "rocker.com_y", "rocker.vx", "energy.kinetic" } do
    check.near(other:at(name, 0.6), one:at(name, 0.6), 1e-8, name)
  end
  check.near(other:at("rocker.omega_z", 0.6), one:at("rocker.omega", 0.6), 1e-8)
  check.near(other:at("D.force_x", 0.6)^2 + other:at("D.force_y", 0.6)^2, one:at("D.force_x", 0.6)^2 + one:at("D.force_y", 0.6)^2, 1e-6)
end

-- (d) Gradients by a mass, a centre of mass and the position at the start; second derivatives, too.
for _, how in ipairs { "bodies", "free" } do
  local m, a, b, parameters = arms(how, nil, { mass = true, x = true, tilt = true })
  m:spring { m:ground { at = { 1, 1, 1 } }, b:point { 0.5, 0, 0 }, stiffness = 30, damping = 2, free_length = 1 }
  local cost = m:objective { "cost", integral = b.com_z^2 + 0.1 * b.omega_z^2, terminal = b.x * b.com_y + a.w_x * b.u_z }
  local request = { cost, t = 0.5, formulation = mbs.index1 { alpha = 10, beta = 10 }, integrator = mbs.rk4 { step = 5e-3 } }
  local found = {}
  for k, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.finite_difference { richardson = 2 } } do
    request.method = method
    found[k] = m:gradient(request)
  end
  for name, x in pairs(found[1].by_name) do
    assert(math.abs(x) > 1e-3, name)
    check.near(found[2].by_name[name] / x, 1, 1e-10, how .. ", adjoint: " .. name)
    check.near(found[3].by_name[name] / x, 1, 1e-7, how .. ", differences: " .. name)
  end
  -- The same as with Euler parameters, up to the errors of the steps.
  local e, _, eb = arms("joints", nil, { mass = true, x = true, tilt = true })
  e:spring { e:ground { at = { 1, 1, 1 } }, eb:point { 0.5, 0, 0 }, stiffness = 30, damping = 2, free_length = 1 }
  local w = e:signal("b.com_z")
  local by_joints = e:gradient { e:objective { "cost", terminal = w }, t = 0.5, integrator = mbs.rk4 { step = 1e-3 }, formulation = exact.formulation }
  local by_sharing = m:gradient { m:objective { "height", terminal = b.com_z }, t = 0.5, integrator = mbs.rk4 { step = 1e-3 }, formulation = exact.formulation }
  for name, x in pairs(by_joints.by_name) do check.near(by_sharing.by_name[name], x, 1e-7, how .. ": " .. name) end
  -- Second derivatives against differences of the first.
  request.method, request[1] = nil, m:objective { "height_2", terminal = b.com_z * b.x }
  local second = m:hessian(request)
  local step = 1e-4
  for column, parameter in ipairs(parameters) do
    local value, slopes = parameter.value, {}
    for side = -1, 1, 2 do
      parameter.value = value + side * step
      slopes[side] = m:gradient(request).gradient
    end
    parameter.value = value
    for row = 1, 3 do
      check.near(second.matrix[row][column], (slopes[1][row] - slopes[-1][row]) / (2 * step), 1e-5, how .. " second")
    end
  end
end

-- (e) Every formulation, and steps that are constant, implicit or variational.
for _, how in ipairs { "bodies", "free" } do
  local m, a, b = arms(how)
  for name, formulation in pairs { default = false, index1 = mbs.index1 {}, index2 = mbs.index2 {}, index3 = mbs.index3 {}, penalty = mbs.penalty {},
                                   augmented = mbs.augmented_lagrangian {}, stabilized = mbs.stabilized_index1 {}, maggi = mbs.maggi {},
                                   partitioning = mbs.coordinate_partitioning {} } do
    local implicit = name == "index2" or name == "index3" or name == "stabilized"
    local run = m:simulate { t = 0.5, formulation = formulation or nil,
                             integrator = implicit and mbs.radau { step = 5e-3 } or nil }
    local tolerance = (name == "penalty" or name == "augmented") and 1e-3 or 1e-6
    for _, signal in ipairs { "b.com_x", "b.com_z", "b.vy", "a.z" } do
      check.near(run:at(signal, 0.5), reference:at(signal, 0.5), tolerance, name .. ": " .. signal)
    end
  end
  -- Variational steps err by the square of the step, and do not drift.
  local errors = {}
  for k, step in ipairs { 0.01, 0.005 } do
    local run = m:simulate { t = 0.5, formulation = mbs.index3 {}, integrator = mbs.variational { step = step } }
    errors[k] = math.abs(run:at(b.com_z, 0.5) - reference:at("b.com_z", 0.5)) + math.abs(run:at(b.com_x, 0.5) - reference:at("b.com_x", 0.5))
    check.near(run:at("constraint.drift", 0.5), 0, 1e-10)
  end
  check.near(errors[1] / errors[2], 4, 0.3)
end
do  -- momenta of what is free: sharing has no part in them
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local a = m:natural_body { "a", mass = 2, inertia = J[1], angular_velocity = { 0.3, 0.5, -0.2 }, velocity = { 1, 2, 3 } }
  m:natural_body { "b", mass = 1, inertia = J[2], center_of_mass = { 0.2, 0.1, 0 }, position = a, w = a.w }
  local run = m:simulate { t = 5, integrator = mbs.variational { step = 0.01 } }
  for _, axis in ipairs(axes) do
    check.near(largest_change(run:values("momentum." .. axis)), 0, 1e-11)
    check.near(largest_change(run:values("angular_momentum." .. axis)), 0, 1e-10)
  end
end

-- (f) What acts on such bodies, the sharers too, does what it does on others; reactions of joints on them.
do
  local runs = {}
  for _, how in ipairs { "joints", "bodies", "free" } do
    local m, a, b = arms(how)
    local tip = b:point { 0.6, 0.1, 0 }
    m:force { "push", on = tip, law = function(s) return -s.vx, 2 * s.t, 1 - s.z end }
    m:torque { "twist", on = b, reaction_on = a, torque = { 0.3, -0.2, 0.5 } }
    m:spring { "spring", a:point { -0.3, 0.2, 0.1 }, tip, stiffness = 40, damping = 1, free_length = 0.5 }
    m:bushing { "pad", a:marker { at = { 0.1, 0, 0 } }, b:marker { at = { 0.1, 0.1, 0 } }, stiffness = { 20, 30, 40, 1, 2, 3 },
                damping = { 0.1, 0.2, 0.3, 0.01, 0.02, 0.03 } }
    m:contact { "floor", m.ground:marker { at = { 0, 0, -0.4 } }, tip, radius = 0.05,
                normal = mbs.hunt_crossley { stiffness = 2e3, dissipation = 1 }, friction = mbs.coulomb_tanh { coefficient = 0.3, regularization = 0.1 } }
    runs[how] = simulated(m, 0.6, { integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } })
  end
  local touched = 0
  for _, x in ipairs(runs.joints:values "floor.normal_force") do touched = math.max(touched, x) end
  assert(touched > 1)
  for _, how in ipairs { "bodies", "free" } do
    for _, name in ipairs { "b.com_x", "b.com_y", "b.com_z", "b.omega_z", "a.omega_y", "spring.force", "floor.normal_force", "shoulder.force_x",
                            "shoulder.torque_z", "energy.total" } do
      check.near(runs[how]:at(name, 0.6), runs.joints:at(name, 0.6), 2e-7, how .. ": " .. name)
    end
  end
end
do  -- a joint and a distance between bodies that share: their elements have coordinates twice
  local function hinged(shares)
    local m = mbs.model { gravity = { 0.5, 0, -9.81 } }
    local a = m:natural_body { "a", mass = 2, inertia = J[1], center_of_mass = { 0.3, 0, 0.1 } }
    local b = m:natural_body { "b", mass = 1, inertia = J[2], center_of_mass = { 0.1, -0.2, 0.1 }, position = shares and a or nil }
    m:spherical { "tip", m.ground:marker { at = { 0, 0, 0.5 } }, a:point { 0, 0, 0.5 } }
    if not shares then m:spherical { "ball", a, b, at = { 0, 0, 0 } } end
    m:distance { "rod", a:point { 0, 0.3, 0.2 }, b:point { 0.4, 0, 0.2 } }
    m:perpendicular_axes { "square", a, b, axis = { 1, 0, 0 }, axis_b = { 0, 1, 0 } }
    return simulated(m, 0.6)
  end
  local one, other = hinged(true), hinged(false)
  for _, name in ipairs { "b.com_x", "b.com_y", "b.com_z", "rod.force", "square.lambda_axis1", "a.omega_x", "tip.force_z", "energy.kinetic" } do
    check.near(one:at(name, 0.6), other:at(name, 0.6), 1e-8, name)
  end
end

-- Where the whole rests, and its small motions: those of the pendulum with joints.
do
  local values = {}
  for k, how in ipairs { "joints", "bodies" } do
    local m = arms(how, { 0, 0, -9.81 })
    local rest = m:equilibrium {}
    values[k] = { rest:values("b.com_z")[1], rest:values("b.com_x")[1] }
    local small = m:linearize {}
    for _, mode in ipairs(small.modes) do table.insert(values[k], mode.frequency) end
  end
  check.equal(#values[1], #values[2])
  for i, x in ipairs(values[1]) do check.near(values[2][i], x, 1e-6) end
end

-- (g) Pictures and files: what a body shares with a point is drawn with both.
do
  local m, a, b = arms "free"
  local run = m:simulate { t = 0.1 }
  local drawn = os.tmpname()
  m:sketch { drawn .. ".svg", run = run, times = { 0, 0.1 } }
  m:sketch { drawn .. ".html" }
  run:view(drawn .. ".view.html")
  run:json(drawn .. ".json")
  run:vtk(drawn .. ".pvd")
  m:linearize {}
  for _, ending in ipairs { ".svg", ".html", ".view.html", ".json", ".pvd" } do
    local file <close> = assert(io.open(drawn .. ending))
    assert(#file:read "a" > 500, ending)
  end
  os.execute("rm -f '" .. drawn .. "'*")
end

-- The node of a slender beam as the reference point of a body.
do
  local function hanging(shares)
    local m = mbs.model { gravity = { 0, 0, -9.81 } }
    local beam = m:beam { "beam", from = { 0, 0, 0 }, to = { 1, 0, 0 }, elements = 3, young = 1e8, density = 1000, area = 1e-3,
                          second_moment = 1e-7, damping = 1e-3 }
    m:clamp { beam.first, m.ground }
    local b = m:natural_body { "b", mass = 0.2, inertia = { 1e-3, 1e-3, 2e-3 }, center_of_mass = { 0.1, 0, 0.02 },
                               position = shares and beam.last or nil, at = not shares and { 1, 0, 0 } or nil }
    if not shares then m:coincidence { beam.last, b } end
    return m:simulate { t = 0.1, integrator = mbs.radau { step = 1e-3 } }
  end
  local one, other = hanging(true), hanging(false)
  for _, name in ipairs { "b.x", "b.z", "b.com_z", "b.omega_y", "beam_2.z", "energy.kinetic" } do
    check.near(one:at(name, 0.1), other:at(name, 0.1), 1e-8, name)
  end
end

-- A phase without the shoulder.
do
  local runs = {}
  for _, how in ipairs { "joints", "bodies", "free" } do
    local m = arms(how)
    local held = m:phase { "held", stop = m:signal "t" - 0.2 }
    runs[how] = simulated(m, 0.4, { phases = { held, m:phase { "flies", without = { m:object "shoulder" } } } })
  end
  for _, how in ipairs { "bodies", "free" } do
    for _, name in ipairs { "b.com_x", "b.com_y", "b.com_z", "a.omega_x", "b.omega_z", "momentum.z" } do
      check.near(runs[how]:at(name, 0.4), runs.joints:at(name, 0.4), 1e-7, how .. ": " .. name)
    end
  end
end
