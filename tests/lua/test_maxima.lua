-- The greatest and the least value over time: closed forms of values and derivatives, at a smooth peak, at the start,
-- the end, an event, a stop and the ends of a window; the discrete methods agree to rounding.
local mbs = require "perilune"
local check = require "check"
local g = 9.81
local integrators = { mbs.dormand_prince {}, mbs.rk4 { step = 2e-3 }, mbs.radau {},
                      mbs.bdf { relative_tolerance = 1e-9, absolute_tolerance = 1e-11 }, mbs.rosenbrock {} }

-- By adjoint, with checkpoints too, and by the direct method; differences of whole runs where `width` is given.
local function agree(m, objective, arguments, width)
  local function by(method)
    local all = { objective, method = method }
    for name, value in pairs(arguments) do all[name] = value end
    return m:gradient(all)
  end
  local adjoint, largest = by(mbs.adjoint {}), 0
  for _, value in ipairs(adjoint.gradient) do largest = math.max(largest, math.abs(value)) end
  local function near(other, tolerance)
    check.equal(other.value, adjoint.value)
    for j, value in ipairs(other.gradient) do
      local apart = math.abs(value - adjoint.gradient[j])
      assert(apart <= tolerance * largest, ("%s: %.3g of %.3g"):format(tostring(other), apart, largest))
    end
  end
  near(by(mbs.direct {}), 1e-10)
  near(by(mbs.adjoint { checkpoints = 3 }), 1e-12)
  if width then near(by(mbs.finite_difference { step = 4e-3, richardson = 2 }), width) end
  return adjoint
end

-- Ridders' differences of a closed form.
local function slope(f, x)
  local function at(h) return (f(x + h) - f(x - h)) / (2 * h) end
  local h = 2e-3 * x
  local coarse, fine, finest = at(h), at(h / 2), at(h / 4)
  return (16 * (4 * finest - fine) / 3 - (4 * fine - coarse) / 3) / 15
end

-- Of the n-th derivative of x in m x'' + d x' + k x = 0 from x = 0 with speed v.
local function closed(n, sign, k, d, v, from, to)
  local s, w = d / 2, k ^ 0.5
  local wd, beta = (k - d ^ 2 / 4) ^ 0.5, math.acos(-d / 2 / w)
  local function f(t) return sign * v / wd * w ^ n * math.exp(-s * t) * math.sin(wd * t + n * beta) end
  local best = math.max(f(from), f(to))
  for i = 0, 12 do
    local t = (i * math.pi - (n + 1) * beta) / wd
    if t > from and t < to then best = math.max(best, f(t)) end
  end
  return sign * best
