-- Runs scripts/zhu_test_problem.lua as a user would: every recomputed number of T1 and T2 to 1e-6, relative,
-- and of T to the digits that are known, or better.
local script, program = arg[1], arg[-1]
local file = os.tmpname()
local command = ("%q %q --json %q > /dev/null"):format(program, script, file)
assert(os.execute(command), "the script failed: " .. command)
local text = assert(io.open(file)):read "a"
os.remove(file)

local count, tolerance = { T = 0, T1 = 0, T2 = 0 }, { T = 5e-10, T1 = 1e-6, T2 = 1e-6 }
for block in text:gmatch "{[^{}]-}" do
  local function field(name) return block:match('"' .. name .. '": "?([^",\n]+)') end
  local problem, recomputed, computed = field "problem", tonumber(field "recomputed"), tonumber(field "computed")
  local name = table.concat({ problem, field "quantity", field "method" }, ", ")
  assert(math.abs(computed / recomputed - 1) < tolerance[problem],
         name .. ": " .. computed .. ", recomputed " .. recomputed)
  count[problem] = count[problem] + 1
end
assert(count.T == 2 * 2 * 3 * 8 and count.T1 == 3 * 4 and count.T2 == 2 * 3,
       count.T .. " " .. count.T1 .. " " .. count.T2)
