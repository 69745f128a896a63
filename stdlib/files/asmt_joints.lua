-- Joints of FreeCAD's assembly text between marker I, which is a, and marker J, which is b. Axes are those of z.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local outline = require "perilune.files.outline"
local tree = require "perilune.files.tree"
local turns = require "perilune.files.asmt_turns"

local joints = {}

local half_turns = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } }

--- The marker that a record names: "/Assembly1/Part1/Marker1".
function joints.marker(c, element, name)
  local path, record = outline.needed(element, name)
  return c.markers[path] or numbers.fail(record, (": there is no marker %s"):format(path))
end

-- The format's constraints are products of axes that vanish: they hold as well with a frame that is turned by half a turn.
-- Ours want z with z, and frames that are to coincide: the half turn of J that brings it nearest to I as drawn.
local function half_turn(I, J, about_x_only)
  local turned = rotations.product(rotations.inverse(turns.drawn(I).quat), turns.drawn(J).quat)
  local best = 1
  if about_x_only then
    -- 1 - 2 (x^2 + y^2) is the cosine between the axes z.
    if rotations.value(turned[2]) ^ 2 + rotations.value(turned[3]) ^ 2 > 0.5 then best = 2 end
  else
    for k = 2, 4 do
      if math.abs(rotations.value(turned[k])) > math.abs(rotations.value(turned[best])) + 1e-9 then best = k end
    end
  end
  return half_turns[best]
end

local function frame(c, joint, marker, pose)
  return tree.marker(c, joint.element, marker.owner, pose)
end

local function along_z(pose, distance)
  if rotations.is_zero(distance) then return pose end
  return { pos = rotations.add(pose.pos, rotations.rotate(pose.quat, { 0, 0, distance })), quat = pose.quat }
end

-- m:method { name, I, J }: I moved along its z axis, J turned by a half turn.
local function between(c, joint, method, options)
  options = options or {}
  local turn = options.turn and half_turn(joint.I, joint.J, options.turn == "z") or rotations.identity
  local b = { pos = joint.J.pose.pos, quat = rotations.product(joint.J.pose.quat, turn) }
  local fields = {
    options.name or joint.object_name, frame(c, joint, joint.I, along_z(joint.I.pose, options.offset or 0)),
    frame(c, joint, joint.J, b),
  }
  for key, value in pairs(options.fields or {}) do fields[key] = value end
  return c.call(joint.element)(c.m, method, fields)
end

local function length_of(c, joint, attribute, fallback)
  return c.unit.to_si(c.numbers:one(joint.view, attribute, fallback, c.unit.name))
end

local function simple(method, turn)
  return function(c, joint) joint.object = between(c, joint, method, { turn = turn }) end
end

local function in_plane(method, turn)
  return function(c, joint)
    joint.object = between(c, joint, method, { turn = turn, offset = length_of(c, joint, "offset", 0) })
  end
end

local function further(c, joint, what)
  return c.names:new(joint.object_name .. "_" .. what)
end

-- An angle that starts near half a turn or beyond counts from there, as in the other formats.
local function with_angle(method)
  return function(c, joint)
    local from = turns.angle(joint.I, joint.J)
    if math.abs(rotations.value(from)) < 3 then from = 0 end
    local I = joint.I
    joint.I = { owner = I.owner, path = I.path, pose = { pos = I.pose.pos,
      quat = rotations.product(I.pose.quat, rotations.about({ 0, 0, 1 }, from)) } }
    joint.object = between(c, joint, method, { turn = "z" })
    joint.I, joint.angle = I, joint.object.angle + from
    if method == "cylindrical" then joint.displacement = joint.object.displacement end
  end
end

local function translational(c, joint)
  joint.object = between(c, joint, "translational", { turn = "all" })
  joint.displacement = joint.object.displacement
end

