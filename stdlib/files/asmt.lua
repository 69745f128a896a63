-- Assembly text of FreeCAD (OndselSolver, *.asmt): parts with their mass and markers, joints (perilune.files.asmt_joints)
-- and motions (perilune.files.asmt_motions). Numbers are in the file's unit of length, kg, s and rad.
local mbs = require "perilune"
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local outline = require "perilune.files.outline"
local tree = require "perilune.files.tree"
local joints = require "perilune.files.asmt_joints"
local motions = require "perilune.files.asmt_motions"
local loads = require "perilune.files.asmt_loads"
local inertias = require "perilune.files.inertias"

local asmt = {}

-- What is read, and what is not part of the motion.
local known = {
  Assembly = "Notes Name Position3D RotationMatrix Velocity3D Omega3D RefPoints RefCurves RefSurfaces Parts " ..
    "KinematicIJs ConstraintSets ForceTorques ConstantGravity SimulationParameters AnimationParameters",
  Part = "Name Position3D RotationMatrix Velocity3D Omega3D FeatureOrder PrincipalMassMarker RefPoints RefCurves RefSurfaces",
  PrincipalMassMarker = "Name Position3D RotationMatrix Mass MomentOfInertias Density",
  RefPoint = "Position3D RotationMatrix Markers", Marker = "Name Position3D RotationMatrix",
  ConstraintSets = "Joints Motions Limits GeneralConstraintSets",
}

local reasons = {
  RefCurves = "curves are not modelled", RefSurfaces = "surfaces are not modelled",
  KinematicIJs = "kinematic quantities are not read (m:signal)",
  Limits = "limits are not modelled (m:bump_stop)",
  GeneralConstraintSets = "general constraints are not read (m:constraint)",
}

local function check(c, element) outline.check(c, element, known[element.name]) end

-- One line for each of what stands in a section that is not modelled.
local function leave_section(c, element, name)
  local section = outline.child(element, name)
  for _, child in ipairs(section and section.children or {}) do c:leave(child, "", reasons[name]) end
end

-- The rows of a matrix that turns the record's own axes into those that it is given in.
local function rotation_of(c, view)
  if not view.attributes.RotationMatrix then return rotations.identity end
  local m = c.numbers:list(view, "RotationMatrix", { most = 9 })
  local axes, value = { {}, {}, {} }, rotations.value
  for k = 1, 3 do
    for row = 1, 3 do axes[k][row] = m[3 * (row - 1) + k] end
  end
  local off = math.abs(value(rotations.dot(rotations.cross(axes[1], axes[2]), axes[3])) - 1)
  for i = 1, 3 do
    for k = 1, i do
      off = math.max(off, math.abs(value(rotations.dot(axes[i], axes[k])) - (i == k and 1 or 0)))
    end
  end
  if not (off < 1e-5) then
    numbers.fail(view.attributes.RotationMatrix.element, ": the three rows are no rotation: they must be unit vectors at " ..
      "right angles, and right-handed")
  end
  return rotations.normalized(rotations.of_axes(axes[1], axes[2], axes[3]))
end

local function length_of(c, view, attribute, per)
  local list = c.numbers:vector(view, attribute, { 0, 0, 0 }, c.unit.name .. (per or ""))
  return { c.unit.to_si(list[1]), c.unit.to_si(list[2]), c.unit.to_si(list[3]) }
end

local function pose_of(c, view)
  return { pos = length_of(c, view, "Position3D"), quat = rotation_of(c, view) }
end

