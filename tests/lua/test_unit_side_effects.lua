-- A unit of FMI runs its script again for the model alone, at the export already: what the script writes, removes and
-- starts is done once, by the script itself.
local check = require "check"
local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir '" .. folder .. "'"))
local function write(name, text)
  local file <close> = assert(io.open(folder .. "/" .. name, "w"))
  file:write(text)
end
local function read(name)
  local file <close> = assert(io.open(folder .. "/" .. name), name .. " is missing")
  return file:read "a"
end

write("kept.txt", "kept")
write("unit.lua", [[
local mbs = require "perilune"
local function append(file) file:write "once " file:close() end
append(assert(io.open("opened.txt", "a")))
append(assert(io.popen("cat >> piped.txt", "w")))
os.execute "echo once >> executed.txt"
os.remove "gone.txt"
os.rename("kept.txt", "moved.txt")
local own <close> = assert(io.open("own.xml", "w"))
own:write '<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0"/><geom size="0.1"/></body></worldbody></mujoco>'
own:flush()
local name = os.tmpname()
local scratch <close> = assert(io.open(name, "w"))
scratch:write "scratch"
scratch:flush()
assert(io.open(name):read "a" == "scratch" and os.remove(name))
mbs.read { "own.xml" }:export { "unit.fmu", outputs = { "j.angle" } }
]])
assert(os.execute(("cd '%s' && '%s' unit.lua > out.txt 2>&1"):format(folder, arg[-1])), read "out.txt")
check.equal(read "opened.txt", "once ")
check.equal(read "piped.txt", "once ")
check.equal(read "executed.txt", "once\n")
check.equal(read "moved.txt", "kept")
assert(#read "unit.fmu" > 0 and #read "own.xml" > 0)
os.execute("rm -r '" .. folder .. "'")
