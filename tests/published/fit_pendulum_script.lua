-- Runs scripts/fit_pendulum.lua as a user would: what a free pendulum tells and what it does not, the true values
-- within what the fit promises, and the ratios that the bare pendulum does tell, by formulas of our own.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
local file, picture = os.tmpname(), os.tmpname()

local function contents(name)
  local stream = assert(io.open(name))
  local text = stream:read "a"
  stream:close()
  os.remove(name)
  return text
end

local pipe = assert(io.popen(("%q %q --chart %q --json %q"):format(program, script, picture, file)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local found = json.decode(contents(file))
local alone, both, truth = found.fits[1], found.fits[2], found.truth
assert(contents(picture):find "<svg")

-- Free: (J + M l^2) phi'' = -M g l sin phi - friction. Scaled as one, mass, inertia and friction cancel.
assert(#alone.lost == 1)
for _, name in ipairs { "M", "J", "viscous", "dry" } do
  assert(alone.lost[1]:find(name, 1, true), "the lost combination does not name " .. name .. ": " .. alone.lost[1])
end
for _, name in ipairs { "J", "viscous", "dry" } do
  local ratio, expected = alone.parameters[name] / alone.parameters.M, truth[name] / truth.M
  assert(math.abs(ratio / expected - 1) < 0.1, ("%s / M is %.6g, expected %.6g"):format(name, ratio, expected))
end

-- Within four standard errors, which 10 normal deviates leave in one case of 1600; and these are small.
assert(#both.lost == 0 and #both.weak == 0)
local count = 0
for name, value in pairs(both.parameters) do
  local error = both.standard_errors[name]
  assert(math.abs(value - truth[name]) < 4 * error,
    ("%s is %.6g +- %.2g, truth %.6g"):format(name, value, error, truth[name]))
  assert(error < 0.05 * math.abs(truth[name]) and error > 0)
  local interval = both.intervals[name]
  assert(math.abs((interval[1] + interval[2]) / 2 - value) < 1e-9 and interval[2] - value < 2 * error)
  count = count + 1
end
assert(count == 10)
-- Deviations are found: of 800 residuals, the ratio of their size to the deviation is near 1.
assert(math.abs(both.deviation - 1) < 0.1)
assert(text:find "not told by the data")
