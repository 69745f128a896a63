-- Runs the ```lua blocks of a page of the documentation as one script, and lets pictures be drawn from what they made,
-- so that a picture shows the very mechanism of the text.
local page = {}

-- The page as a script: blocks stay on their lines, all else goes; behind block n, of those that run and do not fail,
-- stands a call with n. What comes behind the last block that is asked for is left out.
local function script_of(path, last)
  local lines, kind, count = {}, nil, 0
  for line in io.lines(path) do
    local fence, code = line:match "^%s*```(.*)$", ""
    if fence and not kind then
      kind = fence
    elseif fence then
      if kind == "lua" then
        count = count + 1
        code = ("docs_picture(%d)"):format(count)
      end
      kind = nil
    elseif kind == "lua" then
      code = line
    end
    lines[#lines + 1] = code
    if count == last then break end
  end
  assert(count == last, ("%s has %d blocks, a picture asks for number %d"):format(path, count, last))
  return table.concat(lines, "\n")
end

-- The local variables of the script that is running, by their names; of two with one name the later one.
local function locals_of(level)
  local values, index = {}, 1
  while true do
    local name, value = debug.getlocal(level, index)
    if not name then return values end
    values[name] = value
    index = index + 1
  end
end

--- Runs the page up to the last block behind which something is to be drawn. `draw(n, values)` is called behind each.
function page.run(path, last, draw)
  local script = script_of(path, last)
  local say, write = print, io.write
  print, io.write = function() end, function() return io.stdout end -- what the page prints is its own
  local globals = setmetatable({ docs_picture = function(number) draw(number, locals_of(3)) end }, { __index = _G })
  assert(load(script, "@" .. path, "t", globals))()
  print, io.write = say, write
end

return page
