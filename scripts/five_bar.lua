-- The five-bar mechanism of Zhu, Dopico, Sandu and Sandu, "Dynamic Response Optimization of Complex Multibody Systems in
-- a Penalty Formulation using Adjoint Sensitivity": simulated, differentiated by several methods, optimized.
-- The source prints no coordinates; the geometry below is the one that reproduces its gradient to every digit.
local mbs = require "perilune"
local options = mbs.options { json = "", out = "five_bar_results", step = 1e-3, t = 5 }

local m = mbs.model { "five-bar", gravity = {0, -9.81} }
local L01 = m:param { "L01", math.sqrt(2^2 + 1^2), unit = "m", min = 0.5, max = 5 }
local L02 = m:param { "L02", math.sqrt(2^2 + 0.5^2), unit = "m", min = 0.5, max = 5 }
local A, B = m:ground { at = {0, 0} }, m:ground { at = {1, 0} }
local P1 = m:point { "P1", at = {-1, -1} }
local P2 = m:point { "P2", at = {0.5, -2} }
local P3 = m:point { "P3", at = {2, -1} }
m:bar { "bar1", A, P1, mass = 1 }
m:bar { "bar2", P1, P2, mass = 1.5 }
m:bar { "bar3", P2, P3, mass = 1.5 }
m:bar { "bar4", P3, B, mass = 1 }
m:spring { "s1", A, P3, stiffness = 100, free_length = L01 }
m:spring { "s2", A, P2, stiffness = 100, free_length = L02 }
local cost = m:objective { "distance", integral = function(s) return (P2.x(s) - 0.5)^2 + (P2.y(s) + 2)^2 end }

local penalty, rk4 = mbs.penalty { alpha = 1e9 }, mbs.rk4 { step = options.step }
local run = m:simulate { t = options.t, formulation = penalty, integrator = rk4, objectives = cost }
print(run)
print(("objective %.7f   constraint drift at the end %.1e   energy error %.1e J\n"):format(
  run.objectives.distance, run:at("constraint.drift", options.t),
  run:at("energy.total", options.t) - run:at("energy.total", 0)))

-- The cost of a method in forward runs: processor time against the plain simulation, the best of a few tries each.
local function best_of(tries, action)
  local best, result = math.huge, nil
  for _ = 1, tries do
    result = action()
    best = math.min(best, result.seconds)
  end
  return best, result
end

local exact = {
  { "discrete adjoint", mbs.adjoint {} },
  { "discrete direct", mbs.direct {} },
  { "continuous adjoint", mbs.continuous_adjoint {} },
  { "continuous direct", mbs.continuous_direct {} },
}
local differences = {
  { "differences, extrapolated", mbs.finite_difference { step = 2e-2, richardson = 3 } },
  { "differences", mbs.finite_difference { step = 1e-4 } },
}
local experiments = {
  { "penalty, rk4", penalty, rk4, exact },
  { "penalty, rk4", penalty, rk4, differences },
  { "penalty, trapezoidal 1e-2", penalty, mbs.trapezoidal { step = 1e-2 }, exact },
  { "penalty, Dormand-Prince", penalty, mbs.dormand_prince {}, exact },
  { "index-1 Baumgarte, rk4", mbs.index1 { alpha = 10, beta = 10 }, rk4, exact },
}
local rows, reference = {}, nil
print(("%-54s %13s %14s   %-19s %s"):format("gradient of the objective", "d/dL01", "d/dL02", "relative difference",
                                          "forward runs"))
for _, experiment in ipairs(experiments) do
  local name, formulation, integrator, methods = table.unpack(experiment)
  local forward = best_of(5, function()
    return m:simulate { formulation = formulation, integrator = integrator, objectives = cost }
  end)
  for _, method in ipairs(methods) do
    local seconds, result = best_of(5, function()
      return m:gradient { cost, method = method[2], over = { L01, L02 } }
    end)
    local g = result.gradient
    reference = reference or g
    local difference = math.sqrt(((g[1] - reference[1])^2 + (g[2] - reference[2])^2) /
                                 (reference[1]^2 + reference[2]^2))
    rows[#rows + 1] = { method = method[1] .. ", " .. name, value = g, objective = result.value,
                        relative_difference = difference, forward_runs = seconds / forward }
    print(("%-54s %13.9f  %13.9f   %-19.1e %8.2f"):format(rows[#rows].method, g[1], g[2], difference,
                                                        seconds / forward))
  end
end

m:simulate { formulation = penalty, integrator = rk4 }
local best = m:optimize { minimize = cost, over = { L01, L02 }, optimizer = mbs.lbfgsb { projected_gradient = 1e-9 } }
print("\niteration  evaluations   objective       L01          L02        projected gradient")
for _, it in ipairs(best.history) do
  print(("%6d %12d      %.4e   %.7f   %.7f      %.1e"):format(it.iteration, it.evaluations, it.value,
                                                           it.parameters.L01, it.parameters.L02, it.projected_gradient))
end
print(best)
print(("optimum: L01 = %.6f m, L02 = %.6f m"):format(L01.value, L02.value))

local after = m:simulate { objectives = cost }
local folder = mbs.make_folder(options.out)
run:svg(folder .. "/motion_before.svg", "P2.x", "P2.y", "s1.length", "s2.length", "energy.total")
after:svg(folder .. "/motion_after.svg", "P2.x", "P2.y", "s1.length", "s2.length")
run:csv(folder .. "/motion_before.csv")
print("plots and motions are in " .. folder .. "/")

if options.json ~= "" then
  mbs.write_json(options.json, {
    gradient = rows,
    optimization = { initial = best.initial, final = best.final, iterations = best.iterations,
                     evaluations = best.evaluations, parameters = best.parameters, reason = best.reason,
                     message = best.message, history = best.history },
  })
end
