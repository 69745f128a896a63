-- What m:export is tested on, by reading it again and by MuJoCo: all joints that it writes, with the child as either end, an
-- angle and a displacement that are not zero as declared, a centre of mass off the reference point, free bodies, and linear
-- springs with constant parts on joints of both and between places.
return function()
  local mbs = require "perilune"
  local m = mbs.model { "exported", gravity = { 0.3, 0, -9.81 } }
  local function body(name, at, velocity, more)
    local fields = { name, mass = 2, inertia = { 0.1, 0.12, 0.05 }, at = at, velocity = velocity, angular_velocity = { 0, 0.7, 0 } }
    for key, value in pairs(more or {}) do fields[key] = value end
    return m:body(fields)
  end
  local down = { 0, 0, -0.7 }
  local a = body("a", { 1, 0, 0 }, down, { mass = 1, inertia = { 0.1, 0.12, 0.05, 0.01, 0.002, 0.003 },
                                           center_of_mass = { 0.1, 0.2, 0 } })
  m:revolute { "pivot", a, m.ground, at = { 0, 0, 0 }, axis = "y" }
  local b = body("b", { 1, 1, 0 }, down)
  m:spherical { "ball", a, b, at = { 1, 0.5, 0 } }
  local d = body("d", { 1, 2, 0 }, down)
  m:translational { "rail", b, d, at = { 1, 1.5, 0 }, axis = { 0.3, 1, 0.2 } }
  m:weld { "seam", d, body("w", { 1, 2, 1 }, { 0.7, 0, -0.7 }), at = { 1, 2, 0 } }
  local thrown = { orientation = { 1, 0.2, 0.3, 0.4 }, angular_velocity = { 1, 2, 3 } }
  local f, g = body("f", { 5, 2, 1 }, { 1, 2, 3 }, thrown), body("g", { 5, 2, 1 }, { 1, 2, 3 }, thrown)
  m:revolute { "free", f, g, at = { 5, 2, 1 }, axis = { 1, 1, 0 } }
  local h = body("h", { 0, -2, 0 }, { 0, 0, 0 })
  local turned = m:revolute { "turned", m.ground:marker { at = { 0, -2, 0 }, axis = "y", x_axis = "x" },
                                         h:marker { axis = "y", x_axis = { 1, 0, -0.5 } } }
  local k = body("k", { 0.5, -3, 0 }, { 0.4, 0, 0 }, { angular_velocity = { 0, 0, 0 } })
  local moved = m:translational { "moved", k:marker { axis = "x", x_axis = "y" },
                                  m.ground:marker { at = { 0, -3, 0 }, axis = "x", x_axis = "y" } }
  m:torsion_spring { "stiff", on = turned, stiffness = 3, free_angle = 0.2, damping = 0.1, torque = 0.5 }
  m:torsion_spring { "soft", on = turned.angle + m:param { "ahead", 0.3, unit = "rad" }, stiffness = 1.7, free_angle = -0.1, damping = 0.2 }
  m:torsion_spring { "buffer", on = moved.displacement + 0.1, stiffness = 20, free_angle = -0.3, damping = 0.3, torque = -0.7 }
  m:torsion_spring { "back", on = 0.2 - turned.angle, stiffness = 1.1, free_angle = 0.4, damping = 0.1, torque = 0.6 }
  m:torsion_spring { "bearing", on = m:object "pivot", damping = 0.4 }
  m:spring { "coil", m.ground:point { 0, -2, 1 }, k:point { 0.1, 0.2, 0 }, stiffness = 30, damping = 0.5, free_length = 0.7 }
  m:spring { "band", a:point { 0.2, 0, 0.1 }, f:point { 0, 0.1, 0 }, stiffness = 2, free_length = 1 }
  return m
end
