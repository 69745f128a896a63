-- What mbs.read calls: a model from a file, and a text that lists what of the file is not in it.
local mbs = require "perilune"
local numbers = require "perilune.files.numbers"
local calls = require "perilune.files.calls"

local outline = require "perilune.files.outline"

local readers = { mujoco = "perilune.files.mjcf", robot = "perilune.files.urdf", Assembly = "perilune.files.asmt" }

local names = {}
names.__index = names

--- The wanted name as objects may have it; where it is taken, with the suffix or a number behind it.
function names:new(wanted, suffix)
  local clean = wanted:gsub("[%.\"\n]", "_")
  if clean == "" then clean = suffix or "unnamed" end
  local name, count = clean, 1
  while self.used[name] do
    name = suffix and count == 1 and clean .. "_" .. suffix or clean .. "_" .. (suffix or "") .. count
    count = count + 1
  end
  self.used[name] = true
  return name
end

local context = {}
context.__index = context

--- Notes what the model does not have. `attribute` "" for all of the element.
function context:leave(element, attribute, reason)
  local key = ("%s %s\n%s"):format(element.name, attribute, reason)
  local entry = self.left[key]
  if not entry then
    entry = { what = element.name .. (attribute ~= "" and " " .. attribute or ""), reason = reason, lines = {},
              seen = {}, order = #self.left + 1 }
    self.left[key] = entry
    self.left[entry.order] = entry
  end
  local line = element.file .. ":" .. element.line
  if entry.seen[line] then return end
  entry.seen[line] = true
  entry.lines[#entry.lines + 1] = { text = line, file = element.file, line = element.line }
end

local most_lines = 30  -- that are listed for one reason

local function text_of_left(c)
  if #c.left == 0 then return nil end
  local function before(a, b)
    if a.file ~= b.file then return a.file < b.file end
    return a.line < b.line
  end
  for _, entry in ipairs(c.left) do table.sort(entry.lines, before) end
  table.sort(c.left, function(a, b)
    if before(a.lines[1], b.lines[1]) then return true end
    return not before(b.lines[1], a.lines[1]) and (a.what < b.what or a.what == b.what and a.order < b.order)
  end)
  local out = { ("'%s' has what the model has not:"):format(c.file) }
  for _, entry in ipairs(c.left) do
    local text = entry.lines[1].text
    for k = 2, math.min(#entry.lines, most_lines) do
      local line = entry.lines[k]
      text = text .. ", " .. (line.file == entry.lines[1].file and line.line or line.text)
    end
    if #entry.lines > most_lines then text = text .. (", ... (%d lines)"):format(#entry.lines) end
    out[#out + 1] = ("  %s: %s: %s"):format(text, entry.what, entry.reason)
  end
  return table.concat(out, "\n")
end

--- options: file, key, parameters, unit, or nil, and the functions parse(path) and nearest(word, list). Returns the
--- model, a text or nil, and a table with the file's name for every path of a number; or nil and what is wrong with the
--- options.
return function(options)
  local c = setmetatable({ file = options.file, parse = options.parse, left = {}, call = calls.at,
                           folder = options.file:match "^(.*/)[^/]*$" or "" }, context)
  c.names = setmetatable({ used = { ground = true } }, names)
  local problem
  c.numbers, problem = numbers.new(options.parameters)
  if not c.numbers then return nil, problem end
  local root
  root, problem = options.parse(options.file)
  if not root then return nil, problem end
  if type(root) == "string" then
    root = outline.read(root, options.file)
  elseif options.unit then
    return nil, ("'%s' is in SI units; leave unit out"):format(options.file)
  end
  local module = readers[root.name]
  if not module then
    numbers.fail(root, ": the root element must be <mujoco> (MJCF) or <robot> (URDF)")
  end
  local title = (root.attributes.model or root.attributes.name or ""):gsub("[.\"\n]", "_")
  c.m = mbs.model { title ~= "" and title or "model", gravity = { 0, 0, -9.81 } }
  c.numbers.model, c.numbers.call = c.m, calls.at
  local done, failure = pcall(function()
    require(module).read(c, root, options.key, options.unit)
    c.numbers:finish(options.file, options.nearest)
  end)
  calls.forget()
  if done then return c.m, text_of_left(c), c.numbers:files_of_paths(options.file) end
  if type(failure) == "table" and failure.argument then return nil, failure.argument end
  error(failure, 0)
end
