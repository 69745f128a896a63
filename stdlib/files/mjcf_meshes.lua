-- What geoms of MJCF weigh that are meshes of files, scaled along each axis.
local mbs = require "perilune"
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local views = require "perilune.files.mjcf_views"

local meshes = {}

--- Notes the meshes of the <asset> elements by name. Their files are read when a geom needs what they weigh.
function meshes.read(c, root)
  c.meshes = {}
  for _, asset in ipairs(root.children) do
    for _, element in ipairs(asset.name == "asset" and asset.children or {}) do
      local own = element.attributes
      local name = own.name or own.file and own.file:match "([^/\\]*)$":gsub("%.[^.]*$", "")
      if element.name == "mesh" and name then c.meshes[name] = { element = element, name = name } end
    end
  end
end

-- Volume, centre and second moments per volume about it in the axes of the file, xx, yy, zz, xy, xz, yz.
local function measured(c, mesh)
  local element = mesh.element
  mesh.view = views.new(c, element, "mesh", { "mesh." .. mesh.name })
  for _, attribute in ipairs { "refpos", "refquat" } do
    if mesh.view.attributes[attribute] then
      numbers.fail(element, (": %s is not read; move and turn the geom instead"):format(attribute))
    end
  end
  local inertia = mesh.view.attributes.inertia
  if not c.exact_meshes and not (inertia and inertia.text == "exact") then
    c:leave(inertia and inertia.element or element, "", "its geoms weigh what its surface encloses, which MuJoCo counts with " ..
      "exactmeshinertia=\"true\"; without that it counts more")
  end
  local record = mesh.view.attributes.file
  if not record then
    numbers.fail(element, ": only meshes with a file are read; save the vertices as an OBJ file")
  end
  local file = c.strips_paths and record.text:match "([^/\\]*)$" or record.text
  if file:sub(1, 1) ~= "/" then
    file = c.mesh_folder .. file
    if file:sub(1, 1) ~= "/" then file = c.folder .. file end
  end
  local part = c.call(element)(nil, mbs.mesh, { file, scale = 1, density = 1 })
  local J, volume = part.inertia, part.volume
  local half = (J[1] + J[2] + J[3]) / 2
  mesh.volume, mesh.center = volume, part.center_of_mass
  mesh.spread = { (half - J[1]) / volume, (half - J[2]) / volume, (half - J[3]) / volume,
                  -J[4] / volume, -J[5] / volume, -J[6] / volume }
end

--- Mass, centre of mass and inertia of a geom with this pose; `mass` or else `density` is given.
function meshes.solid(c, view, pose, mass, density)
  local record = view.attributes.mesh
  if not record then numbers.fail(view.element, ": the attribute mesh is missing (the name of a mesh)") end
  local mesh = c.meshes[record.text]
  if not mesh then numbers.fail(record.element, (": there is no mesh \"%s\" in <asset>"):format(record.text)) end
  if not mesh.view then measured(c, mesh) end
  local s = c.numbers:vector(mesh.view, "scale", { 1, 1, 1 })
  local growth = s[1] * s[2] * s[3]
  if rotations.is_zero(growth) then numbers.fail(mesh.element, ": no number of its scale may be 0") end
  -- Mirrored by a negative scale, it weighs the same.
  if rotations.value(growth) < 0 then growth = -growth end
  mass = mass or density * (mesh.volume * growth)
  local center, E = {}, mesh.spread
  for k = 1, 3 do center[k] = s[k] * mesh.center[k] end
  local xx, yy, zz = s[1] ^ 2 * E[1], s[2] ^ 2 * E[2], s[3] ^ 2 * E[3]
  local inertia = { mass * (yy + zz), mass * (xx + zz), mass * (xx + yy),
                    -mass * (s[1] * s[2] * E[4]), -mass * (s[1] * s[3] * E[5]), -mass * (s[2] * s[3] * E[6]) }
  return {
    mass = mass, center_of_mass = rotations.add(pose.pos, rotations.rotate(pose.quat, center)),
    inertia = rotations.turned_inertia(pose.quat, inertia),
  }
end

return meshes
