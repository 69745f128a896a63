-- The robots that Debian's dart-doc installs as URDF, at 0.1 s as MuJoCo's reader of URDF has them: positions and orientations
-- to 1e-6, degrees of freedom, masses. Without pictures and shapes for contact, of which MuJoCo wants the meshes.
-- perilune test_public_urdf.lua mujoco_states folder [data of DART]
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. package.path
local compare = require "compare"
local program = arg[1]
local data = arg[3] or "/usr/share/doc/dart/data/"

local robots = {
  { "urdf/KR5/KR5 sixx R650.urdf", bodies = 6 }, { "urdf/wam/wam.urdf", bodies = 7 }, { "urdf/drchubo/drchubo.urdf", bodies = 51 },
  { "sdf/atlas/atlas_v3_no_head.urdf", bodies = 27 }, { "urdf/test/issue838.urdf", bodies = 1 },
}

for _, robot in ipairs(robots) do
  local file = io.open(data .. robot[1])
  if file then
    local text = file:read "a"
    file:close()
    for _, shapes in ipairs { "visual", "collision" } do
      text = text:gsub("<" .. shapes .. "[ >].-</" .. shapes .. ">", "")
    end
    local copy = arg[2] .. "/" .. robot[1]:match("[^/]*$"):gsub(" ", "_")
    local out <close> = assert(io.open(copy, "w"))
    out:write(text)
    out:flush()
    local worst, where, count, heaviest = compare.motion(program, copy, 0.1, nil, 1e-4)
    print(("%-28s %2d bodies, differs by %.1e at %s, masses by %.1e"):format(robot[1]:match "[^/]*$", count, worst, where, heaviest))
    assert(count == robot.bodies, robot[1] .. ": bodies are missing")
    assert(worst < 1e-6, robot[1])
    assert(heaviest < 1e-12, robot[1])
  else
    print(("%s is not there (Debian: dart-doc): not compared"):format(data .. robot[1]))
  end
end
