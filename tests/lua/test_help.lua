-- The pages of help say what there is: the signals that an entry lists are those that its objects have, in its example
-- and in the scripts below for what examples leave out; all physics has its equations; and every word leads somewhere.
local mbs = require "perilune"
local check = require "check"
local json = require "json"

-- Examples print a lot, among which what fails would be lost: only the end of it is shown, and only then.
if arg[1] ~= "inside" then
  local output, lines = os.tmpname(), {}
  local is_good = os.execute(("'%s' '%s' inside > '%s' 2>&1"):format(arg[-1], arg[0], output))
  for line in io.lines(output) do lines[#lines + 1] = line end
  os.remove(output)
  if not is_good then print(table.concat(lines, "\n", math.max(1, #lines - 12))) end
  os.exit(is_good and true or false)
end

local program = arg[-1]
local pipe = assert(io.popen(("'%s' doc --json"):format(program)))
local doc = json.decode(pipe:read "a")
assert(pipe:close())

-- Per object: its entry, and its signals as a table from name to when they exist.
local entries, documented = {}, {}
for _, entry in ipairs(doc.constructors) do
  entries[entry.object], documented[entry.object] = entry, {}
  for line in entry.summary:gmatch "[^\n]+" do assert(#line <= 104, entry.object .. ": " .. line) end
  for _, signal in ipairs(entry.signals) do
    for name in (signal.name .. ", " .. signal.also):gmatch "[%w_.]+" do
      assert(not documented[entry.object][name], entry.object .. " lists " .. name .. " twice")
      documented[entry.object][name] = signal.when
    end
  end
end

-- Everything that the scripts declare, by replacing the methods of models and bodies.
local declared = {}
local function record(owner)
  local methods = debug.getmetatable(owner).methods
  for name, method in pairs(methods) do
    methods[name] = function(...)
      local results = table.pack(method(...))
      if pcall(function() return results[1].kind .. results[1].defined_at end) then declared[#declared + 1] = results[1] end
      return table.unpack(results, 1, results.n)
    end
  end
end
record(mbs.model { gravity = { 0, 0 } })
for _, make in ipairs { "body", "natural_body" } do
  local m = mbs.model { gravity = { 0, 0, 0 } }
  record(m[make](m, { "b", mass = 1, inertia = { 1, 1, 1 } }))
end

local silent = setmetatable({ print = function() end }, { __index = _G })
for _, entry in ipairs(doc.constructors) do
  local ok, message = pcall(assert(load(entry.example, "=example", "t", silent)))
  if not ok then error(message .. "\nexample of " .. entry.object .. ":\n" .. entry.example, 0) end
end

local planar = mbs.model { gravity = { 0, -9.81 } }
do
  local m = planar
  local function body(name, x)
    return m:body { name, mass = 1, inertia = 1, at = { x, 0 }, center_of_mass = { 0.1, 0 } }
  end
  local a, b, c, d = body("a", 1), body("b", 2), body("c", 3), body("d", 4)
  m:revolute { "revolute", m.ground, a, at = { 0, 0 } }
  m:translational { "translational", m.ground, b, at = { 2, 0 } }
  m:weld { "weld", m.ground, c, at = { 3, 0 } }
  m:coincidence { "coincidence", m:ground { at = { 4, 0 } }, d }
  m:force { "force", on = a, force = { 1, 2 }, torque = 3 }
  m:torque { "torque", on = a, torque = 3 }
  m:bushing { "bushing", a, b, stiffness = { 1, 1, 1 } }
  m:rolling { "rolling", m.ground, m:body { "wheel", mass = 1, inertia = 1, at = { 0, 2 } }, radius = 1, ball = 1 }
  m:knife_edge { "knife_edge", m.ground, a }
  m:group { "group", a }
  a:point { "place", 0.1 }
  a:marker { "marker" }
end
local spatial = mbs.model { gravity = { 0, 0, -9.81 } }
do
  local m = spatial
  local P = m:point { "P", at = { 1, 0, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { 2, 0, 0 }, mass = 1 }
  local a = m:body { "a", mass = 1, inertia = { 1, 1, 1 }, center_of_mass = { 0.1, 0, 0 } }
  m:coincidence { "coincidence", m:ground { at = { 0, 0, 0 } }, a }
  m:point_on_line { "point_on_line", m:ground { at = { 0, 0, 0 } }, P, axis = "x" }
  m:dot2 { "dot2", m:ground { at = { 0, 0, 0 } }, Q, axis = "x" }
  m:force { "force", on = a, force = { 1, 2, 3 }, torque = { 4, 5, 6 } }
  m:torque { "torque", on = a, torque = { 1, 2, 3 } }
  m:reaction { "reaction", m:weld { "held", m.ground, a, at = { 0, 0, 0 } }, on = a }
  m:bushing { "bushing", m.ground, a, stiffness = { 1, 1, 1, 1, 1, 1 } }
  m:contact { "contact", m.ground, P, normal = mbs.hertz { stiffness = 1 },
              friction = mbs.gonthier { static = 1, dynamic = 1, stiffness = 1, damping = 1 } }
  m:tire { "tire", m.ground, m:body { "wheel", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 1 } }, radius = 1,
           stiffness = 1, friction = 1 }
  m:rolling { "rolling", m.ground, m:body { "disc", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 1 } }, radius = 1,
              axis = "y", spin = false, height = function(s) return 0.01 * s.x end }
  m:knife_edge { "knife_edge", m.ground, a }
  m:support { "support" }
  m:cam { "cam", a, P, profile = function() return 1 end }
  m:group { "group", a }
  a:point { "place", 0.1 }
  a:marker { "marker" }
end

-- Whether an object of a model of this dimension has the signal: true, false, or nil where that depends.
local function expected(name, when, dimension)
  local which = when:match "^planar" and 2 or when:match "^spatial" and 3
  if (which or dimension) ~= dimension or (dimension == 2 and name:match "z$") then return false end
  if when == "" or when == "planar" or when == "spatial" then return true end
  return nil
end

-- Joints that rub have more signals.
do
  local sizes = {
    revolute = { radius = 1, length = 1 }, cylindrical = { radius = 1, length = 1 },
    screw = { radius = 1, length = 1, lead = 1 }, translational = { length = 1, half_width = 1 },
    spherical = { radius = 1 }, universal = { radius = 1, length = 1, axis = "z", axis_b = "x" }, planar = { radius = 1 },
    point_on_line = {}, point_on_plane = {},
  }
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  for kind, fields in pairs(sizes) do
    fields[1], fields[2] = "rubbing_" .. kind, m.ground
    fields[3] = m:body { "b_" .. kind, mass = 1, inertia = { 1, 1, 1 }, at = { 0, 0, 0 } }
    fields.at, fields.friction = { 0, 0, 0 }, mbs.coulomb { coefficient = 0.1 }
    if kind ~= "spherical" then fields.axis = "z" end
    m[kind](m, fields)
  end
end

local seen = {}
for _, object in ipairs(declared) do
  local list = documented[object.kind]
  if list then
    local who = ("%s, in %d dimensions"):format(object.kind, object.model.dimension)
    local has = {}
    for _, signal in ipairs(object.model:signals()) do
      local own = signal:sub(1, #object.name + 1) == object.name .. "." and signal:sub(#object.name + 2)
      if own then
        assert(list[own], who .. ": the signal " .. own .. " is not documented")
        has[own] = true
        seen[object.kind .. "." .. own] = true
      end
    end
    for name, when in pairs(list) do
      local should = expected(name, when, object.model.dimension)
      if should ~= nil then check.equal(has[name] or false, should, who .. ": signal " .. name) end
    end
    assert(entries[object.kind].equations ~= "", object.kind .. " has no equations")
    entries[object.kind].was_made = true
  end
end
for object, list in pairs(documented) do
  for name in pairs(list) do
    if object == "model" then
      -- The plane has some of the momenta alone.
      assert((name:find "momentum" and mbs.model { gravity = { 0, 0, 0 } } or planar):signal(name))
    else
      assert(seen[object .. "." .. name], object .. "." .. name .. " is documented, but no script above has it")
    end
  end
end
local no_object = {}
for object in ("ground parameter signal gravity objective simulate export gradient hessian check_gradient optimize pareto fit accuracy unknown_solid station phase limit_cycle equilibrium_path place beam_point set_rate set_next sketch compare"):gmatch "%S+" do
  no_object[object] = true
end
for _, analysis in ipairs { "kinematics", "equilibrium", "mobility", "linearize", "state_space" } do
  no_object[analysis] = true
  assert(entries[analysis].equations ~= "", analysis)
end
for object, entry in pairs(entries) do
  assert(entry.was_made or no_object[object] or entry.name:match "^mbs", object .. " is in no script above")
end

-- What pages print: no line is longer than a screen is wide, and no word of the schema is left in. One process prints
-- them all.
local pages = {}
do
  local topics = { "body", "bushing", "revolute", "run", "last_run", "joints", "times", "values", "at", "csv", "view", "sweep",
                   "shards", "sweep:csv", "latin_hypercube", "simulate", "" }
  local names, mark = table.concat(topics, " "), "next page:"
  local printing = ([[local help = require "perilune".help
    for topic in ("%s "):gmatch "(%%S*) " do print "%s" help(topic ~= "" and topic or nil) end]]):format(names, mark)
  local pipe <close> = assert(io.popen(("'%s' -e '%s'"):format(program, printing)))
  local text = pipe:read "a"
  local is_good, how, code = pipe:close()
  if not is_good then error(("the process that prints pages ended by %s %d, behind:\n%s"):format(how, code, text:sub(-500)), 0) end
  local k = 0
  for page in (text .. mark):gmatch("\n(.-)" .. mark) do
    k = k + 1
    pages[topics[k]] = page
    for line in page:gmatch "[^\n]+" do assert(#line <= 110 or topics[k] == "simulate", topics[k] .. ": " .. line) end
  end
  check.equal(k, #topics, "pages")
end
assert(pages["sweep:csv"]:find("a row for each job", 1, true) and not pages.csv:find("a row for each job", 1, true))
assert(not pages.simulate:find("plain_number", 1, true))
for _, word in ipairs { "joints", "forces", "torsion_spring", "linearize", "run", "where" } do
  assert(pages[""]:find(word, 1, true), word)
end

-- The properties that the page of a run lists are those of runs.
local m = mbs.model { gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 0, 0.1 }, mass = 1 }
m:spring { m:ground { at = { 0, 1 } }, P, stiffness = 100 }
local rest, motion = m:equilibrium {}, m:simulate { t = 0.1 }
for _, topic in ipairs(doc.topics) do
  if topic.name == "run" then
    for _, field in ipairs(topic.fields) do
      for name in (field.name .. ", " .. field.also):gmatch "[%w_]+" do
        assert(rest[name] ~= nil or motion[name] ~= nil, name)
      end
    end
  end
end

check.fails("'free_angle' is a field of torsion_spring", mbs.help, "free_angle")
check.fails("'dissipation' is a signal of revolute, translational, cylindrical, screw, spherical, universal and 10 more: see help \"revolute\"",
            mbs.help, "dissipation")
check.fails("'rejected' is a field of run, quality: see help \"run\"", mbs.help, "run.rejected")

-- Long lists of names in messages are wrapped. The first line begins with the place of this script, which may be long.
local ok, message = pcall(function() return m.xylophone end)
assert(not ok and message:find("has no field, method or object 'xylophone'\na model has:\n  accuracy, bar, ", 1, true), message)
for line in message:gmatch "\n([^\n]+)" do assert(#line <= 100, line) end
