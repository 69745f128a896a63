-- The kneed passive walker (Zhu 2014, chapter 5; V. F. Hsu Chen 2007) as models: two legs with knees on a slope.
--   local walker = require "walker"
--   local robot = walker.rigid(), or walker.point_feet { friction = ... }, or walker.surface_feet { friction = ... }
-- A robot has model, slope, mass (hip, thigh, shank), start (q1, w1, w2), the bodies thigh[i] and shank[i], foot_x[i]
-- and height[i] of the end of leg i, and phases(count) for that many steps, the first on leg 1.
local mbs = require "perilune"
local walker = {}

local g = 9.81
local thigh_length, shank_length = 0.5, 0.5
local thigh_center, shank_center = 0.325, 0.125 -- m below hip and knee (Hsu Chen 2007, table 3.1)
local point_mass = 1e-9                         -- kg m^2: the masses are points, which bodies cannot be

local function along(a) return { math.sin(a), -math.cos(a) } end
local function across(a) return { math.cos(a), math.sin(a) } end
local function sum(a, s, b) return { a[1] + s * b[1], a[2] + s * b[2] } end

-- Hip and legs at the start, when a foot has just come down: the legs are straight and their ends on the slope, but
-- for `sink` (m), what the ground gives. x goes down the slope, y is normal to it; angles of links are from the normal,
-- positive where the lower end is ahead.
local function legs(options)
  local m = mbs.model { "passive walker", gravity = { 0, -g } }
  local r = { model = m, thigh = {}, shank = {}, foot_x = {}, height = {} }
  local slope = m:param { "slope", 0.0504, unit = "rad", min = 0.01, max = 0.2 }
  m:set_gravity { g * math.sin(slope), -g * math.cos(slope) }
  local mass = {
    hip = m:param { "hip_mass", 0.5, unit = "kg", min = 0.1 },
    thigh = m:param { "thigh_mass", 0.5, unit = "kg", min = 0.1 },
    shank = m:param { "shank_mass", 0.05, unit = "kg", min = 0.01 },
  }
  local start = { -- from the vertical: of the leg that stands, and rates of both
    q1 = m:param { "q1", 0.1877, unit = "rad" },
    w1 = m:param { "w1", -1.1014, unit = "rad/s" },
    w2 = m:param { "w2", -0.0399, unit = "rad/s" },
  }
  r.slope, r.mass, r.start = slope, mass, start
  local angle, rate = { start.q1 + slope, -(start.q1 + slope) }, { start.w1, start.w2 }
  local hip_at = sum({ 0, -(options.sink or 0) }, -thigh_length - shank_length, along(angle[1]))
  local hip_velocity = sum({ 0, 0 }, -(thigh_length + shank_length) * rate[1], across(angle[1]))
  local hip = m:point { "hip", at = hip_at, velocity = hip_velocity, mass = mass.hip }
  for i = 1, 2 do
    r.thigh[i] = m:body {
      "thigh" .. i, mass = mass.thigh, inertia = point_mass, center_of_mass = { 0, -thigh_center },
      at = hip_at, angle = angle[i], velocity = hip_velocity, angular_velocity = rate[i],
    }
    r.shank[i] = m:body {
      "shank" .. i, mass = mass.shank, inertia = point_mass, center_of_mass = { 0, -shank_center },
      at = sum(hip_at, thigh_length, along(angle[i])), angle = angle[i],
      velocity = sum(hip_velocity, thigh_length * rate[i], across(angle[i])), angular_velocity = rate[i],
    }
    m:coincidence { "hip" .. i, hip, r.thigh[i] }
    m:revolute { "knee" .. i, r.thigh[i]:point { 0, -thigh_length }, r.shank[i] }
    r.foot_x[i] = r.shank[i].x + shank_length * math.sin(r.shank[i].angle)
    r.height[i] = r.shank[i].y - shank_length * math.cos(r.shank[i].angle)
  end
  return r
end

local function foot_of(r, i) return r.shank[i]:point { 0, -shank_length } end
local function bend(r, i) return r.shank[i].angle - r.thigh[i].angle end

-- step(stance, swing) makes the phases of a step.
local function alternate(r, step)
  local steps = { step(1, 2), step(2, 1) }
  function r.phases(count)
    local phases = {}
    for k = 1, count do table.move(steps[(k - 1) % 2 + 1], 1, #steps[1], #phases + 1, phases) end
    return phases
  end
  return r
end

-- With instantaneous impacts. One leg stands, the knee of the other is free until it is straight again, then the leg is
-- one link until its foot meets the slope. In that impact both knees are locked, and the foot behind is free.
function walker.rigid()
  local r = legs {}
  local m, pin, lock = r.model, {}, {}
  for i = 1, 2 do
    local place = m:param { "place" .. i, 0, unit = "m" } -- where the foot stands
    lock[i] = m:constraint { "lock" .. i, law = bend(r, i) }
    pin[i] = m:revolute { "pin" .. i, m:ground { at = { place, 0 } }, foot_of(r, i) }
  end
  return alternate(r, function(stance, swing)
    return {
      m:phase { "knee free " .. swing, without = { pin[swing], lock[swing] }, stop = bend(r, swing), within = 2 },
      m:phase { "knee locked " .. swing, without = { pin[swing] }, stop = -r.height[swing], within = 2 },
      m:phase { "heel strike " .. swing, without = { pin[stance] }, set = { ["place" .. swing] = r.foot_x[swing] } },
    }
  end)
end

-- With compliant contact and knees (ours: the source has no numbers). friction(m) returns the friction law. The foot
-- that swings has no contact, so that it may pass through the slope; it gets it at the instant of its touch, until the
-- leg leaves the ground. Both knees are locked while the new foot sinks in.
function walker.point_feet(options)
  local stiffness, damping = options.stiffness or 1e5, options.damping or 1e3
  local r = legs { sink = 1.6 * g / stiffness }
  local m, contact, lock = r.model, {}, {}
  local normal = mbs.kelvin_voigt { stiffness = stiffness, damping = damping, restitution = 0.5 }
  local friction = options.friction(m)
  for i = 1, 2 do
    lock[i] = m:torsion_spring { "lock" .. i, r.thigh[i], r.shank[i], stiffness = 500, damping = 2 }
    contact[i] = m:contact { "foot" .. i, m.ground, foot_of(r, i), normal = normal, friction = friction }
  end
  return alternate(r, function(_, swing)
    local shank = r.shank[swing]
    local rise = shank.vy + shank_length * math.sin(shank.angle) * shank.omega -- rate of the foot's height
    return {
      m:phase { "knee free " .. swing, without = { contact[swing], lock[swing] }, stop = bend(r, swing), within = 1 },
      m:phase { "knee locked " .. swing, without = { contact[swing] }, stop = -r.height[swing], within = 1 },
      m:phase { "heel strike " .. swing, stop = rise, within = 0.1 },
    }
  end)
end

return walker
