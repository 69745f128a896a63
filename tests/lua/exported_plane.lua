-- What m:export is tested on in the plane, by reading it again and by MuJoCo: functions by name, each of which returns a
-- model, the names of its bodies and other signals of it.
local mbs = require "perilune"

local function model(name, gravity) return mbs.model { name, gravity = gravity or { 0, -9.81 } } end

local plane = { trees = {}, loops = {} }

-- A centre of mass off the reference point, the ground as second end, and a spring that knows of full turns.
function plane.trees.pendulum()
  local m = model("pendulum", { 0.3, -9.81 })
  local rod = m:body { "rod", mass = 1.3, inertia = 0.1, center_of_mass = { 0.2, 0.1 }, at = { 1, 0.5 }, angle = 7,
                       velocity = { -0.4, 0.8 }, angular_velocity = 0.8 }
  local c, s = math.cos(7), math.sin(7)
  local pivot = m:revolute { "pivot", rod:marker { at = { -c - 0.5 * s, s - 0.5 * c }, angle = 0.5 },
                                    m.ground:marker { at = { 0, 0 }, angle = 0.3 } }
  m:torsion_spring { "coil", on = pivot, stiffness = 2, free_angle = -7 }
  return m, { "rod" }, { "pivot.omega" }
end

-- Springs on angles and between places, with constant parts.
function plane.trees.double_pendulum()
  local m = model "double_pendulum"
  local upper = m:body { "upper", mass = 2, inertia = 0.2, at = { 0.5, 0 }, velocity = { 0, 0.5 },
                         angular_velocity = 1 }
  local lower = m:body { "lower", mass = 1, inertia = 0.1, at = { 1, -0.5 }, angle = -1.5, velocity = { 0, 1 } }
  local pivot = m:revolute { "pivot", m.ground, upper, at = { 0, 0 } }
  local elbow = m:revolute { "elbow", upper, lower, at = { 1, 0 } }
  m:torsion_spring { "coil", on = elbow, stiffness = 8, free_angle = 0.3, damping = 0.2, torque = 0.5 }
  m:torsion_spring { "twist", on = upper.angle + 0.1, stiffness = 5, damping = 0.1 }
  m:torsion_spring { "grease", on = pivot, damping = 0.05 }
  m:spring { "band", m.ground:point { 0.3, -1 }, lower:point { 0.1, 0.2 }, stiffness = 30, damping = 0.4,
             free_length = 0.5 }
  m:spring { "strut", upper:point { 0.2, 0.1 }, lower:point { -0.1, 0 }, stiffness = 20 }
  return m, { "upper", "lower" }, { "pivot.angle", "elbow.angle", "elbow.omega" }
end

-- On an oblique rail, with both ends as the child, a weld, and a coincidence with a spring.
function plane.trees.cart()
  local m = model("cart", { 1, -9.81 })
  local c, s = math.cos(0.4), math.sin(0.4)
  local along, with_mast = { 0.5 * c, 0.5 * s }, { 0.5 * c, 0.5 * s + 0.2 }
  local cart = m:body { "cart", mass = 3, inertia = 0.3, at = { c, s }, angle = 0.4, velocity = along }
  local rail = m:translational { "rail", cart:marker {}, m.ground:marker { at = { 0, 0 }, angle = 0.4 } }
  local box = m:body { "box", mass = 1, inertia = 0.1, at = { c - 0.5 * s, s + 0.5 * c }, angle = 1, velocity = along }
  m:weld { "seam", cart, box, at = { c, s } }
  local slide = m:body { "slide", mass = 1, inertia = 0.1, at = { c, s + 1 }, velocity = with_mast }
  m:translational { "mast", cart, slide, at = { c, s }, axis = { 0, 1 } }
  local bob = m:body { "bob", mass = 1, inertia = 0.05, at = { c, s + 0.5 }, angle = 2, velocity = with_mast }
  m:coincidence { "hook", bob:point { 0.5 * math.sin(2), 0.5 * math.cos(2) }, slide }
  m:torsion_spring { "felt", on = bob.angle - slide.angle, stiffness = 2, free_angle = 1.5, damping = 0.1,
                     torque = 0.2 }
  m:torsion_spring { "buffer", on = rail.displacement + 0.1, stiffness = 20, free_angle = -0.3, damping = 0.3,
                     torque = -0.7 }
  return m, { "cart", "slide", "bob" }, { "box.x", "box.y", "rail.displacement", "rail.speed", "mast.displacement" }
