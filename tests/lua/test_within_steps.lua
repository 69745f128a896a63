-- What reactions and accelerations do within a step: conditions that stop a run, of integrands and of laws find it,
-- whatever integrator and form, and greatest values say what they do not know.
local mbs = require "perilune"
local check = require "check"
local g, L, start = 9.81, 1.3, 1.2  -- of a pendulum, m, rad from below

-- At rest at first, it pulls with m g (3 cos(angle) - 2 cos(start)), most as it passes below; the time from there to an
-- angle is an integral, by Simpson's rule over a smooth substitute: sin(angle / 2) = sin(start / 2) sin(u).
local function pull(angle) return g * (3 * math.cos(angle) - 2 * math.cos(start)) end
local function time_from_below(angle)
  local k = math.sin(start / 2)
  local last, n, sum = math.asin(math.sin(angle / 2) / k), 200, 0
  for i = 0, n do
    local u = last * i / n
    sum = sum + (i == 0 and 1 or i == n and 1 or i % 2 == 1 and 4 or 2) / (1 - k ^ 2 * math.sin(u) ^ 2) ^ 0.5
  end
  return (L / g) ^ 0.5 * sum * last / n / 3
end
local quarter = time_from_below(start)
local function angle_of(force) return math.acos((force / g + 2 * math.cos(start)) / 3) end
local most = pull(0)

local function pendulum()
  local m = mbs.model { "pendulum", gravity = { 0, -g } }
  local O = m:ground { at = { 0, 0 } }
  local P = m:point { "P", at = { L * math.sin(start), -L * math.cos(start) }, mass = 1 }
  return m, P, m:distance { "rod", O, P }
end

-- Limits that are passed for shorter and shorter times: down to a hundredth of a swing's, where the pull is a ten
-- thousandth below its greatest. Steps of fixed length are as far off as they are long in forms that let constraints
-- drift.
local forms = { mbs.index1 { project = true }, mbs.maggi {}, mbs.coordinate_partitioning {}, mbs.penalty {},
                mbs.augmented_lagrangian {}, mbs.index3 {}, mbs.stabilized_index1 {} }
local integrators = { mbs.dormand_prince {}, mbs.dormand_prince { order = 8 }, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {} }
local fixed = { mbs.rk4 { step = 0.02 }, mbs.sdirk4 { step = 0.02 } }
local tried = 0
local function is_found(form, integrator)
  for _, share in ipairs { 0.3, 0.1, 0.03, 0.01 } do
    local limit = pull(share * start)
    local m, _, rod = pendulum()
    local well, run = pcall(m.simulate, m, { t = 3 * quarter, formulation = form, integrator = integrator,
                                             stop = function() return limit - rod.force end })
    if well then
      tried = tried + 1
      local expected = quarter - time_from_below(share * start)
      assert(math.abs(run.t - expected) < 1e-4,
             ("%s, %s, %g: %.6f, not %.6f"):format(form, integrator, share, run.t, expected))
    else
      assert(tostring(run):find " needs ", run)  -- a form and an integrator that do not go together
    end
  end
end
for number, form in ipairs(forms) do
  for _, integrator in ipairs(integrators) do is_found(form, integrator) end
  for _, integrator in ipairs(fixed) do
    if number <= 3 then is_found(form, integrator) end
  end
end
check.equal(tried, 4 * (7 * 5 - 8 + 3 * 2))

-- With the gradient of the time by a length and the limit: by both discrete methods, and differences of the closed form.
do
  local function closed(force)
    return quarter - time_from_below(math.acos((force / g + 2 * math.cos(start)) / 3))
  end
  local m, _, rod = pendulum()
  local limit = m:param { "limit", pull(0.03 * start), unit = "N" }
  local over = m:objective { "time", terminal = function(s) return s.t end }
  local arguments = { over, t = 3 * quarter, stop = function() return limit - rod.force end,
                      formulation = mbs.maggi {}, integrator = mbs.dormand_prince { relative_tolerance = 1e-10 } }
  local width = 1e-5
  local expected = (closed(limit.value + width) - closed(limit.value - width)) / (2 * width)
  for _, method in ipairs { mbs.adjoint {}, mbs.direct {} } do
    arguments.method = method
    check.near(m:gradient(arguments).gradient[1] / expected, 1, 1e-6)
  end
