-- perilune hostile.lua PART PARTS: checks every script of hostile_scripts.lua, several at a time, and looks after each
-- whether it ended with a report below full score, and whether anything outside of its folder changed.
local here = arg[0]:match "^(.*)/" or "."
package.path = here .. "/?.lua;" .. here .. "/../lua/?.lua;" .. package.path
local json = require "json"
local hostile = require "hostile_scripts"
local scripts = hostile.scripts
local part, parts = tonumber(arg[1]), tonumber(arg[2])
assert(#scripts >= 200)

local program = arg[-1]
if not program:find "^/" then program = os.getenv "PWD" .. "/" .. program end

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  assert(file:write(text))
  assert(file:close())
end

local function read(path)
  local file = io.open(path, "rb")
  if not file then return "" end
  local text = file:read "a"
  file:close()
  return text
end

-- Whatever has a file as an argument is among the writers, those that read it too.
local documentation = json.decode(output_of(program .. " doc --json"))
local file_arguments = 0
for _, list in ipairs { documentation.constructors, documentation.functions } do
  for _, entry in ipairs(list) do
    for _, kind in ipairs { "positional", "fields", "arguments" } do
      for _, argument in ipairs(entry[kind] or {}) do
        if argument.name:find "^file" or argument.name:find "^folder" then
          file_arguments = file_arguments + 1
          assert(hostile.writers[entry.name], entry.name .. " opens files: add it to the hostile scripts")
        end
      end
    end
  end
end
assert(file_arguments >= 10)

local root = output_of("mktemp -d"):gsub("\n", "")
os.execute(("mkdir %s/reports %s/home %s/links && cp -r %s/data %s/"):format(root, root, root, here, root))
os.execute(("ln -s .. %s/links/up && ln -s ../canary %s/links/canary"):format(root, root))
local secret = "what nobody else may know"
write(root .. "/canary", secret)
-- The work of another, which has full score.
local other = "-- " .. secret .. "\n" .. read(root .. "/data/teacher/target.lua")

-- Everything that no script may touch, with its contents.
local function surroundings()
  return output_of(("cd %s && find . -path './s_*' -prune -o -path ./reports -prune -o -type f -exec cksum {} + "
    .. "-o -print | sort; ls reports | grep -v '^[0-9]*[.][a-z]*$'; ls /tmp/perilune_hostile_canary 2>&1"):format(root))
end

-- Starts the check of a script in the background, in a folder where the work of another is. The script runs in a folder
-- beside that one, so ../canary is what it must not touch; <HERE> and <ROOT> in it become the absolute names.
local function command(number, text)
  local folder = ("%s/s_%d"):format(root, number)
  os.execute("mkdir " .. folder)
  write(folder .. "/my.lua", (text:gsub("<HERE>", folder):gsub("<ROOT>", root)))
  write(folder .. "/other.lua", other)
  return ("(cd %s && timeout -k 1 50 %s exercise check target my.lua --student Eve --json ../reports/%d.json "
    .. ">../reports/%d.out 2>../reports/%d.err; echo $? >../reports/%d.code) & "):format(folder, program, number, number,
    number, number)
end

local function problem_of(number)
  local base = ("%s/reports/%d"):format(root, number)
  local code, errors = tonumber(read(base .. ".code")), read(base .. ".err")
  if code ~= 1 then return ("exit code %s, %s"):format(code, errors) end
  if errors ~= "" then return "the program itself said: " .. errors end
  local ok, report = pcall(json.decode, read(base .. ".json"))
  if not ok then return "no report: " .. tostring(report) end
  if not (report.score < report.max_score) or #report.tests ~= 4 then return "full score" end
  if #read(base .. ".out") > 300000 then return "the report is too long" end
  -- Not the kernel's refusal alone, which older ones do not know.
  local name = scripts[number].name
  local refusal = "a checked script only " .. ((name:find "mbs%.read" or name:find "mbs%.mesh") and "reads" or "writes")
  if name:find "^writer" and not report.problem:find(refusal, 1, true) then
    return "not refused: " .. report.problem
  end
  for _, ending in ipairs { ".json", ".out" } do
    if read(base .. ending):find(secret, 1, true) then return "it read what is not its own" end
  end
  local folder = ("%s/s_%d"):format(root, number)
  local names = output_of(("ls -A %s"):format(folder))
  if names ~= ".perilune\nmy.lua\nother.lua\n" then return "beside the script there are " .. names end
  if read(folder .. "/other.lua") ~= other then return "the work of another was changed" end
  local record = read(("%s/s_%d/.perilune/exercises"):format(root, number))
  if not record:find("^exercise target [0123] 4 1 0\n$") then return "the record says: " .. record end
end

local before = surroundings()
assert(before:find("data/teacher/target.lua", 1, true) and before:find("./canary", 1, true))
local failures, checked = {}, 0
local batch = 6
for first = part, #scripts, parts * batch do
  local commands, numbers = {}, {}
  for number = first, math.min(#scripts, first + (batch - 1) * parts), parts do
    commands[#commands + 1] = command(number, scripts[number].text)
    numbers[#numbers + 1] = number
  end
  os.execute(("export PERILUNE_DATA=%s/data HOME=%s/home TMPDIR=%s; %s wait"):format(root, root, root, table.concat(commands)))
  local after = surroundings()
  for _, number in ipairs(numbers) do
    checked = checked + 1
    local problem = problem_of(number)
    if problem then failures[#failures + 1] = scripts[number].name .. ": " .. problem end
  end
  if after ~= before then
    local names = {}
    for i, number in ipairs(numbers) do names[i] = scripts[number].name end
    failures[#failures + 1] = "files outside changed by one of " .. table.concat(names, ", ") .. ":\n" .. after
    before = after
  end
end
if os.getenv "KEEP" then print(root) else os.execute("rm -rf " .. root) end
for _, failure in ipairs(failures) do print(failure) end
print(("%d scripts, %d failures"):format(checked, #failures))
os.exit(#failures == 0 and checked > 0)
