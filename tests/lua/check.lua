-- A few helpers for the test scripts beside this file.
local check = {}

function check.equal(got, expected, what)
  if not rawequal(got, expected) and got ~= expected then
    error(("%s: got %s, expected %s"):format(what or "value", tostring(got), tostring(expected)), 2)
  end
end

function check.near(got, expected, tolerance, what)
  if not (math.abs(got - expected) <= (tolerance or 1e-12) * math.max(1, math.abs(expected))) then
    error(("%s: got %.17g, expected %.17g"):format(what or "value", got, expected), 2)
  end
end

-- The call must fail with a message that contains the text.
function check.fails(text, f, ...)
  local ok, message = pcall(f, ...)
  if ok then error("no error, expected: " .. text, 2) end
  if not tostring(message):find(text, 1, true) then
    error(("got the error: %s\nexpected: %s"):format(tostring(message), text), 2)
  end
end

-- What mbs.read makes of a text, written to the file `path`; with further fields of the call.
function check.read(path, text, fields)
  local file <close> = assert(io.open(path, "w"))
  file:write(text)
  file:flush()
  fields = fields or {}
  fields[1] = path
  return require "perilune".read(fields)
end

return check
