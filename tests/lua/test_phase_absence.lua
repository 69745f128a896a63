-- What a phase leaves out is neither in energies nor in its own signals, and an anchor begins anew.
local mbs = require "perilune"
local check = require "check"

local precise = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }

-- Gradients of both discrete methods agree to 1e-10, and with differences of whole motions to `tolerance`.
local function compare(m, call, tolerance)
  call.method = mbs.direct {}
  local direct = m:gradient(call)
  call.method = mbs.finite_difference { step = 1e-3, richardson = 2 }
  local differences = m:gradient(call)
  call.method = mbs.adjoint { checkpoints = 3 }
  local few = m:gradient(call)
  call.method = mbs.adjoint {}
  local adjoint = m:gradient(call)
  for o = 1, #adjoint do
    local size = 1e-3
    for _, x in ipairs(direct[o].gradient) do size = math.max(size, math.abs(x)) end
    for p, x in ipairs(adjoint[o].gradient) do
      check.equal(few[o].gradient[p], x)
      local text = ("%s by %s: "):format(call[1][o].name, adjoint[o].parameters[p])
      assert(math.abs(x - direct[o].gradient[p]) <= 1e-10 * size, text .. x .. " " .. direct[o].gradient[p])
      assert(math.abs(x - differences[o].gradient[p]) <= tolerance * size,
             text .. x .. " " .. differences[o].gradient[p])
    end
  end
  return adjoint
end

