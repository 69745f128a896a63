-- Runs scripts/slider_crank_codesign.lua as a user would: Table 5 must come out; the two forms of the objective are one
-- number; gradients agree; and what is optimized together is no worse than one after the other, from both designs.
local script = arg[1]
local program = arg[-1]
local file = os.tmpname()
local pipe = assert(io.popen(("%q %q --json %q"):format(program, script, file)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)

local compared = 0
for name, got, expected in text:gmatch "\n(%a[%a -]-) +(%d+) +(%d+)%f[\n]" do
  assert(got == expected, name .. "\n" .. text)
  compared = compared + 1
end
assert(compared == 9, compared .. " numbers\n" .. text)

-- Equation (38): the objective is written in two ways.
local motions = 0
for psi, by_the_gain in text:gmatch "psi ([%d.]+), by the gain ([%d.]+); after" do
  assert(math.abs(psi - by_the_gain) <= 2e-9, text)
  motions = motions + 1
end
assert(motions == 2, text)
-- As it is printed, (37) drives the crank away from its -10 rad/s.
assert(tonumber(text:match "printed sign of %(37%) the crank turns at ([%d.]+) rad/s") > 100, text)

local stream = assert(io.open(file))
local written = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua").decode(stream:read "a")
stream:close()
os.remove(file)
assert(written.counts.total == 372 and #written.gradient == 3, text)
for _, row in ipairs(written.gradient) do
  assert(#row.value == 5 and row.relative_difference < (row.method:find "discrete" and 1e-10 or 1e-8), row.method)
  assert(math.abs(row.objective / written.objective - 1) < 1e-12, row.method)
end

-- Within the bounds, every iteration lower than the one before, as far as the tolerance of the runs, 1e-7, tells.
local bounds = { crank_length = { 0.06, 0.1 }, rod_length = { 0.2, 0.4 }, slider_length = { 0.04, 0.06 },
                 slider_width = { 0.02, 0.03 }, gain = { -5, 5 } }
assert(#written.optimizations == 8, text)
for _, best in ipairs(written.optimizations) do
  local last = math.huge
  for _, iteration in ipairs(best.history) do
    assert(iteration.value <= last * (1 + 1e-7), best.name)
    last = iteration.value
    for name, value in pairs(iteration.parameters) do
      assert(value >= bounds[name][1] and value <= bounds[name][2], best.name .. ": " .. name)
    end
  end
end
-- The source: lower by more than three times, with the shortest crank.
for first = 1, 5, 4 do
  local together, mechanism, then_control, control = table.unpack(written.optimizations, first, first + 3)
  assert(together.final < together.initial / 3 and together.parameters.crank_length == 0.06, text)
  assert(together.final < then_control.final and then_control.final < control.final, text)
  assert(then_control.final < mechanism.final, text)
end
-- Both starts lead to one minimum, in which the length of the guide does not matter.
assert(math.abs(written.optimizations[1].final / written.optimizations[5].final - 1) < 1e-5, text)
