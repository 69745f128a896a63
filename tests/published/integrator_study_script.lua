-- Runs scripts/integrator_study.lua as a user would, without what takes long, and holds what it finds to what theory
-- promises: classical orders, steps that the stiffness of springs does not shorten, energies bounded over 10,000
-- periods.
local script, program = arg[1], arg[-1]
package.path = arg[0]:match "^(.*)/" .. "/../lua/?.lua;" .. package.path
local json = require "json"

local file = os.tmpname()
local command = ("%q %q --quick 1 --json %q > /dev/null"):format(program, script, file)
assert(os.execute(command), "the script failed: " .. command)
local results = json.decode(assert(io.open(file)):read "a")
os.remove(file)

local function name_of(row) return row.integrator .. ", " .. row.formulation end
local function near(x, expected, margin, name)
  assert(math.abs(x - expected) <= margin, ("%s: %g, not %g"):format(name, x, expected))
end

-- Orders of positions and velocities. Where theory expects less than the classical order is listed.
local order = { rk4 = 4, trapezoidal = 2, sdirk4 = 4, ["radau 3"] = 3, ["radau 5"] = 5, ["rosenbrock 3"] = 3,
                ["rosenbrock 4"] = 4, newmark = 2, hht = 2, generalized_alpha = 2, ["bdf 1"] = 1, ["bdf 2"] = 2,
                ["bdf 3"] = 3, ["bdf 4"] = 4, ["bdf 5"] = 5 }
local less = { ["radau 3, index3"] = { 3, 2 }, ["radau 5, index3"] = { 5, 3 }, ["sdirk4, index3"] = { 1, 1 },
               ["sdirk4, augmented_lagrangian (index 3)"] = { 1, 1 }, ["sdirk4, stabilized_index1"] = { 2, 2 } }
local forms = {}
for _, row in ipairs(results.orders) do
  local p = order[row.integrator]
  local expected = less[name_of(row)] or { p, p }
  for i = 1, 2 do
    near(row.observed[i], expected[i], 0.2, name_of(row))
    near(row.expected[i], expected[i], 0, name_of(row) .. ", as the page says")
  end
  forms[row.integrator] = (forms[row.integrator] or 0) + 1
end
for integrator in pairs(order) do
  assert((forms[integrator] or 0) >= 4, integrator .. " is missing")
end

-- Adaptive steps: an error of order p goes with the power -p of the number of steps.
local count = 0
order.dormand_prince = 5
for _, row in ipairs(results.adaptive) do
  local p = order[row.integrator]
  if p then
    near(row.observed[2], -p, 0.5, row.integrator)
    count = count + 1
  end
end
assert(count == 5)

-- Stiffness: the most steps over those with the softest springs.
local runs = {}
for _, row in ipairs(results.stiff) do
  local name = ("%s, damping ratio %g"):format(name_of(row), row.damping_ratio)
  runs[name] = runs[name] or {}
  table.insert(runs[name], row)
  assert(row.reference_error < 1e-9, name .. ": the references differ by " .. row.reference_error)
end
local function growth(name)
  local rows, most = assert(runs[name], name), 0
  assert(rows[1].stiffness == 1e4 and rows[#rows].stiffness == 1e7, name)
  for _, row in ipairs(rows) do
    most = math.max(most, row.steps)
    assert(row.error < 1e-3, ("%s: error %g"):format(name, row.error))
  end
  return most / rows[1].steps
end
for _, name in ipairs { "bdf, index3, damping ratio 0.1", "bdf, index1, damping ratio 0.1",
                        "bdf, max_order 2, index3, damping ratio 0", "bdf, max_order 2, index1, damping ratio 0",
                        "radau 5, index3, damping ratio 0.1", "radau 5, index1, damping ratio 0.1",
                        "radau 5, index3, damping ratio 0", "radau 5, index1, damping ratio 0" } do
  assert(growth(name) < 2, name .. ": " .. growth(name))
end
-- The springs are stiff: an explicit method follows them.
assert(growth "dormand_prince, index1, damping ratio 0" > 8)

-- Energy.
local energies = {}
for _, row in ipairs(results.energy) do
  local name = row.system .. ", " .. name_of(row)
  energies[name] = row
  assert(row.completed and row.periods == 10000, name)
end
local function energy(name) return assert(energies[name], name) end
local one_formula = { "trapezoidal", "newmark", "generalized_alpha, rho 1", "hht, alpha 0" }
local length, gravity, amplitude, steps = 1, 9.81, 1.5, 50
-- The period 4 sqrt(l / g) K(sin(amplitude / 2)) by the series of K.
local period, term = 0, 1
for n = 0, 200 do
  period = period + term^2
  term = term * (2 * n + 1) / (2 * n + 2) * math.sin(amplitude / 2)
end
period = 2 * math.pi * math.sqrt(length / gravity) * period
-- The deviation from the modified energy of the trapezoidal rule, to second order, over the largest kinetic energy.
local modified = (period / steps)^2 * gravity / length * (1 - math.cos(amplitude)) / 12

local function check_bounded(name, size)
  local deviation = energy(name).deviation
  near(deviation[1], size, 0.05 * size, name .. " at first")
  near(deviation[#deviation], size, 0.05 * size, name .. " at last")
  assert(math.abs(energy(name).drift) * 10000 < 1e-3 * size, name .. " drifts")
end
for _, integrator in ipairs(one_formula) do
  local free = energy("oscillator, " .. integrator .. ", none")
  assert(free.deviation[#free.deviation] < 1e-11, integrator .. " on the oscillator")
  check_bounded("pendulum, angle, " .. integrator .. ", none", modified)
end
check_bounded("pendulum, body, trapezoidal, maggi", modified)
check_bounded("pendulum, body, newmark, maggi", modified)
check_bounded("pendulum, body, trapezoidal, stabilized_index1",
              energy "pendulum, body, trapezoidal, stabilized_index1".deviation[2])
assert(energy "pendulum, body, trapezoidal, stabilized_index1".deviation[1] < 0.02)

-- By contrast: rk4 dissipates, |R(i y)|^2 = 1 - y^6 / 72 + y^8 / 576 in every step; and index 3 with damping is stable.
local y = 2 * math.pi / steps
local loss = steps * (y^6 / 72 - y^8 / 576)
near(energy "oscillator, rk4, none".drift, -loss, 0.05 * loss, "rk4 on the oscillator")
local damped = energy "pendulum, body, generalized_alpha, rho 0.8, index3"
assert(damped.drift < 0 and damped.deviation[#damped.deviation] < 1 and damped.constraint[#damped.constraint] < 1e-12)
