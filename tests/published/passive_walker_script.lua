-- Runs scripts/passive_walker.lua as a user would: rows of its table must agree with the values beside them, which are
-- those of the reference page, to the digits given there. Those were found with a looser integration than ours: rates
-- of the fast knee differ in the sixth digit.
local script = arg[1]
local program = arg[-1]
local pipe = assert(io.popen(("%q %q"):format(program, script)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)

local compared = 0
for name, got, expected in text:gmatch "\n([^\n]-) +(%-?%d+%.%d+) +(%-?%d+%.%d+)%f[\n]" do
  got, expected = tonumber(got), tonumber(expected)
  assert(math.abs(got - expected) <= 5e-6 * math.max(1, math.abs(expected)), name .. "\n" .. text)
  compared = compared + 1
end
assert(compared == 22, compared .. " numbers\n" .. text)
assert(text:find("0.1863 0.1872 0.1883 0.1887 0.1885 0.1882", 1, true), text)
assert(text:find("; stable", 1, true), text)
