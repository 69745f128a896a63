-- Optimization over several experiments: throws whose sums, worst cases and deviations have closed forms.
local mbs = require "perilune"
local check = require "check"

--- A free point with the velocity (vx, vy) and a target (a, b): without gravity it is at (vx t, vy t).
local function throw()
  local m = mbs.model { "throw", gravity = { 0, 0 } }
  local p = { m = m, vx = m:param { "vx", 1.5, unit = "m/s", min = 0, max = 20 },
              vy = m:param { "vy", 0.5, unit = "m/s", min = -20, max = 20 },
              a = m:param { "a", 4, unit = "m" }, b = m:param { "b", 0, unit = "m" } }
  p.P = m:point { "P", at = { 0, 0 }, velocity = { p.vx, p.vy }, mass = 1 }
  p.miss = m:objective { "miss", terminal = (p.P.x - p.a)^2 + (p.P.y - p.b)^2 }
  return p
end

-- The weighted sum and mean of two runs of different length: (v - 4)^2 + 2 (2 v - 4)^2 is least at v = 20 / 9.
for word, share in pairs { sum = 1, mean = 1 / 3 } do
  local p = throw()
  p.vy.value = 0
  local best = p.m:optimize { minimize = p.miss, over = p.vx, t = 1, combine = word, check = true,
    experiments = { { "short" }, { "long", t = 2, weight = 2 } } }
  local v = 20 / 9
  check.near(p.vx.value, v, 1e-7)
  check.near(best.experiments.short.cost, (v - 4)^2, 1e-6)
  check.near(best.experiments.long.cost, (2 * v - 4)^2, 1e-6)
  check.equal(best.experiments.long.weight, 2)
  check.near(best.final, share * ((v - 4)^2 + 2 * (2 * v - 4)^2), 1e-9)
  check.near(best.initial, share * ((1.5 - 4)^2 + 2 * (3 - 4)^2), 1e-9)
  assert(best.check.relative_difference < 1e-12)
  assert(tostring(best):find("by experiment:\n  experiment", 1, true), tostring(best))
end

-- What is set may read the parameter that it sets, and others: vx = vx^2 / 2 and a = 3 + vy in one run, a shift in the
-- other. The difference quotient that the optimizer takes knows nothing of how derivatives are made.
do
  local p = throw()
  local runs = { { "curved", set = { vx = p.vx^2 / 2, a = 3 + p.vy } },
                 { "shifted", set = { vy = p.vy + 0.25, b = 2 }, weight = 0.5, start = 1, t = 2.5 } }
  local best = p.m:optimize { minimize = p.miss, over = { p.vx, p.vy }, t = 1, experiments = runs,
                              optimizer = mbs.lbfgsb { check_gradient = true } }
  assert(best.gradient_check.relative_error < 1e-6, best.gradient_check.relative_error)
  local function cost(x, y)
    return (x^2 / 2 - 3 - y)^2 + y^2 + 0.5 * ((1.5 * x - 4)^2 + (1.5 * (y + 0.25) - 2)^2)
  end
  check.near(best.initial, cost(1.5, 0.5), 1e-9)
  check.near(best.final, cost(p.vx.value, p.vy.value), 1e-9)
  local x, y = p.vx.value, p.vy.value
  local first, second = x^2 / 2 - 3 - y, 1.5 * (y + 0.25) - 2
  check.near(2 * first * x + 1.5 * (1.5 * x - 4), 0, 1e-5)
  check.near(-2 * first + 2 * y + 1.5 * second, 0, 1e-5)
end

-- The smallest circle around points is the minimax of squared distances: through three corners of an acute triangle;
-- the multipliers are the barycentric coordinates of its centre. A point inside has nothing to say.
do
  local p = throw()
  local best = p.m:optimize { minimize = p.miss, over = { p.vx, p.vy }, t = 1, combine = "worst", check = true,
    experiments = { { "A", set = { a = 0 } }, { "B", set = { a = 4 } }, { "C", set = { a = 1, b = 3 } },
                    { "inside", set = { a = 2, b = 2 } } } }
  check.equal(best.reason, "stationary")
  check.near(p.vx.value, 2, 1e-7)
  check.near(p.vy.value, 1, 1e-7)
  check.near(best.initial, 2.5^2 + 0.5^2, 1e-12)
  check.near(best.final, 5, 1e-7)
  local sum = 0
  for name, wanted in pairs { A = 1 / 4, B = 5 / 12, C = 1 / 3, inside = 0 } do
    local run = best.experiments[name]
    check.near(run.multiplier, wanted, 1e-6)
    check.equal(run.active, wanted > 0)
    sum = sum + run.multiplier
  end
  check.near(sum, 1, 1e-9)
  check.near(best.experiments.inside.cost, 1, 1e-6)
  assert(best.check.relative_difference < 1e-12)
  assert(tostring(best):find("the worst of the experiments", 1, true), tostring(best))
