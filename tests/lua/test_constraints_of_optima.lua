-- Optimization under limits: closed forms of the optimum, of its multipliers, and of what limits cost.
local mbs = require "perilune"
local check = require "check"
local g = 9.81

local function stationary(best)
  check.equal(best.reason, "stationary")
  assert(best.kkt <= 1e-8 and best.violation <= 1e-8, tostring(best))
end

-- A throw of one second that is to go far, with a limit on its energy and a least height: vy = h + g / 2.
do
  local m = mbs.model { "throw", gravity = { 0, -g } }
  local vx = m:param { "vx", 3, unit = "m/s", min = 0, max = 20 }
  local vy = m:param { "vy", 3, unit = "m/s", min = 0, max = 20 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { vx, vy }, mass = 1 }
  local far, high = m:objective { "far", terminal = -P.x }, m:objective { "high", terminal = P.y }
  for _, how in ipairs { mbs.slsqp {}, mbs.mma { max_evaluations = 5000 }, mbs.ccsaq { max_evaluations = 5000 },
                         mbs.auglag { max_evaluations = 5000 } } do
    vx.value, vy.value = 3, 3
    local best = m:optimize { minimize = far, t = 1, optimizer = how, check = true, subject_to = {
      { "energy", (vx^2 + vy^2) / 2, max = 40, unit = "J/kg" }, { "height", high, min = 1, unit = "m" },
      { "idle", vx + vy, max = 100 } } }
    local wanted = 1 + g / 2
    local fast = (80 - wanted^2)^0.5
    check.near(vy.value, wanted, 1e-6)
    check.near(vx.value, fast, 1e-6)
    check.near(best.final, -fast, 1e-6)
    -- Of the limit E: d(-vx)/dE = -1 / vx. Of the height: d(-vx)/dh = vy / vx.
    check.near(best.constraints.energy.multiplier, 1 / fast, 1e-5)
    check.near(best.constraints.height.multiplier, -wanted / fast, 1e-5)
    check.equal(best.constraints.idle.multiplier, 0)
    check.equal(best.constraints.idle.active, false)
    check.near(best.constraints.height.value, 1, 1e-6)
    assert(best.check.relative_difference < 1e-12 and best.check.method == "discrete direct")
    assert(tostring(best):find("what holds the least far", 1, true))
    if tostring(how):find "slsqp" then stationary(best) end
  end
end

