-- Places between the nodes of slender beams: what acts there is shared by the nodes beside it so that work is the same.
-- Against closed forms of beams (the nodes of which such elements have exactly), lever laws, and nodes in the same places.
local mbs = require "perilune"
local check = require "check"

local E, A, I, L = 2e11, 1e-4, 1e-10, 2
local EI = E * I

--- A vector of the plane, or in space with its second component along z.
local function flat(dimension, x, y) return dimension == 3 and { x, 0, y } or { x, y } end
local function cantilever(dimension, elements, more)
  local m = mbs.model { gravity = flat(dimension, 0, 0) }
  local how = { "arm", from = flat(dimension, 0, 0), to = flat(dimension, L, 0), elements = elements, young = E,
                density = 7800, area = A, second_moment = I }
  for name, value in pairs(more or {}) do how[name] = value end
  local arm = m:beam(how)
  m:clamp { arm.first, m.ground }
  return m, arm
end

-- A load at a share of the length: the tip's deflection F a^2 (3 L - a) / (6 E I), and at the load itself F a^3 / (3 E I)
-- less what a beam held at both ends of the element would bend, F u^3 v^3 / (3 E I l^3), u and v to its ends: the cubic
-- has no kink in its curvature. A torque there turns the tip by M a / (E I).
for dimension = 2, 3 do
  local y = dimension == 3 and "z" or "y"
  for _, elements in ipairs { 1, 3, 8 } do
    local m, arm = cantilever(dimension, elements)
    local share = m:param { "share", 0.37 }
    local F = 1e-3
    local place = arm:point { share }
    m:force { on = place, force = flat(dimension, 0, F) }
    for _, s in ipairs { 0.37, 0.34 } do
      share.value = s
      local a, l = s * L, L / elements
      local u = a % l
      local rest = m:equilibrium {}
      check.near(rest:values(arm.last[y])[1] / (F * a^2 * (3 * L - a) / (6 * EI)), 1, 1e-6)
      check.near(rest:values(arm:station { share }[y])[1] / ((F * a^3 - F * (u * (l - u) / l)^3) / (3 * EI)), 1, 1e-6)
    end
    local g = m:gradient { m:objective { "tip", terminal = arm.last[y] }, t = 1e-6, at_rest = true,
                           integrator = mbs.trapezoidal { step = 1e-6 } }
    check.near(g.gradient[1] / (F * L^3 * (6 * 0.34 - 3 * 0.34^2) / (6 * EI)), 1, 1e-6)
  end
  local m, arm = cantilever(dimension, 3)
  local torque = 1e-3
  m:torque { on = arm:point { 0.37 }, torque = dimension == 3 and { 0, -torque, 0 } or torque }
  local rest, a = m:equilibrium {}, 0.37 * L
  check.near(rest:values(arm.last["slope_" .. y])[1] / (torque * a / EI), 1, 1e-6)
  check.near(rest:values(arm.last[y])[1] / (torque * a * (L - a / 2) / EI), 1, 1e-6)
end

-- Beside a node in the same place: the same from the next node on, and the same where the place is a node.
do
  local m, arm = cantilever(2, 4)
  local n, beam = cantilever(2, 5, { nodes_at = { 0.37 } })
  m:force { on = arm:point { 0.37 }, force = { 0, 0.002 } }
  n:force { on = beam.at[1], force = { 0, 0.002 } }
  local one, other = m:equilibrium {}, n:equilibrium {}
  for _, share in ipairs { 0.5, 0.75, 1 } do
    check.near(one:values(arm:station { share }.y)[1] / other:values(beam:station { share }.y)[1], 1, 1e-6)
  end
  for _, k in ipairs { 0, 1, 2, 4 } do
    local by_point, by_node = cantilever(2, 4), nil
    by_point, arm = cantilever(2, 4)
    by_node, beam = cantilever(2, 4)
    for _, case in ipairs { { by_point, arm:point { k / 4 } }, { by_node, beam.nodes[k + 1] } } do
      case[1]:force { "load", on = case[2], force = { 0, 0.3 }, torque = 0.1 }
    end
    check.near(by_point:equilibrium {}:values(arm.last.y)[1], by_node:equilibrium {}:values(beam.last.y)[1], 1e-12)
  end
