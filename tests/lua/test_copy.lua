-- Copies of models: the same to the last bit, and nothing that is done to one of two reaches the other.
local mbs = require "perilune"
local check = require "check"
local answers = require "answers"
local same = answers.same

-- Declares a mechanism: its cost, and the names of the parameters that it is differentiated by.
local function planar(m)
  local k = m:param { "k", 40, min = 1 }
  local L = m:param { "L", 1000, unit = "mm" }
  local upper = m:body { "upper", mass = 2, inertia = 0.2, at = { L / 2, 0 } }
  local first = m:revolute { "first", m.ground, upper, at = { 0, 0 } }
  local lower = m:body { "lower", mass = 1, inertia = 0.1, at = { L, -0.4 }, angle = -math.pi / 2 }
  m:revolute { "second", upper, lower, at = { L, 0 } }
  local tip = lower:marker { "tip", at = { 0.4, 0 } }
  m:spring { "stay", m.ground:point { 1, 1 }, tip, stiffness = k, free_length = 0.5, damping = 0.3 }
  m:force { "drag", on = tip, law = function(s) return -k / 100 * s.vx * math.abs(s.vx), mbs.where(mbs.lt(s.y, -1.3), k, 0) end }
  m:state { "lag", rate = function(s) return (upper.angle(s) - s.value) / 0.2 end }
  local pid = m:pid { "pid", error = function(s) return 0.3 - upper.angle(s) end, kp = 1, ki = 2 }
  m:torque { "servo", on = upper, law = function(s) return pid.output(s) end }
  m:contact { "floor", m.ground:point { 0, -1.3 }, tip, normal = mbs.hunt_crossley { stiffness = 1e4 },
    friction = mbs.lugre { static = 0.6, dynamic = 0.5, stiffness = 1e4, damping = 10 } }
  m:group { "both", upper, lower }
  m:signal { "reach", tip.x - upper.x, unit = "mm" }
  m:objective { "cost", terminal = lower.x ^ 2, integral = function(s) return first.force_x(s) ^ 2 / 100 end }
  return { "k", "L" }
