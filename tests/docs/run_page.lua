-- Runs the ```lua blocks of a page of the documentation, all as one script, so that errors name lines of the page.
--   ```lua         runs
--   ```lua fails   must fail; its output is the message, without the position
--                  and without folders
--   ```lua part    is shown only: part of something that another block runs
--   ```text        after one of the first two: what that block prints. A line "..." stands for any lines, "..." in a
--                  line for any text, and numbers agree when they round to the same digits.
-- perilune run_page.lua page.md
local page = arg[1]

-- The page as a script: blocks stay on their lines, fences become calls, everything else goes.
local function read_page()
  local lines, blocks, number = {}, {}, 0
  local kind, expected  -- of the block that the line is in
  for line in io.lines(page) do
    number = number + 1
    local fence = line:match "^%s*```(.*)$"
    local code = ""
    if fence and not kind then
      kind = fence
      if kind == "lua" or kind == "lua fails" then
        blocks[#blocks + 1] = { line = number, fails = kind == "lua fails" }
        code = ("docs_block(%d%s"):format(#blocks, kind == "lua" and ")" or ", function()")
      elseif kind == "text" and #blocks > 0 and not blocks[#blocks].expected then
        expected = { line = number }
        blocks[#blocks].expected = expected
      end
    elseif fence then
      if kind == "lua fails" then code = "end)" end
      kind, expected = nil, nil
    elseif kind == "lua" or kind == "lua fails" then
      code = line
    elseif expected then
      expected[#expected + 1] = line
    end
    lines[number] = code
  end
  assert(not kind, page .. ": the last block is open")
  return table.concat(lines, "\n"), blocks
end

-- True if the second number rounds to the first, as it is written.
local function same_number(want, got)
  local a, b = tonumber(want), tonumber(got)
  if not a or not b then return false end
  local mantissa, exponent = want:match "^([^eE]*)[eE]?(.*)$"
  local decimals = #(mantissa:match "%.(%d*)" or "")
  local unit = 10 ^ ((tonumber(exponent) or 0) - decimals)
  return math.abs(a - b) <= 0.5001 * unit
end

local number_pattern = "[-+]?%d+%.?%d*[eE]?[-+]?%d*"

local function same_word(want, got)
  if want == got then return true end
  local a, b = 1, 1
  while true do
    local a1, a2 = want:find(number_pattern, a)
    local b1, b2 = got:find(number_pattern, b)
    if not a1 or not b1 then return want:sub(a) == got:sub(b) end
    if want:sub(a, a1 - 1) ~= got:sub(b, b1 - 1) then return false end
    if not same_number(want:sub(a1, a2), got:sub(b1, b2)) then return false end
    a, b = a2 + 1, b2 + 1
  end
end

local function words(line)
  local list = {}
  for word in line:gmatch "%S+" do list[#list + 1] = word end
  return list
end

local function same_line(want, got)
  local a, b = words(want), words(got)
  for i = 1, #a do
    if a[i] == "..." then return true end
    if not b[i] or not same_word(a[i], b[i]) then return false end
  end
  return #a == #b
end

-- The first expected line that is missing, or nil. "..." alone skips lines.
local function difference(expected, got)
  local at, skipping = 1, false
  for _, want in ipairs(expected) do
    if want:match "^%s*%.%.%.%s*$" then
      skipping = true
    else
      while skipping and got[at] and not same_line(want, got[at]) do at = at + 1 end
      if not got[at] or not same_line(want, got[at]) then return want, got[at] end
      at, skipping = at + 1, false
    end
  end
  if not skipping and got[at] then return "the end", got[at] end
end

local script, blocks = read_page()
local output, current = {}, 0
local function write(...)
  for i = 1, select("#", ...) do output[#output + 1] = tostring((select(i, ...))) end
end

local failures = 0
local function fail(line, text)
  io.stderr:write(("%s:%d: %s\n"):format(page, line, text))
  failures = failures + 1
end

local function finish_block()
  local block = blocks[current]
  local text = table.concat(output)
  output = {}
  if not block or not block.expected then return end
  local got = {}
  for line in text:gmatch "[^\n]+" do
    if line:find "%S" then got[#got + 1] = line end
  end
  local expected = {}
  for _, line in ipairs(block.expected) do
    if line:find "%S" then expected[#expected + 1] = line end
  end
  local want, instead = difference(expected, got)
  if want then
    local problem = ("expected '%s', got '%s'; the whole output:\n%s"):format(want, instead or "nothing", text)
    fail(block.expected.line, problem)
  end
end

function docs_block(number, wrong)  -- a global: the script's blocks call it
  finish_block()
  current = number
  if not wrong then return end
  local ok, message = pcall(wrong)
  if ok then fail(blocks[number].line, "the block was to fail, but did not") end
  local text = tostring(message):gsub("^[^\n]-%.md:%d+: ", ""):gsub("[^%s(]*/([^/%s]+%.md:%d+)", "%1")
  write(text, "\n")
end

package.path = (arg[0]:match "^(.*)/" or ".") .. "/../../scripts/?.lua;" .. package.path
local chunk = assert(load(script, "@" .. page))
local original = { print = print, write = io.write }
print = function(...)
  local list = table.pack(...)
  for i = 1, list.n do list[i] = tostring(list[i]) end
  write(table.concat(list, "\t"), "\n")
end
io.write = function(...)
  write(...)
  return io.stdout
end
chunk()
finish_block()
print, io.write = original.print, original.write
os.exit(failures == 0)
