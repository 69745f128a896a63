-- A tree of bodies, as MJCF and URDF have it, as a model. Positions and orientations of bodies are against their
-- parents; what does not move against its parent is one body with it.
--
-- body: { element, name, pose = in the parent's frame, joints = in their order, solids = mass properties in its frame,
--   shapes = solids for pictures, children, sites = { { element, name, pose } } }
-- joint: { element, name, kind = "hinge" | "slide" | "ball" | "free" | "planar", pos, axis = unit vector, both in the
--   body's frame; ref, start, rate = coordinate as drawn, at the start, and its rate there; stiffness, rest, damping,
--   armature }; those of kind "free" have a list of 7 as start, or nil, and of 6 as rate; "ball" 4 and 3.
-- Afterwards: body.carrier = { object, moves }, body.place = its pose in the carrier's frame, body.drawn = its pose in
-- space as drawn; of sites object, carrier, and drawn = position in space as drawn; joint.q and joint.v = coordinate and rate as expressions, joint.object.
local mbs = require "perilune"
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local chain = require "perilune.files.chain"
local turning = require "perilune.files.turning"

local tree = {}

local rotate, add, scaled, compose = rotations.rotate, rotations.add, rotations.scaled, rotations.compose

--- Mass properties { mass, center_of_mass, inertia } moved to a pose.
function tree.placed(solid, pose)
  return {
    mass = solid.mass,
    center_of_mass = add(pose.pos, rotate(pose.quat, solid.center_of_mass)),
    inertia = rotations.turned_inertia(pose.quat, solid.inertia),
  }
end

