-- Runs scripts/iltis_four_post.lua for a few steps: the noise has the statistics of its law, and Psi over all six
-- parameters falls below a fifth of the start (the source: 0.015).
local function run(options)
  local pipe = assert(io.popen(("%q %q %s"):format(arg[-1], arg[1], options)))
  local text = pipe:read "a"
  assert(pipe:close(), "the script failed: " .. text)
  return text
end
local text = run "--evaluations 8"
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

-- The pairs kL and k find the same: Psi, and the change of the wheel rates, within bounds, on another road too.
for _, seed in ipairs { 1, 2 } do
  local psis, rates = {}, {}
  for i, name in ipairs { "kL", "k" } do
    text = run(("--part %s --seed %d"):format(name, seed))
    psis[i] = tonumber(text:match("\n" .. name .. " +2.2%d +0.2%d+ +([%d.]+)"))
    rates[i] = { text:match "wheel rates: rear (%-[%d.]+), front (%-[%d.]+)" }
    local rear, front = text:match(name .. "_rear = (%d+), " .. name .. "_front = (%d+)")
    local lower, upper = name == "k" and 28300000 or 0, name == "k" and 28500000 or math.huge
    for _, value in ipairs { tonumber(rear), tonumber(front) } do assert(value >= lower and value <= upper, text) end
  end
  assert(math.abs(psis[1] / psis[2] - 1) < 0.15, text)
  for axle = 1, 2 do assert(math.abs(rates[1][axle] / rates[2][axle] - 1) < 0.15, text) end
end
