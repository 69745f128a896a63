-- All published scripts write their results in the layout of scripts/results.lua: here those of the vehicle, the walker
-- and the ball, in their shortest parts. The rows of a gradient are one gradient by several methods, which agree, and
-- differences too.
local json = dofile(arg[2])
local program, scripts = arg[-1], arg[1]

local function results_of(call)
  local file = os.tmpname()
  local name, options = call:match "^(%S+)(.*)$"
  local command = ("%q %q%s --json %q > /dev/null"):format(program, scripts .. "/" .. name, options, file)
  assert(os.execute(command), "the script failed: " .. command)
  local stream = assert(io.open(file))
  local found = json.decode(stream:read "a")
  stream:close()
  os.remove(file)
  return found
end

for _, case in ipairs {
  { call = "bouncing_ball.lua", rows = 1, parameters = 2 },
  { call = "iltis_four_post.lua --evaluations 1", rows = 2, parameters = 6, optimization = "all six" },
  { call = "iltis_double_lane_change.lua --part gradient", rows = 2, parameters = 6 },
  { call = "passive_walker.lua --part gait", rows = 4, parameters = 4 },
} do
  local found = results_of(case.call)
  assert(#found.gradient == case.rows, case.call)
  for _, row in ipairs(found.gradient) do
    assert(#row.method > 0 and math.abs(row.objective) > 0 and row.forward_runs > 0, case.call)
    assert(#row.value == case.parameters and #row.parameters == case.parameters, case.call)
    assert(row.relative_difference < 1e-6, case.call .. ": " .. row.method)
  end
  assert((found.optimization and found.optimization.name) == case.optimization, case.call)
  for _, best in ipairs(found.optimizations or {}) do
    assert(best.final <= best.initial and best.evaluations >= 1 and #best.history >= 1 and #best.message > 0, case.call)
    assert(next(best.parameters) and #best.reason > 0, case.call)
  end
end
