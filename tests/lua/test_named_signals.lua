-- Signals that scripts define, wherever a built-in one can stand: against closed forms and what files read back.
local mbs = require "perilune"
local check = require "check"

local function file_of(write)
  local name = os.tmpname()
  write(name)
  local file <close> = assert(io.open(name, "rb"))
  local text = file:read "a"
  os.remove(name)
  return text
end

local function csv_of(run, ...)
  local name, signals = os.tmpname(), { ... }
  run:csv(name, table.unpack(signals))
  local data = mbs.read_csv(name)
  os.remove(name)
  return data
end

-- What f prints by io.write.
local function printed(f)
  local write, text = io.write, {}
  io.write = function(...)
    for _, part in ipairs { ... } do text[#text + 1] = tostring(part) end
    return io.stdout
  end
  local ok, message = pcall(f)
  io.write = write
  assert(ok, message)
  return table.concat(text)
end

local function contains(text, part)
  if not text:find(part, 1, true) then error(("no '%s' in:\n%s"):format(part, text:sub(1, 2000)), 2) end
end

-- A pendulum of a point on a rod; its angle from the vertical follows from x and y.
local function pendulum()
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0.6, -0.8 }, mass = 1 }
  m:distance { "rod", m:ground { at = { 0, 0 } }, P }
  return m, P
end

-- A throw from the origin: y = v t - 5 t^2.
local function throw()
  local m = mbs.model { "throw", gravity = { 0, -10 } }
  local v = m:param { "v", 5, unit = "m/s", min = 1, max = 20 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 2, v }, mass = 1 }
  return m, P, v
end

