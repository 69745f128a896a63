-- Numbers of a file: from text, by paths that name them, and as parameters where a script asks for that.
--
-- A view is what is read of an element: { element = of the XML tree, paths = list of names, attributes = { name =
-- { text = ..., element = where it stands, default = path of a default, or nil } } }. A number has one path for each of
-- the names: name.attribute, or name.attribute.component in lists.
local numbers = {}
numbers.__index = numbers

numbers.xyz, numbers.wxyz = { "x", "y", "z" }, { "w", "x", "y", "z" }

--- "robot.xml:12: <joint> problem", as an error without another position; records of outlines have no brackets.
function numbers.fail(element, problem)
  error(("%s:%d: %s%s"):format(element.file, element.line, element.bare and element.name or "<" .. element.name .. ">",
    problem), 0)
end

-- What an attribute says, in messages that begin with its element; records of outlines have the attribute's name.
local function said(element, attribute, text)
  return element.bare and element.name == attribute and (": \"%s\""):format(text) or
    (": %s=\"%s\""):format(attribute, text)
end

--- `wanted`: of mbs.read. Returns nil and what is wrong with it.
function numbers.new(wanted)
  local self = setmetatable({ wanted = {}, made = {}, owner = {}, known = {}, begun = {}, no_paths = {} }, numbers)
  for key, value in pairs(wanted or {}) do
    local path = math.type(key) == "integer" and value or key
    local bounds = path == key and value or {}
    if type(path) ~= "string" then return nil, "parameters has a path that is no string but a " .. type(path) end
    if type(bounds) ~= "table" then
      return nil, ("parameters: [%q] must be bounds such as { min = 0, max = 1 }, got %s"):format(path,
        bounds ~= bounds and "nan" or tostring(bounds))
    end
    for name, bound in pairs(bounds) do
      if name ~= "min" and name ~= "max" then
        return nil, ("parameters: [%q] has the field '%s'; expected min, max or both"):format(path, tostring(name))
      end
      if type(bound) ~= "number" then
        return nil, ("parameters: [%q].%s must be a number, got %s"):format(path, name, tostring(bound))
      end
    end
    if self.wanted[path] then return nil, ("parameters: the path %q is given twice"):format(path) end
    self.wanted[path] = bounds
  end
  return self
end

