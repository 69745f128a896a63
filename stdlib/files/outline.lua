-- Text whose records are told apart by their indentation, as trees like those of XML: { name = the line, line, file,
-- attributes = {}, children, bare = true }.
local numbers = require "perilune.files.numbers"

local outline = {}

-- A tab is one level, and so are four blanks.
local function depth_of(indent)
  local _, tabs = indent:gsub("\t", "")
  return tabs + (#indent - tabs) // 4
end

--- The record "Assembly" of FreeCAD's assembly text. What follows its end, such as results, is not read.
function outline.read(text, file)
  local root
  local open = {}
  local number = 0
  for line in (text:gsub("\r\n?", "\n") .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    local indent, name = line:match "^([\t ]*)(.-)[\t ]*$"
    local element = { name = name, line = number, file = file, attributes = {}, children = {}, bare = true }
    if name:find "%z" or not utf8.len(name) then
      element.name = "text"
      numbers.fail(element, " that is not UTF-8; save the file as text")
    end
    if name ~= "" then
      local depth = depth_of(indent)
      if depth > 100 then numbers.fail(element, ": records are nested more than 100 deep") end
      if root then
        while open[#open].depth >= depth and #open > 1 do open[#open] = nil end
        if depth <= open[#open].depth then
          if name == "TimeSeries" then break end
          numbers.fail(element, ": expected TimeSeries, or a record that is indented below Assembly")
        end
        local parent = open[#open].element
        parent.children[#parent.children + 1] = element
        open[#open + 1] = { element = element, depth = depth }
      elseif name == "Assembly" then
        root = element
        open[1] = { element = element, depth = depth }
      elseif not (name:find "^OndselSolver" or name:find "^freeCAD:" or name:find "^#") then
        numbers.fail(element, ": expected the line OndselSolver, and then Assembly, as FreeCAD's assembly text begins")
      end
    end
  end
  if not root then
    numbers.fail({ file = file, line = number, name = "end of the file", bare = true }, ": there is no record Assembly")
  end
  root.attributes.name = outline.text(root, "Name")
  return root
end

--- The first child of that name, or nil.
function outline.child(element, name)
  for _, child in ipairs(element.children) do
    if child.name == name then return child end
  end
end

--- Its children are to have these names, one of each, or to be the line `but`: notes what is not known, and refuses what
--- is there twice.
function outline.check(c, element, names, but)
  local seen = {}
  for _, child in ipairs(element.children) do
    if child == but then
      -- Read by itself.
    elseif not (" " .. names .. " "):find(" " .. child.name .. " ", 1, true) then
      c:leave(child, "", "not known here")
    elseif seen[child.name] then
      numbers.fail(child, (": %s has one at line %d"):format(element.name, seen[child.name].line))
    end
    seen[child.name] = child
  end
end

--- What stands below the child of that name in one line, and the child; nil without it.
function outline.text(element, name)
  local child = outline.child(element, name)
  if not child then return nil end
  return child.children[1] and child.children[1].name or "", child
end

--- What stands below the child of that name, which must be there.
function outline.needed(element, name)
  local text, child = outline.text(element, name)
  if not text then numbers.fail(element, (": the record %s is missing"):format(name)) end
  return text, child
end

--- Its children with what stands below them, as attributes of a view (perilune.files.numbers).
function outline.view(element, ...)
  local attributes = {}
  for _, child in ipairs(element.children) do
    local lines = {}
    for k, line in ipairs(child.children) do lines[k] = line.name end
    if not attributes[child.name] then
      attributes[child.name] = { text = table.concat(lines, " "), element = child }
    end
  end
  return { element = element, paths = { ... }, attributes = attributes }
end

return outline
