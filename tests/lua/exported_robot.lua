-- What m:export is tested on as URDF: a tree at rest, with the bodies as either end of their joints, turned ones, centres of
-- mass off the reference points, and dampers.
return function()
  local mbs = require "perilune"
  local m = mbs.model { "robot", gravity = { 0, 0, -9.81 } }
  local function body(name, at, orientation)
    return m:body { name, mass = 1, inertia = { 0.1, 0.12, 0.05, 0.01, 0.002, 0.003 }, center_of_mass = { 0.1, 0.2, 0 }, at = at,
                    orientation = orientation }
  end
  local turned = { 1, 0.2, 0.3, 0.4 }
  local arm = body("arm", { 1, 0, 0 })
  local shoulder = m:revolute { "shoulder", m.ground, arm, at = { 0, 0, 0 }, axis = "y" }
  local hand = body("hand", { 2, 0.5, 0 }, turned)
  m:revolute { "wrist", hand, arm, at = { 2, 0.5, 0 }, axis = { 1, 1, 0 } }
  m:weld { "seam", hand, body("tool", { 2.5, 0.5, 0.5 }), at = { 2, 0.5, 0 } }
  local cart = body("cart", { 1, 1, 0 }, { 1, 0, 1, 0 })  -- a pitch of a right angle
  local rail = m:translational { "rail", cart, arm, at = { 1, 1.5, 0 }, axis = { 0.3, 1, 0.2 } }
  m:planar { "table", m.ground, body("puck", { 0, 3, 0 }, turned), at = { 0, 3, 0 }, axis = { 0, 0.2, 1 } }
  body("stone", { 5, 0, 0 }, turned)
  m:torsion_spring { "bearing", on = shoulder, damping = 0.4 }
  m:torsion_spring { "grease", on = rail.displacement, damping = 0.7 }
  return m
end
