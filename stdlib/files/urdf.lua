-- URDF, the format of ROS: XML -> a tree of bodies (perilune.files.tree), mimics and loops. Beyond the format there is
-- <loop_joint>, which closes a loop between two links of the tree:
--   <loop_joint name="close" type="revolute"> <parent link="coupler"/> <child link="rocker"/>
--     <origin xyz="0.4 0 0" rpy="0 0 0"/> <axis xyz="0 0 1"/> </loop_joint>
-- origin and axis are in the frame of the parent link; child_origin, where it is given, says the place in the frame of
-- the child, else it is where the two meet as drawn.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local tree = require "perilune.files.tree"
local shapes = require "perilune.files.urdf_shapes"
local inertias = require "perilune.files.inertias"

local urdf = {}

local function set(words)
  local out = {}
  for word in words:gmatch "%S+" do out[word] = true end
  return out
end

local known = {
  robot = { attributes = set "name version", children = set "link joint loop_joint", ignored = set "material" },
  link = { attributes = set "name type", children = set "inertial visual collision", ignored = set "" },
  inertial = { attributes = set "", children = set "origin mass inertia", ignored = set "" },
  joint = { attributes = set "name type", children = set "origin parent child axis dynamics limit mimic",
            ignored = set "safety_controller calibration" },
  loop_joint = { attributes = set "name type", children = set "origin child_origin parent child axis",
                 ignored = set "" },
}

-- Of elements without others below them; nil: of any attributes.
local leaves = {
  parent = set "link", child = set "link", axis = set "xyz", dynamics = set "damping friction",
  mimic = set "joint multiplier offset", mass = set "value", inertia = set "ixx iyy izz ixy ixz iyz",
  limit = set "lower upper effort velocity", origin = set "xyz rpy", child_origin = set "xyz rpy",
}

local reasons = {
  limit = "limits of joints are not modelled (m:bump_stop)", friction = "dry friction of joints is not modelled",
  transmission = "drives are not modelled (m:torsion_spring)", gazebo = "what is for Gazebo is not read",
}

-- Notes what of an element is not read; returns its children by name, of each of which there may be one.
local function parts(c, element, may_repeat)
  local own, found = known[element.name], {}
  for name in pairs(element.attributes) do
    if not own.attributes[name] and not name:find "^xmlns" then c:leave(element, name, "not known here") end
  end
  for _, child in ipairs(element.children) do
    if own.children[child.name] then
      if found[child.name] and not may_repeat and child.name ~= "collision" and child.name ~= "visual" then
        numbers.fail(child, (": <%s> at line %d has another one"):format(element.name, element.line))
      end
      found[child.name] = child
      local leaf = leaves[child.name]
      for name in pairs(leaf and child.attributes or {}) do
        if not leaf[name] then c:leave(child, name, "not known here") end
      end
      for _, below in ipairs(leaf and child.children or {}) do c:leave(below, "", "not known here") end
    elseif not own.ignored[child.name] then
      c:leave(child, "", reasons[child.name] or "not known here")
    end
  end
  return found
end

local function view_of(element, path)
  local attributes = {}
  for name, text in pairs(element.attributes) do attributes[name] = { text = text, element = element } end
  return { element = element, paths = { path }, attributes = attributes }
end

local function needed(element, attribute)
  return element.attributes[attribute] or
    numbers.fail(element, (": the attribute %s is missing"):format(attribute))
end

-- What an element does not have below it: its numbers are the usual ones, and have paths.
local function missing(element)
  return { file = element.file, line = element.line, name = element.name, attributes = {} }
end

-- rpy turns about x, then y, then z of the parent.
local function pose_of(c, element, path)
  local view = view_of(element, path)
  local rpy = c.numbers:list(view, "rpy", { most = 3, fallback = { 0, 0, 0 }, labels = numbers.xyz, unit = "rad" })
  local quat = rotations.identity
  for k, axis in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } do
    quat = rotations.product(rotations.about(axis, rpy[k]), quat)
  end
  return { pos = c.numbers:vector(view, "xyz", { 0, 0, 0 }, "m"), quat = quat }
