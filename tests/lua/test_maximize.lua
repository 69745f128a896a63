-- m:optimize { maximize = ... }: all values are those of the objective, against closed forms.
local mbs = require "perilune"
local check = require "check"
local near = check.near

-- x = v t at t = 1, so that f = 3 v - v^2 + c has its greatest value, 9/4 + c, at v = 3/2.
local m = mbs.model { "throw", gravity = { 0, 0 } }
local v, c = m:param { "v", 1, min = 0, max = 5 }, m:param { "c", 0 }
local P = m:point { "P", mass = 1, at = { 0, 0 }, velocity = { v, 1 } }
local f = m:objective { "f", terminal = 3 * P.x - P.x ^ 2 + c }
local function best_of(more)
  v.value = 1
  more.maximize, more.over, more.t = f, v, 1
  return m:optimize(more)
end
local function says(best, text) assert(tostring(best):find(text, 1, true), tostring(best)) end

do
  local best = best_of {}
  near(best.initial, 2, 1e-9)
  near(best.final, 9 / 4, 1e-9)
  near(best.history[1].value, 2, 1e-9)
  near(best.history[#best.history].value, 9 / 4, 1e-9)
  says(best, "maximization: 2 -> 2.25 at v = 1.5")
  local file = os.tmpname()
  best:page(file)
  local page = assert(io.open(file)):read "a"
  os.remove(file)
  assert(page:find("What was sought is the greatest f.", 1, true))
  assert(page:find(">f</th>", 1, true) and not page:find(">-f<", 1, true) and not page:find("-2.25", 1, true))
end

do  -- As a list of one, which minimize may be, too.
  v.value = 1
  near(m:optimize { maximize = { f }, over = v, t = 1 }.final, 9 / 4, 1e-9)
  v.value = 1
  check.fails("maximize must be", m.optimize, m, { maximize = { f, f }, over = v, t = 1 })
end

do  -- Newton's method speaks of what was asked for: f'' = -2, in variables of scale 1 (v itself at its start).
  local best = best_of { optimizer = mbs.trust_region {} }
  near(best.final, 9 / 4, 1e-12)
  assert(best.least_curvature == nil)
  near(best.greatest_curvature, -32, 1e-8)
  says(best, "It is a maximum: the greatest curvature is -32.")
  v.value = 1
  local least = m:optimize { minimize = -f, over = v, t = 1, optimizer = mbs.trust_region {} }
  near(least.least_curvature, 32, 1e-8)
  says(least, "It is a minimum: the least curvature is 32.")
end

do  -- So do endings, and job files.
  -- With terms of higher order, so that the last step does not come to a slope of zero exactly.
  v.value = 1
  local bent = m:objective { "bent", terminal = math.sin(P.x) - 0.3 * math.exp(0.3 * P.x) }
  says(m:optimize { maximize = bent, over = v, t = 1, optimizer = mbs.lbfgsb { projected_gradient = 0 } }, "increase")
  local file = os.tmpname()
  os.remove(file)
  best_of { job = file }
  local text = assert(io.open(file)):read "a"
  assert(text:find('"maximize": "f"', 1, true) or text:find('"maximize":"f"', 1, true), text:sub(1, 400))
  assert(not text:find("-f", 1, true), text:sub(1, 400))
  v.value = 1
  check.fails("minimize", m.optimize, m, { minimize = -f, over = v, t = 1, job = file })
  os.remove(file)
end

do  -- A limit, v <= 1.2: the greatest value is 2.16, and its slope by the limit 3 - 2 * 1.2.
  local best = best_of { subject_to = { { "slow", v, max = 1.2 } } }
  near(best.final, 2.16, 1e-8)
  near(best.constraints.slow.multiplier, 0.6, 1e-6)
  says(best, "what holds the greatest f:")
  says(best, "+0.012: objective +0.0072")
end

do  -- Several starts.
  local best = best_of { starts = 3 }
  near(best.final, 9 / 4, 1e-8)
  for _, one in ipairs(best.starts) do
    near(one.final, 9 / 4, 1e-8)
    near(one.initial, 3 * one.from.v - one.from.v ^ 2, 1e-8)
  end
end

do  -- Experiments: the sum of both, and the least of both where the worst counts.
  local experiments = { { "low", set = { c = -1 } }, { "high", set = { c = 1 } } }
  local best = best_of { experiments = experiments }
  near(best.final, 9 / 2, 1e-8)
  near(best.experiments.low.cost, 5 / 4, 1e-8)
  near(best.experiments.high.cost, 13 / 4, 1e-8)
  best = best_of { experiments = experiments, combine = "worst" }
  near(best.final, 5 / 4, 1e-6)
  near(best.initial, 1, 1e-8)
  near(best.experiments.low.cost, 5 / 4, 1e-6)
  assert(best.experiments.low.active and not best.experiments.high.active)
end

do  -- Tolerances: c scatters by 0.1, three of which are taken off.
  local best = best_of { tolerances = { { c, 0.1 } } }
  near(best.final, 9 / 4 - 0.3, 1e-8)
  near(best.nominal, 9 / 4, 1e-8)
  near(best.deviation, 0.1, 1e-9)
  says(best, "f = 2.25 - 3 x 0.1")
end

print "ok"
