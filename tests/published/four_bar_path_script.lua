-- Runs scripts/four_bar_path.lua as a user would: the costs that the published example prints come out to all digits,
-- and the lengths of the given path come back.
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

for k, printed in ipairs { "0.383738", "0.00661577", "0.00272638" } do
  local own = ("%.6g"):format(found.costs[k])
  assert(own == printed, ("cost %d is %s, printed %s"):format(k, own, printed))
end
local best = found.optimization
assert(best.final < 1e-15 and best.evaluations < 60, best.final)
assert(math.abs(best.parameters.a - 0.12) < 1e-6 and math.abs(best.parameters.b - 0.27) < 1e-6)