do -- files and pictures have the unit given, scripts have SI units
  local m, P = pendulum()
  local toe = m:signal { "toe", math.atan(P.x, -P.y), unit = "deg" }
  m:signal { "rate", function(s) return (P.x(s) * P.vy - P.y * P.vx) / (P.x ^ 2 + P.y ^ 2) end, unit = "rpm" }
  m:signal { "height", P.y, unit = "mm" }
  m:signal { "shifted", P.y + 1 }
  local run = m:simulate { t = 1 }

  local data = csv_of(run, "toe", "rate", "height", "shifted", "P.x", "P.y", "P.vx", "P.vy")
  check.equal(data.units.toe, "deg")
  check.equal(data.units.rate, "rpm")
  check.equal(data.units.height, "mm")
  check.equal(data.units.shifted, "m", "the unit of a sum")
  check.equal(data.units["P.y"], "m")
  local in_radians, by_expression, times = run:values "toe", run:values(toe), run:times()
  assert(#times > 10 and #times == #data.t)
  for k = 1, #times do
    local x, y, vx, vy = data["P.x"][k], data["P.y"][k], data["P.vx"][k], data["P.vy"][k]
    check.near(data.toe[k], 180 / math.pi * math.atan(x, -y), 1e-12, "toe of the file")
    check.near(data.rate[k], 30 / math.pi * (x * vy - y * vx) / (x * x + y * y), 1e-12, "rate of the file")
    check.near(data.height[k], 1000 * y, 1e-12, "height of the file")
    check.near(in_radians[k], math.atan(x, -y), 1e-14, "toe of the script")
    check.equal(by_expression[k], in_radians[k])
  end
  check.near(run:at("toe", 0), math.atan(0.6, 0.8), 1e-12, "at the start")
  check.near(run:at("height", 0), -0.8, 1e-12, "in metres")
  assert(m:signal "toe" == toe and m:object "toe" == toe, "found by its name")

  local units, found = m:signals().units, false
  for _, name in ipairs(m:signals()) do found = found or name == "toe" end
  assert(found, "listed")
  check.equal(units.toe, "deg")
  check.equal(units["P.vx"], "m/s")
  check.equal(units.shifted, "m")

  -- Every other output names it, with its unit.
  local plot = printed(function() run:plot("toe", "P.x") end)
  contains(plot, "toe")
  contains(plot, "deg")
  for _, method in ipairs { "svg", "gnuplot", "json", "view" } do
    local text = file_of(function(name) run[method](run, name, "toe", "rate") end)
    contains(text, "toe")
    contains(text, "deg")
    contains(text, "rpm")
  end
  contains(file_of(function(name) mbs.compare { name, run, m:simulate { t = 0.5 }, signals = { "toe" } } end), "toe")

  -- Octave's variables have no units, so the name has it.
  local name = os.tmpname()
  run:mat(name, "toe", "P.x")
  local variables = mbs.read_mat(name)
  os.remove(name)
  check.near(variables.toe_deg[1], math.deg(math.atan(0.6, 0.8)), 1e-12, "in Octave")
  check.near(variables.P_x[1], 0.6, 1e-12, "in Octave, in SI units")
end

do -- expressions where they are shown: by their text, as the signal that they are, or by a name of their own
  local m, P = pendulum()
  local toe = m:signal { "toe", math.atan(P.x, -P.y), unit = "deg" }
  local run = m:simulate { t = 1 }
  local data = csv_of(run, P.y - 1, P.x, toe, math.atan(P.vy, P.vx), { "half", P.x / 2, unit = "cm" }, { "sum", P.x + P.y },
    2 * P.x)
  local x, y = run:values "P.x", run:values "P.y"
  for k = 1, #x do
    check.near(data["P.y - 1"][k], y[k] - 1, 1e-14, "under its text")
    check.equal(data["P.x"][k], x[k])
    check.near(data.toe[k], math.deg(math.atan(x[k], -y[k])), 1e-12, "as what it is")
    check.near(data.half[k], 50 * x[k], 1e-12, "in centimetres")
    check.near(data.sum[k], x[k] + y[k], 1e-14, "without a unit given")
  end
  check.equal(data.units["P.y - 1"], "m")
  check.equal(data.units["P.x"], "m")
  check.equal(data.units.half, "cm")
  check.equal(data.units.sum, "m")
  check.equal(data.units["2 * P.x"], nil, "a number may have any unit")
  local angle, found = "math.atan(P.vy, P.vx)", false
  for name in pairs(data.units) do found = found or name:find("atan", 1, true) and data.units[name] == "rad" end
  assert(found, angle)

  contains(printed(function() run:plot(P.y - 1, { "half", P.x / 2, unit = "cm" }) end), "P.y - 1")
  for _, method in ipairs { "svg", "gnuplot", "json", "view" } do
    local text = file_of(function(name) run[method](run, name, P.y - 1, { "half", P.x / 2, unit = "cm" }) end)
    contains(text, "P.y - 1")
    contains(text, "half")
    contains(text, "cm")
  end
  local page = file_of(function(name)
    mbs.compare { name, run, m:simulate { t = 2 }, signals = { "P.x", P.y - 1, { "half", P.x / 2, unit = "cm" } } }
  end)
  for _, part in ipairs { "P.y - 1", "half", "cm" } do contains(page, part) end
  local name = os.tmpname()
  run:mat(name, { "half", P.x / 2, unit = "cm" }, { "other half", P.x / 2 })
  local variables = mbs.read_mat(name)
  os.remove(name)
  check.near(variables.half_cm[1], 30, 1e-12, "in Octave")
  check.near(variables.other_half[1], 0.3, 1e-12, "in Octave, in metres")

  local fails = check.fails
  fails("expected the name of a signal", function() run:plot(function() return P.x end) end)
  fails("the second item must be an expression; got 3", function() run:plot { "x", 3 } end)
  fails("the first item is the expression P.x", function() run:plot { P.x } end)
  fails("unexpected field or item \"units\"", function() run:plot { "x", P.x, units = "mm" } end)
  fails("unit must be a string", function() run:plot { "x", P.x, unit = 1 } end)
  fails('the unit "inch" is not known', function() run:plot { "x", P.x, unit = "inch" } end)
  fails("two different signals would be called 'x'", function() run:plot({ "x", P.x }, { "x", P.y }) end)
  fails("two different signals would be called 'x'", function()
    mbs.compare { os.tmpname(), run, signals = { { "x", P.x }, { "x", P.y } } }
  end)
  local other, Q = throw()
  fails('is of model "throw", the run of another', function() run:plot(Q.x) end)
  fails('is of model "throw", the run of another', function()
    mbs.compare { os.tmpname(), run, other:simulate { t = 1 }, signals = { Q.x } }
  end)
  local R = m:point { "R", at = { 0, 0 }, mass = 1 }
  fails("the run does not have R.x", function() run:plot(R.x - 1) end)
end

do -- objectives: the value and the gradient of a closed form, y = v T - 5 T^2 and d/dv = T
  local m, P, v = throw()
  m:signal { "height", function() return P.y end, unit = "mm" }
  local by_name = m:objective { "by_name", terminal = m:signal "height" }
  local largest = m:objective { "largest", maximum = m:signal "height" }
  local T = 0.8
  local of = m:gradient { objective = { by_name, largest }, over = { v }, t = T }
  check.near(of[1].value, 5 * T - 5 * T ^ 2, 1e-7, "height at the end, in metres")
  check.near(of[1].by_name.v, T, 1e-7, "its derivative")
  check.near(of[2].value, 5 ^ 2 / 20, 1e-6, "the top, in metres")
  check.near(of[2].by_name.v, 5 / 10, 1e-5, "its derivative")
end

do -- a stop: where the height is zero again, at t = v / 5
  local m, P = throw()
  m:signal { "height", P.y - 0.2, unit = "cm" }
  local run = m:simulate { t = 9, stop = m:signal "height", integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
  -- 0.2 = 5 t - 5 t^2, from below first
  check.near(run.t, (5 - math.sqrt(25 - 4)) / 10, 1e-8, "time of the stop")
end

do -- a law reads SI units, whatever files show: x = 0.1 cos(5 t)
  local m = mbs.model { "oscillator", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0.1, 0 }, mass = 2 }
  local x = m:signal { "stretch", P.x, unit = "mm" }
  m:force { "pull", on = P, law = function(s) return -25 * x(s) - 25 * m:signal "stretch", 0 end }
  local run = m:simulate { t = 2, integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
  check.near(run:at("stretch", 2), 0.1 * math.cos(10), 1e-8, "closed form")
end

do -- accelerations and multipliers: the pull of the rod at rest is m g, and m a + m g is what it does
  local m, P = pendulum()
  m:signal { "radial", function() return (P.ax * P.x + (P.ay + 9.81) * P.y) / math.sqrt(P.x ^ 2 + P.y ^ 2) end }
  local run = m:simulate { t = 1 }
  -- It is -(g cos + v^2 / L), from the energy -2 g (y0 - y) for v^2.
  for _, t in ipairs { 0, 0.3, 0.9 } do
    local y = run:at("P.y", t)
    check.near(run:at("radial", t), -(9.81 * -y + 2 * 9.81 * (-0.8 - y)), 1e-4, "of the motion")
  end
end

do -- fits by name compare in SI units: a straight line
  local m = mbs.model { "throw", gravity = { 0, 0 } }
  local v = m:param { "v", 1, unit = "m/s", min = 0, max = 9 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  m:signal { "way", 2 * P.x, unit = "m" }
  m:signal { "shown", P.x, unit = "mm" }
  local data = { t = { 1, 2, 3 }, way = { 6, 12, 18 } }
  local fit = m:fit { data = data, signals = { { "way", "way" } }, over = { v } }
  check.near(fit.parameters.v, 3, 1e-8, "slope of the half")
  data = { t = { 1, 2, 3 }, shown = { 1000, 2000, 3000 }, units = { shown = "mm" } }
  fit = m:fit { data = data, signals = { { "shown", "shown" } }, over = { v } }
  check.near(fit.parameters.v, 1, 1e-8, "of a column in mm")
  data.units.shown = "m"  -- metres in the file, millimetres in pictures
  data.shown = { 2, 4, 6 }
  check.near(m:fit { data = data, signals = { { "shown", "shown" } }, over = { v } }.parameters.v, 2, 1e-8, "in m")
  data.units.shown = "s"
  check.fails("is in s, the signal in m: these do not convert", function()
    m:fit { data = data, signals = { { "shown", "shown" } }, over = { v } }
  end)
end

do -- a signal by its name alone, in another unit; and back from the file into a fit, whatever unit it is in
  local m = mbs.model { "wheel", gravity = { 0, 0 } }
  local w = m:param { "w", 2, min = 0.1, max = 9 }
  local wheel = m:body { "wheel", mass = 1, inertia = 1, at = { 0, 0 }, angular_velocity = w }
  m:signal { "turned", wheel.angle, unit = "deg" }
  local run = m:simulate { t = 1 }
  local file = os.tmpname()
  run:csv(file, { "wheel.angle", unit = "deg" }, { "turned", unit = "rad" })
  local data = mbs.read_csv(file)
  os.remove(file)
  check.equal(data.units["wheel.angle"], "deg")
  check.near(data["wheel.angle"][#data.t], 2 * 180 / math.pi, 1e-9, "in degrees")
  check.near(data.turned[#data.t], 2, 1e-12, "and back in radians")
  run:csv(file, "turned")
  data = mbs.read_csv(file)
  os.remove(file)
  check.equal(data.units.turned, "deg")
  w.value = 5
  check.near(m:fit { data = data, signals = { { "turned", "turned" } }, over = { w } }.parameters.w, 2, 1e-6, "fitted")
end

do -- one that was declared after the run, of what the run has; and of what it has not
  local m, P = throw()
  local run = m:simulate { t = 1 }
  m:signal { "later", P.x / 2 }
  check.near(run:at("later", 1), 1, 1e-9, "x / 2 at the end")
  check.near(csv_of(run, "later").later[1], 0, 1e-12, "in a file")
  local Q = m:point { "Q", at = { 0, 0 }, mass = 1 }
  m:signal { "latest", Q.x }
  check.fails("which was declared after it was made", function() run:at("latest", 1) end)
end

do -- energies of the whole model must not be those of half of it
  local m, P = throw()
  m:signal { "E", m:signal "energy.total" }
  m:signal { "lost", function() return 12.5 + 2 - m:signal "energy.total" end }
  local run = m:simulate { t = 1 }
  check.near(run:at("E", 1), 14.5, 1e-6, "energy of the throw")
  check.near(run:at("lost", 1), 0, 1e-6, "nothing is lost")
  local other = m:point { "Q", at = { 0, 0 }, velocity = { 2, 0 }, mass = 1 }
  check.near(run:at("E", 1), 14.5, 1e-6, "of the run before")
  local after = m:simulate { t = 1 }
  check.fails('signal "E" reads energy.total as it was where the signal was declared', function() after:at("E", 1) end)
  check.near(after:at(other.x - 1, 1), 1, 1e-9, "other expressions do not mind")
end

do -- of analyses other than simulations
  local m, P = pendulum()
  m:signal { "toe", math.atan(P.x, -P.y), unit = "deg" }
  check.near(m:equilibrium {}:at "toe", 0, 1e-7, "hanging")
end

do -- names and units
  local m, P, v = throw()
  m:signal { "toe", P.x }
  local fails = check.fails
  fails("did you mean 'toe'?", function() m:signal "teo" end)
  fails("the name is taken by the signal defined at", function() m:signal { "toe", P.y } end)
  fails("the name is taken by the signal defined at", function() m:point { "toe", at = { 0, 0 }, mass = 1 } end)
  fails('the name is taken by the signal', function() m:param { "toe", 1 } end)
  fails("the name is taken by the point defined at", function() m:signal { "P", P.y } end)
  fails("the name is taken by the parameter", function() m:signal { "v", P.y } end)
  fails("every model has a signal of this name", function() m:signal { "t", P.y } end)
  fails("must not contain '.'", function() m:signal { "P.toe", P.y } end)
  fails('the unit "furlong" is not known', function() m:signal { "a", P.y, unit = "furlong" } end)
  fails('unit = "deg" does not fit: the value is in m', function() m:signal { "a", P.y - 1, unit = "deg" } end)
  fails('unit = "mm" does not fit: the value is in rad', function() m:signal { "a", math.atan(P.y, P.x), unit = "mm" } end)
  local already = 'converts from rad, but the value is multiplied by 57.2958 already'
  fails(already, function() m:signal { "a", math.deg(math.atan(P.y, P.x)), unit = "deg" } end)
  fails(already, function() m:signal { "a", math.atan(P.y, P.x) * 180 / math.pi - 3, unit = "deg" } end)
  fails(already, function() m:signal { "a", function() return -57.3 * math.atan(P.y, P.x) end, unit = "deg" } end)
  fails("multiplied by 1000 already", function() m:signal { "a", P.x / 0.001, unit = "mm" } end)
  -- What failed has not taken the name. Products of other numbers are fine, and units of products.
  m:signal { "a", 2 * math.atan(P.y, P.x), unit = "deg" }
  m:signal { "b", 5 * P.x * P.vx, unit = "N/mm" }
  check.equal(m:signals().units.b, "N/mm")
  local run = m:simulate { t = 1 }
  local data = csv_of(run, "a", "b")
  check.near(data.b[#data.b], 5 * 2 * 2 / 1000, 1e-9, "5 N/m^2 s, say, in N/mm")
  check.near(data.a[#data.a], 2 * math.deg(math.atan(0, 2)), 1e-6, "twice the elevation")
end

print "ok"
