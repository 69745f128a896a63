-- The HMMWV of Schaffer (2005, section 6.1.2): chassis, and lower arm, upper arm and wheel assembly of each corner. 13
-- bodies, 91 coordinates, 81 constraints, 20 joints, 10 degrees of freedom; the steering rack of Negrut's (1998) model of
-- 14 bodies is part of the chassis.
--
--   local hmmwv = require "perilune.hmmwv"
--   local car = hmmwv.build { velocity = { 10, 0, 0 } }
--   car.model:equilibrium {}
--
-- The source prints bodies, joints, and the stiffness and damping of struts and tires. All masses, inertias, positions and
-- directions are ours, of the size of the vehicle: 3.3 m of wheelbase, 1.82 m of track, 3 t.
--
-- A stiffness of 2e7 N/m and a damping of 2e6 N s/m make the struts nearly rigid, and the equations stiff: under the
-- weight they give by less than a millimetre, a disturbance of theirs lasts c / k = 0.1 s, and the wheels resist it with
-- rates of thousands per second. The vehicle bounces on its tires. Both numbers are kept as printed.
--
-- As declared the vehicle stands nearly as it rests: within a millimetre.
--
-- Frame: x forward, y left, z up, its origin on the ground in the middle between the wheels. SI units.
local mbs = require "perilune"

local hmmwv = {}

--- All numbers of the vehicle, a new table every time. They are ours, but for those marked "printed".
function hmmwv.data()
  return {
    gravity = 9.81,
    -- Moments of inertia about the centre of mass: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz.
    chassis = { mass = 2600, inertia = { 1200, 4300, 4700, 40, -90, 30 }, at = { 0.1, 0, 0.85 } },
    -- The halves of wheelbase and track, and the height of the centres of the wheels as declared.
    wheel = { mass = 90, inertia = { 2.6, 4.2, 2.6, 0, 0, 0 }, x = 1.65, y = 0.91, z = 0.47 },
    -- Bodies of the arms stand in the middle between hinge and ball; places are y and z, in the plane of the axle. Hinges
    -- turn about x.
    lower_arm = { mass = 12, inertia = { 0.30, 0.25, 0.48, 0.02, 0.01, -0.015 }, hinge = { 0.36, 0.405 },
                  ball = { 0.80, 0.375 } },
    upper_arm = { mass = 6, inertia = { 0.10, 0.08, 0.16, 0, 0, 0 }, hinge = { 0.46, 0.675 }, ball = { 0.77, 0.655 } },
    -- Distance of chassis and wheel assembly: a tie rod in front, a radius rod at the rear; `x` towards the middle of the
    -- vehicle from the axle.
    rod = { x = 0.16, chassis = { 0.39, 0.45 }, wheel = { 0.79, 0.43 } },
    strut = { stiffness = 2.0e7, damping = 2.0e6,  -- printed
              compression = 5.4e-4,  -- as declared
              chassis = { 0.50, 0.86 }, arm = { 0.64, 0.39 } },
    -- From the centre of a wheel to the ground, always vertical; it pulls, too, should the wheel lift off.
    tire = { stiffness = 296325, damping = 3502,  -- printed
             free_length = 0.495 },
  }
end

local names = { "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz" }

