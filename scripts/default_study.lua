-- Which formulation and integrator a script gets that names none: candidates on mechanisms that were not made with
-- Perilune in mind, at default tolerances. Prints, for each, the largest error (of the energy, or of a signal that is
-- known otherwise) relative to what the motion exchanges, and whether the run said so where it is larger than 1e-5
-- (more for mechanisms so small that the absolute tolerance counts).
--
--   perilune scripts/default_study.lua [--only PATTERN] [--all 1] [--json FILE] [--markdown FILE]
--
-- --only takes those mechanisms whose name has the pattern; --all tries every formulation with every adaptive
-- integrator (half an hour).
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local mechanisms = require "default_study.mechanisms"

local options = mbs.options { only = "", all = 0, json = "", markdown = "" }
-- A thousand times the default tolerances of a step, 1e-8 of a position and 1e-10 m.
local function promised(length) return 1e3 * (1e-8 + 1e-10 / (length or math.huge)) end

local candidates = {
  { "left to Perilune", nil, nil },
  { "penalty", mbs.penalty {}, mbs.dormand_prince {} },
  { "index 1, Baumgarte", mbs.index1 { alpha = 10, beta = 10 }, mbs.dormand_prince {} },
  { "index 1, projected", mbs.index1 { project = true }, mbs.dormand_prince {} },
  { "augmented", mbs.augmented_lagrangian {}, mbs.dormand_prince {} },
  { "Maggi", mbs.maggi {}, mbs.dormand_prince {} },
  { "Maggi, radau", mbs.maggi {}, mbs.radau {} },
  { "augmented, radau", mbs.augmented_lagrangian {}, mbs.radau {} },
  { "joint coordinates", mbs.joint_coordinates {}, mbs.dormand_prince {} },
}
if options.all ~= 0 then
  candidates = {}
  local integrators = { mbs.dormand_prince {}, mbs.radau { order = 3 }, mbs.radau {}, mbs.bdf {},
                        mbs.rosenbrock { order = 3 }, mbs.rosenbrock {} }
  for _, formulation in ipairs { mbs.penalty {}, mbs.penalty { project = true }, mbs.index1 {},
                                 mbs.index1 { alpha = 10, beta = 10 }, mbs.index1 { project = true },
                                 mbs.augmented_lagrangian {}, mbs.augmented_lagrangian { index = 3 }, mbs.index3 {},
                                 mbs.index2 {}, mbs.stabilized_index1 {}, mbs.maggi {}, mbs.coordinate_partitioning {} } do
    for _, integrator in ipairs(integrators) do
      local name = tostring(integrator)
      name = name:match "^[%w_]+ { order = %d" or name:match "^[%w_]+"
      candidates[#candidates + 1] = { tostring(formulation) .. " with " .. name, formulation, integrator }
    end
  end
end

local function energy_error(case, run)
  local start, worst = run:at("energy.total", 0), 0
  for k = 1, 200 do -- the very end may lie beside t by rounding
    worst = math.max(worst, math.abs(run:at("energy.total", k / 200 * case.t * (1 - 1e-12)) - start))
  end
  return worst / case.energy
end

-- Another formulation and another integrator, at tolerances far below.
local function reference(make, signal)
  local case = make()
  local run = case.model:simulate { t = case.t, formulation = mbs.maggi {},
                                    integrator = mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  return run:at(signal, case.t)
end

local function errors_of(entry, candidate)
  local case = entry.make()
  local before = os.clock()
  local settings = { t = case.t, formulation = candidate[2], integrator = candidate[3] }
  local ok, run = pcall(case.model.simulate, case.model, settings)
  local seconds = os.clock() - before
  if not ok then return { refused = tostring(run):gsub("^[^:]*:%d+: ", ""), seconds = seconds } end
  local found
  if case.energy then
    found = energy_error(case, run)
  elseif case.kinematics then
    local exact = entry.make().model:kinematics { t = case.t }
    found = math.abs(run:at(case.kinematics, case.t) - exact:at(case.kinematics, case.t)) / case.size
  else
    entry.truth = entry.truth or reference(entry.make, case.reference)
    found = math.abs(run:at(case.reference, case.t) - entry.truth) / case.size
  end
  return { error = found, promised = promised(case.length), warned = #run.warnings > 0, seconds = seconds,
           steps = run.steps }
end

local lines, rows = {}, {}
local function say(text)
  print(text)
  lines[#lines + 1] = text
end

local heads = { "mechanism" }
for _, candidate in ipairs(candidates) do heads[#heads + 1] = candidate[1] end
say("| " .. table.concat(heads, " | ") .. " |")
say("|" .. ("---|"):rep(#heads))
local silent = {}
for _, entry in ipairs(mechanisms.list) do
  if entry.name:find(options.only, 1, true) then
    local cells, row = { entry.name }, { mechanism = entry.name, kind = entry.kind, cells = {} }
    for i, candidate in ipairs(candidates) do
      local found = errors_of(entry, candidate)
      row.cells[i] = { candidate = candidate[1], error = found.error, warned = found.warned, refused = found.refused }
      if found.refused then
        cells[#cells + 1] = "refused"
      elseif found.error <= found.promised then
        cells[#cells + 1] = ("%.0e"):format(found.error)
      elseif found.warned then
        cells[#cells + 1] = ("%.0e, said"):format(found.error)
      else
        cells[#cells + 1] = ("**%.0e**"):format(found.error)
        silent[i] = (silent[i] or 0) + 1
      end
    end
    rows[#rows + 1] = row
    say("| " .. table.concat(cells, " | ") .. " |")
  end
end
local totals = { "wrong without a word" }
for i = 1, #candidates do totals[#totals + 1] = tostring(silent[i] or 0) end
say("| " .. table.concat(totals, " | ") .. " |")

if options.markdown ~= "" then
  local file = assert(io.open(options.markdown, "w"))
  file:write("# The default formulation\n\n",
             "![Errors of each form over the mechanisms of the table below.](../pictures/errors_of_forms.svg)\n\n",
             "Written by `perilune scripts/default_study.lua --markdown docs/reference/default_study.md`.\n\n",
             "Each cell is the largest error, relative to the energy that the motion exchanges (or to the size of a\n",
             "signal that is known otherwise), at default tolerances; Dormand and Prince's method where none is\n",
             "named. **Bold**: wrong by more than 1e-5 without a word; \"said\": with a warning; \"refused\": a\n",
             "sentence in place of a motion.\n\n", table.concat(lines, "\n"), "\n")
  file:close()
end
if options.json ~= "" then mbs.write_json(options.json, rows) end
