-- The Bombardier Iltis, the vehicle of the benchmark of Frik, Leister and Schwartz (1993), with the data of Zhu (2014,
-- section 5.2): 20 bodies, 140 coordinates, 132 constraints of rank 126, 14 degrees of freedom.
--
--   local iltis = require "perilune.iltis"
--   local car = iltis.build { speed = 5 }
--   car.model:equilibrium {}
--
-- To alter it, change the table that iltis.data() returns and hand it over, or copy this file and require the copy.
--
-- Frame: x forward, y left, z up, its origin on the ground below the centre of mass of the chassis. SI units.
local mbs = require "perilune"

local iltis = {}

--- All numbers of the vehicle, a new table every time. What the source lacks is marked "ours", or "benchmark" where it
--- is taken from public encodings of the benchmark.
function iltis.data()
  return {
    gravity = 9.81,  -- benchmark
    chassis = { mass = 1260, inertia = { 130, 1620, 1670 }, at = { 0, 0, 0.57 } },
    wheel = { mass = 57.35, inertia = { 1.2402, 1.908, 1.2402 }, at = { 0.615, 0.356 } },  -- y and z, as all below
    arm = { mass = 6, inertia = { 0.052099, 0.023235, 0.068864 }, at = { 0.4155, 0.2655 },
            carrier = { 0.572, 0.229 }, chassis = { 0.259, 0.302 } },
    link = { carrier = { 0.488, 0.531 }, chassis = { 0.1585, 0.600 } },
    damper = { arm = { 0.500, 0.241 }, chassis = { 0.297, 0.632 } },
    -- Between the joint of link and carrier and a place 1 m above it that slides across the chassis: benchmark.
    leaf = { force = 2728.9, length = 1, stiffness = 35906 },
    stop = { length = 0.93, stiffness = 1e7 },
    -- Tension - preload + k s + square s^2 + cube s^3 at the length s; k is the parameter of the axle.
    spring = { preload = 4.0092e6, stiffness = 2.8397e7, square = -6.7061e7, cube = 5.2796e7, length = 0.4405564663 },
    -- Tension c v + square v^2 + cube v^3 + fourth v^4 for low < v < high, beyond that lines.
    viscous = { damping = 9945.627, square = 33955.72, cube = -59832.25, fourth = -395651.0, low = -0.2, high = 0.21,
                below = { -416.4200, 1844.3 }, above = { 1919.1638, 1634.727 } },
    steering = { rack = { 0.83, 0, 0.600 }, chassis = { 0.83, 0.07, 0.600 }, carrier = { 0.83, 0.448, 0.531 } },
    front = { x = 0.97, damper_x = 1.045, radius = 0.364325 },    -- tires: benchmark
    rear = { x = -1.047, damper_x = -1.122, radius = 0.363812 },  -- place of the damper: benchmark
    -- Stiffness and damping: benchmark. Friction and critical slips: ours, chosen since the printed start and optima of
    -- the step test come out with them (678 / 48 / 96 / 257 / 81 in print).
    tire = { stiffness = 460000, damping = 0, friction = 1, critical_slip = 0.18, critical_angle = 0.18 },
    -- Links, hub carriers, tie rods and the rack have no mass in the source. Here a body has some: ours.
    massless = { mass = 1e-3, inertia = { 1e-5, 1e-5, 1e-5 } },
  }
end

--- Pull of the spring at length s. "literal": as printed, where k is a preload too. "kept": k turns the curve about the
--- nominal length, which is what the printed optima imply.
function iltis.spring_force(data, law, k, s)
  local d = data.spring
  local force = -d.preload + d.stiffness * s + d.square * s ^ 2 + d.cube * s ^ 3
  return force + (k - d.stiffness) * (law == "kept" and s - d.length or s)
end

--- Pull of the damper at the rate v. "continuous": the lines move with c, so that they meet the curve; "printed": they
--- do not, and the force jumps.
function iltis.damper_force(data, law, c, v)
  local d = data.viscous
  local more = law == "continuous" and c - d.damping or 0
  local curve = c * v + d.square * v ^ 2 + d.cube * v ^ 3 + d.fourth * v ^ 4
  local below = d.below[1] + d.below[2] * v + d.low * more
  local above = d.above[1] + d.above[2] * v + d.high * more
  return mbs.where(mbs.lt(v, d.low), below, mbs.where(mbs.gt(v, d.high), above, curve))
end

--- Push of the leaf spring at length l.
function iltis.leaf_force(data, law, k, l)
  local d = data.leaf
  if law == "kept" then return d.force - k * (l - d.length) end
  return k * (d.length + d.force / d.stiffness - l)
end

