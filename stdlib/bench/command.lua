-- perilune bench: problems by several methods and, where there are programs for them, by others; what a run costs and
-- how far its end is from that of a finer run by another form of the equations.
local mbs = require "perilune"
local problems = require "perilune.bench.problems"

local command = {}

-- The words of the command line, or what is wrong with them.
local function read(words)
  local options, k = {}, 1
  while k <= #words do
    local name = words[k]:match "^%-%-(%a+)$"
    if name ~= "only" and name ~= "json" and name ~= "svg" and name ~= "peers" then
      return nil, ("bench does not know %s"):format(words[k])
    end
    if not words[k + 1] or words[k + 1]:sub(1, 2) == "--" then
      return nil, ("--%s needs a value"):format(name)
    end
    if options[name] then return nil, ("--%s is given twice"):format(name) end
    options[name] = words[k + 1]
    k = k + 2
  end
  local names, known = {}, false
  for _, problem in ipairs(problems) do
    names[#names + 1] = problem.name
    known = known or problem.name == options.only
  end
  if options.only and not known then
    return nil, ("bench has no problem %s; it has %s"):format(options.only, table.concat(names, ", "))
  end
  return options
end

local function settings_of(problem, method, integrator)
  local settings = { t = problem.t, formulation = method.formulation, integrator = integrator }
  for key, value in pairs(problem.settings or {}) do settings[key] = value end
  return settings
end

local function values_at_end(run, signals, t)
  local values = {}
  for k, signal in ipairs(signals) do
    values[k] = type(signal) == "function" and signal(run) or run:at(signal, t)
  end
  return values
end

local function distance(a, b)
  local sum = 0
  for k in ipairs(b) do sum = sum + (a[k] - b[k]) ^ 2 end
  return math.sqrt(sum)
end

-- The least processor time of several runs, as many as half a second has.
local function fastest(action)
  local best, spent, result = math.huge, 0, nil
  for k = 1, 20 do
    result = action()
    best, spent = math.min(best, result.seconds), spent + result.seconds
    if spent > 0.5 and k >= 2 or spent > 2 then break end
  end
  return best, result
end

-- The first reference that the form did not make itself.
local function reference_for(references, name)
  for _, reference in ipairs(references) do
    if reference.name ~= name then return reference end
  end
  error("no reference of another form than " .. name)
end

local function find_references(problem)
  local found = {}
  for k, reference in ipairs(problem.references) do
    local m, signals = (reference.build or problem.build)()
    local settings = settings_of(problem, reference, reference.integrator)
    found[k] = { name = reference.name, values = values_at_end(m:simulate(settings), signals, problem.t) }
  end
  return found
end

local function own_rows(problem, references)
  local rows = {}
  local m, signals = problem.build()
  for _, method in ipairs(problem.methods) do
    local reference = reference_for(references, method.name)
    for _, each in ipairs(method.integrators) do
      local settings = settings_of(problem, method, each[2])
      local seconds, run = fastest(function() return m:simulate(settings) end)
      rows[#rows + 1] = { problem = problem.name, program = "perilune", method = method.name .. ", " .. each[1],
                          seconds = seconds, steps = run.steps, factorizations = run.factorizations,
                          error = distance(values_at_end(run, signals, problem.t), reference.values) }
    end
  end
  return rows
end

-- The objective's gradient by both exact methods; the error is relative to a finer one by another form.
local function gradient_rows(problem)
  local rows = {}
  if not problem.gradient then return rows end
  local m, cost, over = problem.gradient()
  local function gradient(method, tolerance)
    return m:gradient { cost, over = over, method = method, t = problem.t, formulation = problem.methods[1].formulation,
                        integrator = mbs.dormand_prince { relative_tolerance = tolerance, absolute_tolerance = tolerance } }
  end
  local other = m:gradient { cost, over = over, method = mbs.direct {}, t = problem.t, formulation = mbs.maggi {},
                             integrator = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-12 } }
  for _, method in ipairs { { "adjoint", mbs.adjoint {} }, { "direct", mbs.direct {} } } do
    for _, tolerance in ipairs { 1e-6, 1e-8 } do
      local seconds, found = fastest(function() return gradient(method[2], tolerance) end)
      local run = m:simulate { t = problem.t, formulation = problem.methods[1].formulation, objectives = cost,
        integrator = mbs.dormand_prince { relative_tolerance = tolerance, absolute_tolerance = tolerance } }
      local size = distance(other.gradient, { 0, 0, 0, 0 })
      rows[#rows + 1] = { problem = problem.name .. " gradient", program = "perilune",
                          method = ("%s, tolerance %.0e"):format(method[1], tolerance), seconds = seconds,
                          steps = run.steps, factorizations = run.factorizations,
                          error = distance(found.gradient, other.gradient) / size }
    end
  end
  return rows
