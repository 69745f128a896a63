-- Springs, dampers and rotors of joints that turn about any axis, which have no angle of their own: balls, and free bodies.
-- As MuJoCo has them, of a ball by how it is turned against what carries it, of a free body against the drawing.
local mbs = require "perilune"
local rotations = require "perilune.files.rotations"
local chain = require "perilune.files.chain"

local turning = {}

local is_zero, product, inverse = rotations.is_zero, rotations.product, rotations.inverse

--- The axis of a turn times its angle (rad), which is at most half a turn and jumps there, of Euler parameters: the same
--- before and after the turn.
local function rotation_vector(quat)
  local sign = mbs.where(mbs.lt(quat[1], 0), -1, 1)
  local e = { quat[2], quat[3], quat[4] }
  -- Rounded off where nothing is turned, by less than the last digit, so that there are derivatives.
  local sine = math.sqrt(rotations.dot(e, e) + 1e-16)
  return rotations.scaled(e, 2 * sign * mbs.atan2(sine, sign * quat[1]) / sine)
end

-- How far an object is turned from `place`, a pose in the frame of its carrier.
local function turned(object, carrier, place)
  local from = place.quat
  if carrier.moves then from = product(chain.quaternion_of(carrier.object), from) end
  return product(inverse(from), chain.quaternion_of(object))
end

-- The angular velocity of an object against its carrier, along its own axes.
local function rate_of(object, carrier)
  local w = { object.omega_x, object.omega_y, object.omega_z }
  if not carrier.moves then return w end
  local base = carrier.object
  local back = product(inverse(chain.quaternion_of(object)), chain.quaternion_of(base))
  return rotations.subtract(w, rotations.rotate(back, { base.omega_x, base.omega_y, base.omega_z }))
end

-- A torque of -factor times a vector along the object's own axes.
local function resist(c, joint, name, object, carrier, factor, vector)
  if is_zero(factor) then return end
  c.call(joint.element)(c.m, "torque", {
    c.names:new(name), on = object, reaction_on = carrier.moves and carrier.object or nil, frame = "body",
    law = function()
      local v = vector()
      return -factor * v[1], -factor * v[2], -factor * v[3]
    end,
  })
end

local function resist_turning(c, joint, object, carrier, place)
  resist(c, joint, joint.name .. "_spring", object, carrier, joint.stiffness,
    function() return rotation_vector(turned(object, carrier, place)) end)
  resist(c, joint, joint.name .. "_damper", object, carrier, joint.damping, function() return rate_of(object, carrier) end)
end

-- Something of the joint's inertia alone, which turns in space as the joint does, about a point that stays where it is.
local function rotor_of_ball(c, joint, object, carrier, place)
  local call, J = c.call(joint.element), joint.armature
  local name = c.names:new(joint.name .. "_rotor")
  local rotor = call(c.m, "body", {
    name, mass = chain.bare(J), inertia = { J, J, J }, at = { 0, 0, 0 }, orientation = joint.start,
    angular_velocity = joint.rate,
  })
  call(c.m, "spherical", { c.names:new(name .. "_centre"), c.m.ground, rotor, at = { 0, 0, 0 } })
  local off = product(inverse(turned(object, carrier, place)), chain.quaternion_of(rotor))
  for k, letter in ipairs { "x", "y", "z" } do
    call(c.m, "constraint", { c.names:new(("%s_tie_%s"):format(name, letter)), law = 2 * off[k + 1] })
  end
end

--- What the joint does between an object and its carrier; `place`: of the object in the carrier's frame as drawn.
function turning.ball(c, joint, carrier, place, object)
  resist_turning(c, joint, object, carrier, place)
  if not is_zero(joint.armature) then rotor_of_ball(c, joint, object, carrier, place) end
end

-- An inertia of the joint beside that of the body, without weight.
local function rotor_of_free(c, joint, object)
  local call, armature = c.call(joint.element), joint.armature
  local name = c.names:new(joint.name .. "_rotor")
  local rotor = call(c.m, "body", {
    name, mass = armature, inertia = { armature, armature, armature }, at = object.at, orientation = object.orientation,
    velocity = object.velocity, angular_velocity = object.angular_velocity,
  })
  call(c.m, "weld", { c.names:new(name .. "_tie"), object, rotor, at = object.at })
  call(c.m, "force", { c.names:new(name .. "_lift"), on = rotor, force = rotations.scaled(c.gravity, -armature) })
end

--- The same of a free body, against the drawing at `place` in space; what is linear is along the axes of space.
function turning.free(c, joint, place, object)
  local ground = { object = c.m.ground, moves = false }
  resist_turning(c, joint, object, ground, place)
  local function push(name, factor, x, y, z)
    if is_zero(factor) then return end
    c.call(joint.element)(c.m, "force", {
      c.names:new(name), on = object, law = function() return -factor * x(), -factor * y(), -factor * z() end,
    })
  end
  local pos = place.pos
  push(joint.name .. "_pull", joint.stiffness, function() return object.x - pos[1] end,
    function() return object.y - pos[2] end, function() return object.z - pos[3] end)
  push(joint.name .. "_drag", joint.damping, function() return object.vx end, function() return object.vy end,
    function() return object.vz end)
  if not is_zero(joint.armature) then rotor_of_free(c, joint, object) end
end

return turning