do -- A spring that pulls until it is let go: x = l + a cos(w t), then straight on.
  local m = mbs.model { "catapult", gravity = { 0, 0 } }
  local k, a, T = m:param { "k", 4 }, m:param { "a", 0.5 }, m:param { "T", 0.3 }
  local P = m:point { "P", at = { 1 + a, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { 0, 1 }, mass = 1 }
  local spring = m:spring { "spring", m:ground { at = { 0, 0 } }, P, stiffness = k, damping = 0.1, free_length = 1 }
  local push = m:force { "push", on = Q, law = function() return k, 0 end }
  m:force { "follower", on = Q, law = function() return 0, spring.force end } -- feels what the spring does
  local stop = function(s) return s.t - T end
  local pulled = { m:phase { "pulled", stop = stop }, m:phase { "free", without = { spring, push } } }
  local run = m:simulate { t = 1, phases = pulled, integrator = precise }
  local total, force, fx = run:values "energy.total", run:values(spring.force), run:values(push.fx)
  local lost, length = run:values(spring.dissipation), run:values(spring.length)
  local vx, vy, qx, qy = run:values(P.vx), run:values(P.vy), run:values(Q.vx), run:values(Q.vy)
  local potential, follows = run:values "energy.potential", run:values "follower.fy"
  local held, free = run.phases[1], run.phases[2]
  for i = 1, #total do
    local acts = i <= held.last
    local stretch = length[i] - 1
    check.near(force[i], acts and 4 * stretch + 0.1 * vx[i] or 0, 1e-12)
    check.near(lost[i], acts and 0.1 * vx[i] ^ 2 or 0, 1e-12)
    check.near(fx[i], acts and 4 or 0)
    check.near(follows[i], force[i])
    check.near(potential[i], acts and 2 * stretch ^ 2 or 0, 1e-12)
    check.near(total[i], potential[i] + (vx[i] ^ 2 + vy[i] ^ 2 + qx[i] ^ 2 + qy[i] ^ 2) / 2, 1e-12)
  end
  -- Nothing pulls at the follower any more, and between the mesh points, too, all is zero; what is measured goes on.
  check.near(qy[free.last], qy[held.last], 1e-12)
  check.near(qx[free.last], 4 * 0.3, 1e-9)
  check.equal(run:at(spring.force, 0.7), 0)
  check.equal(run:at("push.fx", 0.7), 0)
  assert(run:at(spring.force, 0.1) > 0.1 and run:at(spring.length, 0.7) ~= run:at(spring.length, 0.8))

  -- The same in objectives and their gradients.
  local objectives = {
    m:objective { "impulse", integral = spring.force },
    m:objective { "work", integral = function() return spring.force * P.vx + push.fx * Q.vx end },
    m:objective { "energy", terminal = m:signal "energy.total" },
    m:objective { "nothing", terminal = spring.force * k + push.fx },
    m:objective { "both", terminal = m:signal "energy.total" * P.x, integral = m:signal "energy.potential" },
  }
  local found = compare(m, { objectives, t = 1, phases = pulled, over = { k, a, T }, integrator = precise }, 1e-8)
  local speed = vx[free.last]
  check.near(found[1].value, -speed, 1e-9)
  check.near(found[3].value, speed ^ 2 / 2 + qx[free.last] ^ 2 / 2 + qy[free.last] ^ 2 / 2, 1e-9)
  check.equal(found[4].value, 0)
  for _, x in ipairs(found[4].gradient) do check.equal(x, 0) end
end

do -- A stop and what is set read what acts: the force when the spring was let go, and none afterwards.
  local m = mbs.model { gravity = { 0, 0 } }
  local k, peak = m:param { "k", 4 }, m:param { "peak", 0 }
  local after = m:param { "after", 7 }
  local P = m:point { "P", at = { 1.5, 0 }, velocity = { 0.2, 0 }, mass = 1 }
  local spring = m:spring { "spring", m:ground { at = { 0, 0 } }, P, stiffness = k, free_length = 1 }
  local phases = { m:phase { "pulled", stop = 1 - spring.force },
                   m:phase { "free", without = { spring }, set = { peak = spring.force }, stop = 0.9 - P.x },
                   m:phase { "again", set = { after = spring.force } } }
  local run = m:simulate { t = 3, phases = phases, integrator = precise }
  check.near(run:at(peak, run.t), 1, 1e-9)
  check.equal(run:at(after, run.t), 0)
  local objectives = { m:objective { "J1", terminal = peak * P.x },
                       m:objective { "J2", terminal = after + P.x + P.vx } }
  compare(m, { objectives, t = 3, phases = phases, over = { k }, integrator = precise }, 1e-8)
end

do -- A joint that is let go drifts no more, a constraint signal of a phase is that of its constraints.
  local m = mbs.model { gravity = { 0, -10 } }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  local rod = m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  local line = m:constraint { "line", law = P.x - 1 }
  local run = m:simulate { t = 0.5, phases = { m:phase { "falls", without = { rod }, stop = -0.5 - P.y },
                                               m:phase { "flies", without = { rod, line } } } }
  for _, name in ipairs { "constraint.drift", "constraint.velocity_drift" } do
    for _, x in ipairs(run:values(name)) do assert(x < 1e-6, name) end
  end
end

do -- A state that adds up what a contact takes need not be left out with it, and the balance of energy closes.
  local m = mbs.model { "bounce", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0, 0.2 }, velocity = { 0.5, 0 }, mass = 1 }
  local floor = m:contact { "floor", m.ground, P, normal = mbs.kelvin_voigt { stiffness = 1e4, damping = 20 },
                            friction = mbs.coulomb { coefficient = 0.3 } }
  local lost = m:state { "lost", unit = "J", rate = function() return floor.dissipation end }
  local phases = { m:phase { "lands", stop = function(s) return s.t - 0.206 end },
                   m:phase { "passes", without = { floor }, stop = -0.1 - P.y } }
  local run = m:simulate { t = 1, phases = phases, integrator = precise }
  local lands, passes = table.unpack(run.phases)
  local e, w, n, gap = run:values "energy.total", run:values(lost.value), run:values(floor.normal_force),
                       run:values(floor.gap)
  assert(n[lands.last] > 10 and n[passes.first] == 0 and n[passes.last] == 0 and gap[passes.last] < -0.09)
  check.equal(run:values(floor.friction_x)[passes.last], 0)
  check.near(e[lands.first] - e[lands.last], w[lands.last], 1e-8)
  assert(w[lands.last] > 1e-3)
  check.near(w[passes.last], w[lands.last], 1e-12)
  check.near(e[passes.first], e[passes.last], 1e-8)
  -- What the contact still held is gone with it.
  check.near(e[lands.last] - e[passes.first], 1e4 * gap[lands.last] ^ 2 / 2, 1e-9)
end

