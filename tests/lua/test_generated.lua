-- What is generated from the schema is what the repository holds, and it is complete: every field that a constructor
-- accepts has a text, and a unit where it is a number; every argument of a function is described.
-- If files differ: cmake --build --preset release --target reference
require "perilune"
local json = require "json"

local program = arg[-1]
local root = arg[0]:gsub("[^/]*$", "") .. "../../"

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  assert(pipe:close(), command)
  return text
end

local function read(path)
  local file = assert(io.open(path), path .. " is missing: build the target 'reference'")
  local text = file:read "a"
  file:close()
  return text
end

local function same(path, text)
  assert(read(path) == text, path .. " is not what the schema says: build the target 'reference'")
end

same(root .. "docs/perilune.1", output(("'%s' doc --man"):format(program)))
same(root .. ".luacheckrc", output(("'%s' doc --luacheck"):format(program)))

-- Folders: the same files with the same contents. Pages that scripts write are listed.
local by_scripts = { ["sensitivity_matrix.md"] = true, ["integrator_study.md"] = true, ["default_study.md"] = true, pictures = true }
local function same_folder(kind, folder)
  local fresh = os.tmpname()
  os.remove(fresh)
  assert(os.execute(("'%s' doc --%s '%s'"):format(program, kind, fresh)))
  local expected = {}
  for name in output(("ls '%s'"):format(fresh)):gmatch "[^\n]+" do
    same(folder .. "/" .. name, read(fresh .. "/" .. name))
    expected[name] = true
  end
  assert(next(expected), kind)
  for name in output(("ls '%s'"):format(folder)):gmatch "[^\n]+" do
    assert(expected[name] or by_scripts[name], folder .. "/" .. name .. " is not generated any more: remove it")
  end
  os.execute(("rm -r '%s'"):format(fresh))
end
same_folder("meta", root .. "stdlib/meta")
same_folder("markdown", root .. "docs/reference")

local doc = json.decode(output(("'%s' doc --json"):format(program)))

-- Args refuses fields that the schema lacks, and complains of those it never reads: this list is what scripts can give.
local has_unit = {}
for kind in ([[number plain_number vector rotation inertia triple numbers ordinates polynomial matrix curve torque
               measure law integrand]]):gmatch "%S+" do has_unit[kind] = true end
local count = 0
for _, entry in ipairs(doc.constructors) do
  for _, list in ipairs { entry.positional, entry.fields } do
    for _, field in ipairs(list) do
      local who = entry.name .. ", field " .. field.name
      assert(#field.text > 0, who .. " has no text")
      assert(not has_unit[field.type] or #field.unit > 0, who .. " has no unit (1 for a pure number)")
      count = count + 1
    end
  end
end
assert(count > 200, count)
for _, entry in ipairs(doc.functions) do
  local names = {}
  for _, argument in ipairs(entry.arguments) do
    assert(#argument.text > 0 and #argument.type > 0, entry.name .. ", argument " .. argument.name)
    names[#names + 1] = argument.name:match "^[%w_.]+"
  end
  local signature = entry.signature:match "%((.*)%)" or ""
  local given = {}
  for name in signature:gmatch "[^, %[%]]+" do given[#given + 1] = name:find("...", 1, true) and "..." or name end
  if entry.signature:find("(", 1, true) then
    assert(table.concat(given, " ") == table.concat(names, " "), entry.name .. ": " .. table.concat(names, " "))
  end
end

-- Annotations load as Lua, and annotate every field and every function.
local annotated = ""
for name in output(("ls '%sstdlib/meta'"):format(root)):gmatch "[^\n]+" do
  local text = read(root .. "stdlib/meta/" .. name)
  assert(load(text, name))
  assert(text:sub(1, 8) == "---@meta", name)
  annotated = annotated .. text
end
for _, entry in ipairs(doc.constructors) do
  local own = annotated:match("%-%-%-@class perilune%." .. entry.object .. "_fields\n(.-)\n\n")
  assert(own, entry.object)
  for _, list in ipairs { entry.positional, entry.fields } do
    for _, field in ipairs(list) do assert(own:find("@field " .. field.name .. "[? ]"), entry.object .. field.name) end
  end
  assert(annotated:find("function " .. entry.name .. "(", 1, true), entry.name)
end
for _, entry in ipairs(doc.functions) do assert(annotated:find("function " .. entry.name .. "(", 1, true), entry.name) end

local settings = {}
assert(load(read(root .. ".luacheckrc"), ".luacheckrc", "t", settings))()
assert(settings.std == "lua54" and #settings.read_globals.mbs.fields > 40)