end

-- A beam on two supports that are no nodes, loaded at its end: the lever law, whatever the elements. By the coincidence of
-- ground and place, and along a line of the ground, where it may slide.
for dimension = 2, 3 do
  local m = mbs.model { gravity = flat(dimension, 0, 0) }
  local beam = m:beam { "beam", from = flat(dimension, 0, 0), to = flat(dimension, L, 0), elements = 5, young = E,
                        density = 7800, area = A, second_moment = 100 * I }
  local left = m:coincidence { "left", beam:point { 0.17 }, m:ground { at = flat(dimension, 0.17 * L, 0) } }
  m:dot2 { "right", m.ground, beam:point { 0.73 }, axis = dimension == 3 and "z" or "y" }
  if dimension == 3 then m:dot2 { "aside", m.ground, beam:point { 0.73 }, axis = "y" } end
  local F = 1e-3
  m:force { on = beam.last, force = flat(dimension, 0, -F) }
  local rest = m:equilibrium {}
  local right = rest:values "right.lambda"[1]
  check.near(math.abs(right) / (F * (1 - 0.17) / (0.73 - 0.17)), 1, 1e-5)
  check.near(math.abs(rest:values(left["lambda_" .. (dimension == 3 and "z" or "y")])[1]) / (F * 0.27 / 0.56), 1, 1e-5)
end

-- Clamped between its nodes: deflection of what overhangs, F b^3 / (3 E I); of second order in the element at least.
do
  local last
  for _, elements in ipairs { 6, 12, 24 } do
    local m = mbs.model { gravity = { 0, 0 } }
    local beam = m:beam { "beam", from = { 0, 0 }, to = { L, 0 }, elements = elements, young = E, density = 7800, area = A,
                          second_moment = I }
    m:clamp { beam:point { 0.375 }, m.ground }
    m:force { on = beam.last, force = { 0, 1e-4 } }
    local off = m:equilibrium {}:values(beam.last.y)[1] / (1e-4 * (0.625 * L)^3 / (3 * EI)) - 1
    assert(math.abs(off) < 0.5 / elements and (not last or math.abs(off) < 0.6 * math.abs(last)),
           ("%d: %g"):format(elements, off))
    last = off
  end
end

-- Everything at once, in the plane and in space: springs between places of neighbouring elements, of other beams, of bodies
-- and of points; a mass that hangs on a place, joints of places with bodies of both kinds and with each other, forces that
-- read where they are. The energy stays; direct and adjoint derivatives by shares and all else are those by differences.
local function tangle(dimension)
  local m = mbs.model { gravity = flat(dimension, 0, -9.81) }
  local share, other, density, k = m:param { "share", 0.37 }, m:param { "other", 0.81 }, m:param { "density", 1000 },
                                   m:param { "k", 30 }
  local function beam(name, from, to)
    return m:beam { name, from = from, to = to, elements = 3, young = 1e7, density = density, area = 4e-4,
                    second_moment = 1.3e-8, axial = "green" }
  end
  local upper = beam("upper", flat(dimension, 0, 0), flat(dimension, 1, 0))
  local lower = beam("lower", flat(dimension, 0.1, -0.5), flat(dimension, 1.1, -0.4))
  m:coincidence { upper.first, m:ground { at = flat(dimension, 0, 0) } }
  m:spring { upper:point { share }, lower:point { other }, stiffness = k, damping = 0 }
  m:spring { upper:point { 0.2 }, upper:point { 0.6 }, stiffness = 50, free_length = 0.5 }
  m:spring { upper:point { 0.9 }, upper.nodes[3], stiffness = 50, free_length = 0.3 }
  m:spring { m:ground { at = flat(dimension, 0.2, 0.3) }, lower:point { 0.15 }, stiffness = 2 * k }
  m:distance { m:ground { at = flat(dimension, 0.3, 0.5) }, lower:point { share } }
  local bob = m:point { "bob", at = flat(dimension, 0.6, -0.45), mass = 0.1 }
  m:coincidence { bob, lower:point { 0.5 } }
  local inertia = dimension == 3 and { 0.01, 0.02, 0.03 } or 0.01
  local plate = m:body { "plate", mass = 0.4, inertia = inertia, at = flat(dimension, 1, -0.61) }
  m:coincidence { plate:point(dimension == 3 and { 0, 0, 0.2 } or { 0, 0.2 }), lower:point { 1 - 0.1 } }
  if dimension == 3 then
    local drop = m:natural_body { "drop", mass = 0.3, inertia = { 0.01, 0.01, 0.01 }, at = { 0.4, 0.1, 0.2 } }
    m:spring { drop:point { 0.1, 0, 0 }, upper:point { share }, stiffness = 20 }
    m:distance { drop, upper:point { 0.45 } }
    m:spring { m:body { "ball", mass = 0.2, inertia = { 0.01, 0.01, 0.01 }, at = { 0.2, 0.2, -0.2 } }, lower:point { 0.7 },
               stiffness = 10 }
  end
  local y = dimension == 3 and "z" or "y"
  m:force { on = upper:point { other }, law = function(s) return table.unpack(flat(dimension, -2 * s.x, -3 * s[y])) end }
  local at = upper:station { other }
  return m, m:objective { "moved", integral = upper.last[y]^2 + lower.first[y] * plate[y] + bob.x }, at.x^2 + 1.5 * at[y]^2
