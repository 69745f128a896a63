-- Runs scripts/passive_walker.lua as a user would: rows of its table must agree with the values beside them, which are
-- those of the reference page, to the digits given there (rates of the fast knee differ in the sixth digit), and
-- derivatives with differences; the walker with compliant feet walks and falls as the source says.
local script = arg[1]
local program = arg[-1]
local pipe = assert(io.popen(("%q %q"):format(program, script)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)

local compared = 0
for name, got, expected in text:gmatch "\n([^\n]-) +(%-?%d+%.%d+) +(%-?%d+%.%d+)%f[\n]" do
  got, expected = tonumber(got), tonumber(expected)
  local is_row = not name:find "printed start" -- that line has q1 after each step
  local tolerance = name:find "^d " and 1e-7 or 5e-6
  assert(not is_row or math.abs(got - expected) <= tolerance * math.max(1, math.abs(expected)), name .. "\n" .. text)
  compared = compared + (is_row and 1 or 0)
end
assert(compared == 21 + 8 + 10, compared .. " numbers\n" .. text)
assert(text:find("0.1863 0.1872 0.1883 0.1887 0.1885 0.1882", 1, true), text)
assert(text:find("; stable", 1, true), text)

-- Steps in 5 s and in 10 s, and the last period, of which the reference has 0.564 s.
for title, counts in pairs { ["static friction"] = { 8, 17 }, ["dry friction 0.9"] = { 8, 17 }, ["dry friction 0.3"] = { 8 } } do
  local k = 0
  for steps, period in text:gmatch("\n" .. title .. " +(%d+) steps in +[%d.]+ s, last period ([%d.]+) s\n") do
    k = k + 1
    assert(tonumber(steps) >= counts[k], text)
    assert(math.abs(period - 0.564) < 0.02 * 0.564, text)
  end
  assert(k == #counts, title .. "\n" .. text)
end
assert(tonumber(text:match "\ndry friction 0.2 +(%d+) steps in[^\n]*fell at [%d.]+ s\n") <= 3, text)
assert(tonumber(text:match "\nsurface feet, static friction +(%d+) steps in +5.0 s, last period [%d.]+ s\n") >= 7, text)
