-- Runs scripts/bicycle.lua as a user would: eigenvalues and the two speeds must be the printed ones, derivatives those
-- of differences, and those of the speeds also what the printed formulas of the linearized bicycle give.
local script = arg[1]
local program = arg[-1]
local here = arg[0]:match "^(.*)/published/"
package.path = here .. "/lua/?.lua;" .. package.path
local json = dofile(here .. "/lua/json.lua")
local formula = require "bicycle_formula"
local file = os.tmpname()
local pipe = assert(io.popen(("%q %q --json %q"):format(program, script, file)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)

local function near(what, value, expected, tolerance)
  if not (math.abs(value - expected) <= tolerance) then
    error(("%s is %.12g, expected %.12g within %g\n%s"):format(what, value, expected, tolerance, text))
  end
end

local compared = 0
for name, got, expected in text:gmatch "\n([^\n]-) +(%-?%d+%.%d+) +(%-?%d+%.%d+)%f[\n]" do
  local is_derivative = name:find "^d "
  if is_derivative or name:find "^at " or name == "weave" or name == "capsize" then
    near(name, tonumber(got), tonumber(expected), is_derivative and 1e-8 or 1e-9)
    compared = compared + 1
  end
end
assert(compared == 4 + 5 * 4 + 2 + 2 * 25, compared .. " numbers\n" .. text)

-- The speeds and their derivatives from the printed formulas: weave, where the determinant of Hurwitz vanishes, and
-- capsize, where the constant coefficient does.
local stream = assert(io.open(file))
local found = json.decode(stream:read "a")
stream:close()
os.remove(file)
local function limit(name, p)
  local function value(v)
    local a = formula.polynomial(setmetatable({ v = v }, { __index = p }))
    if name == "capsize" then return a[1] end
    return a[2] * a[3] * a[4] - a[2]^2 * a[5] - a[4]^2 * a[1]
  end
  local low, high = name == "weave" and 4 or 5.7, name == "weave" and 4.6 or 6.4
  local is_rising = value(high) > 0
  assert(is_rising ~= (value(low) > 0))
  for _ = 1, 90 do
    local middle = (low + high) / 2
    if (value(middle) > 0) == is_rising then high = middle else low = middle end
  end
  return (low + high) / 2
end
local rows = 0
for _, row in ipairs(found.gradient) do
  rows = rows + 1
  if row.quantity ~= "largest lean" then
    assert(#row.value == 25, text)
    near(row.quantity, row.objective, limit(row.quantity, formula.values), 1e-9)
    for k, name in ipairs(row.parameters) do
      local steps, h = {}, 4e-3 * math.abs(formula.values[name])
      for i = 1, 3 do
        local function moved(x) return setmetatable({ [name] = formula.values[name] + x }, { __index = formula.values }) end
        steps[i] = (limit(row.quantity, moved(h)) - limit(row.quantity, moved(-h))) / (2 * h)
        h = h / 2
      end
      local first, second = steps[2] + (steps[2] - steps[1]) / 3, steps[3] + (steps[3] - steps[2]) / 3
      near(row.method .. " of " .. row.quantity .. " by " .. name, row.value[k], second + (second - first) / 15, 1e-8)
    end
  else
    assert(#row.value == 25, text)
    assert(row.relative_difference < (row.method == "differences" and 1e-8 or 1e-10), text)
  end
end
assert(rows == 7, text)

-- It swings, and runs straight in a new direction, with the same energy.
local last = { text:match "\n +40 +(%-?[%d.]+) +(%-?[%d.]+) +(%-?[%d.]+) +(%-?[%d.]+)\n" }
assert(math.abs(last[1]) < 1e-5 and math.abs(last[2]) < 1e-5, text)
assert(math.abs(last[3]) > 0.1, text)
local kinetic, lost = text:match "of ([%d.]+) J in motion: ([%d.e+-]+) J"
assert(tonumber(lost) < 1e-8 * tonumber(kinetic), text)
assert(text:find("the stop condition became zero", 1, true), text)
