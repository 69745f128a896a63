-- Runs scripts/sensitivity_matrix.lua as a user would, and holds every cell to what it should reach: discrete methods
-- agree with each other to 1e-10 and with extrapolated differences to 1e-9 (the three cranks, which go through a line,
-- to 1e-9 and 1e-7), continuous ones converge towards them at the order of the integration, and the Runge-Kutta methods
-- at their own. And the page that it wrote to what it says now.
local script, program = arg[1], arg[-1]
local orders = { rk4 = 4, trapezoidal = 2, sdirk4 = 4, radau3 = 3, radau5 = 5, newmark = 2, hht = 2,
                 generalized_alpha = 2, variational = 2 }
local in_line = "three cranks (redundant)"
local count = { discrete = 0, difference = 0, continuous = 0 }
local file, fresh = os.tmpname(), os.tmpname()
local command = ("%q %q --json %q --markdown %q > /dev/null"):format(program, script, file, fresh)
assert(os.execute(command), "the script failed: " .. command)
local function text_of(name) return assert(io.open(name)):read "a" end
do
  local text = text_of(file)
  for block in text:gmatch "{[^{}]-}" do
    local function field(name) return block:match('"' .. name .. '": "?([^"\n]-)"?,?\n') end
    local kind = field "kind"
    if kind then
      local name = table.concat({ field "model", field "formulation", field "integrator", field "method" }, ", ")
      local error, order = tonumber(field "error"), tonumber(field "order")
      count[kind] = count[kind] + 1
      if kind == "discrete" then
        assert(error < (field "model" == in_line and 1e-9 or 1e-10), name .. ": " .. error)
        local expected = orders[field "integrator"]
        -- Implicit methods lose orders on index-3 equations, as the theory says. The three cranks go through a line,
        -- where independent coordinates lose digits.
        local keeps = field "integrator" == "variational" or not field "formulation":find "index"
        if expected and order and keeps and field "model" ~= in_line then
          assert(order > expected - 0.6, name .. ": order " .. order)
        end
      elseif kind == "difference" then
        assert(error < (field "model" == in_line and 1e-7 or 1e-9), name .. ": " .. error)
      else
        assert(error < 1e-2, name .. ": " .. error)
        if order then assert(order > 1.7, name .. ": order " .. order) end
      end
    end
  end
end
assert(count.discrete > 1200 and count.difference > 600 and count.continuous > 400,
       count.discrete .. " " .. count.difference .. " " .. count.continuous)

-- The page in the documentation says the same, but for what machines differ in: costs, and the last digits of errors.
local function rows_of(page)
  local rows, model = {}, ""
  for line in page:gmatch "[^\n]+" do
    model = line:match "^## (.*)" or model
    local key, error, order = line:match "^| (.- | .- | .-) | (%d%S*) | (%S*) *| %S+ |$"
    if key then rows[model .. ", " .. key] = { error = tonumber(error), order = tonumber(order) or 0 } end
    if line:find "^%- " then rows[line:gsub("%d[%d.e-]*", "#")] = { error = 0, order = 0 } end
  end
  return rows
end
local folder = script:match "^(.*)/"
local now, page = rows_of(text_of(fresh)), rows_of(text_of(folder .. "/../docs/reference/sensitivity_matrix.md"))
os.remove(file)
os.remove(fresh)
-- Where the three cranks are in line, rounding decides whether a method converges; what is refused there stays.
local function is_chance(name)
  return name:find(in_line, 1, true) and (name:sub(1, 2) ~= "- " or name:find("at t = ", 1, true))
end
local compared = 0
for name in pairs(page) do assert(now[name] or is_chance(name), "the page has what is no more: " .. name) end
for name, row in pairs(now) do
  local said = page[name] or is_chance(name) and row
  assert(said, "the page lacks " .. name)
  local ratio = (said.error + 1e-7) / (row.error + 1e-7)
  assert(ratio < 3 and ratio > 1 / 3, ("%s: error %g, the page says %g"):format(name, row.error, said.error))
  local is_same = row.order == 0 or math.abs(row.order - said.order) < 0.5 or name:find(in_line, 1, true)
  assert(is_same, ("%s: order %g, the page says %g"):format(name, row.order, said.order))
  compared = compared + 1
end
assert(compared > 2300, compared)
