-- perilune bench: problems by several methods and, where there are programs for them, by others; what a run costs and
-- how far its end is from that of a finer run by another form of the equations.
local mbs = require "perilune"
local gradients = require "perilune.bench.gradients"
local peers = require "perilune.bench.peers"
local runs = require "perilune.bench.runs"
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
      local seconds, run = runs.fastest(function() return m:simulate(settings) end)
      rows[#rows + 1] = { problem = problem.name, program = "perilune", method = method.name .. ", " .. each[1],
                          seconds = seconds, steps = run.steps, factorizations = run.factorizations,
                          error = runs.distance(values_at_end(run, signals, problem.t), reference.values) }
    end
  end
  return rows
end

local function peer_rows(problem, references, folder, absent)
  local rows = {}
  for _, name in ipairs(peers.names) do
    local steps = problem.peers and problem.peers[name]
    if steps and not peers.exists(name, folder) then
      absent[name] = true
    else
      for _, step in ipairs(steps or {}) do
        local row, values = peers.row(name, folder, problem.name, problem.t, step)
        row.error = runs.distance(values, references[1].values)
        rows[#rows + 1] = row
      end
    end
  end
  return rows
end

local function print_row(row)
  print(("%-22s %-9s %-34s %10.3f %8s %9s %9.1e"):format(row.problem, row.program, row.method, 1e3 * row.seconds,
    row.steps or "", row.factorizations or "", row.error))
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
  print(("%-22s %-9s %-34s %10s %8s %9s %9s"):format("problem", "program", "method", "ms", "steps", "factored", "error"))
  for _, problem in ipairs(problems) do
    if not options.only or options.only == problem.name then
      local references = find_references(problem)
      local rows = own_rows(problem, references)
      local others = peer_rows(problem, references, folder, absent)
      table.move(others, 1, #others, #rows + 1, rows)
      local lines = { runs.compare(rows, problem.target, " m") }
      local of_gradients, more = gradients.measure(problem, folder, absent)
      table.move(of_gradients, 1, #of_gradients, #rows + 1, rows)
      table.move(more, 1, #more, 2, lines)
      for _, row in ipairs(rows) do print_row(row) end
      for _, line in ipairs(lines) do print("  " .. line) end
      table.move(rows, 1, #rows, #all + 1, all)
      if options.json then mbs.write_json(options.json, all) end
      if options.svg then picture(problem, rows, options.svg) end
    end
  end
  for _, peer in ipairs(peers.names) do
    if absent[peer] then
      print(("%s is left out: there is no perilune_peer_%s in %s; the target peers of the build makes it where its library " ..
        "is installed"):format(peer, peer, folder))
    end
  end
end

return command