end
local function spatial(m)
  local c = m:param { "c", 0.4 }
  local top = m:body { "top", mass = 1, inertia = { 1, 1.2, 0.5 }, at = { 0.5, 0, 0 }, angular_velocity = { 0, 0, 0.3 } }
  local hinge = m:revolute { "hinge", m.ground, top, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  local ball = m:body { "ball", mass = 2, inertia = { 0.1, 0.1, 0.1 }, at = { 1, 0, -0.3 } }
  m:spherical { "socket", top, ball, at = { 1, 0, 0 } }
  m:torsion_spring { "coil", on = hinge, stiffness = 5 * c, damping = 0.1 }
  m:objective { "cost", terminal = ball.x ^ 2 + hinge.angle, integral = hinge.omega ^ 2 }
  return { "c" }
end
local function beam(m)
  local e = m:param { "E", 2e7 }
  local wire = m:beam { "wire", from = { 0, 0 }, to = { 1, 0 }, elements = 2,
    section = mbs.round_section { diameter = 0.02 }, material = mbs.material { young = e, density = 1000 } }
  m:coincidence { "pin", m.ground, wire.first }
  m:objective { "cost", terminal = wire.last.y, integral = wire.last.x ^ 2 }
  return { "E" }
end

local function all_of(m, names, options)
  local over = {}
  for i, name in ipairs(names) do over[i] = m[name] end
  return answers.of(m, m["cost"], over, options)
end

for what, case in pairs {
  plane = { planar, gravity = { 0, -9.81 } },
  space = { spatial, gravity = { 0, 0, -9.81 } },
  beam = { beam, gravity = { 0, -9.81 } },
  radau = { spatial, gravity = { 0, 0, -9.81 }, integrator = mbs.radau { tolerance = 1e-6 } },
} do
  local function fresh() return mbs.model { "model", gravity = case.gravity } end
  local m = fresh()
  local names = case[1](m)
  local n = m:copy "model"
  local before = all_of(m, names, case)
  same(all_of(n, names, case), before, what .. ", the copy")
  same(all_of(n:copy("model"), names, case), before, what .. ", a copy of the copy")

  -- Declared in the copy, at the numbers that something else has in the first: each is as without the other.
  local function add(to, by)
    local dimension = to.dimension
    local at = { 0.3, 0.2, dimension == 3 and 0.1 or nil }
    local P = to:point { by, at = at, mass = 0.7 }
    local s = to:param { "stiffness of " .. by, by == "P" and 30 or 70 }
    to:spring { "spring of " .. by, to.ground, P, stiffness = s, damping = 0.2 }
    to:force { "drag of " .. by, on = P, law = function(state)
      local drag = -0.1 * state.vx * math.abs(state.vx)
      if dimension == 2 then return drag, 0 end
      return drag, 0, 0
    end }
    return P
  end
  local expected = {}
  for _, by in ipairs { "P", "Q" } do
    local alone = fresh()
    case[1](alone)
    add(alone, by)
    names[#names + 1] = "stiffness of " .. by
    expected[by] = all_of(alone, names, case)
    names[#names] = nil
  end
  local P, Q = add(n, "P"), add(m, "Q")
  check.equal(tostring(P.x + n["stiffness of P"]), "P.x + stiffness of P")
  check.equal(tostring(Q.x + m["stiffness of Q"]), "Q.x + stiffness of Q")
  for by, model in pairs { P = n, Q = m } do
    names[#names + 1] = "stiffness of " .. by
    same(all_of(model, names, case), expected[by], what .. ", with " .. by)
    names[#names] = nil
  end

  -- Removed, and set.
  m:remove(m["spring of Q"], m["drag of Q"], Q)
  n[names[1]].value = n[names[1]].value * 1.25
  check.fails("has no field, method or object 'Q'", function() return m["Q"] end)
  check.fails("has no field, method or object 'Q'", function() return n["Q"] end)
  names[#names + 1] = "stiffness of Q"
  local kept = all_of(m, names, case)
  names[#names] = nil
  local again = fresh()
  case[1](again)
  again:param { "stiffness of Q", 70 }
  names[#names + 1] = "stiffness of Q"
  same(kept, all_of(again, names, case), what .. ", without Q")
end

-- What belongs to the copy, and what does not go with it.
do
  local m = mbs.model { "first", gravity = { 0, -9.81 } }
  local k = m:param { "k", 10 }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  local s = m:spring { m:ground { "pin", at = { 0, 0 } }, P, stiffness = k }
  local J = m:objective { "J", terminal = P.x }
  local gone = m:point { "gone", at = { 0, 1 }, mass = 1 }
  m:objective { "lost", terminal = gone.x }
  m:remove(gone)
  m:simulate { t = 0.1, integrator = mbs.rk4 { step = 0.01 } }
  local n = m:copy()
  check.equal(n.name, "first copy")
  check.equal(n.last_run, nil)
  check.equal(n["P"] == P, false)
  check.equal(n["P"].model == n, true)
  check.equal(n["spring1"].a == nil or n["spring1"].a.model == n, true)
  check.equal(n["P"].defined_at, P.defined_at)
  check.equal(n["spring1"].stiffness == n["k"], true)
  check.equal(n:spring { n.ground, n["P"], stiffness = n["k"] }.name, "spring2")
  check.equal(m:spring { m.ground, P, stiffness = k }.name, "spring2")
  local copies = 'of another model ("first"); a copy has its own, by their names, as copy["k"]'
  check.fails(copies, n.spring, n, { n.ground, n["P"], stiffness = k })
  check.fails('belongs to another model ("first"); a copy has its own', n.spring, n, { n.ground, P, stiffness = 1 })
  check.fails('objective "J" is of another model', n.simulate, n, { t = 0.1, objectives = { J } })
  check.fails("reads gone.x, which was removed", n.simulate, n, { t = 0.1, objectives = { n["lost"] } })
  check.fails("expected the name of the copy", m.copy, m, 5)
  check.fails("expected nothing behind the name", m.copy, m, "n", 5)
  check.fails("copy is a method of a model", m.copy, "n")
  check.fails("copy", m.force, m, { "f", on = P, law = function() m:copy() return 0, 0 end })
  n["k"].value = 20
  check.equal(k.value, 10)

  -- The first may go.
  m, k, P, s, J, gone = nil, nil, nil, nil, nil, nil
  collectgarbage()
  collectgarbage()
  local run = n:simulate { t = 0.3, objectives = { n["J"] } }
  check.equal(run.objectives.J, run:at("P.x", 0.3))
end

-- Phases and sampled numbers go with a copy; and copies are variants in one optimization.
do
  local m = mbs.model { "swing", gravity = { 0, -9.81 } }
  local k = m:param { "k", 40, min = 1, max = 100 }
  local P = m:point { "P", at = { 0.8, -0.3 }, mass = 0.5 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  local spring = m:spring { "spring", m:ground { at = { 1, 1 } }, P, stiffness = k }
  m:phase { "stretched", stop = function(s) return P.vx(s) + 0.4 end }
  m:phase { "loose", without = { spring } }
  local J = m:objective { "J", integral = (P.x - 0.2) ^ 2 }
  local n = m:copy "other"
  local function answer(of)
    local run = of:gradient { of["J"], t = 0.6, phases = { of["stretched"], of["loose"] }, formulation = mbs.maggi {},
      integrator = mbs.rk4 { step = 1e-3 } }
    return ("%a %a"):format(run.value, run.gradient[1])
  end
  check.equal(answer(n), answer(m))
  -- A softer variant and the first at once: the mean of what both have alone, and parameters of one name are one.
  n:remove(n["rod"])
  n:spring { "rod", n.ground, n["P"], stiffness = 500, free_length = 0.85 }
  m:simulate { t = 0.1, phases = {} }
  local function alone(of) return of:simulate { t = 0.3, objectives = { of["J"] } }.objectives.J end
  local before = (alone(m) + alone(n)) / 2
  local best = m:optimize { minimize = J, over = k, t = 0.3, combine = "mean",
    experiments = { { "rod" }, { "spring", model = n, objectives = n["J"] } } }
  check.near(best.initial, before, 1e-9)
  check.near(best.final, (alone(m) + alone(n)) / 2, 1e-9)
  assert(best.final < before)
  check.equal(n["k"].value, k.value)
end
