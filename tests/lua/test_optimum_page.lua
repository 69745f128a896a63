-- best:page(file): the numbers are those of the optimum, both motions are what their parameters make of them, and nothing
-- that a script calls something becomes HTML.
local mbs = require "perilune"
local check = require "check"
local json = require "json"
local decoded = require "base64"
local file = os.tmpname()

local function page_of(best, ...)
  best:page(file, ...)
  local input <close> = assert(io.open(file, "rb"))
  return input:read "a"
end

local function report_of(page) return assert(page:match '<section id="report">(.-)</section>', "no report") end

-- The cells of a row of the report: of each its number with all digits, and what stands there.
local function row(report, name)
  local cells = {}
  for line in report:gmatch "<tr.-</tr>" do
    if line:find('<th scope="row">' .. name .. "</th>", 1, true) then
      for attributes, text in line:gmatch "<td(.-)>(.-)</td>" do
        cells[#cells + 1] = { number = tonumber(attributes:match 'title="(.-)"'), text = text:gsub("</?mark>", "") }
      end
      return cells, line
    end
  end
  error("the report has no row " .. name .. ":\n" .. report)
end

local function floats(text) return decoded(text, "<f") end

local function data_of(page) return json.decode(page:match '<script type="application/json" id="data">(.-)</script>') end

-- Where a point of one of the runs is at the samples.
local function path(run, name)
  for _, frame in ipairs(run.frames) do
    if frame.name == name then return floats(frame.positions) end
  end
end

local function throw(title)
  local m = mbs.model { title, gravity = { 0, -9.81 } }
  local vx = m:param { "vx", 3, unit = "m/s", min = 0, max = 20 }
  local vy = m:param { "vy", 4, unit = "m/s", min = 0 }
  local ball = m:point { "ball", at = { 0, 0 }, velocity = { vx, vy }, mass = 1 }
  return m, vx, vy, ball
end
local exact = mbs.rk4 { step = 0.05 } -- of parabolas

-- Limits: with the energy E and the height h at its end, vy = h + g/2 and vx = sqrt(2 E - vy^2), which is as far as the
-- ball goes; the slopes of that are 1/vx and -vy/vx.
local m, vx, vy, ball = throw "throw"
local far, high = m:objective { "far", terminal = -ball.x }, m:objective { "high", terminal = ball.y }
local best = m:optimize { minimize = far, t = 1, integrator = exact, subject_to = {
  { "energy", (vx ^ 2 + vy ^ 2) / 2, max = 40, unit = "J/kg" }, { "height", high, min = 1, unit = "m" },
  { "roof", high, max = 50, unit = "m" } } }
local ends = { vx = (80 - 5.905 ^ 2) ^ 0.5, vy = 5.905 }
vx.value, vy.value = 1, 2
local last = m:simulate { t = 0.1, integrator = exact }
local page = page_of(best)
check.equal(vx.value .. " " .. vy.value, "1.0 2.0", "the parameters stay as they are")
check.equal(m.last_run, last, "the last run")
local report = report_of(page)
local cells = row(report, "far")
check.near(cells[1].number, -3, 1e-12, "cost before")
check.near(cells[2].number, -ends.vx, 1e-7, "cost after")
check.equal(cells[1].number .. " " .. cells[2].number, best.initial .. " " .. best.final)
for name, start in pairs { vx = 3, vy = 4 } do
  cells = row(report, name)
  check.equal(cells[1].number, start, name .. " before")
  check.near(cells[2].number, ends[name], 1e-7, name .. " after")
  check.equal(cells[2].number, best.parameters[name], name .. " of the optimum")
  check.equal(cells[3].text .. ", " .. cells[4].text, name == "vx" and "m/s, 0 … 20" or "m/s, ≥ 0")
end
cells = row(report, "energy [J/kg]")
check.near(cells[1].number, 12.5, 1e-12, "energy before")
check.near(cells[2].number, 40, 1e-6, "energy after")
check.equal(cells[2].text .. ", " .. cells[3].text, "40 active, ≤ 40")
check.near(cells[4].number, 1 / ends.vx, 1e-6, "multiplier of the energy")
cells = row(report, "height [m]")
check.near(cells[1].number, 4 - 9.81 / 2, 1e-12, "height before")
check.equal(cells[2].text .. ", " .. cells[3].text, "1 active, ≥ 1")
check.near(cells[4].number, -ends.vy / ends.vx, 1e-6, "multiplier of the height")
cells = row(report, "roof [m]")
check.equal(cells[2].text .. ", " .. cells[3].text .. ", " .. cells[4].text, "1, ≤ 50, 0")
assert(report:find("<p>" .. best.message .. "</p>", 1, true), "why it ended")
for _, word in ipairs { "<svg", ">KKT residual<", ">vx<" } do assert(report:find(word, 1, true), word) end

-- Both motions.
local has_viewer = not page:find("this perilune was built without its viewer", 1, true)
if has_viewer then
  local data = data_of(page)
  check.equal(#data.runs, 2)
  for k, expected in ipairs { { name = "before", ghost = true, vx = 3, vy = 4 },
                              { name = "after", ghost = false, vx = ends.vx, vy = ends.vy } } do
    local run = data.runs[k]
    check.equal(run.name, expected.name)
    check.equal(run.ghost == true, expected.ghost)
    local at = path(run, "ball")
    check.equal(#at, 3 * data.count, "samples")
    for i = 0, data.count - 1 do
      local t = i / (data.count - 1)
      check.near(at[3 * i + 1], expected.vx * t, 1e-6, expected.name .. ", x")
      check.near(at[3 * i + 2], expected.vy * t - 9.81 / 2 * t ^ 2, 1e-6, expected.name .. ", y")
    end
  end
else
  print "without the viewer: the motions are not looked at"
end

-- What is declared or set afterwards changes nothing.
m:point { "later", at = { 0, 0 }, mass = 1 }
assert(page_of(best) == page, "the page changes with the model")

-- The wrong file, and the parameters after it.
check.fails("page: expected the name of a file, got nothing (nil)", best.page, best)
check.fails("cannot write '" .. file .. "/x.html': Not a directory", best.page, best, file .. "/x.html")
check.fails("cannot write 'missing/x.html': No such file or directory", best.page, best, "missing/x.html")
check.fails("write best:page(file) with a colon", best.page, file)
check.fails('the optimum is of a single run, without experiments; leave out "gust"', best.page, best, file, "gust")
check.equal(vx.value, 1.0)

-- At a bound, of the best of several starts, and with nothing to move.
m, vx, vy = throw "bounds"
local lift = m:param { "lift", 2, min = 2, max = 2 }
ball = m:point { "kite", at = { 0, 0 }, velocity = { vx, lift * vy }, mass = 1 }
best = m:optimize { minimize = m:objective { "far", terminal = -ball.x - ball.y }, t = 1, integrator = exact, starts = 3,
                    over = { vx, lift } }
report = report_of(page_of(best))
check.equal(row(report, "vx")[2].text, "20 max")
check.equal(row(report, "lift")[4].text, "fixed")
assert(report:find("<p>The best of 3 starts, number " .. best.start .. ".</p>", 1, true), "starts")

local miss

-- Experiments: the motions are those of one of them, with what it sets; its limits before, the others' not.
m, vx, vy, ball = throw "winds"
local wind = m:param { "wind", 0, unit = "m/s" }
local kite = m:point { "kite", at = { 0, 0 }, velocity = { vx + wind, vy }, mass = 1 }
best = m:optimize { minimize = m:objective { "miss", terminal = (kite.x - 7)^2 }, t = 1, integrator = exact, over = { vx },
                    experiments = { { "calm" }, { "gust", set = { wind = 2 } } },
                    subject_to = { { "reach", m:objective { "reach", terminal = kite.x }, max = 100 } } }
check.near(best.parameters.vx, 6, 1e-6, "between 7 and 5")
for name, expected in pairs { calm = { 3, 6 }, gust = { 5, 8 } } do
  page = page_of(best, name)
  report = report_of(page)
  assert(report:find(("<p>The motions are those of experiment &quot;%s&quot;, one of 2.</p>"):format(name), 1, true))
  assert(report:find("<pre>by experiment:\n", 1, true), "costs by experiment")
  check.near(row(report, "reach in " .. name)[1].number, expected[1], 1e-9, "before")
  check.near(row(report, "reach in " .. name)[2].number, expected[2], 1e-6, "after")
  check.equal(row(report, "reach in " .. (name == "calm" and "gust" or "calm"))[1].text, "", "of a run that is not made")
  for k, x in ipairs(has_viewer and expected or {}) do
    local at = path(data_of(page).runs[k], "kite")
    check.near(at[#at - 2], x, 1e-5, name .. " " .. k)
  end
end
assert(page_of(best):find("experiment &quot;calm&quot;", 1, true), "the first")
check.fails("page: the optimum has no experiment 'gist' (did you mean 'gust'?)", best.page, best, file, "gist")
check.fails("page: expected the name of an experiment, got 2", best.page, best, file, 2)

-- An experiment of another model, in which everything is twice as fast, and of which only the page knows in the end.
do
  local one, speed, _, stone = throw "one"
  local two, same = throw "two"
  local wings = two:point { "wings", at = { 0, 0 }, velocity = { 2 * same, 0 }, mass = 1 }
  miss = one:objective { "miss", terminal = (stone.x - 5)^2 }
  best = one:optimize { minimize = miss, t = 1, integrator = exact, over = { speed }, experiments = { { "slow" },
    { "fast", model = two, objectives = { two:objective { "miss", terminal = (wings.x - 10)^2 } } } } }
end
collectgarbage()
check.near(best.parameters.vx, 5, 1e-9, "for both of them")
page = page_of(best, "fast")
assert(page:find("<title>two</title>", 1, true), "its model's name")
for k, x in ipairs(has_viewer and { 6, 10 } or {}) do
  local at = path(data_of(page).runs[k], "wings")
  check.near(at[#at - 2], x, 1e-5, "the other model's")
end
assert(page_of(best):find("<title>one</title>", 1, true), "the first")

-- Phases: a ball that is let go falls for sqrt(2 h / g).
m = mbs.model { "fall", gravity = { 0, -10 } }
local h = m:param { "h", 1.25, min = 0.2, max = 5 }
ball = m:point { "ball", at = { 0, h }, velocity = { 2, 0 }, mass = 1 }
best = m:optimize { minimize = m:objective { "miss", terminal = (ball.x - 1.6)^2 }, t = 3,
                    phases = { m:phase { "fall", stop = -ball.y } } }
check.near(best.parameters.h, 3.2, 1e-6, "for 0.8 s")
page = page_of(best)
for k, height in ipairs(has_viewer and { 1.25, 3.2 } or {}) do
  local data = data_of(page)
  local at, sample = path(data.runs[k], "ball"), data.duration / (data.count - 1)
  local falling = (2 * height / 10) ^ 0.5
  local t = sample * data.runs[k].last
  assert(t <= falling + 1e-9 and t > falling - sample, "the last sample before the end")
  check.near(at[#at - 2], 2 * t, 1e-5, "in phases, x")
  check.near(at[#at - 1], height - 5 * t^2, 1e-5, "in phases, y")
end

-- Names that would be HTML; and a search that does not keep its limit says so where it is seen.
m = mbs.model { "</script><b>throw", gravity = { 0, -10 } }
local v = m:param { "v<i>", 3, unit = "m/s", min = 0, max = 3.5 }
ball = m:point { "P<s>", at = { 0, 0 }, velocity = { v, 5 }, mass = 1 }
miss = m:objective { "miss<em>", terminal = (ball.x - 4)^2 }
best = m:optimize { minimize = miss, t = 1, subject_to = { { "<q>", 2 * v, min = 9, unit = "<tt>" } },
                    experiments = { { "calm<p>" }, { "gust<p>" } } }
page = page_of(best)
local _, line = row(report_of(page), "&lt;q&gt; [&lt;tt&gt;]")
assert(line:find '^<tr class="broken">' and line:find("<mark>7</mark> broken", 1, true), line)
assert(page:find('<p class="trouble">No feasible point was found', 1, true), "infeasible")
for _, tag in ipairs { "<b>", "<i>", "<s>", "<em>", "<q>", "<tt>", "calm<p>" } do
  local plain = page:gsub('<script type="application/json" id="data">.-</script>', "") -- the data are no HTML
  assert(not report_of(plain):find(tag, 1, true), tag)
end
assert(page:find("<title>&lt;/script&gt;&lt;b&gt;throw</title>", 1, true), "title")
row(report_of(page), "miss&lt;em&gt;")
check.equal(row(report_of(page), "v&lt;i&gt;")[3].text, "m/s")
os.remove(file)
