-- The attributes of elements of MJCF with those that they inherit from default classes, and what is common to many of
-- them: names, frames, angles.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local elements = require "perilune.files.mjcf_elements"

local views = {}

local actuators = { motor = true, position = true, velocity = true, general = true }
local common_to_actuators = { gear = true, ctrlrange = true, ctrllimited = true, forcerange = true,
                              forcelimited = true, gain = true }

-- MuJoCo keeps one gain for all kinds of actuators among the defaults of a class, which has several names. Returns the
-- name here, and its text.
local function gain_of(element)
  if element.name == "motor" then return "gain", "1" end
  local name = element.name == "position" and "kp" or element.name == "velocity" and "kv" or "gainprm"
  return name, element.attributes[name]
end

--- Reads a <default>: c.classes[name] = { parent, attributes = { element = { attribute = record } } }.
function views.read_default(c, element, parent)
  local name = element.attributes.class or (parent == nil and "main")
  if not name then numbers.fail(element, ": a default inside of another needs a class") end
  c.classes[name] = c.classes[name] or { parent = parent, attributes = {} }
  local class = c.classes[name]
  for _, child in ipairs(element.children) do
    if child.name == "default" then
      views.read_default(c, child, name)
    elseif elements.attributes[child.name] then
      c.defaults = c.defaults + 1
      local own = class.attributes[child.name] or {}
      class.attributes[child.name] = own
      for attribute, text in pairs(child.attributes) do
        if tonumber(text:match "%S+") then
          c.numbers:tell(("default.%s.%s.%s"):format(name, child.name, attribute),
            "is inherited by no element")
        end
        own[attribute] = { text = text, element = child, default = ("default.%s.%s"):format(name, child.name),
                           order = c.defaults }
      end
      if actuators[child.name] then
        local attribute, text = gain_of(child)
        if text then
          own.gain = { text = text, element = child, default = ("default.%s.%s"):format(name, child.name),
                       order = c.defaults, attribute = attribute }
        end
      end
    elseif child.name == "equality" and child.attributes.active == "false" then
      c:leave(child, "active", "equalities are active unless they say otherwise themselves")
    elseif not elements.ignored.default[child.name] then
      c:leave(child, "", "not known here, neither as a default")
    end
  end
end

-- The kinds of actuators have some defaults in common, of which the last one in the file counts.
local function inherit(c, class, kind, attributes)
  local found = {}
  for other, list in pairs(c.classes[class].attributes) do
    local alike = actuators[other] and actuators[kind]
    for name, record in pairs(list) do
      local fits = other == kind or alike and common_to_actuators[name]
      if fits and not (found[name] and found[name].order > record.order) then found[name] = record end
    end
  end
  for name, record in pairs(found) do attributes[name] = attributes[name] or record end
  local parent = c.classes[class].parent
  if parent then inherit(c, parent, kind, attributes) end
end

--- `kind`: of the list in mjcf_elements. `paths`: names of its numbers. `class`: of the nearest childclass.
function views.new(c, element, kind, paths, class)
  local attributes = {}
  for name, text in pairs(element.attributes) do attributes[name] = { text = text, element = element } end
  local own = element.attributes.class or class or "main"
  if not c.classes[own] then
    numbers.fail(element, (": there is no default class \"%s\""):format(own))
  end
  if kind ~= "freejoint" and kind ~= "body" then inherit(c, own, kind, attributes) end
  local gain, names = attributes.gain, {}
  attributes.gain = nil
  for name in pairs(attributes) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local record, known = attributes[name], elements.attributes[kind]
    if not known.read[name] and not known.ignored[name] then
      local vanishes = record.text:match "^%s*0*%.?0*%s*$" or record.text == "false"
      if not vanishes then c:leave(record.element, name, elements.reasons[name] or "not known here") end
    end
  end
  return { element = element, paths = paths, attributes = attributes, gain = gain }
end

--- One view of several elements that count as one, as MJCF has it of some: of attributes that are said more than once the last
--- one counts. Without elements it is that of one without attributes, whose numbers have paths, too.
function views.merged(c, elements_of_kind, kind, root)
  local merged = { element = elements_of_kind[1] or { name = kind, line = root.line, file = root.file, attributes = {},
                                                       children = {} },
                   paths = { kind }, attributes = {} }
  for _, element in ipairs(elements_of_kind) do
    for name, record in pairs(views.new(c, element, kind, merged.paths).attributes) do merged.attributes[name] = record end
  end
  return merged