end

local function axis_of(c, element, path)
  local axis = rotations.normalized(c.numbers:vector(view_of(element, path .. ".axis"), "xyz", { 1, 0, 0 }))
  if not axis then numbers.fail(element, ": xyz has no direction; give one number other than 0") end
  return axis
end

local function add_shapes(c, body, kind)
  local count = 0
  for _, child in ipairs(body.element.children) do
    if child.name == kind then
      count = count + 1
      local path, origin = ("%s.%s%s"):format(body.name, kind, count > 1 and count or ""), nil
      for _, below in ipairs(child.children) do origin = below.name == "origin" and below or origin end
      shapes.add(c, child, body, path, pose_of(c, origin or missing(child), path .. ".origin"), view_of)
    end
  end
end

local function read_link(c, element)
  local name = needed(element, "name")
  if c.links[name] then
    numbers.fail(element, (": the name \"%s\" is that of the link at line %d"):format(name, c.links[name].element.line))
  end
  local body = { element = element, name = name, joints = {}, solids = {}, shapes = {}, children = {}, sites = {},
                 pose = rotations.origin }
  local found = parts(c, element)
  add_shapes(c, body, found.visual and "visual" or "collision")
  if found.collision then c:leave(found.collision, "", "contact is not modelled, here and elsewhere (m:contact)") end
  if found.inertial then
    local path = name .. ".inertial"
    local inner = parts(c, found.inertial)
    if not inner.mass or not inner.inertia then
      numbers.fail(found.inertial, (" of link \"%s\" has no <%s>"):format(name, inner.mass and "inertia" or "mass"))
    end
    local mass = c.numbers:one(view_of(inner.mass, path .. ".mass"), "value", nil, "kg")
    local view, inertia = view_of(inner.inertia, path .. ".inertia"), {}
    for k, attribute in ipairs { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" } do
      inertia[k] = c.numbers:one(view, attribute, nil, "kg m^2")
    end
    local pose = pose_of(c, inner.origin or missing(found.inertial), path .. ".origin")
    local vanishes = rotations.is_zero(mass)
    for k = 1, 6 do vanishes = vanishes and rotations.is_zero(inertia[k]) end
    if not vanishes then
      if not (rotations.value(mass) > 0) then
        numbers.fail(inner.mass, (" of link \"%s\" must be positive, got %g"):format(name, rotations.value(mass)))
      end
      inertia = inertias.possible(c, inner.inertia, inertia, ("of link \"%s\""):format(name))
      body.solids[1] = {
        mass = mass, center_of_mass = pose.pos, inertia = rotations.turned_inertia(pose.quat, inertia),
      }
    end
  end
  c.links[name] = body
  c.order[#c.order + 1] = body
end

local function link_named(c, element, child)
  if not child then return numbers.fail(element, ": <parent> or <child> is missing") end
  local name = needed(child, "link")
  return c.links[name] or numbers.fail(child, (": there is no link \"%s\""):format(name))
end

-- Drake and Gazebo know a link world that no file has to declare.
local function take_world_as_ground(c, parent)
  if not parent or parent.attributes.link ~= "world" or c.links.world then return end
  c.links.world = { element = parent, name = "world", joints = {}, solids = {}, shapes = {}, children = {}, sites = {},
                    pose = rotations.origin }
  table.insert(c.order, 1, c.links.world)
  c:leave(parent, "link", "the file has no link \"world\": it is the ground")
end

local kinds = { revolute = "hinge", continuous = "hinge", prismatic = "slide", floating = "free", planar = "planar",
                fixed = "fixed" }

local function read_joint(c, element)
  local name, kind = needed(element, "name"), needed(element, "type")
  if not kinds[kind] then
    numbers.fail(element, (" \"%s\": type=\"%s\" is not known; expected revolute, continuous, prismatic, fixed, " ..
      "floating or planar"):format(name, kind))
  end
  local found = parts(c, element)
  take_world_as_ground(c, found.parent)
  local parent, child = link_named(c, element, found.parent), link_named(c, element, found.child)
  if child.parent then
    numbers.fail(element, (" \"%s\": link \"%s\" has a parent by line %d; close loops by <loop_joint>"):format(name,
      child.name, child.joined_at.line))
  end
  child.parent, child.joined_at = parent, element
  parent.children[#parent.children + 1] = child
  child.pose = pose_of(c, found.origin or missing(element), name .. ".origin")
  if kind == "fixed" then return end
  local joint = { element = element, name = name, kind = kinds[kind], pos = { 0, 0, 0 }, ref = 0, start = 0, rate = 0,
                  stiffness = 0, rest = 0, damping = 0, armature = 0, mimic = found.mimic }
  if joint.kind == "free" then joint.start, joint.rate = nil, { 0, 0, 0, 0, 0, 0 } else
    joint.axis = axis_of(c, found.axis or missing(element), name)
  end
  if found.dynamics then
    local view = view_of(found.dynamics, name .. ".dynamics")
    joint.damping = c.numbers:one(view, "damping", 0, joint.kind == "hinge" and "N m s/rad" or "N s/m")
    local friction = found.dynamics.attributes.friction
    if friction and tonumber(friction) ~= 0 then c:leave(found.dynamics, "friction", reasons.friction) end
    if joint.kind ~= "hinge" and joint.kind ~= "slide" and not rotations.is_zero(joint.damping) then
      c:leave(found.dynamics, "damping", ("cannot be said of %s joints"):format(kind))
    end
  end
  if found.limit and kind ~= "continuous" then
    local lower, upper = found.limit.attributes.lower, found.limit.attributes.upper
    -- What m:export writes where the format asks for limits and there are none.
    local is_none = (tonumber(lower) or 0) <= -1e9 and (tonumber(upper) or 0) >= 1e9
    if (lower or upper) and not is_none then c:leave(found.limit, "", reasons.limit) end
  end
  child.joints[1] = joint
  if c.joints[name] then numbers.fail(element, (": the name \"%s\" is that of another joint"):format(name)) end
  c.joints[name] = joint
  c.joint_order[#c.joint_order + 1] = joint
end

-- multiplier and offset of a joint that follows another: q = multiplier q_other + offset.
local function read_mimic(c, joint)
  local view = view_of(joint.mimic, joint.name .. ".mimic")
  local other = c.joints[needed(joint.mimic, "joint")]
  if not other then
    numbers.fail(joint.mimic, (": there is no joint \"%s\" that moves"):format(joint.mimic.attributes.joint))
  end
  for _, each in ipairs { joint, other } do
    if each.kind ~= "hinge" and each.kind ~= "slide" then
      numbers.fail(joint.mimic, (": joint \"%s\" has no angle or displacement"):format(each.name))
    end
  end
  joint.follows = { joint = other, multiplier = c.numbers:one(view, "multiplier", 1),
                    offset = c.numbers:one(view, "offset", 0, joint.kind == "hinge" and "rad" or "m") }
end

-- Where a joint starts that follows another, which may follow a third.
local function start_of(joint, depth)
  if not joint.follows then return joint.start end
  if depth > 100 then numbers.fail(joint.mimic, (": joint \"%s\" follows itself"):format(joint.name)) end
  return joint.follows.multiplier * start_of(joint.follows.joint, depth + 1) + joint.follows.offset
end

local loops = { revolute = "revolute", continuous = "revolute", prismatic = "translational", fixed = "weld",
                spherical = "spherical", cylindrical = "cylindrical", planar = "planar",
                point_on_line = "point_on_line" }

local function close_loop(c, element)
  local name, kind = needed(element, "name"), needed(element, "type")
  if not loops[kind] then
    numbers.fail(element, (" \"%s\": type=\"%s\" is not known; expected revolute, continuous, prismatic, fixed, " ..
      "spherical, cylindrical, planar or point_on_line"):format(name, kind))
  end
  local found = parts(c, element)
  local parent, child = link_named(c, element, found.parent), link_named(c, element, found.child)
  local place = pose_of(c, found.origin or missing(element), name .. ".origin")
  local drawn = rotations.compose(parent.drawn, place)
  local on_child = found.child_origin and pose_of(c, found.child_origin, name .. ".child_origin") or
    rotations.relative(child.drawn, drawn)
  local along = { pos = { 0, 0, 0 }, quat = rotations.of_z_axis(axis_of(c, found.axis or missing(element), name)) }
  if parent.carrier.object == child.carrier.object then
    numbers.fail(element, (" \"%s\": %s and %s are one rigid body as it is"):format(name, parent.name, child.name))
  end
  c.call(element)(c.m, loops[kind], {
    c.names:new(name, "joint"),
    tree.marker(c, element, parent.carrier, rotations.compose(parent.place, rotations.compose(place, along))),
    tree.marker(c, element, child.carrier, rotations.compose(child.place, rotations.compose(on_child, along))),
  })
end

-- What xacro would make of its own elements is not there.
local function refuse_xacro(element)
  for _, child in ipairs(element.children) do
    if child.name:find "^xacro:" then
      numbers.fail(child, ": this is xacro, not URDF yet; first run: xacro FILE > robot.urdf")
    end
    refuse_xacro(child)
  end
end

--- Declares the model in c.m.
function urdf.read(c, root, key)
  if key then error { argument = ("'%s' is URDF, which has no keyframes; leave key out"):format(c.file) } end
  c.what_has_mass = "an <inertial> with a mass"
  refuse_xacro(root)
  c.links, c.order, c.joints, c.joint_order, c.gravity = {}, {}, {}, {}, { 0, 0, -9.81 }
  parts(c, root, true)
  local function each(name, f)
    for _, element in ipairs(root.children) do
      if element.name == name then f(c, element) end
    end
  end
  each("link", read_link)
  each("joint", read_joint)
  for _, joint in ipairs(c.joint_order) do
    if joint.mimic then read_mimic(c, joint) end
  end
  for _, joint in ipairs(c.joint_order) do joint.start = start_of(joint, 0) end
  local world = { element = root, name = "world", joints = {}, solids = {}, shapes = {}, children = {}, sites = {},
                  pose = rotations.origin }
  for _, link in ipairs(c.order) do
    if not link.parent then world.children[#world.children + 1] = link end
  end
  if #world.children > 1 then
    numbers.fail(world.children[2].element, (" \"%s\" has no parent, and neither has \"%s\"; add a fixed or a " ..
      "floating joint between them"):format(world.children[2].name, world.children[1].name))
  end
  if #c.order == 0 then numbers.fail(root, " has no <link>, and so no bodies") end
  if #world.children == 0 then
    numbers.fail(root, " has no link that is not the child of a joint: the joints form a ring")
  end
  local reached = 0
  local function count(body)
    reached = reached + #body.children
    for _, child in ipairs(body.children) do count(child) end
  end
  count(world)
  if reached < #c.order then
    for _, link in ipairs(c.order) do
      local up, steps = link, 0
      while up and steps <= #c.order do up, steps = up.parent, steps + 1 end
      if up then
        numbers.fail(link.element, (" \"%s\" is its own ancestor; close loops by <loop_joint>"):format(link.name))
      end
    end
  end
  tree.build(c, world)
  for _, joint in ipairs(c.joint_order) do
    local follows = joint.follows
    if follows then
      c.call(joint.mimic)(c.m, "constraint", {
        c.names:new(joint.name .. "_mimic"), law = joint.q - follows.multiplier * follows.joint.q - follows.offset,
      })
    end
  end
  each("loop_joint", close_loop)
end

return urdf
