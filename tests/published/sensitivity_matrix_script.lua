-- Runs scripts/sensitivity_matrix.lua on two of its mechanisms as a user would, and holds every cell to what it should
-- reach: discrete methods agree with each other to 1e-9 and with extrapolated differences to 1e-7, continuous ones
-- converge towards them at the order of the integration, and the Runge-Kutta methods at their own.
local script, program = arg[1], arg[-1]
local orders = { rk4 = 4, trapezoidal = 2, sdirk4 = 4, radau3 = 3, radau5 = 5, newmark = 2, hht = 2,
                 generalized_alpha = 2 }
local count = { discrete = 0, difference = 0, continuous = 0 }
for _, model in ipairs { "five-bar", "non-centroidal" } do
  local file = os.tmpname()
  local command = ("%q %q --only %q --json %q > /dev/null"):format(program, script, model, file)
  assert(os.execute(command), "the script failed: " .. command)
  local text = assert(io.open(file)):read "a"
  os.remove(file)
  for block in text:gmatch "{[^{}]-}" do
    local function field(name) return block:match('"' .. name .. '": "?([^"\n]-)"?,?\n') end
    local kind = field "kind"
    if kind then
      local name = table.concat({ field "model", field "formulation", field "integrator", field "method" }, ", ")
      local error, order = tonumber(field "error"), tonumber(field "order")
      count[kind] = count[kind] + 1
      if kind == "discrete" then
        assert(error < 1e-9, name .. ": " .. error)
        local expected = orders[field "integrator"]
        -- Implicit methods lose orders on index-3 equations, as the theory says.
        if expected and not field "formulation":find "index" and order then
          assert(order > expected - 0.6, name .. ": order " .. order)
        end
      elseif kind == "difference" then
        assert(error < 1e-7, name .. ": " .. error)
      else
        assert(error < 1e-2, name .. ": " .. error)
        if order then assert(order > 1.7, name .. ": order " .. order) end
      end
    end
  end
end
assert(count.discrete > 300 and count.difference > 150 and count.continuous > 120,
       count.discrete .. " " .. count.difference .. " " .. count.continuous)