end
do
  local m = mbs.model { "oscillator" }
  local k, d = m:param { "k", 40, unit = "N/m", min = 1 }, m:param { "d", 1.2, unit = "N s/m", min = 0 }
  local v = m:param { "v", 2, unit = "m/s" }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  m:force { "f", on = P, law = function() return -k * P.x - d * P.vx, 0 end }
  for n, signal in ipairs { P.x, P.vx, P.ax } do
    for sign, kind in pairs { [1] = "maximum", [-1] = "minimum" } do
      -- The whole run, and a window that ends at half of a swing.
      for _, window in ipairs { { 0, 3 }, { 0.5, 1.77 } } do
        local whole = window[1] == 0
        local peak = m:objective { [kind] = signal, from = not whole and window[1] or nil, to = not whole and window[2] or nil }
        local function value(K, D, V) return closed(n - 1, sign, K, D, V, window[1], window[2]) end
        local expected = value(40, 1.2, 2)
        local slopes = { slope(function(x) return value(x, 1.2, 2) end, 40), slope(function(x) return value(40, x, 2) end, 1.2),
                         slope(function(x) return value(40, 1.2, x) end, 2) }
        for i, integrator in ipairs(integrators) do
          local found = agree(m, peak, { t = 3, integrator = integrator }, i == 1 and 1e-7 or nil)
          assert(math.abs(found.value / expected - 1) < 3e-7, tostring(found))
          for j, unit in ipairs { 40, 1.2, 2 } do
            -- In parts of what a doubling of the parameter does.
            local apart = math.abs(found.gradient[j] - slopes[j]) * unit / math.abs(expected)
            assert(apart < 1e-6, ("%s %d by %s: d/d%d is off by %.2g"):format(kind, n, tostring(integrator), j, apart))
          end
          check.equal(#found.warnings, 0)
        end
      end
    end
  end
end

-- Of a motion that a driver gives, mesh points are exact: what interpolation is off by is told where it matters.
do
  for _, w in ipairs { 2, 3, 4 } do
    local m = mbs.model { "driven" }
    local P = m:point { "P", at = { math.sin(0.1), 0 }, mass = 1 }
    m:driver { "drive", P.x, law = function(s) return math.sin(w * s.t + 0.1) end }
    for n, signal in ipairs { P.x, P.vx, P.ax } do
      local name = "peak" .. n
      local peak = m:objective { name, maximum = signal, from = 0.9 }
      local run = m:simulate { t = 4, integrator = mbs.rk4 { step = 0.2 }, formulation = mbs.index1 { project = true },
                               objectives = { peak } }
      local off = math.abs(run.objectives[name] / w ^ (n - 1) - 1)
      local promised = table.concat(run.warnings, "\n"):match 'objective "peak%d" lies inside a step.-%+%- (%S+);'
      if promised then
        local error = tonumber(promised) / w ^ (n - 1)
        assert(off < 3 * error and error < 30 * off, ("%d %d: %g, said %g"):format(w, n, off, error))
      else
        assert(off < 5e-5, ("%d %d: %g"):format(w, n, off))  -- a hundred thousandth of the range, as told
      end
      if n == 3 and w > 2 then assert(promised) end
      local peak_error = run.peaks[name].error / w ^ (n - 1)
      assert(off < 3 * peak_error and peak_error < 30 * off, peak_error)
      check.near(math.cos(w * run.peaks[name].t + 0.1 + (n - 2) * math.pi / 2), 1, 1e-5)
    end
  end
end

-- Of many signals that do so in one run, one sentence tells: the first names, how many others, and the roughest.
do
  local function told(count)
    local m = mbs.model { "driven by many" }
    local objectives = {}
    for k = 1, count do
      local w, P = 4 + k / 100, m:point { "P" .. k, at = { math.sin(0.1), 0 }, mass = 1 }
      m:driver { "drive" .. k, P.x, law = function(s) return math.sin(w * s.t + 0.1) end }
      objectives[k] = m:objective { "most" .. k, maximum = P.ax, from = 0.9 }
    end
    local run = m:simulate { t = 4, integrator = mbs.rk4 { step = 0.2 }, formulation = mbs.index1 { project = true },
                             objectives = objectives }
    check.equal(#run.warnings, 1)
    local text = run.warnings[1]
    local worst, value, error = text:match 'roughest that of "(most%d)" at t = %S+ s: (%S+) %+%- (%S+); shorter steps make them'
    for _, peak in pairs(run.peaks) do  -- each swings between as much as its peak to both sides
      assert(peak.error > 2e-5 * peak.value)
      assert(peak.error / peak.value <= run.peaks[worst].error / run.peaks[worst].value)
    end
    check.near(tonumber(value), run.peaks[worst].value, 1e-5 * run.peaks[worst].value)
    check.near(tonumber(error), run.peaks[worst].error, 0.5 * run.peaks[worst].error)
    return text:match "^the extrema of objectives (.-) lie inside steps"
  end
  check.equal(told(2), '"most1" and "most2"')
  check.equal(told(3), '"most1", "most2" and "most3"')
  check.equal(told(4), '"most1", "most2", "most3" and 1 other')
  check.equal(told(6), '"most1", "most2", "most3" and 3 others')
end

-- In free flight the mesh's polynomial is the motion: the height of a throw, at any step.
do
  local m = mbs.model { "throw", gravity = { 0, -g } }
  local v = m:param { "v", 4, unit = "m/s" }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, v }, mass = 1 }
  local function peak(fields, expected, derivative, arguments)
    arguments = arguments or { t = 1, integrator = mbs.rk4 { step = 0.3 } }
    local found = agree(m, m:objective(fields), arguments, 1e-9)
    check.near(found.value, expected, 1e-12)
    check.near(found.gradient[1], derivative, 1e-11)
  end
  peak({ maximum = P.y }, 16 / 2 / g, 4 / g)
  peak({ maximum = -P.y }, g / 2 - 4, -1)                                  -- at the end
  peak({ minimum = P.y }, 4 - g / 2, 1)
  peak({ maximum = P.vy }, 4, 1)                                           -- at the start
  peak({ maximum = P.y, to = 0.25 }, 1 - g / 32, 0.25)                     -- at the ends of a window
  peak({ maximum = P.y, from = 0.55, to = 0.9 }, 2.2 - g / 2 * 0.55 ^ 2, 0.55)
  peak({ minimum = P.y * v, to = 0.25 }, 0, 0)
  peak({ maximum = P.y * v - 2 * v }, 4 ^ 3 / 2 / g - 8, 3 * 16 / 2 / g - 2) -- parameters in the signal
  -- A stop ends the run at y = -0.5: at the end the speed is greatest, and what was before does not depend on the stop.
  local down = (16 + g) ^ 0.5
  for _, integrator in ipairs { mbs.rk4 { step = 0.3 }, mbs.dormand_prince {} } do
    local arguments = { t = 3, stop = P.y + 0.5, integrator = integrator }
    peak({ maximum = P.y }, 16 / 2 / g, 4 / g, arguments)
    peak({ maximum = -P.vy }, down, 4 / down, arguments)
    peak({ maximum = math.sin(P.x) }, math.sin((4 + down) / g), math.cos((4 + down) / g) * (1 + 4 / down) / g, arguments)
  end