-- What is rigidly part of a body: { solids, shapes } in its frame.
local function collect(body, pose, found)
  for _, solid in ipairs(body.solids) do found.solids[#found.solids + 1] = tree.placed(solid, pose) end
  for _, shape in ipairs(body.shapes) do
    found.shapes[#found.shapes + 1] = { make = shape.make, pose = compose(pose, shape.pose),
                                          is_hidden = shape.is_hidden }
  end
  for _, child in ipairs(body.children) do
    if #child.joints == 0 then collect(child, compose(pose, child.pose), found) end
  end
  return found
end

-- Motion of a frame { pos, quat, v, w } (of its origin and turning, along the axes of space) through the joints of a
-- body: by how far they have moved since the drawing, and their rates.
local function through_joints(frame, joints)
  for _, joint in ipairs(joints) do
    if joint.kind == "free" then
      local start, rate = joint.start, joint.rate
      if start then
        local quat = rotations.normalized { start[4], start[5], start[6], start[7] }
        if not quat then numbers.fail(joint.element, ": the quaternion of its start is zero") end
        frame.pos, frame.quat = { start[1], start[2], start[3] }, quat
      end
      frame.v = { rate[1], rate[2], rate[3] }
      frame.w = rotate(frame.quat, { rate[4], rate[5], rate[6] })
    elseif joint.kind == "slide" then
      local axis = rotate(frame.quat, joint.axis)
      local moved = scaled(axis, joint.start - joint.ref)
      frame.v = add(add(frame.v, rotations.cross(frame.w, moved)), scaled(axis, joint.rate))
      frame.pos = add(frame.pos, moved)
    elseif joint.kind == "hinge" or joint.kind == "ball" then
      local before = rotate(frame.quat, joint.pos)
      local anchor, speed = add(frame.pos, before), add(frame.v, rotations.cross(frame.w, before))
      if joint.kind == "hinge" then
        frame.w = add(frame.w, scaled(rotate(frame.quat, joint.axis), joint.rate))
        frame.quat = rotations.product(frame.quat, rotations.about(joint.axis, joint.start - joint.ref))
      else
        local quat = rotations.normalized(joint.start)
        if not quat then numbers.fail(joint.element, ": the quaternion of its start is zero") end
        frame.quat = rotations.product(frame.quat, quat)
        frame.w = add(frame.w, rotate(frame.quat, joint.rate))
      end
      local after = rotate(frame.quat, joint.pos)
      frame.pos = rotations.subtract(anchor, after)
      frame.v = rotations.subtract(speed, rotations.cross(frame.w, after))
    end
  end
  return frame
end

-- Of what is hidden where there is nothing else; nil where nothing is to be drawn.
local function shape_of(shapes)
  for _, are_hidden in ipairs { false, true } do
    local parts = {}
    for _, shape in ipairs(shapes) do
      if (shape.is_hidden or false) == are_hidden then
        for _, part in ipairs(shape.make(shape.pose)) do parts[#parts + 1] = part end
      end
    end
    if #parts > 0 then return parts end
  end
  return nil
end

-- Whether something with mass hangs on it, by joints or not: then it may be without, as the cross of two hinges is.
local function carries_mass(body)
  for _, child in ipairs(body.children) do
    if #child.solids > 0 or carries_mass(child) then return true end
  end
  return false
end

-- What m:body is told of where a body starts.
local function started(start, name)
  return { name, at = start.pos, orientation = start.quat, velocity = start.v,
           angular_velocity = rotate(rotations.inverse(start.quat), start.w) }
end

local function body_of(c, body, start)
  local call = c.call(body.element)
  local found = collect(body, rotations.origin, { solids = {}, shapes = {} })
  local fields = started(start, body.object_name)
  fields.shape = shape_of(found.shapes)
  if #found.solids > 0 then
    fields.inertia_of = call(nil, mbs.assembly, found.solids)
  elseif carries_mass(body) then
    fields.mass, fields.inertia = 0, { 0, 0, 0 }
  else
    numbers.fail(body.element, (" \"%s\" moves and has no mass: give it %s"):format(body.name, c.what_has_mass))
  end
  return call(c.m, "body", fields)
end

--- A marker on a carrier, with the axes of the pose.
function tree.marker(c, element, carrier, pose, name)
  return c.call(element)(carrier.object, "marker", {
    name, at = pose.pos, axis = rotate(pose.quat, { 0, 0, 1 }), x_axis = rotate(pose.quat, { 1, 0, 0 }),
  })
end

local function hinge(c, joint, carrier, place, object)
  -- The angle counts as the file does, from the drawing's ref; where it starts near half a turn or beyond, from there: as
  -- declared it is that of two axes, which full turns cannot be seen of.
  local from = math.abs(rotations.value(joint.start)) < 3 and 0 or joint.start
  local frame = { pos = joint.pos, quat = rotations.of_z_axis(joint.axis) }
  local on_carrier = compose(place, frame)
  on_carrier.quat = rotations.product(on_carrier.quat, rotations.about({ 0, 0, 1 }, from - joint.ref))
  joint.object = c.call(joint.element)(c.m, "revolute", {
    joint.object_name, tree.marker(c, joint.element, carrier, on_carrier),
    tree.marker(c, joint.element, { object = object }, frame),
  })
  joint.q, joint.v = joint.object.angle + from, joint.object.omega
  if type(from) == "number" and type(joint.start) ~= "number" then
    -- A parameter may make it start beyond half a turn later.
    joint.q = joint.q + (joint.start - mbs.atan2(math.sin(joint.start), math.cos(joint.start)))
  end
end

local function slide(c, joint, carrier, place, object)
  local frame = { pos = joint.pos, quat = rotations.of_z_axis(joint.axis) }
  local on_carrier = compose(place, { pos = add(joint.pos, scaled(joint.axis, -joint.ref)), quat = frame.quat })
  joint.object = c.call(joint.element)(c.m, "translational", {
    joint.object_name, tree.marker(c, joint.element, carrier, on_carrier),
    tree.marker(c, joint.element, { object = object }, frame),
  })
  joint.q, joint.v = joint.object.displacement, joint.object.speed
end

-- Balls and planes have no coordinate of their own.
local function free_of_coordinates(constructor)
  return function(c, joint, carrier, place, object)
    local frame = { pos = joint.pos, quat = joint.axis and rotations.of_z_axis(joint.axis) or rotations.identity }
    joint.object = c.call(joint.element)(c.m, constructor, {
      joint.object_name, tree.marker(c, joint.element, carrier, compose(place, frame)),
      tree.marker(c, joint.element, { object = object }, frame),
    })
  end
end

local single = { hinge = hinge, slide = slide, ball = free_of_coordinates "spherical",
                 planar = free_of_coordinates "planar" }

local function forces(c, joint, carrier, place, object)
  local zero = rotations.is_zero
  if joint.kind == "ball" then turning.ball(c, joint, carrier, place, object) end
  if joint.kind == "free" then turning.free(c, joint, place, object) end
  if joint.kind ~= "hinge" and joint.kind ~= "slide" then return end
  if not (zero(joint.stiffness) and zero(joint.damping)) then
    c.call(joint.element)(c.m, "torsion_spring", {
      c.names:new(joint.name .. "_spring"), on = joint.q, stiffness = joint.stiffness, free_angle = joint.rest,
      damping = joint.damping,
    })
  end
end

-- What is between the joints of a body: a part without mass.
local function between(c, body, start)
  local fields = started(start, c.names:new(body.object_name .. "_part"))
  fields.mass, fields.inertia = 0, { 0, 0, 0 }
  return c.call(body.element)(c.m, "body", fields)
end

-- An object by some of its joints with what carries them.
local function connect(c, body, joints, carrier, place, object)
  if #joints > 1 then
    chain.build(c, body, joints, carrier, place, object)
  elseif single[joints[1].kind] then
    single[joints[1].kind](c, joints[1], carrier, place, object)
  end
  for _, joint in ipairs(joints) do
    joint.child, joint.carrier = object, carrier
    if #joints == 1 and not rotations.is_zero(joint.armature or 0) then chain.rotor(c, joint) end
    forces(c, joint, carrier, place, object)
  end
end

-- The bodies below a frame: carrier and place as above, frame = { pos, quat, v, w } in space at the start.
local function build(c, body, carrier, place, drawn, frame)
  place, drawn = compose(place, body.pose), compose(drawn, body.pose)
  local offset = rotate(frame.quat, body.pose.pos)
  frame = { pos = add(frame.pos, offset), quat = rotations.product(frame.quat, body.pose.quat),
            v = add(frame.v, rotations.cross(frame.w, offset)), w = frame.w }
  if #body.joints > 0 then
    local groups = chain.groups(body.joints)
    for k, joints in ipairs(groups) do
      frame = through_joints(frame, joints)
      local object = k == #groups and body_of(c, body, frame) or between(c, body, frame)
      connect(c, body, joints, carrier, place, object)
      carrier, place = { object = object, moves = true }, rotations.origin
    end
  elseif body.object_name then
    tree.marker(c, body.element, carrier, place, body.object_name)
  end
  body.carrier, body.place, body.drawn = carrier, place, drawn
  for _, site in ipairs(body.sites) do
    site.object = tree.marker(c, site.element, carrier, compose(place, site.pose), c.names:new(site.name, "site"))
    site.carrier, site.drawn = carrier, compose(drawn, site.pose).pos
  end
  for _, child in ipairs(body.children) do build(c, child, carrier, place, drawn, frame) end
end

-- Bodies, then joints, have the first choice of names.
local function each_body(body, f)
  f(body)
  for _, child in ipairs(body.children) do each_body(child, f) end
end

--- Declares all that is below the body of the world, which stands still.
function tree.build(c, world)
  for _, child in ipairs(world.children) do
    each_body(child, function(body) body.object_name = c.names:new(body.name, "body") end)
  end
  each_body(world, function(body)
    for _, joint in ipairs(body.joints) do joint.object_name = c.names:new(joint.name, "joint") end
  end)
  local fixed = shape_of(collect(world, rotations.origin, { solids = {}, shapes = {} }).shapes)
  if fixed then c.call(world.element)(c.m, "ground", { at = { 0, 0, 0 }, shape = fixed }) end
  local ground = { object = c.m.ground, moves = false }
  build(c, world, ground, rotations.origin, rotations.origin,
    { pos = { 0, 0, 0 }, quat = rotations.identity, v = { 0, 0, 0 }, w = { 0, 0, 0 } })
end

return tree