-- RefPoints are frames that carry markers; a path of a marker is that of the file: Part1.Marker1.Position3D.x.
local function read_markers(c, element, owner)
  for _, point in ipairs((outline.child(element, "RefPoints") or { children = {} }).children) do
    if point.name ~= "RefPoint" then
      c:leave(point, "", "not known here")
    else
      check(c, point)
      local list = (outline.child(point, "Markers") or { children = {} }).children
      local first = list[1] and outline.text(list[1], "Name") or "RefPoint"
      local frame = pose_of(c, outline.view(point, owner.name .. "." .. first .. ".RefPoint"))
      for _, marker in ipairs(list) do
        if marker.name ~= "Marker" then numbers.fail(marker, ": expected the record Marker") end
        check(c, marker)
        local name = outline.needed(marker, "Name")
        local path = owner.path .. "/" .. name
        if c.markers[path] then
          numbers.fail(marker, (": %s is the marker at line %d, too"):format(path, c.markers[path].element.line))
        end
        local pose = rotations.compose(frame, pose_of(c, outline.view(marker, owner.name .. "." .. name)))
        c.markers[path] = { element = marker, name = name, path = path, owner = owner,
                            pose = rotations.compose(owner.place, pose) }
        c.marker_order[#c.marker_order + 1] = c.markers[path]
      end
    end
  end
end

local function read_mass(c, part)
  local element = outline.child(part.element, "PrincipalMassMarker")
  if not element then numbers.fail(part.element, (" \"%s\": the record PrincipalMassMarker is missing"):format(part.name)) end
  check(c, element)
  local view = outline.view(element, part.name .. ".PrincipalMassMarker")
  local mass, unit = c.numbers:one(view, "Mass", nil, "kg"), c.unit
  local moments = c.numbers:vector(view, "MomentOfInertias", nil, ("kg %s^2"):format(unit.name))
  local value = rotations.value
  if not (value(mass) > 0) then
    numbers.fail(view.attributes.Mass.element, (" of part \"%s\" must be positive, got %g"):format(part.name, value(mass)))
  end
  for k = 1, 3 do
    if value(moments[k]) < 0 then
      numbers.fail(view.attributes.MomentOfInertias.element, (" of part \"%s\" must not be negative, got %g"):format(
        part.name, value(moments[k])))
    end
  end
  local only_ones = value(mass) == 1
  for token in view.attributes.MomentOfInertias.text:gmatch "%S+" do only_ones = only_ones and tonumber(token) == 1 end
  if only_ones then
    c:leave(element, "", ("mass 1 kg and moments of inertia 1 kg %s^2 are what FreeCAD writes for any part; give its own")
      :format(unit.name))
  end
  local pose = pose_of(c, view)
  local inertia = { 0, 0, 0, 0, 0, 0 }
  for k = 1, 3 do inertia[k] = unit.to_si(moments[k], 2) end
  inertia = inertias.possible(c, view.attributes.MomentOfInertias.element, inertia, ("of part \"%s\""):format(part.name))
  return { mass = mass, center_of_mass = pose.pos, inertia = rotations.turned_inertia(pose.quat, inertia) }
end

local function read_part(c, element)
  if element.name ~= "Part" then numbers.fail(element, ": expected the record Part") end
  check(c, element)
  local name = outline.needed(element, "Name")
  local part = { element = element, name = name, path = c.assembly .. "/" .. name, moves = true,
                 place = rotations.origin }
  if c.parts[name] then
    numbers.fail(element, (" \"%s\": that is the name of the part at line %d"):format(name, c.parts[name].element.line))
  end
  local view = outline.view(element, name)
  part.drawn = pose_of(c, view)
  part.v = length_of(c, view, "Velocity3D", "/s")
  part.w = c.numbers:vector(view, "Omega3D", { 0, 0, 0 }, "rad/s")
  part.solid = read_mass(c, part)
  read_markers(c, element, part)
  for _, section in ipairs { "RefCurves", "RefSurfaces" } do leave_section(c, element, section) end
  part.object_name = c.names:new(name, "part")
  c.parts[name] = part
  c.part_order[#c.part_order + 1] = part
end

local function declare_part(c, part)
  local call = c.call(part.element)
  part.object = call(c.m, "body", {
    part.object_name, inertia_of = call(nil, mbs.assembly, { part.solid }), at = part.drawn.pos,
    orientation = part.drawn.quat, velocity = part.v,
    angular_velocity = rotations.rotate(rotations.inverse(part.drawn.quat), part.w),
  })
end

-- c.unit: its name, how many m it is, and what brings numbers in it, or in a power of it, to SI units.
local function choose_unit(c, unit)
  local factors = { mm = 1e-3, m = 1 }
  if unit and not factors[unit] then
    error { argument = ("unit must be \"mm\" or \"m\", got \"%s\""):format(unit) }
  end
  if not unit and c.title ~= "OndselAssembly" then
    error { argument = ("'%s' does not say its unit of length, nor did FreeCAD name it; write unit = \"mm\" or " ..
      "unit = \"m\""):format(c.file) }
  end
  unit = unit or "mm"
  local factor = factors[unit]
  c.unit = { name = unit, factor = factor, to_si = function(x, power)
    return math.type(x) and x * factor ^ (power or 1) or x  -- as expressions, parameters are in SI units already
  end }
end

--- Declares the model in c.m.
function asmt.read(c, root, key, unit)
  if key then error { argument = ("'%s' is assembly text, which has no keyframes; leave key out"):format(c.file) } end
  c.title = outline.needed(root, "Name")
  choose_unit(c, unit)
  c.assembly = "/" .. c.title
  c.parts, c.part_order, c.markers, c.marker_order = {}, {}, {}, {}
  check(c, root)
  local view = outline.view(root, c.title)
  local ground = { element = root, name = c.title, path = c.assembly, moves = false, object = c.m.ground,
                   drawn = rotations.origin, place = pose_of(c, view), v = { 0, 0, 0 }, w = { 0, 0, 0 } }
  for _, attribute in ipairs { "Velocity3D", "Omega3D" } do
    local record = view.attributes[attribute]
    if record and record.text:find "[1-9]" then c:leave(record.element, "", "the assembly itself stands still") end
  end
  c.gravity = length_of(c, view, "ConstantGravity", "/s^2")
  c.call(root)(c.m, "set_gravity", c.gravity)
  read_markers(c, root, ground)
  for _, element in ipairs((outline.child(root, "Parts") or { children = {} }).children) do read_part(c, element) end
  if #c.part_order == 0 then numbers.fail(root, " has no parts") end
  local sets = outline.child(root, "ConstraintSets")
  if sets then check(c, sets) end
  joints.read(c, sets and outline.child(sets, "Joints"))
  motions.read(c, sets and outline.child(sets, "Motions"))
  for _, part in ipairs(c.part_order) do declare_part(c, part) end
  for _, marker in ipairs(c.marker_order) do
    local owner = marker.owner
    local name = owner.moves and owner.object_name .. "_" .. marker.name or marker.name
    tree.marker(c, marker.element, owner, marker.pose, c.names:new(name, "marker"))
  end
  joints.declare(c)
  motions.declare(c)
  loads.declare(c, outline.child(root, "ForceTorques"))
  if sets then
    for _, section in ipairs { "Limits", "GeneralConstraintSets" } do leave_section(c, sets, section) end
  end
  for _, section in ipairs { "RefCurves", "RefSurfaces", "KinematicIJs" } do
    leave_section(c, root, section)
  end
  local parameters = outline.child(root, "SimulationParameters")
  local start, record = outline.text(parameters or root, "tstart")
  if start and tonumber(start) ~= 0 then c:leave(record, "", "runs begin at time 0") end
end

return asmt
