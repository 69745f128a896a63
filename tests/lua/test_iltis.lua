-- The vehicle of Zhu (2014): its count of coordinates and constraints, its force laws at printed places, its rest, and
-- that scripts can alter it.
local mbs = require "perilune"
local iltis = require "perilune.iltis"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"

-- Force laws: zhu2014, section 5.2.
do
  local data = iltis.data()
  local s0, k, c = data.spring.length, data.spring.stiffness, data.viscous.damping
  for _, law in ipairs { "kept", "literal" } do
    local function spring(s) return iltis.spring_force(data, law, k, s) end
    check.near(spring(s0), -128.03, 1e-4, law .. " spring")
    check.near((spring(s0 + 1e-5) - spring(s0 - 1e-5)) / 2e-5, 50212.5, 1e-5, law .. " slope")
    check.near(iltis.leaf_force(data, law, data.leaf.stiffness, 1), 2728.9, 1e-9, law .. " leaf")
    check.near(iltis.leaf_force(data, law, data.leaf.stiffness, 0.9), 2728.9 + 3590.6, 1e-9, law .. " leaf")
  end
  -- Kept: other stiffnesses leave the nominal forces alone. Literal: they do not.
  check.near(iltis.spring_force(data, "kept", 28310905, s0), -128.03, 1e-4)
  check.near(iltis.spring_force(data, "literal", 28310905, s0), -128.03 - 86095 * s0, 1e-4)
  check.near(iltis.leaf_force(data, "kept", 3252, 1), 2728.9, 1e-9)
  check.near(iltis.leaf_force(data, "literal", 3252, 1), 247.16, 1e-4)
  for _, law in ipairs { "continuous", "printed" } do
    check.near(iltis.damper_force(data, law, c, -0.2), -785.280, 1e-6)
    check.near(iltis.damper_force(data, law, c, 0.21), 2262.456, 1e-6)
    check.near(iltis.damper_force(data, law, c, 0.1), 994.5627 + 339.5572 - 59.83225 - 39.5651, 1e-9)
  end
  for _, stop in ipairs { { 0.93, 0 }, { 0.929, 1e4 } } do
    local m = mbs.model { gravity = { 0, 0 } }
    local A = m:point { "A", at = { stop[1], 0 }, mass = 1 }
    m:bump_stop { "stop", on = A.x, lower = data.stop.length, stiffness = data.stop.stiffness }
    check.near(m:simulate { t = 1e-6, integrator = mbs.rk4 { step = 1e-6 } }:at("A.ax", 0), stop[2], 1e-9)
  end
  for _, edge in ipairs { data.viscous.low, data.viscous.high } do
    local out, into = edge * (1 + 1e-12), edge * (1 - 1e-12)
    local function jump(law)
      return iltis.damper_force(data, law, 14531, out) - iltis.damper_force(data, law, 14531, into)
    end
    check.near(jump "continuous", 0, 1e-2)
    check.near(jump "printed", -edge * (14531 - c), 1e-4)
  end
end

-- 20 bodies of 7 coordinates; joints 16 x 5 + 8 x 3 + 5, 2 tie rods that do not spin, the rack, 20 Euler parameters.
local car = iltis.build { speed = 5 }
local m = car.model
local mobility = m:mobility {}
check.equal(mobility.coordinates, 140)
check.equal(mobility.constraints, 132)
check.equal(mobility.rank, 126)
check.equal(mobility.degrees_of_freedom, 14)
local redundant = 0
for _, joint in ipairs(mobility.redundant) do
  assert(joint.joint:match "^rear", joint.joint)
  redundant = redundant + joint.count
end
check.equal(redundant, 6)
check.near(m:check_elements(3).worst, 0, 1e-9)

