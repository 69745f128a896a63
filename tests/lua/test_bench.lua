-- perilune bench: rows of one small problem, on the terminal and as JSON, and that errors are what tolerances let expect.
-- No times: machines differ.
local mbs = require "perilune"
local check = require "check"

local program, folder = arg[-1], os.tmpname()
os.remove(folder)
assert(os.execute(("mkdir '%s'"):format(folder)))

local function output(words)
  local pipe = assert(io.popen(("'%s' bench %s 2>&1"):format(program, words)))
  local text = pipe:read "a"
  local _, _, code = pipe:close()
  return text, code
end

local file = folder .. "/rows.json"
local text, code = output(("--only slider-crank --json '%s' --svg '%s' --peers '%s'"):format(file, folder, folder))
check.equal(code, 0, text)
local rows = mbs.read_json(file)
check.equal(#rows, 11)
local by_method = {}
for _, row in ipairs(rows) do
  check.equal(row.problem, "slider-crank")
  check.equal(row.program, "perilune")
  assert(row.seconds > 0 and row.steps > 10 and row.factorizations > row.steps, row.method)
  assert(text:find(row.method, 1, true), row.method)
  by_method[row.method] = row
end
for _, form in ipairs { "index1", "maggi", "penalty" } do
  local rough, fine = by_method[form .. ", tolerance 1e-04"], by_method[form .. ", tolerance 1e-08"]
  -- A local error per step of fifth order: a hundred times the tolerance is what hundreds of steps may sum up to.
  assert(fine.error < 1e-6 and rough.error < 1e-1, form)
  assert(rough.error > 100 * fine.error, form .. ": a finer tolerance gives a smaller error")
  assert(fine.steps > 2 * rough.steps, form)
end
local picture = assert(io.open(folder .. "/slider-crank.svg")):read "a"
assert(picture:find("<svg", 1, true) and picture:find("penalty", 1, true))

-- The ladder against a single bar that moves as it does.
text, code = output(("--only ladder --json '%s'"):format(file))
check.equal(code, 0, text)
for _, row in ipairs(mbs.read_json(file)) do
  if row.method:find("1e-06", 1, true) then assert(row.error < 1e-3, row.method) end
end

-- The slider-crank of bodies in space against that of points and bars.
text, code = output(("--only slider-crank-spatial --json '%s' --peers '%s'"):format(file, folder))
check.equal(code, 0, text)
rows = mbs.read_json(file)
check.equal(#rows, 16)
for _, row in ipairs(rows) do
  if row.method:find("1e-08", 1, true) then assert(row.error < 1e-6, row.method) end
end

-- Gradients by 1, 4 and 8 parameters: two methods for nine motions each, and the runs that they belong to.
text, code = output(("--only five-bar --json '%s' --peers '%s'"):format(file, folder))
check.equal(code, 0, text)
local count, finest = {}, {}
for _, row in ipairs(mbs.read_json(file)) do
  count[row.problem] = (count[row.problem] or 0) + 1
  if row.method:find("3e-09", 1, true) then finest[row.problem] = math.max(finest[row.problem] or 0, row.error) end
end
check.equal(count["five-bar objective"], 9)
assert(finest["five-bar objective"] < 1e-7)
for _, parameters in ipairs { 1, 4, 8 } do
  local name = ("five-bar gradient-%d"):format(parameters)
  check.equal(count[name], 18, name)
  assert(finest[name] < 1e-7, name)
  assert(text:find(("by %d, within 1e-07: perilune"):format(parameters), 1, true), text)
end
-- Methods of one tolerance are compared with the same run.
for _, line in ipairs { "direct, index1, tolerance 1e%-08", "adjoint, unprojected, tolerance 1e%-08",
                        "adjoint, radau, tolerance 1e%-06" } do
  local ratios = assert(text:match("\n    " .. line .. " +([%d., ]+)\n"), text)
  local _, numbers = ratios:gsub("%d+%.%d%d", "")
  check.equal(numbers, 3, line)
end
for _, name in ipairs { "mujoco", "simbody", "sundials" } do
  assert(text:find(("%s is left out: there is no perilune_peer_%s"):format(name, name), 1, true), text)
end

-- A peer that is not there is named, and one that has no answer is an error.
text, code = output(("--only chain-10 --json '%s' --peers '%s'"):format(file, folder))
check.equal(code, 0, text)
assert(text:find(("mujoco is left out: there is no perilune_peer_mujoco in %s"):format(folder), 1, true), text)
for _, row in ipairs(mbs.read_json(file)) do
  check.equal(row.factorizations == 0, row.method:find("joint_coordinates", 1, true) ~= nil, row.method)
  if row.method:find("1e-08", 1, true) then assert(row.error < 1e-6, row.method) end
end
local fake = assert(io.open(folder .. "/perilune_peer_mujoco", "w"))
fake:write "#!/bin/sh\nexit 3\n"
fake:close()
assert(os.execute(("chmod +x '%s/perilune_peer_mujoco'"):format(folder)))
text, code = output(("--only chain-10 --peers '%s'"):format(folder))
check.equal(code, 1)
assert(text:find("perilune_peer_mujoco has no answer for chain-10", 1, true), text)

for words, fault in pairs {
  ["--only nothing"] = "bench has no problem nothing; it has five-bar, five-bar-spatial, slider-crank, " ..
    "slider-crank-spatial, ladder, chain-10",
  ["--only"] = "--only needs a value",
  ["--only ladder --only ladder"] = "--only is given twice",
  ["ladder"] = "bench does not know ladder\nusage: perilune bench [--only name]",
} do
  text, code = output(words)
  check.equal(code, 2, words)
  assert(text:find(fault, 1, true), text)
end
assert(os.execute(("rm -r '%s'"):format(folder)))
