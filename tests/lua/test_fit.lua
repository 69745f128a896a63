-- m:fit against regressions in closed form: values, standard errors, intervals; delays, moving events, several
-- experiments, outliers, and what the data do not tell.
local mbs = require "perilune"
local check = require "check"

local function near(a, b, tolerance, what)
  if math.abs(a - b) <= tolerance * math.max(1, math.abs(b)) then return end
  error(("%s is %.15g, expected %.15g"):format(what, a, b), 2)
end

-- A throw from x0 with v: x = x0 + v t, y = 5 t - g t^2 / 2.
local function throw()
  local m = mbs.model { "throw", gravity = { 0, -10 } }
  local x0 = m:param { "x0", 0.5, unit = "m", min = -5, max = 5 }
  local v = m:param { "v", 1, unit = "m/s", min = -10, max = 10 }
  local tau = m:param { "tau", 0.1, unit = "s", min = 0, max = 0.3 }
  local P = m:point { "P", at = { x0, 0 }, velocity = { v, 5 }, mass = 1 }
  return { m = m, x0 = x0, v = v, tau = tau, P = P }
end

-- A straight line by its normal equations, with standard errors; `w` weights.
local function line(t, y, w)
  local s, st, stt, sy, sty = 0, 0, 0, 0, 0
  for k = 1, #t do
    local weight = w and w[k] or 1
    s, st, stt = s + weight, st + weight * t[k], stt + weight * t[k]^2
    sy, sty = sy + weight * y[k], sty + weight * t[k] * y[k]
  end
  local det = s * stt - st^2
  local b, a = (s * sty - st * sy) / det, (stt * sy - st * sty) / det
  local rest = 0
  for k = 1, #t do rest = rest + (w and w[k] or 1) * (y[k] - a - b * t[k])^2 end
  local variance = rest / (#t - 2)
  return { a = a, b = b, variance = variance, sa = (variance * stt / det)^0.5, sb = (variance * s / det)^0.5,
    r = -st / (s * stt)^0.5 }
end

local t, x = {}, {}
local noise = { 0.02, -0.05, 0.01, 0.04, -0.03, 0.02, -0.01, 0.03, -0.04, 0, 0.05, -0.02 }
for k = 1, 12 do
  t[k] = 0.1 * k
  x[k] = 0.3 + 2 * t[k] + noise[k]
end

do -- one signal, deviation found
  local T = throw()
  local fit = T.m:fit { data = { t = t, x = x }, signals = { { "x", T.P.x } }, over = { T.x0, T.v } }
  local want = line(t, x)
  near(fit.parameters.x0, want.a, 1e-8, "x0")
  near(fit.parameters.v, want.b, 1e-8, "v")
  near(T.v.value, want.b, 1e-8, "the model's v")
  near(fit.standard_errors.x0, want.sa, 1e-7, "error of x0")
  near(fit.standard_errors.v, want.sb, 1e-7, "error of v")
  near(fit.correlation[1][2], want.r, 1e-7, "correlation")
  near(fit.signals.x.deviation, want.variance^0.5, 1e-7, "deviation")
  local student = 2.228138851964939 -- 0.975 quantile with 10 degrees of freedom
  near(fit.intervals.v[1], want.b - student * want.sb, 1e-7, "lower end")
  near(fit.intervals.v[2], want.b + student * want.sb, 1e-7, "upper end")
  assert(fit.degrees_of_freedom == 10 and #fit.lost == 0)
  -- The band: standard error of a + b t.
  local at = t[3]
  local band = student * (want.sa^2 + at^2 * want.sb^2 + 2 * at * want.r * want.sa * want.sb)^0.5
  near(fit.signals.x.band[3], band, 1e-7, "band")
  near(fit.signals.x.fitted[3], want.a + want.b * at, 1e-7, "fitted")
  local file = os.tmpname()
  fit:chart(file)
  assert(io.open(file):read("a"):find("<svg", 1, true))
  os.remove(file)
  assert(tostring(fit):find("fit of 2 parameters to 12 measurements", 1, true), tostring(fit))
end

do -- two sensors of the same line, with deviations of their own: weighted least squares
  local T = throw()
  local twice, both, weights = {}, {}, {}
  for k = 1, 12 do twice[k] = 2 * (0.3 + 2 * t[k]) + 0.4 * noise[13 - k] end
  local tt = {}
  for k = 1, 12 do
    tt[k], both[k], weights[k] = t[k], x[k], 1 / 0.05^2
    tt[12 + k], both[12 + k], weights[12 + k] = t[k], twice[k] / 2, 4 / 0.02^2
  end
  local want = line(tt, both, weights)
  local fit = T.m:fit { data = { t = t, x = x, twice = twice }, over = { T.x0, T.v },
    signals = { { "x", T.P.x, deviation = 0.05 }, { "twice", function(s) return 2 * T.P.x(s) end, deviation = 0.02 } } }
  near(fit.parameters.v, want.b, 1e-8, "weighted v")
  near(fit.standard_errors.v, want.sb, 1e-7, "its error")
  near(fit.deviation, want.variance^0.5, 1e-7, "deviation of the residuals")
end

do -- a late sensor with a gain and an offset: all from exact data
  local T = throw()
  local gain = T.m:param { "gain", 1, min = 0.1, max = 5 }
  local offset = T.m:param { "offset", 0, unit = "m" }
  local late = {}
  for k = 1, 12 do
    local s = t[k] - 0.0825
    late[k] = 1.25 * (5 * s - 5 * s^2) + 0.07
  end
  local fit = T.m:fit { data = { t = t, y = late }, over = { T.tau, gain, offset },
    signals = { { "y", gain * T.P.y + offset, delay = T.tau } } }
  near(fit.parameters.tau, 0.0825, 1e-7, "delay")
  near(fit.parameters.gain, 1.25, 1e-7, "gain")
  near(fit.parameters.offset, 0.07, 1e-7, "offset")
  assert(fit.signals.y.left_out == 2 and fit.warnings[1]:find("2 measurements", 1, true), fit.warnings[1])
end

do -- a delayed accelerometer, whose rate is found by differences: a = 3 t^2
  local m = mbs.model { "cart", gravity = { 0, 0 } }
  local tau = m:param { "tau", 0.02, unit = "s", min = 0, max = 0.09 }
  local P = m:point { "P", at = { 0, 0 }, mass = 2 }
  m:force { on = P, law = function(s) return 6 * s.t^2, 0 end }
  local late = {}
  for k = 1, 12 do late[k] = 3 * (t[k] - 0.06)^2 end
  local fit = m:fit { data = { t = t, a = late }, signals = { { "a", P.ax, delay = tau } },
    integrator = mbs.dormand_prince { max_step = 0.05 } }
  near(fit.parameters.tau, 0.06, 1e-8, "delay of the acceleration")
end

do -- a force that begins at T, where adaptive steps end: x = F / m (t - T)^2 / 2
  local m = mbs.model { "switch", gravity = { 0, 0 } }
  local T = m:param { "T", 0.5, unit = "s", min = 0.1, max = 1 }
  local F = m:param { "F", 2, unit = "N", min = 0, max = 10 }
  local P = m:point { "P", at = { 0, 0 }, mass = 2 }
  m:force { on = P, law = function(s) return mbs.where(mbs.gt(s.t, T), F, 0), 0 end }
  local way = {}
  for k = 1, 12 do way[k] = 1.5 * math.max(0, t[k] - 0.37)^2 end
  local fit = m:fit { data = { t = t, x = way }, signals = { { "x", P.x } } }
  near(fit.parameters.T, 0.37, 1e-7, "T")
  near(fit.parameters.F, 6, 1e-7, "F")
  assert(fit.evaluations < 15, "with exact derivatives few simulations are needed: " .. fit.evaluations)
end

do -- several experiments share v; the second starts with twice that and an x0 of its own
  local T = throw()
  local second = T.m:param { "second", 0, unit = "m" }
  local other = {}
  for k = 1, 12 do other[k] = -0.7 + 4 * t[k] + noise[13 - k] end
  local fit = T.m:fit { over = { T.x0, T.v, second }, signals = { { "x", T.P.x, deviation = 0.03 } },
    experiments = { { "slow", data = { t = t, x = x } },
      { "fast", data = { t = t, x = other }, set = { v = 2 * T.v, x0 = second } } } }
  -- Normal equations of x0, v, second.
  local sx, sy, n = 0, 0, 12
  local mean_t, mean_x, mean_o = 0, 0, 0
  for k = 1, n do mean_t, mean_x, mean_o = mean_t + t[k] / n, mean_x + x[k] / n, mean_o + other[k] / n end
  for k = 1, n do
    sx = sx + (1 + 4) * (t[k] - mean_t)^2
    sy = sy + (t[k] - mean_t) * ((x[k] - mean_x) + 2 * (other[k] - mean_o))
  end
  near(fit.parameters.v, sy / sx, 1e-8, "shared v")
  near(fit.parameters.x0, mean_x - sy / sx * mean_t, 1e-8, "first start")
  near(fit.parameters.second, mean_o - 2 * sy / sx * mean_t, 1e-8, "second start")
  assert(fit.signals["x in fast"].t[1] == t[1])
end

do -- what is near zero is told badly by its size alone; its bounds say whether that matters
  local way = {}
  for k = 1, 12 do way[k] = 0.001 + 2 * t[k] + noise[k] end
  for _, bound in ipairs { 5, 0.05 } do
    local m = mbs.model { "throw", gravity = { 0, -10 } }
    local x0 = m:param { "x0", 0.01, unit = "m", min = -bound, max = bound }
    local v = m:param { "v", 1, unit = "m/s", min = -10, max = 10 }
    local P = m:point { "P", at = { x0, 0 }, velocity = { v, 5 }, mass = 1 }
    local fit = m:fit { data = { t = t, x = way }, signals = { { "x", P.x } } }
    assert(fit.standard_errors.x0 > math.abs(fit.parameters.x0))
    assert((#fit.weak > 0) == (bound == 0.05), bound .. ": " .. tostring(fit))
  end
end

do -- an outlier moves the squares, and hardly a gentler loss
  local T = throw()
  local wild = { table.unpack(x) }
  wild[6] = wild[6] + 5
  local want = line(t, x)
  local squares = T.m:fit { data = { t = t, x = wild }, signals = { { "x", T.P.x } }, over = { T.x0, T.v } }
  local gentle = T.m:fit { data = { t = t, x = wild }, signals = { { "x", T.P.x } }, over = { T.x0, T.v },
    loss = "cauchy" }
  assert(math.abs(squares.parameters.x0 - want.a) > 0.2)
  assert(math.abs(gentle.parameters.x0 - want.a) < 0.05, gentle.parameters.x0)
end

do -- F and m of a push show as F / m alone: where a bound holds m, the error of F is only as good as that
  local m = mbs.model { "push", gravity = { 0, 0 } }
  local F = m:param { "F", 10, unit = "N", min = 1, max = 60 }
  local mass = m:param { "m", 0.5, unit = "kg", min = 0.5, max = 1 }
  local P = m:point { "P", at = { 0, 0 }, mass = mass }
  m:force { on = P, law = function() return F, 0 end }
  local way = {}
  for k = 1, 12 do way[k] = 25 * t[k] ^ 2 + noise[k] end
  local fit = m:fit { data = { t = t, x = way }, signals = { { "x", P.x } }, over = { F, mass } }
  local said = table.concat(fit.warnings, "\n")
  assert(fit.parameters.m == 0.5, tostring(fit))
  near(fit.parameters.F, 25, 0.05, "F at the bound of m")
  assert(said:find "cannot tell 1 %* F %+ 1 %* m where m may leave its bound", said)
  assert(said:find("the +- of the others hold only while it stays there", 1, true), said)
end

do -- what scales together is named: the motion of a spring and a mass tells their ratio alone
  local m = mbs.model { "oscillator", gravity = { 0, 0 } }
  local k = m:param { "k", 45, unit = "N/m", min = 1, max = 1000 }
  local mass = m:param { "mass", 1, unit = "kg", min = 0.1, max = 10 }
  local P = m:point { "P", at = { 1, 0 }, mass = mass }
  m:spring { m:ground { at = { 0, 0 } }, P, stiffness = k, free_length = 0.5 }
  local way = {}
  for i = 1, 12 do way[i] = 0.5 + 0.5 * math.cos(7 * t[i]) + 0.001 * noise[i] end
  local fit = m:fit { data = { t = t, x = way }, signals = { { "x", P.x } } }
  near(fit.parameters.k / fit.parameters.mass, 49, 1e-3, "squared frequency")
  assert(#fit.lost == 1 and fit.lost[1]:find("k") and fit.lost[1]:find("mass"), fit.lost[1])
  assert(fit.standard_errors.k == math.huge)
end

-- Of a matrix picture: the numbers of its cells in order, each with the colour behind it.
local function cells(fit)
  local file = os.tmpname()
  fit:correlation_chart(file)
  local stream = assert(io.open(file))
  local svg = stream:read("a"):gsub("\u{2212}", "-")
  stream:close()
  os.remove(file)
  local list = {}
  for colour, text in svg:gmatch('fill="(#%x+)" stroke="#ccc"/>%s*<text[^>]*>([^<]*)</text>') do
    list[#list + 1] = { colour = colour, text = text }
  end
  return list, svg
end

do -- correlation as a picture: the closed form's number, on a blue that is as strong
  local T = throw()
  local fit = T.m:fit { data = { t = t, x = x }, signals = { { "x", T.P.x } }, over = { T.x0, T.v } }
  local r = line(t, x).r
  local list, svg = cells(fit)
  assert(#list == 4 and svg:find(">x0<", 1, true) and svg:find(">v<", 1, true), svg)
  assert(list[1].text == "1.00" and list[1].colour == "#d55e00", list[1].colour)
  local blue = { 0, 114, 178 }
  for channel = 1, 3 do blue[channel] = math.floor(255 + r * (255 - blue[channel]) + 0.5) end
  for _, at in ipairs { 2, 3 } do
    assert(list[at].text == ("%.2f"):format(r), list[at].text)
    assert(list[at].colour == ("#%02x%02x%02x"):format(table.unpack(blue)), list[at].colour)
  end
end

do -- measurements far from the start: nearly -1, and not printed as -1
  local T = throw()
  local late = {}
  for k = 1, 12 do late[k] = 10 + t[k] end
  local y = {}
  for k = 1, 12 do y[k] = 0.3 + 2 * late[k] + noise[k] end
  local list = cells(T.m:fit { data = { t = late, x = y }, signals = { { "x", T.P.x } }, over = { T.x0, T.v } })
  local r = line(late, y).r
  assert(r < -0.995 and list[2].text == ("%.3f"):format(r), list[2].text)
end

do -- what the data do not tell, and what is fixed, has a reason and no number
  local T = throw()
  local twin = T.m:param { "twin", 0, unit = "m", min = -1, max = 1 }
  local still = T.m:param { "still", 0, unit = "m", min = 0, max = 0 }
  local fit = T.m:fit { data = { t = t, x = x }, signals = { { "x", T.P.x + twin + still } },
    over = { T.x0, twin, T.v, still } }
  assert(#fit.lost == 1, #fit.lost)
  local list, svg = cells(fit)
  assert(#list == 16, #list)
  for at, cell in ipairs(list) do
    assert(cell.text == (at == 11 and "1.00" or "?"), at .. " " .. cell.text)
  end
  local _, lost = svg:gsub(">not told by the data<", "")
  local _, fixed = svg:gsub(">fixed<", "")
  assert(lost == 2 and fixed == 1, lost .. " " .. fixed)
end

do -- a column in another unit than SI beside expressions: what a run writes, a fit reads
  local function build()
    local m = mbs.model { gravity = { 0, 0 } }
    local v, gain = m:param { "v", 2, unit = "m/s" }, m:param { "gain", 1 }
    local x0 = m:param { "x0", 0, unit = "m" }
    local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
    local b = m:body { "b", at = { 0, 1 }, mass = 1, inertia = 1, angular_velocity = 3 * v }
    return m, v, { gain * P.x, P.x + x0, P.x + 0.01, 2 * P.x, math.sqrt(P.x ^ 2 + x0 ^ 2 + 1e-6), P.x, P.vx * P.x,
                   b.angle + 0.1, gain * b.angle, P.x / x0 }
  end
  local units = { "mm", "cm", "km", "mm", "mm", "cm", "mm^2/s", "deg", "deg", "%" }
  local file = os.tmpname()
  for k, unit in ipairs(units) do
    local m, v, expressions = build()
    if k == 10 then m:object "x0".value = 0.3 end
    m:simulate({ t = 1 }):csv(file, { "y", expressions[k], unit = unit })
    local data = mbs.read_csv(file)
    assert(data.units.y == unit)
    v.value = 1.5
    m:fit { data = data, signals = { { "y", expressions[k] } }, over = v }
    check.near(v.value, 2, 1e-6, unit)
  end
  os.remove(file)
  local m, v, expressions = build()
  local function refused(text, unit, expression)
    check.fails(text, m.fit, m, { data = { t = { 0, 0.5, 1 }, y = { 0, 1, 2 }, units = { y = unit } }, over = v,
                                  signals = { { "y", expression } } })
  end
  refused('column "y" is in kg, the signal in m: these do not convert', "kg", expressions[2])
  refused('column "y" is in kg: signal "y": unit = "kg" does not fit', "kg", expressions[7])
  refused("but the value is multiplied by 1000 already", "mm", 1000 * expressions[6])
end

do -- columns with units that nobody converts stay as they are
  local m = mbs.model { gravity = { 0, 0 } }
  local v, gain = m:param { "v", 1.5, unit = "m/s" }, m:param { "gain", 7 }
  local P = m:point { "P", at = { 0, 0 }, velocity = { v, 0 }, mass = 1 }
  m:fit { data = { t = { 0, 0.5, 1 }, y = { 0, 7, 14 }, units = { y = "counts" } }, over = v, signals = { { "y", gain * P.x } } }
  check.near(v.value, 2, 1e-9)
end

do -- columns from a file, with units
  local T = throw()
  local run = T.m:simulate { t = 1 }
  local file = os.tmpname()
  run:csv(file, "P.x", "P.y")
  local data = mbs.read_csv(file)
  assert(data.units["P.y"] == "m" and data.units.t == "s" and #data.t == #run:times())
  T.v.value = 3
  local fit = T.m:fit { data = data, signals = { { "P.x", T.P.x }, { "P.y", "P.y" } }, over = { T.v } }
  near(fit.parameters.v, 1, 1e-8, "v of the file")
  local write = assert(io.open(file, "w"))
  write:write('# logged\nt [s];"the angle, raw [deg]";z\n\n0;1.5;+2e-3\n0.5; -3 ;\n')
  write:close()
  data = mbs.read_csv(file)
  assert(data["the angle, raw"][2] == -3 and data.units["the angle, raw"] == "deg" and data.z[1] == 2e-3)
  assert(data.z[2] ~= data.z[2], "an empty cell is NaN")
  os.remove(file)
end

do -- steps that are too long for the data say so; how the last simulation began does not matter
  local function oscillator()
    local m = mbs.model { "oscillator", gravity = { 0, 0 } }
    local k = m:param { "k", 90, unit = "N/m", min = 1, max = 1000 }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:force { on = P, law = function(s) return -k * s.x, 0 end }
    return m, k, P
  end
  local times, way = {}, {}
  for i = 1, 40 do
    times[i] = 0.05 * i
    way[i] = math.cos(10 * times[i]) + 0.1 * noise[1 + i % 12]
  end
  local m, k, P = oscillator()
  local coarse = m:fit { data = { t = times, x = way }, signals = { { "x", P.x } }, integrator = mbs.rk4 { step = 0.1 } }
  assert(table.concat(coarse.warnings):find("steps of the simulations are too long", 1, true), tostring(coarse))
  assert(math.abs(coarse.parameters.k - 100) > 3 * coarse.standard_errors.k)
  m, k, P = oscillator()
  m:simulate { start = -2, t = 1, at_rest = true }
  k.value = 90
  local fine = m:fit { data = { t = times, x = way }, signals = { { "x", P.x } } }
  assert(not table.concat(fine.warnings):find("too long", 1, true), tostring(fine))
  assert(math.abs(fine.parameters.k - 100) < 3 * fine.standard_errors.k, tostring(fine))
end

do -- files of numbers as others write them
  local file = os.tmpname()
  local function read(text)
    local stream = assert(io.open(file, "wb"))
    stream:write(text)
    stream:close()
    return pcall(mbs.read_csv, file)
  end
  local function holds(text, name, first, last)
    local ok, data = read(text)
    assert(ok, data)
    assert(data[name] and #data[name] == 2 and data[name][1] == first and data[name][2] == last, text)
  end
  holds("t,x\r\n0,1\r\n1,2\r\n", "x", 1, 2)
  holds("\xEF\xBB\xBFt,x\r0,1\r1,2", "t", 0, 1)
  holds("# t,x\n0,1\n1,2\n", "x", 1, 2)
  holds('"x, left";t\n0;1\n1;2\n', "x, left", 0, 1)
  local ok, data = read("t\tx\n\t1\n1\t\n")
  assert(ok and data.t[1] ~= data.t[1] and data.x[1] == 1 and data.t[2] == 1 and data.x[2] ~= data.x[2])
  local function refused(text, sentence)
    local fits, message = read(text)
    assert(not fits and message:find(sentence, 1, true), message)
  end
  refused("0,1\n1,2\n", "line 1: the first line has numbers where the names of the columns belong")
  refused("t,x\n", "there are no numbers below the names of its columns")
  refused("t,x\n0,one\n", "line 2: 'one' in column \"x\" is no number")
  refused("t;x\n0;1,5\n", "decimals need a point")
  refused("\xFF\xFEt\0", "UTF-16")
  refused("t,x\r\n0,1\r\n\r\n2\r\n", "line 4: it has 1 cells where the first line has 2")
  os.remove(file)
end