-- The declared position has the nominal lengths and the printed loads: tables 5.5 and 5.6.
local start = m:simulate { t = 1e-3, integrator = mbs.rk4 { step = 1e-3 } }
local printed = { front = 3829.6, rear = 3593.6 }
for _, corner in ipairs(car.corners) do
  check.near(start:at(corner.tire.normal_force, 0), printed[corner.axle], 1e-4, corner.name .. " tire")
  check.near(start:at(corner.leaf.force, 0), 2728.9, 1e-6, corner.name .. " leaf")
  check.near(start:at(corner.damper.force, 0), -128.03, 1e-4, corner.name .. " spring-damper")
  check.near(start:at(corner.stop.force, 0), 0, 0, corner.name .. " stop")
end

-- Rest, beside that of a public encoding of the benchmark; the weight is carried, and left is right.
local rest = m:equilibrium {}
check.near(1000 * (rest:at "chassis.z" - 0.57), -7.083, 5e-4, "chassis")
check.near(math.deg(2 * rest:at "chassis.e2"), 0.1465, 5e-3, "pitch")
local expected = { front = { 3831.31, 3068.62, -335.29 }, rear = { 3591.91, 2885.51, -241.64 } }
local weight = 0
for _, corner in ipairs(car.corners) do
  local load = rest:at(corner.tire.normal_force)
  check.near(load, expected[corner.axle][1], 1e-4, corner.name .. " tire")
  check.near(rest:at(corner.leaf.force), expected[corner.axle][2], 1e-4, corner.name .. " leaf")
  check.near(rest:at(corner.damper.force), expected[corner.axle][3], 5e-4, corner.name .. " spring-damper")
  weight = weight + load
end
check.near(weight, (1260 + 4 * (57.35 + 6) + 11 * 1e-3) * 9.81, 1e-7, "weight")

-- The sag at the printed optima of the step test (preload kept); literal laws have other preloads.
local function settled(preload, values)
  local other = iltis.build { preload = preload, bump_stop = false }
  for name, value in pairs(values) do other.parameters[name].value = value end
  return 1000 * (other.model:equilibrium {}:at "chassis.z" - 0.57)
end
check.near(settled("kept", { kL_rear = 0, kL_front = 0 }), -46.8, 3e-2)
check.near(settled("kept", { k_rear = 28300000, k_front = 28301252 }), -54.5, 2e-2)
check.near(settled("kept", { kL_rear = 1497, kL_front = 3052, c_rear = 14531, c_front = 8418, k_rear = 28378782,
                             k_front = 28382080 }), -62.9, 2e-2)
check.near(settled("literal", { kL_rear = 1497, kL_front = 3052, k_rear = 28378782, k_front = 28382080 }), 33.0, 2e-2)

-- Equal wheel rates: 1 N/m of the leaf springs does what 2.80 N/m of the spring-dampers do (zhu2014_cases, 5.4).
do
  local function sag(name, change)
    local axles = {}
    for _, axle in ipairs { "rear", "front" } do
      axles[name .. "_" .. axle] = car.parameters[name .. "_" .. axle].value + change
    end
    return settled("kept", axles) - settled("kept", {})
  end
  check.near(sag("k", 2.80 * 2000) / sag("kL", 2000), 1, 0.05, "wheel rates")
end

-- Scripts alter data and options; steering turns the wheels: 10 mm at an arm of 0.14 m.
do
  local data = iltis.data()
  data.chassis.mass = 1360
  local heavy = iltis.build { data = data, tires = false, steering = function(s) return 0.01 * s.t end }
  check.equal(heavy.chassis.body.mass, 1360)
  check.equal(heavy.front_left.tire, nil)
  local function toe(body)
    local e0, e3 = body.e0, body.e3
    return 2 * e0 * e3
  end
  for _, corner in ipairs(heavy.corners) do  -- on posts
    heavy.model:driver { corner.name .. "_post", corner.wheel.body.z, law = function() return 0.356 end }
  end
  local run = heavy.model:simulate { t = 1, integrator = mbs.trapezoidal { step = 5e-3 } }
  local yaw = run:at(toe(heavy.chassis.body), 1)
  check.near(math.abs(run:at(toe(heavy.front_left.carrier.body), 1) - yaw), 0.01 / 0.14, 0.02)
