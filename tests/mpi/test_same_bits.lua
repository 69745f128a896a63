-- Whatever the number of processes, results have the same bits.
local here = arg[0]:match "^(.*)/"
package.path = here .. "/?.lua;" .. package.path
local launch = require "launch"

local script = ("'%s/everything.lua'"):format(here)
local alone, complaints, code = launch.shell(("'%s' %s"):format(launch.perilune, script))
assert(code == 0 and complaints == "", complaints)
assert(select(2, alone:gsub("\n", "")) == 80, "lines: " .. select(2, alone:gsub("\n", "")))

for threads = 1, 2 do
  for count = 2, 3 do
    local together, said, status = launch.processes(count, script, threads)
    assert(status == 0, said)
    assert(together == alone, ("%d processes of %d threads differ:\n%s"):format(count, threads, together))
  end
end
