-- Runs scripts/rolling.lua as a user would: with every form the errors against the closed forms fall with the classical
-- order of the integrator, and upright discs are stable from the spins on that Neimark and Fufaev give.
local script, program = arg[1], arg[-1]
package.path = arg[0]:match "^(.*)/" .. "/../lua/?.lua;" .. package.path
local json = require "json"

local file = os.tmpname()
local command = ("%q %q --json %q > /dev/null"):format(program, script, file)
assert(os.execute(command), "the script failed: " .. command)
local results = json.decode(assert(io.open(file)):read "a")
os.remove(file)

local order = { rk4 = 4, trapezoidal = 2, radau = 5 }
-- With steps as they are: what halving them leaves.
local largest = { rk4 = 1e-6, trapezoidal = 1e-4, radau = 2e-6 }
local count = { sleigh = 0, skate = 0, turntable = 0, disc = 0 }
for _, row in ipairs(results.orders) do
  local name = row.case .. ", " .. row.formulation .. ", " .. row.integrator
  -- A penalty gives way by what it bears over 1e9, which steps of high order come near.
  local margin = row.formulation == "penalty" and row.integrator ~= "trapezoidal" and 0.8 or 0.3
  local expected = order[row.integrator]
  assert(math.abs(row.order - expected) <= margin, ("%s: order %g, not %g"):format(name, row.order, expected))
  assert(row.error_of_half < largest[row.integrator], ("%s: error %g"):format(name, row.error_of_half))
  count[row.case] = count[row.case] + 1
end
-- All eleven forms by both implicit integrators, the seven that explicit ones can solve by the other.
for case, rows in pairs(count) do assert(rows == 29, case .. ": " .. rows) end

local g, r = 9.81, 0.4
for shape, share in pairs { ["thin disc"] = 3, hoop = 4 } do
  local found
  for _, row in ipairs(results.stability) do
    if row.shape == shape then found = row.spin end
  end
  assert(math.abs(found - (g / (share * r))^0.5) < 1e-6, shape .. ": " .. found)
end
