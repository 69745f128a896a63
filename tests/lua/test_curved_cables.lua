-- Slender beams that are curved as declared, in the plane: against Castigliano's theorem, the thin ring, and what holds for
-- whatever bends.
local mbs = require "perilune"
local check = require "check"
local pi = math.pi

local E, A, I, R = 2e11, 1e-4, 1e-10, 0.5
local EI = E * I

--- Points on a circle about (0, r), from its lowest one.
local function arc(r, angle, n)
  local points = {}
  for k = 0, n do points[k + 1] = { r * math.sin(angle * k / n), r * (1 - math.cos(angle * k / n)) } end
  return points
end
local function quarter(n, more)
  local m = mbs.model { gravity = { 0, 0 } }
  local how = { "bow", along = arc(R, pi / 2, n), elements = n, young = E, density = 7800, area = A, second_moment = I }
  for name, value in pairs(more or {}) do how[name] = value end
  local bow = m:beam(how)
  m:clamp { bow.first, m.ground }
  return m, bow
end

-- A quarter of a ring under a load at its end, along it: F R^3 / (E I) times (3 pi / 4 - 2) along, 1 / 2 across, to the
-- part I / (A R^2) in which theories of thin and thick arcs differ; of fourth order in the element, the moment at a
-- station of second.
do
  local F = 1e-5
  local expected = { F * R^3 / EI * (3 * pi / 4 - 2) + F * R / (E * A) * pi / 4, -F * R^3 / EI / 2, F * R }
  local last = {}
  for _, n in ipairs { 4, 8 } do
    local m, bow = quarter(n)
    local still = m:equilibrium {}
    check.equal(still:values(bow.strain_energy)[1], 0)
    check.equal(still:values(bow:station { 0.3 }.axial_force)[1], 0)
    check.equal(still:values(bow:station { 0.3 }.moment)[1], 0)
    m:force { on = bow.last, force = { 0, F } }
    local rest = m:equilibrium {}
    local found = { rest:values(bow.last.y)[1] - R, rest:values(bow.last.x)[1] - R, rest:values(bow:station { 0 }.moment)[1] }
    for k, least in ipairs { 10, 8, 2.5 } do
      local off = found[k] / expected[k] - 1
      if last[k] then check.equal(math.abs(off) < math.abs(last[k]) / least, true, n .. " part " .. k) end
      last[k] = off
    end
    check.near(rest:values(bow.strain_energy)[1] / (F * found[1] / 2), 1, 1e-6)
    local turn = pi / 2 / n  -- of the last element, whose mean it is
    check.near(rest:values(bow:station { 1 }.axial_force)[1] / (F * math.sin(turn) / turn), 1, 2e-3)
  end
  check.near(last[1], 0, 2e-5)
  check.near(last[2], 0, 2e-5)
end

-- The moment E I / R against its bend makes it straight, a quarter turn further back, and as long as it was.
do
  local m, bow = quarter(8)
  m:torque { on = bow.last, torque = -EI / R }
  local rest = m:equilibrium {}
  check.near(rest:values(bow.last.x)[1] / (R * pi / 2), 1, 1e-4)
  check.near(rest:values(bow.last.y)[1], 0, 1e-3)
  check.near(rest:values(bow.last.slope_y)[1], 0, 2e-3)
  check.near(rest:values(bow.strain_energy)[1] / (EI / R * pi / 4), 1, 1e-3)
end

