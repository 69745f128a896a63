-- Energy over 10,000 periods: an oscillator, a pendulum in its angle alone, and the same pendulum under constraints.
local mbs = require "perilune"

local length, gravity, amplitude = 1, 9.81, 1.5  -- m, m/s^2, rad
local steps_per_period = 50

-- The arithmetic-geometric mean, and with it the period of a pendulum (complete elliptic integral).
local function agm(a, b)
  while math.abs(a - b) > 1e-15 * a do a, b = (a + b) / 2, math.sqrt(a * b) end
  return a
end
local period = 2 * math.pi * math.sqrt(length / gravity) / agm(1, math.cos(amplitude / 2))
local pendulum_energy = gravity * length * (1 - math.cos(amplitude))  -- J, from its lowest position, for 1 kg

-- Each returns its model, its energy, and the size to compare deviations with. All have the pendulum's period.
local systems = {}

function systems.oscillator()
  local m = mbs.model { "oscillator", gravity = { 0, 0 } }
  local P, stiffness = m:point { "P", at = { 1, 0 }, mass = 1 }, (2 * math.pi / period)^2
  m:force { "spring", on = P, law = function(s) return -stiffness * s.x, -stiffness * s.y end }
  return m, (P.vx^2 + stiffness * P.x^2) / 2, stiffness / 2
end

systems["pendulum, angle"] = function()
  local m = mbs.model { "pendulum, angle", gravity = { 0, 0 } }
  local body = m:body { "body", mass = 1, inertia = length^2, angle = amplitude }
  m:torque { "weight", on = body, law = function(s) return -gravity * length * math.sin(body.angle(s)) end }
  return m, length^2 * body.omega^2 / 2 - gravity * length * math.cos(body.angle), pendulum_energy
end

-- A body of no size of its own, so that the pendulum is the mathematical one.
systems["pendulum, body"] = function()
  local m = mbs.model { "pendulum, body", gravity = { 0, -gravity } }
  local small = 1e-3 * length^2
  local arm = length / 2 + math.sqrt(length^2 / 4 - small)  -- inertia about the pin = mass * arm * length
  local body = m:body { "body", mass = 1, inertia = small, angle = amplitude,
                        at = { arm * math.sin(amplitude), -arm * math.cos(amplitude) } }
  m:revolute { "pin", m.ground, body, at = { 0, 0 } }
  return m, "energy.total", pendulum_energy * arm / length
end