end

-- Where a signal has a kink or jumps, and where forces do, adaptive steps end: so does the peak.
do
  local m = mbs.model { "kinks" }
  local v, L = m:param { "v", 2, unit = "m/s" }, m:param { "L", 0.9, unit = "m" }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  local function peak(fields, expected, by_v, by_L)
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {} } do
      local found = agree(m, m:objective(fields), { t = 1, integrator = integrator })
      check.near(found.value, expected, 1e-9)
      check.near(found.gradient[1], by_v, 1e-8)
      check.near(found.gradient[2], by_L, 1e-8)
    end
  end
  peak({ maximum = function(s) return math.min(P.x(s), L - 2 * P.x(s)) end }, 0.3, 0, 1 / 3)
  peak({ maximum = function(s) return math.min(P.x(s), L - 2 * P.x(s)) + 0.1 * s.t end }, 0.3 + 0.015, -0.0075, 1 / 3 + 0.1 / 6)
  peak({ maximum = function(s) return mbs.where(mbs.lt(P.x(s), L), P.x(s) * v, 0) end }, 1.8, 0.9, 2)
  peak({ minimum = function(s) return mbs.where(mbs.lt(P.x(s), L), v, L - v * P.x(s)) end }, 0.9 - 4, -4, 1)
end
do
  -- A push until x = L, then a brake: the greatest speed, and a spring from x = L on: its greatest force.
  for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {} } do
    local m = mbs.model { "push" }
    local F, L = m:param { "F", 3, unit = "N" }, m:param { "L", 0.8, unit = "m" }
    local P = m:point { "P", at = { 0, 0 }, mass = 1 }
    m:force { "push", on = P, law = function() return mbs.where(mbs.lt(P.x, L), F, -2), 0 end }
    local fastest = (2 * 3 * 0.8) ^ 0.5
    local found = agree(m, m:objective { maximum = P.vx }, { t = 1, integrator = integrator })
    check.near(found.value, fastest, 1e-8)
    check.near(found.gradient[1], 0.8 / fastest, 1e-7)
    check.near(found.gradient[2], 3 / fastest, 1e-7)
    -- From L on it goes up to L (1 + F / 2), in 0.73 s and 1.1 s.
    found = agree(m, m:objective { maximum = P.x }, { t = 2, integrator = integrator })
    check.near(found.value, 2, 1e-8)
    check.near(found.gradient[1], 0.4, 1e-7)
    check.near(found.gradient[2], 2.5, 1e-7)

    m = mbs.model { "buffer" }
    local k, at = m:param { "k", 50, unit = "N/m" }, m:param { "at", 0.5, unit = "m" }
    P = m:point { "P", at = { 0, 0 }, velocity = { 2, 0 }, mass = 1 }
    local function force() return mbs.where(mbs.lt(P.x, at), 0, -k * (P.x - at)) end
    m:force { "buffer", on = P, law = function() return force(), 0 end }
    for _, signal in ipairs { -P.ax, -force() } do
      found = agree(m, m:objective { maximum = signal }, { t = 1, integrator = integrator })
      check.near(found.value, 2 * 50 ^ 0.5, 3e-7)
      check.near(found.gradient[1], 1 / 50 ^ 0.5, 1e-6)
      check.near(found.gradient[2], 0, 1e-5)
    end
  end
