-- What impacts did: impulses by the names of joints, and the kinetic energy that they took, against closed forms.
local mbs = require "perilune"
local check = require "check"

do -- A ball against a wall: the impulse is m v, and nothing of the energy across it is left.
  local m = mbs.model { "ball and wall", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 3, 1 }, mass = 2 }
  local wall = m:constraint { "wall", law = P.x - 1 }
  local hold = m:driver { "hold", what = P.y, law = function() return 0.5 end }
  local run = m:simulate { t = 3, phases = { m:phase { "flies", without = { wall, hold }, stop = P.x - 1 },
                                             m:phase { "slides", without = { hold }, stop = P.y - 0.5 },
                                             m:phase { "stays", within = 0 } } }
  local flies, slides, stays = table.unpack(run.phases)
  assert(next(flies.impulses) == nil and flies.kinetic_energy_lost == 0)
  check.near(slides.impulses.wall.lambda, 2 * 3, 1e-9)
  check.near(slides.kinetic_energy_lost, 2 * 3 ^ 2 / 2, 1e-9)
  -- Drivers have a force: what acts on the ball.
  assert(slides.impulses.hold == nil and stays.impulses.hold.power == nil)
  check.near(stays.impulses.hold.force, -2 * 1, 1e-9)
  check.near(stays.impulses.wall.lambda, 0, 1e-9)
  check.near(stays.kinetic_energy_lost, 1, 1e-9)
  check.fails("an impact has no impulse of 'wal' (did you mean 'wall'?)", function() return slides.impulses.wal end)
  check.fails("has no field 'impulse' (did you mean 'impulses'?)", function() return slides.impulse end)
end

do -- A rope becomes taut: it takes the radial part of the momentum, and the wall behind its length the opposite one.
  local m = mbs.model { "rope", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0.6, 0 }, mass = 2 }
  local rope = m:distance { "rope", m:ground { at = { 0, 0 } }, P, length = 1 }
  local run = m:simulate { t = 2, phases = { m:phase { "falls", without = { rope }, stop = P.x ^ 2 + P.y ^ 2 - 1 },
                                             m:phase { "swings", stop = -P.x },
                                             m:phase { "goes on" } },
                           integrator = mbs.dormand_prince { relative_tolerance = 1e-10 } }
  local radial = 0.8 * math.sqrt(2 * 9.81 * 0.8)
  local swings = run.phases[2]
  check.near(swings.impulses.rope.force, 2 * radial, 1e-8)
  check.near(swings.impulses.rope.lambda, 2 * radial / 2, 1e-8)
  check.near(swings.kinetic_energy_lost, 2 * radial ^ 2 / 2, 1e-8)
  -- Where nothing sets in, nothing happens.
  check.near(run.phases[3].impulses.rope.force, 0, 1e-7)
  check.near(run.phases[3].kinetic_energy_lost, 0, 1e-7)
end

do -- A rod that falls flat is caught by a pin at its end; then the pin is jammed.
  local mass, inertia, a, v = 1.5, 0.2, 0.4, 2
  local m = mbs.model { "rod and pin", gravity = { 0, 0 } }
  local rod = m:body { "rod", mass = mass, inertia = inertia, at = { 0, 1 }, velocity = { 0, -v } }
  local pin = m:revolute { "pin", m:ground { at = { a, 0 } }, rod:point { a, 0 } }
  local jam = m:constraint { "jam", law = rod.angle - 0.5 }
  local run = m:simulate { t = 3, phases = { m:phase { "falls", without = { pin, jam }, stop = -rod.y },
                                             m:phase { "turns", without = { jam }, stop = rod.angle - 0.5 },
                                             m:phase { "jams", within = 0 } } }
  local omega = mass * a * v / (inertia + mass * a ^ 2)
  local turns, jams = run.phases[2], run.phases[3]
  check.near(turns.impulses.pin.force_y, mass * (v - a * omega), 1e-8)
  check.near(turns.impulses.pin.force_x, 0, 1e-8)
  check.near(turns.kinetic_energy_lost, mass * v ^ 2 / 2 - (inertia + mass * a ^ 2) * omega ^ 2 / 2, 1e-8)
  check.near(jams.impulses.jam.lambda, (inertia + mass * a ^ 2) * omega, 1e-7)
  check.near(jams.kinetic_energy_lost, (inertia + mass * a ^ 2) * omega ^ 2 / 2, 1e-7)
  -- The pin stops the centre of mass, which goes across the rod.
  check.near(jams.impulses.pin.force_x ^ 2 + jams.impulses.pin.force_y ^ 2, (mass * a * omega) ^ 2, 1e-7)
