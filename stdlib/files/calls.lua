-- Calls of constructors that stand, for error messages and `defined_at`, on the line of the file that they are for.
local calls = {}

local made = {}

--- A function (object, method, table) that calls the method on the line of an element of the XML tree.
function calls.at(element)
  local key = element.file .. "\n" .. element.line
  local call = made[key]
  if not call then
    local text = ("\n"):rep(element.line - 1) .. "local owner, method, fields = ... local made = owner[method](owner, fields) return made"
    call = assert(load(text, "@" .. element.file, "t", {}))
    made[key] = call
  end
  return call
end

function calls.forget()
  made = {}
end

return calls
