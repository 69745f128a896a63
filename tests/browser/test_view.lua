-- run:view, as a reader sees it: the page is small, needs nothing else, draws the mechanism and moves with the slider.
local mbs = require "perilune"
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/?.lua;" .. package.path
local browser = require "browser"
local check = require "check"

local function read(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

-- Ten bodies on ball joints and hinges, solids and links, for ten seconds.
local function chain()
  local m = mbs.model { "ten bodies", gravity = { 0, 0, -9.81 } }
  local last = m.ground
  for k = 1, 10 do
    local name, x = "link" .. k, 0.3 * (k - 1)
    local body
    if k % 2 == 1 then
      local rod = mbs.cylinder { mass = 1, radius = 0.03, length = 0.3, at = { 0.15, 0, 0 } }
      body = m:body { name, inertia_of = rod, at = { x, 0, 0 } }
      m:revolute { "hinge" .. k, last, body, at = { x, 0, 0 }, axis = "y" }
    else
      body = m:body { name, mass = 1, inertia = { 0.01, 0.02, 0.02 }, at = { x + 0.15, 0, 0 } }
      m:spherical { "ball" .. k, last, body, at = { x, 0, 0 } }
    end
    last = body
  end
  return m, m:simulate { t = 10, integrator = mbs.generalized_alpha { step = 2e-3 }, formulation = mbs.index3 {} }
end

local _, run = chain()
run:view "ten_bodies.html"
local page = require "page".text "ten_bodies.html"
check.fails("cannot write 'missing/page.html': No such file or directory", run.view, run, "missing/page.html")
check.fails("view: expected the name of a file, got nothing (nil)", run.view, run)
check.fails("write run:view with a colon", run.view, "page.html")
assert(#page < 1.05e6, "the page of ten bodies has " .. #page .. " bytes")
for _, word in ipairs { "<script src", "<link rel=\"stylesheet\"", "@import", "importScripts" } do
  assert(not page:find(word, 1, true), "the page asks for another file: " .. word)
end
for _, notice in ipairs { "three.js authors", "Leon Sorokin", "Permission is hereby granted" } do
  assert(page:find(notice, 1, true), notice)
end

local found, console = browser.examine "ten_bodies.html"
check.equal(table.concat(console, "\n"), "", "console")
assert(found.colours > 50, "the canvas is blank: " .. found.colours .. " colours")
assert(found.changed > 0.002, "the slider moves nothing: " .. found.changed)
check.near(found.time, 3.7, 1e-12, "time of the slider")
assert(found.shown[1]:find("0.00", 1, true) and found.shown[2]:find("3.70", 1, true), found.shown[2])
check.equal(found.charts, 3, "charts: rad, J and the drift")  -- five hinges, three energies, one drift
check.equal(found.curves, 3 + 5 + 3 + 1, "curves, with the time of each chart")
check.equal(table.concat(found.toggles, " "), "Fit Joint frames Forces Traces Names Parts Picture Movie", "switches")
assert(found.followed < 1e-3, "a followed body stays where it is seen: " .. found.followed)

local size
size, console = browser.screenshot("ten_bodies.html#test=forces,traces", "ten_bodies.png")
check.equal(table.concat(console, "\n"), "", "console")
assert(size > 20000, "the screenshot has " .. size .. " bytes")

-- In the plane, with what the chain lacks: points, bars, a spring, a slider, a force; and names that need escaping.
local m = mbs.model { "</script> & planar", gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 1, 0 }, mass = 1 }
m:bar { "bar <b>", m:ground { at = { 0, 0 } }, P, mass = 1 }
local block = m:body { "block", mass = 1, inertia = 0.1, at = { 2, -1 } }
m:translational { "rail", m.ground, block, at = { 2, -1 }, axis = "x" }
m:spring { "s", P, block, stiffness = 30 }
m:force { "push", on = block, force = { 1, 0 } }
run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-3 }, formulation = mbs.index1 {} }
run:view("planar.html", "P.x", "rail.displacement", "s.force")
found, console = browser.examine "planar.html"
check.equal(table.concat(console, "\n"), "", "console")
assert(found.colours > 20 and found.changed > 0.001, "planar: " .. found.colours .. ", " .. found.changed)
check.equal(found.charts, 2, "charts: m and N")
local text = browser.open "planar.html"
assert(text:find("<h1 id=\"title\">&lt;/script&gt; &amp; planar</h1>", 1, true))