end

-- Nothing holds them to the ground: two slides and a hinge.
function plane.trees.thrown()
  local m = model("thrown", { 0, -1.62 })
  local a = m:body { "a", mass = 1, inertia = 0.05, center_of_mass = { 0.02, 0.01 }, at = { 0.3, 0.15 }, angle = -8,
                     velocity = { 1, 2 }, angular_velocity = 3 }
  local b = m:body { "b", mass = 0.5, inertia = 0.02, at = { 0.3, 0.15 }, angle = 0.5, velocity = { 1, 2 } }
  m:revolute { "joint", a, b, at = { 0.3, 0.15 } }
  m:spring { "string", a:point { 0, 0.2 }, m.ground:point { 0, 0 }, stiffness = 3, free_length = 0.2 }
  return m, { "a", "b" }, { "joint.angle", "joint.omega" }
end

-- A body that turns at `speed` about the point below it at height 0, as far away as it is high.
local function on_ground(m, name, mass, inertia, x, height, speed)
  return m:body { name, mass = mass, inertia = inertia, at = { x, height }, velocity = { -height * speed, 0 },
                  angular_velocity = speed }
end

-- The crank stands upright and turns at `speed`; at this moment the rod does not turn.
function plane.loops.slider_crank(speed)
  local m = model "slider_crank"
  local crank, along = on_ground(m, "crank", 1, 0.02, 0, 0.15, speed), { -0.3 * speed, 0 }
  local rod = m:body { "rod", mass = 0.8, inertia = 0.05, at = { 0.2, 0.15 }, velocity = along }
  local piston = m:body { "piston", mass = 0.5, inertia = 0.01, at = { 0.4, 0 }, velocity = along }
  m:revolute { "shaft", m.ground, crank, at = { 0, 0 } }
  m:translational { "guide", m.ground:marker { at = { 0.4, 0 } }, piston:marker {} }
  m:revolute { "pin", crank, rod, at = { 0, 0.3 } }
  m:revolute { "wrist", rod, piston, at = { 0.4, 0 } }
  return m, { "crank", "rod", "piston" }, { "shaft.angle", "guide.displacement", "pin.angle" }
end

-- Both arms stand upright, so that the coupler does not turn at the start.
function plane.loops.four_bar(speed)
  local m = model "four_bar"
  local crank = on_ground(m, "crank", 1, 0.05, 0, 0.15, speed)
  local rocker = on_ground(m, "rocker", 1, 0.08, 0.9, 0.25, 0.6 * speed)
  local coupler = m:body { "coupler", mass = 2, inertia = 0.2, at = { 0.45, 0.4 }, velocity = { -0.3 * speed, 0 } }
  m:revolute { "shaft", m.ground, crank, at = { 0, 0 } }
  m:revolute { "pin", crank, coupler, at = { 0, 0.3 } }
  m:revolute { "pivot", m.ground, rocker, at = { 0.9, 0 } }
  m:revolute { "close", coupler, rocker, at = { 0.9, 0.5 } }
  return m, { "crank", "coupler", "rocker" }, { "shaft.angle", "pivot.angle", "pin.omega" }
end

-- At rest, with angles and displacements of 0, as URDF has it: on the ground, and free.
function plane.standing()
  local m = model "standing"
  local cart = m:body { "cart", mass = 2, inertia = 0.1, at = { 1, 1 }, angle = 0.3 }
  m:translational { "rail", m.ground, cart, at = { 1, 1 }, axis = { 1, -0.5 } }
  local arm = m:body { "arm", mass = 1, inertia = 0.05, center_of_mass = { 0.1, 0 }, at = { 1.5, 1 }, angle = -0.2 }
  local joint = m:revolute { "joint", arm, cart, at = { 1, 1 } }
  m:torsion_spring { "grease", on = joint, damping = 0.1 }
  m:weld { "seam", arm, m:body { "tip", mass = 0.3, inertia = 0.01, at = { 2, 1 } }, at = { 2, 1 } }
  local stone = m:body { "stone", mass = 1, inertia = 0.1, center_of_mass = { 0.1, 0 }, at = { 0, 3 }, angle = 2 }
  local tail = m:body { "tail", mass = 1, inertia = 0.2, center_of_mass = { 0, -0.2 }, at = { 0, 3 } }
  m:coincidence { "string", stone, tail }
  return m
end

return plane