end
for dimension = 2, 3 do
  local m, moved, more = tangle(dimension)
  local how = { t = 0.1, integrator = mbs.rk4 { step = 1e-4 }, formulation = mbs.maggi {} }
  -- Nothing but the steps takes energy: their fifth order.
  local lost = {}
  for k, step in ipairs { 1e-4, 5e-5 } do
    how.integrator = mbs.rk4 { step = step }
    local run = m:simulate(how)
    local energy = m:signal "energy.total" + more
    lost[k] = run:at(energy, 0.1) - run:at(energy, 0)
    assert(math.abs(run:at(more, 0.1) - run:at(more, 0)) > 1e-3)
  end
  check.near(lost[1], 0, 3e-7)
  check.near(lost[1] / lost[2], 32, 1, dimension .. " energy")
  how.objective = moved
  local found = {}
  for k, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.finite_difference { richardson = 2 } } do
    how.method = method
    found[k] = m:gradient(how)
  end
  for name, x in pairs(found[1].by_name) do
    check.near(found[2].by_name[name] / x, 1, 1e-9, dimension .. " adjoint " .. name)
    check.near(found[3].by_name[name] / x, 1, 1e-6, dimension .. " differences " .. name)
  end
end

-- A place that touches a wall in its own time: the beam swings down onto a post between two nodes.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local arm = m:beam { "arm", from = { 0, 0 }, to = { 1, 0 }, elements = 4, young = 1e8, density = 1000, area = 1e-4,
                       second_moment = 1e-9, damping = 1e-3 }
  m:coincidence { arm.first, m:ground { at = { 0, 0 } } }
  m:contact { m.ground:marker { at = { 0, -0.1 } }, arm:point { 0.6 },
              normal = mbs.hunt_crossley { stiffness = 1e4, dissipation = 1 } }
  local rest = m:simulate { t = 4, integrator = mbs.radau { relative_tolerance = 1e-6, absolute_tolerance = 1e-7 } }
  check.near(rest:at(arm:station { 0.6 }.y, 4), -0.1, 5e-3)
end

-- Pictures have a spring where it attaches, not at the node before.
do
  local m, arm = cantilever(2, 2)
  m:spring { m:ground { at = { 0.37 * L, 0.5 } }, arm:point { 0.37 }, stiffness = 3 }
  local folder = os.tmpname()
  os.remove(folder)
  mbs.make_folder(folder)
  m:simulate { t = 1e-6, integrator = mbs.rk4 { step = 1e-6 } }:vtk(folder .. "/rest.pvd")
  local page = assert(io.open(folder .. "/rest_0000.vtp")):read "a"
  assert(page:find("\n0.74 0 0\n", 1, true), "no spring at the place")
  os.execute("rm -r '" .. folder .. "'")
end
