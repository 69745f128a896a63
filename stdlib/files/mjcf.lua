-- MJCF, the format of MuJoCo: XML -> a tree of bodies (perilune.files.tree), equalities and actuators.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local elements = require "perilune.files.mjcf_elements"
local views = require "perilune.files.mjcf_views"
local geoms = require "perilune.files.geoms"
local meshes = require "perilune.files.mjcf_meshes"
local tree = require "perilune.files.tree"
local couplings = require "perilune.files.mjcf_couplings"
local actuators = require "perilune.files.mjcf_actuators"
local tendons = require "perilune.files.mjcf_tendons"
local inertias = require "perilune.files.inertias"

local mjcf = {}

-- Elements that stand for bodies, which would be missing.
local makes_bodies = { composite = true, flexcomp = true, replicate = true, frame = true, attach = true }

-- Puts the children of included files in the place of <include>.
local function include(c, element, depth)
  local children = {}
  for _, child in ipairs(element.children) do
    if child.name == "include" then
      local name = child.attributes.file
      if not name then numbers.fail(child, ": the attribute file is missing") end
      if depth > 20 then numbers.fail(child, (": files include each other, %s too"):format(name)) end
      local root, problem = c.parse(name:sub(1, 1) == "/" and name or c.folder .. name)
      if not root then numbers.fail(child, ": " .. problem) end
      include(c, root, depth + 1)
      table.move(root.children, 1, #root.children, #children + 1, children)
    else
      include(c, child, depth)
      children[#children + 1] = child
    end
  end
  element.children = children
end

local function each(root, name)
  local list = {}
  for _, child in ipairs(root.children) do
    if child.name == name then list[#list + 1] = child end
  end
  return list
end

local function read_compiler(c, root)
  local view = views.merged(c, each(root, "compiler"), "compiler", root)
  local function said(attribute) return view.attributes[attribute] and view.attributes[attribute].text end
  local function is_true(attribute) return numbers.word(view, attribute, { "true", "false" }, "false") == "true" end
  c.degrees = numbers.word(view, "angle", { "degree", "radian" }, "degree") == "degree"
  c.inertia_from_geoms = numbers.word(view, "inertiafromgeom", { "auto", "true", "false" }, "auto")
  if numbers.word(view, "coordinate", { "local", "global" }, "local") == "global" then
    numbers.fail(view.attributes.coordinate.element,
      ": coordinate=\"global\" cannot be read; MuJoCo 2.2 saves such a model with local ones")
  end
  c.eulerseq = said "eulerseq" or "xyz"
  if not c.eulerseq:find "^[xyzXYZ][xyzXYZ][xyzXYZ]$" then
    numbers.fail(view.attributes.eulerseq.element, (": eulerseq=\"%s\" must be three of x, y, z, X, Y, Z"):format(c.eulerseq))
  end
  c.groups = said "inertiagrouprange" and c.numbers:list(view, "inertiagrouprange", { most = 2 }) or { 0, 5 }
  c.mesh_folder = said "meshdir" or said "assetdir" or ""
  c.strips_paths, c.exact_meshes = is_true "strippath", is_true "exactmeshinertia"
  c.balances_inertia = is_true "balanceinertia"
  local total = said "settotalmass" and c.numbers:one(view, "settotalmass", nil, "kg")
  if total and rotations.value(total) > 0 then c.total_mass = total end
end

local function read_option(c, root)
  local options = each(root, "option")
  c.gravity = c.numbers:vector(views.merged(c, options, "option", root), "gravity", { 0, 0, -9.81 }, "m/s^2")
  local flags = {}
  for _, element in ipairs(options) do
    for _, flag in ipairs(element.children) do
      if flag.name ~= "flag" then c:leave(flag, "", "not known here") end
      for name, word in pairs(flag.name == "flag" and flag.attributes or {}) do flags[name] = { word = word, flag = flag } end
    end
  end
  local function is_disabled(name) return flags[name] and flags[name].word == "disable" end
  if is_disabled "gravity" then c.gravity = { 0, 0, 0 } end
  for _, name in ipairs { "constraint", "equality", "passive", "actuation", "clampctrl" } do
    if is_disabled(name) then c:leave(flags[name].flag, name, "is not disabled here") end
  end
  c.no_contact = is_disabled "contact" or is_disabled "constraint"
  c.call(root)(c.m, "set_gravity", c.gravity)
end

-- The name, and the paths of numbers: the name with that of the body always, the own one unless a body has it.
local function named(c, element, fallback)
  local name = element.attributes.name
  return name, name and name ~= fallback and not c.names_of_bodies[name] and { fallback, name } or { fallback }
end

local function find_names_of_bodies(element, found)
  for _, child in ipairs(element.children) do
    if child.name == "body" then
      if child.attributes.name then found[child.attributes.name] = true end
      find_names_of_bodies(child, found)
    end
  end
  return found
end

-- Of names that others refer to; `list` has what they belong to.
local function once(list, name, element, what)
  if not name or not list[name] then return end
  numbers.fail(element, (": the name \"%s\" is that of the %s at line %d"):format(name, what, list[name].element.line))
end

local kinds = { hinge = "hinge", slide = "slide", ball = "ball", free = "free" }

local function read_joint(c, element, body, class, nth)
  local fallback = body.name .. ".joint" .. (nth > 1 and nth or "")
  local name, paths = named(c, element, fallback)
  local view = views.new(c, element, element.name, paths, class)
  local kind = element.name == "freejoint" and "free" or
    kinds[numbers.word(view, "type", { "hinge", "slide", "ball", "free" }, "hinge")]
  local angular = kind == "hinge"
  local function unit(attribute, of_angles, of_slide)
    if views.is_inherited(view, attribute) then return nil end  -- by joints of both kinds, perhaps
    if kind == "free" then return nil end  -- one number for forces and for torques
    return kind == "slide" and of_slide or of_angles
  end
  local joint = {
    element = element, name = name or body.name .. "_joint" .. (nth > 1 and nth or ""), kind = kind,
    pos = kind == "free" and { 0, 0, 0 } or c.numbers:vector(view, "pos", { 0, 0, 0 }, "m"), ref = 0,
    damping = c.numbers:one(view, "damping", 0, unit("damping", "N m s/rad", "N s/m")),
    stiffness = c.numbers:one(view, "stiffness", 0, unit("stiffness", "N m/rad", "N/m")),
    armature = c.numbers:one(view, "armature", 0, unit("armature", "kg m^2", "kg")),
  }
  if angular or kind == "slide" then
    joint.axis = views.unit_vector(view, c.numbers:vector(view, "axis", { 0, 0, 1 }), "axis")
    joint.ref = views.angle(c, view, "ref", 0, angular)
    joint.rest = views.angle(c, view, "springref", 0, angular)
    joint.start, joint.rate = joint.ref, 0
  else
    joint.start = kind == "ball" and { 1, 0, 0, 0 } or nil
    joint.rate = kind == "ball" and { 0, 0, 0 } or { 0, 0, 0, 0, 0, 0 }
    if kind == "free" and body.depth > 1 then
      numbers.fail(element, (": body \"%s\" is free, and must be a child of the worldbody"):format(body.name))
    end
  end
  c.joints[#c.joints + 1] = joint
  once(c.joint_names, name, element, "joint")
  if name then c.joint_names[name] = joint end
  return joint
end

local function read_inertial(c, element, body)
  local view = views.new(c, element, "inertial", { body.name .. ".inertial" })
  if not view.attributes.pos then numbers.fail(element, ": the attribute pos is missing (the centre of mass)") end
  local mass = c.numbers:one(view, "mass", nil, "kg")
  local inertia
  if view.attributes.fullinertia then
    if view.attributes.diaginertia then
      numbers.fail(element, ": diaginertia and fullinertia both say its inertia; give one")
    end
    inertia = c.numbers:list(view, "fullinertia", { most = 6, unit = "kg m^2" })
    for _, attribute in ipairs { "quat", "axisangle", "euler", "xyaxes", "zaxis" } do
      if view.attributes[attribute] then
        numbers.fail(element, (": fullinertia has the axes of the body; leave %s out"):format(attribute))
      end
    end
  else
    local list = c.numbers:vector(view, "diaginertia", nil, "kg m^2")
    inertia = { list[1], list[2], list[3], 0, 0, 0 }
  end
  local pose = views.pose(c, view)
  local vanishes = rotations.is_zero(mass)
  for k = 1, 6 do vanishes = vanishes and rotations.is_zero(inertia[k]) end
  if vanishes then return nil end
  if not (rotations.value(mass) > 0) then
    numbers.fail(element, (": mass must be positive, got %g"):format(rotations.value(mass)))
  end
  inertia = inertias.possible(c, element, inertia, ("of body \"%s\""):format(body.name))
  return { mass = mass, center_of_mass = pose.pos, inertia = rotations.turned_inertia(pose.quat, inertia) }
end

local function read_geom(c, element, body, class, nth, weighs)
  local _, paths = named(c, element, body.name .. ".geom" .. (nth > 1 and nth or ""))
  local view = views.new(c, element, "geom", paths, class)
  local function integer(attribute, fallback)
    local record = view.attributes[attribute]
    local value = record and math.tointeger(tonumber(record.text))
    if record and not value then numbers.fail(record.element, (": %s must be an integer"):format(attribute)) end
    return value or fallback
  end
  local group = integer("group", 0)
  -- MuJoCo's own pictures leave the groups from 3 on out: shapes for contact behind those that are to be seen.
  geoms.add(c, view, body, weighs and group >= c.groups[1] and group <= c.groups[2], group > 2)
  c.surfaces[#c.surfaces + 1] = {
    element = element, body = body, type = integer("contype", 1), affinity = integer("conaffinity", 1),
  }
end

local is_leaf = { joint = true, freejoint = true, geom = true, site = true, inertial = true }

local function read_body(c, element, parent, class)
  c.bodies = c.bodies + 1
  local is_world = element.name == "worldbody"
  local name = is_world and "world" or element.attributes.name or "body" .. c.bodies - 1
  local body = { element = element, name = name, joints = {}, solids = {}, shapes = {}, children = {}, sites = {},
                 parent = parent, depth = parent and parent.depth + 1 or 0, pose = rotations.origin }
  if element.attributes.name then
    if c.body_names[name] then
      numbers.fail(element, (": the name \"%s\" is that of the body at line %d"):format(name,
        c.body_names[name].element.line))
    end
    c.body_names[name] = body
  end
  class = element.attributes.childclass or class
  if not is_world then body.pose = views.pose(c, views.new(c, element, "body", { name }, class)) end
  local inertials = each(element, "inertial")
  if #inertials > 1 then numbers.fail(inertials[2], (": body \"%s\" has another one"):format(name)) end
  local from_geoms = not is_world and
    (c.inertia_from_geoms == "true" or c.inertia_from_geoms == "auto" and not inertials[1])
  local sites = 0
  for _, child in ipairs(element.children) do
    if is_leaf[child.name] then
      for _, below in ipairs(child.children) do c:leave(below, "", "not known here") end
    end
    if child.name == "joint" or child.name == "freejoint" then
      if is_world then numbers.fail(child, ": the world does not move; joints are children of bodies") end
      body.joints[#body.joints + 1] = read_joint(c, child, body, class, #body.joints + 1)
    elseif child.name == "geom" then
      body.geoms = (body.geoms or 0) + 1
      read_geom(c, child, body, class, body.geoms, from_geoms)
    elseif child.name == "site" then
      sites = sites + 1
      local own, paths = named(c, child, name .. ".site" .. (sites > 1 and sites or ""))
      local pose = views.pose(c, views.new(c, child, "site", paths, class))
      if own then
        once(c.site_names, own, child, "site")
        body.sites[#body.sites + 1] = { element = child, kind = "site", name = own, pose = pose, body = body }
        c.site_names[own] = body.sites[#body.sites]
      end
    elseif child.name == "inertial" then
      if not from_geoms and not is_world then body.solids[1] = read_inertial(c, child, body) end
    elseif child.name == "body" then
      -- After all of the parent's own: in the order of MuJoCo's bodies the joints of a parent go first.
    elseif makes_bodies[child.name] then
      numbers.fail(child, (": bodies by <%s> cannot be read; let MuJoCo save the model, which writes them out")
        :format(child.name))
    elseif not elements.ignored.body[child.name] then
      c:leave(child, "", elements.reasons[child.name] or "not known here")
    end
  end
  for _, child in ipairs(each(element, "body")) do
    body.children[#body.children + 1] = read_body(c, child, body, class)
  end
  return body
end

-- One line, if any two geoms could touch.
local function leave_contacts(c)
  if c.no_contact then return end
  local function fixed_on(body)
    while body.parent and #body.joints == 0 do body = body.parent end
    return body
  end
  for i, one in ipairs(c.surfaces) do
    for k = 1, i - 1 do
      local other = c.surfaces[k]
      local a, b = fixed_on(one.body), fixed_on(other.body)
      local near = a == b or a.parent and fixed_on(a.parent) == b and b.parent or
        b.parent and fixed_on(b.parent) == a and a.parent
      if not near and (one.type & other.affinity ~= 0 or other.type & one.affinity ~= 0) then
        c:leave(one.element, "", "contact is not modelled, here and elsewhere (m:contact)")
        return
      end
    end
  end
end

local function scale_masses(c, body, factor)
  for _, solid in ipairs(body.solids) do
    solid.mass = solid.mass * factor
    for k = 1, 6 do solid.inertia[k] = solid.inertia[k] * factor end
  end
  for _, child in ipairs(body.children) do scale_masses(c, child, factor) end
end

local function total_mass(body)
  local sum = 0
  if body.parent then
    for _, solid in ipairs(body.solids) do sum = sum + solid.mass end
  end
  for _, child in ipairs(body.children) do sum = sum + total_mass(child) end
  return sum
end

--- Declares the model in c.m.
function mjcf.read(c, root, key)
  c.what_has_mass = "an <inertial>, or a <geom> with a mass"
  c.read_pose = function(view) return views.pose(c, view) end
  c.bodies, c.body_names, c.joints, c.joint_names, c.site_names, c.surfaces = 0, {}, {}, {}, {}, {}
  c.classes, c.defaults = { main = { attributes = {} } }, 0
  include(c, root, 0)
  for _, element in ipairs(each(root, "default")) do views.read_default(c, element, nil) end
  read_compiler(c, root)
  if c.mesh_folder ~= "" then c.mesh_folder = c.mesh_folder:gsub("/*$", "/") end
  read_option(c, root)
  meshes.read(c, root)
  local world
  for _, element in ipairs(each(root, "worldbody")) do
    if world then
      table.move(element.children, 1, #element.children, #world.children + 1, world.children)
    else
      world = element
    end
  end
  if not world then numbers.fail(root, " has no <worldbody>, and so no bodies") end
  for _, element in ipairs { root, world } do
    for name in pairs(element.attributes) do
      if name ~= "model" then c:leave(element, name, "not known here") end
    end
  end
  c.names_of_bodies = find_names_of_bodies(world, {})
  world = read_body(c, world, nil, nil)
  if c.total_mass then scale_masses(c, world, c.total_mass / total_mass(world)) end
  couplings.read_key(c, root, key)
  tree.build(c, world)
  leave_contacts(c)
  tendons.read(c, root)
  couplings.read(c, root, world)
  actuators.read(c, root)
  for _, child in ipairs(root.children) do
    local known = { compiler = 1, option = 1, default = 1, worldbody = 1, equality = 1, actuator = 1, keyframe = 1,
                    tendon = 1 }
    if child.name == "deformable" or child.name == "contact" or child.name == "extension" then
      for _, each_one in ipairs(child.children) do
        if each_one.name ~= "exclude" and each_one.name ~= "skin" then
          c:leave(each_one, "", elements.reasons[child.name])
        end
      end
    elseif not known[child.name] and not elements.ignored.mujoco[child.name] then
      c:leave(child, "", "not known here")
    end
  end
end

return mjcf
