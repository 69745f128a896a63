-- How runs end: a pendulum let go on the horizontal, over many end times, with every formulation and integrator that
-- go together. Its energy stays zero, whatever is left for the last step.
--   perilune tests/bench/last_steps.lua [end times, 10000]
local mbs = require "perilune"

local count = tonumber(arg and arg[1]) or 10000
local formulations = { mbs.penalty {}, mbs.index1 {}, mbs.augmented_lagrangian {},
                       mbs.augmented_lagrangian { index = 3 }, mbs.index3 {}, mbs.stabilized_index1 {}, mbs.maggi {},
                       mbs.coordinate_partitioning {} }
local step = { step = 1e-3 }
local integrators = { mbs.rk4(step), mbs.dormand_prince {}, mbs.trapezoidal(step), mbs.sdirk4(step), mbs.radau {},
                      mbs.radau(step), mbs.newmark(step), mbs.hht(step), mbs.generalized_alpha(step), mbs.bdf {},
                      mbs.bdf(step), mbs.rosenbrock {}, mbs.rosenbrock(step) }

local m = mbs.model { gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 1, 0 }, mass = 1 }
m:distance { m:ground { at = { 0, 0 } }, P }
for _, formulation in ipairs(formulations) do
  for _, integrator in ipairs(integrators) do
    local worst, at = 0, 0
    local fits, message = true, nil
    for i = 1, count do
      local t = 0.02 * i / count
      local ok, run = pcall(m.simulate, m, { t = t, formulation = formulation, integrator = integrator })
      if not ok then
        fits, message = i > 1, tostring(run):match "[^\n]*"
        break
      end
      local x, y, vx, vy = run:at("P.x", t), run:at("P.y", t), run:at("P.vx", t), run:at("P.vy", t)
      local energy = math.abs((vx * vx + vy * vy) / 2 + 9.81 * y) + math.abs(x * vx + y * vy)
      if not (energy <= worst) then worst, at = energy, t end
    end
    if fits then print(formulation, integrator, ("%.2g J at %.17g s"):format(worst, at), message or "") end
  end
end