end

-- A condition of an integrand: how long the pull is above a limit, and the same of an acceleration.
for _, integrator in ipairs(integrators) do
  for _, share in ipairs { 0.3, 0.1, 0.03 } do
    local m, P, rod = pendulum()
    local limit = pull(share * start)
    local long = m:objective { "long", integral = function() return mbs.where(mbs.gt(rod.force, limit), 1, 0) end }
    -- Upwards it is what the pull leaves of gravity, which is nearly the same below.
    local rise = m:objective { "rise", integral = function() return mbs.where(mbs.gt(P.ay, limit - g), 1, 0) end }
    local run = m:simulate { t = 2 * quarter, formulation = forms[1], integrator = integrator, objectives = { long, rise } }
    local expected = 2 * time_from_below(share * start)
    assert(math.abs(run.objectives.long - expected) < 1e-4, ("%s, %g: %.6f, not %.6f"):format(integrator, share,
                                                                                            run.objectives.long, expected))
    -- pull cos(angle) - g = limit - g
    local low, high = 0, start
    for _ = 1, 60 do
      local middle = (low + high) / 2
      if pull(middle) * math.cos(middle) > limit then low = middle else high = middle end
    end
    local second = 2 * time_from_below(low)
    assert(math.abs(run.objectives.rise - second) < 1e-4, ("%s, %g: %.6f, not %.6f"):format(integrator, share,
                                                                                          run.objectives.rise, second))
  end
end

-- Greatest values: as far off as they say, or less.
for _, form in ipairs { mbs.index1 { project = true }, mbs.penalty {} } do
  for _, integrator in ipairs(integrators) do
    for _, relative in ipairs { 1e-4, 1e-6, 1e-8 } do
      local m, _, rod = pendulum()
      local top = m:objective { "top", maximum = rod.force }
      local kind = tostring(integrator):match "^[%w_]+"
      local order = tostring(integrator):match "order = 8" and 8 or nil
      local run = m:simulate { t = 2 * quarter, formulation = form, objectives = { top },
                               integrator = mbs[kind] { relative_tolerance = relative, order = order } }
      local off, said = math.abs(run.objectives.top - most), run.peaks.top.error
      assert(off <= 1.5 * said + 10 * relative * most, ("%s, %s, %g: off by %.3g, said %.3g"):format(form, integrator,
                                                                                               relative, off, said))
    end
  end
end

-- What begins right behind the start of a long step: a load that is a formula of time, in closed form.
for _, level in ipairs { 100, 108.8, 109.5 } do
  local m = mbs.model { "pulse", gravity = { 0, 0, -g } }
  local b = m:body { "b", mass = 1, inertia = { 1, 1, 1 }, velocity = { 1, 0, 0 } }
  local j = m:translational { "j", m.ground, b, at = { 0, 0, 0 }, axis = "x" }
  m:force { on = b, law = function(s) return 0, 0, -100 * math.exp(-(s.t - 4.32) ^ 2) end }
  local load = m:reaction { "R", j, on = b }.force_z
  local run = m:simulate { t = 10, stop = load - level }
  check.near(run.t, 4.32 - (-math.log((level - g) / 100)) ^ 0.5, 1e-7)
end

-- The greatest value within such a step is not known to mesh points; that there is more is said.
do
  local m = mbs.model { "peak", gravity = { 0, 0, -g } }
  local b = m:body { "b", mass = 1, inertia = { 1, 1, 1 }, velocity = { 1, 0, 0 } }
  local j = m:translational { "j", m.ground, b, at = { 0, 0, 0 }, axis = "x" }
  m:force { on = b, law = function(s) return 0, 0, -100 * math.exp(-((s.t - 6.35) / 0.7) ^ 2) end }
  local top = m:objective { "top", maximum = m:reaction { "R", j, on = b }.force_z }
  local run = m:simulate { t = 10, objectives = { top } }
  assert(run.objectives.top < 20 and run.peaks.top.error > 20)
  assert(table.concat(run.warnings):find('the extremum of objective "top" lies inside a step', 1, true))
end
