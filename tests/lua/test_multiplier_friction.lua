-- Friction that feels its load, in the regression case R1 that was computed independently from the equations of
-- Verulkar, Sandu, Sandu and Dopico (2023): a plate that slides on the ground carries a pole, and a controller keeps
-- the pole upright. The printed numbers are those of that computation.
local mbs = require "perilune"
local check = require "check"

-- Equation (1).
local function brown_mcphee(v, dynamic, static, transition)
  local x = v / transition
  return dynamic * mbs.tanh(4 * x) + (static - dynamic) * x / ((x / 2)^2 + 0.75)^2
end
for _, row in ipairs { { 0.3, 0.4, 1, 0.3997987899 }, { 0.3, 0.4, 1.010005, 0.39980680 }, { 0.3, 0.4, 3, 0.333333 },
                       { 0.3, 0.4, 10, 0.30150815 }, { 0.4, 0.5, 1, 0.4997317199 }, { 0.4, 0.5, 10, 0.40150815 } } do
  local got = brown_mcphee(row[3] * 0.05, row[1], row[2], 0.05)
  check.near(got, row[4], row[3] == 3 and 5e-7 or 5.1e-9)
  check.near(brown_mcphee(-row[3] * 0.05, row[1], row[2], 0.05), -got, 1e-15)
end
check.near(brown_mcphee(1e-9, 0.3, 0.4, 1) / 1e-9, 1.3777777778, 1e-10)
check.near(brown_mcphee(1e-9, 0.4, 0.5, 1) / 1e-9, 1.7777777778, 1e-10)

-- The mechanism. What loads the friction is the reaction of the ground, unless a function of time is given instead.
local function mechanism(recorded)
  local m = mbs.model { "R1", gravity = { 0, 0, -9.81 } }
  local kp, ki, kd = m:param { "Kp", 750 }, m:param { "Ki", 200 }, m:param { "Kd", 10 }
  local l = m:param { "l", 0.5, unit = "m", min = 0.1 }
  local mass, theta, a = 0.965, 0.25, 0.6
  local vx, vy, wx, wy, wz = 0.3, 0.1, 0.4, -0.3, 0.9

  -- The pole leans by theta about n; its angular velocity is given along the axes of space, and wanted along its own.
  local n = { -math.sin(a), math.cos(a), 0 }
  local c, s = math.cos(theta), math.sin(theta)
  local up = { n[2] * s, -n[1] * s, c } -- its z axis: that of space turned by theta about n
  local function turned_back(w)
    local along = (n[1] * w[1] + n[2] * w[2] + n[3] * w[3]) * (1 - c)
    return { w[1] * c - (n[2] * w[3] - n[3] * w[2]) * s + n[1] * along,
             w[2] * c - (n[3] * w[1] - n[1] * w[3]) * s + n[2] * along,
             w[3] * c - (n[1] * w[2] - n[2] * w[1]) * s + n[3] * along }
  end
  local transverse = mass * (2 * l)^2 / 12
  local plate = m:body { "plate", mass = 3.65, inertia = { 0.05, 0.05, 0.08 }, velocity = { vx, vy, 0 } }
  local pole = m:body { "pole", mass = mass, inertia = { transverse, transverse, 1e-3 },
    at = { l * up[1], l * up[2], l * up[3] },
    orientation = { math.cos(theta / 2), n[1] * math.sin(theta / 2), n[2] * math.sin(theta / 2), 0 },
    velocity = { vx + l * (wy * up[3] - wz * up[2]), vy + l * (wz * up[1] - wx * up[3]),
                 l * (wx * up[2] - wy * up[1]) },
    angular_velocity = turned_back { wx, wy, wz } }
  local ground = m:point_on_plane { "ground", m.ground, plate, at = { 0, 0, 0 }, axis = "z" }
  m:parallel_axes { "level", m.ground, plate, axis = "z" }
  m:perpendicular_axes { "straight", m.ground, plate, axis = "x", axis_b = "y" }
  m:spherical { "foot", plate, pole, at = { 0, 0, 0 } }

  local ex, ey = pole.x - plate.x, pole.y - plate.y
  local ux = m:pid { "ux", error = ex, kp = kp, ki = ki, kd = kd }
  local uy = m:pid { "uy", error = ey, kp = kp, ki = ki, kd = kd }
  m:force { "control", on = plate, law = function() return ux.output, uy.output, 0 end }
  m:force { "friction", on = plate, law = function(q)
    local speed = (q.vx^2 + q.vy^2 + 1e-12)^0.5
    local load = recorded and recorded(q.t) or (ground.force_z^2 + 1e-8)^0.5
    local part = -load * brown_mcphee(speed, 0.3, 0.4, 0.05) / speed
    return part * q.vx, part * q.vy, 0
  end }
  local cost = m:objective { "psi", terminal = 1e5 * (ex^2 + ey^2),
                             integral = 1e5 * (ex^2 + ey^2) + ux.output^2 + uy.output^2 }
  local speeds = m:objective { "speeds", terminal = plate.vx * plate.vy + 0.1 * pole.omega_x + ex }
  return { model = m, cost = cost, speeds = speeds, ground = ground, ex = ex, ey = ey, over = { kp, ki, kd, l } }