end

-- The same whatever the size of the costs, also where the worst is zero at the start.
for _, scale in ipairs { 1e-9, 1, 1e9 } do
  for _, offset in ipairs { -6.5, 0, 1000 } do
    local p = throw()
    local cost = p.m:objective { "cost", terminal = scale * ((p.P.x - p.a)^2 + (p.P.y - p.b)^2 + offset) }
    local best = p.m:optimize { minimize = cost, over = { p.vx, p.vy }, t = 1, combine = "worst",
      experiments = { { "A", set = { a = 0 } }, { "B", set = { a = 4 } }, { "C", set = { a = 1, b = 3 } } } }
    check.near(p.vx.value, 2, 1e-6)
    check.near(p.vy.value, 1, 1e-6)
    check.near(best.final / scale, 5 + offset, 1e-6)
    check.near(best.experiments.A.multiplier, 1 / 4, 1e-6)
    check.near(best.experiments.C.multiplier, 1 / 3, 1e-6)
  end
end

-- Weights of the worst: (v - 1)^2 = 4 (3 - v)^2 at v = 7 / 3. From several starts the same.
for starts = 1, 3, 2 do
  local p = throw()
  p.vy.value = 0
  local best = p.m:optimize { minimize = p.miss, over = p.vx, t = 1, combine = "worst", starts = starts,
    experiments = { { "near", set = { a = 1 } }, { "far", set = { a = 3 }, weight = 4 } } }
  check.near(p.vx.value, 7 / 3, 1e-7)
  check.near(best.final, 16 / 9, 1e-7)
  check.near(best.experiments.near.multiplier, 2 / 3, 1e-6)
  check.near(best.experiments.far.multiplier, 1 / 3, 1e-6)
  check.near(best.experiments.far.cost, 4 / 9, 1e-6)
end

-- Limits hold in every run, those of parameters once: 2 v <= 6 in the long one. The cost is -3 v, so that its
-- multiplier is 3 / 2; of the worst, -v, it is 1 / 2.
for word, multiplier in pairs { sum = 1.5, worst = 0.5 } do
  local p = throw()
  local far, reach = p.m:objective { "far", terminal = -p.P.x }, p.m:objective { "reach", terminal = p.P.x }
  local best = p.m:optimize { minimize = far, over = p.vx, t = 1, combine = word,
    experiments = { { "short" }, { "long", t = 2 } },
    subject_to = { { "reach", reach, max = 6, unit = "m" }, { "speed", p.vx, max = 100 } } }
  check.near(p.vx.value, 3, 1e-7)
  check.near(best.constraints["reach in long"].value, 6, 1e-6)
  check.near(best.constraints["reach in long"].multiplier, multiplier, 1e-6)
  check.near(best.constraints["reach in short"].value, 3, 1e-6)
  check.equal(best.constraints["reach in short"].active, false)
  check.equal(best.constraints.speed.active, false)
end

-- Mean and deviation: v^2 / 2 - T v with T = 1 and 3 has the mean v^2 / 2 - 2 v and the deviation v.
do
  local p = throw()
  local cost = p.m:objective { "cost", terminal = p.P.x^2 / 2 - p.a * p.P.x }
  local best = p.m:optimize { minimize = cost, over = p.vx, t = 1, combine = "mean_and_deviation", deviations = 0.5,
    experiments = { { set = { a = 1 } }, { set = { a = 3 } } } }
  check.near(p.vx.value, 1.5, 1e-7)
  check.near(best.final, -1.125, 1e-9)
  check.near(best.experiments["experiment 2"].cost, 1.125 - 4.5, 1e-6)
  -- With weights as probabilities 3/4 and 1/4: mean of T is 1.5, its deviation sqrt(3) / 2.
  p.vx.value = 3
  best = p.m:optimize { minimize = cost, over = p.vx, t = 1, combine = "mean_and_deviation", deviations = 1,
    experiments = { { set = { a = 1 }, weight = 3 }, { set = { a = 3 } } } }
  check.near(p.vx.value, 1.5 - 3^0.5 / 2, 1e-7)
  check.near(best.final, -(1.5 - 3^0.5 / 2)^2 / 2, 1e-9)
