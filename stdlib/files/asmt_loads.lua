-- Loads of FreeCAD's assembly text (records ForceTorque): what acts on marker I, and the opposite on marker J at the same
-- point of space. What one is stands in a line of its own: "WorldWrench 0 0 -5 0 0 0".
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local outline = require "perilune.files.outline"
local formula = require "perilune.files.formula"
local joints = require "perilune.files.asmt_joints"
local turns = require "perilune.files.asmt_turns"
local tree = require "perilune.files.tree"

local loads = {}

local function place(c, load, marker)
  return tree.marker(c, load.element, marker.owner, marker.pose)
end

-- The numbers behind the kind, with the unit and the power of the length that each has.
local function read_numbers(c, load, units, powers)
  if #load.words ~= #units then
    numbers.fail(load.line, (": %s has %d numbers; expected %d"):format(load.kind, #load.words, #units))
  end
  local attributes, out = {}, {}
  local view = { element = load.line, paths = { load.name .. "." .. load.kind }, attributes = attributes }
  for k, unit in ipairs(units) do
    attributes[tostring(k)] = { text = load.words[k], element = load.line }
    out[k] = c.numbers:one(view, tostring(k), nil, unit or nil)
    if powers[k] ~= 0 then out[k] = c.unit.to_si(out[k], powers[k]) end
  end
  return out
end

local function unit_of_force(c) return c.unit.name == "m" and "N" or ("kg %s/s^2"):format(c.unit.name) end
local function unit_of_torque(c) return c.unit.name == "m" and "N m" or ("kg %s^2/s^2"):format(c.unit.name) end

-- Force and torque { fx, fy, fz, tx, ty, tz } on I, by a function of time. What acts on the ground is said of J alone, with
-- the moment that the opposite has there by its line through I.
local function act(c, load, components)
  local I, J, fields = load.I, load.J, nil
  if I.owner.moves then
    fields = {
      on = place(c, load, I), reaction_on = J.owner.moves and place(c, load, J) or nil,
      law = function(s)
        local list = components(s.t)
        return list[1], list[2], list[3]
      end,
      torque = function(s)
        local list = components(s.t)
        return list[4], list[5], list[6]
      end,
    }
  else
    local arm = rotations.subtract(turns.moving(I).pos, turns.moving(J).pos)
    fields = {
      on = place(c, load, J),
      law = function(s)
        local list = components(s.t)
        return -list[1], -list[2], -list[3]
      end,
      torque = function(s)
        local list = components(s.t)
        local moment = rotations.cross(arm, { list[1], list[2], list[3] })
        return -list[4] - moment[1], -list[5] - moment[2], -list[6] - moment[3]
      end,
    }
  end
  fields[1] = load.object_name
  c.call(load.element)(c.m, "force", fields)
end

local function wrench(c, load)
  local force, torque = unit_of_force(c), unit_of_torque(c)
  local list = read_numbers(c, load, { force, force, force, torque, torque, torque }, { 1, 1, 1, 2, 2, 2 })
  act(c, load, function() return list end)
end

local function linear_spring(c, load)
  local list = read_numbers(c, load, { "kg/s^2", "kg/s", c.unit.name }, { 0, 0, 1 })
  c.call(load.element)(c.m, "spring", {
    load.object_name, place(c, load, load.I), place(c, load, load.J), stiffness = list[1], damping = list[2],
    free_length = list[3],
  })
end

local function torsional_spring(c, load)
  local joint = joints.between_markers(c, load.I, load.J)
  if not (joint and joint.angle) then
    c:leave(load.line, "", "a torsional spring is read between the markers of a revolute or cylindrical joint")
    return
  end
  local list = read_numbers(c, load, { unit_of_torque(c), unit_of_torque(c) .. " s", "rad" }, { 2, 2, 0 })
  c.call(load.element)(c.m, "torsion_spring", {
    load.object_name, on = joint.angle, stiffness = list[1], damping = list[2], free_angle = list[3],
  })
end

-- A direction in space, and a function of time in quotes.
local function by_formula(first, power)
  return function(c, load, text)
    local direction, expression = text:match "^(.-)%s*\"(.*)\"$"
    if not direction then
      numbers.fail(load.line, (": %s must have three numbers and a function of time in quotes"):format(load.kind))
    end
    load.words = {}
    for word in direction:gmatch "%S+" do load.words[#load.words + 1] = word end
    local axis = rotations.normalized(read_numbers(c, load, { false, false, false }, { 0, 0, 0 }))
    if not axis then numbers.fail(load.line, ": its direction has no length; give one number other than 0") end
    local f = formula.read(c, { file = load.line.file, line = load.line.line, name = "Formula", bare = true }, expression,
      load.name)
    local size = c.unit.factor ^ power
    act(c, load, function(t)
      local list, value = { 0, 0, 0, 0, 0, 0 }, size * f(t)
      for k = 1, 3 do list[first + k - 1] = value * axis[k] end
      return list
    end)
  end
end

local kinds = {
  WorldWrench = wrench, LinearSpringDamper = linear_spring, TorsionalSpringDamper = torsional_spring,
  WorldForceFormula = by_formula(1, 1), WorldTorqueFormula = by_formula(4, 2),
}

--- Declares the records below "ForceTorques", or nil.
function loads.declare(c, section)
  for _, element in ipairs(section and section.children or {}) do
    local line, kind, text
    for _, child in ipairs(element.children) do
      local word, rest = child.name:match "^(%S+)%s*(.*)$"
      if kinds[word] and not line then line, kind, text = child, word, rest end
    end
    if element.name ~= "ForceTorque" or not line then
      c:leave(line or element, "", "this load is not read (m:force, m:spring, m:bushing)")
    else
      local name = outline.needed(element, "Name")
      outline.check(c, element, "Name MarkerI MarkerJ", line)
      local load = { element = element, name = name, line = line, kind = kind, words = {},
                     I = joints.marker(c, element, "MarkerI"), J = joints.marker(c, element, "MarkerJ"),
                     object_name = c.names:new(name, "load") }
      for word in text:gmatch "%S+" do load.words[#load.words + 1] = word end
      if load.I.owner == load.J.owner then
        numbers.fail(element, (" \"%s\": both markers are on %s"):format(name, load.I.owner.path))
      end
      kinds[kind](c, load, text)
    end
  end
end

return loads