-- A body of the vehicle without rotation against space, as it stands at the start; `place` has its points by their
-- position in the vehicle.
local function part(car, name, at, properties)
  local body = car.model:body { name, mass = properties.mass, inertia = properties.inertia, at = at,
                                velocity = { car.speed, 0, 0 }, angular_velocity = properties.angular_velocity }
  local function place(x, y, z)
    return body:point { x - at[1], y - at[2], z - at[3] }
  end
  return { body = body, at = at, place = place }
end

-- A direction of a body in space.
local function turned(body, v)
  local e0, e1, e2, e3 = body.e0, body.e1, body.e2, body.e3
  local x, y, z = v[1], v[2], v[3]
  return { (e0 ^ 2 + e1 ^ 2 - e2 ^ 2 - e3 ^ 2) * x + 2 * (e1 * e2 - e0 * e3) * y + 2 * (e1 * e3 + e0 * e2) * z,
           2 * (e1 * e2 + e0 * e3) * x + (e0 ^ 2 - e1 ^ 2 + e2 ^ 2 - e3 ^ 2) * y + 2 * (e2 * e3 - e0 * e1) * z,
           2 * (e1 * e3 - e0 * e2) * x + 2 * (e2 * e3 + e0 * e1) * y + (e0 ^ 2 - e1 ^ 2 - e2 ^ 2 + e3 ^ 2) * z }
end

-- Height along the z axis of the chassis of the place of a part that stands at x, y, z at the start.
local function height_in(chassis, other, x, y, z)
  local a, b = chassis.body, other.body
  local arm, up = turned(b, { x - other.at[1], y - other.at[2], z - other.at[3] }), turned(a, { 0, 0, 1 })
  return (b.x + arm[1] - a.x) * up[1] + (b.y + arm[2] - a.y) * up[2] + (b.z + arm[3] - a.z) * up[3] + chassis.at[3]
end

-- A hinge without the angle of m:revolute, which would be a coordinate more: 5 constraints.
local function hinge(m, name, a, b, at, axis)
  m:spherical { name, a.body, b.body, at = at }
  m:parallel_axes { name .. "_axis", a.body, b.body, axis = axis }
end

-- Leaf spring, bump stop, spring and damper of a corner.
local function suspend(car, corner, chassis, at)
  local m, options, data = car.model, car.options, car.data
  local leaf, stop, axle, parameters = data.leaf, data.stop, corner.axle, car.parameters
  local link, spring = data.link.carrier, data.damper
  local x, y, z = at(link)
  local length = leaf.length + z - height_in(chassis, corner.carrier, x, y, z)
  local push = iltis.leaf_force(data, options.preload, parameters["kL_" .. axle], length)
  corner.leaf = { length = length, force = push }
  m:force { corner.name .. "_leaf", on = corner.carrier.place(x, y, z), reaction_on = chassis.body,
            law = function()
              local up = turned(chassis.body, { 0, 0, 1 })
              return -push * up[1], -push * up[2], -push * up[3]
            end }
  if options.bump_stop then
    corner.stop = m:bump_stop { corner.name .. "_stop", on = length, lower = stop.length, stiffness = stop.stiffness }
  end
  local k, c, damper_x = parameters["k_" .. axle], parameters["c_" .. axle], data[axle].damper_x
  corner.damper = m:spring { corner.name .. "_damper", corner.arm.place(at(spring.arm, damper_x)),
                             chassis.place(at(spring.chassis, damper_x)),
                             law = function(s)
                               return iltis.spring_force(data, options.preload, k, s.length)
                                      + iltis.damper_force(data, options.damper, c, s.rate)
                             end }
end

