-- Parameters in units of their own: value, bounds and derivatives are in these, expressions in SI units. Against the same
-- model in SI units, and closed forms.
local mbs = require "perilune"
local check = require "check"

local function close(got, expected, tolerance, what) check.near(got / expected, 1, tolerance, what) end

-- Of each parameter: its unit, and how many SI units that is.
local units = { length = { "mm", 1e-3, 400 }, mass = { "g", 1e-3, 1500 }, stiffness = { "N/mm", 1e3, 0.9 },
                angle = { "deg", math.pi / 180, 30 }, damping = { "N/(m/s)", 1, 2 } }
local names = { "length", "mass", "stiffness", "angle", "damping" }

local function pendulum(in_si)
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local p = {}
  for _, name in ipairs(names) do
    local unit, size, value = table.unpack(units[name])
    local bounds = { 0.1 * value, 3 * value }
    if in_si then
      p[name] = m:param { name, value * size, min = bounds[1] * size, max = bounds[2] * size }
    else
      p[name] = m:param { name, value, unit = unit, min = bounds[1], max = bounds[2] }
    end
  end
  local b = m:body { "b", mass = p.mass, inertia = p.mass * p.length ^ 2 / 12,
                     at = { p.length / 2 * math.sin(p.angle), -p.length / 2 * math.cos(p.angle) }, angle = p.angle }
  m:revolute { "pivot", m.ground, b, at = { 0, 0 } }
  m:spring { m:ground { at = { 0.3, -0.2 } }, b, free_length = 0.1, stiffness = p.stiffness, damping = p.damping }
  local sum = m:objective { "sum", integral = function() return b.x ^ 2 + p.length * b.y end }
  return m, p, sum, b
end

local m, p, sum, b = pendulum(false)
local n, q, reference = pendulum(true)
local how = { t = 0.5, formulation = mbs.index1 { project = true }, integrator = mbs.rk4 { step = 0.01 } }
local function with(more)
  for key, value in pairs(how) do more[key] = more[key] or value end
  return more
end

do  -- What a parameter says of itself.
  check.equal(p.length.value, 400)
  check.equal(p.length.unit, "mm")
  check.equal(p.length.max, 1200)
  check.equal((2 * p.length).value, 0.8)
  check.equal((2 * p.length).in_si, 0.8)
  check.equal(p.length.in_si, 0.4)
  check.equal(p.damping.in_si, p.damping.value)
  check.equal(tostring(p.length):match "^[^,]*", 'parameter "length" = 400 mm')
  check.equal(tostring(m:object "length"), tostring(p.length))
end

do  -- The same motion, and derivatives by one of the unit.
  local run, other = m:simulate(with { objectives = sum }), n:simulate(with { objectives = reference })
  close(run.objectives.sum, other.objectives.sum, 1e-13)
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.finite_difference { richardson = 2 } } do
    local g = m:gradient(with { objective = sum, method = method })
    local r = n:gradient(with { objective = reference, method = mbs.adjoint {} })
    for i, name in ipairs(names) do close(g.gradient[i], r.gradient[i] * units[name][2], 1e-7, name) end
  end
  local text = tostring(m:gradient(with { objective = sum }))
  assert(text:find "d/dlength = %S+ per mm" and text:find "d/dstiffness = %S+ per N/mm", text)
  assert(not text:find "per N/%(m/s%)", "of SI units")
end

do  -- Assigned in the unit.
  p.length.value, q.length.value = 500, 0.5
  close(m:simulate(with { objectives = sum }).objectives.sum,
              n:simulate(with { objectives = reference }).objectives.sum, 1e-13)
  close(m:simulate(with {}):at("b.x", 0), 0.25 * math.sin(math.pi / 6), 1e-12)
  p.length.value, q.length.value = 400, 0.4
end

do  -- Experiments set numbers in the unit, and expressions in SI units.
  local function best(model, cost, over, by)
    return model:optimize(with { minimize = cost, over = { over }, combine = "sum",
      experiments = { { "as it is" }, { "longer", set = { length = by.length } }, { "lean", set = { mass = by.mass } } } })
  end
  local found = best(m, sum, p.stiffness, { length = 700, mass = p.mass * (p.length / 0.8) })
  local wanted = best(n, reference, q.stiffness, { length = 0.7, mass = q.mass * (q.length / 0.8) })
  close(found.final, wanted.final, 1e-7)
  close(found.initial, wanted.initial, 1e-12)
  close(1000 * p.stiffness.value, q.stiffness.value, 1e-3)
  p.stiffness.value, q.stiffness.value = 0.9, 900
end

do  -- Sweeps, limits by expressions, tolerances.
  local s = m:simulate(with { objectives = sum })
  local found = m:optimize(with { minimize = sum, over = { p.length, p.mass },
                                  subject_to = { { "heavy", p.mass * p.length, min = 0.5 } } })
  local wanted = n:optimize(with { minimize = reference, over = { q.length, q.mass },
                                   subject_to = { { "heavy", q.mass * q.length, min = 0.5 } } })
  close(found.final, wanted.final, 1e-6)
  p.length.value, p.mass.value = 400, 1500
  check.equal(m:simulate(with { objectives = sum }).objectives.sum, s.objectives.sum)
