-- Scripts in several processes: launch(processes, command) returns what they print, what they complain of, and the
-- launcher's exit code.
local mpirun, perilune, folder = table.unpack(arg, 1, 3)
assert(folder, "usage: perilune test.lua MPIRUN PERILUNE FOLDER")

local launch = { perilune = perilune, folder = folder }

local function read(name)
  local file = assert(io.open(name))
  local text = file:read "a"
  file:close()
  return text
end

--- The text of a shell's command, with what it prints and says.
function launch.shell(command)
  local out, err = folder .. "/out.txt", folder .. "/err.txt"
  local _, _, code = os.execute(("{ %s ; } >'%s' 2>'%s'"):format(command, out, err))
  return read(out), read(err), code
end

--- `words`: what follows the name of the program. MPI itself has leaks.
function launch.command(count, words, threads)
  return ("'%s' -x OMP_NUM_THREADS=%d -x ASAN_OPTIONS=detect_leaks=0 --bind-to none -n %d '%s' %s"):format(
    mpirun, threads or 1, count, perilune, words)
end

function launch.processes(count, words, threads)
  return launch.shell("timeout 300 " .. launch.command(count, words, threads))
end

--- A file with this text in the folder; returns its name.
function launch.script(name, text)
  local path = folder .. "/" .. name
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

return launch
