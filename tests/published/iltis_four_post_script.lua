-- Runs scripts/iltis_four_post.lua for a few steps: the noise has the statistics of its law, and Psi over all six
-- parameters falls below a fifth of the start (the source: 0.015).
local pipe = assert(io.popen(("%q %q --evaluations 8"):format(arg[-1], arg[1])))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local compared = 0
local numbers = "mean +(%-?[%d.]+), rms ([%d.]+), correlation of neighbours +(%-?[%d.]+) "
                .. "%(of the law: 0, ([%d.]+), ([%d.]+)%)"
for mean, rms, correlation, law, lawful in text:gmatch(numbers) do
  assert(math.abs(mean) < 0.05 * law and math.abs(rms / law - 1) < 0.02 and math.abs(correlation - lawful) < 0.02, text)
  compared = compared + 1
end
assert(compared == 2, text)
local part = tonumber(text:match "\nall six +0.15 +0.015 +[%d.]+ +([%d.]+)")
assert(part and part < 0.2, text)
