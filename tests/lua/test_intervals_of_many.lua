-- Intervals of a motion with many freedoms: followed for each of them they would take longer than one sweep. The gradient
-- is that of one sweep then, to the last bit, and says so.
local mbs = require "perilune"
local check = require "check"

local function says_so(gradient)
  return table.concat(gradient.warnings, " "):find("the gradient is that of one sweep", 1, true) ~= nil
end

-- Forty masses on springs of their own, x = cos(w t) with w^2 = k / m: in closed form.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local k, mass = m:param { "k", 40 }, m:param { "mass", 0.8 }
  local sum = 0
  for i = 1, 40 do
    local P = m:point { "P" .. i, at = { 1, i }, mass = mass }
    m:force { on = P, law = function() return -k * P.x, 0 end }
    sum = sum + P.x
  end
  local place = m:objective { "place", terminal = sum }
  local found = m:gradient { place, t = 0.7, integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 },
                             method = mbs.adjoint { intervals = 5 } }
  local w = math.sqrt(40 / 0.8)
  local by_w = -40 * 0.7 * math.sin(0.7 * w)
  check.near(found.by_name.k, by_w * w / (2 * 40), 1e-8)
  check.near(found.by_name.mass, -by_w * w / (2 * 0.8), 1e-8)
  assert(says_so(found))
end

-- A chain that hangs and is let go, by every kind of step: implicit ones, of one and of several stages, points, steps
-- with equations of their own, projected ones and switches; with and without phases.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local k, c, mass = m:param { "k", 900 }, m:param { "c", 0.5 }, m:param { "mass", 0.1 }
  local before, points = m:ground { at = { 0, 0 } }, {}
  for i = 1, 18 do
    local P = m:point { "P" .. i, at = { 0.1 * i, 0 }, mass = mass }
    m:spring { "s" .. i, before, P, stiffness = k, damping = c, free_length = 0.1 }
    if i % 9 == 0 then m:distance { "rod" .. i, before, P } end
    before, points[i] = P, P
  end
  local last = points[18]
  m:force { on = last, law = function(s) return -c * last.vx * math.abs(last.vx), 0 end }
  local costs = { m:objective { "way", integral = function(s) return last.y ^ 2 + s.t * points[5].vx end },
                  m:objective { "end", terminal = function(s) return last.x * s.t + points[9].vy end } }
  local h = 5e-3
  local ways = {
    [mbs.maggi {}] = { mbs.dormand_prince { relative_tolerance = 1e-6 }, mbs.trapezoidal { step = h }, mbs.bdf { step = h } },
    [mbs.index1 { alpha = 5, beta = 5 }] = { mbs.generalized_alpha { step = h } },
    [mbs.index3 {}] = { mbs.newmark { step = h }, mbs.variational { step = h } },
    [mbs.stabilized_index1 {}] = { mbs.radau { step = h } },
    [mbs.index1 { project = true }] = { mbs.rk4 { step = h / 5 }, mbs.rosenbrock { step = h } },
  }
  local function agree(call)
    call.method = mbs.adjoint {}
    local whole = m:gradient(call)
    call.method = mbs.adjoint { intervals = 4 }
    local parts = m:gradient(call)
    call.method = mbs.adjoint { intervals = 7, threads = 1 }
    local alone = m:gradient(call)
    for o = 1, #whole do
      assert(says_so(parts[o]) and says_so(alone[o]) and not says_so(whole[o]))
      for p, x in ipairs(whole[o].gradient) do
        check.equal(parts[o].gradient[p], x)
        check.equal(alone[o].gradient[p], parts[o].gradient[p])
      end
    end
  end
  for form, steps in pairs(ways) do
    for _, integrator in ipairs(steps) do
      agree { costs, t = 0.2, formulation = form, integrator = integrator }
    end
  end
  local level = m:param { "level", 9 }
  local track = m:constraint { "track", law = last.y - level }
  local phases = { m:phase { "falls", without = { track }, stop = -0.02 - last.y },
                   m:phase { "slides", set = { level = last.y } } }
  agree { costs, t = 0.2, phases = phases, over = { k, c, mass }, formulation = mbs.maggi {},
          integrator = mbs.trapezoidal { step = h } }
  agree { costs, t = 0.2, phases = phases, over = { k, c, mass }, formulation = mbs.index1 {} }
end

-- With few freedoms nothing is said.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local L = m:param { "L", 1 }
  local P = m:point { "P", at = { L, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  local J = m:objective { "J", integral = P.y ^ 2 }
  assert(not says_so(m:gradient { J, t = 1, method = mbs.adjoint { intervals = 4 } }))
end
