-- What m:export writes moves in MuJoCo as the model does here: states at 0.1 s to 1e-6.
-- perilune test_export.lua mujoco_states folder
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. arg[0]:gsub("[^/]*$", "../lua/?.lua;") .. package.path
local compare = require "compare"
local m = require "exported_model" ()
local file = arg[2] .. "/exported.xml"
m:export(file)
local worst, where, count = compare.motion(arg[1], file, 0.1, "start", 1e-4)
print(("exported: %d bodies, differs by %.1e at %s"):format(count, worst, where))
assert(count == 7 and worst < 1e-6)