end
check.equal(iltis.data().chassis.mass, 1260)

-- A start at rest moves with the parameters, and gradients know.
do
  local height = m:objective { "height", terminal = car.chassis.body.z }
  local load = m:objective { "load", integral = car.front_left.damper.force + 2 * car.rear_left.damper.force }
  local settings = { { height, load }, t = 0.02, at_rest = true,
                     over = { car.parameters.kL_rear, car.parameters.kL_front },
                     integrator = mbs.rk4 { step = 2e-3 } }
  local function gradient(method)
    settings.method = method
    return m:gradient(settings)
  end
  local adjoint, direct = gradient(mbs.adjoint {}), gradient(mbs.direct {})
  local differences = gradient(mbs.finite_difference { step = 1e-2, richardson = 2 })
  for o = 1, 2 do
    for name, slope in pairs(adjoint[o].by_name) do
      assert(slope ~= 0)
      check.near(direct[o].by_name[name] / slope, 1, 1e-8, name)
      check.near(differences[o].by_name[name] / slope, 1, 1e-5, name)
    end
  end
  local still = m:simulate { t = 1, at_rest = true, integrator = mbs.trapezoidal { step = 5e-3 } }
  check.near(still:at("chassis.z", 1), rest:at "chassis.z", 2e-4, "rolling")  -- the settled wheels toe in
  check.near(still:at("chassis.x", 1), 5, 1e-3)
end

-- What is wrong is said at the line of the script that built the vehicle.
local function refused(text, options, alter)
  if alter then
    options = { data = iltis.data() }
    alter(options.data)
  end
  local line = debug.getinfo(1, "l").currentline + 1
  local function build() return (iltis.build(options)) end
  check.fails(text, build)
  local _, message = pcall(build)
  assert(tostring(message):find(("test_iltis.lua:%d:"):format(line), 1, true), message)
  assert(not tostring(message):find "perilune%.iltis:", message)
end
refused("the vehicle has no 'sped' (did you mean 'speed'?); it has bounds, bump_stop", { sped = 5 })
refused('preload must be "kept" or "literal", got "off"', { preload = "off" })
refused("speed must be a number, got fast", { speed = "fast" })
refused("speed must be finite", { speed = math.huge })
refused("height must be a function, got 0", { height = 0 })
refused("the options must be a table, got a number", 5)
refused("bounds has no 'kl' (did you mean 'kL'?)", { bounds = { kl = { 0, 1 } } })
refused("bounds.c must be a lower and an upper number", { bounds = { c = { 2, 1 } } })
refused("data.leaf has no 'stifness' (did you mean 'stiffness'?)", nil, function(d) d.leaf.stifness = 1 end)
refused("data.chassis.mass must be a number, got heavy", nil, function(d) d.chassis.mass = "heavy" end)
refused("data.wheel.at must be a table, got nil", nil, function(d) d.wheel.at = nil end)
refused("data.leaf.stiffness must not be negative, got -1", nil, function(d) d.leaf.stiffness = -1 end)
refused("iltis.build: tire \"front_left_tire\": the centre of the wheel starts 0.644 m under the ground",
        { height = function() return 1 end })
refused("iltis.build: tire \"front_left_tire\": stiffness must be positive, got -1", nil,
        function(d) d.tire.stiffness = -1 end)
refused("iltis.build: body \"chassis\": mass must not be negative, got -1", nil, function(d) d.chassis.mass = -1 end)

-- An objective that is infinite where the optimization starts.
do
  local pole = m:objective { "pole", terminal = 1 / (car.parameters.kL_front - car.data.leaf.stiffness) }
  check.fails("cannot be evaluated at the start of the optimization", function()
    m:optimize { minimize = pole, over = car.parameters.kL_front, t = 0.01, integrator = mbs.rk4 { step = 2e-3 } }
  end)
end