end

do -- Two masses that stick together, of a gram and of a ton: their reduced mass times the speed at which they meet.
  for _, masses in ipairs { { 1, 3 }, { 1e-3, 1e3 } } do
    local m = mbs.model { gravity = { 0, 0 } }
    local P = m:point { "P", at = { 0, 0 }, velocity = { 2, 0 }, mass = masses[1] }
    local Q = m:point { "Q", at = { 1, 0 }, velocity = { -0.5, 0 }, mass = masses[2] }
    local stick = m:coincidence { "stick", P, Q }
    local run = m:simulate { t = 1, phases = { m:phase { "meet", without = { stick }, stop = P.x - Q.x },
                                               m:phase { "together" } } }
    local reduced = masses[1] * masses[2] / (masses[1] + masses[2])
    local impact = run.phases[2]
    check.near(math.abs(impact.impulses.stick.lambda_x) / (reduced * 2.5), 1, 1e-9)
    check.near(impact.kinetic_energy_lost / (reduced * 2.5 ^ 2 / 2), 1, 1e-9)
  end
end

do -- In space: a spinning body is welded to the ground after a full turn; that takes its momentum and its spin.
  local omega = 2 * math.pi / 0.4
  local m = mbs.model { "weld", gravity = { 0, 0, 0 } }
  local B = m:body { "B", mass = 2, inertia = { 0.1, 0.2, 0.3 }, at = { 0, 0, 0 }, velocity = { 1, 0, 2 },
                     angular_velocity = { 0, 0, omega } }
  local x, z = m:param { "x", 0 }, m:param { "z", 0 }
  local weld = m:weld { "weld", m:ground { at = { x, 0, z } }, B:point { 0, 0, 0 } }
  local run = m:simulate { t = 1, integrator = mbs.dormand_prince { relative_tolerance = 1e-10 },
                           phases = { m:phase { "flies", without = { weld }, stop = B.x - 0.4 },
                                      m:phase { "held", within = 0, set = { x = B.x, z = B.z } } } }
  local held, kinetic = run.phases[2], run:values "energy.kinetic"
  check.near(held.kinetic_energy_lost, 2 * 5 / 2 + 0.3 * omega ^ 2 / 2, 1e-7)
  check.near(held.kinetic_energy_lost, kinetic[run.phases[1].last] - kinetic[held.first], 1e-9)
  local j = held.impulses.weld
  check.near(j.force_x ^ 2 + j.force_y ^ 2 + j.force_z ^ 2, 4 * 5, 1e-6)
  check.near(j.force_z, -2 * 2, 1e-7)
  check.near(math.abs(j.torque_z), 0.3 * omega, 1e-7)
  -- What keeps the quaternion normalized is no joint.
  check.fails("an impact has no impulse of 'B'", function() return held.impulses.B end)
end

do -- Redundant constraints share an impulse in ways that nobody knows; what was lost is known.
  local m = mbs.model { gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 3, 4 }, mass = 1 }
  local wall, other = m:constraint { "wall", law = P.x - 1 }, m:constraint { "other", law = 2 * P.x - 2 }
  local floor = m:constraint { "floor", law = P.y - 4 / 3 }
  local run = m:simulate { t = 0.5, formulation = mbs.maggi {},
                           phases = { m:phase { "flies", without = { wall, other, floor }, stop = P.x - 1 },
                                      m:phase { "hits" } } }
  local hits = run.phases[2].impulses
  assert(hits.wall.lambda ~= hits.wall.lambda and hits.other.lambda ~= hits.other.lambda)
  check.near(hits.floor.lambda, 4, 1e-9)
  check.near(run.phases[2].kinetic_energy_lost, 12.5, 1e-9)
end