systems["pendulum, point"] = function()
  local m = mbs.model { "pendulum, point", gravity = { 0, -gravity } }
  local P = m:point { "P", at = { length * math.sin(amplitude), -length * math.cos(amplitude) }, mass = 1 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  return m, "energy.total", pendulum_energy
end

local h = period / steps_per_period
local integrators = {
  trapezoidal = mbs.trapezoidal { step = h },
  newmark = mbs.newmark { step = h },
  ["generalized_alpha, rho 1"] = mbs.generalized_alpha { step = h, rho = 1 },
  ["generalized_alpha, rho 0.8"] = mbs.generalized_alpha { step = h },
  ["hht, alpha 0"] = mbs.hht { step = h, alpha = 0 },
  ["hht, alpha -0.05"] = mbs.hht { step = h },
  ["hht, alpha -0.3"] = mbs.hht { step = h, alpha = -0.3 },
  sdirk4 = mbs.sdirk4 { step = h },
  ["radau 3"] = mbs.radau { order = 3, step = h },
  ["radau 5"] = mbs.radau { step = h },
  rk4 = mbs.rk4 { step = h },
  ["rosenbrock 4"] = mbs.rosenbrock { step = h },
  ["bdf 2"] = mbs.bdf { max_order = 2, step = h },
}
local formulations = {
  none = mbs.index1 {},
  index1 = mbs.index1 {},
  ["index1 (Baumgarte)"] = mbs.index1 { alpha = 10, beta = 10 },
  penalty = mbs.penalty { alpha = 1e7 },
  index3 = mbs.index3 {},
  ["augmented_lagrangian (index 3)"] = mbs.augmented_lagrangian { index = 3 },
  stabilized_index1 = mbs.stabilized_index1 {},
  maggi = mbs.maggi {},
}

-- System, formulation, integrators; the last word says what the quick study has too.
local list = {
  { "oscillator", "none", { "trapezoidal", "newmark", "generalized_alpha, rho 1", "hht, alpha 0", "rk4" }, "quick" },
  { "oscillator", "none", { "radau 3", "radau 5" } },
  { "pendulum, angle", "none", { "trapezoidal", "newmark", "generalized_alpha, rho 1", "hht, alpha 0" }, "quick" },
  { "pendulum, angle", "none", { "generalized_alpha, rho 0.8", "hht, alpha -0.05", "sdirk4", "radau 3", "radau 5",
                                 "rk4", "rosenbrock 4", "bdf 2" } },
  { "pendulum, body", "stabilized_index1", { "trapezoidal" }, "quick" },
  { "pendulum, body", "maggi", { "trapezoidal", "newmark" }, "quick" },
  { "pendulum, body", "index1", { "trapezoidal" }, "quick" },
  { "pendulum, body", "index1", { "radau 5" } },
  { "pendulum, body", "index1 (Baumgarte)", { "trapezoidal", "radau 5" } },
  { "pendulum, body", "penalty", { "trapezoidal" } },
  { "pendulum, body", "index3", { "generalized_alpha, rho 0.8" }, "quick" },
  { "pendulum, body", "index3", { "trapezoidal", "newmark", "hht, alpha -0.05", "hht, alpha -0.3", "radau 5",
                                  "bdf 2" } },
  { "pendulum, body", "augmented_lagrangian (index 3)", { "trapezoidal", "generalized_alpha, rho 0.8" } },
  { "pendulum, point", "index1", { "trapezoidal" } },
  { "pendulum, point", "stabilized_index1", { "trapezoidal" } },
  { "pendulum, point", "maggi", { "trapezoidal" } },
}

-- Largest sizes within the decades 0 to 1, 1 to 10, ... of periods; the last one as far as it goes.
local function decades_of(values)
  local list, worst, limit = {}, 0, 1
  for k, value in ipairs(values) do
    worst = math.max(worst, math.abs(value))
    if k - 1 >= limit * steps_per_period or k == #values then
      list[#list + 1], worst, limit = worst, 0, 10 * limit
    end
  end
  return list
end

-- The slope of the mean over one period, per period, by least squares while the mean is below a tenth; nil where that
-- is less than ten periods.
local function drift_of(deviations)
  local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
  for start = 1, #deviations - steps_per_period + 1, steps_per_period do
    local mean = 0
    for k = start, start + steps_per_period - 1 do mean = mean + deviations[k] / steps_per_period end
    if n > 1 and math.abs(mean) > 0.1 then break end
    sx, sy, sxx, sxy, n = sx + n, sy + mean, sxx + n * n, sxy + n * mean, n + 1
  end
  return n > 9 and (n * sxy - sx * sy) / (n * sxx - sx * sx) or nil
end

local function study(system, formulation, integrator, periods)
  local m, energy, size = systems[system]()
  local row = { system = system, formulation = formulation, integrator = integrator }
  local ok, run = pcall(m.simulate, m, { t = periods * period, formulation = formulations[formulation],
                                         integrator = integrators[integrator] })
  if not ok then run = m.last_run end  -- as far as it came
  local values = run:values(energy)
  local first = values[1]
  for k = 1, #values do values[k] = (values[k] - first) / size end
  row.periods, row.seconds = (#values - 1) / steps_per_period, run.seconds
  row.deviation, row.drift = decades_of(values), drift_of(values)
  if formulation ~= "none" then row.constraint = decades_of(run:values "constraint.drift") end
  row.completed, row.deviation_at_end = ok, values[#values]
  collectgarbage()  -- a run may have a hundred megabytes that Lua does not see
  return row
end

local function verdict(row)
  local worst = 0
  for _, deviation in ipairs(row.deviation) do worst = math.max(worst, deviation) end
  if not row.completed then return ("fails after %.0f periods"):format(row.periods) end
  if worst < 1e-6 then return "conserved" end
  if worst < 1.5 * math.max(row.deviation[1], row.deviation[2]) then return "bounded" end
  if worst > 2 then return "grows without bound" end
  return row.deviation_at_end < 0 and "dissipates" or "grows"
end

local function texts(numbers, count, format)
  local list = {}
  for i = 1, count do list[i] = numbers and numbers[i] and format:format(numbers[i]) or "" end
  return list
end

local function print_rows(report, rows, decades)
  local lines = {}
  for i, row in ipairs(rows) do
    local line = { row.system, row.integrator, row.formulation == "none" and "" or row.formulation, verdict(row) }
    for _, text in ipairs(texts(row.deviation, decades, "%.1e")) do line[#line + 1] = text end
    line[#line + 1] = row.drift and ("%.1e"):format(row.drift) or ""
    line[#line + 1] = row.constraint and ("%.0e"):format(row.constraint[#row.constraint]) or ""
    lines[i] = line
  end
  local headings = { "system", "integrator", "formulation", "energy is" }
  for k = 0, decades - 1 do headings[#headings + 1] = "to " .. ("%d"):format(10^k) end
  headings[#headings + 1], headings[#headings + 2] = "drift per period", "constraint"
  report.table(headings, lines)
end

local cut = 100  -- of what pictures show

local function draw(report, rows, name, title, curves, wanted)
  local by_name = {}
  for _, row in ipairs(rows) do by_name[row.system .. row.integrator .. row.formulation] = row end
  for _, item in ipairs(wanted) do
    local row = by_name[table.concat(item)]
    if row then
      local label = item[2]:gsub("generalized_alpha, rho", "gen.-alpha")
      if item[3] ~= "none" then label = label .. ", " .. item[3] end
      label = label:gsub("augmented_lagrangian %(index 3%)", "AL index 3")
      local curve = { label:gsub(" %-", " −"), x = {}, y = {} }
      for k, deviation in ipairs(row.deviation) do
        curve.x[k], curve.y[k] = math.min(10^(k - 1), row.periods), math.min(deviation, cut)
      end
      curves[#curves + 1] = curve
    end
  end
  report.picture(name, { title = title, x_label = "periods", y_label = "largest energy deviation in the decade",
                         log_x = true, log_y = true, curves = curves })
end

local function draw_all(report, rows)
  local free, joined, al3 = "pendulum, angle", "pendulum, body", "augmented_lagrangian (index 3)"
  draw(report, rows, "energy", "Energy of the pendulum equation",
       { { "slope 1", guide = true, x = { 3, 30 }, y = { 1e-6, 1e-5 } } },
       { { free, "trapezoidal", "none" }, { free, "generalized_alpha, rho 0.8", "none" },
         { free, "hht, alpha -0.05", "none" }, { free, "sdirk4", "none" }, { free, "radau 3", "none" },
         { free, "radau 5", "none" }, { free, "rk4", "none" }, { free, "rosenbrock 4", "none" } })
  draw(report, rows, "energy_constrained", ("Energy of the pendulum as a body on a joint (at most %d)"):format(cut), {},
       { { joined, "trapezoidal", "maggi" }, { joined, "trapezoidal", "stabilized_index1" },
         { joined, "trapezoidal", "index1" }, { joined, "trapezoidal", "index1 (Baumgarte)" },
         { joined, "trapezoidal", al3 }, { joined, "trapezoidal", "index3" },
         { joined, "generalized_alpha, rho 0.8", "index3" }, { joined, "radau 5", "index3" } })
end

return function(report)
  local say = report.say
  local periods = 10000
  say "## Energy over 10,000 periods\n"
  say(("A pendulum of 1 m with an amplitude of %g rad; its period of %.6f s is that of the complete elliptic"):
    format(amplitude, period))
  say(("integral, by the arithmetic-geometric mean; %d steps per period. \"angle\" is the pendulum equation in one"):
    format(steps_per_period))
  say "coordinate, \"body\" a rigid body on a revolute joint, \"point\" a point on a rod; \"oscillator\" is linear,"
  say "of the same period."
  say "Columns \"to 1\" to \"to 10000\": the largest deviation of the energy from its first value within that decade of"
  say "periods, relative to the largest kinetic energy. \"drift per period\": the slope of the mean over a period,"
  say "while that is below 0.1. \"constraint\": the largest violation in the last decade, m."
  local rows = {}
  for _, item in ipairs(list) do
    local system, formulation, names, quick = table.unpack(item)
    for _, integrator in ipairs(not report.quick and names or quick and names or {}) do
      rows[#rows + 1] = study(system, formulation, integrator, periods)
    end
  end
  print_rows(report, rows, 5)
  say "Bounded for all we can see: trapezoidal, newmark, hht with alpha 0 and generalized_alpha with rho 1, one formula"
  say "by four names, on equations without constraints. The deviation is that of their modified energy, for this"
  say(("pendulum h^2 g / l (1 - cos amplitude) / 12 = %.2e. They remain so under maggi while the independent"):
    format(h^2 * gravity / length * (1 - math.cos(amplitude)) / 12))
  say "coordinate stays the same, the angle here; the point's x and y take turns, and every change gains energy."
  say "trapezoidal on stabilized_index1 is bounded with any coordinates."
  say ""
  say "Not so other forms. index1 drifts off its constraints, with the square of time; stabilizing it (Baumgarte,"
  say "penalty) takes energy with every violation it removes, little with accurate methods. index3 makes the undamped"
  say "methods unstable (a weak instability well known from Newmark's method on constraints) within ten periods, and"
  say "hht with alpha -0.05 at this step; generalized_alpha with rho 0.8 and hht with alpha -0.3 are stable and"
  say "dissipate. The projections of augmented_lagrangian with index 3 dissipate. Radau, sdirk4 and bdf dissipate"
  say "everywhere; rk4 dissipates and rosenbrock 4 gains here.\n"
  draw_all(report, rows)
  return { energy = rows }
end
