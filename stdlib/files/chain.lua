-- Several joints between a body and its parent, and rotors of joints: coordinates of their own, which are points
-- without mass (or with the mass of the rotor) on a line, and constraints that tie the body to them.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"

local chain = {}

--- The Euler parameters of a body as expressions.
function chain.quaternion_of(object)
  return { object.e0, object.e1, object.e2, object.e3 }
end

-- An angle is a point's way here, and an inertia its mass. A factor, of which nobody knows the unit, says that this is
-- meant, and changes no bit.
function chain.bare(x) return type(x) == "number" and x or 0.5 * (2 * x) end
local bare = chain.bare

-- A coordinate with the inertia `mass` (kg m^2 for angles): returns its value and its rate. Pictures know it for one by
-- the names of what holds it on its line (engine/output/scene/scene.hpp).
local function coordinate(c, element, name, start, rate, mass)
  start, rate, mass = bare(start), bare(rate), bare(mass)
  -- Along an axis in which gravity does not pull, or else with what lifts the weight.
  local letter, index = "x", 1
  for k, other in ipairs(numbers.xyz) do
    if rotations.is_zero(c.gravity[k]) then
      letter, index = other, k
      break
    end
  end
  local at, velocity = { 0, 0, 0 }, { 0, 0, 0 }
  at[index], velocity[index] = start, rate
  local call = c.call(element)
  local point = call(c.m, "point", { name, at = at, velocity = velocity, mass = mass })
  for k, other in ipairs(numbers.xyz) do
    if k ~= index then call(c.m, "constraint", { c.names:new(name .. "_off_" .. other), law = point[other] }) end
  end
  if not rotations.is_zero(mass) and not rotations.is_zero(c.gravity[index]) then
    local lift = { 0, 0, 0 }
    lift[index] = -mass * c.gravity[index]
    call(c.m, "force", { c.names:new(name .. "_lift"), on = point, force = lift })
  end
  return point[letter], point["v" .. letter], point
end

--- A coordinate without inertia that is the angle whose cosine and sine are proportional to two expressions, counted from
--- where it starts.
function chain.counted(c, element, name, cosine, sine, start, rate)
  local angle = coordinate(c, element, c.names:new(name), start, rate, 0)
  c.call(element)(c.m, "constraint", {
    c.names:new(name .. "_tie"), law = sine * math.cos(angle) - cosine * math.sin(angle),
  })
  return angle
end

--- The rotor of a joint alone: armature times its acceleration, no more.
function chain.rotor(c, joint)
  if joint.kind ~= "hinge" and joint.kind ~= "slide" then return end
  local name = c.names:new(joint.name .. "_rotor")
  local q = coordinate(c, joint.element, name, joint.start, joint.rate, joint.armature)
  c.call(joint.element)(c.m, "constraint", { c.names:new(name .. "_tie"), law = q - joint.q })
end

-- The pose in the parent's frame where the joints are at q.
local function pose_at(place, joints)
  local pos, quat = place.pos, place.quat
  for _, joint in ipairs(joints) do
    local moved = joint.q - joint.ref
    if joint.kind == "slide" then
      pos = rotations.add(pos, rotations.scaled(rotations.rotate(quat, joint.axis), moved))
    else
      local anchor = rotations.add(pos, rotations.rotate(quat, joint.pos))
      quat = rotations.product(quat, rotations.about(joint.axis, moved))
      pos = rotations.subtract(anchor, rotations.rotate(quat, joint.pos))
    end
  end
  return { pos = pos, quat = quat }
end

--- The joints of a body as lists: each ball by itself, as its angles are no coordinates, and those before, between and
--- behind.
function chain.groups(joints)
  local groups, open = {}, nil
  for _, joint in ipairs(joints) do
    if joint.kind == "ball" or not open then
      open = {}
      groups[#groups + 1] = open
    end
    open[#open + 1] = joint
    if joint.kind == "ball" then open = nil end
  end
  return groups
end

--- Ties an object by several hinges and slides of a body to its carrier.
function chain.build(c, body, joints, carrier, place, object)
  for _, joint in ipairs(joints) do
    if joint.kind ~= "hinge" and joint.kind ~= "slide" then
      numbers.fail(joint.element, (" \"%s\": a %s joint beside others on body \"%s\" cannot be read; put it on a " ..
        "body of its own"):format(joint.name, joint.kind, body.name))
    end
    joint.q, joint.v, joint.object =
      coordinate(c, joint.element, joint.object_name, joint.start, joint.rate, joint.armature or 0)
  end
  local pose = pose_at(place, joints)
  local r = { object.x, object.y, object.z }
  local quat = chain.quaternion_of(object)
  if carrier.moves then
    local base = carrier.object
    local own = chain.quaternion_of(base)
    r = rotations.subtract(r, { base.x, base.y, base.z })
    pose = { pos = rotations.rotate(own, pose.pos), quat = rotations.product(own, pose.quat) }
  end
  local turned = rotations.product(rotations.inverse(pose.quat), quat)
  local call = c.call(body.element)
  for k, letter in ipairs(numbers.xyz) do
    call(c.m, "constraint", { c.names:new(body.name .. "_at_" .. letter), law = r[k] - pose.pos[k] })
  end
  for k, letter in ipairs(numbers.xyz) do
    call(c.m, "constraint", { c.names:new(body.name .. "_turned_" .. letter), law = 2 * turned[k + 1] })
  end
end

return chain
