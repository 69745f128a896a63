-- The host program must print the gradient that the same model has in the executable.
-- perilune test_embedding.lua program folder
local mbs = require "perilune"
local program, folder = arg[1], arg[2]

local model
local make = mbs.model
mbs.model = function(...)
  model = make(...)
  return model
end
local objective = dofile(folder .. "/swing.lua")
local expected = model:gradient { objective }

local pipe = assert(io.popen(("'%s' '%s/swing.lua'"):format(program, folder)))
local text = pipe:read "a"
assert(pipe:close(), "the host program failed: " .. text)
local function near(got, wanted, what)
  got = assert(tonumber(got), text)
  assert(math.abs(got - wanted) <= 1e-8 * math.abs(wanted), ("%s: got %.9g, expected %.9g"):format(what, got, wanted))
end
near(text:match "swing = (%S+)", expected.value, "value")
for name, derivative in pairs(expected.by_name) do
  local exact, difference = text:match("d/d" .. name .. " = (%S+), by differences (%S+)")
  near(exact, derivative, name)
  near(difference, derivative, name .. " by differences")
end

-- What the host says of wrong scripts.
local function complaint(script)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(script)
  file:close()
  local errors = assert(io.popen(("'%s' '%s' 2>&1"):format(program, name)))
  local said = errors:read "a"
  assert(not errors:close(), "the host program did not fail")
  os.remove(name)
  return said
end
assert(complaint("return 3"):find("expected an objective, got 3", 1, true))
local unsimulated = 'local m = require "perilune".model {} return m:objective { "o", terminal = 1 }'
assert(complaint(unsimulated):find('objective "o": its model was not simulated', 1, true))
assert(complaint 'require "perilune".model { gravty = 1 }':find("did you mean 'gravity'", 1, true))