-- Two numbers of one path can both be had by others: every number has one with the name of its body.
local function ambiguous(path, first, second)
  local others = {}
  for _, paths in ipairs { first.paths, second.paths } do
    for _, other in ipairs(paths) do
      if other ~= path then others[#others + 1] = ("%q"):format(other) end
    end
  end
  error { argument = ("parameters: %q stands for two numbers, at %s:%d and %s:%d; %s"):format(path,
    first.element.file, first.element.line, second.element.file, second.element.line,
    #others > 0 and "write " .. table.concat(others, " or ") or "give the elements different names") }
end

-- The number `value` of these paths, as a parameter where one of them is wanted. `owner` tells numbers apart.
local function parameter(self, owner, value, unit, call)
  local chosen
  for _, path in ipairs(owner.paths) do
    local other = self.owner[path]
    if other and self.wanted[path] then ambiguous(path, other, owner) end
    if not other then self.known[#self.known + 1] = path end
    self.begun[path:match "^(.*)%.[^.]*$" or path] = true
    self.owner[path] = owner
    if self.wanted[path] then
      if chosen then
        error { argument = ("parameters: %q and %q are the same number; name it once"):format(chosen, path) }
      end
      chosen = path
    end
  end
  if not chosen then return value end
  local bounds = self.wanted[chosen]
  self.made[chosen] = true
  return call(self.model, "param", { chosen, value, unit = unit, min = bounds.min, max = bounds.max })
end

local function tokens(view, attribute, record)
  local list = {}
  for token in record.text:gmatch "%S+" do
    local number = token:find "^[%+%-]?[%d%.]+[eE]?[%+%-]?%d*$" and tonumber(token)
    if not number or number ~= number or math.abs(number) == math.huge then
      local hint = record.text:find("${", 1, true) and "; first run: xacro FILE > robot.urdf" or ""
      numbers.fail(record.element, ("%s has '%s', which is no number%s"):format(said(record.element, attribute,
        record.text), token, hint))
    end
    list[#list + 1] = number + 0.0
  end
  return list
end

--- A list of numbers and expressions: what the attribute says, and beyond its end the fallback's numbers.
--- options: least, most (how many may be given), fallback (a list; without it the attribute is required), labels (of
--- components), unit, units (of components that have another), given_only (nothing beyond what is given), plain (no parameters of defaults),
--- numbered (paths end in .1 even where there is one number).
function numbers:list(view, attribute, options)
  view.cache = view.cache or {}
  if view.cache[attribute] then return view.cache[attribute] end
  local record = view.attributes[attribute]
  if not record and not options.fallback then
    numbers.fail(view.element, (": the %s %s is missing (%s)"):format(view.element.bare and "record" or "attribute",
      attribute, options.most == 1 and "a number" or options.most .. " numbers"))
  end
  local given = record and tokens(view, attribute, record) or {}
  if record and (#given < (options.least or options.most) or #given > options.most) then
    local least = options.least or options.most
    numbers.fail(record.element, ("%s has %d numbers; expected %s"):format(said(record.element, attribute, record.text),
      #given, least == options.most and tostring(least) or least .. " to " .. options.most))
  end
  local out = {}
  for k = 1, options.given_only and #given or options.most do
    local value = given[k] or options.fallback and options.fallback[k]
    if value == nil then break end
    local label = options.most == 1 and not options.numbered and "" or "." .. (options.labels and options.labels[k] or k)
    local element = record and record.element or view.element
    local unit = options.units and options.units[k] or options.unit
    if record and record.default and given[k] and not options.plain then
      -- One number for all that inherit it.
      record.shared = record.shared or {}
      local owner = { paths = { record.default .. "." .. attribute .. label }, element = element }
      record.shared[k] = record.shared[k] or parameter(self, owner, value, unit, self.call(element))
      record.unit = record.unit or unit
      value = record.shared[k]
      if not math.type(value) and (record.unit == "deg") ~= (unit == "deg") then
        numbers.fail(element, (": the parameter %q would be an angle in degrees and something else; name numbers of the "
          .. "elements that inherit it"):format(owner.paths[1]))
      end
    end
    local paths = {}
    for _, name in ipairs(view.paths) do paths[#paths + 1] = name .. "." .. attribute .. label end
    local own = parameter(self, { paths = paths, element = element }, math.type(value) and value or value.value,
      unit, self.call(element))
    out[k] = type(own) == "number" and value or own
  end
  view.cache[attribute] = out
  return out
end

function numbers:one(view, attribute, fallback, unit)
  return self:list(view, attribute, { most = 1, fallback = fallback and { fallback }, unit = unit })[1]
end

function numbers:vector(view, attribute, fallback, unit)
  return self:list(view, attribute, { most = 3, fallback = fallback, labels = numbers.xyz, unit = unit })
end

--- One of several words.
function numbers.word(view, attribute, words, fallback)
  local record = view.attributes[attribute]
  if not record then return fallback end
  for _, word in ipairs(words) do
    if record.text == word then return word end
  end
  numbers.fail(record.element, (": %s=\"%s\" is not known; expected %s"):format(attribute, record.text,
    table.concat(words, ", ")))
end

--- The name of the file for every path that is no parameter.
function numbers:files_of_paths(file)
  local out = {}
  for _, path in ipairs(self.known) do out[path] = not self.made[path] and file or nil end
  return out
end

--- Says of a path that is none, or begins one, why: "is the parameter ...".
function numbers:tell(path, why) self.no_paths[path] = why end

--- Paths that were asked for and that the file does not have are an error.
function numbers:finish(file, nearest)
  local wanted = {}
  for path in pairs(self.wanted) do wanted[#wanted + 1] = path end
  table.sort(wanted)
  for _, path in ipairs(wanted) do
    if not self.made[path] then
      local start = path:match "^(.*)%.[^.]*$"
      local why = self.no_paths[path] or not self.begun[start] and self.no_paths[start]
      if why then error { argument = ("parameters: %q of '%s' %s"):format(path, file, why) } end
      local near = nearest(path, self.known)
      local list = {}
      start = path
      repeat
        start = start:match "^(.*)%." or ""
        for _, known in ipairs(self.known) do
          if start ~= "" and known:sub(1, #start + 1) == start .. "." then list[#list + 1] = known end
        end
      until start == "" or #list > 0
      if #list == 0 then list = self.known end
      local shown = table.concat(list, ", ", 1, math.min(8, #list))
      if #list > 8 then shown = ("%s and %d more"):format(shown, #list - 8) end
      error { argument = ("parameters: '%s' has no number %q%s\nthere are: %s"):format(file, path,
        near and (" (did you mean %q?)"):format(near) or "", shown) }
    end
  end
end

return numbers
