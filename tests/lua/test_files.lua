-- What was there before stays until a new file is complete, and output that does not arrive is an error.
local check = require "check"
local program = arg[-1]
if not program:find "^/" then program = os.getenv "PWD" .. "/" .. program end

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  local _, _, code = pipe:close()
  return text, code
end

local folder = output_of "mktemp -d":gsub("\n", "")

-- What a shell command says there on both outputs together, and its exit code.
local function run(command)
  return output_of(("cd %s && exec 2>&1; %s"):format(folder, (command:gsub("PERILUNE", program))))
end

local function write(name, text)
  local file <close> = assert(io.open(folder .. "/" .. name, "wb"))
  assert(file:write(text))
end

local function read(name)
  local file <close> = assert(io.open(folder .. "/" .. name, "rb"))
  return file:read "a"
end

local function says(command, text, code)
  local said, got = run(command)
  if not said:find(text, 1, true) or got ~= code then
    error(("%s\nexpected %s and: %s\ngot %s and: %s"):format(command, code, text, got, said), 2)
  end
end

-- Every writer, where files cannot have more than 512 bytes (in some shells 1024).
write("writers.lua", [[
local mbs = require "perilune"
local m = mbs.model { "flight", gravity = { 0, -10 } }
local v = m:param { "v", 3, min = 0, max = 20 }
local P = m:point { "P", at = { 0, 0 }, velocity = { v, 5 }, mass = 1 }
local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-2 } }
local far = m:objective { "far", terminal = (P.x - 4) ^ 2 }
local found = mbs.sweep { far, over = { v }, t = 1, integrator = mbs.rk4 { step = 1 }, design = mbs.grid { 60 } }
local best = m:optimize { minimize = far, over = { v } }
local numbers = {}
for i = 1, 400 do numbers[i] = i / 7 end

local writers = {
  ["run.csv"] = function(path) run:csv(path) end,
  ["run.json"] = function(path) run:json(path) end,
  ["run.mat"] = function(path) run:mat(path) end,
  ["run.svg"] = function(path) run:svg(path, "P.y") end,
  ["run.gp"] = function(path) run:gnuplot(path, "P.y") end,
  ["run.html"] = function(path) run:view(path) end,
  ["run.pvd"] = function(path) run:vtk(path) end,
  ["sketch.svg"] = function(path) m:sketch { path, run = run } end,
  ["compare.html"] = function(path) mbs.compare { path, run, run } end,
  ["chart.svg"] = function(path) mbs.chart { path, curves = { { "c", x = numbers, y = numbers } } } end,
  ["table.json"] = function(path) mbs.write_json(path, numbers) end,
  ["table.mat"] = function(path) mbs.write_mat(path, { a = numbers }) end,
  ["sweep.csv"] = function(path) found:csv(path) end,
  ["sweep.json"] = function(path) found:json(path) end,
  ["sweep.svg"] = function(path) found:svg(path) end,
  ["optimum.svg"] = function(path) best:convergence(path) end,
  ["optimum.html"] = function(path) best:page(path) end,
}
local function write(name, text)
  local file <close> = assert(io.open(name, "wb"))
  assert(file:write(text))
end
write("run_0000.vtp", "old run_0000.vtp")
for name, writer in pairs(writers) do
  write(name, "old " .. name)
  local ok, message = pcall(writer, name)
  if ok or not message:find("cannot write 'run_0000.vtp': File too large", 1, true)
    and not message:find("cannot write '" .. name .. "': File too large", 1, true) then
    print(name .. ": " .. tostring(message))
  end
end
for name in pairs(writers) do
  local file <close> = assert(io.open(name, "rb"))
  local text = file:read "a"
  if text ~= "old " .. name then print(name .. " is not what it was") end
end
print "tried"
]])
local said, code = run "ulimit -f 1; PERILUNE writers.lua"
check.equal(said, "tried\n")
check.equal(code, 0)
check.equal(read "run_0000.vtp", "old run_0000.vtp")
check.equal(run "ls -A | grep -v '^[a-z_0-9]*[.][a-z]*$'", "", "left over")

-- The same for the commands that write files, whose old ones stay.
says("mkdir meta; echo old > meta/joints.lua; ulimit -f 1; PERILUNE doc --meta meta", "cannot write 'meta/", 1)
check.equal(read "meta/joints.lua", "old\n")
check.equal(run "ls -A meta | grep perilune-", "", "left over")
says("ulimit -f 0; PERILUNE init project", "cannot write 'project/", 1)
check.equal(run "ls -A project", "", "left over")

-- What is not a plain file, or has more than its name, stays what it is.
write("short.lua", "require('perilune').write_json(arg[1], 'new')")
local new = '"new"\n'
run "echo old > target; ln -s target link; chmod 640 target; PERILUNE short.lua link"
check.equal(read "target", new)
check.equal(run "readlink link; stat -c %a target", "target\n640\n")
run "echo old > one; ln one two; PERILUNE short.lua two"
check.equal(read "one", new)
check.equal(run "ln -s nowhere dangling; PERILUNE short.lua dangling; readlink dangling; cat nowhere", "nowhere\n" .. new)
check.equal(run "umask 027; PERILUNE short.lua fresh; stat -c %a fresh", "640\n")
check.equal(run "PERILUNE short.lua /dev/stdout | cat; PERILUNE short.lua /dev/stderr", new .. new)
check.equal(run "mkfifo pipe; PERILUNE short.lua pipe & cat pipe; test -p pipe && echo pipe", new .. "pipe\n")
check.equal(run "PERILUNE -e 'print(1)' short.lua /dev/stdout > log; cat log", "1\n" .. new)
says("PERILUNE short.lua /dev/full", "cannot write '/dev/full': No space left on device", 1)
says("PERILUNE short.lua nowhere_else/x.json", "cannot write 'nowhere_else/x.json': No such file or directory", 1)
says("mkdir sub; PERILUNE short.lua sub", "cannot write 'sub': Is a directory", 1)
local user = output_of "id -u"
if user ~= "0\n" then
  says("echo old > locked; chmod 400 locked; PERILUNE short.lua locked", "cannot write 'locked': Permission denied", 1)
  check.equal(read "locked", "old\n")
  -- No file can be made beside it.
  run "mkdir closed; echo old > closed/open; chmod 500 closed; PERILUNE short.lua closed/open; chmod 700 closed"
  check.equal(read "closed/open", new)
