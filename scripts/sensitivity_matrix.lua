-- Every formulation with every integrator and every sensitivity method, on seven mechanisms: how far the gradients are
-- apart, at which order they converge, and what they cost.
--
--   perilune scripts/sensitivity_matrix.lua [--json FILE] [--only NAME] [--markdown FILE]
--
-- Discrete methods differentiate the steps themselves: their error is the relative difference between direct and
-- adjoint; "differences" is that of extrapolated differences of whole simulations from the adjoint. Continuous methods
-- integrate the published equations: their error is the difference from the discrete adjoint on the same steps, their
-- order how fast it falls when the step is halved. The order of a discrete method is that of its gradient as the step
-- is halved twice. The cost is in forward runs, for four parameters.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local mechanisms = require "mechanisms"

local options = mbs.options { json = "", only = "", markdown = "" }

local formulations = {
  { "penalty", mbs.penalty { alpha = 1e7 } },
  { "index1", mbs.index1 {} },
  { "index1 (Baumgarte)", mbs.index1 { alpha = 10, beta = 10 } },
  { "index3", mbs.index3 {} },
  { "index2", mbs.index2 {} },
  { "augmented_lagrangian", mbs.augmented_lagrangian {} },
  { "augmented_lagrangian (index 3)", mbs.augmented_lagrangian { index = 3 } },
  { "stabilized_index1", mbs.stabilized_index1 {} },
  { "maggi", mbs.maggi {} },
  { "coordinate_partitioning", mbs.coordinate_partitioning {} },
}
local integrators = {
  { "rk4", function(h) return mbs.rk4 { step = h } end },
  { "dormand_prince", function() return mbs.dormand_prince { relative_tolerance = 1e-7, absolute_tolerance = 1e-8 } end },
  { "trapezoidal", function(h) return mbs.trapezoidal { step = h } end },
  { "sdirk4", function(h) return mbs.sdirk4 { step = h } end },
  { "radau3", function(h) return mbs.radau { order = 3, step = h } end },
  { "radau5", function(h) return mbs.radau { order = 5, step = h } end },
  { "newmark", function(h) return mbs.newmark { step = h } end },
  { "hht", function(h) return mbs.hht { step = h } end },
  { "generalized_alpha", function(h) return mbs.generalized_alpha { step = h } end },
  { "variational", function(h) return mbs.variational { step = h } end },
  { "bdf", function(h) return mbs.bdf { step = h, max_order = 4 } end },
  { "rosenbrock3", function(h) return mbs.rosenbrock { order = 3, step = h } end },
  { "rosenbrock4", function(h) return mbs.rosenbrock { step = h } end },
  { "bdf, adaptive", function() return mbs.bdf { relative_tolerance = 1e-6, absolute_tolerance = 1e-7 } end },
}
local adaptive = { dormand_prince = true, ["bdf, adaptive"] = true }
-- Which published forms a formulation has; the direct equations come with each.
local forms = {
  penalty = { "first_order_explicit", "first_order_implicit", "second_order" },
  index1 = { "first_order_explicit", "approach1", "approach2" },
  ["index1 (Baumgarte)"] = { "first_order_explicit", "approach1", "approach2" },
  index3 = { "second_order" },
  index2 = { "first_order_explicit", "approach1", "approach2" },
  augmented_lagrangian = { "first_order_explicit" },
  ["augmented_lagrangian (index 3)"] = { "second_order" },
  stabilized_index1 = { "second_order", "first_order_explicit" },
  maggi = { "first_order_explicit", "first_order_implicit", "second_order" },
  coordinate_partitioning = { "first_order_explicit", "first_order_implicit", "second_order" },
}
-- Those that do so at every step, as the piecewise adjoint wants it.
local keeps_to_constraints = { stabilized_index1 = true, maggi = true, coordinate_partitioning = true }
local with_continuous = { rk4 = true, trapezoidal = true, radau5 = true }

-- Largest difference of two gradients relative to the largest entry; entries count per relative change of a parameter.
local function difference(x, y, over)
  local worst, largest = 0, 0
  for i, parameter in ipairs(over) do
    local scale = math.max(1, math.abs(parameter.value))
    worst = math.max(worst, scale * math.abs(x[i] - y[i]))
    largest = math.max(largest, scale * math.abs(y[i]))
  end
  return worst / largest
end

local cells, not_offered = {}, {}

local function refuse(case, form_name, integrator_name, reason)
  not_offered[#not_offered + 1] = {
    model = case.name, formulation = form_name, integrator = integrator_name,
    reason = tostring(reason):match "[^\n]*":gsub("^[^ ]*:%d+: ", ""):gsub("^simulate: ", ""):gsub(", defined at [^;, ]+", "") }
end

