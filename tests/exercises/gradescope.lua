-- The bundle for Gradescope in a folder laid out as theirs: what it makes of hand-ins.
local mbs = require "perilune"
local root = arg[0]:match "^(.*)/tests/exercises/" or "."
local teacher = root .. "/scripts/teacher/"
local pipe <close> = assert(io.popen "mktemp -d")
local folder = pipe:read "l"

local function shell(command) assert(os.execute(command)) end
local function write(path, text)
  local file <close> = assert(io.open(folder .. "/" .. path, "w"))
  file:write(text)
end

--- The results of a submission: file names, with the path of what is to be copied, or a text.
local function results_of(files)
  shell(("rm -rf '%s/autograder' && mkdir -p '%s/autograder/source' '%s/autograder/submission'"):format(folder, folder, folder))
  write("autograder/source/exercise", "01\n")
  write("autograder/submission_metadata.json", '{ "id": 1, "users": [ { "email": "a@b.c", "name": "Zoë O\'Neil" } ] }')
  for name, content in pairs(files) do
    if content:find "^/" then
      shell(("cp '%s' '%s/autograder/submission/%s'"):format(content, folder, name))
    else
      write("autograder/submission/" .. name, content)
    end
  end
  shell(("mkdir -p '%s/bin' && ln -sf '%s' '%s/bin/perilune'"):format(folder, arg[-1], folder))
  shell(("PATH='%s/bin':$PATH AUTOGRADER='%s/autograder' bash '%sgradescope/run_autograder' > /dev/null 2>&1"):format(folder, folder, teacher))
  return mbs.read_json(folder .. "/autograder/results/results.json")
end

local right = results_of { ["solution.lua"] = teacher .. "01-pendulum.lua" }
assert(right.score > 0 and #right.tests > 0, right.output)
local full = 0
for _, test in ipairs(right.tests) do full = full + test.max_score end
assert(right.score == full, right.output)
assert(results_of { ["my pendulum.lua"] = teacher .. "01-pendulum.lua" }.score == full)
local wrong = results_of { ["solution.lua"] = "print 'passed'" }
assert(wrong.score < full, wrong.score)
local several = results_of { ["a.lua"] = "x = 1", ["b.lua"] = "x = 2" }
assert(several.score == 0 and several.output == "Hand in one file, solution.lua; there are 2 scripts.", several.output)
assert(results_of {}.output == "Hand in one file, solution.lua; there are 0 scripts.")
shell("rm -rf '" .. folder .. "'")
