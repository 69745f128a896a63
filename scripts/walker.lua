-- The kneed passive walker (Zhu 2014, chapter 5; V. F. Hsu Chen 2007) as models: two legs with knees on a slope.
--   local walker = require "walker"
--   local robot = walker.rigid(), or walker.point_feet { mu = 0.9 }, or walker.surface_feet {}
-- with Ambrosio's dry friction, or without mu with static friction. A robot has model, slope, mass (hip, thigh, shank),
-- start (q1, w1, w2), mu, the bodies thigh[i] and shank[i], foot_x[i] and height[i] of the end of leg i, and
-- phases(count) for that many steps, the first on leg 1.
local mbs = require "perilune"
local walker = {}

local g = 9.81
local thigh_length, shank_length = 0.5, 0.5
local thigh_center, shank_center = 0.325, 0.125 -- m below hip and knee (Hsu Chen 2007, table 3.1)
local touch_depth = 1e-9                        -- m: where a contact sets in, so that its first force is there
local knee_stiffness = 500                      -- N m/rad, of a knee that is locked
local point_mass = 1e-9                         -- kg m^2: the masses are points, which bodies cannot be

local function along(a) return { math.sin(a), -math.cos(a) } end
local function across(a) return { math.cos(a), math.sin(a) } end
local function sum(a, s, b) return { a[1] + s * b[1], a[2] + s * b[2] } end

-- Hip and legs at the start, when a foot has just come down: the legs are straight and their ends on the slope, but for
-- `sink` (m), what the ground gives; `foot_mass` (kg) is taken from the shank. x goes down the slope, y is normal to
-- it; angles of links are from the normal, positive where the lower end is ahead.
local function legs(options)
  local m = mbs.model { "passive walker", gravity = { 0, -g } }
  local r = { model = m, thigh = {}, shank = {}, ankle = {}, foot_x = {}, height = {} }
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
      "shank" .. i, mass = mass.shank - (options.foot_mass or 0), inertia = point_mass,
      center_of_mass = { 0, -shank_center },
      at = sum(hip_at, thigh_length, along(angle[i])), angle = angle[i],
      velocity = sum(hip_velocity, thigh_length * rate[i], across(angle[i])), angular_velocity = rate[i],
    }
    r.ankle[i] = { at = sum(hip_at, thigh_length + shank_length, along(angle[i])), angle = angle[i], rate = rate[i],
                   velocity = sum(hip_velocity, (thigh_length + shank_length) * rate[i], across(angle[i])) }
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
      m:phase { "heel strike " .. swing, within = 0, without = { pin[stance] },
                set = { ["place" .. swing] = r.foot_x[swing] } },
    }
  end)
end

local function friction_of(r, options, stiffness, damping)
  if not options.mu then return mbs.static_friction { stiffness = stiffness, damping = damping } end
  r.mu = r.model:param { "mu", options.mu, min = 0 }
  return options.smooth and mbs.coulomb { coefficient = r.mu } or mbs.ambrosio { coefficient = r.mu }
end

-- For balances of energy: r.lost[e] is what dampers and friction of e have taken so far (J).
local function count_energy(r, elements)
  r.lost = {}
  for _, e in ipairs(elements) do
    r.lost[e] = r.model:state { "lost in " .. e.name, unit = "J", rate = function() return e.dissipation end }
  end
end

