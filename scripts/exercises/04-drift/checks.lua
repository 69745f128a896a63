local mbs = require "perilune"
local check = require "exercise"

local function simulate(given, t, formulation, step)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { given.length, 0 }, mass = 1 }
  m:distance { m:ground { at = { 0, 0 } }, P }
  return m:simulate { t = t, formulation = formulation, integrator = mbs.rk4 { step = step } }
end

local function largest_drift(run) return math.max(table.unpack(run:values "constraint.drift")) end

local function improvement(given, _, answers)
  local alpha, beta = answers.alpha, answers.beta
  for name, value in pairs { alpha = alpha or "", beta = beta or "" } do
    if type(value) ~= "number" or not (value >= 0 and value <= 1e4) then
      return name .. ": should be a number between 0 and 10,000 1/s"
    end
  end
  local ok, run = pcall(simulate, given, 10, mbs.index1 { alpha = alpha, beta = beta }, 0.01)
  if not ok then return "with these alpha and beta the simulation does not come to its end" end
  return largest_drift(simulate(given, 10, mbs.index1 {}, 0.01)) / largest_drift(run)
end

local quarters = {}
for i = 0, 20 do quarters[#quarters + 1] = i / 20 end

return {
  title = "Drift, and why Baumgarte",
  topic = "formulations",
  level = 2,
  given = function(random) return { length = random(0.7, 1.4) } end,
  checks = function(given)
    return {
      check.near { "drifts", name = "the drift without stabilization", points = 2, answer = "drifts", rtol = 1e-2,
                   expected = function()
                     return simulate(given, 8, mbs.index1 {}, 0.01):values("constraint.drift", { 1, 2, 4, 8 })
                   end },
      check.near { "growth", name = "how it grows with time", answer = "growth", rtol = 0.1, expected = 2,
                   mistakes = { { 1, "so grows the drift of the velocities; look at the positions" } },
                   hint = "log(drift(8 s) / drift(4 s)) / log 2" },
      check.near { "order", name = "how it falls with the step", answer = "order", rtol = 0.08, expected = 4,
                   mistakes = { { 5, "this is the error of one step" }, { 16, "16 is 2^r" } },
                   hint = "log(drift(h) / drift(h / 2)) / log 2" },
      check.bound { "stabilized", name = "a stabilization that works", points = 3, answer = "alpha",
                    measure = function(...) return improvement(given, ...) end, above = 50,
                    measured = "the drift without divided by that with your alpha and beta",
                    hint = "equal alpha and beta are critically damped; try 1, 3, 10, 30, 100" },
      check.residual { "index3", name = "index 3 does not drift", points = 2, run = "index3", relative = true,
                       signals = { "constraint.drift" }, times = { 0, 1 }, below = 1e-10,
                       residual = function(value) return value[1] end },
      check.invariant { "index3_energy", name = "and keeps its energy", run = "index3", relative = true,
                        signals = { "energy.total" }, times = quarters, rtol = 2e-2, scale = 9.81 * given.length },
      check.uses { "uses_index3", name = "by the index-3 form", of = "mbs.index3" },
    }
  end,
}
