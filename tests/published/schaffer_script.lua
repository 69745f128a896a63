-- Runs scripts/schaffer_derivatives.lua as a user would: every family must be at least four orders of magnitude better
-- than the printed differences (rounding alone where those are zero).
local script = arg[1]
local program = arg[-1]
local file = os.tmpname()
local command = ("%q %q --json %q > /dev/null"):format(program, script, file)
assert(os.execute(command), "the script failed: " .. command)
local text = assert(io.open(file)):read "a"
os.remove(file)

local zero = { ["(Q_v g)_v"] = true, ["(Q_v g)_q"] = true, Q_v = true }  -- for the linear forces
local count = 0
for block in text:gmatch "{[^{}]-}" do
  local function field(name) return block:match('"' .. name .. '": "?([^",\n]+)') end
  local difference, printed, size = tonumber(field "difference"), tonumber(field "printed"), tonumber(field "size")
  local name = field "row" .. " " .. field "family"
  assert(difference <= math.max(1e-4 * printed, 1e-13), name .. ": " .. difference .. ", printed " .. printed)
  assert(size > 0.1 or zero[field "family"], name .. " has nothing to compare")
  count = count + 1
end
assert(count == 5 * 5 + 5 * 5 + 3, count)