local function experiment(case, form_name, form, integrator_name, integrator)
  local m, h = case.model, case.step
  local function gradient(method, step)
    return m:gradient { case.cost, t = case.t, over = case.over, formulation = form, integrator = integrator(step),
                        method = method }
  end
  -- Short ones again: they are over before the processor is up to speed, and the first of a kind derives the second
  -- derivatives of the elements, which stay with the model.
  local function timed(method)
    local best = gradient(method, h)
    for _ = 2, best.seconds < 0.1 and 3 or 1 do
      local try = gradient(method, h)
      if try.seconds < best.seconds then best = try end
    end
    return best
  end
  local can, run = pcall(function()
    local best
    for _ = 1, 3 do
      local try = m:simulate { t = case.t, formulation = form, integrator = integrator(h), objectives = case.cost }
      if not best or try.seconds < best.seconds then best = try end
    end
    return best
  end)
  if not can then return run:match "[^\n]*" end
  local function add(method, kind, result, error, order)
    cells[#cells + 1] = { model = case.name, formulation = form_name, integrator = integrator_name, method = method,
                          kind = kind, error = error, order = order, forward_runs = result.seconds / run.seconds,
                          value = result.value, gradient = result.gradient }
    return cells[#cells]
  end
  local adjoint, direct = timed(mbs.adjoint {}), timed(mbs.direct {})
  local order, half
  if not adaptive[integrator_name] then
    half = gradient(mbs.adjoint {}, h / 2)
    local quarter = gradient(mbs.adjoint {}, h / 4)
    local first = difference(adjoint.gradient, half.gradient, case.over)
    local second = difference(half.gradient, quarter.gradient, case.over)
    if second > 1e-11 then order = math.log(first / second, 2) end
  end
  local gap = difference(direct.gradient, adjoint.gradient, case.over)
  add("discrete adjoint", "discrete", adjoint, gap, order)
  add("discrete direct", "discrete", direct, gap, order)
  -- Over intervals, where there are as many steps.
  local in_parts, parted = pcall(timed, mbs.adjoint { intervals = 4 })
  if in_parts then
    add("adjoint over intervals", "discrete", parted, difference(parted.gradient, adjoint.gradient, case.over), order)
  end
  local differences = gradient(mbs.finite_difference { step = 2e-3, richardson = 2 }, h)
  add("differences", "difference", differences, difference(differences.gradient, adjoint.gradient, case.over))
  if not with_continuous[integrator_name] then return end
  local function continuous(name, method)
    local ok, result = pcall(timed, method)
    if not ok then
      refuse(case, form_name, integrator_name, result)
      return
    end
    local error = difference(result.gradient, adjoint.gradient, case.over)
    local finer = difference(gradient(method, h / 2).gradient, half.gradient, case.over)
    add(name, "continuous", result, error, finer > 1e-10 and math.log(error / finer, 2) or nil)
  end
  continuous("continuous direct", mbs.continuous_direct {})
  for _, form_of_adjoint in ipairs(forms[form_name]) do
    continuous("continuous adjoint, " .. form_of_adjoint:gsub("_", " "), mbs.continuous_adjoint { form = form_of_adjoint })
  end
  if keeps_to_constraints[form_name] then continuous("piecewise adjoint", mbs.piecewise_adjoint { intervals = 4 }) end
end

local lines = {}
local function say(text)
  print(text)
  lines[#lines + 1] = text
end

for _, make in ipairs(mechanisms.list) do
  local case = make()
  if options.only == "" or case.name:find(options.only, 1, true) then
    say("")
    say("## " .. case.name)
    say("")
    say("| formulation | integrator | method | error | order | forward runs |")
    say("|---|---|---|---|---|---|")
    for _, formulation in ipairs(formulations) do
      for _, integrator in ipairs(integrators) do
        local first = #cells + 1
        local _, why_not = pcall(experiment, case, formulation[1], formulation[2], integrator[1], integrator[2])
        if why_not then refuse(case, formulation[1], integrator[1], why_not) end  -- the cells before a failure stay
        for i = first, #cells do
          local c = cells[i]
          say(("| %s | %s | %s | %.1e | %s | %.2f |"):format(c.formulation, c.integrator, c.method, c.error,
                                                             c.order and ("%.1f"):format(c.order) or "", c.forward_runs))
        end
      end
    end
  end
end

local worst = { discrete = 0, difference = 0, continuous = 0 }
for _, c in ipairs(cells) do worst[c.kind] = math.max(worst[c.kind], c.error) end
say("")
say(("%d cells; largest error: discrete %.1e, differences %.1e, continuous %.1e"):format(
  #cells, worst.discrete, worst.difference, worst.continuous))
say("")
say("Not offered:")
say("")
local groups, order_of_groups = {}, {}
for _, n in ipairs(not_offered) do
  local key = n.model .. n.formulation .. n.reason:gsub(n.integrator, "")
  if not groups[key] then
    groups[key] = { first = n, integrators = {} }
    order_of_groups[#order_of_groups + 1] = groups[key]
  end
  local names = groups[key].integrators
  if names[#names] ~= n.integrator then names[#names + 1] = n.integrator end  -- several methods may be refused alike
end
for _, group in ipairs(order_of_groups) do
  say(("- %s, %s with %s: %s"):format(group.first.model, group.first.formulation,
                                     table.concat(group.integrators, ", "), group.first.reason))
end

if options.markdown ~= "" then
  local file = assert(io.open(options.markdown, "w"))
  assert(file:write("# The matrix of formulations, integrators and sensitivity methods\n\n",
             "![What gradients cost by each method, in runs forward; a dot stands for rows of the tables below.](../pictures/gradient_costs.svg)\n\n",
             "Written by `perilune scripts/sensitivity_matrix.lua --markdown docs/reference/sensitivity_matrix.md`; the\n",
             "script says what the columns mean.\n", table.concat(lines, "\n"), "\n"))
  assert(file:close())
end
if options.json ~= "" then mbs.write_json(options.json, { cells = cells, not_offered = not_offered }) end
