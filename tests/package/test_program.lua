-- Run by the installed program: its scripts, its files, and a project made by it.
-- perilune test_program.lua prefix
local prefix = arg[1]
local program = prefix .. "/bin/perilune"
local function output_of(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "a"
  assert(pipe:close(), command .. ": " .. text)
  return text
end
local function exists(name)
  local file = io.open(prefix .. "/" .. name)
  if file then file:close() end
  return file ~= nil
end

for _, name in ipairs { "share/perilune/scripts/mechanisms.lua", "share/perilune/meta/joints.lua",
  "share/perilune/scripts/exercises/01-pendulum/statement.md", "share/doc/perilune/scripts/exercises/README.md",
  "share/man/man1/perilune.1", "share/doc/perilune/copyright", "share/doc/perilune/docs/reference/README.md",
  "share/perilune/examples/embedding/main.cpp", "include/perilune/model/model.hpp" } do
  assert(exists(name), name .. " is not installed")
end
for _, name in ipairs { "teacher", "scripts/exercises/teacher", "scripts/teacher",
  "scripts/exercises/01-pendulum/wrong", "scripts/exercises/01-pendulum/checks.lua",
  "scripts/exercises/11-slider-crank/right" } do
  assert(not exists("share/perilune/" .. name), name .. " is installed")
end

local folder = os.tmpname()
os.remove(folder)
local text = output_of(("'%s' init '%s'"):format(program, folder))
assert(text:find(prefix .. "/share/perilune/scripts", 1, true), "init does not name the scripts: " .. text)
assert(output_of(("cd '%s' && '%s' pendulum.lua"):format(folder, program)):find "gradient of swing")
assert(output_of(("cd '%s' && '%s' '%s/share/perilune/scripts/double_pendulum.lua'"):format(folder, program, prefix))
  :find "upper.angle")
assert(io.open(folder .. "/double_pendulum.html")):close()
local provided = "print(require \"mechanisms\".five_bar().P2)"
assert(output_of(("cd '%s' && '%s' -e '%s'"):format(folder, program, provided)):find "P2")
assert(output_of(("'%s' exercise list"):format(program)):find "01%-pendulum.*level 1")
local checked = ("export XDG_STATE_HOME='%s'; cd '%s' && '%s' exercise start 01 && '%s' exercise check 01 || true"):format(folder, folder, program, program)
assert(output_of(checked):find "score: [%d.]+ of %d")
local packed = ("cd '%s' && '%s' exercise pack 01 handout && PERILUNE_DATA=handout '%s' exercise list"):format(folder,
  program, program)
assert(output_of(packed):find "handout/exercises/01%-pendulum/checks.sealed.*01%-pendulum .*level 1")
assert(os.execute(("rm -r '%s'"):format(folder)))