-- Parameters in the place of masses and moments of inertia of the data.
local function mass_parameter(car, suffix, mass)
  local p = car.model:param { "m_" .. suffix, mass, unit = "kg", min = 0 }
  car.parameters[#car.parameters + 1] = p
  return p
end
local function inertia_parameters(car, suffix, inertia)
  local list = {}
  for k, name in ipairs(names) do
    list[k] = car.model:param { name .. "_" .. suffix, inertia[k], unit = "kg m^2" }
    car.parameters[#car.parameters + 1] = list[k]
  end
  return list
end

-- A body that stands parallel to space at the start and moves with the vehicle; place(x, y, z) is its point by the position
-- in the vehicle.
local function part(car, name, at, mass, inertia)
  local v, w = car.options.velocity, car.options.angular_velocity
  local r = {}
  for i = 1, 3 do r[i] = at[i] - car.data.chassis.at[i] end
  local body = car.model:body { name, mass = mass, inertia = inertia, at = at, angular_velocity = w,
                                velocity = { v[1] + w[2] * r[3] - w[3] * r[2], v[2] + w[3] * r[1] - w[1] * r[3],
                                             v[3] + w[1] * r[2] - w[2] * r[1] } }
  car.bodies[#car.bodies + 1] = body
  return { body = body, place = function(x, y, z) return body:point { x - at[1], y - at[2], z - at[3] } end }
end

-- A hinge about x without the angle of m:revolute, which would be a coordinate more: 5 constraints.
local function hinge(car, name, a, b, at)
  car.model:parallel_axes { name .. "_axis", a.body, b.body, axis = "x" }
  return car.model:spherical { name, a.body, b.body, at = at }
end

-- end_x: 1 in front, -1 at the rear; side: 1 left, -1 right.
local function add_corner(car, end_x, side)
  local m, data = car.model, car.data
  local short = (end_x > 0 and "F" or "R") .. (side > 0 and "L" or "R")
  local x = end_x * data.wheel.x
  local function at(yz, more) return { x - (more or 0) * end_x, side * yz[1], yz[2] } end
  local corner = { name = short }
  local function arm(name, numbers, suffix)
    local middle = at { (numbers.hinge[1] + numbers.ball[1]) / 2, (numbers.hinge[2] + numbers.ball[2]) / 2 }
    local own = car.measured[suffix] or {}
    corner[name] = part(car, suffix, middle, own.mass or numbers.mass, own.inertia or numbers.inertia)
  end
  arm("lower_arm", data.lower_arm, short .. "LCA")
  arm("upper_arm", data.upper_arm, short .. "UCA")
  local wheel, suffix = data.wheel, short .. "WA"
  local own = car.measured[suffix] or {}
  corner.wheel = part(car, suffix, { x, side * wheel.y, wheel.z }, own.mass or wheel.mass, wheel.inertia)

  local rod = data.rod
  local joints = {
    m:distance { short .. "_rod", car.chassis.place(table.unpack(at(rod.chassis, rod.x))),
                 corner.wheel.place(table.unpack(at(rod.wheel, rod.x))) },
    hinge(car, short .. "_upper_hinge", car.chassis, corner.upper_arm, at(data.upper_arm.hinge)),
    hinge(car, short .. "_lower_hinge", car.chassis, corner.lower_arm, at(data.lower_arm.hinge)),
    m:spherical { short .. "_upper_ball", corner.wheel.body, corner.upper_arm.body, at = at(data.upper_arm.ball) },
    m:spherical { short .. "_lower_ball", corner.wheel.body, corner.lower_arm.body, at = at(data.lower_arm.ball) },
  }
  table.move(joints, 1, #joints, #car.joints + 1, car.joints)

  local strut, tire = data.strut, data.tire
  local across, up = strut.chassis[1] - strut.arm[1], strut.chassis[2] - strut.arm[2]
  corner.strut = m:spring { short .. "_strut", car.chassis.place(table.unpack(at(strut.chassis))),
                            corner.lower_arm.place(table.unpack(at(strut.arm))), stiffness = strut.stiffness,
                            damping = strut.damping,
                            free_length = math.sqrt(across ^ 2 + up ^ 2) + strut.compression }
  corner.tire = m:force { short .. "_tire", on = corner.wheel.body, law = function(s)
    return 0, 0, tire.stiffness * (tire.free_length - s.z) - tire.damping * s.vz
  end }
  car.corners[#car.corners + 1], car[short] = corner, corner
end

local function assemble(options)
  local data = options.data
  local m = mbs.model { "hmmwv", gravity = { 0, 0, -data.gravity } }
  local car = { model = m, data = data, options = options, bodies = {}, joints = {}, corners = {}, parameters = {} }
  -- The source's 16 parameters in its order.
  local chassis, arm, wheel = data.chassis, data.lower_arm, data.wheel
  local m_chassis = mass_parameter(car, "CHASSIS", chassis.mass)
  local rear_left = { mass = mass_parameter(car, "RLLCA", arm.mass) }
  car.measured = { RLLCA = rear_left, RLWA = { mass = mass_parameter(car, "RLWA", wheel.mass) },
                   RRWA = { mass = mass_parameter(car, "RRWA", wheel.mass) } }
  local chassis_inertia = inertia_parameters(car, "CHASSIS", chassis.inertia)
  rear_left.inertia = inertia_parameters(car, "RLLCA", arm.inertia)

  car.chassis = part(car, "CHASSIS", chassis.at, m_chassis, chassis_inertia)
  for _, end_x in ipairs { 1, -1 } do
    for _, side in ipairs { 1, -1 } do add_corner(car, end_x, side) end
  end
  return car
end

local function fail(text, ...) error("hmmwv.build: " .. text:format(...), 0) end

-- A table of numbers like `wanted`, without anything new, wrong or missing.
local function check_numbers(what, got, wanted)
  if type(got) ~= "table" then fail("%s must be a table, got a %s", what, type(got)) end
  for key in pairs(got) do
    if wanted[key] == nil then fail("%s has a field '%s' that hmmwv.data() does not have", what, tostring(key)) end
  end
  for key, value in pairs(wanted) do
    local name = type(key) == "number" and ("%s[%d]"):format(what, key) or what .. "." .. key
    if type(value) == "table" then
      check_numbers(name, got[key], value)
    elseif type(got[key]) ~= "number" or got[key] ~= got[key] or math.abs(got[key]) == math.huge then
      fail("%s must be a finite number, got %s", name, tostring(got[key]))
    end
  end
end

local function checked(options)
  if type(options) ~= "table" then fail("the options must be a table, got a %s", type(options)) end
  local known = { velocity = { 0, 0, 0 }, angular_velocity = { 0, 0, 0 }, data = hmmwv.data() }
  for key in pairs(options) do
    if not known[key] then
      fail("there is no option '%s'; it has angular_velocity, data and velocity", tostring(key))
    end
  end
  local all = {}
  for key, usual in pairs(known) do
    all[key] = options[key] or usual
    check_numbers(key, all[key], usual)
  end
  for _, name in ipairs { "strut", "tire" } do
    for _, field in ipairs { "stiffness", "damping" } do
      local value = all.data[name][field]
      if value < 0 then fail("data.%s.%s must not be negative, got %g", name, field, value) end
    end
  end
  return all
end

--- The vehicle in a new model. Options, all optional:
---   velocity           of the centre of the chassis at the start, m/s, { 0, 0, 0 } without
---   angular_velocity   of the vehicle at the start, rad/s, along x, y and z; all parts move with it
---   data               of hmmwv.data(), altered
--- Returns a table with model, data, chassis, bodies, joints, parameters (lists; the 16 parameters in the order of the
--- source) and corners, by number and as FL, FR, RL, RR, with lower_arm, upper_arm, wheel, strut and tire. The body of a
--- part, such as car.RL.wheel, is its field `body`; its place(x, y, z) is a point of it.
function hmmwv.build(options)
  local ok, car = pcall(function() return assemble(checked(options or {})) end)
  if ok then return car end
  -- What bodies and forces refuse is the fault of the caller's data, so errors name the caller's line.
  if type(car) ~= "string" then error(car, 0) end
  local text = car:match "^perilune%.hmmwv:%d+: (.*)" or car
  error(text:match "^hmmwv%.build: " and text or "hmmwv.build: " .. text, 2)
end

return hmmwv
