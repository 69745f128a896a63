-- The schema: every example runs (which also proves that binding and schema name the same fields), every topic has a
-- page, and what the schema lists exists.
local mbs = require "perilune"
local check = require "check"

local program = arg[-1]
local pipe = assert(io.popen(("'%s' doc --json"):format(program)))
local json = pipe:read "a"
assert(pipe:close())

-- Just enough of JSON: the strings, with their escapes undone.
local function strings(key)
  local found = {}
  for text in json:gsub('\\\\', '\1'):gsub('\\"', '\2'):gmatch('"' .. key .. '": "([^"]*)"') do
    found[#found + 1] = text:gsub("\\n", "\n"):gsub("\2", '"'):gsub("\1", "\\")
  end
  return found
end

local constructors, last = {}, nil
for line in json:gmatch "[^\n]+" do
  local name = line:match '^{"name": "([^"]+)", "object"'
  if name then
    last = name
    constructors[#constructors + 1] = name
    constructors[name] = ""
  end
  local example = last and line:match '^  "example": "(.-)", "see_also"'
  if example then constructors[last] = example end
end
assert(#constructors >= 14, #constructors)
for _, name in ipairs(constructors) do assert(constructors[name] ~= "", name .. " has no example") end

local silent = setmetatable({ print = function() end }, { __index = _G })
local count = 0
for _, example in ipairs(strings "example") do
  if example ~= "" and not example:find "mbs.help" and not example:find "mbs.apropos" then
    local chunk = assert(load(example, "=example", "t", silent))
    local ok, message = pcall(chunk)
    if not ok then error(message .. "\n" .. example, 0) end
    count = count + 1
  end
end
assert(count >= 17, count)

-- Every name that the examples and pages point to is a topic.
local m = mbs.model {}
for _, name in ipairs(strings "name") do
  local owner, method = name:match "^(%a+)[:.](.+)$"
  if owner == "mbs" then assert(mbs[method], name) end
  if owner == "model" then assert(m[method], name) end
end
local topics = {}
for _, name in ipairs(strings "object") do topics[name] = true end
for name in json:gmatch '\n{"name": "([^"]+)"' do topics[name:match "[^:.]+$"] = true end
for list in json:gmatch '"see_also": %[(.-)%]' do
  for topic in list:gmatch '"([^"]+)"' do assert(topics[topic], "see also: " .. topic) end
end

check.fails("help: unknown topic 'pont' (did you mean 'point'?)", mbs.help, "pont")
check.fails("has no function 'modle' (did you mean 'model'?)", function() return mbs.modle end)