end

-- A pendulum from the horizontal pulls with 3 m g at most, however long it is: every form with every integrator.
do
  local m = mbs.model { "pendulum", gravity = { 0, -g } }
  local L, M = m:param { "L", 1, unit = "m" }, m:param { "M", 2, unit = "kg" }
  local P = m:point { "P", at = { L, 0 }, mass = M }
  local rod = m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  local speed = m:objective { "speed", maximum = (P.vx ^ 2 + P.vy ^ 2) / 2 }
  local pull = m:objective { "pull", maximum = math.sqrt(P.ax ^ 2 + (P.ay + g) ^ 2) * M }
  for _, form in ipairs { mbs.penalty { alpha = 1e7 }, mbs.index1 { project = true }, mbs.index1 { alpha = 10, beta = 10 },
                          mbs.index2 {}, mbs.index3 {}, mbs.augmented_lagrangian {}, mbs.stabilized_index1 {}, mbs.maggi {},
                          mbs.coordinate_partitioning {} } do
    for _, integrator in ipairs { mbs.rk4 { step = 5e-3 }, mbs.dormand_prince {}, mbs.trapezoidal { step = 2.5e-3 },
                                  mbs.radau { step = 5e-3 }, mbs.sdirk4 { step = 5e-3 }, mbs.generalized_alpha { step = 2.5e-3 },
                                  mbs.bdf {}, mbs.rosenbrock { step = 5e-3 } } do
      for _, each in ipairs { { speed, g, { g, 0 } }, { pull, 3 * 2 * g, { 0, 3 * g } } } do
        local arguments = { t = 0.9, formulation = form, integrator = integrator }
        local goes, why = pcall(m.simulate, m, arguments)
        if goes then
          local found = agree(m, each[1], arguments)
          -- Velocities of index-3 steps by sdirk4 are of first order.
          local pair = tostring(form) .. tostring(integrator)
          local own = pair:find "^index3.*sdirk4" and 50 or 1
          check.near(found.value, each[2], 2e-4 * own, pair)
          for j = 1, 2 do check.near(found.gradient[j], each[3][j], 5e-3 * own, pair) end
        else
          assert(tostring(why):find "needs", tostring(why))
        end
      end
    end
  end
  -- The tension by the multiplier, whose equation knows no speed: by index 1 and independent coordinates alone.
  local tension = m:objective { "tension", maximum = rod.force }
  for _, form in ipairs { mbs.index1 { project = true }, mbs.maggi {}, mbs.coordinate_partitioning {} } do
    for _, integrator in ipairs { mbs.dormand_prince {}, mbs.rk4 { step = 5e-3 }, mbs.radau {} } do
      local found = agree(m, tension, { t = 0.9, formulation = form, integrator = integrator }, 1e-7)
      check.near(found.value, 3 * 2 * g, 1e-7)
      check.near(found.gradient[1] / found.value, 0, 1e-6)
      check.near(found.gradient[2], 3 * g, 1e-7)
    end
  end
