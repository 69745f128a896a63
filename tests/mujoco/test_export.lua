-- What m:export writes moves in MuJoCo as the model does here: states at 0.1 s to 1e-6.
-- perilune test_export.lua mujoco_states folder
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. arg[0]:gsub("[^/]*$", "../lua/?.lua;") .. package.path
local compare = require "compare"

local function same(name, m, ending, key, bodies)
  local file = arg[2] .. "/" .. name .. ending
  m:export(file)
  local worst, where, count = compare.motion(arg[1], file, 0.1, key, 1e-4)
  print(("%s: %d bodies, differs by %.1e at %s"):format(name, count, worst, where))
  assert(count == bodies and worst < 1e-6)
end

same("exported_model", require "exported_model" (), ".xml", "start", 7)
same("exported_robot", require "exported_robot" (), ".urdf", nil, 5)
same("standing", require "exported_plane".standing(), ".urdf", nil, 4)
for name, build in pairs(require "exported_plane".trees) do
  local m, bodies = build()
  same(name, m, ".xml", "start", #bodies)
end
