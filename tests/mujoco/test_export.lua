-- What m:export writes moves in MuJoCo as the model does here: states at 0.1 s to 1e-6.
-- perilune test_export.lua mujoco_states folder
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. package.path
local compare = require "compare"
local mbs = require "perilune"
local m = mbs.model { "rt", gravity = {0.3, 0, -9.81} }
local a = m:body { "a", mass = 1, inertia = {0.1, 0.12, 0.05, 0.01,0.002,0.003}, at = {1, 0, 0}, center_of_mass={0.1,0.2,0}, velocity={0,0,-0.7}, angular_velocity={0,0.7,0} }
m:revolute { "pivot", a, m.ground, at = {0, 0, 0}, axis = "y" }
local b = m:body { "b", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {1, 1, 0}, velocity={0,0,-0.7}, angular_velocity={0,0.7,0} }
m:spherical { "ball", a, b, at = {1, 0.5, 0} }
local d = m:body { "d", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {1, 2, 0}, velocity={0,0,-0.7}, angular_velocity={0,0.7,0} }
m:translational { "rail", b, d, at = {1, 1.5, 0}, axis = {0.3,1,0.2} }
local w = m:body { "w", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {1, 2, 1}, velocity={0.7,0,-0.7}, angular_velocity={0,0.7,0} }
m:weld { "w1", d, w, at={1,2,0} }
local f = m:body { "f", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {5, 2, 1}, orientation={1,0.2,0.3,0.4}, velocity={1,2,3}, angular_velocity={1,2,3} }
local g = m:body { "g", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {5, 2, 1}, orientation={1,0.2,0.3,0.4}, velocity={1,2,3}, angular_velocity={1,2,3} }
m:revolute { "fg", f, g, at={5,2,1}, axis={1,1,0} }
local file = arg[2] .. "/exported.xml"
m:export(file)
local worst, where, count = compare.motion(arg[1], file, 0.1, "start", 1e-4)
print(("exported: %d bodies, differs by %.1e at %s"):format(count, worst, where))
assert(count == 5 and worst < 1e-6)