local function no_rotation(c, joint)
  joint.object = between(c, joint, "parallel_axes", { turn = "all" })
  local quat = rotations.product(joint.J.pose.quat, half_turn(joint.I, joint.J))
  -- y of I against x of J, as z axes of markers of their own.
  local y_up = rotations.about({ 1, 0, 0 }, -math.pi / 2)
  local x_up = rotations.about({ 0, 1, 0 }, math.pi / 2)
  c.call(joint.element)(c.m, "perpendicular_axes", {
    further(c, joint, "turn"),
    frame(c, joint, joint.I, { pos = joint.I.pose.pos, quat = rotations.product(joint.I.pose.quat, y_up) }),
    frame(c, joint, joint.J, { pos = joint.J.pose.pos, quat = rotations.product(quat, x_up) }),
  })
end

local function line_in_plane(c, joint)
  joint.object = between(c, joint, "point_on_plane", { offset = length_of(c, joint, "offset", 0) })
  between(c, joint, "perpendicular_axes", { name = further(c, joint, "axes") })
end

local function angle_between(c, joint)
  local angle = c.numbers:one(joint.view, "theIzJz", 0, "rad")
  joint.object = between(c, joint, "dot1", { fields = { cosine = math.cos(angle) } })
end

local function constant_velocity(c, joint)
  -- The format's markers look at each other.
  local x = rotations.product(rotations.inverse(turns.drawn(joint.I).quat), turns.drawn(joint.J).quat)
  if rotations.value(x[2]) ^ 2 + rotations.value(x[3]) ^ 2 <= 0.5 then
    numbers.fail(joint.element, (" \"%s\": the z axes of its markers must point against each other"):format(joint.name))
  end
  joint.object = between(c, joint, "constant_velocity", { turn = "z" })
end

local function distance(c, joint)
  local length = length_of(c, joint, "distanceIJ")
  if not (rotations.value(length) > 0) then
    numbers.fail(joint.element, (" \"%s\": distanceIJ must be positive, got %g"):format(joint.name,
      rotations.value(length)))
  end
  return length
end

-- J's place at a distance from I's z axis.
local function distance_from_axis(c, joint)
  local length = distance(c, joint)
  local away = turns.offset(turns.moving(joint.I), turns.moving(joint.J))
  joint.object = c.call(joint.element)(c.m, "constraint", {
    joint.object_name, law = (away[1] * away[1] + away[2] * away[2] - length * length) / (2 * length),
  })
  return away
end

local function rev_cyl(c, joint)
  distance_from_axis(c, joint)
  between(c, joint, "parallel_axes", { name = further(c, joint, "axes"), turn = "z" })
end

local function rev_rev(c, joint)
  rev_cyl(c, joint)
  between(c, joint, "point_on_plane", { name = further(c, joint, "plane") })
end

local function gear(c, joint)
  local one, other = length_of(c, joint, "radiusI"), length_of(c, joint, "radiusJ")
  if rotations.value(one) == 0 or rotations.value(other) == 0 then
    numbers.fail(joint.element, (" \"%s\": radiusI and radiusJ must not be 0"):format(joint.name))
  end
  local I, start_I = turns.orbit(c, joint.element, joint.object_name .. "_I", joint.I, joint.J)
  if not I then
    numbers.fail(joint.element, (" \"%s\": the places of its markers lie on one axis, so nothing says how far they turn")
      :format(joint.name))
  end
  local J, start_J = turns.orbit(c, joint.element, joint.object_name .. "_J", joint.J, joint.I)
  if not J then
    numbers.fail(joint.element, (" \"%s\": the places of its markers lie on one axis, so nothing says how far they turn")
      :format(joint.name))
  end
  joint.object = c.call(joint.element)(c.m, "constraint", {
    joint.object_name, law = (J - start_J) + one / other * (I - start_I),
  })
end

