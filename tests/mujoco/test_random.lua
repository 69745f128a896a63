-- Random models at 0.1 s as MuJoCo has them, to 1e-6. What is left where steps are small is MuJoCo's: it finds the axes of
-- inertia of bodies of several geoms, or of products of inertia, to some 1e-7.
-- perilune test_random.lua mujoco_states folder [first seed [count]]
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. package.path
local compare = require "compare"
local random_model = require "random_model"
local program, folder, seed, count = arg[1], arg[2], tonumber(arg[3] or 1), tonumber(arg[4] or 40)

local largest, unstable, failed = 0, 0, {}
for k = seed, seed + count - 1 do
  local name = ("%s/random_%d.xml"):format(folder, k)
  local file = assert(io.open(name, "w"))
  file:write(random_model(k))
  file:close()
  local done, worst, where
  for _, step in ipairs { 1e-4, 1e-5, 1e-6 } do
    done, worst, where = pcall(compare.motion, program, name, 0.1, "start", step)
    if done and worst < 1e-6 then break end
  end
  if not done and worst:find("The simulation is unstable", 1, true) then
    unstable = unstable + 1  -- in MuJoCo, near a position where two of three axes are parallel
  elseif not done then
    failed[#failed + 1] = name .. ": " .. worst
  elseif worst < 1e-6 then
    largest = math.max(largest, worst)
    os.remove(name)
  else
    failed[#failed + 1] = ("%s differs by %g at %s"):format(name, worst, where)
  end
end
print(("%d random models, largest difference %.1e; %d are unstable in MuJoCo"):format(count, largest, unstable))
assert(#failed == 0, table.concat(failed, "\n"))
