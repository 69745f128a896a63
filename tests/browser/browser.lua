-- Opens pages in a headless Chromium: what the document became, what the console said, what it looks like.
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/../lua/?.lua;" .. package.path
local json = require "json"
local browser = {}

local function capture(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  return text
end

local program = capture "command -v chromium":match "%S+"
if not program then
  print "skipped: there is no chromium here (Debian: apt-get install chromium)"
  os.exit(77)
end
local folder = capture "pwd":match "[^\n]+"

-- Software rendering, and nothing that asks for a network.
local flags = "--headless --no-sandbox --disable-quic --no-first-run --disable-background-networking "
  .. "--disable-component-update --disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader "
  .. "--hide-scrollbars --window-size=1200,760 --virtual-time-budget=4000 --enable-logging=stderr"

local function run(page, more)
  local profile = os.tmpname()
  os.remove(profile)
  local log = profile .. ".log"
  local text = capture(("'%s' %s --user-data-dir='%s' %s 'file://%s/%s' 2>'%s'"):format(program, flags, profile, more,
                                                                                      folder, page, log))
  local file = assert(io.open(log))
  local console = {}
  for line in file:lines() do
    if line:find("CONSOLE", 1, true) then console[#console + 1] = line end
  end
  file:close()
  os.remove(log)
  os.execute(("rm -rf '%s'"):format(profile))
  return text, console
end

-- The document after its scripts ran, and the lines of the console.
function browser.open(page, more) return run(page, "--dump-dom " .. (more or "")) end

-- What the page found when it examined itself (stdlib/viewer/src/self_test.js), and the lines of the console.
function browser.examine(page)
  local text, console = browser.open(page .. "#test")
  local result = text:match '<script type="application/json" id="test">(.-)</script>'
  assert(result, page .. " did not finish its examination; the console said:\n" .. table.concat(console, "\n"))
  return json.decode(result), console
end

-- Writes a picture of the page and returns its size in bytes. `more`: for the browser.
function browser.screenshot(page, file, more)
  os.remove(file)
  local _, console = run(page, ("--screenshot='%s/%s'"):format(folder, file) .. (more or ""))
  local picture = assert(io.open(file, "rb"), "no screenshot")
  local size = #picture:read "a"
  picture:close()
  return size, console
end

return browser