end

local r1 = mechanism()
local m = r1.model
local function exactly(got, printed, digits, what) check.near(got - printed, 0, 0.51 * 10^-digits, what) end

-- The same equations by the same integrator: to every printed digit.
for steps, psi in pairs { [1200] = 1219.9865134, [600] = 1219.9865335 } do
  local run = m:simulate { objectives = r1.cost, t = 0.3, formulation = mbs.index1 {},
                           integrator = mbs.rk4 { step = 0.3 / steps } }
  exactly(run.objectives.psi, psi, 7, "psi")
  exactly(run:at("ground.lambda_slide1", 0), -48.024822784, 9, "lambda(0)")
  exactly(run:at("plate.ax", 0), 15.0326602, 7, "ax(0)")
  exactly(run:at("plate.ay", 0), 11.6434658, 7, "ay(0)")
  exactly(run:at("plate.az", 0), 0, 12, "az(0)")
  exactly(run:at("ux.output", 0), 74.489741908, 9, "ux(0)")
  exactly(run:at("uy.output", 0), 51.366579807, 9, "uy(0)")
  if steps == 1200 then
    exactly(run:at("ground.lambda_slide1", 0.3), -45.7055685, 7, "lambda(0.3)")
    exactly(run:at(r1.ex, 0.3), -0.049370275, 9, "ex(0.3)")
    exactly(run:at(r1.ey, 0.3), -0.035892667, 9, "ey(0.3)")
  end
  local gradient = {}
  for name, method in pairs { direct = mbs.direct {}, adjoint = mbs.adjoint {}, differences = mbs.finite_difference {
                              step = 1e-3, richardson = 2 } } do
    gradient[name] = m:gradient { r1.cost, over = r1.over, method = method }.gradient
    if steps == 1200 then
      for p, printed in ipairs { 2.499819, 0.480815, -50.16412, 6482.9806 } do
        exactly(gradient[name][p], printed, ({ 6, 6, 5, 4 })[p], name)
      end
    end
  end
  for p = 1, 4 do
    check.near(gradient.direct[p] / gradient.adjoint[p], 1, 1e-12, "direct and adjoint")
    check.near(gradient.differences[p] / gradient.adjoint[p], 1, 1e-8, "differences and adjoint")
  end
end