-- An instant of rest has a picture, but nothing to play.
local q = mbs.model { "rest", gravity = { 0, -9.81 } }
local Q = q:point { "Q", at = { 0, 1 }, mass = 1 }
q:spring { q:ground { at = { 0, 2 } }, Q, stiffness = 100 }
q:equilibrium {}:view "rest.html"
found, console = browser.examine "rest.html"
check.equal(table.concat(console, "\n"), "", "console")
assert(found.colours > 20, "rest: " .. found.colours)

-- Two runs of different lengths on one page.
local L = q:param { "L", 1, unit = "m", min = 0.5, max = 2 }
local R = q:point { "R", at = { L, 0 }, mass = 1 }
q:distance { q:ground { at = { 0, 0 } }, R }
local one = q:simulate { t = 2 }
L.value = 1.5
mbs.compare { "compare.html", one, q:simulate { t = 1 }, names = { "long", "short" }, signals = { "R.x", "R.y" } }
found, console = browser.examine "compare.html"
check.equal(table.concat(console, "\n"), "", "console")
assert(found.colours > 20 and found.changed > 0.001, "compare: " .. found.colours .. ", " .. found.changed)
check.equal(found.charts, 2, "charts: one for each signal")
check.equal(found.curves, 2 * 3, "curves: the time and both runs in each")
text = browser.open "compare.html"
for _, name in ipairs { "long", "short" } do assert(text:find("</i>" .. name .. "</label>", 1, true), name) end

-- An optimum: the tables beside both motions, of which the first is a ghost, and no text that became markup.
local b = mbs.model { "optimum", gravity = { 0, -9.81 } }
local lead = b:param { "lead <i>", 3, unit = "m/s", min = 0, max = 20 }
local S = b:point { "S", at = { 0, 0 }, velocity = { lead, 5 }, mass = 1 }
b:bar { "tail", S, b:point { "T", at = { -1, 0 }, velocity = { lead, 5 } }, mass = 1 }
b:optimize({ minimize = b:objective { "miss <b>", terminal = (S.x - 4)^2 }, t = 1 }):page "optimum.html"
found, console = browser.examine "optimum.html"
check.equal(table.concat(console, "\n"), "", "console")
assert(found.colours > 20 and found.changed > 0.001, "optimum: " .. found.colours .. ", " .. found.changed)
assert(found.charts > 2, "charts below the tables")
text = browser.open "optimum.html"
assert(text:find('<i class="ghost" style="[^"]*"></i>before</label>'), "the mark of the ghost")
assert(text:find('<th scope="row">lead &lt;i&gt;</th>', 1, true) and text:find('>miss &lt;b&gt;</th>', 1, true))
for _, look in ipairs { "", " --window-size=520,900", " --blink-settings=preferredColorScheme=0" } do
  size, console = browser.screenshot("optimum.html#test=traces", "optimum.png", look)
  check.equal(table.concat(console, "\n"), "", "console")
  assert(size > 20000, "the screenshot has " .. size .. " bytes")
end

-- Without WebGL the signals are left, and a sentence.
text = browser.open("planar.html", "--disable-3d-apis")
assert(text:find '<p id="trouble">This browser draws no three%-dimensional pictures', "trouble")
assert(text:find('class="uplot', 1, true))