-- A thin ring that is free: w^2 = k^2 (k^2 - 1)^2 / (k^2 + 1) E I / (rho A R^4) for k waves around it, each twice. Damped,
-- they decay with damping w^2 / 2. Its seam parts each two a little.
do
  local last
  for _, n in ipairs { 12, 24 } do
    local m = mbs.model { gravity = { 0, 0 } }
    local ring = m:beam { "ring", along = arc(R, 2 * pi, n), elements = n, young = E, density = 7800, area = A,
                          second_moment = I, damping = 1e-6 }
    m:coincidence { ring.first, ring.last }
    m:constraint { law = function()
      return ring.first.slope_x * ring.last.slope_y - ring.first.slope_y * ring.last.slope_x
    end }
    local found = {}
    for _, mode in ipairs(m:linearize {}.modes) do
      local w = 2 * pi * mode.frequency
      if w > 1 then
        found[#found + 1] = w
        if #found < 5 then check.near(mode.real / (-1e-6 * w^2 / 2), 1, 1e-3) end
      end
    end
    table.sort(found)
    for k = 2, 3 do
      local off = 0.5 * (found[2 * k - 3] + found[2 * k - 2]) / (k * (k^2 - 1) / (k^2 + 1)^0.5 * (EI / (7800 * A * R^4))^0.5) - 1
      check.near(found[2 * k - 2] / found[2 * k - 3], 1, n == 12 and 5e-3 or 5e-4)
      check.near(off, 0, n == 12 and 5e-3 or 5e-4)
      if k == 2 then
        if last then check.equal(math.abs(off) < math.abs(last) / 8, true) end
        last = off
      end
    end
  end
end

-- A bow that flies and turns keeps its momenta and its energy. Points in a row are a straight beam.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local bow = m:beam { "bow", along = arc(R, pi / 2, 4), elements = 4, young = 1e8, density = 1000, area = A,
                       second_moment = 1e-9, velocity = { 0.3, -0.2 }, angular_velocity = 4 }
  local run = m:simulate { t = 1, integrator = mbs.radau { relative_tolerance = 1e-8, absolute_tolerance = 1e-9 } }
  for _, name in ipairs { "momentum.x", "momentum.y", "energy.total" } do
    local values = run:values(name)
    check.near(values[#values] / values[1], 1, 1e-5, name)
  end
  assert(run:at(bow.strain_energy, 1) > 0)
end
do
  local F, found = 1e-3, {}
  for k, along in ipairs { { { 0, 0 }, { 1, 0 } }, { { 0, 0 }, { 0.5, 0 }, { 1, 0 } } } do
    local m = mbs.model { gravity = { 0, 0 } }
    local arm = m:beam { "arm", along = along, elements = 4, young = E, density = 7800, area = A, second_moment = I }
    m:clamp { arm.first, m.ground }
    m:force { on = arm.last, force = { 0, F } }
    found[k] = m:equilibrium {}:values(arm.last.y)[1]
  end
  check.near(found[2] / found[1], 1, 1e-6)
end

-- A swinging arc, loaded between its nodes: direct and adjoint derivatives by its radius, width, damping and that place,
-- and differences.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local r, b, time, share = m:param { "r", 0.5 }, m:param { "b", 0.02 }, m:param { "time", 1e-3 }, m:param { "share", 0.6 }
  local bow = m:beam { "bow", along = arc(r, 1.2, 3), elements = 3, young = 1e7, density = 1000, area = b^2,
                       second_moment = b^4 / 12, damping = time }
  m:coincidence { bow.first, m:ground { at = { 0, 0 } } }
  m:spring { m:ground { at = { 0.4, 0.6 } }, bow:point { share }, stiffness = 5 }
  local swing = m:objective { "swing", integral = bow.last.y^2 + 1e-2 * bow:station { 0.4 }.moment }
  for _, integrator in ipairs { mbs.generalized_alpha { step = 0.002 }, mbs.variational { step = 0.002 } } do
    local how, found = { swing, t = 0.1, integrator = integrator }, {}
    for k, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.finite_difference { richardson = 2 } } do
      how.method = method
      found[k] = m:gradient(how)
    end
    for name, x in pairs(found[1].by_name) do
      check.near(found[2].by_name[name] / x, 1, 1e-8, "adjoint " .. name)
      check.near(found[3].by_name[name] / x, 1, 1e-5, "differences " .. name)
    end
  end
end
