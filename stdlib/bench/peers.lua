-- Programs of other libraries, which the target peers of the build makes where these are installed. Each is run with the
-- name of a problem, the length of its motion, and a step or tolerance; it prints seconds, steps and numbers to compare.
local peers = { names = { "mujoco", "simbody", "sundials" } }

local words = { mujoco = "rk4, step %g s", simbody = "accuracy %g", sundials = "adams, tolerance %.0e" }

local function path_of(name, folder) return ("%s/perilune_peer_%s"):format(folder, name) end

--- Whether the program is there.
function peers.exists(name, folder)
  local file = io.open(path_of(name, folder), "rb")
  if file then file:close() end
  return file ~= nil
end

--- The row of one run, with the numbers that it prints behind seconds and steps.
function peers.row(name, folder, problem, t, step)
  local path = path_of(name, folder)
  local pipe = assert(io.popen(("'%s' %s %g %.17g"):format(path:gsub("'", "'\\''"), problem, t, step)))
  local numbers = {}
  for word in pipe:read "a":gmatch "%S+" do numbers[#numbers + 1] = tonumber(word) end
  if not pipe:close() or #numbers < 3 then error(("%s has no answer for %s"):format(path, problem)) end
  return { problem = problem, program = name, method = words[name]:format(step), seconds = numbers[1],
           steps = math.tointeger(numbers[2]), factorizations = nil },
         table.move(numbers, 3, #numbers, 1, {})
end

return peers
