-- Angles that jump by a turn, in integrands and laws: steps end there, and derivatives are those of closed forms.
local mbs = require "perilune"
local check = require "check"

local methods = { mbs.adjoint {}, mbs.direct {}, mbs.adjoint { checkpoints = 3 } }
local steps = { mbs.dormand_prince {}, mbs.radau {} }
local w0, T = 2, 4  -- rad/s, s: half a turn is passed once
local passed = math.pi / w0

-- A disc that turns at a constant rate w. Its angle is w t, less a turn from t = pi / w on.
for _, read in ipairs { "roll_pitch_yaw", "turn_of", "atan" } do
  local m = mbs.model { read, gravity = { 0, 0, 0 } }
  local w = m:param { "w", w0 }
  local disc = m:body { "disc", mass = 1, inertia = { 1, 1, 1 }, at = { 1, 0, 0 }, angular_velocity = { 0, 0, w }, velocity = { 0, w, 0 } }
  m:revolute { m.ground, disc, at = { 0, 0, 0 }, axis = "z" }
  local load = m:point { "load", at = { 0, 5, 0 }, mass = 1 }
  local angle = read == "turn_of" and m.ground:turn_of(disc, "z") or read == "atan" and math.atan(disc.y, disc.x)
    or select(3, disc:roll_pitch_yaw())
  local roll = disc:roll_pitch_yaw()
  m:force { "push", on = load, law = function() return angle, 0, 0 end }
  local J = m:objective { "J", integral = angle + roll }
  local end_of_load = m:objective { "end", terminal = load.x }
  local exact = {
    { w0 * T ^ 2 / 2 - 2 * math.pi * (T - passed), T ^ 2 / 2 - 2 * math.pi ^ 2 / w0 ^ 2 },
    { w0 * T ^ 3 / 6 - math.pi * (T - passed) ^ 2, T ^ 3 / 6 - 2 * math.pi ^ 2 * (T - passed) / w0 ^ 2 },
  }
  for _, integrator in ipairs(steps) do
    for _, method in ipairs(methods) do
      local got = m:gradient { { J, end_of_load }, t = T, formulation = mbs.maggi {}, integrator = integrator, method = method }
      for o, expected in ipairs(exact) do
        check.near(got[o].value, expected[1], 1e-6, read)
        check.near(got[o].gradient[1], expected[2], 1e-6, read)
      end
    end
    -- The roll stays at zero, give or take a rounding, which is no event.
    local events = m:simulate { t = T, formulation = mbs.maggi {}, integrator = integrator, objectives = { J } }.events
    assert(#events <= 4, #events)
  end
end

-- The arc tangent of a quotient jumps where what it is divided by vanishes: it cannot be continued there.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local w = m:param { "w", 2 }
  local P = m:point { "P", mass = 1, at = { 1, 0 }, velocity = { 0, w } }
  m:distance { m:ground { at = { 0, 0 } }, P }
  local Q = m:point { "Q", mass = 1, at = { 5, 0 } }
  m:force { "push", on = Q, law = function(s) return math.atan(P.y(s) / P.x(s)), 0 end }
  local J = m:objective { "J", terminal = Q.x }
  check.near(m:simulate { t = 1 }.events[1].t, math.pi / 4, 1e-7)
  check.fails("jumps where its law cannot be continued", m.gradient, m, { J, t = 1 })
end
