-- A reader of JSON for the tests: objects and arrays become tables, null becomes nil.
local read

local function skip(text, at) return text:find("%S", at) or #text + 1 end

local function read_string(text, at)
  local parts, from = {}, at + 1
  while true do
    local stop = assert(text:find('["\\]', from), "unfinished string")
    parts[#parts + 1] = text:sub(from, stop - 1)
    if text:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    local letter = text:sub(stop + 1, stop + 1)
    parts[#parts + 1] = ({ n = "\n", t = "\t" })[letter] or letter
    from = stop + 2
  end
end

-- Items up to the closing bracket; `item` reads one into the table.
local function read_items(text, at, close, item)
  local result = {}
  at = skip(text, at + 1)
  while text:sub(at, at) ~= close do
    at = skip(text, item(result, at))
    if text:sub(at, at) == "," then at = skip(text, at + 1) end
  end
  return result, at + 1
end

local words = { ["true"] = true, ["false"] = false }

function read(text, at)
  at = skip(text, at)
  local first = text:sub(at, at)
  if first == '"' then return read_string(text, at) end
  if first == "[" then
    return read_items(text, at, "]", function(list, from)
      local value, after = read(text, from)
      list[#list + 1] = value
      return after
    end)
  end
  if first == "{" then
    return read_items(text, at, "}", function(object, from)
      local key, after = read_string(text, from)
      local colon = assert(text:match("^%s*:()", after), "':' is missing")
      object[key], after = read(text, colon)
      return after
    end)
  end
  local word = assert(text:match("^[%w+.-]+", at), "no value")
  return words[word] or tonumber(word), at + #word
end

return { decode = function(text) return (read(text, 1)) end }