-- Contacts and tires: planes, terrain and balls as surfaces, what touches them seen through.
do
  local steel = mbs.hunt_crossley { stiffness = 1e5, dissipation = 0.3 }
  local s = mbs.model { "contacts", gravity = { 0, 0, -9.81 } }
  local function hills(x) return 0.05 * math.sin(4 * x.x) * math.cos(3 * x.y) end
  local egg = s:body { "egg", mass = 1, inertia = { 0.01, 0.02, 0.02 }, at = { 0, 0, 0.5 }, velocity = { 1, 0.3, 0 } }
  s:contact { "hills", s.ground, egg, semi_axes = { 0.3, 0.2, 0.15 }, height = hills, normal = steel }
  s:contact { "dome", s:ground { at = { 1.5, 0.5, 0 } }, egg, ball = 0.3, semi_axes = { 0.3, 0.2, 0.15 },
              normal = steel }
  local wheel = s:body { "wheel", mass = 5, inertia = { 0.1, 0.2, 0.1 }, at = { 0, 1, 0.32 }, velocity = { 2, 0, 0 },
                         angular_velocity = { 0, 7, 0 } }
  s:tire { "tire", s.ground, wheel, radius = 0.3, stiffness = 1e4, damping = 50, friction = 0.8, height = hills }
  local stone = s:body { "stone", mass = 1, inertia = { 0.01, 0.02, 0.02 }, at = { 0, -1.2, 0.4 } }
  s:contact { "table", s:ground { at = { 0, -1.2, 0.1 } }, stone, radius = 0.1, axis = { 0.2, 0, 1 }, normal = steel }
  s:simulate({ t = 1 }):view "contacts.html"
  found, console = browser.examine "contacts.html"
  check.equal(table.concat(console, "\n"), "", "console")
  assert(found.colours > 50 and found.changed > 0.001, "contacts: " .. found.colours .. ", " .. found.changed)
  size, console = browser.screenshot("contacts.html#test", "contacts.png")
  check.equal(table.concat(console, "\n"), "", "console")
  s = mbs.model { "bounce", gravity = { 0, -9.81 } }
  egg = s:body { "egg", mass = 1, inertia = 0.02, at = { 0, 0.6 }, velocity = { 1, 0 }, angular_velocity = 2 }
  s:contact { "hills", s.ground, egg, semi_axes = { 0.3, 0.15 }, normal = steel,
              height = function(x) return 0.05 * math.sin(4 * x.x) end }
  s:simulate({ t = 1 }):view "bounce.html"
  found, console = browser.examine "bounce.html"
  check.equal(table.concat(console, "\n"), "", "console")
  assert(found.colours > 20 and found.changed > 0.001, "bounce: " .. found.colours .. ", " .. found.changed)
  size, console = browser.screenshot("bounce.html#test", "bounce.png")
  assert(size > 5000)
end

