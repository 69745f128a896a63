-- Every law of friction has a picture in its help, which shows what the law does: its peaks are those of its formula,
-- and laws that bend before they slide show a loop.
require "perilune"
local check = require "check"
local json = require "json"

local program = arg[-1]
local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  assert(pipe:close(), command)
  return text
end
local doc = json.decode(output(("'%s' doc --json"):format(program)))

-- Laws are what a contact knows as friction.
local laws, count = {}, 0
for _, entry in ipairs(doc.constructors) do
  if entry.returns == "friction_law" then
    laws[entry.object], count = entry, count + 1
    assert(entry.picture, entry.object .. " has no picture")
    assert(entry.see_also[1] == "contact", entry.object)
  else
    assert(not entry.picture, entry.object)
  end
end
assert(count >= 13, count)

--- What a picture shows: what it says, its axes, and by column of dots the rows of dots, from the top, that are set.
local function read(picture)
  local out = { columns = {}, names = {} }
  local row, lines, said = 0, 0, {}
  for line in picture:gmatch "[^\n]+" do
    lines = lines + (line:find "^Friction over" and 0 or 1)
    local width = utf8.len(line)
    local edge
    local position = 0
    for _, code in utf8.codes(line) do
      position = position + 1
      if not edge and (code == 0x2502 or code == 0x2524) then edge = position end
      if edge and code >= 0x2800 and code <= 0x28ff then
        for bit, at in ipairs { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 1, 0 }, { 1, 1 }, { 1, 2 }, { 0, 3 }, { 1, 3 } } do
          if (code - 0x2800) >> (bit - 1) & 1 == 1 then
            local column = 2 * (position - edge - 1) + at[1]
            out.columns[column] = out.columns[column] or {}
            table.insert(out.columns[column], 4 * row + at[2])
          end
        end
      end
    end
    if edge then
      local label = tonumber(line:match "^%s*(%S+) ┤")
      if row == 0 then out.high = label end
      out.low, row = label, row + 1
    elseif line:find "%[m" then
      out.left, out.right = line:match "^%s*(%S+)%s.*%s(%S+)$"
      out.left, out.right = tonumber(out.left), tonumber(out.right)
    end
    for name in line:gmatch "(%a[%a ]-) %[[^%]]+%]" do said[#said + 1] = name end
    assert(width <= 100, line)
    assert(line:find "^Friction over" or line:find "; load 10 N$" or width <= 64, line)
  end
  out.rows, out.said, out.lines = row, table.concat(said, ", "), lines
  for _, rows in pairs(out.columns) do table.sort(rows) end
  return out
end

for name, entry in pairs(laws) do
  local shown = read(entry.picture)
  assert(shown.lines <= 13, name)  -- the numbers, and twelve lines
  local is_loop = entry.picture:find("displacement [m]", 1, true) ~= nil
  check.equal(shown.said, "friction against it, " .. (is_loop and "displacement" or "slip"), name)
  check.equal(is_loop, entry.equations:find "z' =" ~= nil or entry.equations:find "s' =" ~= nil, name)
  local numbers = load("return {" .. entry.picture:match "\n([^\n]-); load 10 N" .. "}")()
  if is_loop then
    check.equal(shown.low, -shown.high, name)
    check.equal(shown.left, -shown.right, name)
    -- On the left half way up nothing slides yet on the way to the right, and on the way back it does: a loop.
    local middle = math.floor(#shown.columns / 2)
    local rows = shown.columns[middle]
    assert(rows[#rows] - rows[1] > 2 * shown.rows, name .. " is no loop")
    local limit = 10 * (numbers.static or numbers.coefficient)
    assert(shown.high <= limit * 1.0001 and shown.high > 10 * (numbers.dynamic or numbers.coefficient) * 0.99, name)
  else
    check.equal(shown.left, 0, name)
    check.equal(shown.low, 0, name)
    local last = 0
    for column in pairs(shown.columns) do last = math.max(last, column) end
    -- Friction at a column, N: of the dot on top.
    local function at(column) return shown.high * (1 - shown.columns[column][1] / (4 * shown.rows - 1)) end
    local half_dot = 0.51 * shown.high / (4 * shown.rows - 1)
    local mu, static, dynamic = numbers.coefficient, numbers.static, numbers.dynamic
    -- Published forms, with the defaults that the entry states.
    local formulas = {
      coulomb = function(v) return 10 * mu * v / math.sqrt(v^2 + 1e-6) end,
      coulomb_tanh = function(v) return 10 * mu * (1 - 2 / (math.exp(2e3 * v) + 1)) end,
      coulomb_cubic = function(v) return 10 * mu end,
      threlfall = function(v) return 10 * mu * (1 - math.exp(-3)) end,
      ambrosio = function(v) return 10 * mu end,
      brown_mcphee = function(v)
        local x = v / 1e-2
        return 10 * (dynamic * (1 - 2 / (math.exp(8 * x) + 1)) + (static - dynamic) * x / (x^2 / 4 + 0.75)^2)
      end,
      stribeck = function(v) return 10 * (dynamic + (static - dynamic) * math.exp(-(v / 1e-2)^2)) end,
      viscous = function(v) return numbers.damping * v end,
    }
    local formula = assert(formulas[name], name .. ": what is its form?")
    for column = math.ceil(last / 5), last do  -- from the law's largest speed on
      local v = column / last * shown.right
      local error = math.abs(at(column) - formula(v))
      assert(error < 1.2 * half_dot + math.abs(formula(v * (1 + 2 / last)) - formula(v)), name .. " at " .. v)
    end
    -- What falls with the slip has a peak above its plateau, and the peak is early.
    local peak, where = 0, 0
    for column = 0, last do
      if at(column) > peak + 1e-9 then peak, where = at(column), column end
    end
    if static then
      assert(peak > at(last) + 4 * half_dot and where < last / 3, name .. " does not fall")
      assert(peak <= 10 * static and peak > 9.5 * static, name)
    elseif name == "viscous" then
      assert(where > 0.9 * last, name)
    else
      assert(peak <= at(last) + 2 * half_dot and where > 0, name)
    end
  end
end

-- Help shows it, in dots or without, where a terminal has none.
local page = output(("'%s' doc stribeck"):format(program))
for line in laws.stribeck.picture:gmatch "[^\n]+" do assert(page:find("  " .. line .. "\n", 1, true), line) end
local plain = output(("TERM=dumb '%s' doc stribeck"):format(program)):match "picture:\n(.-)\n\n"
assert(plain and not plain:find "[\128-\255]" and plain:find("*", 1, true), plain)
-- It grows with what the schema draws it with: no number of the picture is typed in.
assert(laws.dahl.picture ~= laws.lugre.picture and laws.lugre.picture ~= laws.elasto_plastic.picture)
