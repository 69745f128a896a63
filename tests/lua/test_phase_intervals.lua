-- The discrete adjoint over intervals of a motion in phases: that of one sweep, for every kind of step and form, where
-- phases begin at times that move; the same bits for any number of threads; a stone thrown at a wall in closed form.
local mbs = require "perilune"
local check = require "check"

local function agree(m, call, intervals, tolerance)
  call.method = mbs.adjoint {}
  local whole = m:gradient(call)
  for _, count in ipairs(intervals) do
    call.method = mbs.adjoint { intervals = count }
    local parts = m:gradient(call)
    call.method = mbs.adjoint { intervals = count, threads = 1 }
    local alone = m:gradient(call)
    for o = 1, #whole do
      local size = 0
      for _, x in ipairs(whole[o].gradient) do size = math.max(size, math.abs(x)) end
      assert(size > 0)
      for p, x in ipairs(whole[o].gradient) do
        check.near(parts[o].gradient[p], x, (tolerance or 1e-12) * size)
        check.equal(alone[o].gradient[p], parts[o].gradient[p])
      end
    end
  end
end

-- A point on a table slides into a track that moves by a law of time, along which a spring pulls it: the track is a
-- constraint that reads time, in a phase whose start moves, and is left again. Its place is set where it was met.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local v, k, w = m:param { "v", 1.2 }, m:param { "k", 30 }, m:param { "w", 3 }
  local level, since = m:param { "level", 9 }, m:param { "since", 9 }
  local P = m:point { "P", at = { 0, 0.4 }, velocity = { v, 1 }, mass = 0.7 }
  local Q = m:point { "Q", at = { 0.5, 0.4 }, velocity = { v, 1 }, mass = 0.3 }
  local rod = m:distance { "rod", P, Q }
  local track = m:constraint { "track", law = function(s) return P.y - level - 0.1 * math.sin(w * (s.t - since)) end }
  m:force { on = P, law = function(s) return -k * (P.x - 0.5) - 0.3 * P.vx * math.abs(P.vx), 0 end }
  local phases = {
    m:phase { "free", without = { track }, stop = P.x - 0.3 * v, within = 2 },
    m:phase { "on the track", set = { level = P.y, since = function(s) return s.t end }, stop = Q.x - 0.8 - 0.01 * k,
              within = 2 },
    m:phase { "off", without = { track }, stop = function(s) return s.t - 0.9 + 0.02 * w end },
    m:phase { "last", without = { rod, track } },
  }
  local costs = {
    m:objective { "way", integral = function(s) return P.y ^ 2 + s.t * Q.vx end },
    m:objective { "end", terminal = function(s) return Q.x * s.t + P.vy end, integral = Q.y },
    m:objective { "load", integral = function(s) return (track.lambda / 10) ^ 2 end },
  }
  local h = 4e-3
  local ways = {
    [mbs.maggi {}] = { mbs.dormand_prince {}, mbs.trapezoidal { step = h }, mbs.radau { step = h }, mbs.bdf { step = h } },
    [mbs.coordinate_partitioning {}] = { mbs.rk4 { step = h }, mbs.bdf { relative_tolerance = 1e-6 } },
    [mbs.index1 { alpha = 5, beta = 5 }] = { mbs.dormand_prince {}, mbs.generalized_alpha { step = h }, mbs.bdf {} },
    [mbs.index3 {}] = { mbs.newmark { step = h }, mbs.radau {}, mbs.variational { step = h } },
    [mbs.stabilized_index1 {}] = { mbs.radau { step = h }, mbs.bdf { step = h } },
    [mbs.penalty { alpha = 1e6 }] = { mbs.rosenbrock { step = h }, mbs.sdirk4 { step = h } },
    [mbs.index1 { project = true }] = { mbs.rk4 { step = h }, mbs.rosenbrock { relative_tolerance = 1e-6 } },
  }
  for form, steps in pairs(ways) do
    for _, integrator in ipairs(steps) do
      agree(m, { costs, t = 1.2, phases = phases, over = { v, k, w }, formulation = form, integrator = integrator },
            { 1, 3, 20 })
    end
  end
  -- The end time within the third phase, which began when it did; and a motion that ends with a phase.
  agree(m, { costs, t = 0.7, phases = phases, over = { v, k, w } }, { 1, 5, 9 })
  agree(m, { costs, t = 3, phases = { phases[1], phases[2], phases[3] }, over = { v, k, w } }, { 2, 11 })
  check.fails("too few for the 5000 intervals of the adjoint over intervals", m.gradient, m,
              { costs, t = 0.7, phases = phases, method = mbs.adjoint { intervals = 5000 } })
end

-- A stone thrown at a wall, which it leaves with e times its speed.
do
  local g = 9.81
  local m = mbs.model { gravity = { 0, -g } }
  local v, a, e = m:param { "v", 2 }, m:param { "a", 1.1 }, m:param { "e", 0.3 }
  local P = m:point { "P", at = { 0, 2 }, velocity = { v, 0 }, mass = 1.3 }
  local wall = m:constraint { "wall", law = P.x - a }
  local phases = { m:phase { "flies", without = { wall }, stop = P.x - a }, m:phase { "hits", restitution = e },
                   m:phase { "comes back", without = { wall } } }
  local place = m:objective { "place", terminal = P.x }
  local sum = m:objective { "sum", integral = P.x }
  -- x(t) = v t until T = a / v, then a - e v (t - T).
  local t = 1
  local T = a.value / v.value
  for _, steps in ipairs { mbs.dormand_prince {}, mbs.rk4 { step = 0.01 }, mbs.bdf { step = 0.01 } } do
    for _, intervals in ipairs { 1, 4 } do
      local found = m:gradient { { place, sum }, t = t, phases = phases, over = { v, a, e }, integrator = steps,
                                 method = mbs.adjoint { intervals = intervals } }
      check.near(found[1].by_name.v, -e.value * t, 1e-12)
      check.near(found[1].by_name.a, 1 + e.value, 1e-12)
      check.near(found[1].by_name.e, -v.value * (t - T), 1e-12)
      -- Of a T / 2 + a (t - T) - e v (t - T)^2 / 2.
      local by_T = -a.value / 2 + e.value * v.value * (t - T)
      check.near(found[2].by_name.v, -by_T * T / v.value - e.value * (t - T) ^ 2 / 2, 1e-12)
      check.near(found[2].by_name.a, by_T / v.value + T / 2 + t - T, 1e-12)
      check.near(found[2].by_name.e, -v.value * (t - T) ^ 2 / 2, 1e-12)
    end
  end
end