-- With compliant contact and knees (ours: the source has no numbers). The foot that swings has no contact, so that it
-- may pass through the slope; it gets it at the instant of its touch. Both knees are locked while the new foot sinks
-- in.
-- `smooth`: laws without jumps and kinks, for gradients. Where a foot bounces, the others' have jumps on the way, and
-- the kink of the restitution factor is at the very end of a phase.
function walker.point_feet(options)
  local stiffness, damping = options.stiffness or 1e5, options.damping or 1e3
  local r = legs { sink = 1.6 * g / stiffness }
  local m, contact, lock = r.model, {}, {}
  local normal = mbs.kelvin_voigt { stiffness = stiffness, damping = damping, restitution = options.smooth and 1 or 0.5,
                                    width = options.smooth and 3e-5 }
  local friction = friction_of(r, options, stiffness, damping)
  for i = 1, 2 do
    lock[i] = m:torsion_spring { "lock" .. i, r.thigh[i], r.shank[i], stiffness = knee_stiffness, damping = 2 }
    contact[i] = m:contact { "foot" .. i, m.ground, foot_of(r, i), normal = normal, friction = friction }
  end
  r.contact, r.lock = contact, lock
  if options.energy then count_energy(r, { contact[1], contact[2], lock[1], lock[2] }) end
  return alternate(r, function(_, swing)
    local shank = r.shank[swing]
    local rise = shank.vy + shank_length * math.sin(shank.angle) * shank.omega -- rate of the foot's height
    return {
      m:phase { "knee free " .. swing, without = { contact[swing], lock[swing] }, stop = bend(r, swing), within = 1 },
      m:phase { "knee locked " .. swing, without = { contact[swing] }, within = 1,
                stop = -r.height[swing] - touch_depth },
      m:phase { "heel strike " .. swing, stop = rise, within = 0.1 },
    }
  end)
end

-- With feet (ours, too): heel, ball and toe touch the slope, and a spring at the ankle keeps the foot square to the
-- shank while it swings. Both knees stay locked for 20 ms after a touch, and then the knee behind has to bend before it
-- can strike: its lock rebounds. `foot`: mass, inertia and ankle against those of a foot of 10 g at the end of a shank
-- of 40 g. At 0.3 the walker settles to a gait in ten seconds. With heavier feet the legs swing too slowly and stiffer
-- ankles take too much of the heel's impact: from 0.5 on every step is shorter than the one before, until it falls.
function walker.surface_feet(options)
  local size, stiffness, damping, rest = options.foot or 0.3, 2e4, 200, 0.02
  local foot_mass = 0.01 * size
  local r = legs { sink = 1.6 * g / (3 * stiffness), foot_mass = foot_mass }
  local m, contact, lock = r.model, {}, {}
  local normal = mbs.kelvin_voigt { stiffness = stiffness, damping = damping, restitution = 0.5 }
  local friction = friction_of(r, options, stiffness, damping)
  local touch = m:param { "touch", 0, unit = "s" } -- when the last foot came down
  r.foot = {}
  for i = 1, 2 do
    local ankle = r.ankle[i]
    local foot = m:body { "foot" .. i, mass = foot_mass, inertia = 2e-4 * size, at = ankle.at,
                          velocity = ankle.velocity, angle = i == 1 and 0 or ankle.angle,
                          angular_velocity = i == 1 and 0 or ankle.rate }
    r.foot[i] = foot
    m:revolute { "ankle" .. i, foot_of(r, i), foot }
    m:torsion_spring { "ankle spring" .. i, r.shank[i], foot, stiffness = 0.5 * size, damping = 0.01 * size }
    lock[i] = m:torsion_spring { "lock" .. i, r.thigh[i], r.shank[i], stiffness = knee_stiffness, damping = 2 }
    contact[i] = m:contact { "sole" .. i, m.ground, foot:point { -0.03, 0 }, foot, foot:point { 0.07, 0 },
                             normal = normal, friction = friction }
  end
  r.contact, r.lock = contact, lock
  return alternate(r, function(_, swing)
    local swings = { contact[swing], lock[swing] }
    return {
      m:phase { "toe off " .. swing, without = swings, stop = -0.05 - bend(r, swing), within = 1 },
      m:phase { "knee free " .. swing, without = swings, stop = bend(r, swing), within = 1 },
      m:phase { "knee locked " .. swing, without = { contact[swing] }, within = 1,
                stop = -contact[swing].gap - touch_depth },
      m:phase { "heel strike " .. swing, set = { touch = function(s) return s.t end },
                stop = function(s) return s.t - touch - rest end },
    }
  end)
end

return walker
