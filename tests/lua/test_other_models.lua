-- Experiments with models of their own: parameters of one name are one, values and slopes have closed forms.
local mbs = require "perilune"
local check = require "check"

--- A free point: at (v, w) after one second.
local function throw()
  local m = mbs.model { "throw", gravity = { 0, 0 } }
  local p = { m = m, v = m:param { "v", 1.5, min = 0, max = 20, unit = "m/s" },
              w = m:param { "w", 0.3, min = -5, max = 5, unit = "m/s" } }
  p.P = m:point { "P", at = { 0, 0 }, velocity = { p.v, p.w }, mass = 1 }
  p.miss = m:objective { "miss", terminal = (p.P.x - 4)^2 + p.P.y^2 }
  p.height = m:objective { "height", terminal = p.P.y }
  return p
end

--- An oscillator of angular frequency 2 in x, which starts in the middle with the velocity a v; its parameters have
--- another order.
local function swing(most)
  local m = mbs.model { "swing", gravity = { 0, 0 } }
  local p = { m = m, a = m:param { "a", 2 }, v = m:param { "v", 1, max = most or 30, unit = "m/s" } }
  p.Q = m:point { "Q", at = { 0, 0 }, velocity = { p.a * p.v, 0 }, mass = 1 }
  m:force { on = p.Q, law = function(s) return -4 * s.x, 0 end }
  p.miss = m:objective { "miss", terminal = (p.Q.x - 1)^2 }
  p.height = m:objective { "height", terminal = p.Q.x }
  return p
end

-- (v - 4)^2 + w^2 + 2 (3 w v sin(2) / 2 - 1)^2, by both variables. The difference quotient knows nothing of how
-- derivatives are made. The other model follows in what is shared, not in what an experiment sets.
do
  local p, o = throw(), swing()
  local best = p.m:optimize { minimize = p.miss, over = { p.v, p.w }, t = 1, check = true,
    optimizer = mbs.lbfgsb { check_gradient = true },
    experiments = { { "free" }, { "swing", model = o.m, objectives = o.miss, set = { a = 3 * p.w }, weight = 2 } } }
  assert(best.gradient_check.relative_error < 1e-6, best.gradient_check.relative_error)
  assert(best.check.relative_difference < 1e-9, best.check.relative_difference)
  local v, w, s = p.v.value, p.w.value, math.sin(2) / 2
  local off = 3 * w * v * s - 1
  check.near(best.final, (v - 4)^2 + w^2 + 2 * off^2, 1e-7)
  check.near(best.experiments.swing.cost, off^2, 1e-7)
  check.near(2 * (v - 4) + 4 * off * 3 * w * s, 0, 1e-5)
  check.near(2 * w + 4 * off * 3 * v * s, 0, 1e-5)
  check.equal(o.v.value, v)
  check.equal(o.a.value, 2)
end

-- Limits hold in each, by the objectives of one name, with several starts; bounds are those of both models.
do
  local p, o = throw(), swing(3)
  local best = p.m:optimize { minimize = p.miss, over = { p.v, p.w }, t = 1, starts = 3,
    subject_to = { { "height", p.height, max = 1.2 } },
    experiments = { { "free" }, { "swing", model = o.m, objectives = { o.height, o.miss }, weight = 1e-6 } } }
  check.near(best.constraints["height in swing"].value, 1.2, 1e-6)
  check.near(p.v.value, 1.2 / math.sin(2), 1e-5)  -- a = 2
  check.near(p.w.value, 0, 1e-4)
  check.near(best.constraints["height in swing"].multiplier, -2 * (p.v.value - 4) / math.sin(2), 1e-3)
  local q, r = throw(), swing(1.25)
  q.v.value = 1
  q.m:optimize { minimize = q.miss, over = q.v, t = 1,
    experiments = { { "free" }, { "swing", model = r.m, objectives = r.miss, weight = 1e-9 } } }
  check.near(q.v.value, 1.25, 1e-12)
end

-- A stop of its own, the least of the worst, and a formulation that is usual for the other model: a rod has constraints.
do
  local p = throw()
  local o = mbs.model { "drop", gravity = { 0, -10 } }
  local v = o:param { "v", 2, unit = "m/s" }
  local P = o:point { "P", at = { 0, 5 }, velocity = { v, 0 }, mass = 1 }
  local Q = o:point { "Q", at = { 1, 5 }, velocity = { v, 0 }, mass = 1 }
  o:distance { P, Q }
  local miss = o:objective { "miss", terminal = (P.x - 2)^2 }
  local best = p.m:optimize { minimize = p.miss, over = p.v, t = 1, combine = "worst",
    experiments = { { "free", set = { w = 0 } }, { "drop", model = o, objectives = miss, stop = P.y, t = 3 } } }
  -- It lands after one second at v.
  check.near(p.v.value, 3, 1e-6)
  check.near(best.final, 1, 1e-6)
  check.near(best.experiments.drop.multiplier, 0.5, 1e-5)
  check.equal(v.value, p.v.value)
end

-- What fails says in which experiment.
do
  local p, o = throw(), swing()
  check.fails('experiment "swing": a is set to inf', function()
    p.w.value = 0
    p.m:optimize { minimize = p.miss, over = p.v, t = 1, experiments = { { "free" },
      { "swing", model = o.m, objectives = o.miss, set = { a = 1 / p.w } } } }
  end)
end
