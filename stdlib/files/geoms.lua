-- Geoms of MJCF as mass properties and as shapes for pictures.
local mbs = require "perilune"
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local meshes = require "perilune.files.mjcf_meshes"
local drawings = require "perilune.files.drawings"

local geoms = {}

local least_sizes = { sphere = 1, capsule = 2, cylinder = 2, box = 3, ellipsoid = 3 }

-- Volume, and Jxx, Jyy, Jzz about the middle per mass; z is the axis of capsules and cylinders.
local function of_sphere(s)
  local J = 2 / 5 * s[1] ^ 2
  return 4 / 3 * math.pi * s[1] ^ 3, { J, J, J }
end

local function of_cylinder(s)
  local r, l = s[1], 2 * s[2]
  return math.pi * r ^ 2 * l, { (3 * r ^ 2 + l ^ 2) / 12, (3 * r ^ 2 + l ^ 2) / 12, r ^ 2 / 2 }
end

-- A cylinder between two halves of a sphere, whose centres of mass are 3/8 r beyond its ends.
local function of_capsule(s)
  local r, l = s[1], 2 * s[2]
  local balls, tube = 4 / 3 * math.pi * r ^ 3, math.pi * r ^ 2 * l
  local volume = balls + tube
  local across = tube / volume * (3 * r ^ 2 + l ^ 2) / 12 +
                 balls / volume * (2 / 5 * r ^ 2 + l ^ 2 / 4 + 3 / 8 * l * r)
  return volume, { across, across, tube / volume * r ^ 2 / 2 + balls / volume * 2 / 5 * r ^ 2 }
end

local function of_box(s)
  local x, y, z = s[1] ^ 2, s[2] ^ 2, s[3] ^ 2
  return 8 * s[1] * s[2] * s[3], { (y + z) / 3, (x + z) / 3, (x + y) / 3 }
end

local function of_ellipsoid(s)
  local x, y, z = s[1] ^ 2, s[2] ^ 2, s[3] ^ 2
  return 4 / 3 * math.pi * s[1] * s[2] * s[3], { (y + z) / 5, (x + z) / 5, (x + y) / 5 }
end

local properties = { sphere = of_sphere, cylinder = of_cylinder, capsule = of_capsule, box = of_box,
                     ellipsoid = of_ellipsoid }

-- For pictures: lists of solids without mass.
local shapes = {
  sphere = function(s, at, orientation)
    return { mbs.sphere { radius = s[1], at = at, orientation = orientation } }
  end,
  cylinder = function(s, at, orientation)
    return { mbs.cylinder { radius = s[1], length = 2 * s[2], axis = "z", at = at, orientation = orientation } }
  end,
  box = function(s, at, orientation)
    return { mbs.box { size = { 2 * s[1], 2 * s[2], 2 * s[3] }, at = at, orientation = orientation } }
  end,
}
function shapes.ellipsoid(s, at, orientation)
  return { mbs.ellipsoid { semi_axes = { s[1], s[2], s[3] }, at = at, orientation = orientation } }
end
function shapes.capsule(s, at, orientation)
  local parts = shapes.cylinder(s, at, orientation)
  for _, side in ipairs { -1, 1 } do
    local ball = rotations.add(at, rotations.rotate(orientation, { 0, 0, side * s[2] }))
    parts[#parts + 1] = mbs.sphere { radius = s[1], at = ball }
  end
  return parts
end

-- Size, and pose in the body's frame. fromto gives the axis z, the middle and the last of the sizes.
local function dimensions(c, view, kind)
  local size = c.numbers:list(view, "size",
    { least = 1, most = 3, fallback = {}, labels = numbers.xyz, unit = "m", given_only = true })
  local pose = not view.attributes.fromto and c.read_pose(view) or nil
  local needed = least_sizes[kind]
  if view.attributes.fromto then
    if kind == "sphere" then numbers.fail(view.element, ": a sphere has no fromto; give pos") end
    local ends = c.numbers:list(view, "fromto", { most = 6, unit = "m" })
    local first, last = { ends[1], ends[2], ends[3] }, { ends[4], ends[5], ends[6] }
    local along = rotations.subtract(first, last)
    local axis = rotations.normalized(along)
    if not axis then numbers.fail(view.element, ": the points of fromto are the same; move one of them") end
    pose = { pos = rotations.scaled(rotations.add(first, last), 0.5), quat = rotations.of_z_axis(axis) }
    local half = math.sqrt(rotations.dot(along, along)) / 2
    size = needed == 2 and { size[1], half } or { size[1], size[1], half }
    needed = 1
  end
  for k = 1, needed do
    if not size[k] or not (rotations.value(size[k]) > 0) then
      numbers.fail(view.element, (": the size of a %s must have %d positive number%s%s"):format(kind, needed,
        needed > 1 and "s" or "", size[k] and (", got " .. rotations.value(size[k])) or ""))
    end
  end
  return size, pose
end

--- Adds to the body what the geom weighs, if `weighs`, and how it looks, if it is not hidden behind others.
function geoms.add(c, view, body, weighs, is_hidden)
  local kind = numbers.word(view, "type",
    { "sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "hfield", "mesh", "sdf" }, "sphere")
  if kind == "plane" or kind == "hfield" then return end
  local mass = weighs and view.attributes.mass and c.numbers:one(view, "mass", nil, "kg")
  local density = weighs and not mass and c.numbers:one(view, "density", 1000, "kg/m^3")
  local amount = mass or density or 0
  if rotations.value(amount) < 0 then
    numbers.fail(view.element, (": its %s must not be negative, got %g"):format(mass and "mass" or "density",
      rotations.value(amount)))
  end
  if view.attributes.mesh or kind == "mesh" or kind == "sdf" then
    local has_weight = not rotations.is_zero(amount)
    if kind ~= "mesh" then
      if not has_weight then return end
      numbers.fail(view.element, (": the mass of a %s that is fitted to a mesh is not computed; give it type=\"mesh\" or " ..
        "mass=\"0\", or body \"%s\" an <inertial>"):format(kind, body.name))
    end
    local pose = c.read_pose(view)
    if has_weight then body.solids[#body.solids + 1] = meshes.solid(c, view, pose, mass, density) end
    drawings.add(c, view.element, body, pose, function(at) return { meshes.solid(c, view, at) } end, is_hidden)
    return
  end
  local size, pose = dimensions(c, view, kind)
  if shapes[kind] then
    local call = c.call(view.element)
    drawings.add(c, view.element, body, pose, function(at)
      return call(nil, function(place) return shapes[kind](size, place.pos, place.quat) end, at)
    end, is_hidden)
  end
  if rotations.is_zero(amount) then return end
  local volume, unit = properties[kind](size)
  mass = mass or density * volume
  local inertia = { mass * unit[1], mass * unit[2], mass * unit[3], 0, 0, 0 }
  body.solids[#body.solids + 1] = {
    mass = mass, center_of_mass = pose.pos, inertia = rotations.turned_inertia(pose.quat, inertia),
  }
end

return geoms
