-- Geoms of MJCF that are meshes of files, scaled along each axis: what they weigh and how they look.
local mbs = require "perilune"
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local views = require "perilune.files.mjcf_views"
local drawings = require "perilune.files.drawings"

local meshes = {}

--- Notes the meshes of the <asset> elements by name. Their files are read when a geom needs them.
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

-- The path of its file: of one that pictures alone need, nil and a note where it cannot be read.
local function file_of(c, mesh, weighs)
  local element = mesh.element
  mesh.view = mesh.view or views.new(c, element, "mesh", { "mesh." .. mesh.name })
  for _, attribute in ipairs { "refpos", "refquat" } do
    if mesh.view.attributes[attribute] then
      if weighs then numbers.fail(element, (": %s is not read; move and turn the geom instead"):format(attribute)) end
      c:leave(element, attribute, "pictures show the mesh without it; move and turn the geom instead")
    end
  end
  local record = mesh.view.attributes.file
  if not record then
    if weighs then numbers.fail(element, ": only meshes with a file are read; save the vertices as an OBJ file") end
    c:leave(element, "", "pictures show meshes with a file alone; save the vertices as an OBJ file")
    return nil
  end
  local file = c.strips_paths and record.text:match "([^/\\]*)$" or record.text
  if file:sub(1, 1) ~= "/" then
    file = c.mesh_folder .. file
    if file:sub(1, 1) ~= "/" then file = c.folder .. file end
  end
  if not weighs and not drawings.has_file(c, element, file) then return nil end
  return file
end

--- Mass, centre of mass, inertia and shape of a geom with this pose. `mass` or else `density` may be given; without
--- them it has a shape alone, or is nil where its file cannot be read.
function meshes.solid(c, view, pose, mass, density)
  local record = view.attributes.mesh
  if not record then numbers.fail(view.element, ": the attribute mesh is missing (the name of a mesh)") end
  local mesh = c.meshes[record.text]
  if not mesh then numbers.fail(record.element, (": there is no mesh \"%s\" in <asset>"):format(record.text)) end
  local weighs = mass or density
  local file = file_of(c, mesh, weighs)
  if not file then return nil end
  local inertia = mesh.view.attributes.inertia
  if weighs and not c.exact_meshes and not (inertia and inertia.text == "exact") then
    c:leave(inertia and inertia.element or mesh.element, "", "its geoms weigh what its surface encloses, which MuJoCo " ..
      "counts with exactmeshinertia=\"true\"; without that it counts more")
  end
  local stretch = c.numbers:vector(mesh.view, "scale", { 1, 1, 1 })
  for k = 1, 3 do
    if rotations.is_zero(stretch[k]) then numbers.fail(mesh.element, ": no number of its scale may be 0") end
  end
  return c.call(mesh.element)(nil, mbs.mesh, {
    file, scale = 1, stretch = stretch, mass = mass or nil, density = density or nil, at = pose.pos, orientation = pose.quat,
  })
end

return meshes
