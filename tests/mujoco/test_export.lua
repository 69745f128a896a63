-- What m:export writes moves in MuJoCo as the model does here: states at 0.1 s to 1e-6.
-- perilune test_export.lua mujoco_states folder
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. arg[0]:gsub("[^/]*$", "../lua/?.lua;") .. package.path
local compare = require "compare"
for name, case in pairs { exported_model = { ".xml", "start", bodies = 7 }, exported_robot = { ".urdf", bodies = 5 } } do
  local file = arg[2] .. "/" .. name .. case[1]
  require(name)():export(file)
  local worst, where, count = compare.motion(arg[1], file, 0.1, case[2], 1e-4)
  print(("%s: %d bodies, differs by %.1e at %s"):format(name, count, worst, where))
  assert(count == case.bodies and worst < 1e-6)
end
