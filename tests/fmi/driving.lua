-- What tests of units share: scripts that export one, and hosts that drive it. Their arguments are fmi_host, a folder to
-- work in, cmake and fmi_abuse.
local host, folder, cmake = arg[1], arg[2], arg[3]
local program = arg[-1]

local function write(name, text)
  local file <close> = assert(io.open(folder .. "/" .. name, "w"))
  file:write(text)
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Runs a script in the folder. Returns what it says on both outputs, and its exit code.
local function run(script, ...)
  local words = { "cd", quoted(folder), "&&", quoted(program), script, ... }
  local pipe <close> = assert(io.popen(table.concat(words, " ") .. " 2>&1; echo \"code $?\""))
  local text = pipe:read "a"
  return text:gsub("code %d+\n$", ""), tonumber(text:match "code (%d+)\n$")
end

-- Runs a script that exports a unit of its own name; unpacks it.
local function export(name, script)
  write(name .. ".lua", script)
  local text, code = run(name .. ".lua")
  assert(code == 0, text)
  local where = folder .. "/" .. name
  assert(os.execute(("rm -rf %s && mkdir %s && cd %s && %s -E tar xf %s"):format(quoted(where), quoted(where),
    quoted(where), quoted(cmake), quoted(folder .. "/" .. name .. ".fmu"))))
  return text
end

-- Lets the host do these commands: lists of words. Returns a list of answers: numbers, and what was said.
local function drive(name, kind, commands)
  local lines = {}
  for _, command in ipairs(commands) do lines[#lines + 1] = table.concat(command, "\t") end
  write(name .. ".txt", table.concat(lines, "\n") .. "\n")
  local pipe <close> = assert(io.popen(("cd / && %s %s %s < %s"):format(quoted(host), quoted(folder .. "/" .. name), kind,
    quoted(folder .. "/" .. name .. ".txt"))))
  local answers, said = {}, {}
  for line in pipe:lines() do
    if line:match "^says" or line:match "^fails" or line:match "^ends" then
      said[#said + 1] = line
    else
      local numbers = {}
      for word in line:gmatch "[^\t]+" do numbers[#numbers + 1] = assert(tonumber(word)) end
      answers[#answers + 1] = #numbers == 1 and numbers[1] or numbers
    end
  end
  return answers, table.concat(said, "\n")
end

local function near(got, expected, tolerance, what)
  local size = math.max(1, math.abs(expected))
  if not (math.abs(got - expected) <= tolerance * size) then
    error(("%s: got %.17g, expected %.17g, differs by %.1e"):format(what, got, expected, math.abs(got - expected)), 2)
  end
end

local function expect(text, pattern)
  if not text:find(pattern, 1, true) then error("expected '" .. pattern .. "' in:\n" .. text, 2) end
end

-- What the standard asks of a description, beside what the host relies on.
local function check_description(name)
  local file <close> = assert(io.open(folder .. "/" .. name .. "/modelDescription.xml"))
  local text = file:read "a"
  local order, last = { "ModelExchange", "CoSimulation", "UnitDefinitions", "LogCategories", "DefaultExperiment", "ModelVariables",
    "ModelStructure" }, 0
  for _, element in ipairs(order) do
    local at = text:find("<" .. element .. "[ >]")
    if at then
      assert(at > last, element)
      last = at
    end
  end
  local references, names, units, calculated, listed = {}, {}, {}, {}, {}
  for unit in text:gmatch '<Unit name="([^"]*)"' do units[unit] = true end
  for attributes in text:gmatch "<Float64 ([^>]*)/>" do
    local function of(what) return attributes:match('%f[%w]' .. what .. '="([^"]*)"') end
    local reference, causality, initial = of "valueReference", of "causality", of "initial"
    assert(not references[reference] and not names[of "name"], "each variable has a reference and a name of its own")
    references[reference], names[of "name"] = true, true
    assert(not of "unit" or units[of "unit"], "every unit is defined")
    -- Which of causality, variability and initial go together, and what has a start value.
    local kinds = { independent = "continuous", parameter = "fixed tunable", input = "continuous", output = "continuous",
      ["local"] = "continuous discrete" }
    assert(kinds[causality]:find(of "variability", 1, true))
    local is_exact = causality == "parameter" or of "variability" == "discrete"  -- which phases set later
    assert((initial == "exact") == is_exact)
    assert((of "start" ~= nil) == (is_exact or causality == "input"))
    if initial == "calculated" and not of("name"):find "^switch" then calculated[reference] = true end
  end
  for reference in text:gmatch '<InitialUnknown valueReference="(%d+)"' do
    assert(calculated[reference] and not listed[reference])
    listed[reference] = true
  end
  for reference in pairs(calculated) do assert(listed[reference], "initial unknowns are all that is calculated") end
  return text
end

-- Lets a host do all that it must not do (abuse.cpp) with these units: lists of a name, "me" or "cs", and an input.
local function abuse(units)
  for _, each in ipairs(units) do
    local name, kind, input = table.unpack(each)
    local pipe <close> = assert(io.popen(("%s %s %s %s"):format(quoted(arg[4]), quoted(folder .. "/" .. name), kind,
      input)))
    local said = pipe:read "a"
    assert(said == "0 faults\n", name .. " " .. kind .. ": " .. said)
  end
end

return { folder = folder, write = write, run = run, export = export, drive = drive, near = near, expect = expect, abuse = abuse,
  check_description = check_description }
