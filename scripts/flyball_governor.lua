-- The centrifugal governor of Verulkar, Sandu, Sandu and Dopico (2023), section 4.2, as a model: a pillar that turns, a
-- collar that slides on it, and two arms with flyweights, which lift the collar by links as they swing out.
--   local governor = require "flyball_governor"
--   local r = governor.build { design = governor.optimum, free_length = 0.1 }
-- Lengths, stiffness, damping and the control law are printed; masses, bearings, friction and the start are ours. r has
-- model, design (the seven parameters), pillar, collar, arm[i], pivot[i] and cost (psi of equation 36).
local mbs = require "perilune"
local governor = {}

governor.initial = { 0.135, 0.08, 0.3, 0.025, 0.025, 0.225, 0.03 }
governor.optimum = { 0.1247, 0.0853, 0.20, 0.02, 0.02, 0.2, 0.0242 }
governor.bounds = { { 0.1, 0.15 }, { 0.06, 0.1 }, { 0.2, 0.4 }, { 0.02, 0.03 }, { 0.02, 0.03 }, { 0.2, 0.25 },
                    { 0.02, 0.04 } }
governor.names = { "top_arm", "bottom_arm", "overhang", "offset", "collar_radius", "pillar_height", "flyweight" }
governor.data = {
  stiffness = 1000, damping = 50, gain = 200, height = 0.1, target = 15, -- printed
  gravity = 9.81, start = 15, collar = 0.05, pillar = 0.2, pillar_radius = 0.01, line = 0.03, -- ours; line: kg/m
  static = 0.2, dynamic = 0.15, transition = 1e-2, radius = 0.003, length = 0.01, -- ours: bearings of the top arms
}

local function rounded(square) return (square + 1e-12) ^ 0.5 end

--- Friction in a revolute joint, by the loads of equations (2) and (3): torque against the rate, from the reaction.
function governor.bearing_torque(joint, d)
  local slip = d.radius * joint.omega
  local x = slip / d.transition
  local mu = d.dynamic * mbs.tanh(4 * x) + (d.static - d.dynamic) * x / ((x / 2) ^ 2 + 0.75) ^ 2
  local ax, ay = joint.torque_y / d.length, joint.torque_x / d.length
  local near = rounded((joint.force_x - ax) ^ 2 + (joint.force_y + ay) ^ 2)
  local shaft = math.pi ^ 3 / 24 * (near + rounded(ax ^ 2 + ay ^ 2))
  return d.radius * mu * (shaft + rounded(joint.force_z ^ 2))
end

--- options: design (seven numbers), free_length (of the spring), speed (rad/s, at the start), friction (false: none),
--- drive (the collar rises at so many m/s, and the pillar keeps its speed, without spring and control).
function governor.build(options)
  local d, p = governor.data, {}
  local m = mbs.model { "governor", gravity = { 0, 0, -d.gravity } }
  for i, name in ipairs(governor.names) do
    p[i] = m:param { name, options.design[i], min = governor.bounds[i][1], max = governor.bounds[i][2] }
  end
  local top, bottom, offset, radius, pillar_height, flyweight = p[1], p[2], p[4], p[5], p[6], p[7]
  local spin, height = options.speed or d.start, d.height
  -- The arms at the start, where the collar is at its height: angle from the vertical by the law of cosines.
  local inner = (1 - p[3]) * top -- from the pivot to where the bottom arm joins
  local dx, dz = radius - offset, pillar_height - height
  local distance2 = dx ^ 2 + dz ^ 2
  local theta = mbs.atan2(dx, dz) + math.acos((inner ^ 2 + distance2 - bottom ^ 2) / (2 * inner * distance2 ^ 0.5))
  local joint_x, joint_z = offset + inner * math.sin(theta), pillar_height - inner * math.cos(theta)

  local pillar = m:body { "pillar", mass = d.pillar, inertia = { 1e-3, 1e-3, d.pillar * d.pillar_radius ^ 2 / 2 },
                          angular_velocity = { 0, 0, spin } }
  local collar = m:body { "collar", mass = d.collar, at = { 0, 0, height },
    inertia = { 1e-5, 1e-5, d.collar * (radius ^ 2 + d.pillar_radius ^ 2) / 2 },
    angular_velocity = { 0, 0, spin } }
  m:revolute { "bearing", m.ground, pillar, at = { 0, 0, 0 }, axis = "z" }
  m:translational { "slide", pillar, collar, at = { 0, 0, height }, axis = "z" }

  -- A bar in the plane of an arm: x along it, downward by beta from the horizontal, y normal to the plane.
  local function bar(name, side, x, z, beta, length, tip)
    local mass = d.line * length + tip
    local center = (d.line * length / 2 + tip) * length / mass
    local transverse = d.line * length ^ 3 / 3 + tip * length ^ 2 - mass * center ^ 2
    local c, s = math.cos(beta / 2), math.sin(beta / 2)
    return m:body { name, mass = mass, inertia = { 1e-7, transverse, transverse }, center_of_mass = { center, 0, 0 },
      at = { side * x, 0, z }, orientation = side > 0 and { c, 0, s, 0 } or { 0, -s, 0, c },
      velocity = { 0, side * spin * x, 0 }, angular_velocity = { -spin * math.sin(beta), 0, spin * math.cos(beta) } }
  end
  local r = { model = m, design = p, pillar = pillar, collar = collar, arm = {}, pivot = {}, theta = theta }
  for i, side in ipairs { 1, -1 } do
    local arm = bar("arm" .. i, side, offset, pillar_height, math.pi / 2 - theta, top, flyweight)
    local link = bar("link" .. i, side, radius, height, mbs.atan2(height - joint_z, joint_x - radius), bottom, 0)
    local pivot = m:revolute { "pivot" .. i, pillar, arm, at = { side * offset, 0, pillar_height },
                               axis = { 0, side, 0 } }
    m:spherical { "elbow" .. i, arm, link, at = { side * joint_x, 0, joint_z } }
    m:universal { "pin" .. i, collar, link, at = { side * radius, 0, height }, axis = { 0, 1, 0 },
                  axis_b = { side * (joint_z - height), 0, radius - joint_x } }
    if options.friction ~= false then
      m:torque { "friction" .. i, on = arm, reaction_on = pillar, frame = "body",
                 law = function() return 0, -governor.bearing_torque(pivot, d), 0 end }
    end
    r.arm[i], r.pivot[i] = arm, pivot
  end
  if options.drive then
    m:driver { "lift", what = collar.z, law = function(s) return height + options.drive * s.t end }
    m:driver { "turn", what = m:signal "bearing.angle", law = function(s) return spin * s.t end }
  else
    m:spring { "spring", pillar, collar, stiffness = d.stiffness, damping = d.damping,
               free_length = options.free_length }
    m:torque { "control", on = pillar, law = function() return 0, 0, d.gain * (height - collar.z) end }
  end
  r.cost = m:objective { "psi", integral = (pillar.omega_z - d.target) ^ 2 }
  return r
end

--- The free length with which a design turns at the target speed, the collar at its height: from the force that holds
--- the collar there.
function governor.calibrate(design)
  local d = governor.data
  local driven = governor.build { design = design, speed = d.target, drive = 0, friction = false }
  local run = driven.model:kinematics { t = 0.1, points = 2 }
  return d.height + run:at("lift.force", 0) / d.stiffness
end

return governor