end

-- Tolerances leave room at the bounds: vx + 1/2 reaches the max of 20 at 19.5, 3 vx at 20 / 3.
for factor, wanted in pairs { [1] = 19.5, [3] = 20 / 3 } do
  local p = throw()
  local far = p.m:objective { "far", terminal = -p.P.x }
  local best = p.m:optimize { minimize = far, over = p.vx, t = 1,
    experiments = { { set = { vx = p.vx + 0.5 } }, { set = { vx = factor * p.vx } } } }
  check.near(p.vx.value, wanted, 1e-9)
  check.equal(best.reason, "projected_gradient")
end

-- A run ends where its own stop says: 2 / v + 2 there, and v + 1 after a second.
do
  local p = throw()
  local cost = p.m:objective { "cost", terminal = p.P.x, integral = 1 }
  local best = p.m:optimize { minimize = cost, over = p.vx, t = 1,
    experiments = { { "stopped", t = 10, stop = p.P.x - 2 }, { "free" } } }
  check.near(p.vx.value, 2^0.5, 1e-6)
  check.near(best.experiments.stopped.cost, 2 + 2^0.5, 1e-6)
  check.near(best.experiments.free.cost, 1 + 2^0.5, 1e-6)
end

-- A start at rest: a mass of 1 kg hangs at -L - g / k, where L + 9.81 / k = 2 for the one that rests.
do
  local m = mbs.model { "hanging", gravity = { 0, -9.81 } }
  local k = m:param { "k", 20, unit = "N/m", min = 5, max = 100 }
  local P = m:point { "P", at = { 0, -1 }, mass = 1 }
  m:spring { m:ground { at = { 0, 0 } }, P, stiffness = k, free_length = 1 }
  local miss = m:objective { "miss", terminal = (P.y + 2)^2 }
  local best = m:optimize { minimize = miss, t = 0.3, experiments = { { "rests", at_rest = true } } }
  check.near(k.value, 9.81, 1e-4)
  assert(best.experiments.rests.cost < 1e-10)
end

-- A run that sets what is searched has no slope, by whatever method; if all do, that is said.
for _, how in ipairs { mbs.adjoint {}, mbs.adjoint { checkpoints = 5 }, mbs.direct {}, mbs.continuous_adjoint {},
                       mbs.continuous_direct {}, mbs.finite_difference {} } do
  local p = throw()
  p.vy.value = 0
  local best = p.m:optimize { minimize = p.miss, over = p.vx, t = 1, method = how,
    experiments = { { "fixed", set = { vx = 2 } }, { "free" } } }
  check.near(p.vx.value, 4, 1e-6)
  check.near(best.final, 4, 1e-9)
  check.equal(#best.warnings, 0)
  best = p.m:optimize { minimize = p.miss, over = { p.vx, p.vy }, t = 1, method = how,
    experiments = { { "one", set = { vx = 2 } }, { "two", set = { vx = 3 } } } }
  check.equal(#best.warnings, 1)
  assert(best.warnings[1]:find('every experiment sets parameter "vx"', 1, true), best.warnings[1])
end

-- What a run warns of, it warns of by its name.
do
  local p = throw()
  p.m:force { "kick", on = p.P, law = function(s) return mbs.where(mbs.gt(s.x, 0.51), 1, 0), 0 end }
  local best = p.m:optimize { minimize = p.miss, over = p.vx, t = 1, integrator = mbs.rk4 { step = 0.1 },
    experiments = { { "slow", set = { vx = 0.1 * p.vx, a = 0.2 } }, { "fast", set = { a = 2 } } } }
  assert(#best.warnings == 1 and best.warnings[1]:find('^experiment "fast": '), best.warnings[1])
end
