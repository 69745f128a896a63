-- Motions of FreeCAD's assembly text: functions of time that a marker J follows, seen from a marker I, as drivers.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local outline = require "perilune.files.outline"
local formula = require "perilune.files.formula"
local joints = require "perilune.files.asmt_joints"
local turns = require "perilune.files.asmt_turns"

local motions = {}

local letters = { "x", "y", "z" }

-- The joint that a motion is of, if any: by its name, or by its markers.
local function joint_of(c, motion)
  local path, record = outline.text(motion.element, "MotionJoint")
  if path and path ~= "" then
    local joint = c.joints[path]
    if not joint then numbers.fail(record, (": there is no joint %s"):format(path)) end
    motion.I, motion.J = joint.I, joint.J
    return joint
  end
  motion.I, motion.J = joints.marker(c, motion.element, "MarkerI"), joints.marker(c, motion.element, "MarkerJ")
  return joints.between_markers(c, motion.I, motion.J)
end

-- The function below a record, or nil where the file has lost it.
local function read_function(c, motion, name)
  local text, record = outline.text(motion.element, name)
  if not text then
    c:leave(motion.element, "", ("%s is missing, as FreeCAD leaves it out at times (m:driver)"):format(name))
    return nil
  end
  return formula.read(c, record, text, motion.name)
end

local function driver(c, motion, name, what, law)
  return c.call(motion.element)(c.m, "driver", { name, what, law = law })
end

local function angle_of(c, motion)
  local joint = motion.joint
  if joint and joint.angle then return joint.angle end
  return (turns.turn(c, motion.element, motion.object_name .. "_turn", motion.I, motion.J))
end

-- The format's constraint holds the same half a turn further: a motion that begins elsewhere than drawn begins at the
-- nearest such angle.
local function drive_angle(c, motion, name, f)
  local start = f(0)
  local behind = (rotations.value(start) - rotations.value(turns.angle(motion.I, motion.J))) / math.pi
  local back = math.pi * math.floor(behind + 0.5)
  return driver(c, motion, name, angle_of(c, motion), function(s) return f(s.t) - back end)
end

local function offset_of(motion)
  return turns.offset(turns.moving(motion.I), turns.moving(motion.J))
end

local function drive_displacement(c, motion, name, f)
  local joint, factor = motion.joint, c.unit.factor
  local what = joint and joint.displacement or offset_of(motion)[3]
  return driver(c, motion, name, what, function(s) return factor * f(s.t) end)
end

local function rotational(c, motion)
  local f = motion.functions[1]
  if f then motion.object = drive_angle(c, motion, motion.object_name, f) end
end

local function translational(c, motion)
  local f = motion.functions[1]
  if f then motion.object = drive_displacement(c, motion, motion.object_name, f) end
end

-- The turn of three angles about the axes 1, 2, 3 of a frame that turns along.
local function turned_by(motion, t)
  local quat = rotations.identity
  for k = 1, 3 do
    local axis = { 0, 0, 0 }
    axis[motion.rotation_order[k]] = 1
    quat = rotations.product(quat, rotations.about(axis, motion.functions[3 + k](t)))
  end
  return quat
end

local function general(c, motion)
  local f, zero = motion.functions, motion.zero
  local joint = motion.joint
  if joint and joint.angle and joint.displacement and zero[1] and zero[2] and zero[4] and zero[5] and
    motion.rotation_order[3] == 3 then
    drive_displacement(c, motion, motion.object_name .. "_z", f[3])
    drive_angle(c, motion, motion.object_name .. "_turn", f[6])
    return
  end
  local offset, factor = offset_of(motion), c.unit.factor
  for k, letter in ipairs(letters) do
    driver(c, motion, motion.object_name .. "_" .. letter, offset[k], function(s) return factor * f[k](s.t) end)
  end
  local relative = rotations.product(rotations.inverse(turns.moving(motion.I).quat), turns.moving(motion.J).quat)
  for k, letter in ipairs(letters) do
    c.call(motion.element)(c.m, "constraint", {
      motion.object_name .. "_turned_" .. letter,
      law = function(s) return 2 * rotations.product(rotations.inverse(turned_by(motion, s.t)), relative)[k + 1] end,
    })
  end
end

local function order_of(motion)
  local text, record = outline.text(motion.element, "RotationOrder")
  local order = {}
  for word in (text or "1 2 3"):gmatch "%S+" do order[#order + 1] = math.tointeger(tonumber(word)) end
  local fits = #order == 3 and order[1] ~= order[2] and order[2] ~= order[3]
  for _, axis in ipairs(order) do fits = fits and axis >= 1 and axis <= 3 end
  if not fits then
    numbers.fail(record, (": \"%s\" must be three of 1, 2, 3, no two neighbours alike"):format(text))
  end
  return order
end

local kinds = {
  RotationalMotion = { declare = rotational, functions = { "RotationZ" } },
  TranslationalMotion = { declare = translational, functions = { "TranslationZ" } },
  GeneralMotion = { declare = general,
                    functions = { "rIJI1", "rIJI2", "rIJI3", "angIJJ1", "angIJJ2", "angIJJ3" } },
}

--- Reads the records below "Motions", or nil, into c.motion_order.
function motions.read(c, section)
  c.motion_order = {}
  for _, element in ipairs(section and section.children or {}) do
    local kind = kinds[element.name]
    if not kind then
      c:leave(element, "", "this motion is not read (m:driver)")
    else
      local name = outline.needed(element, "Name")
      local motion = { element = element, name = name, kind = kind, functions = {}, zero = {} }
      motion.joint = joint_of(c, motion)
      local complete = true
      for k, record in ipairs(kind.functions) do
        motion.functions[k], motion.zero[k] = read_function(c, motion, record)
        complete = complete and motion.functions[k] ~= nil
      end
      if element.name == "GeneralMotion" then motion.rotation_order = order_of(motion) end
      outline.check(c, element, "Name MarkerI MarkerJ MotionJoint " .. table.concat(kind.functions, " ") ..
        (element.name == "GeneralMotion" and " RotationOrder" or ""))
      if complete then
        motion.object_name = c.names:new(name, "motion")
        c.motion_order[#c.motion_order + 1] = motion
      end
    end
  end
end

--- Declares them.
function motions.declare(c)
  for _, motion in ipairs(c.motion_order) do motion.kind.declare(c, motion) end
end

return motions
