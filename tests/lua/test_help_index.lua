-- Words of mechanics lead somewhere: each has an answer of some ten lines, all that it names exists, and its line of
-- Lua runs.
local mbs = require "perilune"
local check = require "check"
local json = require "json"

local root = (arg[0]:match "^(.*)/tests/lua/" or ".") .. "/"
local program = arg[-1]
local pipe = assert(io.popen(("'%s' doc --json"):format(program)))
local doc = json.decode(pipe:read "a")
assert(pipe:close())

--- What help prints about each of the words, by one process: a table by word.
local function answers_of(list)
  local name = os.tmpname()
  do
    local file <close> = assert(io.open(name, "w"))
    file:write "local mbs = require 'perilune'\n"
    for _, word in ipairs(list) do
      file:write(("io.write('\\1', %q, '\\2') print(select(2, pcall(mbs.help, %q)) or '')\n"):format(word, word))
    end
  end
  local output = assert(io.popen(("'%s' '%s'"):format(program, name)))
  local text, answers = output:read "a", {}
  assert(output:close())
  os.remove(name)
  for word, page in text:gmatch "\1([^\2]*)\2([^\1]*)" do answers[word] = page end
  return answers
end

-- What there is: families, objects and functions by the names that help knows, and their full names.
local topics, full = {}, {}
for name in io.open(root .. "docs/reference/README.md"):read "a":gmatch "%[([%w_]+)%]%([%w_]+%.md" do topics[name] = true end
for _, list in ipairs { doc.constructors, doc.functions } do
  for _, entry in ipairs(list) do
    full[entry.name] = true
    topics[entry.name:match "[%w_]+$"] = true
  end
end
for _, topic in ipairs(doc.topics) do topics[topic.name] = true end
local properties = { ground = true, last_run = true, name = true, dimension = true }
local owners = { m = { "model" }, b = { "body", "beam" }, body = { "body" }, run = { "run" } }

local function plain(name) return (name:lower():gsub("[_-]", " ")) end

-- The table: no name twice, no topic or page that is missing, no function that is not there.
local function exists(path)
  local file = io.open(path)
  return file and file:close()