-- The four bodies of a corner, the same in front and at the rear but for the joints of the hub carrier: balls where the
-- wheels are steered, hinges where they are not. side: 1 left, -1 right.
local function add_corner(car, chassis, axle, side)
  local m, data = car.model, car.data
  local x = data[axle].x
  local function at(yz, other_x) return other_x or x, side * yz[1], yz[2] end
  local corner = { name = axle .. (side > 0 and "_left" or "_right"), axle = axle, side = side }
  local arm, link, wheel = data.arm, data.link, data.wheel
  local centre = { at(wheel.at) }
  local function new(name, place, properties)
    corner[name] = part(car, corner.name .. "_" .. name, place, properties)
    return corner[name]
  end
  new("arm", { at(arm.at) }, arm)
  local middle = { (link.carrier[1] + link.chassis[1]) / 2, (link.carrier[2] + link.chassis[2]) / 2 }
  new("link", { at(middle) }, data.massless)
  new("carrier", centre, data.massless)
  new("wheel", centre, { mass = wheel.mass, inertia = wheel.inertia,
                         angular_velocity = { 0, car.speed / wheel.at[2], 0 } })

  local name = corner.name
  hinge(m, name .. "_arm_hinge", chassis, corner.arm, { at(arm.chassis) }, "x")
  hinge(m, name .. "_link_hinge", chassis, corner.link, { at(link.chassis) }, "x")
  if axle == "front" then
    m:spherical { name .. "_lower_ball", corner.arm.body, corner.carrier.body, at = { at(arm.carrier) } }
    m:spherical { name .. "_upper_ball", corner.link.body, corner.carrier.body, at = { at(link.carrier) } }
  else
    hinge(m, name .. "_lower_hinge", corner.arm, corner.carrier, { at(arm.carrier) }, "x")
    hinge(m, name .. "_upper_hinge", corner.link, corner.carrier, { at(link.carrier) }, "x")
  end
  hinge(m, name .. "_hub", corner.carrier, corner.wheel, centre, "y")
  suspend(car, corner, chassis, at)
  car[name] = corner
  car.corners[#car.corners + 1] = corner
end

-- Rack and tie rods of the front axle.
local function add_steering(car, chassis)
  local m, steering, massless = car.model, car.data.steering, car.data.massless
  local rack = part(car, "rack", steering.rack, massless)
  car.rack = rack
  car.slide = m:translational { "slide", chassis.body, rack.body, at = steering.rack, axis = "y" }
  for _, side in ipairs { "left", "right" } do
    local corner = car["front_" .. side]
    local function at(p) return { p[1], corner.side * p[2], p[3] } end
    local inner, outer = at(steering.chassis), at(steering.carrier)
    local rod = part(car, "tie_rod_" .. side,
                     { inner[1], (inner[2] + outer[2]) / 2, (inner[3] + outer[3]) / 2 }, massless)
    m:spherical { "tie_rod_" .. side .. "_inner", rack.body, rod.body, at = inner }
    m:spherical { "tie_rod_" .. side .. "_outer", corner.carrier.body, rod.body, at = outer }
    m:dot1 { "tie_rod_" .. side .. "_no_spin", rod.body, chassis.body, axis = "x", axis_b = "z" }
    car["tie_rod_" .. side] = rod
  end
  m:driver { "steering", car.slide.displacement, law = car.options.steering or function() return 0 end }
end

local function add_tires(car)
  local m, data, options = car.model, car.data, car.options
  for _, corner in ipairs(car.corners) do
    local tire = data.tire
    corner.tire = m:tire { corner.name .. "_tire", m.ground, corner.wheel.body, radius = data[corner.axle].radius,
                           stiffness = tire.stiffness, damping = tire.damping, height = options.height,
                           vertical = options.height and options.vertical, friction = tire.friction,
                           critical_slip = tire.friction and tire.critical_slip,
                           critical_angle = tire.friction and tire.critical_angle }
  end
end

local defaults = { preload = "kept", damper = "continuous", bump_stop = true, tires = true, vertical = true,
                   speed = 0 }
local known = { preload = { kept = true, literal = true }, damper = { continuous = true, printed = true } }

local types = { preload = "string", damper = "string", bump_stop = "boolean", tires = "boolean", vertical = "boolean",
                speed = "number", bounds = "table", data = "table", height = "function", steering = "function" }

local function fail(level, text, ...) error("iltis.build: " .. text:format(...), level + 1) end

local function list_of(names)
  local list = {}
  for name in pairs(names) do list[#list + 1] = tostring(name) end
  table.sort(list)
  return table.concat(list, ", ")
end

-- Letters to insert, delete or exchange to get from a to b.
local function distance(a, b)
  local last = {}
  for j = 0, #b do last[j] = j end
  for i = 1, #a do
    local row = { [0] = i }
    for j = 1, #b do
      local same = a:byte(i) == b:byte(j)
      row[j] = math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same and 0 or 1))
    end
    last = row
  end
  return last[#b]
end

local function check_name(level, what, name, names)
  if names[name] ~= nil then return end
  local nearest, least = nil, 3
  for known_name in pairs(names) do
    local far = distance(tostring(name), tostring(known_name))
    if tostring(name):lower() == tostring(known_name):lower() then far = 0 end
    local is_first = far == least and nearest and tostring(known_name) < tostring(nearest)
    if far < least or is_first then nearest, least = known_name, far end
  end
  fail(level + 1, "%s has no '%s'%s; it has %s", what, name, nearest and " (did you mean '" .. nearest .. "'?)" or "",
       list_of(names))
end

-- A table of numbers like that of iltis.data(), without anything new, wrong or missing.
local function check_data(level, what, got, wanted)
  for key in pairs(got) do check_name(level + 1, what, key, wanted) end
  for key, value in pairs(wanted) do
    local name = what .. "." .. key
    -- Tires without friction have no slip forces.
    if type(got[key]) ~= type(value) and not (got[key] == nil and name == "data.tire.friction") then
      fail(level + 1, "%s must be a %s, got %s", name, type(value), tostring(got[key]))
    elseif type(value) == "table" then
      check_data(level + 1, name, got[key], value)
    elseif got[key] and got[key] ~= got[key] then
      fail(level + 1, "%s must be a number, got nan", name)
    end
  end
end

-- What joints and laws cannot find out, since they take any number.
local function check_signs(level, data)
  for _, name in ipairs { "leaf.stiffness", "spring.stiffness", "stop.stiffness", "viscous.damping" } do
    local part, field = name:match "(%a+)%.(%a+)"
    if data[part][field] < 0 then fail(level + 1, "data.%s must not be negative, got %g", name, data[part][field]) end
  end
end

local function check_bounds(level, bounds)
  local values = { kL = true, c = true, k = true }
  for name, pair in pairs(bounds) do
    check_name(level + 1, "bounds", name, values)
    local lower, upper = type(pair) == "table" and pair[1], type(pair) == "table" and pair[2]
    if type(lower) ~= "number" or type(upper) ~= "number" or #pair ~= 2 or not (lower <= upper) then
      fail(level + 1, "bounds.%s must be a lower and an upper number, such as { 0, 1e5 }", name)
    end
  end
end

-- level: of the caller of iltis.build, whose line errors name.
local function checked(options, level)
  if type(options) ~= "table" then fail(level, "the options must be a table, got a %s", type(options)) end
  local all = {}
  for key, value in pairs(defaults) do all[key] = value end
  for key, value in pairs(options) do
    check_name(level, "the vehicle", key, types)
    if type(value) ~= types[key] then
      fail(level, "%s must be a %s, got %s", key, types[key], tostring(value))
    end
    if known[key] and not known[key][value] then
      fail(level, "%s must be %s, got \"%s\"", key,
           key == "preload" and '"kept" or "literal"' or '"continuous" or "printed"', value)
    end
    all[key] = value
  end
  if not (math.abs(all.speed) < math.huge) then fail(level, "speed must be finite, got %g", all.speed) end
  if all.bounds then check_bounds(level, all.bounds) end
  if all.data then
    check_data(level, "data", all.data, iltis.data())
    check_signs(level, all.data)
  end
  return all
end

local function assemble(options)
  local data = options.data or iltis.data()
  local car = { model = mbs.model { "iltis", gravity = { 0, 0, -data.gravity } }, data = data, options = options,
                speed = options.speed, corners = {}, parameters = {} }
  for _, axle in ipairs { "rear", "front" } do
    local function new(name, value, unit)
      local bounds = options.bounds and options.bounds[name] or {}
      car.parameters[name .. "_" .. axle] = car.model:param { name .. "_" .. axle, value, unit = unit,
                                                              min = bounds[1] or 0, max = bounds[2] }
    end
    new("kL", data.leaf.stiffness, "N/m")
    new("c", data.viscous.damping, "N s/m")
    new("k", data.spring.stiffness, "N/m")
  end
  local chassis = part(car, "chassis", data.chassis.at, data.chassis)
  car.chassis = chassis
  for _, axle in ipairs { "front", "rear" } do
    add_corner(car, chassis, axle, 1)
    add_corner(car, chassis, axle, -1)
  end
  add_steering(car, chassis)
  if options.tires then add_tires(car) end
  return car
end

--- The vehicle in a new model. Options, all optional:
---   preload    "kept" (default) or "literal": iltis.spring_force, iltis.leaf_force
---   damper     "continuous" (default) or "printed": iltis.damper_force
---   bump_stop  false leaves the stops out
---   tires      false leaves the tires out, so that posts can move the wheels
---   height     the ground, a function of s.x, s.y and s.t as in m:tire; flat without
---   vertical   false: tires push along the normal of the ground instead of straight up
---   speed      m/s, forward at the start
---   steering   displacement of the rack to the left in m, a function of s.t; 0 without
---   bounds     of the parameters: a table such as { kL = {0, 200000}, c = {0, 1e5}, k = {28.3e6, 28.5e6} }; 0 without
---   data       of iltis.data(), altered
--- Returns a table with model, data, chassis, rack, corners (front_left, front_right, rear_left, rear_right by number
--- and name, with arm, link, carrier, wheel, leaf, damper, stop, tire) and parameters: kL_front, kL_rear (leaf
--- springs), c_... (dampers), k_... (springs). Bodies are in the field `body` of a part; its place(x, y, z) is a point
--- of it.
function iltis.build(options)
  options = checked(options or {}, 3)
  -- What bodies and tires refuse is the fault of the caller's data, so errors name the caller's line.
  local ok, car = pcall(assemble, options)
  if ok then return car end
  local text = type(car) == "string" and car:match "^perilune%.iltis:%d+: (.*)"
  if not text then error(car, 0) end
  error("iltis.build: " .. text, 2)
end

return iltis