do -- An anchor: a block is pushed, lifted and set down again, where the spring of static friction begins anew.
  local m = mbs.model { "block", gravity = { 0, -9.81 } }
  local v, k = m:param { "v", 0.3 }, m:param { "k", 2e3 }
  local mass, lift = m:param { "mass", 2 }, m:param { "lift", 1 }
  local P = m:point { "P", at = { 0, -2e-3 }, velocity = { v, 0 }, mass = mass }
  local floor = m:contact { "floor", m.ground, P, normal = mbs.kelvin_voigt { stiffness = 1e4, damping = 50 },
                            friction = mbs.static_friction { stiffness = k, damping = 30 } }
  local phases = { m:phase { "stands", stop = P.x - 0.004 * lift, within = 0.5 },
                   m:phase { "moves", without = { floor }, stop = P.x - 0.012 * lift, within = 0.5 },
                   m:phase { "stands again", stop = function(s) return s.t + P.x - 0.08 end },
                   m:phase { "goes on" } }
  local run = m:simulate { t = 0.084, phases = phases, integrator = precise }
  local stands, moves, again, on = table.unpack(run.phases)
  local stretch, friction, total = run:values(floor.stretch_x), run:values(floor.friction_x), run:values "energy.total"
  check.near(stretch[stands.last], 0.004, 1e-9)
  check.equal(stretch[moves.first], 0)
  check.equal(stretch[moves.last], 0)
  check.equal(stretch[again.first], 0)
  check.equal(stretch[on.first], stretch[again.last])
  assert(math.abs(stretch[again.last]) > 1e-3)
  local vx = run:values(P.vx)
  check.near(friction[again.first], -30 * vx[again.first], 1e-9)
  check.near(stretch[again.last], run:values(P.x)[again.last] - run:values(P.x)[again.first], 1e-9)
  assert(total[moves.first] < total[stands.last] - 0.5 * 2e3 * 0.0039 ^ 2)
  local objectives = {
    m:objective { "place", terminal = P.x + 0.1 * P.vx + floor.stretch_x },
    m:objective { "friction", integral = function(s) return floor.friction_x * s.t + floor.stretch_x end },
    m:objective { "energy", terminal = m:signal "energy.total", integral = floor.dissipation },
  }
  -- Until just before the block hops, which is a jump that fixed steps would go across.
  for _, integrator in ipairs { precise, mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 },
                                mbs.generalized_alpha { step = 2e-4 }, mbs.rk4 { step = 2e-4 } } do
    compare(m, { objectives, t = 0.084, phases = phases, over = { v, k, mass, lift }, integrator = integrator }, 1e-8)
  end
end

do -- The same with a leg and a latch: parameters, anchor and impact at one instant, in several forms.
  local m = mbs.model { "leg", gravity = { 0, -9.81 } }
  local v, k, reach = m:param { "v", 0.3 }, m:param { "k", 2e3 }, m:param { "reach", 1 }
  local mass, slack = m:param { "mass", 2 }, m:param { "slack", 0 }
  local P = m:point { "P", at = { 0, -2e-3 }, velocity = { v, 0 }, mass = mass }
  local Q = m:point { "Q", at = { 0, 0.2 }, velocity = { 1.5, 0 }, mass = 0.5 }
  local leg = m:distance { "leg", P, Q }
  local latch = m:constraint { "latch", law = Q.x - P.x - slack }
  local floor = m:contact { "floor", m.ground, P, normal = mbs.kelvin_voigt { stiffness = 1e4, damping = 50 },
                            friction = mbs.static_friction { stiffness = k, damping = 30 } }
  local phases = { m:phase { "stands", without = { latch }, stop = P.x - 0.004 * reach, within = 0.5 },
                   m:phase { "moves", without = { floor, latch }, stop = Q.x - P.x - 0.03 * reach, within = 0.5 },
                   m:phase { "stands again", set = { slack = Q.x - P.x + 0 * floor.stretch_x } } }
  local objectives = {
    m:objective { "place", terminal = P.x + 0.1 * Q.vx + floor.stretch_x + m:signal "energy.total" },
    m:objective { "friction", integral = function(s) return floor.friction_x * s.t + floor.stretch_x end },
    m:objective { "forces", integral = function(s) return 0.01 * leg.force * s.t + 0.01 * latch.lambda end },
  }
  local run = m:simulate { t = 0.04, phases = phases }
  assert(#run.phases == 3 and run.phases[3].kinetic_energy_lost > 0.01)
  for _, form in ipairs { mbs.maggi {}, mbs.index1 { project = true }, mbs.penalty {},
                          mbs.augmented_lagrangian {} } do
    for _, integrator in ipairs { precise, mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } } do
      compare(m, { objectives, t = 0.04, phases = phases, over = { v, k, mass, reach }, integrator = integrator,
                   formulation = form }, 1e-8)
    end
  end
end

do -- A screw that is left out has no thread either, though its angle goes on: what hung on it falls freely.
  local m = mbs.model { "screw", gravity = { 0, 0, -9.81 } }
  local nut = m:body { "nut", mass = 2, inertia = { 0.1, 0.1, 0.1 }, at = { 0, 0, 0 } }
  local screw = m:screw { "screw", m.ground, nut, at = { 0, 0, 0 }, axis = "z", lead = 0.5 }
  local run = m:simulate { t = 1, phases = { m:phase { "held", stop = function(s) return s.t - 0.5 end },
                                             m:phase { "falls", without = { screw } } } }
  -- On the thread the weight moves mass + J (2 pi / lead)^2.
  local slow = 9.81 * 2 / (2 + 0.1 * (2 * math.pi / 0.5)^2)
  check.near(run:at("nut.vz", 0.5), -0.5 * slow, 1e-8)
  check.near(run:at("nut.vz", 1), -0.5 * slow - 0.5 * 9.81, 1e-8)
end