-- One marker travels along an axis of the other by so much for each radian that they turn.
local function travelling(c, joint, axis, per_radian)
  local angle, start = turns.turn(c, joint.element, joint.object_name .. "_turn", joint.I, joint.J)
  local now = turns.offset(turns.moving(joint.I), turns.moving(joint.J))[axis]
  local drawn = turns.offset((turns.drawn(joint.I)), (turns.drawn(joint.J)))[axis]
  joint.object = c.call(joint.element)(c.m, "constraint", {
    joint.object_name, law = (now - drawn) - per_radian * (angle - start),
  })
end

local function screw(c, joint) travelling(c, joint, 3, length_of(c, joint, "pitch") / (2 * math.pi)) end

local function rack_and_pinion(c, joint) travelling(c, joint, 1, -length_of(c, joint, "pitchRadius")) end

local kinds = {
  FixedJoint = simple("weld", "all"), RevoluteJoint = with_angle "revolute", CylindricalJoint = with_angle "cylindrical",
  TranslationalJoint = translational, SphericalJoint = simple "spherical", UniversalJoint = simple "universal",
  ConstantVelocityJoint = constant_velocity, PlanarJoint = in_plane("planar", "z"),
  PointInPlaneJoint = in_plane "point_on_plane", LineInPlaneJoint = line_in_plane,
  PointInLineJoint = simple "point_on_line", ParallelAxesJoint = simple("parallel_axes", "z"),
  PerpendicularJoint = simple "perpendicular_axes", NoRotationJoint = no_rotation, AngleJoint = angle_between,
  SphSphJoint = function(c, joint)
    joint.object = between(c, joint, "distance", { fields = { length = distance(c, joint) } })
  end,
  CylSphJoint = distance_from_axis, RevCylJoint = rev_cyl, RevRevJoint = rev_rev, GearJoint = gear, ScrewJoint = screw,
  RackPinionJoint = rack_and_pinion,
}

local numbers_of = {
  PlanarJoint = "offset", PointInPlaneJoint = "offset", LineInPlaneJoint = "offset", AngleJoint = "theIzJz",
  SphSphJoint = "distanceIJ", CylSphJoint = "distanceIJ", RevCylJoint = "distanceIJ", RevRevJoint = "distanceIJ",
  GearJoint = "radiusI radiusJ", ScrewJoint = "pitch", RackPinionJoint = "pitchRadius",
}

--- Reads the records below "Joints", or nil, into c.joint_order and c.joints by their paths.
function joints.read(c, section)
  c.joint_order, c.joints = {}, {}
  for _, element in ipairs(section and section.children or {}) do
    if not kinds[element.name] then
      local names = {}
      for name in pairs(kinds) do names[#names + 1] = name end
      table.sort(names)
      numbers.fail(element, (" is no joint that is known; expected %s"):format(table.concat(names, ", ")))
    end
    local name = outline.needed(element, "Name")
    local path = c.assembly .. "/" .. name
    if c.joints[path] then
      numbers.fail(element, (" \"%s\": that is the name of the joint at line %d"):format(name,
        c.joints[path].element.line))
    end
    local joint = { element = element, name = name, kind = element.name, view = outline.view(element, name),
                    I = joints.marker(c, element, "MarkerI"), J = joints.marker(c, element, "MarkerJ"),
                    object_name = c.names:new(name, "joint") }
    outline.check(c, element, "Name MarkerI MarkerJ " .. (numbers_of[element.name] or ""))
    if joint.I.owner == joint.J.owner then
      numbers.fail(element, (" \"%s\": both markers are on %s; a joint is between two parts"):format(name,
        joint.I.owner.path))
    end
    c.joints[path] = joint
    c.joint_order[#c.joint_order + 1] = joint
  end
end

--- The joint between two markers, or nil.
function joints.between_markers(c, I, J)
  for _, joint in ipairs(c.joint_order) do
    if joint.I.path == I.path and joint.J.path == J.path then return joint end
  end
end

--- Declares them.
function joints.declare(c)
  for _, joint in ipairs(c.joint_order) do kinds[joint.kind](c, joint) end
end

return joints