-- What springs, dampers, actuators and cams look like; what is hidden, seen through, and said of what is clicked.
do
  local s = mbs.model { "valve", gravity = { 0, -9.81 } }
  local shaft = s:body { "shaft", mass = 1, inertia = 1e-3, at = { 0, 0 } }
  s:driver { s:revolute { "hinge", s.ground, shaft, at = { 0, 0 } }.angle, law = function(x) return 20 * x.t end }
  local tip = s:point { "tip", at = { 0, 0.046 }, mass = 0.1 }
  s:constraint { "guide", law = tip.x }
  s:cam { "lobe", shaft, tip, radius = 0.01, profile = function(x) return 0.036 + 0.008 * math.cos(x.angle)^2 end }
  local function post(x, y) return s:ground { at = { x, y } } end
  s:spring { "closing", tip, post(0, 0.15), stiffness = 4000, free_length = 0.13 }
  s:spring { "strut", tip, post(-0.07, 0.12), stiffness = 10, damping = 1 }
  s:spring { "dash", tip, post(0.07, 0.12), damping = 1 }
  s:spring { "push", tip, post(0.1, 0.03), force = 3 }
  local still = s:simulate { t = 0.3 }
  still:view "valve.html"
  found, console = browser.examine "valve.html"
  check.equal(table.concat(console, "\n"), "", "console")
  local parts = {}
  for _, part in ipairs(found.parts) do
    parts[part.name] = part
    check.equal(part.back, 0, "shown again: " .. part.name)
  end
  assert(parts.cams.hidden > 0.02 and parts.cams.through > 0.02, "the cam covers a part of the picture")
  assert(parts["springs and dampers"].hidden > 0.01 and parts.ground.hidden > 0.002, "springs and ground")
  for _, label in ipairs { "spring closing", "spring-damper strut", "damper dash", "actuator push", "cam lobe",
                           "contact of lobe", "body shaft", "ground at closing" } do
    assert(found.picks[label], "nothing to click for " .. label)
  end
  local t = found.time
  local said = found.picks["spring closing"]:match "length\t([%d.]+) m"
  check.near(tonumber(said), 0.15 - still:at("tip.y", t), 1e-5, "length, as said")
  check.near(tonumber(found.picks["actuator push"]:match "pull\t([%d.]+) N"), 3, 1e-3, "force, as said")
  assert(found.picks["revolute hinge"]:find("hinge.angle\t" .. ("%.4g"):format(20 * t), 1, true), "angle, as said")
end