end

--- Of an actuator: its own attribute, or else the gain of the defaults, or 1.
function views.gain(c, view, attribute)
  local own = view.attributes[attribute]
  if own and not own.default then return c.numbers:one(view, attribute) end
  local record = view.gain
  if not record or record.attribute == "gain" then
    return c.numbers:one({ element = view.element, paths = view.paths, attributes = {} }, attribute, 1)
  end
  local inherited = { element = view.element, paths = view.paths, attributes = { [record.attribute] = record } }
  return c.numbers:list(inherited, record.attribute, { least = 1, most = record.attribute == "gainprm" and 10 or 1 })[1]
end

-- Parameters in degrees stand for radians already.
local function in_radians(c, value) return c.degrees and math.type(value) and value * (math.pi / 180) or value end

--- Whether an attribute comes from a default class.
function views.is_inherited(view, attribute) return (view.attributes[attribute] or {}).default ~= nil end

--- In rad. `is_angle` false for what has the unit m. In radians a number may be inherited by both.
function views.angle(c, view, attribute, fallback, is_angle)
  local is_open = not c.degrees and views.is_inherited(view, attribute)
  if not is_angle then return c.numbers:one(view, attribute, fallback, not is_open and "m" or nil) end
  return in_radians(c, c.numbers:one(view, attribute, fallback, c.degrees and "deg" or not is_open and "rad" or nil))
end

local function unit_vector(view, vector, attribute)
  local unit = rotations.normalized(vector)
  if not unit then
    numbers.fail(view.element, (": %s has no direction; give one number other than 0"):format(attribute))
  end
  return unit
end
views.unit_vector = unit_vector

local read = {}

function read.quat(c, view)
  return unit_vector(view, c.numbers:list(view, "quat", { most = 4, labels = numbers.wxyz }), "quat")
end

function read.axisangle(c, view)
  local list = c.numbers:list(view, "axisangle", { most = 4, units = { [4] = c.degrees and "deg" or "rad" } })
  return rotations.about(unit_vector(view, { list[1], list[2], list[3] }, "axisangle"),
    in_radians(c, list[4]))
end

function read.euler(c, view)
  local list = c.numbers:list(view, "euler", { most = 3, labels = numbers.xyz, unit = c.degrees and "deg" or "rad" })
  local quat = rotations.identity
  for k = 1, 3 do
    local letter = c.eulerseq:sub(k, k)
    local axis = { 0, 0, 0 }
    axis[("xyz"):find(letter:lower(), 1, true)] = 1
    local turn = rotations.about(axis, in_radians(c, list[k]))
    -- Small letters turn about the axes as turned so far, capitals about those of the parent.
    quat = letter:lower() == letter and rotations.product(quat, turn) or rotations.product(turn, quat)
  end
  return quat
end

function read.xyaxes(c, view)
  local list = c.numbers:list(view, "xyaxes", { most = 6 })
  local x = unit_vector(view, { list[1], list[2], list[3] }, "xyaxes")
  local y = { list[4], list[5], list[6] }
  y = unit_vector(view, rotations.subtract(y, rotations.scaled(x, rotations.dot(x, y))), "xyaxes")
  return rotations.of_axes(x, y, rotations.cross(x, y))
end

function read.zaxis(c, view)
  return rotations.shortest_to(unit_vector(view, c.numbers:vector(view, "zaxis"), "zaxis")) or
    numbers.fail(view.element, ": zaxis as a parameter must not be -z, where MuJoCo's x axis jumps; give quat or xyaxes")
end

--- The pose that pos and one of the attributes of orientation give.
function views.pose(c, view)
  local given
  for _, attribute in ipairs { "quat", "axisangle", "euler", "xyaxes", "zaxis" } do
    local own = view.attributes[attribute]
    if own and given then
      -- An element's own word goes before what it inherits.
      local other = view.attributes[given]
      if not own.default and not other.default then
        numbers.fail(view.element, (": %s and %s both say its orientation; give one"):format(
          given, attribute))
      end
      if not own.default then given = attribute end
    elseif own then
      given = attribute
    end
  end
  local pos = c.numbers:vector(view, "pos", { 0, 0, 0 }, "m")
  return { pos = pos, quat = given and read[given](c, view) or rotations.identity }
end

return views
