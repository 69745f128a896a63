-- Runs scripts/flexible_pendulum.lua as a user would, beside an independent program's values (reference of the source,
-- section 9.4): deflections by three forms of the axial force, derivatives by the width at two steps; and the identity
-- that the motion depends on E / rho alone.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
local file = os.tmpname()
local pipe = assert(io.popen(("%q %q --json %q"):format(program, script, file)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local stream = assert(io.open(file))
local found = json.decode(stream:read "a")
stream:close()
os.remove(file)

local independent = { -- at 0.5, 1, 1.5, 2, 3, 4 s with steps of 1 ms
  printed = { "-0.25441", "-0.67774", "0.42022", "0.74306", "-0.33829", "-0.08937" },
  chord = { "-0.25701", "-0.66245", "0.44267", "0.74708", "-0.52117", "-0.14946" },
  green = { "-0.25560", "-0.66992", "0.43465", "0.74053", "-0.44101", "-0.13053" },
}
for form, expected in pairs(independent) do
  for i, digits in ipairs(expected) do
    local own = ("%.5f"):format(found.deflections[form][i])
    assert(own == digits, ("%s, number %d: %s, expected %s"):format(form, i, own, digits))
  end
end
-- The table that the script prints has the same, ours beside theirs.
local lines = 0
for line in text:match "^1%..-\n(.-)\n\n2%.":gmatch "[^\n]+" do
  local numbers = {}
  for number in line:gmatch "%-?%d+%.%d%d%d%d%d" do numbers[#numbers + 1] = number end
  for i = 1, #numbers, 2 do assert(numbers[i] == numbers[i + 1], line) end
  if #numbers == 6 then lines = lines + 1 end
end
assert(lines == 6, text)

local by_width = { ["0.5 0.002"] = "3.42", ["0.5 0.001"] = "4.79", ["3.5 0.002"] = "-103", ["3.5 0.001"] = "-177" }
local compared, forms = 0, {}
for _, row in ipairs(found.gradient) do
  assert(#row.value == 3 and #row.parameters == 3 and row.forward_runs > 0, row.method)
  assert(row.identity < 1e-10, ("%s at %g s: %g"):format(row.form, row.t, row.identity))
  if row.method == "discrete direct" then
    assert(row.relative_difference > 0 and row.relative_difference < 1e-10, row.relative_difference)
    forms.direct = true
  end
  local digits = row.form == "printed" and by_width[("%g %g"):format(row.t, row.step)]
  if digits then
    local own = (digits:find "%." and "%.2f" or "%.0f"):format(row.value[1])
    assert(own == digits, ("d/dh at %g s, step %g: %s, expected %s"):format(row.t, row.step, own, digits))
    compared = compared + 1
  end
  forms[row.form] = true
end
assert(compared == 5 and forms.direct and forms.printed and forms.chord and forms.green, compared)

-- Half the step, a quarter of what the fastest mode is behind, and more so where steps are long.
local lags = {}
for turns in text:gmatch "([%d.]+) turns" do lags[#lags + 1] = tonumber(turns) end
assert(#lags == 4 and lags[3] / lags[4] > 3.5 and lags[3] / lags[4] < 4, text)
-- What the last sentences say follows from the table before them.
for _, what in ipairs { { "the deflection", "deflection" }, { "d/dh", "by_width" } } do
  local less = text:match("From 2 ms to 0.5 ms " .. what[1] .. " moves by less than 1 %% ([^;]+);")
  for _, cell in ipairs(found.refinement) do
    local y, largest = cell[what[2]], 0
    for i = 2, 3 do largest = math.max(largest, math.abs(y[i] - y[4]) / math.abs(y[4])) end
    local is_named = (less .. " "):find((" %g[, ]"):format(cell.t):gsub("%.", "%%.")) ~= nil
    assert(is_named == (largest < 0.01), ("%s at %g s: %g\n%s"):format(what[1], cell.t, largest, less))
  end
end
