-- What links of URDF look like: <visual>, and <collision> of links that have none.
local mbs = require "perilune"
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local drawings = require "perilune.files.drawings"

local shapes = {}

local lists = { box = { size = 3 }, sphere = { radius = 1 }, cylinder = { radius = 1, length = 1 }, mesh = { scale = 3 } }

-- Where a mesh of a package or of the file's folder may lie; nil where there is no such file.
local function path_of(c, name)
  local plain = name:gsub("^file://", "")
  if plain:sub(1, 1) == "/" then return plain end
  local package, rest = plain:match "^package://([^/]+)/(.*)$"
  if not package then return c.folder .. plain end
  for _, above in ipairs { "", "../", "../../" } do
    for _, below in ipairs { package .. "/" .. rest, rest } do
      local candidate = c.folder .. above .. below
      local handle <close> = io.open(candidate, "rb")
      if handle then return candidate end
    end
  end
  return c.folder .. rest
end

local makers = {
  box = function(sizes, at, turn) return mbs.box { size = sizes.size, at = at, orientation = turn } end,
  sphere = function(sizes, at, turn) return mbs.sphere { radius = sizes.radius, at = at, orientation = turn } end,
  cylinder = function(sizes, at, turn)
    return mbs.cylinder { radius = sizes.radius, length = sizes.length, axis = "z", at = at, orientation = turn }
  end,
  mesh = function(sizes, at, turn)
    return mbs.mesh { sizes.file, scale = 1, stretch = sizes.scale, at = at, orientation = turn }
  end,
}

-- The sizes of the shape by name; nil with a note where it cannot be drawn.
local function sizes_of(c, element, view)
  local sizes = {}
  for name, count in pairs(lists[element.name]) do
    if element.attributes[name] then
      local list = c.numbers:list(view, name, {
        most = count, labels = count > 1 and numbers.xyz or nil, unit = element.name ~= "mesh" and "m" or nil,
      })
      sizes[name] = count > 1 and list or list[1]
      for _, x in ipairs(list) do
        local value = rotations.value(x)
        if value == 0 or value < 0 and name ~= "scale" then
          c:leave(element, name, "must be positive: pictures leave it out")
          return nil
        end
      end
    elseif name ~= "scale" then
      c:leave(element, "", ("has no %s: pictures leave it out"):format(name))
      return nil
    end
  end
  if element.name ~= "mesh" then return sizes end
  if not element.attributes.filename then
    c:leave(element, "", "has no filename: pictures leave it out")
    return nil
  end
  sizes.file = path_of(c, element.attributes.filename)
  return drawings.has_file(c, element, sizes.file) and sizes or nil
end

--- Adds how a <visual> or <collision> looks to the body. `pose` is that of its <origin>; `view_of` (element, path) shows
--- attributes to the reader of numbers.
function shapes.add(c, visual, body, path, pose, view_of)
  for _, geometry in ipairs(visual.children) do
    for _, element in ipairs(geometry.name == "geometry" and geometry.children or {}) do
      if not makers[element.name] then
        c:leave(element, "", "no shape that pictures know: box, cylinder, sphere, mesh")
      else
        local sizes = sizes_of(c, element, view_of(element, path .. "." .. element.name))
        local make = makers[element.name]
        if sizes then
          drawings.add(c, element, body, pose, function(at)
            return { c.call(element)(nil, function(place) return make(sizes, place.pos, place.quat) end, at) }
          end)
        end
      end
    end
  end
end

return shapes
