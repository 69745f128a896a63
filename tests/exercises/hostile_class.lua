-- perilune hostile_class.lua: grades a class in which all but one hand in a script of hostile_scripts.lua (each eighth of
-- them), and looks whether everybody has a line, and nobody but that one full score.
local here = arg[0]:match "^(.*)/" or "."
package.path = here .. "/?.lua;" .. package.path
local scripts = require "hostile_scripts".scripts

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  return text
end

local program = arg[-1]
if not program:find "^/" then program = os.getenv "PWD" .. "/" .. program end
local root = output_of("mktemp -d"):gsub("\n", "")
assert(os.execute(("mkdir %s/class %s/tmp && cp -r %s/data %s/"):format(root, root, here, root)))

local function hand_in(name, text)
  local file = assert(io.open(("%s/class/%s.lua"):format(root, name), "w"))
  assert(file:write(text))
  assert(file:close())
end

local expected = 1
for number = 1, #scripts, 8 do
  hand_in(("Eve %03d"):format(number), scripts[number].text)
  expected = expected + 1
end
assert(expected > 60)
-- Those who hand in much, or nothing, leave as much memory to the others.
for number = 1, 300 do
  hand_in(("Tim %03d"):format(number), number > 20 and "" or "--" .. ("x"):rep(1000000))
  expected = expected + 1
end
hand_in("Zoë", [[
  local mbs, x = require "perilune", require "given".x
  local m = mbs.model { "what the checks expect", gravity = { 0, 0 } }
  m:point { "P", at = { 77, 0 }, velocity = { 1, 0 }, mass = 1 }
  local forms = { mbs.maggi {}, mbs.maggi {}, mbs.maggi {} }
  return { answer = 1234.5 * x, f = function(y) return 4321 / y end, run = m:simulate { t = 1, formulation = forms[1] } }
]])

local command = "cd %s && PERILUNE_DATA=$PWD/data TMPDIR=$PWD/tmp %s exercise grade class target --csv grades.csv"
local report = output_of((command .. " 2>&1; echo code $?"):format(root, program))
local failures, lines = {}, 0
for line in io.lines(root .. "/grades.csv") do
  local name, points, most, passed, checks = line:match "^([^,]+),target,(%d+),(%d+),(%d+),(%d+),"
  if name then
    lines = lines + 1
    local is_full = tonumber(points) >= tonumber(most) or tonumber(passed) >= tonumber(checks)
    if most ~= "4" or checks ~= "4" or is_full ~= (name == "Zoë") then failures[#failures + 1] = line end
  end
end
if lines ~= expected then failures[#failures + 1] = ("%d lines for %d students"):format(lines, expected) end
if not report:find "code 0\n$" then failures[#failures + 1] = report end
local left = output_of("ls -A " .. root .. "/tmp")
if left ~= "" then failures[#failures + 1] = "left behind: " .. left end
assert(os.execute("rm -r " .. root))
assert(#failures == 0, table.concat(failures, "\n"))
print(("%d students graded"):format(lines))
