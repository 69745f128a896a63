-- Angles between frames of FreeCAD's assembly text, with full turns counted: each is the coordinate of a point without
-- mass, tied to the two bodies. Frames are markers: { owner = { object, moves, drawn, v, w }, pose }.
local mbs = require "perilune"
local rotations = require "perilune.files.rotations"
local chain = require "perilune.files.chain"

local turns = {}

local rotate, dot = rotations.rotate, rotations.dot

--- The pose in space of a marker as expressions of the motion.
function turns.moving(marker)
  local owner = marker.owner
  if not owner.moves then return marker.pose end
  local object = owner.object
  return rotations.compose({ pos = { object.x, object.y, object.z }, quat = chain.quaternion_of(object) }, marker.pose)
end

--- The pose in space of a marker as drawn, and the velocity of its place.
function turns.drawn(marker)
  local owner = marker.owner
  if not owner.moves then return marker.pose, { 0, 0, 0 } end
  local pose = rotations.compose(owner.drawn, marker.pose)
  return pose, rotations.add(owner.v, rotations.cross(owner.w, rotations.subtract(pose.pos, owner.drawn.pos)))
end

--- Unit vectors x, y, z of a pose.
function turns.axes(pose)
  return rotate(pose.quat, { 1, 0, 0 }), rotate(pose.quat, { 0, 1, 0 }), rotate(pose.quat, { 0, 0, 1 })
end

--- J's place from I's, along I's axes x, y, z.
function turns.offset(one, other)
  local away = rotations.subtract(other.pos, one.pos)
  local x, y, z = turns.axes(one)
  return { dot(away, x), dot(away, y), dot(away, z) }
end

--- The angle of J's x axis from I's about I's z axis, as drawn.
function turns.angle(I, J)
  local one, other = turns.drawn(I), turns.drawn(J)
  local x, y = turns.axes(one)
  local to = turns.axes(other)
  return mbs.atan2(dot(to, y), dot(to, x))
end

--- A counted angle of J's x axis from I's about I's z axis.
function turns.turn(c, element, name, I, J)
  local one, other = turns.moving(I), turns.moving(J)
  local x, y = turns.axes(one)
  local to = turns.axes(other)
  local _, _, z = turns.axes((turns.drawn(I)))
  local rate = dot(rotations.subtract(J.owner.w, I.owner.w), z)
  return chain.counted(c, element, name, dot(to, x), dot(to, y), turns.angle(I, J), rate), turns.angle(I, J)
end

--- A counted angle, about I's z axis and from I's x axis, of the direction in which J's place is; and it as drawn.
function turns.orbit(c, element, name, I, J)
  local one, v_one = turns.drawn(I)
  local other, v_other = turns.drawn(J)
  local away = turns.offset(one, other)
  local square = away[1] * away[1] + away[2] * away[2]
  if rotations.value(square) < 1e-18 then return nil end
  local start = mbs.atan2(away[2], away[1])
  local r = rotations.subtract(other.pos, one.pos)
  local v = rotations.subtract(rotations.subtract(v_other, v_one), rotations.cross(I.owner.w, r))
  local x, y = turns.axes(one)
  local rate = (away[1] * dot(v, y) - away[2] * dot(v, x)) / square
  local scale = 1 / math.sqrt(square)
  local now = turns.offset(turns.moving(I), turns.moving(J))
  return chain.counted(c, element, name, now[1] * scale, now[2] * scale, start, rate), start
end

return turns
