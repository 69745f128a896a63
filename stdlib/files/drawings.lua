-- Meshes that pictures of mechanisms from files show.
local drawings = {}

--- Whether pictures can show this file; notes why not.
function drawings.has_file(c, element, file)
  local ending = file:lower():match "%.[^./]*$"
  if ending ~= ".stl" and ending ~= ".obj" then
    c:leave(element, "", "pictures show meshes of STL and OBJ files alone; convert it")
    return false
  end
  local handle <close> = io.open(file, "rb")
  if not handle or not handle:read(0) then
    c:leave(element, "", "pictures lack the meshes whose files are not there or cannot be read")
    return false
  end
  return true
end

--- What tree.lua draws of solids without weight that `make` returns at a pose in the frame of its body. What is wrong with
--- the files of meshes spoils pictures alone, and is noted.
function drawings.add(c, element, body, pose, make, is_hidden)
  local function make_readable(at)
    local done, parts = pcall(make, at)
    if done then return parts end
    local problem = type(parts) == "string" and parts:match "mesh: ('[^\n]-': [^\n]*)"
    if not problem then error(parts, 0) end
    c:leave(element, "", "pictures leave it out: " .. problem)
    return {}
  end
  body.shapes[#body.shapes + 1] = { pose = pose, make = make_readable, is_hidden = is_hidden }
end

return drawings