end

do  -- Laws, and what they are tried with; a shaft in revolutions per minute.
  local w = mbs.model { "shaft", gravity = { 0, 0 } }
  local speed = w:param { "speed", 120, unit = "rpm", min = 10, max = 1000 }
  local disc = w:body { "disc", mass = 1, inertia = 0.5 }
  local pivot = w:revolute { w.ground, disc, at = { 0, 0 } }
  w:driver { pivot.angle, law = function(s) return speed * s.t + speed(s) ^ 2 * 0 end }
  local turned = w:objective { "turned", terminal = pivot.angle }
  local run = w:simulate { t = 1, objectives = turned }
  close(run.objectives.turned, 4 * math.pi, 1e-9)
  close(w:gradient { t = 1, objective = turned }.gradient[1], 2 * math.pi / 60, 1e-9)
end

do  -- A named signal knows the unit.
  m:signal { "reach", p.length + b.x, unit = "cm" }
  m:signal { "more", p.length - b.x }  -- another expression than that with a unit
  check.equal(m:signals().units.reach, "cm")
  check.equal(m:signals().units.more, "m")
end

do  -- What the units of parameters make must be what a field is in. Numbers, and parameters without a unit, fit all.
  local u = mbs.model { "units", gravity = { 0, 0 } }
  local F, L = u:param { "F", 10, unit = "N" }, u:param { "L", 500, unit = "mm" }
  local k, area = u:param { "k", 2, unit = "kN/m" }, u:param { "area", 900, unit = "mm^2" }
  local any, angle = u:param { "any", 0.3 }, u:param { "angle", 30, unit = "deg" }
  local A, P = u:ground { at = { 0, 0 } }, u:point { "P", at = { L, -L }, mass = 1 }
  local bar = u:body { "bar", at = { any, L }, angle = angle, mass = any, inertia = 0.1 }
  local function spring(fields)
    fields[1], fields[2] = A, P
    return pcall(u.spring, u, fields)
  end
  local function torsion(stiffness) return pcall(u.torsion_spring, u, { u.ground, bar, stiffness = stiffness }) end
  for _, fields in ipairs { { stiffness = F / L }, { stiffness = k }, { stiffness = F / area ^ 0.5 },
                            { free_length = math.sqrt(area) }, { free_length = L + 0.1 }, { free_length = math.max(any, L) },
                            { stiffness = 2 * F }, { stiffness = any }, { stiffness = { k, k / L } } } do
    assert(spring(fields))
  end
  assert(torsion(F * L))  -- N m/rad
  assert(pcall(u.point_on_line, u, { bar, P, axis = { L, L } }))
  for _, fields in ipairs { { stiffness = F / area }, { stiffness = L }, { free_length = math.min(F, L) }, { free_length = area },
                            { force = k }, { damping = k } } do
    local done, message = spring(fields)
    assert(not done and message:find "is in [^\n]*, but ", message)
  end
  local done, message = torsion(k)
  assert(not done and message:find "N m/rad, but parameter \"k\" is in kN/m", message)
  -- A number 1 leaves nothing behind, and may have any unit, as other numbers may.
  for _, r in ipairs { 1, 2 } do
    assert(torsion(k * r ^ 2) and torsion(r * F) and spring { stiffness = F / r } and spring { stiffness = -(-F * r) })
    assert(pcall(u.point, u, { "throw" .. r, at = { 0, 0 }, mass = 1, velocity = { L / r, 0 } }))
  end
  assert(not spring { stiffness = F + 0 })
end

do  -- Converted by hand although expressions have SI units already. Rounded factors count, others do not.
  local u = mbs.model { "twice", gravity = { 0, 0 } }
  local a, L = u:param { "a", 30, unit = "deg" }, u:param { "L", 500, unit = "mm" }
  local w = u:param { "w", 60, unit = "rpm" }
  local count = 0
  local function turned(angle)
    count = count + 1
    return u:body { "b" .. count, mass = 1, inertia = 1, angle = angle }
  end
  for _, angle in ipairs { math.rad(a), a * math.pi / 180, a / 57.3, 1 + math.rad(a), math.rad(-a) } do
    check.fails('multiplies parameter "a" by 0.01745', turned, angle)
  end
  check.fails("but in expressions it is in rad already, not in deg; leave the factor out", turned, math.rad(a))
  check.fails('multiplies parameter "w" by 0.10472', u.body, u, { "fast", mass = 1, inertia = 1, angular_velocity = w * math.pi / 30 })
  turned(a)
  turned(0.02 * a)
  turned(math.rad(a.value))
  u:point { "p", mass = 1, at = { L / 1000, 0 } }  -- a warning: a thousandth may be meant
