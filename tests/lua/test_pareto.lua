-- Two costs against each other: fronts with closed forms, their prices, and what is left out or fails.
local mbs = require "perilune"
local check = require "check"

local function throw(min, max)
  local m = mbs.model { "throw", gravity = { 0, 0 } }
  local vx = m:param { "vx", 1, unit = "m/s", min = min, max = max }
  local vy = m:param { "vy", 0.7, unit = "m/s", min = -20, max = 20 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { vx, vy }, mass = 1 }
  local function distance(name, a, b) return m:objective { name, terminal = (P.x - a)^2 + (P.y - b)^2 } end
  return m, vx, vy, P, distance
end

-- Squared distances from two points, 5 apart: sqrt(f) + sqrt(g) = 5 along the straight line between them, and a unit
-- less of g costs sqrt(f) / sqrt(g).
for _, how in ipairs { mbs.slsqp {}, mbs.auglag { max_evaluations = 4000 } } do
  local m, vx, vy, _, distance = throw(-20, 20)
  local front = m:pareto { minimize = { distance("A", 0, 0), distance("B", 3, 4) }, points = 6, t = 1, optimizer = how }
  check.equal(#front, 6)
  check.equal(front.dominated, 0)
  check.equal(#front.failures, 0)
  for k, p in ipairs(front) do
    local b = 25 - 5 * (k - 1)
    local rest = 5 - b^0.5
    check.near(p.values.B, b, 1e-5)
    check.near(p.values.A, rest^2, 1e-5)
    check.near(p.parameters.vx, 0.6 * rest, k == 6 and 1e-5 or 1e-6)
    check.near(p.parameters.vy, 0.8 * rest, k == 6 and 1e-5 or 1e-6)
    if k < 6 then check.near(p.price, rest / b^0.5, 1e-4) end
  end
  check.equal(front[6].price, nil)
  check.equal(vx.value, 1)
  check.equal(vy.value, 0.7)
  local text = tostring(front)
  assert(text:find('^front of "throw", A against B: 6 points\n'), text)
  assert(text:find("price: what one unit less of B costs in A", 1, true), text)
end

-- The same with what is maximized, each cost by itself: values have the signs of what was given.
for _, case in ipairs { { 1, -1 }, { -1, -1 } } do
  local m, vx, vy, P = throw(-20, 20)
  local function cost(k, name, a, b)
    local square = (P.x - a)^2 + (P.y - b)^2
    return m:objective { name, terminal = case[k] * square + 3 }
  end
  local A, B = cost(1, "A", 0, 0), cost(2, "B", 3, 4)
  local front = m:pareto { minimize = case[1] > 0 and { A } or nil, maximize = case[1] > 0 and { B } or { A, B }, points = 6, t = 1 }
  check.equal(#front, 6)
  for k, p in ipairs(front) do
    local b = 25 - 5 * (k - 1)
    local rest = 5 - b^0.5
    check.near(p.values.B, 3 - b, 1e-5)
    check.near(p.values.A, 3 + case[1] * rest^2, 1e-5)
    check.near(p.parameters.vx, 0.6 * rest, 1e-5)
    if k < 6 then check.near(p.price, rest / b^0.5, 1e-4) end
  end
  check.equal(front[6].price, nil)
  local text = tostring(front)
  assert(text:find("price: what one unit more of B costs in A", 1, true), text)
end

-- An expression of parameters against an objective, under a limit: x + y against the miss of (4, 0) with y >= 1 and
-- x >= 0. With s = x + y the least miss is (5 - s)^2 + 1, down to s = 1, where x = 0.
do
  local m, vx, vy, _, distance = throw(0, 20)
  local miss = distance("miss", 4, 0)
  local front = m:pareto { minimize = { miss, { "effort", vx + vy, unit = "m/s" } }, points = 5, t = 1,
                           subject_to = { { "height", vy, min = 1 } } }
  check.equal(#front, 5)
  for k, p in ipairs(front) do
    local s = 5 - (k - 1)
    check.near(p.values.effort, s, 1e-6)
    check.near(p.values.miss, (5 - s)^2 + 1, 1e-5)
    check.near(p.parameters.vy, 1, 1e-6)
    if k < 5 then check.near(p.price, 2 * (5 - s), 1e-5) end
  end
  local file = os.tmpname()
  front:chart(file)
  local picture = assert(io.open(file)):read "a"
  os.remove(file)
  assert(picture:find("^<svg") and picture:find("effort [m/s]", 1, true) and picture:find("miss", 1, true))
end

-- The first cost does not know vy: its least with the second at its largest is beaten by points behind it.
do
  local m, _, vy, P, distance = throw(-20, 20)
  local flat = m:objective { "flat", terminal = (P.x - 1)^2 }
  local front = m:pareto { minimize = { flat, distance("B", 1, 0) }, points = 5, t = 1 }
  check.equal(#front, 1)
  check.equal(front.dominated, 4)
  check.near(front[1].values.flat, 0, 1e-9)
  check.near(front[1].values.B, 0, 1e-9)
  check.equal(vy.value, 0.7)
  assert(tostring(front):find("1 point, 4 left out", 1, true), tostring(front))
end

-- x^2 (5.9 - x) has a minimum at x = 4, its largest, too, where searches from there stay; those from the other side
-- find the front, on which the second cost is at its limit.
do
  local m, vx, _, P = throw(0, 4)
  local front = m:pareto { minimize = { m:objective { "hump", terminal = P.x^2 * (5.9 - P.x) }, { "left", 4 - vx } },
                           over = vx, points = 7, t = 1 }
  check.equal(#front, 7)
  for k, p in ipairs(front) do
    local x = (k - 1) * 2 / 3
    check.near(p.parameters.vx, x, 1e-6)
    check.near(p.values.hump, x^2 * (5.9 - x), 1e-5)
    if k > 1 and k < 7 then check.near(p.price, 11.8 * x - 3 * x^2, 1e-4) end
  end
end

-- No contradiction: one point.
do
  local m, vx, _, P = throw(0, 20)
  local far = m:objective { "far", terminal = -P.x }
  local front = m:pareto { minimize = { far, { "twice", -2 * vx } }, over = vx, t = 1 }
  check.equal(#front, 1)
  check.near(front[1].values.twice, -40, 1e-9)
end

-- A search that runs out of evaluations is a failure with a sentence, and no point.
do
  local m, _, _, P = throw(-20, 20)
  local A = m:objective { "A", terminal = P.x^2 + P.y^2 }
  local B = m:objective { "B", terminal = (P.x - 3)^2 + (P.y - 4)^2 }
  local front = m:pareto { minimize = { A, B }, points = 4, t = 1, optimizer = mbs.slsqp { max_evaluations = 8 } }
  check.equal(#front, 2)
  check.equal(#front.failures, 2)
  assert(front.failures[2]:find("^B at most 8.33333: Stopped at the limit of 8 evaluations"), front.failures[2])
  assert(tostring(front):find("2 points, 2 failed", 1, true))
  assert(tostring(front):find("failed: B at most 16.6667", 1, true))
end

-- The usual order of work: a search, and then the front from where it has ended.
do
  local m = mbs.model { "throw", gravity = { 0, -9.81 } }
  local v = m:param { "v", 3, unit = "m/s", min = 1, max = 20 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 5 }, mass = 1 }
  m:force { "drag", on = P, law = function(s) return -0.1 * s.vx, -0.1 * s.vy end }
  local miss = m:objective { "miss", terminal = (P.x - 4) ^ 2 }
  m:optimize { minimize = miss, t = 1 }
  local again = m:optimize { minimize = miss, t = 1, optimizer = mbs.slsqp {} }
  assert(again.message:find("^Converged"), again.message)
  local front = m:pareto { minimize = { miss, { "energy", v ^ 2 / 2 } }, points = 4, t = 1 }
  -- The drag takes (1 - exp(-0.1)) / 0.1 of the way.
  check.near(front[1].parameters.v, 0.4 / (1 - math.exp(-0.1)), 1e-6)
end
