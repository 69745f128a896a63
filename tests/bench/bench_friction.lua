-- What friction in one joint costs: the spatial slider-crank of Verulkar et al. (2023), section 4.3, with and without
-- friction in the slider's guide, which feels its load, side by side. Ratios of processor times, the least of several
-- runs; and the counts that tell whether a step costs more or whether there are more steps, which a law that turns round
-- within some milliseconds asks for. Run by hand:
--   perilune tests/bench/bench_friction.lua [--transition 0.01]
local mbs = require "perilune"
local options = mbs.options { transition = 1e-2 } -- m/s

local function build(law)
  local m = mbs.model { "slider-crank", gravity = { 0, 0, -9.81 } }
  local crank_length, rod_length = m:param { "crank length", 0.08 }, m:param { "rod length", 0.3 }
  local length = m:param { "slider length", 0.05 }
  local y, z = 0.05, 0.06 -- of the crank's pivot
  local top = z + crank_length
  local x = (rod_length ^ 2 - y ^ 2 - top ^ 2) ^ 0.5
  local crank_mass, rod_mass = 0.12 / 0.08 * crank_length, 0.5 / 0.3 * rod_length
  local crank_inertia, rod_inertia = crank_mass * crank_length ^ 2 / 12, rod_mass * rod_length ^ 2 / 12
  local crank = m:body { "crank", mass = crank_mass, inertia = { crank_inertia, crank_inertia, 1e-5 },
                         at = { 0, y, z + crank_length / 2 } }
  local rod = m:body { "rod", mass = rod_mass, inertia = { 4e-4, rod_inertia, rod_inertia },
                       at = { x / 2, y / 2, top / 2 },
                       orientation = { 1 + x / rod_length, 0, top / rod_length, -y / rod_length } }
  local slider = m:body { "slider", mass = 2, inertia = { 1e-4, 1e-4, 1e-4 }, at = { x, 0, 0 } }
  m:revolute { "bearing", m.ground, crank, at = { 0, y, z }, axis = "x" }
  m:spherical { "ball", crank, rod, at = { 0, y, top } }
  m:universal { "cross", rod, slider, at = { x, 0, 0 }, axis = { y, x, 0 }, axis_b = "z" }
  m:translational { "guide", m.ground, slider, at = { x - length / 2, 0, 0 }, axis = "x",
                    length = law and length, half_width = law and 0.025, friction = law }
  local torque = -(crank.omega_x + 10)
  m:torque { "motor", on = crank, law = function() return torque, 0, 0 end }
  return { model = m, objective = m:objective { "deviation", integral = (crank.omega_x + 10) ^ 2 + 0.01 * torque ^ 2 } }
end

local without = build(nil)
local with = build(mbs.brown_mcphee { static = 0.4, dynamic = 0.3, transition = options.transition })

--- Times of a run and of a gradient by the adjoint, and the run.
local function measure(case, formulation, integrator)
  local least = { math.huge, math.huge }
  local run
  for _ = 1, 9 do
    for i = 1, 2 do
      local how = { t = 1, formulation = formulation, integrator = integrator }
      if i == 2 then how.objective, how.method = case.objective, mbs.adjoint {} end
      local clock = os.clock()
      local made = i == 1 and case.model:simulate(how) or case.model:gradient(how)
      least[i] = math.min(least[i], os.clock() - clock)
      if i == 1 then run = made end
    end
  end
  return { forward = least[1], adjoint = least[2], attempts = run.steps + run.rejected,
           iterations = run.newton_iterations }
end

print(("%-22s %-15s %7s %8s %13s %19s %8s"):format(
  "", "", "forward", "per step", "steps", "iterations per step", "adjoint"))
for _, form in ipairs { { "index 1, projected", mbs.index1 { project = true } }, { "index 1", mbs.index1 {} },
                        { "index 3", mbs.index3 {} }, { "maggi", mbs.maggi {} },
                        { "partitioning", mbs.coordinate_partitioning {} } } do
  for _, method in ipairs { { "rk4", mbs.rk4 { step = 1e-3 } }, { "dormand_prince", mbs.dormand_prince {} },
                            { "radau", mbs.radau {} }, { "bdf", mbs.bdf {} } } do
    if not (form[1] == "index 3" and (method[1] == "rk4" or method[1] == "dormand_prince")) then
      local a, b = measure(without, form[2], method[2]), measure(with, form[2], method[2])
      print(("%-22s %-15s %7.2f %8.2f %6d %6d %9.2f %9.2f %8.2f"):format(
        form[1], method[1], b.forward / a.forward, b.forward / a.forward * a.attempts / b.attempts, a.attempts,
        b.attempts, a.iterations / a.attempts, b.iterations / b.attempts, b.adjoint / b.forward))
    end
  end
end