end

-- Beside an event whose time moves with the parameters, as a spring is met: the peak right behind it, by few points.
do
  local m = mbs.model { "beside" }
  local v, at = m:param { "v", 2, unit = "m/s" }, m:param { "at", 0.5, unit = "m" }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  m:force { "stop", on = P, law = function() return mbs.where(mbs.lt(P.x, at), 0, -400 * (P.x - at) - 10 * P.vx), 0 end }
  -- Behind it x = v / w exp(-d t) sin(w t) with d = 5, w = 375^0.5; the force k x + c x' is 10 v at first.
  local w = 375 ^ 0.5
  local function force(t)
    local x = math.exp(-5 * t) * math.sin(w * t) / w
    return 400 * x + 10 * (math.exp(-5 * t) * math.cos(w * t) - 5 * x)
  end
  local low, high = 0, 0.1
  for _ = 1, 200 do
    local a, b = low + (high - low) / 3, high - (high - low) / 3
    if force(a) < force(b) then low = a else high = b end
  end
  for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {} } do
    local found = agree(m, m:objective { maximum = -P.ax }, { t = 1, integrator = integrator })
    check.near(found.value, 2 * force(low), 1e-6)
    check.near(found.gradient[1], force(low), 1e-5)
    check.near(found.gradient[2], 0, 1e-4)
  end
  -- At the end of a window, a little behind the event at the time at / v, all the same.
  local function behind(t, speed, place)
    local since = t - place / speed
    local x, dx = math.exp(-5 * since) * math.sin(w * since) / w, math.exp(-5 * since) * math.cos(w * since)
    return place + speed * x, speed * (dx - 5 * x), speed * (400 * x + 10 * (dx - 5 * x))
  end
  for _, to in ipairs { 0.251, 0.253, 0.26 } do
    for i, fields in ipairs { { maximum = P.x }, { minimum = P.vx }, { maximum = -P.ax } } do
      fields.from, fields.to = 0.2, to
      local function value(speed, place) return (select(i, behind(to, speed, place))) end
      local by_v = slope(function(x) return value(x, 0.5) end, 2)
      local by_at = slope(function(x) return value(2, x) end, 0.5)
      for _, integrator in ipairs { mbs.dormand_prince {}, mbs.radau {}, mbs.bdf {}, mbs.dormand_prince { initial_step = 1e-3 } } do
        local found = agree(m, m:objective(fields), { t = 1, integrator = integrator })
        check.near(found.value, value(2, 0.5), 1e-6)
        check.near(found.gradient[1], by_v, 1e-5)
        check.near(found.gradient[2], by_at, 1e-5)
      end
    end
  end
end

-- A limit on the height of a throw that is to go far and high: d(cost)/dH = g / vx - g / vy.
do
  local m = mbs.model { "limit", gravity = { 0, -g } }
  local vx = m:param { "vx", 3, unit = "m/s", min = 0, max = 20 }
  local vy = m:param { "vy", 3, unit = "m/s", min = 0, max = 20 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { vx, vy }, mass = 1 }
  local far, high = m:objective { "far", terminal = -P.x - P.y }, m:objective { "high", maximum = P.y }
  local best = m:optimize { minimize = far, t = 1, check = true, subject_to = {
    { "energy", (vx ^ 2 + vy ^ 2) / 2, max = 40 }, { "height", high, max = 1, unit = "m" } } }
  local up = (2 * g) ^ 0.5
  local along = (80 - up ^ 2) ^ 0.5
  check.equal(best.reason, "stationary")
  check.near(vy.value, up, 1e-7)
  check.near(vx.value, along, 1e-7)
  check.near(best.constraints.height.multiplier, g / up - g / along, 1e-5)
  assert(best.check.relative_difference < 1e-10, tostring(best))