-- The tangent equations (25) themselves, integrated along the motion, and their adjoints: to every printed digit, and to
-- the discrete gradient at the fourth order.
for name, method in pairs { direct = mbs.continuous_direct {}, explicit = mbs.continuous_adjoint {},
                            approach1 = mbs.continuous_adjoint { form = "approach1" },
                            approach2 = mbs.continuous_adjoint { form = "approach2" } } do
  local found, errors = nil, {}
  for _, steps in ipairs { 1200, 2400 } do
    local options = { r1.cost, over = r1.over, t = 0.3, formulation = mbs.index1 {},
                      integrator = mbs.rk4 { step = 0.3 / steps } }
    local exact = m:gradient(options).gradient
    options.method = method
    found = m:gradient(options).gradient
    local error = 0
    for p = 1, 4 do error = math.max(error, math.abs(found[p] / exact[p] - 1)) end
    errors[#errors + 1] = error
  end
  assert(errors[2] < 5e-6 and errors[2] < errors[1] / 13, name .. ": " .. errors[1] .. ", " .. errors[2])
  if name == "direct" or name == "explicit" then
    for p, printed in ipairs { 2.499819, 0.480815, -50.16412, 6482.9806 } do
      exactly(found[p], printed, ({ 6, 6, 5, 4 })[p], name)
    end
  end
end

-- Other equations and other integrators lead to the same motion and gradient as their tolerances become tight. Those of
-- index 3 control the errors of positions alone, and the objective reads velocities; a penalty leaves a violation of
-- the order of 1 / alpha.
local tight = { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 }
local explicit, implicit = mbs.dormand_prince(tight), mbs.radau(tight)
local reference = m:gradient { r1.cost, over = r1.over, t = 0.3, formulation = mbs.index1 {}, integrator = explicit }
check.near(reference.value, 1219.98651, 0.51e-5 / 1220, "psi")
local speeds = m:gradient { r1.speeds, over = r1.over, t = 0.3, formulation = mbs.index1 {}, integrator = explicit,
                            method = mbs.direct {} }
for _, case in ipairs {
  { 1e-10, mbs.index1 { project = true }, explicit }, { 1e-10, mbs.maggi {}, explicit },
  { 1e-10, mbs.coordinate_partitioning {}, explicit }, { 1e-10, mbs.augmented_lagrangian {}, explicit },
  { 2e-9, mbs.penalty { alpha = 1e9 }, explicit }, { 1e-10, mbs.maggi {}, implicit },
  { 1e-10, mbs.index1 { alpha = 10, beta = 10 }, mbs.rosenbrock(tight) }, { 1e-10, mbs.index2 {}, implicit },
  { 1e-10, mbs.stabilized_index1 {}, implicit }, { 1e-7, mbs.index3 {}, implicit },
  { 1e-7, mbs.augmented_lagrangian { index = 3 }, implicit },
} do
  local what = tostring(case[2]) .. ", " .. tostring(case[3])
  local found = m:gradient { r1.cost, over = r1.over, t = 0.3, formulation = case[2], integrator = case[3] }
  check.near(found.value / reference.value, 1, case[1], what)
  for p = 1, 4 do check.near(found.gradient[p] / reference.gradient[p], 1, case[1], what) end
  -- The continuous equations of each, in all their forms, go with the tolerances of the motion.
  local is_tried = case[3] == explicit or what:find "^stabilized" or what:find "^index3"
  if is_tried then
    local form = what:match "^%a+"
    local others = ({ maggi = { "first_order_implicit", "second_order" },
                      coordinate = { "first_order_implicit", "second_order" },
                      stabilized = { "second_order", "first_order_explicit" },
                      penalty = { "first_order_implicit", "second_order" } })[form] or {}
    local methods = { mbs.continuous_direct {}, mbs.continuous_adjoint {} }
    for _, other in ipairs(others) do methods[#methods + 1] = mbs.continuous_adjoint { form = other } end
    if form == "stabilized" or form == "maggi" then methods[#methods + 1] = mbs.piecewise_adjoint { intervals = 5 } end
    for _, method in ipairs(methods) do
      for objective, exact in pairs { [r1.cost] = reference.gradient, [r1.speeds] = speeds.gradient } do
        local continuous = m:gradient { objective, over = r1.over, t = 0.3, formulation = case[2], integrator = case[3],
                                        method = method }
        local most = objective == r1.speeds and form == "index" and 1e-5 or 1e-6
        for p = 1, 4 do check.near(continuous.gradient[p] / exact[p], 1, most, what .. tostring(method)) end
      end
    end
  end
end

-- What Q_lambda contributes. Without it the tangent equations (25) are those of a friction whose load is a known
-- function of time: here the load that the ground had. The motion stays the same, and its derivatives are wrong by the
-- printed amounts.
do
  local run = m:simulate { t = 0.3, formulation = mbs.index1 {}, integrator = explicit }
  local times = {}
  for k = 0, 300 do times[k + 1] = 0.3 * k / 300 end
  local loads = run:values((r1.ground.force_z^2 + 1e-8)^0.5, times)
  local frozen = mechanism(mbs.spline { x = times, y = loads })
  local found = frozen.model:gradient { frozen.cost, over = frozen.over, t = 0.3, formulation = mbs.index1 {},
                                        integrator = explicit }
  check.near(found.value / reference.value, 1, 1e-8, "the same motion")
  local continuous = frozen.model:gradient { frozen.cost, over = frozen.over, t = 0.3, formulation = mbs.index1 {},
                                             integrator = explicit, method = mbs.continuous_direct {} }
  for p, percent in ipairs { 0.24, 0.52, 0.45, 0.62 } do
    check.near(100 * math.abs(found.gradient[p] / reference.gradient[p] - 1), percent, 0.0051, "without Q_lambda")
    check.near(100 * math.abs(continuous.gradient[p] / reference.gradient[p] - 1), percent, 0.0051, "without Q_lambda")
  end
end
