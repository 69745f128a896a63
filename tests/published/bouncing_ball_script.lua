-- Runs scripts/bouncing_ball.lua as a user would: every number beside a closed form must be close to it. Gravity during
-- the impacts, which the closed form leaves out, is worth 2e-3.
local script = arg[1]
local program = arg[-1]
local pipe = assert(io.popen(("%q %q"):format(program, script)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)

local compared = 0
local function compare(got, expected)
  got, expected = tonumber(got), tonumber(expected)
  assert(math.abs(got - expected) <= 2e-3 * math.abs(expected), got .. " instead of " .. expected .. "\n" .. text)
  compared = compared + 1
end
for height, its_closed_form, time, its_own in text:gmatch "\n +%d +([%d.]+) +([%d.]+) +([%d.]+) +([%d.]+)" do
  compare(height, its_closed_form)
  compare(time, its_own)
end
for slope, its_closed_form in text:gmatch "\n  by [^\n]- +(%-?%d[%d.]+) +(%-?%d[%d.]+)" do
  compare(slope, its_closed_form)
end
assert(compared == 4 * 2 + 2, compared .. " numbers\n" .. text)
