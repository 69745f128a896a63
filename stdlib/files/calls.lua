-- Calls of constructors that stand, for error messages and `defined_at`, on the line of the file that they are for.
local calls = {}

local made = {}

-- Without empty lines before it, this is line 1.
local text_of_call = "local owner, method, fields = ... local made " ..
  "if owner then made = owner[method](owner, fields) else made = method(fields) end return made"

--- A function (owner, name of a method, table) that calls the method on the line of an element of the XML tree; with
--- nil as the owner the second argument is a function of the table.
function calls.at(element)
  local key = element.file .. "\n" .. element.line
  local call = made[key]
  if not call then
    call = assert(load(("\n"):rep(element.line - 1) .. text_of_call, "@" .. element.file, "t", {}))
    made[key] = call
  end
  return call
end

function calls.forget()
  made = {}
end

return calls