-- From rest to rest over the distance x with the least integral of u^2: u = 6 x - 12 x t is linear in time, which a table
-- of straight pieces holds, and the least is 12 x^2 - 12 x v + 4 v^2 for the end (x, v).
do
  local m = mbs.model { "control", gravity = { 0, 0 } }
  local nodes, times = {}, {}
  for k = 0, 4 do
    nodes[#nodes + 1] = m:param { "u" .. k, 0.5, unit = "N", min = -50, max = 50 }
    times[#times + 1] = k / 4
  end
  local P = m:point { "P", at = { 0, 0 }, mass = 1 }
  local u = mbs.piecewise_linear { x = times, y = nodes }
  m:force { "drive", on = P, law = function(s) return u(s.t), 0 end }
  local effort = m:objective { "effort", integral = function(s) return u(s.t)^2 end }
  local where, speed = m:objective { "where", terminal = P.x }, m:objective { "speed", terminal = P.vx }
  local best = m:optimize { minimize = effort, t = 1, integrator = mbs.rk4 { step = 1 / 64 },
                            subject_to = { { where, equals = 1 }, { speed, equals = 0 } } }
  stationary(best)
  check.near(best.final, 12, 1e-9)
  for k = 0, 4 do check.near(nodes[k + 1].value, 6 - 3 * k, 1e-6) end
  check.near(best.constraints.where.multiplier, -24, 1e-6)
  check.near(best.constraints.speed.multiplier, 12, 1e-6)
end

-- The farthest throw from a height, to the ground, with a limited speed: R = v sqrt(v^2 + 2 g h) / g at the angle of
-- tan = v / sqrt(v^2 + 2 g h). The end is where it lands.
do
  local h, v = 2.5, 7
  local m = mbs.model { "catapult", gravity = { 0, -g } }
  local vx = m:param { "vx", 4, unit = "m/s", min = 0.1, max = 30 }
  local vy = m:param { "vy", 2, unit = "m/s", min = 0.1, max = 30 }
  local P = m:point { "P", at = { 0, h }, velocity = { vx, vy }, mass = 1 }
  local far = m:objective { "far", terminal = -P.x }
  local root = (v^2 + 2 * g * h)^0.5
  local best = m:optimize { minimize = far, t = 10, stop = -P.y, integrator = mbs.dormand_prince {
    relative_tolerance = 1e-10, absolute_tolerance = 1e-10 },
    subject_to = { { "speed", vx^2 + vy^2, max = v^2, unit = "m^2/s^2" } } }
  check.near(-best.final, v * root / g, 1e-7)
  check.near(vy.value / vx.value, v / root, 1e-6)
  assert(best.kkt < 1e-6)
  -- dR / d(v^2) = (v^2 + g h) / (g v root).
  check.near(best.constraints.speed.multiplier, (v^2 + g * h) / (g * v * root), 1e-5)
end

-- The way down of the least time along a line of straight pieces, for which each piece has its own mean speed: at every
-- corner d(time)/d(height) is zero, which a Newton iteration of our own solves. A limit on the depth holds the lowest.
do
  local n, x_end, drop = 6, 2, 1
  local function speed(y) return (2 * g * -y)^0.5 end
  local m = mbs.model { "brachistochrone", gravity = { 0, -g } }
  local y, time = {}, 0
  for k = 1, n - 1 do y[k] = m:param { "y" .. k, -drop * k / n, unit = "m", min = -3, max = -0.01 } end
  local function root_speed(k) return k == 0 and 0 or k == n and speed(-drop) or (2 * g * -y[k])^0.5 end
  for k = 1, n do
    local y0, y1 = k == 1 and 0 or y[k - 1], k == n and -drop or y[k]
    local length = ((x_end / n)^2 + (y1 - y0)^2)^0.5
    time = time + 2 * length / (root_speed(k - 1) + root_speed(k))
  end
  m:point { "P", at = { 0, 0 }, mass = 1 }
  local duration = m:objective { "duration", terminal = time }
  local function slope_at(heights, k)  -- of the time, by formulas of our own
    local function at(i) return i == 0 and 0 or i == n and -drop or heights[i] end
    local function v(i) return speed(at(i)) end
    local total = 0
    for piece = k, k + 1 do
      local a, b, sign = at(piece - 1), at(piece), piece == k and 1 or -1
      local dx, dy, sum = x_end / n, b - a, v(piece - 1) + v(piece)
      local length = (dx^2 + dy^2)^0.5
      total = total + 2 * sign * dy / length / sum - 2 * length / sum^2 * (-g / v(k))
    end
    return total
  end
  for _, deepest in ipairs { -3, -0.9 } do
    for k = 1, n - 1 do y[k].value = -drop * k / n end
    local limits = {}
    for k = 1, n - 1 do limits[k] = { "depth " .. k, y[k] + 0, min = deepest, unit = "m" } end
    local best = m:optimize { minimize = duration, t = 0.1, subject_to = limits }
    stationary(best)
    local heights, held = {}, 0
    for k = 1, n - 1 do heights[k] = y[k].value end
    for k = 1, n - 1 do
      local slope, multiplier = slope_at(heights, k), best.constraints["depth " .. k].multiplier
      check.near(slope + multiplier, 0, 1e-7)
      assert(multiplier <= 0)
      if multiplier < 0 then
        held = held + 1
        check.near(heights[k], deepest, 1e-8)
      end
    end
    assert(deepest == -3 and held == 0 or deepest > -3 and held > 0)
    -- Above the cycloid's time, and near it: cycloid through the end, by bisection for its angle.
    if deepest == -3 then
      local low, high = 0.1, 6.2
      for _ = 1, 200 do
        local a = (low + high) / 2
        if (a - math.sin(a)) / (1 - math.cos(a)) < x_end / drop then low = a else high = a end
      end
      local cycloid = low * (drop / (1 - math.cos(low)) / g)^0.5
      assert(best.final > cycloid and best.final < 1.03 * cycloid, best.final / cycloid)
    end
  end
end

-- From several starts; what contradicts; what nothing moves; the search that only bounds limit finds the same.
do
  local m = mbs.model { "several", gravity = { 0, 0 } }
  local a = m:param { "a", 2.5, min = -3, max = 3 }
  local b = m:param { "b", 0, min = -3, max = 3 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { a, b }, mass = 1 }
  local c = m:param { "c", 1, min = 0, max = 2 }
  local wells = m:objective { "wells", terminal = (P.x^2 - 4)^2 + P.x + P.y^2 }
  local one = m:optimize { minimize = wells, over = { a, b }, t = 1, subject_to = { { "sum", a + b, min = -1 } } }
  assert(a.value > 0)
  local best = m:optimize { minimize = wells, over = { a, b }, t = 1, starts = 8,
                            subject_to = { { "sum", a + b, min = -1 } } }
  assert(a.value < 0 and best.final < one.final and #best.starts == 8)
  check.near(a.value + b.value, -1, 1e-8)
  local bad = m:optimize { minimize = wells, over = { a, b }, t = 1,
                           subject_to = { { "sum", a + b, min = 7 }, { "c", c * 1, max = 5 } } }
  check.equal(bad.reason, "infeasible")
  assert(bad.message:find("contradict each other: sum, max of a and max of b", 1, true), bad.message)
  assert(table.concat(bad.warnings, "\n"):find('no parameter in over moves the constraint "c"', 1, true))
  local bounded = m:optimize { minimize = wells, over = { a, b }, t = 1 }
  a.value, b.value = 2.5, 1
  local free = m:optimize { minimize = wells, over = { a, b }, t = 1, optimizer = mbs.slsqp {} }
  check.near(free.final, (m:optimize { minimize = wells, over = { a, b }, t = 1 }).final, 1e-9)
  assert(bounded.final < free.final)
end
