-- Runs scripts/fit_three_links.lua as a user would, with few seeds. Intervals half as wide as they should be would have
-- 67 % of the true values; standard errors that are too large show in the size of the errors beside them.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
local file = os.tmpname()
local seeds = 6
local pipe = assert(io.popen(("%q %q --seeds %d --json %q"):format(program, script, seeds, file)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local stream = assert(io.open(file))
local found = json.decode(stream:read "a").coverage
stream:close()
os.remove(file)

assert(found.seeds == seeds and found.undetermined == 0 and found.unfinished == 0)
local inside, squares, count = 0, 0, 0
for name, times in pairs(found.inside) do
  inside, squares, count = inside + times, squares + found.errors[name]^2, count + 1
end
assert(count == 10)
local percent, size = 100 * inside / (count * seeds), (squares / count)^0.5
assert(math.abs(percent - found.percent) < 1e-9)
assert(percent >= 80, ("only %.1f %% of the true values are within their intervals"):format(percent))
assert(size > 0.7 and size < 1.4, ("errors are %.3g standard errors in the mean"):format(size))
-- One simulation with derivatives stands for eleven.
assert(found.simulations <= found.by_differences / 3)
