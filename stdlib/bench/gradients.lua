-- Gradients of a problem's objective by the first 1, 4, ... of its parameters: rows, and lines that compare them with
-- other programs' and with the run that they belong to.
local mbs = require "perilune"
local peers = require "perilune.bench.peers"
local runs = require "perilune.bench.runs"

local gradients = {}

local projected, free = mbs.index1 { project = true }, mbs.index1 {}

local function explicit(name, formulation, tolerance, order)
  return { ("%s, tolerance %.0e"):format(name, tolerance), formulation, mbs.dormand_prince {
    order = order, relative_tolerance = tolerance, absolute_tolerance = tolerance } }
end

-- What computes the motion: name, formulation, integrator. Without projections the constraints drift by as much as the
-- tolerance lets them.
local motions = {
  explicit("index1", projected, 1e-6), explicit("index1", projected, 1e-8), explicit("index1", projected, 3e-9),
  explicit("unprojected", free, 1e-8), explicit("unprojected", free, 3e-9),
  explicit("index1, order 8", projected, 1e-6, 8), explicit("unprojected, order 8", free, 5e-7, 8),
  { "radau, tolerance 1e-06", projected, mbs.radau { relative_tolerance = 1e-6, absolute_tolerance = 1e-6 } },
  { "trapezoidal, step 1 ms", projected, mbs.trapezoidal { step = 1e-3 } },
}
local methods = { { "direct", mbs.direct {} }, { "adjoint", mbs.adjoint {} } }

-- The derivatives are those of a finer gradient by another form, to which errors are relative.
local function own_rows(problem, task, costs)
  local rows = {}
  local m, cost, over = task.build()
  local function gradient(count, method, formulation, integrator)
    return m:gradient { cost, over = table.move(over, 1, count, 1, {}), method = method, t = problem.t,
                        formulation = formulation, integrator = integrator }
  end
  local exact = gradient(#over, mbs.direct {}, mbs.maggi {}, explicit("exact", nil, 1e-12)[3])
  local function add(name, method, seconds, run, off)
    rows[#rows + 1] = { problem = name, program = "perilune", method = method, seconds = seconds, steps = run.steps,
                        factorizations = run.factorizations, error = off }
  end
  for _, each in ipairs(motions) do
    local forward, run = runs.fastest(function()
      return m:simulate { t = problem.t, formulation = each[2], objectives = cost, integrator = each[3] }
    end)
    add(problem.name .. " objective", each[1], forward, run, math.abs(run.objectives.cost / exact.value - 1))
    for _, method in ipairs(methods) do
      local ratios = {}
      for k, count in ipairs(task.counts) do
        local seconds, found = runs.fastest(function() return gradient(count, method[2], each[2], each[3]) end)
        local reference = table.move(exact.gradient, 1, count, 1, {})
        add(("%s gradient-%d"):format(problem.name, count), method[1] .. ", " .. each[1], seconds, run,
            runs.distance(found.gradient, reference) / runs.distance({ 0, 0, 0, 0, 0, 0, 0, 0 }, reference))
        ratios[k] = ("%.2f"):format(seconds / forward)
      end
      costs[#costs + 1] = { method[1] .. ", " .. each[1], ratios }
    end
  end
  return rows, exact.gradient
end

local function peer_rows(problem, task, exact, folder, absent)
  local rows = {}
  for name, tolerances in pairs(task.peers) do
    if peers.exists(name, folder) then
      for _, count in ipairs(task.counts) do
        local reference = table.move(exact, 1, count, 1, {})
        for _, method in ipairs(methods) do
          for _, tolerance in ipairs(tolerances) do
            local task_there = ("%s-%s-%d"):format(problem.name, method[1], count)
            local row, found = peers.row(name, folder, task_there, problem.t, tolerance)
            row.problem, row.method = ("%s gradient-%d"):format(problem.name, count), method[1] .. ", " .. row.method
            row.error = runs.distance(found, reference) / runs.distance({ 0, 0, 0, 0, 0, 0, 0, 0 }, reference)
            rows[#rows + 1] = row
          end
        end
      end
    else
      absent[name] = true
    end
  end
  return rows
end

--- Rows and lines of the problem's gradients; names of programs that are not there are set in `absent`.
function gradients.measure(problem, folder, absent)
  local task = problem.gradient
  if not task then return {}, {} end
  local costs, lines = {}, {}
  local rows, exact = own_rows(problem, task, costs)
  local others = peer_rows(problem, task, exact, folder, absent)
  table.move(others, 1, #others, #rows + 1, rows)
  for _, count in ipairs(task.counts) do
    local name, of_these = ("%s gradient-%d"):format(problem.name, count), {}
    for _, row in ipairs(rows) do
      if row.problem == name then of_these[#of_these + 1] = row end
    end
    lines[#lines + 1] = ("by %d, %s"):format(count, runs.compare(of_these, task.target, ""))
  end
  lines[#lines + 1] = ("in runs without derivatives, by %s parameters:"):format(table.concat(task.counts, ", "))
  for _, each in ipairs(costs) do lines[#lines + 1] = ("  %-36s %s"):format(each[1], table.concat(each[2], ", ")) end
  return rows, lines
end

return gradients
