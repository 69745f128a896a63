-- In the stock interpreter: errors of every kind leave nothing behind, neither memory nor half-made models.
local mbs = require "perilune"
local check = require "check"

local m = mbs.model { "errors", gravity = { 0, -10 } }
local P = m:point { "P", at = { 0, 0 }, velocity = { 1, 5 }, mass = 1 }
local function condition(s)
  if s.x > 0 then return 0, 0 end
  return 1, 0
end
local function wrong_on_purpose()
  check.fails("condition on symbolic", m.force, m, { "f", on = P, law = condition })
  check.fails("mine", m.force, m, { "f", on = P, law = function() error "mine" end })
  check.fails("did you mean 'stiffness'?", m.spring, m, { P, P, stifness = 1 })
  check.fails("the value -1", function() m:param { "negative", -1, min = 0 } end)
  check.fails("t must be greater", m.simulate, m, { t = -1 })
end
-- Pages of memory of the process.
local function resident()
  local file = assert(io.open "/proc/self/statm")
  local pages = file:read("n", "n")
  file:close()
  return pages
end
for _ = 1, 300 do wrong_on_purpose() end
collectgarbage()
local before = resident()
for _ = 1, 3000 do wrong_on_purpose() end
collectgarbage()
assert(resident() - before < 1000, "4 MB of memory were lost")

-- The model is as good as new.
m:force { "wind", on = P, law = function() return 2, 0 end }
local run = m:simulate { t = 1 }
check.near(run:at("P.x", 1), 2, 1e-9)
check.near(run:at("P.y", 1), 0, 1e-9)
local thread = coroutine.wrap(function()
  local ok, message = pcall(m.force, m, { on = P, law = function() coroutine.yield() end })
  assert(not ok and tostring(message):find "yield")
  return "done"
end)
check.equal(thread(), "done")
