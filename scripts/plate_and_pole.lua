-- The inverted spatial pendulum of Verulkar, Sandu, Sandu and Dopico (2023), section 4.1, as a model: a plate slides on
-- the ground with friction and carries a pole on a ball joint; a controller pushes the plate so that the pole stands.
--   local plate_and_pole = require "plate_and_pole"
--   local r = plate_and_pole.build { gains = { 750, 200, 10 }, friction = plate_and_pole.brown_mcphee {} }
-- The source prints no data of the mechanism: these are SP-1, ours. Without `friction` the plate slides freely. r has
-- model, plate, pole, ground, error (x, y: of the pole's centre from the plate's), control (x, y), the parameters
-- gains, cost (psi of equation 32), and force (x, y: the friction, if there is any).
local mbs = require "perilune"
local plate_and_pole = {}

-- SP-1. It was chosen so that five published gains and two switching times come out: these check nothing.
plate_and_pole.data = { plate = 3.5, pole = 1.1, half_length = 0.46, tilt = 0.38, azimuth = 0, gravity = 9.81 }

-- What the plate presses onto the ground, and how fast it slides: rounded where they would have a kink.
local function rounded(square, by) return (square + by ^ 2) ^ 0.5 end

--- Equation (1), without its viscous term: the coefficient at the speed v.
function plate_and_pole.coefficient(v, data)
  local x = v / data.transition
  return data.dynamic * mbs.tanh(4 * x) + (data.static - data.dynamic) * x / ((x / 2) ^ 2 + 0.75) ^ 2
end

--- Brown and McPhee's friction against the velocity: a function that returns the force, for build.
function plate_and_pole.brown_mcphee(data)
  data = { static = data.static or 0.4, dynamic = data.dynamic or 0.3, transition = data.transition or 1e-2 }
  return function(_, vx, vy, load)
    local speed = rounded(vx ^ 2 + vy ^ 2, 1e-6)
    local part = -load * plate_and_pole.coefficient(speed, data) / speed
    return part * vx, part * vy
  end
end

--- Friction of Gonthier, McPhee, Lange and Piedboeuf (2004): bristles that bend, break away the later the longer they
--- have been at rest, and slide. All data but static and dynamic are ours. Its load is rounded as that of the other law.
function plate_and_pole.gonthier(data)
  local all = { static = 0.5, dynamic = 0.4, stiffness = 1e5, damping = 300, stribeck_speed = 1e-2, regularization = 1e-3,
                dwell_time = 0.05 }
  for name, value in pairs(data) do all[name] = value end
  return mbs.gonthier(all)
end

--- The model. options: gains {Kp, Ki, Kd}, friction (what a function above makes), and what differs from data.
function plate_and_pole.build(options)
  local d = {}
  for name, value in pairs(plate_and_pole.data) do d[name] = options[name] or value end
  local m = mbs.model { "plate and pole", gravity = { 0, 0, -d.gravity } }
  local gains = {
    m:param { "Kp", options.gains[1], unit = "N/m" },
    m:param { "Ki", options.gains[2], unit = "N/(m s)" },
    m:param { "Kd", options.gains[3], unit = "N s/m" },
  }
  local c, s = math.cos(d.azimuth), math.sin(d.azimuth)
  local across, up = d.half_length * math.sin(d.tilt), d.half_length * math.cos(d.tilt)
  local inertia = d.pole * d.half_length ^ 2 / 3
  -- The plate does not turn, and about its own axis nothing turns the pole: these inertias do not matter.
  local plate = m:body { "plate", mass = d.plate, inertia = { 0.05, 0.05, 0.08 } }
  local pole = m:body {
    "pole", mass = d.pole, inertia = { inertia, inertia, 1e-3 }, at = { across * c, across * s, up },
    orientation = { math.cos(d.tilt / 2), -s * math.sin(d.tilt / 2), c * math.sin(d.tilt / 2), 0 },
  }
  local law = type(options.friction) ~= "function" and options.friction or nil  -- which the joint takes itself
  local ground = m:point_on_plane { "ground", m.ground, plate, at = { 0, 0, 0 }, axis = "z", friction = law,
                                    load_regularization = law and 1e-4 }
  m:parallel_axes { "level", m.ground, plate, axis = "z" }
  m:perpendicular_axes { "straight", m.ground, plate, axis = "x", axis_b = "y" }
  m:spherical { "foot", plate, pole, at = { 0, 0, 0 } }

  local error = { x = pole.x - plate.x, y = pole.y - plate.y }
  local control = {}
  for axis, e in pairs(error) do
    control[axis] = m:pid { "control_" .. axis, error = e, kp = gains[1], ki = gains[2], kd = gains[3] }.output
  end
  m:force { "actuator", on = plate, law = function() return control.x, control.y, 0 end }
  local force = { x = 0, y = 0 }
  if law then
    force = { x = ground.friction_x, y = ground.friction_y }
  elseif options.friction then
    force.x, force.y = options.friction(m, plate.vx, plate.vy, rounded(ground.force_z ^ 2, 1e-4))
    m:force { "friction", on = plate, law = function() return force.x, force.y, 0 end }
  end
  local deviation = 1e5 * (error.x ^ 2 + error.y ^ 2)
  local cost = m:objective { "psi", terminal = deviation, integral = deviation + control.x ^ 2 + control.y ^ 2 }
  return { model = m, plate = plate, pole = pole, ground = ground, error = error, control = control, force = force,
           gains = gains, cost = cost }
end

return plate_and_pole
