-- The flexible pendulum of Ebrahimi, Butscher, Cheong and Iorio (2019), section 6.1: the deflection of its tip at an
-- instant, and what the width of its section, its density and its stiffness do to it, by the discrete adjoint of
-- variational steps.
--
--   perilune flexible_pendulum.lua [--json FILE]
--
-- Printed in the source: density, Young's modulus, length, five elements, the width, four seconds, the start at rest
-- along x. It prints no result, no step, and not whether there is gravity: 9.81 m/s^2 downwards is ours, as nothing
-- would move without. The values beside ours are recomputed, from the source's equations by another program with the same
-- gravity and a step of 1 ms. --json FILE: objective, gradient, deflections, refinement.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { json = "" }

local forms = { "printed", "chord", "green" }
local recomputed = {
  t = { 0.5, 1, 1.5, 2, 3, 4 },
  printed = { -0.25441, -0.67774, 0.42022, 0.74306, -0.33829, -0.08937 },
  chord = { -0.25701, -0.66245, 0.44267, 0.74708, -0.52117, -0.14946 },
  green = { -0.25560, -0.66992, 0.43465, 0.74053, -0.44101, -0.13053 },
}
local instants, coarse_to_fine = { 0.5, 1, 1.5, 2, 3.5 }, { 0.004, 0.002, 0.001, 0.0005 }

local function pendulum(axial, to)
  local m = mbs.model { "flexible pendulum", gravity = { 0, -9.81 } }
  local h = m:param { "h", 0.05, unit = "m" } -- the width, as the source calls it, not a step
  local rho, E = m:param { "rho", 4000, unit = "kg/m^3" }, m:param { "E", 1e7, unit = "Pa" }
  local arm = m:beam { "arm", from = { 0, 0 }, to = to or { 1.2, 0 }, elements = 5, young = E, density = rho,
                       area = h ^ 2, second_moment = h ^ 4 / 12, axial = axial }
  m:coincidence { arm.first, m:ground { at = { 0, 0 } } }
  -- Of the tip, across the tangent of the line at the pin.
  local foot, tip = arm.first, arm.last
  local across = (foot.slope_x * tip.y - foot.slope_y * tip.x) / (foot.slope_x ^ 2 + foot.slope_y ^ 2) ^ 0.5
  return { model = m, over = { h, rho, E }, across = across,
           deflection = m:objective { "deflection", terminal = across } }
end
local function gradient(p, t, step, method)
  return p.model:gradient { objective = p.deflection, over = p.over, t = t,
                            integrator = mbs.variational { step = step }, method = method or mbs.adjoint {} }
end

print "1. Deflection of the tip in m, with steps of 1 ms, beside another program's"
print "  t/s         printed               chord                  green"
local pendulums, runs, deflections = {}, {}, {}
for _, form in ipairs(forms) do
  pendulums[form] = pendulum(form)
  runs[form] = pendulums[form].model:simulate { t = 4, integrator = mbs.variational { step = 0.001 } }
  deflections[form] = {}
end
local spread = {} -- of the three forms, as a share of the largest
for i, t in ipairs(recomputed.t) do
  local line, least, most = ("%5.1f"):format(t), math.huge, -math.huge
  for _, form in ipairs(forms) do
    local y = runs[form]:at(pendulums[form].across, t)
    deflections[form][i] = y
    least, most = math.min(least, y), math.max(most, y)
    line = line .. ("    %9.5f %9.5f"):format(y, recomputed[form][i])
  end
  spread[i] = (most - least) / math.max(math.abs(most), math.abs(least))
  print(line)
end
local parts, alike = {}, 0
for i, t in ipairs(recomputed.t) do
  parts[i] = ("%.1f %% at %g s"):format(100 * spread[i], t)
  if alike == i - 1 and spread[i] < 0.1 then alike = i end
end
print("The three forms of the axial force differ by\n" .. table.concat(parts, ", ") .. ".")
print(("Within a tenth they are one pendulum until %g s; later the form decides."):format(recomputed.t[alike] or 0))

-- The motion depends on E / rho alone, so that E d/dE + rho d/drho = 0.
local function left_over(g)
  local by_rho, by_E = 4000 * g[2], 1e7 * g[3]
  return math.abs(by_rho + by_E) / math.max(math.abs(by_rho), math.abs(by_E))
