-- The curvature of paths, and the power of springs: closed forms.
local check = require "check"
local mbs = require "perilune"

do -- a parabola, a circle the other way round, and a point of a body; derivatives
  local m = mbs.model { gravity = { 0, -10 } }
  local v = m:param { "v", 3, unit = "m/s" }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 4 }, mass = 1 }
  local disc = m:body { "disc", at = { 5, 0 }, mass = 1, inertia = 1, angular_velocity = -2 }
  m:revolute { "axis", m.ground, disc, at = { 5, 0 } }
  local bend = mbs.curvature(P)
  local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 0.01 } }
  for _, t in ipairs { 0, 0.4, 1 } do
    check.near(run:at(bend, t), -10 * 3 / (9 + (4 - 10 * t) ^ 2) ^ 1.5, 1e-12)
    check.near(run:at(mbs.curvature(disc:point { 0.25, 0 }), t), -4, 1e-6) -- interpolated accelerations
  end
  local g = m:gradient { m:objective { terminal = bend }, over = { v }, t = 1, integrator = mbs.rk4 { step = 0.01 } }
  check.near(g.gradient[1], -10 / 45 ^ 1.5 + 1.5 * 10 * 3 * 2 * 3 / 45 ^ 2.5, 1e-12)
  check.fails("which has no path", mbs.curvature, m.ground)
  check.fails("expected a point, a body", mbs.curvature, 3)
end

do -- a helix
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local r, c = 0.5, 0.2 -- radius, rise per radian
  local top = m:body { "top", at = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 }, velocity = { 0, 0, 3 * c },
                       angular_velocity = { 0, 0, 3 } }
  local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-3 } }
  check.near(run:at(mbs.curvature(top:point { r, 0, 0 }), 1), r / (r ^ 2 + c ^ 2), 1e-9)
end

do -- what springs, a damper, a curve, a torsion spring and a stop have driven is the kinetic energy
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1, 0.2 }, mass = 2 }
  local s = m:spring { "s", m:ground { at = { 0, 0 } }, P, stiffness = 50, free_length = 0.6, damping = 3, force = 1,
                       law = function(x) return 0.1 * x.length ^ 2 end }
  local arm = m:body { "arm", mass = 1, inertia = 0.5, at = { 3, 0 }, angular_velocity = 2 }
  local pin = m:revolute { "pin", m.ground, arm, at = { 3, 0 } }
  local t = m:torsion_spring { "t", on = pin, stiffness = 4, damping = 0.3, torque = 0.2 }
  local b = m:bump_stop { "b", on = pin.angle, upper = 0.3, stiffness = 100, damping = 1, width = 0.01 }
  local w = m:state { "w", rate = function() return s.power + t.power + b.power end }
  local run = m:simulate { t = 1 }
  check.near(run:at(w.value, 1), run:at("energy.kinetic", 1) - run:at("energy.kinetic", 0), 1e-7)
  assert(math.abs(run:at(w.value, 1)) > 0.1)
end
