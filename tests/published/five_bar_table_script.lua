-- Runs scripts/five_bar_table.lua as a user would: every row of Table 5.1 that is an analytical derivative within 0.4 %
-- of what is printed (its discretization is not stated), the converged rows to every printed digit, and all
-- contributions of Figure 7.1 at the limit of small steps.
local script, program = arg[1], arg[-1]
local file = os.tmpname()
local command = ("%q %q --json %q > /dev/null"):format(program, script, file)
assert(os.execute(command), "the script failed: " .. command)
local text = assert(io.open(file)):read "a"
os.remove(file)

local analytical, converged = 0, 0
for block in text:gmatch '{[^{}]-"method"[^{}]-}' do
  local name = block:match '"method": "([^"]+)"'
  local x, y = block:match '"value": %[%s*([^,%s]+),%s*([^%]%s]+)'
  x, y = tonumber(x), tonumber(y)
  local px, py = block:match '"printed": %[%s*([^,%s]+),%s*([^%]%s]+)'
  if px and (name:find "^direct" or name:find "^adjoint") then
    assert(math.abs(x / px - 1) < 4e-3 and math.abs(y / py - 1) < 4e-3, name .. ": " .. x .. " " .. y)
    analytical = analytical + 1
  elseif name:find "^complex" then
    assert(("%.4f %.4f"):format(x, y) == "-4.2288 3.2116", name .. ": " .. x .. " " .. y)
  elseif not px then
    local limit = name:find "index%-3" and 1e-4 or 2e-6  -- trapezoidal rule there, fourth order elsewhere
    assert(math.abs(x / -4.228811 - 1) < limit and math.abs(y / 3.211604 - 1) < limit, name .. ": " .. x .. " " .. y)
    converged = converged + 1
  end
end
assert(analytical == 8 and converged == 12, analytical .. " " .. converged)
