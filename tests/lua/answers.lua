-- All that a model is asked for, as text with all bits, to be compared with what another model answers.
local mbs = require "perilune"

local folder = os.tmpname()
os.remove(folder)
mbs.make_folder(folder)

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local answers = {}

--- `options`: integrator, formulation. `over`: parameters of the model.
function answers.of(m, cost, over, options)
  options = options or {}
  local out = {}
  local function add(x) out[#out + 1] = math.type(x) and ("%a"):format(x) or tostring(x) end
  local run = m:simulate { t = 0.4, integrator = options.integrator or mbs.rk4 { step = 2e-3 }, formulation = options.formulation,
    objectives = { cost } }
  add(run.objectives[cost.name])
  for _, name in ipairs(m:signals()) do add(name .. " " .. ("%a"):format(run:at(name, 0.37))) end
  run:csv(folder .. "/a.csv")
  add(read(folder .. "/a.csv"))
  for _, method in ipairs { mbs.adjoint(), mbs.direct() } do
    local grad = m:gradient { cost, t = 0.4, over = over, method = method }
    for _, k in ipairs(over) do add(grad[k.name]) end
  end
  for _, mode in ipairs(m:linearize { from = run }.modes) do add(mode.frequency) end
  run:view(folder .. "/a.html")
  add(#read(folder .. "/a.html"))
  add(m:mobility().degrees_of_freedom)
  local worst = m:check_elements().worst
  assert(worst < 1e-9, worst)
  add((tostring(m):gsub("\n  ground[^\n]*", "")))
  return table.concat(out, "\n")
end

--- An error with the first line that differs.
function answers.same(a, b, what)
  if a == b then return end
  local x, y = a:gmatch "[^\n]+", b:gmatch "[^\n]+"
  for line in x do
    local other = y()
    if line ~= other then error(("%s: %s\nin place of: %s"):format(what, line, other), 2) end
  end
  error(what .. ": less", 2)
end

return answers