end

-- A signal in the midst of writing, as far as that can be met from here.
write("slow.lua", [[
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -10 } }
m:point { "P", at = { 0, 0 }, mass = 1 }
local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-5 } }
print "ready"
while true do run:csv "slow.csv" end
]])
for signal, expected in pairs { INT = 130, TERM = 143 } do
  local text = run("echo old > slow.csv; mkfifo " .. signal .. "; PERILUNE slow.lua > " .. signal .. " & id=$!; "
    .. "read line < " .. signal .. "; sleep 0.1; kill -" .. signal .. " $id; wait $id; echo code $?")
  check.equal(text:match "code (%d+)", tostring(expected), signal)
  check.equal(run "ls -A | grep perilune-", "", "left over after " .. signal)
end

-- Short files are made and replaced all the time: most signals come while one is.
write("short_ones.lua", [[
local mbs = require "perilune"
print "ready"
while true do mbs.write_json("short.json", 1) end
]])
run "mkfifo ready"
for k = 1, 20 do
  run(("PERILUNE short_ones.lua > ready & id=$!; read line < ready; sleep 0.0%d; kill $id; wait $id"):format(k))
  check.equal(run "ls -A | grep perilune-", "", "left over after signal " .. k)
end

-- The standard output.
local full = "perilune: cannot write the standard output: "
write("print.lua", "print 'hello'")
write("write.lua", "io.write(('x'):rep(1e5))")
write("exit.lua", "io.write 'x' os.exit(true)")
write("exit_now.lua", "io.write 'x' os.exit(0, false)")
for _, command in ipairs { "print.lua", "write.lua", "exit.lua", "exit_now.lua", "-e 'print(1)'", "-v", "-h",
  "doc --json", "doc --man", "doc --luacheck", "-e 'require(\"perilune\").help()'", "exercise list", "init project",
  "exercise hint 01", "exercise report", "-i < /dev/null", "- < print.lua" } do
  said, code = run("PERILUNE " .. command .. " > /dev/full")
  assert(said:find("^" .. full .. "[^\n]+\n$"), command .. ": " .. said)
  check.equal(code, 1, command)
end
says("PERILUNE -e 'error(1)' > /dev/full", "perilune: 1\n", 1)
says("PERILUNE -e 'print(1) os.exit(7)' > /dev/full", full, 7)
says("PERILUNE print.lua >&-", "cannot write the standard output", 1)
write("jobs.lua", [[
local mbs = require "perilune"
local m = mbs.model { gravity = { 0, 0 } }
local v = m:param { "v", 3, min = 1, max = 4 }
local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
mbs.sweep { m:objective { terminal = P.x }, t = 1, integrator = mbs.rk4 { step = 1 }, design = mbs.grid { 2 } }
print "not a job"
]])
says("PERILUNE run jobs.lua --results done >&-", "cannot write the standard output", 1)
assert(not read "done":find("not a job", 1, true))
-- Nobody reads any more: as with any other program, whether the signal may end it or not.
check.equal(run "PERILUNE write.lua | head -c 1", "x")
check.equal(run "trap '' PIPE; PERILUNE write.lua | head -c 1", "x")
write("lines.lua", "for i = 1, 1e4 do print 'x' end")
check.equal(run "(trap '' PIPE; PERILUNE lines.lua; echo $? > code) | head -c 1; cat code", "x0\n")

-- Jobs that are done are kept, in memory and in the file, where the disk is full.
write("sweep.lua", [[
local mbs = require "perilune"
local m = mbs.model { "flight", gravity = { 0, 0 } }
local v = m:param { "v", 3, min = 1, max = 4 }
local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
local far = m:objective { "far", terminal = P.x }
local ok, message = pcall(mbs.sweep, { far, t = 1, integrator = mbs.rk4 { step = 1 }, design = mbs.grid { 40 } })
assert(not ok and message:find("cannot write 'jobs': File too large", 1, true), message)
print(#mbs.last_sweep)
]])
said, code = run "ulimit -f 1; export OMP_NUM_THREADS=1; PERILUNE run sweep.lua --results jobs"
local kept = tonumber(said)
check.equal(code, 0)
local lines = select(2, read "jobs":gsub("\n", ""))
assert(kept and kept > 0 and kept < 40, said)
-- Those that were on their way with the one that could not be written, up to seven, are in memory alone.
assert(lines > 0 and kept > lines and kept - lines <= 8, ("%d kept, %d written"):format(kept, lines))
check.equal(read "jobs":sub(-1), "\n")

assert(os.execute("rm -r " .. folder))