end

do  -- The same among other factors, and inside of roots and outside of them.
  local u = mbs.model { "hidden", gravity = { 0, 0 } }
  local a, b = u:param { "a", 30, unit = "deg" }, u:param { "b", 20, unit = "deg" }
  local n, w, pi = u:param { "n", 2 }, u:param { "w", 60, unit = "rpm" }, math.pi
  local count = 0
  local function turned(angle)
    count = count + 1
    return u:body { "b" .. count, mass = 1, inertia = 1, angle = angle }
  end
  check.fails('multiplies parameter "a"^2 by 0.0003046', turned, (pi / 180) ^ 2 * a ^ 2)
  check.fails('multiplies parameters "a" and "b" by 0.0003046', turned, a * (pi / 180) * (b * pi / 180))
  check.fails('multiplies parameters "a" and "b" by 0.01745', turned, math.sqrt(a * b) * pi / 180)
  check.fails('multiplies parameters "a" and "b" by 0.0003046', turned, 2 * math.sqrt(a * b * (pi / 180) ^ 2))
  check.fails(" by 0.0174533, but in expressions it is in rad", turned, pi / 180 * (a + 1) * b)
  check.fails(" by 0.0174533, but in expressions it is in rad", turned, pi / 180 * (a * b))
  turned(2 * a * b / (a + b))
  turned(0.5 * math.sqrt(a * b))
  turned(pi * math.sqrt(a / b))
  turned(n * a * pi / 180)  -- a warning: n may be what is in degrees
  turned(a ^ 2 * 3.047e-4)  -- a warning: a hundredth of a percent off may be chance
end

do  -- Sums of two units, and sines of lengths, are of no field's unit.
  local u = mbs.model { "mixed", gravity = { 0, 0 } }
  local a, L = u:param { "a", 30, unit = "deg" }, u:param { "L", 500, unit = "mm" }
  local count = 0
  local function at(x)
    count = count + 1
    return u:point { "p" .. count, mass = 1, at = { x, 0 } }
  end
  check.fails("m and rad or a pure number are added", at, L + a)
  check.fails("sin is of m", at, math.sin(L))
  check.fails("is not, by the units of its parameters", at, L ^ 2)
  at(math.sin(a))  -- of a radius of 1 m
  at(L * math.sin(a))
  at(L + 1 * a)
  at(L * a)
end

print "ok"

-- What acts on an angle or a displacement counts in units of what it is on.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local a = m:body { "a", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 0, 0, 1 } }
  local b = m:body { "b", mass = 1, inertia = { 0.1, 0.1, 0.1 }, at = { 1, 0, 1 } }
  local slide = m:translational { "slide", m.ground, a, at = { 0, 0, 1 }, axis = "z" }
  local hinge = m:revolute { "hinge", m.ground, b, at = { 1, 0, 0 }, axis = "y" }
  local linear = { stiffness = m:param { "k", 40, unit = "N/m" }, free_angle = m:param { "r", 50, unit = "mm" },
                   damping = m:param { "d", 1, unit = "N s/m" }, torque = m:param { "f", 2, unit = "N" } }
  local angular = { stiffness = m:param { "ka", 40, unit = "N m/rad" }, damping = m:param { "da", 1, unit = "N m s/rad" },
                    torque = m:param { "fa", 2, unit = "N m" } }
  local function acts(name, value, on)
    return pcall(m.torsion_spring, m, { on = on, [name] = value })
  end
  for name, value in pairs(linear) do
    assert(acts(name, value, slide.displacement), name)
    local done, message = acts(name, value, hinge)
    assert(not done and message:find(name .. " is in [^\n]*, but parameter") and not message:find(" or ", 1, true), message)
  end
  for name, value in pairs(angular) do assert(acts(name, value, hinge), name) end
  -- An expression that is such a signal says as much as its object.
  for name, value in pairs(angular) do assert(not acts(name, value, slide.displacement), name) end
  for name, value in pairs(linear) do assert(not acts(name, value, hinge.angle), name) end
  assert(not pcall(m.bump_stop, m, { on = a.x, upper = m:param { "turned", 3, unit = "deg" }, stiffness = 1 }))
  local pull = m:torsion_spring { "pull", on = slide.displacement, stiffness = 3 }
  m:signal { "F", pull.torque, unit = "kN" }
  assert(not pcall(m.signal, m, { "turn", pull.angle, unit = "deg" }))
  local twist = m:torsion_spring { "twist", on = hinge, stiffness = 3 }
  assert(not pcall(m.signal, m, { "G", twist.torque, unit = "N" }))
  local stop = { on = slide, upper = 0.1, stiffness = angular.stiffness }
  local done, message = pcall(m.bump_stop, m, stop)
  assert(not done and message:find('stiffness is in N/m, but parameter "ka" is in N m/rad', 1, true), message)
  stop.stiffness = linear.stiffness
  m:bump_stop(stop)
end