end

-- What is not known of them is said, and m:check_gradient leaves it out.
do
  local m = mbs.model { "refused" }
  local v = m:param { "v", 1 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  local peak = m:objective { "peak", maximum = math.sin(3 * P.x) }
  check.near(m:gradient { peak, t = 1 }.gradient[1], 0, 1e-9)
  local late = m:objective { "late", maximum = P.x, from = 2 }
  check.fails("has no time in its window from 2 to inf s", m.simulate, m, { t = 1, objectives = { late } })
  check.fails("not by the continuous direct", m.gradient, m, { peak, t = 1, method = mbs.continuous_direct {} })
  check.fails("not by the continuous adjoint", m.gradient, m, { peak, t = 1, method = mbs.continuous_adjoint {} })
  check.fails("second derivatives are not offered of extrema over time", m.hessian, m, { peak, t = 1 })
  local falls = m:phase { "flies", stop = P.x - 2 }
  check.fails('objective "peak" is an extremum over time', m.simulate, m, { t = 1, phases = { falls }, objectives = { peak } })
  check.fails('objective "peak" is an extremum over time', m.gradient, m, { peak, t = 1, phases = { falls } })
  v.value = 0.3
  local table = m:check_gradient { peak, t = 1 }
  assert(table.worst < 1e-6 and #table == 3, tostring(table))
end

do -- what is narrow beside the steps of a free motion, in time and in place
  local m = mbs.model { "free", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 0 }, mass = 1 }
  local wave = m:objective { "wave", maximum = function(s) return math.sin(50 * s.t) + 0.1 * P.x(s) end }
  local pulse = m:objective { "pulse", maximum = function(s) return math.exp(-((P.x(s) - 3.37) / 0.005)^2) end }
  local found = m:simulate { t = 10, objectives = { wave, pulse } }.objectives
  -- The slope 50 cos(50 t) + 0.1 vanishes right behind the eightieth crest.
  local phase = 79 * 2 * math.pi + math.pi / 2 + math.asin(0.1 / 50)
  check.near(found.wave, math.sin(phase) + 0.1 * phase / 50, 1e-9)
  check.near(found.pulse, 1, 1e-9)
end

-- The negative of an objective has the opposite value and derivatives, and minima in place of maxima.
do
  local m = mbs.model { "negative", gravity = { 0, -9.81 } }
  local v = m:param { "v", 3, unit = "m/s" }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 1, v }, mass = 2 }
  for _, given in ipairs { { terminal = P.y }, { integral = P.y^2 }, { terminal = P.x, integral = P.y },
                           { maximum = P.y }, { minimum = P.y, from = 0.1, to = 0.5 } } do
    local one = m:objective(given)
    local other = -one
    local run = m:simulate { t = 0.7, objectives = { one, other, -other } }
    local name = one.name
    check.equal(other.name, "-" .. name)
    check.equal((-other).name, "--" .. name)
    check.near(run.objectives["-" .. name], -run.objectives[name], 0)
    check.near(run.objectives["--" .. name], run.objectives[name], 0)
    local slopes = m:gradient { { one, other } }
    check.near(slopes[2].gradient[1], -slopes[1].gradient[1], 1e-15)
  end
  -- The highest throw at 0.2 s is the fastest.
  v.value = 1
  local high = m:objective { "high", terminal = -(P.y - 0.3)^2 }
  m:optimize { minimize = -high, over = v, t = 0.2 }
  check.near(v.value, (0.3 + 9.81 / 2 * 0.04) / 0.2, 1e-7)
end