end
local failures = {}
local function need(condition, message)
  if not condition then failures[#failures + 1] = message end
end
local seen, words, beyond = {}, 0, 0
for _, word in ipairs(doc.words) do
  local first = word.names[1]
  for _, name in ipairs(word.names) do
    need(not seen[plain(name)], name .. " stands twice: at " .. first .. " and " .. tostring(seen[plain(name)]))
    need(name == name:lower() or name:match "^%u joint$", name .. ": small letters")
    seen[plain(name)] = first
    words = words + 1
    if not topics[name:gsub(" ", "_")] then beyond = beyond + 1 end
  end
  need(word.see ~= "", first .. " leads nowhere")
  for topic in word.see:gmatch "[^, ]+" do need(topics[topic], first .. ": no topic " .. topic) end
  if word.called ~= "" then need(full["m:" .. word.called] or full["model:" .. word.called] or topics[word.called], first) end
  if word.page ~= "" then
    need(exists(root .. "docs/" .. word.page), first .. ": no page " .. word.page)
  end
  for script in word.text:gmatch "scripts/[%w_]+%.lua" do
    need(exists(root .. script), first .. ": no " .. script)
  end
  for _, text in ipairs { word.text, word.line } do
    for name in text:gmatch "mbs%.([%a_][%w_]*)" do need(mbs[name], first .. ": no mbs." .. name) end
    for owner, name in text:gmatch "%f[%w_](%l+):([%l_][%w_]*)" do
      local found = not owners[owner]
      for _, kind in ipairs(owners[owner] or {}) do found = found or full[kind .. ":" .. name] end
      need(found, ("%s: no %s:%s"):format(first, owner, name))
    end
    for owner, name in text:gmatch "%f[%w_](%l+)%.([%l_][%w_]*)" do
      if owner == "m" then need(properties[name], ("%s: no m.%s"):format(first, name)) end
    end
  end
end
assert(#failures == 0, table.concat(failures, "\n"))
assert(beyond >= 200 and #doc.words >= 150, beyond)
print(("%d words, %d of them no topics, with %d answers"):format(words, beyond, #doc.words))

-- Every example runs, after what its names stand for.
local prelude = [[
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local rod = m:body { "rod", mass = 1, inertia = 0.1, at = { 0.5, 0 } }
local block = m:body { "block", mass = 1, inertia = 0.1, at = { 1, 0 } }
local wheel = m:body { "wheel", mass = 1, inertia = 0.1, at = { 3, 0.3 } }
local P = m:point { "P", at = { 0.5, 2 }, mass = 1 }
local k = m:param { "k", 2, min = 0.1, max = 10 }
m:spring { "held", m:ground { at = { 0.5, 3 } }, P, stiffness = 100 * k, damping = 1 }
m:spring { "tied", m:ground { at = { 3, 2 } }, wheel, stiffness = 200, damping = 1 }
m:bushing { "set", m.ground, wheel, stiffness = { 500, 500, 40 }, damping = { 5, 5, 1 } }
m:spring { "back", m:ground { at = { -1, 0 } }, block, stiffness = 200, damping = 1 }
local hinge = m:revolute { "hinge", m.ground, rod, at = { 0, 0 } }
local slide = m:translational { "slide", m.ground, block, at = { 1, 0 }, axis = "x" }
local cost = m:objective { "cost", terminal = (P.y - 1)^2 }
local run = m:simulate { t = 0.1 }
]]
local silent = setmetatable({ print = function() end }, { __index = _G })
local tmpname, made = os.tmpname, {}
silent.os = setmetatable({ tmpname = function()
  made[#made + 1] = tmpname()
  return made[#made]
end }, { __index = os })
for _, word in ipairs(doc.words) do
  if word.line ~= "" then
    -- An expression alone is a statement once it is an argument.
    local code = load(word.line) and word.line or "print(" .. word.line .. ")"
    local chunk = assert(load(prelude .. code .. "\nm:simulate { t = 0.01 }", "=example", "t", silent))
    local ok, message = pcall(chunk)
    if not ok then failures[#failures + 1] = word.names[1] .. ": " .. word.line .. "\n  " .. tostring(message) end
  end
end
for _, name in ipairs(made) do os.remove(name) end
assert(#failures == 0, table.concat(failures, "\n"))

-- What is printed: some ten lines, none longer than a screen is wide; of all names, and of some other spellings.
local spellings = {
  ["Gear Ratio"] = "m:gear", ["gear_ratios"] = "m:gear", ["Degrees of freedom"] = "m:mobility", ["hinges"] = "m:revolute",
  ["linearisation"] = "m:state_space", ["tyre model"] = "m:tire", ["Centre of mass"] = "center_of_mass",
  ["Torsion springs"] = "m:torsion_spring", ["Newton's method"] = "newton_iterations", ["Lagrange multipliers"] = "lambda",
  ["Universal joint"] = "m:universal", ["principal axes"] = "inertia of m:body", ["PD controller"] = "m:pid",
  ["ball-joint"] = "m:spherical", ["damping"] = "'damping' is a field of", ["the Jacobian"] = "m:state_space",
  ["planar joint"] = "normal to the axis, and turns about the normal", ["Revolute joints"] = "m:revolute",
  ["hinge joint"] = "m:revolute", ["distance joint"] = "m:distance", ["bevel"] = "m:gear", ["helical"] = "m:screw",
  ["Hooke"] = "m:universal", ["kane"] = "mbs.maggi", ["viscosity"] = "damping",
}
local asked = {}
for word in ([[units rotation quaternion maximize motor damper friction cam grashof pendulum lagrangian gyroscope clutch
    coriolis drift stiff jacobian power work momentum impulse video matlab radians degrees slider crank actuator limit
    redundant toggle singular prismatic hinge csv pid escapement scleronomic stepper pd]]):gmatch "%S+" do
  asked[#asked + 1] = word
end
for word in pairs(spellings) do asked[#asked + 1] = word end
for _, word in ipairs(doc.words) do table.move(word.names, 1, #word.names, #asked + 1, asked) end
local answers = answers_of(asked)
for _, word in ipairs(asked) do
  local page = assert(answers[word], word)
  assert(not page:find("unknown topic", 1, true), page)
  if page:find("see also", 1, true) and page:find("^" .. word:gsub("%p", "%%%0") .. ":") then
    local count = select(2, page:gsub("\n+", "\n"))
    assert(count <= 12, word .. ": " .. count .. " lines")
    for line in page:gmatch "[^\n]+" do assert(#line <= 104, word .. ": " .. line) end
  end
end
-- Every name leads to its own entry, but for those that are topics.
for _, word in ipairs(doc.words) do
  for _, name in ipairs(word.names) do
    local page = answers[name]:gsub("%s+", " ")
    local is_topic = topics[(plain(name):gsub(" ", "_"))] or topics[plain(name):gsub(" ", "_") .. "s"]
    need(is_topic or page:find(name .. ": " .. word.text, 1, true), name .. " of " .. word.names[1] .. ": " .. page:sub(1, 80))
  end
end
assert(#failures == 0, table.concat(failures, "\n"))
for word, expected in pairs(spellings) do
  assert(answers[word]:find(expected, 1, true), word .. ": " .. answers[word])
end
check.fails('of its parts there is help "gear", help "noise"', mbs.help, "gear noise level")
check.fails("did you mean 'degree of freedom'?", mbs.help, "degree of fredom")
check.fails('there is help "rotary spring"', mbs.help, "rotary")