end

-- A peer prints seconds, steps and the signals at the end.
local function peer_rows(problem, references, folder)
  local rows, missing = {}, {}
  for _, peer in ipairs { "mujoco", "simbody" } do
    local path = ("%s/perilune_peer_%s"):format(folder, peer)
    local file = problem.peers and problem.peers[peer] and io.open(path, "rb")
    if file then
      file:close()
      for _, step in ipairs(problem.peers[peer]) do
        local pipe = assert(io.popen(("'%s' %s %g %g"):format(path:gsub("'", "'\\''"), problem.name, problem.t, step)))
        local numbers = {}
        for word in pipe:read "a":gmatch "%S+" do numbers[#numbers + 1] = tonumber(word) end
        if not pipe:close() or #numbers < 3 then error(("%s has no answer for %s"):format(path, problem.name)) end
        rows[#rows + 1] = { problem = problem.name, program = peer,
                            method = (peer == "mujoco" and "rk4, step %g s" or "accuracy %g"):format(step),
                            seconds = numbers[1], steps = math.tointeger(numbers[2]), factorizations = nil,
                            error = distance(table.move(numbers, 3, #numbers, 1, {}), references[1].values) }
      end
    elseif problem.peers and problem.peers[peer] then
      missing[#missing + 1] = peer
    end
  end
  return rows, missing
end

local function print_row(row)
  print(("%-18s %-9s %-34s %10.3f %8s %9s %9.1e"):format(row.problem, row.program, row.method, 1e3 * row.seconds,
    row.steps or "", row.factorizations or "", row.error))
end

-- Of each program the fastest row that is exact enough.
local function compare(problem, rows)
  local best, programs = {}, {}
  for _, row in ipairs(rows) do
    if row.problem == problem.name and row.error <= problem.target then
      if not best[row.program] then programs[#programs + 1] = row.program end
      if not best[row.program] or row.seconds < best[row.program].seconds then best[row.program] = row end
    end
  end
  if not best.perilune then return ("no row is within %.0e m"):format(problem.target) end
  local text = ("within %.0e m: perilune %.3g ms (%s)"):format(problem.target, 1e3 * best.perilune.seconds,
    best.perilune.method)
  for _, program in ipairs(programs) do
    if program ~= "perilune" then
      text = text .. ("; %s %.3g ms, %.3g times as long"):format(program, 1e3 * best[program].seconds,
        best[program].seconds / best.perilune.seconds)
    end
  end
  return text
end

-- Errors over processor time, a curve for every program and form.
local function picture(problem, rows, folder)
  local curves, by_name = {}, {}
  for _, row in ipairs(rows) do
    if row.problem == problem.name then
      local name = row.program == "perilune" and row.method:match "^[^,]+" or row.program
      local curve = by_name[name]
      if not curve then
        curve = { name, x = {}, y = {} }
        by_name[name], curves[#curves + 1] = curve, curve
      end
      curve.x[#curve.x + 1], curve.y[#curve.y + 1] = 1e3 * row.seconds, math.max(row.error, 1e-16)
    end
  end
  mbs.chart { ("%s/%s.svg"):format(folder, problem.name), curves = curves, title = problem.what,
              x_label = "processor time (ms)", y_label = "error (m)", log_x = true, log_y = true }
end

--- What the words behind "bench" ask for; `beside` is the folder where programs of peers are unless they say. Returns
--- what is wrong with them, if anything.
function command.main(words, beside)
  local options, fault = read(words)
  if not options then return fault end
  local folder = options.peers or beside
  local all, absent = {}, {}
  if options.json then mbs.write_json(options.json, all) end  -- a file that cannot be written is worth no minute
  print(("%-18s %-9s %-34s %10s %8s %9s %9s"):format("problem", "program", "method", "ms", "steps", "factored", "error"))
  for _, problem in ipairs(problems) do
    if not options.only or options.only == problem.name then
      local references = find_references(problem)
      local rows = own_rows(problem, references)
      local others, missing = peer_rows(problem, references, folder)
      table.move(others, 1, #others, #rows + 1, rows)
      local gradients = gradient_rows(problem)
      table.move(gradients, 1, #gradients, #rows + 1, rows)
      for _, row in ipairs(rows) do print_row(row) end
      print("  " .. compare(problem, rows))
      for _, peer in ipairs(missing) do absent[peer] = true end
      table.move(rows, 1, #rows, #all + 1, all)
      if options.json then mbs.write_json(options.json, all) end
      if options.svg then picture(problem, rows, options.svg) end
    end
  end
  for _, peer in ipairs { "mujoco", "simbody" } do
    if absent[peer] then
      print(("%s is left out: there is no perilune_peer_%s in %s; the target peers of the build makes it where its library " ..
        "is installed"):format(peer, peer, folder))
    end
  end
end

return command
