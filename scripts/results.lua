-- Results of the published scripts for other programs, in one layout:
--   { gradient = { { method, value = {...}, objective, relative_difference, forward_runs, parameters }, ... },
--     optimization = { name, initial, final, iterations, evaluations, parameters, reason, message, history },
--     optimizations = { ... } }
-- `gradient` lists the derivatives of objectives, in the order of `parameters`; relative_difference is from the first
-- row of the same one. `optimization` is the first one that the script made, `optimizations` has all of them.
-- A script may add more: `objective`, the value at the start, and `counts`, numbers of equations by name.
local mbs = require "perilune"
local results = {}

local columns = { "initial", "final", "iterations", "evaluations", "parameters", "reason", "message", "history" }

--- What m:optimize returned, as numbers and texts only.
function results.optimization(name, best)
  local out = { name = name }
  for _, column in ipairs(columns) do out[column] = best[column] end
  return out
end

--- One row from what m:gradient returned; `forward` is the processor time of a simulation, `reference` the first row.
function results.row(method, gradient, forward, reference)
  local difference, size = 0, 0
  for i, value in ipairs(gradient.gradient) do
    local first = reference and reference.value[i] or value
    difference, size = math.max(difference, math.abs(value - first)), math.max(size, math.abs(first))
  end
  return { method = method, value = gradient.gradient, parameters = gradient.parameters, objective = gradient.value,
           relative_difference = size > 0 and difference / size or difference,
           forward_runs = gradient.seconds / forward }
end

--- Writes the file, unless its name is empty. `more` has what else it is to contain.
function results.write(file, rows, optimizations, more)
  if file == "" then return end
  local all = { gradient = rows, optimization = optimizations[1], optimizations = optimizations[1] and optimizations }
  for name, value in pairs(more or {}) do all[name] = value end
  mbs.write_json(file, all)
end

return results