end
local function row(form, t, step, g, method, reference)
  local r = results.row(method or "discrete adjoint", g, runs[form].seconds * t / 4 * 0.001 / step, reference)
  r.form, r.t, r.step, r.identity = form, t, step, left_over(g.gradient)
  return r
end

print "\n2. Its derivatives by width, density and stiffness, discrete adjoint, steps of 1 ms"
print "  form     t/s      d/dh       d/drho          d/dE        rho d/drho + E d/dE, as a share"
local rows, at = {}, {}
for _, form in ipairs(forms) do
  at[form] = {}
  for _, t in ipairs(form == "printed" and instants or { 0.5, 1, 1.5, 2 }) do
    local g = gradient(pendulums[form], t, 0.001)
    at[form][t] = g
    rows[#rows + 1] = row(form, t, 0.001, g)
    print(("  %-8s %3.1f %11.4f   %12.5e   %12.5e   %.1e"):format(form, t, g.gradient[1], g.gradient[2], g.gradient[3],
                                                               left_over(g.gradient)))
  end
end
local direct = gradient(pendulums.printed, 0.5, 0.001, mbs.direct {})
direct = row("printed", 0.5, 0.001, direct, "discrete direct", rows[1])
rows[#rows + 1] = direct
print(("By the direct method (printed, 0.5 s) they differ by %.1e."):format(direct.relative_difference))

print "\n3. Steps, with the printed form of the axial force"
local heading = {}
for i, step in ipairs(coarse_to_fine) do heading[i] = ("%10g ms"):format(1000 * step) end
print("  t/s                 " .. table.concat(heading) .. "   last change")
local refinement, converged, others = {}, { {}, {} }, { {}, {} }
for _, t in ipairs(instants) do
  local y, slope = {}, {}
  for i, step in ipairs(coarse_to_fine) do
    local g = step == 0.001 and at.printed[t] or gradient(pendulums.printed, t, step)
    if step ~= 0.001 then rows[#rows + 1] = row("printed", t, step, g) end
    y[i], slope[i] = g.value, g.gradient[1]
  end
  for k, what in ipairs { { "deflection/m", y, " %11.6f" }, { "d/dh", slope, " %11.4f" } } do
    local numbers, values, finest = {}, what[2], what[2][#what[2]]
    for i, value in ipairs(values) do numbers[i] = what[3]:format(value) end
    local last = math.abs(values[#values - 1] / finest - 1)
    print(("  %3.1f  %-14s "):format(t, what[1]) .. table.concat(numbers) .. ("   %8.2f %%"):format(100 * last))
    -- One change may be small by chance: so must be that of both halvings together.
    local is_converged = math.max(last, math.abs(values[#values - 2] / finest - 1)) < 0.01
    table.insert((is_converged and converged or others)[k], ("%g"):format(t))
  end
  refinement[#refinement + 1] = { t = t, steps = coarse_to_fine, deflection = y, by_width = slope }
end
for k, name in ipairs { "the deflection", "d/dh" } do
  local function list(times) return #times > 0 and "at " .. table.concat(times, ", ") .. " s" or "nowhere" end
  print(("From 2 ms to 0.5 ms %s moves by less than 1 %% %s; by more %s."):format(name, list(converged[k]),
                                                                             list(others[k])))
end

-- Why: the midpoint rule has the frequency atan(pi f step) / (pi step) in place of f.
local hanging = pendulum("printed", { 0, -1.2 }).model
local fastest = 0
for _, mode in ipairs(hanging:linearize { from = hanging:equilibrium {} }.modes) do
  fastest = math.max(fastest, mode.frequency)
end
print(("The fastest of its modes, hanging, has %.1f Hz. After 0.5 s it is behind the true one by"):format(fastest))
parts = {}
for i, step in ipairs(coarse_to_fine) do
  local lag = 0.5 * (fastest - math.atan(math.pi * fastest * step) / (math.pi * step))
  parts[i] = ("%.2f turns (%g ms)"):format(lag, 1000 * step)
end
print(table.concat(parts, ", ") .. ".")
print [[
The release shakes it, and a vibration's slope by the width grows with its frequency and with time: what the
deflection hardly shows is a large part of the derivative. Derivatives are exact for their steps, and those of one form
and one step compare between programs; they are not those of the continuous motion.]]

results.write(options.json, rows, {}, { objective = at.printed[0.5].value, deflections = deflections,
                                       refinement = refinement })
