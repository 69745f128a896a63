-- m:optimize { job = file }: a search that is stopped anywhere and started again comes to the same result, bit for bit, as
-- one that was left alone; and takes nothing from the file of another one.
local mbs = require "perilune"
local check = require "check"
local json = require "json"

local program = arg[-1]
local folder = os.tmpname()
os.remove(folder)
mbs.make_folder(folder)
local path = folder .. "/search.job"

local function read(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "a"
  file:close()
  return text
end
local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
end
local function lines_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]*\n" do lines[#lines + 1] = line end
  return lines
end

--- All that a result has, as text with every bit; `resumed` alone may differ.
local function bits(value)
  if math.type(value) == "float" then return ("%a"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do
    if key ~= "resumed" then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do parts[#parts + 1] = tostring(key) .. "=" .. bits(value[key]) end
  return "{" .. table.concat(parts, ",") .. "}"
end

--- A throw against drag that is to hit a place, and what else the searches want to know of it.
local function throw(m)
  local vx = m:param { "vx", 3, unit = "m/s", min = 0, max = 20 }
  local vy = m:param { "vy", 3, unit = "m/s", min = 0, max = 20 }
  local c = m:param { "c", 0.3, unit = "N s/m", min = 0, max = 2 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { vx, vy }, mass = 1 }
  m:force { on = P, law = function(s) return -c * s.vx * s.vx, -c * s.vy end }
  local miss = m:objective { "miss", terminal = (P.x - 4)^2 + (P.y - 1)^2, integral = 0.01 * P.y^2 }
  return { m = m, vx = vx, vy = vy, c = c, P = P, miss = miss }
end

local steps = mbs.rk4 { step = 0.1 }
local function limits(s) return { { "speed", s.vx^2 + s.vy^2, max = 45, unit = "m^2/s^2" }, { "flat", s.vx - s.vy, max = 1 } } end
local winds = { { "calm" }, { "thick air", set = { c = 0.6 }, weight = 2 } }

-- Each with what differs from the search by L-BFGS-B.
local searches = {
  lbfgsb = function() return { optimizer = mbs.lbfgsb { check_gradient = true } } end,
  direct = function() return { method = mbs.direct {} } end,
  trust_region = function() return { optimizer = mbs.trust_region {}, formulation = mbs.maggi {} } end,
  slsqp = function(s) return { subject_to = limits(s), check = true } end,
  mma = function(s) return { subject_to = limits(s), optimizer = mbs.mma { max_evaluations = 15 } } end,
  ccsaq = function(s) return { subject_to = limits(s), optimizer = mbs.ccsaq { max_evaluations = 15 } } end,
  auglag = function(s) return { subject_to = limits(s), optimizer = mbs.auglag { max_evaluations = 15 } } end,
  cobyla = function(s) return { subject_to = limits(s), optimizer = mbs.cobyla { step = 1e-2 } } end,
  sum = function() return { experiments = winds } end,
  scatter = function() return { experiments = winds, combine = "mean_and_deviation", optimizer = mbs.lbfgsb { max_evaluations = 8 } } end,
  worst = function() return { experiments = winds, combine = "worst" } end,
  limits_in_all = function(s)
    return { experiments = winds, subject_to = { { "height", s.m:objective { "height", terminal = s.P.y }, max = 0.8 } } }
  end,
  two_models = function(s)
    local other = throw(mbs.model { "moon", gravity = { 0, -1.62 } })
    return { experiments = { { "here" }, { "there", model = other.m, objectives = other.miss, set = { c = 2 * s.c } } } }
  end,
  tolerances = function(s) return { tolerances = { { s.c, 0.05 }, { s.vx, 0.02 } }, formulation = mbs.maggi {} } end,
  -- Points that cannot be evaluated are steps that were too long, in the file too.
  failing = function(s)
    local root = s.m:objective { "root", terminal = function() return (s.P.x - 4)^2 - 0.1 * math.sqrt(3 - s.P.x) end }
    return { minimize = root, over = s.vx }
  end,
  warning = function(s)
    local late = s.m:point { "late", at = { 0, 1 }, mass = 1 }
    s.m:force { "kick", on = late, law = function(q) return mbs.where(mbs.lt(q.t, 0.333), s.vx, 0), 0 end }
    return { minimize = s.m:objective { "reach", terminal = (late.x - 2)^2 } , over = s.vx }
  end,
  starts = function() return { starts = 3, seed = 4 } end,
  starts_within_limits = function(s) return { starts = 3, subject_to = limits(s) } end,
  starts_of_newton = function() return { starts = 2, optimizer = mbs.trust_region {}, formulation = mbs.maggi {} } end,
}

--- A new model each time, as in a new process.
local function search(name, job)
  local s = throw(mbs.model { "throw", gravity = { 0, -9.81 } })
  local given = searches[name](s)
  given.minimize, given.over = given.minimize or s.miss, given.over or { s.vx, s.vy }
  given.t, given.integrator, given.job = 1, steps, job
  local best = s.m:optimize(given)
  return best, bits(best) .. bits { s.vx.value, s.vy.value }, s, given
end

local names = {}
for name in pairs(searches) do names[#names + 1] = name end
table.sort(names)
local failures, warnings, products = 0, 0, 0
for _, name in ipairs(names) do
  local best, alone = search(name)
  check.equal(best.resumed, nil)
  os.remove(path)
  local first, kept = search(name, path)
  check.equal(kept, alone, name)
  check.equal(first.resumed, 0)
  local text = read(path)
  local lines = lines_of(text)
  assert(#lines >= 3, name .. " is too short a search for this test: " .. text)
  for k = 2, #lines do
    local line = json.decode(lines[k])
    if line.failure then failures = failures + 1 end
    if line.along then products = products + 1 end
    if line.runs and #line.runs[1].warnings > 0 then warnings = warnings + 1 end
  end

  -- All of it: nothing is evaluated again.
  local again, repeated = search(name, path)
  check.equal(repeated, alone, name)
  check.equal(again.resumed, #lines - 1)
  check.equal(read(path), text)

  -- Stopped after every line, and within the next one.
  local several = best.starts ~= nil
  for k = 0, #lines - 1, math.max(1, #lines // 5) do
    local whole = table.concat(lines, "", 1, k)
    for _, characters in ipairs { 0, k % 2 == 0 and #lines[k + 1] - 1 or #lines[k + 1] // 2 } do
      local part = lines[k + 1]:sub(1, characters)
      write(path, whole .. part)
      local resumed, result = search(name, path)
      check.equal(result, alone, ("%s after %d lines and %d characters"):format(name, k, #part))
      check.equal(resumed.resumed, math.max(k - 1, 0))
      local now = read(path)
      -- Starts write in any order.
      if several then
        check.equal(#now, #text)
      else
        check.equal(now, text)
      end
    end
  end
end
assert(failures > 0 and warnings > 0 and products > 0, "no such lines were tried")

-- What is in the file is what is used: a first value by hand is the initial one of the result.
do
  os.remove(path)
  search("lbfgsb", path)
  local lines = lines_of(read(path))
  lines[2] = lines[2]:gsub('"values":%[[^%]]*%]', '"values":[1e9]')
  write(path, table.concat(lines))
  check.equal(search("lbfgsb", path).initial, 1e9)
end

-- Another point than the search asks for is not used, nor what comes after it; this is said once.
for _, name in ipairs { "lbfgsb", "slsqp", "trust_region", "starts" } do
  os.remove(path)
  local _, alone = search(name, path)
  local lines = lines_of(read(path))
  local k = #lines // 2
  local number = lines[k]:match '"start":(%d+)'
  local before = 0
  for i = 2, k - 1 do
    if lines[i]:match '"start":(%d+)' == number then before = before + 1 end
  end
  lines[k] = lines[k]:gsub('"x":%[([^,%]]*)', function(x) return ('"x":[%.17g'):format(tonumber(x) * (1 + 2^-52)) end)
  write(path, table.concat(lines))
  local best = search(name, path)
  check.equal(#best.warnings, 1)
  local of_start = name == "starts" and " of start " .. number or ""
  assert(best.warnings[1]:find("from evaluation " .. before + 1 .. of_start .. " on the search asks for other points", 1, true),
         best.warnings[1])
  assert(best.resumed >= before and best.resumed < #lines - 1)
  local again, result = search(name, path)
  check.equal(result, alone)
  check.equal(#again.warnings, 0)
end

-- A search that ended at its limit of evaluations goes on with a higher one.
do
  os.remove(path)
  local _, alone = search "lbfgsb"
  local function limited(most, job)
    local s = throw(mbs.model { "throw", gravity = { 0, -9.81 } })
    return s.m:optimize { minimize = s.miss, over = { s.vx, s.vy }, t = 1, integrator = steps, job = job,
                          optimizer = mbs.lbfgsb { check_gradient = true, max_evaluations = most } }
  end
  local stopped = limited(5, path)
  check.equal(stopped.reason, "evaluation_limit")
  local best = limited(1000, path)
  check.equal(best.resumed, 5)
  check.equal(bits(best), (alone:gsub("}{.*", "}")))
end

-- The model may have more by now that does not move anything; and the parameters may be where the search came to, as
-- after Ctrl-C in a session. From other values it goes on where it began, and says so.
do
  os.remove(path)
  local best, _, s, given = search("slsqp", path)
  local more = s.m:objective { "more", terminal = s.P.vx * s.P.y }
  assert(s.m:simulate { t = 0.1, objectives = more })
  local again = s.m:optimize(given)
  check.equal(bits(again), bits(best))
  check.equal(#again.warnings, 0)
  assert(again.resumed > 0)
  s.vx.value = 11
  again = s.m:optimize(given)
  check.equal(again.final, best.final)
  check.equal(s.vx.value, best.parameters.vx)
  assert(again.warnings[1]:find("began at vx = 3 m/s, vy = 3 m/s and goes on from there", 1, true), again.warnings[1])

  -- What differs is named, and the file and the parameters stay as they are.
  local text = read(path)
  local function refuses(change, what)
    local other = {}
    for key, value in pairs(given) do other[key] = value end
    for key, value in pairs(change) do other[key] = value end
    s.vx.value = 12
    check.fails("search.job' is of another optimization (" .. what, s.m.optimize, s.m, other)
    check.equal(s.vx.value, 12)
    check.equal(read(path), text)
  end
  refuses({ t = 2 }, "time: 0 to 1 there, 0 to 2 here); name another file, or delete this one")
  refuses({ integrator = mbs.rk4 { step = 0.2 } }, "integrator: rk4 0.1 there, rk4 0.2 here)")
  refuses({ integrator = mbs.trapezoidal { step = 0.1 } }, "integrator: rk4 0.1 there, trapezoidal 0.1")
  refuses({ formulation = mbs.maggi {} }, "formulation: ")
  refuses({ optimizer = mbs.mma {} }, "optimizer: slsqp 1e-08, 1e-08, 1e-06 there, mma 1e-08, 1e-08, 1e-06 here)")
  refuses({ optimizer = mbs.slsqp { kkt = 1e-6 } }, "optimizer: ")
  refuses({ method = mbs.direct {} }, "method: discrete adjoint there, discrete direct here)")
  refuses({ minimize = more }, "minimize: miss there, more here; cost: another one)")
  refuses({ over = s.vx }, "over: vx, vy there, vx here; ")
  refuses({ starts = 2 }, "starts: 1 there, 2, seed 1 here)")
  refuses({ at_rest = true }, "at_rest: false there, true here)")
  refuses({ stop = s.P.y + 9 }, "stop: none there, another one here)")
  refuses({ experiments = winds }, "")
  refuses({ subject_to = { { "speed", s.vx^2 + s.vy^2, max = 46 }, { "flat", s.vx - s.vy, max = 1 } } },
          "limits of speed: -inf to 45, scale 0 there, -inf to 46, scale 0 here)")
  refuses({ subject_to = { { "speed", s.vx^2 + 2 * s.vy^2, max = 45 }, { "flat", s.vx - s.vy, max = 1 } } },
          "subject_to: another one)")
  s.c.value = 0.4
  refuses({}, "parameter c: 0.3 there, 0.4 here)")
  s.c.value = 0.3
  s.m:force { on = s.P, law = function() return 0, 0.001 end }
  refuses({}, "model: another one)")
end

-- A law with another number or function in it, or a table with another value, is another model, and another cost is one,
-- though all their names are the same. What is built the same way is the same one.
do
  local function built(change)
    local m = mbs.model { "built", gravity = { 0, change.gravity or -9.81 } }
    local v = m:param { "v", 1, min = change.least or 0, max = 5 }
    if change.before then m:objective { "before", terminal = change.before(v) } end
    local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
    local curve = mbs.spline { x = { 0, 1, 2 }, y = { 0, change.ordinate or 1, 3 } }
    m:force { on = P, law = change.law or function(s) return -0.1 * s.vx + curve(s.x) + 2 * s.y, 0 end }
    local cost = m:objective { "cost", integral = change.cost or (P.x - 2)^2 }
    return m:optimize { minimize = cost, t = 1, integrator = steps, job = path }
  end
  os.remove(path)
  built {}
  assert(built({}).resumed > 0)
  assert(built({ before = function(v) return 0.1 * v + 2 * v^2 end }).resumed > 0)
  for _, change in ipairs {
    { gravity = -9.82 }, { ordinate = 1.5 }, { law = function(s) return -0.2 * s.vx, 0 end },
    { law = function(s) return -0.1 * s.vx^3, 0 end },
  } do
    check.fails("(model: another one)", built, change)
  end
  check.fails("(bounds of v: 0 to 5 there, 0.5 to 5 here)", built, { least = 0.5 })
  check.fails("(cost: another one)", built, { cost = function(s) return s.t end })
end

-- Files that are none are left alone; a line that was changed by hand is named.
do
  local s = throw(mbs.model { "throw", gravity = { 0, -9.81 } })
  local function fails(job, text)
    check.fails(text, s.m.optimize, s.m, { minimize = s.miss, over = s.vx, t = 1, integrator = steps, job = job })
  end
  for _, text in ipairs { "notes of mine\n", "notes of mine", "{}\n", '{"optimization":"throw"}\n', "\0\0\0" } do
    write(path, text)
    fails(path, "search.job' is no file of an optimization and stays as it is; name another one")
    check.equal(read(path), text)
  end
  os.remove(path)
  s.m:optimize { minimize = s.miss, over = s.vx, t = 1, integrator = steps, job = path }
  local text = read(path)
  for _, line in ipairs { "{}", "x", '{"start":2,"keep":0}', '{"start":1,"asked":"gradients","x":[1]}', '{"start":1,"keep":-1}' } do
    write(path, text .. line .. "\n")
    fails(path, "search.job:" .. #lines_of(text) + 1 .. ": ")
  end
  s.vx.value = 3
  write(path, text .. '{"start":1,"keep":0}\n')
  check.equal(s.m:optimize({ minimize = s.miss, over = s.vx, t = 1, integrator = steps, job = path }).resumed, 0)
end

-- In processes of their own: killed, and stopped by Ctrl-C.
local function run(command)
  local pipe = assert(io.popen(("cd '%s' && { %s; } 2>&1"):format(folder, command:gsub("perilune", program))))
  local text = pipe:read "a"
  return text, pipe:close()
end
write(folder .. "/slow.lua", [[
local mbs = require "perilune"
local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
local L = m:param { "L", 1, unit = "m", min = 0.5, max = 2 }
local c = m:param { "c", 0.1, unit = "N s/m", min = 0, max = 1 }
local P = m:point { "P", at = { L, 0 }, mass = 1 }
m:distance { m:ground { at = { 0, 0 } }, P }
m:force { "drag", on = P, law = function(s) return -c * s.vx, -c * s.vy end }
local height = m:objective { "height", integral = (P.y + 0.6)^2 }
local best = m:optimize { minimize = height, t = 2, integrator = mbs.rk4 { step = 5e-4 }, job = arg[1], starts = 2 }
io.write(("%a %a %a %d\n"):format(best.final, L.value, c.value, best.evaluations))
]])
local alone = run "perilune slow.lua"
assert(alone:find "^0x%S+ 0x%S+ 0x%S+ %d+\n$", alone)
for signal, line in pairs { KILL = "", INT = "slow.lua:9: interrupted\n" } do
  local job = signal .. ".job"
  local output = run(([[perilune slow.lua %s & pid=$!
      while [ "$(cat %s 2>/dev/null | wc -l)" -lt 4 ]; do sleep 0.01; done; kill -%s $pid; wait $pid]]):format(job, job, signal))
  assert(output:find(line, 1, true) and not output:find "0x", output)
  local kept = read(folder .. "/" .. job):match "^.*\n"
  check.equal(run("perilune slow.lua " .. job), alone)
  check.equal(read(folder .. "/" .. job):sub(1, #kept), kept)
end
-- Not two at a time.
local output = run [[perilune slow.lua both.job & pid=$!
    while [ ! -s both.job ]; do sleep 0.01; done; perilune slow.lua both.job; kill -9 $pid; wait $pid]]
assert(output:find("'both.job' is being written by another process", 1, true), output)
os.execute(("rm -r '%s'"):format(folder))
