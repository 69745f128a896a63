-- What the two models of Schaffer (2005, chapter 6) have in common: their cost, and the tables of gradients by several
-- methods and of what these cost by number of parameters.
local results = require "results"
local tables = {}

--- The integrand of (6.1) with both weights 1: q'q + qdot'qdot over all coordinates of the bodies, Euler parameters
--- included. The velocities of these are p' = G^T omega / 2, so that p'.p' = omega.omega / 4.
function tables.integrand(bodies)
  local sum = 0
  for _, b in ipairs(bodies) do
    sum = sum + b.x ^ 2 + b.y ^ 2 + b.z ^ 2 + b.e0 ^ 2 + b.e1 ^ 2 + b.e2 ^ 2 + b.e3 ^ 2
          + b.vx ^ 2 + b.vy ^ 2 + b.vz ^ 2 + (b.omega_x ^ 2 + b.omega_y ^ 2 + b.omega_z ^ 2) / 4
  end
  return sum
end

--- Coordinates, constraints, degrees of freedom, joints and parameters of a model that was built.
function tables.counts(mobility, joints, parameters)
  return { coordinates = mobility.coordinates, constraints = mobility.constraints, joints = #joints,
           degrees_of_freedom = mobility.degrees_of_freedom, parameters = #parameters }
end

--- The numbers of parameters that a text names, ascending: over as many as the last says gradients are compared.
function tables.columns(text)
  local list = {}
  for number in text:gmatch "%d+" do list[#list + 1] = math.tointeger(number) end
  local wrong = #list == 0
  for k, number in ipairs(list) do wrong = wrong or number < 1 or number > 16 or number <= (list[k - 1] or 0) end
  if wrong then error(("--counts must be ascending numbers from 1 to 16, such as \"1 4 16\", got \"%s\""):format(text), 0) end
  return list
end

local function with(fields, more)
  local all = {}
  for key, value in pairs(fields) do all[key] = value end
  for key, value in pairs(more or {}) do all[key] = value end
  return all
end

--- Sum of the absolute differences of the first n numbers, and that over the sum of those of b.
function tables.apart(a, b, n)
  local difference, size = 0, 0
  for i = 1, n or #a do difference, size = difference + math.abs(a[i] - b[i]), size + math.abs(b[i]) end
  return difference, size > 0 and difference / size or difference
end

-- What m:gradient returns over the first n of the parameters, put together where the method has parts.
local function gradient_by(entry, model, objective, parameters, n, fields)
  objective = entry.objective or objective
  local found
  for _, part in ipairs(entry.parts or { { 1, n, entry.method } }) do
    local first, last, method = part[1], math.min(part[2], n), part[3]
    if first > n then break end
    local more = model:gradient(with(fields, { objective, over = table.move(parameters, first, last, 1, {}),
                                               method = method }))
    if found then
      found.seconds, found.elapsed = found.seconds + more.seconds, found.elapsed + more.elapsed
      for _, list in ipairs { "gradient", "parameters" } do
        table.move(more[list], 1, last - first + 1, first, found[list])
      end
    end
    found = found or more
  end
  return found
end

--- Gradients of an objective by the methods, over the first n of the parameters for every n in `counts`, which ascend.
--- methods: list of { name, short, method, threads = 1, run = fields of the run that are its own }; the first is what the
--- others are compared with, and is found once, over the most parameters. In place of `method` it may have `parts`, a list of
--- { first, last, method } for differences whose steps are not the same for all parameters, and `objective`, another
--- objective of the same gradient. `run`: fields of the run.
--- Returns the cells, and the gradients over the most parameters in the order of the methods. forward_runs: processor time, of
--- several threads time by the clock, over that of a run of the same fields, the least of as many measurements as
--- `repetitions` says.
function tables.measure(model, objective, parameters, run, methods, counts, repetitions)
  local cells, gradients, forward, most = {}, {}, {}, counts[#counts]
  for k, entry in ipairs(methods) do
    local fields = with(run, entry.run)
    local key = entry.run or run
    if not forward[key] then
      local least = math.huge
      for _ = 1, math.max(repetitions, 2) do
        least = math.min(least, model:simulate(with(fields, { objectives = objective })).seconds)
      end
      forward[key] = least
    end
    for _, n in ipairs(k == 1 and { most } or counts) do
      local least, found = math.huge, nil
      for _ = 1, k == 1 and 1 or repetitions do
        found = gradient_by(entry, model, objective, parameters, n, fields)
        least = math.min(least, (entry.threads or 1) > 1 and found.elapsed or found.seconds)
      end
      if n == most then gradients[k] = found end
      local difference, relative = tables.apart(found.gradient, (gradients[1] or found).gradient)
      cells[#cells + 1] = { method = entry.name, parameters = n, threads = entry.threads or 1,
                            forward_runs = least / forward[key], difference = relative, absolute = difference }
    end
  end
  return cells, gradients
end

--- The layout of Tables 6.9 to 6.17: 1-norms of the differences of every two gradients, in brackets relative ones.
function tables.print_differences(methods, gradients)
  io.write(("%-36s"):format "")
  for k = 1, #methods - 1 do io.write(("%24s"):format(methods[k].short)) end
  print()
  for k = 2, #methods do
    io.write(("%-36s"):format(("%s: %s"):format(methods[k].short, methods[k].name)))
    for j = 1, k - 1 do
      io.write(("%12.2e  (%8.2e)"):format(tables.apart(gradients[k].gradient, gradients[j].gradient)))
    end
    print()
  end
end

local function print_numbers(name, threads, numbers, format)
  io.write(("%-30s %7s"):format(name, threads))
  for _, number in ipairs(numbers) do io.write(number and format:format(number) or ("%12s"):format "-") end
  print()
end

--- The layout of Tables 6.18 to 6.21: cost by number of parameters, ours in forward runs, then how many times as fast two
--- threads are as one. `printed`: list of { title, rows = list of { method, threads, 5 numbers } }, in seconds, as the
--- source has no forward runs, with the same ratio of its parallel and its sequential form.
function tables.print_costs(methods, cells, counts, printed)
  local function head(title)
    io.write(("%-30s %7s"):format(title, "threads"))
    for _, n in ipairs(counts) do io.write(("%12d"):format(n)) end
    print()
  end
  head "ours, in forward runs (FR)"
  local function cost(name, threads, n)
    for _, cell in ipairs(cells) do
      if cell.method == name and cell.parameters == n and cell.threads == threads then return cell.forward_runs end
    end
    return false
  end
  for _, entry in ipairs(methods) do
    local numbers = {}
    for i, n in ipairs(counts) do numbers[i] = cost(entry.name, entry.threads or 1, n) end
    print_numbers(entry.name, entry.threads or 1, numbers, "%12.2f")
  end
  local faster = {}
  for i, n in ipairs(counts) do
    local alone, shared = cost("piecewise adjoint", 1, n), cost("piecewise adjoint", 2, n)
    faster[i] = alone and shared and alone / shared
  end
  print_numbers("piecewise: times as fast", "2 : 1", faster, "%12.2f")
  local column = { [1] = 3, [2] = 4, [4] = 5, [8] = 6, [16] = 7 }
  for _, each in ipairs(printed) do
    head(each.title)
    for _, row in ipairs(each.rows) do
      local numbers = {}
      for i, n in ipairs(counts) do numbers[i] = column[n] and row[column[n]] or false end
      print_numbers(row[1], row[2], numbers, "%12.2f")
    end
    -- The last two rows are the piecewise method's.
    local sequential, parallel = each.rows[#each.rows - 1], each.rows[#each.rows]
    for i, n in ipairs(counts) do
      faster[i] = column[n] and sequential[column[n]] / parallel[column[n]] or false
    end
    print_numbers("piecewise: times as fast", parallel[2] .. " : 1", faster, "%12.2f")
  end
end

--- The rows of the JSON file: every gradient over the most parameters beside the first.
function tables.rows(methods, gradients, seconds)
  local rows = {}
  for k, entry in ipairs(methods) do rows[k] = results.row(entry.name, gradients[k], seconds, rows[1]) end
  return rows
end

return tables