-- A movie without a screen: 800 x 500 pixels, as long as the page plays, and nothing left of what made it.
do
  local s = mbs.model { "throw", gravity = { 0, -9.81 } }
  s:point { "P", at = { 0, 0 }, velocity = { 1, 5 }, mass = 1 }
  local throw = s:simulate { t = 1 }
  check.fails("movie: the name of the file must end in .gif, an animated picture, or in .png", throw.movie, throw, "throw.mp4")
  check.fails("movie: expected the name of a file, got nothing (nil)", throw.movie, throw)
  check.fails("No such file or directory", throw.movie, throw, "missing/throw.gif")
  -- In a process whose scratch folders are in a place of their own, since other programs make such, too, and with a name
  -- that is too long for the sockets of Chromium.
  local file <close> = assert(io.open("throw.lua", "w"))
  file:write 'local mbs = require "perilune"\nlocal s = mbs.model { "throw", gravity = { 0, -9.81 } }\n'
  file:write 's:point { "P", at = { 0, 0 }, velocity = { 1, 5 }, mass = 1 }\ns:simulate({ t = 1 }):movie "throw.gif"\n'
  file:close()
  local scratch = "scratch/" .. ("long"):rep(20)
  assert(os.execute(("rm -rf scratch && mkdir -p %s"):format(scratch)))
  assert(os.execute(("TMPDIR=\"$PWD/%s\" '%s' throw.lua"):format(scratch, arg[-1])))
  local pipe <close> = assert(io.popen(("ls %s | grep '^perilune-'"):format(scratch)))
  check.equal(pipe:read "a", "", "folders left behind")
  local gif = read "throw.gif"
  local width, height, flags = ("<I2I2B"):unpack(gif, 7)
  check.equal(gif:sub(1, 6) .. " " .. width .. " " .. height, "GIF89a 800 500")
  -- Blocks: extensions, of which the graphic control has the delay, and pictures, each a list of sub-blocks.
  local at, pictures, centiseconds = 14 + ((flags & 128) ~= 0 and 3 * 2 ^ ((flags & 7) + 1) // 1 or 0), 0, 0
  at = math.tointeger(at)
  while gif:byte(at) ~= 0x3b do
    if gif:byte(at) == 0x21 then
      if gif:byte(at + 1) == 0xf9 then centiseconds = centiseconds + ("<I2"):unpack(gif, at + 4) end
      at = at + 2
    else
      check.equal(gif:byte(at), 0x2c, "a picture")
      local own = gif:byte(at + 9)
      at = at + 11 + ((own & 128) ~= 0 and 3 << ((own & 7) + 1) or 0)
      pictures = pictures + 1
    end
    while gif:byte(at) ~= 0 do at = at + 1 + gif:byte(at) end
    at = at + 1
  end
  check.equal(at, #gif, "the end")
  check.near(centiseconds / 100 / (pictures / 25), 1, 0.02, "25 pictures a second")
  assert(pictures >= 50, "pictures: " .. pictures)
  -- A series of PNG pictures, at exact times: 5 a second for 0.6 s are those at 0.2, 0.4, 0.6 and 0.8 s.
  assert(os.execute "rm -rf series && mkdir series")
  throw:movie("series/f%03d.png", { rate = 5, speed = 1, from = 0.2, to = 0.8, width = 320, height = 240 })
  local pipe <close> = assert(io.popen "ls series | tr '\\n' ' '")
  check.equal(pipe:read "a", "f001.png f002.png f003.png f004.png ")
  local seen = {}
  for k = 1, 4 do
    local png = read(("series/f%03d.png"):format(k))
    check.equal(png:sub(1, 16), "\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    local wide, high = (">I4I4"):unpack(png, 17)
    check.equal(wide .. " " .. high, "320 240")
    assert(not seen[png], "a picture that does not move")
    seen[png] = true
  end
  -- A shorter one under the same name leaves pictures of the longer one, and says so.
  local file <close> = assert(io.open("again.lua", "w"))
  file:write 'local mbs = require "perilune"\nlocal s = mbs.model { "throw", gravity = { 0, -9.81 } }\n'
  file:write 's:point { "P", at = { 0, 0 }, velocity = { 1, 5 }, mass = 1 }\n'
  file:write 's:simulate({ t = 1 }):movie("series/f%03d.png", { rate = 5, speed = 1, from = 0.2, to = 0.4 })\n'
  file:close()
  local pipe <close> = assert(io.popen(("'%s' again.lua 2>&1"):format(arg[-1])))
  check.equal(pipe:read "a", "again.lua:4: warning: movie: 'series/f003.png' is of another, longer series: remove it and "
    .. "what follows\n")
  throw:movie("series/whole.png", { rate = 1, speed = 1 })
  assert(#read "series/whole_0001.png" > 500 and #read "series/whole_0002.png" > 500)
  for wrong, sentence in pairs {
    ["movie has no setting 'widht' (did you mean 'width'?)"] = { widht = 3 }, ["width must be a number, got \"a\""] = { width = "a" },
    ["between 100 and 4000 pixels, got 3"] = { width = 3 }, ["2 s is outside of"] = { from = 2 },
    ["from must not be later than to"] = { from = 0.7, to = 0.2 }, ["rate, speed, from or to behind the name"] = 30,
    ["50 pictures a second make 5001; a GIF has at most 400"] = { rate = 50, speed = 0.01 },
    ["a GIF has at most 50 pictures a second"] = { rate = 60 } } do
    check.fails(wrong, throw.movie, throw, "wrong.gif", sentence)
  end
  check.fails("one %d or %04d, got 'x%s.png'", throw.movie, throw, "x%s.png")
  check.fails("expected nothing behind its settings, got 4", throw.movie, throw, "x.gif", {}, 4)
  -- Without Chromium a sentence, and the file that was there stays.
  local script = os.tmpname()
  local file = assert(io.open(script, "w"))
  file:write [[local m = require "perilune".model { gravity = { 0, -9.81 } }
m:point { "P", at = { 0, 0 }, mass = 1 }
m:simulate { t = 1 }:movie "throw.gif"]]
  file:close()
  local pipe = assert(io.popen(("PATH=/nowhere '%s' '%s' 2>&1"):format(arg[-1], script)))
  local said = pipe:read "a"
  pipe:close()
  os.remove(script)
  assert(said:find("drawn by Chromium, which is not here: apt-get install chromium", 1, true), said)
  check.equal(read "throw.gif", gif)
end
